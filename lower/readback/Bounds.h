// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of numbers before the kernel runs, and by the slices that it
// has made: all that the bytecode may ask the assembler to believe.

#ifndef GIRIH_LOWER_READBACK_BOUNDS_H
#define GIRIH_LOWER_READBACK_BOUNDS_H

#include "lower/readback/Gate.h"
#include "lower/readback/Kernel.h"
#include "lower/readback/Match.h"
#include "lower/readback/Trace.h"

namespace girih::readback {

class Bounds {
public:
  Bounds(const Entry &entry, const std::vector<Parameter> &parameters,
         KernelValues &values, Matcher &matcher);

  /// Whether an assumption follows from the contract, the conditions of the
  /// variant, or a slice that was made before.
  bool imply(const Assumption &a);
  /// A product of symbols of which each is assumed to be at least 1.
  bool isPositive(Expr e) const;
  /// The kernel makes a view.
  void make(tile::ViewOp view);

  /// Extents of slices that were made on the way here, and how large they are
  /// at most.
  std::map<Expr, int64_t> slices;

private:
  struct Known {
    int64_t low = 0, high = 0;
    std::vector<int64_t> divisors;
  };

  bool isRequired(tile::ComparisonAttr c);
  Known knownOf(const tile::LaunchSymbol &s) const;
  static bool follows(const Assumption &a, const Known &k);
  bool ofParameter(const Assumption &a);
  bool ofProduct(const Assumption &a) const;
  bool ofSlice(const Assumption &a) const;
  int64_t most(Expr extent);

  tile::KernelOp kernel;
  /// Those of the variant, and those of the entry that the contract has.
  std::vector<tile::ComparisonAttr> holds;
  const std::vector<Parameter> &parameters;
  KernelValues &values;
  Matcher &matcher;
  /// Of these, by the symbol that they bound or divide.
  llvm::DenseMap<mlir::StringAttr, std::vector<tile::ComparisonAttr>>
      conditions;
  std::map<Expr, int64_t> assumedLow; ///< of parameters
};

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_BOUNDS_H
