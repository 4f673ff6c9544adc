// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operand and attribute of every op that touches memory, wrong in several
// ways: the gate names each, but for those for which `whyHarmless` has a
// reason. Faults are drawn; preset `long` goes through the library, too.

#include "fuzz/campaign/OperandFaults.h"
#include "fuzz/campaign/TokenOrder.h"
#include "lower/tileir/Encoding.h"
#include "tests/unit/Long.h"
#include "tests/unit/tileir/Compiled.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

using namespace girih;
using namespace girih::tileir;
namespace fs = std::filesystem;

namespace {

/// By `op part`: how many faults were named, and how many passed.
struct Count {
  size_t named = 0, passed = 0;
};
using Counts = std::map<std::string, Count>;

/// Plants about one of `every` faults in each entry point of a kernel.
void plant(const std::string &path, size_t every, uint64_t seed,
           Counts &counts) {
  Compiled c(path);
  if (!c.checked.verdict.verified) {
    return;
  }
  auto opened = lower::Gate::open(c.verified());
  ASSERT_TRUE(std::holds_alternative<lower::Gate>(opened)) << path;
  auto &gate = std::get<lower::Gate>(opened);
  const Module &module = c.lowered.module;
  ASSERT_EQ(gate.differs(c.lowered, writeBytecode(module)).value_or(""), "");
  std::mt19937_64 random(seed);
  for (size_t f = 0; f < module.functions.size(); ++f) {
    EXPECT_TRUE(fuzz::isOrdered(module.functions[f])) << path;
    fuzz::forEachOperandFault(
        module, f, [&](auto &) { return random() % every == 0; },
        [&](const fuzz::OperandFault &fault, const Module &broken) {
          bool named =
              gate.differs(c.lowered, writeBytecode(broken)).has_value();
          Count &count = counts[fault.op + " " + fault.part];
          ++(named ? count.named : count.passed);
          EXPECT_TRUE(named || fuzz::whyHarmless(fault, c.verified().text(),
                                                 broken.functions[f]))
              << path << ", entry " << f << ": " << fault.text();
        });
  }
}

/// What no kernel of the language has: the faults that nobody can plant.
const std::set<std::string> absent = {
    "load_ptr_tko token",              // shared tensors alone are gathered from
    "gdc_launch_dependents_tko token", // the first ops: nothing is before them
    "gdc_wait_tko token",
};
/// What says nothing to the gate, and why, stands in lower/readback/README.md.
const std::set<std::string> unseen = {
    "atomic_red_view_tko token", "atomic_rmw_tko token",
    "load_ptr_tko hints",        "load_view_tko hints",
    "store_ptr_tko hints",       "store_view_tko hints"};

/// Each part of each op was wrong at least once, and was named.
void expectAll(const Counts &counts) {
  for (const OpForm &form : opForms()) {
    if (!fuzz::hasOperandFaults(form.mnemonic)) {
      continue;
    }
    std::vector<std::string> parts;
    for (const OperandForm &o : form.operands) {
      parts.push_back(o.name);
    }
    for (const AttrForm &a : form.attributes) {
      parts.push_back(a.name);
    }
    for (const std::string &part : parts) {
      std::string key = std::string(form.mnemonic) + " " + part;
      auto it = counts.find(key);
      bool excused = absent.contains(key) || unseen.contains(key);
      EXPECT_TRUE(excused || (it != counts.end() && it->second.named > 0))
          << key << ": no fault of it was named";
    }
  }
}

std::vector<std::string> pathsIn(const char *folder) {
  std::vector<std::string> paths;
  for (const auto &entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".mlir") {
      paths.push_back(entry.path().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(OperandFaults, EachIsNamed) {
  Counts counts;
  for (const char *folder : {"proofs/kernels", "tests/tileir/kernels"}) {
    for (const std::string &path : pathsIn(folder)) {
      if (test::isLong) {
        plant(path, 10, 1000, counts);
      }
    }
  }
  constexpr size_t every = 3, seed = 1;
  for (const char *path :
       {"tileir/kernels/atomic_lanes", "tileir/kernels/atomics",
        "tileir/kernels/gather_padding", "tileir/kernels/inside",
        "tileir/kernels/lanes", "tileir/kernels/nibbles_strides",
        "tileir/kernels/order", "tileir/kernels/pad_numbers",
        "tileir/kernels/raw", "tileir/kernels/slices", "tileir/kernels/spread",
        "tileir/kernels/stretched", "tileir/kernels/values",
        "tileir/kernels/whiles", "corpus/girih/lanes/lane_hole.good"}) {
    plant("tests/" + std::string(path) + ".mlir", every, seed, counts);
  }
  expectAll(counts);
  for (const auto &[key, count] : counts) {
    RecordProperty(key, std::to_string(count.named) + " named, " +
                            std::to_string(count.passed) + " passed");
  }
}

} // namespace
