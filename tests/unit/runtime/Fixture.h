// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artefacts made by hand, for the fake driver: z[N] = x[N] + y[N].

#ifndef GIRIH_TESTS_UNIT_RUNTIME_FIXTURE_H
#define GIRIH_TESTS_UNIT_RUNTIME_FIXTURE_H

#include "runtime/arguments/Contract.h"
#include "runtime/arguments/Npy.h"
#include "runtime/girih.h"
#include "tests/unit/runtime/FakeDriver.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

namespace girih::tests {

using Json = nlohmann::ordered_json;

/// A manifest without its seal; digests of files are filled in by `sealed`.
Json sumManifest();

/// The text of a manifest: its seal on the first line, then the rest.
std::string sealed(const Json &manifest);

/// The text of a proof of a kernel, without its obligations.
std::string proofOf(const std::string &kernel);

/// The file that the environment has as GIRIH_GPU_CUBIN: tests/gpu/Kernels.cu
/// for the GPU of this machine. Empty without.
std::string cubinOfGpu();

/// That file, or a cubin for the fake driver: an ELF file with the text behind
/// its header that says how many parameters, one for each number in the text,
/// the entry has.
std::string fakeCubin(const std::string &text, const std::string &entry);

/// The files of an artefact by name, manifest.json included, whose cubin for
/// sm_90 behaves as FakeDriver.h says.
std::map<std::string, std::string>
artefactFiles(const std::string &behaviour, Json manifest = sumManifest(),
              const std::string &sizes = "8 8 8 8");

/// `given NAME(%ids, args)`, of the sum's extra tensor.
Json fact(const std::string &name, Json args = Json::array());

/// The sum, with a tensor of integers of which something is given.
Json manifestWith(Json given, const char *element = "i32");

/// Writes a validator that behaves as told into the artefact and names it.
void addValidator(std::map<std::string, std::string> &files, Json &manifest,
                  const std::string &behaviour);

/// A folder of its own that is removed in the end.
class Folder {
public:
  Folder();
  explicit Folder(const std::map<std::string, std::string> &files);
  ~Folder();
  Folder(const Folder &) = delete;

  std::string path() const { return root.string(); }
  std::string file(const std::string &name) const {
    return (root / name).string();
  }
  std::string write(const std::string &name, const std::string &bytes) const;

private:
  std::filesystem::path root;
};

/// A one-dimensional f32 array.
runtime::Array floats(const std::vector<float> &values);

/// The state of the fake driver in this process.
FakeState &driverState();

/// A context of the fake driver, and the one that is current in this thread.
void *driverContext(int device, int number = 0);
void *currentContext();
void setContext(void *context);

/// Three tensors of eight elements in memory of their own, and where the call
/// of a sum says that they are.
struct SumArguments {
  alignas(64) float memory[3][16] = {};
  int64_t extents[3] = {8, 8, 8}, strides[3] = {1, 1, 1};
  std::vector<girih_argument> list;
  std::vector<girih_symbol> symbols;

  SumArguments();
  SumArguments(const SumArguments &) = delete;
  int prepare(girih_kernel *kernel, girih_launch **launch) const;
};

} // namespace girih::tests

#endif // GIRIH_TESTS_UNIT_RUNTIME_FIXTURE_H
