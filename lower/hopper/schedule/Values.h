// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on integers while a schedule is built, as one writes it.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_VALUES_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_VALUES_H

#include "lower/hopper/ir/Hopper.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace girih::hopper {

/// An integer of 32 or 64 bits, at least 0 where it is divided.
struct Int {
  mlir::ImplicitLocOpBuilder *b = nullptr;
  mlir::Value v;

  operator mlir::Value() const { return v; }

  Int constant(int64_t n) const {
    return {b, mlir::arith::ConstantOp::create(
                   *b, b->getIntegerAttr(v.getType(), n))};
  }
  template <class Op> Int with(mlir::Value other) const {
    return {b, Op::create(*b, v, other)};
  }
  Int to64() const {
    return {b, mlir::arith::ExtUIOp::create(*b, b->getI64Type(), v)};
  }
  Int to32() const {
    return {b, mlir::arith::TruncIOp::create(*b, b->getI32Type(), v)};
  }
};

inline Int operator+(Int a, Int b) { return a.with<mlir::arith::AddIOp>(b); }
inline Int operator-(Int a, Int b) { return a.with<mlir::arith::SubIOp>(b); }
inline Int operator*(Int a, Int b) { return a.with<mlir::arith::MulIOp>(b); }
inline Int operator/(Int a, Int b) { return a.with<mlir::arith::DivUIOp>(b); }
inline Int operator%(Int a, Int b) { return a.with<mlir::arith::RemUIOp>(b); }
inline Int operator+(Int a, int64_t n) { return a + a.constant(n); }
inline Int operator*(Int a, int64_t n) { return a * a.constant(n); }
inline Int operator/(Int a, int64_t n) { return a / a.constant(n); }
inline Int operator%(Int a, int64_t n) { return a % a.constant(n); }
inline Int min(Int a, Int b) { return a.with<mlir::arith::MinSIOp>(b); }
inline Int max(Int a, Int b) { return a.with<mlir::arith::MaxSIOp>(b); }

inline mlir::Value compare(mlir::arith::CmpIPredicate how, Int a, Int b) {
  return mlir::arith::CmpIOp::create(*a.b, how, a, b);
}
inline mlir::Value operator<(Int a, Int b) {
  return compare(mlir::arith::CmpIPredicate::slt, a, b);
}
inline mlir::Value operator==(Int a, Int b) {
  return compare(mlir::arith::CmpIPredicate::eq, a, b);
}
inline Int select(mlir::Value c, Int a, Int b) {
  return {a.b, mlir::arith::SelectOp::create(*a.b, c, a, b)};
}

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_VALUES_H
