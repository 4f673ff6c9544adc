// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What elements of i4 are in memory, where two share a byte: of two neighbours
// along the packed axis the even one is in the low bits. Tile IR computes
// nothing of them, so that the bytecode has to load and store the bytes.

#ifndef GIRIH_LOWER_READBACK_NIBBLES_H
#define GIRIH_LOWER_READBACK_NIBBLES_H

#include "lower/readback/Kernel.h"
#include "lower/readback/Trace.h"

namespace girih::readback {

/// The axis along which bytes of memory have two elements, if they do.
std::optional<unsigned> pairedAxis(mlir::Value tensor);

/// A layout in elements, in what memory is made of.
Layout inMemory(Pool &pool, mlir::Value tensor, Layout elements);

/// The elements of the tile of bytes that the access with that number loaded,
/// under their shape. Null unless they are all that comes of the bytes, whose
/// shape may lack axes of 1.
Expr unpacked(Pool &pool, const Trace &trace, int64_t number,
              const Shape &shape, unsigned axis);

/// The bytes of elements under a shape.
Expr packed(Pool &pool, Expr value, const Shape &shape, unsigned axis);

/// A byte of two elements that are both padded.
Expr paddingOfPairs(Pool &pool, mlir::Attribute pad);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_NIBBLES_H
