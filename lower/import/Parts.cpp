// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of tiles. tile.extract takes a part whose number is a constant; for
// another one a tile is seen as parts along one more axis, and the part whose
// number is asked for is all that a sum along that axis leaves.

#include "lower/import/Emitter.h"

#include <algorithm>

using namespace girih::readback;

namespace girih::importer {

/// `shape` with axis k as `parts` of equal extent, one after another.
static Shape split(Shape shape, size_t k, int64_t parts) {
  shape[k] /= parts;
  shape.insert(shape.begin() + long(k), parts);
  return shape;
}

/// Lane by lane its number along an axis, as an i32.
static Lanes count(Emitter &e, const Shape &shape, size_t axis) {
  return {e.define("tile.iota " + std::to_string(axis) + " : " +
                   Emitter::type("i32", shape)),
          "i32", shape, false, ""};
}

static Lanes choose(Emitter &e, const Lanes &condition, const Lanes &x,
                    const Lanes &y) {
  std::string c = e.full(condition), left = e.full(x), right = e.full(y);
  Lanes out{"", x.element, x.shape, false, ""};
  out.name = e.define("arith.select " + c + ", " + left + ", " + right + " : " +
                      Emitter::type("i1", x.shape) + ", " + Emitter::type(out));
  return out;
}

/// What adds nothing: -0.0 for a float.
static Lanes nothing(Emitter &e, const Lanes &of) {
  bool integer = of.element[0] == 'i';
  Lanes v{"", of.element, of.shape, true, integer ? "0" : "-0.0"};
  v.name = e.define("arith.constant " + v.constant + " : " + v.element);
  return v;
}

/// The part with that number of so many along axis k.
static Lanes part(Emitter &e, const Lanes &v, size_t k, int64_t parts,
                  const Lanes &number) {
  Shape seen = split(v.shape, k, parts);
  Shape left = v.shape;
  left[k] /= parts;
  Lanes whole{e.full(v), v.element, v.shape, false, ""};
  Lanes apart = e.reshape(whole, seen);
  Lanes asked = number;
  asked.shape = seen;
  Lanes is = e.compare("arith.cmpi eq", count(e, seen, k), asked);
  Lanes kept = choose(e, is, apart, nothing(e, apart));
  Lanes out{"", v.element, left, lanesOf(left) == 1, ""};
  if (out.splat) {
    kept = e.reshape(kept, {parts});
  }
  out.name =
      e.define("tile.reduce add " + kept.name + ", " +
               std::to_string(out.splat ? 0 : k) + " : " + Emitter::type(kept));
  return out;
}

void Emitter::extract(const Op &op) {
  const Type &to = f.types[op.results.at(0)];
  const std::vector<unsigned> &index = op.operands.at("index");
  Lanes v = kept(op, operand(op, "x"));
  if (index.size() != v.shape.size() || to.shape.size() != v.shape.size() ||
      elementOf(op, to) != v.element) {
    refuse(op, "an extract that has no form in the dialect");
  }
  // One lane is a scalar in the dialect, which only a sum makes of it.
  bool isOne = lanesOf(to.shape) == 1;
  Shape cut = v.shape;
  std::vector<std::pair<size_t, Lanes>> asked;
  std::string position;
  for (size_t k = 0; k < index.size(); ++k) {
    if (to.shape[k] > v.shape[k] || v.shape[k] % to.shape[k] != 0) {
      refuse(op, "an extract of a part that does not fit");
    }
    int64_t parts = v.shape[k] / to.shape[k];
    const Lanes number_ = get(op, index[k]);
    if (!number_.shape.empty() || number_.element != "i32") {
      refuse(op, "a part whose number is no i32");
    }
    // That no part is asked for that is not there is an obligation.
    std::optional<int64_t> known = sources.constant(index[k]);
    if (known && (*known < 0 || *known >= parts)) {
      refuse(op, "an extract of a part that is not there");
    }
    if (!known) {
      Lanes low = compare("arith.cmpi sge", number_, number(0, "i32"));
      Lanes high = compare("arith.cmpi slt", number_, number(parts, "i32"));
      Lanes both = apply("arith.andi", {low, high});
      line("tile.prove " + both.name + ", \"such a part is there\" : i1");
    }
    bool isCut = v.splat || (known && !isOne);
    cut[k] = isCut ? to.shape[k] : v.shape[k];
    if (!isCut && parts > 1) {
      asked.emplace_back(k, number_);
    }
    position += (k ? ", " : "") + std::to_string(isCut && known ? *known : 0);
  }
  if (cut != v.shape) {
    v = moved("tile.extract", v, cut, "[" + position + "]");
  }
  if (!asked.empty()) {
    if (v.element == "i1" || (v.element[0] == 'f' && bytesOf(to) == 1)) {
      refuse(op, "an extract that has no form in the dialect");
    }
    if (!v.index.empty()) {
      v.name = v.name.empty() ? narrow(v) : v.name;
      v.index.clear();
    }
    for (const auto &[k, number_] : asked) {
      v = part(*this, v, k, cut[k] / to.shape[k], number_);
    }
  }
  set(op.results[0], v);
}

void Emitter::concatenate(const Op &op) {
  const Lanes &x = kept(op, operand(op, "x")), &y = kept(op, operand(op, "y"));
  const Type &to = f.types[op.results.at(0)];
  int64_t axis = attribute(op, "axis");
  if (axis < 0 || axis >= int64_t(x.shape.size()) || x.shape != y.shape ||
      x.element != y.element || elementOf(op, to) != x.element ||
      lanesOf(x.shape) > (1 << 19)) {
    refuse(op, "a cat of tiles that are not alike");
  }
  Shape joined = x.shape;
  joined[size_t(axis)] *= 2;
  if (to.shape != joined) {
    refuse(op, "a cat to another shape");
  }
  auto cat = [&](const Lanes &first, const Lanes &second) {
    std::string left = full(first), right = full(second);
    return define("tile.cat " + left + ", " + right + ", " +
                  std::to_string(axis) + " : " +
                  type(first.element, first.shape));
  };
  Lanes out{"", x.element, joined, false, ""};
  // Lanes that differ fit by their interval, but one number need not.
  auto fits = [&](const Lanes &v) {
    return contains(signedRange(bitsOf(v.element)), rangeOf(v));
  };
  if (bitsOf(x.element) > 1) {
    out.range = either(wrappedRange(x), wrappedRange(y));
  }
  if (out.range && sources.steers(op.results[0]) && fits(x) && fits(y)) {
    std::optional<Lanes> first = lifted(x), second = lifted(y);
    if (first && second) {
      out.index = cat(indexLanes(*first), indexLanes(*second));
      set(op.results[0], out);
      return;
    }
  }
  const Lanes first = get(op, operand(op, "x"));
  const Lanes second = get(op, operand(op, "y"));
  out.name = cat(first, second);
  set(op.results[0], out);
}

} // namespace girih::importer
