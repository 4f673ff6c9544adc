// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: round trips, and bytes that mean harm.

#include "spec/executor/tool/Npy.h"
#include "spec/executor/numerics/Float.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

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

/// The bytes of a file with the given header and elements.
std::string npy(std::string header, const std::string &elements) {
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(header.size() & 0xff);
  bytes += char(header.size() >> 8);
  return bytes + header + elements;
}

std::string errorOf(const std::string &bytes, Kind kind) {
  std::string error;
  EXPECT_FALSE(parseNpy(bytes, kind, error));
  EXPECT_FALSE(error.empty());
  return error;
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
  std::string error;
  std::string file = npy("{'descr': '|u1', 'fortran_order': True, "
                         "'shape': (2, 2), }",
                         "\x21\x43\x65\x87");
  std::optional<Array> array = parseNpy(file, Kind::I4, error);
  ASSERT_TRUE(array) << error;
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(array->ints, (std::vector<int64_t>{1, 2, 5, 6, 3, 4, 7, -8}));
  // A row of three ends in a byte of its own.
  Array odd = sample(Kind::I4, {2, 3});
  EXPECT_EQ(printNpy(odd).size() % 64, 4U);
  errorOf(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "a"),
          Kind::I4);
}

TEST(Npy, FortranOrderIsTurned) {
  std::string error;
  std::optional<Array> array =
      parseNpy(npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
                   std::string("\x00\x03\x01\x04\x02\x05", 6)),
               Kind::I8, error);
  ASSERT_TRUE(array) << error;
  EXPECT_EQ(array->ints, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Npy, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(errorOf("", Kind::F32), "not a .npy file");
  EXPECT_EQ(errorOf("PK\x03\x04 a zip file", Kind::F32), "not a .npy file");
  std::string good = printNpy(sample(Kind::F32, {3}));
  EXPECT_EQ(errorOf(good, Kind::F64),
            "elements are '<f4', expected '<f8' for f64");
  EXPECT_EQ(errorOf(good, Kind::BF16),
            "elements are '<f4', expected '<u2' for bf16");
  EXPECT_EQ(errorOf(good.substr(0, good.size() - 1), Kind::F32),
            "shape [3] of f32 does not match 11 bytes of elements");
  EXPECT_EQ(errorOf(good + "x", Kind::F32),
            "shape [3] of f32 does not match 13 bytes of elements");
  EXPECT_EQ(errorOf(good.substr(0, 30), Kind::F32), "malformed .npy header");
  EXPECT_EQ(errorOf(npy("{'descr': '>f4', 'fortran_order': False, 'shape': "
                        "(1,), }",
                        "abcd"),
                    Kind::F32),
            "elements are '>f4', expected '<f4' for f32");
}

TEST(Npy, HugeShapesAreRefused) {
  const char *shapes[] = {"(9223372036854775807, 9223372036854775807)",
                          "(4294967296, 4294967296, 0, 4294967296)",
                          "(99999999999999999999999,)", "(-1,)"};
  for (const char *shape : shapes) {
    errorOf(npy("{'descr': '<f4', 'fortran_order': False, 'shape': " +
                    std::string(shape) + ", }",
                "abcd"),
            Kind::F32);
  }
}

TEST(Npy, MutatedFilesNeverCrash) {
  std::mt19937_64 random(11);
  for (Kind kind : kinds) {
    std::string good = printNpy(sample(kind, {2, 3}));
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = good;
      int changes = 1 + int(random() % 4);
      for (int c = 0; c < changes; ++c) {
        switch (random() % 3) {
        case 0:
          bytes[random() % bytes.size()] = char(random());
          break;
        case 1:
          bytes.erase(random() % bytes.size(), 1 + random() % 8);
          break;
        default:
          bytes.insert(random() % bytes.size(), 1, char(random()));
        }
        if (bytes.empty()) {
          break;
        }
      }
      std::string error;
      std::optional<Array> array = parseNpy(bytes, kind, error);
      ASSERT_EQ(array.has_value(), error.empty());
    }
  }
}

RC_GTEST_PROP(Npy, ArbitraryBytesNeverCrash, (std::string tail)) {
  std::string error;
  parseNpy(std::string("\x93NUMPY\x01\x00\x10\x00", 10) + tail, Kind::F32,
           error);
  parseNpy(tail, Kind::I32, error);
}

} // namespace
} // namespace girih::exec
