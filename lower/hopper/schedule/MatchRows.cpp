// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op by op, in order: each has a meaning for lanes that hold a row among them,
// or it is the op that did not fit.

#include "lower/hopper/schedule/Elementwise.h"
#include "lower/hopper/schedule/Exprs.h"
#include "lower/hopper/schedule/Rows.h"
#include "lower/tileir/Lower.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// Bytes that a lane loads or stores at a time.
constexpr int64_t laneBytes = 16;
/// Vectors that a lane has of a row where nothing says how many warps there
/// are, and at most: more do not fit its registers.
constexpr int64_t usualVectors = 4, maxVectors = 16;
/// Registers of a multiprocessor are dealt out in eights.
constexpr int64_t registerStep = 8;

class RowMatcher {
public:
  explicit RowMatcher(tile::KernelOp kernel) : kernel(kernel) {}

  std::variant<Rows, Misfit> match() {
    bool isNear = matchSignature();
    if (isNear && matchContract() && findColumns() &&
        matchBody(kernel.getBodyRegion()) && matchStores() && matchHints()) {
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
                    " does not fit the schedule rows: " + expected);
  }

  //===-- Signature -------------------------------------------------------===//

  /// [M, N] with rows that lie together, or [N].
  bool matchTensor(unsigned argument, TileTensorType type) {
    ArrayRef<Attribute> dims = type.getDims(), strides = type.getStrides();
    Type element = type.getElementType();
    bool isIn = type.getMode() == Mode::Shared;
    bool fits = (isIn || type.getMode() == Mode::Out) && !type.getPartial() &&
                type.getAlign() % laneBytes == 0 &&
                (element.isBF16() || element.isF32()) &&
                llvm::all_of(dims, llvm::IsaPred<StringAttr>) &&
                (dims.size() == 2 || (dims.size() == 1 && isIn));
    if (fits && !out.n) {
      out.n = cast<StringAttr>(dims.back());
    }
    if (fits && dims.size() == 2 && !out.m) {
      out.m = cast<StringAttr>(dims[0]);
    }
    fits = fits && dims.back() == out.n && out.m != out.n &&
           (dims.size() == 1 ? strides.empty() : dims[0] == out.m);
    if (fits && !strides.empty()) {
      auto step = dyn_cast<IntegerAttr>(strides[1]);
      fits = step && step.getInt() == 1 && isa<StringAttr>(strides[0]);
      out.pitches.push_back(strides[0]);
    }
    if (!fits) {
      return fail(kernel.getLoc(),
                  "argument " + kernel.getArgText(argument) +
                      " does not fit the schedule rows: it takes [M, N] and "
                      "[N] in bf16 or f32, shared, and [M, N], out");
    }
    widest = std::max<int64_t>(widest, element.getIntOrFloatBitWidth() / 8);
    return true;
  }

  bool matchSignature() {
    for (BlockArgument a : kernel.getArguments()) {
      auto type = dyn_cast<TileTensorType>(a.getType());
      if (type ? !matchTensor(a.getArgNumber(), type)
               : !a.getType().isF32() &&
                     !fail(kernel, "arguments are tensors and floats of f32")) {
        return false;
      }
    }
    auto grid = kernel.getGridExprs();
    if (!out.m || !kernel.getGivenFacts().empty() || grid.size() != 1) {
      return fail(kernel, "its grid goes over rows of [M, N], nothing given");
    }
    ExprAttr blocks = grid[0];
    if (blocks.getKind() == ExprKind::CeilDiv &&
        blocks.getRhs().getKind() == ExprKind::Constant) {
      out.rows = blocks.getRhs().getValue();
      blocks = blocks.getLhs();
    }
    out.isEveryRowIn = out.rows == 1;
    out.width = laneBytes / widest;
    for (const tileir::Parameter &p : tileir::parametersOf(kernel)) {
      if (p.kind == tileir::Parameter::Kind::Integer &&
          (p.type != tileir::Element::I64 ||
           p.value.getKind() != ExprKind::Symbol)) {
        return fail(kernel, "its symbols are numbers of 64 bits");
      }
    }
    return isSymbol(blocks, out.m) ||
           fail(kernel, "its grid has M blocks, or M by the rows of a tile");
  }

  //===-- Contract --------------------------------------------------------===//

  /// Whether the contract makes it a multiple of what a lane has side by side.
  bool isOfVectors(Attribute name) {
    return llvm::any_of(kernel.getRequirements(), [&](ComparisonAttr c) {
      ExprAttr l = c.getLhs(), r = c.getRhs();
      return c.getKind() == ComparisonKind::Eq &&
             l.getKind() == ExprKind::Mod && isSymbol(l.getLhs(), name) &&
             l.getRhs().getKind() == ExprKind::Constant &&
             l.getRhs().getValue() % out.width == 0 &&
             r.getKind() == ExprKind::Constant && r.getValue() == 0;
    });
  }

  /// Rows are whole vectors at multiples of their bytes, and one tile has them.
  bool matchContract() {
    SmallVector<Attribute> names = out.pitches;
    names.push_back(out.n);
    for (Attribute name : names) {
      if (!isOfVectors(name)) {
        return fail(kernel, "it requires mod(" +
                                cast<StringAttr>(name).getValue() + ", " +
                                Twine(out.width) + ") == 0");
      }
    }
    for (ComparisonAttr c : kernel.getRequirements()) {
      if (c.getKind() == ComparisonKind::Le && isSymbol(c.getLhs(), out.n) &&
          c.getRhs().getKind() == ExprKind::Constant) {
        maxN = std::min(maxN.value_or(INT64_MAX), c.getRhs().getValue());
      }
    }
    return maxN || fail(kernel, "it requires " + out.n.getValue() +
                                    " <= a constant, so that one tile has a "
                                    "row");
  }

  //===-- Body ------------------------------------------------------------===//

  /// The columns of the first tile of rows, which are those of all.
  bool findColumns() {
    kernel.getBodyRegion().walk([&](tile::PartitionOp cut) {
      ArrayRef<int64_t> tile = cast<PartitionType>(cut.getType()).getTile();
      out.columns = tile.size() == 2 ? tile[1] : 0;
      return out.columns > 0 ? WalkResult::interrupt() : WalkResult::advance();
    });
    return out.columns >= *maxN ||
           fail(kernel, "a row of " + Twine(*maxN) +
                            " is more than a tile of " + Twine(out.columns));
  }

  bool matchBody(Region &region) {
    for (Operation &op : region.front()) {
      if (isPlace(&op) || isa<scf::YieldOp>(op) ||
          op.hasTrait<OpTrait::IsTerminator>()) {
        continue;
      }
      if (auto branch = dyn_cast<scf::IfOp>(op)) {
        if (!matchBranch(branch)) {
          return false;
        }
        continue;
      }
      if (!matchOp(&op)) {
        return false;
      }
      out.ops.push_back(&op);
    }
    return true;
  }

  /// What only says where tiles are: looked at where it is used.
  bool isPlace(Operation *op) {
    return isa<tile::BlockIdOp, tile::PartitionOp, tile::ClaimOp,
               tile::NumTilesOp>(op) ||
           (isa<arith::ConstantOp>(op) &&
            op->getResult(0).getType().isIndex()) ||
           (isa<arith::CmpIOp>(op) && llvm::all_of(op->getUsers(), [](auto *u) {
              return isa<scf::IfOp>(u);
            }));
  }

  bool isZero(Value value) { return matchPattern(value, m_Zero()); }

  /// All of the body, where a row has elements at all.
  bool matchBranch(scf::IfOp branch) {
    auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    auto count = compare ? compare.getLhs().getDefiningOp<tile::NumTilesOp>()
                         : tile::NumTilesOp();
    auto rest = llvm::make_range(std::next(branch->getIterator()),
                                 branch->getBlock()->end());
    bool isAll = llvm::all_of(
        rest, [](Operation &op) { return isMemoryEffectFree(&op); });
    auto tensor = count
                      ? count.getPartition().getDefiningOp<tile::PartitionOp>()
                      : tile::PartitionOp();
    if (!count || !tensor || !isAll || branch.getNumResults() != 0 ||
        !branch.getElseRegion().empty() ||
        compare.getPredicate() != arith::CmpIPredicate::sgt ||
        !isZero(compare.getRhs()) ||
        count.getAxis() + 1 !=
            cast<PartitionType>(tensor.getType()).getTile().size()) {
      return fail(branch, "its only branch is on rows that have elements, and "
                          "stores are in it");
    }
    return matchBody(branch.getThenRegion());
  }

  /// A tile of the block's rows, or of [N]: all of its columns.
  bool matchTile(Operation *op, Value partition, ValueRange indices) {
    auto cut = partition.getDefiningOp<tile::PartitionOp>();
    ArrayRef<int64_t> tile = cast<PartitionType>(partition.getType()).getTile();
    if (!cut || tile.size() != indices.size()) {
      return fail(op, "it takes tiles of arguments");
    }
    bool isRow = tile.size() == 2;
    if (tile.back() != out.columns || !isZero(indices.back()) ||
        (isRow && std::max<int64_t>(tile[0], 1) != out.rows)) {
      return fail(op, "its tiles are those of the grid: " + Twine(out.rows) +
                          " whole rows");
    }
    auto block = indices[0].getDefiningOp<tile::BlockIdOp>();
    return !isRow || (block && block.getAxis() == 0) ||
           fail(op, "block b has tile b");
  }

  bool matchLoad(tile::LoadOp load) {
    return isa<PartitionType>(load.getSource().getType())
               ? matchTile(load, load.getSource(), load.getIndices())
               : fail(load, "it loads what no block writes");
  }

  bool matchStore(tile::StoreOp store) {
    auto claim = store.getPiece().getDefiningOp<tile::ClaimOp>();
    return claim ? matchTile(claim, claim.getPartition(), claim.getIndices())
                 : fail(store, "it stores claimed tiles");
  }

  bool matchReduce(tile::ReduceOp reduce) {
    auto type = cast<VectorType>(reduce.getValue().getType());
    bool isKind = reduce.getReduceKind() == tile::ReduceKind::Add ||
                  reduce.getReduceKind() == tile::ReduceKind::Max;
    if (!isKind || !type.getElementType().isF32()) {
      return fail(reduce, "reductions are add and max of f32");
    }
    bool keeps = reduce.getKeep() == (type.getRank() == 2);
    return (int64_t(reduce.getAxis()) + 1 == type.getRank() &&
            type.getDimSize(reduce.getAxis()) == out.columns && keeps) ||
           fail(reduce, "reductions are along rows, and of tiles of rows keep "
                        "the axis");
  }

  /// Scalars, one number a row, and tiles of whole rows.
  bool isValue(Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector) {
      return value.getType().isF32() || value.getType().isBF16() ||
             value.getType().isInteger(1);
    }
    ArrayRef<int64_t> shape = vector.getShape();
    return (shape.size() == 1 && shape[0] == out.columns) ||
           (shape.size() == 2 && shape[0] == out.rows &&
            (shape[1] == out.columns || shape[1] == 1));
  }

  bool matchOp(Operation *op) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      return matchLoad(load);
    }
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      return matchStore(store);
    }
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      return matchReduce(reduce);
    }
    if (std::string why = whyNotElementwise(op); !why.empty()) {
      return fail(op, why);
    }
    if (isa<tile::SymbolOp, arith::IndexCastOp, arith::SIToFPOp>(op)) {
      return true;
    }
    if (!llvm::all_of(op->getOperands(), [&](Value v) { return isValue(v); }) ||
        !isValue(op->getResult(0))) {
      return fail(op, "its values are of whole rows, or one a row");
    }
    auto broadcast = dyn_cast<vector::BroadcastOp>(op);
    auto from = broadcast
                    ? dyn_cast<VectorType>(broadcast.getSource().getType())
                    : VectorType();
    // [BN] to [BM, BN], [BM, 1] to [BM, BN], a scalar to any.
    if (from && from.getRank() == 1 && out.rows != 1 &&
        from.getDimSize(0) != out.columns) {
      return fail(op, "what all lanes have is of N, or one a row");
    }
    return true;
  }

  bool matchStores() {
    return llvm::any_of(out.ops, llvm::IsaPred<tile::StoreOp>) ||
           fail(kernel, "it stores no row");
  }

  //===-- Hints -----------------------------------------------------------===//

  bool matchHints() {
    auto entries = kernel.getHints().getAs<DictionaryAttr>("sm_90");
    auto hint = [&](StringRef name) -> std::optional<int64_t> {
      auto value = entries ? entries.getAs<IntegerAttr>(name) : nullptr;
      return value ? std::optional(value.getInt()) : std::nullopt;
    };
    int64_t warpColumns = lanes * out.width;
    out.warps = hint("worker_warps")
                    .value_or(out.rows *
                              std::max<int64_t>(1, out.columns / warpColumns /
                                                       usualVectors));
    bool fits = out.warps >= 1 && out.warps <= 32 &&
                out.warps % out.rows == 0 &&
                out.columns % (out.rowWarps() * warpColumns) == 0 &&
                out.vectors() <= maxVectors;
    if (!fits) {
      return fail(kernel, Twine(out.warps) + " warps do not share " +
                              Twine(out.rows) + " rows of " +
                              Twine(out.columns) + " by vectors of " +
                              Twine(out.width));
    }
    constexpr int64_t all = 65536, most = 255;
    out.isStreamed = hint("streams").value_or(0) != 0;
    int64_t blocks = hint("occupancy").value_or(1);
    int64_t share = all / (out.warps * lanes * std::max<int64_t>(blocks, 1));
    out.registers = std::min(most, share / registerStep * registerStep);
    return out.registers >= registerStep ||
           fail(kernel, "the hint occupancy leaves a thread no registers");
  }

  tile::KernelOp kernel;
  Rows out;
  std::optional<Misfit> misfit;
  std::optional<int64_t> maxN;
  int64_t widest = 1; ///< bytes of an element
};

} // namespace

std::variant<Rows, Misfit> matchRows(tile::KernelOp kernel) {
  return RowMatcher(kernel).match();
}

} // namespace girih::hopper
