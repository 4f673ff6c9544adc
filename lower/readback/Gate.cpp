// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel and trace are walked side by side: every access, loop and branch of
// one must be the next one of the other.

#include "lower/readback/Gate.h"
#include "lower/readback/Bounds.h"
#include "lower/readback/Dependency.h"
#include "lower/readback/Kernel.h"
#include "lower/readback/Match.h"
#include "lower/readback/Nibbles.h"
#include "lower/readback/Order.h"
#include "lower/readback/Pads.h"

#include "ir/types/Diagnose.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace girih::tile;

namespace girih::readback {

namespace {

constexpr int64_t weak = 0, relaxed = 1, device = 1;

std::string placeText(mlir::Operation *op) {
  auto at = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  return op->getName().getStringRef().str() +
         (at ? " at " + at.getFilename().str() + ":" +
                   std::to_string(at.getLine()) + ":" +
                   std::to_string(at.getColumn())
             : "");
}

struct Comparison {
  Comparison(KernelOp kernel, const Entry &entry,
             const std::vector<Parameter> &parameters)
      : kernel(kernel), parameters(parameters), mayBeginEarly(entry.waits),
        bounds(entry, parameters, values, matcher) {}

  KernelOp kernel;
  const std::vector<Parameter> &parameters;
  bool mayBeginEarly;
  Pool pool;
  Matcher matcher{pool};
  KernelValues values{kernel, pool};
  Bounds bounds;
  std::vector<Ordered> accesses;
  Trace trace;       ///< of the entry point
  std::string wrong; ///< the first difference

  bool fail(const std::string &why) {
    if (wrong.empty()) {
      wrong = why;
    }
    return false;
  }

  bool fail(mlir::Operation *op, const std::string &why) {
    return fail(placeText(op) + ": " + why);
  }

  bool same(mlir::Operation *op, Expr wanted, Expr got,
            const std::string &what) {
    if (wanted == got || (wanted && got && matcher.matches(wanted, got))) {
      return true;
    }
    auto text = [&](Expr e) {
      return e ? pool.text(matcher.known(e)) : "nothing";
    };
    return fail(op,
                what + " is " + text(got) + ", the kernel has " + text(wanted));
  }

  bool assumption(const Assumption &a) {
    return bounds.imply(a) ||
           fail("nothing says what is assumed of " +
                (a.parameter ? "parameter " + std::to_string(*a.parameter)
                             : pool.text(a.number)));
  }

  /// The kernel has the op, and so its result does not leave its type.
  bool isExact(const Exact &e) {
    return values.exact.contains(e) ||
           llvm::any_of(values.exact, [&](const Exact &of) {
             return of.operation == e.operation &&
                    (of.left->opaque || of.right->opaque) &&
                    matcher.matches(of.left, e.left) &&
                    matcher.matches(of.right, e.right);
           });
  }

  // Accesses

  /// An extent or stride: views of Tile IR have them of at least 1.
  bool size(mlir::Operation *op, Expr wanted, Expr got,
            const std::string &what) {
    Expr one = pool.node(Kind::SMax, {}, {wanted, pool.constant(1)});
    return got == one || (got == wanted && bounds.isPositive(wanted)) ||
           same(op, one, got, what);
  }

  bool base(mlir::Operation *op, unsigned argument, Expr offset,
            const Memory &got) {
    const Parameter &p = parameters[got.parameter];
    if (p.argument != argument) {
      return fail(op, "it goes to another tensor");
    }
    return same(op, offset, got.offset, "the offset");
  }

  struct Wanted {
    PartitionOp partition;
    std::vector<Expr> index;
    mlir::Attribute pad;
    bool whole = false; ///< a load without padding
  };

  bool padding(mlir::Operation *op, Wanted w, std::optional<unsigned> got) {
    return paddingOfView(w.pad) == got || fail(op, "another padding");
  }

  /// Whether a tile with a good index lies wholly inside along the axis: a load
  /// without padding does, as was proved, and where the tile divides the
  /// extent.
  bool inside(Wanted w, size_t axis) {
    int64_t tile = std::max<int64_t>(w.partition.getTile()[axis], 1);
    if (w.whole || tile == 1) {
      return true;
    }
    return values.divides(tile,
                          values.layout(w.partition.getTensor()).extents[axis]);
  }

  bool byTile(mlir::Operation *op, Wanted w, const TilePlace &got) {
    mlir::Value tensor = w.partition.getTensor();
    auto root = rootOf(tensor);
    auto type = mlir::cast<TileTensorType>(root.getType());
    Layout layout = inMemory(pool, tensor, values.layout(tensor));
    std::optional<unsigned> paired = pairedAxis(tensor);
    size_t at = 0;
    for (size_t k = 0; k < layout.extents.size(); ++k) {
      if (tensor == root && isStill(type, k)) {
        continue;
      }
      std::string axis = " of axis " + std::to_string(k);
      if (at == got.tile.size()) {
        return fail(op, "it has too few axes");
      }
      int64_t tile = std::max<int64_t>(w.partition.getTile()[k], 1);
      if (got.tile[at] != (paired == k ? tile / 2 : tile)) {
        return fail(op, "another tile" + axis);
      }
      if (!same(op, w.index[k], got.index[at], "the index" + axis) ||
          !size(op, layout.extents[k], got.extents[at], "the extent" + axis) ||
          !size(op, layout.strides[k], got.strides[at], "the stride" + axis)) {
        return false;
      }
      if (at < got.inside.size() && got.inside[at] && !inside(w, k)) {
        return fail(op, "nothing says that it lies inside" + axis);
      }
      ++at;
    }
    return (at == got.tile.size() || fail(op, "it has too many axes")) &&
           base(op, root.getArgNumber(), layout.offset, got.base) &&
           padding(op, w, got.padding);
  }

  Expr padOf(mlir::Type element, mlir::Attribute pad) {
    return paddingOfLanes(pool, element, pad);
  }

  /// What is written, where it is of integers: under the shape in memory.
  bool written(mlir::Operation *op, mlir::Value value, const AccessEvent &got) {
    if (!widthOf(value.getType())) {
      return true;
    }
    Expr wanted = values.of(value);
    Shape shape = shapeOf(value.getType());
    std::optional<unsigned> paired;
    if (auto store = mlir::dyn_cast<StoreOp>(op)) {
      mlir::Value tensor =
          girih::tile::partitionOf(store.getPiece()).getTensor();
      paired = pairedAxis(tensor);
      // A written tensor is the same along no axis: all are in memory.
      if (paired) {
        Shape elements = got.shape;
        elements[*paired] *= 2;
        wanted = packed(pool, pool.reshape(wanted, shape, elements), elements,
                        *paired);
        shape = got.shape;
      }
    }
    return same(op, pool.reshape(wanted, shape, got.shape), got.value,
                "the value");
  }

  /// A tile by the address of each lane, where no view says it.
  bool byAddress(mlir::Operation *op, Wanted w, const LanePlace &got,
                 const Shape &shape) {
    mlir::Value tensor = w.partition.getTensor();
    Layout layout = inMemory(pool, tensor, values.layout(tensor));
    std::optional<unsigned> paired = pairedAxis(tensor);
    Expr offset = layout.offset, inside = pool.constant(-1);
    for (size_t k = 0; k < layout.extents.size(); ++k) {
      int64_t tile = std::max<int64_t>(w.partition.getTile()[k], 1);
      tile = paired == k ? tile / 2 : tile;
      if (k >= shape.size() || shape[k] != tile) {
        return fail(op, "another tile");
      }
      Expr at = pool.add(pool.lane(static_cast<int64_t>(k), tile),
                         pool.multiply(w.index[k], pool.constant(tile)));
      offset = pool.add(offset, pool.multiply(at, layout.strides[k]));
      inside = pool.both(inside, pool.lessThan(at, layout.extents[k]));
    }
    return base(op, rootOf(tensor).getArgNumber(), offset, got.base) &&
           same(op, inside, got.mask, "the mask") &&
           same(op,
                paired
                    ? paddingOfPairs(pool, w.pad)
                    : padOf(w.partition.getTensor().getType().getElementType(),
                            w.pad),
                got.padding, "the padding");
  }

  bool common(mlir::Operation *op, Access kind, mlir::BlockArgument root,
              const AccessEvent &got) {
    auto type = mlir::cast<TileTensorType>(root.getType());
    bool others = type.getMode() == Mode::Raw || atomicOf(type.getMode());
    if (got.kind != kind) {
      return fail(op, "an access of another kind");
    }
    if (got.order != (others ? relaxed : weak) ||
        got.scope != (others ? std::optional(device) : std::nullopt)) {
      return fail(op, "another order or scope");
    }
    if (!isElement(type.getElementType(), got.element)) {
      std::string element;
      llvm::raw_string_ostream(element) << type.getElementType();
      return fail(op,
                  "elements of " + got.element + ", the kernel has " + element);
    }
    accesses.push_back(
        {root.getArgNumber(), kind, type.getMode() != Mode::Shared, -1});
    values.at.accesses = static_cast<int64_t>(accesses.size());
    return true;
  }

  Wanted wantedOf(mlir::Value source, mlir::OperandRange indices,
                  mlir::Attribute pad) {
    Wanted w{girih::tile::partitionOf(source), {}, pad};
    auto claim = source.getDefiningOp<ClaimOp>();
    for (mlir::Value v : claim ? claim.getIndices() : indices) {
      w.index.push_back(values.of(v));
    }
    return w;
  }

  bool tileAccess(mlir::Operation *op, Access kind, mlir::Value source,
                  mlir::OperandRange indices, mlir::Attribute pad,
                  const AccessEvent &got) {
    Wanted w = wantedOf(source, indices, pad);
    w.whole = kind == Access::Load && !pad;
    if (!common(op, kind, rootOf(w.partition.getTensor()), got)) {
      return false;
    }
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op->getParentOp());
    if (kind == Access::Store && loop &&
        loop.isDefinedOutsideOfLoop(w.partition.getTensor()) &&
        llvm::is_contained(w.index, values.of(loop.getInductionVar()))) {
      // Tiles of one partition with different indices share no element.
      accesses.back().apartIn = values.of(loop.getInductionVar())->numbers[0];
    }
    if (auto *tile = std::get_if<TilePlace>(&got.place)) {
      return byTile(op, w, *tile);
    }
    return kind == Access::Load
               ? byAddress(op, w, std::get<LanePlace>(got.place), got.shape)
               : fail(op, "it goes to addresses");
  }

  bool laneAccess(mlir::Operation *op, Access kind, mlir::Value tensor,
                  mlir::OperandRange indices, mlir::Value mask,
                  mlir::Attribute pad, const AccessEvent &got) {
    if (!common(op, kind, rootOf(tensor), got)) {
      return false;
    }
    auto *place = std::get_if<LanePlace>(&got.place);
    if (!place) {
      return fail(op, "it goes to a tile");
    }
    auto type = mlir::cast<TileTensorType>(tensor.getType());
    Layout layout = values.layout(tensor);
    Expr offset = layout.offset;
    for (auto [index, stride] : llvm::zip(indices, layout.strides)) {
      offset = pool.add(offset, pool.multiply(values.of(index), stride));
    }
    return base(op, rootOf(tensor).getArgNumber(), offset, place->base) &&
           same(op, mask ? values.of(mask) : nullptr, place->mask,
                "the mask") &&
           same(op, pad ? padOf(type.getElementType(), pad) : nullptr,
                place->padding, "the padding");
  }

  /// The last access gave this value.
  void loaded(mlir::Value v) {
    values.set(v, Kind::Loaded, {int64_t(accesses.size()) - 1});
  }

  template <typename Op> bool atomicMode(Op op, const AccessEvent &got) {
    bool isFloat = !widthOf(op.getValue().getType());
    return got.mode == modeOf(op.getKind(), isFloat) ||
           fail(op, "another combination");
  }

  // Walking both

  using Next = Events::const_iterator;

  static bool touchesNothing(const Event &e) {
    return std::holds_alternative<JoinEvent>(e.what) ||
           std::holds_alternative<Assumption>(e.what);
  }

  /// What stands between accesses, loops and branches.
  bool aside(const Event &e) {
    auto *a = std::get_if<Assumption>(&e.what);
    return !a || assumption(*a);
  }

  template <typename T> const T *take(Next &at, Next end, mlir::Operation *op) {
    for (; at != end && touchesNothing(*at); ++at) {
      if (!aside(*at)) {
        return nullptr;
      }
    }
    const T *event = at == end ? nullptr : std::get_if<T>(&at->what);
    if (!event) {
      fail(op, "the bytecode has something else in its place");
      return nullptr;
    }
    ++at;
    return event;
  }

  bool access(mlir::Operation *op, const AccessEvent &got) {
    if (auto load = mlir::dyn_cast<LoadOp>(op)) {
      return tileAccess(op, Access::Load, load.getSource(), load.getIndices(),
                        load.getPadAttr(), got) &&
             hasLoaded(load, got);
    }
    if (auto store = mlir::dyn_cast<StoreOp>(op)) {
      return tileAccess(op, Access::Store, store.getPiece(),
                        store->getOperands(), {}, got) &&
             written(op, store.getValue(), got);
    }
    if (auto atomic = mlir::dyn_cast<AtomicOp>(op)) {
      return tileAccess(op, Access::Atomic, atomic.getPartition(),
                        atomic.getIndices(), {}, got) &&
             atomicMode(atomic, got) && written(op, atomic.getValue(), got);
    }
    if (auto gather = mlir::dyn_cast<GatherOp>(op)) {
      return laneAccess(op, Access::Load, gather.getTensor(),
                        gather.getIndices(), gather.getMask(),
                        gather.getPadAttr(), got) &&
             (loaded(gather.getResult()), true);
    }
    if (auto atomic = mlir::dyn_cast<AtomicScatterOp>(op)) {
      return laneAccess(op, Access::Atomic, atomic.getTensor(),
                        atomic.getIndices(), atomic.getMask(), {}, got) &&
             atomicMode(atomic, got) && written(op, atomic.getValue(), got);
    }
    auto scatter = mlir::cast<ScatterOp>(op);
    return laneAccess(op, Access::Store, scatter.getTensor(),
                      scatter.getIndices(), scatter.getMask(), {}, got) &&
           written(op, scatter.getValue(), got);
  }

  /// Null, and an error, where the bytes are used otherwise.
  Expr pairsOf(LoadOp load, const Shape &shape, unsigned axis) {
    Expr e = unpacked(pool, trace, int64_t(accesses.size()) - 1, shape, axis);
    if (!e) {
      fail(load, "the bytes of pairs of elements are used otherwise");
    }
    return e;
  }

  /// What a load gives.
  bool hasLoaded(LoadOp load, const AccessEvent &got) {
    mlir::Value v = load.getResult();
    mlir::Value tensor = girih::tile::partitionOf(load.getSource()).getTensor();
    std::optional<unsigned> paired = pairedAxis(tensor);
    if (!paired) {
      loaded(v);
    }
    if (std::holds_alternative<TilePlace>(got.place)) {
      return outside(load);
    }
    if (!paired) {
      return true;
    }
    Shape shape = got.shape;
    shape[*paired] *= 2;
    Expr value = pairsOf(load, shape, *paired);
    values.known[v] =
        value ? pool.reshape(value, shape, shapeOf(v.getType())) : nullptr;
    return value;
  }

  /// What the lanes of a tile hold. Along axes outside its view it is the same
  /// all along; lanes outside of the tensor get the padding from a select, to
  /// which the tile goes before anything else, there and, where the view cannot
  /// say it, along all axes. The mask asks of every axis along which the tile
  /// may be ragged, and may ask of others.
  bool outside(LoadOp load) {
    Wanted w = wantedOf(load.getSource(), load.getIndices(), load.getPadAttr());
    mlir::Value tensor = w.partition.getTensor();
    auto type = mlir::cast<TileTensorType>(tensor.getType());
    Layout layout = values.layout(tensor);
    std::optional<unsigned> paired = pairedAxis(tensor);
    mlir::Type element = type.getElementType();
    bool isSaid = isOfView(pool, element, w.pad), isSpread = false;
    if (mlir::isa<mlir::Float4E2M1FNType>(element)) {
      element = mlir::Float16Type::get(element.getContext());
    }
    WantedFill wanted{{}, padOf(element, w.pad), {}, {}};
    std::vector<Expr> lanes;
    Shape inView; // with axes of 1 in the place of those outside
    for (size_t k = 0; k < layout.extents.size(); ++k) {
      int64_t tile = std::max<int64_t>(w.partition.getTile()[k], 1);
      bool still = tensor == rootOf(tensor) && isStill(type, k);
      isSpread |= still;
      wanted.shape.push_back(tile);
      inView.push_back(still ? 1 : tile);
      Expr lane = pool.lane(static_cast<int64_t>(k), tile);
      if (!still && tile != 1) {
        lanes.push_back(lane);
      }
      if (tile == 1 || !w.pad || (isSaid && !still)) {
        continue;
      }
      Expr at = pool.add(lane, pool.multiply(w.index[k], pool.constant(tile)));
      wanted.admitted.push_back(
          matcher.known(pool.lessThan(at, layout.extents[k])));
      if (still || !inside(w, k)) {
        wanted.required.push_back(wanted.admitted.back());
      }
    }
    int64_t number = int64_t(accesses.size()) - 1;
    auto fill = trace.fills.find(number);
    bool fits = !wanted.admitted.empty() && fill != trace.fills.end() &&
                trace.parts.contains(number) == paired.has_value() &&
                wanted.isMetBy(fill->second);
    if (!fits && !wanted.required.empty()) {
      return fail(load, "lanes outside hold something else than the padding");
    }
    unsigned bits = widthOf(load.getType());
    if (bits && (fits || isSpread || paired)) {
      Expr value = paired ? pairsOf(load, inView, *paired)
                          : pool.node(Kind::Loaded, {number}, lanes, bits);
      if (!value) {
        return false;
      }
      if (fits) {
        value = pool.node(Kind::Select, {},
                          {fill->second.mask, value, wanted.padding});
      }
      values.known[load.getResult()] =
          pool.reshape(value, wanted.shape, shapeOf(load.getType()));
    }
    return true;
  }

  bool sameList(mlir::Operation *op, mlir::ValueRange wanted,
                const std::vector<Expr> &got, const std::string &what) {
    if (wanted.size() != got.size()) {
      return fail(op, "another number of values is handed on");
    }
    for (auto [v, e] : llvm::zip(wanted, got)) {
      if (widthOf(v.getType()) && !same(op, values.of(v), e, what)) {
        return false;
      }
    }
    return true;
  }

  bool loop(mlir::scf::ForOp op, const LoopEvent &got) {
    int64_t number = values.at.regions++;
    if (got.head) {
      return fail(op, "the bytecode has a loop without a counter");
    }
    if (!same(op, values.of(op.getLowerBound()), got.lower,
              "the lower bound") ||
        !same(op, values.of(op.getUpperBound()), got.upper,
              "the upper bound") ||
        !same(op, values.of(op.getStep()), got.step, "the step") ||
        !sameList(op, op.getInitArgs(), got.initial, "a start")) {
      return false;
    }
    mlir::Value counter = op.getInductionVar();
    values.known[counter] =
        pool.node(Kind::Counter, {number}, {}, widthOf(counter.getType()));
    for (auto [i, v] : llvm::enumerate(op.getRegionIterArgs())) {
      if (widthOf(v.getType())) {
        values.set(v, Kind::Carried, {number, int64_t(i)});
      }
    }
    if (!block(*op.getBody(), got.body) ||
        !sameList(op, op.getBody()->getTerminator()->getOperands(),
                  got.handedOn, "a carried value")) {
      return false;
    }
    results(op, number);
    return true;
  }

  bool loop(mlir::scf::WhileOp op, const LoopEvent &got) {
    int64_t number = values.at.regions++;
    if (!got.head) {
      return fail(op, "the bytecode has a loop with a counter");
    }
    if (!sameList(op, op.getInits(), got.initial, "a start")) {
      return false;
    }
    for (auto [i, v] : llvm::enumerate(op.getBeforeArguments())) {
      if (widthOf(v.getType())) {
        values.set(v, Kind::Carried, {number, int64_t(i)});
      }
    }
    mlir::scf::ConditionOp condition = op.getConditionOp();
    if (!block(*op.getBeforeBody(), got.head->events) ||
        !same(condition, values.of(condition.getCondition()),
              got.head->condition, "the condition") ||
        !sameList(condition, condition.getArgs(), got.head->passed,
                  "a value that is passed on")) {
      return false;
    }
    for (auto [v, passed] :
         llvm::zip_equal(op.getAfterArguments(), condition.getArgs())) {
      if (widthOf(v.getType())) {
        values.known[v] = values.of(passed);
      }
    }
    if (!block(*op.getAfterBody(), got.body) ||
        !sameList(op, op.getYieldOp().getOperands(), got.handedOn,
                  "a carried value")) {
      return false;
    }
    results(op, number);
    return true;
  }

  bool branch(mlir::scf::IfOp op, const BranchEvent &got) {
    int64_t number = values.at.regions++;
    if (!same(op, values.of(op.getCondition()), got.condition,
              "the condition")) {
      return false;
    }
    for (auto [i, region] : llvm::enumerate(op->getRegions())) {
      if (region.empty()) {
        if (!none(op, got.body[i])) {
          return false;
        }
        continue;
      }
      if (!block(region.front(), got.body[i]) ||
          !sameList(op, region.front().getTerminator()->getOperands(),
                    got.values[i], "a result")) {
        return false;
      }
    }
    results(op, number);
    return true;
  }

  void results(mlir::Operation *op, int64_t number) {
    for (auto [i, v] : llvm::enumerate(op->getResults())) {
      if (widthOf(v.getType())) {
        values.set(v, Kind::Result, {number, int64_t(i)});
      }
    }
  }

  bool none(mlir::Operation *op, const Events &events) {
    for (const Event &e : events) {
      if (!touchesNothing(e)) {
        return fail(op, "the bytecode touches more than the kernel");
      }
      if (!aside(e)) {
        return false;
      }
    }
    return true;
  }

  bool block(mlir::Block &b, const Events &events) {
    Next at = events.begin(), end = events.end();
    auto outside = bounds.slices;
    for (mlir::Operation &op : b) {
      bool good = true;
      if (mlir::isa<LoadOp, StoreOp, AtomicOp, GatherOp, ScatterOp,
                    AtomicScatterOp>(op)) {
        auto *event = take<AccessEvent>(at, end, &op);
        good = event && access(&op, *event);
      } else if (auto f = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
        auto *event = take<LoopEvent>(at, end, &op);
        good = event && loop(f, *event);
      } else if (auto w = mlir::dyn_cast<mlir::scf::WhileOp>(op)) {
        auto *event = take<LoopEvent>(at, end, &op);
        good = event && loop(w, *event);
      } else if (auto i = mlir::dyn_cast<mlir::scf::IfOp>(op)) {
        auto *event = take<BranchEvent>(at, end, &op);
        good = event && branch(i, *event);
      } else if (auto view = mlir::dyn_cast<ViewOp>(op)) {
        bounds.make(view);
      } else {
        values.evaluate(&op);
      }
      if (!good) {
        return false;
      }
    }
    bool good = none(b.getParentOp(), Events(at, end));
    bounds.slices = std::move(outside);
    return good;
  }

  bool run(const Function &function) {
    std::vector<Expr> passed;
    for (const Parameter &p : parameters) {
      passed.push_back(p.argument ? nullptr : values.contract(p.value));
    }
    auto followed = follow(function, passed, pool);
    if (auto *why = std::get_if<std::string>(&followed)) {
      return fail(*why);
    }
    trace = std::move(std::get<Trace>(followed));
    if (!block(*kernel.getBody(), trace.events)) {
      return false;
    }
    for (const Exact &e : trace.exact) {
      if (!isExact(e)) {
        return fail("nothing says that " + pool.text(e.left) + " " +
                    e.operation + " " + pool.text(e.right) +
                    " does not overflow");
      }
    }
    if (mayBeginEarly || trace.letsNextStart) {
      if (auto access = unwaited(trace.events)) {
        return fail("access " + std::to_string(*access) +
                    " does not wait for the grids before it");
      }
    }
    if (auto pair = unorderedPair(trace.events, accesses)) {
      return fail("accesses " + std::to_string(pair->first) + " and " +
                  std::to_string(pair->second) + " of %" +
                  kernel.getArgName(accesses[pair->second].argument).str() +
                  " have no order");
    }
    return true;
  }
};

} // namespace

std::optional<std::string> mismatch(std::span<const uint8_t> bytecode,
                                    KernelOp kernel,
                                    const std::vector<Entry> &entries,
                                    const std::vector<Parameter> &parameters) {
  auto decoded = read(bytecode);
  if (auto *why = std::get_if<std::string>(&decoded)) {
    return *why;
  }
  const auto &functions = std::get<std::vector<Function>>(decoded);
  if (functions.size() != entries.size()) {
    return "it has " +
           tile::counted(functions.size(), "entry point", "entry points") +
           ", the manifest has " + std::to_string(entries.size());
  }
  for (auto [function, entry] : llvm::zip(functions, entries)) {
    if (function.name != entry.name) {
      return "entry @" + function.name + " stands in the place of @" +
             entry.name;
    }
    Comparison comparison(kernel, entry, parameters);
    if (!comparison.run(function)) {
      return "entry @" + entry.name + ": " + comparison.wrong;
    }
  }
  return std::nullopt;
}

} // namespace girih::readback
