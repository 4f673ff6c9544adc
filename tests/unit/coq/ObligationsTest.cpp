// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The obligations of a kernel, as the checker says and as the generator of the
// theory does: the same text, for the kernels of the repository and for random
// ones.

#include "checker/generate/Generate.h"
#include "fuzz/generators/Generator.h"
#include "ir/text/Reader.h"
#include "spec/coq/KernelPrinter.h"
#include "tests/unit/Long.h"
#include "tests/unit/coq/Cases.h"
#include "tests/unit/coq/RandomKernels.h"
#include "tests/unit/coq/Repository.h"

#include <gtest/gtest.h>

namespace girih {
namespace {

/// The text without what only a reader needs.
std::string textOf(proofs::Obligation o) {
  o.label = o.location = "";
  o.variables.clear();
  o.splits.clear();
  for (proofs::Hypothesis &h : o.hypotheses) {
    h.origin.note = "";
  }
  std::string text;
  std::istringstream lines(proofs::print(o));
  for (std::string line; std::getline(lines, line);) {
    bool isForReaders = line.starts_with("label") ||
                        line.starts_with("location") ||
                        line.starts_with("variables");
    text += isForReaders ? "" : line + "\n";
  }
  return text;
}

class Judging {
public:
  void add(tile::KernelOp kernel, const std::string &name) {
    checker::Generated narrow = checker::generate(kernel, {8}),
                       wide = checker::generate(kernel, {64});
    if (!narrow.beyondTheory.empty() || !wide.beyondTheory.empty()) {
      ++beyond;
      return;
    }
    cases.writeKernel(*coq::printKernel(kernel));
    for (unsigned width : {8u, 64u}) {
      cases.writeObligations(width);
      std::string text;
      for (const checker::Vc &vc : (width == 8 ? narrow : wide).vcs) {
        text += textOf(vc.obligation);
        ++obligations;
      }
      expected.push_back({name + " at width " + std::to_string(width), text});
    }
  }

  /// At most so many of a hundred kernels may be beyond the theory.
  void judge(size_t mostBeyond = 12) {
    test::Answers answers = cases.answer("'" GIRIH_COQ_EXEC "'");
    ASSERT_EQ(answers.error, "");
    size_t wrong = 0, overflowed = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      if (i % 2 == 0) {
        answers.readKernel();
      }
      // The theory's numbers have no bounds: what leaves 128 bits has no match.
      const std::string &text = expected[i].second;
      bool leaves = text.find("overflow") != std::string::npos;
      overflowed += leaves;
      if (answers.readObligations() != text && !leaves && ++wrong <= 10) {
        ADD_FAILURE() << expected[i].first;
      }
    }
    EXPECT_EQ(wrong, 0u);
    std::cout << expected.size() << " lists of " << obligations
              << " obligations, " << overflowed << " lists overflow, " << beyond
              << " kernels are beyond the theory\n";
    size_t kernels = expected.size() / 2 + beyond;
    EXPECT_LE(beyond * 100, kernels * mostBeyond);
    EXPECT_LE(overflowed * 100, expected.size());
  }

private:
  test::Cases cases;
  /// Name and text, two a kernel.
  std::vector<std::pair<std::string, std::string>> expected;
  size_t obligations = 0, beyond = 0;
};

TEST(Obligations, ofTheKernelsOfTheRepository) {
  Judging judging;
  for (const auto &[name, source] :
       test::kernelTexts({"proofs/kernels", "tests/corpus",
                          "tests/tileir/kernels", "tests/lit/tileir"})) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto files = tile::readKernelTexts(context, source, name, stream);
    ASSERT_FALSE(files.empty()) << errors;
    for (const auto &file : files) {
      if (!test::isUnmechanised(name, file->kernel) && test::isTaken(name)) {
        judging.add(file->kernel, test::nameOf(name, *file));
      }
    }
  }
  judging.judge();
}

void judgeRandom(fuzz::Sample sampleOf(uint64_t seed), uint64_t count,
                 size_t mostBeyond = 12) {
  Judging judging;
  uint64_t skipped = 0;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (uint64_t seed = 1; seed <= test::share(count); ++seed) {
    fuzz::Sample sample = sampleOf(seed);
    auto file =
        tile::readKernelText(context, sample.text, "random", llvm::errs());
    ASSERT_TRUE(file) << sample.text;
    if (!coq::unmechanised(file->kernel).empty()) {
      ++skipped;
      continue;
    }
    judging.add(file->kernel, "seed " + std::to_string(seed));
  }
  std::cout << skipped << " kernels are not mechanised yet\n";
  judging.judge(mostBeyond);
}

TEST(Obligations, ofRandomKernels) { judgeRandom(test::indexKernel, 2000); }

TEST(Obligations, ofRandomValues) { judgeRandom(test::valueKernel, 1000); }

TEST(Obligations, ofRandomViews) { judgeRandom(test::viewKernel, 2000); }

// Blocks that load one element know more of it than the theory does.
TEST(Obligations, ofRandomLookups) { judgeRandom(test::lookupKernel, 300, 40); }

TEST(Obligations, ofRandomNibbles) { judgeRandom(fuzz::randomNibbles, 300); }

TEST(Obligations, ofRandomContracts) {
  judgeRandom(test::contractKernel, 1000);
}

} // namespace
} // namespace girih
