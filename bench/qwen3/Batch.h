// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// One more token of each of some sequences as one graph. Their caches are in
/// pages, which each has by a table; the runtime looks before each replay that
/// tables are of pages and that no two sequences write one line.

#ifndef GIRIH_BENCH_QWEN3_BATCH_H
#define GIRIH_BENCH_QWEN3_BATCH_H

#include "bench/qwen3/Prefill.h"
#include "bench/qwen3/Sampler.h"
#include "runtime/graph/Graph.h"

namespace girih::qwen3 {

/// Positions in a page.
constexpr std::int64_t pageLength = 64;
/// Sequences at most.
constexpr std::int64_t maxSequences = 64;
inline std::int64_t pagesOf(std::int64_t positions) {
  return (positions + pageLength - 1) / pageLength;
}

/// Caches of all layers behind each other: [layers pages, pageLength,
/// cacheHeads, depth]. Page 0 is nobody's: rows of a graph without a sequence
/// write there, each a line of its own.
struct Pages {
  Tensor<bf16> keys, values;

  static Pages of(const Model &model, std::int64_t count, const Stream &stream);
};

/// A row of a batch.
struct Row {
  std::int32_t token = 0, position = 0;
  std::span<const std::int32_t> pages; ///< of the sequence, in order
  Draw draw;                           ///< of the token behind
};

/// What the host says of rows, as a graph of so many takes it.
struct Numbers {
  /// Numbers of all rows, one kind behind the other.
  enum Kind : std::size_t { Token, Position, Slot, Length };
  static constexpr std::int64_t kinds = 4;

  std::vector<std::int32_t> ofRows; ///< [kinds, count]
  std::vector<std::int32_t> tables; ///< [count, tableLength]

  static Numbers of(std::span<const Row> rows, std::int64_t count,
                    std::int64_t tableLength);
  /// Whether some token is drawn.
  static bool anyDrawn(std::span<const Row> rows);
};

/// The graph of so many rows. It has the pages, which it lends for prompts and
/// to graphs of other numbers of rows.
class Batch {
public:
  Batch(const Model &model, const Kernels &kernels, std::int64_t rows,
        Pages pages, const Stream &stream);

  /// One more token of each row, of which there may be fewer than it was made
  /// for; waits for it.
  std::vector<std::int32_t> run(std::span<const Row> rows,
                                const Stream &stream);
  /// Of the first row of the last run.
  std::vector<float> logits() const;
  Pages take();
  void put(Pages pages);

private:
  // Keys, values, tokens, logits, numbers of rows, tables.
  using Recorded =
      Graph<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Tensor<bf16>,
            Tensor<std::int32_t>, Tensor<std::int32_t>>;

  void draw(std::span<const Row> rows, const Stream &stream);

  const Kernels &kernels;
  std::int64_t count, tableLength;
  Numbers known; ///< as they are on the device
  Recorded graph;
  std::optional<Sampler> sampler; ///< once it was asked for
};

/// Copies the first positions of the caches of one sequence to its pages.
void copyToPages(const Model &model, const Kernels &kernels, Caches &from,
                 std::span<const std::int32_t> pages, std::int64_t positions,
                 Pages &to, const Stream &stream);

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_BATCH_H
