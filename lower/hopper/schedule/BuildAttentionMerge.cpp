// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of the two warps has half of a head, a lane two elements, of up to 16
// splits at a time, all of which are on their way at once. Of a new token the
// blocks behind those of the queries have a head of the caches each.

#include "lower/hopper/schedule/AttentionBuilder.h"
#include "lower/hopper/schedule/AttentionMerge.h"

using namespace mlir;

namespace girih::hopper {
namespace {

class MergeBuilder : AttentionBuilder {
  static_assert(AttentionMerge::depth == depth);
  static constexpr int64_t ofHead = 2, registers = 64, ofStep = 80;
  /// Elements of a lane.
  static constexpr int64_t ofMean = depth / (ofHead * lanes);

public:
  MergeBuilder(OpBuilder &builder, tile::KernelOp source,
               const AttentionMerge &merge)
      : AttentionBuilder(builder, source), merge(merge) {}

  KernelOp build() {
    auto kernel = KernelOp::create(b, source.getSymName(), ofHead,
                                   merge.isOfStep() ? ofStep : registers);
    inRegion(b, kernel.getBody(), [&] {
      addArguments(kernel.getBody().front(),
                   [&](unsigned argument) { return accessOf(argument); });
      splits = numbers[merge.p];
      heads = numbers[merge.h];
      buildPlace();
      TriggerOp::create(b);
      inRegion(b, BeforeDependencyOp::create(b).getBody(), [] {});
      if (merge.isOfStep()) {
        ifElseAll(
            b, block < heads,
            [&] {
              mergeHead(block, number(0));
              return SmallVector<Value>();
            },
            [&] {
              append(block - heads);
              return SmallVector<Value>();
            });
      } else {
        Int all = block.to32(), sequences = axes[merge.b];
        mergeHead((all / sequences).to64(), (all % sequences).to64());
      }
      ReturnOp::create(b);
    });
    return kernel;
  }

private:
  using Argument = AttentionMerge::Argument;
  using Step = AttentionMerge::StepArgument;

  Access accessOf(unsigned argument) const {
    bool isCache = merge.isOfStep() &&
                   (argument == Step::KCache || argument == Step::VCache);
    return isCache || argument == merge.mean() ? Access::Write : Access::Read;
  }

  //===-- Heads of queries ------------------------------------------------===//

  void mergeHead(Int head, Int sequence) {
    Int element = warp * (depth / ofHead) + lane * ofMean;
    SmallVector<Value> sums = {real(least), real(0), none(wide(ofMean))};
    Int turns = (splits + (merge.together - 1)) / merge.together;
    sums = loop(b, number(0), turns, number(1), sums,
                [&](Int turn, ValueRange now) {
                  return added(head, sequence, element, turn, now);
                });
    Value inverse =
        with<arith::DivFOp>(real(1), larger(sums[1], real(leastWeight)));
    Value mean = times(sums[2], all(inverse, ofMean));
    StoreOp::create(b, rounded(mean), arguments[merge.mean()],
                    (sequence * heads + head) * headBytes + element * 2);
  }

  /// The largest logarithm, the sum of weights and that of means, with some
  /// more splits. What is behind the last one has no weight.
  SmallVector<Value> added(Int head, Int sequence, Int element, Int turn,
                           ValueRange now) {
    SmallVector<Value> logs, means;
    for (int64_t i = 0; i < merge.together; ++i) {
      Int split = turn * merge.together + i;
      Value isIn = split < splits;
      Int row = (sequence * splits + split) * heads + head;
      Value log = loaded(arguments[Argument::Lse], row * 4, isIn, wide(1));
      logs.push_back(chosen(isIn, this->element(log, 0), real(-INFINITY)));
      means.push_back(loaded(arguments[Argument::Partial],
                             row * (depth * 4) + element * 4, isIn,
                             wide(ofMean)));
    }
    Value top = now[0];
    for (Value log : logs) {
      top = larger(top, log);
    }
    Value before = power(minus(now[0], top));
    Value total = times(now[1], before);
    Value sum = times(now[2], all(before, ofMean));
    for (auto [log, mean] : llvm::zip(logs, means)) {
      Value weight = power(minus(log, top));
      total = plus(total, weight);
      sum = plus(sum, times(mean, all(weight, ofMean)));
    }
    return {top, total, sum};
  }

  //===-- Heads of the caches ---------------------------------------------===//

  /// The new row, by the first warp, if there is one.
  void append(Int head) {
    Int t = numbers[merge.t];
    Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
    Int at{&b, LoadOp::create(b, b.getI32Type(), arguments[Step::Position],
                              number(0))};
    Int asked{&b, arith::ExtSIOp::create(b, b.getI64Type(), at)};
    Int row = min(max(asked, number(0)), t - number(1));
    Part gain = loadPart(arguments[Step::KWeight], number(0), always);
    Part key = loadPart(arguments[Step::K], head * headBytes, always);
    Angles angles =
        loadAngles(arguments[Step::Cos], arguments[Step::Sin], row, always);
    Value value = loaded(arguments[Step::V], head * headBytes + lane * 8,
                         always, narrow(4));
    key = turned(key, gain, angles, arguments[Step::Epsilon]);
    Value isMine = both(asked == row, warp == number(0));
    Int begin = (head * t + row) * headBytes;
    auto store = [&](Value some, unsigned argument, Int at) {
      MaskedStoreOp::create(b, some, arguments[argument], begin + at, isMine,
                            /*once=*/false);
    };
    store(key.low, Step::KCache, lane * 4);
    store(key.high, Step::KCache, lane * 4 + headBytes / 2);
    store(value, Step::VCache, lane * 8);
  }

  const AttentionMerge &merge;
  Int splits, heads;
};

} // namespace

KernelOp buildAttentionMerge(OpBuilder &builder, tile::KernelOp kernel,
                             const AttentionMerge &merge) {
  return MergeBuilder(builder, kernel, merge).build();
}

} // namespace girih::hopper
