// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Corpus.h"
#include "Build.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace girih::proofs::test {

static std::string read(const std::filesystem::path &file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

static std::vector<std::string> hashesIn(const std::string &text) {
  std::vector<std::string> hashes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() >= 66 && line[0] == '#') {
      hashes.push_back(line.substr(line.size() - 64));
    }
  }
  return hashes;
}

static void load(const std::filesystem::path &file, std::set<std::string> &seen,
                 std::vector<Exhibit> &out) {
  std::string text = read(file);
  auto parsed = parseObligations(text);
  if (auto *e = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << file << ":" << e->line << ": " << e->message;
    return;
  }
  auto beside = std::filesystem::path(file).replace_extension(".cert");
  auto certificates = parseCertificateFile(read(beside));
  if (auto *e = std::get_if<ParseError>(&certificates)) {
    ADD_FAILURE() << beside << ":" << e->line << ": " << e->message;
    return;
  }
  const auto &obligations = std::get<0>(parsed);
  const auto &byHash = std::get<0>(certificates).byHash;
  std::vector<std::string> hashes = hashesIn(text);
  if (hashes.size() != obligations.size()) {
    ADD_FAILURE() << file << ": not one hash an obligation";
    return;
  }
  for (size_t i = 0; i < obligations.size(); ++i) {
    std::string name = file.stem().string() + ": " + obligations[i].rule +
                       ", " + obligations[i].label;
    auto it = byHash.find(hashes[i]);
    if (it == byHash.end()) {
      ADD_FAILURE() << name << " has no certificate";
      continue;
    }
    if (seen.insert(canonicalText(obligations[i]) + print(it->second)).second) {
      out.push_back({name, factsOf(obligations[i]), it->second});
    }
  }
}

std::vector<Exhibit> loadCorpus(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".obligations") {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Exhibit> out;
  std::set<std::string> seen;
  for (const auto &file : files) {
    load(file, seen, out);
  }
  return out;
}

std::vector<Exhibit> handWritten() {
  std::vector<Exhibit> all =
      loadCorpus(GIRIH_SOURCE_DIR "/tests/unit/proofs/corpus");
  EXPECT_FALSE(all.empty());
  return all;
}

std::vector<Exhibit> kernels() {
  return loadCorpus(GIRIH_BINARY_DIR "/corpus");
}

} // namespace girih::proofs::test
