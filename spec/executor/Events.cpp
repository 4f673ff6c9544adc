// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of a block: claim, load, store.

#include "spec/executor/Machine.h"

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

static std::string argText(const World &world, unsigned tensor) {
  tile::KernelOp kernel = world.program.kernel;
  return "%" + kernel.getArgName(tensor).str();
}

static std::string elementText(llvm::ArrayRef<int64_t> at) {
  return "element " + shapeText(at.vec());
}

std::optional<Coord> Machine::tileIndex(const Instr &instr,
                                        const Tiling &tiling, const char *rule,
                                        const char *verb) {
  const Layout &layout = world.memories[tiling.tensor]->layout();
  size_t rank = layout.extents.size();
  Coord index;
  for (size_t k = 0; k < rank; ++k) {
    index.push_back(static_cast<int64_t>(steer(instr, k + 1, 0)));
    int64_t extent = layout.extents[k], tile = tiling.tile[k];
    int64_t count = ceilDiv(extent, tile);
    if (index[k] >= 0 && index[k] < count) {
      continue;
    }
    std::string word = tileWord(k, rank);
    Wide low = Wide(index[k]) * tile;
    Fault fault = faultAt(rule, instr, static_cast<int>(k) + 1);
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

bool Machine::execute(const ClaimForm &form, const Instr &instr) {
  const Tiling &tiling = form.tiling;
  std::optional<Coord> index =
      tileIndex(instr, tiling, "claim.bounds", "claims");
  if (!index) {
    return false;
  }
  const Memory &memory = *world.memories[tiling.tensor];
  Box box = tileBox(*index, tiling.tile, memory.layout().extents);
  std::optional<Clash> clash = world.owners[tiling.tensor]->take(
      {number, form.site}, tiling.tile, *index);
  if (clash) {
    std::string arg = argText(world, tiling.tensor);
    Fault fault = faultAt("claim.disjoint", instr, 0);
    fault.tensor = static_cast<int>(tiling.tensor);
    fault.element.assign(clash->common.low.begin(), clash->common.low.end());
    fault.headline =
        "two blocks claim " + elementText(fault.element) + " of " + arg;
    fault.message = "claims " + boxText(box) + " of " + arg;
    fault.otherBlock =
        blockIds(world.program.launch.grid, clash->earlier.block);
    fault.otherOp = world.program.claimSites[clash->earlier.site];
    fault.otherMessage = "claims " + boxText(clash->earlierTile) + " of " + arg;
    return stuck(std::move(fault));
  }
  constexpr int64_t claimBytes = 160; // of a node of the hash table, about
  world.use(claimBytes);
  pieces[instr.out[0]] = std::move(box);
  defined[instr.out[0]] = 1;
  return true;
}

bool Machine::execute(const LoadForm &form, const Instr &instr) {
  const Tiling &tiling = form.tiling;
  const Memory &memory = *world.memories[tiling.tensor];
  const Layout &layout = memory.layout();
  Box box;
  if (form.fromPiece) {
    box = pieces[instr.in[0]];
  } else {
    std::optional<Coord> index =
        tileIndex(instr, tiling, "load.bounds", "reads");
    if (!index) {
      return false;
    }
    box = tileBox(*index, tiling.tile, layout.extents);
  }
  for (size_t k = 0; !form.padded && k < box.low.size(); ++k) {
    int64_t high = box.low[k] + tiling.tile[k];
    if (box.high[k] == high) {
      continue;
    }
    Fault fault = faultAt("load.pad", instr, 0);
    fault.tensor = static_cast<int>(tiling.tensor);
    fault.headline = "the tile is ragged and the load has no padding";
    fault.message = "reads " + axisText(k, box.low.size(), box.low[k],
                                        Wide(box.low[k]) + tiling.tile[k],
                                        layout.extents[k]);
    fault.element.assign(box.low.begin(), box.low.end());
    fault.element[k] = layout.extents[k];
    return stuck(std::move(fault));
  }
  bool computed = !isFloat(layout.kind) || world.program.values;
  Value result;
  if (computed && isFloat(layout.kind)) {
    result.floats.assign(instr.lanes, form.floatPad);
  } else if (computed) {
    result.ints.assign(instr.lanes, 0);
  }
  int64_t length = rowLength(box);
  auto row = [&](llvm::ArrayRef<int64_t> start, size_t lane) {
    if (std::optional<int64_t> gap = memory.firstUndefined(start, length)) {
      Fault fault = faultAt("load.defined", instr, 0);
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
    if (computed) {
      memory.read(start, length, result, lane);
    }
    return true;
  };
  if (!forEachRow(box, tiling.tile, row)) {
    return false;
  }
  define(instr, std::move(result));
  return true;
}

bool Machine::execute(const StoreForm &form, const Instr &instr) {
  Memory &memory = *world.memories[form.tiling.tensor];
  const Value &value = in(instr, 0);
  const Box &box = pieces[instr.in[1]];
  world.result.boundsHold &= value.uncertain.empty();
  int64_t length = rowLength(box), before = memory.bytes();
  forEachRow(box, form.tiling.tile,
             [&](llvm::ArrayRef<int64_t> start, size_t lane) {
               memory.write(start, length, value, lane);
               return true;
             });
  world.use(memory.bytes() - before);
  return true;
}

} // namespace girih::exec
