// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors as views. Tile IR wants extents and strides of at least 1, so an
// empty axis gets extent 1: nothing of an empty tensor is ever touched. A
// stride of 0 matters only on an axis of extent above 1. A written tensor has
// none there; of a shared one such an axis leaves the view, and if only the
// launch knows the stride, the tensor is read by pointers.

#include "lower/tileir/Context.h"

using namespace girih::tile;

namespace girih::tileir {

bool isDropped(TileTensorType type, size_t axis) {
  if (type.getMode() != Mode::Shared || type.getStrides().empty()) {
    return false;
  }
  auto stride = mlir::dyn_cast<mlir::IntegerAttr>(type.getStrides()[axis]);
  return stride && stride.getInt() == 0;
}

bool needsPointers(const Context &c, mlir::Value tensor) {
  auto type = mlir::cast<TileTensorType>(rootOf(tensor).getType());
  llvm::ArrayRef<mlir::Attribute> strides = type.getStrides();
  if (type.getMode() != Mode::Shared || strides.empty()) {
    return false;
  }
  bool unknown = llvm::any_of(strides, [](mlir::Attribute stride) {
    return mlir::isa<mlir::StringAttr>(stride);
  });
  auto dropped = [&](size_t k) { return isDropped(type, k); };
  auto axes = llvm::seq(strides.size());
  // An axis of a view may be a part of one that is the same all along.
  bool hopeless = tensor.getDefiningOp() ? llvm::any_of(axes, dropped)
                                         : llvm::all_of(axes, dropped);
  return hopeless || (unknown && !c.plan.positiveStrides);
}

/// What an expression of a stride is known to be a multiple of.
static int64_t divisorOf(const Context &c, ExprAttr e) {
  constexpr int64_t max = 1 << 20;
  switch (e.getKind()) {
  case ExprKind::Constant:
    return e.getValue() == 0 ? max : std::min(std::abs(e.getValue()), max);
  case ExprKind::Symbol:
    return static_cast<int64_t>(c.plan.facts.at(e.getSymbol().str()).divisor);
  case ExprKind::Mul:
    return std::min(divisorOf(c, e.getLhs()) * divisorOf(c, e.getRhs()), max);
  default:
    return 1;
  }
}

/// Of how many bytes all strides but the last one are multiples.
static int64_t rowBytes(const Context &c, TileTensorType type) {
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  int64_t bytes = engineBytes;
  std::vector<ExprAttr> strides = strideExprs(type);
  for (ExprAttr stride : llvm::ArrayRef(strides).drop_back()) {
    bytes = std::gcd(bytes, divisorOf(c, stride) * bits / 8);
  }
  return bytes;
}

/// Rows of narrow elements that begin anywhere. Through a view a thread reads
/// neighbours, one by one; by addresses, neighbours are of neighbouring
/// threads. But what the copy engine reads is read ahead beside loads of views,
/// and not beside loads by addresses.
static bool prefersPointers(Context &c, mlir::Value tensor) {
  auto rowsOf = [&](mlir::Value v) {
    return mlir::dyn_cast<TileTensorType>(v.getType());
  };
  auto type = rowsOf(rootOf(tensor));
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  return bits >= 8 && rowBytes(c, type) < wordBytes &&
         llvm::none_of(
             c.kernel.getArguments(),
             [&](mlir::Value argument) {
               TileTensorType other = rowsOf(argument);
               return other && other.getMode() == Mode::Shared &&
                      other.getRank() > 1 && rowBytes(c, other) == engineBytes;
             });
}

bool isReadByPointers(Context &c, mlir::Value tensor) {
  auto type = mlir::cast<TileTensorType>(rootOf(tensor).getType());
  return needsPointers(c, tensor) ||
         (type.getMode() == Mode::Shared && prefersPointers(c, tensor));
}

Value extent(Context &c, mlir::Attribute dim) {
  if (auto constant = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
    return c.builder.index(constant.getInt());
  }
  return symbolAsIndex(c, mlir::cast<mlir::StringAttr>(dim).getValue());
}

static Value atLeastOne(Context &c, Value v) {
  return c.builder.maximum(v, c.builder.index(1));
}

std::optional<unsigned> pairedAxis(mlir::Value tensor) {
  auto type = mlir::cast<TileTensorType>(tensor.getType());
  return type.getElementType().isInteger(4) ? packedAxis(tensor) : std::nullopt;
}

Size halved(Context &c, Size size) {
  if (size.isConstant()) {
    return {*size.constant / 2, 0};
  }
  return {std::nullopt, c.builder.divide(size.value, c.builder.index(2))};
}

/// One extent or stride, of elements or of pairs of them: a number, or a value
/// in `dynamics`.
static int64_t sizeOf(Context &c, ExprAttr expr, bool pairs,
                      std::vector<Value> &dynamics) {
  if (expr.getKind() == ExprKind::Constant) {
    return std::max<int64_t>(expr.getValue() / (pairs ? 2 : 1), 1);
  }
  Value v = evaluate(c, expr);
  if (pairs) {
    v = halved(c, {std::nullopt, v}).value;
  }
  // Where the plan has positive sizes, so are their products.
  bool positive = c.plan.positiveStrides && !pairs;
  dynamics.push_back(positive ? v : atLeastOne(c, v));
  return dynamic;
}

static Value makeView(Context &c, unsigned argument, TileTensorType type) {
  ViewType view;
  view.element = elementOf(type.getElementType());
  std::optional<unsigned> paired =
      pairedAxis(c.kernel.getArguments()[argument]);
  std::vector<Value> shape, strides;
  for (auto [k, e] : llvm::enumerate(extentExprs(type))) {
    if (!isDropped(type, k)) {
      view.shape.push_back(sizeOf(c, e, paired == k, shape));
    }
  }
  for (auto [k, e] : llvm::enumerate(strideExprs(type))) {
    if (!isDropped(type, k)) {
      view.strides.push_back(sizeOf(c, e, paired && paired != k, strides));
    }
  }
  return c.builder.append(Opcode::MakeTensorView, {},
                          {{c.bases[argument]}, shape, strides}, {view})[0];
}

/// A number that a word says too.
static Pad wordOf(mlir::Attribute pad) {
  if (auto word = mlir::dyn_cast<PadAttr>(pad)) {
    return word.getValue();
  }
  auto real = mlir::dyn_cast<mlir::FloatAttr>(pad);
  return real && real.getValue().isNegZero() ? Pad::NegZero : Pad::Zero;
}

std::optional<Padding> paddingOf(mlir::Attribute pad) {
  if (!pad) {
    return std::nullopt;
  }
  switch (wordOf(pad)) {
  case Pad::Zero:
    return Padding::Zero;
  case Pad::NegZero:
    return Padding::NegZero;
  case Pad::NegInf:
    return Padding::NegInf;
  case Pad::PosInf:
    return Padding::PosInf;
  case Pad::NaN:
    return Padding::NaN;
  }
  return std::nullopt;
}

int padKey(mlir::Attribute pad) { return pad ? int(*paddingOf(pad)) : -1; }

static void makePartition(Context &c, PartitionOp op, mlir::Attribute pad) {
  unsigned argument = argumentOf(op);
  auto tensor = op.getTensor().getType();
  if (op.getTensor().getDefiningOp() || isReadByPointers(c, op.getTensor())) {
    return;
  }
  std::vector<int64_t> tile(op.getTile());
  Value &partition = c.partitions[{argument, tile, padKey(pad)}];
  if (partition != 0) {
    return;
  }
  auto [view, isNew] = c.views.try_emplace(argument, 0);
  if (isNew) {
    view->second = makeView(c, argument, tensor);
  }
  PartitionType type;
  for (int64_t extent : shapeInMemory({op, op->getOperands()})) {
    type.tile.push_back(static_cast<int32_t>(extent));
  }
  type.view = std::get<ViewType>(c.builder.typeOf(view->second));
  type.padding = paddingOf(pad);
  partition = c.builder.append(Opcode::MakePartitionView, {}, {{view->second}},
                               {type})[0];
}

void makeViews(Context &c) {
  c.kernel.getBodyRegion().walk([&](mlir::Operation *op) {
    if (auto load = mlir::dyn_cast<LoadOp>(op)) {
      makePartition(c, placeOf(load.getSource(), load.getIndices()).partition,
                    load.getPadAttr());
    } else if (auto store = mlir::dyn_cast<StoreOp>(op)) {
      makePartition(c, placeOf(store.getPiece(), op->getOperands()).partition,
                    {});
    } else if (auto atomic = mlir::dyn_cast<AtomicOp>(op)) {
      makePartition(c, girih::tile::partitionOf(atomic.getPartition()), {});
    }
  });
}

} // namespace girih::tileir
