// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-import: brings a kernel in CUDA Tile IR bytecode back into the dialect.
// The kernel is written as text, with what was guessed of its contract.

#include "ir/text/Reader.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"
#include "lower/import/Import.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace girih;
namespace cl = llvm::cl;

static constexpr tile::Tool tool = {
    "tile-import",
    "Turns CUDA Tile IR bytecode into the text of a kernel, and guesses its\n"
    "contract.",
    "0 imported, 3 usage, malformed bytecode or no form in the dialect.",
    R"text(  tile-import tests/import/bytecode/vec_add_2d.tilebc
  tile-import tests/import/bytecode/vec_add_2d.tilebc --cover -o build/add.mlir
  tile-verify build/add.mlir
)text"};

static cl::OptionCategory category("tile-import options");
static cl::opt<std::string> input(cl::Positional, cl::desc("<kernel.tilebc>"),
                                  cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("where the kernel is written"),
                                   cl::value_desc("kernel.mlir"), cl::init("-"),
                                   cl::cat(category));
static cl::opt<std::string>
    entry("entry",
          cl::desc("which entry of the module (default: the only one)"),
          cl::value_desc("name"), cl::cat(category));
static cl::list<std::string>
    grid("grid",
         cl::desc("a dimension of the grid, in order (default: guessed)"),
         cl::value_desc("expression"), cl::cat(category));
static cl::list<std::string>
    required("require", cl::desc("what a launch keeps beside what is guessed"),
             cl::value_desc("comparison"), cl::cat(category));
static cl::list<std::string> given("given", cl::desc("what holds of contents"),
                                   cl::value_desc("fact"), cl::cat(category));
static cl::opt<bool>
    cover("cover",
          cl::desc("what is only written is `out`: all of it is written"),
          cl::cat(category));

/// More than any kernel has.
static constexpr size_t maxBytes = 16 << 20;

static int fail(const llvm::Twine &message) {
  llvm::errs() << message << "\n";
  return 3;
}

static const readback::Function *
choose(const std::vector<readback::Function> &functions, std::string &error) {
  const readback::Function *chosen = nullptr;
  std::string names;
  for (const readback::Function &f : functions) {
    names += (names.empty() ? "" : ", ") + f.name;
    if (entry.empty() ? functions.size() == 1 : f.name == entry) {
      chosen = &f;
    }
  }
  if (!chosen) {
    error = entry.empty() ? "several entries, --entry takes one of " + names
                          : "no entry " + entry + ", but " + names;
  }
  return chosen;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  tile::guardStandardOutput("tile-import");
  if (!tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  if (input.empty()) {
    return fail("tile-import: error: no bytecode is named");
  }
  auto buffer = tile::readBytes(input, maxBytes);
  if (!buffer) {
    return fail(input + ": error: " + buffer.getError().message());
  }
  llvm::StringRef bytes = (*buffer)->getBuffer();
  if (bytes.size() > maxBytes) {
    return fail(input + ": error: more than 16 MiB");
  }
  auto read = readback::read(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()},
      readback::Accept::All);
  if (const auto *why = std::get_if<std::string>(&read)) {
    return fail(input + ": error: " + *why);
  }
  std::string error;
  const readback::Function *f =
      choose(std::get<std::vector<readback::Function>>(read), error);
  if (!f) {
    return fail(input + ": error: " + error);
  }
  auto imported = importer::importKernel(*f, {grid, required, given, cover});
  if (const auto *refused = std::get_if<importer::ImportError>(&imported)) {
    std::string at =
        refused->at ? " byte " + std::to_string(refused->at) + ":" : "";
    return fail(input + ":" + at + " error: @" + f->name + ": " + refused->why);
  }
  const std::string &text = std::get<std::string>(imported);
  mlir::MLIRContext context;
  if (!tile::readKernelText(context, text, f->name + ".mlir", llvm::errs())) {
    return fail(input + ": error: @" + f->name +
                " has no form in the dialect, as said above");
  }
  if (output == "-") {
    llvm::outs() << text;
    return 0;
  }
  if (auto failed = tile::writeFiles({{output, text}})) {
    return fail("tile-import: error: " + *failed);
  }
  return 0;
}
