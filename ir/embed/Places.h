// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of C++ in the text, the same from every compiler.

#ifndef GIRIH_IR_EMBED_PLACES_H
#define GIRIH_IR_EMBED_PLACES_H

#include "girih/kernel/Recorder.h"
#include <map>
#include <string_view>

namespace girih::kernel::recorder {

/// Where calls begin, and operators stand. For one call g++ names its
/// parenthesis and clang its first name; for operators they agree on the line
/// alone.
class SourceColumns {
public:
  /// The column of the first name of the call at a place, by the text of its
  /// file; 0 for anything else, and where the file is not there.
  unsigned ofCall(const Place &place);
  /// The column of the operator at a place, by its sign; 0 where it is not the
  /// only one of its line, or its statement has other lines.
  unsigned ofOperator(const Place &place, std::string_view sign);

private:
  /// The lines of the file.
  const std::vector<std::string> &linesOf(const Place &place);

  std::map<std::string, std::vector<std::string>> files;
};

/// The column of a call's first name; `column` is there or at its parenthesis.
/// 0 if there is no call.
unsigned columnOfCall(const std::string &line, unsigned column);

/// The sign of the operator that records an op of this text; empty for others.
std::string_view signOfOperator(std::string_view op);

/// The column of the only operator of a line with this sign, `+` or `+=` for
/// `+`; 0 if there are none or several.
unsigned columnOfOperator(std::string_view line, std::string_view sign);

/// Whether a line, from 1, is a statement or the head of one, by its ends.
bool isStatement(const std::vector<std::string> &lines, unsigned number);

/// ` loc("file.cpp":12:5)`; empty without a place, and of a file whose name no
/// text can have.
std::string locationText(const Place &place, unsigned column);

} // namespace girih::kernel::recorder

#endif // GIRIH_IR_EMBED_PLACES_H
