// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that reduce, scan, sort or transform rows, and a stencil.

#include "proofs/kernels/Library.h"
#include "proofs/kernels/Sorting.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, V{"V"}, K{"K"}, NB{"NB"}, D{"D"}, H{"H"}, W{"W"},
    d{"d"}, h{"h"}, w{"w"};

inline auto columns() { return to<f32>(to<i64>(Index(N))); }

// y = (x - mean) * rstd * w + b; lanes behind the row count for nothing
template <int BN> struct layer_norm_fwd {
  Shared<bf16, M, N> x;
  Shared<bf16, N> w, b;
  Out<bf16, M, N> y;
  Out<f32, M> mean, rstd;
  Scalar<f32> eps;
  void operator()() {
    auto [row] = grid(M);
    auto sums = zeros<f32, BN>(), squares = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      sums += to<f32>(load<_, BN>(x, {row, k}, pad::zero));
    }
    auto mu = sum(sums) / columns();
    for (Index k : range(ceildiv(N, BN))) {
      auto t = to<f32>(load<_, BN>(x, {row, k}, pad::zero)) - mu;
      t = where(inside<_, BN>(x, {row, k}), t, 0);
      squares = fma(t, t, squares);
    }
    auto r = rsqrt(sum(squares) / columns() + eps);
    store(mean, {row}, mu);
    store(rstd, {row}, r);
    for (Index k : range(ceildiv(N, BN))) {
      auto t = to<f32>(load<_, BN>(x, {row, k}, pad::zero));
      auto scale = to<f32>(load<BN>(w, {k}, pad::zero));
      auto shift = to<f32>(load<BN>(b, {k}, pad::zero));
      store(y, {row, k}, to<bf16>(fma((t - mu) * r, scale, shift)));
    }
  }
};

// dx of layer norm; dw and db by atomics over groups of BM rows
template <int BM, int BN> struct layer_norm_bwd {
  Shared<f32, M, N> x, dy;
  Shared<f32, N> w;
  Shared<f32, M> mean, rstd;
  Out<f32, M, N> dx;
  AtomicAdd<f32, N> dw, db;
  void operator()() {
    auto [i] = grid(ceildiv(M, BM));
    auto mu = reshape<BM, 1>(load<BM>(mean, {i}, pad::zero));
    auto r = reshape<BM, 1>(load<BM>(rstd, {i}, pad::zero));
    auto c1 = zeros<f32, BM, BN>(), c2 = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      auto unit = (load<BM, BN>(x, {i, k}, pad::zero) - mu) * r;
      auto g =
          load<BM, BN>(dy, {i, k}, pad::zero) * load<BN>(w, {k}, pad::zero);
      c1 = fma(unit, g, c1);
      c2 += g;
    }
    auto m1 = sum(c1, axis<1>) / columns(), m2 = sum(c2, axis<1>) / columns();
    for (Index k : range(ceildiv(N, BN))) {
      auto unit = (load<BM, BN>(x, {i, k}, pad::zero) - mu) * r;
      auto d = load<BM, BN>(dy, {i, k}, pad::zero);
      auto g = d * load<BN>(w, {k}, pad::zero);
      store(dx, {i, k}, (g - (unit * m1 + m2)) * r);
      atomic(dw, {k}, sum(d * unit, drop<0>));
      atomic(db, {k}, sum(d, drop<0>));
    }
  }
};

// loss = logsumexp(x) - x[label], dx = softmax(x) - onehot; labels below 0 are
// ignored
template <int BN> struct cross_entropy {
  Shared<f32, M, V> x;
  Shared<i32, M> labels;
  Out<f32, M> loss;
  Out<f32, M, V> dx;
  void operator()() {
    given(within(labels, -100, V));
    auto [m] = grid(M);
    auto best = fill<f32, BN>(-1e30), sums = zeros<f32, BN>();
    for (Index k : range(ceildiv(V, BN))) {
      auto t = load<_, BN>(x, {m, k}, pad::neg_inf);
      auto top = max(best, t);
      sums = fma(sums, exp(best - top), exp(t - top));
      best = top;
    }
    auto top = max(best);
    auto lse = log(sum(sums * exp(best - top))) + top;
    Index label = load<_>(labels, {m});
    auto isValid = label >= 0;
    Scalar<f32> l = 0;
    if_(isValid, [&] { l = lse - load<_, _>(x, {m, label}); });
    store(loss, {m}, l);
    for (Index k : range(ceildiv(V, BN))) {
      auto p = exp(load<_, BN>(x, {m, k}, pad::neg_inf) - lse);
      auto isLabel = k * BN + iota<idx, BN>(axis<0>) == label;
      store(dx, {m, k}, where(isLabel, p - 1, p) * to<f32>(isValid));
    }
  }
};

// The K largest of each row and where they stand, in K passes
template <int BN> struct topk {
  Shared<f32, M, N> x;
  Out<f32, M, K> values;
  Out<i32, M, K> indices;
  void operator()() {
    require(K <= 8);
    require(N <= 2147483647);
    constexpr i32 none = 2147483647;
    auto [row] = grid(M);
    auto count = to<i32>(Index(N));
    Scalar<f32> value = inf;
    Scalar<i32> index = -1;
    for (Index t : range(K)) {
      // Of each lane the best that comes after the winner before
      auto best = fill<f32, BN>(-inf);
      auto at = fill<i32, BN>(none);
      for (Index j : range(ceildiv(N, BN))) {
        auto v = load<_, BN>(x, {row, j}, pad::neg_inf);
        auto place = to<i32>(j * BN) + iota<i32, BN>(axis<0>);
        auto comes = (v < value) | ((v == value) & (place > index));
        auto take = ((v > best) | (at == none)) & (comes & (place < count));
        best = where(take, v, best);
        at = where(take, place, at);
      }
      value = max(best);
      index = min(where(best == value, at, none));
      store(values, {row, t}, value);
      store(indices, {row, t}, where(index == none, -1, index));
    }
  }
};

// The sum of each stretch of BN
template <int BN> struct scan_sums {
  Shared<i32, N> x;
  Out<i32, NB> sums;
  void operator()() {
    require(NB == ceildiv(N, BN));
    auto [i] = grid(NB);
    store(sums, {i}, sum(load<BN>(x, {i}, pad::zero)));
  }
};

// y[n] = the sum of x[0] .. x[n - 1]; each block adds up the sums of the
// stretches before its own itself
template <int BN, int BS> struct scan_apply {
  Shared<i32, N> x;
  Shared<i32, NB> sums;
  Out<i32, N> y;
  void operator()() {
    require(NB == ceildiv(N, BN));
    auto [i] = grid(NB);
    auto before = narrow<0>(sums, 0, i);
    auto acc = zeros<i32, BS>();
    for (Index k : range(tiles<BS>(before, axis<0>))) {
      acc += load<BS>(before, {k}, pad::zero);
    }
    auto v = load<BN>(x, {i}, pad::zero);
    store(y, {i}, scanSum(v, axis<0>) - v + sum(acc));
  }
};

// Each row sorted, in one tile
template <int R> struct bitonic_sort {
  Shared<i32, M, N> x;
  Out<i32, M, N> y;
  void operator()() {
    require(N >= 1);
    require(N <= R);
    auto [row] = grid(M);
    auto v = load<_, R>(x, {row, 0}, pad(2147483647));
    store(y, {row, 0}, library::inOrder(v));
  }
};

// Each row transformed, radix 2, real and imaginary parts apart
struct fft {
  Shared<f32, M, 256> xr, xi;
  Out<f32, M, 256> yr, yi;
  void operator()() {
    auto [row] = grid(M);
    auto a = reversed(load<_, 256>(xr, {row, 0}));
    auto b = reversed(load<_, 256>(xi, {row, 0}));
    [&]<int... k>(std::integer_sequence<int, k...>) {
      (stage<1 << k>(a, b), ...);
    }(std::make_integer_sequence<int, 8>());
    store(yr, {row, 0}, a);
    store(yi, {row, 0}, b);
  }
  static Tile<f32, 256> reversed(const Tile<f32, 256> &x) {
    auto bits = reshape<2, 2, 2, 2, 2, 2, 2, 2>(x);
    return reshape<256>(permute<7, 6, 5, 4, 3, 2, 1, 0>(bits));
  }
  // Transforms of h points to those of 2 h
  template <int h> static void stage(Tile<f32, 256> &re, Tile<f32, 256> &im) {
    constexpr int B = 128 / h;
    auto r = reshape<B, 2, h>(re), i = reshape<B, 2, h>(im);
    auto r0 = extract<B, 1, h>(r, part<0, 0, 0>);
    auto r1 = extract<B, 1, h>(r, part<0, 1, 0>);
    auto i0 = extract<B, 1, h>(i, part<0, 0, 0>);
    auto i1 = extract<B, 1, h>(i, part<0, 1, 0>);
    auto angle = to<f32>(iota<i32, B, 1, h>(axis<2>)) * (-3.141592654 / h);
    auto c = cos(angle), s = sin(angle);
    auto tr = r1 * c - i1 * s, ti = r1 * s + i1 * c;
    re = reshape<256>(cat(r0 + tr, r0 - tr, axis<1>));
    im = reshape<256>(cat(i0 + ti, i0 - ti, axis<1>));
  }
};

// y[i, j, k] = a x[i + 1, j + 1, k + 1] + b (its six neighbours)
template <int BI, int BJ, int BK> struct stencil3d {
  Shared<f32, D, H, W> x;
  Out<f32, d, h, w> y;
  Scalar<f32> a, b;
  void operator()() {
    require(D == d + 2);
    require(H == h + 2);
    require(W == w + 2);
    auto [i, j, k] = grid(ceildiv(d, BI), ceildiv(h, BJ), ceildiv(w, BK));
    auto at = [&](int u, int v, int t) {
      return load<BI, BJ, BK>(slice<d, h, w>(x, {u, v, t}), {i, j, k},
                              pad::zero);
    };
    auto s = at(0, 1, 1) + at(2, 1, 1) + (at(1, 0, 1) + at(1, 2, 1));
    s += at(1, 1, 0) + at(1, 1, 2);
    store(y, {i, j, k}, fma(b, s, a * at(1, 1, 1)));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"layer_norm_fwd", record<layer_norm_fwd<1024>>},
                            {"layer_norm_bwd", record<layer_norm_bwd<16, 128>>},
                            {"cross_entropy", record<cross_entropy<1024>>},
                            {"topk", record<topk<1024>>},
                            {"scan_sums", record<scan_sums<4096>>},
                            {"scan_apply", record<scan_apply<4096, 1024>>},
                            {"bitonic_sort", record<bitonic_sort<256>>},
                            {"fft", record<fft>},
                            {"stencil3d", record<stencil3d<4, 8, 32>>}});
}
