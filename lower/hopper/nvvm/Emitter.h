// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lowerings to LLVM share.

#ifndef GIRIH_LOWER_HOPPER_NVVM_EMITTER_H
#define GIRIH_LOWER_HOPPER_NVVM_EMITTER_H

#include "lower/hopper/ir/Hopper.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace girih::hopper {

/// Shorthand for building LLVM.
struct Emitter : mlir::ImplicitLocOpBuilder {
  Emitter(mlir::Location at, mlir::OpBuilder &builder)
      : mlir::ImplicitLocOpBuilder(at, builder) {}

  mlir::Value i32(int64_t n) {
    return mlir::LLVM::ConstantOp::create(*this, getI32Type(), n);
  }
  mlir::Type pointer(unsigned space) {
    return mlir::LLVM::LLVMPointerType::get(getContext(), space);
  }
  /// `base` and a number of bytes.
  mlir::Value offset(mlir::Value base, mlir::Value bytes) {
    return mlir::LLVM::GEPOp::create(*this, base.getType(), getI8Type(), base,
                                     bytes);
  }
  mlir::Value mul(mlir::Value a, int64_t n) {
    return mlir::LLVM::MulOp::create(*this, a, i32(n));
  }
  mlir::Value thread() {
    return mlir::NVVM::ThreadIdXOp::create(*this, getI32Type());
  }
  mlir::Value warp() {
    return mlir::LLVM::LShrOp::create(*this, thread(), i32(5));
  }
  mlir::Value lane() {
    return mlir::LLVM::AndOp::create(*this, thread(), i32(lanes - 1));
  }
  mlir::Value is(mlir::LLVM::ICmpPredicate how, mlir::Value a, mlir::Value b) {
    return mlir::LLVM::ICmpOp::create(*this, how, a, b);
  }
  /// `body` under a condition.
  void when(mlir::Value condition, llvm::function_ref<void(Emitter &)> body) {
    mlir::scf::IfOp::create(*this, condition,
                            [&](mlir::OpBuilder &inner, mlir::Location at) {
                              Emitter e(at, inner);
                              body(e);
                              mlir::scf::YieldOp::create(inner, at);
                            });
  }
};

/// Loads and stores are of whole elements, each at a multiple of its size.
inline unsigned sizeOf(mlir::Type type) {
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type)) {
    return vector.getNumElements() * sizeOf(vector.getElementType());
  }
  return type.getIntOrFloatBitWidth() / 8;
}

/// Adds what is done to vectors: masked loads and stores, their elements, and
/// arithmetic that LLVM has slower.
void addVectorPatterns(const mlir::TypeConverter &types,
                       mlir::RewritePatternSet &patterns);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_NVVM_EMITTER_H
