// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Steering.h"

#include "ir/ops/Views.h"
#include "spec/executor/launch/Launch.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::proofs;
using girih::tile::GivenKind;
using mlir::Operation;
using mlir::Value;

namespace girih::checker {

/// Larger tensors keep their seed, and of constants and extents there are
/// seldom more.
static constexpr int64_t maxElements = 512;
static constexpr size_t maxConstants = 32, maxAdded = 6;

namespace {
/// What decides where a block goes, followed back to the tensors it was read
/// from.
struct Slice {
  llvm::SetVector<Value> values;
  llvm::SetVector<unsigned> tensors;
  std::map<unsigned, std::vector<Value>> stored; ///< by tensor

  void add(mlir::ValueRange range) {
    for (Value v : range) {
      if (v && mlir::isa<mlir::IntegerType, mlir::IndexType, mlir::VectorType>(
                   v.getType())) {
        values.insert(v);
      }
    }
  }

  void read(Value tensor) {
    unsigned number = tile::rootOf(tensor).getArgNumber();
    if (tensors.insert(number)) {
      add(stored[number]);
    }
  }

  /// What an op of the kernel demands of where it goes.
  void seed(Operation *op);
  void follow(Value v);
};
} // namespace

static Value tensorOf(Value partitionOrPiece) {
  return tile::partitionOf(partitionOrPiece).getTensor();
}

void Slice::seed(Operation *op) {
  using namespace mlir::arith;
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::ClaimOp, tile::LoadOp>([&](auto o) { add(o.getIndices()); })
      .Case<tile::GatherOp, tile::AtomicScatterOp>([&](auto o) {
        add(o.getIndices());
        add(o.getMask());
      })
      .Case([&](tile::ScatterOp o) {
        add(o.getIndices());
        add(o.getMask());
        stored[tile::rootOf(o.getTensor()).getArgNumber()].push_back(
            o.getValue());
      })
      .Case([&](tile::StoreOp o) {
        stored[tile::rootOf(tensorOf(o.getPiece())).getArgNumber()].push_back(
            o.getValue());
      })
      .Case([&](tile::AtomicOp o) { add(o.getIndices()); })
      .Case<tile::ViewOp, tile::ProveOp, tile::TrustOp, tile::InvariantOp,
            tile::MeasureOp, DivSIOp, CeilDivSIOp, RemSIOp>(
          [&](Operation *o) { add(o->getOperands()); })
      .Case([&](mlir::scf::ForOp o) {
        add(o.getLowerBound());
        add(o.getUpperBound());
        add(o.getStep());
      })
      .Case<mlir::scf::IfOp, mlir::scf::ConditionOp>(
          [&](auto o) { add(o.getCondition()); });
}

void Slice::follow(Value v) {
  if (auto arg = mlir::dyn_cast<mlir::BlockArgument>(v)) {
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg != loop.getInductionVar()) {
      add(loop.getTiedLoopInit(arg)->get());
      add(loop.getTiedLoopYieldedValue(arg)->get());
    }
    auto other =
        mlir::dyn_cast<mlir::scf::WhileOp>(arg.getOwner()->getParentOp());
    unsigned place = arg.getArgNumber();
    if (other && arg.getOwner() == other.getBeforeBody()) {
      add(other.getInits()[place]);
      add(other.getYieldOp().getOperand(place));
    } else if (other) {
      add(other.getConditionOp().getArgs()[place]);
    }
    return;
  }
  Operation *op = v.getDefiningOp();
  unsigned number = mlir::cast<mlir::OpResult>(v).getResultNumber();
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::LoadOp o) { read(tensorOf(o.getSource())); })
      .Case([&](tile::GatherOp o) { read(o.getTensor()); })
      .Case([&](mlir::scf::ForOp o) {
        add(o.getInitArgs()[number]);
        add(o.getYieldedValues()[number]);
      })
      .Case([&](mlir::scf::WhileOp o) {
        add(o.getConditionOp().getArgs()[number]);
      })
      .Case([&](mlir::scf::IfOp o) {
        add(o.thenYield().getOperand(number));
        add(o.elseYield().getOperand(number));
      })
      .Default([&](Operation *) { add(op->getOperands()); });
}

std::vector<unsigned> steeringTensors(tile::KernelOp kernel) {
  Slice slice;
  kernel.getBody()->walk([&](Operation *op) { slice.seed(op); });
  for (size_t i = 0; i < slice.values.size(); ++i) {
    slice.follow(slice.values[i]);
  }
  std::vector<unsigned> out;
  for (unsigned t : slice.tensors) {
    auto type = mlir::cast<tile::TileTensorType>(
        kernel.getBody()->getArgument(t).getType());
    if (type.getElementType().isInteger() &&
        type.getMode() != tile::Mode::Out) {
      out.push_back(t);
    }
  }
  llvm::sort(out);
  return out;
}

SteeringContents::SteeringContents(tile::KernelOp kernel, Width width)
    : kernel(kernel), width(width), tensors(steeringTensors(kernel)) {
  std::set<int64_t> found;
  kernel.getBody()->walk([&](mlir::arith::ConstantOp c) {
    if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(c.getValue())) {
      found.insert(number.getValue().getSExtValue());
    } else if (auto dense =
                   mlir::dyn_cast<mlir::DenseIntElementsAttr>(c.getValue());
               dense && dense.isSplat()) {
      found.insert(dense.getSplatValue<llvm::APInt>().getSExtValue());
    }
  });
  constants.assign(found.begin(), found.end());
  // Small ones first: they are what is added.
  auto rank = [](int64_t c) { return std::pair(c < 0 ? -Int(c) : Int(c), c); };
  llvm::sort(constants,
             [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
  constants.resize(std::min(constants.size(), maxConstants));
}

namespace {
/// What all that is given of a tensor comes to.
struct Range {
  Int low = 0, high = 0; ///< low <= value <= high
  bool sorted = false, distinct = false;
  std::optional<Int> last; ///< of splits
};
} // namespace

static Range rangeOf(const exec::AdmittedLaunch &launch, unsigned tensor,
                     exec::Kind kind) {
  Range r;
  r.high = kind == exec::Kind::I1
               ? Int(1)
               : (Int(1) << (exec::integerBits(kind) - 1)) - 1;
  r.low = kind == exec::Kind::I1 ? Int(0) : -r.high - 1;
  auto narrow = [&](Int low, Int high) {
    r.low = std::max(r.low, low);
    r.high = std::min(r.high, high);
  };
  for (const exec::Precondition &g : launch.givens) {
    if (g.tensor != tensor) {
      continue;
    }
    switch (g.kind) {
    case GivenKind::Within:
      narrow(g.low, Int(g.high) - 1);
      break;
    case GivenKind::Splits:
      narrow(0, g.high);
      r.last = g.high;
      r.sorted = true;
      break;
    case GivenKind::Sorted:
      r.sorted = true;
      break;
    case GivenKind::Distinct:
      r.distinct = true;
      break;
    }
  }
  return r;
}

namespace {
/// Numbers to choose from, those that a model speaks of first.
struct Pool {
  std::vector<Int> numbers;
  size_t hints = 0;
};
} // namespace

/// Numbers at which something may change, as far as the range has them.
static Pool poolOf(const Range &r, const exec::AdmittedLaunch &launch,
                   llvm::ArrayRef<int64_t> hints,
                   llvm::ArrayRef<int64_t> constants) {
  Pool pool;
  auto add = [&](Int x) {
    if (x >= r.low && x <= r.high && !llvm::is_contained(pool.numbers, x)) {
      pool.numbers.push_back(x);
    }
  };
  llvm::for_each(hints, add);
  pool.hints = pool.numbers.size();
  for (Int x : {r.low, r.high, Int(0), Int(-1), Int(1)}) {
    add(x);
  }
  // What is asked of a number may be asked when something was added to it.
  for (int64_t h : hints) {
    for (int64_t c : constants.take_front(maxAdded)) {
      add(Int(h) + c);
      add(Int(h) - c);
    }
  }
  for (const std::optional<exec::Layout> &layout : launch.tensors) {
    if (layout) {
      for (int64_t extent : layout->extents) {
        add(extent);
        add(Int(extent) - 1);
      }
    }
  }
  for (int64_t c : constants) {
    for (Int x : {Int(c), -Int(c)}) {
      add(x);
      add(x - 1);
      add(x + 1);
    }
  }
  return pool;
}

/// Some number for each place in memory: on even turns one of the pool for all,
/// the next one at the next turn; else at random, from hints mostly.
static std::vector<Int> drawn(const Range &r, const Pool &pool, size_t count,
                              uint64_t turn, uint64_t seed) {
  std::vector<Int> out;
  std::set<Int> taken;
  Int free = turn % 4 < 2 ? r.low : r.high;
  for (size_t i = 0; i < count; ++i) {
    uint64_t random = exec::mix(seed ^ i);
    size_t size = pool.hints && random % 4 ? pool.hints : pool.numbers.size();
    size_t at =
        turn % 2 == 0 ? turn / 2 % pool.numbers.size() : (random >> 8) % size;
    Int x = pool.numbers[at];
    if (r.distinct && !taken.insert(x).second) {
      while (taken.count(free)) {
        free += turn % 4 < 2 ? 1 : -1;
      }
      x = free;
      taken.insert(x);
    }
    out.push_back(x);
  }
  if (r.sorted) {
    std::sort(out.begin(), out.end());
  }
  if (r.last && count > 0) {
    out.front() = 0;
    out.back() = *r.last;
  }
  return out;
}

Contents SteeringContents::next(const CandidateLaunch &launch,
                                llvm::ArrayRef<int64_t> hints) {
  uint64_t now = turn++;
  exec::LaunchCheck check = exec::checkLaunch(
      kernel, {launch.symbols.begin(), launch.symbols.end()}, width.bits);
  Contents out;
  for (unsigned tensor : tensors) {
    if (!check.launch) {
      break;
    }
    const exec::Layout &layout = *check.launch->tensors[tensor];
    std::vector<int64_t> places = placesOf(layout, maxElements);
    Range range = rangeOf(*check.launch, tensor, layout.kind);
    if (places.empty() || range.low > range.high) {
      continue; // no elements, too many, or none that keep what is given
    }
    size_t count = 1 + *llvm::max_element(places);
    if (range.distinct && range.high - range.low + 1 < Int(count)) {
      continue;
    }
    std::vector<Int> numbers =
        drawn(range, poolOf(range, *check.launch, hints, constants), count, now,
              exec::mix(now << 16 ^ tensor));
    std::vector<int64_t> &list = out[kernel.getArgName(tensor).str()];
    for (int64_t place : places) {
      list.push_back(static_cast<int64_t>(numbers[place]));
    }
  }
  return out;
}

} // namespace girih::checker
