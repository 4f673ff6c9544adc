// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views that run: slices in steps, axes made one, and lanes in coordinates of
// views.

#include "Launching.h"

namespace girih::exec {
namespace {

/// The last element counts, and an empty slice has none.
TEST(ViewRun, StepsOfSlicesEndInTheAxis) {
  Kernel kernel("!A = !tile.tensor<[N] x f32, shared>\n"
                "tile.kernel @k(%a: !A) symbols [o : index, n : index, s : "
                "index] grid [1] {\n"
                "  %v = tile.view %a slice [o] size [n] step [s] : !A\n"
                "}\n");
  ASSERT_TRUE(kernel.file) << kernel.errors;
  Runner runner(kernel.file->kernel);
  auto with = [&](int64_t o, int64_t n, int64_t s) {
    Options options;
    options.symbols = {{"N", 10}, {"o", o}, {"n", n}, {"s", s}};
    return verdict(runner.run(options));
  };
  EXPECT_EQ(with(0, 4, 3), "clean");
  EXPECT_EQ(with(1, 4, 3), "view.slice");
  EXPECT_EQ(with(1, 3, 3), "clean");
  EXPECT_EQ(with(0, 10, 1), "clean");
  EXPECT_EQ(with(1, 10, 1), "view.slice");
  EXPECT_EQ(with(99, 0, 7), "clean");
  EXPECT_EQ(with(0, 1, 0), "view.slice");
  EXPECT_EQ(with(9, 1, int64_t(1) << 40), "clean");
  EXPECT_EQ(with(0, int64_t(1) << 40, int64_t(1) << 40), "view.slice");
}

/// An outer axis of one element may be anywhere.
TEST(ViewRun, AxesThatAreFlattenedFollowEachOther) {
  Kernel kernel("!A = !tile.tensor<[M, N] x f32, shared, strides [s, t]>\n"
                "tile.kernel @k(%a: !A) symbols [s : index, t : index] "
                "grid [1] {\n"
                "  %v = tile.view %a flatten 0 : !A\n"
                "}\n");
  ASSERT_TRUE(kernel.file) << kernel.errors;
  Runner runner(kernel.file->kernel);
  auto with = [&](int64_t m, int64_t n, int64_t s, int64_t t) {
    Options options;
    options.symbols = {{"M", m}, {"N", n}, {"s", s}, {"t", t}};
    return verdict(runner.run(options));
  };
  EXPECT_EQ(with(3, 4, 4, 1), "clean");
  EXPECT_EQ(with(3, 4, 8, 2), "clean");
  EXPECT_EQ(with(3, 4, 5, 1), "view.flatten");
  EXPECT_EQ(with(3, 4, 1, 3), "view.flatten");
  EXPECT_EQ(with(1, 4, 9, 1), "clean");
  EXPECT_EQ(with(0, 4, 9, 1), "clean");
  EXPECT_EQ(with(3, 0, 0, 1), "clean");
  EXPECT_EQ(with(3, 0, 1, 1), "view.flatten");
}

/// Lanes that count in a view: in steps, turned and flattened.
TEST(ViewRun, LanesOfViewsAreElementsOfTheRoot) {
  Kernel kernel(
      "!A = !tile.tensor<[2, 6] x i32, own>\n"
      "!S = !tile.tensor<[2, 2] x i32, own>\n"
      "!F = !tile.tensor<[12] x i32, own>\n"
      "tile.kernel @k(%a: !A) grid [1] {\n"
      "  %s = tile.view %a slice [0, 1] size [2, 2] step [1, 3] : !A\n"
      "  %t = tile.view %s permute [1, 0] : !S\n"
      "  %f = tile.view %a flatten 0 : !A\n"
      "  %zero = arith.constant dense<0> : vector<2xindex>\n"
      "  %l = tile.iota 0 : vector<2xindex>\n"
      "  %v = arith.constant dense<[7, 8]> : vector<2xi32>\n"
      "  tile.scatter %v, %t[%l, %zero] : vector<2xi32>, !S, vector<2xindex>, "
      "vector<2xindex>\n"
      "  %at = arith.constant dense<[5, 6]> : vector<2xindex>\n"
      "  %w = arith.constant dense<[1, 2]> : vector<2xi32>\n"
      "  tile.scatter %w, %f[%at] : vector<2xi32>, !F, vector<2xindex>\n"
      "}\n");
  ASSERT_TRUE(kernel.file) << kernel.errors;
  Runner runner(kernel.file->kernel);
  Options options;
  options.inputs["a"] = {Kind::I32, {2, 6}, {}, std::vector<int64_t>(12, 0)};
  Result result = runner.run(options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.tensors[0]->ints,
            (std::vector<int64_t>{0, 7, 0, 0, 8, 1, 2, 0, 0, 0, 0, 0}));
}

} // namespace
} // namespace girih::exec
