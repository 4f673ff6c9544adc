// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel, who runs it, and its place between the grids before and behind.

include "lower/hopper/ir/Dialect.td"
include "mlir/IR/SymbolInterfaces.td"

def KernelOp : HopperOp<"kernel", [
    IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "what each warp of a block does";
  let description = [{
    `hopper.kernel @gemv(%w: !hopper.global<early>, %n: i64) warps 8
    registers 128 {...}`: a block has that many warps, and a thread at most that many registers.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$warps,
                       I64Attr:$registers);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def ReturnOp : HopperOp<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a kernel";
  let assemblyFormat = "attr-dict";
}

class HopperIdOp<string mnemonic> : HopperOp<mnemonic, [Pure]> {
  let results = (outs I64:$id);
  let assemblyFormat = "attr-dict `:` type($id)";
}

def BlockIdOp : HopperIdOp<"block_id"> {
  let summary = "the number of the block in a grid of one axis";
}

def WarpIdOp : HopperIdOp<"warp_id"> {
  let summary = "the number of the warp in its block";
}

def LaneIdOp : HopperIdOp<"lane_id"> {
  let summary = "the number of the lane in its warp";
}

def BeforeDependencyOp : HopperEffectOp<"before_dependency", [
    HasParent<"KernelOp">, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "what may run before the grids that came before are done";
  let description = [{
    The region runs first; then the block waits until the grids that it depends
    on are done and what they wrote is visible.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def TriggerOp : HopperEffectOp<"trigger", [HasParent<"KernelOp">]> {
  let summary = "lets the grid behind this one start";
  let assemblyFormat = "attr-dict";
}
