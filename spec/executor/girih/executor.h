// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Runs kernels on the reference executor: no GPU, every fault found element by
/// element. What `tile-exec` does, with arrays in memory.

#ifndef GIRIH_EXECUTOR_H
#define GIRIH_EXECUTOR_H

#include "girih/expected.h"

#include <functional>
#include <memory>

namespace girih {

/// A dense array in row-major order. Numbers of floating-point elements are in
/// `floats`, others in `integers`; the other list is empty.
struct Array {
  /// The type of the elements: `f32`, `bf16`, `f8E4M3FN`, `i32`, `i1`, ... In
  /// an input it may be empty: the element of the argument.
  std::string element;
  /// Extents, one an axis; empty for a scalar.
  std::vector<std::int64_t> shape;
  /// Every format fits into double. Numbers of an input are rounded to the
  /// nearest number of their format, unless `Launch::round` says otherwise.
  std::vector<double> floats = {};
  /// Sign-extended; an i1 is 0 or 1.
  std::vector<std::int64_t> integers = {};

  /// An array of floats, of the element of the argument that it is given for.
  static Array of(std::vector<std::int64_t> shape,
                  std::vector<double> numbers) {
    return {"", std::move(shape), std::move(numbers), {}};
  }
  /// An array of integers, of the element of the argument that it is given for.
  static Array ofIntegers(std::vector<std::int64_t> shape,
                          std::vector<std::int64_t> numbers) {
    return {"", std::move(shape), {}, std::move(numbers)};
  }
};

/// A parameter of a kernel: a tensor, or a floating-point scalar.
struct Argument {
  std::string name;     ///< without `%`
  std::string element;  ///< `f32`, ...
  bool isTensor = true; ///< false for a scalar
  /// Of a tensor: `shared`, `own`, `out`, `raw`, `atomic<add>`, ...
  std::string mode;
  /// Of a tensor: its extents, numbers or launch symbols, one an axis.
  std::vector<std::string> dims;
};

/// An integer that a launch is given.
struct Symbol {
  std::string name; ///< `N`
  std::string type; ///< `index`, `i32`, ...
};

/// How the kernels of a file are called; kernels of one list share it.
struct Signature {
  std::string variants;             ///< the name of the list; or empty
  std::vector<std::string> kernels; ///< in the order of the list, without `@`
  std::vector<Argument> arguments;  ///< in order
  std::vector<Symbol> symbols; ///< extents by first occurrence, then the others
  /// Parallel to `kernels`: each one's header as the language writes it, that
  /// is arguments with their types, grid, `requires`, `given`.
  std::vector<std::string> contracts;
};

/// The order in which blocks run.
enum class Order {
  Sequential,  ///< by number
  Reverse,     ///< the last one first
  Random,      ///< each to its end, in an order drawn from the seed
  Interleaved, ///< up to 64 at once, switched at random before each access
};

/// One launch and what it may cost.
struct Launch {
  /// Launch symbols; those that are extents of inputs may be left out.
  std::map<std::string, std::int64_t> symbols = {};
  /// Floating-point scalars by name, rounded to their format.
  std::map<std::string, double> scalars = {};
  /// What tensors hold at the start, by name. Those that are left out hold
  /// random numbers that keep what the contract gives; `out` tensors are
  /// undefined and have none.
  std::map<std::string, Array> inputs = {};
  /// False: `Usage` for an input with a number that its format does not have.
  bool round = true;
  /// The same for integer tensors, as a list in row-major order that takes the
  /// shape of the launch: `Counterexample::contents` fits.
  std::map<std::string, std::vector<std::int64_t>> contents = {};
  /// The kernel of a list by name; empty: the first one whose `when` holds.
  std::string variant = {};
  /// Only these blocks, in this order; then nobody asks whether outputs are
  /// covered.
  std::optional<std::vector<std::vector<std::int64_t>>> blocks = {};
  Order order = Order::Sequential; ///< of the blocks
  std::uint64_t seed = 1;          ///< of orders and random numbers
  unsigned indexWidth = 64;        ///< bits of `index`: 8 to 64
  /// False: floats are not computed, accesses and indices are.
  bool values = true;
  /// Ops that are executed; one on many lanes counts several times.
  std::uint64_t maxSteps = std::uint64_t(1) << 26;
  /// Storage for what is written and claimed, in bytes.
  std::int64_t maxBytes = std::int64_t(1) << 31;
  /// A fault ends its block; the launch goes on until there are this many.
  std::size_t maxFaults = 1;
  /// Tensors of more elements have no result.
  std::int64_t maxResultElements = std::int64_t(1) << 22;
  /// Is given each line that the kernel prints, as it is printed:
  /// `block (0, 1): sum a = [1, 2]`. None: nothing is printed.
  std::function<void(const std::string &line)> print = {};
};

/// A rule that the launch breaks, and where.
struct Fault {
  std::string rule;                  ///< by its name in spec/Rules.def
  std::string headline;              ///< `tile row 1 is outside 1 tile row`
  std::string message;               ///< `claims rows 128..255 of 1`
  SourceRange at;                    ///< the operand or op to blame
  std::vector<std::int64_t> block;   ///< empty for faults of the whole launch
  std::vector<std::int64_t> trips;   ///< of its loops, outermost first, from 0
  std::string tensor;                ///< the tensor concerned; or empty
  std::vector<std::int64_t> element; ///< its first element concerned
  std::vector<std::int64_t> otherBlock; ///< of a clash: the earlier claim's
  std::vector<std::int64_t> otherTrips; ///< likewise
  std::optional<SourceRange> otherAt;   ///< likewise
  std::string otherMessage;             ///< likewise
  std::string text; ///< what `tile-exec` prints: source line, caret and notes
};

/// A tensor at the end of a launch.
struct TensorResult {
  Array values; ///< undefined elements are NaN or 0
  /// How far each element may be from the exact result, as f64: the order of
  /// sums is free, and roundings add up. Nothing where all are exact, or where
  /// no bound holds.
  std::optional<Array> bounds;
  std::optional<Array> defined; ///< as i1; nothing where all elements are
};

/// What became of a launch.
struct Execution {
  std::string kernel;             ///< the kernel that ran, without `@`
  std::vector<std::int64_t> grid; ///< blocks along each axis
  std::int64_t blocks = 0;        ///< how many blocks ran
  std::uint64_t steps = 0;        ///< ops that were executed
  std::vector<Fault> faults;      ///< empty when the launch keeps all rules
  /// False when a rounding could have changed an index, a branch or an
  /// integer: then no bound holds.
  bool boundsHold = true;
  /// Every tensor that was computed and is not too large, by name, inputs
  /// included. Of a launch with faults what was written until then.
  std::map<std::string, TensorResult> tensors;
};

/// The kernels of a file, ready to run. May be used by several threads; their
/// launches wait for each other.
class Executor {
public:
  /// Reads kernels; they need not be verified. Errors as of `verify`.
  GIRIH_EXPORT static Expected<Executor> open(const Source &source);

  /// How to call them.
  GIRIH_EXPORT const Signature &signature() const;

  /// Runs one launch. A fault is a result; an error says that nothing ran,
  /// `Refused` where the contract does not admit the launch or an array does
  /// not fit, `Usage` for names that the kernel lacks, or that a limit was
  /// reached without a fault.
  GIRIH_EXPORT Expected<Execution> run(const Launch &launch) const;

private:
  struct Impl;
  explicit Executor(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl;
};

} // namespace girih

#endif // GIRIH_EXECUTOR_H
