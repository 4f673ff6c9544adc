// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/text/Print.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/raw_ostream.h"

std::string girih::tile::printText(mlir::Operation *op) {
  constexpr int64_t neverAsBytes = -1;
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, mlir::OpPrintingFlags()
                    .enableDebugInfo(false)
                    .printLargeElementsAttrWithHex(neverAsBytes));
  return text;
}
