// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sim-artefact: what tile-compile writes, with cubins for the simulated driver.
// They hold the text of the kernel, which runs on the reference executor.

#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"
#include "lower/Compile.h"
#include "tests/simulated/Executed.h"
#include "tests/unit/runtime/CubinFile.h"

#include "llvm/Support/CommandLine.h"

using namespace girih;
using namespace girih::checker;
namespace cl = llvm::cl;

static cl::OptionCategory category("sim-artefact options");
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("<kernel.mlir>"), cl::cat(category));
static cl::opt<std::string> output(cl::Positional, cl::Required,
                                   cl::desc("<folder>"), cl::cat(category));

static constexpr tile::Tool tool = {
    "sim-artefact", "Writes artefacts of kernels for the simulated driver.",
    "0 written, 1 refuted, 2 unknown or trusted, 3 usage or malformed.",
    "  sim-artefact proofs/kernels/add/add.mlir build/add\n"};

static int fail(int code, const llvm::Twine &message) {
  llvm::errs() << "sim-artefact: error: " << message << "\n";
  return code;
}

static simulated::Parameter parameterOf(tile::KernelOp kernel,
                                        const tileir::Parameter &p) {
  using Kind = simulated::Parameter::Kind;
  if (p.kind == tileir::Parameter::Kind::Integer) {
    size_t bytes = tileir::elementBits(p.type) / 8;
    llvm::SmallVector<tile::LaunchSymbol> symbols = kernel.getLaunchSymbols();
    auto symbol = llvm::find_if(symbols, [&](const tile::LaunchSymbol &s) {
      return tile::ExprAttr::symbol(s.name) == p.value;
    });
    return symbol == symbols.end()
               ? simulated::Parameter{Kind::Grid, bytes, "grid"}
               : simulated::Parameter{Kind::Integer, bytes, symbol->name.str()};
  }
  std::string name = kernel.getArgName(p.argument).str();
  if (p.kind == tileir::Parameter::Kind::Pointer) {
    return {Kind::Pointer, 8, name};
  }
  mlir::Type type = kernel.getArguments()[p.argument].getType();
  return {Kind::Scalar, type.getIntOrFloatBitWidth() / 8, name};
}

static std::string cubinOf(const lower::Work &work, llvm::StringRef) {
  simulated::ExecutedText out;
  tile::KernelOp kernel = work.lowered.source.kernel();
  for (const tileir::EntryPlan &plan : work.lowered.plans) {
    out.entries.push_back(plan.entry);
  }
  for (const tileir::Parameter &p : work.lowered.parameters) {
    out.parameters.push_back(parameterOf(kernel, p));
  }
  out.text = work.verdict.verified->text();
  return tests::cubinFile(simulated::printExecuted(out), out.parameters.size(),
                          out.entries);
}

int main(int argc, char **argv) {
  tile::guardStandardOutput("sim-artefact");
  if (!tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  CheckOptions options;
  options.openSearch = openSearch;
  std::string failure;
  std::vector<Checked> checked =
      checkFile(context, input, options, llvm::errs(), failure);
  if (!failure.empty()) {
    return fail(3, failure);
  }
  if (!checked.front().file) {
    return 3;
  }
  for (const Checked &c : checked) {
    if (int code = exitCode(c.verdict)) {
      printText(c, llvm::errs());
      return code;
    }
  }
  auto kernels = lower::lowerAll(checked, {});
  if (!kernels) {
    return fail(1, kernels.error().message);
  }
  lower::CompileSettings settings;
  settings.targets = {"sm_90"};
  settings.version = "the simulated driver";
  settings.makeCubin = cubinOf;
  settings.validators = lower::shippedKernels();
  settings.openSearch = openSearch;
  settings.said = &llvm::errs();
  std::string name = lower::artefactName(checked);
  if (auto error = lower::writeArtefact(name, *kernels, output, settings)) {
    bool isOfKernel = error->kind == Error::Kind::Refused;
    return fail(isOfKernel ? 1 : 3, error->message);
  }
  llvm::outs() << output << ": " << name << " for the simulated driver\n";
  return 0;
}
