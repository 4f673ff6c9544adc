// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element by element; contents are seeded so that launches exist at all.

#include "spec/executor/Givens.h"

#include <algorithm>
#include <unordered_map>

namespace girih::exec {

using tile::GivenKind;

/// Where the elements of a tensor lie, in row-major order of coordinates.
static std::vector<int64_t> addresses(const Layout &layout, int64_t count) {
  std::vector<int64_t> out;
  std::vector<int64_t> at(layout.extents.size());
  for (int64_t n = 0; n < count; ++n) {
    int64_t address = 0;
    for (size_t k = 0; k < at.size(); ++k) {
      address += at[k] * layout.strides[k];
    }
    out.push_back(address);
    for (size_t k = at.size(); k-- > 0 && ++at[k] == layout.extents[k];) {
      at[k] = 0;
    }
  }
  return out;
}

namespace {
/// What all givens about one tensor say together.
struct Wish {
  Wide low = 0, high = 16; ///< low <= value < high
  bool sorted = false, distinct = false;
  std::optional<Wide> last; ///< of splits
};
} // namespace

static Wish wishFor(const Launch &launch, unsigned tensor, Kind kind,
                    Wide count) {
  Wish wish;
  bool ranged = false;
  auto range = [&](Wide low, Wide high) {
    wish.low = ranged ? std::max(wish.low, low) : low;
    wish.high = ranged ? std::min(wish.high, high) : high;
    ranged = true;
  };
  for (const Given &given : launch.givens) {
    if (given.tensor != tensor) {
      continue;
    }
    switch (given.kind) {
    case GivenKind::Within:
      range(given.low, given.high);
      break;
    case GivenKind::Splits:
      wish.last = given.high;
      wish.sorted = true;
      range(0, given.high < 0 ? 0 : given.high + 1);
      break;
    case GivenKind::Sorted:
      wish.sorted = true;
      break;
    case GivenKind::Distinct:
      wish.distinct = true;
      break;
    }
  }
  if (!ranged && wish.distinct) {
    wish.high = std::max(wish.high, count);
  }
  Wide half = Wide(1) << (integerBits(kind) - 1);
  range(-half, half);
  return wish;
}

/// One number for each place in memory, in order of address. Where no numbers
/// keep the wish, some that do not.
static std::vector<int64_t> numbersFor(const Wish &wish, size_t count,
                                       uint64_t seed) {
  Wide span = wish.high - wish.low;
  bool spread = wish.distinct && span >= Wide(count);
  std::vector<int64_t> out;
  for (size_t i = 0; i < count; ++i) {
    // Of distinct numbers each has a part of the range to itself.
    Wide from = spread ? span * i / count : 0;
    Wide to = spread ? span * (i + 1) / count : span;
    Wide offset = to > from ? Wide(mix(seed ^ i)) % (to - from) : 0;
    out.push_back(static_cast<int64_t>(wish.low + from + offset));
  }
  if (wish.sorted) {
    std::sort(out.begin(), out.end());
  } else if (spread) {
    for (size_t i = count; i > 1; --i) {
      std::swap(out[i - 1], out[mix(seed ^ (count + i)) % i]);
    }
  }
  if (wish.last && count > 0) {
    out.front() = 0;
    out.back() = static_cast<int64_t>(
        std::clamp(*wish.last, wish.low, std::max(wish.low, wish.high - 1)));
  }
  return out;
}

std::optional<std::map<std::string, Array>>
seededContents(tile::KernelOp kernel, const Launch &launch,
               const std::map<std::string, Array> &inputs, uint64_t seed) {
  std::map<std::string, Array> out;
  for (const Given &given : launch.givens) {
    std::string name = kernel.getArgName(given.tensor).str();
    if (inputs.count(name) || out.count(name)) {
      continue;
    }
    const Layout &layout = *launch.tensors[given.tensor];
    std::optional<Array> array = makeArray(
        layout.kind,
        std::vector<int64_t>(layout.extents.begin(), layout.extents.end()),
        maxGivenElements);
    if (!array) {
      return std::nullopt;
    }
    // Coordinates that share memory hold the same.
    std::vector<int64_t> at = addresses(layout, array->size()), places = at;
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    Wish wish = wishFor(launch, given.tensor, layout.kind, places.size());
    std::vector<int64_t> numbers =
        numbersFor(wish, places.size(), seedFor(seed, name));
    for (size_t i = 0; i < at.size(); ++i) {
      size_t place = std::lower_bound(places.begin(), places.end(), at[i]) -
                     places.begin();
      array->ints[i] = numbers[place];
    }
    out.emplace(std::move(name), std::move(*array));
  }
  return out;
}

/// `[2, 1]`, of an element's number in row-major order.
static std::string elementText(const std::vector<int64_t> &shape,
                               int64_t number) {
  std::vector<int64_t> at(shape.size());
  for (size_t k = shape.size(); k-- > 0;) {
    at[k] = number % shape[k];
    number /= shape[k];
  }
  return shapeText(at);
}

/// What is wrong with the contents, or nothing: "element [3] is 9".
static std::string breach(const Given &given, const Array &array) {
  const std::vector<int64_t> &v = array.ints;
  auto element = [&](size_t i) {
    return "element " + elementText(array.shape, static_cast<int64_t>(i)) +
           " is " + std::to_string(v[i]);
  };
  if (given.kind == GivenKind::Splits) {
    if (v.empty()) {
      return "the tensor is empty";
    }
    if (v.front() != 0) {
      return element(0);
    }
    if (v.back() != given.high) {
      return element(v.size() - 1) + ", not " + wideText(given.high);
    }
  }
  std::unordered_map<int64_t, size_t> seen;
  for (size_t i = 0; i < v.size(); ++i) {
    switch (given.kind) {
    case GivenKind::Within:
      if (v[i] < given.low || v[i] >= given.high) {
        return element(i) + ", outside [" + wideText(given.low) + ", " +
               wideText(given.high) + ")";
      }
      break;
    case GivenKind::Sorted:
    case GivenKind::Splits:
      if (i > 0 && v[i - 1] > v[i]) {
        return element(i - 1) + " and " + element(i);
      }
      break;
    case GivenKind::Distinct: {
      auto [before, fresh] = seen.try_emplace(v[i], i);
      if (!fresh) {
        return element(before->second) + " and " + element(i);
      }
      break;
    }
    }
  }
  return "";
}

std::string givenError(tile::KernelOp kernel, const Launch &launch,
                       const std::map<std::string, Array> &contents) {
  for (const Given &given : launch.givens) {
    auto it = contents.find(kernel.getArgName(given.tensor).str());
    std::string what =
        it == contents.end() ? "no contents" : breach(given, it->second);
    if (!what.empty()) {
      return "given " + given.text + ": " + what;
    }
  }
  return "";
}

} // namespace girih::exec
