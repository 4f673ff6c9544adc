// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is to be proved: variables, hypotheses with their origins, one goal.
// An obligation is plain data with a text form; the generator in checker/
// writes them, the search reads them, the judge rules on them.

#ifndef GIRIH_PROOFS_OBLIGATION_H
#define GIRIH_PROOFS_OBLIGATION_H

#include "proofs/Poly.h"

#include <string_view>
#include <variant>

namespace girih::proofs {

/// Version of the table of definitions below; part of every hash.
inline constexpr int definitionTableVersion = 1;

/// `poly >= 0`, or `poly = 0` when `equality`.
struct Atom {
  bool equality = false;
  Poly poly;
  friend bool operator==(const Atom &, const Atom &) = default;
};

/// One atom, or (`any of`) several alternatives of which at least one holds
/// whole: `branches` is a disjunction of conjunctions. A plain atom is the
/// fact with exactly one branch of exactly one atom.
struct Fact {
  std::vector<std::vector<Atom>> branches;

  static Fact atLeastZero(Poly p) { return {{{{false, std::move(p)}}}}; }
  static Fact zero(Poly p) { return {{{{true, std::move(p)}}}}; }
  static Fact anyOf(std::vector<std::vector<Atom>> b) { return {std::move(b)}; }
  /// The atom of a plain fact, null for a real disjunction.
  const Atom *atom() const {
    return branches.size() == 1 && branches[0].size() == 1 ? &branches[0][0]
                                                           : nullptr;
  }
  friend bool operator==(const Fact &, const Fact &) = default;
};

/// A definition introduces fresh result variables by a total function of its
/// arguments. The table, in full (`definitionFacts` is its code):
///
/// kind      arguments  results  facts                           needs
/// Quotient  a, d       q, r     a - q*d - r = 0; r >= 0;        d - 1 >= 0
///                               d - 1 - r >= 0; q >= 0          a >= 0
/// Select    c, a, b    m        any of (c >= 0, m - a = 0),     -
///                               (-c - 1 >= 0, m - b = 0)
/// Wrap      e, w       v, k     e - k*2^w - v = 0;              w constant,
///                               v + 2^(w-1) >= 0;               2 <= w <= 64
///                               2^(w-1) - 1 - v >= 0
/// Name      e          v        v - e = 0                       -
///
/// `needs` are facts that must stand among the earlier hypotheses of the same
/// obligation, unless they are constants that hold by themselves. A definition
/// is introduced by the first hypothesis that cites it: before, nothing speaks
/// of its results, and its arguments speak of results already introduced only.
struct Definition {
  enum class Kind { Quotient, Select, Wrap, Name };
  Kind kind = Kind::Quotient;
  std::vector<Poly> arguments;
  std::vector<Var> results;
  friend bool operator==(const Definition &, const Definition &) = default;
};

/// Where a hypothesis comes from.
struct Origin {
  enum class Kind {
    Contract,   ///< the launch contract, declared or implied
    Path,       ///< a condition under which control gets here
    Loop,       ///< the range of a loop's counter
    Launch,     ///< block ids lie in the grid
    Region,     ///< an element lies in the tile that a site touches
    Distinct,   ///< two blocks differ
    Value,      ///< the range of a value's machine type
    Given,      ///< contents of a shared tensor, as the contract gives them
    Definition, ///< `definitions[index]`, its fact number `part`
    Proved,     ///< the goal of obligation `index`, renamed
    Trust,      ///< a condition that the kernel trusts
    Invariant,  ///< what a while finds true each time, or when it has ended
  };
  Kind kind = Kind::Contract;
  uint32_t index = 0;
  uint32_t part = 0;
  /// Proved: variables of obligation `index`, each with its name here; those
  /// that are not listed keep their number.
  std::vector<std::pair<Var, Var>> renaming;
  /// What to tell a reader: source text of the fact. Not part of any hash.
  std::string note;
  friend bool operator==(const Origin &, const Origin &) = default;
};

struct Hypothesis {
  Fact fact;
  Origin origin;
  friend bool operator==(const Hypothesis &, const Hypothesis &) = default;
};

/// For all integers: the hypotheses imply `goal >= 0`. The goal -1 says that
/// the hypotheses contradict each other.
struct Obligation {
  std::string rule;     ///< a name from spec/Rules.def
  std::string label;    ///< which instance, for a reader: "axis 0, upper"
  std::string location; ///< file:line:column
  std::vector<std::string> variables; ///< names for a reader, by number
  std::vector<Definition> definitions;
  std::vector<Hypothesis> hypotheses;
  Poly goal;
  /// Polynomials worth a three-way split, major first. A hint for the search:
  /// it is no part of the hash and nobody trusts it.
  std::vector<Poly> splits;
  friend bool operator==(const Obligation &, const Obligation &) = default;
};

/// The negated goal `-goal - 1 >= 0`, which a certificate refutes together
/// with the hypotheses.
Poly negatedGoal(const Obligation &o);

/// The facts that a definition stands for, by the table above; empty when the
/// instance is malformed (wrong number of arguments, width out of range).
std::vector<Fact> definitionFacts(const Definition &d);

/// The facts that a definition needs, by the table above, constants included.
std::vector<Fact> definitionNeeds(const Definition &d);

/// Text of one polynomial: `2*M*q0 - b0 + 1`; names by number when given,
/// else `v0, v1, ...`.
std::string print(const Poly &p, const std::vector<std::string> *names);
std::string print(const Fact &f, const std::vector<std::string> *names);

/// The text form of an obligation: one line an item, see proofs/README.md.
std::string print(const Obligation &o);
/// The part of the text that a certificate depends on: numbers in place of
/// names, no notes, no location, no splits. Hashes are taken over this.
std::string canonicalText(const Obligation &o);

/// Error of a parser: 1-based line and what is wrong.
struct ParseError {
  size_t line = 0;
  std::string message;
};

/// Reads what `print` wrote for a list of obligations.
std::variant<std::vector<Obligation>, ParseError>
parseObligations(std::string_view text);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_OBLIGATION_H
