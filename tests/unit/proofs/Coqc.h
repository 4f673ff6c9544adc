// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles what tests print for Coq against the theory of the build.

#ifndef GIRIH_TESTS_UNIT_PROOFS_COQC_H
#define GIRIH_TESTS_UNIT_PROOFS_COQC_H

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace girih::test {

/// What Coq said of a file.
struct Compiled {
  bool accepted = false;
  std::string output; ///< what it printed, errors too
};

/// Compiles a file against the theory.
inline Compiled coqc(const std::string &text) {
  // Tests run side by side: a folder for each process.
  std::string folder =
      testing::TempDir() + "girih-coq-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::string file = folder + "/Printed.v", log = folder + "/log";
  std::ofstream(file) << text;
  std::string command = std::string("'" GIRIH_COQC "' -q -noglob -R '") +
                        GIRIH_THEORY_DIR + "' Girih '" + file + "' > '" + log +
                        "' 2>&1";
  Compiled result;
  result.accepted = std::system(command.c_str()) == 0;
  std::ifstream in(log);
  result.output = std::string(std::istreambuf_iterator<char>(in),
                              std::istreambuf_iterator<char>());
  std::filesystem::remove_all(folder);
  return result;
}

/// What is wrong with a file; nothing when Coq accepts it.
inline std::string compileCoq(const std::string &text) {
  Compiled result = coqc(text);
  return result.accepted ? "" : "coqc failed: " + result.output;
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_PROOFS_COQC_H
