// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/ranks/RankStep.h"

#include "bench/qwen3/layers/StepWriter.h"

namespace girih::qwen3 {
namespace {

using Results = std::tuple<Tensor<std::int32_t>, Tensor<std::int32_t>,
                           Tensor<bf16>, Tensor<bf16>, Tensor<bf16>>;

/// Records the launches of one token on all ranks.
class Writer {
public:
  Writer(const Ranks &ranks, const Kernels &kernels, std::int64_t splits,
         const StepTokens &told, RankRecordings &run, RankSequences sequences)
      : ranks(ranks), kernels(kernels), told(told), run(run),
        rooms(ranks.ofGraphs.symmetric<float>({ranks.models[0].config.width})) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const Model &model = ranks.models[r];
      Sequence &sequence = sequences[r];
      writers.emplace_back(model, kernels, splits, run[r], ranks.streams[r]);
      caches.emplace_back(model, std::move(sequence.caches));
      auto [token, x] = writers[r].embedded(std::move(sequence.token));
      tokens.push_back(std::move(token));
      positions.push_back(std::move(sequence.position));
      logits.push_back(std::move(sequence.logits));
      states.push_back(std::move(x));
    }
  }

  std::vector<Results> record() {
    for (std::size_t k = 0; k < ranks.models[0].layers.size(); ++k) {
      add(
          [&](std::size_t r, const Layer &layer) {
            Shared<bf16> mean =
                writers[r].attended(layer, states[r], positions[r],
                                    caches[r].keys[k], caches[r].values[k]);
            return std::pair(layer.out, std::move(mean));
          },
          k);
      add(
          [&](std::size_t r, const Layer &layer) {
            return std::pair(layer.down, writers[r].inner(layer, states[r]));
          },
          k);
    }
    std::vector<Shared<float>> top;
    std::vector<Shared<std::int32_t>> at;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      auto [l, t, i] = writers[r].best(states[r], std::move(logits[r]));
      logits[r] = std::move(l);
      top.push_back(std::move(t).share());
      at.push_back(std::move(i).share());
    }
    auto [tops, ats] =
        gathered(ranks, ranks.ofGraphs, std::move(top), std::move(at),
                 [&](auto &&op) { return run(std::move(op)); });
    std::vector<Results> out;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const Stream &stream = ranks.streams[r];
      auto [t, i, next, best, number, host] =
          run[r](kernels["rank_argmax"].launch(
              {{"V", ranks.models[r].headRows()}}, std::move(tops[r]),
              std::move(ats[r]), std::move(positions[r]), std::move(tokens[r]),
              Tensor<std::int32_t>::zeros({1}, stream),
              r == 0 ? told.tensor(stream)
                     : Tensor<std::int64_t>::empty({2}, stream)));
      out.emplace_back(std::move(best), std::move(next),
                       run[r].join(std::move(caches[r].keys)),
                       run[r].join(std::move(caches[r].values)),
                       std::move(logits[r]));
    }
    return out;
  }

private:
  /// The product of a matrix and a vector of each rank, added to its state.
  template <typename Factors> void add(Factors factors, std::size_t k) {
    std::vector<Tensor<float>> sums;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      auto [w, of] = factors(r, ranks.models[r].layers[k]);
      sums.push_back(writers[r].sums(w, of, std::move(rooms[r])));
    }
    auto [none, all] = run(ranks.ofGraphs.allReduce(std::move(sums)));
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      std::tie(rooms[r], states[r]) =
          writers[r].added(std::move(all[r]), states[r]);
    }
  }

  const Ranks &ranks;
  const Kernels &kernels;
  const StepTokens &told; ///< by the first rank
  RankRecordings &run;
  // By rank.
  std::vector<StepWriter> writers;
  std::vector<CachePieces> caches;
  std::vector<Tensor<std::int32_t>> tokens, positions;
  std::vector<Tensor<bf16>> logits;
  std::vector<Shared<bf16>> states;
  std::vector<Tensor<float>> rooms; ///< of sums
};

} // namespace

RankStep::RankStep(const Ranks &ranks, const Kernels &kernels,
                   std::int64_t splits, RankSequences sequences)
    : ranks(ranks), tokens(ranks.streams.front().device()),
      graphs(recordRanks(ranks.ofGraphs, [&](RankRecordings &run) {
        return Writer(ranks, kernels, splits, tokens, run, std::move(sequences))
            .record();
      })) {}

RankSequences RankStep::take() {
  RankSequences out;
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    auto &graph = graphs[r];
    out.push_back({graph.take<0>(),
                   graph.take<1>(),
                   {graph.take<2>(), graph.take<3>()},
                   graph.take<4>()});
  }
  return out;
}

void RankStep::put(RankSequences sequences) {
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    auto &graph = graphs[r];
    Sequence &sequence = sequences[r];
    graph.put<0>(std::move(sequence.token));
    graph.put<1>(std::move(sequence.position));
    graph.put<2>(std::move(sequence.caches.keys));
    graph.put<3>(std::move(sequence.caches.values));
    graph.put<4>(std::move(sequence.logits));
  }
}

} // namespace girih::qwen3
