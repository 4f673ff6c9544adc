// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Family.h"

#include "fuzz/generators/AtomicLanes.h"

namespace girih::fuzz {

/// Two of three are safe, one has a mistake.
static Sample atomicScatters(uint64_t seed) {
  return seed % 3 == 2
             ? atomicLanes(seed, seed / 7 % atomicMistakes(seed).size())
             : atomicLanes(seed);
}

const std::vector<Family> &kernelFamilies() {
  static const std::vector<Family> all = {
      {"several-stores", severalStores},
      {"by-contents", byContents},
      {"masks", randomMasks, true},
      {"atomic-scatters", atomicScatters},
      {"random-atomic-scatters", randomAtomicLanes, true},
  };
  return all;
}

std::optional<size_t> findFamily(const std::string &name) {
  for (size_t i = 0; i < kernelFamilies().size(); ++i) {
    if (kernelFamilies()[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

} // namespace girih::fuzz
