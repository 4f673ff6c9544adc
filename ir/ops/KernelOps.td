// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel, and the ops that give it its launch: symbols, block ids, grid.

include "ir/types/Attrs.td"
include "ir/types/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"

def TileExprs : TypedArrayAttrBase<TileExprAttr, "contract expressions">;
def TileComparisons
    : TypedArrayAttrBase<TileComparisonAttr, "contract comparisons">;
def TileGivens : TypedArrayAttrBase<TileGivenAttr, "facts about contents">;
def TileLaunchSymbols
    : TypedArrayAttrBase<TileLaunchSymbolAttr, "launch symbols">;

def TileCovers : TypedArrayAttrBase<TileCoverAttr, "witnesses of outputs">;
def TileRepacks : TypedArrayAttrBase<TileRepackAttr, "tensors to copy">;

def KernelOp : TileOp<"kernel", [
    IsolatedFromAbove, SingleBlock, NoTerminator,
    HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>
  ]> {
  let summary = "a kernel: its signature, its contract and the code of a block";
  let description = [{
    The header, in order: arguments, `symbols [P : index, pos : i32]`,
    `grid [...]`, `requires [...]`, `given [...]`, `covers [...]`, `repack
    [...]`, `hints {...}`; all but arguments and grid are optional. Names of
    arguments are kept, for diagnostics and inputs.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$arg_names,
    TileLaunchSymbols:$symbols,
    TileExprs:$grid,
    TileComparisons:$conditions,
    TileGivens:$givens,
    TileCovers:$covers,
    TileRepacks:$repack,
    DictionaryAttr:$hints);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block::BlockArgListType getArguments() {
      return getBody()->getArguments();
    }
    ::llvm::StringRef getArgName(unsigned index);
    ::llvm::SmallVector<ExprAttr> getGridExprs();
    ::llvm::SmallVector<ComparisonAttr> getRequirements();
    /// What the contract gives about contents, in order.
    ::llvm::SmallVector<GivenAttr> getGivenFacts();
    /// `%t`, for the text of a given.
    std::string getArgText(unsigned index);
    /// Extents of the arguments in order of first occurrence, then the symbols
    /// clause.
    ::llvm::SmallVector<LaunchSymbol> getLaunchSymbols();
  }];
}

def VariantsOp : TileOp<"variants", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "kernels of one signature in order: a launch takes the first that is for it";
  let description = [{
    `tile.variants @gemm [@gemm_big when (M * N >= 1048576), @gemm_small]`: all
    kernels of the file. A kernel is for launches that keep all that its `when`
    lists; the last may have none.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    FlatSymbolRefArrayAttr:$kernels,
    ArrayAttr:$conditions);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::StringRef getKernelName(unsigned number);
    /// What the `when` of a kernel lists, in order.
    ::llvm::SmallVector<ComparisonAttr> getWhen(unsigned number);
  }];
}

def SymbolOp : TileOp<"symbol", [Pure]> {
  let summary = "the value of a launch symbol: `tile.symbol \"N\" : index`";
  let arguments = (ins StrAttr:$symbol);
  let results = (outs AnyTypeOf<[Index, AnySignlessInteger]>:$result);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

class TileLaunchOp<string mnemonic> : TileOp<mnemonic, [Pure]> {
  let arguments = (ins I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$axis attr-dict";
}

def BlockIdOp : TileLaunchOp<"block_id"> {
  let summary = "the coordinate of the block in the grid: `tile.block_id 0`";
}

def GridDimOp : TileLaunchOp<"grid_dim"> {
  let summary = "the number of blocks along an axis: `tile.grid_dim 0`";
}

def NumTilesOp : TileOp<"num_tiles", [Pure]> {
  let summary = "ceildiv(extent, tile): `tile.num_tiles %pa, 1 : !PA`";
  let arguments = (ins TilePartitionType:$partition, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat =
      "$partition `,` $axis attr-dict `:` qualified(type($partition))";
  let hasVerifier = 1;
}
