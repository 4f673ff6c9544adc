// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of a lowering, planted into good programs: each is refused, for its
// own reason.

#include "Programs.h"

#include <gtest/gtest.h>

#include <set>

using namespace girih::ptx;
using namespace girih::ptx::test;

namespace {
struct Fault {
  std::string program, name, reason;
  std::vector<std::pair<std::string, std::string>> edits;
};
} // namespace

static const std::vector<Fault> &faults() {
  static const std::vector<Fault> all = {
#define FAULT(program, name, reason, ...)                                      \
  {program, name, reason, {__VA_ARGS__}},
#include "RowFaults.def"
#include "GatherFaults.def"
#include "HeadFaults.def"
#include "Faults.def"
  };
  return all;
}

/// The text with the edits; each place must be one.
static std::string planted(std::string text, const Fault &fault) {
  for (const auto &[from, to] : fault.edits) {
    size_t at = text.find(from);
    if (at == text.npos || text.find(from, at + 1) != text.npos) {
      ADD_FAILURE() << fault.name << ": not once: " << from;
      return "";
    }
    text.replace(at, from.size(), to);
  }
  return text;
}

static void expectRefused(const std::string &name) {
  const std::string good = program(name + ".ptx");
  const Expected expected = expectedOf(name);
  size_t count = 0;
  for (const Fault &fault : faults()) {
    if (fault.program != name) {
      continue;
    }
    ++count;
    auto result = validated(planted(good, fault), expected);
    EXPECT_TRUE(refusal(result).starts_with(fault.reason))
        << fault.name << "\nexpected: " << fault.reason
        << "\ngot:      " << refusal(result);
  }
  EXPECT_GE(count, 10u);
}

TEST(Faults, ofMaskedCopy) { expectRefused("copy"); }
TEST(Faults, ofRowReduction) { expectRefused("rowsum"); }
TEST(Faults, ofGemvByLoads) { expectRefused("gemv"); }
TEST(Faults, ofGemvByRing) { expectRefused("ring"); }

TEST(Faults, ofGemvByRingInSlices) { expectRefused("sliced"); }

TEST(Faults, ofRows) { expectRefused("rows"); }
TEST(Faults, ofNumbersInMemory) { expectRefused("gather"); }
TEST(Faults, ofAxesOfTheGrid) { expectRefused("heads"); }

TEST(Faults, haveNames) {
  std::set<std::pair<std::string, std::string>> names;
  for (const Fault &fault : faults()) {
    EXPECT_TRUE(names.insert({fault.program, fault.name}).second) << fault.name;
  }
  EXPECT_GE(names.size(), 60u);
}
