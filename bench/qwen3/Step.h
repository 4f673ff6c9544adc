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
#include "runtime/host/Mapped.h"

#include <functional>

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

/// Splits of a head's keys for a token at a position, as measured on an H200: 0
/// where one launch has all keys, then a tile of 128 keys each, and in the end,
/// with the 8 heads of the caches of all ranks, as many blocks on each as there
/// are multiprocessors.
constexpr std::int64_t splitsAt(std::int64_t position, std::int64_t ranks) {
  return position < 128    ? 0
         : position < 512  ? 4
         : position < 1024 ? 8
                           : 16 * ranks;
}

/// What steps of one graph tell the host, which waits for a number in memory
/// and not for the driver.
class StepTokens {
public:
  explicit StepTokens(const Device &device)
      : told(Mapped<std::int64_t>::zeros(2, device)) {}

  /// [2], for `told` of step_argmax or rank_argmax.
  Tensor<std::int64_t> tensor(const Stream &stream) const {
    return told.tensor(stream);
  }
  /// The token of a step by its number, from 1 on, once it is there; of the
  /// last two that were queued.
  /// \param hasRun says whether all that is queued has run, and throws errors
  /// of devices.
  std::int32_t waitFor(std::int32_t number,
                       const std::function<bool()> &hasRun) const;

private:
  std::optional<std::int32_t> find(std::int32_t number) const;

  Mapped<std::int64_t> told;
};

/// The graph of a step. It has a sequence, which it lends for prompts and to
/// the graphs for longer ones; whoever has it can go on with it.
class Step {
public:
  /// A token that is on its way.
  class Token {
  public:
    /// Waits for it.
    std::int32_t get() const {
      return from.waitFor(number, [&] { return stream.query(); });
    }

  private:
    friend class Step;
    Token(const StepTokens &from, std::int32_t number, const Stream &stream)
        : from(from), number(number), stream(stream) {}

    StepTokens from;
    std::int32_t number;
    Stream stream;
  };

  /// \param splits as of splitsAt.
  Step(const Model &model, const Kernels &kernels, std::int64_t splits,
       Sequence sequence, const Stream &stream);

  /// Queues it: with the sequence, which is then one token further.
  void launch() {
    graph.launch(stream);
    ++number;
  }
  /// The token of the last launch, which is read before two more are queued.
  Token token() const { return {tokens, number, stream}; }
  /// The sequence, until `put`: no launch meanwhile.
  Sequence take();
  void put(Sequence sequence);
  /// Launches, copies and zeros.
  std::size_t size() const { return graph.size(); }

private:
  using Recorded = Graph<Tensor<std::int32_t>, Tensor<std::int32_t>,
                         Tensor<bf16>, Tensor<bf16>, Tensor<bf16>>;

  Stream stream;
  StepTokens tokens;
  Recorded graph;
  std::int32_t number = 0; ///< of the last launch
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_STEP_H
