// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the lowering share: the values that were made so far, and
// one function for each family of ops.

#ifndef GIRIH_LOWER_TILEIR_CONTEXT_H
#define GIRIH_LOWER_TILEIR_CONTEXT_H

#include "lower/tileir/Builder.h"
#include "lower/tileir/Lower.h"
#include "spec/Rule.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace girih::tileir {

/// A tile of a view, as loads and stores name it.
struct Place {
  tile::PartitionOp partition;
  mlir::OperandRange indices;
};

/// A number that may be known here.
struct Size {
  std::optional<int64_t> constant;
  Value value = 0;
  bool positive = false;    ///< the entry point knows that it is at least 1
  int64_t high = INT64_MAX; ///< at most, as the entry point knows
  bool isConstant() const { return constant.has_value(); }
};

/// A view as memory: elements from the base of its root to its own.
struct ViewParts {
  Size offset;
  std::vector<Size> extents, strides;
};

struct Context {
  Context(tile::KernelOp kernel, const EntryPlan &plan, Function &function,
          const Options &options)
      : kernel(kernel), plan(plan), options(options),
        builder(function, options.facts) {}

  tile::KernelOp kernel;
  const EntryPlan &plan;
  const Options &options;
  Builder builder;
  llvm::DenseMap<mlir::Value, Value> values; ///< scalars and vectors

  // The launch.
  std::map<std::string, Value> symbols;  ///< with their own types
  std::vector<Value> gridDims;           ///< i64; of the axes in `neededDims`
  std::vector<Value> blockIds;           ///< i64, one an axis of the grid
  llvm::DenseMap<unsigned, Value> bases; ///< address by argument
  /// Products of extents, with what is known of them.
  llvm::DenseMap<mlir::Attribute, Value> products;

  /// Views by argument; partitions by argument, tile and padding.
  llvm::DenseMap<unsigned, Value> views;
  std::map<std::tuple<unsigned, std::vector<int64_t>, int>, Value> partitions;

  /// Of each tile.view that was lowered so far.
  llvm::DenseMap<mlir::Value, ViewParts> viewParts;

  /// The last token of each written tensor, by argument, and of the console.
  std::map<unsigned, Value> tokens;
  /// Behind it the grids before this one are done, if it waits for them.
  std::optional<Value> dependency;
  /// Stores whose place is another one in every trip of their loop, with the
  /// token from before the loop: they need not wait for each other.
  llvm::DenseMap<mlir::Operation *, Value> apart;

  std::vector<Need> needs;
  std::set<mlir::Operation *> unordered; ///< that were ever in `apart`
  /// Of loads and stores by tile, axes along which the tile lies inside.
  std::map<mlir::Operation *, std::vector<unsigned>> inBounds;
  /// Of slices, axes whose extent is said to fit; with the largest one.
  std::map<mlir::Operation *, std::map<unsigned, int64_t>> fits;
  std::set<mlir::Operation *> exact; ///< arithmetic said not to overflow
  std::string error; ///< the first thing that cannot be expressed

  Value operator[](mlir::Value v) const { return values.lookup(v); }
  void fail(mlir::Location at, const llvm::Twine &why);
  void fail(mlir::Operation *op, const llvm::Twine &why) {
    fail(op->getLoc(), why);
  }
  /// Says what only architectures from `target` on have.
  void need(mlir::Location at, unsigned target, const llvm::Twine &what);
};

Element elementOf(mlir::Type type); ///< of a scalar or vector; index is i64
TileType tileTypeOf(mlir::Type type);

/// Whether the grid's dimension is a parameter: ids need all but the first.
bool needsGridDim(tile::KernelOp kernel, unsigned axis);

// Launch.cpp
void lowerLaunch(Context &c, const std::vector<Value> &parameters);
/// The value of an expression that cannot leave 64 bits, as i64.
Value evaluate(Context &c, tile::ExprAttr expr);
Value symbolAsIndex(Context &c, llvm::StringRef name);

/// The type of a parameter.
Type typeOf(tile::KernelOp kernel, const Parameter &p);

// Views.cpp
/// Axes that are in no view: a shared tensor is the same all along them, its
/// stride being 0.
bool isDropped(tile::TileTensorType type, size_t axis);
/// A tensor, or a view of one, that a view of Tile IR cannot describe: a stride
/// may be 0, or all are.
bool needsPointers(const Context &c, mlir::Value tensor);
/// Whether tiles are read by the address of each lane: where that is needed, or
/// faster.
bool isReadByPointers(Context &c, mlir::Value tensor);
void makeViews(Context &c);
int padKey(mlir::Attribute pad); ///< as in Context::partitions
Value extent(Context &c, mlir::Attribute dim);
/// What the view gives lanes outside: the padding, or, where Tile IR has no
/// word for it, zero; nothing without one.
std::optional<Padding> paddingOf(mlir::Attribute pad);

/// The axis along which two elements share a byte, where a tensor or a view is
/// read and written by the byte: where elements are i4.
std::optional<unsigned> pairedAxis(mlir::Value tensor);
/// An even number of elements as bytes.
Size halved(Context &c, Size size);

// TensorViews.cpp
void lowerTensorView(Context &c, tile::ViewOp op);
/// A tensor argument or a view as memory.
ViewParts partsOf(Context &c, mlir::Value tensor);
/// The same in bytes, where two elements share one.
ViewParts bytesOf(Context &c, mlir::Value tensor);
Value valueOf(Context &c, Size size);
/// The partition of such a view, made here.
Value makePartitionOfView(Context &c, tile::PartitionOp op,
                          mlir::Attribute pad);

// Memory.cpp
bool lowerMemory(Context &c, mlir::Operation *op);
Place placeOf(mlir::Value partitionOrPiece, mlir::OperandRange indices);
/// The tile as it is in memory: with its unit axes, without dropped ones, and
/// with bytes along an axis where two elements share one.
std::vector<int64_t> shapeInMemory(Place place);
unsigned argumentOf(tile::PartitionOp partition);
/// The order, scope and hints of a load or store: those of a raw tensor may
/// meet others, all other ones meet none.
std::vector<Attribute> plainAccess(Context &c, unsigned argument);

/// The order, scope and combination of an atomic; nothing, and an error, where
/// Tile IR has none for the element.
std::optional<std::vector<Attribute>> atomicAccess(Context &c,
                                                   mlir::Operation *op,
                                                   tile::AtomicKind kind,
                                                   Element element);

/// How many elements what is tiled has along an axis, and how many tiles.
Value extentOf(Context &c, tile::PartitionOp partition, unsigned axis);
Value numTiles(Context &c, tile::PartitionOp partition, unsigned axis);

/// Whether the tile is along the axis wholly inside, given that its index is:
/// it is one element wide, or the tile divides the extent.
bool divides(Context &c, Place place, size_t axis);

// Checks.cpp: assertions, where they are asked for.
void checkTile(Context &c, mlir::Operation *op, mlir::Value partition,
               mlir::OperandRange indices, Rule rule);
/// Of the lanes that the mask, if there is one, leaves on.
void checkLanes(Context &c, mlir::Operation *op, mlir::Value tensor,
                mlir::OperandRange indices, mlir::Value mask, Rule rule);
/// Along one axis.
void checkSlice(Context &c, mlir::Operation *op, Size offset, Size size,
                Size step, Size extent);
void checkFix(Context &c, mlir::Operation *op, Size coordinate, Size extent);

void lowerPrint(Context &c, tile::PrintOp op);

// Lanes.cpp
void lowerGather(Context &c, tile::GatherOp op);
void lowerScatter(Context &c, tile::ScatterOp op);
void lowerAtomicScatter(Context &c, tile::AtomicScatterOp op);

// Pointers.cpp
/// The padding in every lane; zero where the kernel has none.
Value paddingTile(Context &c, mlir::Type element, mlir::Attribute pad,
                  const std::vector<int64_t> &shape);
Value loadByPointers(Context &c, Place place, mlir::Attribute pad);
/// A tile that is the same all along the dropped axes, from one lane of them.
/// Lanes outside the tensor get the padding, along these axes and, where no
/// view says it, along all.
Value spread(Context &c, Place place, mlir::Attribute pad, Value tile);
/// Which lanes of a tile lie inside.
void lowerInside(Context &c, tile::InsideOp op);

// Control.cpp
bool lowerControl(Context &c, mlir::Operation *op);
void lowerBlock(Context &c, mlir::Block &block);

// Tokens.cpp
/// Written tensors that the ops of a region touch.
std::vector<unsigned> tensorsIn(mlir::Region &region);
/// What stands for a tensor to ops that print.
unsigned console(tile::KernelOp kernel);
/// The token that a load of a shared tensor waits for, if it does.
std::vector<Value> tokenForShared(const Context &c);
/// The token that an access of the tensor waits for.
std::vector<Value> tokenFor(const Context &c, mlir::Operation *access,
                            unsigned argument);
/// The tensor's token after an access that gave `token`.
void advance(Context &c, mlir::Operation *access, unsigned argument,
             Value token);
/// If the loop touches the tensor by one store that its trips make at places
/// apart, that store waits for `before` alone.
void separateTrips(Context &c, mlir::scf::ForOp loop, unsigned argument,
                   Value before);

// Integers.cpp, Floats.cpp, Functions.cpp, Vectors.cpp: false if the op is of
// another family.
bool lowerInteger(Context &c, mlir::Operation *op);
/// Elements of 4 bits, a byte each with its sign, from a tile of bytes with two
/// each along an axis, the first one low; and back.
Value unpackNibbles(Context &c, Value bytes, unsigned axis);
Value packNibbles(Context &c, Value lanes, unsigned axis);
bool lowerFloat(Context &c, mlir::Operation *op);
/// Last, for ops that no other function takes.
bool lowerElementwise(Context &c, mlir::Operation *op);
bool lowerFunction(Context &c, mlir::Operation *op);
bool lowerVector(Context &c, mlir::Operation *op);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_CONTEXT_H
