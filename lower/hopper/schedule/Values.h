// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on integers, loops and branches while a schedule is built, as one
// writes them.

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

/// Runs `body` at the end of a region's only block.
template <class F>
void inRegion(mlir::ImplicitLocOpBuilder &b, mlir::Region &region, F body) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(region.empty() ? b.createBlock(&region)
                                          : &region.front());
  body();
}

template <class F>
void ifThen(mlir::ImplicitLocOpBuilder &b, mlir::Value condition, F body) {
  mlir::scf::IfOp::create(b, condition,
                          [&](mlir::OpBuilder &inner, mlir::Location at) {
                            mlir::OpBuilder::InsertionGuard guard(b);
                            b.restoreInsertionPoint(inner.saveInsertionPoint());
                            body();
                            mlir::scf::YieldOp::create(b, at);
                          });
}

/// What one of two bodies gives, several values.
template <class F, class G>
mlir::SmallVector<mlir::Value> ifElseAll(mlir::ImplicitLocOpBuilder &b,
                                         mlir::Value condition, F yes, G no) {
  auto yielding = [&](auto &body) {
    return [&](mlir::OpBuilder &inner, mlir::Location at) {
      mlir::OpBuilder::InsertionGuard guard(b);
      b.restoreInsertionPoint(inner.saveInsertionPoint());
      mlir::SmallVector<mlir::Value> given = body();
      mlir::scf::YieldOp::create(b, at, given);
    };
  };
  auto made =
      mlir::scf::IfOp::create(b, condition, yielding(yes), yielding(no));
  return mlir::SmallVector<mlir::Value>(made.getResults());
}

/// What one of two bodies gives.
template <class F, class G>
mlir::Value ifElse(mlir::ImplicitLocOpBuilder &b, mlir::Value condition, F yes,
                   G no) {
  auto one = [](auto &body) {
    return [&] { return mlir::SmallVector<mlir::Value>{body()}; };
  };
  return ifElseAll(b, condition, one(yes), one(no))[0];
}

/// A loop from 0 or `low`; `body` is given the counter and what is carried, and
/// returns what is carried on.
template <class F>
mlir::SmallVector<mlir::Value> loop(mlir::ImplicitLocOpBuilder &b, Int low,
                                    Int high, Int step,
                                    mlir::ValueRange carried, F body) {
  auto made = mlir::scf::ForOp::create(
      b, low, high, step, carried,
      [&](mlir::OpBuilder &inner, mlir::Location at, mlir::Value counter,
          mlir::ValueRange now) {
        mlir::OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(inner.saveInsertionPoint());
        mlir::SmallVector<mlir::Value> next = body(Int{&b, counter}, now);
        mlir::scf::YieldOp::create(b, at, next);
      });
  return mlir::SmallVector<mlir::Value>(made.getResults());
}

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_VALUES_H
