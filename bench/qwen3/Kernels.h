// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The kernels of an engine: artefacts that tile-compile wrote, which it does
/// of nothing but what is VERIFIED.

#ifndef GIRIH_BENCH_QWEN3_KERNELS_H
#define GIRIH_BENCH_QWEN3_KERNELS_H

#include "bench/qwen3/Model.h"
#include "runtime/execution/Kernel.h"

#include <filesystem>

namespace girih::qwen3 {

/// What a report says of one.
struct KernelReport {
  struct Variant {
    std::string name, proof; ///< SHA-256 of its certificates
    std::vector<std::string> trusted;
  };
  std::string name, producer;
  std::vector<Variant> variants;
};

class Kernels {
public:
  /// \throws RuntimeError 3 that names the kernels that are not there, for an
  /// artefact of another kernel, and for what the runtime refuses of one.
  /// \param isOfRanks with those of several devices, too.
  static Kernels load(const std::filesystem::path &folder, Format format,
                      bool isOfRanks = false);

  /// One of those that it was loaded with.
  const Kernel &operator[](std::string_view name) const;
  const std::vector<KernelReport> &report() const { return reports; }

  /// All that an engine launches whose matrices are of this format.
  static std::vector<const char *> names(Format format, bool isOfRanks);

private:
  std::map<std::string, Kernel, std::less<>> all;
  std::vector<KernelReport> reports;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_KERNELS_H
