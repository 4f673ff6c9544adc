// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp's items are the copies that it makes: of each of its block's tiles, in
// order, the chunks of its slice of its row. All warps of a block have the same
// number of items, so that all come to the block barriers: chunks behind the
// end of a row, and of rows behind the last, are copies of 0 bytes.

#include "lower/hopper/schedule/Gemv.h"
#include "lower/hopper/schedule/Values.h"
#include "lower/tileir/Lower.h"

using namespace mlir;

namespace girih::hopper {
namespace {

constexpr int64_t warps = 8, threads = warps * lanes;
/// Two blocks of an engine share a multiprocessor, with registers for both.
constexpr int64_t registers = 128;
/// Elements of bf16 that a lane loads at a time, and their bytes.
constexpr int64_t vectorElements = 8, vectorBytes = 16;
/// Vectors that a lane loads of a slot: slots of 2560 bytes, long enough for
/// the memory to be busy and short enough for rows of a few thousand elements.
constexpr int64_t laneVectors = 5, slotVectors = laneVectors * lanes;
constexpr int64_t slotBytes = slotVectors * vectorBytes;

/// Runs `body` at the end of a region's only block.
template <class F>
void inRegion(ImplicitLocOpBuilder &b, Region &region, F body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(region.empty() ? b.createBlock(&region)
                                          : &region.front());
  body();
}

template <class F>
void ifThen(ImplicitLocOpBuilder &b, Value condition, F body) {
  scf::IfOp::create(b, condition, [&](OpBuilder &inner, Location at) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(inner.saveInsertionPoint());
    body();
    scf::YieldOp::create(b, at);
  });
}

/// A loop from 0 or `low`; `body` is given the counter and what is carried, and
/// returns what is carried on.
template <class F>
SmallVector<Value> loop(ImplicitLocOpBuilder &b, Int low, Int high, Int step,
                        ValueRange carried, F body) {
  auto made = scf::ForOp::create(
      b, low, high, step, carried,
      [&](OpBuilder &inner, Location at, Value counter, ValueRange now) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(inner.saveInsertionPoint());
        SmallVector<Value> next = body(Int{&b, counter}, now);
        scf::YieldOp::create(b, at, next);
      });
  return SmallVector<Value>(made.getResults());
}

class Builder {
public:
  Builder(OpBuilder &builder, tile::KernelOp source, const Gemv &gemv)
      : b(source.getLoc(), builder), source(source), gemv(gemv),
        slices(warps / gemv.rows), groupTiles(threads / gemv.rows) {}

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
    auto global = [&](Access access) {
      return GlobalType::get(b.getContext(), access);
    };
    for (const tileir::Parameter &p : tileir::parametersOf(source)) {
      if (p.kind == tileir::Parameter::Kind::Pointer) {
        // What is multiplied with is known before the kernels before are done.
        Access access = p.argument == gemv.w   ? Access::Early
                        : p.argument == gemv.x ? Access::Read
                                               : Access::Write;
        Value v = block.addArgument(global(access), b.getLoc());
        (p.argument == gemv.w ? w : p.argument == gemv.x ? x : y) = v;
        continue;
      }
      Int v{&b, block.addArgument(b.getI64Type(), b.getLoc())};
      StringAttr name = p.value.getSymbol();
      (name == gemv.n ? n : name == gemv.k ? k : p_) = v;
    }
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
    row = warp / slices;
    vectors = k / vectorElements;
    Int perSlice = (vectors + (slices - 1)) / slices;
    begin = slice * perSlice;
    end = min(begin + perSlice, vectors);
    // A row without elements has one chunk of none, so that its 0 is stored.
    chunks = keep(max((perSlice + (slotVectors - 1)) / slotVectors, number(1)));
    Int tiles = (n + (gemv.rows - 1)) / gemv.rows;
    mine =
        select(block < tiles, (tiles - block + p_ - number(1)) / p_, number(0));
    items = mine * chunks;
  }

  /// The vectors of a chunk of the slice: where they begin, and how many.
  std::pair<Int, Int> chunk(Int c) {
    Int first = begin + c * slotVectors;
    return {first, max(min(end - first, number(slotVectors)), number(0))};
  }

  void fill(Int slot, Int tile, Int c) {
    Int at = (block + tile * p_) * gemv.rows + row;
    auto [first, count] = chunk(c);
    Int some = select(at < n, count, number(0));
    Int offset = at * (k * 2) + first * vectorBytes;
    FillOp::create(b, ring, slot, w, offset, (some * vectorBytes).to32());
  }

  /// Tile and chunk of the item behind these.
  std::pair<Int, Int> following(Int tile, Int c) {
    Int next = c + 1;
    Value wraps = next == chunks;
    return {select(wraps, tile + 1, tile), select(wraps, number(0), next)};
  }

  /// The first copies; what they depend on is known before the dependency wait.
  void fillRing() {
    auto before = BeforeDependencyOp::create(b);
    inRegion(b, before.getBody(), [&] {
      loop(b, number(0), number(gemv.slots), number(1), {number(0), number(0)},
           [&](Int d, ValueRange now) {
             Int tile{&b, now[0]}, c{&b, now[1]};
             ifThen(b, d < items, [&] { fill(d.to32(), tile, c); });
             auto [t, next] = following(tile, c);
             return SmallVector<Value>{t, next};
           });
    });
  }

  void loadX() {
    int64_t bytes = llvm::alignTo(
        gemv.maxK * 2 + (slices + slotVectors) * vectorBytes, vectorBytes);
    xs = SharedOp::create(b, SharedType::get(b.getContext(), bytes));
    loop(b, thread, vectors, number(threads), {}, [&](Int v, ValueRange) {
      Int at = v * vectorBytes;
      Value some = LoadOp::create(b, words(), x, at);
      SharedStoreOp::create(b, some, xs, at);
      return SmallVector<Value>();
    });
    BlockBarrierOp::create(b);
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

  /// A lane's part of the product of a slot with x: 0 for vectors behind the
  /// end of the chunk, where a slot holds what was there before.
  Value dot(Value token, Int first, Int count) {
    Value sum = zero();
    Int begins = first * vectorBytes;
    for (int64_t v = 0; v < laneVectors; ++v) {
      Int at = lane + v * lanes;
      Int offset = at * vectorBytes;
      Value ws = ReadOp::create(b, words(), token, offset);
      Value xv = SharedLoadOp::create(b, words(), xs, begins + offset);
      Value low = zero(), high = zero();
      for (int64_t i = 0; i < 4; ++i) {
        Value a = word(ws, i), c = word(xv, i);
        low = math::FmaOp::create(b, half(a, false), half(c, false), low);
        high = math::FmaOp::create(b, half(a, true), half(c, true), high);
      }
      Value both = arith::AddFOp::create(b, low, high);
      Value inside = at < count;
      Value some = arith::SelectOp::create(b, inside, both, zero());
      sum = arith::AddFOp::create(b, sum, some);
    }
    return sum;
  }

  /// Tiles of this block before the group of a tile, and in it before it.
  Int groupOf(Int tile) { return tile / groupTiles * groupTiles; }
  Int inGroup(Int tile) { return tile % groupTiles; }

  /// Adds the slices of the rows of a group of tiles from `base` on, of those
  /// before tile `end`, a row a thread.
  void flush(Int base, Int end) {
    BlockBarrierOp::create(b);
    Int tile = base + thread / gemv.rows;
    Int at = (block + tile * p_) * gemv.rows + thread % gemv.rows;
    Value isThere = arith::AndIOp::create(b, tile < end, at < n);
    ifThen(b, isThere, [&] {
      Value sum = zero();
      for (int64_t s = 0; s < slices; ++s) {
        Int offset = (thread * slices + s) * 4;
        Value part = SharedLoadOp::create(b, b.getF32Type(), parts, offset);
        sum = arith::AddFOp::create(b, sum, part);
      }
      int64_t bytes = 4;
      if (gemv.isNarrow) {
        sum = arith::TruncFOp::create(b, b.getBF16Type(), sum);
        bytes = 2;
      }
      StoreOp::create(b, sum, y, at * bytes);
    });
  }

  void buildBody() {
    buildPlace();
    parts = SharedOp::create(
        b, SharedType::get(b.getContext(), threads * slices * 4));
    ring =
        RingOp::create(b, RingType::get(b.getContext(), gemv.slots, slotBytes));
    WarpBarrierOp::create(b);
    TriggerOp::create(b);
    fillRing();
    loadX();
    // Of the item that is filled next: as many behind the first as there are
    // slots.
    Int first32 = number32(gemv.slots), chunks32 = chunks.to32();
    SmallVector<Value> start = {number32(0),
                                number32(0), // slot, parity
                                zero(),
                                number(0), // sum and chunk of this row
                                number(0), // its tile
                                (first32 / chunks32).to64(),
                                (first32 % chunks32).to64()}; // ahead
    loop(b, number(0), items, number(1), start,
         [&](Int i, ValueRange now) { return item(i, now); });
    flush(groupOf(mine), mine);
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
    Value stores = arith::AndIOp::create(b, isDone, lane == number(0));
    ifThen(b, stores, [&] {
      Int at = ((inGroup(tile) * gemv.rows + this->row) * slices + slice) * 4;
      SharedStoreOp::create(b, row, parts, at);
    });
    Value isLast = inGroup(tile) == number(groupTiles - 1);
    Value isFull = arith::AndIOp::create(b, isDone, isLast);
    ifThen(b, isFull, [&] {
      flush(groupOf(tile), tile + 1);
      BlockBarrierOp::create(b);
    });

    Int behind = slot + 1;
    Value wraps = behind == number32(gemv.slots);
    Int flip{&b, arith::ExtUIOp::create(b, b.getI32Type(), wraps)};
    auto [nextTile, nextAhead] = following(aheadTile, ahead);
    return {select(wraps, number32(0), behind),
            parity.with<arith::XOrIOp>(flip),
            arith::SelectOp::create(b, isDone, zero(), row),
            select(isDone, number(0), next),
            select(isDone, tile + 1, tile),
            nextTile,
            nextAhead};
  }

  ImplicitLocOpBuilder b;
  tile::KernelOp source;
  const Gemv &gemv;
  /// Warps that share a row, and tiles whose rows are added at a time: as many
  /// rows as threads.
  int64_t slices, groupTiles;

  Value w, x, y, ring, xs, parts;
  Int n, k, p_;
  Int block, warp, lane, thread;
  Int slice, row; ///< of the warp
  Int vectors;    ///< of a row of w
  Int begin, end; ///< of the slice, in vectors
  Int chunks;     ///< of a slice, the same of all
  Int mine;       ///< tiles of the block
  Int items;      ///< of each warp of the block
};

} // namespace

KernelOp buildGemv(OpBuilder &builder, tile::KernelOp kernel,
                   const Gemv &gemv) {
  return Builder(builder, kernel, gemv).build();
}

} // namespace girih::hopper
