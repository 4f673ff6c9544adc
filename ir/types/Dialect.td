// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself, and the base classes of its types, attributes and ops.

#ifndef GIRIH_IR_DIALECT_TD
#define GIRIH_IR_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TileDialect : Dialect {
  let name = "tile";
  let summary = "GPU tile kernels whose types carry ownership and partitions";
  let cppNamespace = "::girih::tile";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

class TileOp<string mnemonic, list<Trait> traits = []>
    : Op<TileDialect, mnemonic, traits>;

#endif // GIRIH_IR_DIALECT_TD
