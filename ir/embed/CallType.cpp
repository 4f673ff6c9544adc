// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "girih/kernel/CallType.h"
#include <algorithm>

namespace girih::kernel {

CallType::CallType(const char *type, recorder::File (*record)())
    : type(type), name(recorder::nameOfType(type)), record(record) {}

void CallType::add(const char *name, Element element,
                   const recorder::TensorType *tensor) {
  Member member{name, element, tensor, {}};
  for (int axis = 0; tensor && axis < tensor->rank; ++axis) {
    const Sym &extent = tensor->extents[axis];
    if (extent.number >= 0) {
      member.symbols.push_back(-1);
      continue;
    }
    auto known = std::find(symbols.begin(), symbols.end(), extent.name);
    member.symbols.push_back(int(known - symbols.begin()));
    if (known == symbols.end()) {
      symbols.push_back(extent.name);
    }
  }
  members.push_back(std::move(member));
}

static std::string counted(size_t count, const char *one, const char *several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string CallType::bind(std::span<const std::span<const i64>> tensors,
                           std::span<i64> values) const {
  std::fill(values.begin(), values.end(), -1);
  size_t number = 0;
  for (const Member &member : members) {
    if (!member.tensor) {
      continue;
    }
    std::span<const i64> extents = tensors[number++];
    if (extents.size() != member.symbols.size()) {
      return member.name + " has " + counted(extents.size(), "axis", "axes") +
             ", but the kernel has " + std::to_string(member.symbols.size());
    }
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      int symbol = member.symbols[axis];
      i64 want = symbol < 0 ? member.tensor->extents[axis].number
                            : values[size_t(symbol)];
      if (symbol >= 0 && want < 0) {
        values[size_t(symbol)] = extents[axis];
      } else if (want != extents[axis]) {
        return member.name + ": axis " + std::to_string(axis) + " has " +
               counted(size_t(extents[axis]), "element", "elements") +
               ", but " +
               (symbol < 0 ? "the kernel has "
                           : symbols[size_t(symbol)] + " is ") +
               std::to_string(want);
      }
    }
  }
  return "";
}

} // namespace girih::kernel
