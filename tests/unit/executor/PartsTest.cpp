// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of vectors and vectors put together, lane by lane as spec/tile.md says.

#include "spec/executor/numerics/VectorOps.h"

#include <gtest/gtest.h>

namespace girih::exec {
namespace {

using Coord = std::vector<int64_t>;

/// Calls `visit` with each place of a shape, in row-major order.
template <typename Visit> void forEachPlace(const Coord &shape, Visit visit) {
  int64_t lanes = 1;
  for (int64_t extent : shape) {
    lanes *= extent;
  }
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Coord at(shape.size());
    int64_t rest = lane;
    for (size_t k = shape.size(); k-- > 0; rest /= shape[k]) {
      at[k] = rest % shape[k];
    }
    visit(lane, at);
  }
}

int64_t numberOf(const Coord &shape, const Coord &at) {
  int64_t number = 0;
  for (size_t k = 0; k < shape.size(); ++k) {
    number = number * shape[k] + at[k];
  }
  return number;
}

/// Numbers from `first` on; each third lane is uncertain.
Value counted(const Coord &shape, int64_t first) {
  Value v;
  forEachPlace(shape, [&](int64_t lane, const Coord &) {
    v.push(first + lane, lane % 3 == 0);
  });
  return v;
}

const std::pair<Coord, Coord> cuts[] = {{{8}, {2}},
                                        {{8}, {8}},
                                        {{1}, {1}},
                                        {{4, 8}, {2, 8}},
                                        {{4, 8}, {4, 1}},
                                        {{4, 8}, {1, 2}},
                                        {{2, 4, 2}, {1, 2, 1}},
                                        {{2, 1, 4, 2}, {2, 1, 1, 2}}};

TEST(Parts, AreCutByTheirNumber) {
  for (const auto &[from, to] : cuts) {
    Value whole = counted(from, 0);
    Coord parts;
    for (size_t k = 0; k < from.size(); ++k) {
      parts.push_back(from[k] / to[k]);
    }
    forEachPlace(parts, [&, from = from, to = to](int64_t, const Coord &part) {
      Value got = extract(whole, from, to, part);
      forEachPlace(to, [&](int64_t lane, const Coord &at) {
        Coord there = at;
        for (size_t k = 0; k < at.size(); ++k) {
          there[k] += part[k] * to[k];
        }
        int64_t number = numberOf(from, there);
        EXPECT_EQ(got.ints[lane], number);
        EXPECT_EQ(got.isUncertain(lane), number % 3 == 0);
      });
    });
  }
}

TEST(Parts, ArePutTogetherAlongEachAxis) {
  for (const auto &[shape, part] : cuts) {
    Value first = counted(shape, 0), second = counted(shape, 1000);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      Axis a{1, shape[axis], 1};
      Coord whole = shape;
      for (size_t k = 0; k < shape.size(); ++k) {
        (k < axis ? a.outer : a.inner) *= k == axis ? 1 : shape[k];
      }
      whole[axis] *= 2;
      Value got = cat(first, second, a);
      forEachPlace(whole, [&, shape = shape](int64_t lane, const Coord &at) {
        Coord there = at;
        bool isSecond = at[axis] >= shape[axis];
        there[axis] -= isSecond ? shape[axis] : 0;
        int64_t number = numberOf(shape, there);
        EXPECT_EQ(got.ints[lane], number + (isSecond ? 1000 : 0));
        EXPECT_EQ(got.isUncertain(lane), number % 3 == 0);
      });
    }
  }
}

TEST(Parts, KeepTheBoundsOfFloats) {
  Value v;
  for (int64_t lane = 0; lane < 4; ++lane) {
    v.push(Real{double(lane), lane == 2 ? 0.5 : 0});
  }
  Value high = extract(v, {4}, {2}, {1});
  EXPECT_EQ(high.real(0).bound, 0.5);
  EXPECT_EQ(high.real(1).bound, 0);
  Value both = cat(extract(v, {4}, {2}, {0}), high, {1, 2, 1});
  EXPECT_EQ(both.real(2).bound, 0.5);
  EXPECT_EQ(both.floats[3], 3);
}

} // namespace
} // namespace girih::exec
