// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference executor: one launch of a kernel at concrete sizes, as
// spec/tile.md means it, with every fault found element by element. It shares
// no code with the checker, whose counterexamples it replays.

#ifndef GIRIH_SPEC_EXECUTOR_EXECUTOR_H
#define GIRIH_SPEC_EXECUTOR_EXECUTOR_H

#include "ir/ops/Tile.h"
#include "spec/Rule.h"
#include "spec/executor/memory/View.h"
#include "spec/executor/numerics/Array.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace girih::exec {

/// The order of blocks. `Random` permutes them; `Interleaved` keeps up to 64
/// of them under way and switches at random before every claim, load and
/// store.
enum class Order { Sequential, Reverse, Random, Interleaved };

struct Options {
  /// A value for every launch symbol, extents included.
  std::map<std::string, int64_t> symbols;
  /// Only these blocks run, in this order; coverage is then not judged.
  std::optional<std::vector<std::vector<int64_t>>> blocks;
  Order order = Order::Sequential;
  /// Of orders and of inputs.
  uint64_t seed = 1;
  /// Bits of `index`, 8 to 64; the bounds of the launch scale with it.
  unsigned indexWidth = 64;
  /// False: float lanes are not computed, events and indices are. A kernel
  /// whose integers depend on floats is run with values all the same.
  bool values = true;
  /// Op executions; an op on many lanes counts one more for each 8 that it
  /// computes or 64 that it moves, mma one for each 64 products.
  uint64_t maxSteps = uint64_t(1) << 26;
  /// Storage for what is written and claimed, in bytes.
  int64_t maxBytes = int64_t(1) << 31;
  /// A fault ends its block; the launch goes on until there are this many.
  size_t maxFaults = 1;
  /// By argument name, float scalars too (shape []); what is missing is
  /// seeded.
  std::map<std::string, Array> inputs;
  /// The same for tensors of integers, as a list in row-major order that takes
  /// the shape of the launch.
  std::map<std::string, std::vector<int64_t>> contents;
  /// Where tensors lie, by argument name, as the element at coordinate 0 and
  /// the strides of the launch say. They are read there, as they are needed, in
  /// place of an input, and what a clean launch wrote is stored there when it
  /// ends; all other bytes stay as they are.
  std::map<std::string, char *> memory;
  /// Is told each run of elements along the last axis that a block reads or
  /// writes: the argument's number, the first one's coordinates, how many.
  std::function<void(unsigned tensor, llvm::ArrayRef<int64_t> start,
                     int64_t count, bool isWrite)>
      touch;
  /// Tensors of at most so many elements are returned; none for -1.
  int64_t maxResultElements = int64_t(1) << 22;
  /// Is given each line that the kernel prints; none: nothing is printed.
  std::function<void(const std::string &line)> print;
};

/// One way in which a launch is stuck.
struct Fault {
  Rule rule{};                   ///< the one that is broken
  mlir::Operation *op = nullptr; ///< the kernel itself for launch and coverage
  int operand = -1;              ///< of `op`, the one to blame, or none
  std::string headline;          ///< "tile row 1 is outside 1 tile row"
  std::string message;           ///< "claims rows 128..255 of 1"
  std::vector<int64_t> block;
  std::vector<int64_t> otherBlock;    ///< of a clash
  mlir::Operation *otherOp = nullptr; ///< of a clash: its earlier claim
  std::string otherMessage;           ///< what the earlier claim took
  /// Of the earlier claim, like `iterations`.
  std::vector<std::pair<mlir::Operation *, int64_t>> otherIterations;
  int tensor = -1;              ///< argument number
  std::vector<int64_t> element; ///< the first one concerned
  /// Enclosing scf.for ops, outermost first, with trip numbers from 0.
  std::vector<std::pair<mlir::Operation *, int64_t>> iterations;
};

struct Result {
  /// Not empty: the launch was refused and nothing ran; says why.
  std::string contractError;
  std::vector<Fault> faults;
  bool exhausted = false; ///< steps or memory ran out
  bool ranValues = true;  ///< float lanes were computed
  /// False when rounding elsewhere could have taken another branch, index or
  /// integer, so that the bounds say nothing.
  bool boundsHold = true;
  uint64_t steps = 0; ///< of ops that were executed
  int64_t blocks = 0; ///< blocks that ran
  int64_t ended = 0;  ///< of these, up to their end or a fault
  std::vector<int64_t> grid;
  /// Final contents by argument number, where small and computed; undefined
  /// elements are NaN or 0.
  std::vector<std::optional<Array>> tensors;
  /// Beside them: error bounds (F64; absent when all are 0) and which elements
  /// are defined (I1; absent when all are).
  std::vector<std::optional<Array>> bounds, defined;

  bool clean() const {
    return contractError.empty() && faults.empty() && !exhausted;
  }
};

class Machine;

/// Where a block is, while an observer looks at it.
class Instance {
public:
  explicit Instance(const Machine &machine) : machine(&machine) {}

  std::vector<int64_t> block() const;
  std::vector<int64_t> grid() const;
  /// Enclosing scf.for ops, outermost first, with trip numbers from 0.
  std::vector<std::pair<mlir::Operation *, int64_t>> iterations() const;
  /// The number that an `index`, iN or i1 scalar has here; an i1 is 0 or 1.
  /// None when it is not defined at this point of this block.
  std::optional<__int128> integer(mlir::Value value) const;
  /// The number in one lane of a vector of these, in row-major order.
  std::optional<__int128> integer(mlir::Value vector, size_t lane) const;
  /// Where the elements of a tensor argument or a view lie; none when the view
  /// is not defined here.
  std::optional<View> view(mlir::Value tensor) const;
  /// The value of a launch symbol.
  std::optional<__int128> symbol(llvm::StringRef name) const;

private:
  const Machine *machine;
};

/// Called before each op executes; lets a test check facts against what really
/// happens.
struct Observer {
  virtual ~Observer() = default;
  virtual void at(mlir::Operation *op, const Instance &instance) = 0;
};

/// A kernel that is run more than once: what its launches share is worked out
/// once. It stays as it is meanwhile.
class Runner {
public:
  explicit Runner(tile::KernelOp kernel);
  ~Runner();

  tile::KernelOp kernel() const;

  /// Runs one launch. Never crashes and always ends, on any verified kernel.
  Result run(const Options &options, Observer *observer = nullptr);

private:
  struct Shared;
  std::unique_ptr<Shared> shared;
};

/// The same for a kernel that is run once.
Result run(tile::KernelOp kernel, const Options &options,
           Observer *observer = nullptr);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_EXECUTOR_H
