// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float numerics against oracles of another make: the machine's own float and
// _Float16 arithmetic, and exact integers in 128 bits.

#include "spec/executor/numerics/Numerics.h"
#include "spec/executor/numerics/VectorOps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace girih::exec {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

/// Floats of every magnitude, with the special ones among them.
struct Floats {
  std::mt19937_64 random{7};

  float any() {
    static constexpr float special[] = {
        0.0f,
        -0.0f,
        1.0f,
        -1.0f,
        0x1p-149f,
        0x1p-126f,
        0x1.fffffep127f,
        std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN()};
    if (random() % 16 == 0) {
      return special[random() % std::size(special)];
    }
    return std::bit_cast<float>(static_cast<uint32_t>(random()));
  }
  /// Of moderate size, so that sums neither vanish nor overflow.
  float moderate() {
    return std::ldexp(static_cast<float>(random() % 0x2000000) - 0x1000000,
                      static_cast<int>(random() % 24) - 30);
  }
  _Float16 half() {
    return std::bit_cast<_Float16>(static_cast<uint16_t>(random()));
  }
};

/// The format's neighbour search by integers: `count` quanta of 2^-shift,
/// rounded to f16, ties to even.
double halfFromQuanta(__int128 count, int shift) {
  bool negative = count < 0;
  unsigned __int128 size = negative ? -count : count;
  int bits = 0;
  while (bits < 128 && size >> bits != 0) {
    ++bits;
  }
  int drop = std::max(bits - 11, shift - 24);
  unsigned __int128 kept = size;
  if (drop > 0) {
    kept = size >> drop;
    unsigned __int128 rest = size - (kept << drop);
    unsigned __int128 half = static_cast<unsigned __int128>(1) << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
  } else {
    drop = 0;
  }
  double magnitude = std::ldexp(static_cast<double>(kept), drop - shift);
  magnitude = magnitude >= 65536 ? inf : magnitude;
  return negative ? -magnitude : magnitude;
}

TEST(Rounding, EveryHalfRoundTripsThroughItsBits) {
  const Format &f16 = formatOf(Kind::F16);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    auto half = std::bit_cast<_Float16>(static_cast<uint16_t>(bits));
    double value = fromBits(f16, bits);
    ASSERT_TRUE(same(value, static_cast<double>(half))) << bits;
    if (!std::isnan(value)) {
      ASSERT_EQ(toBits(f16, value), bits);
    }
  }
}

TEST(Rounding, EveryBfloatRoundTripsThroughItsBits) {
  const Format &bf16 = formatOf(Kind::BF16);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    auto wide = std::bit_cast<float>(bits << 16);
    double value = fromBits(bf16, bits);
    ASSERT_TRUE(same(value, wide)) << bits;
    if (!std::isnan(value)) {
      ASSERT_EQ(toBits(bf16, value), bits);
    }
  }
}

TEST(Rounding, ToHalfAsTheMachineDoes) {
  Floats floats;
  const Format &f16 = formatOf(Kind::F16);
  for (int i = 0; i < 200000; ++i) {
    double x =
        i % 2 ? floats.any() : std::ldexp(floats.moderate(), int(i % 40) - 20);
    ASSERT_TRUE(same(roundTo(f16, x), static_cast<_Float16>(x))) << x;
  }
  EXPECT_EQ(roundTo(f16, 65519.99), 65504);
  EXPECT_EQ(roundTo(f16, 65520), inf);
  EXPECT_EQ(roundTo(f16, 0x1p-25), 0);
  EXPECT_EQ(roundTo(f16, 0x1.8p-25), 0x1p-24);
}

TEST(Rounding, ToBfloatAsTheBitsSay) {
  Floats floats;
  const Format &bf16 = formatOf(Kind::BF16);
  for (int i = 0; i < 200000; ++i) {
    float x = floats.any();
    auto bits = std::bit_cast<uint32_t>(x);
    uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    double expected =
        std::isnan(x) ? x : std::bit_cast<float>(rounded & 0xffff0000);
    ASSERT_TRUE(same(roundTo(bf16, x), expected)) << x;
  }
}

TEST(Rounding, FourBitsAsTheirTable) {
  const Format &f4 = formatOf(Kind::F4E2M1FN);
  constexpr double numbers[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (uint64_t bits = 0; bits < 16; ++bits) {
    double value = bits & 8 ? -numbers[bits & 7] : numbers[bits & 7];
    EXPECT_TRUE(same(fromBits(f4, bits), value)) << bits;
    EXPECT_EQ(toBits(f4, value), bits);
    EXPECT_EQ(convertReal(f4, {value, 0}).value, value);
  }
  EXPECT_EQ(f4.largest(), 6);
  // Halfway to even, and beyond the largest number to that; so does NaN.
  for (auto [x, y] : {std::pair{0.25, 0.0},
                      {0.75, 1.0},
                      {1.25, 1.0},
                      {1.75, 2.0},
                      {2.5, 2.0},
                      {3.5, 4.0},
                      {5.0, 4.0},
                      {5.01, 6.0},
                      {7.0, 6.0},
                      {inf, 6.0},
                      {-inf, -6.0},
                      {std::nan(""), 6.0},
                      {-1e300, -6.0}}) {
    EXPECT_EQ(convertReal(f4, {x, 0}).value, y) << x;
    EXPECT_EQ(convertReal(f4, {x, 0}).bound, 0);
  }
  EXPECT_TRUE(same(convertReal(f4, {-0.25, 0}).value, -0.0));
}

TEST(Rounding, PowersOfTwo) {
  const Format &e8 = formatOf(Kind::F8E8M0FNU);
  for (uint64_t bits = 0; bits < 255; ++bits) {
    double value = std::ldexp(1.0, int(bits) - 127);
    EXPECT_EQ(fromBits(e8, bits), value);
    EXPECT_EQ(toBits(e8, value), bits);
    EXPECT_EQ(powerBelowReal(e8, {-value, 0}).value, value);
    EXPECT_EQ(powerAboveReal(e8, {value, 0}).value, value);
  }
  EXPECT_TRUE(std::isnan(fromBits(e8, 255)));
  EXPECT_EQ(toBits(e8, std::nan("")), 255U);
  EXPECT_TRUE(std::isnan(powerAboveReal(e8, {std::nan(""), 0}).value));
  EXPECT_EQ(powerBelowReal(e8, {1.99, 0}).value, 1);
  EXPECT_EQ(powerAboveReal(e8, {1.01, 0}).value, 2);
  EXPECT_EQ(powerAboveReal(e8, {0x1.8p-127, 0}).value, 0x1p-126);
  EXPECT_EQ(powerBelowReal(e8, {0, 0}).value, 0x1p-127);
  EXPECT_EQ(powerAboveReal(e8, {inf, 0}).value, 0x1p127);
  EXPECT_EQ(powerAboveReal(e8, {0x1.8p127, 0}).value, 0x1p127);
  // What a number within its bound may become.
  EXPECT_EQ(powerBelowReal(e8, {4, 0.5}).bound, 2);
  EXPECT_EQ(powerAboveReal(e8, {4, 0.5}).bound, 4);
  EXPECT_EQ(powerBelowReal(e8, {5, 0.5}).bound, 0);
  EXPECT_EQ(powerBelowReal(e8, {-1, 3}).bound, 3);
  EXPECT_EQ(powerBelowReal(e8, {1, inf}).bound, inf);
}

TEST(Rounding, IntegersOnce) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    auto x = static_cast<int64_t>(random()) >> random() % 64;
    ASSERT_EQ(roundInteger(formatOf(Kind::F32), x), static_cast<float>(x));
    ASSERT_EQ(roundInteger(formatOf(Kind::F64), x), static_cast<double>(x));
    ASSERT_EQ(roundInteger(formatOf(Kind::F16), x), halfFromQuanta(x, 0));
  }
  // Twice rounded, through double, this would be the even neighbour.
  int64_t tie = (int64_t(1) << 60) + (int64_t(1) << 36) + 1;
  EXPECT_EQ(roundInteger(formatOf(Kind::F32), tie), 0x1.000002p60);
}

TEST(Arithmetic, SingleAsTheMachineDoes) {
  Floats floats;
  const Format &f32 = formatOf(Kind::F32);
  for (int i = 0; i < 200000; ++i) {
    float a = floats.any(), b = floats.any(), c = floats.any();
    Real x{a, 0}, y{b, 0}, z{c, 0};
    ASSERT_TRUE(same(addReal(f32, x, y).value, a + b)) << a << " " << b;
    ASSERT_TRUE(same(subReal(f32, x, y).value, a - b)) << a << " " << b;
    ASSERT_TRUE(same(mulReal(f32, x, y).value, a * b)) << a << " " << b;
    ASSERT_TRUE(same(divReal(f32, x, y).value, a / b)) << a << " " << b;
    ASSERT_TRUE(same(sqrtReal(f32, x).value, std::sqrt(a))) << a;
    ASSERT_TRUE(same(fmaReal(f32, x, y, z).value, std::fmaf(a, b, c)))
        << a << " " << b << " " << c;
    ASSERT_EQ(addReal(f32, x, y).bound, 0);
  }
}

TEST(Arithmetic, FusedWhereDoubleWouldRoundTwice) {
  const Format &f32 = formatOf(Kind::F32);
  // 2^24 + 1 is halfway between two floats, and a little more decides.
  Real a{0x1p12, 0}, b{0x1.000001p12, 0}, c{0x1p-60, 0};
  a.value = 4097;
  b.value = 4095.0;
  c.value = 0x1p-80;
  EXPECT_EQ(fmaReal(f32, a, b, c).value, std::fmaf(4097, 4095, 0x1p-80f));
  EXPECT_EQ(fmaReal(f32, {16777217.0 / 4097, 0}, {1, 0}, {0, 0}).value,
            static_cast<float>(16777217.0 / 4097));
  EXPECT_EQ(
      fmaReal(f32, {0x1.000002p0, 0}, {0x1.000002p0, 0}, {0x1p-70, 0}).value,
      std::fmaf(0x1.000002p0f, 0x1.000002p0f, 0x1p-70f));
}

TEST(Arithmetic, HalfAgainstExactIntegers) {
  Floats floats;
  const Format &f16 = formatOf(Kind::F16);
  for (int i = 0; i < 100000; ++i) {
    _Float16 a = floats.half(), b = floats.half(), c = floats.half();
    if (!std::isfinite(double(a)) || !std::isfinite(double(b)) ||
        !std::isfinite(double(c))) {
      continue;
    }
    auto quanta = [](_Float16 x) {
      return static_cast<__int128>(std::ldexp(double(x), 24));
    };
    Real x{double(a), 0}, y{double(b), 0}, z{double(c), 0};
    __int128 product = quanta(a) * quanta(b);
    ASSERT_EQ(addReal(f16, x, y).value,
              halfFromQuanta(quanta(a) + quanta(b), 24));
    ASSERT_EQ(mulReal(f16, x, y).value, halfFromQuanta(product, 48));
    ASSERT_EQ(fmaReal(f16, x, y, z).value,
              halfFromQuanta(product + (quanta(c) << 24), 48));
    ASSERT_TRUE(same(divReal(f16, x, y).value,
                     static_cast<_Float16>(float(a) / float(b))));
  }
}

TEST(Arithmetic, ExtremesAndZeros) {
  const Format &f32 = formatOf(Kind::F32);
  Real nan{std::nan(""), 0}, one{1, 0}, zero{0, 0}, minus{-0.0, 0};
  EXPECT_TRUE(std::isnan(maximumReal(f32, nan, one).value));
  EXPECT_TRUE(std::isnan(minimumReal(f32, one, nan).value));
  EXPECT_EQ(maxnumReal(f32, nan, one).value, 1);
  EXPECT_EQ(minnumReal(f32, one, nan).value, 1);
  EXPECT_FALSE(std::signbit(maximumReal(f32, minus, zero).value));
  EXPECT_FALSE(std::signbit(maximumReal(f32, zero, minus).value));
  EXPECT_TRUE(std::signbit(minimumReal(f32, zero, minus).value));
  EXPECT_EQ(maximumReal(f32, {2, 0.5}, {1, 0.25}).bound, 0.5);
  EXPECT_EQ(maximumReal(f32, {2, 0}, {1, 0}).bound, 0);
  Real infinite{std::numeric_limits<double>::infinity(), 0};
  EXPECT_EQ(minimumReal(f32, {2, 0.5}, infinite).bound, 0.5);
  EXPECT_EQ(maximumReal(f32, {2, 0.5}, infinite).bound, 0);
}

TEST(Arithmetic, ExponentialsOfFarNumbers) {
  const Format &f32 = formatOf(Kind::F32);
  for (auto *exponential : {expReal, exp2Real}) {
    Real nothing = exponential(f32, {-1e30, 1e23});
    EXPECT_EQ(nothing.value, 0);
    EXPECT_LE(nothing.bound, 10 * f32.tiny());
    EXPECT_TRUE(std::isinf(exponential(f32, {-1e30, 2e30}).bound));
  }
}

TEST(Comparison, Predicates) {
  double nan = std::nan("");
  EXPECT_TRUE(compareReal(Compare::Oeq, 0.0, -0.0));
  EXPECT_FALSE(compareReal(Compare::One, nan, 1));
  EXPECT_TRUE(compareReal(Compare::Une, nan, 1));
  EXPECT_TRUE(compareReal(Compare::Ult, nan, 1));
  EXPECT_FALSE(compareReal(Compare::Olt, nan, 1));
  EXPECT_TRUE(compareReal(Compare::Uno, nan, 1));
  EXPECT_TRUE(compareReal(Compare::Ord, 2, 1));
  EXPECT_TRUE(compareIsUncertain(Compare::Olt, {1, 0.5}, {1.25, 0}));
  EXPECT_FALSE(compareIsUncertain(Compare::Olt, {1, 0.125}, {1.25, 0}));
  EXPECT_FALSE(compareIsUncertain(Compare::Olt, {nan, 0}, {1.25, 1}));
}

/// Another implementation: operands moved inside their bounds, computed by the
/// machine, must end inside the bound of the result.
class Bounds : public testing::Test {
protected:
  Floats floats;
  const Format &f32 = formatOf(Kind::F32);

  Real operand() {
    float value = floats.moderate();
    double share = std::ldexp(1.0, -int(floats.random() % 24));
    return {value, floats.random() % 3 ? std::fabs(value) * share : 0};
  }
  /// A float that the other implementation may hold.
  float moved(Real x) {
    double t = double(floats.random() % 2001) / 1000 - 1;
    auto y = static_cast<float>(x.value + t * x.bound);
    return std::fabs(y - x.value) <= x.bound ? y : float(x.value);
  }
  void expectInside(Real result, float other, const char *what) {
    if (std::isinf(result.bound)) {
      return;
    }
    if (result.bound == 0) {
      ASSERT_TRUE(result.value == other) << what << " " << other;
      return;
    }
    ASSERT_LE(std::fabs(result.value - other), result.bound) << what;
  }
};

TEST_F(Bounds, OfArithmetic) {
  for (int i = 0; i < 200000; ++i) {
    Real a = operand(), b = operand(), c = operand();
    float x = moved(a), y = moved(b), z = moved(c);
    expectInside(addReal(f32, a, b), x + y, "add");
    expectInside(subReal(f32, a, b), x - y, "sub");
    expectInside(mulReal(f32, a, b), x * y, "mul");
    expectInside(divReal(f32, a, b), x / y, "div");
    expectInside(fmaReal(f32, a, b, c), std::fmaf(x, y, z), "fma");
    expectInside(maximumReal(f32, a, b), std::fmax(x, y), "maximum");
    expectInside(minimumReal(f32, a, b), std::fmin(x, y), "minimum");
    expectInside(absReal(f32, a), std::fabs(x), "abs");
    if (a.value - a.bound > 0) {
      expectInside(sqrtReal(f32, a), std::sqrt(x), "sqrt");
    }
  }
}

TEST_F(Bounds, OfWhatMayBeFlushed) {
  for (double x : {-126.5, -130.0, -149.0, -200.0}) {
    Real exact = exp2Real(f32, {x, 0}), flushed = exp2FlushedReal(f32, {x, 0});
    EXPECT_EQ(flushed.value, exact.value);
    EXPECT_EQ(flushed.bound, exact.bound + 0x1p-126);
    EXPECT_GE(flushed.bound, flushed.value);
  }
  EXPECT_LT(exp2Real(f32, {-126.5, 0}).bound, 0x1p-140);
}

TEST_F(Bounds, OfFunctions) {
  for (int i = 0; i < 100000; ++i) {
    Real a = operand();
    float x = moved(a);
    a.value = float(std::fmod(a.value, 64.0));
    a.bound = std::min(a.bound, 8.0);
    x = moved(a);
    expectInside(expReal(f32, a), std::exp(x), "exp");
    expectInside(exp2Real(f32, a), std::exp2(x), "exp2");
    float power = std::exp2(x);
    expectInside(exp2FlushedReal(f32, a),
                 std::fpclassify(power) == FP_SUBNORMAL ? 0 : power,
                 "exp2, flushed");
    expectInside(tanhReal(f32, a), std::tanh(x), "tanh");
    expectInside(tanReal(f32, a), std::tan(x), "tan");
    expectInside(sinhReal(f32, a), std::sinh(x), "sinh");
    expectInside(coshReal(f32, a), std::cosh(x), "cosh");
    Real b = operand();
    float y = moved(b);
    expectInside(atan2Real(f32, a, b), std::atan2(x, y), "atan2");
    if (b.value != 0) {
      expectInside(remReal(f32, a, b), std::fmod(x, y), "rem");
    }
    if (a.value - a.bound > 0) {
      expectInside(logReal(f32, a), std::log(x), "log");
      expectInside(log2Real(f32, a), std::log2(x), "log2");
      expectInside(rsqrtReal(f32, a), 1 / std::sqrt(x), "rsqrt");
    }
  }
}

TEST_F(Bounds, OfFunctionsAtTheirEnds) {
  // Between two poles the tangent moves as far as its ends, beyond one
  // anywhere.
  EXPECT_LT(tanReal(f32, {1.5, 0.01}).bound, 3);
  EXPECT_GT(tanReal(f32, {1.5, 0.01}).bound, 2);
  EXPECT_EQ(tanReal(f32, {1.5, 0.1}).bound, inf);
  EXPECT_EQ(tanReal(f32, {0, 2}).bound, inf);
  // Above and below the ray to the left lie different angles.
  EXPECT_GT(atan2Real(f32, {0.5, 1}, {-3, 0}).bound, 6.28);
  EXPECT_LT(atan2Real(f32, {0.5, 1}, {3, 0}).bound, 0.6);
  EXPECT_EQ(atan2Real(f32, {-0.0, 0}, {-1, 0}).value,
            double(std::atan2(-0.0f, -1.0f)));
  EXPECT_GT(atan2Real(f32, {0.5, 1}, {0.5, 0}).bound, 3.14);
  // A whole part of the quotient that changes takes all of the divisor.
  EXPECT_EQ(remReal(f32, {7.5, 0}, {2, 0}).value, 1.5);
  EXPECT_EQ(remReal(f32, {-7.5, 0}, {2, 0}).value, -1.5);
  EXPECT_EQ(remReal(f32, {-7.5, 0}, {2, 0}).bound, 0);
  EXPECT_NEAR(remReal(f32, {7.5, 0.25}, {2, 0}).bound, 0.25, 1e-9);
  EXPECT_GE(remReal(f32, {7.5, 0.75}, {2, 0}).bound, 1.5);
  EXPECT_EQ(remReal(f32, {7.5, 0}, {0.5, 0.5}).bound, inf);
  EXPECT_TRUE(std::isnan(remReal(f32, {1, 0}, {0, 0}).value));
  EXPECT_EQ(remReal(f32, {1, 0}, {inf, 0}).value, 1);
  EXPECT_EQ(expReal(f32, {-inf, 0}).value, 0);
  EXPECT_EQ(expReal(f32, {-inf, 0}).bound, 0);
  EXPECT_EQ(expReal(f32, {200, 0}).value, inf);
  EXPECT_EQ(expReal(f32, {200, 0}).bound, 0);
  // At the edge of overflow another implementation may stay finite.
  EXPECT_EQ(expReal(f32, {88.72283935546875, 0}).bound, inf);
  EXPECT_EQ(logReal(f32, {0, 0}).value, -inf);
  EXPECT_TRUE(std::isnan(sqrtReal(f32, {-1, 0}).value));
  EXPECT_EQ(sqrtReal(f32, {-1, 0}).bound, 0);
  EXPECT_EQ(sqrtReal(f32, {0.25, 0.5}).bound, inf);
  EXPECT_EQ(divReal(f32, {1, 0}, {0.25, 0.5}).bound, inf);
  EXPECT_EQ(subReal(f32, {inf, 0}, {inf, 0}).bound, 0);
  EXPECT_TRUE(std::isnan(subReal(f32, {inf, 0}, {inf, 0}).value));
  EXPECT_EQ(addReal(f32, {inf, 0}, {1, 0.5}).bound, 0);
  EXPECT_EQ(mulReal(f32, {inf, 0}, {1, 2}).bound, inf);
}

Value lanes(const std::vector<float> &numbers) {
  Value value;
  for (float x : numbers) {
    value.push(Real{x, 0});
  }
  return value;
}

/// x + y of positive or negative numbers, cut off instead of rounded.
float truncatedSum(float x, float y) {
  double exact = double(x) + double(y);
  auto rounded = static_cast<float>(exact);
  return std::fabs(rounded) > std::fabs(exact) ? std::nextafterf(rounded, 0)
                                               : rounded;
}

TEST_F(Bounds, OfSumsInAnyOrder) {
  for (int i = 0; i < 2000; ++i) {
    std::vector<float> terms(1 + floats.random() % 64);
    for (float &x : terms) {
      x = floats.moderate();
    }
    Value sum = reduceFloats(Reduction::Add, Kind::F32, lanes(terms),
                             {1, std::ssize(terms), 1});
    for (int order = 0; order < 4; ++order) {
      std::shuffle(terms.begin(), terms.end(), floats.random);
      float forward = 0, cut = 0;
      std::vector<float> tree = terms;
      for (float x : terms) {
        forward += x;
        cut = truncatedSum(cut, x);
      }
      while (tree.size() > 1) {
        for (size_t k = 0; k < tree.size() / 2; ++k) {
          tree[k] = tree[2 * k] + tree[2 * k + 1];
        }
        if (tree.size() % 2) {
          tree[tree.size() / 2] = tree.back();
        }
        tree.resize((tree.size() + 1) / 2);
      }
      expectInside(sum.real(0), forward, "forward");
      expectInside(sum.real(0), cut, "truncating");
      expectInside(sum.real(0), tree[0], "tree");
    }
  }
}

TEST_F(Bounds, OfExactSumsAreZero) {
  std::vector<float> terms;
  for (int i = 0; i < 100; ++i) {
    terms.push_back(static_cast<float>(int(floats.random() % 255) - 127) / 64);
  }
  Value sum =
      reduceFloats(Reduction::Add, Kind::F32, lanes(terms), {1, 100, 1});
  EXPECT_TRUE(sum.bounds.empty());
  Value inexact = reduceFloats(Reduction::Add, Kind::F32,
                               lanes({0x1p24f, 1.0f, 1.0f}), {1, 3, 1});
  EXPECT_EQ(inexact.floats[0], 0x1p24 + 2);
  EXPECT_GE(inexact.bounds[0], 2);
}

TEST_F(Bounds, OfZerosHaveTheirSign) {
  for (float zero : {0.0f, -0.0f}) {
    Value sum = reduceFloats(Reduction::Add, Kind::F32,
                             lanes({-0.0f, zero, -0.0f}), {1, 3, 1});
    EXPECT_EQ(std::signbit(sum.floats[0]), std::signbit(zero));
    Value product = mmaFloats(Kind::F32, {1, 1, 2}, lanes({-0.0f, zero}),
                              lanes({1, 2}), lanes({-0.0f}));
    EXPECT_EQ(std::signbit(product.floats[0]), std::signbit(zero));
  }
}

TEST_F(Bounds, OfSumsThatAreNotFinite) {
  auto sum = [](std::vector<float> terms) {
    return reduceFloats(Reduction::Add, Kind::F32, lanes(terms),
                        {1, std::ssize(terms), 1})
        .real(0);
  };
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(sum({1, infinity, 2}).value, inf);
  EXPECT_EQ(sum({1, infinity, 2}).bound, 0);
  EXPECT_TRUE(std::isnan(sum({1, infinity, -infinity}).value));
  EXPECT_EQ(sum({1, infinity, -infinity}).bound, 0);
  EXPECT_TRUE(std::isnan(sum({1, std::nanf(""), infinity}).value));
  // In another order this overflows on the way.
  EXPECT_EQ(sum({0x1p127f, 0x1p127f, -0x1p127f}).value, 0x1p127);
  EXPECT_EQ(sum({0x1p127f, 0x1p127f, -0x1p127f}).bound, inf);
  EXPECT_EQ(sum({0x1p127f, 0x1p127f, -infinity}).bound, inf);
}

TEST_F(Bounds, OfProductsInAnyOrder) {
  for (int i = 0; i < 2000; ++i) {
    std::vector<float> factors(1 + floats.random() % 16);
    for (float &x : factors) {
      x = std::ldexp(floats.moderate(), -4);
    }
    Value product = reduceFloats(Reduction::Mul, Kind::F32, lanes(factors),
                                 {1, std::ssize(factors), 1});
    for (int order = 0; order < 4; ++order) {
      std::shuffle(factors.begin(), factors.end(), floats.random);
      float other = 1;
      for (float x : factors) {
        other *= x;
      }
      expectInside(product.real(0), other, "product");
    }
  }
  Value exact =
      reduceFloats(Reduction::Mul, Kind::F32, lanes({3, 5, 0.25f}), {1, 3, 1});
  EXPECT_EQ(exact.floats[0], 3.75);
  EXPECT_TRUE(exact.bounds.empty());
}

TEST_F(Bounds, OfMmaInAnyOrder) {
  constexpr MmaShape shape{4, 8, 32};
  for (int i = 0; i < 200; ++i) {
    std::vector<float> a(4 * 32), b(32 * 8), c(4 * 8);
    for (auto *matrix : {&a, &b, &c}) {
      for (float &x : *matrix) {
        x = float(roundTo(formatOf(Kind::BF16), floats.moderate()));
      }
    }
    Value result = mmaFloats(Kind::F32, shape, lanes(a), lanes(b), lanes(c));
    std::vector<int64_t> order(32);
    for (int64_t k = 0; k < 32; ++k) {
      order[k] = k;
    }
    std::shuffle(order.begin(), order.end(), floats.random);
    for (int64_t m = 0; m < 4; ++m) {
      for (int64_t n = 0; n < 8; ++n) {
        float sum = c[m * 8 + n];
        float cut = sum;
        for (int64_t k : order) {
          sum += a[m * 32 + k] * b[k * 8 + n];
          cut = truncatedSum(cut, a[m * 32 + k] * b[k * 8 + n]);
        }
        expectInside(result.real(m * 8 + n), sum, "mma");
        expectInside(result.real(m * 8 + n), cut, "truncating mma");
      }
    }
  }
}

TEST_F(Bounds, OfExactMmaAreZero) {
  constexpr MmaShape shape{2, 2, 64};
  std::vector<float> a(2 * 64), b(64 * 2), c(4, 0.5f);
  for (size_t k = 0; k < a.size(); ++k) {
    a[k] = float(int(k * 7 % 31) - 15) / 4;
    b[k] = float(int(k * 5 % 29) - 14) / 8;
  }
  Value result = mmaFloats(Kind::F32, shape, lanes(a), lanes(b), lanes(c));
  EXPECT_TRUE(result.bounds.empty());
  double expected = 0.5;
  for (int k = 0; k < 64; ++k) {
    expected += double(a[64 + k]) * b[k * 2 + 1];
  }
  EXPECT_EQ(result.floats[3], expected);
}

TEST_F(Bounds, OfMmaThatIsNotFinite) {
  constexpr MmaShape shape{1, 2, 2};
  float infinity = std::numeric_limits<float>::infinity();
  Value result = mmaFloats(Kind::F32, shape, lanes({1, infinity}),
                           lanes({1, 1, 0, 1}), lanes({0, 0}));
  EXPECT_TRUE(std::isnan(result.floats[0])); // inf * 0
  EXPECT_EQ(result.floats[1], inf);
  EXPECT_TRUE(result.bounds.empty());
}

TEST(Selection, OfAnUncertainCondition) {
  EXPECT_EQ(selectUncertain({1, 0.5}, {3, 0.25}).value, 1);
  EXPECT_GE(selectUncertain({1, 0.5}, {3, 0.25}).bound, 2.25);
  EXPECT_EQ(selectUncertain({inf, 0}, {inf, 0}).bound, 0);
  EXPECT_EQ(selectUncertain({1, 0}, {std::nan(""), 0}).bound, inf);
}

TEST(Integers, MmaAndReductionsWrap) {
  Value a, b, c;
  for (int64_t x : {100, -128, 127, 5}) {
    a.push(x);
    b.push(x);
  }
  for (int64_t x : {0L, 1L, 2147483647L, -2147483648L}) {
    c.push(x);
  }
  Value r = mmaIntegers(32, {2, 2, 2}, a, b, c);
  EXPECT_EQ(r.ints[0], 100 * 100 + -128 * 127);
  EXPECT_EQ(r.ints[1], 1 + 100 * -128 + -128 * 5);
  EXPECT_EQ(r.ints[2], int32_t(2147483647u + uint32_t(127 * 100 + 5 * 127)));
  Value sum = reduceIntegers(Reduction::Add, 8, a, {1, 4, 1});
  EXPECT_EQ(sum.ints[0], int8_t(104));
  Value product = reduceIntegers(Reduction::Mul, 8, a, {1, 4, 1});
  EXPECT_EQ(product.ints[0], int8_t(100 * -128 * 127 * 5));
  Value largest = reduceIntegers(Reduction::Max, 8, a, {2, 2, 1});
  EXPECT_EQ(largest.ints[0], 100);
  EXPECT_EQ(largest.ints[1], 127);
}

TEST(Mma, ScalesOfBlocks) {
  // Rows of two blocks of two; the sign of a scale does not count.
  Value a = scaled(lanes({1, 2, 3, 4}), lanes({0.5, -8}), {1, 2, 2, 1});
  EXPECT_EQ(a.floats, (llvm::SmallVector<double, 1>{0.5, 1, 24, 32}));
  // Columns: a scale each for two rows of two.
  Value b = scaled(lanes({1, 2, 3, 4, 5, 6, 7, 8}), lanes({2, 4, 1, 0.25}),
                   {1, 2, 2, 2});
  EXPECT_EQ(b.floats,
            (llvm::SmallVector<double, 1>{2, 8, 6, 16, 5, 1.5, 7, 2}));
  Value r =
      mmaFloats(Kind::F32, {1, 2, 4}, a, b, lanes({1, 1}), {.roundings = 9});
  EXPECT_EQ(r.floats, (llvm::SmallVector<double, 1>{1 + 1 + 6 + 120 + 224,
                                                    1 + 4 + 16 + 36 + 64}));
  EXPECT_TRUE(r.bounds.empty());
}

TEST(Fast, factorsThatTf32HasAreExact) {
  float next = 1 + 0x1p-10f, between = 1 + 0x1p-11f;
  Value a = fewerDigits(lanes({next, between, -3, 0, 0x1p-130f}));
  EXPECT_EQ(a.real(0).bound, 0);
  EXPECT_GE(a.real(1).bound, 0x1p-11);
  EXPECT_LT(a.real(1).bound, 0x1.1p-10);
  EXPECT_EQ(a.real(2).bound, 0);
  EXPECT_EQ(a.real(3).bound, 0);
  EXPECT_GE(a.real(4).bound, 0x1p-130);
  float most = std::numeric_limits<float>::max();
  EXPECT_EQ(fewerDigits(lanes({most})).real(0).bound,
            std::numeric_limits<double>::infinity());
}

TEST(Fast, sumsKeepThirteenDigits) {
  // 2^13 is the last number below which every whole number has 13 digits.
  for (auto [start, bound] : {std::pair{8191.0f, 0.0}, {8192.0f, 2.0}}) {
    Value r = mmaFloats(Kind::F32, {1, 1, 1}, lanes({1}), lanes({1}),
                        lanes({start}), {.lostDigits = lostByFastSums});
    EXPECT_EQ(r.floats[0], start + 1);
    EXPECT_GE(r.real(0).bound, bound);
    EXPECT_LE(r.real(0).bound, 8 * bound);
  }
}

} // namespace
} // namespace girih::exec
