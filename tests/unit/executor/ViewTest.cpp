// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views against their prose: an element of a view is followed step by step down
// to the tensor; and claims by elements against a map of elements.

#include "spec/executor/memory/Ownership.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace girih::exec {
namespace {

using Down = std::function<Coord(Coord)>;

/// A view, and how an element of it is found in the tensor.
struct Traced {
  View view;
  Down down;
};

int64_t below(int64_t n) { return *rc::gen::inRange<int64_t>(0, n); }

Traced randomStep(const Traced &t) {
  const View &v = t.view;
  auto rank = static_cast<unsigned>(v.extents.size());
  auto axis = static_cast<unsigned>(below(rank));
  Down before = t.down;
  switch (below(5)) {
  case 0: {
    Coord offsets, sizes, steps;
    for (int64_t e : v.extents) {
      offsets.push_back(below(e + 1));
      steps.push_back(1 + below(3));
      int64_t most = (e - offsets.back() + steps.back() - 1) / steps.back();
      sizes.push_back(below(most + 1));
    }
    return {sliceOf(v, offsets, sizes, steps), [=](Coord at) {
              for (unsigned k = 0; k < rank; ++k) {
                at[k] = offsets[k] + steps[k] * at[k];
              }
              return before(at);
            }};
  }
  case 1: {
    llvm::SmallVector<unsigned> turn;
    for (unsigned k = 0; k < rank; ++k) {
      turn.insert(turn.begin() + below(k + 1), k);
    }
    return {permuted(v, turn), [=](const Coord &at) {
              Coord from(rank);
              for (unsigned k = 0; k < rank; ++k) {
                from[turn[k]] = at[k];
              }
              return before(from);
            }};
  }
  case 2: {
    int64_t extent = v.extents[axis], inner = 1 + below(4);
    if (extent % inner != 0) {
      inner = 1;
    }
    return {unfolded(v, axis, {extent / inner, inner}), [=](Coord at) {
              at[axis] = at[axis] * inner + at[axis + 1];
              at.erase(at.begin() + axis + 1);
              return before(at);
            }};
  }
  case 3: {
    if (axis + 1 == rank) {
      return t;
    }
    int64_t inner = v.extents[axis + 1];
    return {flattened(v, axis), [=](Coord at) {
              int64_t flat = at[axis];
              at[axis] = flat / inner;
              at.insert(at.begin() + axis + 1, flat % inner);
              return before(at);
            }};
  }
  default:
    if (rank == 1 || v.extents[axis] == 0) {
      return t;
    }
    int64_t fixed = below(v.extents[axis]);
    return {fixedAt(v, axis, fixed), [=](Coord at) {
              at.insert(at.begin() + axis, fixed);
              return before(at);
            }};
  }
}

Traced randomView(const Coord &extents) {
  Traced t{wholeView(extents), [](const Coord &at) { return at; }};
  for (int64_t n = below(5); n > 0; --n) {
    t = randomStep(t);
  }
  return t;
}

Coord randomExtents(int64_t most) {
  Coord extents;
  for (int64_t n = 1 + below(3); n > 0; --n) {
    extents.push_back(below(most + 1));
  }
  return extents;
}

/// Whatever the order of calls, the elements of a region by lane.
std::map<size_t, Coord> lanesOf(const Region &region, const Coord &tile) {
  std::map<size_t, Coord> out;
  forEachRun(region, tile,
             [&](llvm::ArrayRef<int64_t> start, int64_t count, size_t lane) {
               for (int64_t i = 0; i < count; ++i) {
                 Coord at(start);
                 at.back() += i;
                 RC_ASSERT(out.try_emplace(lane + i, at).second);
               }
               return true;
             });
  return out;
}

RC_GTEST_PROP(View, FollowsItsSteps, ()) {
  Coord extents = randomExtents(12);
  Traced t = randomView(extents);
  Coord tile, index;
  for (int64_t e : t.view.extents) {
    tile.push_back(int64_t(1) << below(3));
    RC_PRE(e > 0);
    index.push_back(below(ceilDiv(e, tile.back())));
  }
  Region region{t.view, tileBox(index, tile, t.view.extents)};
  std::map<size_t, Coord> lanes = lanesOf(region, tile);
  std::set<std::vector<int64_t>> seen;
  size_t inside = 0;
  Coord at(tile.size(), 0);
  for (size_t lane = 0;; ++lane) {
    Coord x;
    bool in = true;
    for (size_t k = 0; k < tile.size(); ++k) {
      x.push_back(index[k] * tile[k] + at[k]);
      in &= x[k] < t.view.extents[k];
    }
    RC_ASSERT(lanes.count(lane) == in);
    if (in) {
      Coord root = t.down(x);
      RC_ASSERT(lanes[lane] == root);
      RC_ASSERT(t.view.map(x) == root);
      RC_ASSERT(seen.insert({root.begin(), root.end()}).second);
      for (size_t k = 0; k < extents.size(); ++k) {
        RC_ASSERT(root[k] >= 0 && root[k] < extents[k]);
      }
      ++inside;
    }
    size_t k = tile.size();
    while (k > 0 && ++at[k - 1] == tile[k - 1]) {
      at[--k] = 0;
    }
    if (k == 0) {
      break;
    }
  }
  RC_ASSERT(lanes.size() == inside);
}

RC_GTEST_PROP(View, ClaimsClashWhereElementsDo, ()) {
  Coord extents = randomExtents(9);
  Ownership ownership(extents, true);
  std::map<std::vector<int64_t>, int64_t> owner;
  for (int64_t n = 1 + below(12); n > 0; --n) {
    Traced t = randomView(extents);
    Coord tile, index;
    bool empty = false;
    for (int64_t e : t.view.extents) {
      empty |= e == 0;
      tile.push_back(int64_t(1) << below(3));
      index.push_back(e ? below(ceilDiv(e, tile.back())) : 0);
    }
    if (empty) {
      continue;
    }
    Region region{t.view, tileBox(index, tile, t.view.extents)};
    int64_t block = below(3);
    bool clash = false;
    std::map<size_t, Coord> lanes = lanesOf(region, tile);
    for (auto &[lane, at] : lanes) {
      auto it = owner.find({at.begin(), at.end()});
      clash |= it != owner.end() && it->second != block;
    }
    auto result = ownership.takeElements({block, 0}, region, true);
    RC_ASSERT(result.has_value() == clash);
    if (clash) {
      const Coord &at = result->common.low;
      RC_ASSERT(owner.at({at.begin(), at.end()}) == result->earlier.block);
      continue;
    }
    for (auto &[lane, at] : lanes) {
      owner[{at.begin(), at.end()}] = block;
    }
  }
}

// Of an empty view numbers may be too large to multiply.
TEST(View, EmptyOnesDoNotOverflow) {
  View v = wholeView({0});
  for (int i = 0; i < 8; ++i) {
    v = unfolded(v, 0, {0, int64_t(1) << 40});
  }
  EXPECT_EQ(v.extents[0], 0);
  EXPECT_EQ(v.axes.size(), 9u);
}

} // namespace
} // namespace girih::exec
