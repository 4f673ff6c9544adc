// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 4 bits as tensor cores take them, and the sums of groups of them.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_INT4_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_INT4_H

#include "lower/hopper/schedule/Values.h"

namespace girih::hopper {

/// Of a vector of 8 elements of bf16, in four words, elements 0, 2, 1, 3 of
/// each four: the low halves of bytes 0 and 2 of a word are taken at once, then
/// those of bytes 1 and 3.
mlir::Value interleaved(mlir::ImplicitLocOpBuilder &b, mlir::Value vector);

/// A word's 8 numbers of 4 bits, two of bf16 a word: of the low halves of bytes
/// 0 and 2, of the high ones, then of bytes 1 and 3. As they stand there, 8 too
/// large, they are the last bits of 128 to 143; the difference of these from
/// 136 is exact.
mlir::SmallVector<mlir::Value> unpacked(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value word);

/// The products of a vector of w that each lane has, 32 numbers, with x. Of the
/// left matrix row i is what lanes 4i to 4i + 3 have, which are of one group,
/// of low halves, row i + 8 of high ones; column i of the right one is their x.
/// So what goes together stands in the diagonal.
class GroupProducts {
public:
  explicit GroupProducts(mlir::ImplicitLocOpBuilder &b);

  /// Adds those of word i of the vector.
  /// \param x 16 words of two elements, interleaved: those that go with low
  /// halves, then those that go with high ones.
  void add(mlir::ValueRange unpacked, mlir::ArrayRef<mlir::Value> x, int64_t i);

  /// The sum of the group of lanes 4i to 4i + 3, in lane 4i + i / 2; what the
  /// other lanes have is none.
  mlir::Value ofGroup(Int lane) const;

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Value low, high;
};

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_INT4_H
