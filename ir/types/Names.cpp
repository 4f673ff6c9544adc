// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Word lists.

#include "ir/types/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace girih::tile {

bool isPlainName(StringRef name) {
  return !name.empty() && isAlpha(name.front()) &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

bool isTypeWord(StringRef word) {
  if (word == "index" || word == "none" || word.starts_with("f8E") ||
      word.starts_with("f6E") || word.starts_with("f4E")) {
    return true;
  }
  for (StringRef prefix : {"i", "si", "ui", "f", "bf", "tf"}) {
    StringRef digits = word;
    if (digits.consume_front(prefix) && !digits.empty() &&
        all_of(digits, isDigit)) {
      return true;
    }
  }
  return false;
}

bool isForeignWord(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"affine_map", "affine_set", "array", "attributes", "complex"},
             true)
      .Cases({"dense_resource", "distinct", "loc", "memref", "opaque"}, true)
      .Cases({"sparse", "strided", "tensor", "tuple", "func"}, true)
      .Cases({"unit", "unrealized_conversion_cast"}, true)
      .Default(false);
}

bool isSymbolName(StringRef name) {
  return isPlainName(name) && !isTypeWord(name) && !isForeignWord(name) &&
         !llvm::StringSwitch<bool>(name)
              .Cases({"x", "div", "mod", "ceildiv", "min", "max"}, true)
              .Cases({"dense", "vector"}, true)
              .Default(false);
}

} // namespace girih::tile
