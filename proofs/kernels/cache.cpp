// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New keys and values into caches; other rows stay as they are.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym S{"S"}, H{"H"}, T{"T"}, N{"N"}, pos{"pos"};

// Row pos + s of each head of both caches becomes row s of the new keys and
// values, in bf16, heads of 128; other rows stay as they are
// any S, H and T with pos + S <= T, zero included
template <int D> struct kv_append {
  Shared<bf16, S, H, D> k, v;
  Own<bf16, H, T, D> k_cache, v_cache;
  void operator()() {
    require(pos + S <= T);
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(S, H);
    auto row = pos + s;
    auto outK = claim<_, _, D>(k_cache, {h, row, 0});
    auto outV = claim<_, _, D>(v_cache, {h, row, 0});
    auto newK = load<_, _, D>(k, {s, h, 0});
    auto newV = load<_, _, D>(v, {s, h, 0});
    store(outK, newK);
    store(outV, newV);
  }
};

// As kv_append, where the position stands in device memory, so that a step can
// be replayed as a graph
// any S, H and T >= S, zero included
template <int D> struct kv_append_dynamic {
  Shared<i32, 1> pos;
  Shared<bf16, S, H, D> k, v;
  Own<bf16, H, T, D> k_cache, v_cache;
  void operator()() {
    require(S <= T);
    given(within(pos, 0, T - S + 1));
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(S, H);
    Index start = load<_>(pos, {0});
    auto row = start + s;
    auto outK = claim<_, _, D>(k_cache, {h, row, 0});
    auto outV = claim<_, _, D>(v_cache, {h, row, 0});
    auto newK = load<_, _, D>(k, {s, h, 0});
    auto newV = load<_, _, D>(v, {s, h, 0});
    store(outK, newK);
    store(outV, newV);
  }
};

// Writes the keys and values of S new tokens into a cache in pages of 64
// positions, each where slots says (vLLM's reshape_and_cache): page slot / 64,
// line slot mod 64
// any S, H and N, zero and ragged included; no two tokens share a slot
template <int page, int BH, int D> struct kv_append_paged {
  Shared<i64, S> slots;
  Shared<bf16, S, H, D> k, v;
  Own<bf16, N, page, H, D> k_cache, v_cache;
  void operator()() {
    given(within(slots, 0, page * N));
    given(distinct(slots));
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(S, ceildiv(H, BH));
    Index slot = load<_>(slots, {s});
    auto number = slot / page;
    auto line = slot % page;
    auto outK = claim<_, _, BH, D>(k_cache, {number, line, h, 0});
    auto outV = claim<_, _, BH, D>(v_cache, {number, line, h, 0});
    auto newK = load<_, BH, D>(k, {s, h, 0}, pad::zero);
    auto newV = load<_, BH, D>(v, {s, h, 0}, pad::zero);
    store(outK, newK);
    store(outV, newV);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"kv_append", record<kv_append<128>>},
       {"kv_append_dynamic", record<kv_append_dynamic<128>>},
       {"kv_append_paged", record<kv_append_paged<64, 8, 128>>}});
}
