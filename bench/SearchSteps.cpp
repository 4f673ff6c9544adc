// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// search_steps [--shuffles=N] [--every=N] [--seed=N] KERNEL.mlir...: what the
// search for the certificate of each obligation costs as it stands and with
// hypotheses in another order and variables under other numbers. One line of
// JSON an obligation: its steps and milliseconds as it stands (null where
// nothing is found), then the steps of each shuffle.

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

/// Steps of a search with the budget of a kernel's worth; nothing when there
/// is no certificate.
static llvm::json::Value stepsOf(const Obligation &o) {
  search::Stats stats;
  if (!search::findCertificate(o, search::Budget(), &stats)) {
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
  size_t number = 0;
  for (const std::string &path : inputs) {
    tile::KernelFiles files =
        tile::readKernelFiles(context, path, llvm::errs());
    if (files.empty()) {
      return 3;
    }
    std::vector<checker::Owed> owed;
    for (const auto &file : files) {
      llvm::append_range(
          owed, checker::generate(file->kernel, checker::Width()).owed);
    }
    for (size_t i = 0; i < owed.size(); ++i) {
      const Obligation &o = owed[i].obligation;
      if (number++ % every != 0 || (onlyRule && owed[i].rule != *onlyRule)) {
        continue;
      }
      auto start = std::chrono::steady_clock::now();
      llvm::json::Object line{{"kernel", path},
                              {"obligation", int64_t(i)},
                              {"rule", o.rule},
                              {"label", o.label},
                              {"steps", stepsOf(o)}};
      std::chrono::duration<double, std::milli> taken =
          std::chrono::steady_clock::now() - start;
      line["milliseconds"] = taken.count();
      llvm::json::Array steps;
      for (unsigned k = 0; k < shuffles; ++k) {
        steps.push_back(stepsOf(shuffled(o, random)));
      }
      line["shuffled"] = std::move(steps);
      llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
    }
  }
}
