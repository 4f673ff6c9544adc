// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the repository, those in the text of the language too.

#ifndef GIRIH_TESTS_UNIT_COQ_REPOSITORY_H
#define GIRIH_TESTS_UNIT_COQ_REPOSITORY_H

#include "ir/text/Reader.h"
#include "spec/coq/KernelPrinter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
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

/// A file's name, and behind it that of one of several kernels.
inline std::string nameOf(const std::string &name,
                          const tile::KernelFile &file) {
  tile::KernelOp kernel = file.kernel;
  return file.list.empty() ? name : name + " @" + kernel.getSymName().str();
}

/// Whether a kernel is on the list of those that the theory has no form for
/// yet. On the list a kernel of the page goes by its own name, variants by that
/// of their file.
inline bool isUnmechanised(const std::string &name, tile::KernelOp kernel) {
  static const std::set<std::string> listed = [] {
    std::set<std::string> names;
    std::ifstream file(GIRIH_SOURCE_DIR "/tests/unit/coq/unmechanised.txt");
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line[0] != '#') {
        names.insert(line);
      }
    }
    return names;
  }();
  bool onPage = name.starts_with("spec/tile.md");
  std::string key =
      onPage ? "spec/tile.md @" + kernel.getSymName().str() : name;
  std::string why = coq::unmechanised(kernel);
  EXPECT_EQ(listed.contains(key), !why.empty()) << key << ": " << why;
  return !why.empty();
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_COQ_REPOSITORY_H
