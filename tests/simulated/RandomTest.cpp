// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with the right waits: nothing is found, and the result is
// that of the same program in sequence. Without one of them: a race is found
// where a model of the order has one.

#include "tests/simulated/Machine.h"

#include <bitset>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace girih::tests {

namespace {

struct Outcome {
  std::vector<std::string> errors;
  bool right = true;
  bool races = false; ///< as the model says
};

/// What is before what, written down anew: of each stream the pieces of work
/// that its next one is behind.
struct Model {
  static constexpr size_t most = 64;
  struct Use {
    int tensor;
    bool writes;
    size_t work;
  };
  std::bitset<most> behind[4];
  std::vector<Use> uses;
  size_t count = 0;
  bool races = false;

  void wait(int before, int after) { behind[after] |= behind[before]; }
  void use(int stream, int tensor, bool writes) {
    for (const Use &use : uses) {
      races |= use.tensor == tensor && (use.writes || writes) &&
               use.work != count && !behind[stream][use.work];
    }
    uses.push_back({tensor, writes, count});
  }
  void end(int stream) { behind[stream].set(count++); }
};

/// Launches of axpy on a few tensors and streams. Each waits for the last
/// writer of what it reads and for all uses of what it writes; the wait
/// numbered `without` is left out.
Outcome run(uint64_t seed, int without) {
  constexpr int tensors = 5, streams = 4, launches = 40, n = 16;
  Machine m(seed);
  std::mt19937_64 random(seed);
  void *axpy = m.function("axpy", "4 8 8 8");
  void *on[streams];
  uint64_t at[tensors];
  float expected[tensors];
  int writer[tensors] = {};
  bool readers[tensors][streams] = {};
  Model model;
  for (void *&stream : on) {
    stream = m.stream();
  }
  for (int k = 0; k < tensors; ++k) {
    at[k] = 0;
    m.h.memoryAllocateBehind(&at[k], 4 * n, on[0]);
    m.h.fill32Behind(at[k], 0x3f800000, n, on[0]);
    expected[k] = 1;
    model.use(0, k, true);
    model.end(0);
  }
  Outcome outcome;
  int waits = 0;
  auto wait = [&](int before, int after) {
    if (before == after) {
      return;
    }
    if (waits++ != without) {
      m.order(on[before], on[after]);
      model.wait(before, after);
    }
  };
  for (int l = 0; l < launches; ++l) {
    int x = static_cast<int>(random() % tensors);
    int y = (x + 1 + static_cast<int>(random() % (tensors - 1))) % tensors;
    int s = static_cast<int>(random() % streams);
    wait(writer[x], s);
    wait(writer[y], s);
    for (int r = 0; r < streams; ++r) {
      if (std::exchange(readers[y][r], false)) {
        wait(r, s);
      }
    }
    model.use(s, x, false);
    model.use(s, y, true);
    model.end(s);
    m.launch(axpy, on[s], 0.5F, at[x], at[y], int64_t(n));
    expected[y] += 0.5F * expected[x];
    writer[y] = s;
    readers[x][s] = true;
  }
  for (int r = 1; r < streams; ++r) {
    m.order(on[r], on[0]);
  }
  for (int k = 0; k < tensors; ++k) {
    float out[n];
    m.d.copyToHostBehind(out, at[k], sizeof out, on[0]);
    m.d.streamSynchronize(on[0]);
    outcome.right &= out[0] == expected[k] && out[n - 1] == expected[k];
    m.h.memoryFreeBehind(at[k], on[0]);
  }
  outcome.errors = m.s.errors();
  outcome.races = model.races;
  return outcome;
}

int draws() {
  const char *text = std::getenv("GIRIH_DRAWS");
  return text ? std::atoi(text) : 60;
}

} // namespace

TEST(Random, RightProgramsHaveNoFindings) {
  for (int seed = 1; seed <= draws(); ++seed) {
    Outcome outcome = run(static_cast<uint64_t>(seed), -1);
    ASSERT_TRUE(outcome.errors.empty()) << seed << ": " << outcome.errors[0];
    ASSERT_TRUE(outcome.right) << seed;
  }
}

/// A wait that others imply may be missing: the model says which.
TEST(Random, MissingWaitsAreFound) {
  int races = 0;
  for (int seed = 1; seed <= draws(); ++seed) {
    Outcome outcome = run(static_cast<uint64_t>(seed), seed % 20);
    ASSERT_EQ(!outcome.errors.empty(), outcome.races) << seed;
    ASSERT_TRUE(outcome.races || outcome.right) << seed;
    races += outcome.races;
  }
  EXPECT_GT(races, 0);
}

} // namespace girih::tests
