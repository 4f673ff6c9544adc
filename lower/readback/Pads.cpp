// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Pads.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cmath>

using namespace girih::tile;

namespace girih::readback {

static Pad wordOf(mlir::Attribute pad) {
  if (auto word = mlir::dyn_cast<PadAttr>(pad)) {
    return word.getValue();
  }
  auto real = mlir::dyn_cast<mlir::FloatAttr>(pad);
  return real && real.getValue().isNegZero() ? Pad::NegZero : Pad::Zero;
}

std::optional<unsigned> paddingOfView(mlir::Attribute pad) {
  static constexpr std::pair<Pad, unsigned> numbers[] = {{Pad::Zero, 0},
                                                         {Pad::NegZero, 1},
                                                         {Pad::NaN, 2},
                                                         {Pad::PosInf, 3},
                                                         {Pad::NegInf, 4}};
  for (auto [word, number] : numbers) {
    if (pad && wordOf(pad) == word) {
      return number;
    }
  }
  return std::nullopt;
}

static llvm::APFloat realOf(Pad word, const llvm::fltSemantics &format) {
  switch (word) {
  case Pad::Zero:
    return llvm::APFloat::getZero(format);
  case Pad::NegZero:
    return llvm::APFloat::getZero(format, /*Negative=*/true);
  case Pad::PosInf:
    return llvm::APFloat::getInf(format);
  case Pad::NegInf:
    return llvm::APFloat::getInf(format, /*Negative=*/true);
  case Pad::NaN:
    break;
  }
  return llvm::APFloat::getNaN(format);
}

Expr paddingOfLanes(Pool &pool, mlir::Type type, mlir::Attribute pad) {
  auto format =
      mlir::dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
  auto real = mlir::dyn_cast_if_present<mlir::FloatAttr>(pad);
  if (!format) {
    return pool.constant(wholePad(pad).value_or(0));
  }
  if (mlir::isa<mlir::Float8E8M0FNUType>(format)) {
    constexpr int bias = 127;
    int exponent = real ? std::ilogb(real.getValueAsDouble()) : -bias;
    return pool.wrap(8, pool.constant(exponent + bias));
  }
  const llvm::fltSemantics &s = format.getFloatSemantics();
  llvm::APFloat value = realOf(pad && !real ? wordOf(pad) : Pad::Zero, s);
  if (real) {
    value = real.getValue();
    bool loses = false;
    value.convert(s, llvm::APFloat::rmTowardZero, &loses);
  }
  auto bits = static_cast<int64_t>(value.bitcastToAPInt().getZExtValue());
  return pool.node(Kind::Bits, {bits}, {});
}

bool isOfView(Pool &pool, mlir::Type element, mlir::Attribute pad) {
  return !pad || mlir::isa<PadAttr>(pad) || wordOf(pad) != Pad::Zero ||
         paddingOfLanes(pool, element, pad) ==
             paddingOfLanes(pool, element, {});
}

bool WantedFill::isMetBy(const Fill &got) const {
  bool several = got.mask->kind == Kind::And && got.mask->bits == 1;
  std::vector<Expr> asked =
      several ? got.mask->arguments : std::vector{got.mask};
  auto in = [](const std::vector<Expr> &list) {
    return [&list](Expr e) { return std::ranges::find(list, e) != list.end(); };
  };
  return got.shape == shape && got.padding == padding &&
         std::ranges::all_of(asked, in(admitted)) &&
         std::ranges::all_of(required, in(asked));
}

} // namespace girih::readback
