// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.view: as tensors are, views are a base address, extents and strides, all
// made where the view is. The strides of an unfolded axis are products of the
// root's, and so are those of a slice in steps; a slice and a fixed coordinate
// move the base. Nothing here leaves 64 bits but where a view is empty, and of
// that nothing is touched. A slice has no more elements than what it is a slice
// of, as was proved where it stands, so what bounds that extent bounds its own.

#include "lower/tileir/Context.h"

using namespace girih::tile;

namespace girih::tileir {

namespace {

/// Extents and strides that are constants stay constants.
struct Arithmetic {
  Context &c;

  Size constant(int64_t n) { return {n, 0}; }
  Value value(Size s) { return valueOf(c, s); }

  Size symbol(llvm::StringRef name) {
    const SymbolFacts &facts = c.plan.facts.at(name.str());
    return {std::nullopt, symbolAsIndex(c, name), facts.low >= 1, facts.high};
  }

  Size of(ExprAttr e) {
    switch (e.getKind()) {
    case ExprKind::Constant:
      return constant(e.getValue());
    case ExprKind::Symbol:
      return symbol(e.getSymbol().getValue());
    default:
      // Where the plan has positive sizes, so are their products.
      return {std::nullopt, evaluate(c, e), c.plan.positiveStrides};
    }
  }

  Size of(const ViewNumber &n) {
    if (auto *number = std::get_if<int64_t>(&n)) {
      return constant(*number);
    }
    if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
      return symbol(name->getValue());
    }
    return {std::nullopt, c[std::get<mlir::Value>(n)]};
  }

  static bool isPositive(Size s) {
    return s.isConstant() ? *s.constant >= 1 : s.positive;
  }

  Size multiply(Size a, Size b) {
    int64_t product = 0;
    if (a.isConstant() && b.isConstant() &&
        !__builtin_mul_overflow(*a.constant, *b.constant, &product)) {
      return constant(product);
    }
    if (a.constant == 1 || b.constant == 1) {
      return a.constant == 1 ? b : a;
    }
    return {std::nullopt, c.builder.multiply(value(a), value(b)),
            isPositive(a) && isPositive(b)};
  }

  Size add(Size a, Size b) {
    if (a.constant == 0 || b.constant == 0) {
      return a.constant == 0 ? b : a;
    }
    return {std::nullopt, c.builder.add(value(a), value(b))};
  }
};

} // namespace

Value valueOf(Context &c, Size size) {
  return size.isConstant() ? c.builder.index(*size.constant) : size.value;
}

static ViewParts rootParts(Context &c, TileTensorType type) {
  Arithmetic a{c};
  ViewParts parts;
  parts.offset = a.constant(0);
  for (ExprAttr e : extentExprs(type)) {
    parts.extents.push_back(a.of(e));
  }
  for (ExprAttr e : strideExprs(type)) {
    parts.strides.push_back(a.of(e));
  }
  return parts;
}

ViewParts partsOf(Context &c, mlir::Value tensor) {
  auto known = c.viewParts.find(tensor);
  return known != c.viewParts.end()
             ? known->second
             : rootParts(c, mlir::cast<TileTensorType>(tensor.getType()));
}

/// The extent of a slice along an axis of that extent.
static Size sliced(Context &c, ViewOp op, unsigned axis, Size size,
                   Size whole) {
  int64_t high = whole.constant.value_or(whole.high);
  if (!c.options.facts || c.options.checks || size.isConstant() ||
      size.high <= engineSize || high > engineSize) {
    return size;
  }
  c.fits[op][axis] = high;
  return {std::nullopt, c.builder.assume(size.value, Bounded{0, high}), false,
          high};
}

void lowerTensorView(Context &c, ViewOp op) {
  Arithmetic a{c};
  ViewParts parts = partsOf(c, op.getTensor());
  switch (op.getKind()) {
  case ViewKind::Slice:
    for (auto [k, offset] : llvm::enumerate(op.getOffsets())) {
      Size step = a.of(op.getStepNumbers()[k]);
      checkSlice(c, op, a.of(offset), a.of(op.getSizes()[k]), step,
                 parts.extents[k]);
      parts.offset =
          a.add(parts.offset, a.multiply(a.of(offset), parts.strides[k]));
      parts.strides[k] = a.multiply(parts.strides[k], step);
    }
    for (auto [k, size] : llvm::enumerate(op.getSizes())) {
      parts.extents[k] =
          sliced(c, op, static_cast<unsigned>(k), a.of(size), parts.extents[k]);
    }
    break;
  case ViewKind::Permute: {
    ViewParts before = parts;
    for (auto [k, axis] : llvm::enumerate(op.getPermutation())) {
      parts.extents[k] = before.extents[axis];
      parts.strides[k] = before.strides[axis];
    }
    break;
  }
  case ViewKind::Unfold: {
    unsigned axis = op.getAxis();
    std::vector<Size> extents, strides;
    for (const ViewNumber &factor : op.getFactors()) {
      extents.push_back(a.of(factor));
    }
    strides.assign(extents.size(), parts.strides[axis]);
    for (size_t i = extents.size(); i-- > 1;) {
      strides[i - 1] = a.multiply(strides[i], extents[i]);
    }
    auto put = [&](std::vector<Size> &list, const std::vector<Size> &digits) {
      list.erase(list.begin() + axis);
      list.insert(list.begin() + axis, digits.begin(), digits.end());
    };
    put(parts.extents, extents);
    put(parts.strides, strides);
    break;
  }
  case ViewKind::Fix: {
    unsigned axis = op.getAxis();
    checkFix(c, op, a.of(op.getCoordinate()), parts.extents[axis]);
    parts.offset = a.add(parts.offset, a.multiply(a.of(op.getCoordinate()),
                                                  parts.strides[axis]));
    parts.extents.erase(parts.extents.begin() + axis);
    parts.strides.erase(parts.strides.begin() + axis);
    break;
  }
  case ViewKind::Flatten: {
    // The outer stride is the inner one times the inner extent, as was proved,
    // or the outer axis has no second element.
    unsigned axis = op.getAxis();
    parts.extents[axis] =
        a.multiply(parts.extents[axis], parts.extents[axis + 1]);
    parts.extents.erase(parts.extents.begin() + axis + 1);
    parts.strides.erase(parts.strides.begin() + axis);
    break;
  }
  }
  c.viewParts[op.getResult()] = std::move(parts);
}

ViewParts bytesOf(Context &c, mlir::Value tensor) {
  ViewParts parts = partsOf(c, tensor);
  std::optional<unsigned> axis = pairedAxis(tensor);
  if (!axis) {
    return parts;
  }
  // All even, which is proved, but for the stride of the axis, which is 1.
  parts.offset = halved(c, parts.offset);
  for (size_t k = 0; k < parts.extents.size(); ++k) {
    Size &even = k == *axis ? parts.extents[k] : parts.strides[k];
    even = halved(c, even);
  }
  return parts;
}

Value makePartitionOfView(Context &c, PartitionOp op, mlir::Attribute pad) {
  Arithmetic a{c};
  ViewParts parts = bytesOf(c, op.getTensor());
  Value base = c.bases[argumentOf(op)];
  if (parts.offset.constant != 0) {
    base = c.builder.one(Opcode::Offset, {}, {base, a.value(parts.offset)},
                         c.builder.typeOf(base));
  }
  ViewType view;
  view.element = elementOf(op.getTensor().getType().getElementType());
  std::vector<Value> shape, strides;
  // As of tensors: sizes are at least 1.
  auto put = [&](Size s, std::vector<int64_t> &sizes,
                 std::vector<Value> &dynamics) {
    if (s.isConstant()) {
      sizes.push_back(std::max<int64_t>(*s.constant, 1));
    } else {
      sizes.push_back(dynamic);
      dynamics.push_back(s.positive
                             ? s.value
                             : c.builder.maximum(s.value, c.builder.index(1)));
    }
  };
  for (size_t k = 0; k < parts.extents.size(); ++k) {
    put(parts.extents[k], view.shape, shape);
    put(parts.strides[k], view.strides, strides);
  }
  Value tensor = c.builder.append(Opcode::MakeTensorView, {},
                                  {{base}, shape, strides}, {view})[0];
  PartitionType type;
  for (int64_t extent : shapeInMemory({op, op->getOperands()})) {
    type.tile.push_back(static_cast<int32_t>(extent));
  }
  type.view = view;
  type.padding = paddingOf(pad);
  return c.builder.append(Opcode::MakePartitionView, {}, {{tensor}}, {type})[0];
}

} // namespace girih::tileir
