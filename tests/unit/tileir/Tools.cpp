// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/tileir/Tools.h"
#include "lower/tileir/Assemble.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace girih::tileir {

std::string disassembler() {
  fs::path assembler = findAssembler("");
  fs::path tool = assembler.parent_path() / "tileirdisasm";
  return !assembler.empty() && fs::exists(tool) ? tool.string() : "";
}

std::string disassemble(const Bytes &bytecode, const std::string &options) {
  std::string file = (fs::temp_directory_path() /
                      ("girih_" + std::to_string(getpid()) + ".tileirbc"))
                         .string();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytecode.data()),
             static_cast<std::streamsize>(bytecode.size()));
  std::string text;
  if (FILE *pipe =
          popen((disassembler() + " " + options + " " + file + " 2>&1").c_str(),
                "r")) {
    char buffer[4096];
    while (size_t n = fread(buffer, 1, sizeof(buffer), pipe)) {
      text.append(buffer, n);
    }
    pclose(pipe);
  }
  fs::remove(file);
  return text;
}

} // namespace girih::tileir
