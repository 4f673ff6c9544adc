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

/// What coqc says of a file with this text when it does not compile; empty
/// when it does.
inline std::string compileCoq(const std::string &text) {
  // Tests run side by side: a folder for each process.
  std::string folder =
      testing::TempDir() + "girih-coq-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::string file = folder + "/Printed.v", log = folder + "/log";
  std::ofstream(file) << text;
  std::string command = std::string("'" GIRIH_COQC "' -q -noglob -R '") +
                        GIRIH_THEORY_DIR + "' Girih '" + file + "' > '" + log +
                        "' 2>&1";
  std::string output;
  if (std::system(command.c_str()) != 0) {
    std::ifstream in(log);
    output = "coqc failed: " + std::string(std::istreambuf_iterator<char>(in),
                                           std::istreambuf_iterator<char>());
  }
  std::filesystem::remove_all(folder);
  return output;
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_PROOFS_COQC_H
