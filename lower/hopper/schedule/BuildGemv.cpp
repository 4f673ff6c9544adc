// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp's items are the copies that it makes: of each of its block's tiles, in
// order, the chunks of its slice of its row. All warps of a block have the same
// number of items, so that all come to the block barriers: chunks behind the
// end of a row, and of rows behind the last, are copies of 0 bytes.

#include "lower/hopper/schedule/Elementwise.h"
#include "lower/hopper/schedule/Gemv.h"
#include "lower/hopper/schedule/Int4.h"
#include "lower/hopper/schedule/Values.h"
#include "lower/tileir/Lower.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;

namespace girih::hopper {
namespace {

constexpr int64_t warps = gemvWarps, threads = warps * lanes;
/// Two blocks of an engine share a multiprocessor, with registers for both.
constexpr int64_t registers = 128;
/// Elements of bf16 that a lane loads at a time.
constexpr int64_t vectorElements = 8;

class Builder {
public:
  Builder(OpBuilder &builder, tile::KernelOp source, const Gemv &gemv)
      : b(source.getLoc(), builder), source(source), gemv(gemv),
        slices(gemv.slices()), groupTiles(threads / gemv.warpRows()),
        slotVectors(gemv.slotBytes / vectorBytes),
        planes(gemv.weightBytes == 1 ? 2 : 1) {}

  KernelOp build() {
    auto kernel = KernelOp::create(b, source.getSymName(), warps, registers);
    inRegion(b, kernel.getBody(), [&] {
      addArguments(kernel.getBody().front());
      buildBody();
      ReturnOp::create(b);
    });
    return kernel;
  }

private:
  Int number(int64_t n) {
    return {&b, arith::ConstantOp::create(b, b.getI64IntegerAttr(n))};
  }
  Int number32(int64_t n) {
    return {&b, arith::ConstantOp::create(b, b.getI32IntegerAttr(n))};
  }
  Value zero() { return arith::ConstantOp::create(b, b.getF32FloatAttr(0.0)); }
  VectorType words() { return VectorType::get({4}, b.getI32Type()); }

  void addArguments(Block &block) {
    for (const tileir::Parameter &p : tileir::parametersOf(source)) {
      if (p.kind == tileir::Parameter::Kind::Integer) {
        Int v{&b, block.addArgument(b.getI64Type(), b.getLoc())};
        StringAttr name = p.value.getSymbol();
        (name == gemv.n ? n : name == gemv.k ? k : p_) = v;
        continue;
      }
      Type type = b.getF32Type();
      if (p.kind == tileir::Parameter::Kind::Pointer) {
        // What x is multiplied with is known before the kernels before are
        // done.
        bool isEarly = p.argument == gemv.w || p.argument == gemv.gain ||
                       p.argument == gemv.scale;
        Access access = isEarly                ? Access::Early
                        : p.argument == gemv.y ? Access::Write
                                               : Access::Read;
        type = GlobalType::get(b.getContext(), access);
      }
      values[source.getArguments()[p.argument]] =
          block.addArgument(type, b.getLoc());
    }
    w = argument(gemv.w), x = argument(gemv.x), y = argument(gemv.y);
  }

  Value argument(unsigned number) {
    return values.at(source.getArguments()[number]);
  }

  /// Compares with 1 are left as they are, not turned into some of K.
  Int keep(Int v) { return {&b, KeepOp::create(b, v.v.getType(), v)}; }

  /// What does not change from item to item.
  void buildPlace() {
    block = {&b, BlockIdOp::create(b, b.getI64Type())};
    warp = {&b, WarpIdOp::create(b, b.getI64Type())};
    lane = {&b, LaneIdOp::create(b, b.getI64Type())};
    thread = warp * lanes + lane;
    slice = warp % slices;
    row = warp / slices % gemv.rows;
    matrix = warp / slices / gemv.rows;
    Int steps = k / gemv.depthStep;
    Int perSlice = (steps + (slices - 1)) / slices;
    begin = slice * perSlice;
    end = min(begin + perSlice, steps);
    vectors = steps;
    if (int64_t ofStep = gemv.stepVectors(); ofStep != 1) {
      beginGroup = begin, endGroup = end;
      perSlice = perSlice * ofStep, vectors = steps * ofStep;
      begin = begin * ofStep, end = end * ofStep;
    }
    // A row without elements has one chunk of none, so that its 0 is stored. Of
    // 4 bits a slice is one chunk.
    chunks = gemv.isInt4()
                 ? number(1)
                 : keep(max((perSlice + (slotVectors - 1)) / slotVectors,
                            number(1)));
    Int tiles = (n + (gemv.rows - 1)) / gemv.rows;
    mine =
        select(block < tiles, (tiles - block + p_ - number(1)) / p_, number(0));
    items = gemv.isInt4() ? mine : mine * chunks;
  }

  /// The vectors of a chunk of the slice: where they begin, and how many.
  std::pair<Int, Int> chunk(Int c) {
    Int first = begin + c * slotVectors;
    return {first, max(min(end - first, number(slotVectors)), number(0))};
  }

  /// The warp's row of a tile, and where that stands among those of all
  /// matrices.
  Int rowOfWarp(Int tile) { return (block + tile * p_) * gemv.rows + row; }
  Int inMatrices(Int row) {
    return gemv.matrices == 1 ? row : matrix * n + row;
  }

  void fill(Int slot, Int tile, Int c) {
    Int at = rowOfWarp(tile);
    auto [first, count] = chunk(c);
    Int some = select(at < n, count, number(0));
    Int offset = inMatrices(at) * (k * gemv.weightBytes) + first * vectorBytes;
    FillOp::create(b, ring, slot, w, offset, (some * vectorBytes).to32());
  }

  /// Tile and chunk of the item behind these.
  std::pair<Int, Int> following(Int tile, Int c) {
    Int next = c + 1;
    Value wraps = next == chunks;
    return {select(wraps, tile + 1, tile), select(wraps, number(0), next)};
  }

  //===-- Rows of groups --------------------------------------------------===//

  /// The warp's row of a tile, and how many groups stand before it in memory.
  struct GroupRow {
    Int at, groups;
  };
  GroupRow groupRowOf(Int tile) {
    Int at = rowOfWarp(tile);
    return {at, inMatrices(at) * k};
  }
  /// Its row of the tile that is so many of the block's behind: what is added
  /// does not change in the loop, so that this takes no products there.
  GroupRow behind(GroupRow row, int64_t tiles) {
    Int rows = p_ * (gemv.rows * tiles);
    return {row.at + rows, row.groups + rows * k};
  }

  void fill(Int slot, GroupRow row) {
    Int count = max(endGroup - beginGroup, number(0));
    Int some = select(row.at < n, count, number(0));
    FillOp::create(b, ring, slot, w, (row.groups + beginGroup) * groupBytes,
                   (some * groupBytes).to32());
  }

  /// Vectors of a slot that a lane reads.
  int64_t laneVectors() const { return slotVectors / lanes; }

  static constexpr int64_t scaleBytes = 2,
                           groupLanes = groupBytes / vectorBytes,
                           warpGroups = lanes / groupLanes;

  /// Scales of the groups whose sums the lane will have: 0 where it has none.
  SmallVector<Value> loadScales(GroupRow row) {
    auto type = VectorType::get({1}, b.getBF16Type());
    Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
    Value isSum = lane % groupLanes == lane / (2 * groupLanes);
    Int group = beginGroup + lane / groupLanes;
    Int first = (row.groups + group) * scaleBytes;
    SmallVector<Value> out;
    for (int64_t v = 0; v < laneVectors(); ++v) {
      Value isMine =
          arith::AndIOp::create(b, isSum, group + v * warpGroups < endGroup);
      Value some = MaskedLoadOp::create(
          b, type, argument(*gemv.scale), first + v * warpGroups * scaleBytes,
          arith::AndIOp::create(b, isMine, row.at < n), none);
      out.push_back(vector::ExtractOp::create(b, some, 0));
    }
    return out;
  }

  /// They are loaded an item ahead, and brought to the L2 cache as early as the
  /// item's copy is started: behind it a load would wait for it.
  void prefetchScales(GroupRow row) {
    for (int64_t g = 0; g < slotVectors / groupLanes; g += lanes) {
      Int group = beginGroup + (lane + g);
      PrefetchOp::create(
          b, argument(*gemv.scale), (row.groups + group) * scaleBytes,
          arith::AndIOp::create(b, group < endGroup, row.at < n));
    }
  }

  /// The first copies; what they depend on is known before the dependency wait.
  void fillRing() {
    auto before = BeforeDependencyOp::create(b);
    inRegion(b, before.getBody(), [&] {
      loadGain();
      if (gemv.isInt4()) {
        loop(b, number(0), number(gemv.slots), number(1), {},
             [&](Int d, ValueRange) {
               ifThen(b, d < items, [&] {
                 GroupRow row = groupRowOf(d);
                 prefetchScales(row);
                 fill(d.to32(), row);
               });
               return SmallVector<Value>{};
             });
        return;
      }
      loop(b, number(0), number(gemv.slots), number(1), {number(0), number(0)},
           [&](Int d, ValueRange now) {
             Int tile{&b, now[0]}, c{&b, now[1]};
             ifThen(b, d < items, [&] { fill(d.to32(), tile, c); });
             auto [t, next] = following(tile, c);
             return SmallVector<Value>{t, next};
           });
    });
  }

  /// Vectors of x that a thread takes.
  int64_t xVectors() const {
    return llvm::divideCeil(gemv.maxK * gemv.columns(),
                            vectorElements * threads);
  }

  /// A thread's vectors of x, or of what it is multiplied with, each with its
  /// place in shared memory: all on their way before the first is used. Behind
  /// the end they are 0.
  SmallVector<std::pair<Int, Value>> loadedByThread(Value from) {
    SmallVector<std::pair<Int, Value>> out;
    Value none = arith::ConstantOp::create(b, b.getZeroAttr(words()));
    Int ofX = gemv.isInt4() ? k * (groupColumns / vectorElements)
              : planes == 1 ? vectors
                            : k / vectorElements;
    for (int64_t i = 0; i < xVectors(); ++i) {
      Int v = i == 0 ? thread : thread + i * threads;
      Int at = v * vectorBytes;
      Value loaded = MaskedLoadOp::create(b, words(), from, at, v < ofX, none);
      if (planes != 1) {
        // Of one plane each, as the number of threads is a multiple of planes.
        Int inPlane = thread / planes * vectorBytes;
        at = thread % planes * planeBytes() +
             (i == 0 ? inPlane : inPlane + i * threads / planes * vectorBytes);
      }
      out.push_back({at, loaded});
    }
    return out;
  }

  /// Of each plane.
  int64_t planeBytes() const {
    int64_t all = xVectors() * threads / planes * vectorBytes;
    int64_t steps = llvm::divideCeil(gemv.maxK, gemv.depthStep) + slices;
    // Vectors of x for each of w in a plane.
    int64_t each = gemv.isInt4() ? 4 : 1;
    int64_t read =
        (steps * gemv.stepVectors() + slotVectors) * each * vectorBytes;
    return std::max(all, read);
  }

  void makeX() {
    xs = SharedOp::create(
        b, SharedType::get(b.getContext(), planes * planeBytes()));
    if (gemv.squares) {
      squares = SharedOp::create(b, SharedType::get(b.getContext(), warps * 4));
    }
  }

  /// To where x will stand: what is loaded behind full rings waits for them.
  void loadGain() {
    if (!gemv.gain) {
      return;
    }
    for (auto [at, some] : loadedByThread(argument(*gemv.gain))) {
      SharedStoreOp::create(b, some, xs, at);
    }
  }

  void loadX() {
    SmallVector<Value> sum;
    if (gemv.squares) {
      sum.push_back(zero());
    }
    for (auto [at, some] : loadedByThread(x)) {
      if (gemv.gain || gemv.squares) {
        some = normed(some, at, sum);
      }
      SharedStoreOp::create(b, gemv.isInt4() ? interleaved(b, some) : some, xs,
                            at);
    }
    if (gemv.squares) {
      Value ofWarp = WarpSumOp::create(b, b.getF32Type(), sum[0]);
      ifThen(b, lane == number(0),
             [&] { SharedStoreOp::create(b, ofWarp, squares, warp * 4); });
    }
    BlockBarrierOp::create(b);
    if (gemv.squares) {
      values[gemv.squares] = addedShared(squares, number(0), warps);
    }
  }

  /// A vector of x times its gain, which stands where it will; squares are
  /// added to `sum`, if there is one.
  Value normed(Value ofX, Int at, SmallVector<Value> &sum) {
    auto halves = VectorType::get({vectorElements}, narrow());
    auto wide = VectorType::get({vectorElements}, b.getF32Type());
    auto widened = [&](Value some) -> Value {
      Value elements = vector::BitCastOp::create(b, halves, some);
      return arith::ExtFOp::create(b, wide, elements);
    };
    Value v = widened(ofX);
    if (!sum.empty()) {
      for (int64_t i = 0; i < vectorElements; ++i) {
        Value one = vector::ExtractOp::create(b, v, i);
        sum[0] = math::FmaOp::create(b, one, one, sum[0]);
      }
    }
    if (!gemv.gain) {
      return ofX;
    }
    Value gains = widened(SharedLoadOp::create(b, words(), xs, at));
    Value rounded = arith::TruncFOp::create(
        b, halves, arith::MulFOp::create(b, v, gains).getResult());
    return vector::BitCastOp::create(b, words(), rounded);
  }

  /// The sum of `count` numbers of f32 that stand side by side.
  Value addedShared(Value memory, Int first, int64_t count) {
    Value sum = zero();
    for (int64_t s = 0; s < count; ++s) {
      Value part =
          SharedLoadOp::create(b, b.getF32Type(), memory, (first + s) * 4);
      sum = arith::AddFOp::create(b, sum, part);
    }
    return sum;
  }

  Value word(Value vector, int64_t at) {
    return vector::ExtractOp::create(b, vector, at);
  }
  /// The element of bf16 in the low or the high half of a word, as f32.
  Value half(Value word, bool isHigh) {
    Int bits{&b, word};
    Value wide = isHigh ? bits.with<arith::AndIOp>(number32(0xffff0000))
                        : bits.with<arith::ShLIOp>(number32(16));
    return arith::BitcastOp::create(b, b.getF32Type(), wide);
  }

  Type narrow() { return gemv.isF16 ? Type(b.getF16Type()) : b.getBF16Type(); }
  /// The numbers of a vector, as f32: of bf16 one by one, so it stays as it is.
  Value widened(Value vector, Type from) {
    if (from.isBF16()) {
      return vector;
    }
    int64_t count = 8 * vectorBytes / from.getIntOrFloatBitWidth();
    Value elements =
        vector::BitCastOp::create(b, VectorType::get({count}, from), vector);
    return arith::ExtFOp::create(b, VectorType::get({count}, b.getF32Type()),
                                 elements);
  }
  Value element(Value widened, Type from, int64_t i) {
    return from.isBF16() ? half(word(widened, i / 2), i % 2 != 0)
                         : word(widened, i);
  }

  /// A lane's part of the product of a slot with x: 0 for vectors behind the
  /// end of the chunk, where a slot holds what was there before.
  Value dot(Value token, Int first, Int count) {
    Value sum = zero();
    Int begins = first * vectorBytes;
    for (int64_t v = 0; v < slotVectors / lanes; ++v) {
      Int at = lane + v * lanes;
      Int offset = at * vectorBytes;
      Value ws = ReadOp::create(b, words(), token, offset);
      Type ofX = narrow();
      Type ofW = gemv.weightBytes == 2 ? ofX : b.getType<Float8E4M3FNType>();
      SmallVector<Value> xv;
      for (int64_t plane = 0; plane < planes; ++plane) {
        Int place = begins + (offset + plane * planeBytes());
        xv.push_back(widened(SharedLoadOp::create(b, words(), xs, place), ofX));
      }
      Value numbers = widened(ws, ofW);
      Value sums[] = {zero(), zero()}; // of even elements and of odd ones
      for (int64_t i = 0; i < vectorElements * planes; ++i) {
        Value a = element(numbers, ofW, i);
        Value c = element(xv[i / vectorElements], ofX, i % vectorElements);
        sums[i % 2] = math::FmaOp::create(b, a, c, sums[i % 2]);
      }
      Value both = arith::AddFOp::create(b, sums[0], sums[1]);
      Value inside = at < count;
      Value some = arith::SelectOp::create(b, inside, both, zero());
      sum = arith::AddFOp::create(b, sum, some);
    }
    return sum;
  }

  //===-- Products of 4 bits ----------------------------------------------===//

  /// The words of x that go with vector v of a lane: two vectors of each half
  /// of its group. Behind the end, where shared memory may have anything, they
  /// are 0.
  SmallVector<Value> xOfVector(int64_t v) {
    constexpr int64_t ofHalf = 8, ofGroup = 2 * ofHalf;
    Int group = beginGroup + (lane / 4 + v * (lanes / 4));
    Value inside = group < endGroup;
    Int first = group * ofGroup + lane % 4 * 2;
    SmallVector<Value> out;
    for (int64_t at : {int64_t(0), int64_t(1), ofHalf, ofHalf + 1}) {
      Value some =
          SharedLoadOp::create(b, words(), xs, (first + at) * vectorBytes);
      for (int64_t i = 0; i < 4; ++i) {
        out.push_back(
            arith::SelectOp::create(b, inside, word(some, i), number32(0)));
      }
    }
    return out;
  }

  /// As a slice is one copy, a lane needs the same of x each time: it stays in
  /// registers where two blocks of a multiprocessor have as many.
  void keepX() {
    const int64_t kept = laneVectors() > 3 ? 0 : laneVectors();
    for (int64_t v = 0; v < kept; ++v) {
      xOfLane.push_back(xOfVector(v));
    }
  }

  /// A lane's part of the product of a slot with x.
  Value dotOfGroups(Value token, ValueRange scales) {
    Value sum = zero();
    for (int64_t v = 0; v < laneVectors(); ++v) {
      Value ws =
          ReadOp::create(b, words(), token, (lane + v * lanes) * vectorBytes);
      SmallVector<Value> of =
          size_t(v) < xOfLane.size() ? xOfLane[size_t(v)] : xOfVector(v);
      GroupProducts products(b);
      for (int64_t i = 0; i < 4; ++i) {
        products.add(unpacked(b, word(ws, i)), of, i);
      }
      Value scale = arith::ExtFOp::create(b, b.getF32Type(), scales[size_t(v)]);
      sum = math::FmaOp::create(b, products.ofGroup(lane), scale, sum);
    }
    return sum;
  }

  /// Tiles of this block before the group of a tile, and in it before it.
  Int groupOf(Int tile) { return tile / groupTiles * groupTiles; }
  Int inGroup(Int tile) { return tile % groupTiles; }

  /// The thread's row of a group of tiles from `base` on, and whether it has
  /// one, of those before tile `end`.
  std::pair<Int, Value> rowOf(Int base, Int end) {
    Int tile = base + thread / gemv.warpRows();
    Int place = thread % gemv.warpRows();
    Int at = (block + tile * p_) * gemv.rows + place;
    Value isThere = arith::AndIOp::create(b, tile < end, at < n);
    if (gemv.matrices != 1) {
      isThere = arith::AndIOp::create(b, isThere, place < number(gemv.rows));
    }
    return {at, isThere};
  }

  /// What goes with the rows of the first group, before its products: a load
  /// behind them would wait for the copies of all blocks.
  void loadRows() {
    SmallVector<tile::LoadOp> loads = loadsByRow(gemv.stored);
    if (loads.empty()) {
      return;
    }
    auto [at, isThere] = rowOf(number(0), mine);
    for (tile::LoadOp load : loads) {
      Type element = getElementTypeOrSelf(load.getType());
      ofFirstGroup[load.getResult()] = ifElse(
          b, isThere, [&] { return loadedOfRow(load, at); },
          [&]() -> Value {
            return arith::ConstantOp::create(b, b.getZeroAttr(element));
          });
    }
  }

  Value loadedOfRow(tile::LoadOp load, Int at) {
    auto cut = load.getSource().getDefiningOp<tile::PartitionOp>();
    Type element = getElementTypeOrSelf(load.getType());
    return LoadOp::create(b, element, values.at(cut.getTensor()),
                          at * bytesOf(element));
  }

  /// Adds the slices of the rows of a group of tiles from `base` on, of those
  /// before tile `end`, a row a thread, and stores what is computed of them.
  void flush(Int base, Int end) {
    BlockBarrierOp::create(b);
    auto [at, isThere] = rowOf(base, end);
    this->base = base;
    ifThen(b, isThere, [&] {
      auto outside = values;
      for (auto [m, sum] : llvm::enumerate(gemv.sums)) {
        Int first = (thread + int64_t(m) * gemv.rows) * slices;
        values[sum] = addedShared(parts, first, slices);
      }
      Value made = ofRow(gemv.stored, at);
      StoreOp::create(b, made, y, at * bytesOf(made.getType()));
      values = std::move(outside);
    });
  }

  static int64_t bytesOf(Type element) {
    return element.getIntOrFloatBitWidth() / 8;
  }

  /// A value of the kernel that all elements or row `at` has, as a scalar.
  Value ofRow(Value value, Int at) {
    if (Value known = values.lookup(value)) {
      return known;
    }
    Operation *op = value.getDefiningOp();
    Type element = getElementTypeOrSelf(value.getType());
    Value made;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      made = ifElse(
          b, base == number(0), [&] { return ofFirstGroup.at(value); },
          [&] { return loadedOfRow(load, at); });
    } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Attribute attr = constant.getValue();
      if (auto splat = dyn_cast<SplatElementsAttr>(attr)) {
        attr = splat.getSplatValue<Attribute>();
      }
      made = arith::ConstantOp::create(b, cast<TypedAttr>(attr));
    } else if (auto symbol = dyn_cast<tile::SymbolOp>(op)) {
      StringRef name = symbol.getSymbol();
      made = name == gemv.n.getValue() ? n : name == gemv.k.getValue() ? k : p_;
    } else {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands()) {
        operands.push_back(ofRow(operand, at));
      }
      bool isSame =
          isa<vector::BroadcastOp, arith::IndexCastOp, tile::ReduceOp>(op);
      made = isSame ? operands[0] : rebuilt(b, op, operands, element);
    }
    return values[value] = made;
  }

  void buildBody() {
    buildPlace();
    // As many as any thread with a row may look for, so that this is plain.
    int64_t places = threads + (gemv.matrices - 1) * gemv.rows;
    parts = SharedOp::create(
        b, SharedType::get(b.getContext(),
                           llvm::alignTo(places * slices * 4, vectorBytes)));
    ring = RingOp::create(
        b, RingType::get(b.getContext(), gemv.slots, gemv.slotBytes));
    makeX();
    WarpBarrierOp::create(b);
    TriggerOp::create(b);
    SmallVector<Value> scales;
    if (gemv.isInt4()) {
      scales = loadScales(groupRowOf(number(0)));
    }
    fillRing();
    loadRows();
    loadX();
    if (gemv.isInt4()) {
      keepX();
    }
    SmallVector<Value> start = {number32(0), number32(0)}; // slot, parity
    if (gemv.isInt4()) {
      GroupRow row = groupRowOf(number(0));
      start.append({row.at, row.groups});
      llvm::append_range(start, scales);
      loop(b, number(0), items, number(1), start,
           [&](Int i, ValueRange now) { return itemOfGroups(i, now); });
    } else {
      // Of the item that is filled next: as many behind the first as there are
      // slots.
      Int first32 = number32(gemv.slots), chunks32 = chunks.to32();
      start.append({zero(), number(0), // sum and chunk of this row
                    number(0),         // its tile
                    (first32 / chunks32).to64(),
                    (first32 % chunks32).to64()}); // ahead
      loop(b, number(0), items, number(1), start,
           [&](Int i, ValueRange now) { return item(i, now); });
    }
    flush(groupOf(mine), mine);
  }

  /// Keeps the sum of the warp's slice of its row, and adds those of all warps
  /// behind the last tile of a group.
  /// \param isDone whether it is the whole slice; nothing where each item is.
  void store(Int tile, Value row, Value isDone) {
    auto together = [&](Value condition) {
      return isDone ? arith::AndIOp::create(b, isDone, condition).getResult()
                    : condition;
    };
    Value stores = together(lane == number(0));
    ifThen(b, stores, [&] {
      Int ofTile = matrix * gemv.rows + this->row;
      Int at =
          ((inGroup(tile) * gemv.warpRows() + ofTile) * slices + slice) * 4;
      SharedStoreOp::create(b, row, parts, at);
    });
    Value isFull = together(inGroup(tile) == number(groupTiles - 1));
    ifThen(b, isFull, [&] {
      flush(groupOf(tile), tile + 1);
      BlockBarrierOp::create(b);
    });
  }

  /// The slot behind one, whether it is the first one, and what that does to
  /// the parity.
  struct Behind {
    Int slot;
    Value wraps;
    Int flip;
  };
  Behind behind(Int slot) {
    Int next = slot + 1;
    Value wraps = next == number32(gemv.slots);
    return {
        next, wraps, {&b, arith::ExtUIOp::create(b, b.getI32Type(), wraps)}};
  }
  SmallVector<Value> turned(const Behind &to, Int parity) {
    return {select(to.wraps, number32(0), to.slot),
            parity.with<arith::XOrIOp>(to.flip)};
  }

  SmallVector<Value> item(Int i, ValueRange now) {
    Int slot{&b, now[0]}, parity{&b, now[1]}, c{&b, now[3]};
    Int tile{&b, now[4]}, aheadTile{&b, now[5]}, ahead{&b, now[6]};
    Value token = WaitOp::create(b, ring, slot, parity);
    auto [first, some] = chunk(c);
    Value sum = WarpSumOp::create(b, b.getF32Type(), dot(token, first, some));
    ReleaseOp::create(b, token, sum);
    ifThen(b, i + gemv.slots < items, [&] { fill(slot, aheadTile, ahead); });

    Value row = arith::AddFOp::create(b, now[2], sum);
    Int next = c + 1;
    Value isDone = next == chunks;
    store(tile, row, isDone);

    Behind to = behind(slot);
    auto [nextTile, nextAhead] = following(aheadTile, ahead);
    SmallVector<Value> then = turned(to, parity);
    then.append({arith::SelectOp::create(b, isDone, zero(), row),
                 select(isDone, number(0), next),
                 select(isDone, tile + 1, tile), nextTile, nextAhead});
    return then;
  }

  /// Of 4 bits, where an item is a tile. The scales of this one were loaded
  /// with the last one.
  SmallVector<Value> itemOfGroups(Int tile, ValueRange now) {
    constexpr size_t ofRow = 2, ofScales = 4;
    Int slot{&b, now[0]}, parity{&b, now[1]};
    GroupRow row{{&b, now[ofRow]}, {&b, now[ofRow + 1]}};
    Value token = WaitOp::create(b, ring, slot, parity);
    Value sum = WarpSumOp::create(b, b.getF32Type(),
                                  dotOfGroups(token, now.drop_front(ofScales)));
    ReleaseOp::create(b, token, sum);
    GroupRow next = behind(row, 1);
    SmallVector<Value> scales = loadScales(next);
    ifThen(b, tile + gemv.slots < items, [&] {
      GroupRow ahead = behind(row, gemv.slots);
      prefetchScales(ahead);
      fill(slot, ahead);
    });
    store(tile, sum, nullptr);
    SmallVector<Value> then = turned(behind(slot), parity);
    then.append({next.at, next.groups});
    llvm::append_range(then, scales);
    return then;
  }

  ImplicitLocOpBuilder b;
  tile::KernelOp source;
  const Gemv &gemv;
  /// Warps that share a row, and tiles whose rows are added at a time: as many
  /// rows as threads.
  int64_t slices, groupTiles;
  int64_t slotVectors; ///< that a slot holds
  /// Vectors of x that go with one of w. Each has a plane of shared memory, so
  /// that a warp reads lines and its lanes meet in no bank.
  int64_t planes;

  /// Of the kernel, as here: arguments, and in `flush` what goes with a row.
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<Value, Value> ofFirstGroup; ///< what goes with its rows
  Value w, x, y, ring, xs, parts, squares;
  Int base; ///< in `flush`, of the group
  Int n, k, p_;
  Int block, warp, lane, thread;
  Int slice, row, matrix; ///< of the warp
  Int vectors;            ///< of a row of w
  Int begin, end;         ///< of the slice, in vectors
  Int beginGroup, endGroup;
  SmallVector<SmallVector<Value>> xOfLane; ///< by vector of a slot
  Int chunks;                              ///< of a slice, the same of all
  Int mine;                                ///< tiles of the block
  Int items;                               ///< of each warp of the block
};

} // namespace

SmallVector<tile::LoadOp> loadsByRow(Value stored) {
  llvm::SetVector<Operation *> needed;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [](Operation *op) { return !isa<scf::ForOp>(op); };
  (void)getBackwardSlice(stored, &needed, options);
  SmallVector<tile::LoadOp> out;
  for (Operation *op : needed) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      out.push_back(load);
    }
  }
  return out;
}

KernelOp buildGemv(OpBuilder &builder, tile::KernelOp kernel,
                   const Gemv &gemv) {
  return Builder(builder, kernel, gemv).build();
}

} // namespace girih::hopper
