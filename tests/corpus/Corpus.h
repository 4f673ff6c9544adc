// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the corpus and what the first line of each expects.

#ifndef GIRIH_TESTS_CORPUS_CORPUS_H
#define GIRIH_TESTS_CORPUS_CORPUS_H

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace girih::test {

struct CorpusKernel {
  std::string path;               ///< absolute
  std::string topic;              ///< below its origin
  std::string expect;             ///< the verdict
  std::vector<std::string> rules; ///< broken or open; the first is the subject
};

/// How GoogleTest names one.
inline void PrintTo(const CorpusKernel &kernel, std::ostream *os) {
  *os << kernel.topic << "/"
      << std::filesystem::path(kernel.path).filename().string();
}

/// The kernels of an origin, by path.
inline std::vector<CorpusKernel> corpusOf(const std::string &origin) {
  namespace fs = std::filesystem;
  std::vector<CorpusKernel> out;
  fs::path root = fs::path(GIRIH_SOURCE_DIR) / "tests/corpus" / origin;
  for (const auto &entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".mlir") {
      continue;
    }
    CorpusKernel kernel{
        entry.path(), *fs::relative(entry.path(), root).begin(), "", {}};
    std::string line, word;
    std::getline(std::ifstream(kernel.path), line);
    std::istringstream words(line);
    words >> word >> word >> kernel.expect;
    while (words >> word) {
      kernel.rules.push_back(word);
    }
    out.push_back(std::move(kernel));
  }
  std::ranges::sort(out, {}, &CorpusKernel::path);
  return out;
}

} // namespace girih::test

#endif // GIRIH_TESTS_CORPUS_CORPUS_H
