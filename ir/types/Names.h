// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which words may name a launch symbol, an argument or a kernel. MLIR's lexer
// takes more (`i32` as an extent, dots and dollars); a name that also is a type
// or a word of the contract would not read back as itself.

#ifndef GIRIH_IR_TYPES_NAMES_H
#define GIRIH_IR_TYPES_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace girih::tile {

/// A letter, then letters, digits and underscores.
bool isPlainName(llvm::StringRef name);

/// True for `i32`, `si8`, `f32`, `index` and their like.
bool isTypeWord(llvm::StringRef word);

/// True for words that begin what no kernel contains: locations, resources,
/// affine maps, types of other dialects. The reader refuses them anywhere.
bool isForeignWord(llvm::StringRef word);

/// A plain name that is no type, no foreign word, no word of the contract.
bool isSymbolName(llvm::StringRef name);

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_NAMES_H
