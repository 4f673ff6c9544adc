// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel decoded, for all launches: every op resolved once to a form on
// numbered slots, so that a block runs without asking MLIR anything. The forms
// are the op families of spec/tile.md.

#ifndef GIRIH_SPEC_EXECUTOR_MACHINE_PROGRAM_H
#define GIRIH_SPEC_EXECUTOR_MACHINE_PROGRAM_H

#include "spec/executor/launch/Launch.h"
#include "spec/executor/numerics/IntegerOps.h"
#include "spec/executor/numerics/VectorOps.h"

#include "ir/ops/Tile.h"
#include "spec/Rule.h"

#include <memory>
#include <variant>

namespace girih::exec {

using Slot = uint32_t;

/// A view as a grid of tiles; unit axes have tile extent 1.
struct Tiling {
  unsigned tensor; ///< the root
  Coord tile;
  Slot view; ///< of the tensor argument or of the view's op
};

/// A number of a view's clause.
struct NumberOrSlot {
  int64_t number = 0;
  std::string symbol;              ///< of the launch, when not empty
  std::optional<unsigned> operand; ///< of the view's op
};

// Values of the launch and of the block.
struct ConstantForm {
  Value value;
};
struct SymbolForm {
  std::string name;
};
struct GridDimForm {
  unsigned axis;
};
struct BlockIdForm {
  unsigned axis;
};
struct NumTilesForm {
  Tiling tiling;
  unsigned axis;
};
struct ViewForm {
  tile::ViewKind kind;
  std::vector<NumberOrSlot> offsets, sizes; ///< sizes: factors, coordinate
  std::vector<NumberOrSlot> steps;          ///< of a slice
  unsigned tensor;                          ///< argument number of the root
  llvm::SmallVector<unsigned> axes;
};
struct InsideForm { // operands: partition, indices
  Tiling tiling;
};
/// tile.partition: the tiling is resolved here, nothing happens at run time.
struct NothingForm {};

// Lane by lane.
struct IntegerForm {
  BinaryInteger apply;
  bool divides = false;
  bool isUnsigned = false; ///< how lanes are read
};
struct UnsignedBitsForm {
  BinaryBits apply;
};
struct UnaryIntegerForm {
  UnaryInteger apply;
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
struct FromIntegerForm { // sitofp, uitofp
  unsigned fromBits;
  bool isUnsigned;
};
struct ToIntegerForm { // fptosi, fptoui
  bool isUnsigned;
};
struct BitcastForm { // arith.bitcast
  Kind from;
};
struct SelectForm {};

// Between lanes.
struct IotaForm {
  Axis axis;
};
struct BroadcastForm {
  Coord from, to;
};
struct TransposeForm {
  Coord from, permutation;
};
struct ExtractForm {
  Coord from, to, position;
};
struct CatForm {
  Axis axis; ///< of the operands
};
struct CopyForm {}; // shape_cast, extf, name
struct ReduceForm {
  Reduction reduction;
  Axis axis;
};
struct ScanForm {
  Reduction reduction;
  Axis axis;
  bool reverse;
};
struct ArgumentForm { // argmax, argmin
  bool largest;
  Axis axis;
  Kind from;
};
struct MmaForm {
  MmaShape shape;
  int64_t block; ///< factors of one scale; 0 without scales
  Kind factors;
  bool isFast;
};

// Memory: the events of a block.
struct ClaimForm {
  Tiling tiling;
  uint32_t site;
  bool isRaw; ///< takes nothing
};
/// What lanes that read nothing hold, as their type takes it.
struct PadLane {
  double real = 0;
  int64_t integer = 0;
};
struct LoadForm {
  Tiling tiling;
  bool fromPiece;
  bool padded;
  PadLane pad;
};
struct StoreForm {
  Tiling tiling;
};
struct AtomicForm { // operands: value, partition, indices
  Tiling tiling;
  tile::AtomicKind kind;
  Kind element;
};

/// Operands: an index a lane for each axis, then the mask.
struct GatherForm {
  unsigned tensor;
  unsigned axes;
  bool masked;
  PadLane pad;
};
struct ScatterForm { // operands: the value before them
  unsigned tensor;
  unsigned axes;
  bool masked;
  uint32_t site;
};
struct AtomicScatterForm { // operands as of a scatter
  unsigned tensor;
  unsigned axes;
  bool masked;
  tile::AtomicKind kind;
  Kind element;
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
struct WhileForm { // operands: initial values
  Code *condition;
  Code *body;
};
struct ConditionForm {}; // operands: whether to go on, values handed on
struct MeasureForm {};
struct YieldForm {};
struct StatementForm { // prove, trust, invariant
  Rule rule;
};

struct PrintForm { // operands: the values
  std::string label;
  std::vector<std::string> names; ///< with their percent; or empty
};

using Form = std::variant<
    ConstantForm, SymbolForm, GridDimForm, BlockIdForm, NumTilesForm, ViewForm,
    InsideForm, NothingForm, IntegerForm, UnsignedBitsForm, UnaryIntegerForm,
    CompareIntegerForm, CastForm, UnaryForm, BinaryForm, FmaForm, CompareForm,
    FromIntegerForm, ToIntegerForm, BitcastForm, SelectForm, IotaForm,
    BroadcastForm, TransposeForm, ExtractForm, CatForm, CopyForm, ReduceForm,
    ScanForm, ArgumentForm, MmaForm, ClaimForm, LoadForm, StoreForm, GatherForm,
    ScatterForm, AtomicForm, AtomicScatterForm, ForForm, IfForm, WhileForm,
    ConditionForm, MeasureForm, YieldForm, StatementForm, PrintForm>;

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
           std::holds_alternative<StoreForm>(form) ||
           std::holds_alternative<GatherForm>(form) ||
           std::holds_alternative<ScatterForm>(form);
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
  bool values; ///< float lanes are computed
  std::vector<std::unique_ptr<Code>> codes;
  Code *body = nullptr;
  llvm::DenseMap<mlir::Value, Slot> slots;
  Slot slotCount = 0;
  std::vector<mlir::Operation *> claimSites;
  /// Not empty: an op that the dialect admits and this executor does not know.
  std::string unknownOp;
};

/// Decodes a kernel that MLIR has verified.
Program decode(tile::KernelOp kernel, bool values);

/// The lanes that the values of one block hold at most, at once; floats count
/// when they are computed.
int64_t lanesOfBlock(tile::KernelOp kernel, bool values);

/// Whether integers, conditions or indices depend on floats, so that events
/// cannot be known without them.
bool eventsNeedFloats(tile::KernelOp kernel);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MACHINE_PROGRAM_H
