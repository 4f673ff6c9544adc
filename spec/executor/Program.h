// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel decoded for one launch: every op resolved once to a form on numbered
// slots, so that a block runs without asking MLIR anything. The forms are the
// op families of spec/tile.md.

#ifndef GIRIH_SPEC_EXECUTOR_PROGRAM_H
#define GIRIH_SPEC_EXECUTOR_PROGRAM_H

#include "spec/executor/IntegerOps.h"
#include "spec/executor/Launch.h"
#include "spec/executor/VectorOps.h"

#include <memory>
#include <variant>

namespace girih::exec {

using Slot = uint32_t;

/// A tensor as a grid of tiles; unit axes have tile extent 1.
struct Tiling {
  unsigned tensor;
  Coord tile;
};

// Values of the launch and of the block.
struct ConstantForm { // also symbol, grid_dim, num_tiles
  Value value;
};
struct BlockIdForm {
  unsigned axis;
};
/// tile.partition: the tiling is resolved here, nothing happens at run time.
struct NothingForm {};

// Lane by lane.
struct IntegerForm {
  BinaryInteger apply;
  bool divides;
};
struct CompareIntegerForm {
  CompareInteger predicate;
  unsigned bits; ///< of the operands, 0 for index
};
struct CastForm { // index_cast, extsi, extui, trunci
  unsigned fromBits;
  bool isUnsigned;
};
struct UnaryForm {
  UnaryReal apply;
};
struct BinaryForm {
  BinaryReal apply;
};
struct FmaForm {};
struct CompareForm {
  Compare predicate;
};
struct FromIntegerForm { // sitofp
  unsigned fromBits;
};
struct SelectForm {};

// Between lanes.
struct BroadcastForm {
  Coord from, to;
};
struct TransposeForm {
  Coord from, permutation;
};
struct CopyForm {}; // shape_cast, extf
struct ReduceForm {
  Reduction reduction;
  Axis axis;
};
struct MmaForm {
  MmaShape shape;
};

// Memory: the events of a block.
struct ClaimForm {
  Tiling tiling;
  uint32_t site;
};
struct LoadForm {
  Tiling tiling;
  bool fromPiece;
  bool padded;
  double floatPad;
};
struct StoreForm {
  Tiling tiling;
};

// Control.
struct Code;
struct ForForm { // operands: lower, upper, step, initial values
  Code *body;
  unsigned bits; ///< of the induction variable, 0 for index
};
struct IfForm { // otherwise may be null
  Code *then;
  Code *otherwise;
};
struct YieldForm {};

using Form =
    std::variant<ConstantForm, BlockIdForm, NothingForm, IntegerForm,
                 CompareIntegerForm, CastForm, UnaryForm, BinaryForm, FmaForm,
                 CompareForm, FromIntegerForm, SelectForm, BroadcastForm,
                 TransposeForm, CopyForm, ReduceForm, MmaForm, ClaimForm,
                 LoadForm, StoreForm, ForForm, IfForm, YieldForm>;

struct Instr {
  mlir::Operation *op = nullptr;
  Form form;
  llvm::SmallVector<Slot, 4> in, out;
  Kind kind = Kind::Index; ///< of the lanes of the first result
  unsigned bits = 0;       ///< likewise; 0 for index and floats
  int64_t lanes = 1;       ///< likewise
  uint64_t cost = 1;       ///< in steps
  bool skipped = false;    ///< its result is not computed in this run

  bool isEvent() const {
    return std::holds_alternative<ClaimForm>(form) ||
           std::holds_alternative<LoadForm>(form) ||
           std::holds_alternative<StoreForm>(form);
  }
};

/// The ops of one region, ending with a yield unless it is the kernel's body.
struct Code {
  std::vector<Instr> instrs;
  llvm::SmallVector<Slot, 4> args;  ///< induction variable, then iter_args
  Slot firstSlot = 0, lastSlot = 0; ///< slots defined in here: [first, last)
};

struct Program {
  tile::KernelOp kernel;
  Launch launch;
  std::map<std::string, int64_t> symbols;
  unsigned indexWidth;
  bool values; ///< float lanes are computed
  std::vector<std::unique_ptr<Code>> codes;
  Code *body = nullptr;
  llvm::DenseMap<mlir::Value, Slot> slots;
  Slot slotCount = 0;
  std::vector<mlir::Operation *> claimSites;
  /// Not empty: an op that the dialect admits and this executor does not know.
  std::string unknownOp;
};

/// Decodes a verified kernel for an admitted launch.
Program decode(tile::KernelOp kernel, Launch launch, const Options &options,
               bool values);

/// The lanes that the values of one block hold at most, at once; floats count
/// when they are computed.
int64_t lanesOfBlock(tile::KernelOp kernel, bool values);

/// Whether integers, conditions or indices depend on floats, so that events
/// cannot be known without them.
bool eventsNeedFloats(tile::KernelOp kernel);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_PROGRAM_H
