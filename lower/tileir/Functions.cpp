// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float ops that Tile IR lacks, made of those that it has: rounding to whole
// numbers, functions that lose their digits when they are written down as they
// read, conversions that must not leave their type. What is smaller than f32 is
// computed there and rounded once more.

#include "lower/tileir/Context.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir::arith;

namespace girih::tileir {

namespace {

/// Arithmetic on tiles of one type of floats.
struct Calculus {
  Context &c;
  TileType type;

  Calculus(Context &c, TileType type) : c(c), type(std::move(type)) {}

  Value number(double x) {
    llvm::APFloat value(x);
    bool inexact = false;
    value.convert(semantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return c.builder.integer(int64_t(value.bitcastToAPInt().getZExtValue()),
                             type);
  }

  const llvm::fltSemantics &semantics() const {
    switch (type.element) {
    case Element::F16:
      return llvm::APFloat::IEEEhalf();
    case Element::BF16:
      return llvm::APFloat::BFloat();
    case Element::F64:
      return llvm::APFloat::IEEEdouble();
    default:
      return llvm::APFloat::IEEEsingle();
    }
  }

  Value rounded(Opcode opcode, std::vector<Value> operands) {
    return c.builder.one(opcode, {int64_t(Rounding::NearestEven), int64_t(0)},
                         std::move(operands), type);
  }
  Value add(Value a, Value b) { return rounded(Opcode::AddF, {a, b}); }
  Value subtract(Value a, Value b) { return rounded(Opcode::SubF, {a, b}); }
  Value multiply(Value a, Value b) { return rounded(Opcode::MulF, {a, b}); }
  Value divide(Value a, Value b) { return rounded(Opcode::DivF, {a, b}); }
  Value fma(Value a, Value b, Value to) {
    return rounded(Opcode::Fma, {a, b, to});
  }
  Value negate(Value a) { return c.builder.one(Opcode::NegF, {}, {a}, type); }
  Value magnitude(Value a) {
    return c.builder.one(Opcode::AbsF, {}, {a}, type);
  }
  Value whole(Opcode opcode, Value a) {
    return c.builder.one(opcode, {}, {a}, type);
  }
  Value exp(Value a) {
    return c.builder.one(Opcode::Exp, {int64_t(Rounding::Full)}, {a}, type);
  }
  Value log(Value a) { return c.builder.one(Opcode::Log, {}, {a}, type); }
  /// NaN wins.
  Value extreme(Opcode opcode, Value a, Value b) {
    return c.builder.one(opcode, {int64_t(1), int64_t(0)}, {a, b}, type);
  }
  /// NaN compares as false.
  Value compare(Predicate predicate, Value a, Value b) {
    return c.builder.one(Opcode::CmpF,
                         {int64_t(predicate), int64_t(Ordering::Ordered)},
                         {a, b}, TileType{Element::I1, type.shape, false});
  }
  Value select(Value condition, Value a, Value b) {
    return c.builder.one(Opcode::Select, {}, {condition, a, b},
                         c.builder.typeOf(a));
  }
  Value polynomial(Value x, llvm::ArrayRef<double> highestFirst) {
    Value sum = number(highestFirst[0]);
    for (double coefficient : highestFirst.drop_front()) {
      sum = fma(sum, x, number(coefficient));
    }
    return sum;
  }

  Value truncate(Value x) {
    return select(compare(Predicate::Less, x, number(0.0)),
                  whole(Opcode::Ceil, x), whole(Opcode::Floor, x));
  }

  /// To the nearest whole number: what is left of x is exact, and one more
  /// step is away from zero.
  Value round(Value x, bool tiesToEven) {
    Value near = truncate(x);
    Value left = magnitude(subtract(x, near));
    Value half = number(0.5);
    Value up = compare(
        tiesToEven ? Predicate::Greater : Predicate::GreaterEqual, left, half);
    if (tiesToEven) {
      Value halved = multiply(near, half);
      Value odd = c.builder.one(
          Opcode::AndI, {},
          {compare(Predicate::Equal, left, half),
           compare(Predicate::NotEqual, halved, whole(Opcode::Floor, halved))},
          c.builder.typeOf(up));
      up = c.builder.one(Opcode::OrI, {}, {up, odd}, c.builder.typeOf(up));
    }
    Value step = select(compare(Predicate::Less, x, number(0.0)), number(-1.0),
                        number(1.0));
    return select(up, add(near, step), near);
  }

  /// exp(x) - 1: its series where that would cancel, in terms that end below
  /// the last place.
  Value expm1(Value x) {
    std::vector<double> series;
    double factorial = 1;
    for (int n = 2; n <= (type.element == Element::F64 ? 17 : 10); ++n) {
      factorial *= n;
      series.insert(series.begin(), 1 / factorial);
    }
    Value near = fma(multiply(x, x), polynomial(x, series), x);
    Value far = subtract(exp(x), number(1.0));
    return select(compare(Predicate::LessEqual, magnitude(x), number(0.5)),
                  near, far);
  }

  /// log(1 + x): the error of the sum is in both factors of the quotient. A sum
  /// of 1 means that x is too small for any other result than itself.
  Value log1p(Value x) {
    Value one = number(1.0);
    Value sum = add(one, x);
    Value logarithm = log(sum);
    Value near = multiply(x, divide(logarithm, subtract(sum, one)));
    near = select(compare(Predicate::Equal, sum, one), x, near);
    return select(compare(Predicate::Greater, x, one), logarithm, near);
  }

  /// The sign of x before what has none.
  Value signedAs(Value x, Value positive) {
    return select(compare(Predicate::Less, x, number(0.0)), negate(positive),
                  positive);
  }

  /// Within two units in the last place: x times a polynomial in x x, or 1 -
  /// exp of one in |x| that is fitted to log(erfc) on [15/16, 4.1] and falls
  /// from there on.
  Value erfSingle(Value x) {
    Value t = magnitude(x);
    Value near = polynomial(multiply(x, x),
                            {-5.914513022e-4, 4.978038836e-3, -2.675618231e-2,
                             1.128152534e-1, -3.761246502e-1, 1.283791512e-1});
    near = fma(near, x, x);
    Value exponent = multiply(
        t, polynomial(t, {-1.215086195e-5, 3.319915850e-4, -3.679743968e-3,
                          2.384075709e-2, -1.063280404e-1, -6.350963116e-1,
                          -1.128661990}));
    Value far = signedAs(x, subtract(number(1.0), exp(exponent)));
    return select(compare(Predicate::Greater, t, number(0.9375)), far, near);
  }

  /// Near zero x exp(-s) times a series in s = x x whose terms are positive;
  /// else 1 - exp(-s) times a polynomial in 1 / x, fitted to erfc(x) exp(s) on
  /// [1.5, 6] with an error below 2^-52.
  Value erfDouble(Value x) {
    std::vector<double> series;
    double term = 2 / std::sqrt(M_PI);
    for (int n = 0; n <= 26; ++n) {
      series.insert(series.begin(), term);
      term *= 2.0 / (2 * n + 3);
    }
    Value s = multiply(x, x);
    Value lost = fma(x, x, negate(s)); // of the square
    Value decay = exp(negate(s));
    decay = fma(decay, negate(lost), decay);
    Value near = multiply(multiply(x, decay), polynomial(s, series));

    static constexpr double fitted[] = {
        -2.61047400483373141e-11, 1.02904813831710393e-10,
        -1.32522315724059244e-10, -1.67750224722194858e-10,
        1.67115311668421595e-9,   -6.57229189619318752e-9,
        1.60659123803641776e-8,   -1.32277546218273425e-8,
        -9.98529660438994578e-8,  6.37046414723685257e-7,
        -2.05962643369361928e-6,  2.69210730456507241e-6,
        0.0000137415310735923617, -0.000115830131469184396,
        0.000420425874408457014,  -0.0000858023280325018532,
        -0.0117497679141261611,   0.1146027474975639,
        0.218498734537033325};
    Value one = number(1.0);
    Value t = extreme(Opcode::MinF, magnitude(x), number(6.0));
    Value place =
        multiply(subtract(divide(one, t), number(5.0 / 12)), number(4.0));
    Value tail =
        multiply(exp(negate(multiply(t, t))), polynomial(place, fitted));
    Value far = signedAs(x, subtract(one, tail));
    return select(compare(Predicate::LessEqual, t, number(1.5)), near, far);
  }

  Value erf(Value x) {
    return type.element == Element::F64 ? erfDouble(x) : erfSingle(x);
  }
};

} // namespace

static bool isHalf(Element e) {
  return e == Element::F16 || e == Element::BF16;
}

static Value convertFloat(Context &c, Value v, Element to) {
  TileType type = c.builder.tileOf(v);
  if (type.element == to) {
    return v;
  }
  type.element = to;
  return c.builder.one(Opcode::FToF, {int64_t(Rounding::NearestEven)}, {v},
                       type);
}

template <typename F>
static bool whole(Context &c, mlir::Operation *op, F make) {
  Calculus calculus(c, tileTypeOf(op->getResult(0).getType()));
  c.values[op->getResult(0)] = make(calculus, c[op->getOperand(0)]);
  return true;
}

/// A function, in f32 at least.
template <typename F>
static bool function(Context &c, mlir::Operation *op, F make) {
  TileType type = tileTypeOf(op->getResult(0).getType());
  Element result = type.element;
  if (isHalf(result)) {
    type.element = Element::F32;
  }
  Calculus calculus(c, type);
  Value x = convertFloat(c, c[op->getOperand(0)], type.element);
  c.values[op->getResult(0)] = convertFloat(c, make(calculus, x), result);
  return true;
}

/// Numbers that the integers lack are cut off before the conversion, which says
/// nothing of them, and NaN is zero.
static bool toInteger(Context &c, mlir::Operation *op, Signedness sign) {
  Value x = c[op->getOperand(0)];
  TileType to = tileTypeOf(op->getResult(0).getType());
  if (isHalf(c.builder.tileOf(x).element)) {
    x = convertFloat(c, x, Element::F32);
  }
  Calculus f(c, c.builder.tileOf(x));
  bool isSigned = sign == Signedness::Signed;
  int bits = static_cast<int>(elementBits(to.element)) - isSigned;
  Value high = f.number(std::ldexp(1.0, bits));
  Value low = f.number(isSigned ? -std::ldexp(1.0, bits) : 0.0);
  Value below = f.compare(Predicate::Less, x, high);
  Value above = f.compare(Predicate::Greater, x, low);
  Value safe = f.select(c.builder.bitAnd(below, above), x, f.number(0.0));
  TileType wide = to;
  wide.element = bits > 32 ? Element::I64 : Element::I32;
  Value near = c.builder.one(
      Opcode::FToI,
      {int64_t(sign), int64_t(Rounding::NearestIntToZero), int64_t(0)}, {safe},
      wide);
  near = c.builder.castSigned(near, to.element);
  uint64_t ones = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  Value most = c.builder.integer(static_cast<int64_t>(ones), to);
  Value least =
      c.builder.integer(isSigned ? ~static_cast<int64_t>(ones) : 0, to);
  near = f.select(f.compare(Predicate::LessEqual, x, low), least, near);
  c.values[op->getResult(0)] =
      f.select(f.compare(Predicate::GreaterEqual, x, high), most, near);
  return true;
}

static constexpr int64_t fractionBits = 23;
static constexpr int64_t fraction = (int64_t(1) << fractionBits) - 1;
/// 2^-127 in f32, which is half the smallest normal number.
static constexpr int64_t smallestPower = int64_t(1) << (fractionBits - 1);

/// The exponent of a number in f32, by its bits: no conversion flushes the
/// smallest ones, and the sign does not matter.
static bool toPower(Context &c, tile::ConvertOp op) {
  Builder &b = c.builder;
  Value x = convertFloat(c, c[op.getValue()], Element::F32);
  TileType type = b.tileOf(x);
  type.element = Element::I32;
  Value size = b.bitAnd(b.one(Opcode::BitCast, {}, {x}, type),
                        b.integer(0x7fffffff, type));
  Value up = size;
  if (op.getRounding() == tile::Rounding::PositiveInf) {
    up = b.add(size, b.integer(fraction, type));
  }
  Value field = b.one(Opcode::ShRI, {int64_t(Signedness::Signed)},
                      {up, b.integer(fractionBits, type)}, type);
  field = b.minimum(field, b.integer(0xfe, type));
  Calculus f(c, b.tileOf(x));
  field = f.select(
      b.compare(Predicate::LessEqual, size, b.integer(smallestPower, type)),
      b.integer(0, type), field);
  Value infinity = b.integer(int64_t(0xff) << fractionBits, type);
  field = f.select(b.compare(Predicate::Greater, size, infinity),
                   b.integer(0xff, type), field);
  c.values[op.getResult()] = b.castSigned(field, Element::I8);
  return true;
}

/// The power of two of an exponent.
static bool fromPower(Context &c, mlir::arith::ExtFOp op) {
  Builder &b = c.builder;
  TileType type = b.tileOf(c[op.getIn()]);
  type.element = Element::I32;
  Value field = b.one(Opcode::ExtI, {int64_t(Signedness::Unsigned)},
                      {c[op.getIn()]}, type);
  Value bits = b.one(Opcode::ShLI, {int64_t(Overflow::None)},
                     {field, b.integer(fractionBits, type)}, type);
  Calculus f(c, type);
  bits = f.select(b.compare(Predicate::Equal, field, b.integer(0, type)),
                  b.integer(smallestPower, type), bits);
  bits = f.select(b.compare(Predicate::Equal, field, b.integer(0xff, type)),
                  b.integer(0x7fc00000, type), bits);
  TileType single = type;
  single.element = Element::F32;
  c.values[op.getResult()] =
      convertFloat(c, b.one(Opcode::BitCast, {}, {bits}, single),
                   elementOf(op.getResult().getType()));
  return true;
}

/// What is too large becomes the largest number first, which Tile IR does not
/// promise; NaN stays where the format has one.
static bool toSmall(Context &c, tile::ConvertOp op) {
  if (op.getRounding()) {
    return toPower(c, op);
  }
  Value x = c[op.getValue()];
  Element to = elementOf(op.getResult().getType());
  Calculus f(c, c.builder.tileOf(x));
  bool tiny = to == Element::F4E2M1FN;
  double most = tiny ? 6 : to == Element::F8E4M3FN ? 448 : 57344;
  if (tiny) {
    x = f.select(f.compare(Predicate::Equal, x, x), x, f.number(most));
  }
  x = f.extreme(Opcode::MinF, x, f.number(most));
  x = f.extreme(Opcode::MaxF, x, f.number(-most));
  c.values[op.getResult()] = convertFloat(c, x, to);
  return true;
}

static bool isPower(mlir::Value v) {
  return mlir::isa<mlir::Float8E8M0FNUType>(
      mlir::getElementTypeOrSelf(v.getType()));
}

bool lowerFunction(Context &c, mlir::Operation *op) {
  namespace math = mlir::math;
  auto round = [&](bool tiesToEven) {
    return whole(c, op,
                 [&](Calculus &f, Value x) { return f.round(x, tiesToEven); });
  };
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<math::TruncOp>([&](auto) {
        return whole(c, op, [](Calculus &f, Value x) { return f.truncate(x); });
      })
      .Case<math::RoundOp>([&](auto) { return round(false); })
      .Case<math::RoundEvenOp>([&](auto) { return round(true); })
      .Case<math::ExpM1Op>([&](auto) {
        return function(c, op, [](Calculus &f, Value x) { return f.expm1(x); });
      })
      .Case<math::Log1pOp>([&](auto) {
        return function(c, op, [](Calculus &f, Value x) { return f.log1p(x); });
      })
      .Case<math::ErfOp>([&](auto) {
        return function(c, op, [](Calculus &f, Value x) { return f.erf(x); });
      })
      .Case<FPToSIOp>(
          [&](auto) { return toInteger(c, op, Signedness::Signed); })
      .Case<FPToUIOp>(
          [&](auto) { return toInteger(c, op, Signedness::Unsigned); })
      .Case([&](tile::ConvertOp convert) { return toSmall(c, convert); })
      .Case([&](ExtFOp extend) {
        return isPower(extend.getIn())
                   ? fromPower(c, extend)
                   : whole(c, op, [&](Calculus &f, Value x) {
                       return convertFloat(c, x, f.type.element);
                     });
      })
      .Default(false);
}

} // namespace girih::tileir
