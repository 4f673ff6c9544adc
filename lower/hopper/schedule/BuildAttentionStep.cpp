// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp i makes query i: its norm, its angles, and its score with the new key,
// which each warp makes for itself. Then each warp goes over keys of its own
// with all queries. Lane 4i + j has, of keys i and i + 8 and of query i,
// vectors j, j + 4, j + 8 and j + 12 of their 16: products go over elements in
// that order, which is as good as any. Scores are of keys by queries: lane 4i +
// j has those of queries 2j and 2j + 1, for which it has the sums of values,
// too. Weights are turned to where mma.sync takes them from; of values a lane
// has elements 16i to 16i + 15, and of two keys a word of each becomes two
// words of both. Keys and values are loaded a trip ahead: those of the first
// are on their way while the queries are made. Sums begin in the first warp,
// with the new key.

#include "lower/hopper/schedule/AttentionStep.h"
#include "lower/hopper/schedule/Values.h"
#include "lower/tileir/Lower.h"

using namespace mlir;

namespace girih::hopper {
namespace {

constexpr int64_t warps = AttentionStep::maxQueries, threads = warps * lanes,
                  registers = 160;
constexpr int64_t depth = AttentionStep::depth, half = depth / 2,
                  queries = AttentionStep::maxQueries;
/// Elements of bf16 that a lane loads of a key at a time, and their bytes; a
/// lane's vectors of a key, and of a value.
constexpr int64_t width = 8, vectorBytes = 16, ofLane = 4, ofValue = 2;
/// Keys of a warp in a trip, as many as an mma takes, and of the block.
constexpr int64_t ofWarp = 16, ofTrip = ofWarp * warps;
/// Bits of a lane's number that tell the lanes of a column.
constexpr int64_t ofColumn[] = {4, 8, 16};
/// Bytes of a head, and of a cache line; from a query in shared memory to the
/// next one, and numbers of f32 from one thread's sums to the next one's: in
/// banks of their own.
constexpr int64_t headBytes = depth * 2, line = 128,
                  queryPitch = headBytes + vectorBytes, sumPitch = 2 * 16 + 4;

class StepBuilder {
public:
  StepBuilder(OpBuilder &builder, tile::KernelOp source,
              const AttentionStep &step)
      : b(source.getLoc(), builder), source(source), step(step) {}

  KernelOp build() {
    auto kernel = KernelOp::create(b, source.getSymName(), warps, registers);
    inRegion(b, kernel.getBody(), [&] {
      addArguments(kernel.getBody().front());
      buildPlace();
      TriggerOp::create(b);
      buildPosition();
      prefetch();
      loadAngles();
      inRegion(b, BeforeDependencyOp::create(b).getBody(), [] {});
      loadHeads();
      SmallVector<Value> keys = loadKeys(warp * ofWarp);
      SmallVector<Value> values = loadValues(warp * ofWarp);
      makeQueries();
      publish(overKeys(std::move(keys), std::move(values)));
      BlockBarrierOp::create(b);
      storeMean();
      ReturnOp::create(b);
    });
    return kernel;
  }

private:
  using Argument = AttentionStep::Argument;
  /// Two neighbours of a head, and the two that they are turned with.
  struct Part {
    Value low, high;
  };
  /// Of the keys so far, of two queries each: the largest score and the lane's
  /// part of the sum of weights; by two of its elements the sums of values.
  struct Sums {
    SmallVector<Value> tops, weights, values;
  };

  //===-- Numbers and vectors ---------------------------------------------===//

  Int number(int64_t n) {
    return {&b, arith::ConstantOp::create(b, b.getI64IntegerAttr(n))};
  }
  Value real(double value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(float(value)));
  }
  VectorType narrow(int64_t count) {
    return VectorType::get({count}, b.getBF16Type());
  }
  VectorType wide(int64_t count) {
    return VectorType::get({count}, b.getF32Type());
  }
  Value none(VectorType type) {
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  }
  static int64_t count(Value vector) {
    return cast<VectorType>(vector.getType()).getNumElements();
  }
  Value widened(Value vector) {
    return arith::ExtFOp::create(b, wide(count(vector)), vector);
  }
  Value rounded(Value vector) {
    return arith::TruncFOp::create(b, narrow(count(vector)), vector);
  }
  Value element(Value vector, int64_t at) {
    return vector::ExtractOp::create(b, vector, at);
  }
  Value vectorOf(ArrayRef<Value> elements) {
    return vector::FromElementsOp::create(
        b, VectorType::get({int64_t(elements.size())}, elements[0].getType()),
        elements);
  }
  Value all(Value one, int64_t count) {
    return vector::BroadcastOp::create(b, wide(count), one);
  }
  /// Two elements of bf16 each.
  SmallVector<Value> words(Value vector) {
    int64_t size = count(vector) / 2;
    Value all = vector::BitCastOp::create(
        b, VectorType::get({size}, b.getI32Type()), vector);
    SmallVector<Value> out;
    for (int64_t i = 0; i < size; ++i) {
      out.push_back(element(all, i));
    }
    return out;
  }
  template <class Op> Value with(Value a, Value c) {
    return Op::create(b, a, c);
  }
  Value times(Value a, Value c) { return with<arith::MulFOp>(a, c); }
  Value plus(Value a, Value c) { return with<arith::AddFOp>(a, c); }
  Value minus(Value a, Value c) { return with<arith::SubFOp>(a, c); }
  Value larger(Value a, Value c) { return with<arith::MaximumFOp>(a, c); }
  Value both(Value a, Value c) { return with<arith::AndIOp>(a, c); }
  Value power(Value x) {
    auto op = math::Exp2Op::create(b, x);
    op.setFastmath(arith::FastMathFlags::afn);
    return op;
  }
  Value chosen(Value condition, Value a, Value c) {
    return arith::SelectOp::create(b, condition, a, c);
  }

  //===-- Arguments and places --------------------------------------------===//

  static Access accessOf(unsigned argument) {
    switch (argument) {
    case Argument::Q:
    case Argument::K:
    case Argument::V:
      return Access::Read;
    case Argument::KCache:
    case Argument::VCache:
      return Access::Own;
    case Argument::Y:
      return Access::Write;
    default:
      return Access::Early;
    }
  }

  void addArguments(Block &block) {
    for (const tileir::Parameter &p : tileir::parametersOf(source)) {
      if (p.kind == tileir::Parameter::Kind::Integer) {
        StringAttr name = p.value.getSymbol();
        Int v{&b, block.addArgument(b.getI64Type(), b.getLoc())};
        (name == step.r ? r : name == step.t ? t : g) = v;
        continue;
      }
      Type type = b.getF32Type();
      if (p.kind == tileir::Parameter::Kind::Pointer) {
        type = GlobalType::get(b.getContext(), accessOf(p.argument));
      }
      arguments[p.argument] = block.addArgument(type, b.getLoc());
    }
  }

  void buildPlace() {
    block = {&b, BlockIdOp::create(b, b.getI64Type())};
    warp = {&b, WarpIdOp::create(b, b.getI64Type())};
    lane = {&b, LaneIdOp::create(b, b.getI64Type())};
    thread = warp * lanes + lane;
    row = lane / 4;
    part = lane % 4;
    always = arith::ConstantOp::create(b, b.getBoolAttr(true));
  }

  Value loaded(unsigned argument, Int at, Value isIn, VectorType type) {
    return MaskedLoadOp::create(b, type, arguments[argument], at, isIn,
                                none(type));
  }

  //===-- Before the dependency wait --------------------------------------===//

  /// The row of the caches; where there is none, one that is there.
  void buildPosition() {
    Int at{&b, LoadOp::create(b, b.getI32Type(), arguments[Argument::Position],
                              number(0))};
    Int asked{&b, arith::ExtSIOp::create(b, b.getI64Type(), at)};
    position = min(max(asked, number(0)), t - number(1));
    isThere = asked == position;
    cacheBytes = block * (t * headBytes);
  }

  /// The rows of the first trip, a line a thread.
  void prefetch() {
    constexpr int64_t lines = headBytes / line;
    for (unsigned cache : {Argument::KCache, Argument::VCache}) {
      for (int64_t at = 0; at < ofTrip; at += threads / lines) {
        Int key = thread / lines + at;
        PrefetchOp::create(b, arguments[cache],
                           cacheBytes + key * headBytes + thread % lines * line,
                           key < position);
      }
    }
  }

  /// Of a head that lies at a number of bytes, or of gains.
  Part loadPart(unsigned argument, Int at, Value isIn) {
    Int mine = at + lane * 4;
    return {loaded(argument, mine, isIn, narrow(2)),
            loaded(argument, mine + half * 2, isIn, narrow(2))};
  }

  void loadAngles() {
    qGain = loadPart(Argument::QWeight, number(0), always);
    kGain = loadPart(Argument::KWeight, number(0), always);
    Int at = position * (half * 4) + lane * 8;
    cosine = loaded(Argument::Cos, at, always, wide(2));
    sine = loaded(Argument::Sin, at, always, wide(2));
  }

  //===-- Queries and the new key -----------------------------------------===//

  /// Divided by its root mean square, scaled, and turned.
  Part turned(const Part &head, const Part &gain) {
    Value low = widened(head.low), high = widened(head.high);
    Value squares = plus(times(low, low), times(high, high));
    Value sum = WarpSumOp::create(
        b, b.getF32Type(), plus(element(squares, 0), element(squares, 1)));
    Value mean = with<arith::DivFOp>(sum, real(depth));
    Value epsilon = arguments[Argument::Y + 1];
    Value inverse = all(math::RsqrtOp::create(b, plus(mean, epsilon)), 2);
    low = times(times(low, inverse), widened(gain.low));
    high = times(times(high, inverse), widened(gain.high));
    return {rounded(minus(times(low, cosine), times(high, sine))),
            rounded(plus(times(high, cosine), times(low, sine)))};
  }

  /// Before keys and values of the caches, so that they do not wait for these.
  void loadHeads() {
    newQuery = loadPart(Argument::Q, (block * r + warp) * headBytes, warp < r);
    newKey = loadPart(Argument::K, block * headBytes, always);
    for (int64_t i = 0; i < ofValue; ++i) {
      newValue.push_back(loaded(Argument::V,
                                block * headBytes + row * 32 + i * vectorBytes,
                                always, narrow(width)));
    }
  }

  void makeQueries() {
    made = shared(queries * queryPitch);
    scores = shared(queries * 4);
    Part q = turned(newQuery, qGain), k = turned(newKey, kGain);
    SharedStoreOp::create(b, q.low, made, warp * queryPitch + lane * 4);
    SharedStoreOp::create(b, q.high, made,
                          warp * queryPitch + lane * 4 + half * 2);
    Value products = plus(times(widened(q.low), widened(k.low)),
                          times(widened(q.high), widened(k.high)));
    Value product = WarpSumOp::create(
        b, b.getF32Type(), plus(element(products, 0), element(products, 1)));
    constexpr double log2e = 1.44269504;
    Value scale = arguments[Argument::Y + 2];
    factor = times(scale, real(log2e));
    ifThen(b, lane == number(0), [&] {
      SharedStoreOp::create(b, times(product, factor), scores, warp * 4);
    });
    storeRow(k);
    BlockBarrierOp::create(b);
    for (int64_t c = 0; c < ofLane; ++c) {
      query.push_back(SharedLoadOp::create(
          b, narrow(width), made,
          row * queryPitch + part * vectorBytes + c * (4 * vectorBytes)));
    }
  }

  /// The new row of the caches, which nobody reads there.
  void storeRow(const Part &k) {
    Int begin = cacheBytes + position * headBytes;
    Value mine = both(isThere, warp == number(0));
    auto store = [&](Value some, unsigned argument, Int at, Value isIn) {
      MaskedStoreOp::create(b, some, arguments[argument], at, isIn,
                            /*once=*/false);
    };
    store(k.low, Argument::KCache, begin + lane * 4, mine);
    store(k.high, Argument::KCache, begin + lane * 4 + half * 2, mine);
    Value isOne = both(mine, part == number(0));
    for (auto [i, some] : llvm::enumerate(newValue)) {
      store(some, Argument::VCache, begin + row * 32 + int64_t(i) * vectorBytes,
            isOne);
    }
  }

  //===-- Keys and values -------------------------------------------------===//

  /// Those of a warp from key `begin` on, as far as they are before the new
  /// one; else zeros.
  SmallVector<Value> loadKeys(Int begin) {
    SmallVector<Value> out;
    for (int64_t at : {0, 8}) {
      Int key = begin + row + at;
      for (int64_t c = 0; c < ofLane; ++c) {
        out.push_back(loaded(Argument::KCache,
                             cacheBytes + key * headBytes + part * vectorBytes +
                                 c * (4 * vectorBytes),
                             key < position, narrow(width)));
      }
    }
    return out;
  }

  SmallVector<Value> loadValues(Int begin) {
    SmallVector<Value> out;
    for (int64_t at : {0, 1, 8, 9}) {
      Int key = begin + part * 2 + at;
      for (int64_t i = 0; i < ofValue; ++i) {
        out.push_back(
            loaded(Argument::VCache,
                   cacheBytes + key * headBytes + row * 32 + i * vectorBytes,
                   key < position, narrow(width)));
      }
    }
    return out;
  }

  /// Those of the new key, in the first warp; of no key in the others.
  Sums begun() {
    Value isFirst = warp == number(0), isOnce = both(isFirst, row == number(0));
    Sums out;
    for (int64_t q = 0; q < 2; ++q) {
      Value score =
          SharedLoadOp::create(b, b.getF32Type(), scores, part * 8 + q * 4);
      out.tops.push_back(chosen(isFirst, score, real(least)));
      out.weights.push_back(chosen(isOnce, real(1), real(0)));
    }
    for (Value some : newValue) {
      Value v = widened(some);
      for (int64_t i = 0; i < width; i += 2) {
        Value low = chosen(isFirst, element(v, i), real(0));
        Value high = chosen(isFirst, element(v, i + 1), real(0));
        out.values.push_back(vectorOf({low, low, high, high}));
      }
    }
    return out;
  }

  Sums overKeys(SmallVector<Value> keys, SmallVector<Value> values) {
    Sums sums = begun();
    Int trips = (position + (ofTrip - 1)) / ofTrip;
    SmallVector<Value> *carried[] = {&sums.tops, &sums.weights, &sums.values,
                                     &keys, &values};
    auto pack = [&] {
      SmallVector<Value> out;
      for (SmallVector<Value> *some : carried) {
        llvm::append_range(out, *some);
      }
      return out;
    };
    auto unpack = [&](ValueRange from) {
      for (SmallVector<Value> *some : carried) {
        llvm::copy(from.take_front(some->size()), some->begin());
        from = from.drop_front(some->size());
      }
    };
    unpack(loop(b, number(0), trips, number(1), pack(),
                [&](Int trip, ValueRange now) {
                  unpack(now);
                  Int begin = trip * ofTrip + warp * ofWarp;
                  Value products = productsOf(keys);
                  keys = loadKeys(begin + ofTrip);
                  SmallVector<Value> weights = weigh(begin, products, sums);
                  addValues(weights, values, sums.values);
                  values = loadValues(begin + ofTrip);
                  return pack();
                }));
    return sums;
  }

  /// Of 16 keys with the queries.
  Value productsOf(ArrayRef<Value> keys) {
    Value sums = none(wide(4));
    for (int64_t c = 0; c < ofLane; ++c) {
      SmallVector<Value> low = words(keys[c]), high = words(keys[ofLane + c]),
                         right = words(query[c]);
      for (int64_t i = 0; i < 4; i += 2) {
        sums = MmaOp::create(
            b, wide(4), ValueRange{low[i], high[i], low[i + 1], high[i + 1]},
            ValueRange{right[i], right[i + 1]}, sums);
      }
    }
    return sums;
  }

  /// The weights of 16 keys, as mma takes them; all that is in the sums becomes
  /// of the largest score.
  SmallVector<Value> weigh(Int begin, Value products, Sums &sums) {
    Value shrink[2], weights[2][2]; // by query and key
    for (int64_t q = 0; q < 2; ++q) {
      Value score[2];
      for (int64_t i = 0; i < 2; ++i) {
        score[i] = chosen(begin + row + i * 8 < position,
                          times(element(products, i * 2 + q), factor),
                          real(-INFINITY));
      }
      Value top =
          larger(sums.tops[q],
                 GroupMaxOp::create(b, b.getF32Type(),
                                    larger(score[0], score[1]), ofColumn));
      shrink[q] = power(minus(sums.tops[q], top));
      sums.tops[q] = top;
      sums.weights[q] = times(sums.weights[q], shrink[q]);
      for (int64_t i = 0; i < 2; ++i) {
        weights[q][i] = power(minus(score[i], top));
        sums.weights[q] = plus(sums.weights[q], weights[q][i]);
      }
    }
    Value factors = vectorOf({shrink[0], shrink[1], shrink[0], shrink[1]});
    for (Value &some : sums.values) {
      some = times(some, factors);
    }
    SmallVector<Value> out;
    for (int64_t i = 0; i < 2; ++i) {
      Value some = rounded(vectorOf({weights[0][i], weights[1][i]}));
      out.push_back(TransposeOp::create(b, b.getI32Type(), words(some)[0]));
    }
    return out;
  }

  /// Two words of two keys each, from one of each key.
  std::pair<Value, Value> across(Value a, Value c) {
    Int x{&b, a}, y{&b, c}, sixteen = x.constant(16);
    Int low = x.with<arith::AndIOp>(x.constant(0xffff));
    Int high = y.with<arith::AndIOp>(y.constant(int32_t(0xffff0000)));
    return {low.with<arith::OrIOp>(y.with<arith::ShLIOp>(sixteen)),
            x.with<arith::ShRUIOp>(sixteen).with<arith::OrIOp>(high)};
  }

  void addValues(ArrayRef<Value> weights, ArrayRef<Value> vectors,
                 SmallVector<Value> &sums) {
    SmallVector<SmallVector<Value>> ofKey;
    for (int64_t key = 0; key < 4; ++key) {
      ofKey.push_back(words(vectors[key * ofValue]));
      llvm::append_range(ofKey.back(), words(vectors[key * ofValue + 1]));
    }
    for (auto [n, sum] : llvm::enumerate(sums)) {
      auto [low0, high0] = across(ofKey[0][n], ofKey[1][n]);
      auto [low1, high1] = across(ofKey[2][n], ofKey[3][n]);
      sum = MmaOp::create(b, wide(4), ValueRange{low0, high0, low1, high1},
                          weights, sum);
    }
  }

  //===-- Warps together --------------------------------------------------===//

  Value shared(int64_t bytes) {
    return SharedOp::create(
        b, SharedType::get(b.getContext(), llvm::alignTo(bytes, vectorBytes)));
  }

  void publish(const Sums &sums) {
    tops = shared(warps * queries * 4);
    weights = shared(warps * queries * 4);
    means = shared(threads * sumPitch * 4);
    SmallVector<Value> ofQueries;
    for (Value some : sums.weights) {
      ofQueries.push_back(
          GroupSumOp::create(b, b.getF32Type(), some, ofColumn));
    }
    // Where the lane's row is 0, LLVM takes its number for its part.
    Int kept{&b, KeepOp::create(b, part.v.getType(), part)};
    Int place = (warp * queries + kept * 2) * 4;
    ifThen(b, row == number(0), [&] {
      SharedStoreOp::create(b, vectorOf(sums.tops), tops, place);
      SharedStoreOp::create(b, vectorOf(ofQueries), weights, place);
    });
    for (int64_t q = 0; q < 2; ++q) {
      for (int64_t n = 0; n < 8; n += 2) {
        Value some = vectorOf({element(sums.values[n], q),
                               element(sums.values[n], q + 2),
                               element(sums.values[n + 1], q),
                               element(sums.values[n + 1], q + 2)});
        SharedStoreOp::create(b, some, means,
                              (thread * sumPitch + (q * 16 + n * 2)) * 4);
      }
    }
  }

  /// A query a warp, four of its elements a lane, of all warps.
  void storeMean() {
    Int from = lane / 4 * 4 + warp / 2; // the lane that has them
    Value topOf[warps], top;
    for (int64_t w = 0; w < warps; ++w) {
      topOf[w] = SharedLoadOp::create(b, b.getF32Type(), tops,
                                      (warp + w * queries) * 4);
      top = top ? larger(top, topOf[w]) : topOf[w];
    }
    Value weight, mean;
    for (int64_t w = 0; w < warps; ++w) {
      Value share = power(minus(topOf[w], top));
      Value ofThat = SharedLoadOp::create(b, b.getF32Type(), weights,
                                          (warp + w * queries) * 4);
      Value some = times(share, ofThat);
      weight = weight ? plus(weight, some) : some;
      Value four = SharedLoadOp::create(
          b, wide(4), means,
          ((from + w * lanes) * sumPitch + warp % 2 * 16 + part * 4) * 4);
      Value product = times(four, all(share, 4));
      mean = mean ? plus(mean, product) : product;
    }
    Value inverse =
        with<arith::DivFOp>(real(1), larger(weight, real(leastWeight)));
    APFloat nan(APFloat::BFloat(), APInt(16, 0x7FC0));
    Value noRow =
        arith::ConstantOp::create(b, DenseElementsAttr::get(narrow(4), nan));
    MaskedStoreOp::create(
        b, chosen(isThere, rounded(times(mean, all(inverse, 4))), noRow),
        arguments[Argument::Y], (block * r + warp) * headBytes + lane * 8,
        warp < r, /*once=*/false);
  }

  /// As in the kernel: below every score, and what nothing is divided by.
  static constexpr double least = -1e30, leastWeight = 1e-30;

  ImplicitLocOpBuilder b;
  tile::KernelOp source;
  const AttentionStep &step;
  llvm::SmallDenseMap<unsigned, Value, 16> arguments;
  Int g, r, t;
  Int block, warp, lane, thread;
  Int row, part; ///< of the warp's 8 rows and their 4 parts
  Int position, cacheBytes;
  Value always, isThere, factor;
  Part qGain, kGain, newQuery, newKey;
  Value cosine, sine;
  SmallVector<Value> query, newValue;
  Value made, scores, tops, weights, means; ///< shared
};

} // namespace

KernelOp buildAttentionStep(OpBuilder &builder, tile::KernelOp kernel,
                            const AttentionStep &step) {
  return StepBuilder(builder, kernel, step).build();
}

} // namespace girih::hopper
