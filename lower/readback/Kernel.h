// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of a kernel as expressions, by the meaning of its ops.

#ifndef GIRIH_LOWER_READBACK_KERNEL_H
#define GIRIH_LOWER_READBACK_KERNEL_H

#include "ir/ops/Tile.h"
#include "lower/readback/Trace.h"

#include "llvm/ADT/DenseMap.h"

#include <set>

namespace girih::readback {

/// A tensor argument or a view of one, in elements.
struct Layout {
  Expr offset = nullptr;
  std::vector<Expr> extents, strides;
};

struct KernelValues {
  KernelValues(tile::KernelOp kernel, Pool &pool);

  tile::KernelOp kernel;
  Pool &pool;
  llvm::DenseMap<mlir::Value, Expr> known;
  /// Sums, differences and products of single numbers of type index, which do
  /// not leave it.
  std::set<Exact> exact;
  Scope at; ///< of the op that comes next

  Expr of(mlir::Value v) const { return known.lookup(v); }
  /// The op has one result or none, and no regions.
  void evaluate(mlir::Operation *op);
  /// Says what a value is that an op with regions or memory makes.
  void set(mlir::Value v, Kind kind, std::vector<int64_t> numbers);

  Expr contract(tile::ExprAttr e);
  Layout layout(mlir::Value tensor);
  /// Whether an extent is a multiple: it is a constant, or the contract says
  /// so.
  bool divides(int64_t tile, Expr extent);

  /// Null: the kernel has no such symbol.
  const tile::LaunchSymbol *launchSymbol(mlir::StringAttr name) const;

private:
  llvm::DenseMap<mlir::StringAttr, tile::LaunchSymbol> symbols;

  Expr symbol(mlir::StringAttr name);
  Expr number(const tile::ViewNumber &n);
  Expr compute(mlir::Operation *op);
  Expr binary(mlir::Operation *op, Kind kind);
  Expr inside(tile::InsideOp op);
  std::vector<Expr> blockIds();
};

/// Whether a shared tensor is the same all along the axis: a view needs none.
bool isStill(tile::TileTensorType root, size_t axis);

/// Whether elements of a tensor are those of the bytecode. Scales and elements
/// of i4 are bytes there.
bool isElement(mlir::Type type, const std::string &name);
/// As Tile IR numbers combinations.
int64_t modeOf(tile::AtomicKind kind, bool isFloat);

/// Of an integer or index, or of the elements of a vector of them; 0 of others.
unsigned widthOf(mlir::Type type);
std::vector<int64_t> shapeOf(mlir::Type type);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_KERNEL_H
