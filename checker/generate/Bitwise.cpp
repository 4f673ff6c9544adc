// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Bitwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace girih::proofs;

namespace girih::checker {

/// What the definitions of its halves need: the fact itself, or a constant.
static bool isNatural(const FactBase &base, const Poly &p) {
  if (std::optional<Int> c = p.constant()) {
    return *c >= 0;
  }
  Fact natural = Fact::atLeastZero(p);
  return llvm::any_of(base.visible(),
                      [&](const ScopedFact &f) { return f.fact == natural; });
}

/// The least upper bound that a fact in scope states as it is.
static std::optional<Int> roofOf(const FactBase &base, const Poly &p) {
  if (std::optional<Int> c = p.constant()) {
    return c;
  }
  std::optional<Int> least;
  for (const ScopedFact &f : base.visible()) {
    const Atom *a = f.fact.atom();
    std::optional<Int> c =
        a && !a->equality ? (a->poly + p).constant() : std::nullopt;
    if (c && (!least || *c < *least)) {
      least = c;
    }
  }
  return least;
}

/// The least k such that p is known to be below 2^k.
static std::optional<unsigned> bitsOf(const FactBase &base, const Poly &p) {
  std::optional<Int> roof = roofOf(base, p);
  for (unsigned k = 0; roof && k <= maxBits; ++k) {
    if (*roof < Int(1) << k) {
      return k;
    }
  }
  return std::nullopt;
}

namespace {
struct Halved {
  std::vector<Poly> bits; ///< lowest first
  Poly rest;              ///< what lies above them
};
} // namespace

static Halved halve(FactBase &base, const Bits &x, unsigned k) {
  Halved out{{}, x.number};
  for (unsigned i = 0; i < k; ++i) {
    auto [half, bit] =
        base.divide(out.rest, Poly(2),
                    "div(" + x.name + ", " + std::to_string(2 << i) + ")",
                    "bit " + std::to_string(i) + " of " + x.name);
    out.bits.push_back(bit);
    out.rest = half;
  }
  return out;
}

/// Of two bits. Their sum is twice the one of `and` plus the one of `xor`: that
/// is linear, where a product of them would not be.
static Poly combine(FactBase &base, mlir::Operation *op, const Poly &a,
                    const Poly &b, const std::string &name) {
  Poly both = a * b, differ = a + b - Poly(2) * both; // of one that is known
  if (!a.constant() && !b.constant()) {
    base.emit(Rule::IndexDivision, "sum of bits", a + b, op, true);
    std::tie(both, differ) =
        base.divide(a + b, Poly(2), "and of " + name, "xor of " + name);
  }
  if (mlir::isa<mlir::arith::AndIOp>(op)) {
    return both;
  }
  return mlir::isa<mlir::arith::OrIOp>(op) ? both + differ : differ;
}

std::optional<Poly> bitwise(FactBase &base, mlir::Operation *op, const Bits &a,
                            const Bits &b) {
  std::optional<unsigned> ofA = bitsOf(base, a.number),
                          ofB = bitsOf(base, b.number);
  if ((!ofA && !ofB) || !isNatural(base, a.number) ||
      !isNatural(base, b.number)) {
    return std::nullopt;
  }
  unsigned none = maxBits + 1;
  unsigned k = std::min(ofA.value_or(none), ofB.value_or(none));
  Halved x = halve(base, a, k), y = halve(base, b, k);
  // Above, one of them is 0.
  Poly out(0);
  if (!mlir::isa<mlir::arith::AndIOp>(op) && ofA != ofB) {
    out = Poly(Int(1) << k) * (ofA == k ? y.rest : x.rest);
  }
  for (unsigned i = 0; i < k; ++i) {
    std::string name =
        "bits " + std::to_string(i) + " of " + a.name + " and " + b.name;
    out =
        out + Poly(Int(1) << i) * combine(base, op, x.bits[i], y.bits[i], name);
  }
  return out;
}

} // namespace girih::checker
