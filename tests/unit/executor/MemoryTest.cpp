// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse memory and ownership against dense models of them.

#include "spec/executor/memory/Memory.h"
#include "spec/executor/memory/Ownership.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

namespace girih::exec {
namespace {

Layout layout(Coord extents, Coord strides, bool undefined) {
  return {Kind::F32, std::move(extents), std::move(strides), true, undefined};
}

Value floats(std::vector<double> numbers) {
  Value value;
  for (double x : numbers) {
    value.push(Real{x, 0});
  }
  return value;
}

TEST(Memory, BillionsOfElementsCostWhatIsTouched) {
  int64_t big = int64_t(1) << 22;
  Memory memory(layout({big, big}, {big, 1}, true), nullptr, 1, true);
  memory.write({big - 1, big - 3}, 3, floats({1, 2, 3}), 0);
  memory.write({0, 0}, 2, floats({4, 5}), 0);
  EXPECT_LT(memory.bytes(), 10000);
  EXPECT_EQ(memory.firstUndefined({big - 1, big - 3}, 3), std::nullopt);
  EXPECT_EQ(memory.firstUndefined({big - 1, big - 4}, 4), 0);
  EXPECT_EQ(memory.firstUndefined({0, 0}, 5), 2);
  Value back = floats({0, 0, 0});
  memory.read({big - 1, big - 3}, 3, back, 0);
  EXPECT_EQ(back.floats[2], 3);
  EXPECT_EQ(memory.firstMissing(), (Coord{0, 2}));
  EXPECT_FALSE(memory.dense(1 << 20));
}

TEST(Memory, OwnTensorsStartWithTheirContents) {
  Array given = *makeArray(Kind::F32, {2, 3}, 100);
  for (int i = 0; i < 6; ++i) {
    given.floats[i] = i;
  }
  Memory memory(layout({2, 3}, {3, 1}, false), &given, 1, true);
  memory.write({1, 1}, 1, floats({9}), 0);
  EXPECT_EQ(memory.firstUndefined({0, 0}, 3), std::nullopt);
  std::optional<Memory::Dense> all = memory.dense(100);
  EXPECT_EQ(all->values.floats, (std::vector<double>{0, 1, 2, 3, 9, 5}));
  EXPECT_FALSE(all->bounds);
}

TEST(Memory, WhatIsWrittenIsStoredWhereItLies) {
  for (Kind kind :
       {Kind::I1, Kind::I4, Kind::I8, Kind::I16, Kind::I32, Kind::I64,
        Kind::F4E2M1FN, Kind::F8E4M3FN, Kind::F8E5M2, Kind::F8E8M0FNU,
        Kind::F16, Kind::BF16, Kind::F32, Kind::F64}) {
    // Two rows of two, six elements apart.
    Layout rows = layout({2, 2}, {6, 1}, false);
    rows.kind = kind;
    std::vector<char> bytes(8 * 8, '\x5a');
    Value value;
    for (int number : {1, 0}) {
      if (isFloat(kind)) {
        value.push(Real{number ? 1.0 : 0.5, 0});
      } else {
        value.push(int64_t(kind == Kind::I1 ? number : -number));
      }
    }
    Memory memory(rows, nullptr, 1, true);
    memory.bind(bytes.data());
    memory.write({1, 0}, 2, value, 0);
    memory.storeWritten();
    Memory again(rows, nullptr, 1, true);
    again.bind(bytes.data());
    Value back = value;
    back.ints.assign(value.ints.size(), 7);
    back.floats.assign(value.floats.size(), 7);
    again.read({1, 0}, 2, back, 0);
    EXPECT_EQ(back.ints, value.ints) << kindName(kind);
    EXPECT_EQ(back.floats, value.floats) << kindName(kind);
    size_t size = isSubByte(kind) ? 1 : 2 * elementBytes(kind),
           begin = isSubByte(kind) ? 3 : 3 * size;
    for (size_t at = 0; at < bytes.size(); ++at) {
      EXPECT_EQ(bytes[at] == '\x5a', at < begin || at >= begin + size)
          << kindName(kind) << " " << at;
    }
  }
}

TEST(Memory, UndefinedElementsAreNanInDense) {
  Memory memory(layout({3}, {1}, true), nullptr, 1, true);
  Value value = floats({7});
  value.bounds.assign(1, 0.5);
  memory.write({1}, 1, value, 0);
  std::optional<Memory::Dense> all = memory.dense(100);
  EXPECT_TRUE(std::isnan(all->values.floats[0]));
  EXPECT_EQ(all->values.floats[1], 7);
  EXPECT_EQ(all->bounds->floats, (std::vector<double>{0, 0.5, 0}));
  EXPECT_EQ(all->defined.ints, (std::vector<int64_t>{0, 1, 0}));
}

TEST(Memory, SeedsFollowAddresses) {
  // A stride of 0: every row is the same memory.
  Memory broadcast(layout({4, 8}, {0, 1}, false), nullptr, 5, true);
  Memory plain(layout({4, 8}, {8, 1}, false), nullptr, 5, true);
  std::vector<double> rows = broadcast.dense(100)->values.floats;
  std::vector<double> all = plain.dense(100)->values.floats;
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(rows[i], rows[i % 8]);
    EXPECT_EQ(rows[i % 8], all[i % 8]);
    EXPECT_EQ(std::fmod(all[i] * 64, 1), 0);
    EXPECT_LE(std::fabs(all[i]), 2);
  }
  EXPECT_NE(all[0], all[8]);
}

TEST(Memory, ScalarTensor) {
  Memory memory(layout({}, {}, true), nullptr, 1, true);
  EXPECT_EQ(memory.firstMissing(), Coord{});
  memory.write({}, 1, floats({2}), 0);
  EXPECT_EQ(memory.firstMissing(), std::nullopt);
  EXPECT_EQ(memory.dense(1)->values.floats, std::vector<double>{2});
}

TEST(Memory, EmptyTensorMissesNothing) {
  int64_t big = int64_t(1) << 40;
  Memory memory(layout({big, big, 0}, {0, 0, 1}, true), nullptr, 1, true);
  EXPECT_EQ(memory.firstMissing(), std::nullopt);
}

RC_GTEST_PROP(Memory, WritesAgainstADenseModel, ()) {
  int64_t rows = *rc::gen::inRange<int64_t>(1, 6);
  int64_t columns = *rc::gen::inRange<int64_t>(1, 600);
  Memory memory(layout({rows, columns}, {columns, 1}, true), nullptr, 1, true);
  std::map<int64_t, double> model;
  int writes = *rc::gen::inRange(0, 12);
  for (int w = 0; w < writes; ++w) {
    int64_t row = *rc::gen::inRange<int64_t>(0, rows);
    int64_t from = *rc::gen::inRange<int64_t>(0, columns);
    int64_t count = *rc::gen::inRange<int64_t>(1, columns - from + 1);
    Value value;
    for (int64_t i = 0; i < count; ++i) {
      value.push(Real{double(w * 1000 + i), 0});
      model[row * columns + from + i] = w * 1000 + i;
    }
    memory.write({row, from}, count, value, 0);
  }
  std::optional<Coord> missing;
  for (int64_t i = 0; i < rows * columns; ++i) {
    auto it = model.find(i);
    Coord at{i / columns, i % columns};
    RC_ASSERT(memory.firstUndefined(at, 1).has_value() == (it == model.end()));
    if (it == model.end()) {
      missing = missing ? missing : std::optional(at);
      continue;
    }
    Value back = floats({0});
    memory.read(at, 1, back, 0);
    RC_ASSERT(back.floats[0] == it->second);
  }
  RC_ASSERT(memory.firstMissing() == missing);
}

RC_GTEST_PROP(Ownership, AgainstAnElementMap, ()) {
  size_t rank = *rc::gen::inRange<size_t>(1, 3);
  Coord extents;
  for (size_t k = 0; k < rank; ++k) {
    extents.push_back(*rc::gen::inRange<int64_t>(1, 20));
  }
  Ownership ownership(extents, false);
  std::map<std::pair<int64_t, int64_t>, int64_t> owner;
  int claims = *rc::gen::inRange(1, 30);
  for (int c = 0; c < claims; ++c) {
    int64_t block = *rc::gen::inRange<int64_t>(0, 4);
    Coord tile, index;
    for (size_t k = 0; k < rank; ++k) {
      tile.push_back(int64_t(1) << *rc::gen::inRange(0, 5));
      index.push_back(
          *rc::gen::inRange<int64_t>(0, ceilDiv(extents[k], tile[k])));
    }
    Box box = tileBox(index, tile, extents);
    std::vector<std::pair<int64_t, int64_t>> elements;
    bool clash = false;
    for (int64_t i = box.low[0]; i < box.high[0]; ++i) {
      int64_t low = rank > 1 ? box.low[1] : 0;
      int64_t high = rank > 1 ? box.high[1] : 1;
      for (int64_t j = low; j < high; ++j) {
        auto it = owner.find({i, j});
        clash |= it != owner.end() && it->second != block;
        elements.push_back({i, j});
      }
    }
    auto result = ownership.take({block, 0}, tile, index);
    RC_ASSERT(result.has_value() == clash);
    if (clash) {
      std::pair<int64_t, int64_t> first{result->common.low[0],
                                        rank > 1 ? result->common.low[1] : 0};
      RC_ASSERT(owner.at(first) == result->earlier.block);
      RC_ASSERT(result->earlier.block != block);
      continue;
    }
    for (const auto &element : elements) {
      owner[element] = block;
    }
  }
}

TEST(Ownership, ThousandsOfBlocks) {
  Ownership ownership({int64_t(1) << 40, int64_t(1) << 6}, false);
  for (int64_t block = 0; block < 20000; ++block) {
    ASSERT_FALSE(ownership.take({block, 0}, {128, 64}, {block, 0}));
  }
  // One row of 4 by 4 tiles in the middle of the claimed ones.
  std::optional<Clash> clash =
      ownership.take({20000, 1}, {4, 4}, {32 * 777 + 5, 3});
  ASSERT_TRUE(clash);
  EXPECT_EQ(clash->earlier.block, 777);
  EXPECT_EQ(clash->common.low, (Coord{128 * 777 + 20, 12}));
  EXPECT_FALSE(ownership.take({777, 1}, {4, 4}, {32 * 777 + 5, 3}));
  EXPECT_FALSE(ownership.take({20000, 1}, {4, 4}, {32 * 20000, 0}));
}

} // namespace
} // namespace girih::exec
