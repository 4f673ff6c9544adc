// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The left matrix of mma.sync has 16 rows of w, the right one 8 rows of x. Lane
// 4i + j has, of rows i and i + 8 of w and of rows i and i + 8 of x, 16 bytes
// of each 64: products go over columns in that order, which is as good as any.
// So weights go to registers straight from memory, and no lane takes what
// another one has brought. A warp has a part of the columns of a block; the
// sums of all warps meet in shared memory.
//
// A warp's columns of a tile of w are all in registers, and once one half of
// them is multiplied, that half of the next tile is on its way. In f8 16 bytes
// are 16 columns, and go with 32 bytes of x; scales are on their way a tile
// ahead, as a load behind the products would wait for the weights of others. Of
// 4 bits a step is a group of 128 columns: what stands in the low halves of
// bytes goes with 32 bytes of x, what in the high ones with 32 others; the sum
// of a group is scaled.

#include "lower/hopper/schedule/Gemv.h"
#include "lower/hopper/schedule/Int4.h"
#include "lower/hopper/schedule/LaneBuilder.h"
#include "lower/hopper/schedule/Skinny.h"
#include "lower/tileir/Lower.h"

using namespace mlir;

namespace girih::hopper {
namespace {

class SkinnyBuilder : LaneBuilder {
  using Form = Skinny::Form;
  using Argument = Skinny::Argument;
  static constexpr int64_t registers = 128;
  static constexpr int64_t stages = 2;
  /// Bytes from step to step of a row of w.
  static constexpr int64_t stepBytes = 4 * vectorBytes;
  /// Columns of a warp, at most.
  static constexpr int64_t warpColumns =
      Skinny::maxTiles / warps * Skinny::tile;
  static constexpr int64_t groupsOfWarp =
      (Skinny::maxGroups + warps - 1) / warps;
  /// Rows of x that a product takes, and of w in each half of the left matrix.
  static constexpr int64_t eight = 8;
  /// Bytes of the sums of half a product.
  static constexpr int64_t sumBytes = eight * eight * 4;

  /// What a lane has of a tile of w, and scales: in f8 those of the elements
  /// that its thread stores, of gate and up; of 4 bits of its groups, of the
  /// low row and the high one.
  struct Tile {
    SmallVector<Value> low, high, scales;
  };
  /// Whether the lane's row is one, and how many of its vectors count.
  struct Rows {
    Value areIn;
    Int left;
  };
  /// Eight rows of x: where the lane's columns are, and which count.
  struct OfX {
    Int at, left;
    Value isIn;
  };
  struct Place {
    Int low, high; ///< bytes of the first columns of the lane
    Rows lowRows, highRows;
    Int scale, toHigh; ///< bytes of the first scale, of 4 bits
  };

public:
  SkinnyBuilder(OpBuilder &builder, tile::KernelOp source, const Skinny &skinny)
      : LaneBuilder(builder, source), skinny(skinny),
        groups(skinny.rows / eight),
        step(skinny.isInt4() ? groupColumns : 4 * skinny.vectorColumns()),
        steps(skinny.isInt4() ? groupsOfWarp : warpColumns / step),
        ahead(skinny.isInt4() ? steps : steps * 4 / 5),
        xVectors(skinny.isInt4() ? 4 : skinny.vectorColumns() / width),
        unit(4 * xVectors),
        keptVectors(xVectors * (skinny.isInt4() ? steps - 1 : steps)) {}

  KernelOp build() {
    auto kernel = KernelOp::create(b, source.getSymName(), warps, registers);
    inRegion(b, kernel.getBody(), [&] {
      addArguments(kernel.getBody().front());
      TriggerOp::create(b);
      buildPlace();
      buildColumns();
      ofX = shared(keptVectors * threads * vectorBytes);
      sums = shared(groups * 2 * warps * sumBytes);
      Place place = placeOf(first);
      Tile tile;
      loadScales(tile, first, place);
      load(tile, place, 0, ahead);
      inRegion(b, BeforeDependencyOp::create(b).getBody(), [] {});
      bringX();
      load(tile, place, ahead, steps);
      buildLoop(tile);
      ReturnOp::create(b);
    });
    return kernel;
  }

private:
  Access accessOf(unsigned argument) const {
    return argument == Argument::X  ? Access::Read
           : argument == skinny.y() ? Access::Write
                                    : Access::Early;
  }

  /// Behind the symbols there is the second axis of the grid, in 32 bits.
  void addArguments(Block &block) {
    for (const tileir::Parameter &p : tileir::parametersOf(source)) {
      if (p.kind == tileir::Parameter::Kind::Integer) {
        bool isAxis = p.type == tileir::Element::I32;
        Type type = isAxis ? b.getI32Type() : b.getI64Type();
        Int v{&b, block.addArgument(type, b.getLoc())};
        if (isAxis) {
          splits = v;
        } else {
          numbers[p.value.getSymbol()] = v;
        }
        continue;
      }
      Type type = GlobalType::get(b.getContext(), accessOf(p.argument));
      arguments[p.argument] = block.addArgument(type, b.getLoc());
    }
  }

  Int small(int64_t n) {
    return {&b, arith::ConstantOp::create(b, b.getI32IntegerAttr(n))};
  }

  /// What LLVM does not look through.
  Int kept(Int v) { return {&b, KeepOp::create(b, b.getI64Type(), v)}; }

  /// The columns of the lane, and how many of its warp's are behind them, by
  /// vectors of x; of 4 bits the groups of the warp.
  void buildColumns() {
    m = numbers[skinny.m];
    n = numbers[skinny.n];
    k = numbers[skinny.k];
    p = numbers[skinny.p];
    const int64_t ofTile = skinny.isInt4() ? 1 : Skinny::tile / width;
    Int all = skinny.isInt4() ? k : k / width;
    Int share = skinny.isInt4() ? all : (all + (ofTile - 1)) / ofTile;
    Int from = number(0);
    first = block;
    if (skinny.form == Form::Split) {
      // LLVM would take the remainder for a difference of products.
      split = (kept(block).to32() % splits).to64();
      first = (block.to32() / splits).to64();
      Int count = splits.to64();
      share = (share + count - number(1)) / count;
      from = split * share;
    }
    Int ofWarp = (share + (warps - 1)) / warps;
    // LLVM would mask what is shifted, and the gate follows no such mask.
    Int ofLane = xVectors == 1 ? part : kept(part) * xVectors;
    column = (from + warp * ofWarp) * ofTile;
    column = skinny.isInt4() ? column : column + ofLane;
    Int end = min(all, (from + min((warp + 1) * ofWarp, share)) * ofTile);
    left = skinny.isInt4()
               ? end
               : max(min(end - column, number(unit * steps)), number(0));
  }

  /// Whether the lane's columns of a step are left: of 4 bits, where groups
  /// end. A comparison of 32 bits takes a register less.
  Int leftOf(Int left) {
    return skinny.isInt4() ? kept(left) : kept(left).to32();
  }
  Value isLeft(int64_t i, Int left) {
    return skinny.isInt4() ? column + i < left : small(i * unit) < left;
  }

  //===-- Loads -----------------------------------------------------------===//

  /// The lane's places in tile `t`: of gate and up 8 rows each, else 16 rows.
  Place placeOf(Int t) {
    bool isGated = skinny.form == Form::Gated;
    Int low = t * skinny.columns() + row, high = isGated ? low : low + eight;
    int64_t bytes = skinny.isInt4() ? groupBytes : skinny.weightBytes();
    Int ofLane = skinny.isInt4() ? column * groupBytes + part * vectorBytes
                                 : column * (width * skinny.weightBytes());
    Int at = low * k * bytes + ofLane, between = isGated ? n * k : k * eight;
    Rows lowRows = rowsOf(low);
    return {at,
            at + between * bytes,
            lowRows,
            isGated ? lowRows : rowsOf(high),
            (low * k + column) * 2,
            between * 2};
  }

  /// Of a row that is none nothing counts. LLVM, which would know that, would
  /// keep a predicate for each step.
  Rows rowsOf(Int ofRow) {
    Value isIn = ofRow < n;
    return {isIn, leftOf(select(isIn, left, number(0)))};
  }

  void load(Tile &tile, const Place &place, int64_t from, int64_t to) {
    tile.low.resize(steps);
    tile.high.resize(steps);
    auto one = [&](Int at, const Rows &rows, int64_t i) -> Value {
      return MaskedLoadOp::create(b, narrow(width), arguments[Argument::W],
                                  at + i * stepBytes,
                                  both(isLeft(i, rows.left), rows.areIn),
                                  none(narrow(width)), /*once=*/true);
    };
    for (int64_t i = from; i < to; ++i) {
      tile.low[i] = one(place.low, place.lowRows, i);
      tile.high[i] = one(place.high, place.highRows, i);
    }
  }

  /// Of the row, or rows, of w of the element that the thread stores; of 4 bits
  /// of the rows and groups of the lane.
  void loadScales(Tile &tile, Int t, const Place &place) {
    if (skinny.isInt4()) {
      auto one = [&](Int at, const Rows &rows, int64_t i) {
        Value some = loaded(arguments[Argument::Scale], at + i * 2,
                            both(isLeft(i, rows.left), rows.areIn), narrow(1));
        tile.scales.push_back(element(some, 0));
      };
      for (int64_t i = 0; i < steps; ++i) {
        one(place.scale, place.lowRows, i);
        one(place.scale + place.toHigh, place.highRows, i);
      }
    }
    if (!skinny.isF8()) {
      return;
    }
    int64_t columns = skinny.columns();
    Int at = t * columns + thread % columns;
    for (int64_t matrix = 0; matrix < matrices(); ++matrix) {
      Int of = matrix == 0 ? at : at + n;
      Value some = loaded(arguments[Argument::Scale], of * 4, at < n, wide(1));
      tile.scales.push_back(element(some, 0));
    }
  }
  int64_t matrices() const { return skinny.form == Form::Gated ? 2 : 1; }

  /// Where the lane has its columns of x: vectors so many bytes apart.
  Int placesOfX() {
    return warp * (keptVectors * lanes * vectorBytes) + lane * vectorBytes;
  }
  static int64_t placeOfX(int64_t v) { return v * (lanes * vectorBytes); }
  /// Where the lane's columns of a row of x are.
  Int inX(Int row) {
    return skinny.isInt4() ? (row * k + column) * (2 * groupColumns) +
                                 part * (2 * vectorBytes)
                           : row * k * 2 + column * vectorBytes;
  }
  /// From there to vector v.
  int64_t fromFirst(int64_t v) const {
    int64_t inStep = v % xVectors * vectorBytes;
    if (skinny.isInt4() && v % xVectors > 1) { // of high halves
      inStep += groupColumns - 2 * vectorBytes;
    }
    return v / xVectors * step * 2 + inStep;
  }

  Value isOfX(int64_t i) {
    return skinny.isInt4() ? isLeft(i, left) : number(i * unit) < left;
  }
  void bringX() {
    Int places = placesOfX();
    for (int64_t v = 0; v < keptVectors; ++v) {
      Value some = loaded(arguments[Argument::X], inX(row) + fromFirst(v),
                          both(row < m, isOfX(v / xVectors)), narrow(width));
      SharedStoreOp::create(b, asTaken(some), ofX, places + placeOfX(v));
    }
  }

  /// A vector of x as products take it: of 4 bits in the order of the numbers
  /// of a word.
  Value asTaken(Value ofX) {
    if (!skinny.isInt4()) {
      return ofX;
    }
    Value all =
        vector::BitCastOp::create(b, VectorType::get({4}, b.getI32Type()), ofX);
    return vector::BitCastOp::create(b, narrow(width), interleaved(b, all));
  }

  //===-- Products --------------------------------------------------------===//

  static SmallVector<Value> carriedOf(const Tile &tile) {
    SmallVector<Value> out = tile.low;
    llvm::append_range(out, tile.high);
    llvm::append_range(out, tile.scales);
    return out;
  }

  void buildLoop(Tile &tile) {
    SmallVector<Value> carried = carriedOf(tile);
    int64_t columns = skinny.columns();
    Int tiles = (n + (columns - 1)) / columns;
    loop(b, first, tiles, p, carried, [&](Int t, ValueRange now) {
      Tile tile{SmallVector<Value>(now.take_front(steps)),
                SmallVector<Value>(now.slice(steps, steps)),
                SmallVector<Value>(now.drop_front(2 * steps))};
      const SmallVector<Value> scales = std::move(tile.scales);
      tile.scales.clear();
      SmallVector<Value> made(groups, none(wide(4)));
      // Else each place would have a register.
      Int places = kept(placesOfX());
      // In each trip anew, or each step would have a predicate.
      SmallVector<OfX> rows;
      for (int64_t group = 0; group < groups; ++group) {
        rows.push_back(OfX());
        if (group > 0 || keptVectors < steps * xVectors) {
          rows.back() = rowsOfX(kept(t) - t + left, group);
        }
      }
      Place next = placeOf(t + p);
      loadScales(tile, t + p, next);
      for (int64_t stage = 0; stage < stages; ++stage) {
        int64_t from = stage * steps / stages,
                to = (stage + 1) * steps / stages;
        for (int64_t i = from; i < to; ++i) {
          skinny.isInt4() ? multiplyGroup(tile, i, places, rows, scales, made)
                          : multiply(tile, i, places, rows, made);
        }
        OrderOp::create(b, element(made[0], 0));
        load(tile, next, from, to);
        OrderOp::create(b, element(made[groups - 1], 1));
      }
      publish(made);
      BlockBarrierOp::create(b);
      storeAll(t, scales);
      BlockBarrierOp::create(b); // before sums are written again
      return carriedOf(tile);
    });
  }

  /// The words of a vector of w as its products take them, of two elements.
  SmallVector<Value> multiplied(Value vector) {
    SmallVector<Value> of = words(vector);
    if (!skinny.isF8()) {
      return of;
    }
    SmallVector<Value> out;
    for (Value word : of) {
      Value four = vector::BitCastOp::create(
          b, VectorType::get({4}, b.getType<Float8E4M3FNType>()),
          vectorOf({word}));
      llvm::append_range(out, words(rounded(widened(four))));
    }
    return out;
  }

  /// Eight rows of x, of which so many of the lane's columns count.
  OfX rowsOfX(Int count, int64_t group) {
    Int ofX = row + group * eight;
    return {inX(ofX), leftOf(select(ofX < m, count, number(0))), ofX < m};
  }

  /// The words of vector v of x, of step i.
  SmallVector<Value> wordsOfX(int64_t i, int64_t v, int64_t group, Int places,
                              const OfX &rows) {
    if (group == 0 && v < keptVectors) {
      return words(
          SharedLoadOp::create(b, narrow(width), ofX, places + placeOfX(v)));
    }
    return words(
        asTaken(loaded(arguments[Argument::X], rows.at + fromFirst(v),
                       both(isLeft(i, rows.left), rows.isIn), narrow(width))));
  }

  //===-- Of 4 bits -------------------------------------------------------===//

  /// Adds the products of word q of vectors of w, unpacked, with what goes with
  /// it of x: words of vectors that go with low halves and with high ones.
  void addWord(ArrayRef<Value> low, ArrayRef<Value> high, int64_t q,
               ArrayRef<SmallVector<Value>> ofX, Value &sums) {
    for (size_t half : {0, 1}) {
      ArrayRef<Value> right = ArrayRef(ofX[half]).slice(size_t(q % 2 * 2), 2);
      sums = MmaOp::create(
          b, wide(4),
          ValueRange{low[half], high[half], low[half + 2], high[half + 2]},
          ValueRange{right[0], right[1]}, sums);
    }
  }

  /// The sums of group i, by rows of x.
  SmallVector<Value> ofGroup(const Tile &tile, int64_t i, Int places,
                             ArrayRef<OfX> rows) {
    SmallVector<Value> lows = words(tile.low[i]), highs = words(tile.high[i]);
    SmallVector<Value> sums(groups, none(wide(4)));
    SmallVector<SmallVector<SmallVector<Value>>> ofX(groups);
    for (int64_t q = 0; q < 4; ++q) {
      for (int64_t group = 0; q % 2 == 0 && group < groups; ++group) {
        ofX[group].clear();
        for (int64_t v : {q / 2, 2 + q / 2}) {
          ofX[group].push_back(
              wordsOfX(i, i * xVectors + v, group, places, rows[group]));
        }
      }
      SmallVector<Value> low = unpacked(b, lows[q]),
                         high = unpacked(b, highs[q]);
      for (int64_t group = 0; group < groups; ++group) {
        addWord(low, high, q, ofX[group], sums[group]);
      }
    }
    return sums;
  }

  void multiplyGroup(const Tile &tile, int64_t i, Int places,
                     ArrayRef<OfX> rows, ArrayRef<Value> scales,
                     SmallVector<Value> &made) {
    SmallVector<Value> all = ofGroup(tile, i, places, rows);
    Value ofRow[2];
    for (int64_t half : {0, 1}) {
      ofRow[half] =
          arith::ExtFOp::create(b, b.getF32Type(), scales[i * 2 + half]);
    }
    for (int64_t group = 0; group < groups; ++group) {
      SmallVector<Value> added;
      for (int64_t n = 0; n < 4; ++n) {
        Value scaled = times(element(all[group], n), ofRow[n / 2]);
        added.push_back(plus(element(made[group], n), scaled));
      }
      made[group] = vectorOf(added);
    }
  }

  //===-- Products --------------------------------------------------------===//

  void multiply(const Tile &tile, int64_t i, Int places, ArrayRef<OfX> rows,
                SmallVector<Value> &made) {
    SmallVector<Value> low = multiplied(tile.low[i]),
                       high = multiplied(tile.high[i]);
    for (int64_t group = 0; group < groups; ++group) {
      for (int64_t v = i * xVectors; v < (i + 1) * xVectors; ++v) {
        SmallVector<Value> right = wordsOfX(i, v, group, places, rows[group]);
        for (int64_t j = 0; j < 4; j += 2) {
          int64_t at = v % xVectors * 4 + j;
          made[group] = MmaOp::create(
              b, wide(4),
              ValueRange{low[at], high[at], low[at + 1], high[at + 1]},
              ValueRange{right[j], right[j + 1]}, made[group], skinny.isF16);
        }
      }
    }
  }

  //===-- Sums ------------------------------------------------------------===//

  /// Sums of rows of x `group` with rows of w `half`: [8 of w, 8 of x].
  Int placeOfSums(Int ofWarp, Int group, Int half) {
    return ((ofWarp * groups + group) * 2 + half) * sumBytes;
  }

  void publish(ArrayRef<Value> made) {
    for (int64_t group = 0; group < groups; ++group) {
      for (int64_t half = 0; half < 2; ++half) {
        SharedStoreOp::create(
            b,
            vectorOf({element(made[group], half * 2),
                      element(made[group], half * 2 + 1)}),
            sums, placeOfSums(warp, number(group), number(half)) + lane * 8);
      }
    }
  }

  /// The sum over all warps.
  Value whole(Int ofX, Int ofW, Int half) {
    Int at = placeOfSums(number(0), ofX / eight, half) +
             (ofW * eight + ofX % eight) * 4;
    Value sum;
    for (int64_t w = 0; w < warps; ++w) {
      Value one = SharedLoadOp::create(b, b.getF32Type(), sums,
                                       at + w * (groups * 2 * sumBytes));
      sum = sum ? plus(sum, one) : one;
    }
    return sum;
  }

  Value scaled(Value sum, ArrayRef<Value> scales, size_t matrix) {
    return skinny.isF8() ? times(sum, scales[matrix]) : sum;
  }

  /// An element of the tile a thread, columns beside each other.
  void storeAll(Int t, ArrayRef<Value> scales) {
    int64_t columns = skinny.columns();
    // In each trip anew: else all that comes of it has registers meanwhile, and
    // what LLVM knows under the condition it would use in front of it.
    Int me = kept(t) - t + thread, ofX = me / columns, ofTile = me % columns;
    Int at = t * columns + ofTile;
    ifThen(b, both(both(ofX < m, at < n), me < number(skinny.rows * columns)),
           [&] {
             Int ofResult = ofX;
             Value result;
             if (skinny.form == Form::Gated) {
               Value gate = scaled(whole(ofX, ofTile, number(0)), scales, 0);
               Value up = scaled(whole(ofX, ofTile, number(1)), scales, 1);
               Value power =
                   math::ExpOp::create(b, arith::NegFOp::create(b, gate));
               result =
                   times(with<arith::DivFOp>(gate, plus(real(1), power)), up);
             } else {
               Value sum = whole(ofX, ofTile % eight, ofTile / eight);
               result = scaled(sum, scales, 0);
             }
             if (skinny.form == Form::Split) {
               ofResult = split * m + ofX;
             } else {
               Type narrow =
                   skinny.isF16 ? Type(b.getF16Type()) : Type(b.getBF16Type());
               result = arith::TruncFOp::create(b, narrow, result);
             }
             int64_t bytes = skinny.form == Form::Split ? 4 : 2;
             StoreOp::create(b, result, arguments[skinny.y()],
                             (ofResult * n + at) * bytes);
           });
  }

  const Skinny &skinny;
  int64_t groups; ///< of 8 rows of x
  /// Columns that 4 lanes load of a row at a time, and how often in a tile.
  int64_t step, steps;
  /// Steps of the first tile that are loaded before x, which takes registers.
  int64_t ahead;
  int64_t xVectors;    ///< of x that go with one of w
  int64_t unit;        ///< of `left`, in a step
  int64_t keptVectors; ///< of the first 8 rows of x, in shared memory
  llvm::SmallDenseMap<unsigned, Value, 4> arguments;
  llvm::SmallDenseMap<StringAttr, Int> numbers;
  Int m, n, k, p, splits; ///< as in Skinny
  Int first, split;       ///< tile, and the split of the block
  Int column, left;       ///< of the lane
  Value ofX, sums;        ///< shared
};

} // namespace

KernelOp buildSkinny(OpBuilder &builder, tile::KernelOp kernel,
                     const Skinny &skinny) {
  return SkinnyBuilder(builder, kernel, skinny).build();
}

} // namespace girih::hopper
