// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Family.h"

namespace girih::fuzz {

const std::vector<Family> &kernelFamilies() {
  static const std::vector<Family> all = {
      {"several-stores", severalStores},
      {"by-contents", byContents},
      {"masks", randomMasks, true},
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
