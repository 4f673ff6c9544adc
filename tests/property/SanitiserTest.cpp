// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fact sanitiser over the kernels of the tree and over random ones; and
// that it sees what it is there to see.

#include "fuzz/sanitiser/Sanitiser.h"
#include "fuzz/generators/AtomicLanes.h"
#include "fuzz/generators/Draw.h"
#include "fuzz/generators/families/LaneSlices.h"
#include "fuzz/sanitiser/BruteForce.h"
#include "tests/property/Kernels.h"

#include <rapidcheck/gtest.h>

using namespace girih;
using namespace girih::test;

namespace {
/// Problems over some launches of a box; how many launches were admitted.
struct Sanitised {
  std::vector<std::string> problems;
  size_t admitted = 0;
  uint64_t instances = 0, pairs = 0, elements = 0;
};
} // namespace

static Sanitised sanitise(const tile::KernelFile &file,
                          const checker::Generated &generated,
                          const fuzz::Box &box, unsigned width, size_t runs,
                          uint64_t seed) {
  tile::KernelOp kernel = file.kernel;
  Sanitised out;
  out.problems = fuzz::missingObligations(file, generated);
  fuzz::Draw d(seed);
  for (size_t i = 0; i < 8 * runs && out.admitted < runs; ++i) {
    exec::Options o;
    for (auto &[name, values] : box.symbols) {
      o.symbols[name] = d.pick(values);
    }
    o.indexWidth = width;
    o.values = false;
    o.seed = i + 1;
    o.maxSteps = 20000;
    o.maxFaults = 1000;
    o.maxResultElements = 0;
    fuzz::SanitiserReport r = fuzz::sanitise(kernel, generated, o);
    out.admitted += r.result.contractError.empty();
    out.instances += r.instances;
    out.pairs += r.pairs;
    out.elements += r.elements;
    out.problems.insert(out.problems.end(), r.problems.begin(),
                        r.problems.end());
  }
  return out;
}

static void isClean(const std::string &path, unsigned width = 64) {
  SCOPED_TRACE(path);
  Kernel k(textOf(path));
  ASSERT_TRUE(bool(k)) << k.errors;
  for (const auto &file : k.files) {
    tile::KernelOp kernel = file->kernel;
    checker::Generated g = checker::generate(kernel, {width});
    Sanitised s = sanitise(*file, g, fuzz::boxOf(kernel, width), width, 12, 1);
    EXPECT_EQ(s.problems, std::vector<std::string>());
    for (const checker::Vc &o : g.vcs) {
      EXPECT_EQ(ruleNamed(o.obligation.rule), o.rule);
    }
  }
}

class SanitiserOf : public ::testing::TestWithParam<std::string> {};

TEST_P(SanitiserOf, findsNothing) { isClean(GetParam()); }
TEST_P(SanitiserOf, findsNothingAtEightBits) { isClean(GetParam(), 8); }

INSTANTIATE_TEST_SUITE_P(Kernels, SanitiserOf,
                         ::testing::ValuesIn(takenKernels()), testName);

TEST(Sanitiser, outsideKernels) {
  for (const std::string &path : suiteKernels()) {
    isClean(path);
  }
}

static void isClean(const fuzz::Sample &sample, unsigned width) {
  Kernel k(sample.text);
  RC_ASSERT(bool(k));
  Sanitised s = sanitise(k.file(), checker::generate(k.op(), {width}),
                         sample.box, width, 4, sample.seed);
  for (const std::string &p : s.problems) {
    RC_LOG() << p << "\n";
  }
  RC_ASSERT(s.problems.empty());
}

// Many more than RapidCheck's hundred, and the same ones every time.
TEST(Sanitiser, indexKernels) {
  for (uint64_t seed = 1; seed <= 700; ++seed) {
    for (int sort = 0; sort < 3; ++sort) {
      size_t mistakes = fuzz::mutationsOf(seed).size();
      fuzz::Sample s = sort == 0 ? fuzz::safeKernel(seed)
                       : sort == 1 && mistakes
                           ? fuzz::nearMiss(seed, seed % mistakes)
                           : fuzz::randomIndices(seed);
      unsigned width = sort == 2 ? 8 : 64;
      Kernel k(s.text);
      ASSERT_TRUE(bool(k)) << k.errors;
      Sanitised r = sanitise(k.file(), checker::generate(k.op(), {width}),
                             s.box, width, 2, seed);
      ASSERT_EQ(r.problems, std::vector<std::string>()) << s.text;
    }
  }
}

/// Instances and pairs of claims in so many kernels at an index of 8 bits.
static std::pair<size_t, size_t> areCleanLanes(fuzz::Sample sampleOf(uint64_t),
                                               uint64_t kernels) {
  size_t instances = 0, pairs = 0;
  for (uint64_t seed = 1; seed <= kernels && !::testing::Test::HasFailure();
       ++seed) {
    fuzz::Sample s = sampleOf(seed);
    Kernel k(s.text);
    EXPECT_TRUE(bool(k)) << k.errors << s.text;
    checker::Generated g = checker::generate(k.op(), {8});
    EXPECT_EQ(fuzz::missingObligations(k.file(), g), std::vector<std::string>())
        << s.text;
    Sanitised r = sanitise(k.file(), g, s.box, 8, 4, seed);
    EXPECT_EQ(r.problems, std::vector<std::string>()) << s.text;
    instances += r.instances;
    pairs += r.pairs;
  }
  return {instances, pairs};
}

TEST(Sanitiser, randomLanes) {
  auto [instances, pairs] = areCleanLanes(fuzz::randomLanes, 700);
  EXPECT_GE(instances, 100000u);
  EXPECT_GE(pairs, 1000u);
}

TEST(Sanitiser, randomAtomicLanes) {
  auto [instances, pairs] = areCleanLanes(fuzz::randomAtomicLanes, 300);
  EXPECT_GE(instances, 30000u);
  EXPECT_EQ(pairs, 0u); // nothing is claimed
}

/// 200 kernels of a form, each at two launches.
static void areClean(fuzz::Sample sampleOf(uint64_t seed)) {
  size_t instances = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    fuzz::Sample s = sampleOf(seed);
    Kernel k(s.text);
    ASSERT_TRUE(bool(k)) << k.errors << s.text;
    Sanitised r =
        sanitise(k.file(), checker::generate(k.op(), {64}), s.box, 64, 2, seed);
    ASSERT_EQ(r.problems, std::vector<std::string>()) << s.text;
    instances += r.instances;
  }
  EXPECT_GE(instances, 5000u);
}

// The guessed lane of the second store, element - N, is none of its eight: what
// it would store there no instance can tell.
TEST(Sanitiser, guessedLaneThatIsNone) {
  Kernel k(R"(
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
tile.kernel @behind(%x: !X, %y: !Y) grid [ceildiv(N, 8)] {
  %b = tile.block_id 0
  %c9 = arith.constant 9 : index
  %first = arith.muli %b, %c9 : index
  %n = tile.symbol "N" : index
  %lane = tile.iota 0 : vector<8xindex>
  %ns = vector.broadcast %n : index to vector<8xindex>
  %read = arith.cmpi slt, %lane, %ns : vector<8xindex>
  %v = tile.gather %x[%lane], %read pad(zero) : !X, vector<8xindex>, vector<8xi1>
  %firsts = vector.broadcast %first : index to vector<8xindex>
  %at = arith.addi %firsts, %lane : vector<8xindex>
  %inside = arith.cmpi slt, %at, %ns : vector<8xindex>
  tile.scatter %v, %y[%at], %inside : vector<8xi32>, !Y, vector<8xindex>, vector<8xi1>
  %behind = arith.addi %ns, %lane : vector<8xindex>
  %none = arith.cmpi slt, %behind, %ns : vector<8xindex>
  %differs = arith.cmpi sgt, %v, %v : vector<8xi32>
  %both = arith.andi %none, %differs : vector<8xi1>
  tile.scatter %v, %y[%behind], %both : vector<8xi32>, !Y, vector<8xindex>, vector<8xi1>
}
)");
  ASSERT_TRUE(bool(k)) << k.errors;
  checker::Generated g = checker::generate(k.op(), {64});
  fuzz::Box box;
  box.symbols = {{"N", {1, 7, 8, 9, 15, 16, 17}}};
  Sanitised s = sanitise(k.file(), g, box, 64, 12, 1);
  EXPECT_EQ(s.problems, std::vector<std::string>());
  EXPECT_EQ(s.admitted, 12u);
  EXPECT_GE(s.elements, 50u);
}

TEST(Sanitiser, severalStores) { areClean(fuzz::severalStores); }

TEST(Sanitiser, byContents) { areClean(fuzz::byContents); }
TEST(Sanitiser, randomMasks) { areClean(fuzz::randomMasks); }
TEST(Sanitiser, whiles) { areClean(fuzz::whiles); }
TEST(Sanitiser, randomNibbles) { areClean(fuzz::randomNibbles); }
TEST(Sanitiser, laneSlices) {
  areClean([](uint64_t seed) { return fuzz::laneSlices(seed); });
  areClean([](uint64_t seed) {
    return fuzz::laneSlices(seed, seed % fuzz::sliceMistakes(seed).size());
  });
}

TEST(Sanitiser, atomicLanes) {
  areClean([](uint64_t seed) { return fuzz::atomicLanes(seed); });
  areClean([](uint64_t seed) {
    return fuzz::atomicLanes(seed, seed % fuzz::atomicMistakes(seed).size());
  });
}

RC_GTEST_PROP(Sanitiser, safeKernelsAreClean, ()) {
  isClean(*safeKernels(), 64);
}
RC_GTEST_PROP(Sanitiser, nearMissesAreClean, ()) { isClean(*nearMisses(), 64); }
RC_GTEST_PROP(Sanitiser, randomIsClean, ()) { isClean(*indexKernels(), 8); }

//===-- What it sees ------------------------------------------------------===//

namespace {
/// One kernel with every sort of obligation, and a way to spoil them.
class Spoiled : public ::testing::Test {
protected:
  void SetUp() override {
    kernel = std::make_unique<Kernel>(R"(
!A = !tile.tensor<[M, N] x f32, shared>
!C = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[2, 4], [M, N] x f32, shared>
!PC = !tile.partition<[2, 4], [M, N] x f32, out>
!P = !tile.piece<[2, 4] x f32, out>
tile.kernel @k(%a: !A, %c: !C) grid [ceildiv(M, 2) + 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %pa = tile.partition %a by [2, 4] : !A
  %pc = tile.partition %c by [2, 4] : !C
  %m = tile.num_tiles %pc, 0 : !PC
  %n = tile.num_tiles %pc, 1 : !PC
  %half = arith.divsi %m, %c1 : index
  %in = arith.cmpi slt, %i, %half : index
  scf.if %in {
    scf.for %j = %c0 to %n step %c1 {
      %last = arith.subi %n, %c1 : index
      %k = arith.subi %last, %j : index
      %x = tile.load %pa[%i, %k] pad(zero) : !PA
      %o = tile.claim %pc[%i, %k] : !PC
      tile.store %x, %o : !P
    }
  }
})");
    ASSERT_TRUE(bool(*kernel)) << kernel->errors;
    generated = checker::generate(kernel->op(), {});
    box = {{{"M", {5}}, {"N", {9}}}};
  }

  Sanitised run() { return sanitise(kernel->file(), generated, box, 64, 1, 1); }

  /// Spoils one obligation after the other; how many went unnoticed.
  template <typename F> size_t unnoticed(F spoil) {
    size_t count = 0, spoiled = 0;
    checker::Generated whole = generated;
    for (size_t i = 0; i < whole.vcs.size(); ++i) {
      generated = whole;
      if (spoil(generated.vcs[i])) {
        ++spoiled;
        count += run().problems.empty();
      }
    }
    EXPECT_GT(spoiled, 0u);
    return count;
  }

  std::unique_ptr<Kernel> kernel;
  checker::Generated generated;
  fuzz::Box box;
};
} // namespace

TEST_F(Spoiled, notAtAll) {
  Sanitised s = run();
  EXPECT_EQ(s.problems, std::vector<std::string>());
  EXPECT_GT(s.instances, 50u);
  EXPECT_GT(s.pairs, 10u);
  EXPECT_EQ(s.elements, 45u);
}

TEST_F(Spoiled, byAFalseHypothesis) {
  EXPECT_EQ(unnoticed([](checker::Vc &o) {
              proofs::Hypothesis h;
              h.fact = proofs::Fact::atLeastZero(proofs::Poly(-1));
              o.obligation.hypotheses.push_back(h);
              return true;
            }),
            0u);
}

TEST_F(Spoiled, byAHypothesisAboutNothing) {
  EXPECT_EQ(unnoticed([](checker::Vc &o) {
              checker::Variable v;
              v.kind = checker::Variable::Kind::Defined;
              v.name = "nothing";
              proofs::Hypothesis h;
              h.fact = proofs::Fact::atLeastZero(proofs::Poly::variable(
                  static_cast<proofs::Var>(o.variables.size())));
              o.variables.push_back(v);
              o.obligation.variables.push_back(v.name);
              o.obligation.hypotheses.push_back(h);
              return true;
            }),
            0u);
}

TEST_F(Spoiled, byAGoalThatFailsWhereNothingDoes) {
  EXPECT_EQ(unnoticed([](checker::Vc &o) {
              bool pair = o.rule == Rule::ClaimDisjoint;
              bool covers = o.rule == Rule::OutCovered;
              if (pair || covers) {
                return false; // these are not refuted by one instance
              }
              o.obligation.goal = -o.obligation.goal - proofs::Poly(1);
              return true;
            }),
            0u);
}

TEST_F(Spoiled, byAPairThatMayMeet) {
  EXPECT_EQ(unnoticed([](checker::Vc &o) {
              if (o.rule != Rule::ClaimDisjoint) {
                return false;
              }
              std::erase_if(o.obligation.hypotheses, [](auto &h) {
                return h.origin.kind == proofs::Origin::Kind::Region;
              });
              return true;
            }),
            0u);
}

TEST_F(Spoiled, byAMissingObligation) {
  checker::Generated whole = generated;
  std::set<Rule> rules;
  for (const checker::Vc &o : whole.vcs) {
    rules.insert(o.rule);
  }
  for (Rule rule : rules) {
    generated = whole;
    std::erase_if(generated.vcs, [&](auto &o) { return o.rule == rule; });
    EXPECT_FALSE(run().problems.empty()) << ruleName(rule);
  }
}

/// The rules that have obligations, in the order of Rules.def: what is
/// trusted is named instead.
static std::vector<std::string> rulesOfVcs() {
  std::vector<std::string> names;
  for (Rule rule : allRules()) {
    if (rule != Rule::TrustHolds) {
      names.push_back(ruleName(rule));
    }
  }
  return names;
}

class RuleOff : public ::testing::TestWithParam<std::string> {};

// A generator that forgets a rule is seen on the kernels of the rule, without
// a run: by what an op, an application of a map, or the launch must emit.
TEST_P(RuleOff, isSeen) {
  const std::string &name = GetParam();
  std::optional<Rule> rule = ruleNamed(name);
  ASSERT_TRUE(rule);
  size_t seen = 0;
  for (const char *kernel : {"good", "bad"}) {
    Kernel k(
        textOf("tests/corpus/girih/rules/" + name + "/" + kernel + ".mlir"));
    ASSERT_TRUE(bool(k)) << k.errors;
    checker::Generated g = checker::generate(k.op(), {});
    EXPECT_EQ(fuzz::missingObligations(k.file(), g),
              std::vector<std::string>());
    std::erase_if(g.vcs, [&](auto &o) { return o.rule == rule; });
    if (g.satisfiable.rule == rule) {
      g.satisfiable = {};
    }
    std::vector<std::string> missing = fuzz::missingObligations(k.file(), g);
    seen += llvm::any_of(missing, [&](const std::string &problem) {
      return llvm::StringRef(problem).starts_with(name);
    });
  }
  EXPECT_GE(seen, 1u);
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleOff, ::testing::ValuesIn(rulesOfVcs()),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST_F(Spoiled, byAWitnessThatWritesElsewhere) {
  // Coverage whose goals are dropped names what it likes.
  for (checker::Vc &o : generated.vcs) {
    if (o.rule != Rule::OutCovered) {
      continue;
    }
    o.obligation.goal = proofs::Poly(0);
    for (proofs::Definition &d : o.obligation.definitions) {
      if (d.kind == proofs::Definition::Kind::Name) {
        d.arguments[0] = d.arguments[0] + proofs::Poly(1);
      }
    }
    std::erase_if(o.obligation.hypotheses, [](auto &h) {
      return h.origin.kind == proofs::Origin::Kind::Proved;
    });
  }
  EXPECT_FALSE(run().problems.empty());
}
