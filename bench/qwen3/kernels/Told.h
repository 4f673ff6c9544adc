// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a step of one sequence: what it leaves on the device for the next
// one, and what it tells the host.

#ifndef GIRIH_BENCH_QWEN3_KERNELS_TOLD_H
#define GIRIH_BENCH_QWEN3_KERNELS_TOLD_H

#include "Library.h"

namespace told {

using namespace girih::kernel;

/// Position and number of tokens move on by one. What the host is told is a
/// token behind its number: this one, and that before it, which the host may
/// not have read yet.
template <class Best, class Position, class Token, class Number, class Host>
void leave(const Index &one, const Best &best, const Position &position,
           const Token &token, const Number &number, const Host &host) {
  auto at = claim<_>(position, {one});
  auto kept = claim<_>(token, {one});
  auto count = claim<_>(number, {one});
  auto both = claim<2>(host, {one});
  auto entry = [](auto n, auto t) {
    return to<i64>(n) * 4294967296 + to<i64>(t);
  };
  auto next = load(count) + 1;
  auto isFirst = iota<i64, 2>(axis<0>) == 0;
  store(both,
        where(isFirst, entry(next, best), entry(load(count), load(kept))));
  store(kept, best);
  store(at, load(at) + 1);
  store(count, next);
}

} // namespace told

#endif // GIRIH_BENCH_QWEN3_KERNELS_TOLD_H
