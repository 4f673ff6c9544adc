// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts in program order: numbering, scopes, renaming, and that the judge finds
// every obligation well founded.

#include "checker/generate/Generate.h"
#include "ir/text/Reader.h"
#include "proofs/Judge.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace girih;
using namespace girih::checker;
using namespace girih::proofs;

static Var addSymbol(FactBase &base, const char *name) {
  Variable v;
  v.name = name;
  return base.add(v);
}

TEST(FactBase, NumbersVariablesByFirstUse) {
  FactBase base({64});
  Var a = addSymbol(base, "a"), b = addSymbol(base, "b");
  base.assume(Fact::atLeastZero(Poly::variable(b)), Origin::Kind::Contract, "");
  base.emit(Rule::ClaimBounds, "", Poly::variable(a), nullptr, false);
  const Vc &o = base.vcs[0];
  EXPECT_EQ(o.rule, Rule::ClaimBounds);
  EXPECT_EQ(o.obligation.rule, ruleName(Rule::ClaimBounds));
  EXPECT_EQ(o.obligation.variables, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(o.kernelVariables, (std::vector<Var>{b, a}));
  EXPECT_EQ(o.obligation.goal, Poly::variable(1));
}

TEST(FactBase, DefinesAnEqualDivisionOnce) {
  FactBase base({64});
  Poly a = Poly::variable(addSymbol(base, "a"));
  auto first = base.divide(a, Poly(8), "x");
  EXPECT_EQ(base.divide(a, Poly(8), "y"), first);
  EXPECT_NE(base.divide(a, Poly(4), "y"), first);
  size_t mark = base.mark();
  auto inner = base.divide(a, Poly(2), "z");
  base.release(mark);
  EXPECT_NE(base.divide(a, Poly(2), "z"), inner) << "its scope has ended";
}

TEST(FactBase, WrapsOnlyWhatMayWrap) {
  FactBase base({64});
  EXPECT_EQ(base.wrap(Poly(127), 8, "c"), Poly(127));
  EXPECT_EQ(base.wrap(Poly(-128), 8, "c"), Poly(-128));
  EXPECT_NE(base.wrap(Poly(128), 8, "c"), Poly(128));
  EXPECT_EQ(base.visible().size(), 3u);
}

TEST(FactBase, ForgetsAtTheEndOfAScope) {
  FactBase base({64});
  Poly a = Poly::variable(addSymbol(base, "a"));
  size_t mark = base.mark();
  base.assume(Fact::atLeastZero(a), Origin::Kind::Path, "");
  base.emit(Rule::ClaimBounds, "", a, nullptr, true);
  base.release(mark);
  base.emit(Rule::ClaimBounds, "", a, nullptr, true);
  EXPECT_EQ(base.vcs[0].obligation.hypotheses.size(), 1u);
  EXPECT_EQ(base.vcs[1].obligation.hypotheses.size(), 0u);
}

TEST(FactBase, RenamingMovesProvedFacts) {
  FactBase base({64});
  Var a = addSymbol(base, "a"), b = addSymbol(base, "b");
  base.assume(Fact::atLeastZero(Poly::variable(a)), Origin::Kind::Launch, "");
  base.emit(Rule::IndexDivision, "", Poly::variable(a) + 1, nullptr, true);
  auto renaming = std::make_shared<const Renaming>(Renaming{{a, b}});
  FactList facts = base.visible();
  base.release(0);
  for (const ScopedFact &f : facts) {
    base.append(rename(f, renaming));
  }
  base.emit(Rule::ClaimBounds, "", Poly::variable(b), nullptr, false);
  std::vector<Obligation> all;
  for (const Vc &o : base.vcs) {
    all.push_back(o.obligation);
  }
  EXPECT_EQ(all[1].variables, std::vector<std::string>{"b"});
  EXPECT_TRUE(wellFounded(all, 1).accepted) << wellFounded(all, 1).reason;
}

/// Many proved facts list many variables each. A kernel of 330 remainders took
/// over a gigabyte for its obligations and their copy, a third of it empty.
TEST(FactBase, ObligationsHoldNoMoreThanTheyUse) {
  FactBase base({64});
  Poly sum(1);
  for (int i = 0; i < 37; ++i) {
    Poly v = Poly::variable(addSymbol(base, "v"));
    base.assume(Fact::atLeastZero(v), Origin::Kind::Launch, "");
    sum = sum + v;
    base.emit(Rule::IndexDivision, "", sum, nullptr, true);
  }
  for (const Vc &vc : base.vcs) {
    const Obligation &o = vc.obligation;
    EXPECT_EQ(o.hypotheses.capacity(), o.hypotheses.size());
    EXPECT_EQ(o.variables.capacity(), o.variables.size());
    EXPECT_EQ(vc.variables.capacity(), vc.variables.size());
    for (const Hypothesis &h : o.hypotheses) {
      EXPECT_EQ(h.origin.renaming.capacity(), h.origin.renaming.size());
    }
  }
  EXPECT_EQ(base.vcs.back().obligation.hypotheses.size(), 2u * 36 + 1);
}

TEST(Width, BoundsScale) {
  EXPECT_EQ(Width{64}.indexMax(), (Int(1) << 63) - 1);
  EXPECT_EQ(Width{64}.extentMax(), Int(1) << 40);
  EXPECT_EQ(Width{64}.bytesMax(), Int(1) << 47);
  EXPECT_EQ(Width{64}.gridMax(), (Int(1) << 31) - 1);
  EXPECT_EQ(Width{8}.indexMax(), 127);
  EXPECT_EQ(Width{8}.extentMax(), 32);
  EXPECT_EQ(Width{8}.bytesMax(), 64);
  EXPECT_EQ(Width{8}.gridMax(), 15);
}

static std::vector<std::string> kernelFiles() {
  std::vector<std::string> out;
  for (const char *folder : {"proofs/kernels", "tests/corpus/girih"}) {
    std::filesystem::path root(GIRIH_SOURCE_DIR);
    for (auto &e :
         std::filesystem::recursive_directory_iterator(root / folder)) {
      if (e.path().extension() == ".mlir") {
        out.push_back(e.path().string());
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

static void readsBack(const std::string &path, tile::KernelOp kernel,
                      unsigned bits, size_t &count) {
  Generated g = generate(kernel, {bits});
  Generated again = generate(kernel, {bits});
  ASSERT_EQ(g.vcs.size(), again.vcs.size());
  std::vector<Obligation> all;
  std::string text;
  for (size_t i = 0; i < g.vcs.size(); ++i) {
    all.push_back(g.vcs[i].obligation);
    text += print(all[i]);
    EXPECT_EQ(canonicalText(all[i]), canonicalText(again.vcs[i].obligation));
    EXPECT_EQ(all[i].variables.size(), g.vcs[i].variables.size());
  }
  for (size_t i = 0; i < all.size(); ++i) {
    CheckResult r = wellFounded(all, i);
    // What left 128 bits on the way is refused, as it must be.
    EXPECT_TRUE(r.accepted || r.reason == "overflow")
        << path << " obligation " << i << " " << all[i].rule << ": "
        << r.reason;
  }
  auto parsed = parseObligations(text);
  ASSERT_TRUE(std::holds_alternative<std::vector<Obligation>>(parsed))
      << path << ": " << std::get<ParseError>(parsed).message;
  auto &back = std::get<std::vector<Obligation>>(parsed);
  ASSERT_EQ(back.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(canonicalText(back[i]), canonicalText(all[i]));
  }
  count += all.size();
}

// What the generator writes reads back, is well founded, and does not depend
// on anything but the kernel.
TEST(Generate, WritesWellFoundedObligations) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  size_t count = 0;
  for (const std::string &path : kernelFiles()) {
    tile::KernelFiles files =
        tile::readKernelFiles(context, path, llvm::errs());
    ASSERT_FALSE(files.empty()) << path;
    for (const auto &file : files) {
      readsBack(path, file->kernel, 64, count);
      readsBack(path, file->kernel, 16, count);
    }
  }
  EXPECT_GT(count, 1000u);
}
