// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: what comes out of good ones, and hostile bytes.

#include "runtime/arguments/Npy.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
