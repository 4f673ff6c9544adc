// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, partitions and pieces.

#ifndef GIRIH_IR_TYPES_TYPES_H
#define GIRIH_IR_TYPES_TYPES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/types/TypeEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/types/Types.h.inc"

namespace girih::tile {

/// Limits that keep every tool total: on axes of a tensor or a grid, and on
/// elements of a tile or a vector.
inline constexpr unsigned maxRank = 64;
inline constexpr int64_t maxElements = 1 << 20;

/// Floats of 8 and of 4 bits.
bool isSmallFloat(mlir::Type type);

/// These, and integers of 4 bits: kept, moved and converted, floats multiplied
/// too, no more.
bool isSmall(mlir::Type type);

/// Two elements share a byte.
bool isSubByte(mlir::Type type);

/// The one read-modify-write of an atomic mode; none of another.
std::optional<AtomicKind> atomicOf(Mode mode);

/// Parses the word of an atomic: add, min, max, and, or, xor.
mlir::ParseResult parseAtomicWord(mlir::AsmParser &parser,
                                  AtomicKindAttr &kind);
void printAtomicWord(mlir::AsmPrinter &printer, mlir::Operation *op,
                     AtomicKindAttr kind);

/// Refuses an atomic, which the message calls `name`, on a tensor of another
/// mode; the tensor is the op's second operand.
mlir::LogicalResult verifyAtomicMode(mlir::Operation *op, llvm::StringRef name,
                                     AtomicKind kind, Mode mode);

/// Modes own, out and raw: blocks claim tiles of such a tensor before they
/// write it.
bool isClaimed(Mode mode);

/// Parses `[128, _]` into 128 and 0.
mlir::ParseResult parseTile(mlir::AsmParser &parser,
                            llvm::SmallVectorImpl<int64_t> &tile);
void printTile(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> tile);

/// The type of the value that a load of one tile gives. The tile is valid.
mlir::Type tileTypeOf(llvm::ArrayRef<int64_t> tile, mlir::Type elementType);

/// Likewise of a partition or a piece; null for any other type.
mlir::Type tileTypeOf(mlir::Type partitionOrPiece);

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_TYPES_H
