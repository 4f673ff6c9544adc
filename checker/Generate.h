// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel to the list of its obligations: a function of the kernel (and
// of the width) alone, whatever the search will find. Split by what is owed:
// Contract.cpp the launch, Body.cpp the walk over the operations, Disjoint.cpp
// the pairs of claims, Coverage.cpp the outputs.

#ifndef GIRIH_CHECKER_GENERATE_H
#define GIRIH_CHECKER_GENERATE_H

#include "checker/Condition.h"
#include "checker/Facts.h"

#include <set>

namespace girih::checker {

/// A claim: which tile of which tensor, and what holds there.
struct Site {
  tile::ClaimOp op;
  int tensor = -1;
  std::vector<int64_t> tile;         ///< 1 for a unit axis
  std::vector<proofs::Poly> indices; ///< one an axis
  std::vector<std::pair<mlir::Operation *, proofs::Var>> trips; ///< enclosing
  FactList facts;
};

/// A store through a claim, with the facts at the store.
struct Write {
  tile::StoreOp op;
  const Site *site = nullptr;
  std::vector<std::pair<mlir::Operation *, proofs::Var>> trips;
  FactList facts;
  /// False under a branch whose condition the facts do not say in full: such
  /// a store may not happen and covers nothing.
  bool certain = true;
};

/// What the stages hand on to each other.
struct KernelFacts {
  explicit KernelFacts(tile::KernelOp kernel, Width width)
      : kernel(kernel), base(width) {}

  tile::KernelOp kernel;
  FactBase base;
  std::map<std::string, proofs::Var> symbols;
  std::vector<proofs::Poly> grid;
  std::vector<proofs::Var> blockIds; ///< one an axis of the grid
  /// Facts of the launch: what two blocks share.
  size_t launchFacts = 0;
  size_t launchVariables = 0;
  /// One past the last variable of the body.
  size_t bodyVariables = 0;
  std::vector<std::unique_ptr<Site>> sites;
  std::vector<Write> writes;
  /// How each out tensor is covered: `block (i / 128, j / 256)`, for a reader.
  std::vector<std::string> witnesses;
};

/// The launch: symbols, implied bounds, requirements, grid.
void oweContract(KernelFacts &k);
/// Each operation in program order.
void oweBody(KernelFacts &k);
/// Pairs of claims on one tensor.
void oweDisjoint(KernelFacts &k);
/// Outputs.
void oweCoverage(KernelFacts &k);

/// What a kernel owes, in program order.
struct Generated {
  std::vector<Owed> owed;
  /// Not owed but asked: the facts of the launch with every extent and the grid
  /// at least 1, and the goal -1. Its model is a launch that the contract
  /// admits.
  Owed satisfiable;
  std::vector<std::string> witnesses;
};

/// All of it, in that order.
Generated generate(tile::KernelOp kernel, Width width);

/// The variables that the launch alone determines: its symbols, and results of
/// definitions over nothing else. They are the same in every block.
std::set<proofs::Var> launchConstants(const KernelFacts &k,
                                      const FactList &facts);

/// Whether every variable of a fact is among these.
bool speaksOnlyOf(const proofs::Fact &f, const std::set<proofs::Var> &vars);

/// The extents of a tensor argument as polynomials over the launch symbols.
std::vector<proofs::Poly> extents(const KernelFacts &k,
                                  tile::TileTensorType type);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_H
