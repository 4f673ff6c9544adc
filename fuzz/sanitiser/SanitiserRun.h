// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the sanitiser share: where a block was at an op, and the
// evaluation of one obligation there.

#ifndef GIRIH_FUZZ_SANITISER_SANITISERRUN_H
#define GIRIH_FUZZ_SANITISER_SANITISERRUN_H

#include "fuzz/sanitiser/Sanitiser.h"

#include <random>

namespace girih::fuzz {

/// An instance of an op, with the numbers that obligations may ask for.
struct Place {
  std::vector<int64_t> block;
  std::vector<std::pair<mlir::Operation *, int64_t>> trips;
  llvm::DenseMap<mlir::Value, Wide> values;
  llvm::DenseMap<mlir::Value, std::vector<Wide>> vectors; ///< row-major
  /// Behind a trip of a while, what its condition region has anew.
  llvm::DenseMap<mlir::Value, Wide> nextValues;
  llvm::DenseMap<mlir::Value, std::vector<Wide>> nextVectors;
  /// At an op on lanes: which one, and another one.
  std::vector<int64_t> lane, other;
  /// Of a claim, or of the claim that a store goes through: the view that is
  /// tiled, and first and last coordinate of its tile on each axis of that
  /// view, clipped there. Of a scatter: the element of the
  /// lane.
  exec::View view;
  std::vector<Wide> low, high;
  std::vector<Wide> tile; ///< its extents, not clipped

  std::optional<Wide> trip(mlir::Operation *loop) const;
  /// The coordinates that an element of the tensor has in the view; of one that
  /// is not in it, such as come near.
  std::vector<Wide> inView(const std::vector<Wide> &element) const;
  /// Those in the view and in the ones below it that are flattened.
  std::vector<std::vector<Wide>>
  inViews(const std::vector<Wide> &element) const;
  /// The element of the tensor at coordinates of the view.
  std::vector<Wide> element(const std::vector<Wide> &inView) const;
  /// Whether the element is in the tile.
  bool contains(const std::vector<Wide> &element) const;
};

/// What one obligation says of one environment.
struct Opinion {
  std::vector<size_t> falseHypotheses;
  /// A hypothesis that speaks of what has no number here.
  std::optional<size_t> untold;
  /// A division that is none: the judge demands the facts that forbid it, so
  /// where they stand they are false hypotheses, else there is no proof.
  bool undefined = false;
  /// The value of the goal.
  std::optional<Wide> slack;

  bool goal() const { return slack.value_or(-1) >= 0; }
};

class SanitiserRun {
public:
  SanitiserRun(tile::KernelOp kernel, const checker::Generated &generated,
               const exec::Options &run, const SanitiserOptions &options,
               SanitiserReport &report)
      : kernel(kernel), generated(generated), run(run), options(options),
        report(report), random(options.seed) {}

  tile::KernelOp kernel;
  const checker::Generated &generated;
  const exec::Options &run;
  const SanitiserOptions &options;
  SanitiserReport &report;
  std::mt19937_64 random;
  /// Claims by op, a sample where there are many; stores, all of them.
  llvm::DenseMap<mlir::Operation *, std::vector<Place>> claims, stores;

  /// What shared tensors of integers hold that the contract gives something
  /// about, by argument number.
  std::map<unsigned, exec::Array> contents;

  void problem(const std::string &text);
  void problem(const checker::Vc &vc, const std::string &text,
               const Place *place = nullptr);
  bool full() const { return report.problems.size() >= options.maxProblems; }

  /// The number of a variable that is no element and not defined; of the launch
  /// alone when there is no place.
  std::optional<Wide> supply(const checker::Variable &v, const Place *place);

  /// The number of a variable that speaks of the contents of a shared tensor,
  /// which are the same all through the run: an element, or where one lies.
  std::optional<Wide> supplyContent(const checker::Variable &v,
                                    const std::vector<Wide> &numbers) const;

  /// The place that has the numbers of a variable.
  using Where = llvm::function_ref<const Place *(const checker::Variable &)>;

  /// Evaluates definitions, hypotheses in order, and the goal. Lanes of vectors
  /// get their numbers on the way, as soon as it is known which lanes they are.
  Opinion ask(const checker::Vc &vc, Environment &env, Where where);

  /// Reports what must never be: a false hypothesis, or one about nothing. True
  /// when there is none.
  bool sound(const checker::Vc &vc, const Opinion &opinion,
             const Place *place = nullptr);

  /// The extents of a tensor argument in this run.
  std::vector<int64_t> extents(int tensor);
};

/// Whether an op belongs to what a loop states each time: the condition region
/// of a while, or the head of a body up to its last invariant.
bool isEvaluated(mlir::Operation *op);

/// What ends a trip of a loop; null for an op that is none.
mlir::Operation *endOfTrip(mlir::Operation *loop);

/// What the rules demand not to be negative, by rule.
using Slacks = std::vector<std::pair<Rule, Wide>>;

/// The demands at an instance of an op, but for those of each trip of a loop;
/// of an op on lanes those of the lane with this number.
Slacks slacksOf(SanitiserRun &run, mlir::Operation *op,
                const exec::Instance &instance, size_t lane = 0);

/// Of an op with obligations for each of its lanes their type, else null.
mlir::VectorType laneType(mlir::Operation *op);

/// Whether the op's mask, if it has one, lets the lane with this number
/// through.
bool isActive(mlir::Operation *op, const exec::Instance &instance, size_t lane);

/// The place of a lane by its number in row-major order, and back; nothing when
/// there is no such lane.
std::vector<int64_t> laneAt(mlir::VectorType type, size_t number);
std::optional<size_t> laneNumber(mlir::VectorType type,
                                 llvm::ArrayRef<Wide> lane);

/// Pairs of claims of different blocks.
void sanitisePairs(SanitiserRun &run);
/// Elements of out tensors.
void sanitiseCoverage(SanitiserRun &run);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SANITISER_SANITISERRUN_H
