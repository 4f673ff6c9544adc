// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Families of random kernels that came after the first distribution of the
// campaign, which stays as it is: each is drawn on demand and counted apart.

#ifndef GIRIH_FUZZ_GENERATORS_FAMILY_H
#define GIRIH_FUZZ_GENERATORS_FAMILY_H

#include "fuzz/generators/Generator.h"

#include <optional>

namespace girih::fuzz {

struct Family {
  const char *name;
  Sample (*draw)(uint64_t seed);
  bool isNarrowToo = false; ///< at times tried at an index of 8 bits
};

/// In the order in which they came. A new one goes to the end.
const std::vector<Family> &kernelFamilies();

/// The number of the family of this name.
std::optional<size_t> findFamily(const std::string &name);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FAMILY_H
