// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers. `index` is i64: no result of type index leaves 64 bits, which was
// proved. iN wraps in both languages.

#include "lower/tileir/Context.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir::arith;

namespace girih::tileir {

static bool isBit(Context &c, Value v) {
  return c.builder.tileOf(v).element == Element::I1;
}

/// An op of two integers of one type. On bits it is done in i8, where true is
/// -1, and cut off.
template <typename F>
static bool binary(Context &c, mlir::Operation *op, F make) {
  Value a = c[op->getOperand(0)], b = c[op->getOperand(1)];
  bool bit = isBit(c, a);
  Element work = bit ? Element::I8 : c.builder.tileOf(a).element;
  Value result =
      make(c.builder.castSigned(a, work), c.builder.castSigned(b, work));
  c.values[op->getResult(0)] =
      bit && c.builder.tileOf(result).element != Element::I1
          ? c.builder.castSigned(result, Element::I1)
          : result;
  return true;
}

static bool extremeUnsigned(Context &c, mlir::Operation *op, Opcode opcode) {
  return binary(c, op, [&](Value x, Value y) {
    return c.builder.one(opcode, {int64_t(Signedness::Unsigned)}, {x, y},
                         c.builder.typeOf(x));
  });
}

/// By less than the width: the dialect has only such constants. A bit moves by
/// 0 places.
static bool shift(Context &c, mlir::Operation *op, Opcode opcode,
                  int64_t attribute) {
  Value a = c[op->getOperand(0)], b = c[op->getOperand(1)];
  c.values[op->getResult(0)] =
      isBit(c, a)
          ? a
          : c.builder.one(opcode, {attribute}, {a, b}, c.builder.typeOf(a));
  return true;
}

static Predicate predicateOf(CmpIPredicate p) {
  switch (p) {
  case CmpIPredicate::eq:
    return Predicate::Equal;
  case CmpIPredicate::ne:
    return Predicate::NotEqual;
  case CmpIPredicate::slt:
    return Predicate::Less;
  case CmpIPredicate::sle:
    return Predicate::LessEqual;
  case CmpIPredicate::sgt:
    return Predicate::Greater;
  default:
    return Predicate::GreaterEqual; // unsigned ones are malformed
  }
}

static Value shiftBy(Context &c, Value v, Opcode opcode, int64_t bits) {
  int64_t attribute = opcode == Opcode::ShLI ? int64_t(Overflow::None)
                                             : int64_t(Signedness::Signed);
  return c.builder.one(opcode, {attribute},
                       {v, c.builder.integer(bits, c.builder.tileOf(v))},
                       c.builder.typeOf(v));
}

/// The low four bits of each byte, with their sign.
static Value lowNibbles(Context &c, Value bytes) {
  return shiftBy(c, shiftBy(c, bytes, Opcode::ShLI, 4), Opcode::ShRI, 4);
}

/// Which lanes of a shape are the first of two along an axis.
static Value isFirst(Context &c, const std::vector<int64_t> &shape,
                     unsigned axis) {
  std::vector<int64_t> line(shape.size(), 1);
  line[axis] = 2;
  TileType pair{Element::I8, {2}, false};
  Value number =
      c.builder.reshape(c.builder.one(Opcode::Iota, {}, {}, pair), line);
  Value zero = c.builder.integer(0, c.builder.tileOf(number));
  return c.builder.broadcast(c.builder.compare(Predicate::Equal, number, zero),
                             shape);
}

static Value choose(Context &c, Value condition, Value yes, Value no) {
  return c.builder.one(Opcode::Select, {}, {condition, yes, no},
                       c.builder.typeOf(yes));
}

Value unpackNibbles(Context &c, Value bytes, unsigned axis) {
  std::vector<int64_t> shape = c.builder.tileOf(bytes).shape, pairs = shape;
  pairs.insert(pairs.begin() + axis + 1, 1);
  Value twice = c.builder.reshape(bytes, pairs);
  pairs[axis + 1] = 2;
  twice = c.builder.broadcast(twice, pairs);
  Value both = choose(c, isFirst(c, pairs, axis + 1), lowNibbles(c, twice),
                      shiftBy(c, twice, Opcode::ShRI, 4));
  shape[axis] *= 2;
  return c.builder.reshape(both, shape);
}

Value packNibbles(Context &c, Value lanes, unsigned axis) {
  std::vector<int64_t> pairs = c.builder.tileOf(lanes).shape;
  pairs[axis] /= 2;
  std::vector<int64_t> shape = pairs;
  pairs.insert(pairs.begin() + axis + 1, 2);
  Value v = c.builder.reshape(lanes, pairs);
  TileType type = c.builder.tileOf(v), bytes{Element::I8, shape, false};
  Value placed = choose(c, isFirst(c, pairs, axis + 1),
                        c.builder.bitAnd(v, c.builder.integer(15, type)),
                        shiftBy(c, v, Opcode::ShLI, 4));
  // Halves of a byte share no bit.
  Type scalar = scalarType(Element::I8);
  Region either = c.builder.region({scalar, scalar}, [&](auto &halves) {
    Value byte = c.builder.one(Opcode::OrI, {}, {halves[0], halves[1]}, scalar);
    c.builder.append(Opcode::Yield, {}, {{byte}}, {});
  });
  std::vector<Identity> identities = {{Element::I8, 0}};
  return c.builder.append(Opcode::Reduce, {int64_t(axis) + 1, identities},
                          {{placed}}, {bytes}, {std::move(either)})[0];
}

static bool isNibble(mlir::Value v) {
  return mlir::getElementTypeOrSelf(v).isInteger(4);
}

static bool cast(Context &c, mlir::Operation *op) {
  mlir::Value result = op->getResult(0);
  Value v =
      c.builder.castSigned(c[op->getOperand(0)], elementOf(result.getType()));
  bool narrows = isNibble(result) && mlir::isa<TruncIOp>(op);
  c.values[result] = narrows ? lowNibbles(c, v) : v;
  return true;
}

static bool extendUnsigned(Context &c, ExtUIOp op) {
  Builder &b = c.builder;
  Value v = c[op.getIn()];
  TileType type = tileTypeOf(op.getType());
  c.values[op.getResult()] =
      isNibble(op.getIn())
          ? b.castSigned(b.bitAnd(v, b.integer(15, b.tileOf(v))), type.element)
          : b.one(Opcode::ExtI, {int64_t(Signedness::Unsigned)}, {v}, type);
  return true;
}

static bool select(Context &c, SelectOp op) {
  Value yes = c[op.getTrueValue()], no = c[op.getFalseValue()];
  Builder &b = c.builder;
  TileType type = b.tileOf(yes), work = type;
  Value condition = b.broadcast(c[op.getCondition()], type.shape);
  // There is no choice between floats of 4 bits; in f16 they are the same.
  bool tiny = type.element == Element::F4E2M1FN;
  auto cast = [&](Value v, const TileType &to) {
    return tiny ? b.one(Opcode::FToF, {int64_t(Rounding::NearestEven)}, {v}, to)
                : v;
  };
  work.element = tiny ? Element::F16 : type.element;
  Value chosen = b.one(Opcode::Select, {},
                       {condition, cast(yes, work), cast(no, work)}, work);
  c.values[op.getResult()] = cast(chosen, type);
  return true;
}

/// No sum, difference or product of type index leaves 64 bits, which was proved
/// where it is one number; lanes of vectors may lie behind a mask.
static Overflow overflowOf(Context &c, mlir::Operation *op) {
  if (!op->getResult(0).getType().isIndex() || !c.options.facts ||
      c.options.checks) {
    return Overflow::None;
  }
  c.exact.insert(op);
  return Overflow::NSW;
}

bool lowerInteger(Context &c, mlir::Operation *op) {
  Builder &b = c.builder;
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<AddIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) {
          return b.add(x, y, overflowOf(c, op));
        });
      })
      .Case<SubIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) {
          return b.subtract(x, y, overflowOf(c, op));
        });
      })
      .Case<MulIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) {
          return b.multiply(x, y, overflowOf(c, op));
        });
      })
      .Case<DivSIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) { return b.divide(x, y); });
      })
      .Case<CeilDivSIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) {
          return b.divide(x, y, Rounding::PositiveInf);
        });
      })
      .Case<RemSIOp>([&](auto) {
        return binary(c, op,
                      [&](Value x, Value y) { return b.remainder(x, y); });
      })
      .Case<MaxSIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) { return b.maximum(x, y); });
      })
      .Case<MinSIOp>([&](auto) {
        return binary(c, op, [&](Value x, Value y) { return b.minimum(x, y); });
      })
      .Case<MaxUIOp>([&](auto) { return extremeUnsigned(c, op, Opcode::MaxI); })
      .Case<MinUIOp>([&](auto) { return extremeUnsigned(c, op, Opcode::MinI); })
      .Case<CmpIOp>([&](CmpIOp cmp) {
        return binary(c, op, [&](Value x, Value y) {
          return b.compare(predicateOf(cmp.getPredicate()), x, y);
        });
      })
      .Case<ShLIOp>([&](auto) {
        return shift(c, op, Opcode::ShLI, int64_t(Overflow::None));
      })
      .Case<ShRSIOp>([&](auto) {
        return shift(c, op, Opcode::ShRI, int64_t(Signedness::Signed));
      })
      .Case<ShRUIOp>([&](auto) {
        return shift(c, op, Opcode::ShRI, int64_t(Signedness::Unsigned));
      })
      .Case<BitcastOp>([&](BitcastOp cast) {
        Value v = c[cast.getIn()];
        TileType to = tileTypeOf(cast.getType());
        c.values[cast.getResult()] =
            b.tileOf(v) == to ? v : b.one(Opcode::BitCast, {}, {v}, to);
        return true;
      })
      .Case<IndexCastOp, ExtSIOp, TruncIOp>([&](auto) { return cast(c, op); })
      .Case<ExtUIOp>([&](ExtUIOp ext) { return extendUnsigned(c, ext); })
      .Case<SelectOp>([&](SelectOp op) { return select(c, op); })
      .Default(false);
}

} // namespace girih::tileir
