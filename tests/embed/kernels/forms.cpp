// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form of the language that no other kernel here has.

#include "proofs/kernels/Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, H{"H"}, D{"D"}, B{"B"}, S{"S"}, T{"T"}, ld{"ld"},
    A{"A"}, V{"V"};
constexpr SymOf<i32> pos{"pos"};

// Rotates pairs of neighbours: slices in steps
template <int BN> struct rotate_pairs {
  Shared<f32, M, N> x;
  Shared<f32, M, H> c, s;
  Out<f32, M, N> y;
  void operator()() {
    require(N == 2 * H);
    auto [i, j] = grid(M, ceildiv(H, BN));
    auto a = load<_, BN>(slice<M, H>(x, {0, 0}, {}, {1, 2}), {i, j}, pad::zero);
    auto b = load<_, BN>(slice<M, H>(x, {0, 1}, {}, {1, 2}), {i, j}, pad::zero);
    auto cosine = load<_, BN>(c, {i, j}, pad::zero);
    auto sine = load<_, BN>(s, {i, j}, pad::zero);
    auto even = slice<M, H>(y, {0, 0}, {}, {1, 2});
    auto odd = slice<M, H>(y, {0, 1}, {}, {1, 2});
    store(even, {i, j}, a * cosine - b * sine);
    store(odd, {i, j}, a * sine + b * cosine);
  }
};

// All axes as one
template <int BN> struct exp_all {
  Shared<f32, B, S, D> x;
  Out<f32, B, S, D> y;
  void operator()() {
    auto [i] = grid(ceildiv(B * S * D, BN));
    auto from = flatten<0>(flatten<1>(x));
    auto to = flatten<0>(flatten<1>(y));
    store(to, {i}, exp(load<BN>(from, {i}, pad::zero)));
  }
};

// Rows of one sequence of a cache: fix, slice by values, unfold
template <int BT> struct append {
  Shared<f32, T, 4096> x;
  Own<f32, B, S, 4096> cache;
  void operator()() {
    constexpr Sym first{"first"};
    require(first + T <= S);
    auto [b, h, i] = grid(B, 32, ceildiv(T, BT));
    auto mine = fix<0>(cache, b);
    auto rows = slice<dynamic, 4096>(mine, {first, 0}, {Index(T)});
    auto heads = unfold<1, 32, 128>(rows);
    auto from = unfold<1, 32, 128>(x);
    store<BT, _, 128>(heads, {i, h, 0},
                      load<BT, _, 128>(from, {i, h, 0}, pad::zero));
  }
};

// Strides, alignment, a scalar of i32, a loop that counts in it, an invariant,
// a branch that merges
struct contract {
  With<Own<f32, M, 128>, strides<ld, 1>, align<4>> a;
  Scalar<f32> alpha;
  void operator()() {
    require(ld >= 128);
    require(pos >= 0);
    require(pos < 1024 * M);
    require(pos <= 1000000);
    auto [i] = grid(max(ceildiv(M, 16), 2));
    Scalar<i32> n = pos, count = 0;
    Scalar<f32> factor = alpha;
    for (auto k : rangeOf<i32>(0, n, 3)) {
      invariant(count <= k, "no trip adds more than the counter");
      count += 1;
      if_(k % 2 == 0, [&] { factor *= 2; }, [&] { factor += 1; });
    }
    if_(i < Index(ceildiv(M, 16)), [&] {
      auto piece = claim<16, 128>(a, {i, 0});
      store(piece, load(piece, pad::zero) * factor + to<f32>(count));
    });
    print("100% done", count, i);
  }
};

// Heads before positions through a view, whose axes are those of y
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

// What is proved, and what only believed
struct believed {
  Own<f32, N> x;
  void operator()() {
    constexpr Sym first{"first"};
    require(first <= N);
    auto [i] = grid(N);
    prove(N - i >= 1, "this block has a row");
    trust(first <= i, "no block comes before the first");
  }
};

// Each block reads its neighbour's tile, before or after that one writes it
struct raw {
  Raw<f32, N> x;
  void operator()() {
    auto [i] = grid(max(ceildiv(N, 64) - 1, 0));
    auto here = claim<64>(x, {i});
    auto a = load(here, pad::zero);
    store(here, a + load<64>(x, {i + 1}, pad::zero));
  }
};

// Long arrays in wide tiles, short ones in narrow ones
template <int BN> struct fill_ones {
  OutPartial<f32, N> c;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    store(c, {i}, fill<f32, BN>(1));
  }
};
struct ones : Variants<fill_ones<1024>, fill_ones<64>> {
  void operator()() { when<fill_ones<1024>>(N >= 65536); }
};

// Running sums and where the extremes of them stand
struct scans {
  Shared<i32, M, 8> x;
  Out<i32, M> first, last;
  Out<i32, M, 8> sums;
  AtomicMax<i32, A> best;
  AtomicAdd<i32, M> total;
  void operator()() {
    require(A >= 4);
    auto [i] = grid(ceildiv(M, 4));
    auto v = load<4, 8>(x, {i, 0}, pad::zero);
    auto s = scanSum(v, axis<1>);
    auto t = scanMax(scanMin(scanProd(v, axis<0>), axis<1>), axis<1>, reverse);
    store(sums, {i, 0}, s + t);
    store(first, {i}, argmax(s, drop<1>));
    store(last, {i}, reshape<4>(argmin(t, axis<1>)));
    atomic(best, {0}, max(v, drop<1>));
    atomic(total, {i}, prod(v, drop<1>));
  }
};

// Every elementwise op of integers
struct integers {
  Shared<i32, N> x;
  Shared<i4, N> w;
  Out<i32, N> y;
  Out<i4, N> z;
  void operator()() {
    require(N % 64 == 0);
    auto [i] = grid(N / 64);
    auto a = load<64>(x, {i}), b = a + 1;
    auto n = max(a, 1), m = min(max(b, 0), 255);
    auto r = (m | 1) - m * n + m / n + m % n + ceildiv(m, n);
    r += umax(a, b) + umin(a, b) + mulhi(a, b) + abs(a) - (a << 3) + (a >> 2);
    r ^= shiftRight(a, 5) | -b;
    r += where((a == b) | ((a != n) & ~(a < b)), a, b) + where(a >= m, n, 7);
    r += to<i32>(to<i8>(r)) + to<i32>(to<i16>(r), asUnsigned);
    r += to<i32>(to<i64>(r) * 3) + to<i32>(to<idx>(a));
    r += to<i32>(load<64>(w, {i})) + to<i32>(a > b);
    store(y, {i}, r);
    store(z, {i}, to<i4>(r));
  }
};

// Every elementwise op of floats
struct floats {
  Shared<f32, N> x;
  Shared<f16, N> h;
  Out<f32, N> y;
  Out<f64, N> d;
  Out<f8e5m2, N> e5;
  Out<f8e4m3, N> e4;
  Out<f8e8m0, N> e8;
  Out<bf16, N> b;
  void operator()() {
    auto [i] = grid(ceildiv(N, 64));
    auto a = load<64>(x, {i}, pad(0.5));
    auto c = a + load<64>(h, {i}, pad::zero);
    auto r = exp(a) + exp2(a) + exp2(a, approximate) + expm1(a) + log(a);
    r += log1p(a) + log2(a) + sqrt(a) + rsqrt(a) + sin(a) + cos(a) + tan(a);
    r += sinh(a) * cosh(a) / tanh(a) - erf(a) + floor(a) + ceil(a) + trunc(a);
    r += round(a) + roundeven(a) + abs(a) + max(a, c) + min(a, 1.5);
    r += maxnum(a, c) + minnum(a, c) + pow(a, 2) + atan2(a, c) + a % c;
    r = fma(r, a, -c);
    auto odd = compare(relation::ult, a, c) & compare(relation::ord, a, 1);
    r = where(odd | (a != a), r, c);
    r += to<f32>(to<i32>(a)) + to<f32>(to<i32>(a, asUnsigned), asUnsigned);
    r += bitcast<f32>(bitcast<i32>(a) & 0x7FFFFFFF);
    store(y, {i}, r);
    store(d, {i}, to<f64>(r) * 2);
    store(e5, {i}, to<f8e5m2>(r));
    store(e4, {i}, to<f8e4m3>(to<bf16>(r)));
    store(e8, {i}, to<f8e8m0>(r, toward::infinity));
    store(b, {i}, to<bf16>(to<f32>(to<f8e8m0>(a, toward::zero)) * r));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"permute_view", record<permute_view<64, 64>>},
                            {"embedding_rows", record<embedding_rows<1024>>},
                            {"rotate_pairs", record<rotate_pairs<64>>},
                            {"exp_all", record<exp_all<1024>>},
                            {"append", record<append<16>>},
                            {"contract", record<contract>},
                            {"believed", record<believed>},
                            {"raw", record<raw>},
                            {"ones", record<ones>},
                            {"scans", record<scans>},
                            {"integers", record<integers>},
                            {"floats", record<floats>}});
}
