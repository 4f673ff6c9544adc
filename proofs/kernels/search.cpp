// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting, searching, sorting.

#include "Library.h"
#include "Sorting.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, V{"V"};

// hist[v] += how often v stands in x, for bins 0 to V - 1
// any N and V, zero included; every number is a bin
template <int BN> struct histogram {
  Shared<i32, N> x;
  AtomicAdd<i32, V> hist;
  void operator()() {
    given(within(x, 0, V));
    auto [i] = grid(ceildiv(N, BN));
    auto number = load<BN>(x, {i}, pad::zero);
    auto left = N - i * BN;
    auto isThere = iota<idx, BN>(axis<0>) < left;
    atomicScatter(hist, lanes(number), fill<i32, BN>(1), isThere);
  }
};

// y[i] = the first place in the sorted table s whose number is not below x[i],
// N if there is none
// any N and M, zero included; each trip halves what is left of the table
struct searchsorted {
  Shared<i32, N> s;
  Shared<i32, M> x;
  Out<i64, M> y;
  void operator()() {
    given(sorted(s));
    auto [i] = grid(M);
    auto out = claim<_>(y, {i});
    auto v = load<_>(x, {i});
    Index lo = 0, hi = N;
    while_(
        [&] {
          invariant(lo >= 0, "the range begins in the table");
          invariant(lo <= hi, "the range is not turned round");
          invariant(hi <= N, "the range ends with the table");
          measure(hi - lo);
          return lo < hi;
        },
        [&] {
          auto mid = lo + (hi - lo) / 2;
          auto below = load<_>(s, {mid}) < v;
          lo = where(below, mid + 1, lo);
          hi = where(below, hi, mid);
        });
    store(out, to<i64>(lo));
  }
};

// y[M, N] = each row of x[M, N] sorted, the least number first
// any M, N at most 128, zero included
template <int R> struct sort_rows {
  Shared<i32, M, N> x;
  Out<i32, M, N> y;
  void operator()() {
    require(N <= R);
    auto [row, j] = grid(M, ceildiv(N, R));
    auto out = claim<_, R>(y, {row, j});
    store(out, library::inOrder(load<_, R>(x, {row, j}, pad(2147483647))));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"histogram", record<histogram<1024>>},
                            {"searchsorted", record<searchsorted>},
                            {"sort_rows", record<sort_rows<128>>}});
}
