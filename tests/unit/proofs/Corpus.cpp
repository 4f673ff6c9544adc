// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Corpus.h"
#include "Build.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <variant>

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

/// The lists of obligations of one text, a kernel each: the number that follows
/// the mark of an obligation starts again at 0.
static std::vector<std::string> listsIn(const std::string &text) {
  std::vector<std::string> lists(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# 0 ") && !lists.back().empty()) {
      lists.emplace_back();
    }
    lists.back() += line + "\n";
  }
  return lists;
}

/// One list with its certificates; what is wrong in place of it.
static std::variant<Docket, std::string> docket(const std::string &text,
                                                const CertificateFile &stored) {
  auto parsed = parseObligations(text);
  if (auto *e = std::get_if<ParseError>(&parsed)) {
    return std::to_string(e->line) + ": " + e->message;
  }
  Docket d{"", std::get<0>(std::move(parsed)), {}};
  std::vector<std::string> hashes = hashesIn(text);
  if (hashes.size() != d.obligations.size()) {
    return "not one hash an obligation";
  }
  for (const std::string &hash : hashes) {
    auto it = stored.byHash.find(hash);
    if (it == stored.byHash.end()) {
      return "no certificate for " + hash;
    }
    d.trees.push_back(it->second);
  }
  return d;
}

static void load(const std::filesystem::path &file, std::vector<Docket> &into) {
  auto beside = std::filesystem::path(file).replace_extension(".cert");
  auto certificates = parseCertificateFile(read(beside));
  if (auto *e = std::get_if<ParseError>(&certificates)) {
    ADD_FAILURE() << beside << ":" << e->line << ": " << e->message;
    return;
  }
  for (const std::string &list : listsIn(read(file))) {
    auto made = docket(list, std::get<0>(certificates));
    if (auto *why = std::get_if<std::string>(&made)) {
      ADD_FAILURE() << file << ": " << *why;
      return;
    }
    into.push_back(std::get<Docket>(std::move(made)));
    into.back().name = file.stem().string();
  }
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
    load(file, out);
  }
  return out;
}

std::vector<Docket> handWritten() {
  std::vector<Docket> all =
      loadCorpus(GIRIH_SOURCE_DIR "/tests/unit/proofs/corpus");
  EXPECT_FALSE(all.empty());
  return all;
}

std::vector<Docket> kernel(const std::string &name) {
  std::vector<Docket> out;
  load(GIRIH_BINARY_DIR "/corpus/" + name + ".obligations", out);
  return out;
}

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
