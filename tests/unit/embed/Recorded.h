// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of a kernel that is recorded for a test.

#ifndef GIRIH_TESTS_UNIT_EMBED_RECORDED_H
#define GIRIH_TESTS_UNIT_EMBED_RECORDED_H

#include "girih/kernel.h"
#include "gtest/gtest.h"
#include <sstream>

namespace girih::kernel::test {

inline std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// The body of a kernel, without aliases and header.
template <class K> std::vector<std::string> bodyOf() {
  std::vector<std::string> lines = linesOf(record<K>().text), body;
  bool isInside = false;
  for (const std::string &line : lines) {
    if (isInside && line != "}") {
      body.push_back(line);
    }
    isInside |= line.ends_with(" {");
  }
  return body;
}

/// The line with this text in it; the test fails where there is not one.
inline size_t lineWith(const std::vector<std::string> &lines,
                       const std::string &text) {
  size_t found = lines.size();
  for (size_t k = 0; k < lines.size(); ++k) {
    if (lines[k].find(text) != std::string::npos) {
      EXPECT_EQ(found, lines.size()) << text << " stands twice";
      found = k;
    }
  }
  EXPECT_NE(found, lines.size()) << text << " is missing";
  return found;
}

inline bool has(const std::vector<std::string> &lines,
                const std::string &text) {
  for (const std::string &line : lines) {
    if (line.find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

/// What recording says of a mistake.
template <class K> std::string errorOf() {
  try {
    record<K>();
  } catch (const Error &error) {
    return error.message;
  }
  return "accepted";
}

} // namespace girih::kernel::test

#endif // GIRIH_TESTS_UNIT_EMBED_RECORDED_H
