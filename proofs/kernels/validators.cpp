// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launcher asks about contents on the device, before a kernel that
// relies on them: block p leaves in found[p] the number of its first element
// that breaks the fact. Blocks share the tiles in turns.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym N{"N"}, P{"P"};
constexpr i64 none = 9223372036854775807;

// A tensor of T without padding before it: aligned as its elements are.
template <class T> using Packed = With<Shared<T, N>, align<int(sizeof(T))>>;

// The numbers of the elements of tile k.
template <int BN> auto numbersOf(const Index &k) {
  return to<i64>(k) * BN + iota<i64, BN>(axis<0>);
}

// Whether all elements of a tensor are least..most: block p leaves in found[p]
// the number of its first element that is not, or else a number of N or more.
// Blocks share the tiles in turns. A launcher asks it about contents on the
// device.
// any N and P, ragged included
template <class T, int BN> struct validate_within {
  Packed<T> t;
  Out<i64, P> found;
  void operator()() {
    constexpr SymOf<i64> least{"least"}, most{"most"};
    require(P >= 1);
    auto [p] = grid(P);
    Scalar<i64> low = least, high = most;
    auto out = claim<_>(found, {p});
    auto best = fill<i64, BN>(none);
    for (Index k : range(p, ceildiv(N, BN), P)) {
      auto v = to<i64>(load<BN>(t, {k}, pad::zero));
      auto number = numbersOf<BN>(k);
      auto isBad = (v < low) | (v > high);
      best = where(isBad, min(number, best), best);
    }
    store(out, min(best));
  }
};

// Whether no element of a tensor is above the next one: block p leaves in
// found[p] the number of its first element that is, or else a number of N or
// more. Blocks share the tiles in turns. A launcher asks it about contents on
// the device.
// any N of at least 1 and any P, ragged included
template <class T, int BN> struct validate_sorted {
  Packed<T> t;
  Out<i64, P> found;
  void operator()() {
    require(N >= 1);
    require(P >= 1);
    auto [p] = grid(P);
    auto pairs = N - Index(1);
    auto head = narrow<0>(t, Index(0), pairs);
    auto tail = narrow<0>(t, Index(1), pairs);
    auto out = claim<_>(found, {p});
    auto best = fill<i64, BN>(none);
    for (Index k : range(p, tiles<BN>(head, axis<0>), P)) {
      auto a = load<BN>(head, {k}, pad::zero);
      auto b = load<BN>(tail, {k}, pad::zero);
      auto number = numbersOf<BN>(k);
      best = where(a > b, min(number, best), best);
    }
    store(out, min(best));
  }
};

// Whether no two elements of a tensor are equal: block p leaves in found[p] the
// number of its first element that equals a later one, or else the largest
// number. Each tile is held against itself and all behind it; blocks share the
// tiles in turns, so that the time is that of N * N / 2 comparisons. A launcher
// asks it about contents on the device.
// any N and P, ragged included
template <class T, int BN> struct validate_distinct {
  Packed<T> t;
  Out<i64, P> found;
  void operator()() {
    require(P >= 1);
    auto [p] = grid(P);
    auto out = claim<_>(found, {p});
    auto size = to<i64>(Index(N));
    auto best = fill<i64, BN, BN>(none);
    for (Index k : range(p, ceildiv(N, BN), P)) {
      auto a = reshape<BN, 1>(load<BN>(t, {k}, pad::zero));
      auto earlier = reshape<BN, 1>(numbersOf<BN>(k));
      auto twice = always<BN, BN>(false);
      for (Index m : range(k, ceildiv(N, BN))) {
        auto b = load<BN>(t, {m}, pad::zero);
        auto later = numbersOf<BN>(m);
        auto pair = (a == b) & (earlier < later);
        twice = twice | (pair & (later < size));
      }
      best = where(twice, min(earlier, best), best);
    }
    store(out, min(min(best, drop<1>)));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"validate_within", record<validate_within<i32, 1024>>},
       {"validate_within_i64", record<validate_within<i64, 1024>>},
       {"validate_sorted", record<validate_sorted<i32, 1024>>},
       {"validate_sorted_i64", record<validate_sorted<i64, 1024>>},
       {"validate_distinct", record<validate_distinct<i32, 32>>},
       {"validate_distinct_i64", record<validate_distinct<i64, 32>>}});
}
