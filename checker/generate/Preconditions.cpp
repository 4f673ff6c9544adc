// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the contract gives about contents, as facts about loaded elements. A
// shared tensor never changes while the kernel runs, so that a load of it is a
// function of its index, in one block and across two.

#include "checker/generate/Generate.h"

using namespace girih::proofs;
using girih::tile::GivenKind;

namespace girih::checker {

namespace {
/// What all that is given of a tensor comes to, for a pair of its elements.
struct Order {
  const Precondition *any = nullptr, *sorted = nullptr, *distinct = nullptr;
};
} // namespace

static Order orderOf(const KernelFacts &k, int tensor) {
  Order o;
  for (const Precondition &g : k.givens) {
    if (g.tensor != tensor) {
      continue;
    }
    o.any = o.any ? o.any : &g;
    if (g.kind == GivenKind::Sorted || g.kind == GivenKind::Splits) {
      o.sorted = o.sorted ? o.sorted : &g;
    } else if (g.kind == GivenKind::Distinct) {
      o.distinct = o.distinct ? o.distinct : &g;
    }
  }
  return o;
}

static tile::TileTensorType typeOf(const KernelFacts &k, int tensor) {
  return mlir::cast<tile::TileTensorType>(
      tile::KernelOp(k.kernel).getBody()->getArgument(tensor).getType());
}

static Atom atLeast(Poly p) { return {false, std::move(p)}; }
static Atom zero(Poly p) { return {true, std::move(p)}; }

void assumeGiven(KernelFacts &k, const Lookup &l) {
  Poly v = Poly::variable(l.value);
  auto assume = [&](const Precondition &g, Fact f) {
    k.base.assume(std::move(f), Origin::Kind::Given, g.note);
  };
  for (const Precondition &g : k.givens) {
    if (g.tensor != l.tensor) {
      continue;
    }
    if (g.kind == GivenKind::Within) {
      assume(g, Fact::atLeastZero(v - g.low));
      assume(g, Fact::atLeastZero(g.high - v - 1));
    } else if (g.kind == GivenKind::Splits) {
      Poly last = extents(k, typeOf(k, l.tensor))[0] - 1;
      assume(g, Fact::atLeastZero(v));
      assume(g, Fact::atLeastZero(g.high - v));
      assume(g, Fact::anyOf({{atLeast(l.at[0] - 1)}, {zero(v)}}));
      assume(g,
             Fact::anyOf({{atLeast(last - l.at[0] - 1)}, {zero(v - g.high)}}));
    }
  }
}

/// The ways in which one of two lanes holds no element.
static std::vector<std::vector<Atom>> eitherPadded(const Lookup &a,
                                                   const Lookup &b) {
  std::vector<std::vector<Atom>> ways = a.padded;
  llvm::append_range(ways, b.padded);
  return ways;
}

static Fact orPadded(const Lookup &a, const Lookup &b,
                     std::vector<std::vector<Atom>> ways) {
  llvm::append_range(ways, eitherPadded(a, b));
  return Fact::anyOf(std::move(ways));
}

/// One element has one value: the places differ, or the values are the same.
static Fact sameValue(const Lookup &a, const Lookup &b) {
  std::vector<std::vector<Atom>> ways;
  for (size_t i = 0; i < a.at.size(); ++i) {
    ways.push_back({atLeast(a.at[i] - b.at[i] - 1)});
    ways.push_back({atLeast(b.at[i] - a.at[i] - 1)});
  }
  ways.push_back({zero(Poly::variable(a.value) - Poly::variable(b.value))});
  return orPadded(a, b, std::move(ways));
}

bool isOrdered(const KernelFacts &k, int tensor) {
  Order order = orderOf(k, tensor);
  return order.sorted || order.distinct;
}

void assumeGiven(KernelFacts &k, const Lookup &a, const Lookup &b) {
  Order order = orderOf(k, a.tensor);
  if (!order.any) {
    return;
  }
  auto assume = [&](const Precondition *g, Fact f) {
    k.base.assume(std::move(f), Origin::Kind::Given, g->note);
  };
  Poly gap = Poly::variable(b.value) - Poly::variable(a.value);
  if (order.sorted) {
    // Either way round it says that one element has one value.
    Poly step = b.at[0] - a.at[0];
    assume(order.sorted,
           orPadded(a, b, {{atLeast(-step - 1)}, {atLeast(gap)}}));
    assume(order.sorted,
           orPadded(a, b, {{atLeast(step - 1)}, {atLeast(-gap)}}));
  } else {
    assume(order.any, sameValue(a, b));
  }
  if (order.distinct) {
    std::vector<Atom> same;
    for (size_t i = 0; i < a.at.size(); ++i) {
      same.push_back(zero(b.at[i] - a.at[i]));
    }
    assume(order.distinct,
           orPadded(a, b, {{atLeast(gap - 1)}, {atLeast(-gap - 1)}, same}));
  }
}

std::vector<Lookup> comparedLookups(const KernelFacts &k,
                                    llvm::ArrayRef<Lookup> all) {
  std::map<int, size_t> met;
  std::vector<Lookup> out;
  for (const Lookup &l : llvm::reverse(all)) {
    if (orderOf(k, l.tensor).any && met[l.tensor]++ < maxLookups) {
      out.push_back(l);
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

/// Of two facts about one tensor the ranges are compared, for so many of them.
static constexpr size_t maxRanges = 8;

/// That a tensor has contents which keep what is given of it: room for its
/// numbers between each lower end and each upper one, those of the element type
/// among them, and for the ends of its splits. What it takes that no two
/// elements share memory is said of strides of 0 alone; the rest the executor
/// sees.
static void addFeasible(const KernelFacts &k, int tensor, bool mayBeEmpty,
                        std::vector<Fact> &out) {
  tile::TileTensorType type = typeOf(k, tensor);
  Int half = Int(1) << (type.getElementType().getIntOrFloatBitWidth() - 1);
  std::vector<Poly> e = extents(k, type);
  std::vector<std::vector<Atom>> empty;
  Poly count(1);
  for (const Poly &extent : e) {
    empty.push_back({atLeast(-extent)});
    count = count * extent;
  }
  bool isDistinct = orderOf(k, tensor).distinct;
  std::vector<std::pair<Poly, Poly>> ranges = {{Poly(-half), Poly(half)}};
  std::vector<Poly> ends;
  for (const Precondition &g : k.givens) {
    if (g.tensor == tensor && g.kind == GivenKind::Within) {
      ranges.push_back({g.low, g.high});
    } else if (g.tensor == tensor && g.kind == GivenKind::Splits) {
      ranges.push_back({Poly(0), g.high + 1});
      ends.push_back(g.high);
    }
  }
  ranges.resize(std::min(ranges.size(), maxRanges));
  ends.resize(std::min(ends.size(), maxRanges));
  if (!mayBeEmpty || !ends.empty()) {
    empty.clear();
  }
  auto unlessEmpty = [&](std::vector<std::vector<Atom>> ways) {
    llvm::append_range(ways, empty);
    out.push_back(Fact::anyOf(std::move(ways)));
  };
  for (const auto &lower : ranges) {
    for (const auto &upper : ranges) {
      Poly room = upper.second - lower.first;
      unlessEmpty({{atLeast(room - (isDistinct ? count : Poly(1)))}});
    }
  }
  std::vector<Poly> strides = explicitStrides(k, type);
  for (auto [stride, extent] : llvm::zip(strides, e)) {
    if (isDistinct) {
      unlessEmpty({{atLeast(stride - 1)}, {atLeast(Poly(1) - extent)}});
    }
    for (const Poly &end : ends) {
      out.push_back(Fact::anyOf({{atLeast(stride - 1)}, {zero(end)}}));
    }
  }
  for (const Poly &end : ends) {
    out.push_back(Fact::atLeastZero(e[0] - 1));
    out.push_back(Fact::zero(end - ends[0]));
    out.push_back(Fact::anyOf({{atLeast(e[0] - 2)}, {zero(end)}}));
    for (auto &[low, high] : ranges) {
      out.push_back(Fact::atLeastZero(-low));
      out.push_back(Fact::atLeastZero(high - 1));
      out.push_back(Fact::atLeastZero(end - low));
      out.push_back(Fact::atLeastZero(high - 1 - end));
    }
  }
}

std::vector<Fact> feasibilityFacts(const KernelFacts &k, bool mayBeEmpty) {
  std::set<int> tensors;
  std::vector<Fact> out;
  for (const Precondition &g : k.givens) {
    if (tensors.insert(g.tensor).second) {
      addFeasible(k, g.tensor, mayBeEmpty, out);
    }
  }
  llvm::erase_if(out, [](const Fact &f) {
    const Atom *a = f.atom();
    auto value = a ? a->poly.constant() : std::nullopt;
    return value && (a->equality ? *value == 0 : *value >= 0);
  });
  return out;
}

std::vector<Fact> contentsFacts(const KernelFacts &k,
                                llvm::ArrayRef<Lookup> lookups) {
  std::vector<Fact> out = feasibilityFacts(k, /*mayBeEmpty=*/true);
  lookups = lookups.take_back(4 * maxLookups);
  for (size_t i = 0; i < lookups.size(); ++i) {
    if (lookups[i].stored) {
      out.push_back(
          Fact::zero(Poly::variable(lookups[i].value) - *lookups[i].stored));
    }
    for (size_t j = 0; j < i; ++j) {
      const Lookup &a = lookups[j], &b = lookups[i];
      if (a.tensor != b.tensor || a.stored || b.stored) {
        continue;
      }
      out.push_back(sameValue(a, b));
      Order order = orderOf(k, a.tensor);
      if (order.sorted && order.distinct) {
        // Room for the numbers in between.
        Poly step = b.at[0] - a.at[0];
        Poly gap = Poly::variable(b.value) - Poly::variable(a.value);
        out.push_back(
            orPadded(a, b, {{atLeast(-step - 1)}, {atLeast(gap - step)}}));
        out.push_back(
            orPadded(a, b, {{atLeast(step - 1)}, {atLeast(step - gap)}}));
      }
    }
  }
  return out;
}

} // namespace girih::checker
