// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a cubin:
//
//   tile BYTES SHA256           of all that follows this line
//   entry NAME                  one or more
//   pointer|scalar|integer|grid BYTES NAME
//   text
//   ...

#include "tests/simulated/Executed.h"

#include "runtime/artefact/Sha256.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <sstream>

namespace girih::simulated {

static constexpr const char *words[] = {"pointer", "scalar", "integer", "grid"};

/// Of the first line; and of a text.
static constexpr size_t maxLine = 128, maxBytes = size_t(1) << 22;

std::string printExecuted(const ExecutedText &kernel) {
  std::ostringstream rest;
  for (const std::string &entry : kernel.entries) {
    rest << "entry " << entry << '\n';
  }
  for (const Parameter &p : kernel.parameters) {
    rest << words[static_cast<size_t>(p.kind)] << ' ' << p.bytes << ' '
         << p.name << '\n';
  }
  rest << "text\n" << kernel.text;
  std::string all = rest.str();
  return "tile " + std::to_string(all.size()) + ' ' + runtime::sha256(all) +
         '\n' + all;
}

std::optional<ExecutedText> parseExecuted(const char *text) {
  std::string head(text, strnlen(text, maxLine));
  size_t end = head.find('\n');
  std::istringstream first(head.substr(0, end));
  std::string magic, digest;
  size_t bytes = 0;
  if (end == std::string::npos || !(first >> magic >> bytes >> digest) ||
      magic != "tile" || bytes > maxBytes) {
    return std::nullopt;
  }
  const char *begin = text + end + 1;
  std::string all(begin, strnlen(begin, bytes));
  if (all.size() != bytes || runtime::sha256(all) != digest) {
    return std::nullopt;
  }
  ExecutedText out;
  std::istringstream rest(all);
  for (std::string line; std::getline(rest, line) && line != "text";) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "entry") {
      in >> out.entries.emplace_back();
      continue;
    }
    auto kind = std::find(std::begin(words), std::end(words), word);
    Parameter p;
    if (kind == std::end(words) || !(in >> p.bytes >> p.name)) {
      return std::nullopt;
    }
    p.kind = Parameter::Kind(kind - std::begin(words));
    out.parameters.push_back(p);
  }
  out.text.assign(std::istreambuf_iterator<char>(rest), {});
  return out;
}

} // namespace girih::simulated
