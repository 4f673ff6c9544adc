// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers as polynomials. A register of w bits has a polynomial that equals
// it modulo 2^w: sums and products need no proof. Where an instruction reads
// it as a number, with or without sign, an obligation says that the polynomial
// is that number. What cannot be followed has the reason in place of a
// polynomial.

#ifndef GIRIH_LOWER_PTX_EVALUATE_H
#define GIRIH_LOWER_PTX_EVALUATE_H

#include "lower/ptx/Flow.h"
#include "lower/ptx/Symbols.h"

namespace girih::ptx {

struct Number {
  std::optional<proofs::Poly> poly;
  Error why;
};

/// What a predicate says. Facts that hold if it is true, and if it is false;
/// exact if each side holds only then.
struct Condition {
  std::vector<proofs::Fact> yes, no;
  bool exact = false;
};

/// Threads that go together.
enum class Group { Block, Warp };

class Evaluator {
public:
  Evaluator(Flow flow, const Module &module, const Expected &expected);

  Number number(size_t value);
  /// An operand as a polynomial modulo 2^width.
  Number operand(size_t instruction, const Operand &o, unsigned width);
  /// The address that an operand in brackets stands for.
  Number address(size_t instruction, const Operand &o);
  /// The predicate that guards an instruction; always true without one.
  Condition guard(size_t instruction);
  /// What leads from a block along one of its two ways.
  Condition branch(size_t block, bool taken);
  Condition condition(size_t value);

  /// What holds whenever control is in the block, in the order in which it
  /// becomes known.
  std::vector<proofs::Hypothesis> facts(size_t block);
  /// The variable that counts the trips of a loop.
  proofs::Var trip(size_t loop);
  /// Of a loop that ends where a counter meets a bound: the number of its last
  /// trip. The loop ends in that one and in no other.
  std::optional<proofs::Poly> lastTrip(size_t loop);
  /// Whether all threads of a group come to a block together: none of the
  /// branches on which that depends may go differently for them.
  bool uniform(size_t block, Group group);
  /// Whether a polynomial is the same for all threads of a group.
  bool same(const proofs::Poly &p, Group group);
  bool same(const Condition &c, Group group);

  /// Bases of addresses: of parameters, and of shared variables in units of
  /// their alignment.
  std::optional<size_t> parameterOf(proofs::Var v) const;
  std::optional<size_t> sharedOf(proofs::Var v) const;
  const std::vector<SharedVariable> &shared() const { return sharedVariables; }
  proofs::Poly sharedBase(size_t index) const;

  Flow flow;
  Symbols symbols;

private:
  friend class Concrete;
  using Poly = proofs::Poly;

  Number unknown(size_t instruction) const;
  Number compute(size_t value);
  Number result(size_t instruction, size_t part);
  Number arithmetic(size_t instruction, unsigned width, const Type &type);
  Number bitwise(size_t i, unsigned width);
  Number withBits(size_t i, const Poly &p, uint64_t bits, unsigned width);
  Number masked(size_t i, const Poly &p, uint64_t mask, unsigned width);
  Number shift(size_t i, unsigned width, const Type &type);
  Number extracted(size_t i, unsigned width, const Type &type);
  Number convert(size_t i);
  Number chosen(size_t i, unsigned width);
  Number someNumber(size_t i);
  Number inBounds(size_t i, Variable v, proofs::Int low, proofs::Int high);
  Number inMemory(size_t instruction);
  Number loaded(size_t i);
  /// Reads an operand as a number of a type.
  Number read(size_t i, size_t k, const Type &type);
  Poly asNumber(size_t i, const Poly &p, bool isSigned, unsigned width);
  Condition compared(size_t instruction);
  Condition highBitsZero(size_t instruction, unsigned width);
  Number dividedByMultiplication(size_t instruction, unsigned shift);
  bool same(proofs::Var v, Group group);
  bool leftTogether(size_t loop, Group group);

  // Joins and loops: Loops.cpp.
  Number joined(size_t value);
  void addAtom(const proofs::Fact &f, size_t block,
               std::vector<proofs::Atom> &to) const;
  void addEdge(size_t from, size_t to, std::vector<proofs::Atom> &atoms);
  Number carried(size_t value, size_t loop);
  std::optional<Poly> step(size_t value, size_t phi, size_t loop,
                           unsigned depth);
  std::optional<Poly> periodic(size_t phi, size_t loop);
  std::optional<Poly> sameQuotient(size_t join, const std::vector<Poly> &polys);
  // Counters that wrap at a bound: Counters.cpp.
  struct Wrap;
  std::optional<Wrap> wrapBy(size_t predicate, size_t loop);
  std::optional<Poly> firstOf(size_t phi, size_t loop);
  std::optional<size_t> nextOf(size_t phi, size_t loop);
  const Instruction *plainResult(size_t value, const char *root) const;
  std::optional<Poly> wrapping(size_t phi, size_t loop);
  std::optional<Poly> countingWraps(size_t phi, size_t loop);
  std::vector<proofs::Hypothesis> loopFact(size_t loop);
  bool invariant(const Poly &p, size_t loop) const;

  std::vector<SharedVariable> sharedVariables;
  std::vector<proofs::Var> parameterBase, sharedVariable;
  std::map<std::string, unsigned> widths;
  std::map<size_t, Number> known;
  std::map<size_t, Condition> conditions;
  std::map<size_t, proofs::Var> trips;
  std::map<size_t, std::vector<proofs::Hypothesis>> loopFacts;
  std::map<size_t, std::optional<Poly>> lastTrips;
  std::vector<size_t> assumedUniform; ///< loops that are being looked at
};

/// The text of an instruction with its line, for an error.
Error at(const Instruction &i, const std::string &what);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_EVALUATE_H
