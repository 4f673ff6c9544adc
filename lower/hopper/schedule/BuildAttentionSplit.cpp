// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries are taken 8 together, as many as an mma has columns. Where there are
// no more, two trips of keys are always on their way: a tile of the kernel.
// Where there are, the sums of the second eight have the registers of one of
// them. Both kinds meet behind their loop, so that one store has all queries.

#include "lower/hopper/schedule/AttentionBuilder.h"
#include "lower/hopper/schedule/AttentionSplit.h"

using namespace mlir;

namespace girih::hopper {
namespace {

class SplitBuilder : AttentionBuilder {
  static_assert(AttentionSplit::depth == depth &&
                AttentionSplit::maxQueries == 2 * queries &&
                AttentionSplit::tile == 2 * ofTrip &&
                AttentionSplit::page == Pages::length);
  static constexpr int64_t registers = 240, ofPages = 248;

public:
  SplitBuilder(OpBuilder &builder, tile::KernelOp source,
               const AttentionSplit &split)
      : AttentionBuilder(builder, source), split(split) {}

  KernelOp build() {
    auto kernel = KernelOp::create(b, source.getSymName(), warps,
                                   split.isPaged() ? ofPages : registers);
    inRegion(b, kernel.getBody(), [&] {
      addArguments(kernel.getBody().front(),
                   [&](unsigned argument) { return accessOf(argument); });
      buildPlace();
      buildSplit();
      SmallVector<Trip> ahead;
      if (split.isPaged()) {
        prefetch(head, 2 * ofTrip);
      } else {
        TriggerOp::create(b);
        ahead = {loadTrip(head, 0), loadTrip(head, 1)};
      }
      inRegion(b, BeforeDependencyOp::create(b).getBody(), [] {});
      isFew = r < number(queries + 1);
      Query query = loadQuery(0);
      if (ahead.empty()) {
        ahead = {loadTrip(head, 0)};
      }
      SmallVector<Value> sums = ifElseAll(
          b, isFew, [&] { return overKeysOfFew(query, ahead); },
          [&] { return overKeysOfMany(query, ahead.front()); });
      if (split.isPaged()) {
        // At the start it made a token of 8 sequences 2 to 3% longer.
        TriggerOp::create(b);
      }
      makeRoom();
      storeAll(sums);
      ReturnOp::create(b);
    });
    return kernel;
  }

private:
  using Argument = AttentionSplit::Argument;

  /// Pages are written in front of attention, as a rule: by the grid that has
  /// the new rows.
  Access accessOf(unsigned argument) const {
    unsigned firstEarly = split.isPaged() ? Argument::Table : Argument::K;
    return argument >= split.result() ? Access::Write
           : argument >= firstEarly   ? Access::Early
                                      : Access::Read;
  }

  //===-- Before the dependency wait --------------------------------------===//

  /// Which split of which head the block has, and its keys.
  void buildSplit() {
    Int sequences = axes[split.b], all = block.to32();
    Int rest = all / sequences, sequence = (all % sequences).to64();
    Int mine = rest.to64(), n = number(0);
    Int g = numbers[split.g];
    r = numbers[split.r];
    if (!split.isWhole()) {
      Int heads = axes[split.g];
      mine = (rest % heads).to64();
      n = (rest / heads).to64();
    }
    firstQuery = (sequence * g + mine) * r;
    firstResult = split.isWhole()
                      ? firstQuery
                      : ((sequence * numbers[split.p] + n) * g + mine) * r;
    split.isPaged() ? buildPages(sequence, mine, n)
                    : buildRows(sequence, mine, n);
    constexpr double log2e = 1.44269504;
    factor = times(arguments[split.scale()], real(log2e));
  }

  /// Of so many keys those of a split, as they are dealt.
  Int shareOf(Int keys) {
    int64_t dealt = split.dealt();
    Int tiles = (keys + (dealt - 1)) / dealt, p = numbers[split.p];
    return (tiles + p - number(1)) / p * dealt;
  }

  void buildRows(Int sequence, Int mine, Int n) {
    Int l = numbers[split.l], share = shareOf(l);
    // Behind the last tile a split has no keys.
    Int first = min(n * share, l), end = min(first + share, l);
    head = {arguments[Argument::K], arguments[Argument::V],
            (sequence * numbers[split.g] + mine) *
                (numbers[split.t] * headBytes),
            first, end};
  }

  /// A split without keys begins behind the last one.
  void buildPages(Int sequence, Int mine, Int n) {
    Int m = numbers[split.m];
    Int inMemory{&b,
                 LoadOp::create(b, b.getI32Type(), arguments[Argument::Lengths],
                                sequence * 4)};
    // Of the number in 32 bits LLVM would make the largest in 32 bits, too.
    Int length{&b, KeepOp::create(
                       b, b.getI64Type(),
                       arith::ExtSIOp::create(b, b.getI64Type(), inMemory))};
    length = min(max(length, number(0)), m * Pages::length);
    Int first = number(0), end = length;
    if (!split.isWhole()) {
      Int share = shareOf(length);
      first = n * share;
      end = min(first + share, length);
    }
    head = {arguments[Argument::K],
            arguments[Argument::V],
            mine * headBytes,
            first,
            end,
            Pages{arguments[Argument::Table], sequence * m, numbers[split.n],
                  numbers[split.g]}};
  }

  //===-- Keys and values -------------------------------------------------===//

  /// The first 8 queries, or those behind them.
  Query loadQuery(int64_t from) {
    Query out;
    Int query = row + from;
    for (int64_t c = 0; c < ofLane; ++c) {
      out.push_back(loaded(arguments[Argument::Q],
                           (firstQuery + query) * headBytes +
                               part * vectorBytes + c * (4 * vectorBytes),
                           query < r, narrow(width)));
    }
    return out;
  }

  Sums ofNoKeys() {
    return {SmallVector<Value>(2, real(least)), SmallVector<Value>(2, real(0)),
            SmallVector<Value>(width, none(wide(4)))};
  }

  static SmallVector<Value> pack(ArrayRef<Sums> sums) {
    SmallVector<Value> out;
    for (const Sums &some : sums) {
      llvm::append_range(out, some.tops);
      llvm::append_range(out, some.weights);
      llvm::append_range(out, some.values);
    }
    return out;
  }

  static Sums unpack(ArrayRef<Value> &from) {
    Sums out;
    for (auto [some, count] :
         {std::pair(&out.tops, size_t(2)), std::pair(&out.weights, size_t(2)),
          std::pair(&out.values, size_t(width))}) {
      llvm::append_range(*some, from.take_front(count));
      from = from.drop_front(count);
    }
    return out;
  }

  SmallVector<Value> overKeysOfFew(const Query &query,
                                   SmallVector<Trip> ahead) {
    if (ahead.size() == 1) {
      ahead.push_back(loadTrip(head, 1));
    }
    Sums sums[] = {ofNoKeys(), ofNoKeys()};
    overKeys(head, query, sums[0], std::move(ahead));
    return pack(sums);
  }

  SmallVector<Value> overKeysOfMany(const Query &query, const Trip &trip) {
    Sums sums[] = {ofNoKeys(), ofNoKeys()};
    overKeys(head, {query, loadQuery(queries)}, sums, {trip});
    return pack(sums);
  }

  //===-- Results ---------------------------------------------------------===//

  /// The mean, and the logarithm of the weight.
  SmallVector<Value> results(const Sums &sums) {
    publish(sums);
    BlockBarrierOp::create(b);
    Whole all = whole();
    return {meanOf(all), plus(all.top, math::Log2Op::create(b, all.weight))};
  }

  void storeAll(ArrayRef<Value> packed) {
    SmallVector<Value> few = results(unpack(packed));
    SmallVector<Value> many = ifElseAll(
        b, isFew, [&] { return SmallVector<Value>{none(wide(4)), real(0)}; },
        [&] {
          BlockBarrierOp::create(b); // the first eight are read
          return results(unpack(packed));
        });
    auto store = [&](Value value, unsigned argument, Int at, Value isIn) {
      MaskedStoreOp::create(b, value, arguments[argument], at, isIn,
                            /*once=*/false);
    };
    ArrayRef<Value> eights[] = {few, many};
    auto queryOf = [&](size_t n) { return warp + int64_t(n) * queries; };
    if (split.isWhole()) {
      for (auto [n, some] : llvm::enumerate(eights)) {
        Int query = queryOf(n);
        store(rounded(some[0]), split.result(),
              (firstResult + query) * headBytes + lane * 8, query < r);
      }
      return;
    }
    for (auto [n, some] : llvm::enumerate(eights)) {
      Int query = queryOf(n);
      store(some[0], split.result(),
            (firstResult + query) * (depth * 4) + lane * vectorBytes,
            query < r);
    }
    for (auto [n, some] : llvm::enumerate(eights)) {
      Int query = queryOf(n);
      store(vectorOf(some[1]), split.lse(), (firstResult + query) * 4,
            both(query < r, lane == number(0)));
    }
  }

  const AttentionSplit &split;
  Int r, firstQuery, firstResult; ///< queries, of the tensors
  Head head;
  Value isFew; ///< no more than 8 queries
};

} // namespace

KernelOp buildAttentionSplit(OpBuilder &builder, tile::KernelOp kernel,
                             const AttentionSplit &split) {
  return SplitBuilder(builder, kernel, split).build();
}

} // namespace girih::hopper
