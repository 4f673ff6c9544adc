// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a kernel's operations in program order: the obligations of
// each, and what is known after it. Body.cpp follows control and scalars,
// Memory.cpp views and accesses, LaneAccess.cpp what goes lane by lane.

#ifndef GIRIH_CHECKER_GENERATE_BODY_H
#define GIRIH_CHECKER_GENERATE_BODY_H

#include "checker/generate/Generate.h"
#include "checker/generate/Lanes.h"

namespace girih::checker {

/// The tile dims of a partition as extents: a unit axis is 1 wide.
std::vector<int64_t> tileExtents(llvm::ArrayRef<int64_t> tile);

/// Reads the body of one kernel.
class Walk {
public:
  explicit Walk(KernelFacts &k) : k(k), base(k.base) {}

  void run();

private:
  KernelFacts &k;
  FactBase &base;
  Scalars scalars;
  llvm::DenseMap<mlir::Value, proofs::Poly> &integers = scalars.integers;
  llvm::DenseMap<mlir::Value, Condition> &conditions = scalars.conditions;
  llvm::DenseMap<mlir::Value, const Site *> pieces;
  std::vector<std::pair<mlir::Operation *, proofs::Var>> trips;
  /// Integers that the whiles around carry.
  std::vector<proofs::Poly> carried;
  /// Whether the facts in scope are all that it takes to get here.
  bool certain = true;

  void block(mlir::Block &b);
  void operations(mlir::Block::iterator from, mlir::Block::iterator to);

  const proofs::Poly &integer(mlir::Value v) { return scalars.integer(v); }
  Condition condition(mlir::Value v) { return scalars.condition(v); }
  unsigned bits(mlir::Type t) const { return integerBits(t, base.width); }
  View viewOf(mlir::Value tensor) const { return scalars.viewOf(k, tensor); }

  /// A value about which only its type is known.
  void unknown(mlir::Value v);
  proofs::Var fresh(mlir::Value v);

  /// What is known of an integer; without it, its type.
  void assign(mlir::Value v, const std::optional<proofs::Poly> &p);

  /// That an index holds a result. What is too large to follow as a polynomial
  /// is not known to fit.
  void emitWidth(mlir::Operation *op, const proofs::Poly &exact);

  /// True when an index holds the constant, which then has no obligation.
  bool emitConstant(mlir::Operation *op, proofs::Int v);
  void emitConstants(mlir::arith::ConstantOp op);

  /// An op of arith, scalar or vector.
  void arithmetic(mlir::Operation *op);

  /// The obligations of each lane of an op of arith. What the lanes are is
  /// followed when it is asked for.
  void lanes(mlir::Operation *op);

  void bounds(Rule rule, mlir::Operation *op, tile::PartitionType type,
              const View &view, llvm::ArrayRef<proofs::Poly> indices);
  std::vector<proofs::Poly> indices(mlir::ValueRange values);
  std::vector<proofs::Poly> numbers(tile::ViewOp op,
                                    llvm::ArrayRef<tile::ViewNumber> list);
  View slice(tile::ViewOp op, View v);
  View unfold(tile::ViewOp op, View v);
  View fix(tile::ViewOp op, View v);
  View flatten(tile::ViewOp op, View v);
  void view(tile::ViewOp op);
  void claim(tile::ClaimOp op);

  /// Without pad a tile must lie inside, on every axis that is tiled.
  void emitWhole(tile::LoadOp op, const View &view,
                 llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<proofs::Poly> at);

  /// One element of a shared tensor, which is a function of its place.
  void lookup(tile::LoadOp op, int tensor, std::vector<proofs::Poly> at);

  /// One element of an own tensor. Proofs know nothing of it, models are told
  /// what was stored.
  void readBack(tile::LoadOp op, const Site &site);
  void load(tile::LoadOp op);
  void iota(tile::IotaOp op);
  void inside(tile::InsideOp op);

  /// A lane that the mask lets through; true when the facts say all of that.
  bool assumeMask(LaneReader &reader, mlir::Value mask, const Lane &at);

  /// Where a lane goes.
  std::vector<proofs::Poly> place(LaneReader &reader, mlir::ValueRange indices,
                                  const Lane &at);

  void laneBounds(Rule rule, mlir::Operation *op, const View &view,
                  llvm::ArrayRef<proofs::Poly> at);

  /// Of an op that asks nothing of its active lanes but that they lie inside:
  /// a gather, or an atomic scatter, whose lanes may meet.
  void anyLane(Rule rule, mlir::Operation *op, mlir::Value tensor,
               mlir::ValueRange indices, mlir::Value mask);

  /// A claim of the element of each lane, and the store to it.
  void scatter(tile::ScatterOp op);
  void loop(mlir::scf::ForOp op);
  /// What a loop states at the head of its body, in its first trip or behind
  /// another one, where there is such a trip.
  void stateAt(mlir::scf::ForOp op, Evaluation which,
               const proofs::Poly &counter, mlir::ValueRange carried);

  /// By induction over the evaluations of the condition region. What it owes
  /// is owed of the initial values, and of those that a trip yields.
  void loop(mlir::scf::WhileOp op);
  /// The condition region, with what its arguments are known to be; what the
  /// measure is less than, behind a trip.
  void evaluate(mlir::scf::WhileOp op, Evaluation which,
                const proofs::Poly *before = nullptr);
  /// That the condition is true.
  void goOn(mlir::scf::ConditionOp op);
  /// Any evaluation: of what the loop carries only what the region states is
  /// known, and what each trip yields as it was.
  void evaluateAny(mlir::scf::WhileOp op);
  /// Some values are what others are, all at once.
  void bind(mlir::ValueRange to, mlir::ValueRange from);
  /// What a loop carries is unknown inside and behind it, unless each trip
  /// yields it as it was.
  void carry(mlir::scf::ForOp op, unsigned i, mlir::Value v);
  /// A branch that is taken where `taken` is at least 0, if that is there.
  void branch(mlir::Region &region, const Condition &c,
              const std::optional<proofs::Poly> &taken);

  /// Where both branches write, a condition that the facts do not say in full
  /// is a number of its own, 0 or 1, so that one of the two happens.
  std::optional<proofs::Poly> opaque(mlir::scf::IfOp op, const Condition &c);
  void conditional(mlir::scf::IfOp op);

  /// Emitted part by part; what is proved is a fact, and of an equality both
  /// halves are, one after the other. Of alternatives a number says that one
  /// holds.
  void prove(mlir::Operation *op, Rule rule, const Condition &c);
  void invariant(tile::InvariantOp op);
  void trust(tile::TrustOp op);
  void tileOperation(mlir::Operation *op);

  /// Of an op whose results are not followed.
  void results(mlir::Operation *op);
  void operation(mlir::Operation *op);
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_BODY_H
