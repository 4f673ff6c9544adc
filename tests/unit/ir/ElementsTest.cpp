// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op over each element type: the reader takes what the table of elements
// in spec/tile.md lists, and refuses all else, of scalars as of vectors.

#include "fuzz/generators/Forms.h"
#include "ir/text/Reader.h"
#include "tests/unit/ir/Kernels.h"

#include <gtest/gtest.h>

using namespace girih;

static void compare(const fuzz::ElementTable &table, const fuzz::Form &form,
                    const std::string &e, const std::string &f) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string text = fuzz::kernelOf(form, e, f), errors;
  std::string what = form.isCast ? e + " to " + f : e;
  llvm::raw_string_ostream os(errors);
  bool read = tile::readKernelText(context, text, "k.mlir", os) != nullptr;
  auto row = table.find(form.op);
  ASSERT_TRUE(row != table.end()) << form.op << " has no row";
  EXPECT_EQ(row->second.contains(what), read)
      << form.op << " of " << what << (read ? " is read" : " is refused")
      << ", the table says otherwise:\n"
      << text << errors;
}

TEST(Elements, OfFourBitsAreNotCounted) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string errors;
  llvm::raw_string_ostream os(errors);
  EXPECT_FALSE(tile::readKernelText(context,
                                    "tile.kernel @k() grid [1] {\n"
                                    "  %l = tile.iota 0 : vector<16xi4>\n"
                                    "}\n",
                                    "k.mlir", os));
  EXPECT_EQ(errors.rfind("k.mlir:2:8: error: iota counts lanes in index or in "
                         "i8, i16, i32, i64, got 'i4'",
                         0),
            0u)
      << errors;
}

TEST(Elements, AreThoseOfTheTable) {
  fuzz::ElementTable table = fuzz::elementTable(
      test::readText(std::string(GIRIH_SOURCE_DIR) + "/spec/tile.md"));
  std::set<std::string> tried;
  for (const fuzz::Form &form : fuzz::forms()) {
    tried.insert(form.op);
    for (const std::string &e : fuzz::elementTypes()) {
      if (!form.isCast) {
        compare(table, form, e, "f32");
        continue;
      }
      for (const std::string &f : fuzz::elementTypes()) {
        compare(table, form, e, f);
      }
    }
  }
  for (const auto &[op, what] : table) {
    EXPECT_TRUE(tried.contains(op)) << op << " is not tried";
  }
}
