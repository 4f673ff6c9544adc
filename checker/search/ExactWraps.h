// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of few bits that do not wrap. The bounds that say so are obligations
// of their own: from what was known before the value alone, each a goal like
// that of `index.width`. A goal behind them then speaks of the exact value, and
// the search multiplies no powers of two.

#ifndef GIRIH_CHECKER_SEARCH_EXACTWRAPS_H
#define GIRIH_CHECKER_SEARCH_EXACTWRAPS_H

#include "checker/search/Canonical.h"

#include <functional>

namespace girih::search {

/// A certificate for a bound of the value of that name, or none.
using LemmaSearch = std::function<std::optional<proofs::Certificate>(
    const Canonical &, const std::string &name)>;

/// The values of an obligation that are shown not to wrap.
class ExactWraps {
public:
  explicit ExactWraps(const proofs::Obligation &o) : o(o) {}

  /// Whether an obligation has values that may wrap.
  static bool concerns(const proofs::Obligation &o);

  /// Shows what it can of the values that the goal hangs on.
  void prove(const LemmaSearch &find);

  /// Behind the hypotheses and the negated goal: of each such value both bounds
  /// and that it wraps 0 times.
  std::vector<proofs::Fact> facts() const;

  /// A certificate for the obligation, from one that may use those facts.
  proofs::Certificate over(proofs::Certificate inner) const;

private:
  /// One value and the proofs of its bounds.
  struct Exact {
    size_t definition;
    proofs::Certificate low, high;
  };

  const proofs::Obligation &o;
  std::vector<Exact> all;

  std::optional<proofs::Certificate>
  bound(size_t definition, const std::vector<char> &use,
        const proofs::Poly &goal, size_t facts, const LemmaSearch &find) const;
  uint32_t factOf(size_t definition, uint32_t part) const;
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_EXACTWRAPS_H
