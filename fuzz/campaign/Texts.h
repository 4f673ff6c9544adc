// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels as texts: what is read prints, and what is printed reads back
// as the same, bit by bit; and no op is read over an element that it has not.

#ifndef GIRIH_FUZZ_CAMPAIGN_TEXTS_H
#define GIRIH_FUZZ_CAMPAIGN_TEXTS_H

#include "fuzz/generators/Forms.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"

namespace girih::fuzz {

/// A kernel with constants of every element type, of one lane to 512, alike and
/// not, down to payloads of NaN.
std::string constantsKernel(uint64_t seed);

/// What is wrong with printing a kernel that can be read; or empty. The text is
/// read, printed, read and printed.
std::string tryPrinting(mlir::MLIRContext &context, const std::string &text);

struct TextsOptions {
  uint64_t seed = 1;
  size_t count = 2000;
  unsigned jobs = 2;
  double secondsPerText = 60; ///< of processor time
  ElementTable elements;      ///< of spec/tile.md
};

struct TextsResult {
  size_t texts = 0, wrong = 0;
  double seconds = 0;
  std::vector<std::string> problems;
};

TextsResult runTexts(const TextsOptions &options);

llvm::json::Object toJson(const TextsResult &r);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_TEXTS_H
