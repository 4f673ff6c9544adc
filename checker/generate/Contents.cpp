// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Contents.h"

#include "checker/generate/Witness.h"

using namespace girih::proofs;
using girih::tile::GivenKind;

namespace girih::checker {

static const Precondition *find(const KernelFacts &k, int tensor,
                                GivenKind kind) {
  auto it = llvm::find_if(k.givens, [&](const Precondition &g) {
    return g.tensor == tensor && g.kind == kind;
  });
  return it == k.givens.end() ? nullptr : &*it;
}

static std::vector<Poly> extentsOf(const KernelFacts &k, int tensor) {
  return extents(k, mlir::cast<tile::TileTensorType>(
                        tile::KernelOp(k.kernel)
                            .getBody()
                            ->getArgument(static_cast<unsigned>(tensor))
                            .getType()));
}

/// `perm(element0)`
static std::string nameOf(const KernelFacts &k, int tensor,
                          const Poly &number) {
  std::vector<std::string> names = variableNames(k.base);
  tile::KernelOp kernel = k.kernel;
  return kernel.getArgName(static_cast<unsigned>(tensor)).str() + "(" +
         print(number, &names) + ")";
}

/// An element of a tensor, whether a block loads it or not.
static Lookup contentAt(KernelFacts &k, int tensor, std::vector<Poly> at,
                        const std::string &name) {
  Variable v;
  v.kind = Variable::Kind::Content;
  v.tensor = tensor;
  v.name = name;
  v.lane = at;
  Lookup l;
  l.tensor = tensor;
  l.at = std::move(at);
  size_t mark = k.base.mark();
  l.value = k.base.add(std::move(v));
  k.base.addLookup(l, mark);
  assumeGiven(k, l);
  return l;
}

static Poly found(KernelFacts &k, Variable::Kind kind, int tensor, size_t axis,
                  const Poly &number, const std::string &name) {
  Variable v;
  v.kind = kind;
  v.tensor = tensor;
  v.axis = static_cast<unsigned>(axis);
  v.lane = {number};
  v.name = name;
  return Poly::variable(k.base.add(std::move(v)));
}

bool holdsEachNumber(const KernelFacts &k, int tensor) {
  return find(k, tensor, GivenKind::Within) &&
         find(k, tensor, GivenKind::Distinct);
}

Lookup placeOf(KernelFacts &k, int tensor, const Poly &number) {
  const Precondition *range = find(k, tensor, GivenKind::Within),
                     *distinct = find(k, tensor, GivenKind::Distinct);
  FactBase &base = k.base;
  auto emit = [&](const char *label, const Poly &goal) {
    base.emit(Rule::OutCovered, label, goal, nullptr, true);
  };
  std::vector<Poly> extent = extentsOf(k, tensor);
  Poly count(1);
  for (const Poly &e : extent) {
    count = count * e;
  }
  emit("number, not below the contents", number - range->low);
  emit("number, not above the contents", range->high - 1 - number);
  emit("as many elements as numbers", count - range->high + range->low);
  // Different numbers of a range are no more than it has, and it has one.
  base.assume(Fact::atLeastZero(range->high - range->low - count),
              Origin::Kind::Given, distinct->note);
  std::string name = nameOf(k, tensor, number);
  std::vector<Poly> at;
  for (size_t axis = 0; axis < extent.size(); ++axis) {
    at.push_back(found(k, Variable::Kind::Found, tensor, axis, number,
                       "place" + std::to_string(axis) + " in " + name));
    base.assume(Fact::atLeastZero(at.back()), Origin::Kind::Given,
                distinct->note);
    base.assume(Fact::atLeastZero(extent[axis] - 1 - at.back()),
                Origin::Kind::Given, distinct->note);
  }
  Lookup l = contentAt(k, tensor, std::move(at), "content of " + name);
  base.assume(Fact::zero(Poly::variable(l.value) - number), Origin::Kind::Given,
              distinct->note);
  return l;
}

std::optional<std::pair<Lookup, Lookup>> segmentOf(KernelFacts &k, int tensor,
                                                   const Poly &number) {
  const Precondition *splits = find(k, tensor, GivenKind::Splits);
  if (!splits) {
    return std::nullopt;
  }
  FactBase &base = k.base;
  base.emit(Rule::OutCovered, "number, not before the segments", number,
            nullptr, true);
  base.emit(Rule::OutCovered, "number, not behind the segments",
            splits->high - 1 - number, nullptr, true);
  std::string name = nameOf(k, tensor, number);
  Poly segment = found(k, Variable::Kind::Segment, tensor, 0, number,
                       "segment in " + name);
  auto assume = [&](const Poly &p) {
    base.assume(Fact::atLeastZero(p), Origin::Kind::Given, splits->note);
  };
  assume(segment);
  assume(extentsOf(k, tensor)[0] - 2 - segment);
  Lookup first = contentAt(k, tensor, {segment}, "begin in " + name);
  Lookup next = contentAt(k, tensor, {segment + Poly(1)}, "end in " + name);
  assumeGiven(k, first, next);
  assume(number - Poly::variable(first.value));
  assume(Poly::variable(next.value) - 1 - number);
  return std::pair(std::move(first), std::move(next));
}

} // namespace girih::checker
