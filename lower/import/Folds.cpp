// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Emitter.h"

using namespace girih::readback;

namespace girih::importer {

/// The one op between two lanes, by its word for reductions.
static std::string foldWord(const Op &op, const Region &r) {
  bool plain = r.ops.size() == 2 && r.arguments.size() == 2 &&
               r.ops[0].results.size() == 1 &&
               r.ops[1].operands.count("values") &&
               r.ops[1].operands.at("values") == r.ops[0].results &&
               r.ops[0].operands.count("x") && r.ops[0].operands.count("y");
  if (plain) {
    const Op &step = r.ops[0];
    unsigned x = operand(step, "x"), y = operand(step, "y");
    plain = (x == r.arguments[0] && y == r.arguments[1]) ||
            (x == r.arguments[1] && y == r.arguments[0]);
    bool isSigned =
        !step.attributes.count("sign") || attribute(step, "sign") == 1;
    if (plain && (is(step, "addf") || is(step, "addi"))) {
      return "add";
    }
    if (plain && (is(step, "mulf") || is(step, "muli"))) {
      return "mul";
    }
    if (plain && isSigned && (is(step, "maxf") || is(step, "maxi"))) {
      return "max";
    }
    if (plain && isSigned && (is(step, "minf") || is(step, "mini"))) {
      return "min";
    }
  }
  refuse(op,
         std::string(op.name) + " by something else than add, mul, max or min");
}

void Emitter::fold(const Op &op) {
  if (op.results.size() != 1 || op.operands.at("values").size() != 1) {
    refuse(op, std::string(op.name) + " of several values at once");
  }
  std::string word = foldWord(op, op.regions.at(0));
  Lanes v = get(op, operand(op, "values"));
  const Type &t = f.types[op.results[0]];
  int64_t axis = attribute(op, "axis");
  if (axis < 0 || axis >= int64_t(v.shape.size())) {
    refuse(op, std::string(op.name) + " along an axis that is not there");
  }
  if (word != "add" && word != "mul" && v.element[0] != 'i' &&
      !attribute(op.regions[0].ops[0], "nan")) {
    note("the largest or smallest number of some is NaN where one is");
  }
  if (is(op, "scan")) {
    if (t.shape != v.shape) {
      refuse(op, "a scan to another shape");
    }
    Lanes out{v.name, v.element, v.shape, v.splat, ""};
    if (lanesOf(v.shape) > 1) {
      std::string name = full(v);
      out.splat = false;
      out.name = define("tile.scan " + word + " " + name + ", " +
                        std::to_string(axis) +
                        (attribute(op, "direction") ? " reverse" : "") + " : " +
                        type(v.element, v.shape));
    }
    set(op.results[0], out);
    return;
  }
  Shape left = v.shape;
  left.erase(left.begin() + axis);
  if (t.shape != left) {
    refuse(op, "a reduction to another shape");
  }
  Lanes out{"", v.element, left, lanesOf(left) == 1, ""};
  std::string name = full(v);
  if (out.splat && v.shape.size() > 1) {
    Shape row{lanesOf(v.shape)};
    Lanes whole{name, v.element, v.shape, false, ""};
    name = row[0] == 1 ? name : reshape(whole, row).name;
    v.shape = row;
    axis = 0;
  }
  if (lanesOf(v.shape) == 1) {
    out.name = get(op, operand(op, "values")).name;
    set(op.results[0], out);
    return;
  }
  out.name = define("tile.reduce " + word + " " + name + ", " +
                    std::to_string(axis) + " : " + type(v.element, v.shape));
  set(op.results[0], out);
}

void Emitter::product(const Op &op) {
  Lanes x = get(op, operand(op, "x")), y = get(op, operand(op, "y"));
  Lanes z = get(op, operand(op, "z"));
  if (is(op, "mmai") &&
      (attribute(op, "sign_x") != 1 || attribute(op, "sign_y") != 1)) {
    refuse(op, "a product of integers without sign");
  }
  Shape shape = z.shape;
  for (Lanes *v : {&x, &y, &z}) {
    if (v->shape.size() == 3 && v->shape[0] == 1) {
      Shape flat(v->shape.begin() + 1, v->shape.end());
      v->name = full(*v);
      v->splat = false;
      *v = reshape(*v, flat);
    }
    if (v->shape.size() != 2 || lanesOf(v->shape) == 1) {
      refuse(op, "a product of a shape that has no form in the dialect");
    }
  }
  if (x.shape[1] != y.shape[0] || x.shape[0] != z.shape[0] ||
      y.shape[1] != z.shape[1]) {
    refuse(op, "a product of shapes that do not fit");
  }
  std::vector<Lanes> list{x, y, z};
  if (is(op, "mmaf_scaled")) {
    for (const char *name : {"x_scale", "y_scale"}) {
      list.push_back(get(op, operand(op, name)));
      if (list.back().shape.size() == 3 && list.back().shape[0] == 1) {
        list.back() =
            reshape(list.back(), {list.back().shape[1], list.back().shape[2]});
      }
    }
  }
  std::string names, typeList;
  for (const Lanes &v : list) {
    names += (names.empty() ? "" : ", ") + full(v);
    typeList += (typeList.empty() ? "" : ", ") + type(v.element, v.shape);
  }
  // A factor may lose digits where the op says so, or its type has fewer.
  const std::string &factor = f.types[operand(op, "x")].element;
  bool fast = factor == "tf32" || (attribute(op, "fast") &&
                                   (factor == "f32" || x.element[1] == '8'));
  std::string as = list.size() > 3 ? "tile.mma_scaled " : "tile.mma ";
  Lanes out{define(as + names + (fast ? " fast" : "") + " : " + typeList),
            z.element, z.shape, false, ""};
  set(op.results.at(0), reshape(out, shape));
}

} // namespace girih::importer
