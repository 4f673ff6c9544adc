// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arguments/Preconditions.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace girih::runtime {

namespace {

/// Elements as numbers, in row-major order.
struct Numbers {
  Element element;
  const std::vector<int64_t> &extents;
  const char *bytes;
  int64_t size = 1;

  int64_t operator[](int64_t i) const {
    return integerAt(element, bytes + i * bytesOf(element));
  }

  /// `element [2, 1] is 9`
  std::string text(int64_t i) const {
    std::vector<int64_t> at(extents.size());
    int64_t rest = i;
    for (size_t k = at.size(); k-- > 0;) {
      at[k] = rest % extents[k];
      rest /= extents[k];
    }
    return fmt::format("element [{}] is {}", fmt::join(at, ", "), (*this)[i]);
  }
};

std::string outside(const Numbers &v, Bounds bounds) {
  for (int64_t i = 0; i < v.size; ++i) {
    if (int64_t n = v[i]; n < bounds.low || n >= bounds.high) {
      return v.text(i) +
             fmt::format(", outside [{}, {})", bounds.low, bounds.high);
    }
  }
  return "";
}

std::string descent(const Numbers &v) {
  for (int64_t i = 1; i < v.size; ++i) {
    if (v[i - 1] > v[i]) {
      return v.text(i - 1) + " and " + v.text(i);
    }
  }
  return "";
}

std::string wrongEnd(const Numbers &v, Bounds bounds) {
  if (v.size == 0) {
    return "the tensor is empty";
  }
  if (v[0] != 0) {
    return v.text(0) + ", not 0";
  }
  if (v[v.size - 1] != bounds.high) {
    return v.text(v.size - 1) + fmt::format(", not {}", bounds.high);
  }
  return "";
}

/// Of equal elements the first two in row-major order.
std::string twins(const Numbers &v) {
  std::vector<int64_t> order(static_cast<size_t>(v.size));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    int64_t x = v[a], y = v[b];
    return x != y ? x < y : a < b;
  });
  for (size_t k = 1; k < order.size(); ++k) {
    if (v[order[k - 1]] == v[order[k]]) {
      return v.text(order[k - 1]) + " and " + v.text(order[k]);
    }
  }
  return "";
}

Error refuse(const Precondition &given, const std::string &what) {
  return {ErrorKind::Usage, "contract: given " + given.text + ": " + what};
}

} // namespace

std::optional<Error> findBreach(const Precondition &given, Bounds bounds,
                                Element element,
                                const std::vector<int64_t> &extents,
                                const void *contents) {
  Numbers v{element, extents, static_cast<const char *>(contents)};
  for (int64_t extent : extents) {
    v.size *= extent;
  }
  std::string what;
  switch (given.kind) {
  case Precondition::Kind::Within:
    what = outside(v, bounds);
    break;
  case Precondition::Kind::Sorted:
    what = descent(v);
    break;
  case Precondition::Kind::Splits:
    what = wrongEnd(v, bounds);
    what = what.empty() ? descent(v) : what;
    break;
  case Precondition::Kind::Distinct:
    what = twins(v);
    break;
  }
  return what.empty() ? std::nullopt : std::optional(refuse(given, what));
}

bool isTrivial(const Precondition &given, const Layout &layout) {
  bool atMostOne = layout.empty() ||
                   std::all_of(layout.extents.begin(), layout.extents.end(),
                               [](int64_t extent) { return extent == 1; });
  return given.kind == Precondition::Kind::Within   ? layout.empty()
         : given.kind == Precondition::Kind::Splits ? false
                                                    : atMostOne;
}

std::optional<Error> checkGivens(const Manifest &manifest,
                                 const LaunchPlan &plan, const Call &call) {
  const std::vector<Precondition> &givens =
      manifest.variants[plan.variant].givens;
  for (size_t k = 0; k < givens.size(); ++k) {
    const Precondition &given = givens[k];
    const Layout &layout = plan.layouts[given.tensor];
    const TensorValue &value = *call.tensors[given.tensor];
    if (given.assumed || isTrivial(given, layout)) {
      continue;
    }
    if (given.kind == Precondition::Kind::Splits && layout.empty()) {
      return refuse(given, "the tensor is empty");
    }
    if (value.evidence == Evidence::None) {
      return refuse(given,
                    fmt::format("nobody has looked at the contents of %{}; "
                                "give them from the host, have them validated "
                                "on the device, or vouch for them",
                                manifest.arguments[given.tensor].name));
    }
    if (value.evidence != Evidence::Contents) {
      continue;
    }
    if (auto breach = findBreach(given, plan.bounds[k], layout.element,
                                 layout.extents, value.contents)) {
      return breach;
    }
  }
  return std::nullopt;
}

} // namespace girih::runtime
