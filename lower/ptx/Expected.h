// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry point may touch, as plain data: the launch, the parameters, the
// tensors, and for each block the elements that the kernel's proved maps give
// it. The back end derives it from the verified kernel, never from the PTX.

#ifndef GIRIH_LOWER_PTX_EXPECTED_H
#define GIRIH_LOWER_PTX_EXPECTED_H

#include "lower/ptx/Module.h"
#include "proofs/Obligation.h"

#include <optional>

namespace girih::ptx {

struct Tensor {
  std::string name;
  uint64_t bytes = 1; ///< of an element
  uint64_t align = 1; ///< of its first byte
  /// Over launch symbols; strides in elements.
  std::vector<proofs::Poly> extents, strides;
};

/// What the launcher puts into a parameter: the address of a tensor, or a
/// value over launch symbols, cut to the width of the parameter.
struct Argument {
  std::optional<size_t> tensor;
  proofs::Poly value;
};

/// Along one axis the coordinates from `from` that are below all of `below`.
struct Range {
  proofs::Poly from;
  std::vector<proofs::Poly> below;
};

enum class Mode { Read, Write, Atomic };

/// A box of elements that a block may touch: coordinates over launch symbols,
/// block numbers and the results of `definitions`; of those over `any`, the
/// boxes for all numbers from 0 on together.
struct Region {
  size_t tensor = 0;
  Mode mode = Mode::Read;
  std::vector<Range> axes;
  /// The block has to touch each of its elements, those outside of the tensor
  /// left out.
  bool covered = false;
};

/// A ring of slots in shared memory for each warp, which bulk copies fill. A
/// hint how to prove it: a wrong one proves nothing.
struct Ring {
  uint64_t slots = 1;
  uint64_t bytes = 16;   ///< of a slot
  uint64_t at = 0;       ///< offset of the first warp's slots
  uint64_t barriers = 0; ///< offset of the first warp's barriers, 8 bytes each
  uint64_t warps = 1;
};

/// Names of variables by number: symbols, then `bx by bz`, then what
/// `definitions` introduce and `any`.
struct Expected {
  std::string entry;
  uint64_t threads[3] = {1, 1, 1};
  proofs::Poly grid[3] = {1, 1, 1};
  uint64_t dynamicBytes = 0; ///< of shared memory at launch
  std::vector<std::string> variables;
  size_t symbols = 0; ///< so many variables are launch symbols
  /// What the contract says of symbols and, of block numbers, no more than that
  /// they lie in the grid, which is not repeated here.
  std::vector<proofs::Hypothesis> given;
  std::vector<proofs::Definition> definitions;
  /// Numbers from 0 on; nothing but regions speaks of them.
  std::vector<proofs::Var> any;
  /// The launch may begin before grids before it are done, which write none of
  /// these tensors. Nothing: it does not.
  std::optional<std::vector<size_t>> early;
  std::vector<Argument> arguments; ///< by parameter
  std::vector<Tensor> tensors;
  std::vector<Region> regions;
  std::vector<Ring> rings;

  proofs::Var block(size_t axis) const { return proofs::Var(symbols + axis); }
};

/// The text form; README.md has the grammar.
std::string print(const Expected &expected);
std::variant<Expected, Error> parseExpected(std::string_view text);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_EXPECTED_H
