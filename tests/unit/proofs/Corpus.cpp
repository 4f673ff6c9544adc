// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Corpus.h"
#include "Build.h"

#include <algorithm>
#include <fstream>
#include <optional>
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

static std::optional<Docket> load(const std::filesystem::path &file) {
  std::string text = read(file);
  auto parsed = parseObligations(text);
  if (auto *e = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << file << ":" << e->line << ": " << e->message;
    return std::nullopt;
  }
  auto beside = std::filesystem::path(file).replace_extension(".cert");
  auto certificates = parseCertificateFile(read(beside));
  if (auto *e = std::get_if<ParseError>(&certificates)) {
    ADD_FAILURE() << beside << ":" << e->line << ": " << e->message;
    return std::nullopt;
  }
  Docket d{file.stem().string(), std::get<0>(std::move(parsed)), {}};
  const auto &byHash = std::get<0>(certificates).byHash;
  std::vector<std::string> hashes = hashesIn(text);
  if (hashes.size() != d.obligations.size()) {
    ADD_FAILURE() << file << ": not one hash an obligation";
    return std::nullopt;
  }
  for (const std::string &hash : hashes) {
    auto it = byHash.find(hash);
    if (it == byHash.end()) {
      ADD_FAILURE() << file << ": no certificate for " << hash;
      return std::nullopt;
    }
    d.trees.push_back(it->second);
  }
  return d;
}

std::vector<Docket> loadCorpus(const std::filesystem::path &folder) {
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
  std::vector<Docket> out;
  for (const auto &file : files) {
    if (std::optional<Docket> d = load(file)) {
      out.push_back(std::move(*d));
    }
  }
  return out;
}

std::vector<Docket> handWritten() {
  std::vector<Docket> all =
      loadCorpus(GIRIH_SOURCE_DIR "/tests/unit/proofs/corpus");
  EXPECT_FALSE(all.empty());
  return all;
}

std::vector<Docket> kernels() { return loadCorpus(GIRIH_BINARY_DIR "/corpus"); }

std::vector<std::string> kernelNames() {
  std::vector<std::string> out;
  std::error_code none;
  for (std::filesystem::directory_iterator it(GIRIH_BINARY_DIR "/corpus", none),
       end;
       it != end; it.increment(none)) {
    if (it->path().extension() == ".obligations") {
      out.push_back(it->path().stem());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Exhibit> exhibits(const std::vector<Docket> &corpus) {
  std::vector<Exhibit> out;
  std::set<std::string> seen;
  for (const Docket &d : corpus) {
    for (size_t i = 0; i < d.obligations.size(); ++i) {
      const Obligation &o = d.obligations[i];
      if (seen.insert(canonicalText(o) + print(d.trees[i])).second) {
        out.push_back({d.name + ": " + o.rule + ", " + o.label, factsOf(o),
                       d.trees[i], 0});
      }
    }
  }
  return out;
}

} // namespace girih::proofs::test
