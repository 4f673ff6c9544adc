// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself, its types, and the base class of its ops.

#ifndef GIRIH_LOWER_HOPPER_IR_DIALECT_TD
#define GIRIH_LOWER_HOPPER_IR_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def HopperDialect : Dialect {
  let name = "hopper";
  let summary = "what the warps of one block of sm_90 do";
  let description = [{
    Between `tile` and NVVM: shared-memory rings with phases, bulk copies,
    barriers and programmatic dependent launch. Every warp of a block runs the
    body; values are per lane.
  }];
  let cppNamespace = "::girih::hopper";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let extraClassDeclaration = "void registerTypes();";
}

class HopperOp<string mnemonic, list<Trait> traits = []>
    : Op<HopperDialect, mnemonic, traits>;

// Has an effect that no pass may drop, merge or move.
class HopperEffectOp<string mnemonic, list<Trait> traits = []>
    : HopperOp<mnemonic,
               traits # [MemoryEffects<[MemRead, MemWrite]>]>;

def HopperAccess : I32EnumAttr<
    "Access", "what a kernel does with an argument", [
  I32EnumAttrCase<"Early", 0, "early">,
  I32EnumAttrCase<"Read", 1, "read">,
  I32EnumAttrCase<"Write", 2, "write">,
  I32EnumAttrCase<"Own", 3, "own">
]> {
  let cppNamespace = "::girih::hopper";
  let genSpecializedAttr = 0;
}

class HopperType<string name, string mnemonicText>
    : TypeDef<HopperDialect, name> {
  let mnemonic = mnemonicText;
}

def HopperGlobal : HopperType<"Global", "global"> {
  let summary = "the address of a tensor in global memory";
  let description = [{
    `read` and `write` say what the kernel does with it, `own` that it does
    both. `early` is read, and
    the launch warrants that no grid writes it that may still run when this one
    starts: such memory may be read before the dependency wait.
  }];
  let parameters = (ins EnumParameter<HopperAccess>:$access);
  let assemblyFormat = "`<` $access `>`";
}

def HopperRing : HopperType<"Ring", "ring"> {
  let summary = "a warp's private ring of slots in shared memory";
  let parameters = (ins "int64_t":$slots, "int64_t":$bytes);
  let assemblyFormat = "`<` $slots `x` $bytes `>`";
  let genVerifyDecl = 1;
}

def HopperSlot : HopperType<"Slot", "slot"> {
  let summary = "a slot whose copy has landed; it may be read until released";
}

def HopperShared : HopperType<"Shared", "shared"> {
  let summary = "bytes of shared memory that all warps of a block use";
  let parameters = (ins "int64_t":$bytes);
  let assemblyFormat = "`<` $bytes `>`";
  let genVerifyDecl = 1;
}

#endif // GIRIH_LOWER_HOPPER_IR_DIALECT_TD
