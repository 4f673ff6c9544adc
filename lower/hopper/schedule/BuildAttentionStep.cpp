// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp i makes query i: its norm, its angles, and its score with the new key,
// which each warp makes for itself. Keys and values are loaded a trip ahead:
// those of the first are on their way while the queries are made. Sums begin in
// the first warp, with the new key, of the split that has it.

#include "lower/hopper/schedule/AttentionBuilder.h"
#include "lower/hopper/schedule/AttentionStep.h"

using namespace mlir;

namespace girih::hopper {
namespace {

class StepBuilder : AttentionBuilder {
  static_assert(AttentionStep::maxQueries == queries &&
                AttentionStep::depth == depth && AttentionStep::tile == ofTrip);
  static constexpr int64_t registers = 160, ofSplit = 240;
  /// From a query in shared memory to the next one: in banks of their own.
  static constexpr int64_t queryPitch = headBytes + vectorBytes;

public:
  StepBuilder(OpBuilder &builder, tile::KernelOp source,
              const AttentionStep &step)
      : AttentionBuilder(builder, source), step(step) {}

  KernelOp build() {
    auto kernel = KernelOp::create(b, source.getSymName(), warps,
                                   isSplit() ? ofSplit : registers);
    inRegion(b, kernel.getBody(), [&] {
      addArguments(kernel.getBody().front(),
                   [&](unsigned argument) { return accessOf(argument); });
      g = numbers[step.g];
      r = numbers[step.r];
      t = numbers[step.t];
      if (isSplit()) {
        splits = numbers[step.p];
      }
      buildPlace();
      always = arith::ConstantOp::create(b, b.getBoolAttr(true));
      TriggerOp::create(b);
      buildPosition();
      SmallVector<Trip> ahead;
      if (isSplit()) {
        ahead = {loadTrip(head, 0), loadTrip(head, 1)};
      } else {
        prefetch(head, ofTrip);
      }
      loadTurns();
      inRegion(b, BeforeDependencyOp::create(b).getBody(), [] {});
      loadHeads();
      if (!isSplit()) {
        ahead = {loadTrip(head, 0)};
      }
      makeQueries();
      Sums sums = begun();
      overKeys(head, query, sums, ahead);
      makeRoom();
      publish(sums);
      BlockBarrierOp::create(b);
      isSplit() ? storeSplit() : storeMean();
      ReturnOp::create(b);
    });
    return kernel;
  }

private:
  using Argument = AttentionStep::Argument;
  //===-- Arguments and places --------------------------------------------===//

  bool isSplit() const { return bool(step.p); }
  Access accessOf(unsigned argument) const {
    switch (argument) {
    case Argument::Q:
    case Argument::K:
    case Argument::V:
      return Access::Read;
    case Argument::KCache:
    case Argument::VCache:
      return isSplit() ? Access::Early : Access::Own;
    case Argument::Y:
    case Argument::Lse:
      return Access::Write;
    default:
      return Access::Early;
    }
  }

  //===-- Before the dependency wait --------------------------------------===//

  /// The row of the caches; where there is none, one that is there.
  void buildPosition() {
    Int at{&b, LoadOp::create(b, b.getI32Type(), arguments[Argument::Position],
                              number(0))};
    Int asked{&b, arith::ExtSIOp::create(b, b.getI64Type(), at)};
    position = min(max(asked, number(0)), t - number(1));
    isThere = asked == position;
    Int first = number(0), end = position;
    mine = block;
    hasNewKey = always;
    if (isSplit()) {
      Int all = block.to32(), heads = axes[step.g];
      mine = (all % heads).to64();
      split = (all / heads).to64();
      constexpr int64_t tile = AttentionStep::tile;
      // Of position / tile + 1 tiles.
      Int share = (position / tile / splits + 1) * tile;
      Int begin = split * share;
      hasNewKey = both(begin < position + 1, position < begin + share);
      first = min(begin, position);
      end = min(begin + share, position);
    }
    head = {arguments[Argument::KCache], arguments[Argument::VCache],
            mine * (t * headBytes), first, end};
  }

  void loadTurns() {
    qGain = loadPart(arguments[Argument::QWeight], number(0), always);
    kGain = loadPart(arguments[Argument::KWeight], number(0), always);
    angles = loadAngles(arguments[Argument::Cos], arguments[Argument::Sin],
                        position, always);
  }

  //===-- Queries and the new key -----------------------------------------===//

  /// Before keys and values of the caches, so that they do not wait for these.
  void loadHeads() {
    newQuery = loadPart(arguments[Argument::Q], (mine * r + warp) * headBytes,
                        warp < r);
    newKey = loadPart(arguments[Argument::K], mine * headBytes, always);
    for (int64_t i = 0; i < ofValue; ++i) {
      newValue.push_back(loaded(arguments[Argument::V],
                                mine * headBytes + row * 32 + i * vectorBytes,
                                always, narrow(width)));
    }
  }

  void makeQueries() {
    made = shared(queries * queryPitch);
    scores = shared(queries * 4);
    Value epsilon = arguments[epsilonAt()];
    Part q = turned(newQuery, qGain, angles, epsilon),
         k = turned(newKey, kGain, angles, epsilon);
    SharedStoreOp::create(b, q.low, made, warp * queryPitch + lane * 4);
    SharedStoreOp::create(b, q.high, made,
                          warp * queryPitch + lane * 4 + headBytes / 2);
    Value products = plus(times(widened(q.low), widened(k.low)),
                          times(widened(q.high), widened(k.high)));
    Value product = WarpSumOp::create(
        b, b.getF32Type(), plus(element(products, 0), element(products, 1)));
    constexpr double log2e = 1.44269504;
    Value scale = arguments[epsilonAt() + 1];
    factor = times(scale, real(log2e));
    ifThen(b, lane == number(0), [&] {
      SharedStoreOp::create(b, times(product, factor), scores, warp * 4);
    });
    if (!isSplit()) {
      storeRow(k);
    }
    BlockBarrierOp::create(b);
    for (int64_t c = 0; c < ofLane; ++c) {
      query.push_back(SharedLoadOp::create(
          b, narrow(width), made,
          row * queryPitch + part * vectorBytes + c * (4 * vectorBytes)));
    }
  }

  void store(Value some, unsigned argument, Int at, Value isIn) {
    MaskedStoreOp::create(b, some, arguments[argument], at, isIn,
                          /*once=*/false);
  }

  /// The new row of the caches, which nobody reads there.
  void storeRow(const Part &k) {
    Int begin = head.begin + position * headBytes;
    Value isMine = both(isThere, warp == number(0));
    store(k.low, Argument::KCache, begin + lane * 4, isMine);
    store(k.high, Argument::KCache, begin + lane * 4 + headBytes / 2, isMine);
    Value isOne = both(isMine, part == number(0));
    for (auto [i, some] : llvm::enumerate(newValue)) {
      store(some, Argument::VCache, begin + row * 32 + int64_t(i) * vectorBytes,
            isOne);
    }
  }

  /// Those of the new key, in the first warp; of no key in the others.
  Sums begun() {
    Value isFirst = warp == number(0);
    if (isSplit()) {
      isFirst = both(isFirst, hasNewKey);
    }
    Value isOnce = both(isFirst, row == number(0));
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

  //===-- Warps together --------------------------------------------------===//

  /// A query a warp, four of its elements a lane, of all warps.
  void storeMean() {
    APFloat nan(APFloat::BFloat(), APInt(16, 0x7FC0));
    Value noRow =
        arith::ConstantOp::create(b, DenseElementsAttr::get(narrow(4), nan));
    store(chosen(isThere, rounded(meanOf(whole())), noRow), Argument::Y,
          (mine * r + warp) * headBytes + lane * 8, warp < r);
  }

  /// The mean in f32, and the logarithm of its weight.
  void storeSplit() {
    Whole all = whole();
    Value weight = plus(all.top, math::Log2Op::create(b, all.weight));
    APFloat nan(APFloat::IEEEsingle(), APInt(32, 0x7FC00000));
    Value noRow =
        arith::ConstantOp::create(b, DenseElementsAttr::get(wide(4), nan));
    Int result = (split * g + mine) * r + warp;
    store(chosen(isThere, meanOf(all), noRow), Argument::Partial,
          result * (depth * 4) + lane * vectorBytes, warp < r);
    store(vectorOf(chosen(isThere, weight, real(0))), Argument::Lse, result * 4,
          both(warp < r, lane == number(0)));
  }

  unsigned epsilonAt() const {
    return isSplit() ? Argument::Lse + 1 : Argument::Y + 1;
  }

  const AttentionStep &step;
  Int g, r, t, splits;
  Int mine, split; ///< head of the cache, and part of its keys
  Int position;
  Head head; ///< up to the new key
  Value always, isThere, hasNewKey;
  Part qGain, kGain, newQuery, newKey;
  Angles angles;
  Query query;
  SmallVector<Value> newValue;
  Value made, scores; ///< shared
};

} // namespace

KernelOp buildAttentionStep(OpBuilder &builder, tile::KernelOp kernel,
                            const AttentionStep &step) {
  return StepBuilder(builder, kernel, step).build();
}

} // namespace girih::hopper
