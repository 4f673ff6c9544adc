// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes outside hold: a word or a number, in text and against the element
// type.

#include "ir/types/Attrs.h"
#include "ir/types/Diagnose.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"

#include <cmath>

using namespace mlir;
using namespace girih::tile;

//===-- Text --------------------------------------------------------------===//

/// The fewest digits that read back as the number, with a point.
static std::string realText(const llvm::APFloat &number) {
  llvm::SmallString<32> text;
  for (unsigned digits = 1; digits <= 17; ++digits) {
    text.clear();
    number.toString(text, digits);
    llvm::APFloat again(number.getSemantics());
    auto read =
        again.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (read && again.bitwiseIsEqual(number)) {
      break;
    }
    llvm::consumeError(read.takeError());
  }
  return (text.str().contains('.') ? text : text + ".0").str();
}

/// A word, or a number behind its sign.
static ParseResult parseUnsigned(OpAsmParser &parser, bool isNegative,
                                 Attribute &pad) {
  Builder &builder = parser.getBuilder();
  SMLoc loc = parser.getCurrentLocation();
  llvm::APInt whole;
  OptionalParseResult integer = parser.parseOptionalInteger(whole);
  if (integer.has_value()) {
    if (failed(*integer)) {
      return failure();
    }
    whole = whole.zext(whole.getBitWidth() + 1);
    whole = isNegative ? -whole : whole;
    if (whole.getSignificantBits() > 64) {
      return parser.emitError(loc) << "a padding has at most 64 bits";
    }
    pad = builder.getI64IntegerAttr(whole.getSExtValue());
    return success();
  }
  llvm::StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    std::optional<Pad> value = symbolizePad(word);
    if (!value || isNegative) {
      return parser.emitError(loc)
             << "padding is a number or one of zero, neg_zero, neg_inf, "
                "pos_inf, nan, got "
             << (isNegative ? "-" : "") << word;
    }
    pad = PadAttr::get(parser.getContext(), *value);
    return success();
  }
  double real = 0;
  if (parser.parseFloat(real)) {
    return failure();
  }
  if (!std::isfinite(real)) {
    return parser.emitError(loc) << "a padding has at most 64 bits";
  }
  pad = builder.getF64FloatAttr(isNegative ? -real : real);
  return success();
}

ParseResult girih::tile::parsePadClause(OpAsmParser &parser, Attribute &pad) {
  if (failed(parser.parseOptionalKeyword("pad"))) {
    return success();
  }
  if (parser.parseLParen()) {
    return failure();
  }
  SMLoc loc = parser.getCurrentLocation();
  bool isNegative = succeeded(parser.parseOptionalMinus());
  if (isNegative && succeeded(parser.parseOptionalMinus())) {
    return parser.emitError(loc, "a padding has one sign");
  }
  return failure(parseUnsigned(parser, isNegative, pad) ||
                 parser.parseRParen());
}

std::optional<int64_t> girih::tile::wholePad(Attribute pad) {
  auto number = dyn_cast_if_present<IntegerAttr>(pad);
  return number && !isa<PadAttr>(pad) ? std::optional(number.getInt())
                                      : std::nullopt;
}

/// The clause's text between its brackets.
static std::string padText(Attribute pad) {
  if (auto word = dyn_cast<PadAttr>(pad)) {
    return stringifyPad(word.getValue()).str();
  }
  auto real = dyn_cast<FloatAttr>(pad);
  return real ? realText(real.getValue())
              : std::to_string(cast<IntegerAttr>(pad).getInt());
}

void girih::tile::printPadClause(OpAsmPrinter &printer, Operation *,
                                 Attribute pad) {
  if (pad) {
    printer << "pad(" << padText(pad) << ')';
  }
}

//===-- Against the element type ------------------------------------------===//

static LogicalResult verifyWord(Operation *op, Pad pad, Type element) {
  bool isPlain = element.isInteger() || isa<Float8E8M0FNUType>(element);
  if (isPlain && pad != Pad::Zero) {
    return emitOperandError(op, 0)
           << "padding of " << element << " elements is zero or a number, got "
           << stringifyPad(pad);
  }
  bool infinite = pad == Pad::NegInf || pad == Pad::PosInf;
  if (infinite && isa<Float8E4M3FNType, Float4E2M1FNType>(element)) {
    return emitOperandError(op, 0) << element << " has no infinity";
  }
  if (pad == Pad::NaN && isa<Float4E2M1FNType>(element)) {
    return emitOperandError(op, 0) << element << " has no NaN";
  }
  return success();
}

static LogicalResult verifyWhole(Operation *op, int64_t pad, Type element) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type) {
    return emitOperandError(op, 0)
           << "padding of " << element << " elements has a point, got " << pad;
  }
  unsigned width = type.getWidth();
  if (!llvm::isIntN(width, pad)) {
    return emitOperandError(op, 0)
           << element << " holds " << llvm::minIntN(width) << " to "
           << llvm::maxIntN(width) << ", got padding " << pad;
  }
  return success();
}

/// The number of that type that is nearest, as an f64.
static llvm::APFloat nearest(const llvm::APFloat &number, FloatType element) {
  llvm::APFloat out = number;
  bool loses = false;
  out.convert(element.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
              &loses);
  out.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &loses);
  return out;
}

static LogicalResult verifyReal(Operation *op, const llvm::APFloat &pad,
                                Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type) {
    return emitOperandError(op, 0)
           << "padding of " << element << " elements is whole, got "
           << realText(pad);
  }
  if (isa<Float8E8M0FNUType>(type)) {
    constexpr int most = 127;
    int exponent = pad.getExactLog2(); // INT_MIN where there is none
    if (exponent >= -most && exponent <= most) {
      return success();
    }
    return emitOperandError(op, 0)
           << type << " holds powers of two from 2^-127 to 2^127, got padding "
           << realText(pad);
  }
  llvm::APFloat held = nearest(pad, type);
  if (held.bitwiseIsEqual(pad)) {
    return success();
  }
  InFlightDiagnostic error = emitOperandError(op, 0);
  error << type << " does not hold the padding " << realText(pad);
  if (held.isFinite()) {
    error << ", but " << realText(held);
  }
  return error;
}

LogicalResult girih::tile::verifyPad(Operation *op, Attribute pad,
                                     Type element) {
  if (!pad) {
    return success();
  }
  if (auto word = dyn_cast<PadAttr>(pad)) {
    return verifyWord(op, word.getValue(), element);
  }
  if (auto real = dyn_cast<FloatAttr>(pad)) {
    return verifyReal(op, real.getValue(), element);
  }
  return verifyWhole(op, cast<IntegerAttr>(pad).getInt(), element);
}
