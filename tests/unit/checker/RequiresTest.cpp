// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever asks more of a launch loses no proof: kernels of the library with
// bounds and multiples drawn for their symbols stay VERIFIED.

#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"
#include "tests/unit/Long.h"
#include "tests/unit/checker/Paste.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace girih;
using namespace girih::checker;

namespace {

std::vector<std::string> drawn(const std::vector<std::string> &symbols,
                               std::mt19937_64 &random) {
  auto one = [&](std::initializer_list<int64_t> of) {
    return of.begin()[random() % of.size()];
  };
  std::vector<std::string> out;
  for (const std::string &symbol : symbols) {
    if (random() % 2) {
      out.push_back(fmt::format("{} >= {}", symbol, one({1, 2, 8, 100})));
    }
    if (random() % 2) {
      out.push_back(fmt::format("{} <= {}", symbol,
                                one({4096, 1 << 20, INT32_MAX, 1LL << 36})));
    }
    if (random() % 2) {
      out.push_back(fmt::format("mod({}, {}) == 0", symbol, one({2, 8, 64})));
    }
  }
  std::shuffle(out.begin(), out.end(), random);
  return out;
}

struct Requires : testing::TestWithParam<const char *> {};

TEST_P(Requires, MoreLoseNoProof) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  VerifyOptions options;
  options.search = openSearch();
  ASSERT_TRUE(options.search);
  std::string name = GetParam();
  std::stringstream read;
  read << std::ifstream(fmt::format("{}/proofs/kernels/{}/{}.mlir",
                                    GIRIH_SOURCE_DIR, name, name))
              .rdbuf();
  std::mt19937_64 random(20261127);
  for (int draw = 0; draw < (test::isLong ? 200 : 12); ++draw) {
    std::vector<std::string> more = drawn({"M", "N", "K"}, random);
    std::string clause =
        more.empty() ? "" : fmt::format("requires [{}]", fmt::join(more, ", "));
    std::string text =
        more.empty() ? read.str() : test::paste(read.str(), clause);
    auto file =
        tile::readKernelText(context, text, "pasted.mlir", llvm::errs());
    ASSERT_TRUE(file) << text;
    EXPECT_EQ(verify(file->kernel, options).kind, VerdictKind::Verified)
        << clause;
  }
}

INSTANTIATE_TEST_SUITE_P(Library, Requires,
                         testing::Values("gemm", "gemm_grouped_order",
                                         "gemm_small"));

} // namespace
