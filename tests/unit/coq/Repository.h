// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the repository, those in the text of the language too.

#ifndef GIRIH_TESTS_UNIT_COQ_REPOSITORY_H
#define GIRIH_TESTS_UNIT_COQ_REPOSITORY_H

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace girih::test {

inline std::string contentsOf(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Texts of the kernels in these folders and on the page, by name.
inline std::map<std::string, std::string>
kernelTexts(const std::vector<std::string> &folders) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> texts;
  fs::path root = GIRIH_SOURCE_DIR;
  for (const std::string &folder : folders) {
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".mlir") {
        texts[fs::relative(entry.path(), root).string()] =
            contentsOf(entry.path());
      }
    }
  }
  std::string page = contentsOf(root / "spec/tile.md");
  const std::string open = "```mlir\n", close = "```\n";
  for (size_t at = page.find(open); at != std::string::npos;
       at = page.find(open, at)) {
    at += open.size();
    texts["spec/tile.md:" + std::to_string(at)] =
        page.substr(at, page.find(close, at) - at);
  }
  return texts;
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_COQ_REPOSITORY_H
