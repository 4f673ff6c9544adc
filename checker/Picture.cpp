// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/Picture.h"

using mlir::Operation;
using mlir::Value;

namespace girih::checker {

namespace {
/// Where a block was on its way through one claim, load or store.
struct Visit {
  Operation *op = nullptr;
  std::vector<int64_t> block, index;
};

/// An access as the picture needs it: the partition and its tile indices.
struct Access {
  tile::PartitionType type;
  mlir::OperandRange indices;
};

class Watch : public exec::Observer {
public:
  explicit Watch(llvm::ArrayRef<Operation *> ops) : ops(ops) {}

  void at(Operation *op, const exec::Instance &instance) override;
  std::vector<Visit> visits;

private:
  llvm::ArrayRef<Operation *> ops;
};
} // namespace

/// The op at which the tile indices of an access stand.
static std::optional<Access> accessOf(Operation *op) {
  Value piece;
  if (auto store = mlir::dyn_cast_if_present<tile::StoreOp>(op)) {
    piece = store.getPiece();
  } else if (auto load = mlir::dyn_cast_if_present<tile::LoadOp>(op)) {
    auto type = mlir::dyn_cast<tile::PartitionType>(load.getSource().getType());
    if (type) {
      return Access{type, load.getIndices()};
    }
    piece = load.getSource();
  } else if (auto atomic = mlir::dyn_cast_if_present<tile::AtomicOp>(op)) {
    return Access{atomic.getPartition().getType(), atomic.getIndices()};
  }
  auto claim = piece ? piece.getDefiningOp<tile::ClaimOp>()
                     : mlir::dyn_cast_if_present<tile::ClaimOp>(op);
  if (!claim) {
    return std::nullopt;
  }
  return Access{mlir::cast<tile::PartitionType>(claim.getPartition().getType()),
                claim.getIndices()};
}

void Watch::at(Operation *op, const exec::Instance &instance) {
  if (!llvm::is_contained(ops, op)) {
    return;
  }
  Visit visit{op, instance.block(), {}};
  for (Value v : accessOf(op)->indices) {
    std::optional<__int128> i = instance.integer(v);
    if (!i) {
      return;
    }
    visit.index.push_back(static_cast<int64_t>(*i));
  }
  visits.push_back(std::move(visit));
}

/// A tile of a view has coordinates that the picture does not.
static bool isThroughView(Operation *op) {
  Value partition;
  if (auto store = mlir::dyn_cast<tile::StoreOp>(op)) {
    partition = store.getPiece();
  } else if (auto load = mlir::dyn_cast<tile::LoadOp>(op)) {
    partition = load.getSource();
  } else if (auto atomic = mlir::dyn_cast<tile::AtomicOp>(op)) {
    partition = atomic.getPartition();
  } else {
    partition = op->getResult(0);
  }
  return tile::partitionOf(partition).getTensor().getDefiningOp() != nullptr;
}

/// What the stores of a kernel write of one tensor.
static llvm::SmallVector<Operation *> storesOf(tile::KernelOp kernel,
                                               Value tensor) {
  llvm::SmallVector<Operation *> out;
  kernel->walk([&](tile::StoreOp store) {
    auto part = tile::partitionOf(store.getPiece());
    if (tile::rootOf(part.getTensor()) == tensor) {
      out.push_back(store);
    }
  });
  return out;
}

static std::vector<int64_t> tileSize(tile::PartitionType type) {
  std::vector<int64_t> out;
  for (int64_t t : type.getTile()) {
    out.push_back(t == 0 ? 1 : t);
  }
  return out;
}

static const char *verbOf(Operation *op) {
  return mlir::isa<tile::ClaimOp>(op)    ? "claims"
         : mlir::isa<tile::StoreOp>(op)  ? "writes"
         : mlir::isa<tile::AtomicOp>(op) ? "combines with"
                                         : "loads";
}

static PictureTile tileOf(const Visit &visit, PictureTile::Role role) {
  PictureTile t;
  t.role = role;
  t.label = "block " + exec::tupleText(visit.block) + " " + verbOf(visit.op) +
            " tile " + exec::tupleText(visit.index);
  t.size = tileSize(accessOf(visit.op)->type);
  for (size_t i = 0; i < t.size.size(); ++i) {
    // Indices are within 64 bits, tiles below 2^20: far ones stay where they
    // can be told from near ones.
    __int128 low = static_cast<__int128>(visit.index[i]) * t.size[i];
    constexpr int64_t far = int64_t(1) << 61;
    t.low.push_back(low > far    ? far
                    : low < -far ? -far
                                 : static_cast<int64_t>(low));
  }
  return t;
}

static bool holds(const PictureTile &t, llvm::ArrayRef<int64_t> element) {
  for (size_t i = 0; i < element.size(); ++i) {
    if (element[i] < t.low[i] || element[i] - t.low[i] >= t.size[i]) {
      return false;
    }
  }
  return true;
}

/// The visit of `op` by `block` that took the element, else the last one: a
/// block ends with its fault.
static std::optional<PictureTile>
find(llvm::ArrayRef<Visit> visits, Operation *op, llvm::ArrayRef<int64_t> block,
     llvm::ArrayRef<int64_t> element, PictureTile::Role role) {
  std::optional<PictureTile> out;
  for (const Visit &v : llvm::reverse(visits)) {
    if (v.op != op || llvm::ArrayRef<int64_t>(v.block) != block) {
      continue;
    }
    PictureTile t = tileOf(v, role);
    if (holds(t, element)) {
      return t;
    }
    if (!out) {
      out = std::move(t);
    }
  }
  return out;
}

/// The one or two axes that show most: where a tile leaves the tensor, where
/// the blocks differ, where there is more than one element.
static std::vector<unsigned> chooseAxes(const Picture &p) {
  auto score = [&](unsigned a) {
    size_t s = (p.tile[a] > 1) + 2 * (p.extents[a] > p.tile[a]);
    for (const PictureTile &t : p.tiles) {
      if (!p.element.empty() &&
          (p.element[a] < t.low[a] || p.element[a] - t.low[a] >= t.size[a])) {
        s += 4;
      }
      if (t.low[a] < 0 || t.low[a] >= p.extents[a]) {
        s += 8;
      }
      if (t.low[a] != p.tiles[0].low[a]) {
        s += 4;
      }
    }
    return s;
  };
  std::vector<unsigned> axes(p.extents.size());
  for (unsigned a = 0; a < axes.size(); ++a) {
    axes[a] = a;
  }
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return std::pair(score(b), a) < std::pair(score(a), b);
  });
  axes.resize(std::min<size_t>(axes.size(), 2));
  llvm::sort(axes);
  return axes;
}

static Picture emptyPicture(tile::KernelOp kernel, const Counterexample &c) {
  Picture p;
  p.tensor = kernel.getArgName(c.fault.tensor).str();
  auto type = mlir::cast<tile::TileTensorType>(
      kernel.getArguments()[c.fault.tensor].getType());
  for (mlir::Attribute d : type.getDims()) {
    auto name = mlir::dyn_cast<mlir::StringAttr>(d);
    p.extentNames.push_back(name ? name.getValue().str() : "");
    p.extents.push_back(
        name ? 0 : mlir::cast<mlir::IntegerAttr>(d).getValue().getSExtValue());
    for (auto &[symbol, value] : c.symbols) {
      if (name && symbol == name.getValue()) {
        p.extents.back() = value;
      }
    }
  }
  p.tile.assign(p.extents.size(), 1);
  if (c.fault.element.size() == p.extents.size()) {
    p.element = c.fault.element;
  }
  return p;
}

static std::vector<Visit> visitsOf(tile::KernelOp kernel,
                                   const Counterexample &c, Width width,
                                   llvm::ArrayRef<Operation *> ops) {
  exec::Options o;
  o.symbols.insert(c.symbols.begin(), c.symbols.end());
  o.contents = c.contents;
  o.blocks = c.blocks;
  o.indexWidth = width.bits;
  o.values = false;
  o.maxSteps = 1 << 18;
  o.maxFaults = 8;
  Watch watch(ops);
  exec::run(kernel, o, &watch);
  return std::move(watch.visits);
}

std::optional<Picture> pictureOf(const tile::KernelFile &file,
                                 const Counterexample &c, Width width) {
  tile::KernelOp kernel = file.kernel;
  const exec::Fault &f = c.fault;
  // Single lanes are no tiles to draw.
  if (f.tensor < 0 || mlir::isa<tile::GatherOp, tile::ScatterOp>(f.op)) {
    return std::nullopt;
  }
  Picture p = emptyPicture(kernel, c);
  if (p.extents.empty()) {
    return std::nullopt;
  }
  bool uncovered = !accessOf(f.op);
  llvm::SmallVector<Operation *> ops;
  if (uncovered) {
    ops = storesOf(kernel, kernel.getArguments()[f.tensor]);
  } else {
    ops.push_back(f.op);
    if (f.otherOp && accessOf(f.otherOp)) {
      ops.push_back(f.otherOp);
    }
  }
  if (llvm::any_of(ops, isThroughView)) {
    return std::nullopt;
  }
  std::vector<Visit> visits = visitsOf(kernel, c, width, ops);
  if (uncovered) {
    p.elementLabel = "no block writes it";
    std::set<std::vector<int64_t>> seen;
    constexpr size_t most = 64;
    for (const Visit &v : visits) {
      PictureTile t = tileOf(v, PictureTile::Role::Written);
      if (p.tiles.size() < most && seen.insert(t.low).second) {
        p.tiles.push_back(std::move(t));
      }
    }
  } else {
    p.elementLabel =
        f.otherBlock.empty() ? "the first element concerned" : "both take it";
    for (auto &[op, block, role] :
         {std::tuple(f.op, &f.block, PictureTile::Role::Blamed),
          std::tuple(f.otherOp, &f.otherBlock, PictureTile::Role::Other)}) {
      if (op && !block->empty()) {
        if (auto t = find(visits, op, *block, p.element, role)) {
          p.tiles.push_back(std::move(*t));
        }
      }
    }
  }
  if (!ops.empty()) {
    p.tile = tileSize(accessOf(ops.front())->type);
  }
  p.axes = chooseAxes(p);
  return p;
}

} // namespace girih::checker
