// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on indices as the checker reads them: comparisons of polynomials
// under and, or, not. What it can't read is `unknown`, which says nothing.

#ifndef GIRIH_CHECKER_GENERATE_CONDITION_H
#define GIRIH_CHECKER_GENERATE_CONDITION_H

#include "proofs/Obligation.h"

#include <memory>

namespace girih::checker {

class Condition {
public:
  enum class Kind { Unknown, AtLeastZero, Zero, And, Or };

  static Condition unknown() { return {}; }
  static Condition atLeastZero(proofs::Poly p);
  static Condition zero(proofs::Poly p);
  static Condition both(Condition a, Condition b);
  static Condition either(Condition a, Condition b);
  static Condition constant(bool value);
  static Condition of(const proofs::Fact &fact);

  Kind getKind() const { return kind; }
  Condition negated() const;

  /// Alternatives of which one holds whole when the condition holds; an empty
  /// alternative says nothing. Nothing when there would be more than `limit`.
  std::optional<std::vector<std::vector<proofs::Atom>>>
  alternatives(size_t limit = 64) const;

  /// The condition as facts, weaker where a part of it is unknown or has too
  /// many alternatives.
  std::vector<proofs::Fact> facts() const;

  /// True when the facts say all of it, so that who proves them proves it.
  bool isExact() const;

  const proofs::Poly &poly() const { return p; }
  const Condition &left() const { return (*parts)[0]; }
  const Condition &right() const { return (*parts)[1]; }

private:
  bool isKnown() const;

  Kind kind = Kind::Unknown;
  size_t size = 1; ///< comparisons in it, each as often as it is said
  proofs::Poly p;
  std::shared_ptr<const std::vector<Condition>> parts;
};

/// The negation of an alternative, as one fact: some atom in it fails.
proofs::Fact refusal(const std::vector<proofs::Atom> &alternative);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_CONDITION_H
