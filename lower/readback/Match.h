// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel computes from floats or by reductions is opaque to the proof:
// it holds for any number of the type. So any number of that type will do in
// the bytecode, too, if it is computed from floats or by a reduction, does not
// depend on what comes later, and is the same number wherever the kernel has
// that value. The matcher finds which expression stands for which opaque value
// and holds every later use to it.

#ifndef GIRIH_LOWER_READBACK_MATCH_H
#define GIRIH_LOWER_READBACK_MATCH_H

#include "lower/readback/Expr.h"

namespace girih::readback {

class Matcher {
public:
  explicit Matcher(Pool &pool) : pool(pool) {}

  /// Whether the bytecode's expression is the kernel's. What it finds of opaque
  /// values is kept if so, and forgotten if not.
  bool matches(Expr wanted, Expr got);
  /// The kernel's expression with all that is known by now.
  Expr known(Expr wanted);

private:
  bool match(Expr wanted, Expr got);
  bool bind(Expr opaque, Expr got);
  bool isAdmitted(Expr opaque, Expr got) const;
  bool matchParts(std::vector<Expr> wanted, std::vector<Expr> got);
  bool matchSum(Expr wanted, Expr got);
  bool solve(Expr wanted, Expr got, Expr difference, Expr opaque);
  bool pair(Expr wanted, Expr got, Expr difference, const Monomial &monomial,
            uint64_t factor, Expr atom);

  Pool &pool;
  /// By the number of the opaque value, over lanes numbered as its arguments.
  std::map<int64_t, Expr> bound;
};

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_MATCH_H
