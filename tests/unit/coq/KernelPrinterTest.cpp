// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel of the repository as a term of the theory: Coq reads it, and
// small launches end alike there and on the executor.

#include "spec/coq/KernelPrinter.h"
#include "ir/text/Reader.h"
#include "spec/executor/launch/Launch.h"
#include "spec/executor/machine/Program.h"
#include "tests/unit/Long.h"
#include "tests/unit/coq/Repository.h"
#include "tests/unit/proofs/Coqc.h"

#include <set>

namespace girih {
namespace {

using Symbols = std::map<std::string, int64_t>;

/// Coq's own machine computes vectors of integers lane by lane and takes some
/// 10 us a lane; the extracted one runs the larger launches
/// (ExecutorsTest.cpp).
constexpr int64_t maxLanes = int64_t(1) << 10;

/// Integer lanes that the ops of the kernel compute, each op once.
int64_t integerLanes(tile::KernelOp kernel) {
  int64_t lanes = 0;
  kernel.walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes()) {
      if (auto vector = llvm::dyn_cast<mlir::VectorType>(type);
          vector && !llvm::isa<mlir::FloatType>(vector.getElementType())) {
        lanes += vector.getNumElements();
      }
    }
  });
  return lanes;
}

/// How the launch with these values of symbols, and zeros in memory, ends
/// on the executor; nothing when floats would decide it or it is too long.
std::optional<std::string> ending(tile::KernelOp kernel, const Symbols &symbols,
                                  unsigned width) {
  if (exec::eventsNeedFloats(kernel)) {
    return std::nullopt;
  }
  exec::Options options;
  options.indexWidth = width;
  options.values = false;
  options.symbols = symbols;
  exec::LaunchCheck check = exec::checkLaunch(kernel, options.symbols, width);
  if (check.launch) {
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      const auto &layout = check.launch->tensors[arg.getArgNumber()];
      if (layout && !layout->undefined) {
        auto zeros = exec::makeArray(
            layout->kind, {layout->extents.begin(), layout->extents.end()},
            1 << 22);
        if (!zeros) {
          return std::nullopt;
        }
        options.inputs[kernel.getArgName(arg.getArgNumber()).str()] =
            std::move(*zeros);
      }
    }
  }
  exec::Result result = exec::run(kernel, options);
  if (!result.contractError.empty()) {
    return "refused";
  }
  if (result.exhausted || result.blocks * integerLanes(kernel) > maxLanes) {
    return std::nullopt;
  }
  return result.faults.empty() ? "clean" : ruleName(result.faults.front().rule);
}

/// Small values for the symbols, all alike, falling and rising; an odd number
/// before its half; and an even one before odd ones.
std::vector<Symbols> launchesOf(tile::KernelOp kernel) {
  std::vector<Symbols> launches;
  auto add = [&](int64_t next, int64_t slope) {
    Symbols symbols;
    for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
      symbols[s.name.str()] = next;
      next += slope;
    }
    launches.push_back(symbols);
  };
  for (int64_t slope : {0, -1, 1}) {
    for (int64_t first : {0, 1, 2, 3}) {
      add(first, slope);
    }
  }
  add(-1, 0);
  add(3, -2);
  Symbols ones;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    ones[s.name.str()] = ones.empty() ? 2 : 1;
  }
  launches.push_back(std::move(ones));
  return launches;
}

/// The long form tries all launches of every kernel, else those that break a
/// rule do, and of the others each has a fifth.
TEST(KernelPrinter, CoqReadsAndRunsEveryKernel) {
  std::string text = R"(From Coq Require Import ZArith String List.
From Girih Require Import Execute.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

Definition valueOf (symbols : list (string * Z)) (name : string) : option Z :=
  option_map snd (find (fun s => String.eqb (fst s) name) symbols).
Definition ending (k : kernel) (symbols : list (string * Z)) (width : Z)
  : string :=
  match (do l <- admit_ width k (valueOf symbols) (fun _ => 0);
         execute (Machine width (fun _ _ _ _ _ => []) (fun _ y _ => y)) k l (fun _ _ => 0)) with
  | Ok _ => "clean"
  | Stuck r => ruleName r
  | Refused => "refused"
  | Malformed => "malformed"
  end.
Definition differ (c : string * kernel * list (string * Z) * Z * string) :=
  let '(name, k, symbols, width, expected) := c in
  let got := ending k symbols width in
  if String.eqb got expected then []
  else [(name, symbols, width, got, expected)].

)",
              cases;
  std::set<std::string> endings, rules;
  size_t kernels = 0, launches = 0;
  for (const auto &[name, source] :
       test::kernelTexts({"proofs/kernels", "tests/corpus/girih/bugs",
                          "tests/corpus/girih/rules"})) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto files = tile::readKernelTexts(context, source, name, stream);
    EXPECT_FALSE(files.empty()) << errors;
    for (const auto &file : files) {
      if (test::isUnmechanised(name, file->kernel)) {
        continue;
      }
      std::filesystem::path path = name;
      bool breaksARule = path.filename() == "bad.mlir";
      if (breaksARule) {
        rules.insert(path.parent_path().filename());
      }
      std::string term = "k" + std::to_string(kernels++);
      text += "Definition " + term +
              " : kernel := " + *coq::printKernel(file->kernel) + ".\n";
      std::vector<Symbols> all = launchesOf(file->kernel);
      bool takesAll = test::isLong || breaksARule;
      for (size_t i = takesAll ? 0 : kernels % 15; i < all.size();
           i += takesAll ? 1 : 15) {
        const Symbols &symbols = all[i];
        for (unsigned width : {8u, 64u}) {
          auto expected = ending(file->kernel, symbols, width);
          if (!expected) {
            continue;
          }
          ++launches;
          endings.insert(*expected);
          std::string values;
          for (const auto &[symbol, value] : symbols) {
            values += (values.empty() ? "(\"" : "; (\"") + symbol + "\", " +
                      std::to_string(value) + ")";
          }
          cases += (cases.empty() ? "" : ";\n   ") +
                   ("(\"" + test::nameOf(name, *file) + "\", ") + term + ", [" +
                   values + "], " + std::to_string(width) + ", \"" + *expected +
                   "\")";
        }
      }
    }
  }
  text +=
      "\nDefinition different := Eval vm_compute in\n  flat_map differ [" +
      cases +
      "].\nGoal different = [].\nProof. unfold different. reflexivity. Qed.\n";
  EXPECT_EQ(test::compileCoq(text), "");
  // Clean, refused, and stuck by each rule that a kernel of the corpus for
  // rules breaks, but contract.satisfiable, which is about no launch.
  rules.erase("contract.satisfiable");
  rules.insert({"clean", "refused"});
  EXPECT_GE(kernels, 90u);
  EXPECT_GE(launches, test::isLong ? 1500u : 300u);
  EXPECT_EQ(endings, rules);
}

} // namespace
} // namespace girih
