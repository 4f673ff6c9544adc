// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each fault in a tiny kernel, beside the twin that does not have it.

#include "Launching.h"

#include <fstream>
#include <sstream>

namespace girih::exec {
namespace {

/// A 1-D kernel over tiles of 4 with the given header and body.
std::string kernel(const std::string &header, const std::string &body) {
  return vectorTypes + std::string("tile.kernel @k(") + header + " {\n" + body +
         "\n}\n";
}

const char *const fill = R"(
  %v = arith.constant dense<1.0> : vector<4xf32>
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
)";

std::string fillWith(const std::string &rest) {
  return kernel("%c: !C) grid [ceildiv(N, 4)]",
                fill + std::string("  %pc = tile.partition %c by [4] : !C\n") +
                    rest);
}

TEST(Fault, ClaimBounds) {
  Kernel good(fillWith(R"(%o = tile.claim %pc[%i] : !PC
    tile.store %v, %o : !P)"));
  EXPECT_EQ(verdict(good.run({{"N", 10}})), "clean");
  EXPECT_EQ(verdict(good.run({{"N", 0}})), "clean");
  Kernel bad(fillWith(R"(%n = arith.addi %i, %c1 : index
    %o = tile.claim %pc[%n] : !PC
    tile.store %v, %o : !P)"));
  Result result = bad.run({{"N", 10}});
  ASSERT_EQ(verdict(result), "claim.bounds");
  const Fault &fault = result.faults[0];
  EXPECT_EQ(fault.block, (std::vector<int64_t>{2}));
  EXPECT_EQ(fault.headline, "tile 3 is outside a partition of 3 tiles");
  EXPECT_EQ(fault.message, "claims elements 12..15 of 10");
  EXPECT_EQ(fault.tensor, 0);
  EXPECT_EQ(fault.operand, 1);
}

TEST(Fault, ClaimBoundsBelowZero) {
  Kernel bad(fillWith(R"(%n = arith.subi %i, %c1 : index
    %o = tile.claim %pc[%n] : !PC
    tile.store %v, %o : !P)"));
  Result result = bad.run({{"N", 10}});
  ASSERT_EQ(verdict(result), "claim.bounds");
  EXPECT_EQ(result.faults[0].message, "claims elements -4..-1 of 10");
}

TEST(Fault, EmptyAxisHasNoTile) {
  Kernel bad(kernel("%c: !C) grid [1]", fill + std::string(R"(
    %pc = tile.partition %c by [4] : !C
    %o = tile.claim %pc[%i] : !PC
    tile.store %v, %o : !P)")));
  EXPECT_EQ(verdict(bad.run({{"N", 4}})), "clean");
  Result result = bad.run({{"N", 0}});
  ASSERT_EQ(verdict(result), "claim.bounds");
  EXPECT_EQ(result.faults[0].headline,
            "tile 0 is outside a partition of 0 tiles");
}

TEST(Fault, ClaimDisjoint) {
  Kernel bad(fillWith(R"(%o = tile.claim %pc[%c0] : !PC
    tile.store %v, %o : !P)"));
  EXPECT_EQ(verdict(bad.run({{"N", 4}})), "clean");
  Result result = bad.run({{"N", 10}});
  ASSERT_EQ(verdict(result), "claim.disjoint");
  const Fault &fault = result.faults[0];
  EXPECT_EQ(fault.block, (std::vector<int64_t>{1}));
  EXPECT_EQ(fault.otherBlock, (std::vector<int64_t>{0}));
  EXPECT_EQ(fault.element, (std::vector<int64_t>{0}));
  EXPECT_EQ(fault.otherOp, fault.op);
  EXPECT_EQ(fault.headline, "two blocks claim element [0] of %c");
}

TEST(Fault, ClaimDisjointOfTwoTilings) {
  // Block 0 takes tile 0 of eight elements, block 1 tile 1 of four.
  Kernel bad(R"(
!C = !tile.tensor<[N] x f32, out partial>
!P4 = !tile.partition<[4], [N] x f32, out partial>
!P8 = !tile.partition<[8], [N] x f32, out partial>
tile.kernel @k(%c: !C) grid [2] {
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %p4 = tile.partition %c by [4] : !C
  %p8 = tile.partition %c by [8] : !C
  %first = arith.cmpi eq, %i, %c0 : index
  scf.if %first {
    %o = tile.claim %p8[%c0] : !P8
  } else {
    %o = tile.claim %p4[%i] : !P4
  }
})");
  Result result = bad.run({{"N", 20}});
  ASSERT_EQ(verdict(result), "claim.disjoint");
  EXPECT_EQ(result.faults[0].element, (std::vector<int64_t>{4}));
  EXPECT_EQ(result.faults[0].message, "claims [4..7] of %c");
  EXPECT_EQ(result.faults[0].otherMessage, "claims [0..7] of %c");
  EXPECT_NE(result.faults[0].otherOp, result.faults[0].op);
}

TEST(Fault, OneBlockMayClaimTwice) {
  Kernel good(fillWith(R"(%o = tile.claim %pc[%i] : !PC
    %o2 = tile.claim %pc[%i] : !PC
    tile.store %v, %o : !P
    tile.store %v, %o2 : !P)"));
  EXPECT_EQ(verdict(good.run({{"N", 10}})), "clean");
}

std::string copy(const std::string &load) {
  return kernel("%a: !A, %c: !C) grid [ceildiv(N, 4)]", fill + std::string(R"(
    %pa = tile.partition %a by [4] : !A
    %pc = tile.partition %c by [4] : !C
    %o = tile.claim %pc[%i] : !PC
)") + load + "\n tile.store %x, %o : !P");
}

TEST(Fault, LoadBounds) {
  Kernel bad(copy(R"(%n = arith.addi %i, %c1 : index
    %x = tile.load %pa[%n] pad(zero) : !PA)"));
  Result result = bad.run({{"N", 9}});
  ASSERT_EQ(verdict(result), "load.bounds");
  EXPECT_EQ(result.faults[0].message, "reads elements 12..15 of 9");
  EXPECT_EQ(result.faults[0].block, (std::vector<int64_t>{2}));
}

TEST(Fault, LoadPad) {
  Kernel bare(copy("%x = tile.load %pa[%i] : !PA"));
  EXPECT_EQ(verdict(bare.run({{"N", 8}})), "clean");
  Result result = bare.run({{"N", 9}});
  ASSERT_EQ(verdict(result), "load.pad");
  EXPECT_EQ(result.faults[0].message, "reads elements 8..11 of 9");
  EXPECT_EQ(result.faults[0].element, (std::vector<int64_t>{9}));
  Kernel padded(copy("%x = tile.load %pa[%i] pad(nan) : !PA"));
  EXPECT_EQ(verdict(padded.run({{"N", 9}})), "clean");
}

TEST(Fault, LoadDefined) {
  auto body = [](const char *before) {
    return fillWith(std::string("%o = tile.claim %pc[%i] : !PC\n") + before +
                    R"(%x = tile.load %o pad(zero) : !P
                       tile.store %x, %o : !P)");
  };
  Kernel bad(body(""));
  Result result = bad.run({{"N", 6}});
  ASSERT_EQ(verdict(result), "load.defined");
  EXPECT_EQ(result.faults[0].element, (std::vector<int64_t>{0}));
  Kernel good(body("tile.store %v, %o : !P\n"));
  EXPECT_EQ(verdict(good.run({{"N", 6}})), "clean");
}

TEST(Fault, LoadDefinedIsElementPrecise) {
  // Four of eight elements are written, then all eight are read.
  const char *text = R"(
!C = !tile.tensor<[N] x f32, out partial>
!P4 = !tile.partition<[4], [N] x f32, out partial>
!P8 = !tile.partition<[8], [N] x f32, out partial>
!Q4 = !tile.piece<[4] x f32, out>
!Q8 = !tile.piece<[8] x f32, out>
tile.kernel @k(%c: !C) grid [1] {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %p4 = tile.partition %c by [4] : !C
  %p8 = tile.partition %c by [8] : !C
  %o4 = tile.claim %p4[%c0] : !P4
  %o8 = tile.claim %p8[%c0] : !P8
  tile.store %v, %o4 : !Q4
  %x = tile.load %o8 pad(zero) : !Q8
  tile.store %x, %o8 : !Q8
})";
  Kernel k(text);
  Result result = k.run({{"N", 8}});
  ASSERT_EQ(verdict(result), "load.defined");
  EXPECT_EQ(result.faults[0].element, (std::vector<int64_t>{4}));
  EXPECT_EQ(verdict(k.run({{"N", 4}})), "clean");
}

TEST(Fault, OutCovered) {
  Kernel bad(kernel("%c: !C) grid [div(N, 4)]", fill + std::string(R"(
    %pc = tile.partition %c by [4] : !C
    %o = tile.claim %pc[%i] : !PC
    tile.store %v, %o : !P)")));
  EXPECT_EQ(verdict(bad.run({{"N", 8}})), "clean");
  EXPECT_EQ(verdict(bad.run({{"N", 0}})), "clean");
  Result result = bad.run({{"N", 10}});
  ASSERT_EQ(verdict(result), "out.covered");
  EXPECT_EQ(result.faults[0].element, (std::vector<int64_t>{8}));
  EXPECT_EQ(result.faults[0].message, "no block writes element [8] of %c");
  // An empty grid leaves a tensor that is not empty.
  EXPECT_EQ(verdict(bad.run({{"N", 3}})), "out.covered");
}

TEST(Fault, CoverageOfASliceIsNotJudged) {
  Kernel good(fillWith(R"(%o = tile.claim %pc[%i] : !PC
    tile.store %v, %o : !P)"));
  Options options;
  options.blocks = {{1}};
  EXPECT_EQ(verdict(good.run({{"N", 12}}, options)), "clean");
  options.blocks = {{3}};
  EXPECT_EQ(verdict(good.run({{"N", 12}}, options)),
            "refused: block (3) is not in the grid (3)");
}

TEST(Fault, PartialNeedsNoCoverage) {
  Kernel good(R"(
!C = !tile.tensor<[N] x f32, out partial>
tile.kernel @k(%c: !C) grid [1] {
})");
  EXPECT_EQ(verdict(good.run({{"N", 12}})), "clean");
}

/// A kernel without tensors that computes on the symbol S.
std::string onSymbol(const std::string &body) {
  return "tile.kernel @k() symbols [S : index] grid [1] {\n"
         "  %s = tile.symbol \"S\" : index\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %c1 = arith.constant 1 : index\n" +
         body + "\n}\n";
}

TEST(Fault, IndexWidth) {
  Kernel square(onSymbol("%x = arith.muli %s, %s : index"));
  EXPECT_EQ(verdict(square.run({{"S", 3037000499}})), "clean");
  Result result = square.run({{"S", 3037000500}});
  ASSERT_EQ(verdict(result), "index.width");
  EXPECT_EQ(result.faults[0].headline,
            "index 9223372037000250000 leaves 64 bits");
}

TEST(Fault, IndexWidthEight) {
  Kernel multiply(onSymbol("%c4 = arith.constant 4 : index\n"
                           "%x = arith.muli %s, %c4 : index"));
  Options options;
  options.indexWidth = 8;
  EXPECT_EQ(verdict(multiply.run({{"S", 31}}, options)), "clean");
  Result result = multiply.run({{"S", 32}}, options);
  ASSERT_EQ(verdict(result), "index.width");
  EXPECT_EQ(result.faults[0].message, "computes 128");
  EXPECT_EQ(verdict(multiply.run({{"S", 33}}, options)),
            "refused: implied: S = 33 is outside 0..32");
  Kernel negative(onSymbol("%c5 = arith.constant -5 : index\n"
                           "%x = arith.muli %s, %c5 : index"));
  EXPECT_EQ(verdict(negative.run({{"S", 25}}, options)), "clean");
  EXPECT_EQ(verdict(negative.run({{"S", 26}}, options)), "index.width");
  Kernel constant(onSymbol("%c200 = arith.constant 200 : index"));
  EXPECT_EQ(verdict(constant.run({{"S", 0}}, options)), "index.width");
}

TEST(Fault, IndexDivision) {
  for (const char *op : {"divsi", "remsi", "ceildivsi"}) {
    Kernel divide(
        onSymbol("%x = arith." + std::string(op) + " %c1, %s : index"));
    EXPECT_EQ(verdict(divide.run({{"S", 1}})), "clean") << op;
    Result result = divide.run({{"S", 0}});
    ASSERT_EQ(verdict(result), "index.division") << op;
    EXPECT_EQ(result.faults[0].message, "divides 1 by 0");
    EXPECT_EQ(result.faults[0].operand, 1);
    Kernel negative(onSymbol("%m = arith.subi %c0, %s : index\n%x = arith." +
                             std::string(op) + " %m, %c1 : index"));
    EXPECT_EQ(verdict(negative.run({{"S", 0}})), "clean") << op;
    EXPECT_EQ(verdict(negative.run({{"S", 1}})), "index.division") << op;
    Kernel narrow(onSymbol("%n = arith.index_cast %s : index to i8\n"
                           "%x = arith." +
                           std::string(op) + " %n, %n : i8"));
    EXPECT_EQ(verdict(narrow.run({{"S", 100}})), "clean") << op;
    EXPECT_EQ(verdict(narrow.run({{"S", 200}})), "index.division") << op;
  }
}

TEST(Fault, LoopStep) {
  Kernel loop(onSymbol("scf.for %i = %c0 to %c1 step %s {\n}"));
  EXPECT_EQ(verdict(loop.run({{"S", 1}})), "clean");
  EXPECT_EQ(verdict(loop.run({{"S", 0}})), "loop.step");
  // Also where the loop would not run.
  Kernel never(onSymbol("scf.for %i = %c1 to %c0 step %s {\n}"));
  EXPECT_EQ(verdict(never.run({{"S", 0}})), "loop.step");
}

TEST(Fault, LoopWidth) {
  Kernel loop(onSymbol("%e = arith.constant 120 : index\n"
                       "scf.for %i = %c0 to %e step %s {\n}"));
  Options options;
  options.indexWidth = 8;
  EXPECT_EQ(verdict(loop.run({{"S", 1}}, options)), "clean");
  // 0, 9, ..., 117, then 126; with 11: 110, 121; with 13: 117, 130.
  EXPECT_EQ(verdict(loop.run({{"S", 9}}, options)), "clean");
  Result result = loop.run({{"S", 13}}, options);
  ASSERT_EQ(verdict(result), "loop.width");
  EXPECT_EQ(result.faults[0].message, "counts on to 117 + 13 = 130");
  ASSERT_EQ(result.faults[0].iterations.size(), 1u);
  EXPECT_EQ(result.faults[0].iterations[0].second, 9);
  Kernel narrow("tile.kernel @k() symbols [S : i8] grid [1] {\n"
                "  %s = tile.symbol \"S\" : i8\n"
                "  %c0 = arith.constant 0 : i8\n"
                "  %e = arith.constant 120 : i8\n"
                "  scf.for %i = %c0 to %e step %s : i8 {\n  }\n}\n");
  EXPECT_EQ(verdict(narrow.run({{"S", 9}})), "clean");
  EXPECT_EQ(verdict(narrow.run({{"S", 13}})), "loop.width");
}

TEST(Fault, ContractDivisionAndGrid) {
  Kernel division("tile.kernel @k() symbols [S : index, T : index] "
                  "grid [1] requires [T >= 1, mod(T, S) == 0] {\n}\n");
  EXPECT_EQ(verdict(division.run({{"S", 2}, {"T", 4}})), "clean");
  EXPECT_EQ(verdict(division.run({{"S", 0}, {"T", 4}})), "contract.division");
  // A requirement that is false earlier hides it.
  EXPECT_EQ(verdict(division.run({{"S", 0}, {"T", 0}})),
            "refused: requires T >= 1: 0 against 1");
  EXPECT_EQ(verdict(division.run({{"S", 3}, {"T", 4}})),
            "refused: requires mod(T, S) == 0: 1 against 0");
  Kernel grid("tile.kernel @k() symbols [S : index] grid [S - 2] {\n}\n");
  EXPECT_EQ(verdict(grid.run({{"S", 2}})), "clean");
  Result result = grid.run({{"S", 1}});
  ASSERT_EQ(verdict(result), "launch.grid");
  EXPECT_EQ(result.faults[0].message, "grid[0] = S - 2 = -1");
}

TEST(Fault, ManyFaultsGoOn) {
  Kernel bad(fillWith(R"(%o = tile.claim %pc[%c0] : !PC
    tile.store %v, %o : !P)"));
  Options options;
  options.maxFaults = 10;
  Result result = bad.run({{"N", 20}}, options);
  EXPECT_EQ(result.faults.size(), 4u); // blocks 1 to 4 against block 0
  EXPECT_EQ(result.blocks, 5);
}

TEST(Fault, ImpliedBounds) {
  Kernel k(R"(
!A = !tile.tensor<[M, N] x f32, shared>
!C = !tile.tensor<[N] x f32, own, strides [L]>
tile.kernel @k(%a: !A, %c: !C) symbols [P : i8, L : index] grid [] {
})");
  int64_t big = int64_t(1) << 40;
  auto run = [&](int64_t m, int64_t n, int64_t l, int64_t p) {
    return verdict(k.run({{"M", m}, {"N", n}, {"L", l}, {"P", p}}));
  };
  EXPECT_EQ(run(0, 0, 0, 0), "clean");
  EXPECT_EQ(run(big, 1, 1, 0), "clean");
  EXPECT_EQ(run(big + 1, 1, 1, 0), "refused: implied: M = 1099511627777 is "
                                   "outside 0..1099511627776");
  EXPECT_EQ(run(1 << 20, 1 << 15, 1, 0), "clean");
  EXPECT_EQ(run(1 << 20, 1 << 25, 1, 0), "clean");
  EXPECT_EQ(run(1 << 20, (1 << 25) + 1, 1, 0),
            "refused: implied: stride * extent * size of %a = 140737492549632 "
            "is outside 0..140737488355328");
  EXPECT_EQ(run(1, 1, 1, 127), "clean");
  EXPECT_EQ(run(1, 1, 1, 128),
            "refused: implied: P = 128 is outside -128..127");
  EXPECT_EQ(run(1, 2, 0, 0), "refused: implied: elements of the written "
                             "tensor %c share memory");
  EXPECT_EQ(run(1, 2, 3, 0), "clean");
}

TEST(Fault, MissingAndUnknownSymbols) {
  Kernel k("tile.kernel @k() symbols [S : index] grid [S] {\n}\n");
  EXPECT_EQ(verdict(k.run({})), "refused: symbol S has no value");
  EXPECT_EQ(verdict(k.run({{"S", 1}, {"T", 1}})),
            "refused: the kernel has no symbol T");
}

/// Each rule's own counterexample faults with that rule somewhere in a small
/// box, and its twin nowhere.
class RuleKernels : public testing::TestWithParam<const char *> {};

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string verdictsInBox(const std::string &path) {
  Kernel k(readFile(path));
  if (!k.file) {
    ADD_FAILURE() << path << k.errors;
    return "";
  }
  std::vector<std::string> names;
  for (const tile::LaunchSymbol &symbol : k.file->kernel.getLaunchSymbols()) {
    names.push_back(symbol.name.str());
  }
  static constexpr int64_t sizes[] = {0,   1,   2,   127,       128,
                                      129, 255, 257, 4294967296};
  std::string seen;
  std::vector<size_t> at(names.size(), 0);
  while (true) {
    Options options;
    options.maxSteps = 200000;
    for (size_t k2 = 0; k2 < names.size(); ++k2) {
      options.symbols[names[k2]] = sizes[at[k2]];
    }
    bool small = options.symbols.count("N") == 0 || options.symbols["N"] < 300;
    if (small) {
      std::string one = verdict(k.run(options.symbols, options));
      bool news = one != "clean" && one != "exhausted" &&
                  !one.starts_with("refused") &&
                  seen.find(one) == std::string::npos;
      seen += news ? one + " " : "";
    }
    size_t k3 = 0;
    while (k3 < at.size() && ++at[k3] == std::size(sizes)) {
      at[k3++] = 0;
    }
    if (k3 == at.size()) {
      return seen;
    }
  }
}

TEST_P(RuleKernels, BadFaultsGoodDoesNot) {
  std::string rule = GetParam();
  std::string folder = GIRIH_SOURCE_DIR "/tests/corpus/girih/rules/" + rule;
  EXPECT_EQ(verdictsInBox(folder + "/bad.mlir"), rule + " ");
  EXPECT_EQ(verdictsInBox(folder + "/good.mlir"), "");
}

INSTANTIATE_TEST_SUITE_P(
    Rules, RuleKernels,
    testing::Values("atomic.bounds", "atomic_scatter.bounds", "claim.bounds",
                    "claim.disjoint", "contract.division", "index.division",
                    "index.width", "invariant.holds", "launch.grid",
                    "load.bounds", "load.defined", "load.pad", "loop.step",
                    "loop.width", "out.covered", "while.measure"),
    [](const auto &info) {
      std::string name = info.param;
      name[name.find('.')] = '_';
      return name;
    });

} // namespace
} // namespace girih::exec
