// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of a block that go lane by lane: gather, scatter and atomic
// scatter.

#include "spec/executor/machine/Machine.h"

#include <map>

namespace girih::exec {

/// `lane [3, 0]`.
static std::string laneText(const Instr &instr, size_t operand, size_t lane) {
  auto type =
      mlir::cast<mlir::VectorType>(instr.op->getOperand(operand).getType());
  std::vector<int64_t> at(type.getRank());
  for (size_t axis = at.size(); axis-- > 0;) {
    at[axis] = static_cast<int64_t>(lane) % type.getDimSize(axis);
    lane /= type.getDimSize(axis);
  }
  return "lane " + shapeText(at);
}

std::optional<std::vector<std::optional<Coord>>>
Machine::lanePlaces(const Instr &instr, unsigned tensor, size_t first,
                    unsigned axes, bool masked, Rule rule, const char *verb) {
  Slot of = instr.in[first - 1];
  const View &view = views[of];
  for (size_t k = first; k < first + axes + masked; ++k) {
    world.result.boundsHold &= in(instr, k).uncertain.empty();
  }
  size_t lanes = in(instr, first).ints.size();
  std::vector<std::optional<Coord>> places(lanes);
  for (size_t lane = 0; lane < lanes; ++lane) {
    if (masked && in(instr, first + axes).ints[lane] == 0) {
      continue;
    }
    Coord at;
    for (size_t k = 0; k < axes; ++k) {
      at.push_back(in(instr, first + k).ints[lane]);
    }
    for (size_t k = 0; k < axes; ++k) {
      int64_t extent = view.extents[k];
      if (at[k] >= 0 && at[k] < extent) {
        continue;
      }
      Fault fault = faultAt(rule, instr, static_cast<int>(first + k));
      fault.headline = "index " + std::to_string(at[k]) +
                       " is outside an axis of " + std::to_string(extent) +
                       (extent == 1 ? " element" : " elements");
      fault.message = verb + (" element " + shapeText({at.begin(), at.end()})) +
                      " of " +
                      argText(world, tensor, isView(world, tensor, of)) +
                      " in " + laneText(instr, first, lane);
      fault.tensor = static_cast<int>(tensor);
      stuck(std::move(fault));
      return std::nullopt;
    }
    places[lane] = view.map(at);
  }
  return places;
}

bool Machine::execute(const GatherForm &form, const Instr &instr) {
  auto places = lanePlaces(instr, form.tensor, 1, form.axes, form.masked,
                           Rule::GatherBounds, "reads");
  if (!places) {
    return false;
  }
  const Memory &memory = *world.memories[form.tensor];
  bool isReal = isFloat(memory.layout().kind);
  Value result;
  if (isReal && world.program.values) {
    result.floats.assign(instr.lanes, form.pad.real);
  } else if (!isReal) {
    result.ints.assign(instr.lanes, form.pad.integer);
  }
  bool computed = !isReal || world.program.values;
  for (size_t lane = 0; lane < places->size(); ++lane) {
    const std::optional<Coord> &at = (*places)[lane];
    if (at) {
      touched(form.tensor, *at, 1, /*isWrite=*/false);
    }
    if (at && computed) {
      memory.read(*at, 1, result, lane);
    }
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const ScatterForm &form, const Instr &instr) {
  auto places = lanePlaces(instr, form.tensor, 2, form.axes, form.masked,
                           Rule::ScatterBounds, "writes");
  if (!places) {
    return false;
  }
  std::string arg = argText(world, form.tensor);
  std::map<Coord, size_t> writers;
  for (size_t lane = 0; lane < places->size(); ++lane) {
    const std::optional<Coord> &at = (*places)[lane];
    auto [it, isNew] =
        at ? writers.try_emplace(*at, lane) : std::pair(writers.end(), true);
    if (isNew) {
      continue;
    }
    std::string element = "element " + shapeText({at->begin(), at->end()});
    Fault fault = faultAt(Rule::ScatterLanes, instr, 2);
    fault.headline = "two lanes write " + element + " of " + arg;
    fault.message = "writes " + element + " of " + arg + " in " +
                    laneText(instr, 2, it->second) + " and in " +
                    laneText(instr, 2, lane);
    fault.tensor = static_cast<int>(form.tensor);
    fault.element.assign(at->begin(), at->end());
    return stuck(std::move(fault));
  }
  Memory &memory = *world.memories[form.tensor];
  const Value &value = in(instr, 0);
  world.result.boundsHold &= value.uncertain.empty();
  const View whole = wholeView(memory.layout().extents);
  const Coord single(whole.extents.size(), 1);
  Ownership &owners = *world.owners[form.tensor];
  constexpr int64_t claimBytes = 160; // of a node of the hash table, about
  int64_t before = memory.bytes();
  for (const std::optional<Coord> &at : *places) {
    if (!at) {
      continue;
    }
    Claim claim = claimHere(form.site);
    Coord end = *at;
    for (int64_t &x : end) {
      ++x;
    }
    std::optional<Clash> clash =
        owners.byElement
            ? owners.takeElements(claim, {whole, {*at, std::move(end)}}, false)
            : owners.take(claim, single, *at);
    if (clash) {
      return stuck(clashAt(instr, 1, form.tensor, *clash,
                           "element " + shapeText({at->begin(), at->end()}) +
                               " of " + arg));
    }
    world.use(claimBytes);
  }
  for (size_t lane = 0; lane < places->size(); ++lane) {
    if (const std::optional<Coord> &at = (*places)[lane]) {
      touched(form.tensor, *at, 1, /*isWrite=*/true);
      memory.write(*at, 1, value, lane);
    }
  }
  world.use(memory.bytes() - before);
  return true;
}

bool Machine::execute(const AtomicScatterForm &form, const Instr &instr) {
  auto places = lanePlaces(instr, form.tensor, 2, form.axes, form.masked,
                           Rule::AtomicScatterBounds, "combines with");
  if (!places) {
    return false;
  }
  const Value &value = in(instr, 0);
  world.result.boundsHold &= value.uncertain.empty();
  bool computed = !isFloat(form.element) || world.program.values;
  const Memory &memory = *world.memories[form.tensor];
  int64_t before = memory.bytes();
  for (size_t lane = 0; lane < places->size(); ++lane) {
    const std::optional<Coord> &at = (*places)[lane];
    if (at) {
      touched(form.tensor, *at, 1, /*isWrite=*/true);
    }
    if (at && computed) {
      combineRun(form.tensor, form.kind, form.element, *at, 1, value, lane);
    }
  }
  world.use(memory.bytes() - before);
  return true;
}

} // namespace girih::exec
