// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/sanitiser/SanitiserRun.h"

#include "fuzz/sanitiser/BruteForce.h"

#include <algorithm>
#include <numeric>

using girih::checker::Variable;
using girih::checker::Vc;
using girih::proofs::Origin;

namespace girih::fuzz {

std::optional<Wide> Place::trip(mlir::Operation *loop) const {
  for (auto &[op, number] : trips) {
    if (op == loop) {
      return number;
    }
  }
  return std::nullopt;
}

static std::vector<Wide> elementOf(const exec::View &view,
                                   const std::vector<Wide> &at) {
  std::vector<Wide> out(view.origin.begin(), view.origin.end());
  for (size_t j = 0; j < at.size(); ++j) {
    out[view.axes[j].root] += view.axes[j].scale * at[j];
  }
  if (!view.flattened) {
    return out;
  }
  Wide inner = std::max<int64_t>(view.flattened->extents[view.flatAxis + 1], 1);
  Wide flat = out[view.flatAxis];
  out[view.flatAxis] = flat / inner;
  out.insert(out.begin() + view.flatAxis + 1, flat % inner);
  return elementOf(*view.flattened, out);
}

std::vector<Wide> Place::element(const std::vector<Wide> &at) const {
  return elementOf(view, at);
}

std::vector<Wide> Place::inView(const std::vector<Wide> &element) const {
  return inViews(element).front();
}

static std::vector<Wide> coordinatesIn(const exec::View &view,
                                       const std::vector<Wide> &element);

std::vector<std::vector<Wide>>
Place::inViews(const std::vector<Wide> &element) const {
  std::vector<std::vector<Wide>> out;
  for (const exec::View *v = &view; v; v = v->flattened.get()) {
    out.push_back(coordinatesIn(*v, element));
  }
  return out;
}

static std::vector<Wide> coordinatesIn(const exec::View &view,
                                       const std::vector<Wide> &root) {
  std::vector<Wide> element = root;
  if (view.flattened) {
    element = coordinatesIn(*view.flattened, root);
    element[view.flatAxis] =
        element[view.flatAxis] * view.flattened->extents[view.flatAxis + 1] +
        element[view.flatAxis + 1];
    element.erase(element.begin() + view.flatAxis + 1);
  }
  std::vector<Wide> rest, out(view.axes.size());
  for (size_t k = 0; k < element.size(); ++k) {
    rest.push_back(element[k] - view.origin[k]);
  }
  // Digits, the highest first.
  std::vector<size_t> order(view.axes.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-view.axes[a].scale, a) <
           std::pair(-view.axes[b].scale, b);
  });
  std::vector<size_t> left(element.size());
  for (const exec::ViewAxis &a : view.axes) {
    ++left[a.root];
  }
  for (size_t j : order) {
    const exec::ViewAxis &a = view.axes[j];
    bool last = --left[a.root] == 0;
    Wide &x = rest[a.root];
    Wide digit = a.scale == 0 ? 0 : x / a.scale;
    out[j] = last && a.scale == 1
                 ? x
                 : std::clamp<Wide>(digit, 0,
                                    std::max<int64_t>(view.extents[j], 1) - 1);
    x -= out[j] * a.scale;
  }
  return out;
}

bool Place::contains(const std::vector<Wide> &x) const {
  std::vector<Wide> at = inView(x);
  for (size_t j = 0; j < at.size(); ++j) {
    if (at[j] < low[j] || at[j] > high[j]) {
      return false;
    }
  }
  return element(at) == x;
}

void SanitiserRun::problem(const std::string &text) {
  if (!full()) {
    report.problems.push_back(text + " (launch " + fuzz::text(run.symbols) +
                              ")");
  }
}

void SanitiserRun::problem(const Vc &vc, const std::string &text,
                           const Place *place) {
  const proofs::Obligation &o = vc.obligation;
  std::string where = o.rule + ", " + o.label + ", at " + o.location;
  if (place) {
    where += ", block " + exec::tupleText(place->block);
    for (auto &[op, trip] : place->trips) {
      where += ", trip " + std::to_string(trip);
    }
  }
  problem(where + ": " + text);
}

std::optional<Wide> SanitiserRun::supply(const Variable &v,
                                         const Place *place) {
  switch (v.kind) {
  case Variable::Kind::Symbol: {
    auto it = run.symbols.find(v.name);
    return it == run.symbols.end() ? std::optional<Wide>() : it->second;
  }
  case Variable::Kind::BlockId:
    return place && v.axis < place->block.size()
               ? std::optional<Wide>(place->block[v.axis])
               : std::nullopt;
  case Variable::Kind::Trip:
    return place ? place->trip(v.op) : std::nullopt;
  case Variable::Kind::Value: {
    if (!place || !v.lane.empty()) {
      return std::nullopt; // a lane has its number when its place is known
    }
    const auto &values = v.next ? place->nextValues : place->values;
    auto it = values.find(v.value);
    return it == values.end() ? std::optional<Wide>() : it->second;
  }
  case Variable::Kind::Lane: {
    const std::vector<int64_t> *lane =
        place ? v.other ? &place->other : &place->lane : nullptr;
    return lane && v.axis < lane->size() ? std::optional<Wide>((*lane)[v.axis])
                                         : std::nullopt;
  }
  case Variable::Kind::Index:
    return place && v.axis < place->low.size()
               ? std::optional<Wide>(place->low[v.axis] / place->tile[v.axis])
               : std::nullopt;
  case Variable::Kind::Defined:
  case Variable::Kind::Element:
  case Variable::Kind::InView:
  case Variable::Kind::Content:
  case Variable::Kind::Found:
  case Variable::Kind::Segment:
    return std::nullopt;
  }
  return std::nullopt;
}

std::vector<int64_t> laneAt(mlir::VectorType type, size_t number) {
  std::vector<int64_t> lane(type.getRank());
  for (size_t axis = lane.size(); axis-- > 0;) {
    lane[axis] = static_cast<int64_t>(number) % type.getDimSize(axis);
    number /= type.getDimSize(axis);
  }
  return lane;
}

std::optional<size_t> laneNumber(mlir::VectorType type,
                                 llvm::ArrayRef<Wide> lane) {
  size_t number = 0;
  for (auto [x, extent] : llvm::zip_equal(lane, type.getShape())) {
    if (x < 0 || x >= extent) {
      return std::nullopt;
    }
    number = number * extent + static_cast<size_t>(x);
  }
  return number;
}

/// What the polynomials of a variable come to; nothing where one has no number
/// by now.
static std::optional<std::vector<Wide>> laneOf(const Variable &v, const Vc &vc,
                                               const Environment &env) {
  std::vector<Wide> lane;
  for (const proofs::Poly &p : v.lane) {
    Environment here;
    proofs::Poly local = p.rename([&](proofs::Var u) {
      auto it = llvm::find(vc.kernelVariables, u);
      here.push_back(it == vc.kernelVariables.end()
                         ? std::nullopt
                         : env[it - vc.kernelVariables.begin()]);
      return static_cast<proofs::Var>(here.size() - 1);
    });
    std::optional<Wide> x = evaluate(local, here);
    if (!x) {
      return std::nullopt;
    }
    lane.push_back(*x);
  }
  return lane;
}

/// The number of a lane of a vector.
static std::optional<Wide> supplyLane(const Variable &v,
                                      const std::vector<Wide> &lane,
                                      const Place *place) {
  auto number =
      laneNumber(mlir::cast<mlir::VectorType>(v.value.getType()), lane);
  if (!place) {
    return 0; // a number like any other
  }
  const auto &vectors = v.next ? place->nextVectors : place->vectors;
  auto it = vectors.find(v.value);
  return number && it != vectors.end() && *number < it->second.size()
             ? std::optional<Wide>(it->second[*number])
             : std::nullopt;
}

std::optional<Wide>
SanitiserRun::supplyContent(const Variable &v,
                            const std::vector<Wide> &numbers) const {
  auto it = contents.find(static_cast<unsigned>(v.tensor));
  if (it == contents.end()) {
    return std::nullopt;
  }
  const exec::Array &a = it->second;
  auto count = static_cast<size_t>(a.size());
  switch (v.kind) {
  case Variable::Kind::Content: {
    size_t number = 0;
    for (auto [x, extent] : llvm::zip_equal(numbers, a.shape)) {
      if (x < 0 || x >= extent) {
        return std::nullopt;
      }
      number = number * static_cast<size_t>(extent) + static_cast<size_t>(x);
    }
    return a.ints[number];
  }
  case Variable::Kind::Found:
    for (size_t number = 0; number < count; ++number) {
      if (a.ints[number] == numbers[0]) {
        for (size_t axis = a.shape.size(); axis-- > v.axis + 1;) {
          number /= static_cast<size_t>(a.shape[axis]);
        }
        return number % static_cast<size_t>(a.shape[v.axis]);
      }
    }
    return std::nullopt;
  case Variable::Kind::Segment:
    for (size_t number = 0; number + 1 < count; ++number) {
      if (a.ints[number] <= numbers[0] && numbers[0] < a.ints[number + 1]) {
        return number;
      }
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Opinion SanitiserRun::ask(const Vc &vc, Environment &env, Where where) {
  Opinion opinion;
  auto supplyLanes = [&] {
    for (size_t i = 0; i < vc.variables.size(); ++i) {
      const Variable &v = vc.variables[i];
      auto lane = v.lane.empty() || env[i] ? std::nullopt : laneOf(v, vc, env);
      if (lane) {
        env[i] = v.tensor < 0 ? supplyLane(v, *lane, where(v))
                              : supplyContent(v, *lane);
      }
    }
  };
  supplyLanes();
  const proofs::Obligation &o = vc.obligation;
  std::vector<bool> computed(o.definitions.size());
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    const proofs::Hypothesis &h = o.hypotheses[i];
    ++report.facts;
    if (h.origin.kind == Origin::Kind::Definition &&
        h.origin.index < computed.size() && !computed[h.origin.index]) {
      computed[h.origin.index] = true;
      opinion.undefined |=
          compute(o.definitions[h.origin.index], env) == Computed::Undefined;
      supplyLanes();
    }
    std::optional<bool> truth = holds(h.fact, env);
    if (!truth && !opinion.untold) {
      opinion.untold = i;
    }
    if (truth && !*truth) {
      opinion.falseHypotheses.push_back(i);
    }
  }
  opinion.slack = evaluate(o.goal, env);
  return opinion;
}

bool SanitiserRun::sound(const Vc &vc, const Opinion &opinion,
                         const Place *place) {
  const proofs::Obligation &o = vc.obligation;
  auto text = [&](size_t i) {
    return print(o.hypotheses[i].fact, &o.variables) + " (" +
           o.hypotheses[i].origin.note + ")";
  };
  if (!opinion.falseHypotheses.empty()) {
    problem(vc, "false hypothesis " + text(opinion.falseHypotheses[0]), place);
    return false;
  }
  if (opinion.undefined) {
    return false;
  }
  if (opinion.untold) {
    problem(vc, "a hypothesis about nothing " + text(*opinion.untold), place);
    return false;
  }
  if (!opinion.slack) {
    problem(vc, "a goal about nothing " + print(o.goal, &o.variables), place);
    return false;
  }
  return true;
}

std::vector<int64_t> SanitiserRun::extents(int tensor) {
  auto type = mlir::cast<tile::TileTensorType>(
      kernel.getArguments()[static_cast<size_t>(tensor)].getType());
  std::vector<int64_t> out;
  for (mlir::Attribute dim : type.getDims()) {
    if (auto c = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
      out.push_back(c.getValue().getSExtValue());
    } else {
      out.push_back(
          run.symbols.at(mlir::cast<mlir::StringAttr>(dim).getValue().str()));
    }
  }
  return out;
}

} // namespace girih::fuzz
