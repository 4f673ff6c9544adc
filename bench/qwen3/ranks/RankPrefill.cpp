// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/ranks/RankPrefill.h"

#include "bench/qwen3/layers/PromptWriter.h"

namespace girih::qwen3 {
namespace {

template <typename T> std::vector<T *> pointersTo(std::vector<T> &all) {
  std::vector<T *> out;
  for (T &one : all) {
    out.push_back(&one);
  }
  return out;
}

/// The states behind all layers of the last of tokens that follow `from`
/// others, [endsOf(tokens), width], by rank.
/// \param reduce makes of the sums of each rank those of all, in place.
template <typename Run, typename Reduce>
std::vector<Shared<bf16>>
statesOf(const Ranks &ranks, const Kernels &kernels,
         std::vector<Tensor<std::int32_t>> &ids, std::int64_t from,
         std::vector<CachePieces> &caches, std::span<Run> runs, Reduce reduce) {
  std::int64_t count = ids.front().count();
  std::vector<Rows<Run>> rows, ends;
  rows.reserve(ranks.size());
  ends.reserve(ranks.size());
  std::vector<Shared<bf16>> first;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Model &model = ranks.models[r];
    rows.emplace_back(model, kernels, count, runs[r], ranks.streams[r]);
    ends.emplace_back(model, kernels, endsOf(count), runs[r], ranks.streams[r]);
    first.push_back(embedded(model, kernels, ids[r], rows[r], runs[r]));
  }
  auto all = layersOf<Run>(
      ranks, pointersTo(rows), pointersTo(ends), std::move(first),
      [&](std::size_t r, std::size_t k, Shared<bf16> qkv) {
        return attended(ranks.models[r], kernels, k, from, std::move(qkv),
                        rows[r], ends[r], runs[r], caches[r].keys[k],
                        caches[r].values[k]);
      },
      reduce);
  std::vector<Shared<bf16>> out;
  for (auto &[state, norm] : all) {
    out.push_back(std::move(state));
  }
  return out;
}

} // namespace

/// Launch by launch.
std::vector<Shared<bf16>>
RankPrefill::queued(std::span<const std::int32_t> tokens, std::int64_t from,
                    std::span<Caches *const> caches) const {
  std::vector<Queue> runs;
  std::vector<CachePieces> layers;
  std::vector<Tensor<std::int32_t>> ids;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    runs.push_back({ranks.streams[r]});
    layers.emplace_back(ranks.models[r], std::move(*caches[r]));
    ids.push_back(Tensor<std::int32_t>::copyFrom(
        tokens, {static_cast<std::int64_t>(tokens.size())}, ranks.streams[r]));
  }
  auto states = statesOf<Queue>(
      ranks, kernels, ids, from, layers, runs,
      [&](std::vector<Tensor<float>> sums) {
        return std::get<1>(
            ranks.communicator.allReduce(std::move(sums)).queue());
      });
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    *caches[r] = std::move(layers[r]).join();
    states[r] = lastOf(states[r], tokens.size(),
                       static_cast<std::int64_t>(tokens.size()));
  }
  return states;
}

RankPrefill::Recorded
RankPrefill::recorded(std::int64_t rows,
                      std::span<Caches *const> caches) const {
  std::vector<Placed> placed;
  auto graphs = recordRanks(ranks.ofGraphs, [&](RankRecordings &recordings) {
    std::vector<Record> runs;
    std::vector<CachePieces> layers;
    std::vector<Tensor<std::int32_t>> ids;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      runs.push_back({recordings[r]});
      layers.emplace_back(ranks.models[r], std::move(*caches[r]));
      ids.push_back(Tensor<std::int32_t>::zeros({rows}, ranks.streams[r]));
    }
    auto states =
        statesOf<Record>(ranks, kernels, ids, 0, layers, runs,
                         [&](std::vector<Tensor<float>> sums) {
                           for (Record &run : runs) {
                             ++run.count;
                           }
                           return std::get<1>(recordings(
                               ranks.ofGraphs.allReduce(std::move(sums))));
                         });
    placed = runs.front().placed; // all record the same
    std::vector<std::tuple<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>,
                           Shared<bf16>>>
        out;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      out.emplace_back(recordings[r].join(std::move(layers[r].keys)),
                       recordings[r].join(std::move(layers[r].values)),
                       std::move(ids[r]), std::move(states[r]));
    }
    return out;
  });
  return {std::move(graphs), std::move(placed)};
}

std::vector<Shared<bf16>>
RankPrefill::replayed(std::span<const std::int32_t> tokens, std::int64_t rows,
                      std::int64_t from, std::span<Caches *const> caches) {
  auto found = recordings.find(rows);
  if (found == recordings.end()) {
    found = recordings.emplace(rows, recorded(rows, caches)).first;
  } else {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      auto &graph = found->second.graphs[r];
      graph.put<0>(std::move(caches[r]->keys));
      graph.put<1>(std::move(caches[r]->values));
    }
  }
  Recorded &chunk = found->second;
  std::vector<std::int32_t> padded(tokens.begin(), tokens.end());
  padded.resize(static_cast<std::size_t>(rows));
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    auto &graph = chunk.graphs[r];
    graph.assign<2>(padded);
    for (auto [launch, behind] : chunk.placed) {
      if (chunk.from != from) {
        graph.set(launch, "pos", from + behind);
      }
    }
  }
  chunk.from = from;
  chunk.graphs.launch(ranks.streams);
  std::vector<Shared<bf16>> out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    auto &graph = chunk.graphs[r];
    *caches[r] = {graph.take<0>(), graph.take<1>()};
    out.push_back(lastOf(graph.get<3>(), tokens.size(), rows));
  }
  return out;
}

std::vector<Shared<bf16>>
RankPrefill::operator()(std::span<const std::int32_t> tokens, std::size_t from,
                        std::span<Caches *const> caches) {
  return byChunks(tokens, from, [&](auto some, std::int64_t at) {
    std::int64_t rows =
        rowsFor(static_cast<std::int64_t>(some.size()), ranks.models.front());
    return rows > 0 ? replayed(some, rows, at, caches)
                    : queued(some, at, caches);
  });
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

} // namespace girih::qwen3
