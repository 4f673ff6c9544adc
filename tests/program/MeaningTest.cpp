// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compute what their C++ says, where another text would be a kernel,
// too.

#include "tests/program/Kernels.h"

#include <cmath>
#include <girih/execute.h>
#include <girih/verify.h>
#include <gtest/gtest.h>

using namespace tested;

namespace {

using Doubles = std::vector<double>;

/// y[N] = f(x[N]), by a kernel K of these two.
template <class K> Doubles computed(const Doubles &x) {
  Array<f32, 1> from({std::int64_t(x.size())}, x), y({from.extents[0]});
  auto done = execute(K{.x = from, .y = y});
  EXPECT_TRUE(done && done->faults.empty());
  return y.numbers;
}
#define KERNEL(Name, ...)                                                      \
  struct Name {                                                                \
    Shared<f32, N> x;                                                          \
    Out<f32, N> y;                                                             \
    void operator()() {                                                        \
      auto [i] = grid(ceildiv(N, 4));                                          \
      auto v = load<4>(x, {i}, pad::zero);                                     \
      store(y, {i}, __VA_ARGS__);                                              \
    }                                                                          \
  }

KERNEL(difference, 10 - v);
KERNEL(quotient, 1 / v);
TEST(Meaning, NumbersInFront) {
  EXPECT_EQ(computed<difference>({1, 4}), (Doubles{9, 6}));
  EXPECT_EQ(computed<quotient>({2, 4}), (Doubles{0.5, 0.25}));
}

KERNEL(not_itself, where(v != v, Scalar<f32>(1), 0));
TEST(Meaning, NaNDiffersFromItself) {
  EXPECT_EQ(computed<not_itself>({1, std::nan(""), INFINITY}),
            (Doubles{0, 1, 0}));
}

KERNEL(positives, to<f32>(to<i32>(v > 0)));
TEST(Meaning, TrueIsOne) {
  EXPECT_EQ(computed<positives>({1, -1, 2}), (Doubles{1, 0, 1}));
}

KERNEL(down, to<f32>(to<f8e8m0>(v, toward::zero)));
KERNEL(up, to<f32>(to<f8e8m0>(v, toward::infinity)));
TEST(Meaning, DirectionsOfRounding) {
  EXPECT_EQ(computed<down>({3, 4, 0.75}), (Doubles{2, 4, 0.5}));
  EXPECT_EQ(computed<up>({3, 4, 0.75}), (Doubles{4, 4, 1}));
}

struct tenths {
  Out<f64, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 4));
    store(y, {i}, fill<f64, 4>(0.1f));
  }
};
TEST(Meaning, ANumberOfF64IsThatOfCpp) {
  Array<f64, 1> y({1});
  ASSERT_TRUE(execute(tenths{.y = y}));
  EXPECT_EQ(y.numbers[0], double(0.1f));
}

/// The largest of each four; the smallest.
template <bool largest> struct extremes {
  Shared<f32, N> x;
  Out<f32, M> y;
  void operator()() {
    require(M == ceildiv(N, 4));
    auto [i] = grid(M);
    if (largest) {
      auto v = load<4>(x, {i}, pad(-inf));
      store<_>(y, {i}, max(v, drop<0>));
    } else {
      auto v = load<4>(x, {i}, pad(inf));
      store<_>(y, {i}, min(v, drop<0>));
    }
  }
};
TEST(Meaning, InfinitePaddingHasASign) {
  Array<f32, 1> x({6}, {-3, -2, -5, -4, -8, -7}), y({2});
  ASSERT_TRUE(execute(extremes<true>{.x = x, .y = y}));
  EXPECT_EQ(y.numbers, (Doubles{-2, -7}));
  ASSERT_TRUE(execute(extremes<false>{.x = x, .y = y}));
  EXPECT_EQ(y.numbers, (Doubles{-5, -8}));
}

struct trips {
  Shared<f32, N> x;
  Out<f32, 1> y;
  void operator()() {
    auto [b] = grid(1);
    Scalar<f32> count = 0, all = 0;
    for ([[maybe_unused]] Index k : range(ceildiv(N, 2))) {
      count += 1;
    }
    for (Index k : range(ceildiv(N, 8))) {
      all += sum(load<8>(x, {k}, pad::zero), drop<0>);
    }
    store<_>(y, {b}, all + 100 * count);
  }
};
TEST(Meaning, TilesAreCountedByTheirExtent) {
  Array<f32, 1> x({9}, Doubles(9, 1)), y({1});
  ASSERT_TRUE(execute(trips{.x = x, .y = y}));
  EXPECT_EQ(y.numbers, Doubles{509});
}

struct required {
  Shared<f32, N> x;
  Shared<f32, M> z;
  OutPartial<f32, N> y;
  void operator()() {
    require(M >= 2);
    require(M <= N);
    require(N <= 9);
    auto [i] = grid(N - (M - 1));
    store<_>(y, {i}, load<_>(x, {i}));
  }
};
std::optional<girih::Error> refusal(std::int64_t n, std::int64_t m) {
  Array<f32, 1> x({n}), z({m}), y({n});
  auto done = execute(required{.x = x, .z = z, .y = y});
  return done ? std::nullopt : std::optional(done.error());
}
TEST(Meaning, EachRequirementIsHeld) {
  EXPECT_FALSE(refusal(9, 2));
  for (auto [n, m] : {std::pair{9, 1}, {3, 4}, {10, 2}}) {
    auto refused = refusal(n, m);
    ASSERT_TRUE(refused) << n << ' ' << m;
    EXPECT_EQ(refused->kind, girih::Error::Kind::Refused);
  }
}
TEST(Meaning, ADifferenceOfDifferences) {
  Array<f32, 1> x({5}, {1, 2, 3, 4, 5}), z({3}), y({5});
  ASSERT_TRUE(execute(required{.x = x, .z = z, .y = y}));
  EXPECT_EQ(Doubles(y.numbers.begin(), y.numbers.begin() + 3),
            (Doubles{1, 2, 3}));
}

struct triangle {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    Scalar<f32> count = 0;
    for (Index k : range(i)) {
      for ([[maybe_unused]] Index l : range(k)) {
        count += 1;
      }
    }
    store<_>(y, {i}, count);
  }
};
TEST(Meaning, WhatAnInnerLoopAssigns) {
  Array<f32, 1> y({5});
  ASSERT_TRUE(execute(triangle{.y = y}));
  EXPECT_EQ(y.numbers, (Doubles{0, 0, 1, 3, 6}));
}

struct sides {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    Scalar<f32> a = 1, b = 10;
    if_(i < 1, [&] { a = 2; }, [&] { b = 20; });
    store<_>(y, {i}, a + b);
  }
};
TEST(Meaning, ASideKeepsWhatTheOtherAssigns) {
  Array<f32, 1> y({2});
  ASSERT_TRUE(execute(sides{.y = y}));
  EXPECT_EQ(y.numbers, (Doubles{12, 21}));
}

struct swapped {
  Own<f32, N> a, b;
  void operator()() {
    auto [i] = grid(ceildiv(N, 4));
    auto p = claim<4>(a, {i}), q = claim<4>(b, {i});
    auto x = load(p, pad::zero), y = load(q, pad::zero);
    store(p, y);
    store(q, x);
  }
};
TEST(Meaning, LoadsBeforeAStoreAreBeforeIt) {
  Array<f32, 1> a({2}, {1, 2}), b({2}, {3, 4});
  ASSERT_TRUE(execute(swapped{.a = a, .b = b}));
  EXPECT_EQ(a.numbers, (Doubles{3, 4}));
  EXPECT_EQ(b.numbers, (Doubles{1, 2}));
}

constexpr unsigned divides = __LINE__;
struct divided {
  Out<i32, N> y, z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 4));
    // Neither widens to the other: the division has the place of its use.
    auto q = iota<idx, 4, 1>(axis<0>) / iota<idx, 1, 4>(axis<1>);
    store(y, {i}, sum(to<i32>(q), drop<0>));
    store(z, {i}, max(to<i32>(q), drop<0>));
  }
};
TEST(Meaning, AMistakeIsAtItsFirstUse) {
  auto found = verify<divided>();
  ASSERT_TRUE(found) << found.error().text;
  const std::string &text = found->kernels[0].text;
  EXPECT_NE(text.find("MeaningTest.cpp:" + std::to_string(divides + 7) + ":"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("[index.division]"), std::string::npos) << text;
}

} // namespace
