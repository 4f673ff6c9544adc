// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader on damaged kernels: it never crashes or takes long, it says where
// and why it refuses, and what it accepts prints and reads back the same. More
// mutants than by default with GIRIH_MUTANTS.

#include "Kernels.h"
#include "Mutate.h"

#include "ir/text/Print.h"
#include "ir/text/Reader.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

using namespace girih;
using namespace girih::test;

/// The text with a place behind ops that are a line.
static std::string withPlacesBehind(const std::string &text) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    bool isOp = line.starts_with("  ") && line.find(" = ") != line.npos &&
                line.find("//") == line.npos && line.back() != '{' &&
                line.back() != ',';
    out += line + (isOp ? " loc(\"k.cpp\":3:5)\n" : "\n");
  }
  return out;
}

TEST(ReaderMutants, neverCrashAndAcceptedOnesReadBack) {
  std::vector<std::string> kernels;
  for (std::string folder : {"proofs/kernels", "tests/corpus/girih/bugs"}) {
    for (const auto &path : kernelPaths(folder)) {
      kernels.push_back(readText(path));
      kernels.push_back(withPlacesBehind(kernels.back()));
    }
  }
  ASSERT_GE(kernels.size(), 8u);
  const char *wish = std::getenv("GIRIH_MUTANTS");
  size_t mutants = wish ? std::strtoul(wish, nullptr, 10) : 5000;
  const char *seed = std::getenv("GIRIH_SEED");
  Dice dice(seed ? std::strtoul(seed, nullptr, 10) : 1);
  const char *dump = std::getenv("GIRIH_MUTANT_FILE");
  std::unique_ptr<mlir::MLIRContext> context;
  size_t accepted = 0, withPlaces = 0;
  for (size_t i = 0; i < mutants; ++i) {
    if (i % 500 == 0) {
      context = std::make_unique<mlir::MLIRContext>(
          mlir::MLIRContext::Threading::DISABLED);
    }
    std::string text = mutate(kernels[dice.below(kernels.size())],
                              kernels[dice.below(kernels.size())], dice);
    if (dump) {
      std::ofstream(dump) << text;
    }
    std::string errors;
    llvm::raw_string_ostream os(errors);
    auto begin = std::chrono::steady_clock::now();
    auto files = tile::readKernelTexts(*context, text, "mutant.mlir", os);
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    ASSERT_LT(took.count(), 1.0) << "mutant " << i << ":\n" << text;
    ASSERT_EQ(files.empty(), !errors.empty()) << text << errors;
    if (files.empty()) {
      // What was written elsewhere is told there first.
      ASSERT_NE(("\n" + errors).find("\nmutant.mlir:"), std::string::npos)
          << errors << text;
      continue;
    }
    ++accepted;
    for (const auto &file : files) {
      std::string once = tile::printText(file->kernel);
      auto again = tile::readKernelText(*context, once, "printed.mlir", os);
      ASSERT_TRUE(again) << errors << once << "\nfrom\n" << text;
      ASSERT_EQ(tile::printText(again->kernel), once);
      std::string placed = tile::printPlaced(file->kernel);
      withPlaces += placed != once;
      auto there = tile::readKernelText(*context, placed, "placed.mlir", os);
      ASSERT_TRUE(there) << errors << placed << "\nfrom\n" << text;
      ASSERT_EQ(tile::printPlaced(there->kernel), placed);
      ASSERT_EQ(tile::printText(there->kernel), once);
    }
  }
  EXPECT_GT(accepted, mutants / 100);
  EXPECT_GT(withPlaces, 0u);
  RecordProperty("accepted", static_cast<int>(accepted));
}
