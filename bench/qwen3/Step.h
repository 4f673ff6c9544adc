// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// One more token of one sequence as one graph. Token and position stand in
/// device memory, and each replay leaves the next ones there.

#ifndef GIRIH_BENCH_QWEN3_STEP_H
#define GIRIH_BENCH_QWEN3_STEP_H

#include "bench/qwen3/Prefill.h"
#include "bench/qwen3/Sampler.h"
#include "runtime/graph/Graph.h"

namespace girih::qwen3 {

/// What a sequence has in device memory.
struct Sequence {
  Tensor<std::int32_t> token;    ///< [1], the one that comes next
  Tensor<std::int32_t> position; ///< [1], of that
  Caches caches;                 ///< of the positions before
  Tensor<bf16> logits;           ///< [1, vocabulary], of which the token is;
                                 ///< of a rank those that it gives

  static Sequence of(const Model &model, const Stream &stream);
};

/// How a step takes the keys.
enum class Attention : unsigned char {
  Whole, ///< a block for each head of the cache: for short sequences
  Split, ///< in splits, which are merged
};
/// Positions from which on splits are faster, as measured on an H200.
constexpr std::int64_t longSequence = 512;

/// Splits of a head: with the 8 heads of the caches of all ranks as many blocks
/// on each as an H200 has multiprocessors.
constexpr std::int64_t splitsOf(std::int64_t ranks) { return 16 * ranks; }

/// The graph of a step. It has a sequence, which it lends for prompts and to
/// the graph for longer ones; whoever has it can go on with it.
class Step {
public:
  Step(const Model &model, const Kernels &kernels, Attention attention,
       Sequence sequence, const Stream &stream);

  /// Queues it: with the sequence, which is then one token further.
  void launch(const Stream &stream) { graph.launch(stream); }
  /// The token of the last launch, on its way.
  Readback<std::int32_t> token() const { return graph.get<0>().readBack(); }
  /// The sequence, until `put`: no launch meanwhile.
  Sequence take();
  void put(Sequence sequence);
  /// Launches, copies and zeros.
  std::size_t size() const { return graph.size(); }

private:
  using Recorded = Graph<Tensor<std::int32_t>, Tensor<std::int32_t>,
                         Tensor<bf16>, Tensor<bf16>, Tensor<bf16>>;

  Recorded graph;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_STEP_H
