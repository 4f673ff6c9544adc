// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index maps and their uses, and what is said about values: names, conditions
// that are proved, conditions that are believed, values that are printed.

include "ir/types/Attrs.td"
include "ir/types/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileMapExprs : TypedArrayAttrBase<TileExprAttr, "contract expressions">;

def MapOp : TileOp<"map", [
    IsolatedFromAbove, HasParent<"::mlir::ModuleOp">
  ]> {
  let summary = "a pure function on indices, with properties to be proved";
  let description = [{
    `tile.map @rot(%p) [S, R] -> (index) from [S] into [S] bijective { ...
    tile.yield %t } inverse (%t) { ... tile.yield %p }`. The names in brackets
    are parameters: `from`, `into` and `tile.symbol` in the body speak of them.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$params,
    I64Attr:$resultCount,
    TileMapExprs:$domain,
    OptionalAttr<TileMapExprs>:$range,
    TileMapKind:$mapKind);
  let regions = (region SizedRegion<1>:$bodyRegion, AnyRegion:$inverse);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def MapYieldOp : TileOp<"yield", [Pure, Terminator, HasParent<"MapOp">]> {
  let summary = "the results of a map or of its inverse: `tile.yield %i, %j`";
  let arguments = (ins Variadic<Index>:$values);
  let assemblyFormat = "($values^)? attr-dict";
}

def ApplyOp : TileOp<"apply", [Pure, AttrSizedOperandSegments]> {
  let summary = "the value of a map";
  let description = [{
    `%r, %q = tile.apply @swizzle(%i, %j) [%rows, %g] : index, index`.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$map, Variadic<Index>:$args, Variadic<Index>:$params);
  let results = (outs Variadic<Index>:$results);
  let assemblyFormat = [{
    $map `(` $args `)` (`[` $params^ `]`)? attr-dict `:` type($results)
  }];
}

def NameOp : TileOp<"name", [Pure]> {
  let summary = "the same index, as a quantity of its own: `tile.name %i`";
  let description = [{
    Facts speak of the result by a name in place of the expression that it is.
    Written by the reader for the results of a map.
  }];
  let arguments = (ins Index:$value);
  let results = (outs Index:$result);
  let assemblyFormat = "$value attr-dict";
}

// Neither may be merged, hoisted or dropped.
class TileStatementOp<string mnemonic>
    : TileOp<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def ProveOp : TileStatementOp<"prove"> {
  let summary = "a condition that is proved here, and a fact afterwards";
  let description = [{
    `tile.prove %c, "row is the position" : i1`. A word before the condition
    says which rule owes it; the reader writes these for maps.
  }];
  let arguments = (ins
    TileProveKind:$rule, I1:$condition, OptionalAttr<StrAttr>:$text);
  let assemblyFormat = [{
    custom<Condition>($rule, $condition) (`,` $text^)? attr-dict
    `:` type($condition)
  }];
}

def PrintOp : TileStatementOp<"print"> {
  let summary = "prints values, for whoever looks for a mistake";
  let description = [{ `tile.print "sum", %s, %i : vector<64xf32>, index` }];
  let arguments = (ins StrAttr:$label, Variadic<AnyType>:$values);
  let assemblyFormat =
      "$label (`,` $values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def TrustOp : TileStatementOp<"trust"> {
  let summary = "a condition that is believed, by name";
  let description = [{ `tile.trust %c, "the table is sorted" : i1` }];
  let arguments = (ins I1:$condition, OptionalAttr<StrAttr>:$text);
  let assemblyFormat =
      "$condition (`,` $text^)? attr-dict `:` type($condition)";
}
