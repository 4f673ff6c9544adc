// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole launches: values, orders, slices, observers, budgets.

#include "Launching.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace girih::exec {
namespace {

std::string shipped(const std::string &name) {
  std::ifstream file(GIRIH_SOURCE_DIR "/proofs/kernels/" + name + "/" + name +
                     ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Array floats(Kind kind, std::vector<int64_t> shape,
             std::vector<double> numbers) {
  return {kind, std::move(shape), std::move(numbers), {}};
}

/// A launch of a product whose rows lie `gap` elements apart.
std::map<std::string, int64_t> product(std::map<std::string, int64_t> symbols,
                                       int64_t gap) {
  symbols["lda"] = symbols["K"] + gap;
  symbols["ldb"] = symbols["ldc"] = symbols["N"] + gap;
  return symbols;
}

TEST(Run, AddAdds) {
  Kernel add(shipped("add"));
  Options options;
  options.inputs["x"] = floats(Kind::F32, {3}, {1, 2, 3});
  options.inputs["y"] = floats(Kind::F32, {3}, {0.5, 0x1p-30, -3});
  Result result = add.run({{"N", 3}}, options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.tensors[2]->floats, (std::vector<double>{1.5, 2, 0}));
  EXPECT_FALSE(result.bounds[2]);
  EXPECT_FALSE(result.defined[2]);
}

TEST(Run, TensorsMayLieInMemory) {
  Kernel add(shipped("add"));
  float x[] = {1, 2, 3}, y[] = {0.5, 7, -3}, z[] = {9, 9, 9, 9};
  Options options;
  options.memory = {{"x", reinterpret_cast<char *>(x)},
                    {"y", reinterpret_cast<char *>(y)},
                    {"z", reinterpret_cast<char *>(z)}};
  options.maxResultElements = -1;
  std::string touched;
  options.touch = [&](unsigned tensor, llvm::ArrayRef<int64_t> start,
                      int64_t count, bool isWrite) {
    touched += (isWrite ? " w" : " r") + std::to_string(tensor) + "[" +
               std::to_string(start[0]) + "+" + std::to_string(count) + "]";
  };
  Result result = add.run({{"N", 3}}, options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(std::vector<float>(z, z + 4), (std::vector<float>{1.5, 9, 0, 9}));
  EXPECT_FALSE(result.tensors[2]);
  EXPECT_EQ(touched, " r0[0+3] r1[0+3] w2[0+3]");
  options.inputs["x"] = floats(Kind::F32, {3}, {1, 2, 3});
  EXPECT_EQ(verdict(add.run({{"N", 3}}, options)),
            "refused: %x lies in memory and has an input as well");
  options.memory["q"] = nullptr;
  options.inputs.clear();
  EXPECT_EQ(verdict(add.run({{"N", 3}}, options)),
            "refused: the kernel has no tensor %q");
}

TEST(Run, InputsMustFit) {
  Kernel add(shipped("add"));
  auto with = [&](const char *name, Array array) {
    Options options;
    options.inputs[name] = std::move(array);
    return verdict(add.run({{"N", 3}}, options));
  };
  EXPECT_EQ(with("x", floats(Kind::F32, {2}, {1, 2})),
            "refused: input %x has shape [2], the launch gives it [3]");
  EXPECT_EQ(with("x", floats(Kind::F32, {3}, {1, 2})),
            "refused: input %x has shape [3], the launch gives it [3]");
  EXPECT_EQ(with("x", floats(Kind::F64, {3}, {1, 2, 3})),
            "refused: input %x holds f64, the kernel takes f32");
  EXPECT_EQ(with("z", floats(Kind::F32, {3}, {1, 2, 3})),
            "refused: %z is an out tensor: it has no contents to give");
  EXPECT_EQ(with("q", floats(Kind::F32, {3}, {1, 2, 3})),
            "refused: the kernel has no argument %q");
}

/// What launches share is decoded once; symbols, grids and views are not of it.
TEST(Run, LaunchesOfOneRunnerAreEachTheirOwn) {
  using Symbols = std::map<std::string, int64_t>;
  std::map<std::string, std::vector<Symbols>> launches = {
      {"gemm_persistent",
       {{{"M", 140}, {"N", 300}, {"K", 70}, {"P", 3}},
        {{"M", 130}, {"N", 20}, {"K", 9}, {"P", 2}}}},
      {"rope",
       {{{"S", 2}, {"H", 3}, {"T", 9}, {"pos", 1}},
        {{"S", 3}, {"H", 17}, {"T", 9}, {"pos", 6}}}}};
  for (Symbols &symbols : launches["rope"]) {
    symbols["ldx"] = 128 * symbols["H"];
  }
  for (Symbols &symbols : launches["gemm_persistent"]) {
    symbols = product(symbols, 8);
  }
  for (const auto &[name, all] : launches) {
    Kernel kernel(shipped(name));
    ASSERT_TRUE(kernel.file) << name;
    Runner runner(kernel.file->kernel);
    for (const Symbols &symbols : all) {
      for (bool values : {false, true}) {
        Options options;
        options.symbols = symbols;
        options.values = values;
        Result once = runner.run(options), alone = kernel.run(symbols, options);
        ASSERT_EQ(verdict(alone), "clean") << name;
        EXPECT_EQ(verdict(once), "clean") << name;
        EXPECT_EQ(once.steps, alone.steps) << name;
        EXPECT_EQ(once.grid, alone.grid) << name;
        ASSERT_EQ(once.tensors.size(), alone.tensors.size()) << name;
        for (size_t i = 0; i < once.tensors.size(); ++i) {
          ASSERT_EQ(once.tensors[i].has_value(), alone.tensors[i].has_value());
          if (once.tensors[i]) {
            EXPECT_EQ(once.tensors[i]->floats, alone.tensors[i]->floats);
          }
        }
      }
    }
  }
}

/// A view's numbers may be symbols.
TEST(Run, SymbolsOfViewsAreThoseOfTheLaunch) {
  Kernel kernel("!A = !tile.tensor<[N] x f32, shared>\n"
                "!V = !tile.tensor<[R, S] x f32, shared>\n"
                "tile.kernel @k(%a: !A) symbols [R : index, S : index] "
                "grid [1] requires [R * S <= N] {\n"
                "  %v = tile.view %a unfold 0 by [R, S] : !A\n"
                "}\n");
  ASSERT_TRUE(kernel.file) << kernel.errors;
  Runner runner(kernel.file->kernel);
  auto with = [&](int64_t r, int64_t s) {
    Options options;
    options.symbols = {{"N", 12}, {"R", r}, {"S", s}};
    return verdict(runner.run(options));
  };
  EXPECT_EQ(with(3, 4), "clean");
  EXPECT_EQ(with(3, 3), "view.unfold");
  EXPECT_EQ(with(6, 2), "clean");
}

TEST(Run, EveryOrderGivesTheSame) {
  std::map<std::string, std::map<std::string, int64_t>> launches = {
      {"add", {{"N", 5000}}},
      {"saxpy", {{"N", 3000}}},
      {"transpose", {{"M", 130}, {"N", 70}}},
      {"softmax_row", {{"M", 9}, {"N", 1500}, {"ldx", 1500}, {"ldy", 1600}}},
      {"rms_norm_row", {{"M", 7}, {"N", 1100}, {"ldx", 1101}, {"ldy", 1100}}},
      {"gemm", product({{"M", 140}, {"N", 300}, {"K", 70}}, 1)},
      {"gemm_persistent",
       product({{"M", 140}, {"N", 300}, {"K", 70}, {"P", 3}}, 0)}};
  for (const auto &[name, symbols] : launches) {
    Kernel kernel(shipped(name));
    Result first = kernel.run(symbols);
    ASSERT_EQ(verdict(first), "clean") << name;
    for (Order order : {Order::Reverse, Order::Random, Order::Interleaved}) {
      Options options;
      options.order = order;
      Result other = kernel.run(symbols, options);
      EXPECT_EQ(verdict(other), "clean") << name;
      EXPECT_EQ(other.tensors, first.tensors) << name;
      EXPECT_EQ(other.bounds, first.bounds) << name;
      EXPECT_EQ(other.steps, first.steps) << name;
    }
  }
}

/// Which blocks run, in which order they reach their first op.
struct Arrivals : Observer {
  std::vector<int64_t> blocks;
  std::vector<int64_t> events;
  void at(mlir::Operation *op, const Instance &instance) override {
    int64_t id = instance.block()[0];
    if (mlir::isa<tile::BlockIdOp>(op)) {
      blocks.push_back(id);
    }
    if (mlir::isa<tile::ClaimOp, tile::LoadOp, tile::StoreOp>(op)) {
      events.push_back(id);
    }
  }
};

TEST(Run, OrdersVisitEveryBlockOnce) {
  Kernel add(shipped("add"));
  for (Order order :
       {Order::Sequential, Order::Reverse, Order::Random, Order::Interleaved}) {
    Options options;
    options.order = order;
    options.values = false;
    Arrivals seen;
    Result result = add.run({{"N", 100 * 1024}}, options, &seen);
    EXPECT_EQ(result.blocks, 100);
    std::set<int64_t> distinct(seen.blocks.begin(), seen.blocks.end());
    EXPECT_EQ(seen.blocks.size(), 100u);
    EXPECT_EQ(distinct.size(), 100u);
    bool sorted = std::is_sorted(seen.blocks.begin(), seen.blocks.end());
    EXPECT_EQ(sorted, order == Order::Sequential);
    // Blocks take turns at their four events only when interleaved.
    int switches = 0;
    for (size_t k = 1; k < seen.events.size(); ++k) {
      switches += seen.events[k] != seen.events[k - 1];
    }
    EXPECT_EQ(switches > 99, order == Order::Interleaved);
  }
}

TEST(Run, SlicesOfHugeGridsAreCheap) {
  Kernel add(shipped("add"));
  Options options;
  options.blocks = {{(int64_t(1) << 30) - 1}};
  Result result = add.run({{"N", (int64_t(1) << 40) - 5}}, options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.blocks, 1);
  EXPECT_FALSE(result.tensors[0]);
}

TEST(Run, WithoutValuesEventsStay) {
  Kernel gemm(shipped("gemm"));
  Options options;
  options.values = false;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    Result result =
        gemm.run(product({{"M", 1}, {"N", 1}, {"K", 1}}, 0), options);
    ASSERT_EQ(verdict(result), "clean");
    EXPECT_FALSE(result.ranValues);
    EXPECT_FALSE(result.tensors[2]);
  }
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 1.0);
}

TEST(Run, FloatsThatSteerAreComputed) {
  Kernel k(R"(
!A = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PA = !tile.partition<[_], [N] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @k(%a: !A, %c: !C) grid [N] {
  %i = tile.block_id 0
  %zero = arith.constant 0.0 : f32
  %pa = tile.partition %a by [_] : !A
  %pc = tile.partition %c by [_] : !C
  %o = tile.claim %pc[%i] : !PC
  %x = tile.load %pa[%i] : !PA
  %positive = arith.cmpf ogt, %x, %zero : f32
  scf.if %positive {
    tile.store %x, %o : !P
  }
})");
  Options options;
  options.values = false;
  options.inputs["a"] = floats(Kind::F32, {3}, {1, -1, 2});
  Result result = k.run({{"N", 3}}, options);
  EXPECT_TRUE(result.ranValues);
  ASSERT_EQ(verdict(result), "out.covered");
  EXPECT_EQ(result.faults[0].element, (std::vector<int64_t>{1}));
  options.inputs["a"] = floats(Kind::F32, {3}, {1, 1, 2});
  EXPECT_EQ(verdict(k.run({{"N", 3}}, options)), "clean");
}

TEST(Run, SelectsOnFloatsDoNotSteer) {
  Kernel k(vectorTypes + std::string(R"(
tile.kernel @k(%a: !A, %c: !C) grid [ceildiv(N, 4)] {
  %i = tile.block_id 0
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %pa = tile.partition %a by [4] : !A
  %pc = tile.partition %c by [4] : !C
  %o = tile.claim %pc[%i] : !PC
  %x = tile.load %pa[%i] pad(zero) : !PA
  %positive = arith.cmpf ogt, %x, %zero : vector<4xf32>
  %y = arith.select %positive, %x, %zero : vector<4xi1>, vector<4xf32>
  tile.store %y, %o : !P
})"));
  Options options;
  options.values = false;
  Result result = k.run({{"N", 6}}, options);
  EXPECT_EQ(verdict(result), "clean");
  EXPECT_FALSE(result.ranValues);
  options.values = true;
  options.inputs["a"] = floats(Kind::F32, {3}, {-1, 2, 0.5});
  result = k.run({{"N", 3}}, options);
  EXPECT_EQ(result.tensors[1]->floats, (std::vector<double>{0, 2, 0.5}));
}

TEST(Run, IntegersOfMemorySteer) {
  // A table of tile numbers: with a repeated one two blocks clash.
  Kernel k(R"(
!T = !tile.tensor<[B] x i32, shared>
!C = !tile.tensor<[N] x f32, out partial>
!PT = !tile.partition<[_], [B] x i32, shared>
!PC = !tile.partition<[4], [N] x f32, out partial>
tile.kernel @k(%t: !T, %c: !C) grid [B] {
  %b = tile.block_id 0
  %pt = tile.partition %t by [_] : !T
  %pc = tile.partition %c by [4] : !C
  %n = tile.load %pt[%b] : !PT
  %i = arith.index_cast %n : i32 to index
  %o = tile.claim %pc[%i] : !PC
})");
  Options options;
  options.values = false;
  auto with = [&](std::vector<int64_t> table) {
    options.inputs["t"] = {Kind::I32, {3}, {}, std::move(table)};
    return verdict(k.run({{"B", 3}, {"N", 12}}, options));
  };
  EXPECT_EQ(with({2, 0, 1}), "clean");
  EXPECT_EQ(with({2, 0, 2}), "claim.disjoint");
  EXPECT_EQ(with({2, 0, 3}), "claim.bounds");
  EXPECT_EQ(with({2, 0, -1}), "claim.bounds");
}

TEST(Run, NarrowOffsetsWrapAboveTwoToTheThirtyOne) {
  // The tile number is computed in i32 and wraps.
  Kernel k(R"(
!C = !tile.tensor<[N] x i8, out>
!PC = !tile.partition<[256], [N] x i8, out>
!P = !tile.piece<[256] x i8, out>
tile.kernel @k(%c: !C) grid [ceildiv(N, 256)] {
  %b = tile.block_id 0
  %v = arith.constant dense<1> : vector<256xi8>
  %b32 = arith.index_cast %b : index to i32
  %size = arith.constant 256 : i32
  %offset = arith.muli %b32, %size : i32
  %o64 = arith.index_cast %offset : i32 to index
  %zero = arith.constant 0 : index
  %ok = arith.cmpi sge, %o64, %zero : index
  %c256 = arith.constant 256 : index
  %safe = arith.select %ok, %o64, %zero : index
  %i = arith.divsi %safe, %c256 : index
  %pc = tile.partition %c by [256] : !C
  %p = tile.claim %pc[%i] : !PC
  tile.store %v, %p : !P
})");
  int64_t wraps = int64_t(1) << 31;
  Options options;
  options.blocks = {{0}, {wraps / 256 - 1}};
  EXPECT_EQ(verdict(k.run({{"N", wraps}}, options)), "clean");
  options.blocks = {{0}, {wraps / 256}};
  EXPECT_EQ(verdict(k.run({{"N", wraps + 1}}, options)), "claim.disjoint");
}

TEST(Run, BudgetsEndEveryLaunch) {
  Kernel k("tile.kernel @k() symbols [S : index] grid [S] {\n"
           "  %c0 = arith.constant 0 : index\n"
           "  %c1 = arith.constant 1 : index\n"
           "  %s = tile.symbol \"S\" : index\n"
           "  scf.for %i = %c0 to %s step %c1 {\n  }\n}\n");
  Options options;
  options.maxSteps = 10000;
  EXPECT_EQ(verdict(k.run({{"S", 10}}, options)), "clean");
  EXPECT_EQ(verdict(k.run({{"S", (int64_t(1) << 31) - 1}}, options)),
            "exhausted");
  options.order = Order::Interleaved;
  EXPECT_EQ(verdict(k.run({{"S", (int64_t(1) << 31) - 1}}, options)),
            "exhausted");
  Kernel fill(shipped("add"));
  Options small;
  small.maxBytes = 100000;
  EXPECT_EQ(verdict(fill.run({{"N", 1000}}, small)), "clean");
  EXPECT_EQ(verdict(fill.run({{"N", 100000}}, small)), "exhausted");
}

/// Records what integers are visible where.
struct Watcher : Observer {
  std::vector<std::string> log;
  void at(mlir::Operation *op, const Instance &instance) override {
    auto yield = mlir::dyn_cast<mlir::scf::YieldOp>(op);
    auto *parent = op->getParentOp();
    auto loop = mlir::dyn_cast_or_null<mlir::scf::ForOp>(parent);
    if (!yield || !loop) {
      return;
    }
    auto number = [&](mlir::Value value) {
      std::optional<__int128> n = instance.integer(value);
      return n ? std::to_string(int64_t(*n)) : std::string("?");
    };
    mlir::Operation &first = loop.getBody()->front();
    std::string line = "block " + std::to_string(instance.block()[0]) + " of " +
                       std::to_string(instance.grid()[0]) + " trips";
    for (auto [op2, trip] : instance.iterations()) {
      line += " " + std::to_string(trip);
    }
    line += ": iv " + number(loop.getInductionVar()) + " first " +
            number(first.getResult(0)) + " loop " +
            (loop.getNumResults() ? number(loop.getResult(0)) : "-") + " S " +
            std::to_string(int64_t(*instance.symbol("S")));
    log.push_back(line);
    EXPECT_FALSE(instance.symbol("T"));
  }
};

TEST(Run, ObserversSeeIntegersAndTrips) {
  Kernel k("tile.kernel @k() symbols [S : index] grid [1] {\n"
           "  %c0 = arith.constant 0 : index\n"
           "  %c2 = arith.constant 2 : index\n"
           "  %s = tile.symbol \"S\" : index\n"
           "  scf.for %i = %c0 to %s step %c2 {\n"
           "    %d = arith.muli %i, %i : index\n"
           "    %e = scf.for %j = %i to %s step %c2 iter_args(%a = %c0)\n"
           "        -> (index) {\n"
           "      %b = arith.cmpi slt, %j, %c2 : index\n"
           "      %n = arith.addi %a, %j : index\n"
           "      scf.yield %n : index\n"
           "    }\n"
           "  }\n}\n");
  Watcher watcher;
  EXPECT_EQ(verdict(k.run({{"S", 4}}, {}, &watcher)), "clean");
  EXPECT_EQ(watcher.log, (std::vector<std::string>{
                             "block 0 of 1 trips 0 0: iv 0 first 1 loop ? S 4",
                             "block 0 of 1 trips 0 1: iv 2 first 0 loop ? S 4",
                             "block 0 of 1 trips 0: iv 0 first 0 loop - S 4",
                             "block 0 of 1 trips 1 0: iv 2 first 0 loop ? S 4",
                             "block 0 of 1 trips 1: iv 2 first 4 loop - S 4"}));
}

TEST(Run, LoopsCarryValuesAllAtOnce) {
  // Fibonacci: both iter_args are yielded in each other's place.
  Kernel k(R"(
!C = !tile.tensor<[1] x i32, out>
!PC = !tile.partition<[_], [1] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @k(%c: !C) symbols [S : index] grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = tile.symbol "S" : index
  %r, %t = scf.for %i = %c0 to %s step %c1 iter_args(%a = %zero, %b = %one)
      -> (i32, i32) {
    %n = arith.addi %a, %b : i32
    scf.yield %b, %n : i32, i32
  }
  %pc = tile.partition %c by [_] : !C
  %o = tile.claim %pc[%c0] : !PC
  tile.store %r, %o : !P
})");
  EXPECT_EQ(k.run({{"S", 10}}).tensors[0]->ints[0], 55);
  EXPECT_EQ(k.run({{"S", 0}}).tensors[0]->ints[0], 0);
  EXPECT_EQ(k.run({{"S", 47}}).tensors[0]->ints[0], int32_t(2971215073u));
}

TEST(Run, BoundsAreDroppedWhenRoundingSteers) {
  const char *text = R"(
!A = !tile.tensor<[1] x f32, shared>
!C = !tile.tensor<[1] x f32, out>
!PA = !tile.partition<[_], [1] x f32, shared>
!PC = !tile.partition<[_], [1] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @k(%a: !A, %c: !C) grid [1] {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %pa = tile.partition %a by [_] : !A
  %pc = tile.partition %c by [_] : !C
  %o = tile.claim %pc[%c0] : !PC
  %x = tile.load %pa[%c0] : !PA
  %e = math.exp %x : f32
  %big = arith.cmpf ogt, %e, %one : f32
  %y = scf.if %big -> (f32) {
    scf.yield %e : f32
  } else {
    scf.yield %one : f32
  }
  tile.store %y, %o : !P
})";
  Kernel k(text);
  Options options;
  options.inputs["a"] = floats(Kind::F32, {1}, {1});
  EXPECT_TRUE(k.run({}, options).boundsHold);
  options.inputs["a"] = floats(Kind::F32, {1}, {0});
  EXPECT_FALSE(k.run({}, options).boundsHold);
}

/// Blocks add to one tile, in any order: integers come out alike, floats inside
/// their bounds, which are 0 where all sums are exact.
TEST(Run, AtomicsCommute) {
  for (std::string element : {"i8", "f32"}) {
    bool isFloat = element == "f32";
    Kernel k("!X = !tile.tensor<[N] x " + element + ", shared>\n" +
             "!H = !tile.tensor<[3] x " + element + ", atomic<add>>\n" +
             "!PX = !tile.partition<[4], [N] x " + element + ", shared>\n" +
             "!PH = !tile.partition<[4], [3] x " + element + ", atomic<add>>" +
             R"(
tile.kernel @k(%x: !X, %h: !H) grid [ceildiv(N, 4)] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [4] : !X
  %ph = tile.partition %h by [4] : !H
  %v = tile.load %px[%i] pad(zero) : !PX
  tile.atomic add %v, %ph[%c0] : !PH
})");
    for (bool exact : {true, false}) {
      Options options;
      Array x = *makeArray(isFloat ? Kind::F32 : Kind::I8, {400}, 400);
      Array h = *makeArray(x.kind, {3}, 3);
      std::vector<double> sums = {5, 5, 5};
      for (size_t n = 0; n < 400; ++n) {
        double lane = exact ? double(n % 7) : float(1.0 / double(n + 1));
        if (isFloat) {
          x.floats[n] = lane;
        } else {
          x.ints[n] = int64_t(lane);
        }
        if (n % 4 < 3) {
          sums[n % 4] += isFloat ? lane : double(int64_t(lane));
        }
      }
      h.floats.assign(isFloat ? 3 : 0, 5);
      h.ints.assign(isFloat ? 0 : 3, 5);
      options.inputs = {{"x", x}, {"h", h}};
      for (Order order : {Order::Sequential, Order::Reverse, Order::Random,
                          Order::Interleaved}) {
        options.order = order;
        Result result = k.run({{"N", 400}}, options);
        ASSERT_EQ(verdict(result), "clean");
        for (size_t n = 0; n < 3; ++n) {
          if (!isFloat) {
            EXPECT_EQ(result.tensors[1]->ints[n], int8_t(int64_t(sums[n])));
            continue;
          }
          double bound = result.bounds[1] ? result.bounds[1]->floats[n] : 0;
          EXPECT_EQ(bound == 0, exact);
          EXPECT_LT(bound, 1e-2);
          EXPECT_LE(std::fabs(result.tensors[1]->floats[n] - sums[n]), bound);
        }
      }
    }
  }
}

/// Lanes and blocks that meet at one element all count, in any order; those
/// behind the mask do not, wherever they lie.
TEST(Run, AtomicLanesMeet) {
  for (std::string element : {"i8", "f32"}) {
    bool isFloat = element == "f32";
    Kernel k("!X = !tile.tensor<[N] x " + element + ", shared>\n" +
             "!I = !tile.tensor<[N] x i32, shared>\n" +
             "!H = !tile.tensor<[3] x " + element + ", atomic<add>>\n" +
             "!V = !tile.partition<[4], [N] x " + element + ", shared>" + R"(
!PI = !tile.partition<[4], [N] x i32, shared>
tile.kernel @k(%x: !X, %t: !I, %h: !H) grid [ceildiv(N, 4)] {
  %low = arith.constant dense<0> : vector<4xindex>
  %high = arith.constant dense<3> : vector<4xindex>
  %i = tile.block_id 0
  %px = tile.partition %x by [4] : !X
  %pi = tile.partition %t by [4] : !I
  %v = tile.load %px[%i] pad(zero) : !V
  %w = tile.load %pi[%i] pad(zero) : !PI
  %at = arith.index_cast %w : vector<4xi32> to vector<4xindex>
  %a = arith.cmpi sge, %at, %low : vector<4xindex>
  %b = arith.cmpi slt, %at, %high : vector<4xindex>
  %m = arith.andi %a, %b : vector<4xi1>
  tile.atomic_scatter add %v, %h[%at], %m : vector<4x)" +
             element + ">, !H, vector<4xindex>, vector<4xi1>\n}");
    for (bool exact : {true, false}) {
      constexpr size_t count = 397;
      Options options;
      Array x = *makeArray(isFloat ? Kind::F32 : Kind::I8, {count}, count);
      Array t = *makeArray(Kind::I32, {count}, count);
      Array h = *makeArray(x.kind, {3}, 3);
      std::vector<double> sums = {5, 5, 5};
      for (size_t n = 0; n < count; ++n) {
        double lane = exact ? double(n % 7) : float(1.0 / double(n + 1));
        if (isFloat) {
          x.floats[n] = lane;
        } else {
          x.ints[n] = int64_t(lane);
        }
        t.ints[n] = int64_t(n / 3 % 5) - 1;
        if (t.ints[n] >= 0 && t.ints[n] < 3) {
          sums[t.ints[n]] += isFloat ? lane : double(int64_t(lane));
        }
      }
      h.floats.assign(isFloat ? 3 : 0, 5);
      h.ints.assign(isFloat ? 0 : 3, 5);
      options.inputs = {{"x", x}, {"t", t}, {"h", h}};
      for (Order order : {Order::Sequential, Order::Reverse, Order::Random,
                          Order::Interleaved}) {
        options.order = order;
        Result result = k.run({{"N", count}}, options);
        ASSERT_EQ(verdict(result), "clean");
        for (size_t n = 0; n < 3; ++n) {
          if (!isFloat) {
            EXPECT_EQ(result.tensors[2]->ints[n], int8_t(int64_t(sums[n])));
            continue;
          }
          double bound = result.bounds[2] ? result.bounds[2]->floats[n] : 0;
          EXPECT_EQ(bound == 0, exact);
          EXPECT_LT(bound, 1e-2);
          EXPECT_LE(std::fabs(result.tensors[2]->floats[n] - sums[n]), bound);
        }
      }
    }
  }
}

/// Of two lanes at one element, each kind of atomic.
TEST(Run, AtomicLanesOfEachKind) {
  for (auto [kind, left] : std::map<std::string, int64_t>{{"add", -114},
                                                          {"min", -3},
                                                          {"max", 127},
                                                          {"and", 4},
                                                          {"or", -1},
                                                          {"xor", -120}}) {
    Kernel k("!H = !tile.tensor<[2] x i8, atomic<" + kind + R"(>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<[-3, 12, 99, 127]> : vector<4xi8>
  %at = arith.constant dense<[1, 1, -5, 1]> : vector<4xindex>
  %m = arith.constant dense<[true, true, false, true]> : vector<4xi1>
  tile.atomic_scatter )" +
             kind +
             " %v, %h[%at], %m : vector<4xi8>, !H, vector<4xindex>, "
             "vector<4xi1>\n}");
    Options options;
    options.inputs = {{"h", Array{Kind::I8, {2}, {}, {-7, 6}}}};
    Result result = k.run({}, options);
    ASSERT_EQ(verdict(result), "clean");
    EXPECT_EQ(result.tensors[0]->ints, (std::vector<int64_t>{-7, left}))
        << kind;
  }
}

/// Every op of the closed list is known to the executor.
TEST(Run, EveryOpIsKnown) {
  Kernel k(R"(
!A = !tile.tensor<[N] x f32, shared>
!I = !tile.tensor<[N] x i32, shared>
!C = !tile.tensor<[N] x f32, out>
!PA = !tile.partition<[4], [N] x f32, shared>
!PI = !tile.partition<[4], [N] x i32, shared>
!PC = !tile.partition<[4], [N] x f32, out>
!P = !tile.piece<[4] x f32, out>
!H = !tile.tensor<[N] x i32, atomic<max>>
!PH = !tile.partition<[4], [N] x i32, atomic<max>>
tile.kernel @k(%a: !A, %t: !I, %c: !C, %h: !H, %f: f32) grid [ceildiv(N, 4)] {
  %ph = tile.partition %h by [4] : !H
  %g = tile.grid_dim 0
  %b = tile.block_id 0
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %i8 = arith.constant -3 : i8
  %pa = tile.partition %a by [4] : !A
  %pi = tile.partition %t by [4] : !I
  %pc = tile.partition %c by [4] : !C
  %nt = tile.num_tiles %pc, 0 : !PC
  %o = tile.claim %pc[%b] : !PC
  %x = tile.load %pa[%b] pad(neg_zero) : !PA
  %n = tile.load %pi[%b] pad(zero) : !PI
  %in = tile.inside %pi[%b] : !PI
  %0 = arith.addi %g, %c3 : index
  %1 = arith.subi %0, %c3 : index
  %2 = arith.muli %1, %c3 : index
  %3 = arith.divsi %2, %c3 : index
  %4 = arith.remsi %2, %c3 : index
  %5 = arith.ceildivsi %2, %c3 : index
  %6 = arith.minsi %3, %4 : index
  %7 = arith.maxsi %5, %6 : index
  %8 = arith.cmpi sle, %6, %7 : index
  %9 = arith.andi %8, %true : i1
  %10 = arith.ori %9, %true : i1
  %11 = arith.xori %10, %true : i1
  %12 = arith.select %11, %6, %7 : index
  %13 = arith.extsi %i8 : i8 to i32
  %14 = arith.extui %i8 : i8 to i32
  %15 = arith.trunci %13 : i32 to i16
  %16 = arith.index_cast %14 : i32 to index
  %17 = arith.sitofp %n : vector<4xi32> to vector<4xf32>
  %18 = arith.addf %x, %17 : vector<4xf32>
  %19 = arith.subf %18, %17 : vector<4xf32>
  %20 = arith.mulf %19, %17 : vector<4xf32>
  %21 = arith.divf %20, %17 : vector<4xf32>
  %22 = arith.negf %21 : vector<4xf32>
  %23 = arith.maximumf %22, %x : vector<4xf32>
  %24 = arith.minimumf %23, %x : vector<4xf32>
  %25 = arith.maxnumf %24, %x : vector<4xf32>
  %26 = arith.minnumf %25, %x : vector<4xf32>
  %27 = arith.cmpf olt, %26, %x : vector<4xf32>
  %28 = arith.select %27, %26, %x : vector<4xi1>, vector<4xf32>
  %29 = arith.extf %28 : vector<4xf32> to vector<4xf64>
  %30 = arith.truncf %29 : vector<4xf64> to vector<4xf16>
  %31 = arith.extf %30 : vector<4xf16> to vector<4xf32>
  %32 = math.absf %31 : vector<4xf32>
  %33 = math.exp %32 : vector<4xf32>
  %34 = math.exp2 %32 : vector<4xf32>
  %35 = math.log %33 : vector<4xf32>
  %36 = math.log2 %34 : vector<4xf32>
  %37 = math.rsqrt %33 : vector<4xf32>
  %38 = math.sqrt %33 : vector<4xf32>
  %39 = math.tanh %38 : vector<4xf32>
  %40 = math.fma %37, %38, %39 : vector<4xf32>
  %41 = vector.broadcast %f : f32 to vector<2x4xf32>
  %42 = vector.transpose %41, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %part = tile.extract %41[1, 3] : vector<2x4xf32> to vector<1x1xf32>
  %pair = tile.cat %part, %part, 1 : vector<1x1xf32>
  %43 = tile.reduce add %42, 1 : vector<4x2xf32>
  %44 = tile.reduce max %42, 0 keep : vector<4x2xf32>
  %45 = vector.shape_cast %44 : vector<1x2xf32> to vector<2xf32>
  %46 = tile.reduce mul %45, 0 : vector<2xf32>
  %acc = arith.constant dense<0.0> : vector<2x2xf32>
  %47 = tile.mma %41, %42, %acc : vector<2x4xf32>, vector<4x2xf32>, vector<2x2xf32>
  scf.for %k = %4 to %c3 step %c3 {
    scf.if %8 {
      %s = tile.symbol "N" : index
    }
  }
  %a0 = tile.argmax %42, 0 : vector<4x2xf32>
  %a1 = tile.argmin %a0, 0 keep : vector<2xi32>
  %a2 = tile.scan add %42, 0 : vector<4x2xf32>
  %a3 = tile.scan max %a0, 0 reverse : vector<2xi32>
  %a4 = math.sin %x : vector<4xf32>
  %a5 = math.cos %a4 : vector<4xf32>
  %a6 = math.erf %a5 : vector<4xf32>
  %a7 = math.expm1 %a6 : vector<4xf32>
  %a8 = math.log1p %a7 : vector<4xf32>
  %a9 = math.floor %a8 : vector<4xf32>
  %b0 = math.ceil %a9 : vector<4xf32>
  %b1 = math.trunc %b0 : vector<4xf32>
  %b2 = math.round %b1 : vector<4xf32>
  %b3 = math.roundeven %b2 : vector<4xf32>
  %b4 = math.powf %b3, %x : vector<4xf32>
  %b5 = arith.uitofp %n : vector<4xi32> to vector<4xf64>
  %b6 = arith.fptosi %b5 : vector<4xf64> to vector<4xi8>
  %b7 = arith.fptoui %b4 : vector<4xf32> to vector<4xi32>
  %b8 = arith.bitcast %b7 : vector<4xi32> to vector<4xf32>
  %b9 = arith.bitcast %b8 : vector<4xf32> to vector<4xi32>
  %seven = arith.constant dense<7> : vector<4xi32>
  %d0 = arith.shli %b9, %seven : vector<4xi32>
  %d1 = arith.shrsi %d0, %seven : vector<4xi32>
  %d2 = arith.shrui %d1, %seven : vector<4xi32>
  %d3 = arith.maxui %d2, %n : vector<4xi32>
  %d4 = arith.minui %d3, %n : vector<4xi32>
  %d5 = arith.extui %d4 : vector<4xi32> to vector<4xi64>
  tile.atomic max %d4, %ph[%b] : !PH
  %48 = vector.broadcast %46 : f32 to vector<4xf32>
  %49 = arith.addf %48, %43 : vector<4xf32>
  %50 = arith.addf %49, %40 : vector<4xf32>
  tile.store %50, %o : !P
})");
  Result result = k.run({{"N", 6}});
  EXPECT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.tensors[2]->size(), 6);
  Options options;
  options.values = false;
  EXPECT_EQ(verdict(k.run({{"N", 6}}, options)), "clean");
}

} // namespace
} // namespace girih::exec
