// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between lanes: moving them, reducing an axis, mma.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_VECTOROPS_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_VECTOROPS_H

#include "spec/executor/numerics/Value.h"

#include "llvm/ADT/ArrayRef.h"

namespace girih::exec {

/// vector.broadcast: axes are aligned at the right, an axis of 1 repeats.
Value broadcast(const Value &from, llvm::ArrayRef<int64_t> fromShape,
                llvm::ArrayRef<int64_t> toShape);

/// vector.transpose: axis k of the result is axis permutation[k] of `from`.
Value transpose(const Value &from, llvm::ArrayRef<int64_t> fromShape,
                llvm::ArrayRef<int64_t> permutation);

/// tile.extract: lane l of the result is lane position * shape + l, axis by
/// axis.
Value extract(const Value &from, llvm::ArrayRef<int64_t> fromShape,
              llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> position);

enum class Reduction { Add, Mul, Max, Min };

/// The lanes along one axis: lane (o, k, i) is o * length * inner + k * inner
/// + i.
struct Axis {
  int64_t outer, length, inner;
};

/// tile.cat: along the axis the lanes of `first`, then those of `second`, which
/// have it as well.
Value cat(const Value &first, const Value &second, Axis axis);

/// tile.reduce on floats and on integers of `bits` bits, which wrap.
Value reduceFloats(Reduction, Kind kind, const Value &from, Axis axis);
Value reduceIntegers(Reduction, unsigned bits, const Value &from, Axis axis);

/// tile.scan likewise: the lanes up to each, or with `reverse` from it on.
Value scanFloats(Reduction, Kind kind, const Value &from, Axis axis,
                 bool reverse);
Value scanIntegers(Reduction, unsigned bits, const Value &from, Axis axis,
                   bool reverse);

/// tile.argmax, or tile.argmin: the first lane that no other one exceeds; NaN
/// exceeds all numbers either way.
Value argumentOfFloats(bool largest, const Value &from, Axis axis);
Value argumentOfIntegers(bool largest, const Value &from, Axis axis);

/// rows x depth times depth x columns.
struct MmaShape {
  int64_t rows, columns, depth;
};

/// Blocks of factors with one scale each: lane (o, k, i) of scales belongs to
/// lanes (o, k * block + r, i) of the factors, r below `block`.
struct Blocks {
  int64_t outer, blocks, block, inner;
};

/// The factors of tile.mma_scaled with the magnitudes of their scales; exact.
Value scaled(const Value &factors, const Value &scales, Blocks blocks);

/// How another implementation may add.
struct Adding {
  std::optional<int64_t> roundings = {}; ///< else one a term
  int lostDigits = 0;                    ///< of those that the accumulator has
};
/// What sums of `tile.mma fast` lose: they keep 13 binary digits of 24.
constexpr int lostByFastSums = 11;

/// The same f32 numbers with bounds for whoever takes them to tf32.
Value fewerDigits(const Value &factors);

/// tile.mma on floats, the accumulator of `kind`, and on integers.
Value mmaFloats(Kind kind, MmaShape shape, const Value &lhs, const Value &rhs,
                const Value &acc, Adding adding = {});
Value mmaIntegers(unsigned bits, MmaShape shape, const Value &lhs,
                  const Value &rhs, const Value &acc);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_VECTOROPS_H
