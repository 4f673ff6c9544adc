// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes: what is no module, or a module with a byte changed, cut out or
// doubled, is read or refused, never more. What compilers wrote is read.

#include "lower/import/Import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

using namespace girih;

namespace {

using Bytes = std::vector<uint8_t>;

std::vector<Bytes> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(
           GIRIH_SOURCE_DIR "/tests/import/bytecode")) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> out;
  for (const auto &path : paths) {
    std::ifstream file(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(file),
                     std::istreambuf_iterator<char>());
  }
  return out;
}

/// How many entries are imported, of bytes that need be no module.
size_t bring(const Bytes &bytes) {
  auto read = readback::read(bytes, readback::Accept::All);
  auto *functions = std::get_if<std::vector<readback::Function>>(&read);
  if (!functions) {
    return 0;
  }
  size_t imported = 0;
  for (const readback::Function &f : *functions) {
    imported += importer::importKernel(f, {}).index() == 0;
  }
  return imported;
}

TEST(Bytes, OfOthersAreReadAndOfOursAloneByTheGate) {
  size_t imported = 0, foreign = 0;
  for (const Bytes &bytes : corpus()) {
    EXPECT_EQ(readback::read(bytes, readback::Accept::All).index(), 0u);
    foreign += readback::read(bytes).index() == 1;
    imported += bring(bytes);
  }
  EXPECT_GE(imported, 50u);
  // 13.1 and 13.2, ops and types that the emitter does not write.
  EXPECT_GE(foreign, 10u);
}

TEST(Bytes, ThatAreChangedAreReadOrRefused) {
  std::mt19937 random(42);
  size_t imported = 0, tried = 0;
  for (const Bytes &whole : corpus()) {
    for (int round = 0; round < 150; ++round) {
      Bytes bytes = whole;
      for (unsigned n = 1 + random() % 3; n-- > 0;) {
        size_t at = random() % bytes.size();
        switch (random() % 4) {
        case 0:
          bytes[at] = uint8_t(random());
          break;
        case 1:
          bytes[at] ^= uint8_t(1U << random() % 8);
          break;
        case 2:
          bytes.erase(bytes.begin() + long(at));
          break;
        default:
          bytes.insert(bytes.begin() + long(at), bytes[at]);
        }
      }
      imported += bring(bytes);
      ++tried;
    }
  }
  EXPECT_GE(tried, 9000u);
  EXPECT_GT(imported, 100u) << "changes that leave a kernel behind";
  EXPECT_LT(imported, tried);
}

TEST(Bytes, ThatEndEarlyAreRefused) {
  Bytes bytes = corpus().front();
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_EQ(readback::read(bytes, readback::Accept::All).index(), 1u);
  }
}

} // namespace
