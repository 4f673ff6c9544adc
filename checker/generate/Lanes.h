// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of integers and of conditions as functions of the lane. Nothing is
// worked out when a vector is made; an op that needs facts of its lanes asks
// for one at any place, and the ops that led to it are followed back from
// there. A broadcast, transpose or extract is another place in its operand, a
// cat a choice by the place.

#ifndef GIRIH_CHECKER_GENERATE_LANES_H
#define GIRIH_CHECKER_GENERATE_LANES_H

#include "checker/generate/Generate.h"
#include "checker/generate/Values.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace girih::checker {

/// The place of a lane: its number on each axis of its vector.
using Lane = std::vector<proofs::Poly>;

/// One axis of the result of tile.inside.
struct InsideAxis {
  proofs::Poly first, extent; ///< of the tile, of what is tiled
  bool isUnit;                ///< no axis of the vector
};

/// That the lane's element lies inside along each axis.
Condition isInside(const std::vector<InsideAxis> &axes, const Lane &at);

/// What is known of scalars and of views, by value.
struct Scalars {
  llvm::DenseMap<mlir::Value, proofs::Poly> integers;
  llvm::DenseMap<mlir::Value, Condition> conditions;
  llvm::DenseMap<mlir::Value, View> views; ///< but for tensors themselves
  /// Of vectors that tile.inside makes.
  llvm::DenseMap<mlir::Value, std::vector<InsideAxis>> insides;

  const proofs::Poly &integer(mlir::Value v) const {
    return integers.find(v)->second;
  }
  Condition condition(mlir::Value v) const;
  /// Of a tensor argument or a view.
  View viewOf(const KernelFacts &k, mlir::Value tensor) const;
};

/// That the theory does not follow the range of such a value.
void noteCountedLanes(KernelFacts &k, mlir::Value v);

/// Reads lanes on behalf of one op. The facts that come with them are visible
/// until the caller releases them; the reader must not outlive these.
class LaneReader {
public:
  LaneReader(KernelFacts &k, const Scalars &scalars, mlir::Operation *op)
      : k(k), base(k.base), scalars(scalars), asking(op) {}

  /// Any lane of a vector of this type: fresh variables and their ranges. An
  /// axis of one lane has none. `other` is for a second lane of the same op.
  Lane any(mlir::VectorType type, bool other = false);

  /// A scalar or a lane.
  proofs::Poly integer(mlir::Value v, const Lane &at);
  Condition condition(mlir::Value v, const Lane &at);

  /// The result of an integer op there; nothing when only its type is known.
  std::optional<proofs::Poly>
  result(mlir::Operation *op, const Lane &at,
         llvm::function_ref<void(const proofs::Poly &)> emitWidth);

private:
  KernelFacts &k;
  FactBase &base;
  const Scalars &scalars;
  mlir::Operation *asking;
  llvm::DenseMap<mlir::Value, std::vector<std::pair<Lane, proofs::Poly>>> known;
  llvm::DenseMap<mlir::Value, bool> formulas;
  size_t depth = 0, visits = 0;

  bool isTooFar() const;
  proofs::Poly compute(mlir::Value v, const Lane &at);
  proofs::Poly counted(tile::IotaOp op, const Lane &at);
  proofs::Poly unknown(mlir::Value v, const Lane &at);
  /// The element that a gather or load brings to a lane, but for its value;
  /// nothing where its tensor has no preconditions.
  std::optional<Lookup> elementAt(mlir::Operation *op, const Lane &at);
  void assumeContents(mlir::Operation *op, const Lane &at,
                      const proofs::Poly &value);
  /// What is given of pairs, of this lane and of elements that were loaded
  /// before.
  void assumeOrder(Lookup l, const proofs::Poly &value, size_t mark);
  Condition follow(mlir::Value v, const Lane &at);
  /// The operand of an op that moves lanes, and the place there; or nothing.
  std::optional<std::pair<mlir::Value, Lane>> moved(mlir::Operation *op,
                                                    const Lane &at);
  /// What tile.cat may have at a place.
  struct Halves {
    proofs::Poly isFirst; ///< at least 0 where it is a lane of the first one
    Lane first, second;   ///< of the operands, whichever is taken
  };
  Halves halves(tile::CatOp op, const Lane &at);
  /// Whether a lane is told by its number, without memory and with nothing
  /// owed, so that what is written of it are definitions alone: those have a
  /// result for each number, whether the vector has such a lane or not.
  bool isFormula(mlir::Value v, size_t deep = 0);
  Lane recast(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to,
              const Lane &at);
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_LANES_H
