// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Prefill.h"

#include "bench/qwen3/Rows.h"

#include <bit>

namespace girih::qwen3 {
namespace {

/// Tokens that are taken at once: what stands between layers has a row for
/// each.
constexpr std::size_t chunkLength = 4096;

/// Rows of the graph for so many tokens: as many as their products take anyway;
/// 0 where launches one by one keep an H200 busy.
std::int64_t rowsFor(std::int64_t count) {
  constexpr std::int64_t maxRows = 2048;
  if (count > maxRows) {
    return 0;
  }
  auto power = std::bit_ceil(static_cast<std::uint64_t>(count));
  return count > promptTile
             ? (count + promptTile - 1) / promptTile * promptTile
             : std::max(static_cast<std::int64_t>(power), std::int64_t(16));
}

/// Queues launches.
struct Queue {
  template <typename Op> auto operator()(Op &&op) const {
    return std::forward<Op>(op).queue(stream);
  }
  void notePosition() const {}
  const Stream &stream;
};

/// Records them, and remembers which are told a position.
struct Record {
  template <typename Op> auto operator()(Op &&op) {
    ++count;
    return run(std::forward<Op>(op));
  }
  void notePosition() { placed.push_back(count); }
  Recording &run;
  std::size_t count = 0;
  std::vector<std::size_t> placed;
};

/// Attention of tokens that follow `from` others, of one layer, with its part
/// of the caches.
template <typename Run>
Shared<bf16> attended(const Model &model, const Kernels &kernels,
                      const Layer &layer, std::int64_t count, std::int64_t from,
                      Shared<bf16> qkv, Rows<Run> &rows, Run &run,
                      Piece<bf16> keys, Piece<bf16> values) {
  const Config &c = model.config;
  Tensor<bf16> mean = rows.madeOfHeads();
  {
    auto [ofQ, ofK, ofV] = rows.headsOf(qkv);
    run.notePosition();
    auto [q, k1, v, qg, kg, cos, sin, turned, ks, vs] =
        run(kernels["qk_norm_rope_append"].launch(
            {{"pos", from}, {"eps", c.eps}}, ofQ, ofK, ofV, layer.qNorm,
            layer.kNorm, model.cos, model.sin, rows.madeOfHeads(),
            std::move(keys), std::move(values)));
    run.notePosition();
    auto [q2, k2, v2, y] = run(kernels["attention_prefill_gqa"].launch(
        {{"pos", from},
         {"R", c.heads / c.cacheHeads},
         {"scale", model.scale()}},
        std::move(turned), std::move(ks), std::move(vs), std::move(mean)));
    mean = std::move(y);
    rows.keep(std::move(q2).share());
  }
  rows.keep(std::move(qkv));
  return std::move(mean).reshape({count, c.heads * c.depth}).share();
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

/// The states behind all layers of tokens that follow `from` others,
/// [tokens, width].
template <typename Run>
Shared<bf16> statesOf(const Model &model, const Kernels &kernels,
                      Tensor<std::int32_t> &ids, std::int64_t from,
                      CachePieces &caches, Run &run, const Stream &stream) {
  std::int64_t count = ids.count();
  Rows<Run> rows(model, kernels, count, run, stream);
  auto attention = [&](std::size_t k, Shared<bf16> qkv) {
    return attended(model, kernels, model.layers[k], count, from,
                    std::move(qkv), rows, run, caches.keys[k],
                    caches.values[k]);
  };
  return rows.layers(embedded(model, kernels, ids, rows, run), attention).first;
}

/// Of all layers.
Extents ofLayer(const Model &model) {
  return {model.config.cacheHeads, model.cacheRows(), model.config.depth};
}

} // namespace

CachePieces::CachePieces(const Model &model, Caches caches)
    : keys(std::move(caches.keys).partition(ofLayer(model))),
      values(std::move(caches.values).partition(ofLayer(model))) {}

Caches CachePieces::join() && {
  return {std::move(keys).join(), std::move(values).join()};
}

Caches Caches::of(const Model &model, const Stream &stream) {
  Extents extents = {model.config.layers * model.config.cacheHeads,
                     model.cacheRows(), model.config.depth};
  return {Tensor<bf16>::empty(extents, stream),
          Tensor<bf16>::empty(extents, stream)};
}

/// Launch by launch.
Shared<bf16> Prefill::queued(std::span<const std::int32_t> tokens,
                             std::int64_t from, Caches &caches) const {
  auto count = static_cast<std::int64_t>(tokens.size());
  CachePieces layers(model, std::move(caches));
  auto ids = Tensor<std::int32_t>::copyFrom(tokens, {count}, stream);
  Queue run{stream};
  Shared<bf16> states =
      statesOf(model, kernels, ids, from, layers, run, stream);
  caches = std::move(layers).join();
  return states.slice(0, count - 1, count).reshape({model.config.width});
}

Prefill::Recorded Prefill::recorded(std::int64_t rows, Caches caches) const {
  std::vector<std::size_t> placed;
  Graph graph = record([&](Recording &recording) {
    CachePieces layers(model, std::move(caches));
    auto ids = Tensor<std::int32_t>::zeros({rows}, stream);
    Record run{recording};
    Shared<bf16> states = statesOf(model, kernels, ids, 0, layers, run, stream);
    placed = std::move(run.placed);
    return std::tuple(recording.join(std::move(layers.keys)),
                      recording.join(std::move(layers.values)), std::move(ids),
                      std::move(states));
  });
  return {std::move(graph), std::move(placed)};
}

Shared<bf16> Prefill::replayed(std::span<const std::int32_t> tokens,
                               std::int64_t rows, std::int64_t from,
                               Caches &caches) {
  auto found = graphs.find(rows);
  if (found == graphs.end()) {
    found = graphs.emplace(rows, recorded(rows, std::move(caches))).first;
  } else {
    found->second.graph.put<0>(std::move(caches.keys));
    found->second.graph.put<1>(std::move(caches.values));
  }
  Recorded &chunk = found->second;
  std::vector<std::int32_t> padded(tokens.begin(), tokens.end());
  padded.resize(static_cast<std::size_t>(rows));
  Tensor<std::int32_t> ids = chunk.graph.take<2>();
  ids.assign(padded);
  chunk.graph.put<2>(std::move(ids));
  if (chunk.from != from) {
    for (std::size_t launch : chunk.placed) {
      chunk.graph.set(launch, "pos", from);
    }
    chunk.from = from;
  }
  chunk.graph.launch(stream);
  caches = {chunk.graph.take<0>(), chunk.graph.take<1>()};
  auto count = static_cast<std::int64_t>(tokens.size());
  return chunk.graph.get<3>()
      .slice(0, count - 1, count)
      .reshape({model.config.width});
}

/// Queues tokens that follow `from` others, and gives the states of the last.
static std::vector<Shared<bf16>> chunk(const Ranks &ranks,
                                       const Kernels &kernels,
                                       std::span<const std::int32_t> tokens,
                                       std::int64_t from,
                                       std::span<Caches *const> caches) {
  auto count = static_cast<std::int64_t>(tokens.size());
  std::vector<Queue> runs;
  std::vector<Rows<Queue>> rows;
  std::vector<CachePieces> layers;
  std::vector<Shared<bf16>> first;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    runs.push_back({ranks.streams[r]});
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Model &model = ranks.models[r];
    auto ids =
        Tensor<std::int32_t>::copyFrom(tokens, {count}, ranks.streams[r]);
    rows.emplace_back(model, kernels, count, runs[r], ranks.streams[r]);
    layers.emplace_back(model, std::move(*caches[r]));
    first.push_back(embedded(model, kernels, ids, rows[r], runs[r]));
  }
  std::vector<Rows<Queue> *> pointers;
  for (Rows<Queue> &each : rows) {
    pointers.push_back(&each);
  }
  auto all = layersOf<Queue>(
      ranks, pointers, std::move(first),
      [&](std::size_t r, std::size_t k, Shared<bf16> qkv) {
        const Model &model = ranks.models[r];
        return attended(model, kernels, model.layers[k], count, from,
                        std::move(qkv), rows[r], runs[r], layers[r].keys[k],
                        layers[r].values[k]);
      },
      [&](std::vector<Tensor<float>> sums) {
        return std::get<1>(
            ranks.communicator.allReduce(std::move(sums)).queue());
      });
  std::vector<Shared<bf16>> out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    *caches[r] = std::move(layers[r]).join();
    out.push_back(all[r]
                      .first.slice(0, count - 1, count)
                      .reshape({ranks.models[r].config.width}));
  }
  return out;
}

Tensor<bf16> logitsOf(const Model &model, const Kernels &kernels,
                      const Shared<bf16> &state, Tensor<bf16> to,
                      const Stream &stream) {
  return productOfNorm(model.config, kernels, model.head, state, model.norm,
                       std::move(to).reshape({model.headRows()}), Queue{stream})
      .reshape({1, model.headRows()});
}

Tensor<bf16> logitsOf(const Model &model, const Kernels &kernels,
                      const Shared<bf16> &state, const Stream &stream) {
  return logitsOf(model, kernels, state,
                  Tensor<bf16>::empty({model.headRows()}, stream), stream);
}

std::pair<Tensor<bf16>, Tensor<std::int32_t>>
bestTokens(const Kernels &kernels, Tensor<bf16> logits, Tensor<std::int32_t> to,
           const Stream &stream) {
  Extents stretches = {logits.extents()[0], stretchesOf(logits.extents()[1])};
  auto [l, top, at] =
      kernels["argmax_blocks"]
          .launch({}, std::move(logits),
                  Tensor<float>::empty(stretches, stream),
                  Tensor<std::int32_t>::empty(stretches, stream))
          .queue(stream);
  auto [t, i, token] =
      kernels["step_tokens"]
          .launch({}, std::move(top), std::move(at), std::move(to))
          .queue(stream);
  return {std::move(l), std::move(token)};
}

std::pair<std::vector<Tensor<bf16>>, std::vector<Tensor<std::int32_t>>>
bestTokens(const Ranks &ranks, const Kernels &kernels,
           std::vector<Tensor<bf16>> logits) {
  std::int64_t rows = logits[0].extents()[0], count = logits[0].extents()[1];
  Extents stretches = {rows, stretchesOf(count)};
  std::vector<Shared<float>> top;
  std::vector<Shared<std::int32_t>> at;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Stream &stream = ranks.streams[r];
    auto [l, t, i] = kernels["argmax_blocks"]
                         .launch({}, std::move(logits[r]),
                                 Tensor<float>::empty(stretches, stream),
                                 Tensor<std::int32_t>::empty(stretches, stream))
                         .queue(stream);
    logits[r] = std::move(l);
    top.push_back(std::move(t).share());
    at.push_back(std::move(i).share());
  }
  auto [tops, ats] =
      gathered(ranks, ranks.communicator, std::move(top), std::move(at),
               [](auto &&op) { return std::move(op).queue(); });
  std::vector<Tensor<std::int32_t>> tokens;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Stream &stream = ranks.streams[r];
    auto [t, i, token] =
        kernels["rank_tokens"]
            .launch({{"V", count}}, std::move(tops[r]), std::move(ats[r]),
                    Tensor<std::int32_t>::empty({rows}, stream))
            .queue(stream);
    tokens.push_back(std::move(token));
  }
  return {std::move(logits), std::move(tokens)};
}

std::vector<float> toFloats(const std::vector<bf16> &numbers) {
  std::vector<float> out;
  out.reserve(numbers.size());
  for (bf16 number : numbers) {
    out.push_back(std::bit_cast<float>(std::uint32_t(number.bits) << 16));
  }
  return out;
}

/// Takes tokens a chunk at a time, and gives what the last one comes to.
template <typename Chunk>
static auto byChunks(std::span<const std::int32_t> tokens, std::size_t from,
                     Chunk chunk) {
  while (tokens.size() > chunkLength) {
    chunk(tokens.first(chunkLength), static_cast<std::int64_t>(from));
    tokens = tokens.subspan(chunkLength);
    from += chunkLength;
  }
  return chunk(tokens, static_cast<std::int64_t>(from));
}

Shared<bf16> Prefill::operator()(std::span<const std::int32_t> tokens,
                                 std::size_t from, Caches &caches) {
  return byChunks(tokens, from, [&](auto some, std::int64_t at) {
    std::int64_t rows = rowsFor(static_cast<std::int64_t>(some.size()));
    return rows > 0 ? replayed(some, rows, at, caches)
                    : queued(some, at, caches);
  });
}

std::vector<Shared<bf16>> prefill(const Ranks &ranks, const Kernels &kernels,
                                  std::span<const std::int32_t> tokens,
                                  std::size_t from,
                                  std::span<Caches *const> caches) {
  return byChunks(tokens, from, [&](auto some, std::int64_t at) {
    return chunk(ranks, kernels, some, at, caches);
  });
}

} // namespace girih::qwen3
