// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of a block: claim, load, store, atomic.

#include "spec/executor/machine/Machine.h"

namespace girih::exec {

/// What the elements along an axis are called, and how the tile's place among
/// them reads: "rows 128..255 of 1".
static std::string axisText(size_t axis, size_t rank, Wide low, Wide high,
                            int64_t extent) {
  std::string word = "elements";
  if (rank == 2) {
    word = axis == 0 ? "rows" : "columns";
  } else if (rank > 2) {
    word = "axis " + std::to_string(axis) + " elements";
  }
  return word + " " + wideText(low) + ".." + wideText(high - 1) + " of " +
         std::to_string(extent);
}

static std::string tileWord(size_t axis, size_t rank) {
  if (rank == 2) {
    return axis == 0 ? "tile row" : "tile column";
  }
  return rank > 2 ? "axis " + std::to_string(axis) + " tile" : "tile";
}

/// `[0..127, 3..3]`.
static std::string boxText(const Box &box) {
  std::string text = "[";
  for (size_t k = 0; k < box.low.size(); ++k) {
    text += (k ? ", " : "") + std::to_string(box.low[k]) + ".." +
            std::to_string(box.high[k] - 1);
  }
  return text + "]";
}

std::string argText(const World &world, unsigned tensor, bool throughView) {
  tile::KernelOp kernel = world.program.kernel;
  return (throughView ? "a view of %" : "%") + kernel.getArgName(tensor).str();
}

bool isView(const World &world, unsigned tensor, Slot of) {
  tile::KernelOp kernel = world.program.kernel;
  mlir::Value argument = kernel.getArguments()[tensor];
  return world.program.slots.lookup(argument) != of;
}

/// Whether the tiles are those of a view and not of the tensor itself.
static bool isThroughView(const World &world, const Tiling &tiling) {
  return isView(world, tiling.tensor, tiling.view);
}

static std::string elementText(llvm::ArrayRef<int64_t> at) {
  return "element " + shapeText(at.vec());
}

std::optional<Coord> Machine::tileIndex(const Instr &instr,
                                        const Tiling &tiling, Rule rule,
                                        const char *verb, size_t operand) {
  const Coord &extents = views[tiling.view].extents;
  size_t rank = extents.size();
  Coord index;
  for (size_t k = 0; k < rank; ++k) {
    index.push_back(static_cast<int64_t>(steer(instr, operand + k, 0)));
    int64_t extent = extents[k], tile = tiling.tile[k];
    int64_t count = ceilDiv(extent, tile);
    if (index[k] >= 0 && index[k] < count) {
      continue;
    }
    std::string word = tileWord(k, rank);
    Wide low = Wide(index[k]) * tile;
    Fault fault = faultAt(rule, instr, static_cast<int>(operand + k));
    fault.headline = word + " " + std::to_string(index[k]) +
                     " is outside a partition of " + std::to_string(count) +
                     " " + word + (count == 1 ? "" : "s");
    fault.message = verb + (" " + axisText(k, rank, low, low + tile, extent));
    fault.tensor = static_cast<int>(tiling.tensor);
    stuck(std::move(fault));
    return std::nullopt;
  }
  return index;
}

static int64_t volume(const Box &box) {
  int64_t elements = 1;
  for (size_t k = 0; k < box.low.size(); ++k) {
    elements *= box.high[k] - box.low[k];
  }
  return elements;
}

Claim Machine::claimHere(uint32_t site) {
  llvm::SmallVector<int64_t, 2> trips;
  for (auto &[loop, trip] : iterations()) {
    trips.push_back(trip);
  }
  if (trips.empty()) {
    return {number, site};
  }
  if (trips != world.claimTrips.back()) {
    world.use(sizeof(trips));
    world.claimTrips.push_back(std::move(trips));
  }
  return {number, site, static_cast<uint32_t>(world.claimTrips.size() - 1)};
}

/// Where in the tensor a tile of a view lies.
static std::string cornersText(const Corners &corners) {
  return corners.first.empty()
             ? ""
             : ", from " + elementText(corners.first) + " to " +
                   elementText(corners.last) + " of it";
}

Fault Machine::clashAt(const Instr &instr, int operand, unsigned tensor,
                       const Clash &clash, const std::string &taken) const {
  std::string arg = argText(world, tensor);
  Fault fault = faultAt(Rule::ClaimDisjoint, instr, operand);
  fault.tensor = static_cast<int>(tensor);
  fault.element.assign(clash.common.low.begin(), clash.common.low.end());
  fault.headline =
      "two blocks claim " + elementText(fault.element) + " of " + arg;
  fault.message = "claims " + taken;
  fault.otherBlock = blockIds(world.launch.grid, clash.earlier.block);
  fault.otherOp = world.program.claimSites[clash.earlier.site];
  fault.otherMessage = "claims " + boxText(clash.earlierTile) + " of " +
                       argText(world, tensor, clash.throughView) +
                       cornersText(clash.earlierCorners);
  // The loops around the earlier claim, outermost first.
  const auto &trips = world.claimTrips[clash.earlier.trips];
  mlir::Operation *loop = fault.otherOp;
  for (size_t i = trips.size(); i-- > 0;) {
    loop = loop->getParentOfType<mlir::scf::ForOp>();
    fault.otherIterations.insert(fault.otherIterations.begin(),
                                 {loop, trips[i]});
  }
  return fault;
}

void Machine::touched(unsigned tensor, llvm::ArrayRef<int64_t> start,
                      int64_t count, bool isWrite) const {
  if (world.options.touch) {
    world.options.touch(tensor, start, count, isWrite);
  }
}

bool Machine::execute(const ClaimForm &form, const Instr &instr) {
  const Tiling &tiling = form.tiling;
  std::optional<Coord> index =
      tileIndex(instr, tiling, Rule::ClaimBounds, "claims");
  if (!index) {
    return false;
  }
  const View &view = views[tiling.view];
  Region region{view, tileBox(*index, tiling.tile, view.extents)};
  bool throughView = isThroughView(world, tiling);
  Ownership &owners = *world.owners[tiling.tensor];
  Claim claim = claimHere(form.site);
  std::optional<Clash> clash;
  if (!form.isRaw && owners.byElement) {
    int64_t elements = volume(region.box);
    constexpr int64_t elementBytes = 48; // of a node of the hash table, about
    world.use(elements * elementBytes);
    world.result.steps += static_cast<uint64_t>(elements) / 8;
    clash = owners.takeElements(claim, region, throughView);
  } else if (!form.isRaw) {
    clash = owners.take(claim, tiling.tile, *index);
  }
  if (clash) {
    return stuck(
        clashAt(instr, 0, tiling.tensor, *clash,
                boxText(region.box) + " of " +
                    argText(world, tiling.tensor, throughView) +
                    (throughView ? cornersText(cornersOf(region)) : "")));
  }
  constexpr int64_t claimBytes = 160; // of a node of the hash table, about
  world.use(claimBytes);
  pieces[instr.out[0]] = std::move(region);
  defined[instr.out[0]] = 1;
  return true;
}

bool Machine::execute(const LoadForm &form, const Instr &instr) {
  const Tiling &tiling = form.tiling;
  const Memory &memory = *world.memories[tiling.tensor];
  const Layout &layout = memory.layout();
  Region region;
  if (form.fromPiece) {
    region = pieces[instr.in[0]];
  } else {
    std::optional<Coord> index =
        tileIndex(instr, tiling, Rule::LoadBounds, "reads");
    if (!index) {
      return false;
    }
    region.view = views[tiling.view];
    region.box = tileBox(*index, tiling.tile, region.view.extents);
  }
  const Box &box = region.box;
  for (size_t k = 0; !form.padded && k < box.low.size(); ++k) {
    int64_t high = box.low[k] + tiling.tile[k];
    if (box.high[k] == high) {
      continue;
    }
    Fault fault = faultAt(Rule::LoadPad, instr, 0);
    fault.tensor = static_cast<int>(tiling.tensor);
    fault.headline = "the tile is ragged and the load has no padding";
    fault.message = "reads " + axisText(k, box.low.size(), box.low[k],
                                        Wide(box.low[k]) + tiling.tile[k],
                                        region.view.extents[k]);
    if (!isThroughView(world, tiling)) {
      fault.element.assign(box.low.begin(), box.low.end());
      fault.element[k] = layout.extents[k];
    }
    return stuck(std::move(fault));
  }
  bool computed = !isFloat(layout.kind) || world.program.values;
  Value result;
  if (computed && isFloat(layout.kind)) {
    result.floats.assign(instr.lanes, form.pad.real);
  } else if (computed) {
    result.ints.assign(instr.lanes, form.pad.integer);
  }
  auto row = [&](llvm::ArrayRef<int64_t> start, int64_t length, size_t lane) {
    if (std::optional<int64_t> gap = memory.firstUndefined(start, length)) {
      Fault fault = faultAt(Rule::LoadDefined, instr, 0);
      fault.tensor = static_cast<int>(tiling.tensor);
      fault.element = start.vec();
      if (!fault.element.empty()) {
        fault.element.back() += *gap;
      }
      std::string what =
          elementText(fault.element) + " of " + argText(world, tiling.tensor);
      fault.headline = what + " is read before it is written";
      fault.message = "reads " + what;
      return stuck(std::move(fault));
    }
    touched(tiling.tensor, start, length, /*isWrite=*/false);
    if (computed) {
      memory.read(start, length, result, lane);
    }
    return true;
  };
  if (!forEachRun(region, tiling.tile, row)) {
    return false;
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const StoreForm &form, const Instr &instr) {
  Memory &memory = *world.memories[form.tiling.tensor];
  const Value &value = in(instr, 0);
  world.result.boundsHold &= value.uncertain.empty();
  int64_t before = memory.bytes();
  forEachRun(pieces[instr.in[1]], form.tiling.tile,
             [&](llvm::ArrayRef<int64_t> start, int64_t length, size_t lane) {
               touched(form.tiling.tensor, start, length, /*isWrite=*/true);
               memory.write(start, length, value, lane);
               return true;
             });
  world.use(memory.bytes() - before);
  return true;
}

static Wide combine(tile::AtomicKind kind, Wide a, Wide b) {
  switch (kind) {
  case tile::AtomicKind::Add:
    return addInteger(a, b);
  case tile::AtomicKind::Min:
    return minInteger(a, b);
  case tile::AtomicKind::Max:
    return maxInteger(a, b);
  case tile::AtomicKind::And:
    return andInteger(a, b);
  case tile::AtomicKind::Or:
    return orInteger(a, b);
  case tile::AtomicKind::Xor:
    return xorInteger(a, b);
  }
  return a;
}

/// Adds a float lane to an element of which `was` is there now.
static Real addAtomically(World &world, unsigned tensor, int64_t element,
                          Kind kind, Real was, Real lane) {
  constexpr int64_t sumBytes = 400; // of a node of the map, about
  auto [it, isNew] =
      world.sums.try_emplace({tensor, element}, Reduction::Add, formatOf(kind));
  if (isNew) {
    world.use(sumBytes);
    it->second.add(was);
  }
  it->second.add(lane);
  return it->second.finishFlushed();
}

void Machine::combineRun(unsigned tensor, tile::AtomicKind kind, Kind element,
                         llvm::ArrayRef<int64_t> start, int64_t length,
                         const Value &value, size_t lane) {
  Memory &memory = *world.memories[tensor];
  Value now, next;
  if (isFloat(element)) {
    now.floats.resize(length);
  } else {
    now.ints.resize(length);
  }
  memory.read(start, length, now, 0);
  int64_t first = memory.linear(start);
  unsigned bits = integerBits(element);
  for (int64_t k = 0; k < length; ++k) {
    if (isFloat(element)) {
      next.push(addAtomically(world, tensor, first + k, element, now.real(k),
                              value.real(lane + k)));
    } else {
      Wide exact = combine(kind, signedOf(now.ints[k], bits),
                           signedOf(value.ints[lane + k], bits));
      next.push(wrap(exact, bits));
    }
  }
  memory.write(start, length, next, 0);
}

bool Machine::execute(const AtomicForm &form, const Instr &instr) {
  const Tiling &tiling = form.tiling;
  std::optional<Coord> index =
      tileIndex(instr, tiling, Rule::AtomicBounds, "combines with", 2);
  if (!index) {
    return false;
  }
  Memory &memory = *world.memories[tiling.tensor];
  const Value &value = in(instr, 0);
  world.result.boundsHold &= value.uncertain.empty();
  const View &view = views[tiling.view];
  Region region{view, tileBox(*index, tiling.tile, view.extents)};
  int64_t before = memory.bytes();
  bool computed = !isFloat(form.element) || world.program.values;
  auto run = [&](llvm::ArrayRef<int64_t> start, int64_t length, size_t lane) {
    touched(tiling.tensor, start, length, /*isWrite=*/true);
    if (computed) {
      combineRun(tiling.tensor, form.kind, form.element, start, length, value,
                 lane);
    }
    return true;
  };
  forEachRun(region, tiling.tile, run);
  world.use(memory.bytes() - before);
  return true;
}

} // namespace girih::exec
