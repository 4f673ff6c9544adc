// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hopper-opt: reads kernels of the dialect `hopper`, verifies and prints them.

#include "lower/hopper/ir/Hopper.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<girih::hopper::HopperDialect>();
  return mlir::failed(mlir::MlirOptMain(
      argc, argv, "Reads kernels of the dialect hopper.\n", registry));
}
