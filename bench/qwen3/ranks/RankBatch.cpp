// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/ranks/RankBatch.h"

#include "bench/qwen3/layers/BatchWriter.h"

namespace girih::qwen3 {

static std::vector<BatchWriter::Results>
recorded(const Ranks &ranks, const Kernels &kernels, RankRecordings &run,
         std::int64_t count, RankPages pages, std::int64_t tableLength) {
  std::vector<BatchWriter> writers;
  std::vector<Shared<bf16>> first;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    writers.emplace_back(ranks.models[r], kernels, count, std::move(pages[r]),
                         tableLength, run[r], ranks.streams[r]);
    first.push_back(writers[r].embedded());
  }
  std::vector<Rows<Recording> *> rows;
  for (BatchWriter &writer : writers) {
    rows.push_back(&writer.ofRows());
  }
  auto all = layersOf<Recording>(
      ranks, rows, rows, std::move(first),
      [&](std::size_t r, std::size_t k, const Shared<bf16> &qkv) {
        return writers[r].attended(k, qkv);
      },
      [&](std::vector<Tensor<float>> sums) {
        return std::get<1>(run(ranks.ofGraphs.allReduce(std::move(sums))));
      });
  std::vector<Tensor<bf16>> logits;
  std::vector<Shared<float>> top;
  std::vector<Shared<std::int32_t>> at;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    auto [l, t, i] = writers[r].best(all[r].second);
    logits.push_back(std::move(l));
    top.push_back(std::move(t).share());
    at.push_back(std::move(i).share());
  }
  auto [tops, ats] =
      gathered(ranks, ranks.ofGraphs, std::move(top), std::move(at),
               [&](auto &&op) { return run(std::move(op)); });
  std::vector<BatchWriter::Results> out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    auto [t, i, tokens] = run[r](kernels["rank_tokens"].launch(
        {{"V", ranks.models[r].headRows()}}, std::move(tops[r]),
        std::move(ats[r]),
        Tensor<std::int32_t>::empty({count}, ranks.streams[r])));
    out.push_back(writers[r].results(std::move(logits[r]), std::move(tokens)));
  }
  return out;
}

RankBatch::RankBatch(const Ranks &ranks, const Kernels &kernels,
                     std::int64_t rows, RankPages pages)
    : ranks(ranks), kernels(kernels), count(rows),
      tableLength(pagesOf(ranks.models[0].positions)),
      graphs(recordRanks(ranks.ofGraphs, [&](RankRecordings &run) {
        return recorded(ranks, kernels, run, rows, std::move(pages),
                        tableLength);
      })) {}

std::vector<std::int32_t> RankBatch::run(std::span<const Row> rows) {
  Numbers now = Numbers::of(rows, count, tableLength);
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    auto &graph = graphs[r];
    if (now.ofRows != known.ofRows) {
      graph.assign<4>(now.ofRows);
    }
    if (now.tables != known.tables) {
      graph.assign<5>(now.tables);
    }
  }
  known = std::move(now);
  graphs.sync();
  if (Numbers::anyDrawn(rows)) {
    draw(rows);
  }
  std::vector<std::int32_t> tokens = graphs[0].get<2>().toHost();
  tokens.resize(rows.size());
  return tokens;
}

/// Tokens in place of the most likely ones, of all rows.
void RankBatch::draw(std::span<const Row> rows) {
  if (!sampler) {
    sampler.emplace(ranks, kernels, count);
  }
  std::vector<Draw> draws;
  for (const Row &row : rows) {
    draws.push_back(row.draw);
  }
  std::vector<Tensor<std::int32_t>> tokens;
  std::vector<Tensor<bf16>> logits;
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    tokens.push_back(graphs[r].take<2>());
    logits.push_back(graphs[r].take<3>());
  }
  sampler->run(logits, tokens, draws);
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    graphs[r].put<2>(std::move(tokens[r]));
    graphs[r].put<3>(std::move(logits[r]));
  }
}

std::vector<float> RankBatch::logits() const {
  std::vector<float> out;
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    std::vector<bf16> rows = graphs[r].get<3>().toHost();
    rows.resize(rows.size() / static_cast<std::size_t>(count));
    std::vector<float> part = toFloats(rows);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

RankPages RankBatch::take() {
  RankPages out;
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    out.push_back({graphs[r].take<0>(), graphs[r].take<1>()});
  }
  return out;
}

void RankBatch::put(RankPages pages) {
  for (std::size_t r = 0; r < graphs.size(); ++r) {
    graphs[r].put<0>(std::move(pages[r].keys));
    graphs[r].put<1>(std::move(pages[r].values));
  }
}

} // namespace girih::qwen3
