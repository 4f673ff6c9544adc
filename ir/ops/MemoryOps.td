// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitions, claims, loads, stores and atomics, of tiles and of single lanes.

include "ir/types/Attrs.td"
include "ir/types/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// A claim is an event, and a load reads a fresh unknown: both read and write,
// so that no pass merges, hoists or drops them.
class TileMemoryOp<string mnemonic, list<Trait> traits = []>
    : TileOp<mnemonic, traits # [MemoryEffects<[MemRead, MemWrite]>]>;

def PartitionOp : TileOp<"partition", [Pure, InferTypeOpAdaptor]> {
  let summary = "a tensor as a grid of tiles";
  let description = [{ `%p = tile.partition %t by [128, _] : !A` }];
  let arguments = (ins TileTensorType:$tensor, DenseI64ArrayAttr:$tile);
  let results = (outs TilePartitionType:$result);
  let assemblyFormat = [{
    $tensor `by` custom<TileShape>($tile) attr-dict
    `:` qualified(type($tensor))
  }];
  let hasVerifier = 1;
}

def ClaimOp : TileMemoryOp<"claim", [InferTypeOpAdaptor]> {
  let summary = "takes the exclusive capability to one tile";
  let description = [{ `%o = tile.claim %pc[%i, %j] : !PC` }];
  let arguments = (ins TilePartitionType:$partition, Variadic<Index>:$indices);
  let results = (outs TilePieceType:$result);
  let assemblyFormat = [{
    $partition `[` $indices `]` attr-dict `:` qualified(type($partition))
  }];
  let hasVerifier = 1;
}

def LoadOp : TileMemoryOp<"load", [InferTypeOpAdaptor]> {
  let summary = "reads one tile";
  let description = [{
    `%x = tile.load %pa[%i, %k] pad(zero) : !PA` of a shared tensor, or
    `%y = tile.load %piece pad(zero) : !P`.
  }];
  let arguments = (ins
    AnyTypeOf<[TilePartitionType, TilePieceType]>:$source,
    Variadic<Index>:$indices,
    OptionalAttr<TilePadding>:$pad);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source (`[` $indices^ `]`)? custom<PadClause>($pad) attr-dict
    `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def InsideOp : TileOp<"inside", [Pure, InferTypeOpAdaptor]> {
  let summary = "which lanes of a tile lie inside";
  let description = [{
    `%m = tile.inside %pa[%i, %k] : !PA`: a vector of i1 with the shape of the
    tile, true where the element lies in what is tiled. The index may name no
    tile: then no lane does.
  }];
  let arguments = (ins TilePartitionType:$partition, Variadic<Index>:$indices);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $partition `[` $indices `]` attr-dict `:` qualified(type($partition))
  }];
  let hasVerifier = 1;
}

class TileLanesOp<string mnemonic, list<Trait> traits = []>
    : TileMemoryOp<mnemonic, [AttrSizedOperandSegments] # traits> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def GatherOp : TileLanesOp<"gather"> {
  let summary = "reads an element a lane";
  let description = [{
    `%g = tile.gather %e[%row, %col], %mask pad(zero) : !E, vector<128xindex>,
    vector<128xindex>, vector<128xi1>`: each lane reads the element of a shared
    tensor, or of a view, at its own coordinates there; where the mask is
    false, the padding.
  }];
  let arguments = (ins
    TileTensorType:$tensor,
    Variadic<AnyVectorOfNonZeroRank>:$indices,
    Optional<AnyVectorOfNonZeroRank>:$mask,
    OptionalAttr<TilePadding>:$pad);
  let results = (outs AnyVectorOfNonZeroRank:$result);
}

def ScatterOp : TileLanesOp<"scatter"> {
  let summary = "claims and writes an element a lane";
  let description = [{
    `tile.scatter %v, %c[%row, %col], %mask : vector<128xf32>, !C,
    vector<128xindex>, vector<128xindex>, vector<128xi1>`: each lane takes the
    element of a written tensor, or of a view, at its own coordinates there for
    its block, and writes it; where the mask is false, nothing happens.
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$value,
    TileTensorType:$tensor,
    Variadic<AnyVectorOfNonZeroRank>:$indices,
    Optional<AnyVectorOfNonZeroRank>:$mask);
}

def AtomicScatterOp : TileLanesOp<"atomic_scatter"> {
  let summary = "combines an element a lane with memory";
  let description = [{
    `tile.atomic_scatter add %v, %h[%row, %col], %mask : vector<128xi32>, !H,
    vector<128xindex>, vector<128xindex>, vector<128xi1>`: each lane is combined
    with the element at its own coordinates of a tensor of mode `atomic<add>`,
    or of a view of one; where the mask is false, nothing happens. Lanes may meet.
  }];
  let arguments = (ins
    TileAtomicKind:$kind,
    AnyVectorOfNonZeroRank:$value,
    TileTensorType:$tensor,
    Variadic<AnyVectorOfNonZeroRank>:$indices,
    Optional<AnyVectorOfNonZeroRank>:$mask);
}

def StoreOp : TileMemoryOp<"store", [
    TypesMatchWith<"the value has the type of the piece's tile", "piece",
                   "value", "tileTypeOf($_self)">
  ]> {
  let summary = "writes the part of one tile that lies inside the tensor";
  let description = [{ `tile.store %v, %piece : !P` }];
  let arguments = (ins AnyType:$value, TilePieceType:$piece);
  let assemblyFormat =
      "$value `,` $piece attr-dict `:` qualified(type($piece))";
}

def AtomicOp : TileMemoryOp<"atomic", [
    TypesMatchWith<"the value has the type of the partition's tile",
                   "partition", "value", "tileTypeOf($_self)">
  ]> {
  let summary = "combines a tile with memory, element by element";
  let description = [{
    `tile.atomic add %v, %ph[%i] : !PH` of a tensor of mode `atomic<add>`.
  }];
  let arguments = (ins
    TileAtomicKind:$kind, AnyType:$value, TilePartitionType:$partition,
    Variadic<Index>:$indices);
  let assemblyFormat = [{
    custom<AtomicWord>($kind) $value `,` $partition `[` $indices `]` attr-dict
    `:` qualified(type($partition))
  }];
  let hasVerifier = 1;
}
