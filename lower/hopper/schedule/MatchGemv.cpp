// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the store backwards: each op is the one that the schedule has in this
// place, or the op that did not fit. What the store does not need did not fit
// either.

#include "lower/hopper/schedule/Gemv.h"

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

bool isSymbol(ExprAttr expr, StringAttr name) {
  return expr.getKind() == ExprKind::Symbol && expr.getSymbol() == name;
}

bool isConstant(ExprAttr expr, int64_t value) {
  return expr.getKind() == ExprKind::Constant && expr.getValue() == value;
}

class Matcher {
public:
  explicit Matcher(tile::KernelOp kernel) : kernel(kernel) {}

  std::variant<Gemv, Misfit> match() {
    bool isNear = matchSignature();
    if (isNear && matchBody() && matchRest() && matchContract() &&
        matchHints()) {
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

  bool isZero(Value value) {
    DenseFPElementsAttr found;
    if (!matchPattern(value, m_Constant(&found)) || !found.isSplat() ||
        !found.getSplatValue<APFloat>().isPosZero()) {
      return false;
    }
    used.insert(value.getDefiningOp());
    return true;
  }

  //===-- Signature -------------------------------------------------------===//

  /// A packed tensor at multiples of 16 bytes.
  TileTensorType tensor(unsigned argument, unsigned rank, Mode mode,
                        bool mayBeWide) {
    auto type =
        dyn_cast<TileTensorType>(kernel.getArguments()[argument].getType());
    bool fits = type && type.getRank() == rank && type.getMode() == mode &&
                !type.getPartial() && type.getStrides().empty() &&
                type.getAlign() % 16 == 0 &&
                (type.getElementType().isBF16() ||
                 (mayBeWide && type.getElementType().isF32())) &&
                llvm::all_of(type.getDims(), llvm::IsaPred<StringAttr>);
    if (!fits) {
      fail(kernel.getLoc(),
           "argument " + kernel.getArgText(argument) +
               " does not fit the schedule gemv: it takes w[N, K] and x[K] in "
               "bf16, shared, and y[N] in bf16 or f32, out, all packed");
      return nullptr;
    }
    return type;
  }

  bool matchSignature() {
    if (kernel.getArguments().size() != 3 || !kernel.getGivenFacts().empty()) {
      return fail(kernel, "it has three arguments and no given facts");
    }
    out.w = 0, out.x = 1, out.y = 2;
    auto w = tensor(out.w, 2, Mode::Shared, false);
    auto x = tensor(out.x, 1, Mode::Shared, false);
    auto y = tensor(out.y, 1, Mode::Out, true);
    if (!w || !x || !y) {
      return false;
    }
    out.n = cast<StringAttr>(w.getDims()[0]);
    out.k = cast<StringAttr>(w.getDims()[1]);
    out.isNarrow = y.getElementType().isBF16();
    auto grid = kernel.getGridExprs();
    if (x.getDims()[0] != out.k || y.getDims()[0] != out.n || out.n == out.k ||
        grid.size() != 1 || grid[0].getKind() != ExprKind::Symbol) {
      return fail(kernel, "it computes y[N] from w[N, K] and x[K] by a grid of "
                          "P blocks");
    }
    out.p = grid[0].getSymbol();
    if (out.p == out.n || out.p == out.k) {
      return fail(kernel, "its grid is a symbol of its own");
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
    Value sum = store.getValue();
    if (out.isNarrow) {
      auto narrow = get<arith::TruncFOp>(sum, "sums are rounded once");
      if (!narrow) {
        return false;
      }
      sum = narrow.getIn();
    }
    auto loop = get<scf::ForOp>(sum, "sums come from a loop over K");
    return loop && matchSum(outer, loop);
  }

  bool matchSum(scf::ForOp outer, scf::ForOp loop) {
    used.insert(loop.getBody()->getTerminator());
    if (loop.getNumResults() != 1 || !isInt(loop.getLowerBound(), 0) ||
        !isInt(loop.getStep(), 1) || !isZero(loop.getInitArgs()[0])) {
      return fail(loop, "it adds to 0 over all tiles of K");
    }
    auto add = get<arith::AddFOp>(loop.getYieldedValues()[0],
                                  "each trip adds a tile's sums");
    if (!add) {
      return false;
    }
    Value carried = loop.getRegionIterArg(0);
    bool isLeft = add.getLhs() == carried;
    if (!isLeft && add.getRhs() != carried) {
      return fail(add, "each trip adds to the sum so far");
    }
    auto reduce = get<tile::ReduceOp>(isLeft ? add.getRhs() : add.getLhs(),
                                      "products are added along K");
    if (!reduce) {
      return false;
    }
    if (reduce.getReduceKind() != tile::ReduceKind::Add ||
        reduce.getAxis() != 1 || reduce.getKeep()) {
      return fail(reduce, "products are added along K");
    }
    auto product =
        get<arith::MulFOp>(reduce.getValue(), "it adds products of w and x");
    return product && matchProduct(outer, loop, product);
  }

  bool matchProduct(scf::ForOp outer, scf::ForOp loop, arith::MulFOp product) {
    Value weights = product.getLhs(), other = product.getRhs();
    if (!other.getDefiningOp<vector::BroadcastOp>()) {
      std::swap(weights, other);
    }
    auto lanes =
        get<vector::BroadcastOp>(other, "each row of w is multiplied with x");
    auto wideW = get<arith::ExtFOp>(weights, "products are of f32");
    auto wideX =
        lanes ? get<arith::ExtFOp>(lanes.getSource(), "products are of f32")
              : nullptr;
    auto w = wideW ? get<tile::LoadOp>(wideW.getIn(), "w is loaded") : nullptr;
    auto x = wideX ? get<tile::LoadOp>(wideX.getIn(), "x is loaded") : nullptr;
    if (!w || !x) {
      return false;
    }
    int64_t depth = 0;
    if (auto tiles = dyn_cast<PartitionType>(x.getSource().getType())) {
      depth = tiles.getTile().back();
    }
    if (!isPartition(w.getSource(), out.w, {out.rows, depth}) ||
        !isPartition(x.getSource(), out.x, {depth})) {
      return false;
    }
    Value t = outer.getInductionVar(), k = loop.getInductionVar();
    for (tile::LoadOp load : {w, x}) {
      auto pad =
          dyn_cast_or_null<tile::PadAttr>(load.getPad().value_or(Attribute()));
      if (!pad || pad.getValue() != tile::Pad::Zero) {
        return fail(load, "tiles are padded with zero");
      }
    }
    if (!llvm::equal(w.getIndices(), ValueRange{t, k}) ||
        !llvm::equal(x.getIndices(), ValueRange{k})) {
      return fail(w, "trip k of tile t takes w[t, k] and x[k]");
    }
    return isOverTiles(loop, out.w, 1, {out.rows, depth});
  }

  /// Nothing beside what the store needs.
  bool matchRest() {
    WalkResult walked = kernel.getBodyRegion().walk([&](Operation *op) {
      if (!used.contains(op) && !isa<arith::ConstantOp>(op)) {
        fail(op, "the schedule has no place for it");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return !walked.wasInterrupted();
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
    // x stands in shared memory; whether it fits says the budget.
    if (!hasBlocks || !hasWholeRows || out.maxK < 1 || out.maxK > 1 << 20) {
      return fail(kernel, "it requires " + out.p.getValue() + " >= 1, mod(" +
                              out.k.getValue() + ", " + Twine(out.depthStep) +
                              ") == 0 and " + out.k.getValue() +
                              " <= a constant");
    }
    return true;
  }

  bool matchHints() {
    auto entries = kernel.getHints().getAs<DictionaryAttr>("sm_90");
    auto slots = entries ? entries.getAs<IntegerAttr>("slots") : nullptr;
    if (slots) {
      out.slots = slots.getInt();
      if (out.slots < 1 || out.slots > 32) {
        return fail(kernel,
                    "the hint slots takes 1 to 32, not " + Twine(out.slots));
      }
    }
    return true;
  }

  tile::KernelOp kernel;
  Gemv out;
  std::optional<Misfit> misfit;
  llvm::DenseSet<Operation *> used;
};

} // namespace

std::variant<Gemv, Misfit> matchGemv(tile::KernelOp kernel) {
  return Matcher(kernel).match();
}

} // namespace girih::hopper
