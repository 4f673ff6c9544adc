// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the executor's tests: read a kernel, run it, look at the outcome.

#ifndef GIRIH_TESTS_UNIT_EXECUTOR_LAUNCHING_H
#define GIRIH_TESTS_UNIT_EXECUTOR_LAUNCHING_H

#include "ir/text/Reader.h"
#include "spec/executor/Executor.h"

#include <gtest/gtest.h>

namespace girih::exec {

/// A kernel that stays alive as long as this.
struct Kernel {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string errors;
  std::unique_ptr<tile::KernelFile> file;

  explicit Kernel(const std::string &text) {
    llvm::raw_string_ostream stream(errors);
    file = tile::readKernelText(context, text, "test.mlir", stream);
  }

  Result run(std::map<std::string, int64_t> symbols, Options options = {},
             Observer *observer = nullptr) {
    if (!file) {
      ADD_FAILURE() << errors;
      return {};
    }
    options.symbols = std::move(symbols);
    return exec::run(file->kernel, options, observer);
  }
};

/// The one-dimensional types that most of these kernels use.
inline const char *const vectorTypes = R"(
!A = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!O = !tile.tensor<[N] x f32, own>
!PA = !tile.partition<[4], [N] x f32, shared>
!PC = !tile.partition<[4], [N] x f32, out>
!PO = !tile.partition<[4], [N] x f32, own>
!P = !tile.piece<[4] x f32, out>
!Q = !tile.piece<[4] x f32, own>
)";

/// The rule of the only fault, or "clean", or why the launch was refused.
inline std::string verdict(const Result &result) {
  if (!result.contractError.empty()) {
    return "refused: " + result.contractError;
  }
  if (result.exhausted) {
    return "exhausted";
  }
  return result.faults.empty() ? "clean" : ruleName(result.faults.front().rule);
}

} // namespace girih::exec

#endif // GIRIH_TESTS_UNIT_EXECUTOR_LAUNCHING_H
