// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What prompts of one device and of several ranks have in common: how many
/// tokens are taken at once, and what differs from a step between layers. The
/// launches are queued or recorded.

#ifndef GIRIH_BENCH_QWEN3_LAYERS_PROMPTWRITER_H
#define GIRIH_BENCH_QWEN3_LAYERS_PROMPTWRITER_H

#include "bench/qwen3/Prefill.h"
#include "bench/qwen3/layers/Rows.h"

#include <bit>

namespace girih::qwen3 {

/// Tokens that are taken at once: what stands between layers has a row for
/// each.
constexpr std::size_t chunkLength = 4096;

/// Rows of the graph for so many tokens: as many as their products take anyway;
/// 0 where launches one by one keep an H200 busy, but for whole chunks, of
/// which long prompts have many. Of weights in fewer bits a graph has room for
/// those of a layer in bf16, so there are fewer.
inline std::int64_t rowsFor(std::int64_t count, const Model &model) {
  bool areWhole = model.format == Format::BF16;
  if (count > (areWhole ? 2048 : 512)) {
    return areWhole && count == std::int64_t(chunkLength) ? count : 0;
  }
  auto power = std::bit_ceil(static_cast<std::uint64_t>(count));
  return count > promptTile
             ? (count + promptTile - 1) / promptTile * promptTile
             : std::max(static_cast<std::int64_t>(power), std::int64_t(16));
}

/// Whether launches of a prompt's graph start early, where that takes less, as
/// measured on an H200: of a 4B 512 rows take 4% less without it, and long
/// prompts, which power limits, 0.4%.
inline bool startsEarly(std::int64_t rows) {
  return rows <= 384 || (rows > 512 && rows <= 2048);
}

/// Queues launches.
struct Queue {
  template <typename Op> auto operator()(Op &&op) const {
    return std::forward<Op>(op).queue(stream);
  }
  template <typename T> Tensor<T> join(Pieces<T> pieces) const {
    return std::move(pieces).join();
  }
  void notePosition(std::int64_t = 0) const {}
  const Stream &stream;
};

/// Records them, and remembers which are told a position.
struct Record {
  template <typename Op> auto operator()(Op &&op) {
    ++count;
    return run(std::forward<Op>(op));
  }
  template <typename T> Tensor<T> join(Pieces<T> pieces) {
    return run.join(std::move(pieces));
  }
  /// \param behind how far it is behind that of the first row.
  void notePosition(std::int64_t behind = 0) {
    placed.push_back({count, behind});
  }
  Recording &run;
  std::size_t count = 0;
  std::vector<Placed> placed = {};
};

/// The last rows of so many: those that have the last token, wherever it is.
inline std::int64_t endsOf(std::int64_t rows) {
  return std::min(rows, promptTile);
}

/// Attention of tokens that follow `from` others, of layer k, with its part of
/// the caches; of the last layer that of the last tokens, as many as `ends`.
template <typename Run>
Shared<bf16> attended(const Model &model, const Kernels &kernels, std::size_t k,
                      std::int64_t from, Shared<bf16> qkv, Rows<Run> &rows,
                      Rows<Run> &ends, Run &run, Piece<bf16> keys,
                      Piece<bf16> values) {
  const Config &c = model.config;
  const Layer &layer = model.layers[k];
  Rows<Run> &asked = k + 1 < model.layers.size() ? rows : ends;
  Tensor<bf16> mean = asked.madeOfHeads();
  {
    auto [ofQ, ofK, ofV] = rows.headsOf(qkv);
    run.notePosition();
    auto [q, k1, v, qg, kg, cos, sin, turned, ks, vs] =
        run(kernels["qk_norm_rope_append"].launch(
            {{"pos", from}, {"eps", c.eps}}, ofQ, ofK, ofV, layer.qNorm,
            layer.kNorm, model.cos, model.sin, rows.madeOfHeads(),
            std::move(keys), std::move(values)));
    std::int64_t behind = rows.count() - asked.count();
    run.notePosition(behind);
    auto [q2, k2, v2, y] = run(kernels["attention_prefill_gqa"].launch(
        {{"pos", from + behind},
         {"R", c.heads / c.cacheHeads},
         {"scale", model.scale()}},
        asked.endOf(std::move(turned).share()), std::move(ks), std::move(vs),
        std::move(mean)));
    mean = std::move(y);
    rows.keep(std::move(q2));
  }
  rows.keep(std::move(qkv));
  return std::move(mean).reshape({asked.count(), c.heads * c.depth}).share();
}

/// Rows of the embedding; the tokens come back.
template <typename Run>
Shared<bf16> embedded(const Model &model, const Kernels &kernels,
                      Tensor<std::int32_t> &ids, Rows<Run> &rows, Run &run) {
  auto [i, table, first] = run(kernels["step_embedding"].launch(
      {}, std::move(ids), model.embedding, rows.made(model.config.width)));
  ids = std::move(i);
  return std::move(first).share();
}

/// The row of the last of so many tokens, of the last ones of `rows`.
inline Shared<bf16> lastOf(const Shared<bf16> &states, std::size_t count,
                           std::int64_t rows) {
  std::int64_t end =
      static_cast<std::int64_t>(count) - (rows - states.extents()[0]);
  return states.slice(0, end - 1, end).reshape({states.extents()[1]});
}

/// Takes tokens a chunk at a time, and gives what the last one comes to.
template <typename Chunk>
auto byChunks(std::span<const std::int32_t> tokens, std::size_t from,
              Chunk chunk) {
  while (tokens.size() > chunkLength) {
    (void)chunk(tokens.first(chunkLength), static_cast<std::int64_t>(from));
    tokens = tokens.subspan(chunkLength);
    from += chunkLength;
  }
  return chunk(tokens, static_cast<std::int64_t>(from));
}

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_LAYERS_PROMPTWRITER_H
