// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the simulated driver: native functions by name, and kernels of
// the language (Executed.h). A cubin for it is an ELF file with a text behind
// its header. Of a native function that is `fake`, the sizes of the parameters,
// a semicolon, then words before the name of the kernel: `slow` takes two
// milliseconds, `gated` waits until the gates of Control.h open.

#ifndef GIRIH_TESTS_SIMULATED_KERNELS_H
#define GIRIH_TESTS_SIMULATED_KERNELS_H

#include "tests/simulated/Executed.h"
#include "tests/simulated/Memory.h"

#include <cstring>
#include <string_view>

namespace girih::simulated {

struct KernelArguments {
  std::vector<std::string> bytes; ///< of each parameter
  std::vector<char *> at;         ///< where a pointer points, for the threads
  uint64_t blocks = 0;            ///< of the launch

  template <typename T> T value(size_t k) const {
    T out{};
    std::memcpy(&out, bytes[k].data(), std::min(sizeof out, bytes[k].size()));
    return out;
  }
  /// An extent: never negative.
  uint64_t extent(size_t k) const {
    return static_cast<uint64_t>(std::max<int64_t>(value<int64_t>(k), 0));
  }
  template <typename T> T *pointer(size_t k) const {
    return reinterpret_cast<T *>(at[k]);
  }
};

/// Bytes that a kernel touches through one of its pointers.
struct Touch {
  size_t parameter;
  uint64_t offset, bytes;
  Mode mode;
};

struct KernelType {
  std::string_view name;
  std::string_view signature; ///< p pointer, f f32 or i32, i i64
  std::vector<Touch> (*touches)(const KernelArguments &);
  void (*run)(const KernelArguments &);
};

/// What a module holds.
struct KernelCode {
  const KernelType *type = nullptr;         ///< of a native function
  std::shared_ptr<ExecutedKernel> executed; ///< or a kernel of the language
  std::vector<bool> pointers;               ///< which parameters are some
  std::string name, entries; ///< entries: the names of the ELF file's sections
  std::vector<size_t> sizes; ///< of the parameters
  bool slow = false, gated = false;

  bool hasEntry(const std::string &entry) const;
  size_t offsetOf(size_t parameter) const;
};

/// Reads an image; false when it is none. `why` says what there is to say.
bool readCode(const void *image, KernelCode &code, std::string &why);

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_KERNELS_H
