// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/tool/Tool.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

namespace cl = llvm::cl;

namespace girih::tile {

const char *girihVersion() { return GIRIH_VERSION; }

std::string versionText(llvm::StringRef tool) {
  return (tool + " (Girih) " + girihVersion() +
          "\nLLVM " LLVM_VERSION_STRING "\n")
      .str();
}

bool parseToolOptions(int argc, char **argv, const Tool &tool,
                      cl::OptionCategory &category) {
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([&](llvm::raw_ostream &os) {
    os << versionText(tool.name);
    if (tool.versions) {
      tool.versions(os);
    }
  });
  std::string examples =
      std::string("\nExamples, from the root of the source tree:\n\n") +
      tool.examples;
  cl::extrahelp after(examples);
  std::string overview =
      std::string(tool.overview) + "\n\nExit codes: " + tool.exits + "\n";
  std::string text;
  llvm::raw_string_ostream errors(text);
  if (cl::ParseCommandLineOptions(argc, argv, overview, &errors)) {
    return true;
  }
  // A value that does not fit its option was reported already.
  if (!text.empty()) {
    std::string prefix = llvm::sys::path::filename(argv[0]).str() + ": ";
    llvm::StringRef message = llvm::StringRef(text).trim();
    message.consume_front(prefix);
    llvm::errs() << tool.name << ": error: " << message << '\n';
  }
  return false;
}

} // namespace girih::tile
