// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Numbers, vectors and places of lanes, for schedules whose 8 warps take
/// matrices from memory to the registers that mma.sync takes them from.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_LANEBUILDER_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_LANEBUILDER_H

#include "ir/ops/Tile.h"
#include "lower/hopper/schedule/Values.h"

namespace girih::hopper {

class LaneBuilder {
protected:
  static constexpr int64_t warps = 8, threads = warps * lanes;
  /// Elements of bf16 that a lane loads at a time, and their bytes.
  static constexpr int64_t width = 8, vectorBytes = 16;

  LaneBuilder(mlir::OpBuilder &builder, tile::KernelOp source)
      : b(source.getLoc(), builder), source(source) {}

  //===-- Numbers and vectors ---------------------------------------------===//

  Int number(int64_t n);
  mlir::Value real(double value);
  mlir::VectorType narrow(int64_t count);
  mlir::VectorType wide(int64_t count);
  mlir::Value none(mlir::VectorType type);
  mlir::Value widened(mlir::Value vector);
  mlir::Value rounded(mlir::Value vector);
  mlir::Value element(mlir::Value vector, int64_t at);
  mlir::Value vectorOf(mlir::ArrayRef<mlir::Value> elements);
  mlir::Value all(mlir::Value one, int64_t count);
  template <class Op> mlir::Value with(mlir::Value a, mlir::Value c) {
    return Op::create(b, a, c);
  }
  mlir::Value times(mlir::Value a, mlir::Value c) {
    return with<mlir::arith::MulFOp>(a, c);
  }
  mlir::Value plus(mlir::Value a, mlir::Value c) {
    return with<mlir::arith::AddFOp>(a, c);
  }
  mlir::Value minus(mlir::Value a, mlir::Value c) {
    return with<mlir::arith::SubFOp>(a, c);
  }
  mlir::Value larger(mlir::Value a, mlir::Value c) {
    return with<mlir::arith::MaximumFOp>(a, c);
  }
  mlir::Value both(mlir::Value a, mlir::Value c) {
    return with<mlir::arith::AndIOp>(a, c);
  }
  /// Two elements of bf16 each.
  mlir::SmallVector<mlir::Value> words(mlir::Value vector);
  mlir::Value chosen(mlir::Value condition, mlir::Value a, mlir::Value c) {
    return mlir::arith::SelectOp::create(b, condition, a, c);
  }

  //===-- Places ----------------------------------------------------------===//

  /// Who runs it.
  void buildPlace();
  /// Elements of an argument where a condition holds, else zeros.
  mlir::Value loaded(mlir::Value argument, Int at, mlir::Value isIn,
                     mlir::VectorType type);
  mlir::Value shared(int64_t bytes);

  mlir::ImplicitLocOpBuilder b;
  tile::KernelOp source;
  Int block, warp, lane, thread;
  Int row, part; ///< of the warp's 8 rows and their 4 parts
};

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_LANEBUILDER_H
