// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Witness synthesis: from an element back to its writer. The tile indices of a
// claim are solved for block ids and trip numbers.

#ifndef GIRIH_CHECKER_GENERATE_WITNESS_H
#define GIRIH_CHECKER_GENERATE_WITNESS_H

#include "checker/generate/Generate.h"

namespace girih::checker {

/// The names of all variables so far, by number.
std::vector<std::string> variableNames(const FactBase &base);

/// Solves `index = tile coordinate`, an equation an axis, for block ids and
/// trip numbers, from the outside in.
class WitnessSynthesis {
public:
  WitnessSynthesis(KernelFacts &k, const Write &w,
                   const std::set<proofs::Var> &constants);

  void equate(const proofs::Poly &left, const proofs::Poly &right) {
    equations.push_back(left - right);
    sides.emplace_back(left, right);
  }

  /// That a coordinate of the element is below the extent.
  void limit(const proofs::Poly &coordinate, const proofs::Poly &extent) {
    limits.push_back({coordinate, extent});
  }

  /// A number below the extent of a tile: it is what the equations make it.
  void addLane(proofs::Var v) { unknown.insert(v); }

  /// Whether the block or a trip, as far as they are open, decides it.
  bool isOpen(const proofs::Poly &p) const { return !unknowns(p).empty(); }

  /// The polynomial with what is solved.
  proofs::Poly insert(proofs::Poly p) const;

  bool speaksOfMemory(const proofs::Poly &p) const;

  /// The terms without open variables, and the others.
  std::pair<proofs::Poly, proofs::Poly> parts(const proofs::Poly &p) const;

  /// True when every equation is solved, or, with the inverse of a map, every
  /// block id and trip is known. Digits come last: what looks like two of them
  /// may have one that another equation determines.
  bool solve();

  /// What was guessed where equations leave something open; or nothing.
  const std::string &guess() const { return guessed; }

  /// Takes values that may wrap for what they are where they do not; that they
  /// do not is part of what is proved of the witness. False where there are
  /// none.
  bool takeWrapsForExact(const Write &w);

  /// Takes the value from a `covers` clause.
  void fix(proofs::Var v, const proofs::Poly &value) { known[v] = value; }

  proofs::Poly value(proofs::Var v) const;

  /// Of a coordinate that counts from a loaded one: where an array of splits
  /// tells from which, that is known afterwards.
  void countFromSegment(const proofs::Poly &coordinate);

  /// What is left where `solve` does not find a witness.
  Obstacle obstacle() const;

  /// The elements of tensors that tell who writes the element.
  const std::vector<Lookup> &lookedUp() const { return contents; }

private:
  KernelFacts &k;
  const std::set<proofs::Var> &constants;
  std::set<proofs::Var> unknown;
  std::map<proofs::Var, proofs::Poly> known;
  /// Values that may wrap and what they are where they do not, the last first.
  std::vector<std::pair<proofs::Var, proofs::Poly>> exact;
  std::vector<proofs::Poly> equations; ///< each is 0
  /// Equations as they were asked: an index, and where the element is.
  std::vector<std::pair<proofs::Poly, proofs::Poly>> sides;
  /// Conditions of branches: 0 where the store happens, or at least 0.
  std::vector<proofs::Poly> equalities, bounds;
  std::vector<proofs::Definition> definitions; ///< of unknowns, not used yet
  std::vector<proofs::Definition> all;         ///< used ones too
  std::vector<proofs::Var> wanted;             ///< block ids, trips and lanes
  const std::vector<Lookup> &lookups;          ///< at the store
  /// Elements of shared tensors at places that the launch determines: each
  /// block that loads one finds the same number.
  std::set<proofs::Var> fixed;
  std::vector<Lookup> contents;
  /// What is known to be below what: coordinates, and numbers of which they are
  /// the digits.
  struct Limit {
    proofs::Poly number, limit;
    bool isComposed = false;
  };
  std::vector<Limit> limits;
  bool byInverse = false; ///< by the inverse of a map
  mutable std::string guessed;

  /// Takes the first item out of the list for which `use` is true.
  template <typename T, typename F>
  static bool any(std::vector<T> &list, const F &use) {
    for (size_t i = 0; i < list.size(); ++i) {
      const T item = list[i];
      if (use(item)) {
        list.erase(list.begin() + i);
        return true;
      }
    }
    return false;
  }

  /// p = coefficient * v + rest, when v occurs in no higher power.
  static std::optional<std::pair<proofs::Poly, proofs::Poly>>
  linear(const proofs::Poly &p, proofs::Var v);

  std::vector<proofs::Var> unknowns(const proofs::Poly &p) const;

  /// Whether v is loaded or carried. A witness may not depend on such a value:
  /// another block, or another trip, may read another one.
  bool isFromMemory(proofs::Var v) const;

  /// One thing more that is known. What needs no guess comes first, and digits
  /// behind the rest: what looks like two of them may have one that another
  /// equation determines.
  bool step();

  /// The value of v where p = 0, when v has the coefficient 1 or -1.
  static std::optional<proofs::Poly> solution(const proofs::Poly &p,
                                              proofs::Var v);

  /// Solves p = 0 for its only unknown.
  bool solveOne(const proofs::Poly &p);

  /// Where equations leave one unknown open: a condition of a branch that it is
  /// equal to something, or the least value that is not below.
  bool solveBranch();

  /// Solves p = 0 for two unknowns that are the digits of a number:
  /// x + y * s = n gives x = n mod s and y = n div s.
  bool solveTwo(const proofs::Poly &p);

  /// From the results of a definition, once they are known, to its arguments.
  bool invert(const proofs::Definition &d);

  /// The number that a quotient and a remainder make.
  proofs::Poly composed(const proofs::Poly &quotient,
                        const proofs::Poly &divisor,
                        const proofs::Poly &remainder);

  /// From the arguments of a definition, once they are known, to its results.
  bool evaluate(const proofs::Definition &d);

  /// c(x) >= 0 ? a(x) : b(x) is the value for x from a, if x >= 0 and c(x) >= 0
  /// hold there, else for x from b: blocks and trips are counted from 0.
  bool invertSelect(const proofs::Definition &d, const proofs::Poly &value);

  bool digits(const proofs::Poly &p, proofs::Var x, proofs::Var y);

  /// Quotient and remainder, once it is proved that there are such.
  std::pair<proofs::Poly, proofs::Poly> divided(const proofs::Poly &number,
                                                const proofs::Poly &scale);

  /// The quotient of p = 0 by the only coefficient that is no constant, for one
  /// of three unknowns or more; an equation for the others is left.
  bool solveLargest(const proofs::Poly &p);

  /// (x + c) mod n = r gives x = (r + n - c mod n) mod n, where x is below n.
  bool invertRotation(const proofs::Definition &d);

  /// Where a definition of a block id or trip is solved in part, it waits for
  /// others: from arguments to results.
  bool evaluateNext();

  /// The only loaded value in p, with the coefficient 1 or -1, and what it is
  /// where p = 0; or nothing.
  std::optional<std::pair<const Lookup *, proofs::Poly>>
  loadedIn(const proofs::Poly &p) const;

  /// t[x] = n gives the place at which t holds n, of contents that are all the
  /// numbers of a range.
  bool invertContents(const proofs::Poly &p);

  /// t[x] + y = n, where t splits a range: x is the segment that has n, and y
  /// counts from its beginning. The equation is left, without t[x].
  bool findSegment(const proofs::Poly &p);
  bool findSegment(const Lookup &l, const proofs::Poly &limit);

  /// Whether v decides it, through definitions too.
  bool dependsOn(const proofs::Poly &p, proofs::Var v) const;

  /// An order of tiles that undoes itself: what is written at x is at the place
  /// that x has in this order. The last guess.
  bool guessInvolution();
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_WITNESS_H
