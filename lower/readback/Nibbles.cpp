// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Nibbles.h"

using namespace girih::tile;

namespace girih::readback {

std::optional<unsigned> pairedAxis(mlir::Value tensor) {
  auto type = mlir::cast<TileTensorType>(tensor.getType());
  return type.getElementType().isInteger(4) ? packedAxis(tensor) : std::nullopt;
}

Layout inMemory(Pool &pool, mlir::Value tensor, Layout elements) {
  std::optional<unsigned> paired = pairedAxis(tensor);
  if (!paired) {
    return elements;
  }
  // All of it is even, but for the stride of the axis, which is 1.
  auto halve = [&](Expr &e) {
    e = pool.node(Kind::Quotient, {}, {e, pool.constant(2)});
  };
  halve(elements.offset);
  for (size_t k = 0; k < elements.extents.size(); ++k) {
    halve(k == *paired ? elements.extents[k] : elements.strides[k]);
  }
  return elements;
}

/// A shape of elements with an axis of bytes and one of 2 in the place of the
/// paired one.
static Shape inPairs(Shape shape, unsigned axis) {
  shape[axis] /= 2;
  shape.insert(shape.begin() + axis + 1, 2);
  return shape;
}

/// Under such a shape.
static Expr nibbles(Pool &pool, int64_t number, const Shape &pairs,
                    unsigned axis) {
  std::vector<Expr> bytes;
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (k != axis + 1 && pairs[k] != 1) {
      bytes.push_back(pool.lane(static_cast<int64_t>(k), pairs[k]));
    }
  }
  Expr byte = pool.node(Kind::Loaded, {number}, std::move(bytes), 8);
  Expr low = pool.wrap(4, byte);
  Expr high = pool.node(Kind::ShiftRight, {8}, {byte, pool.constant(4)});
  constexpr int64_t equal = 0, isSigned = 1;
  Expr isEven = pool.node(Kind::Compare, {equal, isSigned},
                          {pool.lane(int64_t(axis) + 1, 2), pool.constant(0)});
  return pool.node(Kind::Select, {}, {isEven, low, high});
}

static Shape withoutOnes(Shape shape) {
  std::erase(shape, 1);
  return shape;
}

Expr unpacked(Pool &pool, const Trace &trace, int64_t number,
              const Shape &shape, unsigned axis) {
  auto got = trace.parts.find(number);
  if (got == trace.parts.end() || trace.astray.contains(number)) {
    return nullptr;
  }
  Shape pairs = inPairs(shape, axis);
  const Shape &there = got->second.shape;
  Expr wanted = nibbles(pool, number, pairs, axis);
  return withoutOnes(pairs) == withoutOnes(there) &&
                 pool.reshape(wanted, pairs, there) == got->second.value
             ? pool.reshape(wanted, pairs, shape)
             : nullptr;
}

Expr packed(Pool &pool, Expr value, const Shape &shape, unsigned axis) {
  Shape pairs = inPairs(shape, axis);
  Expr of = pool.reshape(value, shape, pairs);
  auto half = [&](int64_t place) {
    return pool.drop(of, pairs, int64_t(axis) + 1, place);
  };
  Expr low = pool.node(Kind::And, {}, {half(0), pool.constant(15)});
  Expr high = pool.node(Kind::ShiftLeft, {}, {half(1), pool.constant(4)});
  return pool.node(Kind::Or, {}, {low, pool.wrap(8, high)});
}

Expr paddingOfPairs(Pool &pool, mlir::Attribute pad) {
  int64_t low = wholePad(pad).value_or(0) & 15;
  return pool.wrap(8, pool.constant(low | low << 4));
}

} // namespace girih::readback
