// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From logits to a token that is drawn. Of each row the least logit is found
// that top_k and then top_p leave, digit by digit of its 16 bits: of sixteen
// candidates a time, how many logits are not below, and what they weigh. Then
// each logit that is left gets noise of a Gumbel distribution, and the largest
// sum is the token: a token is drawn with its probability.

#include "Random.h"
using namespace girih::kernel;

constexpr Sym B{"B"}, V{"V"}, N{"N"};
constexpr double log2e = 1.44269504;

// Integers in the order of floats; those of the first are at least this.
constexpr int leastKey = -32768;
template <int... D> auto keyOf(const Tile<bf16, D...> &x) {
  auto bits = to<i32>(bitcast<i16>(x));
  return where(bits < 0, bits ^ 0x7fff, bits);
}

// What is asked of a row: temperature and top_p; the words of a seed, top_k,
// where 0 is all, and the position of the token.
using How = Shared<f32, B, 2>;
using Numbers = Shared<i32, B, 4>;
constexpr int Temperature = 0, TopP = 1;
constexpr int SeedLow = 0, SeedHigh = 1, TopK = 2, Position = 3;

// A temperature that may be divided by. Where it is 0, nothing is drawn.
template <class T> auto divisor(const T &how, const Index &b) {
  return max(load<_, _>(how, {b, Temperature}), 1e-4);
}

// Before the digits: the largest logit of each row from those of its stretches,
// the least key, and how many logits have to be left, or what part of all.
// any B, V and N, zero and ragged included
template <int BN> struct sample_start {
  Shared<f32, B, N> top;
  Numbers numbers;
  Out<f32, B> highest;
  Out<i32, B> low, needed;
  Out<f32, B> mass;
  void operator()() {
    hint("sm_90", "early", 1);
    auto [b] = grid(B);
    auto outHighest = claim<_>(highest, {b});
    auto outLow = claim<_>(low, {b}), outNeeded = claim<_>(needed, {b});
    auto outMass = claim<_>(mass, {b});
    auto best = fill<f32, BN>(-inf);
    for (Index j : range(ceildiv(N, BN))) {
      best = max(best, load<_, BN>(top, {b, j}, pad::neg_inf));
    }
    store(outHighest, girih::kernel::max(best));
    store(outLow, Scalar<i32>(leastKey));
    auto k = load<_, _>(numbers, {b, TopK});
    store(outNeeded, where(k == 0, 2147483647, k));
    store(outMass, Scalar<f32>(0.0));
  }
};

// Of sixteen keys from the least one on, `step` apart: how many logits of a
// stretch of BV are not below, and the sum of what they weigh.
// any B and V, zero and ragged included; N is ceildiv(V, BV)
template <int BV> struct sample_count {
  Shared<bf16, B, V> logits;
  Shared<f32, B> highest;
  How how;
  Shared<i32, B> low;
  Out<i32, B, N, 16> counts;
  Out<f32, B, N, 16> masses;
  void operator()() {
    constexpr SymOf<i32> step{"step"};
    require(N == ceildiv(V, BV));
    hint("sm_90", "early", 1);
    auto [j, b] = grid(N, B);
    auto outCounts = claim<_, _, 16>(counts, {b, j, 0});
    auto outMasses = claim<_, _, 16>(masses, {b, j, 0});
    auto x = load<_, BV>(logits, {b, j}, pad::neg_inf);
    auto key = keyOf(x);
    auto factor = log2e / divisor(how, b);
    auto weight = exp2((to<f32>(x) - load<_>(highest, {b})) * factor);
    auto first = load<_>(low, {b});
    auto lane = iota<i32, 16>(axis<0>);
    auto count = zeros<i32, 16>();
    auto mass = zeros<f32, 16>();
    for (int k = 0; k < 16; ++k) {
      auto isLeft = key >= first + Scalar<i32>(step) * k;
      auto some = sum(where(isLeft, fill<i32, BV>(1), zeros<i32, BV>()));
      auto part = sum(where(isLeft, weight, zeros<f32, BV>()));
      count = where(lane == k, some, count);
      mass = where(lane == k, part, mass);
    }
    store(outCounts, count);
    store(outMasses, mass);
  }
};

// The next digit: the largest of sixteen keys of which enough logits are not
// below, with enough weight. With `turn` 1 that was the last digit of top_k,
// and top_p of what is left has to be left then. any B and N, zero and ragged
// included
template <int BN> struct sample_pick {
  Shared<i32, B, N, 16> counts;
  Shared<f32, B, N, 16> masses;
  How how;
  Own<i32, B> low, needed;
  Own<f32, B> mass;
  void operator()() {
    constexpr SymOf<i32> step{"step"}, turn{"turn"};
    hint("sm_90", "early", 1);
    auto [b] = grid(B);
    auto ofLow = claim<_>(low, {b}), ofNeeded = claim<_>(needed, {b});
    auto ofMass = claim<_>(mass, {b});
    auto count = zeros<i32, 16>();
    auto weight = zeros<f32, 16>();
    for (Index j : range(ceildiv(N, BN))) {
      auto some = load<_, BN, 16>(counts, {b, j, 0}, pad::zero);
      auto parts = load<_, BN, 16>(masses, {b, j, 0}, pad::zero);
      count = count + sum(some, drop<0>);
      weight = weight + sum(parts, drop<0>);
    }
    auto lane = iota<i32, 16>(axis<0>);
    auto needs = load(ofNeeded);
    auto isEnough = (count >= needs) & (weight >= load(ofMass));
    auto digit = girih::kernel::max(where(isEnough, lane, 0));
    auto of = sum(where(lane == digit, weight, 0.0));
    auto next = load(ofLow) + digit * Scalar<i32>(step);
    auto isTurn = Scalar<i32>(turn) == 1;
    store(ofLow, where(isTurn, leastKey, next));
    store(ofNeeded, where(isTurn, 1, needs));
    store(ofMass, where(isTurn, of * load<_, _>(how, {b, TopP}), load(ofMass)));
  }
};

// The largest sum of a logit and its noise of each stretch of BV, and the first
// index at which it stands, for step_tokens. The noise depends on the seed,
// the position and the index alone. Where the temperature is 0, the largest
// logit.
// any B and V up to 2^31 - 1, zero and ragged included; N is ceildiv(V, BV)
template <int BV> struct sample_draw {
  Shared<bf16, B, V> logits;
  Shared<f32, B> highest;
  How how;
  Numbers numbers;
  Shared<i32, B> low;
  Out<f32, B, N> max;
  Out<i32, B, N> index;
  void operator()() {
    require(N == ceildiv(V, BV));
    require(V <= 2147483647);
    hint("sm_90", "early", 1);
    auto [j, b] = grid(N, B);
    auto outMax = claim<_, _>(max, {b, j});
    auto outIndex = claim<_, _>(index, {b, j});
    auto stored = load<_, BV>(logits, {b, j}, pad::neg_inf);
    auto x = to<f32>(stored);
    auto number = to<i32>(j * BV) + iota<i32, BV>(axis<0>);
    auto scaled = (x - load<_>(highest, {b})) / divisor(how, b);
    auto isLeft = keyOf(stored) >= load<_>(low, {b});
    auto score = where(isLeft, scaled + noise(number, b), -inf);
    auto isDrawn = load<_, _>(how, {b, Temperature}) > 0.0;
    auto chosen = where(isDrawn, score, x);
    auto best = girih::kernel::max(chosen);
    store(outMax, best);
    store(outIndex, min(where(chosen == best, number, to<i32>(Index(V)))));
  }

private:
  // -log(E), where E has an exponential distribution.
  auto noise(const Tile<i32, BV> &number, const Index &b) {
    auto at = load<_, _>(numbers, {b, Position});
    auto a = number, c = zeros<i32, BV>(), d = c;
    auto e = broadcast<BV>(at);
    library::philox(a, e, c, d, load<_, _>(numbers, {b, SeedLow}),
                    load<_, _>(numbers, {b, SeedHigh}));
    // In (0, 1]; near 0 all its bits count, and the logarithm would lose them.
    auto u = (to<f32>(a, asUnsigned) + 0.5) * (1.0 / 4294967296);
    auto small = u * (1.0 + u * 0.5);
    auto exponential = where(u < 1e-3, small, -log(max_(1.0 - u)));
    return -log(exponential);
  }
  // Where u is rounded to 1.
  template <class T> static auto max_(const T &x) {
    return girih::kernel::max(x, 1e-7);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"sample_start", record<sample_start<256>>},
                            {"sample_count", record<sample_count<4096>>},
                            {"sample_pick", record<sample_pick<64>>},
                            {"sample_draw", record<sample_draw<4096>>}});
}
