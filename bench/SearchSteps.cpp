// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// search_steps [--shuffles=N] [--every=N] [--seed=N] KERNEL.mlir...: what the
// search for the certificate of each obligation costs as it stands and with
// hypotheses in another order and variables under other numbers. One line of
// JSON an obligation: its steps and milliseconds as it stands (null where
// nothing is found), the strategy that found it, then the steps of each
// shuffle.
// --without, --first and --growth change the search: bench/strategies.py.

#include "checker/generate/Generate.h"
#include "checker/search/Strategy.h"
#include "ir/text/Reader.h"
#include "ir/tool/Files.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <numeric>
#include <random>

using namespace girih;
using namespace girih::proofs;
namespace cl = llvm::cl;

static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore,
                                    cl::desc("KERNEL.mlir..."));
static cl::opt<unsigned> shuffles("shuffles", cl::init(0));
static cl::opt<unsigned> every("every", cl::init(1),
                               cl::desc("only each N-th obligation"));
static cl::opt<unsigned> seed("seed", cl::init(1));
static cl::opt<std::string> only("only", cl::desc("only this rule"));
static cl::opt<std::string> without("without",
                                    cl::desc("leave this strategy out"));
static cl::opt<unsigned> first("first", cl::init(search::Budget().first),
                               cl::desc("steps of each strategy at first"));
static cl::opt<unsigned> growth("growth", cl::init(search::Budget().growth),
                                cl::desc("of these steps, every time"));

/// The facts and the order of definitions are the obligation's; all else is
/// drawn: the order of hypotheses and the numbers of variables.
static Obligation shuffled(const Obligation &o, std::mt19937_64 &random) {
  std::vector<Var> number(o.variables.size());
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  auto name = [&](Var v) { return number[v]; };
  Obligation out = o;
  for (size_t v = 0; v < number.size(); ++v) {
    out.variables[number[v]] = o.variables[v];
  }
  for (Definition &d : out.definitions) {
    for (Poly &p : d.arguments) {
      p = p.rename(name);
    }
    for (Var &v : d.results) {
      v = name(v);
    }
  }
  for (Hypothesis &h : out.hypotheses) {
    for (std::vector<Atom> &branch : h.fact.branches) {
      for (Atom &a : branch) {
        a.poly = a.poly.rename(name);
      }
    }
  }
  for (Poly &p : out.splits) {
    p = p.rename(name);
  }
  out.goal = out.goal.rename(name);
  std::shuffle(out.hypotheses.begin(), out.hypotheses.end(), random);
  return out;
}

/// The budget of a kernel's worth, as the options change it; nothing where they
/// mean nothing.
static std::optional<search::Budget> budgetOfOptions() {
  search::Budget budget;
  budget.first = first;
  budget.growth = growth;
  const auto *name = llvm::find(search::strategyNames, without);
  bool isKnown = name != std::end(search::strategyNames);
  if (isKnown) {
    budget.without = 1U << (name - std::begin(search::strategyNames));
  }
  bool meansNothing = first == 0 || growth < 2 || !(without.empty() || isKnown);
  return meansNothing ? std::nullopt : std::optional(budget);
}

/// Steps of a search; null when there is no certificate.
static llvm::json::Value stepsOf(const Obligation &o,
                                 const search::Budget &budget,
                                 search::Stats &stats) {
  if (!search::findCertificate(o, budget, &stats)) {
    return nullptr;
  }
  return static_cast<int64_t>(stats.pivots);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::mt19937_64 random(seed);
  std::optional<Rule> onlyRule = ruleNamed(only);
  if (!only.empty() && !onlyRule) {
    llvm::errs() << "search_steps: error: there is no rule " << only << "\n";
    return 3;
  }
  std::optional<search::Budget> budget = budgetOfOptions();
  if (!budget) {
    llvm::errs()
        << "search_steps: error: --without takes a name of "
           "Strategies.def, --first a number from 1, --growth from 2\n";
    return 3;
  }
  size_t number = 0;
  for (const std::string &path : inputs) {
    tile::KernelFiles files =
        tile::readKernelFiles(context, path, llvm::errs());
    if (files.empty()) {
      return 3;
    }
    std::vector<checker::Vc> vcs;
    for (const auto &file : files) {
      llvm::append_range(vcs,
                         checker::generate(file->kernel, checker::Width()).vcs);
    }
    for (size_t i = 0; i < vcs.size(); ++i) {
      const Obligation &o = vcs[i].obligation;
      if (number++ % every != 0 || (onlyRule && vcs[i].rule != *onlyRule)) {
        continue;
      }
      search::Stats stats;
      auto start = std::chrono::steady_clock::now();
      llvm::json::Object line{{"kernel", path},
                              {"obligation", int64_t(i)},
                              {"rule", o.rule},
                              {"label", o.label},
                              {"steps", stepsOf(o, *budget, stats)}};
      std::chrono::duration<double, std::milli> taken =
          std::chrono::steady_clock::now() - start;
      line["milliseconds"] = taken.count();
      if (stats.strategy >= 0) {
        line["strategy"] = search::strategyNames[stats.strategy];
      }
      llvm::json::Array steps;
      for (unsigned k = 0; k < shuffles; ++k) {
        steps.push_back(stepsOf(shuffled(o, random), *budget, stats));
      }
      line["shuffled"] = std::move(steps);
      llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
    }
  }
}
