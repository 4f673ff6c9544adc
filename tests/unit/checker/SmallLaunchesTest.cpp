// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches come in ascending order and none is left out, and what a refusal
// prints is the first of them that faults.

#include "checker/decide/SmallLaunches.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"
#include "tests/corpus/Corpus.h"
#include "tests/unit/Long.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::checker;

namespace {
class SmallLaunchesTest : public testing::Test {
protected:
  SmallLaunchesTest() {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  tile::KernelOp kernel(const std::string &header) {
    file =
        tile::readKernelText(context, "tile.kernel @k() " + header + " {\n}\n",
                             "small_launches.mlir", llvm::errs());
    EXPECT_TRUE(file);
    return file->kernel;
  }

  static std::string text(SmallLaunches all, size_t most) {
    std::string out;
    for (size_t i = 0; i < most; ++i) {
      std::optional<CandidateLaunch> launch = all.next();
      if (!launch) {
        return out + "end";
      }
      for (auto &[name, value] : launch->symbols) {
        out += name + std::to_string(value);
      }
      out += " ";
    }
    return out;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::unique_ptr<tile::KernelFile> file;
};

int64_t sizeOf(const std::vector<std::pair<std::string, int64_t>> &symbols) {
  int64_t sum = 0;
  for (auto &[name, value] : symbols) {
    sum += std::abs(value);
  }
  return sum;
}
} // namespace

TEST_F(SmallLaunchesTest, bySumThenInOrder) {
  SmallLaunches all(kernel("symbols [M : index, N : index] grid [M]"), 1000);
  EXPECT_EQ(text(std::move(all), 7), "M0N0 M0N1 M1N0 M0N2 M1N1 M2N0 M0N3 ");
}

TEST_F(SmallLaunchesTest, signedSymbolsGoBothWays) {
  SmallLaunches all(kernel("symbols [p : i32, N : index] grid [N]"), 1000);
  EXPECT_EQ(text(std::move(all), 6), "p0N0 p0N1 p1N0 p-1N0 p0N2 p1N1 ");
}

TEST_F(SmallLaunchesTest, equationsAreComputed) {
  // X counts for the order, although it is not chosen.
  SmallLaunches all(kernel("symbols [X : index, a : index, b : index] grid [X] "
                           "requires [X == a * b, a >= 1, b <= 2]"),
                    1000);
  EXPECT_EQ(text(std::move(all), 8), "X0a1b0 X0a2b0 X0a3b0 X1a1b1 X0a4b0 "
                                     "X0a5b0 X2a1b2 X2a2b1 ");
}

TEST_F(SmallLaunchesTest, equationsInACircleAreRequirements) {
  SmallLaunches all(
      kernel(
          "symbols [a : index, b : index] grid [a] requires [a == b, b == a]"),
      1000);
  EXPECT_EQ(text(std::move(all), 3), "a0b0 a1b1 a2b2 ");
}

TEST_F(SmallLaunchesTest, endsWithItsChoices) {
  tile::KernelOp k = kernel("symbols [M : index, N : index] grid [M]");
  EXPECT_EQ(text(SmallLaunches(k, 12), 100),
            "M0N0 M0N1 M1N0 M0N2 M1N1 M2N0 end");
  EXPECT_EQ(text(SmallLaunches(kernel("grid [1]"), 10), 5), " end");
  EXPECT_EQ(text(SmallLaunches(kernel("symbols [N : index] grid [N] "
                                      "requires [N == 5]"),
                               10),
                 5),
            "N5 end");
}

TEST_F(SmallLaunchesTest, whatFollowsADivisionByZeroIsNotAsked) {
  SmallLaunches all(kernel("symbols [N : index, P : index] grid [1] "
                           "requires [div(N, P) >= 1, P >= 1]"),
                    1000);
  EXPECT_EQ(text(std::move(all), 4), "N0P0 N1P0 N1P1 N2P0 ");
}

/// Runs all launches that are smaller than what a refusal of a kernel shows.
static void minimal(tile::KernelOp kernel, const std::filesystem::path &path,
                    size_t &bugs) {
  VerifyOptions options;
  options.search = openSearch();
  ASSERT_TRUE(options.search);
  options.allFaults = false;
  Verdict v = verify(kernel, options);
  if (v.kind != VerdictKind::Refuted) {
    return;
  }
  const Counterexample &c = v.counterexamples.front();
  if (!v.vcs[c.obligation].lookups.empty() || sizeOf(c.symbols) > 24) {
    return; // a matter of contents, or beyond enumerating
  }
  SmallLaunches all(kernel, 1 << 16);
  for (std::optional<CandidateLaunch> l;
       (l = all.next()) && l->symbols != c.symbols;) {
    ASSERT_LE(sizeOf(l->symbols), sizeOf(c.symbols)) << path;
    exec::Options o;
    o.symbols.insert(l->symbols.begin(), l->symbols.end());
    o.values = false;
    o.maxSteps = 1 << 18;
    exec::Result r = exec::run(kernel, o);
    ASSERT_TRUE(!r.contractError.empty() || r.faults.empty())
        << path << ": " << r.faults[0].message;
  }
  ++bugs;
}

/// All launches that are smaller than what is printed for a dozen planted bugs
/// run without a fault.
TEST_F(SmallLaunchesTest, refusalsAreMinimal) {
  size_t bugs = 0;
  for (const test::CorpusKernel &k : test::corpusOf("girih")) {
    if (k.expect != "REFUTED" || !test::isTaken(k.path)) {
      continue;
    }
    auto files = tile::readKernelFiles(context, k.path, llvm::errs());
    ASSERT_FALSE(files.empty());
    for (const auto &read : files) {
      minimal(read->kernel, k.path, bugs);
    }
  }
  EXPECT_GE(bugs, test::isLong ? 120u : 20u);
}
