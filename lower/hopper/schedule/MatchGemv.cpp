// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over tiles of rows and the loop over K are those that the schedule
// has, op by op, or there is an op that did not fit. What stands between the
// sums and the store is arithmetic on a row alone.

#include "lower/hopper/schedule/Elementwise.h"
#include "lower/hopper/schedule/Exprs.h"
#include "lower/hopper/schedule/Gemv.h"
#include "lower/tileir/Lower.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using girih::tile::ComparisonAttr;
using girih::tile::ComparisonKind;
using girih::tile::ExprAttr;
using girih::tile::ExprKind;
using girih::tile::Mode;
using girih::tile::PartitionType;
using girih::tile::TileTensorType;

namespace girih::hopper {
namespace {

class Matcher {
public:
  explicit Matcher(tile::KernelOp kernel) : kernel(kernel) {}

  std::variant<Gemv, Misfit> match() {
    bool isNear = matchSignature();
    if (isNear && matchBody() && matchContract() && matchHints()) {
      return out;
    }
    misfit->isNear = isNear;
    return *misfit;
  }

private:
  bool fail(Location at, const Twine &why) {
    if (!misfit) {
      misfit = Misfit{at, why.str()};
    }
    return false;
  }

  bool fail(Operation *op, const Twine &expected) {
    return fail(op->getLoc(),
                op->getName().getStringRef() +
                    " does not fit the schedule gemv: " + expected);
  }

  /// The op that defines a value, of this kind.
  template <class Op> Op get(Value value, const Twine &expected) {
    Operation *op = value.getDefiningOp();
    if (auto found = dyn_cast_or_null<Op>(op)) {
      used.insert(op);
      return found;
    }
    if (op) {
      fail(op, expected);
    } else {
      fail(value.getLoc(),
           "a block argument does not fit the schedule gemv: " + expected);
    }
    return nullptr;
  }

  bool isInt(Value value, int64_t number) {
    APInt found;
    if (!matchPattern(value, m_ConstantInt(&found)) ||
        found.getSExtValue() != number) {
      return false;
    }
    used.insert(value.getDefiningOp());
    return true;
  }

  /// All lanes have this number, and no -0.
  bool isSplat(Value value, int64_t number) {
    DenseElementsAttr found;
    if (!matchPattern(value, m_Constant(&found)) || !found.isSplat()) {
      return false;
    }
    Attribute one = found.getSplatValue<Attribute>();
    auto real = dyn_cast<FloatAttr>(one);
    bool isSame =
        real ? real.getValue().bitwiseIsEqual(
                   FloatAttr::get(real.getType(), double(number)).getValue())
             : cast<IntegerAttr>(one).getInt() == number;
    if (isSame) {
      used.insert(value.getDefiningOp());
    }
    return isSame;
  }

  //===-- Signature -------------------------------------------------------===//

  /// A packed tensor at multiples of 16 bytes, of elements with a name of their
  /// number along each axis, but for the two matrices.
  bool isPacked(TileTensorType type, llvm::function_ref<bool(Type)> isElement) {
    return !type.getPartial() && type.getStrides().empty() &&
           type.getAlign() % vectorBytes == 0 &&
           isElement(type.getElementType()) &&
           llvm::all_of(type.getDims().take_back(2), llvm::IsaPred<StringAttr>);
  }

  bool matchMatrix(unsigned argument, TileTensorType type) {
    ArrayRef<Attribute> dims = type.getDims();
    auto count = dims.size() == 3 ? dyn_cast<IntegerAttr>(dims[0]) : nullptr;
    auto isWeight = [](Type t) {
      return t.isBF16() || t.isF16() || isa<Float8E4M3FNType>(t);
    };
    if (out.n || type.getMode() != Mode::Shared || !isPacked(type, isWeight) ||
        (dims.size() != 2 && !(count && count.getInt() == 2))) {
      return false;
    }
    out.w = argument;
    out.matrices = count ? 2 : 1;
    out.weightBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    out.isF16 = type.getElementType().isF16();
    // Rows begin where bulk copies do.
    out.depthStep = vectorBytes / out.weightBytes;
    out.n = cast<StringAttr>(dims[dims.size() - 2]);
    out.k = cast<StringAttr>(dims.back());
    return out.n != out.k;
  }

  static bool isNumber(Attribute dim, int64_t number) {
    auto found = dyn_cast<IntegerAttr>(dim);
    return found && found.getInt() == number;
  }

  /// Packed and shared, of rows with these axes, in each matrix.
  bool isOfMatrices(TileTensorType type, ArrayRef<Attribute> axes) {
    ArrayRef<Attribute> dims = type.getDims();
    bool hasCount = out.matrices == 1 || isNumber(dims[0], out.matrices);
    return type.getMode() == Mode::Shared && !type.getPartial() &&
           type.getStrides().empty() && type.getAlign() % vectorBytes == 0 &&
           dims.size() == axes.size() + (out.matrices != 1) && hasCount &&
           dims.take_back(axes.size()) == axes;
  }

  /// Bytes of two numbers each: [N, G, 64], or [2, N, G, 64].
  bool matchBytes(unsigned argument, TileTensorType type) {
    ArrayRef<Attribute> dims = type.getDims();
    if (out.n || dims.size() < 3 || dims.size() > 4) {
      return false;
    }
    out.w = argument;
    out.matrices = dims.size() == 4 ? 2 : 1;
    out.weightBytes = groupBytes;
    out.depthStep = 1;
    out.n = dyn_cast<StringAttr>(dims[dims.size() - 3]);
    out.k = dyn_cast<StringAttr>(dims[dims.size() - 2]);
    return out.n && out.k && out.n != out.k &&
           isNumber(dims.back(), groupBytes) &&
           isOfMatrices(type, {out.n, out.k, dims.back()});
  }

  /// Beside them scales, x, then a gain.
  bool matchOfGroups(unsigned argument, TileTensorType type) {
    ArrayRef<Attribute> dims = type.getDims();
    if (!type.getElementType().isBF16()) {
      return false;
    }
    if (dims.size() == 3 && dims[0] == out.k && isNumber(dims[1], 2) &&
        isNumber(dims[2], groupBytes)) {
      bool isPlain = type.getMode() == Mode::Shared && !type.getPartial() &&
                     type.getStrides().empty() &&
                     type.getAlign() % vectorBytes == 0;
      return isPlain && takeDepth(argument);
    }
    if (out.scale || !isOfMatrices(type, {out.n, out.k})) {
      return false;
    }
    out.scale = argument;
    return true;
  }

  /// x, then a gain.
  bool takeDepth(unsigned argument) {
    if (out.gain) {
      return false;
    }
    if (hasX) {
      out.gain = argument;
    } else {
      out.x = argument;
      hasX = true;
    }
    return true;
  }

  /// x, then a gain; or what goes with rows; or y.
  bool matchVector(unsigned argument, TileTensorType type) {
    bool isOut = type.getMode() == Mode::Out;
    auto isNarrow = [&](Type t) { return out.isNarrow(t); };
    auto isOfRows = [&](Type t) { return out.isNarrow(t) || t.isF32(); };
    Attribute dim = type.getDims()[0];
    if (dim == out.k && !isOut && isPacked(type, isNarrow) && !out.isInt4() &&
        takeDepth(argument)) {
      return true;
    }
    if (dim != out.n || !isPacked(type, isOfRows) ||
        (isOut ? hasY : type.getMode() != Mode::Shared)) {
      return false;
    }
    if (isOut) {
      out.y = argument;
      hasY = true;
    }
    return true;
  }

  bool matchArgument(BlockArgument argument, bool isMatrix) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<TileTensorType>(argument.getType());
    bool fits = type ? isWeights(type) != isMatrix ||
                           (isMatrix && hasBytes ? matchBytes(number, type)
                            : isMatrix           ? matchMatrix(number, type)
                            : type.getRank() > 1 ? matchOfGroups(number, type)
                                                 : matchVector(number, type))
                     : argument.getType().isF32();
    return fits ||
           fail(
               kernel.getLoc(),
               "argument " + kernel.getArgText(number) +
                   " does not fit the schedule gemv: it takes w[N, K] or "
                   "w[2, N, K] in bf16, f16 or f8E4M3FN and x[K] in bf16, or "
                   "of f16 in f16, shared, and y[N] as x or in f32, out, all "
                   "packed; a gain [K], shared [N] and f32; of 4 bits "
                   "w[N, G, 64] or w[2, N, G, 64] in i8, with scales [N, G] or "
                   "[2, N, G], x and a gain [G, 2, 64] in bf16");
  }

  bool isWeights(TileTensorType type) const {
    return hasBytes ? type.getElementType().isInteger(8) : type.getRank() > 1;
  }

  bool matchSignature() {
    hasBytes = llvm::any_of(kernel.getArguments(), [](BlockArgument a) {
      auto type = dyn_cast<TileTensorType>(a.getType());
      return type && type.getElementType().isInteger(8);
    });
    for (bool isMatrix : {true, false}) {
      for (BlockArgument argument : kernel.getArguments()) {
        if (!matchArgument(argument, isMatrix)) {
          return false;
        }
      }
    }
    auto grid = kernel.getGridExprs();
    if (!out.n || !hasX || !hasY || out.isInt4() != out.scale.has_value() ||
        !kernel.getGivenFacts().empty() || grid.size() != 1 ||
        grid[0].getKind() != ExprKind::Symbol) {
      return fail(kernel, "it computes y[N] from w[N, K] and x[K] by a grid of "
                          "P blocks, nothing given; from w[N, G, 64] with "
                          "scales");
    }
    out.p = grid[0].getSymbol();
    if (out.p == out.n || out.p == out.k) {
      return fail(kernel, "its grid is a symbol of its own");
    }
    for (const tileir::Parameter &p : tileir::parametersOf(kernel)) {
      if (p.kind == tileir::Parameter::Kind::Integer &&
          (p.type != tileir::Element::I64 ||
           p.value.getKind() != ExprKind::Symbol ||
           !llvm::is_contained({out.n, out.k, out.p}, p.value.getSymbol()))) {
        return fail(kernel, "its symbols are N, K and P, of 64 bits");
      }
    }
    return true;
  }

  //===-- Body ------------------------------------------------------------===//

  /// The partition of an argument, its tiles as given.
  bool isPartition(Value value, unsigned argument, ArrayRef<int64_t> tile) {
    auto partition =
        get<tile::PartitionOp>(value, "it cuts arguments in tiles");
    if (!partition) {
      return false;
    }
    auto type = cast<PartitionType>(partition.getType());
    if (partition.getTensor() != kernel.getArguments()[argument] ||
        type.getTile() != tile) {
      return fail(partition, "another tensor, or other tiles");
    }
    return true;
  }

  /// A loop from `low` by tiles of `argument` along an axis, in steps of 1 or
  /// P, over all of them.
  bool isOverTiles(scf::ForOp loop, unsigned argument, unsigned axis,
                   ArrayRef<int64_t> tile) {
    auto count = get<tile::NumTilesOp>(loop.getUpperBound(),
                                       "loops go over all tiles of an axis");
    return count &&
           (count.getAxis() == axis ||
            fail(count, "loops go over tiles of N, then of K")) &&
           isPartition(count.getPartition(), argument, tile);
  }

  bool matchBody() {
    auto stores = llvm::to_vector(kernel.getBodyRegion().getOps<scf::ForOp>());
    if (stores.size() != 1) {
      return fail(kernel, "its body is one loop over tiles of rows");
    }
    scf::ForOp outer = stores[0];
    used.insert(outer);
    used.insert(outer.getBody()->getTerminator());
    auto inner = llvm::to_vector(outer.getBody()->getOps<tile::StoreOp>());
    if (inner.size() != 1 || outer.getNumResults() != 0) {
      return fail(outer, "each trip stores one tile");
    }
    tile::StoreOp store = inner[0];
    used.insert(store);
    auto claim =
        get<tile::ClaimOp>(store.getPiece(), "it stores claimed tiles");
    if (!claim) {
      return false;
    }
    auto tiles = cast<PartitionType>(claim.getPartition().getType());
    out.rows = tiles.getTile().front();
    if (!llvm::is_contained({1, 2, 4, 8}, out.rows)) {
      return fail(claim, "its tiles have 1, 2, 4 or 8 rows");
    }
    if (out.warpRows() > gemvWarps) {
      return fail(claim, "tiles of two matrices have 1, 2 or 4 rows of each");
    }
    auto first = get<tile::BlockIdOp>(outer.getLowerBound(),
                                      "block b begins with tile b");
    auto step =
        get<tile::SymbolOp>(outer.getStep(), "a block takes every P-th tile");
    if (!first || !step || !isOverTiles(outer, out.y, 0, {out.rows}) ||
        !isPartition(claim.getPartition(), out.y, {out.rows})) {
      return false;
    }
    if (step.getSymbol() != out.p.getValue() ||
        claim.getIndices()[0] != outer.getInductionVar()) {
      return fail(claim, "trip t stores tile t, and blocks are P apart");
    }
    auto loops = llvm::to_vector(outer.getBody()->getOps<scf::ForOp>());
    if (loops.size() != 1) {
      return fail(outer, "sums come from a loop over K");
    }
    used.insert(loops[0]);
    tile = outer.getInductionVar();
    out.sums.resize(out.matrices);
    out.stored = store.getValue();
    return matchSums(loops[0]) && matchRest();
  }

  //===-- Sums ------------------------------------------------------------===//

  bool matchSums(scf::ForOp loop) {
    trip = loop.getInductionVar();
    used.insert(loop.getBody()->getTerminator());
    if (!isInt(loop.getLowerBound(), 0) || !isInt(loop.getStep(), 1)) {
      return fail(loop, "it adds to 0 over all tiles of K");
    }
    for (auto [n, result] : llvm::enumerate(loop.getResults())) {
      if (!isSplat(loop.getInitArgs()[n], 0)) {
        return fail(loop, "it adds to 0 over all tiles of K");
      }
      auto add = get<arith::AddFOp>(loop.getYieldedValues()[n],
                                    "each trip adds a tile's sums");
      if (!add) {
        return false;
      }
      Value carried = loop.getRegionIterArg(n);
      bool isLeft = add.getLhs() == carried;
      if (!isLeft && add.getRhs() != carried) {
        return fail(add, "each trip adds to the sum so far");
      }
      Value added = isLeft ? add.getRhs() : add.getLhs();
      bool fits = out.isInt4() ? added.getDefiningOp<arith::MulFOp>()
                                     ? matchGroupSum(loop, result, added)
                                     : matchGroupSquares(result, added)
                  : added.getDefiningOp<tile::ReduceOp>()
                      ? matchSum(loop, result, added)
                      : matchSquares(result, added);
      if (!fits) {
        return false;
      }
    }
    for (Value sum : out.sums) {
      if (!sum) {
        return fail(loop, "it adds the products of each matrix");
      }
    }
    for (Operation &op : *loop.getBody()) {
      if (!used.contains(&op) && !isa<arith::ConstantOp>(op)) {
        return fail(&op, "the schedule has no place for it");
      }
    }
    return true;
  }

  bool matchSum(scf::ForOp loop, Value result, Value added) {
    auto reduce = get<tile::ReduceOp>(added, "products are added along K");
    if (reduce.getReduceKind() != tile::ReduceKind::Add ||
        reduce.getAxis() != 1 || reduce.getKeep()) {
      return fail(reduce, "products are added along K");
    }
    auto product =
        get<arith::MulFOp>(reduce.getValue(), "it adds products of w and x");
    if (!product) {
      return false;
    }
    Value weights = product.getLhs(), other = product.getRhs();
    if (!other.getDefiningOp<vector::BroadcastOp>()) {
      std::swap(weights, other);
    }
    auto lanes =
        get<vector::BroadcastOp>(other, "each row of w is multiplied with x");
    tile::LoadOp w = widened(weights, "w");
    auto isPart = [&](Value v, unsigned argument) {
      return isOfTrip(v, argument);
    };
    if (!lanes || !w || !matchDepth(lanes.getSource(), isPart)) {
      return false;
    }
    SmallVector<int64_t> shape = {out.rows, depth};
    SmallVector<Value> at = {tile, trip};
    Value *sum = &out.sums[0];
    if (out.matrices == 2) {
      constexpr int64_t dropped = 0; // axis of a tile
      shape.insert(shape.begin(), dropped);
      Value matrix = w.getIndices()[0];
      at.insert(at.begin(), matrix);
      sum = isInt(matrix, 0) ? sum : isInt(matrix, 1) ? &out.sums[1] : nullptr;
    }
    if (!isPartition(w.getSource(), out.w, shape)) {
      return false;
    }
    if (!sum || *sum || !llvm::equal(w.getIndices(), at)) {
      return fail(w, "trip k of tile t takes w[t, k], of each matrix once");
    }
    *sum = result;
    return isOverTiles(loop, out.w, out.matrices == 2 ? 2 : 1, shape);
  }

  /// A load in f32, padded with zero.
  tile::LoadOp widened(Value value, const Twine &name) {
    auto wide = get<arith::ExtFOp>(value, "products are of f32");
    auto load =
        wide ? get<tile::LoadOp>(wide.getIn(), name + " is loaded") : nullptr;
    if (!load) {
      return nullptr;
    }
    auto pad =
        dyn_cast_or_null<tile::PadAttr>(load.getPad().value_or(Attribute()));
    if (!pad || pad.getValue() != tile::Pad::Zero) {
      fail(load, "tiles are padded with zero");
      return nullptr;
    }
    return load;
  }

  /// The tile of an argument [K] that a trip of the loop has.
  bool isOfTrip(Value value, unsigned argument) {
    tile::LoadOp load = widened(value, "x");
    if (!load) {
      return false;
    }
    auto tiles = dyn_cast<PartitionType>(load.getSource().getType());
    if (tiles && depth == 0) {
      depth = tiles.getTile().back();
    }
    return isPartition(load.getSource(), argument, {depth}) &&
           (llvm::equal(load.getIndices(), ValueRange{trip}) ||
            fail(load, "trip k takes x[k]"));
  }

  /// x, or what is rounded of its product with the gain.
  /// \param isPart whether a value is the part of an argument that is meant.
  bool matchDepth(Value value,
                  llvm::function_ref<bool(Value, unsigned)> isPart) {
    if (!out.gain) {
      return isPart(value, out.x);
    }
    auto wide = get<arith::ExtFOp>(value, "products are of f32");
    auto narrow =
        wide ? get<arith::TruncFOp>(wide.getIn(),
                                    "x times gain is rounded to what x is of")
             : nullptr;
    if (narrow && !out.isNarrow(getElementTypeOrSelf(narrow.getType()))) {
      return fail(narrow, "x times gain is rounded to what x is of");
    }
    auto product =
        narrow ? get<arith::MulFOp>(narrow.getIn(), "x is multiplied with gain")
               : nullptr;
    return product && isPart(product.getLhs(), out.x) &&
           isPart(product.getRhs(), *out.gain);
  }

  bool matchSquares(Value result, Value added) {
    auto square = get<arith::MulFOp>(added, "it adds squares of x");
    if (!square) {
      return false;
    }
    if (out.squares || square.getLhs() != square.getRhs()) {
      return fail(square, "it adds squares of x, once");
    }
    out.squares = result;
    return isOfTrip(square.getLhs(), out.x);
  }

  //===-- Sums of groups --------------------------------------------------===//

  static constexpr int64_t dropped = 0; ///< axis of a tile

  /// What a trip takes of w or of the scales: the matrix, or nothing.
  Value *sumOf(tile::LoadOp load, unsigned argument, SmallVector<int64_t> shape,
               SmallVector<Value> at, const char *name) {
    Value *sum = &out.sums[0];
    if (out.matrices == 2) {
      Value matrix = load.getIndices()[0];
      shape.insert(shape.begin(), dropped);
      at.insert(at.begin(), matrix);
      sum = isInt(matrix, 0) ? sum : isInt(matrix, 1) ? &out.sums[1] : nullptr;
    }
    auto pad =
        dyn_cast_or_null<tile::PadAttr>(load.getPad().value_or(Attribute()));
    if (!pad || pad.getValue() != tile::Pad::Zero) {
      fail(load, "tiles are padded with zero");
      return nullptr;
    }
    if (!isPartition(load.getSource(), argument, shape)) {
      return nullptr;
    }
    if (!sum || !llvm::equal(load.getIndices(), at)) {
      fail(load, Twine("trip g of tile t takes ") + name + "[t, g]");
      return nullptr;
    }
    return sum;
  }

  /// Half h of group g of x, or of a gain, in f32.
  bool isHalf(Value value, unsigned argument, int64_t half) {
    auto wide = get<arith::ExtFOp>(value, "products are of f32");
    auto load = wide ? get<tile::LoadOp>(wide.getIn(), "x is loaded") : nullptr;
    if (!load || !isPartition(load.getSource(), argument,
                              {dropped, dropped, groupBytes})) {
      return false;
    }
    auto at = load.getIndices();
    return (at[0] == trip && isInt(at[1], half) && isInt(at[2], 0)) ||
           fail(load, "trip g takes both halves of x[g]");
  }

  /// The sums of products of one half of each byte of w with half of x.
  /// \returns w
  tile::LoadOp matchHalf(Value value, int64_t half) {
    auto reduce = get<tile::ReduceOp>(value, "products are added along K");
    if (!reduce || reduce.getReduceKind() != tile::ReduceKind::Add ||
        reduce.getAxis() != 1 || reduce.getKeep()) {
      return nullptr;
    }
    auto product =
        get<arith::MulFOp>(reduce.getValue(), "it adds products of w and x");
    auto lanes =
        product ? get<vector::BroadcastOp>(product.getRhs(),
                                           "each row of w is multiplied with x")
                : nullptr;
    auto isPart = [&](Value v, unsigned argument) {
      return isHalf(v, argument, half);
    };
    if (!lanes || !matchDepth(lanes.getSource(), isPart)) {
      return nullptr;
    }
    auto shifted = get<arith::SubFOp>(product.getLhs(), "8 is taken from w");
    auto number = shifted
                      ? get<arith::SIToFPOp>(shifted.getLhs(), "w is made f32")
                      : nullptr;
    if (!number || !isSplat(shifted.getRhs(), 8)) {
      return nullptr;
    }
    Value bytes;
    if (half == 0) {
      auto low = get<arith::AndIOp>(number.getIn(), "low bits are taken");
      if (!low || !isSplat(low.getRhs(), 15)) {
        return nullptr;
      }
      bytes = low.getLhs();
    } else {
      auto high = get<arith::ShRUIOp>(number.getIn(), "high bits are taken");
      if (!high || !isSplat(high.getRhs(), 4)) {
        return nullptr;
      }
      bytes = high.getLhs();
    }
    return get<tile::LoadOp>(bytes, "w is loaded");
  }

  bool matchGroupSum(scf::ForOp loop, Value result, Value added) {
    auto scaled = get<arith::MulFOp>(added, "sums of a group are scaled");
    auto both = get<arith::AddFOp>(scaled.getLhs(), "it adds both halves");
    auto wide = get<arith::ExtFOp>(scaled.getRhs(), "scales are made f32");
    auto scale =
        wide ? get<tile::LoadOp>(wide.getIn(), "scales are loaded") : nullptr;
    if (!both || !scale) {
      return false;
    }
    tile::LoadOp low = matchHalf(both.getLhs(), 0);
    tile::LoadOp high = low ? matchHalf(both.getRhs(), 1) : nullptr;
    if (!low || low != high) {
      return fail(scaled, "it adds ((w & 15) - 8) x and ((w >> 4) - 8) x of "
                          "halves of x, and scales both");
    }
    Value zero = low.getIndices().back();
    Value *sum = sumOf(low, out.w, {out.rows, dropped, groupBytes},
                       {tile, trip, zero}, "w");
    Value *ofScale = sum ? sumOf(scale, *out.scale, {out.rows, dropped},
                                 {tile, trip}, "scale")
                         : nullptr;
    if (!ofScale) {
      return false;
    }
    if (sum != ofScale || *sum || !isInt(zero, 0)) {
      return fail(scale, "of each matrix it takes w and scales, once");
    }
    *sum = result;
    auto count =
        get<tile::SymbolOp>(loop.getUpperBound(), "loops go over all groups");
    return count && (count.getSymbol() == out.k.getValue() ||
                     fail(count, "loops go over all groups"));
  }

  bool matchGroupSquares(Value result, Value added) {
    auto both = get<arith::AddFOp>(added, "it adds squares of x");
    if (!both) {
      return false;
    }
    if (out.squares) {
      return fail(both, "it adds squares of x, once");
    }
    for (int64_t half : {0, 1}) {
      auto square = get<arith::MulFOp>(both->getOperand(unsigned(half)),
                                       "it adds squares of x");
      if (!square) {
        return false;
      }
      if (square.getLhs() != square.getRhs()) {
        return fail(square, "it adds squares of x");
      }
      if (!isHalf(square.getLhs(), out.x, half)) {
        return false;
      }
    }
    out.squares = result;
    return true;
  }

  //===-- Rows ------------------------------------------------------------===//

  /// What is computed of a row: no op but these beside the loops.
  bool matchRest() {
    WalkResult walked =
        kernel.getBodyRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (isa<scf::ForOp>(op) && op->getParentOfType<scf::ForOp>()) {
            return WalkResult::skip();
          }
          return used.contains(op) || matchOfRow(op) ? WalkResult::advance()
                                                     : WalkResult::interrupt();
        });
    return !walked.wasInterrupted();
  }

  bool matchOfRow(Operation *op) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      return matchRowLoad(load);
    }
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      return (reduce.getValue() == out.squares && out.squares &&
              reduce.getReduceKind() == tile::ReduceKind::Add) ||
             fail(reduce, "squares are added");
    }
    if (isa<tile::PartitionOp>(op)) {
      // Of a tensor that goes with rows: looked at with its loads.
      return true;
    }
    if (std::string why = whyNotElementwise(op); !why.empty()) {
      return fail(op, why);
    }
    bool fits =
        op->getNumResults() == 1 && isOfRow(op->getResult(0)) &&
        llvm::all_of(op->getOperands(), [&](Value v) { return isOfRow(v); });
    return fits || fail(op, "its values are of a tile's rows, or one of all");
  }

  /// A value of each row, or one of all.
  bool isOfRow(Value value) {
    if (llvm::is_contained(out.sums, value)) {
      return true;
    }
    auto vector = dyn_cast<VectorType>(value.getType());
    return value != out.squares &&
           (!vector ||
            (vector.getRank() == 1 &&
             llvm::is_contained({int64_t(1), out.rows}, vector.getDimSize(0))));
  }

  bool matchRowLoad(tile::LoadOp load) {
    auto cut = load.getSource().getDefiningOp<tile::PartitionOp>();
    bool isOfRows =
        cut &&
        cast<PartitionType>(cut.getType()).getTile() ==
            ArrayRef<int64_t>(out.rows) &&
        cast<TileTensorType>(cut.getTensor().getType()).getMode() ==
            Mode::Shared &&
        cast<TileTensorType>(cut.getTensor().getType()).getDims()[0] == out.n;
    return (isOfRows && llvm::equal(load.getIndices(), ValueRange{tile})) ||
           fail(load, "of tensors [N] it takes the rows of its tile");
  }

  //===-- Contract --------------------------------------------------------===//

  bool matchContract() {
    bool hasBlocks = false, hasWholeRows = false;
    for (ComparisonAttr c : kernel.getRequirements()) {
      ExprAttr l = c.getLhs(), r = c.getRhs();
      hasBlocks |= c.getKind() == ComparisonKind::Ge && isSymbol(l, out.p) &&
                   isConstant(r, 1);
      hasWholeRows |= c.getKind() == ComparisonKind::Eq &&
                      l.getKind() == ExprKind::Mod &&
                      isSymbol(l.getLhs(), out.k) &&
                      isConstant(l.getRhs(), out.depthStep) && isConstant(r, 0);
      if (c.getKind() == ComparisonKind::Le && isSymbol(l, out.k) &&
          r.getKind() == ExprKind::Constant) {
        out.maxK = r.getValue();
      }
    }
    // A group is always whole.
    hasWholeRows |= out.isInt4();
    // x stands in shared memory; whether it fits says the budget.
    if (!hasBlocks || !hasWholeRows || out.maxK < 1 || out.maxK > 1 << 20) {
      std::string whole = out.isInt4()
                              ? ""
                              : ", mod(" + out.k.getValue().str() + ", " +
                                    std::to_string(out.depthStep) + ") == 0";
      return fail(kernel, "it requires " + out.p.getValue() + " >= 1" + whole +
                              " and " + out.k.getValue() + " <= a constant");
    }
    return true;
  }

  bool matchHints() {
    auto entries = kernel.getHints().getAs<DictionaryAttr>("sm_90");
    auto take = [&](StringRef name, int64_t &to) {
      if (auto hint = entries ? entries.getAs<IntegerAttr>(name) : nullptr) {
        to = hint.getInt();
      }
    };
    take("slots", out.slots);
    if (out.slots < 1 || out.slots > 32) {
      return fail(kernel,
                  "the hint slots takes 1 to 32, not " + Twine(out.slots));
    }
    constexpr int64_t ofWarp = lanes * 16, most = 8192;
    take("slot_bytes", out.slotBytes);
    if (out.slotBytes < ofWarp || out.slotBytes > most ||
        out.slotBytes % ofWarp != 0) {
      return fail(kernel, "the hint slot_bytes takes multiples of " +
                              Twine(ofWarp) + " up to " + Twine(most) +
                              ", not " + Twine(out.slotBytes));
    }
    int64_t slice = llvm::divideCeil(out.maxK, out.slices()) * out.weightBytes;
    if (out.isInt4() && slice > out.slotBytes) {
      return fail(kernel, "a slice of a row of 4 bits is one copy: it has up "
                          "to " +
                              Twine(slice) + " bytes, and slot_bytes is " +
                              Twine(out.slotBytes));
    }
    return true;
  }

  tile::KernelOp kernel;
  Gemv out;
  std::optional<Misfit> misfit;
  bool hasX = false, hasY = false;
  bool hasBytes = false; ///< weights are of 4 bits
  Value tile, trip;      ///< of rows and of the loop over K: their numbers
  int64_t depth = 0;     ///< of a tile along K
  llvm::DenseSet<Operation *> used;
};

} // namespace

std::variant<Gemv, Misfit> matchGemv(tile::KernelOp kernel) {
  return Matcher(kernel).match();
}

} // namespace girih::hopper
