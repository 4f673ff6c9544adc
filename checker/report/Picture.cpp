// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Picture.h"

using mlir::Operation;
using mlir::Value;

namespace girih::checker {

namespace {
/// A view as a block made it: offsets and steps, factors, the coordinate, or
/// the extent of the inner one of two axes.
struct ViewMade {
  tile::ViewOp op;
  std::vector<int64_t> numbers;
};

/// Where a block was on its way through one claim, load or store.
struct Visit {
  Operation *op = nullptr;
  std::vector<int64_t> block, index;
  std::vector<ViewMade> views; ///< from the tensor to what is tiled
};

/// An access as the picture needs it: the partition and its tile indices.
struct Access {
  Value partition;
  mlir::OperandRange indices;

  tile::PartitionType type() const {
    return mlir::cast<tile::PartitionType>(partition.getType());
  }
};

/// Elements on every axis of a tensor or view.
struct Box {
  std::vector<int64_t> low, size;
};

class Watch : public exec::Observer {
public:
  Watch(llvm::ArrayRef<Operation *> ops, const Counterexample &c)
      : ops(ops), symbols(c.symbols.begin(), c.symbols.end()) {}

  void at(Operation *op, const exec::Instance &instance) override;
  std::vector<Visit> visits;

private:
  llvm::ArrayRef<Operation *> ops;
  std::map<std::string, int64_t> symbols;

  std::optional<int64_t> number(const tile::ViewNumber &n,
                                const exec::Instance &instance) const;
  bool add(tile::ViewOp view, const exec::Instance &instance,
           std::vector<ViewMade> &to) const;
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
      return Access{load.getSource(), load.getIndices()};
    }
    piece = load.getSource();
  } else if (auto atomic = mlir::dyn_cast_if_present<tile::AtomicOp>(op)) {
    return Access{atomic.getPartition(), atomic.getIndices()};
  }
  auto claim = piece ? piece.getDefiningOp<tile::ClaimOp>()
                     : mlir::dyn_cast_if_present<tile::ClaimOp>(op);
  if (!claim) {
    return std::nullopt;
  }
  return Access{claim.getPartition(), claim.getIndices()};
}

std::optional<int64_t> Watch::number(const tile::ViewNumber &n,
                                     const exec::Instance &instance) const {
  if (auto *value = std::get_if<Value>(&n)) {
    std::optional<__int128> i = instance.integer(*value);
    return i ? std::optional(static_cast<int64_t>(*i)) : std::nullopt;
  }
  if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
    auto it = symbols.find(name->str());
    return it == symbols.end() ? std::nullopt : std::optional(it->second);
  }
  return std::get<int64_t>(n);
}

bool Watch::add(tile::ViewOp view, const exec::Instance &instance,
                std::vector<ViewMade> &to) const {
  ViewMade made{view, {}};
  auto numbers = view.getSizes();
  if (view.getKind() == tile::ViewKind::Slice) {
    numbers = view.getOffsets();
    llvm::append_range(numbers, view.getStepNumbers());
  }
  for (const tile::ViewNumber &n : numbers) {
    std::optional<int64_t> i = number(n, instance);
    if (!i) {
      return false;
    }
    made.numbers.push_back(*i);
  }
  if (view.getKind() == tile::ViewKind::Flatten) {
    auto of = instance.view(view.getTensor());
    made.numbers.push_back(of ? of->extents[view.getAxis() + 1] : 0);
  }
  to.push_back(std::move(made));
  return true;
}

void Watch::at(Operation *op, const exec::Instance &instance) {
  if (!llvm::is_contained(ops, op)) {
    return;
  }
  Access access = *accessOf(op);
  Visit visit{op, instance.block(), {}, {}};
  Value tiled = tile::partitionOf(access.partition).getTensor();
  for (tile::ViewOp view : tile::viewsOf(tiled)) {
    if (!add(view, instance, visit.views)) {
      return;
    }
  }
  for (Value v : access.indices) {
    std::optional<__int128> i = instance.integer(v);
    if (!i) {
      return;
    }
    visit.index.push_back(static_cast<int64_t>(*i));
  }
  visits.push_back(std::move(visit));
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

/// Indices are within 64 bits, tiles below 2^20: far ones stay where they can
/// be told from near ones.
static int64_t near(__int128 low) {
  constexpr int64_t far = int64_t(1) << 61;
  return low > far ? far : low < -far ? -far : static_cast<int64_t>(low);
}

/// Stretches along an axis, for the digits that it is unfolded into. All but
/// the first stay below their factor; of a tile of many rows the first ones.
static std::vector<std::pair<int64_t, int64_t>>
folded(const ViewMade &view, const Box &box, unsigned axis) {
  constexpr int64_t most = 64;
  std::vector<std::pair<int64_t, int64_t>> out = {{0, 1}};
  __int128 stride = 1;
  for (size_t j = view.numbers.size(); j-- > 0;) {
    int64_t low = box.low[axis + j], size = box.size[axis + j];
    if (j > 0) {
      size = std::clamp<int64_t>(view.numbers[j] - low, 0, size);
    }
    std::vector<std::pair<int64_t, int64_t>> next;
    if (out.size() == 1 && out[0].first == 0 && out[0].second == stride) {
      next.emplace_back(near(low * stride), near(size * stride));
    } else {
      for (int64_t v = low; v < low + std::min(size, most); ++v) {
        for (auto [from, length] : out) {
          next.emplace_back(near(from + v * stride), length);
        }
      }
    }
    next.resize(std::min<size_t>(next.size(), most));
    out = std::move(next);
    stride = near(stride * view.numbers[j]);
  }
  return out;
}

/// A box of a slice; in steps above 1 its first elements one by one.
static std::vector<Box> sliced(const ViewMade &view, const Box &box) {
  constexpr int64_t most = 64;
  size_t rank = box.low.size();
  std::vector<Box> out = {box};
  for (size_t i = 0; i < rank; ++i) {
    int64_t offset = view.numbers[i], step = view.numbers[rank + i];
    bool isRun = step == 1 || box.size[i] == 1;
    std::vector<Box> next;
    for (const Box &b : out) {
      for (int64_t v = 0; v < (isRun ? 1 : std::min(b.size[i], most)); ++v) {
        Box moved = b;
        moved.low[i] =
            near((static_cast<__int128>(b.low[i]) + v) * step + offset);
        moved.size[i] = isRun ? b.size[i] : 1;
        if (std::ssize(next) < most) {
          next.push_back(std::move(moved));
        }
      }
    }
    out = std::move(next);
  }
  return out;
}

/// A box of two axes made one: the rest of a row, whole rows, and a part of
/// one.
static std::vector<Box> unflattened(const ViewMade &view, const Box &box) {
  tile::ViewOp op = view.op;
  unsigned axis = op.getAxis();
  int64_t inner = view.numbers[0];
  if (inner < 1) {
    return {};
  }
  std::vector<Box> out;
  __int128 low = box.low[axis], high = low + box.size[axis];
  auto rows = [&](int64_t first, int64_t count, int64_t from, int64_t length) {
    Box b = box;
    b.low[axis] = from;
    b.size[axis] = length;
    b.low.insert(b.low.begin() + axis, first);
    b.size.insert(b.size.begin() + axis, count);
    out.push_back(std::move(b));
  };
  for (int part = 0; part < 3 && low < high; ++part) {
    int64_t row = near(low / inner), from = near(low % inner);
    __int128 whole = (high - low) / inner;
    if (from == 0 && whole > 0) {
      rows(row, near(whole), 0, inner);
      low += whole * inner;
    } else {
      int64_t length = near(std::min<__int128>(inner - from, high - low));
      rows(row, 1, from, length);
      low += length;
    }
  }
  return out;
}

/// From coordinates of a view to those of what it is a view of.
static std::vector<Box> outwards(const ViewMade &view, Box box) {
  tile::ViewOp op = view.op;
  switch (op.getKind()) {
  case tile::ViewKind::Slice:
    return sliced(view, box);
  case tile::ViewKind::Permute: {
    Box out = box;
    for (auto [k, axis] : llvm::enumerate(op.getPermutation())) {
      out.low[axis] = box.low[k];
      out.size[axis] = box.size[k];
    }
    return {out};
  }
  case tile::ViewKind::Fix:
    box.low.insert(box.low.begin() + op.getAxis(), view.numbers[0]);
    box.size.insert(box.size.begin() + op.getAxis(), 1);
    return {box};
  case tile::ViewKind::Flatten:
    return unflattened(view, box);
  case tile::ViewKind::Unfold:
    break;
  }
  unsigned axis = op.getAxis();
  std::vector<Box> out;
  for (auto [low, size] : folded(view, box, axis)) {
    Box b = box;
    for (auto *list : {&b.low, &b.size}) {
      list->erase(list->begin() + axis + 1,
                  list->begin() + axis + view.numbers.size());
    }
    b.low[axis] = low;
    b.size[axis] = size;
    out.push_back(std::move(b));
  }
  return out;
}

/// What a visit touches of the tensor: a tile, or through a view the parts that
/// its elements lie in.
static std::vector<PictureTile> tilesOf(const Visit &visit,
                                        PictureTile::Role role) {
  Box tile{{}, tileSize(accessOf(visit.op)->type())};
  for (size_t i = 0; i < tile.size.size(); ++i) {
    tile.low.push_back(
        near(static_cast<__int128>(visit.index[i]) * tile.size[i]));
  }
  std::vector<Box> boxes = {tile};
  for (const ViewMade &view : llvm::reverse(visit.views)) {
    std::vector<Box> next;
    for (const Box &box : boxes) {
      llvm::append_range(next, outwards(view, box));
    }
    boxes = std::move(next);
  }
  std::vector<PictureTile> out;
  for (Box &box : boxes) {
    PictureTile t;
    t.role = role;
    t.label = "block " + exec::tupleText(visit.block) + " " + verbOf(visit.op) +
              " tile " + exec::tupleText(visit.index) +
              (visit.views.empty() ? "" : " of its view");
    t.low = std::move(box.low);
    t.size = std::move(box.size);
    out.push_back(std::move(t));
  }
  return out;
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
static std::vector<PictureTile>
find(llvm::ArrayRef<Visit> visits, Operation *op, llvm::ArrayRef<int64_t> block,
     llvm::ArrayRef<int64_t> element, PictureTile::Role role) {
  std::vector<PictureTile> out;
  for (const Visit &v : llvm::reverse(visits)) {
    if (v.op != op || llvm::ArrayRef<int64_t>(v.block) != block) {
      continue;
    }
    std::vector<PictureTile> tiles = tilesOf(v, role);
    if (llvm::any_of(tiles, [&](auto &t) { return holds(t, element); })) {
      return tiles;
    }
    if (out.empty()) {
      out = std::move(tiles);
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
  Watch watch(ops, c);
  exec::run(kernel, o, &watch);
  return std::move(watch.visits);
}

std::optional<Picture> pictureOf(const tile::KernelFile &file,
                                 const Counterexample &c, Width width) {
  tile::KernelOp kernel = file.kernel;
  const exec::Fault &f = c.fault;
  // Single lanes are no tiles to draw.
  if (f.tensor < 0 ||
      mlir::isa<tile::GatherOp, tile::ScatterOp, tile::AtomicScatterOp>(f.op)) {
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
  std::vector<Visit> visits = visitsOf(kernel, c, width, ops);
  if (uncovered) {
    p.elementLabel = "no block writes it";
    std::set<std::vector<int64_t>> seen;
    constexpr size_t most = 64;
    for (const Visit &v : visits) {
      for (PictureTile &t : tilesOf(v, PictureTile::Role::Written)) {
        if (p.tiles.size() < most && seen.insert(t.low).second) {
          p.tiles.push_back(std::move(t));
        }
      }
    }
  } else {
    p.elementLabel =
        f.otherBlock.empty() ? "the first element concerned" : "both take it";
    for (auto &[op, block, role] :
         {std::tuple(f.op, &f.block, PictureTile::Role::Blamed),
          std::tuple(f.otherOp, &f.otherBlock, PictureTile::Role::Other)}) {
      if (op && !block->empty()) {
        llvm::append_range(p.tiles, find(visits, op, *block, p.element, role));
      }
    }
  }
  // The tiles of a view are no grid on the tensor: it is drawn by elements.
  p.throughView = llvm::any_of(ops, [](Operation *op) {
    Value of = accessOf(op)->partition;
    return !tile::viewsOf(tile::partitionOf(of).getTensor()).empty();
  });
  if (!ops.empty() && !p.throughView) {
    p.tile = tileSize(accessOf(ops.front())->type());
  }
  p.axes = chooseAxes(p);
  return p;
}

} // namespace girih::checker
