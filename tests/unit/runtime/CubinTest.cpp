// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of parameters is read out of any bytes: right for a cubin, nothing
// or some number for what is none, and never a look beside the bytes.

#include "runtime/artefact/Cubin.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih::runtime;
using namespace girih::tests;

TEST(Cubin, ParametersAreCounted) {
  EXPECT_EQ(countParameters(fakeCubin("fake 8 8 4 ; add", "sum"), "sum"), 3U);
  EXPECT_EQ(countParameters(fakeCubin("fake ; add", "sum"), "sum"), 0U);
  std::string cubin = fakeCubin("fake 8 8 ; add", "sum");
  for (const char *entry : {"su", "summ", "um", "", "other"}) {
    EXPECT_FALSE(countParameters(cubin, entry)) << entry;
  }
  // The other format of the record, which newer entries have.
  size_t record = cubin.find(std::string("\x04\x17\x0c\x00", 4));
  cubin[record + 1] = 0x45;
  EXPECT_EQ(countParameters(cubin, "sum"), 2U);
  cubin[record + 1] = 0x46;
  EXPECT_EQ(countParameters(cubin, "sum"), 1U);
}

TEST(Cubin, AnyBytesMayStandThere) {
  std::mt19937_64 random(20261123);
  const std::string good = fakeCubin("fake 8 8 8 8 ; add", "sum");
  for (int k = 0; k < 20000; ++k) {
    // Of its own length on the heap, so that a sanitizer sees the end.
    std::string bytes =
        good.substr(0, random() % 4 ? good.size() : random() % good.size());
    for (uint64_t n = random() % 6; n-- > 0 && !bytes.empty();) {
      bytes[random() % bytes.size()] =
          static_cast<char>(random() % 2 ? random() : 0 - random() % 2);
    }
    std::vector<char> exact(bytes.begin(), bytes.end());
    auto count = countParameters({exact.data(), exact.size()}, "sum");
    EXPECT_TRUE(!count || *count <= bytes.size() / 4);
  }
}
