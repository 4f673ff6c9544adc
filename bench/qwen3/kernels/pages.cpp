// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heads of new tokens into a cache in pages of 64 positions, as
// attention_decode_paged reads it.

#include "Rotary.h"
using namespace girih::kernel;
using library::Halves, library::normed, library::rounded, library::turned,
    library::wide;

constexpr Sym B{"B"}, S{"S"}, H{"H"}, G{"G"}, T{"T"}, N{"N"};
constexpr Sym ldq{"ldq"}, ldk{"ldk"}, ldv{"ldv"};
template <Sym heads, int D, Sym ld>
using Heads = With<Shared<bf16, B, heads, D>, strides<ld, D, 1>>;

// Heads of one new token of each of B sequences, which stand beside each other:
// each of q and k is divided by its root mean square, scaled and turned by the
// angles of its position, one that is none by those of the nearest; q goes to
// q_out, k and v of sequence b to page slots[b] / 64, line slots[b] mod 64. In
// bf16, heads of 128
// any B, H, G and N, zero included, and T from 1; no two sequences share a slot
template <int page, int D> struct paged_heads {
  Heads<H, 2 * D, ldq> q;
  Heads<G, 2 * D, ldk> k;
  Heads<G, 2 * D, ldv> v;
  Shared<i32, B> positions;
  Shared<i32, B> slots;
  Shared<bf16, 2 * D> q_weight, k_weight;
  Shared<f32, T, D> cos, sin;
  Out<bf16, B, H, 2 * D> q_out;
  Own<bf16, N, page, G, 2 * D> k_pages, v_pages;
  Scalar<f32> eps;
  void operator()() {
    require(T >= 1);
    given(within(slots, 0, page * N));
    given(distinct(slots));
    hint("sm_90", "early", 1);
    hint("sm_90", "occupancy", 8);
    auto [b, h] = grid(B, H + G);
    Index asked = load<_>(positions, {b});
    auto row = min(max(asked, 0), T - 1);
    auto isQ = h < H;
    auto g = h - H;
    auto low = zeros<bf16, D>(), high = low, wl = low, wh = low;
    if_(
        isQ,
        [&] {
          low = load<_, _, D>(q, {b, h, 0});
          high = load<_, _, D>(q, {b, h, 1});
          wl = load<D>(q_weight, {0});
          wh = load<D>(q_weight, {1});
        },
        [&] {
          low = load<_, _, D>(k, {b, g, 0});
          high = load<_, _, D>(k, {b, g, 1});
          wl = load<D>(k_weight, {0});
          wh = load<D>(k_weight, {1});
        });
    auto unit = normed(wide(Halves{low, high}), wide(Halves{wl, wh}), eps);
    auto c = load<_, D>(cos, {row, 0});
    auto d = load<_, D>(sin, {row, 0});
    auto r = rounded(turned(unit, c, d));
    Index slot = load<_>(slots, {b});
    auto number = slot / page;
    auto line = slot % page;
    if_(
        isQ,
        [&] {
          store(claim<_, _, D>(q_out, {b, h, 0}), r.low);
          store(claim<_, _, D>(q_out, {b, h, 1}), r.high);
        },
        [&] {
          store(claim<_, _, _, D>(k_pages, {number, line, g, 0}), r.low);
          store(claim<_, _, _, D>(k_pages, {number, line, g, 1}), r.high);
          store(claim<_, _, _, 2 * D>(v_pages, {number, line, g, 0}),
                load<_, _, 2 * D>(v, {b, g, 0}));
        });
  }
};

// The first S positions of a cache of one sequence, as prefill leaves them,
// into pages, each where slots says: page slots[s] / 64, line slots[s] mod 64.
// In bf16, heads of 128
// any S, G, N and T >= S, zero included; no two positions share a slot
template <int page, int D> struct paged_copy {
  Shared<i32, S> slots;
  Shared<bf16, G, T, D> k, v;
  Own<bf16, N, page, G, D> k_pages, v_pages;
  void operator()() {
    require(S <= T);
    given(within(slots, 0, page * N));
    given(distinct(slots));
    hint("sm_90", "occupancy", 8);
    auto [s, g] = grid(S, G);
    Index slot = load<_>(slots, {s});
    auto number = slot / page;
    auto line = slot % page;
    store(claim<_, _, _, D>(k_pages, {number, line, g, 0}),
          load<_, _, D>(k, {g, s, 0}));
    store(claim<_, _, _, D>(v_pages, {number, line, g, 0}),
          load<_, _, D>(v, {g, s, 0}));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"paged_heads", record<paged_heads<64, 64>>},
                            {"paged_copy", record<paged_copy<64, 128>>}});
}
