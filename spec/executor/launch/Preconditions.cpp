// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small contents element by element, large ones in closed form. Whether
// contents exist is decided exactly, but for elements that share memory: a
// range, an order and the ends of splits leave room or they do not.

#include "spec/executor/launch/Preconditions.h"

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

/// The number of elements, or more than any contents hold distinct ones.
static Wide countOf(const Layout &layout) {
  Wide count = 1;
  for (int64_t extent : layout.extents) {
    count = extent == 0 ? 0 : std::min(count * extent, Wide(1) << 80);
    if (count == 0) {
      break;
    }
  }
  return count;
}

namespace {
/// An interval of numbers: low <= value < high.
struct Range {
  Wide low = 0, high = 0;

  void meet(Range other) {
    low = std::max(low, other.low);
    high = std::min(high, other.high);
  }
  bool has(Wide x) const { return low <= x && x < high; }
  Wide span() const { return high - low; }
  std::string text() const {
    return "[" + wideText(low) + ", " + wideText(high) + ")";
  }
};

/// What all givens about one tensor say together.
struct Wish {
  Range range;
  bool sorted = false, distinct = false;
  std::optional<Wide> last; ///< of splits
  std::string conflict;     ///< between two splits
};
} // namespace

/// What an element can hold; an i1 is 0 or 1.
static Range rangeOf(Kind kind) {
  if (kind == Kind::I1) {
    return {0, 2};
  }
  Wide half = Wide(1) << (integerBits(kind) - 1);
  return {-half, half};
}

static Wish wishFor(const AdmittedLaunch &launch, unsigned tensor, Kind kind,
                    Wide count) {
  Wish wish;
  wish.range = rangeOf(kind);
  bool ranged = false;
  for (const Precondition &given : launch.givens) {
    if (given.tensor != tensor) {
      continue;
    }
    switch (given.kind) {
    case GivenKind::Within:
      wish.range.meet({given.low, given.high});
      ranged = true;
      break;
    case GivenKind::Splits:
      if (wish.last && *wish.last != given.high) {
        wish.conflict = "the last element is " + wideText(*wish.last) +
                        " and " + wideText(given.high);
      }
      wish.last = given.high;
      wish.sorted = ranged = true;
      break;
    case GivenKind::Sorted:
      wish.sorted = true;
      break;
    case GivenKind::Distinct:
      wish.distinct = true;
      break;
    }
  }
  Range small = wish.range;
  small.meet({0, wish.distinct ? std::max(count, Wide(16)) : Wide(16)});
  if (!ranged && (!wish.distinct || small.span() >= count)) {
    wish.range = small;
  }
  return wish;
}

/// Why no contents keep the wish, or nothing: then they exist, but for elements
/// that share memory. Of `count` elements `places` do not.
static std::string whyNone(const Wish &wish, Kind kind, Wide count,
                           Wide places) {
  const Range &range = wish.range;
  if (!wish.conflict.empty()) {
    return wish.conflict;
  }
  if (count == 0) {
    return wish.last ? "the tensor is empty" : "";
  }
  if (range.span() < 1) {
    return std::string("no ") + kindName(kind) + " is at least " +
           wideText(range.low) + " and below " + wideText(range.high);
  }
  if (wish.distinct && places < count) {
    return "distinct elements may share memory";
  }
  Range room = range;
  if (wish.last) {
    for (Wide end : {Wide(0), *wish.last}) {
      if (!range.has(end)) {
        return "an end of the splits, " + wideText(end) + ", is outside " +
               range.text();
      }
    }
    if (*wish.last < 0) {
      return "the splits go down, from 0 to " + wideText(*wish.last);
    }
    if (*wish.last > 0 && places == 1) {
      return "one element is 0 and " + wideText(*wish.last);
    }
    room = {0, *wish.last + 1};
  }
  if (wish.distinct && room.span() < count) {
    return "no " + wideText(count) + " distinct numbers lie in " + room.text();
  }
  return "";
}

/// One number for each place in memory, in order of address, that keep a wish
/// for which there are such numbers.
static std::vector<int64_t> numbersFor(Wish wish, size_t count, uint64_t seed) {
  if (wish.last) {
    wish.range = {0, *wish.last + 1};
  }
  Wide span = wish.range.span();
  std::vector<int64_t> out;
  for (size_t i = 0; i < count; ++i) {
    // Of distinct numbers each has a part of the range to itself.
    Wide from = wish.distinct ? span * i / count : 0;
    Wide to = wish.distinct ? span * (i + 1) / count : span;
    Wide offset = to > from ? Wide(mix(seed ^ i)) % (to - from) : 0;
    out.push_back(static_cast<int64_t>(wish.range.low + from + offset));
  }
  if (wish.sorted) {
    std::sort(out.begin(), out.end());
  } else if (wish.distinct) {
    for (size_t i = count; i > 1; --i) {
      std::swap(out[i - 1], out[mix(seed ^ (count + i)) % i]);
    }
  }
  if (wish.last && count > 0) {
    out.front() = 0;
    out.back() = static_cast<int64_t>(*wish.last);
  }
  return out;
}

static Array listed(const Wish &wish, const std::vector<int64_t> &at,
                    const std::vector<int64_t> &places, Array array,
                    uint64_t seed) {
  std::vector<int64_t> numbers = numbersFor(wish, places.size(), seed);
  for (size_t i = 0; i < at.size(); ++i) {
    size_t place =
        std::lower_bound(places.begin(), places.end(), at[i]) - places.begin();
    array.ints[i] = numbers[place];
  }
  return array;
}

/// The same for a tensor that is too large to list. With one place all
/// elements are one.
static ClosedForm formFor(const Wish &wish, Wide count, bool onePlace,
                          uint64_t seed) {
  ClosedForm form{wish.range.low, wish.range.span(), count, false, seed, {}};
  if (wish.last) {
    form.low = 0;
    form.span = *wish.last + 1;
  }
  if (onePlace) {
    form.span = 1;
  } else if (wish.sorted || wish.distinct) {
    form.rising = true;
    form.last = wish.last;
  }
  return form;
}

std::string makeUpContents(tile::KernelOp kernel, const AdmittedLaunch &launch,
                           uint64_t seed, Contents &contents) {
  for (const Precondition &given : launch.givens) {
    std::string name = kernel.getArgName(given.tensor).str();
    if (contents.arrays.count(name) || contents.forms.count(name)) {
      continue;
    }
    const Layout &layout = *launch.tensors[given.tensor];
    Wide count = countOf(layout), known = count;
    Wish wish = wishFor(launch, given.tensor, layout.kind, count);
    std::optional<Array> array = makeArray(
        layout.kind,
        std::vector<int64_t>(layout.extents.begin(), layout.extents.end()),
        maxListedElements);
    // Coordinates that share memory hold the same.
    std::vector<int64_t> at, places;
    bool onePlace = count > 0;
    for (size_t k = 0; k < layout.extents.size(); ++k) {
      onePlace &= layout.extents[k] == 1 || layout.strides[k] == 0;
    }
    if (array) {
      at = places = addresses(layout, array->size());
      std::sort(places.begin(), places.end());
      places.erase(std::unique(places.begin(), places.end()), places.end());
      known = std::ssize(places);
    } else if (mayOverlap(layout)) {
      known = onePlace ? 1 : 2;
    }
    std::string why = whyNone(wish, layout.kind, count, known);
    if (!why.empty()) {
      return "no contents of %" + name + " keep what is given: " + why;
    }
    uint64_t own = seedFor(seed, name);
    if (array) {
      contents.arrays.emplace(name,
                              listed(wish, at, places, std::move(*array), own));
    } else {
      contents.forms.emplace(name, formFor(wish, count, onePlace, own));
    }
  }
  return "";
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
static std::string breach(const Precondition &given, const Array &array) {
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

/// The same of all elements at once: what a closed form cannot be seen to keep
/// it breaks.
static std::string breach(const Precondition &given, const Layout &layout,
                          const ClosedForm &form) {
  // Up to the last element, if that is another.
  Wide body = form.last ? form.count - 1 : form.count;
  Wide least = form.low;
  Wide most = body < 1      ? form.low
              : form.rising ? form.at(body - 1, 0)
                            : form.low + form.span - 1;
  Range range = rangeOf(layout.kind);
  bool holds = form.span >= 1 && form.count == countOf(layout) && body >= 1 &&
               range.has(least) && range.has(most) &&
               (!form.last || range.has(*form.last)) &&
               (!(form.rising || form.last) || !mayOverlap(layout));
  bool constant = form.span == 1;
  bool sorted = (form.rising || constant) && (!form.last || most <= *form.last);
  switch (given.kind) {
  case GivenKind::Within:
    range = {given.low, given.high};
    holds = holds && range.has(least) && range.has(most) &&
            (!form.last || range.has(*form.last));
    break;
  case GivenKind::Sorted:
    holds = holds && sorted;
    break;
  case GivenKind::Splits:
    holds = holds && sorted && least == 0 &&
            (form.last ? *form.last : most) == given.high;
    break;
  case GivenKind::Distinct:
    holds = holds && form.rising && form.span >= form.count &&
            !mayOverlap(layout) && (!form.last || most < *form.last);
    break;
  }
  return holds ? "" : "no contents were found that keep it";
}

std::string givenError(tile::KernelOp kernel, const AdmittedLaunch &launch,
                       const Contents &contents) {
  for (const Precondition &given : launch.givens) {
    std::string name = kernel.getArgName(given.tensor).str();
    auto array = contents.arrays.find(name);
    auto form = contents.forms.find(name);
    std::string what =
        array != contents.arrays.end() ? breach(given, array->second)
        : form != contents.forms.end()
            ? breach(given, *launch.tensors[given.tensor], form->second)
            : "no contents";
    if (!what.empty()) {
      return "given " + given.text + ": " + what;
    }
  }
  return "";
}

std::string elementError(const Array &array) {
  Range range = isFloat(array.kind) ? Range() : rangeOf(array.kind);
  for (int64_t x : array.ints) {
    if (!range.has(x)) {
      return "holds " + std::to_string(x) + ", which is no " +
             kindName(array.kind);
    }
  }
  return "";
}

std::string placeError(const Layout &layout, const Array &array) {
  if (!mayOverlap(layout)) {
    return "";
  }
  std::vector<int64_t> at = addresses(layout, array.size());
  std::unordered_map<int64_t, size_t> first;
  for (size_t i = 0; i < at.size(); ++i) {
    size_t before = first.try_emplace(at[i], i).first->second;
    if (array.ints[before] != array.ints[i]) {
      return "holds two numbers at one place in memory, " +
             elementText(array.shape, static_cast<int64_t>(before)) + " and " +
             elementText(array.shape, static_cast<int64_t>(i));
    }
  }
  return "";
}

} // namespace girih::exec
