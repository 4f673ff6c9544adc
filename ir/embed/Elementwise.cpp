// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements an elementwise op takes, from the table of the language: the
// templates refuse what C++ can see, this what the table alone says.

#include "Recording.h"
#include <algorithm>
#include <sstream>

namespace girih::kernel::recorder {

namespace {
struct Row {
  const char *op, *elements;
};
constexpr Row rows[] = {
#define ELEMENTS(kinds, text) text
#define ELEMENTWISE(name, shape, elements, ...) {name, elements},
#include "ir/ops/Elementwise.def"
};
} // namespace

static bool isNamed(const std::string &words, Element e) {
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    if (word == "all" || word == textOf(e) || (word == "iN" && isInteger(e)) ||
        (word == "fN" && isWideFloat(e)) ||
        (word == "f8" && (e == Element::F8E5M2 || e == Element::F8E4M3))) {
      return true;
    }
  }
  return false;
}

void checkElementwise(const std::string &op, Element from, Element to,
                      Place at) {
  auto row = std::find_if(std::begin(rows), std::end(rows),
                          [&](const Row &r) { return r.op == op; });
  bool takes = false;
  if (row != std::end(rows)) {
    std::istringstream parts(row->elements);
    for (std::string part; std::getline(parts, part, ';');) {
      size_t arrow = part.find(" to ");
      takes |= arrow == part.npos ? from == to && isNamed(part, from)
                                  : isNamed(part.substr(0, arrow), from) &&
                                        isNamed(part.substr(arrow + 4), to);
    }
  }
  if (!takes) {
    throw Error(at, op + " takes no " + textOf(from) +
                        (from == to ? "" : std::string(" to ") + textOf(to)));
  }
}

} // namespace girih::kernel::recorder
