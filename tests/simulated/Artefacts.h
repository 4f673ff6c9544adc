// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artefacts of the simulated driver's kernels, with real contracts, and the
// control interface.

#ifndef GIRIH_TESTS_SIMULATED_ARTEFACTS_H
#define GIRIH_TESTS_SIMULATED_ARTEFACTS_H

#include "tests/simulated/Control.h"
#include "tests/unit/runtime/Fixture.h"

#include <string>
#include <vector>

namespace girih::tests {

/// The control interface of the loaded driver. Where that is one of a GPU,
/// there are no mistakes to find, and what would make calls fail, gates and
/// counts throw `needs the simulated driver`.
struct Simulated {
#define GIRIH_SIMULATED_MEMBER(result, name, parameters)                       \
  result(*name) parameters = nullptr;
  GIRIH_SIMULATED_FUNCTIONS(GIRIH_SIMULATED_MEMBER)
#undef GIRIH_SIMULATED_MEMBER

  /// All that was found since the reset, or behind the first so many.
  std::vector<std::string> errors(int first = 0) const;
};

const Simulated &simulated();

/// The files of the artefact of a kernel: add, fill, copy, scale, axpy, gemm,
/// gemm_strided, fill_rows, reduce, accumulate. `words` come before its name:
/// "slow", "gated".
std::map<std::string, std::string>
simulatedArtefact(const std::string &kernel, const std::string &words = "");

/// The manifest of it, without seal and digests.
Json simulatedManifest(const std::string &kernel);

/// A cubin of any kernel of the driver with parameters of these sizes; for a
/// GPU the file that the environment has as GIRIH_GPU_CUBIN
/// (tests/gpu/Kernels.cu).
std::string simulatedCubin(const std::string &kernel, const std::string &sizes,
                           const std::string &words = "");

} // namespace girih::tests

#endif // GIRIH_TESTS_SIMULATED_ARTEFACTS_H
