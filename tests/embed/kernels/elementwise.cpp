// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that treat each element, or each row, for itself.

#include "../Kernels.h"
#include <bit>
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, V{"V"}, D{"D"}, B{"B"}, H{"H"}, S{"S"}, W{"W"},
    NB{"NB"};

// z[N] = x[N] + y[N]
template <int BN> struct add {
  Shared<f32, N> x, y;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    auto a = load<BN>(x, {i}, pad::zero);
    auto b = load<BN>(y, {i}, pad::zero);
    store(z, {i}, a + b);
  }
};

// y[N] = alpha * x[N] + y[N] in place
template <int BN> struct saxpy {
  Scalar<f32> alpha;
  Shared<f32, N> x;
  Own<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    auto piece = claim<BN>(y, {i});
    auto a = load<BN>(x, {i}, pad::zero);
    auto b = load(piece, pad::zero);
    store(piece, alpha * a + b);
  }
};

template <int... E> auto silu(Tile<f32, E...> x) { return x / (1 + exp(-x)); }

// y = silu(gate) * up, where x has the columns of gate, then those of up
template <int BN> struct silu_mul {
  Shared<bf16, M, W> x;
  Out<bf16, M, N> y;
  void operator()() {
    require(W == 2 * N);
    require(N % BN == 0);
    hint("sm_90", "occupancy", 8);
    auto [row, j] = grid(M, N / BN);
    auto out = claim<_, BN>(y, {row, j});
    auto half = tiles<_, BN>(y, axis<1>);
    auto gate = to<f32>(load<_, BN>(x, {row, j}));
    auto up = to<f32>(load<_, BN>(x, {row, half + j}));
    store(out, to<bf16>(silu(gate) * up));
  }
};

// y[N, M] = the transpose of x[M, N]
template <int BM, int BN> struct transposed {
  Shared<f32, M, N> x;
  Out<f32, N, M> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BN, BM>(y, {j, i});
    auto tile = load<BM, BN>(x, {i, j}, pad::zero);
    store(out, transpose(tile));
  }
};

// y[B, H, S, D] = x[B, S, H, D]
template <int BS, int BD> struct permute_heads {
  Shared<bf16, B, S, H, D> x;
  Out<bf16, B, H, S, D> y;
  void operator()() {
    auto [b, h, s, d] = grid(B, H, ceildiv(S, BS), ceildiv(D, BD));
    store(y, {b, h, s, d}, load<_, BS, _, BD>(x, {b, s, h, d}, pad::zero));
  }
};

// The same through a view, whose axes are those of y.
template <int BS, int BD> struct permute_view {
  Shared<bf16, B, S, H, D> x;
  Out<bf16, B, H, S, D> y;
  void operator()() {
    auto [b, h, s, d] = grid(B, H, ceildiv(S, BS), ceildiv(D, BD));
    auto heads = permute<0, 2, 1, 3>(x);
    store(y, {b, h, s, d}, load<_, _, BS, BD>(heads, {b, h, s, d}, pad::zero));
  }
};

// y[n] = row ids[n] of the table
template <int BD> struct embedding_rows {
  Shared<i32, N> ids;
  Shared<f32, V, D> table;
  Out<f32, N, D> y;
  void operator()() {
    given(within(ids, 0, V));
    auto [n, j] = grid(N, ceildiv(D, BD));
    auto id = load<_>(ids, {n});
    store(y, {n, j}, load<_, BD>(table, {id, j}, pad::zero));
  }
};

// hist[v] += how often v stands in x
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

// The largest logit of each stretch of a row, and the first index at which it
// stands
template <int BV> struct argmax_blocks {
  Shared<bf16, B, V> logits;
  Out<f32, B, NB> max;
  Out<i32, B, NB> index;
  void operator()() {
    require(NB == ceildiv(V, BV));
    require(V <= 2147483647);
    hint("sm_90", "occupancy", 8);
    auto [b, j] = grid(B, NB);
    auto outMax = claim<_, _>(max, {b, j});
    auto outIndex = claim<_, _>(index, {b, j});
    auto x = to<f32>(load<_, BV>(logits, {b, j}, pad::neg_inf));
    auto top = girih::kernel::max(x);
    auto numbers = to<i32>(j * BV) + iota<i32, BV>(axis<0>);
    auto candidates = where(x == top, numbers, to<i32>(Index(V)));
    store(outMax, top);
    store(outIndex, min(candidates));
  }
};

// y[i] = the first place in the sorted table s whose number is not below x[i]
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

// One exchange of a sorting network: lane i meets lane i + R / 2; the lesser
// goes to lane 2 i, the greater to 2 i + 1.
template <int R> auto exchange(Tile<i32, R> x) {
  auto a = extract<R / 2>(x, part<0>);
  auto b = extract<R / 2>(x, part<1>);
  auto pairs =
      cat(reshape<R / 2, 1>(min(a, b)), reshape<R / 2, 1>(max(a, b)), axis<1>);
  return reshape<R>(pairs);
}
// The complement where a lane's number has the bit: what rises there, falls.
template <int R> auto flip(Tile<i32, R> x, Tile<i32, R> number, int bit) {
  return where((number & bit) == 0, x, x ^ -1);
}

// y[M, N] = each row of x sorted by a bitonic network, the least number first
template <int R> struct sort_rows {
  Shared<i32, M, N> x;
  Out<i32, M, N> y;
  void operator()() {
    require(N <= R);
    auto [row, j] = grid(M, ceildiv(N, R));
    auto number = iota<i32, R>(axis<0>);
    auto differ = number ^ shiftRight(number, 1);
    auto out = claim<_, R>(y, {row, j});
    auto v = load<_, R>(x, {row, j}, pad(2147483647));
    // Step k turns runs of 2^(k - 1), which rise and fall by turns, into runs
    // of 2^k. Runs that are to fall are flipped before and after.
    [&]<int... k>(std::integer_sequence<int, k...>) {
      (step<k + 1>(v, k ? differ : number), ...);
    }(std::make_integer_sequence<int, std::countr_zero(unsigned(R))>());
    store(out, v);
  }
  template <int k> void step(Tile<i32, R> &v, const Tile<i32, R> &number) {
    constexpr int width = 1 << k, bit = k == 1 ? 2 : width / 2;
    if constexpr (width < R) {
      v = flip(v, number, bit);
      v = reshape<R>(transpose(reshape<R / width, width>(v)));
    } else {
      v = flip(v, number, bit);
    }
    for (int n = 0; n < k; ++n) {
      v = exchange(v);
    }
  }
};

int main(int argc, char **argv) {
  return test::writeAll(argc, argv,
                        {{"add", record<add<1024>>},
                         {"saxpy", record<saxpy<1024>>},
                         {"silu_mul", record<silu_mul<1024>>},
                         {"transpose", record<transposed<64, 64>>},
                         {"permute_heads", record<permute_heads<64, 64>>},
                         {"permute_view", record<permute_view<64, 64>>},
                         {"embedding_rows", record<embedding_rows<1024>>},
                         {"histogram", record<histogram<1024>>},
                         {"argmax_blocks", record<argmax_blocks<4096>>},
                         {"searchsorted", record<searchsorted>},
                         {"sort_rows", record<sort_rows<128>>}});
}
