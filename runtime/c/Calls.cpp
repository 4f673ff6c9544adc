// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/c/Calls.h"

namespace girih::runtime {

/// More shapes than a program has that does not change them all the time.
static constexpr size_t maxShapes = 256;

bool CallNumbers::read(const Manifest &manifest,
                       const girih_argument *arguments, size_t argument_count,
                       const girih_symbol *symbols, size_t symbol_count) {
  const size_t all = manifest.arguments.size();
  if (argument_count != all || symbol_count > manifest.symbols.size() ||
      !arguments || (symbol_count != 0 && !symbols)) {
    return false;
  }
  shape.clear();
  addresses.assign(all, 0);
  scalars.assign(all, 0);
  for (size_t k = 0; k < argument_count; ++k) {
    const girih_argument &given = arguments[k];
    if (!given.name) {
      return false;
    }
    // Most callers give them in order.
    std::optional<size_t> number = manifest.arguments[k].name == given.name
                                       ? k
                                       : argumentNamed(manifest, given.name);
    if (!number) {
      return false;
    }
    const Argument &argument = manifest.arguments[*number];
    shape.push_back(static_cast<int64_t>(*number));
    if (argument.isTensor != (given.element != nullptr)) {
      return false;
    }
    if (!argument.isTensor) {
      scalars[*number] = given.value;
      continue;
    }
    if (std::string_view(given.element) != nameOf(argument.element) ||
        given.rank != argument.dims.size() ||
        (given.rank != 0 && (!given.extents || !given.strides)) ||
        (given.evidence != GIRIH_NOTHING && given.evidence != GIRIH_VOUCHED)) {
      return false;
    }
    addresses[*number] = given.address;
    shape.push_back(given.evidence);
    shape.insert(shape.end(), given.extents, given.extents + given.rank);
    shape.insert(shape.end(), given.strides, given.strides + given.rank);
  }
  for (size_t k = 0; k < symbol_count; ++k) {
    if (!symbols[k].name) {
      return false;
    }
    std::optional<size_t> number = symbolNamed(manifest, symbols[k].name);
    if (!number) {
      return false;
    }
    shape.push_back(static_cast<int64_t>(*number));
    shape.push_back(symbols[k].value);
  }
  return true;
}

size_t PassedCalls::Hash::operator()(const std::vector<int64_t> &shape) const {
  uint64_t hash = 0;
  for (int64_t number : shape) {
    // Steele and Vigna, "Computationally easy, spectrally good multipliers".
    hash = (hash ^ static_cast<uint64_t>(number)) * 0xd1342543de82ef95;
    hash ^= hash >> 32;
  }
  return hash;
}

std::shared_ptr<const PassedCall>
PassedCalls::find(const std::vector<int64_t> &shape) const {
  auto found = calls.find(shape);
  return found == calls.end() ? nullptr : found->second;
}

void PassedCalls::add(const std::vector<int64_t> &shape, PassedCall call) {
  if (calls.size() >= maxShapes) {
    calls.clear();
  }
  calls.insert_or_assign(shape,
                         std::make_shared<const PassedCall>(std::move(call)));
}

} // namespace girih::runtime
