// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Prefill.h"

#include "bench/qwen3/layers/PromptWriter.h"

#include <bit>

namespace girih::qwen3 {
namespace {

/// The states behind all layers of the last of tokens that follow `from`
/// others, [endsOf(tokens), width].
template <typename Run>
Shared<bf16> statesOf(const Model &model, const Kernels &kernels,
                      Tensor<std::int32_t> &ids, std::int64_t from,
                      CachePieces &caches, Run &run, const Stream &stream) {
  std::int64_t count = ids.count();
  Rows<Run> rows(model, kernels, count, run, stream),
      ends(model, kernels, endsOf(count), run, stream);
  auto attention = [&](std::size_t k, Shared<bf16> qkv) {
    return attended(model, kernels, k, from, std::move(qkv), rows, ends, run,
                    caches.keys[k], caches.values[k]);
  };
  return rows.layers(embedded(model, kernels, ids, rows, run), attention, ends)
      .first;
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
  return lastOf(states, tokens.size(), count);
}

Prefill::Recorded Prefill::recorded(std::int64_t rows, Caches caches) const {
  std::vector<Placed> placed;
  Graph graph = record(
      [&](Recording &recording) {
        CachePieces layers(model, std::move(caches));
        auto ids = Tensor<std::int32_t>::zeros({rows}, stream);
        Record run{recording};
        Shared<bf16> states =
            statesOf(model, kernels, ids, 0, layers, run, stream);
        placed = std::move(run.placed);
        return std::tuple(recording.join(std::move(layers.keys)),
                          recording.join(std::move(layers.values)),
                          std::move(ids), std::move(states));
      },
      {.early = startsEarly(rows)});
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
  chunk.graph.assign<2>(padded);
  if (chunk.from != from) {
    for (auto [launch, behind] : chunk.placed) {
      chunk.graph.set(launch, "pos", from + behind);
    }
    chunk.from = from;
  }
  chunk.graph.launch(stream);
  caches = {chunk.graph.take<0>(), chunk.graph.take<1>()};
  return lastOf(chunk.graph.get<3>(), tokens.size(), rows);
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

std::vector<float> toFloats(const std::vector<bf16> &numbers) {
  std::vector<float> out;
  out.reserve(numbers.size());
  for (bf16 number : numbers) {
    out.push_back(std::bit_cast<float>(std::uint32_t(number.bits) << 16));
  }
  return out;
}

Shared<bf16> Prefill::operator()(std::span<const std::int32_t> tokens,
                                 std::size_t from, Caches &caches) {
  return byChunks(tokens, from, [&](auto some, std::int64_t at) {
    std::int64_t rows = rowsFor(static_cast<std::int64_t>(some.size()), model);
    return rows > 0 ? replayed(some, rows, at, caches)
                    : queued(some, at, caches);
  });
}

} // namespace girih::qwen3
