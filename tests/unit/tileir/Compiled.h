// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A verified kernel and what becomes of it, for tests of what looks at that.

#ifndef GIRIH_TESTS_UNIT_TILEIR_COMPILED_H
#define GIRIH_TESTS_UNIT_TILEIR_COMPILED_H

#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"
#include "lower/Readback.h"

#include <gtest/gtest.h>

namespace girih::tileir {

struct Compiled {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  checker::Checked checked;
  Lowered lowered;

  explicit Compiled(const std::string &path) {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    checker::CheckOptions options;
    options.openSearch = checker::openSearch;
    std::string error;
    checked = std::move(
        checker::checkFile(context, path, options, llvm::errs(), error)
            .front());
    EXPECT_TRUE(checked.verdict.verified) << path << ": " << error;
    if (!checked.verdict.verified) {
      return;
    }
    auto made = tileir::lower(verified());
    auto *why = std::get_if<std::string>(&made);
    EXPECT_FALSE(why) << path << ": " << *why;
    if (!why) {
      lowered = std::get<Lowered>(std::move(made));
    }
  }

  const checker::VerifiedKernel &verified() const {
    return *checked.verdict.verified;
  }
  /// What the gate says; "" if it lets these bytes pass.
  std::string gate(const Bytes &bytes) const {
    return lower::readBack(verified(), lowered, bytes).value_or("");
  }
};

} // namespace girih::tileir

#endif // GIRIH_TESTS_UNIT_TILEIR_COMPILED_H
