// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of a few queries over keys of one head of a cache, which go from
// memory to the registers that mma.sync takes them from: what the schedules of
// one new token share. Each of the 8 warps goes over keys of its own with all
// queries; at the end the sums of all warps meet in shared memory.
//
// Lane 4i + j has, of keys i and i + 8 and of query i, vectors j, j + 4, j + 8
// and j + 12 of their 16: products go over elements in that order, which is as
// good as any. Scores are of keys by queries: lane 4i + j has those of queries
// 2j and 2j + 1, for which it has the sums of values, too. Weights are turned
// to where mma.sync takes them from; of values a lane has elements 16i to 16i +
// 15, and of two keys a word of each becomes two words of both.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONBUILDER_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONBUILDER_H

#include "lower/hopper/schedule/LaneBuilder.h"

namespace girih::hopper {

class AttentionBuilder : protected LaneBuilder {
protected:
  static constexpr int64_t depth = 128;
  /// As many as an mma has columns.
  static constexpr int64_t queries = 8;
  /// A lane's vectors of a key, and of a value.
  static constexpr int64_t ofLane = 4, ofValue = 2;
  /// Keys of a warp in a trip, as many as an mma takes, and of the block.
  static constexpr int64_t ofWarp = 16, ofTrip = ofWarp * warps;
  /// Bytes of a head.
  static constexpr int64_t headBytes = depth * 2;
  /// As in the kernels of the library: below every score, and what nothing is
  /// divided by.
  static constexpr double least = -1e30, leastWeight = 1e-30;

  /// Where a cache stands in pages, numbers of pages by a table.
  struct Pages {
    static constexpr int64_t length = 64; ///< keys of a page
    mlir::Value table;
    Int entries; ///< the place of the sequence's first one
    Int count;   ///< numbers from there on name no page
    Int heads;   ///< whose keys stand beside each other
  };
  /// Keys and values of one head, both from byte `begin` on, of a page or of
  /// all; the first `count` of them count, from key `first` on.
  struct Head {
    mlir::Value keys, values;
    Int begin, first, count;
    std::optional<Pages> pages = {};
  };
  /// What a lane has of the keys and values of a trip.
  struct Trip {
    mlir::SmallVector<mlir::Value> keys, values;
  };
  /// Of the keys so far, of two queries each: the largest score and the lane's
  /// part of the sum of weights; by two of its elements the sums of values.
  struct Sums {
    mlir::SmallVector<mlir::Value> tops, weights, values;
  };
  /// What a lane has of queries, 8 together.
  using Query = mlir::SmallVector<mlir::Value>;
  /// Of a query over all keys: the largest score, the sum of weights, and four
  /// elements of the sum of values.
  struct Whole {
    mlir::Value top, weight, values;
  };

  /// What a lane has of a head: two neighbours, and the two that they are
  /// turned with.
  struct Part {
    mlir::Value low, high;
  };
  /// Of a lane's two neighbours, at a position.
  struct Angles {
    mlir::Value cosine, sine;
  };

  AttentionBuilder(mlir::OpBuilder &builder, tile::KernelOp source)
      : LaneBuilder(builder, source) {}

  /// The parameters of the entry point. Behind the symbols there are the axes
  /// of the grid, in 32 bits, but for the first one.
  void addArguments(mlir::Block &block,
                    llvm::function_ref<Access(unsigned)> accessOf);

  //===-- Heads of a new token --------------------------------------------===//

  /// Of a head that lies at a number of bytes, or of gains.
  Part loadPart(mlir::Value argument, Int at, mlir::Value isIn);
  Angles loadAngles(mlir::Value cosines, mlir::Value sines, Int position,
                    mlir::Value isIn);
  /// Divided by its root mean square, scaled, and turned; by all lanes.
  Part turned(const Part &head, const Part &gain, const Angles &angles,
              mlir::Value epsilon);

  //===-- Keys and values -------------------------------------------------===//

  /// Brings the first `keys` of a head to the L2 cache, a line a thread.
  void prefetch(const Head &head, int64_t keys);
  /// The number of a key's page, in 32 bits; nothing of a cache without.
  Int pageOf(const Head &head, Int key);
  /// Those of a warp from key `begin` on, as far as they count; else zeros. In
  /// pages all of them stand in one.
  mlir::SmallVector<mlir::Value> loadKeys(const Head &head, Int begin,
                                          Int page);
  mlir::SmallVector<mlir::Value> loadValues(const Head &head, Int begin,
                                            Int page);
  /// The first key of a warp in trip `n`.
  Int keyOf(const Head &head, Int trip);
  /// Of the warp, in trip `n`.
  Trip loadTrip(const Head &head, int64_t n);
  /// Over all keys with some queries, each with its sums; `ahead` are the first
  /// trips. As many are always on their way, each in registers of its own: a
  /// move of what is not there yet would wait for it.
  void overKeys(const Head &head, mlir::ArrayRef<Query> queries,
                mlir::MutableArrayRef<Sums> sums,
                mlir::SmallVector<Trip> ahead);

  //===-- Warps together --------------------------------------------------===//

  void makeRoom();
  void publish(const Sums &sums);
  /// A query a warp, four of its elements a lane. Behind a barrier.
  Whole whole();
  /// The mean, of four elements.
  mlir::Value meanOf(const Whole &whole);

  /// 2 to the power of it.
  mlir::Value power(mlir::Value x);

  llvm::SmallDenseMap<unsigned, mlir::Value, 16> arguments;
  llvm::SmallDenseMap<mlir::StringAttr, Int> numbers, axes; ///< by symbol
  mlir::Value factor; ///< of products: what makes scores of them, in base 2

private:
  Int placeOf(const Head &head, Int begin, Int key, Int page);
  mlir::Value counts(const Head &head, Int key, Int page);
  mlir::Value productsOf(mlir::ArrayRef<mlir::Value> keys, const Query &query);
  mlir::SmallVector<mlir::Value> weigh(const Head &head, Int begin,
                                       mlir::Value products, Sums &sums);
  std::pair<mlir::Value, mlir::Value> across(mlir::Value a, mlir::Value c);
  void addValues(mlir::ArrayRef<mlir::SmallVector<mlir::Value>> weights,
                 mlir::ArrayRef<mlir::Value> vectors,
                 mlir::MutableArrayRef<Sums> sums);

  mlir::Value tops, weights, means; ///< shared
};

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONBUILDER_H
