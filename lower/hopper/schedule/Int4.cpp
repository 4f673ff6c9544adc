// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/Int4.h"

using namespace mlir;

namespace girih::hopper {

static Int number32(ImplicitLocOpBuilder &b, int64_t n) {
  return {&b, arith::ConstantOp::create(b, b.getI32IntegerAttr(n))};
}

static Value element(ImplicitLocOpBuilder &b, Value vector, int64_t at) {
  return vector::ExtractOp::create(b, vector, at);
}

Value interleaved(ImplicitLocOpBuilder &b, Value vector) {
  SmallVector<Value> out;
  for (int64_t i : {0, 2}) {
    Int low{&b, element(b, vector, i)}, high{&b, element(b, vector, i + 1)};
    Int even = low.with<arith::AndIOp>(number32(b, 0xffff));
    Int odd = high.with<arith::AndIOp>(number32(b, 0xffff0000));
    out.push_back(
        even.with<arith::OrIOp>(high.with<arith::ShLIOp>(number32(b, 16))));
    out.push_back(
        odd.with<arith::OrIOp>(low.with<arith::ShRUIOp>(number32(b, 16))));
  }
  return vector::FromElementsOp::create(b, vector.getType(), out);
}

SmallVector<Value> unpacked(ImplicitLocOpBuilder &b, Value word) {
  auto two = VectorType::get({2}, b.getBF16Type());
  Value tooMuch = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             two, b.getFloatAttr(b.getBF16Type(), 136).getValue()));
  SmallVector<Value> out;
  for (int64_t shift : {0, 4, 8, 12}) {
    Int at{&b, word};
    at = shift == 0 ? at : at.with<arith::ShRUIOp>(number32(b, shift));
    Value bits = at.with<arith::AndIOp>(number32(b, 0x000f000f))
                     .with<arith::OrIOp>(number32(b, 0x43004300));
    Value large = vector::FromElementsOp::create(
        b, VectorType::get({1}, b.getI32Type()), bits);
    Value numbers = arith::SubFOp::create(
        b, vector::BitCastOp::create(b, two, large), tooMuch);
    out.push_back(
        element(b, vector::BitCastOp::create(b, large.getType(), numbers), 0));
  }
  return out;
}

GroupProducts::GroupProducts(ImplicitLocOpBuilder &b) : b(b) {
  auto four = VectorType::get({4}, b.getF32Type());
  low = high = arith::ConstantOp::create(b, b.getZeroAttr(four));
}

void GroupProducts::add(ValueRange unpacked, ArrayRef<Value> x, int64_t i) {
  constexpr size_t words = 2, ofHalf = 8;
  size_t at = size_t(i) * words;
  low = MmaOp::create(b, low.getType(), unpacked, x.slice(at, words), low);
  high = MmaOp::create(b, high.getType(), unpacked, x.slice(ofHalf + at, words),
                       high);
}

Value GroupProducts::ofGroup(Int lane) const {
  Int one{&b, arith::ConstantOp::create(b, b.getI64IntegerAttr(1))};
  Value isOdd = lane / 4 % 2 == one;
  auto ofRow = [&](Value products, int64_t first) -> Value {
    return arith::SelectOp::create(b, isOdd, element(b, products, first + 1),
                                   element(b, products, first));
  };
  return arith::AddFOp::create(b, ofRow(low, 0), ofRow(high, 2));
}

} // namespace girih::hopper
