// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses against the regions that the verified kernel gives to a block.

#include "lower/ptx/Access.h"

#include <algorithm>
#include <numeric>

namespace girih::ptx {

using namespace proofs;

/// The quotient of the terms that the one term of `by` divides; the others, and
/// of a constant the remainder, stay in `rest`.
static std::optional<Poly> takeMultiples(Poly &rest, const Poly &by) {
  if (by.terms().size() != 1) {
    return std::nullopt;
  }
  const Term &d = by.terms()[0];
  std::vector<Term> taken, left;
  for (const Term &t : rest.terms()) {
    Monomial m = t.vars;
    bool divides = true;
    for (Var v : d.vars) {
      auto it = std::find(m.begin(), m.end(), v);
      divides = divides && it != m.end();
      if (divides) {
        m.erase(it);
      }
    }
    Int q = t.coeff / d.coeff, r = t.coeff % d.coeff;
    if (divides && r == 0) {
      taken.push_back({m, q});
    } else if (divides && t.vars.empty()) {
      q -= r < 0;
      taken.push_back({m, q});
      left.push_back({m, t.coeff - q * d.coeff});
    } else {
      left.push_back(t);
    }
  }
  rest = Poly::fromTerms(std::move(left));
  return Poly::fromTerms(std::move(taken));
}

/// Coordinates whose offset is that, in whole elements; the search for them
/// may fail, but what it finds is checked.
static std::optional<std::vector<Poly>> coordinatesOf(const Poly &offset,
                                                      const Tensor &t) {
  std::vector<size_t> order(t.strides.size());
  std::iota(order.begin(), order.end(), 0);
  auto larger = [&](size_t a, size_t b) {
    const Poly &x = t.strides[a], &y = t.strides[b];
    if (x.degree() != y.degree()) {
      return x.degree() > y.degree();
    }
    if (x.isZero() || y.isZero() || x.terms()[0].coeff == y.terms()[0].coeff) {
      return !x.isZero() == !y.isZero() ? a < b : !x.isZero();
    }
    return x.terms()[0].coeff > y.terms()[0].coeff;
  };
  std::sort(order.begin(), order.end(), larger);
  Poly rest = offset, sum;
  std::vector<Poly> out(t.strides.size());
  for (size_t axis : order) {
    if (t.strides[axis].isZero()) {
      continue; // coordinate 0: all are one element
    }
    auto q = takeMultiples(rest, Poly(Int(t.bytes)) * t.strides[axis]);
    if (!q) {
      return std::nullopt;
    }
    out[axis] = *q;
    sum = sum + *q * t.strides[axis];
  }
  bool same = rest.isZero() && sum * Poly(Int(t.bytes)) == offset;
  return same ? std::optional(std::move(out)) : std::nullopt;
}

/// The same number by quotients and remainders of launch symbols: what is left
/// of a block's number is then one variable, and no difference of products that
/// strides would take apart.
static Poly byRemainders(const Evaluator &e, Poly p, size_t block) {
  for (const Defined &of : e.symbols.definitions()) {
    const Definition &d = of.definition;
    if (d.kind == Definition::Kind::Quotient && of.witness == 0 &&
        !d.arguments[1].constant() && d.arguments[0].terms().size() == 1 &&
        e.flow.dominates(of.home, block)) {
      const Term &a = d.arguments[0].terms()[0];
      if (a.vars.size() == 1 && a.coeff == 1) {
        p = p.substitute(a.vars[0],
                         d.arguments[1] * Poly::variable(d.results[0]) +
                             Poly::variable(d.results[1]));
      }
    }
  }
  return p;
}

static const Region *regionOf(const Expected &expected, const Access &a) {
  for (const Region &r : expected.regions) {
    if (r.tensor == *a.tensor && r.mode == a.mode) {
      return &r;
    }
  }
  return nullptr;
}

/// A number for each `any` of the region, for which its box may hold the
/// element: along an axis whose boxes are steps apart, so many steps as fit in
/// the coordinate. Any number would do for which the box is then proved to hold
/// it.
static std::vector<std::pair<Var, Poly>>
chosen(const Expected &expected, const Region &region, const Access &a) {
  std::vector<std::pair<Var, Poly>> out;
  for (Var v : expected.any) {
    Poly value;
    for (size_t axis = 0; axis < region.axes.size(); ++axis) {
      std::vector<Term> step;
      for (Term t : region.axes[axis].from.terms()) {
        auto it = std::find(t.vars.begin(), t.vars.end(), v);
        if (it != t.vars.end()) {
          t.vars.erase(it);
          step.push_back(t);
        }
      }
      Poly rest = a.coordinates[axis];
      auto q = takeMultiples(rest, Poly::fromTerms(std::move(step)));
      value = q ? *q : value;
    }
    out.push_back({v, value});
  }
  return out;
}

static std::optional<Error> checkRegion(Evaluator &e, Access &a) {
  const Expected &expected = e.symbols.expected;
  const Instruction &code = e.flow.entry().instructions[a.instruction];
  const Tensor &t = expected.tensors[*a.tensor];
  constexpr const char *verbs[] = {"read", "written", "updated"};
  const Region *region = regionOf(expected, a);
  if (!region) {
    return at(code, "'" + t.name + "' is not to be " + verbs[size_t(a.mode)]);
  }
  if (code.has("nc") || !a.generic) {
    for (const Region &r : expected.regions) {
      if (r.tensor == *a.tensor && r.mode != Mode::Read) {
        return at(code, "'" + t.name + "' is read as if nothing wrote it");
      }
    }
  }
  // The cache of such loads is not told of what grids write that still run as
  // this one begins, however long it waits then.
  if (code.has("nc") && expected.early &&
      std::ranges::count(*expected.early, *a.tensor) == 0) {
    return at(code, "'" + t.name + "' is read as if nothing wrote it");
  }
  // The widest part that the hardware wants aligned: of a copy 16 bytes.
  Int align = a.generic ? Int(a.bytes) : 16;
  if (Int(t.align) % align != 0 || Symbols::content(a.offset) % align != 0) {
    return at(code,
              "not aligned to " + std::to_string(uint64_t(align)) + " bytes");
  }
  Poly offset = byRemainders(e, a.offset, a.block);
  auto coordinates = coordinatesOf(offset, t);
  if (!coordinates || Symbols::content(a.size) % Int(t.bytes) != 0) {
    const std::vector<std::string> names = e.symbols.names();
    return at(code, "byte " + proofs::print(offset, &names) + " of '" + t.name +
                        "' is no element by its strides");
  }
  a.coordinates = std::move(*coordinates);
  Poly whole = a.size;
  Poly elements = *takeMultiples(whole, Poly(Int(t.bytes)));
  if (elements != Poly(1) &&
      (t.strides.empty() || t.strides.back() != Poly(1))) {
    return at(code, "several elements of '" + t.name + "' that do not touch");
  }
  auto emitGoal = [&](const std::string &label, const Poly &goal) {
    if (auto c = goal.constant(); !c || *c < 0) {
      e.symbols.emit(
          Goal{"ptx.bounds", label, a.instruction, a.block, a.guards, goal});
    }
  };
  std::vector<std::pair<Var, Poly>> any = chosen(expected, *region, a);
  for (const auto &[v, value] : any) {
    emitGoal("number of the box", value);
  }
  auto here = [&](Poly p) {
    for (const auto &[v, value] : any) {
      p = p.substitute(v, value);
    }
    return p;
  };
  for (size_t axis = 0; axis < t.extents.size(); ++axis) {
    bool last = axis + 1 == t.extents.size();
    const Poly &x = a.coordinates[axis];
    Poly end = x + (last ? elements : Poly(1));
    const Range &range = region->axes[axis];
    std::string name = "axis " + std::to_string(axis);
    auto emit = [&](const char *side, const Poly &goal) {
      emitGoal(name + side, goal);
    };
    emit(", lower", x);
    emit(", upper", t.extents[axis] - end);
    emit(", lower of the block", x - here(range.from));
    for (const Poly &below : range.below) {
      emit(", upper of the block", here(below) - end);
    }
  }
  return std::nullopt;
}

std::optional<Error> checkRegions(Evaluator &e, Accesses &all) {
  const std::vector<Region> &regions = e.symbols.expected.regions;
  for (size_t i = 0; i < regions.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (regions[i].tensor == regions[k].tensor &&
          regions[i].mode == regions[k].mode) {
        return Error{0, "two regions of one tensor and mode"};
      }
    }
  }
  for (Access &a : all.global) {
    if (auto error = checkRegion(e, a)) {
      return error;
    }
  }
  return std::nullopt;
}

} // namespace girih::ptx
