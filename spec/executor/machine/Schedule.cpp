// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block orders. A permutation of billions of blocks is a Feistel cipher on
// their numbers, walked until it falls into range.

#include "spec/executor/machine/Schedule.h"

#include <bit>

namespace girih::exec {

int64_t permuted(int64_t k, int64_t count, uint64_t seed) {
  auto bound = static_cast<uint64_t>(count);
  unsigned half = (std::bit_width(bound - 1) + 1) / 2;
  if (half == 0) {
    return 0;
  }
  uint64_t mask = (uint64_t(1) << half) - 1;
  auto x = static_cast<uint64_t>(k);
  do {
    uint64_t left = x >> half, right = x & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      uint64_t next = left ^ (mix(seed * 4 + round + (right << 2)) & mask);
      left = right;
      right = next;
    }
    x = left << half | right;
  } while (x >= bound);
  return static_cast<int64_t>(x);
}

/// Up to 64 blocks are under way, fewer when their values are large.
static int64_t windowSize(const World &world) {
  int64_t lanes = lanesOfBlock(world.program.kernel, world.program.values) + 1;
  return std::clamp<int64_t>((int64_t(1) << 24) / lanes, 2, 64);
}

static void runInterleaved(World &world, int64_t count,
                           llvm::function_ref<int64_t(int64_t)> blockAt) {
  std::vector<std::unique_ptr<Machine>> running;
  int64_t started = 0, window = windowSize(world);
  uint64_t random = mix(world.options.seed);
  while (!world.stopped()) {
    while (started < count && std::ssize(running) < window) {
      int64_t k = permuted(started++, count, world.options.seed);
      running.push_back(std::make_unique<Machine>(world));
      running.back()->start(blockAt(k));
      ++world.result.blocks;
    }
    if (running.empty()) {
      return;
    }
    random = mix(random);
    std::unique_ptr<Machine> &chosen = running[random % running.size()];
    chosen->run(/*stopBeforeEvent=*/true);
    if (chosen->done()) {
      world.result.ended += !world.result.exhausted;
      std::swap(chosen, running.back());
      running.pop_back();
    }
  }
}

void runBlocks(World &world, int64_t count,
               llvm::function_ref<int64_t(int64_t)> blockAt) {
  if (world.options.order == Order::Interleaved) {
    runInterleaved(world, count, blockAt);
    return;
  }
  Machine machine(world);
  for (int64_t k = 0; k < count && !world.stopped(); ++k) {
    int64_t at = k;
    if (world.options.order == Order::Reverse) {
      at = count - 1 - k;
    } else if (world.options.order == Order::Random) {
      at = permuted(k, count, world.options.seed);
    }
    machine.start(blockAt(at));
    machine.run(/*stopBeforeEvent=*/false);
    ++world.result.blocks;
    world.result.ended += !world.result.exhausted;
  }
}

} // namespace girih::exec
