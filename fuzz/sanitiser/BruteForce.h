// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel at every launch of a box: what a verdict about all launches
// must agree with.

#ifndef GIRIH_FUZZ_SANITISER_BRUTEFORCE_H
#define GIRIH_FUZZ_SANITISER_BRUTEFORCE_H

#include "fuzz/generators/Generator.h"
#include "spec/executor/Executor.h"

namespace girih::fuzz {

struct BruteOptions {
  unsigned width = 64;
  size_t maxLaunches = 64; ///< admitted ones; beyond, a sample of the box
  /// Reverse, random and interleaved besides sequential.
  bool allOrders = true;
  uint64_t seed = 1;
  uint64_t maxSteps = 1 << 17;
};

/// A launch that faults.
struct Broken {
  std::map<std::string, int64_t> symbols;
  exec::Order order = exec::Order::Sequential;
  uint64_t seed = 1;
  exec::Fault fault;
};

struct BruteResult {
  std::optional<Broken> broken; ///< the first one
  size_t admitted = 0;          ///< launches that met the contract
  size_t exhausted = 0;         ///< of these, not run to the end
  size_t runs = 0;
};

BruteResult bruteForce(tile::KernelOp kernel, const Box &box,
                       const BruteOptions &options = {});

/// Contents for the small shared tensors of integers, so that what indices
/// depend on is at times the same and at times not: flags, small numbers with
/// some below 0, or nothing given for what the executor seeds by itself.
std::map<std::string, exec::Array>
variedInputs(tile::KernelOp kernel,
             const std::map<std::string, int64_t> &symbols, uint64_t seed);

/// Whether some launch of the box meets the contract, has a block to run and no
/// tensor that is empty.
bool admitsWork(tile::KernelOp kernel, const Box &box, unsigned width);

/// A box for a kernel that came without: 0, 1 and the edges of its tiles and of
/// the numbers in its contract.
Box boxOf(tile::KernelOp kernel, unsigned width = 64);

/// `M=1,N=5`.
std::string text(const std::map<std::string, int64_t> &symbols);
/// `claim.bounds: ...`.
std::string text(const Broken &broken);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SANITISER_BRUTEFORCE_H
