// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: parts of a tensor under coordinates of their own.

include "ir/types/Attrs.td"
include "ir/types/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Without effects, but not to be moved ahead of a branch: each owes something.
def ViewOp : TileOp<"view", [NoMemoryEffect, InferTypeOpAdaptor]> {
  let summary = "a part of a tensor, or its elements under other coordinates";
  let description = [{
    `%s = tile.view %c slice [%off, 0] size [%len, N] : !C`,
    `%e = tile.view %c slice [0, 1] size [M, H] step [1, 2] : !C`,
    `%t = tile.view %a permute [1, 0] : !A`,
    `%h = tile.view %x unfold 1 by [H, 128] : !X`,
    `%r = tile.view %x fix 0 at %i : !X`,
    `%l = tile.view %x flatten 0 : !X`. A number is a constant (an
    `IntegerAttr` of type index), a launch symbol (a `StringAttr`) or the next
    operand (a `UnitAttr`). `where` has offsets, the permutation or the axis;
    `what` sizes, factors or the coordinate, `steps` those of a slice, 1 each
    where there are none. Operands are in this order. Strides and alignment are the root
    tensor's and not said again in the type of a view.
  }];
  let arguments = (ins
    TileTensorType:$tensor, Variadic<Index>:$numbers,
    TileViewKind:$kind, ArrayAttr:$where, ArrayAttr:$what,
    OptionalAttr<ArrayAttr>:$steps);
  let results = (outs TileTensorType:$result);
  let assemblyFormat = [{
    $tensor custom<ViewClause>($kind, $where, $what, $steps, $numbers) attr-dict
    `:` qualified(type($tensor))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The offsets, sizes, factors or the coordinate, whichever the kind has.
    ::llvm::SmallVector<ViewNumber> getOffsets();
    ::llvm::SmallVector<ViewNumber> getSizes();
    /// Of a slice: one an axis, also where none is written.
    ::llvm::SmallVector<ViewNumber> getStepNumbers();
    ::llvm::SmallVector<ViewNumber> getFactors() { return getSizes(); }
    ViewNumber getCoordinate() { return getSizes()[0]; }
    /// Axis k of a permuted view is axis `getPermutation()[k]` of the tensor.
    ::llvm::SmallVector<unsigned> getPermutation();
    /// The axis that is unfolded or fixed, or the first one that is flattened.
    unsigned getAxis();
  }];
}
