// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for each op and each element type, that it has and that it has not:
// the reader takes what the table of elements in spec/tile.md lists and refuses
// all else.

#ifndef GIRIH_FUZZ_GENERATORS_FORMS_H
#define GIRIH_FUZZ_GENERATORS_FORMS_H

#include <map>
#include <set>
#include <string>
#include <vector>

namespace girih::fuzz {

/// A row of ir/ops/Elementwise.def.
struct Elementwise {
  std::string name, shape;
  std::string elements; ///< as the table in spec/tile.md has them

  /// With its operands after it, all the same.
  std::string of(const std::string &operand) const;
};
const std::vector<Elementwise> &elementwiseOps();
/// The names of those of a shape that take just these elements.
std::vector<std::string> elementwiseNames(const std::string &shape,
                                          const std::string &elements);

/// All element types.
const std::vector<std::string> &elementTypes();

/// A form of an op over an element E, or over E and F of a cast.
struct Form {
  std::string op;      ///< its name in the table
  std::string text;    ///< of statements
  std::string head;    ///< what stands before the body
  bool isCast = false; ///< over two elements
};

const std::vector<Form> &forms();

/// The kernel of a form over an element, and another one for casts.
std::string kernelOf(const Form &form, const std::string &e,
                     const std::string &f);

/// By op what it takes, `E` or `E to F`, as the table of the text of
/// spec/tile.md says.
using ElementTable = std::map<std::string, std::set<std::string>>;
ElementTable elementTable(const std::string &spec);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FORMS_H
