// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels as text: safe by construction for every launch that their
// contract admits, the same with one mistake in them, and random arithmetic,
// of which nothing is known. What the checker and the executor say of them must
// agree.

#ifndef GIRIH_FUZZ_GENERATORS_GENERATOR_H
#define GIRIH_FUZZ_GENERATORS_GENERATOR_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace girih::fuzz {

/// Values to try for each launch symbol, extents included.
struct Box {
  std::vector<std::pair<std::string, std::vector<int64_t>>> symbols;
};

struct Sample {
  uint64_t seed = 0;
  std::string text;
  /// What is known of the kernel at an index of 64 bits.
  enum class Truth {
    Safe,   ///< no admitted launch has a fault
    Unsafe, ///< some admitted launch has one, perhaps none in the box
    Open,   ///< only the box can tell
  } truth = Truth::Safe;
  std::string mutation; ///< what was broken; empty where none was made
  /// Launches that are small, empty and ragged ones among them.
  Box box;
  /// The box has a launch that meets the contract, if there is any.
  bool decides = false;
};

/// A kernel that is safe by construction.
Sample safeKernel(uint64_t seed);

/// The mistakes that can be made in that kernel, by name.
std::vector<std::string> mutationsOf(uint64_t seed);

/// The same kernel with one of them, by its place in the list.
Sample nearMiss(uint64_t seed, size_t mutation);

/// Index arithmetic at random, with small numbers: meant for an index of 8
/// bits, where every launch can be tried.
Sample randomIndices(uint64_t seed);

/// The same on lanes, with gathers and scatters.
Sample randomLanes(uint64_t seed);

/// The same with atomic scatters in their place.
Sample randomAtomicLanes(uint64_t seed);

/// Elements of 4 bits through views that may split their bytes.
Sample randomNibbles(uint64_t seed);

/// An output and several stores to it, which cover it together or leave a gap;
/// only the box can tell.
Sample severalStores(uint64_t seed);

/// Outputs of which contents of integer tensors tell who writes an element.
Sample byContents(uint64_t seed);

/// Masks of tiles and paddings that are numbers; only the box can tell.
Sample randomMasks(uint64_t seed);

/// Loops that end when they end: half of them safe, half with a mistake.
Sample whiles(uint64_t seed);

/// Kernels that came after the first distribution of the campaign, which stays
/// as it is: each family is drawn on demand and counted apart.
struct Family {
  const char *name;
  Sample (*draw)(uint64_t seed);
  bool isNarrowToo = false; ///< at times tried at an index of 8 bits
};

/// In the order in which they came. A new one goes to the end.
const std::vector<Family> &drawnFamilies();

/// The number of the family of this name.
std::optional<size_t> findFamily(const std::string &name);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_GENERATOR_H
