// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/scaling/ScalingTools.h"

#include "checker/CheckFile.h"
#include "checker/report/Report.h"
#include "checker/report/Sarif.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Print.h"
#include "lower/Readback.h"
#include "lower/tileir/Manifest.h"
#include "lower/tileir/Writer.h"

#include <ctime>
#include <fstream>
#include <malloc.h>

namespace girih::fuzz {

/// Gives back what came before, and forgets how much it was.
static void resetPeak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// The most memory that this process had since, in bytes.
static size_t peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

static double processorSeconds() {
  return double(std::clock()) / CLOCKS_PER_SEC;
}

/// The text as tile-opt prints it; empty when it is malformed.
static std::string printed(const tile::KernelFiles &files) {
  std::string out;
  auto print = [&](mlir::ModuleOp module) {
    for (mlir::Operation &op : *module.getBody()) {
      out += tile::printText(&op) + "\n";
    }
  };
  if (!files.empty() && files.front()->text->module) {
    print(*files.front()->text->module);
  } else {
    for (const auto &file : files) {
      print(*file->module);
    }
  }
  return out;
}

/// What is wrong, or nothing.
static std::string printAndRead(const std::string &path) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string text = printed(tile::readKernelFiles(context, path, os));
  // What is printed has names of its own, which may be longer.
  if (text.empty() || text.size() > tile::maxTextBytes) {
    return "";
  }
  std::string again =
      printed(tile::readKernelTexts(context, text, "printed.mlir", os));
  return again == text ? "" : "what tile-opt prints is read differently";
}

static std::vector<checker::Checked>
check(mlir::MLIRContext &context, const std::string &path, bool search) {
  checker::CheckOptions options;
  options.suggest = true;
  options.openSearch = search ? checker::openSearch : nullptr;
  std::string errors, failure;
  llvm::raw_string_ostream os(errors);
  return checker::checkFile(context, path, options, os, failure);
}

static void printAll(llvm::ArrayRef<checker::Checked> checked) {
  auto keep = [](auto print) {
    std::string out;
    llvm::raw_string_ostream os(out);
    print(os);
  };
  for (const checker::Checked &c : checked) {
    if (!c.file) {
      continue; // malformed, which the report says
    }
    keep([&](auto &os) { checker::printText(c, os); });
    keep([&](auto &os) { checker::printGithub(c, os); });
    keep([&](auto &os) {
      os << llvm::json::Value(checker::toJson(c, checker::Width()));
    });
  }
  keep([&](auto &os) { os << llvm::json::Value(checker::toSarif(checked)); });
  checker::reportPage(checked, checker::Width());
}

/// Why what was proved is not compiled, where it should be.
static std::string compile(llvm::ArrayRef<checker::Checked> checked) {
  std::vector<tileir::Lowered> all;
  for (const checker::Checked &c : checked) {
    if (!c.verdict.verified) {
      return "";
    }
    auto lowered = tileir::lower(*c.verdict.verified);
    if (std::holds_alternative<std::string>(lowered)) {
      return ""; // no form in Tile IR
    }
    all.push_back(std::get<tileir::Lowered>(std::move(lowered)));
  }
  std::vector<checker::OpenedKernel> opened;
  std::vector<tileir::VariantInputs> variants;
  for (auto [c, lowered] : llvm::zip(checked, all)) {
    const checker::VerifiedKernel &verified = *c.verdict.verified;
    auto kernel = verified.open();
    if (auto *why = std::get_if<std::string>(&kernel)) {
      return *why;
    }
    opened.push_back(std::get<checker::OpenedKernel>(std::move(kernel)));
    if (auto why = lower::readBack(verified, lowered,
                                   tileir::writeBytecode(lowered.module))) {
      return *why;
    }
    tileir::proofText(c.verdict);
    variants.push_back({verified, opened.back().kernel(), lowered, {}});
  }
  tileir::manifestText("k", "scaling", variants);
  return "";
}

ToolCosts runTools(const std::string &path) {
  ToolCosts costs;
  double start = 0;
  auto begin = [&] {
    resetPeak();
    start = processorSeconds();
  };
  auto end = [&](const char *tool) {
    costs.tools.push_back({tool, processorSeconds() - start, peak()});
  };
  auto wrong = [&](const std::string &why) {
    costs.wrong = costs.wrong.empty() ? why : costs.wrong;
  };
  begin();
  wrong(printAndRead(path));
  end("tile-opt");

  begin();
  {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    check(context, path, /*search=*/false);
  }
  end("tile-verify --replay");

  begin();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<checker::Checked> checked = check(context, path, /*search=*/true);
  double verdict = processorSeconds() - start;
  printAll(checked);
  end("tile-verify");

  // A verdict without the reports, and what follows.
  start = processorSeconds() - verdict;
  wrong(compile(checked));
  end("tile-compile");
  return costs;
}

} // namespace girih::fuzz
