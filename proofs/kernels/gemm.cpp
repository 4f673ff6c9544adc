// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products in bf16, and the orders in which blocks take their tiles.

#include "Int4.h"
#include <array>
#include <tuple>
using namespace girih::kernel;
using library::fromInt4, library::ofHalf;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, P{"P"}, G{"G"};

// Rows may lie apart: a part of wider ones, or so that each begins at a
// multiple of 16 bytes.
constexpr Sym lda{"lda"}, ldb{"ldb"}, ldc{"ldc"};
using LeftFactor = With<Shared<bf16, M, K>, strides<lda, 1>>;
using RightFactor = With<Shared<bf16, K, N>, strides<ldb, 1>>;
using Product = With<Out<bf16, M, N>, strides<ldc, 1>>;
using Sums = With<Out<f32, M, N>, strides<ldc, 1>>;
// The same of a layer, whose weights stand row by row, an output a row.
constexpr Sym ldx{"ldx"}, ldw{"ldw"}, ldy{"ldy"};
using Input = With<Shared<bf16, M, K>, strides<ldx, 1>>;
using Weight = With<Shared<bf16, N, K>, strides<ldw, 1>>;
using Output = With<Out<bf16, M, N>, strides<ldy, 1>>;

// What large tiles are fastest with.
template <int BM, int BN> void hints() {
  if constexpr (BM * BN >= 128 * 128) {
    hint("sm_90", "worker_warps", BM * BN >= 128 * 256 ? 8 : 4);
    if constexpr (BM * BN >= 256 * 256) {
      hint("sm_90", "ctas", 2);
      hint("sm_90", "grain", 16); // taken for whole rows alone
    }
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", 6);
  }
}

// Copies of the factors whose rows begin at multiples of 16 bytes, where the
// launch reads them so often that they pay: tiles of b by rows of c, of a by
// columns. Rows that begin at odd elements cost most. As measured on an H200.
template <class A, class B> void repackFactors(const A &a, const B &b) {
  repack(a, {N >= 512, K >= 128, M * K >= 32768, max(513 - M, lda % 2) >= 1});
  repack(b,
         {M >= 512 - 256 * (ldb % 2), ldb % 4 >= 1, K >= 128, K * N >= 131072});
}
// The same of programs that take many tiles, which have no registers left for
// rows that miss 16 bytes.
template <class A, class B> void repackAll(const A &a, const B &b) {
  repack(a, {N >= 512, K >= 128, M * K >= 32768});
  repack(b, {M >= 256, K >= 128, K * N >= 131072});
}
template <class X, class W> void repackLayer(const X &x, const W &weight) {
  repack(x, {N >= 512, K >= 128, M * K >= 32768, max(513 - M, ldx % 2) >= 1});
  repack(weight, {M >= 33, K >= 128, N * K >= 262144});
}

// The tile (i, j) of a b.
template <int BM, int BN, int BK, class A, class B>
auto product(const A &a, const B &b, const Index &i, const Index &j) {
  auto acc = zeros<f32, BM, BN>();
  for (Index k : range(ceildiv(K, BK))) {
    auto x = load<BM, BK>(a, {i, k}, pad::zero);
    auto y = load<BK, BN>(b, {k, j}, pad::zero);
    acc = mma(x, y, acc);
  }
  return acc;
}

// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32
// any M, N and K, zero and ragged included
template <int BM, int BN, int BK> struct gemm {
  LeftFactor a;
  RightFactor b;
  Sums c;
  void operator()() {
    hints<BM, BN>();
    repackFactors(a, b);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(c, {i, j});
    store(out, product<BM, BN, BK>(a, b, i, j));
  }
};

// Tiles of c in bands of eight rows, each band column by column, so that blocks
// that run at a time share what they read in the L2 cache; in the last band,
// those whose row is behind the last one do nothing.
template <int BM, int BN> Expr bandedTiles() {
  return ceildiv(M, 8 * BM) * (8 * ceildiv(N, BN));
}
template <int BM, int BN, class C, class F>
void banded(const C &c, const Index &t, const F &value) {
  auto gm = tiles<BM, BN>(c, axis<0>);
  auto gn = tiles<BM, BN>(c, axis<1>);
  auto bandTiles = 8 * gn;
  auto band = t / bandTiles;
  auto rest = t % bandTiles;
  auto i = band * 8 + rest % 8;
  auto j = rest / 8;
  if_(i < gm, [&] {
    auto out = claim<BM, BN>(c, {i, j});
    store(out, to<bf16>(value(i, j)));
  });
}

// The strides of both factors and of the product.
struct Strides {
  Sym a, b, c;
};
constexpr Strides ofProduct{lda, ldb, ldc}, ofLayer{ldx, ldw, ldy};

// Where sizes fit 31 bits and it is known which rows begin at multiples of 16
// bytes, there is one entry point.
constexpr int maxElements = 2147483647;
inline std::array<Comparison, 11> sizes(const Strides &of) {
  return {M >= 1,
          N >= 1,
          N <= maxElements,
          K >= 1,
          of.a >= 1,
          of.b >= 1,
          K <= maxElements,
          of.a <= maxElements,
          of.c >= 1,
          of.b <= maxElements,
          of.c <= maxElements};
}
template <std::size_t n> using Rows = std::array<Comparison, n>;
inline Rows<4> wholeRows(const Strides &of) {
  return {of.a % 8 == 0, of.b % 8 == 0, of.c % 8 == 0, N % 8 == 0};
}
// Of the factors; those of the product begin anywhere.
inline Rows<2> wholeFactors(const Strides &of) {
  return {of.a % 8 == 0, of.b % 8 == 0};
}
// Of all but the factor on the left.
inline Rows<4> oddLeft(const Strides &of) {
  return {of.a % 2 == 1, of.b % 8 == 0, of.c % 8 == 0, N % 8 == 0};
}
template <std::size_t n>
void requireRows(const Strides &of, const Rows<n> &rows) {
  require(M <= maxElements);
  for (const Comparison &each : sizes(of)) {
    require(each);
  }
  for (const Comparison &each : rows) {
    require(each);
  }
}
template <std::size_t n>
void describe(const Strides &of, const Rows<n> &rows, int warps, int occupancy,
              int latency) {
  requireRows(of, rows);
  hint("sm_90", "worker_warps", warps);
  hint("sm_90", "occupancy", occupancy);
  hint("sm_90", "latency", latency);
}
template <class... V> struct ByRows : Variants<V...> {
  // What tells launches apart first comes first: a launcher stops there.
  template <class W, std::size_t n, class... C>
  static void whenRows(const Strides &of, const Rows<n> &rows,
                       const C &...conditions) {
    std::apply(
        [&](const auto &...all) {
          Variants<V...>::template when<W>(conditions..., all...);
        },
        std::tuple_cat(rows, sizes(of)));
  }
};

template <int BM, int BN, int BK, class A, class B, class C>
void storeBanded(const A &a, const B &b, const C &c) {
  auto [t] = grid(bandedTiles<BM, BN>());
  banded<BM, BN>(c, t, [&](const Index &i, const Index &j) {
    return product<BM, BN, BK>(a, b, i, j);
  });
}

// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles
// are taken in bands of eight rows, each band column by column, so that blocks
// that run at a time share what they read in the L2 cache; in the last band,
// those whose row is behind the last one do nothing.
// any M, N and K, zero and ragged included
template <int BM, int BN, int BK> struct gemm_grouped_order {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    hints<BM, BN>();
    repackFactors(a, b);
    storeBanded<BM, BN, BK>(a, b, c);
  }
};
// The same of whole rows alone.
template <int BM, int BN, int BK> struct gemm_grouped_whole {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    requireRows(ofProduct, wholeRows(ofProduct));
    hints<BM, BN>();
    storeBanded<BM, BN, BK>(a, b, c);
  }
};

// c = a b, a block a tile of it, row by row.
template <int BM, int BN, int BK, class A, class B, class C>
void storeProduct(const A &a, const B &b, const C &c) {
  auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
  store(c, {i, j}, to<bf16>(product<BM, BN, BK>(a, b, i, j)));
}

// The same for few rows: a block a tile of C, row by row, of as many loads
// ahead as the memory of a multiprocessor holds.
template <int BM, int BN, int BK, int occupancy, int latency>
struct gemm_few_rows {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    describe(ofProduct, wholeRows(ofProduct), 4, occupancy, latency);
    storeProduct<BM, BN, BK>(a, b, c);
  }
};

// At most as many tiles as there are multiprocessors.
template <int BM, int BN> Comparison fits() {
  return ceildiv(M, BM) * ceildiv(N, BN) <= 132;
}
// The same, or at most 64 rows.
template <int BM, int BN> Comparison fitsOrFewRows() {
  static_assert(64 % BM == 0);
  return ceildiv(M, BM) * ceildiv(min(N, 132 * BM / 64 * BN), BN) <= 132;
}

// Where rows of a factor begin anywhere, its elements are read one by one: that
// takes more warps, and tiles that use each of them often.
template <int BM, int BN, int BK> struct gemm_odd_left {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    describe(ofProduct, oddLeft(ofProduct), 8, 1, 6);
    repackFactors(a, b);
    storeProduct<BM, BN, BK>(a, b, c);
  }
};
// Rows of the product alone are written element by element.
template <int BM, int BN, int BK> struct gemm_ragged_result {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    describe(ofProduct, wholeFactors(ofProduct), 4, 2, 6);
    storeProduct<BM, BN, BK>(a, b, c);
  }
};
// Of both factors.
inline void describeOdd(int warps) {
  hint("sm_90", "worker_warps", warps);
  hint("sm_90", "occupancy", 1);
  hint("sm_90", "grain", 16);
}
template <int BM, int BN, int BK, int warps> struct gemm_odd {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    describeOdd(warps);
    repackFactors(a, b);
    storeProduct<BM, BN, BK>(a, b, c);
  }
};

// Of tiles of 64 rows and columns about as many as two rounds take, and whether
// those end sooner than tiles of 128 columns. As measured by tile-tune, where
// rows begin anywhere.
inline Comparison isSmall() {
  return ceildiv(M, 64) * ceildiv(min(N, 8448), 64) <= 258;
}
inline auto rounds(int rows, int columns) {
  return ceildiv(ceildiv(M, rows) * ceildiv(N, columns), 132);
}
inline Comparison endsSoonerSmall() {
  return 2 * rounds(64, 64) <= 3 * rounds(64, 128);
}
// Whether tiles of 128 x 256 end sooner than those of 128 x 128 there.
inline Comparison hasFewRounds() {
  return 14 * rounds(128, 256) <= 3 * rounds(64, 64);
}
// Where tiles of 128 rows and columns leave so much less of the machine idle in
// the last round over its 132 multiprocessors that they make up for being
// slower than those of 256 columns.
inline Comparison endsSooner() {
  return 10 * rounds(128, 128) < 17 * rounds(128, 256);
}

// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32. Tiles by rows and columns,
// so that as many multiprocessors as possible read B, once where there are few
// rows. any M, N and K, zero and ragged included
struct gemm_bf16
    : ByRows<
          gemm_few_rows<64, 32, 256, 1, 6>, gemm_few_rows<16, 32, 256, 2, 6>,
          gemm_few_rows<16, 64, 128, 3, 8>, gemm_few_rows<32, 64, 128, 1, 8>,
          gemm_few_rows<64, 64, 256, 1, 4>, gemm_few_rows<64, 128, 64, 2, 6>,
          gemm_few_rows<64, 128, 128, 1, 6>, gemm_few_rows<128, 64, 128, 1, 6>,
          gemm_grouped_whole<256, 256, 64>, gemm_ragged_result<64, 64, 128>,
          gemm_odd<32, 64, 64, 8>, gemm_odd<64, 64, 128, 8>,
          gemm_odd<64, 128, 128, 4>, gemm_odd_left<64, 256, 64>,
          gemm_odd<128, 256, 128, 8>, gemm_odd<128, 128, 128, 4>,
          gemm_grouped_order<128, 128, 64>, gemm_grouped_order<128, 256, 64>> {
  void operator()() {
    const Strides &of = ofProduct;
    auto whole = wholeRows(of);
    whenRows<gemm_few_rows<64, 32, 256, 1, 6>>(of, whole, fits<64, 32>(),
                                               max(M - 32, 1281 - N) >= 1);
    whenRows<gemm_few_rows<16, 32, 256, 2, 6>>(of, whole, M <= 16, N <= 4224);
    whenRows<gemm_few_rows<16, 64, 128, 3, 8>>(of, whole, M <= 16);
    whenRows<gemm_few_rows<32, 64, 128, 1, 8>>(of, whole, M <= 32, N > 4224,
                                               N <= 8448);
    whenRows<gemm_few_rows<64, 64, 256, 1, 4>>(of, whole, M <= 64, N <= 8448);
    whenRows<gemm_few_rows<64, 128, 64, 2, 6>>(of, whole, M <= 64);
    whenRows<gemm_few_rows<64, 128, 128, 1, 6>>(of, whole, fits<64, 128>());
    whenRows<gemm_few_rows<128, 64, 128, 1, 6>>(of, whole, fits<128, 64>());
    // Rows that begin within lines of 128 bytes: each row of a tile is read as
    // two lines, which is too much for the L2 cache. The two blocks of a
    // cluster share what they read; from 44 tiles on they fill the machine.
    whenRows<gemm_grouped_whole<256, 256, 64>>(
        of, whole, lda % 64 + ldb % 64 >= 1, M * N >= 2883584);
    whenRows<gemm_ragged_result<64, 64, 128>>(of, wholeFactors(of),
                                              fitsOrFewRows<64, 64>());
    auto odd = lda % 2 + ldb % 2 >= 1;
    when<gemm_odd<32, 64, 64, 8>>(odd, fits<32, 64>());
    when<gemm_odd<64, 64, 128, 8>>(odd, isSmall(), endsSoonerSmall());
    when<gemm_odd<64, 128, 128, 4>>(odd, isSmall());
    whenRows<gemm_odd_left<64, 256, 64>>(of, oddLeft(of), M <= maxElements);
    when<gemm_odd<128, 256, 128, 8>>(odd, hasFewRounds());
    when<gemm_odd<128, 128, 128, 4>>(odd);
    when<gemm_grouped_order<128, 128, 64>>(endsSooner());
  }
};

// The same in f32.
template <int BM, int BN, int BK, int warps> struct gemm_odd_rows {
  LeftFactor a;
  RightFactor b;
  Sums c;
  void operator()() {
    describeOdd(warps);
    repackFactors(a, b);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    store(c, {i, j}, product<BM, BN, BK>(a, b, i, j));
  }
};

// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32. Large tiles where
// there are enough of them for the machine, else small ones, with which large
// ones would leave most of it idle; where rows are odd those of gemm_bf16.
// any M, N and K, zero and ragged included
struct gemm_by_size
    : Variants<gemm_odd_rows<32, 64, 64, 8>, gemm_odd_rows<64, 64, 128, 8>,
               gemm_odd_rows<64, 128, 128, 4>, gemm_odd_rows<128, 256, 128, 8>,
               gemm_odd_rows<128, 128, 128, 4>, gemm<128, 256, 64>,
               gemm<64, 128, 64>> {
  void operator()() {
    auto odd = lda % 2 + ldb % 2 >= 1;
    when<gemm_odd_rows<32, 64, 64, 8>>(odd, fits<32, 64>());
    when<gemm_odd_rows<64, 64, 128, 8>>(odd, isSmall(), endsSoonerSmall());
    when<gemm_odd_rows<64, 128, 128, 4>>(odd, isSmall());
    when<gemm_odd_rows<128, 256, 128, 8>>(odd, hasFewRounds());
    when<gemm_odd_rows<128, 128, 128, 4>>(odd);
    when<gemm<128, 256, 64>>(M * N >= 2097152);
  }
};

// The tile (i, j) of x w^T.
template <int BM, int BN, int BK, class X, class W>
auto productByRows(const X &x, const W &w, const Index &i, const Index &j) {
  auto acc = zeros<f32, BM, BN>();
  for (Index k : range(ceildiv(K, BK))) {
    auto a = load<BM, BK>(x, {i, k}, pad::zero);
    auto b = load<BN, BK>(w, {j, k}, pad::zero);
    acc = mma(a, permute<1, 0>(b), acc);
  }
  return acc;
}

// A layer is one launch of many: the next one may start while the last blocks
// of this one are under way, and waits for them.
inline void startEarly() { hint("sm_90", "early", 1); }

template <int BM, int BN, int BK, class X, class W, class Y>
void storeProductByRows(const X &x, const W &w, const Y &y) {
  startEarly();
  auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
  store(y, {i, j}, to<bf16>(productByRows<BM, BN, BK>(x, w, i, j)));
}

template <int BM, int BN, int BK, int occupancy, int latency>
struct linear_few_rows {
  Input x;
  Weight weight;
  Output y;
  void operator()() {
    describe(ofLayer, wholeRows(ofLayer), 4, occupancy, latency);
    storeProductByRows<BM, BN, BK>(x, weight, y);
  }
};
// The same of fewer rows, which are columns of what is computed: tensor cores
// take 64 rows at a time, and those are of the weights.
template <int BM, int BN, int BK, int occupancy, int latency>
struct linear_turned {
  Input x;
  Weight weight;
  Output y;
  void operator()() {
    describe(ofLayer, wholeRows(ofLayer), 4, occupancy, latency);
    startEarly();
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto acc = zeros<f32, BN, BM>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<BN, BK>(weight, {j, k}, pad::zero);
      acc = mma(b, permute<1, 0>(a), acc);
    }
    store(y, {i, j}, to<bf16>(permute<1, 0>(acc)));
  }
};
// Of odd numbers of columns, where y alone is written element by element, and
// of odd depths, where both factors are read so.
template <int BM, int BN, int BK> struct linear_ragged_result {
  Input x;
  Weight weight;
  Output y;
  void operator()() {
    describe(ofLayer, wholeFactors(ofLayer), 4, 2, 6);
    storeProductByRows<BM, BN, BK>(x, weight, y);
  }
};
template <int BM, int BN, int BK> struct linear_odd_factor {
  Input x;
  Weight weight;
  Output y;
  void operator()() {
    describeOdd(8);
    repackLayer(x, weight);
    storeProductByRows<BM, BN, BK>(x, weight, y);
  }
};
template <int BM, int BN, int BK> struct linear_grouped_order {
  Input x;
  Weight weight;
  Output y;
  void operator()() {
    hints<BM, BN>();
    startEarly();
    repackLayer(x, weight);
    auto [t] = grid(bandedTiles<BM, BN>());
    banded<BM, BN>(y, t, [&](const Index &i, const Index &j) {
      return productByRows<BM, BN, BK>(x, weight, i, j);
    });
  }
};

// Column by column, for fewer rows than a band has.
template <int BM, int BN, int BK> struct linear_columns {
  Input x;
  Weight weight;
  Output y;
  void operator()() {
    requireRows(ofLayer, wholeRows(ofLayer));
    hints<BM, BN>();
    startEarly();
    auto [j, i] = grid(ceildiv(N, BN), ceildiv(M, BM));
    store(y, {i, j}, to<bf16>(productByRows<BM, BN, BK>(x, weight, i, j)));
  }
};

// y[M, N] = x[M, K] * weight[N, K]^T in bf16, sums in f32: the layer whose
// weights stand row by row, an output a row. Tiles as those of gemm_bf16.
// any M, N and K, zero and ragged included
struct linear
    : ByRows<linear_turned<16, 64, 128, 3, 6>, linear_turned<16, 64, 256, 1, 6>,
             linear_turned<32, 64, 128, 3, 4>, linear_turned<32, 64, 256, 1, 4>,
             linear_few_rows<64, 32, 256, 1, 6>,
             linear_few_rows<64, 64, 256, 1, 4>,
             linear_few_rows<64, 128, 64, 2, 6>,
             linear_few_rows<64, 128, 128, 1, 4>,
             linear_few_rows<128, 64, 128, 1, 6>, linear_columns<128, 128, 64>,
             linear_columns<128, 256, 64>, linear_ragged_result<64, 128, 64>,
             linear_odd_factor<32, 64, 64>, linear_odd_factor<64, 128, 64>,
             linear_odd_factor<256, 128, 64>,
             linear_grouped_order<128, 128, 64>,
             linear_grouped_order<128, 256, 64>> {
  void operator()() {
    const Strides &of = ofLayer;
    auto whole = wholeRows(of);
    // As many tiles as three a multiprocessor, where one each leaves a second
    // round to a few.
    Comparison many = N > 8448, notTooMany = N <= 25344;
    whenRows<linear_turned<16, 64, 128, 3, 6>>(of, whole, M <= 16, many,
                                               notTooMany);
    whenRows<linear_turned<16, 64, 256, 1, 6>>(of, whole, M <= 16);
    whenRows<linear_turned<32, 64, 128, 3, 4>>(of, whole, M <= 32, many,
                                               notTooMany);
    whenRows<linear_turned<32, 64, 256, 1, 4>>(of, whole, M <= 32);
    whenRows<linear_few_rows<64, 32, 256, 1, 6>>(of, whole, fits<64, 32>());
    whenRows<linear_few_rows<64, 64, 256, 1, 4>>(of, whole, fits<64, 64>());
    whenRows<linear_few_rows<64, 128, 64, 2, 6>>(of, whole, M <= 64);
    whenRows<linear_few_rows<64, 128, 128, 1, 4>>(of, whole, fits<64, 128>());
    whenRows<linear_few_rows<128, 64, 128, 1, 6>>(of, whole, fits<128, 64>());
    whenRows<linear_columns<128, 128, 64>>(of, whole, M <= 896, endsSooner());
    whenRows<linear_columns<128, 256, 64>>(of, whole, M <= 896);
    // At most 64 rows, or 24 of the large tiles.
    auto few = max(65 - M, 25 - ceildiv(M, 128) * ceildiv(N, 256)) >= 1;
    whenRows<linear_ragged_result<64, 128, 64>>(of, wholeFactors(of), few,
                                                M <= maxElements);
    auto odd = ldx % 2 + ldw % 2 >= 1;
    when<linear_odd_factor<32, 64, 64>>(odd, fitsOrFewRows<32, 64>());
    when<linear_odd_factor<64, 128, 64>>(odd, M * N <= 2883584);
    when<linear_odd_factor<256, 128, 64>>(odd);
    when<linear_grouped_order<128, 128, 64>>(endsSooner());
  }
};

// Tiles of BM rows and all W columns of a panel, W1 and W2 of them apart: a
// width that is the sum of two powers of two, so that tiles take their turns on
// the multiprocessors with few of these idle at the end. Both share what they
// read of x. Panel by panel, each from the first rows to the last.
constexpr Sym B{"B"}, W{"W"};
template <int BM, int W1, int W2, int BK, int warps, int ctas, int latency>
struct panels {
  Input x;
  Shared<bf16, B, W, K> weight;
  Out<bf16, M, B, W> y;
  void operator()() {
    static_assert(W1 % W2 == 0);
    require(W == W1 + W2);
    // All that makes one entry point, as of ByRows.
    for (const Sym &size : {M, B, W, K, ldx}) {
      require(size >= 1);
      require(size <= maxElements);
    }
    for (const Comparison &each : {B * W <= maxElements, W * K <= maxElements,
                                   W % 8 == 0, K % 8 == 0, ldx % 8 == 0}) {
      require(each);
    }
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "ctas", ctas);
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", latency);
    startEarly();
    auto [j, i] = grid(B, ceildiv(M, BM));
    auto left = zeros<f32, BM, W1>();
    auto right = zeros<f32, BM, W2>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<_, W1, BK>(weight, {j, 0, k}, pad::zero);
      auto c = load<_, W2, BK>(weight, {j, W1 / W2, k}, pad::zero);
      left = mma(a, permute<1, 0>(b), left);
      right = mma(a, permute<1, 0>(c), right);
    }
    auto outLeft = claim<BM, _, W1>(y, {i, j, 0});
    store(outLeft, to<bf16>(left));
    auto outRight = claim<BM, _, W2>(y, {i, j, W1 / W2});
    store(outRight, to<bf16>(right));
  }
};
// At most as many tiles as there are multiprocessors.
template <int BM> Comparison panelsFit() { return ceildiv(M, BM) * B <= 132; }

// y[M, B, W] = x[M, K] * weight[B, W, K]^T in bf16, sums in f32: linear of
// B panels of W = 96, 160, 192 or 320 outputs, where tiles of powers of two
// leave many multiprocessors idle in their last round. As measured on an H200.
// any M, B and K from 1 to 2147483647, K a multiple of 8, rows of x at
// multiples of 16 bytes
struct linear_panels
    : Variants<
          panels<64, 64, 32, 128, 4, 1, 5>, panels<64, 128, 32, 128, 4, 1, 4>,
          panels<128, 128, 32, 64, 4, 1, 6>, panels<64, 128, 64, 128, 4, 1, 4>,
          panels<128, 128, 64, 64, 4, 1, 6>, panels<256, 128, 64, 64, 8, 1, 6>,
          panels<256, 256, 64, 64, 8, 2, 6>> {
  void operator()() {
    when<panels<64, 64, 32, 128, 4, 1, 5>>(W == 96);
    when<panels<64, 128, 32, 128, 4, 1, 4>>(W == 160, panelsFit<64>());
    when<panels<128, 128, 32, 64, 4, 1, 6>>(W == 160);
    when<panels<64, 128, 64, 128, 4, 1, 4>>(W == 192, panelsFit<64>());
    when<panels<128, 128, 64, 64, 4, 1, 6>>(W == 192, panelsFit<128>());
    when<panels<256, 128, 64, 64, 8, 1, 6>>(W == 192);
  }
};

// The tile (i, j) of x w^T diag(scale), turned: what is converted is the left
// factor, which tensor cores take from registers.
template <int BM, int BN, int BK, class X, class W, class S>
auto scaledProduct(const X &x, const W &w, const S &scale, const Index &i,
                   const Index &j) {
  auto acc = zeros<f32, BN, BM>();
  for (Index k : range(ceildiv(K, BK))) {
    auto a = load<BM, BK>(x, {i, k}, pad::zero);
    auto b = load<BN, BK>(w, {j, k}, pad::zero);
    acc = mma(to<bf16>(b), permute<1, 0>(a), acc);
  }
  auto ofRow = reshape<BN, 1>(load<BN>(scale, {j}, pad::zero));
  return permute<1, 0>(acc * broadcast<BN, BM>(ofRow));
}

inline void describeF8(int warps, int occupancy, int latency) {
  for (const Comparison &each :
       {M >= 1, N >= 1, K >= 1, M <= maxElements, N <= maxElements,
        K <= maxElements, N % 8 == 0, K % 16 == 0}) {
    require(each);
  }
  hint("sm_90", "worker_warps", warps);
  hint("sm_90", "occupancy", occupancy);
  hint("sm_90", "latency", latency);
}
template <int BM, int BN, int BK, int occupancy, int latency>
struct linear_f8_few_rows {
  Shared<bf16, M, K> x;
  Shared<f8e4m3, N, K> weight;
  Shared<f32, N> scale;
  Out<bf16, M, N> y;
  void operator()() {
    describeF8(4, occupancy, latency);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    store(y, {i, j},
          to<bf16>(scaledProduct<BM, BN, BK>(x, weight, scale, i, j)));
  }
};
template <int BM, int BN, int BK, int warps> struct linear_f8_many_rows {
  Shared<bf16, M, K> x;
  Shared<f8e4m3, N, K> weight;
  Shared<f32, N> scale;
  Out<bf16, M, N> y;
  void operator()() {
    describeF8(warps, 1, 6);
    auto [t] = grid(bandedTiles<BM, BN>());
    banded<BM, BN>(y, t, [&](const Index &i, const Index &j) {
      return scaledProduct<BM, BN, BK>(x, weight, scale, i, j);
    });
  }
};

// y[M, N] = x[M, K] * weight[N, K]^T * diag(scale[N]) in bf16, as linear:
// weights are f8E4M3FN with a scale a row. They are multiplied in bf16, which
// has each of them, and sums in f32 are scaled before they are rounded.
// any M, N and K from 1 to 2147483647, N a multiple of 8, K of 16
struct linear_f8 : Variants<linear_f8_few_rows<16, 64, 128, 3, 6>,
                            linear_f8_few_rows<16, 64, 256, 1, 6>,
                            linear_f8_few_rows<32, 64, 128, 3, 4>,
                            linear_f8_few_rows<32, 64, 256, 1, 4>,
                            linear_f8_few_rows<64, 64, 128, 2, 6>,
                            linear_f8_few_rows<128, 64, 128, 1, 6>,
                            linear_f8_many_rows<128, 128, 64, 4>,
                            linear_f8_many_rows<256, 128, 64, 8>> {
  void operator()() {
    // As those of linear.
    Comparison many = N > 8448, notTooMany = N <= 25344;
    when<linear_f8_few_rows<16, 64, 128, 3, 6>>(M <= 16, many, notTooMany);
    when<linear_f8_few_rows<16, 64, 256, 1, 6>>(M <= 16);
    when<linear_f8_few_rows<32, 64, 128, 3, 4>>(M <= 32, many, notTooMany);
    when<linear_f8_few_rows<32, 64, 256, 1, 4>>(M <= 32);
    when<linear_f8_few_rows<64, 64, 128, 2, 6>>(M <= 64);
    when<linear_f8_few_rows<128, 64, 128, 1, 6>>(fits<128, 64>());
    when<linear_f8_many_rows<128, 128, 64, 4>>(
        ceildiv(M, 256) * ceildiv(N, 128) <= 264);
  }
};

// The tile (i, j) of x w^T, turned, as scaledProduct. Of each group the sum is
// scaled.
template <int BM, int BN, class X, class W, class S>
auto productOfInt4(const X &x, const W &w, const S &scale, const Index &i,
                   const Index &j) {
  auto acc = zeros<f32, BN, BM>();
  for (Index g : range(Index(G))) {
    auto bits =
        to<i16>(load<BN, _, ofHalf>(w, {j, g, 0}, pad::zero), asUnsigned);
    auto low = load<BM, ofHalf>(x, {i, g * 2}, pad::zero);
    auto sums = mma(fromInt4(bits), permute<1, 0>(low), zeros<f32, BN, BM>());
    auto high = load<BM, ofHalf>(x, {i, g * 2 + 1}, pad::zero);
    sums = mma(fromInt4(shiftRight(bits, 4)), permute<1, 0>(high), sums);
    auto ofRow = to<f32>(load<BN, _>(scale, {j, g}, pad::zero));
    acc = acc + sums * broadcast<BN, BM>(reshape<BN, 1>(ofRow));
  }
  return permute<1, 0>(acc);
}

inline void describeInt4(int warps, int occupancy, int latency) {
  for (const Comparison &each :
       {M >= 1, N >= 1, G >= 1, M <= maxElements, N <= maxElements, N % 8 == 0,
        K == 128 * G, K <= maxElements}) {
    require(each);
  }
  hint("sm_90", "worker_warps", warps);
  hint("sm_90", "occupancy", occupancy);
  hint("sm_90", "latency", latency);
}
template <int BM, int BN, int occupancy, int latency>
struct linear_int4_few_rows {
  Shared<bf16, M, K> x;
  Shared<i8, N, G, ofHalf> weight;
  Shared<bf16, N, G> scale;
  Out<bf16, M, N> y;
  void operator()() {
    describeInt4(4, occupancy, latency);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    store(y, {i, j}, to<bf16>(productOfInt4<BM, BN>(x, weight, scale, i, j)));
  }
};
template <int BM, int BN, int warps> struct linear_int4_many_rows {
  Shared<bf16, M, K> x;
  Shared<i8, N, G, ofHalf> weight;
  Shared<bf16, N, G> scale;
  Out<bf16, M, N> y;
  void operator()() {
    describeInt4(warps, 1, 6);
    auto [t] = grid(bandedTiles<BM, BN>());
    banded<BM, BN>(y, t, [&](const Index &i, const Index &j) {
      return productOfInt4<BM, BN>(x, weight, scale, i, j);
    });
  }
};

// y[M, N] = x[M, K] * weight[N, K]^T in bf16, as linear: weights are of 4 bits,
// with a scale for each row and group, as those of gemv_add_int4. They are
// multiplied in bf16, which has each of them; the sum of a group is in f32, and
// so is what it is scaled and added to.
// any M, N and K from 1 to 2147483647, N a multiple of 8, K of 128
struct linear_int4 : Variants<linear_int4_few_rows<16, 64, 3, 6>,
                              linear_int4_few_rows<32, 64, 3, 4>,
                              linear_int4_few_rows<64, 64, 2, 6>,
                              linear_int4_few_rows<128, 64, 1, 6>,
                              linear_int4_many_rows<128, 128, 8>> {
  void operator()() {
    when<linear_int4_few_rows<16, 64, 3, 6>>(M <= 16);
    when<linear_int4_few_rows<32, 64, 3, 4>>(M <= 32);
    when<linear_int4_few_rows<64, 64, 2, 6>>(M <= 64);
    when<linear_int4_few_rows<128, 64, 1, 6>>(fits<128, 64>());
  }
};

// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th
// tile of C. Panels of eight rows of tiles, each column by column, so that what
// programs read at a time stays in the L2 cache; the last panel may be ragged.
// any M, N and K, zero and ragged included; M below 2^31, P at least 1
template <int BM, int BN, int BK> struct gemm_persistent {
  LeftFactor a;
  RightFactor b;
  Sums c;
  void operator()() {
    require(P >= 1);
    require(M <= maxElements);
    hints<BM, BN>();
    repackAll(a, b);
    auto [first] = grid(P);
    auto rows = tiles<BM, BN>(c, axis<0>);
    auto columns = tiles<BM, BN>(c, axis<1>);
    auto panel = columns * 8;
    for (Index t : range(first, ceildiv(rows, 8) * panel, P)) {
      auto rest = t % panel;
      auto j = rest / 8;
      auto i = t / panel * 8 + rest % 8;
      if_(i < rows, [&] {
        auto out = claim<BM, BN>(c, {i, j});
        store(out, product<BM, BN, BK>(a, b, i, j));
      });
    }
  }
};

// Tiles in bands of G rows, each band column by column; the last is as high as
// what is left. The inverse says who writes a tile, and when.
constexpr Sym rows{"rows"}, columns{"columns"};
struct bands : Map<rows, columns, G> {
  static constexpr Property property = Property::bijective;
  Extents<1> from() const { return {rows * columns}; }
  Extents<2> into() const { return {rows, columns}; }
  Ids<2> operator()(const Index &t) const {
    auto bandTiles = G * Index(columns);
    auto rest = t % bandTiles;
    auto top = t / bandTiles * G;
    auto height = min(rows - top, G);
    return {top + rest % height, rest / height};
  }
  Ids<1> inverse(const Index &i, const Index &j) const {
    auto band = i / G;
    auto height = min(rows - band * G, G);
    return {band * (G * Index(columns)) + j * height + i % G};
  }
};

// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th
// tile of C in the order of a map: bands of G rows of tiles, each band column
// by column, so that what programs read at a time stays in the L2 cache; the
// last band is as high as what is left. The inverse of the map says who writes
// a tile, and when. any M, N and K, zero and ragged included; P and G at least
// 1
template <int BM, int BN, int BK> struct gemm_persistent_swizzled {
  LeftFactor a;
  RightFactor b;
  Sums c;
  void operator()() {
    require(P >= 1);
    require(G >= 1);
    require(ceildiv(M, BM) * ceildiv(N, BN) <= 2147483647);
    require(G * ceildiv(N, BN) <= 2147483647);
    hints<BM, BN>();
    repackAll(a, b);
    auto [first] = grid(P);
    auto gm = tiles<BM, BN>(c, axis<0>);
    auto gn = tiles<BM, BN>(c, axis<1>);
    for (Index t : range(first, gm * gn, P)) {
      auto [i, j] = apply<bands>({t}, {gm, gn, G});
      auto out = claim<BM, BN>(c, {i, j});
      store(out, product<BM, BN, BK>(a, b, i, j));
    }
  }
};

// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles
// are taken in bands of G rows, each band column by column, so that blocks that
// run at a time share what they read in the L2 cache; the last band is as high
// as what is left.
// any M, N and K, zero and ragged included; G at least 1
template <int BM, int BN, int BK> struct gemm_swizzled {
  LeftFactor a;
  RightFactor b;
  Product c;
  void operator()() {
    require(G >= 1);
    require(G <= 1024);
    hints<BM, BN>();
    repackFactors(a, b);
    auto [t] = grid(ceildiv(M, BM) * ceildiv(N, BN));
    constexpr Sym i{"i"}, j{"j"};
    covers(c, {i, j},
           block(i / G * G * ceildiv(N, BN) +
                 j * min(ceildiv(M, BM) - i / G * G, G) + i % G));
    auto gm = tiles<BM, BN>(c, axis<0>);
    auto gn = tiles<BM, BN>(c, axis<1>);
    auto bandTiles = G * gn;
    auto band = t / bandTiles;
    auto rest = t % bandTiles;
    auto top = band * G;
    auto height = min(gm - top, G);
    auto row = top + rest % height;
    auto column = rest / height;
    auto out = claim<BM, BN>(c, {row, column});
    store(out, to<bf16>(product<BM, BN, BK>(a, b, row, column)));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"gemm", record<gemm<128, 256, 64>>},
       {"gemm_small", record<gemm<64, 128, 64>>},
       {"gemm_by_size", record<gemm_by_size>},
       {"gemm_bf16", record<gemm_bf16>},
       {"linear", record<linear>},
       {"linear_panels", record<linear_panels>},
       {"linear_f8", record<linear_f8>},
       {"linear_int4", record<linear_int4>},
       {"gemm_grouped_order", record<gemm_grouped_order<128, 256, 64>>},
       {"gemm_persistent", record<gemm_persistent<128, 256, 64>>},
       {"gemm_persistent_swizzled",
        record<gemm_persistent_swizzled<128, 256, 64>>},
       {"gemm_swizzled", record<gemm_swizzled<128, 256, 64>>}});
}
