// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block under way: an explicit stack of regions, so that a block can stop
// before any event and go on later without a thread of its own.

#ifndef GIRIH_SPEC_EXECUTOR_MACHINE_MACHINE_H
#define GIRIH_SPEC_EXECUTOR_MACHINE_MACHINE_H

#include "spec/executor/machine/Program.h"
#include "spec/executor/memory/Ownership.h"
#include "spec/executor/numerics/Running.h"

namespace girih::exec {

/// What all blocks of a launch share.
struct World {
  const Program &program;
  const AdmittedLaunch &launch;
  const Options &options;
  Observer *observer;
  Result &result;
  /// By argument number; none for a float scalar.
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::optional<Ownership>> owners;
  /// Sums of floats in atomic tensors, in any order: by argument and element.
  std::map<std::pair<unsigned, int64_t>, RunningReal> sums;
  std::vector<Value> scalars; ///< float arguments, by argument number
  int64_t usedBytes = 0;      ///< storage for what is written and claimed
  /// Trips at which something was claimed, as Claim::trips counts them.
  std::vector<llvm::SmallVector<int64_t, 2>> claimTrips = {{}};

  /// Accounts for storage before more is asked for.
  void use(int64_t bytes) {
    usedBytes += bytes;
    result.exhausted |= usedBytes > options.maxBytes;
  }

  bool stopped() const {
    return result.exhausted || result.faults.size() >= options.maxFaults;
  }
};

/// The ids of a block from its number; the last axis runs fastest.
std::vector<int64_t> blockIds(const std::vector<int64_t> &grid, int64_t number);

/// `%x`: what the text calls a tensor argument.
std::string argText(const World &world, unsigned tensor,
                    bool throughView = false);

/// Whether a slot holds a view of a tensor argument, and not the tensor.
bool isView(const World &world, unsigned tensor, Slot of);

class Machine {
public:
  Machine(World &world);

  /// Makes ready to run a block from its start.
  void start(int64_t blockNumber);
  bool done() const { return frames.empty(); }
  /// Runs to the end of the block, or only up to its next event.
  void run(bool stopBeforeEvent);

private:
  friend class Instance;

  struct Frame {
    const Code *code;
    size_t next;               ///< the op to execute
    const Instr *owner;        ///< scf.for, if or while; null for the kernel
    Wide counter, upper, step; ///< of scf.for
    int64_t trip;
    /// Of scf.while: the measure now, and that of the time before.
    Wide measure = 0;
    std::optional<Wide> lastMeasure = std::nullopt;
  };

  // One function per form; false when the block is stuck.
  bool execute(const ConstantForm &, const Instr &);
  bool execute(const SymbolForm &, const Instr &);
  bool execute(const GridDimForm &, const Instr &);
  bool execute(const BlockIdForm &, const Instr &);
  bool execute(const NumTilesForm &, const Instr &);
  bool execute(const ViewForm &, const Instr &);
  bool execute(const InsideForm &, const Instr &);
  bool execute(const NothingForm &, const Instr &);
  bool execute(const IntegerForm &, const Instr &);
  bool execute(const UnsignedBitsForm &, const Instr &);
  bool execute(const UnaryIntegerForm &, const Instr &);
  bool execute(const CompareIntegerForm &, const Instr &);
  bool execute(const CastForm &, const Instr &);
  bool execute(const UnaryForm &, const Instr &);
  bool execute(const BinaryForm &, const Instr &);
  bool execute(const FmaForm &, const Instr &);
  bool execute(const CompareForm &, const Instr &);
  bool execute(const FromIntegerForm &, const Instr &);
  bool execute(const ToIntegerForm &, const Instr &);
  bool execute(const BitcastForm &, const Instr &);
  bool execute(const SelectForm &, const Instr &);
  bool execute(const IotaForm &, const Instr &);
  bool execute(const BroadcastForm &, const Instr &);
  bool execute(const TransposeForm &, const Instr &);
  bool execute(const ExtractForm &, const Instr &);
  bool execute(const CatForm &, const Instr &);
  bool execute(const CopyForm &, const Instr &);
  bool execute(const ReduceForm &, const Instr &);
  bool execute(const ScanForm &, const Instr &);
  bool execute(const ArgumentForm &, const Instr &);
  bool execute(const MmaForm &, const Instr &);
  bool execute(const ClaimForm &, const Instr &);
  bool execute(const LoadForm &, const Instr &);
  bool execute(const StoreForm &, const Instr &);
  bool execute(const GatherForm &, const Instr &);
  bool execute(const ScatterForm &, const Instr &);
  bool execute(const AtomicForm &, const Instr &);
  bool execute(const AtomicScatterForm &, const Instr &);
  bool execute(const ForForm &, const Instr &);
  bool execute(const IfForm &, const Instr &);
  bool execute(const WhileForm &, const Instr &);
  bool execute(const ConditionForm &, const Instr &);
  bool execute(const MeasureForm &, const Instr &);
  bool execute(const YieldForm &, const Instr &);
  bool execute(const StatementForm &, const Instr &);
  bool execute(const PrintForm &, const Instr &);

  const Value &in(const Instr &instr, size_t operand) const {
    return values[instr.in[operand]];
  }
  /// The operands from `first` on.
  std::vector<Value> operands(const Instr &instr, size_t first = 0) const {
    std::vector<Value> out;
    for (size_t k = first; k < instr.in.size(); ++k) {
      out.push_back(in(instr, k));
    }
    return out;
  }
  void define(Slot slot, Value value) {
    values[slot] = std::move(value);
    defined[slot] = 1;
  }
  void define(const Instr &instr, Value value) {
    define(instr.out[0], std::move(value));
  }
  unsigned widthOf(unsigned bits) const {
    return bits ? bits : world.options.indexWidth;
  }

  /// The signed number of an integer scalar that steers the block.
  Wide steer(const Instr &instr, size_t operand, unsigned bits);
  /// Defines an integer lane vector; stuck when an `index` leaves its width.
  template <typename Lane> bool defineIntegers(const Instr &instr, Lane lane);
  /// The indices of a claim, load or atomic, `operand` being the first of
  /// them, in range; or nothing.
  std::optional<Coord> tileIndex(const Instr &instr, const Tiling &tiling,
                                 Rule rule, const char *verb,
                                 size_t operand = 1);

  /// Where in the root tensor the lanes of a gather, scatter or atomic scatter
  /// go, whose indices begin at operand `first`, behind the tensor or view that
  /// they are in; nothing for a lane that is masked out. Stuck outside of that.
  std::optional<std::vector<std::optional<Coord>>>
  lanePlaces(const Instr &instr, unsigned tensor, size_t first, unsigned axes,
             bool masked, Rule rule, const char *verb);
  /// Combines elements of an atomic tensor, `length` of them from `start` on,
  /// with the lanes of a value from `lane` on, one after another.
  void combineRun(unsigned tensor, tile::AtomicKind kind, Kind element,
                  llvm::ArrayRef<int64_t> start, int64_t length,
                  const Value &value, size_t lane);
  /// Says it to who wants to know.
  void touched(unsigned tensor, llvm::ArrayRef<int64_t> start, int64_t count,
               bool isWrite) const;
  /// A claim by this block, here.
  Claim claimHere(uint32_t site);
  /// Two blocks at one element of a written tensor; `taken` says of which view.
  Fault clashAt(const Instr &instr, int operand, unsigned tensor,
                const Clash &clash, const std::string &taken) const;
  bool constantsFit(const ViewForm &form, const Instr &instr);
  int64_t numberOf(const Instr &instr, const NumberOrSlot &n);
  // One function per kind of view; false when the block is stuck.
  bool slice(const ViewForm &, const Instr &, View &);
  bool unfold(const ViewForm &, const Instr &, View &);
  bool fix(const ViewForm &, const Instr &, View &);
  bool flatten(const ViewForm &, const Instr &, View &);

  void enter(const Code *code, const Instr *owner, Wide counter = 0,
             Wide upper = 0, Wide step = 0);
  /// Forgets what a region defined, for observers.
  void forget(const Code &code);
  /// Lets the region that is under way begin anew, or another one of its op.
  void restart(const Code &code, std::vector<Value> args);
  std::vector<std::pair<mlir::Operation *, int64_t>> iterations() const;

  /// A fault of this block at an op.
  Fault faultAt(Rule rule, const Instr &instr, int operand) const;
  /// Records it; always false.
  bool stuck(Fault fault);
  bool stuck(Rule rule, const Instr &instr, int operand, std::string headline,
             std::string message);

  World &world;
  int64_t number = 0;
  std::vector<int64_t> ids;
  std::vector<Value> values;    // by slot
  std::vector<uint8_t> defined; // likewise
  std::vector<Region> pieces;   // likewise
  std::vector<View> views;      // likewise, of tensors too
  std::vector<Frame> frames;
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MACHINE_MACHINE_H
