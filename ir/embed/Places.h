// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of C++ in the text, the same from every compiler.

#ifndef GIRIH_IR_EMBED_PLACES_H
#define GIRIH_IR_EMBED_PLACES_H

#include "girih/kernel/Recorder.h"
#include <map>

namespace girih::kernel::recorder {

/// Where calls begin. For one call g++ names its parenthesis and clang its
/// first name; for operators they agree on the line alone.
class SourceColumns {
public:
  /// The column of the first name of the call at a place, by the text of its
  /// file; 0 for anything else, and where the file is not there.
  unsigned of(const Place &place);

private:
  std::map<std::string, std::vector<std::string>> files; // lines
};

/// The column of a call's first name; `column` is there or at its parenthesis.
/// 0 if there is no call.
unsigned columnOfCall(const std::string &line, unsigned column);

/// ` loc("file.cpp":12:5)`, column 0 without `columns`; empty without a place,
/// and of a file whose name no text can have.
std::string locationText(const Place &place, SourceColumns *columns);

} // namespace girih::kernel::recorder

#endif // GIRIH_IR_EMBED_PLACES_H
