// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-opt: reads a kernel, runs the upstream passes that are asked for, and
// prints it.

#include "ir/text/Print.h"
#include "ir/text/Reader.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;

static constexpr girih::tile::Tool tool = {
    "tile-opt",
    "Reads a kernel, verifies it, runs upstream passes by their names in\n"
    "mlir-opt (--cse, --canonicalize, --sccp, ...), prints it.",
    "0 fine, 3 usage or malformed input.",
    R"text(  tile-opt proofs/kernels/add/add.mlir
  tile-opt --elaborate --cse proofs/kernels/gemm/gemm.mlir
)text"};

static cl::OptionCategory category("tile-opt");
static cl::opt<std::string> input(cl::Positional, cl::init("-"),
                                  cl::desc("<kernel.mlir, or - for stdin>"),
                                  cl::cat(category));
static cl::opt<bool> split("split", cl::cat(category),
                           cl::desc("Read the parts between lines '// -----' "
                                    "one by one"));
static cl::opt<bool> elaborated("elaborate", cl::cat(category),
                                cl::desc("Put helpers and maps in place"));
static cl::opt<bool> verifyOnly("verify-only", cl::cat(category),
                                cl::desc("Print nothing but errors"));

/// Transforms and prints a module; false if a pass fails.
static bool process(mlir::ModuleOp module,
                    const mlir::PassPipelineCLParser &passes) {
  mlir::PassManager manager(module.getContext());
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "error: " << message << '\n';
    return mlir::failure();
  };
  if (failed(passes.addToPipeline(manager, fail)) ||
      failed(manager.run(module))) {
    return false;
  }
  if (!verifyOnly) {
    for (mlir::Operation &op : *module.getBody()) {
      llvm::outs() << girih::tile::printPlaced(&op) << '\n';
    }
  }
  return true;
}

/// Reads, transforms and prints one file; false if it is malformed.
static bool process(llvm::StringRef text, llvm::StringRef name,
                    const mlir::PassPipelineCLParser &passes) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto files = girih::tile::readKernelTexts(context, text, name, llvm::errs());
  if (files.empty()) {
    return false;
  }
  mlir::OwningOpRef<mlir::ModuleOp> &whole = files.front()->text->module;
  if (whole && !elaborated) {
    return process(*whole, passes);
  }
  return llvm::all_of(
      files, [&](const auto &file) { return process(*file->module, passes); });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  girih::tile::guardStandardOutput("tile-opt");
  mlir::registerTransformsPasses();
  mlir::arith::registerArithPasses();
  mlir::registerSCFPasses();
  mlir::PassPipelineCLParser passes("", "Upstream passes to run");
  if (!girih::tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  size_t most = girih::tile::maxTextBytes * (split ? 64 : 1);
  auto buffer = girih::tile::readBytes(input, most);
  if (!buffer) {
    llvm::errs() << input << ": error: " << buffer.getError().message() << '\n';
    return 3;
  }
  llvm::SmallVector<llvm::StringRef> parts{(*buffer)->getBuffer()};
  if (split) {
    llvm::StringRef all = parts.pop_back_val();
    all.split(parts, "// -----\n");
  }
  bool fine = true;
  for (llvm::StringRef part : parts) {
    // Blank lines stand for the parts before, so that lines are the file's.
    size_t before = part.begin() - (*buffer)->getBufferStart();
    size_t lines = (*buffer)->getBuffer().take_front(before).count('\n');
    std::string text = std::string(lines, '\n') + part.str();
    fine &= process(text, input, passes);
  }
  return fine ? 0 : 3;
}
