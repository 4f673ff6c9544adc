// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GIRIH_TESTS_UNIT_CHECKER_PASTE_H
#define GIRIH_TESTS_UNIT_CHECKER_PASTE_H

#include <string>

namespace girih::test {

/// One behind the bracket that closes the first one from `at` on.
inline size_t closing(const std::string &text, size_t at) {
  at = text.find('[', at);
  for (int depth = 0; at < text.size(); ++at) {
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

/// The kernel's text with the clause in place of its own, or where it belongs.
inline std::string paste(std::string text, const std::string &clause) {
  size_t header = text.find("tile.kernel"),
         own = text.find(clause.substr(0, clause.find('[') + 1), header),
         before = text.find("requires [", header);
  if (own != std::string::npos) {
    return text.replace(own, closing(text, own) - own, clause);
  }
  bool isLast = clause.starts_with("given") && before != std::string::npos;
  size_t behind = isLast ? before : text.find("grid [", header);
  return text.insert(closing(text, behind), " " + clause);
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_CHECKER_PASTE_H
