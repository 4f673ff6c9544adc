// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Generate.h"

using namespace girih::proofs;

namespace girih::checker {

/// The facts of the launch, with something to do.
static Vc satisfiable(KernelFacts &k) {
  auto atLeastOne = [&](const Poly &p) {
    k.base.assume(Fact::atLeastZero(p - 1), Origin::Kind::Contract,
                  "not empty");
  };
  for (mlir::Type t : k.kernel.getBody()->getArgumentTypes()) {
    if (auto type = mlir::dyn_cast<tile::TileTensorType>(t)) {
      llvm::for_each(extents(k, type), atLeastOne);
    }
  }
  llvm::for_each(k.grid, atLeastOne);
  ContentsRule others =
      std::exchange(k.base.contentsRule, [&](llvm::ArrayRef<Lookup>) {
        return feasibilityFacts(k, /*mayBeEmpty=*/false);
      });
  k.base.emit(Rule::ContractSatisfiable, "model", Poly(-1), nullptr, false);
  k.base.contentsRule = std::move(others);
  Vc query = std::move(k.base.vcs.back());
  k.base.vcs.pop_back();
  k.base.release(k.launchFacts);
  return query;
}

bool speaksOnlyOf(const Fact &f, const std::set<Var> &vars) {
  for (const std::vector<Atom> &branch : f.branches) {
    for (const Atom &a : branch) {
      for (const Term &t : a.poly.terms()) {
        if (!llvm::all_of(t.vars, [&](Var v) { return vars.count(v); })) {
          return false;
        }
      }
    }
  }
  return true;
}

std::set<Var> launchConstants(const KernelFacts &k, const FactList &facts) {
  std::set<Var> out;
  for (Var v = 0; v < k.launchVariables; ++v) {
    out.insert(v);
  }
  for (const ScopedFact &f : facts) {
    if (f.definition && f.part == 0 &&
        llvm::all_of(f.definition->arguments, [&](const Poly &p) {
          return speaksOnlyOf(Fact::zero(p), out);
        })) {
      out.insert(f.definition->results.begin(), f.definition->results.end());
    }
  }
  return out;
}

Generated generate(tile::KernelOp kernel, Width width, size_t units) {
  KernelFacts k(kernel, width, units);
  k.base.contentsRule = [&](llvm::ArrayRef<Lookup> found) {
    return contentsFacts(k, found);
  };
  Generated g;
  try {
    emitContract(k);
    g.satisfiable = satisfiable(k);
    emitBody(k);
    k.bodyVariables = k.base.variableCount();
    emitDisjoint(k);
    emitCoverage(k);
  } catch (const TooLarge &t) {
    g.tooLarge = t;
    return g;
  }
  g.unitsLeft = k.base.unitsLeft();
  g.vcs = std::move(k.base.vcs);
  g.witnesses = std::move(k.witnesses);
  g.beyondTheory = std::move(k.beyondTheory);
  return g;
}

} // namespace girih::checker
