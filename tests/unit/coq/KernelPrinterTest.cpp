// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel of the repository as a term of the theory: Coq reads it, and
// small launches end alike there and on the executor.

#include "spec/coq/KernelPrinter.h"
#include "ir/Reader.h"
#include "spec/executor/Launch.h"
#include "spec/executor/Program.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace girih {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Kernels of the repository by name, those in the text of the language too.
std::map<std::string, std::string> kernelTexts() {
  std::map<std::string, std::string> texts;
  fs::path root = GIRIH_SOURCE_DIR;
  for (const char *folder :
       {"proofs/kernels", "tests/kernels", "tests/rules"}) {
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".mlir") {
        texts[fs::relative(entry.path(), root).string()] =
            contents(entry.path());
      }
    }
  }
  std::string page = contents(root / "spec/tile.md");
  const std::string open = "```mlir\n", close = "```\n";
  for (size_t at = page.find(open); at != std::string::npos;
       at = page.find(open, at)) {
    at += open.size();
    texts["spec/tile.md:" + std::to_string(at)] =
        page.substr(at, page.find(close, at) - at);
  }
  return texts;
}

/// Compiles a file against the theory; its output when that fails.
std::string compile(const std::string &text) {
  std::string folder =
      testing::TempDir() + "girih-kernels-" + std::to_string(getpid());
  fs::create_directories(folder);
  std::string file = folder + "/Kernels.v", log = folder + "/log";
  std::ofstream(file) << text;
  std::string command = std::string("'" GIRIH_COQC "' -q -noglob -R '") +
                        GIRIH_THEORY_DIR + "' Girih '" + file + "' > '" + log +
                        "' 2>&1";
  std::string output;
  if (std::system(command.c_str()) != 0) {
    output = "coqc failed: " + contents(log);
  }
  fs::remove_all(folder);
  return output;
}

using Symbols = std::map<std::string, int64_t>;

/// How the launch with these values of symbols, and zeros in memory, ends
/// on the executor; nothing when floats would decide it.
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
  if (result.exhausted) {
    return std::nullopt;
  }
  return result.faults.empty() ? "clean" : result.faults.front().rule;
}

/// Small values for the symbols, all alike, falling and rising.
std::vector<Symbols> launchesOf(tile::KernelOp kernel) {
  std::vector<Symbols> launches;
  for (int64_t slope : {0, -1, 1}) {
    for (int64_t first : {-1, 0, 1, 2, 3}) {
      Symbols symbols;
      int64_t next = first;
      for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
        symbols[s.name.str()] = next;
        next += slope;
      }
      launches.push_back(symbols);
    }
  }
  return launches;
}

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
         execute (Machine width (fun _ _ _ _ => [])) k l (fun _ _ => 0)) with
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
  std::set<std::string> endings;
  size_t kernels = 0, launches = 0;
  for (const auto &[name, source] : kernelTexts()) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto file = tile::readKernelText(context, source, name, stream);
    if (!file) {
      ADD_FAILURE() << errors;
      continue;
    }
    std::string term = "k" + std::to_string(kernels++);
    text += "Definition " + term +
            " : kernel := " + coq::printKernel(file->kernel) + ".\n";
    for (const Symbols &symbols : launchesOf(file->kernel)) {
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
        cases += (cases.empty() ? "" : ";\n   ") + ("(\"" + name + "\", ") +
                 term + ", [" + values + "], " + std::to_string(width) +
                 ", \"" + *expected + "\")";
      }
    }
  }
  text += "\nGoal flat_map differ\n  [" + cases +
          "] = [].\nProof. vm_compute. reflexivity. Qed.\n";
  EXPECT_EQ(compile(text), "");
  // Clean, refused, and stuck by all rules but contract.satisfiable, which is
  // about no launch.
  EXPECT_GE(kernels, 50u);
  EXPECT_GE(launches, 1500u);
  EXPECT_EQ(endings.size(), 14u);
}

} // namespace
} // namespace girih
