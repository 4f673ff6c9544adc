// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is printed, and in which order.

#include "Recorded.h"
using namespace girih::kernel;
using namespace girih::kernel::test;

namespace {
constexpr Sym N{"N"}, M{"M"};

struct ordered {
  Shared<f32, N> x;
  Shared<f32, N> z;
  Out<f32, N> y;
  Own<f32, N> w;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    auto late = exp(fill<f32, 8>(3)); // printed where it is needed
    auto b = load<8>(z, {i}, pad::zero);
    auto a = load<8>(x, {i}, pad::zero);
    [[maybe_unused]] auto unused = sqrt(a);
    store(y, {i}, a);
    [[maybe_unused]] auto never =
        load<8>(x, {0}, pad::zero); // owes a proof, and stays
    store(w, {i}, late + b);
  }
};
struct hoisted {
  Out<f32, N, M> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(N, 4), ceildiv(M, 8));
    for (Index k : range(2)) {
      auto lanes = to<f32>(iota<i32, 4, 8>(axis<1>)) * 7;
      store(y, {i, j}, lanes + to<f32>(to<i32>(Index(M) + k)));
    }
  }
};
struct twoOrders {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    // The order of two arguments is the compiler's.
    store(y, {i},
          max(sqrt(load<8>(x, {i}, pad::zero)),
              exp(load<8>(x, {i}, pad::neg_inf))));
  }
};
} // namespace

TEST(Schedule, PureOpsStandWhereTheyAreNeeded) {
  auto lines = bodyOf<ordered>();
  EXPECT_LT(lineWith(lines, "tile.store %a"), lineWith(lines, "math.exp"));
  EXPECT_FALSE(has(lines, "math.sqrt")) << "nothing needs it";
}
TEST(Schedule, LoadsStayBetweenTheStatementsTheyStoodBetween) {
  auto lines = bodyOf<ordered>();
  size_t store = lineWith(lines, "tile.store %a");
  EXPECT_LT(lineWith(lines, "%b = tile.load"), store);
  EXPECT_LT(lineWith(lines, "%a = tile.load"), store);
  EXPECT_GT(lineWith(lines, "%never = tile.load"), store);
}
TEST(Schedule, TheTopHasConstantsThenIdsThenPartitions) {
  auto lines = bodyOf<hoisted>();
  size_t loop = lineWith(lines, "scf.for");
  size_t before = 0;
  for (const char *text : {"arith.constant 0 : index", "dense<7.0>",
                           "tile.iota 1", "tile.block_id 0", "tile.block_id 1",
                           "tile.symbol \"M\"", "tile.partition"}) {
    size_t at = lineWith(lines, text);
    EXPECT_LT(at, loop) << text;
    EXPECT_GE(at, before) << text;
    before = at;
  }
  EXPECT_GT(lineWith(lines, "arith.mulf"), loop);
}
TEST(Schedule, OperandsComeInOrder) {
  auto lines = bodyOf<twoOrders>();
  EXPECT_LT(lineWith(lines, "pad(zero)"), lineWith(lines, "pad(neg_inf)"));
  EXPECT_LT(lineWith(lines, "math.sqrt"), lineWith(lines, "math.exp"));
  EXPECT_LT(lineWith(lines, "math.sqrt"), lineWith(lines, "pad(neg_inf)") + 2);
}
