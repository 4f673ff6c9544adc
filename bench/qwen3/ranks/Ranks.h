// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A model that is cut over several devices, as Megatron-LM cuts it. Each rank
/// has all of the state between layers, and its part of what makes it: what
/// comes of its heads, and of its rows of gate and up, is added over all ranks,
/// in f32, before it is rounded.

#ifndef GIRIH_BENCH_QWEN3_RANKS_RANKS_H
#define GIRIH_BENCH_QWEN3_RANKS_RANKS_H

#include "bench/qwen3/layers/Rows.h"
#include "runtime/collective/Communicator.h"

namespace girih::qwen3 {

struct Ranks {
  /// Of launches one by one, and of graphs: so each is used in one way, which
  /// NCCL_GRAPH_MIXING_SUPPORT=0 asks for.
  Communicator communicator, ofGraphs;
  std::vector<Model> models;   ///< by rank
  std::vector<Stream> streams; ///< where each works

  std::size_t size() const { return models.size(); }
  /// Waits for what is queued; of a rank that fails the others hear.
  void wait() const { communicator.wait(ofGraphs); }
  /// Whether it has run; of a rank that fails the others hear.
  bool haveRun() const;

  /// A rank for each device, by its ordinal.
  /// \throws RuntimeError for what Model::loadRanks and Communicator::all
  /// refuse, 77 without NCCL.
  static Ranks load(const std::filesystem::path &folder, std::int64_t positions,
                    std::span<const int> devices, const Progress &progress);
};

/// As Rows::layers of all ranks: states and norms behind all layers, by rank.
/// \param ends the rows that go on behind the attention of the last layer.
/// \param attention gives of rank r and layer k and its rows of q, k and v the
/// means.
/// \param reduce makes of the sums of each rank those of all, in place.
template <typename Run, typename Attention, typename Reduce>
std::vector<std::pair<Shared<bf16>, Shared<bf16>>>
layersOf(const Ranks &ranks, std::span<Rows<Run> *const> rows,
         std::span<Rows<Run> *const> ends, std::vector<Shared<bf16>> first,
         Attention attention, Reduce reduce) {
  std::vector<std::pair<Shared<bf16>, Shared<bf16>>> all;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    Shared<bf16> norm =
        rows[r]->normed(first[r], ranks.models[r].layers.front().inputNorm);
    all.emplace_back(std::move(first[r]), std::move(norm));
  }
  // What a rank makes of its norm is added to its state.
  auto add = [&](std::span<Rows<Run> *const> of, auto part, auto gain) {
    std::vector<Tensor<float>> sums;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      sums.push_back(part(r, std::move(all[r].second)));
    }
    sums = reduce(std::move(sums));
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      all[r] = of[r]->added(std::move(sums[r]),
                            of[r]->endOf(std::move(all[r].first)),
                            gain(ranks.models[r]));
    }
  };
  std::size_t count = ranks.models.front().layers.size();
  for (std::size_t k = 0; k < count; ++k) {
    std::span<Rows<Run> *const> then = k + 1 < count ? rows : ends;
    add(
        then,
        [&](std::size_t r, Shared<bf16> norm) {
          const Layer &layer = ranks.models[r].layers[k];
          return then[r]->sums(
              attention(r, k,
                        rows[r]->product(std::move(norm), layer.qkv).share()),
              layer.out);
        },
        [&](const Model &model) { return model.layers[k].outputNorm; });
    add(
        then,
        [&](std::size_t r, Shared<bf16> norm) {
          const Layer &layer = ranks.models[r].layers[k];
          return then[r]->sums(then[r]->gated(std::move(norm), layer),
                               layer.down);
        },
        [&](const Model &model) {
          return k + 1 < count ? model.layers[k + 1].inputNorm : model.norm;
        });
  }
  return all;
}

/// Maxima and indices of stretches of all ranks, on each of them: [ranks, rows,
/// stretches].
/// \param run takes a collective and gives its tensors back.
template <typename Run>
std::pair<std::vector<Tensor<float>>, std::vector<Tensor<std::int32_t>>>
gathered(const Ranks &ranks, const Communicator &communicator,
         std::vector<Shared<float>> top, std::vector<Shared<std::int32_t>> at,
         Run run) {
  auto ofRank = top.front().extents();
  Extents extents = {static_cast<std::int64_t>(ranks.size())};
  extents.insert(extents.end(), ofRank.begin(), ofRank.end());
  std::vector<Tensor<float>> tops;
  std::vector<Tensor<std::int32_t>> ats;
  for (const Stream &stream : ranks.streams) {
    tops.push_back(Tensor<float>::empty(extents, stream));
    ats.push_back(Tensor<std::int32_t>::empty(extents, stream));
  }
  auto [t, allTops] =
      run(communicator.allGather(std::move(top), std::move(tops)));
  auto [i, allAts] = run(communicator.allGather(std::move(at), std::move(ats)));
  return {std::move(allTops), std::move(allAts)};
}

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_RANKS_RANKS_H
