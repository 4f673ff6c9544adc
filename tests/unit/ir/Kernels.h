// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shipped kernels and those of the tests, as texts.

#ifndef GIRIH_TESTS_UNIT_IR_KERNELS_H
#define GIRIH_TESTS_UNIT_IR_KERNELS_H

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace girih::test {

/// The .mlir files below `folder` of the source tree, in order of their paths.
inline std::vector<std::filesystem::path> kernelPaths(std::string folder) {
  std::vector<std::filesystem::path> paths;
  std::filesystem::path root = std::filesystem::path(GIRIH_SOURCE_DIR) / folder;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".mlir") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::string readText(const std::filesystem::path &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_IR_KERNELS_H
