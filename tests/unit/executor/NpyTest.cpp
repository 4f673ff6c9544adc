// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of every kind through .npy files; the format itself is tested with
// the runtime's reader.

#include "spec/executor/tool/Npy.h"
#include "spec/executor/numerics/Float.h"

#include <gtest/gtest.h>

namespace girih::exec {
namespace {

constexpr Kind kinds[] = {Kind::I1,   Kind::I8,        Kind::I16,    Kind::I32,
                          Kind::I64,  Kind::F8E4M3FN,  Kind::F8E5M2, Kind::F16,
                          Kind::BF16, Kind::F8E8M0FNU, Kind::F32,    Kind::F64};

Array sample(Kind kind, std::vector<int64_t> shape) {
  Array array = *makeArray(kind, std::move(shape), 1000);
  for (int64_t i = 0; i < array.size(); ++i) {
    if (isFloat(kind)) {
      array.floats[i] = roundTo(formatOf(kind), (double(i) - 3.3) * 1.7);
    } else {
      array.ints[i] = kind == Kind::I1 ? i & 1 : i - 4;
    }
  }
  return array;
}

TEST(Npy, RoundTripsEveryKind) {
  for (Kind kind : kinds) {
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {0}, {7}, {3, 0, 2}, {2, 3, 4}}) {
      Array array = sample(kind, shape);
      std::string error, bytes = printNpy(array);
      EXPECT_EQ(bytes.size() % 64,
                size_t(array.size()) * elementBytes(kind) % 64);
      std::optional<Array> back = parseNpy(bytes, kind, error);
      ASSERT_TRUE(back) << kindName(kind) << error;
      EXPECT_EQ(*back, array) << kindName(kind);
    }
  }
}

TEST(Npy, PairsShareAByte) {
  for (Kind kind : {Kind::I4, Kind::F4E2M1FN}) {
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{0}, {8}, {3, 0}, {2, 3, 2}}) {
      Array array = sample(kind, shape);
      std::string error, bytes = printNpy(array);
      EXPECT_EQ(bytes.size() % 64, size_t(array.size()) / 2 % 64);
      std::optional<Array> back = parseNpy(bytes, kind, error);
      ASSERT_TRUE(back) << kindName(kind) << error;
      EXPECT_EQ(*back, array) << kindName(kind);
    }
  }
  Array odd = sample(Kind::I4, {2, 3});
  EXPECT_EQ(printNpy(odd).size() % 64, 4U);
}

TEST(Npy, ElementsAreTheirBits) {
  std::string error;
  auto last = [](const std::string &bytes, size_t count) {
    return bytes.substr(bytes.size() - count);
  };
  Array halves = sample(Kind::BF16, {1});
  halves.floats = {-1.5};
  EXPECT_EQ(last(printNpy(halves), 2), "\xc0\xbf");
  Array nibbles = sample(Kind::I4, {2});
  nibbles.ints = {-8, 7};
  EXPECT_EQ(last(printNpy(nibbles), 1), "\x78");
  Array bits = sample(Kind::I1, {1});
  std::string file = printNpy(bits);
  file.back() = 7;
  std::optional<Array> back = parseNpy(file, Kind::I1, error);
  ASSERT_TRUE(back) << error;
  EXPECT_EQ(back->ints, std::vector<int64_t>{1});
}

TEST(Npy, ErrorsSayWhatIsWrong) {
  std::string error, good = printNpy(sample(Kind::F32, {3}));
  EXPECT_FALSE(parseNpy("", Kind::F32, error));
  EXPECT_EQ(error, "not a .npy file");
  EXPECT_FALSE(parseNpy(good, Kind::BF16, error));
  EXPECT_EQ(error, "elements are '<f4', expected '<u2' for bf16");
  EXPECT_FALSE(parseNpy(good + "x", Kind::F32, error));
  EXPECT_EQ(error, "shape [3] of f32 does not match 13 bytes of elements");
  ASSERT_TRUE(parseNpy(good, Kind::F32, error));
  EXPECT_EQ(error, "");
}

} // namespace
} // namespace girih::exec
