// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read prints, and what is printed reads back as the same: every kernel
// of the repository, and random ones with constants of all kinds.

#include "fuzz/campaign/Texts.h"
#include "tests/property/Kernels.h"
#include "tests/unit/Long.h"

#include <iostream>

using namespace girih;

static const size_t texts = test::isLong ? 50000 : 800;
static const uint64_t seed = test::isLong ? 1000000 : 1;

TEST(Texts, ofTheRepositoryReadBack) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const std::string &path : test::allKernels()) {
    EXPECT_EQ(fuzz::tryPrinting(context, test::textOf(path)), "") << path;
  }
}

/// Numbers that decimals do not say, more lanes than MLIR prints one by one.
TEST(Texts, ofLargeConstantsReadBack) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const auto &[element, lanes] :
       std::map<std::string, std::vector<std::string>>{
           {"f16", {"0x7C01", "0xFE00", "0x7C00", "0xFC00", "-0.0", "0x0001"}},
           {"bf16", {"0x7FC1", "0xFFFF", "0x7F80", "0xFF80", "-0.0", "1.0"}},
           {"f32", {"0x7F800001", "0xFFC12345", "0x7F800000", "-0.0", "0.1"}},
           {"f64", {"0x7FF0000000000001", "0xFFF0000000000000", "-0.0", "0.1"}},
           {"f8E5M2", {"0x7D", "0xFE", "0x7C", "0xFC", "-0.0", "0x01"}},
           {"f8E4M3FN", {"0x7F", "0xFF", "-0.0", "0x01", "448.0"}},
           {"f4E2M1FN", {"0x7", "0xF", "-0.0", "0x1"}},
           {"f8E8M0FNU", {"0xFF", "0x00", "1.0", "0xFE"}},
           {"i1", {"true", "false"}},
           {"i4", {"-8", "7", "0"}},
           {"i8", {"-128", "127"}},
           {"i64", {"-9223372036854775808", "9223372036854775807"}},
           {"index", {"-9223372036854775808", "9223372036854775807"}}}) {
    for (size_t count : {size_t(1), size_t(64), size_t(128), size_t(4096)}) {
      std::string list;
      for (size_t i = 0; i < count; ++i) {
        list += (i ? ", " : "") + lanes[i % lanes.size()];
      }
      std::string type = "vector<" + std::to_string(count) + "x" + element;
      std::string text = "tile.kernel @k() grid [1] {\n"
                         "  %many = arith.constant dense<[" +
                         list + "]> : " + type +
                         ">\n  %same = arith.constant dense<" + lanes[0] +
                         "> : " + type + ">\n}\n";
      EXPECT_EQ(fuzz::tryPrinting(context, text), "") << element << count;
    }
  }
}

TEST(Texts, ofRandomKernelsReadBack) {
  fuzz::TextsOptions o;
  o.count = texts;
  o.seed = seed;
  o.elements = fuzz::elementTable(test::textOf("spec/tile.md"));
  fuzz::TextsResult r = fuzz::runTexts(o);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fuzz::toJson(r));
  std::cout << text << "\n";
  EXPECT_EQ(r.texts, texts);
  EXPECT_EQ(r.wrong, 0u) << text;
}
