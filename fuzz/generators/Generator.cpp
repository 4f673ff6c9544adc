// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel: a written tensor, a schedule of its tiles, inputs read on the way.

#include "fuzz/generators/Generator.h"

#include "fuzz/generators/AtomicLanes.h"
#include "fuzz/generators/Inputs.h"
#include "fuzz/generators/Schedule.h"
#include "fuzz/generators/ViewChain.h"
#include "fuzz/generators/families/LaneSlices.h"
#include "fuzz/generators/families/LanesOfViews.h"
#include "fuzz/generators/families/TilesOfViews.h"

#include <algorithm>

namespace girih::fuzz {

namespace {
class Kernel {
public:
  explicit Kernel(Draw &d) : d(d), w("generated") {}

  Writer &write() {
    std::string mode = d.pick({"out", "out", "own", "own", "out partial"});
    bool covers = mode == "out";
    element = d.pick({"f32", "f32", "f16", "i32", "i8"});
    if (mode == "own" && d.chance(20)) {
      std::string kind = element[0] == 'i'
                             ? d.pick({"add", "min", "max", "and", "or", "xor"})
                             : "add";
      mode = "atomic<" + kind + ">";
    }
    Tensor &t = w.tensor(axes(), mode, element);
    bool halves = !covers && d.chance(15);
    if (halves) {
      Halves h = writeHalves(w, d, t);
      body(t, h.first, covers);
      std::string n = w.tiles(t, 0);
      if (!d.mutate("guard dropped")) {
        w.open("scf.if " + w.compare("slt", h.second[0], n));
      }
      body(t, h.second, covers);
    } else {
      std::vector<std::string> index = writeSchedule(w, d, t, covers);
      body(t, index, covers);
    }
    w.closeTo(0);
    finishGrid();
    contract();
    if (d.chance(30)) {
      disguise(w, d, t, covers);
    }
    return w;
  }

private:
  Draw &d;
  Writer w;
  std::string element;

  /// Sizes around the edges of a tile: none, one, ragged, whole.
  static std::vector<int64_t> sizes(int64_t tile) {
    std::vector<int64_t> out = {0,        1,        tile - 1,    tile,
                                tile + 1, 2 * tile, 3 * tile + 1};
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  std::vector<Axis> axes() {
    static const char *names[] = {"M", "N", "K"};
    size_t rank = static_cast<size_t>(d.pick({1, 1, 2, 2, 2, 3}));
    bool square = rank == 2 && d.chance(15);
    std::vector<Axis> out;
    for (size_t i = 0; i < rank; ++i) {
      Axis a;
      a.tile = d.pick({1, 2, 4, 4, 8, 16});
      a.unit = d.chance(25);
      a.tile = a.unit ? 1 : a.tile;
      if (d.chance(20)) {
        a.constant = d.between(1, 20);
        a.extent = std::to_string(a.constant);
      } else {
        a.extent = names[square ? 0 : i];
        w.symbol(a.extent, sizes(a.tile));
      }
      out.push_back(a);
    }
    return out;
  }

  void body(const Tensor &t, const std::vector<std::string> &index,
            bool covers) {
    std::string value = w.filled(t);
    for (int64_t n = d.below(3); n > 0; --n) {
      if (auto x = writeInput(w, d, t, index)) {
        value = combine(t, value, *x);
      }
    }
    std::string at = t.partition() + "[";
    for (size_t i = 0; i < index.size(); ++i) {
      at += (i ? ", " : "") + index[i];
    }
    at += "] : " + t.partitionType();
    if (!t.isClaimed()) {
      std::string kind = t.mode.substr(7, t.mode.size() - 8);
      w.line("tile.atomic " + kind + " " + value + ", " + at);
      return;
    }
    std::string piece = w.op("tile.claim " + at);
    std::string load = "tile.load " + piece + " pad(zero) : " + t.pieceType();
    if (t.mode == "own" && d.chance(60)) {
      value = combine(t, value, w.op(load));
    }
    if (t.mode != "own" && d.mutate("output read before it is written")) {
      value = combine(t, value, w.op(load));
    }
    std::string store = "tile.store ";
    bool conditional = !covers && d.chance(10);
    if (conditional) {
      w.open("scf.if " + w.compare("sgt", index[0], w.constant(0)));
    }
    w.line(store + value + ", " + piece + " : " + t.pieceType());
    if (d.chance(20)) {
      std::string again = combine(t, w.op(load), value);
      w.line(store + again + ", " + piece + " : " + t.pieceType());
    }
    if (conditional) {
      w.close();
    }
  }

  std::string combine(const Tensor &t, const std::string &a,
                      const std::string &b) {
    return w.op((t.isFloat() ? "arith.addf " : "arith.addi ") + a + ", " + b +
                " : " + t.valueType());
  }

  /// An axis of one block changes nothing; one of two that nobody uses makes
  /// every claim clash with itself.
  void finishGrid() {
    if (d.mutate("unused grid axis")) {
      w.grid("2");
      return;
    }
    if (d.chance(10) || (w.gridSize() == 0 && d.chance(70))) {
      w.grid("1");
    }
  }

  /// Demands that matter to nobody, but are facts to the prover.
  void contract() {
    if (!d.chance(20) || w.box.symbols.empty()) {
      return;
    }
    const std::string s = d.pick(w.box.symbols).first;
    if (s == "off") {
      return; // it may have to be 0 for a launch to exist
    }
    w.require(d.pick({s + " >= 1", "mod(" + s + ", 2) == 0", s + " <= 1000000",
                      "2 * " + s + " >= " + s}));
  }
};
} // namespace

static Sample sample(uint64_t seed, int active) {
  Draw d(seed, active);
  Kernel k(d);
  Writer &w = k.write();
  Sample s;
  s.seed = seed;
  s.text = w.text();
  s.box = w.box;
  if (active >= 0) {
    s.truth = Sample::Truth::Open;
    s.mutation = d.mutations()[static_cast<size_t>(active)];
  }
  return s;
}

Sample safeKernel(uint64_t seed) { return sample(seed, -1); }

std::vector<std::string> mutationsOf(uint64_t seed) {
  Draw d(seed);
  Kernel(d).write();
  return d.mutations();
}

Sample nearMiss(uint64_t seed, size_t mutation) {
  return sample(seed, static_cast<int>(mutation));
}

/// Two of three are safe, one has a mistake.
static Sample atomicScatters(uint64_t seed) {
  return seed % 3 == 2
             ? atomicLanes(seed, seed / 7 % atomicMistakes(seed).size())
             : atomicLanes(seed);
}

static Sample slicesOfLanes(uint64_t seed) {
  return seed % 3 == 2 ? laneSlices(seed, seed / 7 % sliceMistakes(seed).size())
                       : laneSlices(seed);
}

const std::vector<Family> &drawnFamilies() {
  static const std::vector<Family> all = {
      {"several-stores", severalStores},
      {"by-contents", byContents},
      {"masks", randomMasks, true},
      {"atomic-scatters", atomicScatters},
      {"random-atomic-scatters", randomAtomicLanes, true},
      {"lane-slices", slicesOfLanes},
      {"whiles", whiles, true},
      {"views-of-lanes", lanesOfViews, true},
      {"tiles-of-views", tilesOfViews, true},
  };
  return all;
}

std::optional<size_t> findFamily(const std::string &name) {
  for (size_t i = 0; i < drawnFamilies().size(); ++i) {
    if (drawnFamilies()[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

} // namespace girih::fuzz
