// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops carry and branches merge.

#include "Recorded.h"
using namespace girih::kernel;
using namespace girih::kernel::test;

namespace {
constexpr Sym N{"N"};

/// y[i] = what a body leaves in `a` and `b`.
template <class Body> struct with {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    Scalar<f32> a = 1, b = 2, c = 3;
    Body()(i, a, b, c);
    store(y, {i}, a + 10 * b);
  }
};
#define BODY(Name, ...)                                                        \
  struct Name##_body {                                                         \
    void operator()([[maybe_unused]] const Index &i,                           \
                    [[maybe_unused]] Scalar<f32> &a,                           \
                    [[maybe_unused]] Scalar<f32> &b,                           \
                    [[maybe_unused]] Scalar<f32> &c) __VA_ARGS__               \
  };                                                                           \
  using Name = with<Name##_body>

BODY(swaps, {
  for ([[maybe_unused]] Index k : range(N)) {
    auto held = b;
    b = a;
    a = held;
  }
});
BODY(unneeded, {
  for ([[maybe_unused]] Index k : range(N)) {
    c = c + 1; // only of itself
    a = a + 1;
  }
});
BODY(nothing, {
  for ([[maybe_unused]] Index k : range(N)) {
    c = c + a;
  }
});
BODY(chained, {
  for ([[maybe_unused]] Index k : range(N)) {
    a = a + c;
    c = c + 1; // needed through a
  }
});
BODY(nested, {
  for ([[maybe_unused]] Index k : range(N)) {
    b = b + a;
    for (Index l : range(k)) {
      a = a + to<f32>(to<i32>(l));
    }
  }
});
BODY(merged, { if_(i < 3, [&] { a = b; }, [&] { b = a; }); });
BODY(oneSide, { if_(i < 3, [&] { a = a + b; }); });
BODY(otherSide, { if_(i < 3, [&] { b = a; }, [&] { a = a + b; }); });
BODY(deep, {
  for (Index k : range(N)) {
    for (Index l : range(k)) {
      if_(l < 2, [&] { a = a + 1; });
    }
  }
});
BODY(branchInLoop, {
  for ([[maybe_unused]] Index k : range(N)) {
    if_(k < 2, [&] { a = a * 2; });
  }
});
BODY(toItself, {
  for ([[maybe_unused]] Index k : range(N)) {
    a = a;
  }
});
} // namespace

TEST(Regions, SwappedVariablesAreYieldedCrosswise) {
  auto lines = bodyOf<swaps>();
  size_t head = lineWith(lines, "scf.for");
  std::string carried = lines[head].substr(lines[head].find("iter_args"));
  EXPECT_EQ(carried, "iter_args(%one_1 = %one, %c2_1 = %c2) -> (f32, f32) {");
  EXPECT_EQ(lines[head + 1], "    scf.yield %c2_1, %one_1 : f32, f32");
}
TEST(Regions, WhatOnlyFeedsItselfIsNotCarried) {
  auto lines = bodyOf<unneeded>();
  EXPECT_TRUE(has(lines, "-> (f32) {"));
  EXPECT_FALSE(has(lines, "-> (f32, f32) {"));
}
TEST(Regions, ALoopThatChangesNothingIsNotPrinted) {
  EXPECT_FALSE(has(bodyOf<nothing>(), "scf.for"));
}
TEST(Regions, WhatFeedsWhatIsNeededIsCarried) {
  EXPECT_TRUE(has(bodyOf<chained>(), "-> (f32, f32) {"));
}
TEST(Regions, AnInnerLoopCarriesForTheOuterOne) {
  auto lines = bodyOf<nested>();
  size_t outer = 0;
  while (lines[outer].find("scf.for") == std::string::npos) {
    ++outer;
  }
  EXPECT_TRUE(lines[outer].ends_with("-> (f32, f32) {")) << lines[outer];
  size_t inner = outer + 1;
  while (lines[inner].find("scf.for") == std::string::npos) {
    ++inner;
  }
  EXPECT_TRUE(lines[inner].ends_with("-> (f32) {")) << lines[inner];
}
TEST(Regions, EachSideYieldsWhatItLeftAlone) {
  auto lines = bodyOf<merged>();
  size_t head = lineWith(lines, "scf.if");
  EXPECT_TRUE(lines[head].ends_with("-> (f32, f32) {"));
  EXPECT_EQ(lines[head + 1], "    scf.yield %c2, %c2 : f32, f32");
  EXPECT_EQ(lines[head + 2], "  } else {");
  EXPECT_EQ(lines[head + 3], "    scf.yield %one, %one : f32, f32");
}
TEST(Regions, ABranchWithoutOtherSideKeepsWhatWas) {
  auto lines = bodyOf<oneSide>();
  size_t other = lineWith(lines, "} else {");
  EXPECT_EQ(lines[other + 1], "    scf.yield %one : f32");
}
TEST(Regions, ASideKeepsWhatTheOtherAssigns) {
  auto lines = bodyOf<otherSide>();
  size_t head = lineWith(lines, "scf.if");
  EXPECT_EQ(lines[head + 1], "    scf.yield %one, %one : f32, f32");
  EXPECT_TRUE(
      lines[lineWith(lines, "} else {") + 2].ends_with(", %c2 : f32, f32"));
}
TEST(Regions, EachLoopAroundAnAssignmentCarriesIt) {
  size_t carried = 0;
  for (const std::string &line : bodyOf<deep>()) {
    carried += line.find("scf.for") != std::string::npos &&
               line.ends_with("-> (f32) {");
  }
  EXPECT_EQ(carried, 2u);
}
TEST(Regions, ABranchInALoopIsCarriedByIt) {
  auto lines = bodyOf<branchInLoop>();
  EXPECT_LT(lineWith(lines, "scf.for"), lineWith(lines, "scf.if"));
  size_t other = lineWith(lines, "} else {");
  EXPECT_EQ(lines[other + 1], "      scf.yield %one_1 : f32")
      << "the stand-in of the loop";
}
TEST(Regions, AssignmentToItselfIsOne) {
  auto lines = bodyOf<toItself>();
  size_t head = lineWith(lines, "scf.for");
  EXPECT_EQ(lines[head + 1], "    scf.yield %one_1 : f32");
}
