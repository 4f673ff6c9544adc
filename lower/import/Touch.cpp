// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Emitter.h"

#include <algorithm>

using namespace girih::readback;

namespace girih::importer {

static std::string bracket(const std::vector<std::string> &list) {
  std::string text = "[";
  for (const std::string &s : list) {
    text += (text.size() > 1 ? ", " : "") + s;
  }
  return text + "]";
}

std::string Emitter::partition(const Op &op, const Tensor &t,
                               const std::vector<int64_t> &tile,
                               const std::vector<unsigned> &axes,
                               std::string &typeName, std::string &piece) {
  if (tile.size() != t.extents.size()) {
    refuse(op, "a tile of another number of axes than its tensor");
  }
  std::string mode = t.mode(options.cover);
  std::string big = t.name;
  big[0] = char(big[0] - 'a' + 'A');
  std::vector<std::string> dims, turned, by;
  bool unit = lanesOf(tile) == 1, plain = true;
  for (size_t k = 0; k < tile.size(); ++k) {
    dims.push_back(signature.text(t.extents[axes[k]]));
    turned.push_back(std::to_string(axes[k]));
    plain &= axes[k] == k;
    by.push_back(unit ? "_" : std::to_string(tile[k]));
  }
  std::string key = t.name + bracket(turned) + bracket(by);
  std::string &name = partitions[key];
  if (name.empty()) {
    std::string number = std::to_string(partitions.size() - 1);
    std::string of = "%" + t.name, ofType = "!" + big;
    if (!plain) {
      of = "%v" + number;
      ofType = "!V" + number;
      types += ofType + " = !tile.tensor<" + bracket(dims) + " x " + t.element +
               ", " + mode + ">\n";
      prologue += "  " + of + " = tile.view %" + t.name + " permute " +
                  bracket(turned) + " : !" + big + "\n";
    }
    name = "%p" + number;
    types += "!P" + number + " = !tile.partition<" + bracket(by) + ", " +
             bracket(dims) + " x " + t.element + ", " + mode +
             (plain ? signature.layout(t) : "") + ">\n";
    if (t.stored) {
      std::string whole = mode == "out partial" ? "out" : mode;
      types += "!Q" + number + " = !tile.piece<" + bracket(by) + " x " +
               t.element + ", " + whole + ">\n";
    }
    prologue += "  " + name + " = tile.partition " + of + " by " + bracket(by) +
                " : " + ofType + "\n";
    partitionTypes[key] = {"!P" + number, "!Q" + number};
  }
  typeName = partitionTypes[key].first;
  piece = partitionTypes[key].second;
  return name;
}

std::string Emitter::indices(const std::vector<Lanes> &list) {
  std::vector<std::string> names;
  for (const Lanes &v : list) {
    names.push_back(v.name);
  }
  return bracket(names);
}

static int64_t most(const Emitter &e, const Size &extent) {
  return extent.isConstant()
             ? extent.constant
             : e.signature
                   .bounded(e.signature.text(extent),
                            sizeRange(e.f.types[extent.parameter]))
                   .high;
}

static bool isLoad(const Op &op) {
  return is(op, "load_view_tko") || is(op, "load_ptr_tko");
}

static bool isAtomic(const Op &op) {
  return is(op, "atomic_rmw_tko") || is(op, "atomic_red_view_tko");
}

void Emitter::access(const Op &op) {
  Tensor &t = signature.tensor(sources, op);
  constexpr int64_t relaxed = 1;
  if (!isAtomic(op) && attribute(op, "order") > relaxed) {
    refuse(op, std::string(op.name) + " that orders what other blocks do");
  }
  if (is(op, "atomic_rmw_tko") && sources.isUsed(op.results.at(0))) {
    refuse(op, "an atomic op whose result is used");
  }
  if (!byAddress(op)) {
    byView(op, t);
  } else if (lanesOf(f.types[operand(op, "pointers")].shape) == 1) {
    oneLane(op, t);
  } else {
    byLanes(op, t);
  }
}

void Emitter::byView(const Op &op, Tensor &t) {
  const Type &p = partitionOf(sources, op);
  if (p.form != Type::Form::Partition) {
    refuse(op, std::string(op.name) + " of a view that is no partition");
  }
  std::string typeName, pieceType;
  std::string name = partition(op, t, p.tile, p.axes, typeName, pieceType);
  std::vector<Lanes> at;
  for (unsigned v : op.operands.at("index")) {
    const Lanes &index = kept(op, v);
    if (!index.shape.empty() || index.element[0] != 'i') {
      refuse(op, "an index that is no integer");
    }
    if (at.size() == p.tile.size()) {
      refuse(op, "indices of another number of axes");
    }
    at.push_back(coordinate(index, most(*this, t.extents[p.axes[at.size()]])));
  }
  if (at.size() != p.tile.size()) {
    refuse(op, "indices of another number of axes");
  }
  // That it lies wholly inside, as is said, is an obligation.
  if (auto inside = op.attributes.find("inside");
      inside != op.attributes.end()) {
    for (size_t k = 0; k < inside->second.numbers.size() && k < at.size();
         ++k) {
      if (!inside->second.numbers[k]) {
        continue;
      }
      Lanes next = apply("arith.addi", {at[k], number(1, "index")});
      Lanes end = apply("arith.muli", {next, number(p.tile[k], "index")});
      const Size &extent = t.extents[p.axes[k]];
      Lanes limit{extent.isConstant()
                      ? number(extent.constant, "index").name
                      : define("tile.symbol \"" + signature.text(extent) +
                               "\" : index"),
                  "index",
                  {},
                  true,
                  ""};
      Lanes holds = compare("arith.cmpi sle", end, limit);
      line("tile.prove " + holds.name + ", \"said to lie inside\" : i1");
    }
  }
  if (isAtomic(op)) {
    const Lanes v = get(op, operand(op, "value"));
    line("tile.atomic " + *t.atomic + " " +
         (lanesOf(p.tile) == 1 ? v.name : full(v)) + ", " + name + indices(at) +
         " : " + typeName);
    return;
  }
  std::string piece;
  if (t.stored) {
    piece = define("tile.claim " + name + indices(at) + " : " + typeName);
  }
  if (!isLoad(op)) {
    const Lanes v = get(op, operand(op, "value"));
    if (v.shape != p.tile || v.element != t.element) {
      refuse(op, "a value of another type than the tile that it goes to");
    }
    line("tile.store " + (lanesOf(p.tile) == 1 ? v.name : full(v)) + ", " +
         piece + " : " + pieceType);
    return;
  }
  unsigned result = op.results.at(0);
  bool integer = f.types[result].bits != 0;
  std::string pad;
  if (p.padding) {
    static const char *const pads[] = {"zero", "neg_zero", "nan", "pos_inf",
                                       "neg_inf"};
    if (*p.padding > 4 || (integer && *p.padding != 0)) {
      refuse(op, "a padding that has no form in the dialect");
    }
    pad = pads[*p.padding];
  } else if (!integer || !sources.steers(result)) {
    note("lanes outside of a tensor that were left open are 0");
    pad = "zero";
  }
  pad = pad.empty() || lanesOf(p.tile) == 1 ? "" : " pad(" + pad + ")";
  Lanes out{"", t.element, p.tile, lanesOf(p.tile) == 1, ""};
  if (f.types[result].shape != p.tile ||
      elementOf(op, f.types[result]) != t.element) {
    refuse(op, "a value of another type than the tile that it comes from");
  }
  out.name =
      t.stored
          ? define("tile.load " + piece + pad + " : " + pieceType)
          : define("tile.load " + name + indices(at) + pad + " : " + typeName);
  set(result, out);
}

/// The coordinates of an access by addresses, in the shape of these.
static std::vector<Lanes> coordinates(Emitter &e, const Op &op) {
  std::vector<Lanes> list;
  const Shape &shape = e.f.types[operand(op, "pointers")].shape;
  const Tensor &t = e.signature.tensor(e.sources, op);
  for (const Coordinate &c : e.signature.addresses.at(&op).coordinates) {
    Lanes v =
        e.coordinate(e.kept(op, c.value), most(e, t.extents[list.size()]));
    for (size_t i = c.around.size(); i-- > 0;) {
      const Op &as = *c.around[i];
      const Shape &to = e.f.types[as.results.at(0)].shape;
      bool fits = is(as, "reshape") ? lanesOf(to) == lanesOf(v.shape)
                                    : to.size() == v.shape.size();
      for (size_t k = 0; fits && is(as, "broadcast") && k < to.size(); ++k) {
        fits = v.shape[k] == to[k] || v.shape[k] == 1;
      }
      if (!fits || (!is(as, "reshape") && !is(as, "broadcast"))) {
        refuse(op, "an address of a shape that does not fit");
      }
      v = is(as, "reshape") ? e.reshape(v, to) : e.broadcast(v, to);
    }
    if (v.shape != shape) {
      refuse(op, "an address of a shape that does not fit");
    }
    list.push_back(std::move(v));
  }
  return list;
}

/// Whether some lane may be masked out.
static bool isMasked(const Emitter &e, const Op &op) {
  if (op.operands.at("mask").empty()) {
    return false;
  }
  const Lanes &mask = e.kept(op, operand(op, "mask"));
  return !mask.splat || mask.constant != "true";
}

/// Checks what lanes that are masked out may hold.
static void openLanes(Emitter &e, const Op &op) {
  if (e.f.types[op.results.at(0)].bits != 0 &&
      e.sources.steers(op.results[0])) {
    refuse(op, "an index that lanes left open may reach");
  }
  e.note("lanes that are masked out and were left open are 0");
}

void Emitter::byLanes(const Op &op, Tensor &t) {
  if (isLoad(op) && t.stored) {
    refuse(op, "a gather from a tensor that is written too");
  }
  std::string big = t.name;
  big[0] = char(big[0] - 'a' + 'A');
  const Shape &shape = f.types[operand(op, "pointers")].shape;
  std::vector<std::string> names;
  std::string typeList;
  for (const Lanes &v : coordinates(*this, op)) {
    names.push_back(full(v));
    typeList += ", " + type("index", shape);
  }
  bool masked = isMasked(*this, op);
  std::string mask, maskName;
  if (masked) {
    const Lanes m = get(op, operand(op, "mask"));
    if (m.shape != shape) {
      refuse(op, "a mask of another shape");
    }
    maskName = full(m);
    mask = ", " + maskName;
  }
  std::string where = "%" + t.name + bracket(names) + mask;
  std::string tail = "!" + big + typeList;
  if (masked) {
    tail += ", " + type("i1", shape);
  }
  if (!isLoad(op)) {
    const Lanes v = get(op, operand(op, "value"));
    if (v.shape != shape || v.element != t.element) {
      refuse(op, "a value of another type than where it goes");
    }
    std::string name = full(v);
    std::string how = isAtomic(op) ? "tile.atomic_scatter " + *t.atomic
                                   : std::string("tile.scatter");
    line(how + " " + name + ", " + where + " : " + type(v.element, shape) +
         ", " + tail);
    return;
  }
  unsigned result = op.results.at(0);
  Lanes out{"", elementOf(op, f.types[result]), shape, false, ""};
  if (f.types[result].shape != shape || out.element != t.element) {
    refuse(op, "a value of another type than where it comes from");
  }
  out.name = define("tile.gather " + where + (masked ? " pad(zero)" : "") +
                    " : " + tail);
  if (masked && op.operands.at("padding").empty()) {
    openLanes(*this, op);
  } else if (masked) {
    const Lanes pad = get(op, operand(op, "padding"));
    if (pad.shape != shape || pad.element != out.element) {
      refuse(op, "a padding of another type");
    }
    bool zero = pad.splat && !pad.constant.empty() &&
                pad.constant.find_first_not_of("0x") == std::string::npos;
    if (!zero) {
      std::string other = full(pad);
      out.name = define("arith.select " + maskName + ", " + out.name + ", " +
                        other + " : " + type("i1", shape) + ", " + type(out));
    }
  }
  set(result, out);
}

void Emitter::oneLane(const Op &op, Tensor &t) {
  std::vector<int64_t> tile(t.extents.size(), 1);
  std::vector<unsigned> axes;
  for (unsigned k = 0; k < tile.size(); ++k) {
    axes.push_back(k);
  }
  std::string typeName, pieceType;
  std::string name = partition(op, t, tile, axes, typeName, pieceType);
  std::vector<Lanes> at = coordinates(*this, op);
  bool masked = isMasked(*this, op);
  std::string mask;
  if (masked) {
    mask = get(op, operand(op, "mask")).name;
  }
  auto touch = [&]() -> std::string {
    if (isAtomic(op)) {
      line("tile.atomic " + *t.atomic + " " +
           get(op, operand(op, "value")).name + ", " + name + indices(at) +
           " : " + typeName);
      return "";
    }
    std::string piece;
    if (t.stored) {
      piece = define("tile.claim " + name + indices(at) + " : " + typeName);
    }
    if (!isLoad(op)) {
      line("tile.store " + get(op, operand(op, "value")).name + ", " + piece +
           " : " + pieceType);
      return "";
    }
    return t.stored
               ? define("tile.load " + piece + " : " + pieceType)
               : define("tile.load " + name + indices(at) + " : " + typeName);
  };
  if (!isLoad(op)) {
    const Lanes v = get(op, operand(op, "value"));
    if (v.element != t.element || lanesOf(v.shape) != 1) {
      refuse(op, "a value of another type than where it goes");
    }
    if (!masked) {
      touch();
      return;
    }
    line("scf.if " + mask + " {");
    indent += "  ";
    touch();
    indent.resize(indent.size() - 2);
    line("}");
    return;
  }
  unsigned result = op.results.at(0);
  Lanes out{"", elementOf(op, f.types[result]), f.types[result].shape, true,
            ""};
  if (out.element != t.element || lanesOf(out.shape) != 1) {
    refuse(op, "a value of another type than where it comes from");
  }
  if (!masked) {
    out.name = touch();
    set(result, out);
    return;
  }
  std::string pad;
  if (op.operands.at("padding").empty()) {
    openLanes(*this, op);
    bool integer = f.types[result].bits != 0;
    pad = define(std::string("arith.constant ") + (integer ? "0" : "0.0") +
                 " : " + out.element);
  } else {
    pad = get(op, operand(op, "padding")).name;
  }
  out.name = "%" + std::to_string(names++);
  line(out.name + " = scf.if " + mask + " -> (" + out.element + ") {");
  indent += "  ";
  std::string loaded = touch();
  line("scf.yield " + loaded + " : " + out.element);
  indent.resize(indent.size() - 2);
  line("} else {");
  line("  scf.yield " + pad + " : " + out.element);
  line("}");
  set(result, out);
}

void Emitter::viewShape(const Op &op) {
  const Op *view = sources.definition(operand(op, "view"));
  const Op *base = view;
  if (base && is(*base, "make_partition_view")) {
    base = sources.definition(operand(*base, "view"));
  }
  if (!base || !is(*base, "make_tensor_view")) {
    refuse(op, std::string(op.name) + " of no view of an argument");
  }
  auto found = signature.tensorOf.find(sources.plain(operand(*base, "base")));
  if (found == signature.tensorOf.end()) {
    refuse(op, std::string(op.name) + " of no argument");
  }
  const Tensor &t = signature.tensors[found->second];
  bool tiles = is(op, "get_index_space_shape");
  const Type &p = f.types[operand(op, "view")];
  if (op.results.size() != t.extents.size() ||
      (tiles && p.form != Type::Form::Partition)) {
    refuse(op, std::string(op.name) + " of another number of axes");
  }
  for (size_t k = 0; k < op.results.size(); ++k) {
    if (!sources.isUsed(op.results[k])) {
      continue;
    }
    std::string name;
    if (tiles) {
      std::string typeName, pieceType;
      std::string of = partition(op, t, p.tile, p.axes, typeName, pieceType);
      name = define("tile.num_tiles " + of + ", " + std::to_string(k) + " : " +
                    typeName);
    } else {
      name = t.extents[k].isConstant()
                 ? number(t.extents[k].constant, "index").name
                 : define("tile.symbol \"" + signature.text(t.extents[k]) +
                          "\" : index");
    }
    Lanes v{"", f.types[op.results[k]].element, {}, true, ""};
    v.index = name;
    int64_t extent = most(*this, t.extents[tiles ? p.axes[k] : k]);
    int64_t tile = tiles ? p.tile[k] : 1;
    v.range = {0, extent / tile + (extent % tile != 0)};
    set(op.results[k], v);
  }
}

} // namespace girih::importer
