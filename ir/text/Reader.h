// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a kernel file. Total on any bytes: what could make MLIR's parser crash
// or run long is refused before it sees the text.

#ifndef GIRIH_IR_TEXT_READER_H
#define GIRIH_IR_TEXT_READER_H

#include "ir/ops/Tile.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace girih::tile {

struct ShownPlace;

/// The text of a file: keeps the buffer so that diagnostics can show it.
struct KernelText {
  llvm::SourceMgr sources;
  mlir::AsmParserState state;
  /// What the text says, when it has more than a kernel; else null.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// One kernel of a file as read. Kernels of one file share its text.
struct KernelFile {
  std::shared_ptr<KernelText> text;
  /// The kernel as all but `tile-opt` see it, elaborated.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelOp kernel;
  /// The list of variants that names it; or empty.
  std::string list;
  /// For which launches the list takes it. No part of its contract: what is
  /// proved of it is proved of every launch that the contract admits.
  llvm::SmallVector<ComparisonAttr> when;
  /// From ops of the elaborated kernel to those of the source.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> written;
};

/// The largest kernel text, in bytes.
inline constexpr size_t maxTextBytes = 1 << 20;

/// The kernels of one file: one, or variants in the order of their list.
using KernelFiles = std::vector<std::unique_ptr<KernelFile>>;

/// Hears what is printed, as data; with the place in what the text was made
/// from, if there is one.
using OnDiagnostic =
    llvm::function_ref<void(const llvm::SMDiagnostic &, const ShownPlace *)>;

/// Reads and verifies; on failure prints errors with carets to `errors` and
/// returns none. Never crashes or hangs on any bytes. Loads the dialects of
/// the language into the context.
KernelFiles readKernelFiles(mlir::MLIRContext &context, llvm::StringRef path,
                            llvm::raw_ostream &errors);
KernelFiles readKernelTexts(mlir::MLIRContext &context, llvm::StringRef text,
                            llvm::StringRef name, llvm::raw_ostream &errors,
                            OnDiagnostic each = {});

/// The same where one kernel is expected: variants are an error, too.
std::unique_ptr<KernelFile> readKernelFile(mlir::MLIRContext &context,
                                           llvm::StringRef path,
                                           llvm::raw_ostream &errors);
std::unique_ptr<KernelFile> readKernelText(mlir::MLIRContext &context,
                                           llvm::StringRef text,
                                           llvm::StringRef name,
                                           llvm::raw_ostream &errors);

/// The text of an operand of `op`, of the name of `op`, or of what defines
/// `value`, for carets; invalid if `op` was not read from `file`.
llvm::SMRange operandRange(const KernelFile &file, mlir::Operation *op,
                           unsigned operand);
llvm::SMRange opRange(const KernelFile &file, mlir::Operation *op);
llvm::SMRange definitionRange(const KernelFile &file, mlir::Value value);

/// The op of the text that an op of the kernel comes from.
mlir::Operation *writtenOp(const KernelFile &file, mlir::Operation *op);

/// What the text of a kernel that was read calls a value: `%i`, `%sums#1`;
/// empty when it has no name there.
std::string writtenName(mlir::Value value);

/// Registers tile, arith, math, scf and vector.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_READER_H
