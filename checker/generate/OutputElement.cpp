// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/OutputElement.h"

using namespace girih::proofs;

namespace girih::checker {

OutputElement::OutputElement(KernelFacts &k, int tensor)
    : k(k), base(k.base), tensor(tensor) {
  extent = extents(k, mlir::cast<tile::TileTensorType>(
                          k.kernel.getBody()->getArgument(tensor).getType()));
}

static std::string elementName(size_t axis) {
  return "element" + std::to_string(axis);
}

void OutputElement::assume() {
  element.clear();
  for (size_t axis = 0; axis < extent.size(); ++axis) {
    Variable v;
    v.kind = Variable::Kind::Element;
    v.axis = axis;
    v.name = elementName(axis);
    element.push_back(Poly::variable(base.add(v)));
    base.assume(Fact::atLeastZero(element[axis]), Origin::Kind::Region,
                v.name + " >= 0");
    base.assume(Fact::atLeastZero(extent[axis] - 1 - element[axis]),
                Origin::Kind::Region, v.name + " is in the tensor");
  }
}

std::string OutputElement::text() const {
  std::string axes;
  for (size_t axis = 0; axis < extent.size(); ++axis) {
    axes += (axis ? ", " : "") + elementName(axis);
  }
  return "%" + k.kernel.getArgName(unsigned(tensor)).str() + "[" + axes + "]";
}

Poly OutputElement::tileOf(const Poly &x, size_t axis, int64_t tile) {
  if (tile == 1) {
    return x;
  }
  base.emit(Rule::OutCovered, "tile size", Poly(tile - 1), nullptr, true,
            tensor);
  base.emit(Rule::OutCovered, "element", x, nullptr, true, tensor);
  return base
      .divide(x, Poly(tile),
              "div(element" + std::to_string(axis) + ", " +
                  std::to_string(tile) + ")")
      .first;
}

bool OutputElement::equate(const Site &site, WitnessSynthesis &synthesis) {
  if (site.view.isWhole()) {
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      if (!site.lanes.empty()) {
        synthesis.limit(element[axis], extent[axis]);
      }
      synthesis.equate(site.indices[axis],
                       tileOf(element[axis], axis, site.tile[axis]));
    }
    return true;
  }
  if (!invertView(site.view, &synthesis)) {
    return false;
  }
  // What other axes tell of the block may close an axis.
  std::vector<bool> done(inView.size());
  for (size_t j = 0; j < inView.size(); ++j) {
    done[j] = equateClosed(site, j, inView[j], synthesis);
  }
  synthesis.solve();
  for (size_t j = 0; j < inView.size(); ++j) {
    if (done[j]) {
      continue;
    }
    synthesis.countFromSegment(inView[j]);
    Poly x = synthesis.insert(inView[j]);
    if (!equateClosed(site, j, x, synthesis)) {
      equateOpen(site, j, x, synthesis);
    }
  }
  return true;
}

bool OutputElement::equateClosed(const Site &site, size_t j, const Poly &x,
                                 WitnessSynthesis &synthesis) {
  if (!site.lanes.empty()) {
    synthesis.limit(x, site.view.extents[j]);
  }
  bool whole = site.tile[j] == 1;
  if (!whole && (synthesis.isOpen(x) || synthesis.speaksOfMemory(x))) {
    return false;
  }
  synthesis.equate(site.indices[j], tileOf(x, j, site.tile[j]));
  return true;
}

/// The view begins at a place that the block decides. Where that is a number
/// of whole tiles, so many tiles further; else the lane is one more unknown.
void OutputElement::equateOpen(const Site &site, size_t j, const Poly &x,
                               WitnessSynthesis &synthesis) {
  auto [closed, open] = synthesis.parts(x);
  int64_t tile = site.tile[j];
  std::vector<Term> tiles(open.terms());
  bool wholeTiles = !synthesis.speaksOfMemory(x);
  for (Term &t : tiles) {
    wholeTiles &= t.coeff % tile == 0;
    t.coeff /= tile;
  }
  if (wholeTiles) {
    synthesis.equate(site.indices[j] - Poly::fromTerms(tiles),
                     tileOf(closed, j, tile));
    return;
  }
  Variable v;
  v.kind = Variable::Kind::InView;
  v.axis = static_cast<unsigned>(j);
  v.name = "lane" + std::to_string(j);
  Var lane = base.add(v);
  synthesis.addLane(lane);
  synthesis.equate(site.indices[j] * Poly(tile) + Poly::variable(lane), x);
}

bool OutputElement::invertView(const View &view, WitnessSynthesis *synthesis) {
  inView = element;
  open.clear();
  below.clear();
  bool isInside = true; // nothing but flattened and permuted so far
  for (const ViewStep &s : view.steps) {
    isInside &=
        s.kind == tile::ViewKind::Flatten || s.kind == tile::ViewKind::Permute;
    switch (s.kind) {
    case tile::ViewKind::Slice:
      if (!invertSlice(s, synthesis)) {
        return false;
      }
      break;
    case tile::ViewKind::Permute: {
      std::vector<Poly> before = inView;
      for (size_t j = 0; j < inView.size(); ++j) {
        inView[j] = before[s.axes[j]];
      }
      break;
    }
    case tile::ViewKind::Unfold:
      if (!invertUnfold(s, synthesis)) {
        return false;
      }
      break;
    case tile::ViewKind::Fix:
      if (synthesis) {
        synthesis->equate(s.numbers[0], inView[s.axes[0]]);
      }
      inView.erase(inView.begin() + s.axes[0]);
      break;
    case tile::ViewKind::Flatten:
      invertFlatten(s, isInside);
      break;
    }
  }
  return true;
}

OutputElement::InViews
OutputElement::coordinatesInViews(const WitnessSynthesis *synthesis) const {
  InViews out = below;
  out.push_back(inView);
  for (std::vector<Poly> &at : out) {
    for (Poly &x : at) {
      for (Var v : synthesis ? open : std::vector<Var>()) {
        x = x.substitute(v, synthesis->value(v));
      }
    }
  }
  return out;
}

/// Of an element that lies inside as far as the steps before it go, so much is
/// proved at once: later it would be a product of more numbers.
void OutputElement::invertFlatten(const ViewStep &s, bool isInside) {
  below.push_back(inView);
  unsigned axis = s.axes[0];
  Poly at = inView[axis] * s.numbers[1] + inView[axis + 1];
  inView.erase(inView.begin() + axis + 1);
  inView[axis] = at;
  if (isInside) {
    base.emit(Rule::OutCovered, "flattened, lower", at, nullptr, true, tensor);
    base.emit(Rule::OutCovered, "flattened, upper",
              s.numbers[0] * s.numbers[1] - 1 - at, nullptr, true, tensor);
  }
}

/// The quotient of a coordinate; of one before the view any number.
Poly OutputElement::divided(const Poly &x, const Poly &by) {
  base.emit(Rule::OutCovered, "step", by - 1, nullptr, true, tensor);
  bool isVariable = x.terms().size() == 1 && x.terms()[0].coeff == 1;
  auto number = x.constant();
  Poly dividend = isVariable || (number && *number >= 0)
                      ? x
                      : base.select(x, x, Poly(0), "in the view");
  base.emit(Rule::OutCovered, "coordinate", dividend, nullptr, true, tensor);
  std::vector<std::string> names = variableNames(base);
  std::string of =
      "(" + print(dividend, &names) + ", " + print(by, &names) + ")";
  return base.divide(dividend, by, "div" + of, "mod" + of).first;
}

/// Every so many-th coordinate is in the slice. Where x and the offset leave
/// the same rest, as they do there, (x - offset) / step is the difference of
/// their quotients. A coordinate that hangs on the block is one more unknown.
bool OutputElement::invertSlice(const ViewStep &s,
                                WitnessSynthesis *synthesis) {
  auto hangs = [&](const Poly &p) {
    return synthesis && (synthesis->isOpen(p) || synthesis->speaksOfMemory(p));
  };
  for (size_t j = 0; j < inView.size(); ++j) {
    const Poly &offset = s.numbers[j], &step = s.stride[j];
    Poly x = inView[j];
    if (step == Poly(1)) {
      inView[j] = x - offset;
      continue;
    }
    if (hangs(step)) {
      return false;
    }
    if (!hangs(x) && !hangs(offset)) {
      inView[j] = divided(x, step) - divided(offset, step);
      continue;
    }
    Variable v;
    v.kind = Variable::Kind::InView;
    v.axis = static_cast<unsigned>(j);
    v.name = "place" + std::to_string(j);
    open.push_back(base.add(v));
    synthesis->addLane(open.back());
    inView[j] = Poly::variable(open.back());
    synthesis->equate(step * inView[j] + offset, x);
  }
  return true;
}

/// The digits of a coordinate, last one first.
bool OutputElement::invertUnfold(const ViewStep &s,
                                 const WitnessSynthesis *synthesis) {
  Poly rest = inView[s.axes[0]];
  if (synthesis &&
      (synthesis->isOpen(rest) || synthesis->speaksOfMemory(rest))) {
    return false;
  }
  std::vector<std::string> names = variableNames(base);
  std::vector<Poly> digits(s.numbers.size());
  for (size_t i = digits.size(); i-- > 1;) {
    const Poly &factor = s.numbers[i];
    base.emit(Rule::OutCovered, "factor", factor - 1, nullptr, true, tensor);
    base.emit(Rule::OutCovered, "coordinate", rest, nullptr, true, tensor);
    std::string of =
        "(" + print(rest, &names) + ", " + print(factor, &names) + ")";
    auto [q, r] = base.divide(rest, factor, "div" + of, "mod" + of);
    names = variableNames(base);
    digits[i] = r;
    rest = q;
  }
  digits[0] = rest;
  auto at = inView.erase(inView.begin() + s.axes[0]);
  inView.insert(at, digits.begin(), digits.end());
  return true;
}

} // namespace girih::checker
