// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rotary embeddings, alone and together with what stands around them.

#include "Rotary.h"
using namespace girih::kernel;
using library::Halves, library::normed, library::rounded, library::turned,
    library::wide;

constexpr Sym S{"S"}, H{"H"}, T{"T"}, N{"N"}, HQ{"HQ"}, HK{"HK"}, NQ{"NQ"},
    NK{"NK"}, PB{"PB"}, pos{"pos"};

// Heads of a position, which may stand beside others: a part of what one
// product makes of queries, keys and values.
constexpr Sym ldx{"ldx"}, ldq{"ldq"}, ldk{"ldk"}, ldv{"ldv"};
template <Sym heads, int D, Sym ld>
using Heads = With<Shared<bf16, S, heads, D>, strides<ld, D, 1>>;

// Rotary embedding of S positions from `start` on, 16 heads a block.
template <int BH, int D, class X, class Table, class Y>
void rotate(const X &x, const Table &cos, const Table &sin, const Y &y,
            const Index &s, const Index &h, const Index &start) {
  auto t = start + s;
  auto a = load<_, BH, D>(x, {s, h, 0}, pad::zero);
  auto b = load<_, BH, D>(x, {s, h, 1}, pad::zero);
  auto c = load<_, D>(cos, {t, 0});
  auto d = load<_, D>(sin, {t, 0});
  auto r = rounded(turned(wide(Halves{a, b}), c, d));
  for (Index half : range(2)) {
    store(y, {s, h, half}, where(half == 0, r.low, r.high));
  }
}

// Rotary embedding of S positions from pos on: of each head the lanes
// (i, i + 64) turn by the angle of position pos + s and frequency i, whose
// cosine and sine tables hold; in bf16, heads of 128
// any S and H, zero and ragged included; the tables end at T
template <int BH, int D> struct rope {
  Heads<H, 2 * D, ldx> x;
  Shared<f32, T, D> cos, sin;
  Out<bf16, S, H, 2 * D> y;
  void operator()() {
    require(pos + S <= T);
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(S, ceildiv(H, BH));
    rotate<BH, D>(x, cos, sin, y, s, h, pos);
  }
};

// As rope, where the first position stands in device memory, so that a step can
// be replayed as a graph
// any S and H, zero and ragged included; the tables end at T
template <int BH, int D> struct rope_dynamic {
  Shared<i32, 1> pos;
  Shared<bf16, S, H, 2 * D> x;
  Shared<f32, T, D> cos, sin;
  Out<bf16, S, H, 2 * D> y;
  void operator()() {
    require(S <= T);
    given(within(pos, 0, T - S + 1));
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(S, ceildiv(H, BH));
    Index start = load<_>(pos, {0});
    rotate<BH, D>(x, cos, sin, y, s, h, start);
  }
};

// What stands between the projections and attention, in one launch: each head
// of q and k is divided by its root mean square, scaled, and turned by the
// angles of its position pos + s; q goes to q_out, k and v to row pos + s of
// the caches. in bf16, heads of 128, a head of 16 positions a block; any S, HQ
// and HK, zero and ragged included; caches and tables end at T >= pos + S
template <int BS, int D> struct qk_norm_rope_append {
  Heads<HQ, 2 * D, ldq> q;
  Heads<HK, 2 * D, ldk> k;
  Heads<HK, 2 * D, ldv> v;
  Shared<bf16, 2 * D> q_weight, k_weight;
  Shared<f32, T, D> cos, sin;
  Out<bf16, S, HQ, 2 * D> q_out;
  Own<bf16, HK, T, 2 * D> k_cache, v_cache;
  Scalar<f32> eps;
  void operator()() {
    require(pos + S <= T);
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", 4);
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(ceildiv(S, BS), HQ + HK);
    auto kh = h - HQ;
    auto isQ = h < HQ;
    auto a = zeros<bf16, BS, D>(), b = a;
    auto wa = zeros<bf16, D>(), wb = wa;
    if_(
        isQ,
        [&] {
          a = load<BS, _, D>(q, {s, h, 0}, pad::zero);
          b = load<BS, _, D>(q, {s, h, 1}, pad::zero);
          wa = load<D>(q_weight, {0});
          wb = load<D>(q_weight, {1});
        },
        [&] {
          a = load<BS, _, D>(k, {s, kh, 0}, pad::zero);
          b = load<BS, _, D>(k, {s, kh, 1}, pad::zero);
          wa = load<D>(k_weight, {0});
          wb = load<D>(k_weight, {1});
        });
    auto unit = normed(wide(Halves{a, b}), wide(Halves{wa, wb}), eps);
    auto c = load<BS, D>(slice<S, D>(cos, {pos, 0}), {s, 0}, pad::zero);
    auto d = load<BS, D>(slice<S, D>(sin, {pos, 0}), {s, 0}, pad::zero);
    auto r = rounded(turned(unit, c, d));
    if_(
        isQ,
        [&] {
          for (Index half : range(2)) {
            auto out = claim<BS, _, D>(q_out, {s, h, half});
            store(out, where(half == 0, r.low, r.high));
          }
        },
        [&] {
          auto newKeys = slice<HK, S, 2 * D>(k_cache, {0, pos, 0});
          auto newValues = slice<HK, S, 2 * D>(v_cache, {0, pos, 0});
          auto outLow = claim<_, BS, D>(newKeys, {kh, s, 0});
          auto outHigh = claim<_, BS, D>(newKeys, {kh, s, 1});
          auto outV = claim<_, BS, 2 * D>(newValues, {kh, s, 0});
          auto newV = load<BS, _, 2 * D>(v, {s, kh, 0}, pad::zero);
          store(outLow, r.low);
          store(outHigh, r.high);
          store(outV, newV);
        });
  }
};

// Grout's qk_norm_rope_kv_decode (views q_out, k_cache and v_cache): one new
// token, whose heads of q, of k and of v stand behind each other in one row of
// halves. A block takes a head of q or of k and one half: it norms and turns
// it, and one of a k head copies the half of v. The position stands in device
// memory.
// in bf16, heads of 128; any NQ, NK and T, zero included
template <int D> struct grout_qk_norm_rope_decode {
  Shared<bf16, N, D> qkv;
  Shared<i32, 1> pos;
  Shared<bf16, 2 * D> q_weight, k_weight;
  Shared<f32, T, D> cos, sin;
  Out<bf16, NQ, 2 * D> q_out;
  Own<bf16, NK, T, 2 * D> k_cache, v_cache;
  Scalar<f32> eps;
  void operator()() {
    require(N == 2 * NQ + 4 * NK);
    given(within(pos, 0, T));
    hint("sm_90", "occupancy", 8);
    auto [h, half] = grid(NQ + NK, 2);
    Index row = load<_>(pos, {0});
    auto isQ = h < NQ;
    auto isLow = half == 0;
    // Heads of k follow those of q, so that head h begins at half 2 h for both.
    auto first = h * 2;
    auto a = load<_, D>(qkv, {first, 0});
    auto b = load<_, D>(qkv, {first + 1, 0});
    auto wa = zeros<bf16, D>(), wb = wa;
    if_(
        isQ,
        [&] {
          wa = load<D>(q_weight, {0});
          wb = load<D>(q_weight, {1});
        },
        [&] {
          wa = load<D>(k_weight, {0});
          wb = load<D>(k_weight, {1});
        });
    auto unit = normed(wide(Halves{a, b}), wide(Halves{wa, wb}), eps);
    auto c = load<_, D>(cos, {row, 0});
    auto d = load<_, D>(sin, {row, 0});
    auto r = turned(unit, c, d);
    auto y = to<bf16>(where(isLow, r.low, r.high));
    if_(
        isQ, [&] { store(q_out, {h, half}, y); },
        [&] {
          auto kh = h - NQ;
          auto outK = claim<_, _, D>(k_cache, {kh, row, half});
          auto outV = claim<_, _, D>(v_cache, {kh, row, half});
          auto vFirst = (NQ + Index(NK) + kh) * 2;
          auto newV = load<_, D>(qkv, {vFirst + half, 0});
          store(outK, y);
          store(outV, newV);
        });
  }
};

// Grout's k_norm_rope_v_prefill_wide (views k_cache and v_cache): a block norms
// and turns 16 rows of new keys, copies as many values, and writes each in two
// halves to a tile of the caches. Tiles are aligned: the cache holds PB whole
// tiles already, and N more are new; rows left over are another kernel's.
// in bf16, heads of 128
// any N, H, PB and T >= 16 * (PB + N), zero included
template <int BT, int D> struct grout_kv_append_wide {
  Shared<bf16, S, H, 2 * D> k, v;
  Shared<bf16, 2 * D> weight;
  Shared<f32, T, D> cos, sin;
  Own<bf16, H, T, 2 * D> k_cache, v_cache;
  Scalar<f32> eps;
  void operator()() {
    require(BT * N <= S);
    require(BT * PB + BT * N <= T);
    hint("sm_90", "occupancy", 4);
    auto [m, h] = grid(N, H);
    auto row = PB + m;
    auto outLow = claim<_, BT, D>(k_cache, {h, row, 0});
    auto outHigh = claim<_, BT, D>(k_cache, {h, row, 1});
    auto vLow = claim<_, BT, D>(v_cache, {h, row, 0});
    auto vHigh = claim<_, BT, D>(v_cache, {h, row, 1});
    auto a = load<BT, _, D>(k, {m, h, 0});
    auto b = load<BT, _, D>(k, {m, h, 1});
    auto wa = load<D>(weight, {0});
    auto wb = load<D>(weight, {1});
    auto unit = normed(wide(Halves{a, b}), wide(Halves{wa, wb}), eps);
    auto c = load<BT, D>(cos, {row, 0});
    auto d = load<BT, D>(sin, {row, 0});
    auto r = rounded(turned(unit, c, d));
    store(outLow, r.low);
    store(outHigh, r.high);
    auto newLow = load<BT, _, D>(v, {m, h, 0});
    auto newHigh = load<BT, _, D>(v, {m, h, 1});
    store(vLow, newLow);
    store(vHigh, newHigh);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"rope", record<rope<16, 64>>},
       {"rope_dynamic", record<rope_dynamic<16, 64>>},
       {"qk_norm_rope_append", record<qk_norm_rope_append<16, 64>>},
       {"grout_qk_norm_rope_decode", record<grout_qk_norm_rope_decode<64>>},
       {"grout_kv_append_wide", record<grout_kv_append_wide<16, 64>>}});
}
