// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a row, lane l of its warps has vectors l, l + L, l + 2L, ..., L being all
// its lanes: each load of a warp is of 512 bytes side by side. A tile of the
// kernel is so many vectors in each lane; what there is once for a row is one
// number, the same in all its lanes. Vectors behind the end of a row hold the
// padding, and are not stored.

#include "lower/hopper/schedule/Elementwise.h"
#include "lower/hopper/schedule/Rows.h"
#include "lower/hopper/schedule/Values.h"
#include "lower/tileir/Lower.h"

using namespace mlir;

namespace girih::hopper {
namespace {

class RowBuilder {
public:
  RowBuilder(OpBuilder &builder, tile::KernelOp source, const Rows &rows)
      : b(source.getLoc(), builder), source(source), rows(rows) {}

  KernelOp build() {
    auto kernel =
        KernelOp::create(b, source.getSymName(), rows.warps, rows.registers);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(b.createBlock(&kernel.getBody()));
    addArguments(kernel.getBody().front());
    buildPlace();
    buildLoads();
    for (Operation *op : rows.ops) {
      if (auto store = dyn_cast<tile::StoreOp>(op)) {
        b.setLoc(op->getLoc());
        buildStore(store);
      } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
        values[reduce.getResult()] = {buildReduce(reduce)};
      }
    }
    ReturnOp::create(b);
    return kernel;
  }

private:
  /// One value, or one for each of a lane's vectors; none where none was asked
  /// for yet.
  using Parts = SmallVector<Value>;

  Int number(int64_t n) {
    return {&b, arith::ConstantOp::create(b, b.getI64IntegerAttr(n))};
  }
  static int64_t bytesOf(Type element) {
    return element.getIntOrFloatBitWidth() / 8;
  }
  VectorType vectorOf(Type element) {
    return VectorType::get({rows.width}, element);
  }
  bool isTile(Type type) const {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getShape().back() == rows.columns;
  }

  void addArguments(Block &block) {
    for (const tileir::Parameter &p : tileir::parametersOf(source)) {
      if (p.kind == tileir::Parameter::Kind::Integer) {
        symbols[p.value.getSymbol()] = {
            &b, block.addArgument(b.getI64Type(), b.getLoc())};
        continue;
      }
      Value argument = source.getArguments()[p.argument];
      Type type = b.getF32Type();
      if (p.kind == tileir::Parameter::Kind::Pointer) {
        auto tensor = cast<tile::TileTensorType>(argument.getType());
        type = GlobalType::get(
            b.getContext(),
            tensor.getMode() == tile::Mode::Out ? Access::Write : Access::Read);
      }
      values[argument] = {block.addArgument(type, b.getLoc())};
    }
  }

  void buildPlace() {
    n = symbols.at(rows.n);
    Int block{&b, BlockIdOp::create(b, b.getI64Type())};
    lane = {&b, LaneIdOp::create(b, b.getI64Type())};
    Int mine = lane;
    if (rows.warps > 1) {
      warp = {&b, WarpIdOp::create(b, b.getI64Type())};
      Int ofRow = rows.rows == 1 ? warp : warp % rows.rowWarps();
      mine = rows.rowWarps() == 1 ? lane : ofRow * lanes + lane;
    }
    row = rows.rows == 1
              ? block
              : block * rows.rows +
                    (rows.rowWarps() == 1 ? warp : warp / rows.rowWarps());
    first = mine * rows.width;
    for (int64_t v = 0; v < rows.vectors(); ++v) {
      Value in = (v == 0 ? first : first + v * step()) < n;
      if (!rows.isEveryRowIn) {
        in = arith::AndIOp::create(b, in, row < symbols.at(rows.m));
      }
      inside.push_back(in);
    }
  }

  //===-- Memory ----------------------------------------------------------===//

  /// Elements of a row that all lanes have in one place: from one vector of a
  /// lane to its next one.
  int64_t step() const { return rows.rowWarps() * lanes * rows.width; }

  /// In bytes, of vector `v` of the lane in its row, or in [N].
  Int offsetOf(tile::TileTensorType tensor, int64_t v) {
    int64_t bytes = bytesOf(tensor.getElementType());
    Int begin = first * bytes;
    if (tensor.getRank() == 2) {
      ArrayRef<Attribute> strides = tensor.getStrides();
      Int pitch =
          strides.empty() ? n : symbols.at(cast<StringAttr>(strides[0]));
      begin = row * (pitch * bytes) + begin;
    }
    return v == 0 ? begin : begin + v * step() * bytes;
  }

  static Value tensorOf(Value partition) {
    return partition.getDefiningOp<tile::PartitionOp>().getTensor();
  }

  Value padOf(tile::LoadOp load, FloatType element) {
    const llvm::fltSemantics &format = element.getFloatSemantics();
    auto pad =
        dyn_cast_or_null<tile::PadAttr>(load.getPad().value_or(Attribute()));
    APFloat value = APFloat::getZero(format);
    switch (pad ? pad.getValue() : tile::Pad::Zero) {
    case tile::Pad::Zero:
      break;
    case tile::Pad::NegZero:
      value = APFloat::getZero(format, /*Negative=*/true);
      break;
    case tile::Pad::NegInf:
      value = APFloat::getInf(format, /*Negative=*/true);
      break;
    case tile::Pad::PosInf:
      value = APFloat::getInf(format);
      break;
    case tile::Pad::NaN:
      value = APFloat::getNaN(format);
      break;
    }
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(vectorOf(element), value));
  }

  /// Of whole rows, before anything is computed, so that as much as there is is
  /// on its way at a time. What all rows take is in a cache close by, and takes
  /// registers only from where it is first asked for.
  void buildLoads() {
    for (int64_t v = 0; v < rows.vectors(); ++v) {
      for (Operation *op : rows.ops) {
        auto load = dyn_cast<tile::LoadOp>(op);
        if (load && isOfRows(load)) {
          buildLoad(load, v);
        }
      }
    }
  }

  static bool isOfRows(tile::LoadOp load) {
    return cast<tile::TileTensorType>(tensorOf(load.getSource()).getType())
               .getRank() == 2;
  }

  void buildLoad(tile::LoadOp load, int64_t v) {
    Value argument = tensorOf(load.getSource());
    auto tensor = cast<tile::TileTensorType>(argument.getType());
    auto element = cast<FloatType>(tensor.getElementType());
    auto made = MaskedLoadOp::create(
        b, vectorOf(element), values.at(argument)[0], offsetOf(tensor, v),
        inside[v], padOf(load, element));
    // What all rows take stays in the cache.
    made.setOnce(isOfRows(load));
    values[load.getResult()].push_back(made);
  }

  void buildStore(tile::StoreOp store) {
    auto claim = store.getPiece().getDefiningOp<tile::ClaimOp>();
    Value argument = tensorOf(claim.getPartition());
    auto tensor = cast<tile::TileTensorType>(argument.getType());
    for (int64_t v = 0; v < rows.vectors(); ++v) {
      MaskedStoreOp::create(b, part(store.getValue(), v),
                            values.at(argument)[0], offsetOf(tensor, v),
                            inside[v],
                            /*once=*/rows.isStreamed);
    }
  }

  //===-- Values ----------------------------------------------------------===//

  /// Where it is first asked for: what is computed of a vector is computed
  /// together, so that as few values as can be are live.
  Value part(Value value, int64_t v) {
    bool isWide = isTile(value.getType());
    auto load = value.getDefiningOp<tile::LoadOp>();
    if (load && values[value].empty()) {
      for (int64_t each = 0; each < rows.vectors(); ++each) {
        buildLoad(load, each);
      }
    }
    Parts &parts = values[value];
    size_t at = isWide ? v : 0;
    if (parts.empty()) {
      parts.resize(isWide ? rows.vectors() : 1);
    }
    if (Value known = parts[at]) {
      return known;
    }
    Value made = buildPart(value.getDefiningOp(), v);
    values[value][at] = made;
    return made;
  }

  /// Elements [from, to) of a vector, neighbours in pairs: as short a chain as
  /// there is.
  template <class Op> Value fold(Value vector, int64_t from, int64_t to) {
    if (to - from == 1) {
      return vector::ExtractOp::create(b, vector, from);
    }
    int64_t middle = (from + to) / 2;
    Value left = fold<Op>(vector, from, middle);
    return Op::create(b, left, fold<Op>(vector, middle, to));
  }

  /// Over a row: in each of its lanes the same.
  template <class Fold, class OverWarp> Value reduced(Value value) {
    Value all = part(value, 0);
    for (int64_t v = 1; v < rows.vectors(); ++v) {
      all = Fold::create(b, all, part(value, v));
    }
    Value mine = fold<Fold>(all, 0, rows.width);
    Value ofWarp = OverWarp::create(b, b.getF32Type(), mine);
    int64_t count = rows.rowWarps();
    if (count == 1) {
      return ofWarp;
    }
    // Memory of its own, so that one barrier is enough: nobody writes it again.
    constexpr int64_t bytes = 4, maxBytes = 16;
    Value shared = SharedOp::create(
        b, SharedType::get(b.getContext(),
                           llvm::alignTo(rows.warps * bytes, maxBytes)));
    auto branch = scf::IfOp::create(b, lane == number(0), false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      SharedStoreOp::create(b, ofWarp, shared, warp * bytes);
    }
    BlockBarrierOp::create(b);
    Int begin = rows.rows == 1 ? number(0) : (warp / count) * (count * bytes);
    int64_t width = std::gcd(count, maxBytes / bytes);
    Value sum;
    for (int64_t at = 0; at < count; at += width) {
      Value some =
          SharedLoadOp::create(b, VectorType::get({width}, b.getF32Type()),
                               shared, at == 0 ? begin : begin + at * bytes);
      Value ofSome = fold<Fold>(some, 0, width);
      sum = sum ? Value(Fold::create(b, sum, ofSome)) : ofSome;
    }
    return sum;
  }

  Value buildReduce(tile::ReduceOp op) {
    return op.getReduceKind() == tile::ReduceKind::Add
               ? reduced<arith::AddFOp, WarpSumOp>(op.getValue())
               : reduced<arith::MaximumFOp, WarpMaxOp>(op.getValue());
  }

  Value buildConstant(arith::ConstantOp op) {
    Attribute value = op.getValue();
    if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
      value = splat.getSplatValue<Attribute>();
      if (isTile(op.getType())) {
        Type element = getElementTypeOrSelf(op.getType());
        value = DenseElementsAttr::get(vectorOf(element), value);
      }
    }
    return arith::ConstantOp::create(b, cast<TypedAttr>(value));
  }

  /// What an op gives of vector `v`.
  Value buildPart(Operation *op, int64_t v) {
    b.setLoc(op->getLoc());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      return buildConstant(constant);
    }
    if (auto symbol = dyn_cast<tile::SymbolOp>(op)) {
      return symbols.at(StringAttr::get(b.getContext(), symbol.getSymbol()));
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(part(operand, v));
    }
    if (isa<arith::IndexCastOp>(op)) {
      return operands[0];
    }
    Type type = op->getResult(0).getType();
    Type element = getElementTypeOrSelf(type);
    if (isa<vector::BroadcastOp>(op)) {
      bool isSame = !isTile(type) || isa<VectorType>(operands[0].getType());
      return isSame ? operands[0]
                    : Value(vector::BroadcastOp::create(b, vectorOf(element),
                                                        operands[0]));
    }
    return rebuilt(b, op, operands,
                   isTile(type) ? Type(vectorOf(element)) : element);
  }

  ImplicitLocOpBuilder b;
  tile::KernelOp source;
  const Rows &rows;
  llvm::DenseMap<StringAttr, Int> symbols;
  llvm::DenseMap<Value, Parts> values;

  Int n, row, warp, lane;
  Int first;                 ///< of the lane, in elements of a row
  SmallVector<Value> inside; ///< whether it is there
};

} // namespace

KernelOp buildRows(OpBuilder &builder, tile::KernelOp kernel,
                   const Rows &rows) {
  return RowBuilder(builder, kernel, rows).build();
}

} // namespace girih::hopper
