// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih/executor.h: results, faults and refusals as plain data.

#include "girih/executor.h"
#include "girih/checker.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace girih;

static const std::string source = GIRIH_SOURCE_DIR "/";

static Executor open(const std::string &path) {
  return Executor::open(Source::file(source + path)).value();
}

TEST(Executor, aSignatureSaysHowToCall) {
  Signature s = open("proofs/kernels/add/add.mlir").signature();
  EXPECT_EQ(s.kernels, (std::vector<std::string>{"add"}));
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_EQ(s.arguments[2].name, "z");
  EXPECT_EQ(s.arguments[2].element, "f32");
  EXPECT_EQ(s.arguments[2].mode, "out");
  EXPECT_EQ(s.arguments[2].dims, (std::vector<std::string>{"N"}));
  ASSERT_EQ(s.symbols.size(), 1u);
  EXPECT_EQ(s.symbols[0].name, "N");
  EXPECT_EQ(s.symbols[0].type, "index");
  EXPECT_EQ(s.contracts,
            (std::vector<std::string>{
                "tile.kernel @add(%x: !tile.tensor<[N] x f32, shared>, "
                "%y: !tile.tensor<[N] x f32, shared>, "
                "%z: !tile.tensor<[N] x f32, out>) "
                "grid [ceildiv(N, 1024)]"}));
}

TEST(Executor, numbersAreRoundedOnlyWhereThatIsAllowed) {
  Executor add = open("proofs/kernels/add/add.mlir");
  Launch launch;
  launch.round = false;
  launch.inputs["x"] = Array::of({3}, {1, std::nan(""), -INFINITY});
  launch.inputs["y"] = Array::of({3}, {10, 20, 0.5});
  ASSERT_TRUE(add.run(launch));
  launch.inputs["y"].floats[1] = 0.1;
  Expected<Execution> refused = add.run(launch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Error::Kind::Usage);
  EXPECT_EQ(refused.error().message,
            "input %y holds 0.10000000000000001, which is no f32");
  launch.round = true;
  EXPECT_TRUE(add.run(launch));
}

TEST(Executor, computes) {
  Launch launch;
  launch.inputs["x"] = Array::of({3}, {1, 2, 3});
  launch.inputs["y"] = Array::of({3}, {10, 20, 0.1});
  Expected<Execution> done = open("proofs/kernels/add/add.mlir").run(launch);
  ASSERT_TRUE(done) << done.error().text;
  EXPECT_TRUE(done->faults.empty());
  EXPECT_EQ(done->kernel, "add");
  EXPECT_EQ(done->grid, (std::vector<int64_t>{1}));
  EXPECT_EQ(done->blocks, 1);
  const TensorResult &z = done->tensors.at("z");
  EXPECT_EQ(z.values.element, "f32");
  EXPECT_EQ(z.values.shape, (std::vector<int64_t>{3}));
  // The input is rounded to f32, and so is the sum.
  EXPECT_EQ(z.values.floats,
            (std::vector<double>{11, 22, double(3.0f + 0.1f)}));
  // One rounding, and everybody rounds the same way.
  EXPECT_FALSE(z.bounds);
  EXPECT_FALSE(z.defined);
}

TEST(Executor, theOrderOfASumIsBounded) {
  const char *sum = R"(
!X = !tile.tensor<[64] x f32, shared>
!Z = !tile.tensor<[1] x f32, out>
!PX = !tile.partition<[64], [64] x f32, shared>
!PZ = !tile.partition<[_], [1] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @sum(%x: !X, %z: !Z) grid [1] {
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [64] : !X
  %pz = tile.partition %z by [_] : !Z
  %out = tile.claim %pz[%c0] : !PZ
  %a = tile.load %px[%c0] : !PX
  %s = tile.reduce add %a, 0 : vector<64xf32>
  tile.store %s, %out : !P
})";
  Launch launch;
  launch.inputs["x"] = Array::of({64}, std::vector<double>(64, 0.1));
  Expected<Execution> done =
      Executor::open(Source::of(sum)).value().run(launch);
  ASSERT_TRUE(done) << done.error().text;
  const TensorResult &z = done->tensors.at("z");
  EXPECT_NEAR(z.values.floats.at(0), 6.4, 1e-5);
  ASSERT_TRUE(z.bounds);
  EXPECT_EQ(z.bounds->element, "f64");
  EXPECT_GT(z.bounds->floats.at(0), 0);
  EXPECT_LT(z.bounds->floats.at(0), 1e-3);
}

TEST(Executor, aCounterexampleReplays) {
  std::string path = source + "tests/corpus/girih/bugs/permute_race.mlir";
  KernelVerdict k = verify(Source::file(path)).value().kernels.front();
  const Counterexample &x = k.counterexamples.at(0);
  Launch launch;
  launch.symbols.insert(x.symbols.begin(), x.symbols.end());
  launch.contents = x.contents;
  Execution done =
      open("tests/corpus/girih/bugs/permute_race.mlir").run(launch).value();
  ASSERT_EQ(done.faults.size(), 1u);
  const Fault &f = done.faults[0];
  EXPECT_EQ(f.rule, x.rule);
  EXPECT_EQ(f.block, x.block);
  EXPECT_EQ(f.otherBlock, x.otherBlock);
  EXPECT_EQ(f.tensor, "y");
  EXPECT_EQ(f.element, x.element);
  EXPECT_EQ(f.at.line, 26u);
  EXPECT_EQ(f.at.column, 23u);
  EXPECT_EQ(f.otherAt->line, 26u);
  EXPECT_EQ(f.text.find(path + ":26:23: error: "), 0u) << f.text;
}

TEST(Executor, whatTheContractDoesNotAdmitIsRefused) {
  Executor add = open("proofs/kernels/add/add.mlir");
  auto error = [&](const Launch &launch) {
    Expected<Execution> done = add.run(launch);
    EXPECT_FALSE(done);
    return done.error();
  };
  Error none = error({});
  EXPECT_EQ(none.kind, Error::Kind::Refused);
  EXPECT_EQ(none.message, "the launch is refused: symbol N has no value");
  EXPECT_NE(none.text.find("add.mlir:9:1: error: "), std::string::npos)
      << none.text;
  Launch shape;
  shape.symbols["N"] = 4;
  shape.inputs["x"] = Array::of({3}, {1, 2, 3});
  EXPECT_EQ(error(shape).message,
            "symbol N is 4 as set, but 3 as extent 0 of %x");
  Launch length;
  length.inputs["x"] = Array::of({3}, {1, 2});
  EXPECT_EQ(error(length).kind, Error::Kind::Refused);
  Launch kind;
  kind.inputs["x"] = Array::ofIntegers({3}, {1, 2, 3});
  EXPECT_EQ(error(kind).message,
            "input %x gives integers, the kernel takes f32");
  kind.inputs["x"] = {"f64", {1}, {1}, {}};
  EXPECT_EQ(error(kind).message, "input %x holds f64, the kernel takes f32");
  Launch unknown;
  unknown.inputs["w"] = Array::of({1}, {1});
  EXPECT_EQ(error(unknown).message, "the kernel has no argument %w");
  Launch scalar;
  scalar.symbols["N"] = 1;
  scalar.scalars["x"] = 1;
  EXPECT_EQ(error(scalar).message, "the kernel has no float scalar %x");
  scalar.scalars = {{"N", 1.5}};
  EXPECT_EQ(error(scalar).message, "symbol N is an integer");
  Launch large;
  large.symbols["N"] = 1 << 20;
  large.maxSteps = 10;
  EXPECT_EQ(error(large).kind, Error::Kind::Limit);
  Launch narrow;
  narrow.symbols["N"] = 1;
  narrow.indexWidth = 65;
  EXPECT_EQ(error(narrow).message,
            "the launch is refused: index width 65 is outside 8..64");
}
