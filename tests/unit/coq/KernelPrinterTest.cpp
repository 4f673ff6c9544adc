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

/// How the launch with this value for every symbol, and zeros in memory, ends
/// on the executor; nothing when floats would decide it.
std::optional<std::string> ending(tile::KernelOp kernel, int64_t symbol,
                                  unsigned width) {
  if (exec::eventsNeedFloats(kernel)) {
    return std::nullopt;
  }
  exec::Options options;
  options.indexWidth = width;
  options.values = false;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    options.symbols[s.name.str()] = symbol;
  }
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

TEST(KernelPrinter, CoqReadsAndRunsEveryKernel) {
  std::string text = R"(From Coq Require Import ZArith String List.
From Girih Require Import Execute.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

Definition ending (k : kernel) (symbol width : Z) : string :=
  match (do l <- admit_ width k (fun _ => Some symbol) (fun _ => 0);
         execute (Machine width (fun _ _ _ _ => [])) k l (fun _ _ => 0)) with
  | Ok _ => "clean"
  | Stuck r => ruleName r
  | Refused => "refused"
  | Malformed => "malformed"
  end.
Definition differ (c : string * kernel * Z * Z * string) :=
  let '(name, k, symbol, width, expected) := c in
  let got := ending k symbol width in
  if String.eqb got expected then []
  else [(name, symbol, width, got, expected)].

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
    for (unsigned width : {8u, 64u}) {
      for (int64_t symbol : {-1, 0, 1, 2, 3}) {
        auto expected = ending(file->kernel, symbol, width);
        if (!expected) {
          continue;
        }
        ++launches;
        endings.insert(*expected);
        cases += (cases.empty() ? "" : ";\n   ") + ("(\"" + name + "\", ") +
                 term + ", " + std::to_string(symbol) + ", " +
                 std::to_string(width) + ", \"" + *expected + "\")";
      }
    }
  }
  text += "\nGoal flat_map differ\n  [" + cases +
          "] = [].\nProof. vm_compute. reflexivity. Qed.\n";
  EXPECT_EQ(compile(text), "");
  // Clean, refused, and stuck by all rules but two: contract.satisfiable is
  // about no launch, index.division needs symbols that differ.
  EXPECT_GE(kernels, 50u);
  EXPECT_GE(launches, 500u);
  EXPECT_GE(endings.size(), 13u);
}

} // namespace
} // namespace girih
