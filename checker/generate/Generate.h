// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel to the list of its obligations: a function of the kernel (and
// of the width) alone, whatever the search will find. Split by kind of
// obligation: Contract.cpp the launch, Body.h the walk over the operations,
// Disjoint.cpp the pairs of claims, Coverage.cpp the outputs.

#ifndef GIRIH_CHECKER_GENERATE_GENERATE_H
#define GIRIH_CHECKER_GENERATE_GENERATE_H

#include "checker/generate/Condition.h"
#include "checker/generate/Facts.h"
#include "checker/generate/View.h"

#include <set>

namespace girih::checker {

/// A claim: which tile of which tensor, and what holds there. A scatter claims
/// the element of any one of its lanes, a tile of one element.
struct Site {
  mlir::Operation *op = nullptr;
  int tensor = -1;                   ///< the root
  View view;                         ///< what is tiled
  std::vector<int64_t> tile;         ///< 1 for a unit axis
  std::vector<proofs::Poly> indices; ///< one an axis of the view
  std::vector<std::pair<mlir::Operation *, proofs::Var>> trips; ///< enclosing
  std::vector<proofs::Var> lanes; ///< of a scatter
  std::vector<proofs::Poly> carried; ///< by the whiles around
  FactList facts;
  std::vector<Lookup> lookups;
};

/// A store through a claim, or a scatter, with the facts there.
struct Write {
  mlir::Operation *op = nullptr;
  const Site *site = nullptr;
  std::vector<std::pair<mlir::Operation *, proofs::Var>> trips;
  FactList facts;
  std::vector<Lookup> lookups;
  /// False under a branch whose condition the facts do not say in full: such
  /// a store may not happen and covers nothing.
  bool certain = true;
};

/// The obligations of a condition that the kernel states.
Rule proveRule(tile::ProveKind kind);

/// A fact that the contract gives about contents, its expressions followed.
struct Precondition {
  tile::GivenKind kind = tile::GivenKind::Within;
  int tensor = -1;
  proofs::Poly low, high; ///< as far as the kind has them
  std::string note;       ///< "given within(%t, 0, V)"
};

/// What the stages hand on to each other.
struct KernelFacts {
  KernelFacts(tile::KernelOp kernel, Width width, size_t units)
      : kernel(kernel), base(width, units) {}

  tile::KernelOp kernel;
  FactBase base;
  std::map<std::string, proofs::Var> symbols;
  std::vector<proofs::Poly> grid;
  std::vector<Precondition> givens;
  std::vector<proofs::Var> blockIds; ///< one an axis of the grid
  /// Facts of the launch: what two blocks share.
  size_t launchFacts = 0;
  size_t launchVariables = 0;
  /// One past the last variable of the body.
  size_t bodyVariables = 0;
  std::vector<std::unique_ptr<Site>> sites;
  std::vector<Write> writes;
  /// Who writes each out tensor, for a reader:
  /// `%c[element0] by %i = div(element0, 128)`.
  std::vector<std::string> witnesses;
  /// What the generator in Coq does not do as this one does; or nothing.
  std::string beyondTheory;
};

/// The launch: symbols, implied bounds, requirements, grid.
void emitContract(KernelFacts &k);
/// Each operation in program order.
void emitBody(KernelFacts &k);
/// Pairs of claims on one tensor, or of classes of them where they are many.
void emitDisjoint(KernelFacts &k);
/// Whether claims of a tensor are so many.
bool comparesClasses(tile::KernelOp kernel);
/// Outputs.
void emitCoverage(KernelFacts &k);

/// The verification conditions of a kernel, in program order.
struct Generated {
  std::vector<Vc> vcs;
  /// No obligation, but asked: the facts of the launch with every extent and
  /// the grid at least 1, and the goal -1. Its model is a launch that the
  /// contract admits.
  Vc satisfiable;
  std::vector<std::string> witnesses;
  /// What keeps the theory from following, see KernelFacts.
  std::string beyondTheory;
  /// The kernel has more obligations than are kept: none is.
  std::optional<TooLarge> tooLarge;
  size_t unitsLeft = 0; ///< see maxFactUnits
};

/// What is given of one element, as facts: its range, and the ends of splits.
void assumeGiven(KernelFacts &k, const Lookup &l);

/// What is given of two elements, as facts: their values are ordered, distinct
/// or the same as their places are.
void assumeGiven(KernelFacts &k, const Lookup &a, const Lookup &b);

/// Whether something is given of two elements of a tensor.
bool isOrdered(const KernelFacts &k, int tensor);

/// Of one tensor the last so many lookups before a place are compared with
/// others: more would be quadratically many facts.
inline constexpr size_t maxLookups = 8;

/// The lookups in a list that are compared with others, by tensors that
/// something is given about.
std::vector<Lookup> comparedLookups(const KernelFacts &k,
                                    llvm::ArrayRef<Lookup> all);

/// That contents exist which keep what is given: true of every launch that the
/// contract admits, and, but for elements that share memory, of no other. Of
/// tensors that have no elements this asks nothing; where there are none it is
/// simpler.
std::vector<proofs::Fact> feasibilityFacts(const KernelFacts &k,
                                           bool mayBeEmpty);

/// What a model must keep, see Vc::contents.
std::vector<proofs::Fact> contentsFacts(const KernelFacts &k,
                                        llvm::ArrayRef<Lookup> lookups);

/// All of it, in that order, or that it is too much.
Generated generate(tile::KernelOp kernel, Width width,
                   size_t units = maxFactUnits);

/// The variables that the launch alone determines: its symbols, and results of
/// definitions over nothing else. They are the same in every block.
std::set<proofs::Var> launchConstants(const KernelFacts &k,
                                      const FactList &facts);

/// Whether every variable of a fact is among these.
bool speaksOnlyOf(const proofs::Fact &f, const std::set<proofs::Var> &vars);

/// An expression of the contract as a polynomial; its divisions are obligations
/// under `rule` before they are used. Names that are not in `names` are launch
/// symbols.
proofs::Poly expressionOver(KernelFacts &k, tile::ExprAttr e,
                            const std::map<std::string, proofs::Poly> &names,
                            Rule rule);

/// The extents of a tensor argument as polynomials over the launch symbols.
std::vector<proofs::Poly> extents(const KernelFacts &k,
                                  tile::TileTensorType type);
/// Its strides in elements; row-major packed where the type names none.
std::vector<proofs::Poly> stridesOf(const KernelFacts &k,
                                    tile::TileTensorType type);
/// The strides that its type names, or none.
std::vector<proofs::Poly> explicitStrides(const KernelFacts &k,
                                          tile::TileTensorType type);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_GENERATE_H
