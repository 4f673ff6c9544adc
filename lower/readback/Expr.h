// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of a launch as expressions, so that what the bytecode computes and
// what the kernel says can be compared: equal expressions are one object.

#ifndef GIRIH_LOWER_READBACK_EXPR_H
#define GIRIH_LOWER_READBACK_EXPR_H

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace girih::readback {

struct Node;
using Expr = const Node *;

/// A product of expressions that are no sums, sorted.
using Monomial = std::vector<Expr>;

/// In the order in which expressions were made, the same in every run.
struct ById {
  bool operator()(const Monomial &a, const Monomial &b) const;
};
/// Of a sum, with their factors modulo 2^64.
using Terms = std::map<Monomial, uint64_t, ById>;

/// What a node that is no sum stands for, by its numbers and arguments.
enum class Kind {
  Sum,
  Symbol,  ///< launch symbol, by its number among the names
  Block,   ///< the number of the block, counted over the whole grid
  Counter, ///< of the loop with that number
  Carried, ///< by a loop, before a trip: loop, place
  Result,  ///< of a loop or branch: its number, place
  Loaded,  ///< by the access with that number, at its lanes
  Lane,    ///< coordinate of a lane: axis, extent
  Table,   ///< a constant with several lanes, at its lanes
  Bits,    ///< a constant float
  Unknown, ///< in the bytecode, computed from floats or by a reduction: its
           ///< number, then the scope; at its lanes
  Opaque,  ///< likewise in the kernel
  Quotient,
  QuotientUp,
  Rem,
  SMin,
  SMax,
  UMin,
  UMax,
  Compare, ///< predicate and whether it is signed
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightUnsigned,
  Select,   ///< by a condition
  Wrapped,  ///< to so many bits, signed
  Unsigned, ///< the number that so many bits are without a sign
  At, ///< an expression that is too large to be rewritten, then other lanes
};

/// A signed integer of 64 bits, the same in both languages; a truth is -1 or 0.
struct Node {
  Kind kind = Kind::Sum;
  std::vector<int64_t> numbers;
  std::vector<Expr> arguments;
  Terms terms;
  unsigned id = 0;
  unsigned bits = 64;  ///< of a signed integer that holds it
  bool opaque = false; ///< something in it is
};

/// Those of a sum; what is no sum is one term.
Terms termsOf(Expr e);

/// How many accesses, and how many loops and branches, began before a place.
struct Scope {
  int64_t accesses = 0, regions = 0;
};

/// Makes expressions and owns them.
class Pool {
public:
  Expr constant(int64_t n);
  Expr add(Expr a, Expr b);
  Expr subtract(Expr a, Expr b);
  Expr multiply(Expr a, Expr b);
  /// The number as a signed integer of so many bits.
  Expr wrap(unsigned bits, Expr e);
  /// Any other node; constants are folded where it is sure what they give.
  Expr node(Kind kind, std::vector<int64_t> numbers,
            std::vector<Expr> arguments, unsigned bits = 64);
  /// A fresh Unknown or Opaque of that shape, made there.
  Expr fresh(Kind kind, const std::vector<int64_t> &shape, unsigned bits,
             Scope at);
  Expr symbol(const std::string &name, unsigned bits);
  /// 0 where there is but one lane.
  Expr lane(int64_t axis, int64_t extent);
  Expr lessThan(Expr a, Expr b);
  /// Of truths.
  Expr both(Expr a, Expr b);
  /// With other expressions in the place of those for which `replace` has one;
  /// it is asked of the outer ones first. What is at other lanes has lanes of
  /// its own, and stays as it is unless `everywhere`. Null where that takes
  /// more than `most` expressions.
  Expr rewrite(Expr e, const std::function<Expr(Expr)> &replace,
               bool everywhere = false, size_t most = SIZE_MAX);
  /// With other expressions in the place of lanes. A sorting network doubles
  /// what a lane is made of at each step: what is too large is named as it is,
  /// with its lanes beside it, and equals what is made alike alone.
  Expr substitute(Expr e, const std::vector<Expr> &lanes);
  /// The lanes of a tile of one shape under another with as many lanes.
  Expr reshape(Expr e, const std::vector<int64_t> &from,
               const std::vector<int64_t> &to);
  /// Repeated along axes of 1; the shapes are aligned at their ends.
  Expr broadcast(Expr e, const std::vector<int64_t> &from,
                 const std::vector<int64_t> &to);
  Expr permute(Expr e, const std::vector<int64_t> &from,
               const std::vector<int64_t> &permutation);
  /// One place along an axis, which goes.
  Expr drop(Expr e, const std::vector<int64_t> &from, int64_t axis,
            int64_t place);
  /// The lanes of the part with that number along each axis.
  Expr extract(Expr e, const std::vector<int64_t> &part,
               const std::vector<int64_t> &number);
  /// Those of `first`, a tile of that shape, then along the axis those of
  /// `second`.
  Expr cat(Expr first, Expr second, const std::vector<int64_t> &shape,
           size_t axis);
  /// All lanes of more than one, as arguments.
  std::vector<Expr> lanes(const std::vector<int64_t> &shape);

  std::string text(Expr e) const;

private:
  Expr intern(Node n);
  Expr sum(Terms terms);

  std::deque<Node> nodes;
  std::map<std::vector<int64_t>, Expr> known;
  std::map<std::string, int64_t> names;
  int64_t nextUnknown = 0;
};

bool isConstant(Expr e);
int64_t constantOf(Expr e);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_EXPR_H
