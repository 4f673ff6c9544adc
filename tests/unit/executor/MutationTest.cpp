// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that nobody would write: whatever the dialect admits runs to a
// verdict, at any sizes, in any order.

#include "Launching.h"
#include "fuzz/generators/Forms.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace girih::exec {
namespace {

std::vector<std::string> everyKernel() {
  std::vector<std::string> texts;
  for (const char *folder : {"/proofs/kernels", "/tests/corpus/girih/rules"}) {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(
             GIRIH_SOURCE_DIR + std::string(folder))) {
      if (entry.path().extension() == ".mlir") {
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        texts.push_back(text.str());
      }
    }
  }
  return texts;
}

/// Edits that often leave a kernel well-formed.
struct Mutator {
  std::mt19937_64 random{17};

  size_t below(size_t n) { return random() % n; }

  /// Replaces one occurrence of a word by a related one.
  void swapWord(std::string &text) {
    static const std::vector<std::vector<std::string>> families = {
        fuzz::elementwiseNames("Binary", "index i1 iN"),
        {"eq", "ne", "slt", "sle", "sgt", "sge"},
        fuzz::elementwiseNames("Binary", "fN"),
        fuzz::elementwiseNames("Unary", "fN"),
        {"pad(zero) ", "pad(nan) ", "pad(neg_inf) ", ""},
        {"reduce add", "reduce mul", "reduce max", "reduce min", "scan add",
         "scan max", "argmax", "argmin"},
        {"block_id 0", "block_id 1", "grid_dim 0", "grid_dim 1"},
        {"ceildiv", "div", "mod", "min", "max"},
        {"%c0", "%c1", "%i", "%j", "%k", "%n", "%i1", "%t", "%s"},
        {"1024", "128", "64", "256", "1", "2"},
        {"own", "out", "out partial", "shared"},
        {" : 0", " : 1", " - 1", " + 1", " * 2"}};
    const auto &family = families[below(families.size())];
    const std::string &from = family[below(family.size())];
    if (from.empty()) {
      return;
    }
    std::vector<size_t> places;
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + 1)) {
      places.push_back(at);
    }
    const std::string &to = family[below(family.size())];
    if (places.empty()) {
      return;
    }
    if (below(3) == 0) { // everywhere, so that types go on to agree
      for (size_t k = places.size(); k-- > 0;) {
        text.replace(places[k], from.size(), to);
      }
      return;
    }
    text.replace(places[below(places.size())], from.size(), to);
  }

  std::string mutate(std::string text) {
    for (size_t edits = 1 + below(4); edits > 0; --edits) {
      swapWord(text);
    }
    return text;
  }

  int64_t size() {
    static constexpr int64_t sizes[] = {
        0,  1,   2,   3,   7,          64,         65,
        -1, 127, 128, 130, 2147483648, 4294967297, 1099511627776};
    return sizes[below(std::size(sizes))];
  }
};

TEST(Mutation, EveryAdmittedKernelRunsToAVerdict) {
  std::vector<std::string> texts = everyKernel();
  ASSERT_GT(texts.size(), 20u);
  Mutator mutator;
  int ran = 0, faulted = 0, clean = 0;
  for (int round = 0; round < 3000; ++round) {
    Kernel kernel(mutator.mutate(texts[mutator.below(texts.size())]));
    if (!kernel.file) {
      continue;
    }
    for (int launch = 0; launch < 4; ++launch) {
      Options options;
      options.maxSteps = 20000;
      options.maxBytes = 1 << 22;
      options.maxResultElements = 1 << 12;
      options.maxFaults = 1 + mutator.below(3);
      options.order = static_cast<Order>(mutator.below(4));
      options.values = mutator.below(2) != 0;
      options.indexWidth = mutator.below(4) ? 64 : 8 + mutator.below(57);
      std::map<std::string, int64_t> symbols;
      tile::KernelOp op = kernel.file->kernel;
      for (const tile::LaunchSymbol &symbol : op.getLaunchSymbols()) {
        symbols[symbol.name.str()] = mutator.size();
      }
      Result result = kernel.run(symbols, options);
      ++ran;
      faulted += !result.faults.empty();
      clean += result.clean();
    }
  }
  EXPECT_GT(ran, 2000);
  EXPECT_GT(faulted, 100);
  EXPECT_GT(clean, 200);
}

} // namespace
} // namespace girih::exec
