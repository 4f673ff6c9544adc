// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/LaneBuilder.h"

using namespace mlir;

namespace girih::hopper {

//===-- Numbers and vectors -----------------------------------------------===//

Int LaneBuilder::number(int64_t n) {
  return {&b, arith::ConstantOp::create(b, b.getI64IntegerAttr(n))};
}

Value LaneBuilder::real(double value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(float(value)));
}

VectorType LaneBuilder::narrow(int64_t count) {
  return VectorType::get({count}, b.getBF16Type());
}

VectorType LaneBuilder::wide(int64_t count) {
  return VectorType::get({count}, b.getF32Type());
}

Value LaneBuilder::none(VectorType type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

static int64_t count(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

Value LaneBuilder::widened(Value vector) {
  return arith::ExtFOp::create(b, wide(count(vector)), vector);
}

Value LaneBuilder::rounded(Value vector) {
  return arith::TruncFOp::create(b, narrow(count(vector)), vector);
}

Value LaneBuilder::element(Value vector, int64_t at) {
  return vector::ExtractOp::create(b, vector, at);
}

Value LaneBuilder::vectorOf(ArrayRef<Value> elements) {
  return vector::FromElementsOp::create(
      b, VectorType::get({int64_t(elements.size())}, elements[0].getType()),
      elements);
}

Value LaneBuilder::all(Value one, int64_t count) {
  return vector::BroadcastOp::create(b, wide(count), one);
}

/// Two elements of bf16 each.
SmallVector<Value> LaneBuilder::words(Value vector) {
  int64_t size = count(vector) / 2;
  Value all = vector::BitCastOp::create(
      b, VectorType::get({size}, b.getI32Type()), vector);
  SmallVector<Value> out;
  for (int64_t i = 0; i < size; ++i) {
    out.push_back(element(all, i));
  }
  return out;
}

//===-- Places ------------------------------------------------------------===//

void LaneBuilder::buildPlace() {
  block = {&b, BlockIdOp::create(b, b.getI64Type())};
  warp = {&b, WarpIdOp::create(b, b.getI64Type())};
  lane = {&b, LaneIdOp::create(b, b.getI64Type())};
  thread = warp * lanes + lane;
  row = lane / 4;
  part = lane % 4;
}

Value LaneBuilder::loaded(Value argument, Int at, Value isIn, VectorType type) {
  return MaskedLoadOp::create(b, type, argument, at, isIn, none(type));
}

Value LaneBuilder::shared(int64_t bytes) {
  return SharedOp::create(
      b, SharedType::get(b.getContext(), llvm::alignTo(bytes, vectorBytes)));
}

} // namespace girih::hopper
