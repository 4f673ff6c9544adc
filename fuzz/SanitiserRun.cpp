// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/SanitiserRun.h"

#include "fuzz/BruteForce.h"

using girih::checker::Owed;
using girih::checker::Variable;
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

void SanitiserRun::problem(const std::string &text) {
  if (!full()) {
    report.problems.push_back(text + " (launch " + fuzz::text(run.symbols) +
                              ")");
  }
}

void SanitiserRun::problem(const Owed &owed, const std::string &text,
                           const Place *place) {
  const proofs::Obligation &o = owed.obligation;
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
    if (!place) {
      return std::nullopt;
    }
    auto it = place->values.find(v.value);
    return it == place->values.end() ? std::optional<Wide>() : it->second;
  }
  case Variable::Kind::Defined:
  case Variable::Kind::Element:
    return std::nullopt;
  }
  return std::nullopt;
}

Opinion SanitiserRun::ask(const Owed &owed, Environment &env) {
  Opinion opinion;
  const proofs::Obligation &o = owed.obligation;
  std::vector<bool> computed(o.definitions.size());
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    const proofs::Hypothesis &h = o.hypotheses[i];
    ++report.facts;
    if (h.origin.kind == Origin::Kind::Definition &&
        h.origin.index < computed.size() && !computed[h.origin.index]) {
      computed[h.origin.index] = true;
      opinion.undefined |=
          compute(o.definitions[h.origin.index], env) == Computed::Undefined;
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

bool SanitiserRun::sound(const Owed &owed, const Opinion &opinion,
                         const Place *place) {
  const proofs::Obligation &o = owed.obligation;
  auto text = [&](size_t i) {
    return print(o.hypotheses[i].fact, &o.variables) + " (" +
           o.hypotheses[i].origin.note + ")";
  };
  if (!opinion.falseHypotheses.empty()) {
    problem(owed, "false hypothesis " + text(opinion.falseHypotheses[0]),
            place);
    return false;
  }
  if (opinion.undefined) {
    return false;
  }
  if (opinion.untold) {
    problem(owed, "a hypothesis about nothing " + text(*opinion.untold), place);
    return false;
  }
  if (!opinion.slack) {
    problem(owed, "a goal about nothing " + print(o.goal, &o.variables), place);
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
