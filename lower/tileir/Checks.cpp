// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks in the kernel in place of proofs: an assertion for each obligation
// that bounds an index, where the index is used. They are never needed, the
// kernel being verified; they say what it would cost to rely on them, and on a
// device they are an oracle for the proofs.

#include "lower/tileir/Context.h"

#include "ir/text/Reader.h"
#include "ir/types/Diagnose.h"

using namespace girih::tile;

namespace girih::tileir {

namespace {

struct Checks {
  Context &c;

  /// 0 <= a < b, lane by lane, for b of at least 0: a negative number is a
  /// large one without its sign.
  Value isBelow(Value a, Value b) { return compare(Predicate::Less, a, b); }
  Value isAtMost(Value a, Value b) {
    return compare(Predicate::LessEqual, a, b);
  }

  Value compare(Predicate predicate, Value a, Value b) {
    // A copy: what is appended may move the types.
    std::vector<int64_t> shape = c.builder.tileOf(a).shape;
    return c.builder.one(
        Opcode::CmpI, {int64_t(predicate), int64_t(Signedness::Unsigned)},
        {a, c.builder.broadcast(b, shape)}, TileType{Element::I1, shape});
  }

  Value all(const std::vector<Value> &conditions) {
    Value out = conditions[0];
    for (Value v : llvm::drop_begin(conditions)) {
      out = c.builder.bitAnd(out, v);
    }
    return out;
  }

  void require(mlir::Operation *op, Rule rule, Value condition) {
    std::string text = tile::locationText(op->getLoc()) + ": " + ruleName(rule);
    c.builder.append(Opcode::Assert, {text}, {{condition}}, {});
  }
};

} // namespace

void checkTile(Context &c, mlir::Operation *op, mlir::Value partition,
               mlir::OperandRange indices, Rule rule) {
  if (!c.options.checks) {
    return;
  }
  Checks checks{c};
  PartitionOp of = girih::tile::partitionOf(partition);
  std::vector<Value> conditions;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    conditions.push_back(checks.isBelow(c[index], numTiles(c, of, axis)));
  }
  if (!conditions.empty()) {
    checks.require(op, rule, checks.all(conditions));
  }
}

void checkLanes(Context &c, mlir::Operation *op, mlir::Value tensor,
                mlir::OperandRange indices, mlir::Value mask, Rule rule) {
  if (!c.options.checks) {
    return;
  }
  Checks checks{c};
  ViewParts parts = partsOf(c, tensor);
  std::vector<Value> conditions;
  for (auto [index, extent] : llvm::zip(indices, parts.extents)) {
    conditions.push_back(checks.isBelow(c[index], valueOf(c, extent)));
  }
  Value good = checks.all(conditions);
  if (mask) {
    TileType type = c.builder.tileOf(good);
    Value off = c.builder.one(Opcode::XOrI, {},
                              {c[mask], c.builder.integer(1, type)}, type);
    good = c.builder.one(Opcode::OrI, {}, {good, off}, type);
  }
  checks.require(op, rule, good);
}

void checkSlice(Context &c, mlir::Operation *op, Size offset, Size size,
                Size step, Size extent) {
  if (!c.options.checks) {
    return;
  }
  Checks checks{c};
  Value o = valueOf(c, offset), n = valueOf(c, size), all = valueOf(c, extent);
  if (step.constant == 1) {
    checks.require(
        op, Rule::ViewSlice,
        checks.all({checks.isAtMost(n, all),
                    checks.isAtMost(o, c.builder.subtract(all, n))}));
    return;
  }
  // The last element, n - 1 steps from the first one, is at most this many
  // steps away; of a step or an offset that is bad the quotient is not used.
  Value one = c.builder.index(1), zero = c.builder.index(0);
  Value s = valueOf(c, step);
  Value room = c.builder.divide(
      c.builder.maximum(c.builder.subtract(c.builder.subtract(all, one), o),
                        zero),
      c.builder.maximum(s, one));
  Value lies = checks.all({checks.isBelow(o, all),
                           checks.isAtMost(c.builder.subtract(n, one), room)});
  Value isEmpty =
      checks.all({checks.compare(Predicate::Equal, n, zero),
                  c.builder.compare(Predicate::GreaterEqual, o, zero)});
  Value fits =
      c.builder.one(Opcode::OrI, {}, {lies, isEmpty}, c.builder.typeOf(lies));
  checks.require(
      op, Rule::ViewSlice,
      checks.all({fits, c.builder.compare(Predicate::GreaterEqual, s, one)}));
}

void checkFix(Context &c, mlir::Operation *op, Size coordinate, Size extent) {
  if (!c.options.checks) {
    return;
  }
  Checks checks{c};
  checks.require(op, Rule::ViewFix,
                 checks.isBelow(valueOf(c, coordinate), valueOf(c, extent)));
}

//===-- Printing ----------------------------------------------------------===//

/// A text that a format of printf leaves as it is.
static std::string literal(llvm::StringRef text) {
  std::string out;
  for (char c : text) {
    out += c == '%' ? "%%" : std::string(1, c);
  }
  return out;
}

/// A value as one of the types that printf knows, with its directive.
static std::pair<Value, std::string> printable(Context &c, Value v) {
  TileType type = c.builder.tileOf(v);
  if (!isFloat(type.element)) {
    bool isWide = type.element == Element::I64;
    bool isBit = type.element == Element::I1;
    type.element = isWide ? Element::I64 : Element::I32;
    int64_t sign = int64_t(isBit ? Signedness::Unsigned : Signedness::Signed);
    if (!isWide && !(c.builder.tileOf(v) == type)) {
      v = c.builder.one(Opcode::ExtI, {sign}, {v}, type);
    }
    return {v, isWide ? "%lld" : "%d"};
  }
  if (elementBits(type.element) < 32) {
    type.element = Element::F32;
    v = c.builder.one(Opcode::FToF, {int64_t(Rounding::NearestEven)}, {v},
                      type);
  }
  return {v, "%g"};
}

/// As the executor prints: the block, the label and each value by its name.
void lowerPrint(Context &c, PrintOp op) {
  std::string format = "block (";
  std::vector<Value> values;
  for (auto [axis, id] : llvm::enumerate(c.blockIds)) {
    format += axis ? ", %lld" : "%lld";
    values.push_back(id);
  }
  format += "):";
  format += op.getLabel().empty() ? "" : " " + literal(op.getLabel());
  for (auto [k, v] : llvm::enumerate(op.getValues())) {
    auto [value, directive] = printable(c, c[v]);
    std::string name = girih::tile::writtenName(v);
    format += (k ? ", " : " ") +
              (name.empty() ? "" : literal(name).substr(2) + " = ") + directive;
    values.push_back(value);
  }
  unsigned out = console(c.kernel);
  Value token =
      c.builder.append(Opcode::Print, {format + "\n"},
                       {values, tokenFor(c, op, out)}, {TokenType{}})[0];
  advance(c, op, out, token);
}

} // namespace girih::tileir
