// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written down in the same way for every schedule: launch, tensors and
// parameters. A schedule adds its contract and the regions of a block.

#ifndef GIRIH_LOWER_HOPPER_EXPECTED_WRITER_H
#define GIRIH_LOWER_HOPPER_EXPECTED_WRITER_H

#include "lower/hopper/expected/Expected.h"

#include "llvm/ADT/DenseMap.h"

namespace girih::hopper {

/// The bounds that spec/tile.md gives to every launch.
constexpr proofs::Int maxExtent = proofs::Int(1) << 40;
constexpr proofs::Int maxBlocks = (proofs::Int(1) << 31) - 1;

class ExpectedWriter {
public:
  /// All launch symbols of the kernel; `steps` has those that its contract
  /// makes multiples. By their factor the gate sees that they are.
  ExpectedWriter(const Scheduled &scheduled,
                 const llvm::DenseMap<mlir::Attribute, int64_t> &steps);

  proofs::Poly symbol(mlir::Attribute name) const;
  /// By its step.
  proofs::Poly stepsOf(mlir::Attribute name) const;
  /// A number of the launch that the kernel has no name for.
  proofs::Poly addNumber(std::string name);
  /// The grid has one axis. Behind this there are no more numbers of the
  /// launch.
  void setGrid(proofs::Poly blocks);
  /// A quotient and its remainder, by names for regions.
  std::pair<proofs::Poly, proofs::Poly> divide(proofs::Poly a, proofs::Poly d,
                                               std::string quotient,
                                               std::string remainder);

  /// The contract says low <= name <= high.
  void requireBetween(proofs::Int low, mlir::Attribute name, proofs::Int high);
  void requireAtLeastZero(proofs::Poly p);
  /// Takes the axes of a packed tensor from `axis` on as one: where all of them
  /// is meant, it does not matter how it is taken apart.
  void flatten(unsigned argument, size_t axis);
  void addRegion(unsigned argument, ptx::Mode mode,
                 std::vector<ptx::Range> axes, bool covered);
  /// Where they stand is a hint to the gate, which proves it.
  void addRings();

  const Scheduled &scheduled;
  tile::KernelOp kernel;
  ptx::Expected out;

private:
  void addSymbol(mlir::Attribute name, int64_t step);
  void addTensor(unsigned argument);
  void addArguments();
  void addEarly();

  /// The number of a symbol, and what it is times that number.
  struct Symbol {
    proofs::Poly number;
    int64_t step = 1;
  };
  llvm::DenseMap<mlir::Attribute, Symbol> symbols;
  llvm::DenseMap<unsigned, size_t> tensors; ///< by argument
};

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_EXPECTED_WRITER_H
