// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: what comes out of good ones, and hostile bytes.

#include "runtime/arguments/NpyFile.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

using namespace girih::runtime;
using namespace girih::tests;

static std::string npy(const std::string &dictionary,
                       const std::string &elements, char version = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(dictionary.size() & 255);
  bytes += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) {
    bytes += std::string(2, '\0');
  }
  return bytes + dictionary + elements;
}

static std::string reason(const std::string &bytes,
                          Element element = Element::F32) {
  Expected<Array> array = parseNpy(bytes, element);
  EXPECT_TRUE(array || exitCode(array.error().why) == 3);
  return array ? "read" : array.error().reason;
}

TEST(Npy, ComesBack) {
  Array array = floats({1.5, -2, 3, 4, 5, 6});
  array.shape = {2, 3};
  std::string bytes = printNpy(array);
  EXPECT_EQ((bytes.size() - 24) % 64, 0U);
  Expected<Array> again = parseNpy(bytes, Element::F32);
  ASSERT_TRUE(again) << again.error().reason;
  EXPECT_EQ(again->shape, array.shape);
  EXPECT_EQ(again->bytes, array.bytes);
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{}, {6}, {0}, {3, 0, 2}}) {
    Array other{Element::I8, shape, {}};
    other.bytes.resize(shape.empty() ? 1 : shape[0] == 6 ? 6 : 0);
    Expected<Array> back = parseNpy(printNpy(other), Element::I8);
    ASSERT_TRUE(back) << back.error().reason;
    EXPECT_EQ(back->shape, shape);
  }
}

TEST(Npy, EveryVersionIsRead) {
  for (char version : {1, 2, 3}) {
    Expected<Array> array =
        parseNpy(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}",
                     std::string("\x01\x00\xff\xff", 4), version),
                 Element::I16);
    ASSERT_TRUE(array) << array.error().reason;
    EXPECT_EQ(array->shape, std::vector<int64_t>{2});
    EXPECT_EQ(integerAt(Element::I16, array->at(1)), -1);
  }
}

TEST(Npy, EveryElementComesBack) {
  for (const char *name : {"i1", "i8", "i16", "i32", "i64", "f16", "bf16",
                           "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"}) {
    Element element = *elementNamed(name);
    Array array{element, {2, 3}, std::string(6 * bytesOf(element), '\1')};
    Expected<Array> back = parseNpy(printNpy(array), element);
    ASSERT_TRUE(back) << name << back.error().reason;
    EXPECT_EQ(back->shape, array.shape) << name;
    EXPECT_EQ(back->bytes, array.bytes) << name;
  }
}

TEST(Npy, PairsShareAByte) {
  std::string file = npy("{'descr': '|u1', 'fortran_order': False, "
                         "'shape': (2, 1), }",
                         "\x21\xf3");
  Expected<Array> array = parseNpy(file, Element::F4E2M1FN);
  ASSERT_TRUE(array) << array.error().reason;
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(array->bytes, std::string("\x01\x02\x03\x0f"));
  Expected<Array> again = parseNpy(printNpy(*array), Element::F4E2M1FN);
  ASSERT_TRUE(again) << again.error().reason;
  EXPECT_EQ(again->shape, array->shape);
  EXPECT_EQ(again->bytes, array->bytes);
  EXPECT_EQ(reason(npy("{'descr': '|u1', 'fortran_order': False, "
                       "'shape': (), }",
                       "a"),
                   Element::I4),
            "pairs of i4 need an axis");
  EXPECT_EQ(reason(npy("{'descr': '|u1', 'fortran_order': False, "
                       "'shape': (2, 1), }",
                       "a"),
                   Element::I4),
            "shape [2, 1] of pairs of i4 does not match 1 byte of elements");
  // A row of three ends in a byte of its own.
  Array odd{Element::I4, {2, 3}, std::string("\1\2\3\4\5\6")};
  std::string bytes = printNpy(odd);
  EXPECT_EQ(bytes.substr(bytes.size() - 4), std::string("\x21\x03\x54\x06"));
  EXPECT_EQ(bytes.size() % 64, 4U);
  Expected<Array> turned =
      parseNpy(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2)}",
                   "\x21\x43\x65\x87"),
               Element::I4);
  ASSERT_TRUE(turned) << turned.error().reason;
  EXPECT_EQ(turned->shape, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(turned->bytes, std::string("\1\2\5\6\3\4\7\x8"));
}

TEST(Npy, FortranOrderIsTurned) {
  std::string elements = "abcdef";
  Expected<Array> array =
      parseNpy(npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
                   elements),
               Element::I8);
  ASSERT_TRUE(array) << array.error().reason;
  EXPECT_EQ(array->bytes, "acebdf");
}

TEST(Npy, BooleansAreZeroOrOne) {
  Expected<Array> array =
      parseNpy(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}",
                   std::string("\0\x01\x07", 3)),
               Element::I1);
  ASSERT_TRUE(array) << array.error().reason;
  EXPECT_EQ(array->bytes, std::string("\0\x01\x01", 3));
}

TEST(Npy, EachRefusalSaysWhy) {
  std::string four(4, '\0');
  EXPECT_EQ(
      reason(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
                 four, 2)),
      "read");
  EXPECT_EQ(reason(""), "not a .npy file");
  EXPECT_EQ(reason("\x93NUMPY"), "not a .npy file");
  EXPECT_EQ(reason(npy("{}", four, 4)), "unknown version of the .npy format");
  EXPECT_EQ(reason(npy("{}", four)), "malformed .npy header");
  EXPECT_EQ(reason(npy("{'descr': '<f4', 'shape': (1,)}", four)),
            "malformed .npy header");
  EXPECT_EQ(reason(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,"
                       ")} x",
                       four)),
            "malformed .npy header");
  EXPECT_EQ(reason(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                       "(-1,)}",
                       four)),
            "malformed .npy header");
  EXPECT_EQ(reason(npy("{'descr': '>f4', 'fortran_order': False, 'shape': "
                       "(1,)}",
                       four)),
            "elements are '>f4', expected '<f4' for f32");
  EXPECT_EQ(reason(npy("{'descr': '<f2', 'fortran_order': False, 'shape': "
                       "(2,)}",
                       four),
                   Element::BF16),
            "elements are '<f2', expected '<u2' for bf16");
  EXPECT_EQ(reason(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                       "(2,)}",
                       four)),
            "shape [2] of f32 does not match 4 bytes of elements");
  // Products that would wrap 64 bits.
  EXPECT_EQ(reason(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                       "(4294967296, 4294967296, 1)}",
                       "")),
            "shape [4294967296, 4294967296, 1] of f32 does not match 0 bytes "
            "of elements");
  EXPECT_EQ(reason(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                       "(99999999999999999999,)}",
                       "")),
            "malformed .npy header");
}

TEST(Npy, AbsurdHeadersAreRefused) {
  auto header = [](const std::string &shape) {
    return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape +
                   ", }",
               "abcd");
  };
  const char malformed[] = "malformed .npy header";
  for (const char *shape :
       {"(99999999999999999999999,)", "(-1,)", "((1,),)", "(1", "[1]", "1",
        "(1,,)", "(9223372036854775807, 9223372036854775807)",
        "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
        "1)"}) {
    EXPECT_EQ(reason(header(shape)), malformed) << shape;
  }
  EXPECT_EQ(reason(header("(4294967296, 4294967296, 0, 4294967296)")),
            "shape [4294967296, 4294967296, 0, 4294967296] of f32 does not "
            "match 4 bytes of elements");
  EXPECT_EQ(reason(header("(1, 4611686018427)")),
            "shape [1, 4611686018427] of f32 does not match 4 bytes of "
            "elements");
  // A key twice, a key of another format, a header that is none.
  EXPECT_EQ(reason(npy("{'shape': (1,), 'shape': (1,), 'descr': '<f4', "
                       "'fortran_order': False}",
                       "abcd")),
            malformed);
  EXPECT_EQ(reason(npy("{'descr': [('a', '<f4')], 'fortran_order': False, "
                       "'shape': (1,)}",
                       "abcd")),
            malformed);
  EXPECT_EQ(reason(npy(std::string(60000, '{'), "")), malformed);
  EXPECT_EQ(reason("PK\x03\x04 a zip file"), "not a .npy file");
}

TEST(Npy, TruncatedFilesAreRefused) {
  Array array = floats({1, 2, 3});
  std::string good = printNpy(array);
  for (size_t size = 0; size < good.size(); ++size) {
    std::string cut = reason(good.substr(0, size));
    const char *why = size < 12    ? "not a .npy file"
                      : size < 128 ? "malformed .npy header"
                                   : nullptr;
    std::string elements = "shape [3] of f32 does not match " +
                           std::to_string(size - 128) +
                           (size == 129 ? " byte" : " bytes") + " of elements";
    EXPECT_EQ(cut, why ? why : elements) << size;
  }
  EXPECT_EQ(reason(good + "x"),
            "shape [3] of f32 does not match 13 bytes of elements");
  EXPECT_EQ(reason(good, Element::F64),
            "elements are '<f4', expected '<f8' for f64");
}

TEST(Npy, MutatedFilesNeverCrash) {
  std::mt19937_64 random(11);
  for (const char *name : {"i1", "i4", "i64", "bf16", "f32", "f4E2M1FN"}) {
    Element element = *elementNamed(name);
    std::string good =
        printNpy({element, {2, 4}, std::string(8 * bytesOf(element), '\1')});
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = good;
      for (int changes = 1 + int(random() % 4); changes > 0; --changes) {
        size_t at = random() % bytes.size();
        switch (random() % 3) {
        case 0:
          bytes[at] = char(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 8);
          break;
        default:
          bytes.insert(at, 1, char(random()));
        }
        if (bytes.empty()) {
          break;
        }
      }
      Expected<Array> array = parseNpy(bytes, element);
      ASSERT_EQ(bool(array), array.error().reason.empty());
    }
  }
}

RC_GTEST_PROP(Npy, ArbitraryBytesNeverCrash, (std::string tail)) {
  parseNpy(std::string("\x93NUMPY\x01\x00\x10\x00", 10) + tail, Element::F32);
  parseNpy(tail, Element::I32);
}

RC_GTEST_PROP(Npy, SurvivesEveryByte, ()) {
  Array array = floats({1, 2, 3, 4, 5, 6});
  array.shape = {2, 3};
  std::string bytes = printNpy(array);
  for (int edits = *rc::gen::inRange(1, 6); edits > 0; --edits) {
    auto at = *rc::gen::inRange<size_t>(0, bytes.size());
    if (*rc::gen::inRange(0, 3) == 0) {
      bytes.resize(at + 1);
    } else {
      bytes[at] = *rc::gen::arbitrary<char>();
    }
  }
  Expected<Array> result = parseNpy(bytes, Element::F32);
  if (result) {
    int64_t count = 1;
    for (int64_t extent : result->shape) {
      count *= extent;
    }
    RC_ASSERT(count == result->size());
  }
}

TEST(Npy, FilesAreWrittenWholeOrNotAtAll) {
  Folder folder;
  EXPECT_FALSE(writeFile(folder.file("a.npy"), "bytes"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.npy.partial")));
  auto error = writeFile(folder.file("none/a.npy"), "bytes");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reason, folder.file("none/a.npy") + ": cannot be written");
  EXPECT_EQ(readNpy(folder.file("b.npy"), Element::F32).error().reason,
            folder.file("b.npy") + ": cannot be read");
}
