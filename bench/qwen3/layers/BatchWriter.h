// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The launches of a token of each of some sequences on one device, but those
/// of Rows: all of a model, or a rank's part of it.

#ifndef GIRIH_BENCH_QWEN3_LAYERS_BATCHWRITER_H
#define GIRIH_BENCH_QWEN3_LAYERS_BATCHWRITER_H

#include "bench/qwen3/Batch.h"

#include <algorithm>

namespace girih::qwen3 {

class BatchWriter {
public:
  /// What a graph gives: keys, values, tokens, logits, numbers of rows, tables.
  using Results =
      std::tuple<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Tensor<bf16>,
                 Tensor<std::int32_t>, Tensor<std::int32_t>>;
  /// Of argmax_blocks.
  struct Stretches {
    Tensor<bf16> logits;
    Tensor<float> top;
    Tensor<std::int32_t> at;
  };

  BatchWriter(const Model &model, const Kernels &kernels, std::int64_t count,
              Pages pages, std::int64_t tableLength, Recording &run,
              const Stream &stream)
      : model(model), c(model.config), kernels(kernels), count(count), run(run),
        stream(stream), rows(model, kernels, count, run, stream),
        splits(std::clamp<std::int64_t>(
            multiprocessors / 2 / (count * c.cacheHeads), 1, maxSplits)),
        keys(std::move(pages.keys).partition(ofLayer(pages))),
        values(std::move(pages.values).partition(ofLayer(pages))),
        numbers(Tensor<std::int32_t>::zeros({Numbers::kinds * count}, stream)
                    .partition({count})),
        told(Told{numbers[Numbers::Position], numbers[Numbers::Slot],
                  numbers[Numbers::Length],
                  Tensor<std::int32_t>::zeros({count, tableLength}, stream)}) {}

  Rows<Recording> &ofRows() { return rows; }

  /// Rows of the embedding.
  Shared<bf16> embedded() {
    auto [ids, of, first] = run(kernels["step_embedding"].launch(
        {}, numbers[Numbers::Token], model.embedding, rows.made(c.width)));
    auto dropped = std::move(ids);
    return std::move(first).share();
  }

  /// Attention of each row in layer k, with a line of its pages more.
  Shared<bf16> attended(std::size_t k, const Shared<bf16> &qkv) {
    const Layer &layer = model.layers[k];
    auto [ofQ, ofK, ofV] = rows.headsOf(qkv);
    auto [q, k1, v, at, slot, qg, kg, cos, sin, turned, ks, vs] =
        run(kernels["paged_heads"].launch(
            {{"eps", c.eps}}, ofQ, ofK, ofV, std::move(told->position),
            validated(std::move(told->slot)), layer.qNorm, layer.kNorm,
            model.cos, model.sin, rows.madeOfHeads(), keys[k], values[k]));
    told->position = std::move(at);
    told->slot = std::move(slot);
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto queries = std::move(turned).reshape({count, g, r, c.depth}).share();
    Tensor<bf16> mean =
        splits == 1 ? whole(std::move(queries), std::move(ks), std::move(vs))
                    : split(std::move(queries), std::move(ks), std::move(vs));
    return std::move(mean).reshape({count, c.heads * c.depth}).share();
  }

  /// Logits of the norm behind all layers, and the largest of each stretch.
  Stretches best(const Shared<bf16> &norm) {
    std::int64_t columns = model.headRows();
    Tensor<bf16> logits = rows.product(norm, model.head);
    Extents stretches = {count, stretchesOf(columns)};
    auto [l, top, at] = run(kernels["argmax_blocks"].launch(
        {}, std::move(logits), Tensor<float>::empty(stretches, stream),
        Tensor<std::int32_t>::empty(stretches, stream)));
    return {std::move(l), std::move(top), std::move(at)};
  }

  Results results(Tensor<bf16> logits, Tensor<std::int32_t> tokens) {
    Tensor<std::int32_t> table = std::move(told->table);
    told.reset(); // its pieces are back
    return {run.join(std::move(keys)),
            run.join(std::move(values)),
            std::move(tokens),
            std::move(logits),
            run.join(std::move(numbers)),
            std::move(table)};
  }

private:
  /// Of the attention of a sequence. Half of all multiprocessors were enough
  /// for 8 sequences: more splits take a launch that merges them.
  static constexpr std::int64_t maxSplits = 32;

  /// Numbers that the host has said, in pieces.
  struct Told {
    Piece<std::int32_t> position, slot, length;
    Tensor<std::int32_t> table;
  };

  /// A block for each head of the caches of a sequence.
  Tensor<bf16> whole(Shared<bf16> queries, Piece<bf16> keys,
                     Piece<bf16> values) {
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto [q, k, v, table, length, mean] =
        run(kernels["attention_decode_paged_whole"].launch(
            {{"scale", model.scale()}}, std::move(queries), std::move(keys),
            std::move(values), validated(std::move(told->table)),
            validated(std::move(told->length)),
            rows.madeOfHeads().reshape({count, g, r, c.depth})));
    told->table = std::move(table);
    told->length = std::move(length);
    return std::move(mean);
  }

  /// In splits, and merged.
  Tensor<bf16> split(Shared<bf16> queries, Piece<bf16> keys,
                     Piece<bf16> values) {
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto [q, k, v, table, length, partial, lse] =
        run(kernels["attention_decode_paged"].launch(
            {{"scale", model.scale()}}, std::move(queries), std::move(keys),
            std::move(values), validated(std::move(told->table)),
            validated(std::move(told->length)),
            Tensor<float>::empty({count, splits, g, r, c.depth}, stream),
            Tensor<float>::empty({count, splits, g, r}, stream)));
    told->table = std::move(table);
    told->length = std::move(length);
    auto [p, l, mean] = run(kernels["attention_merge"].launch(
        {},
        std::move(partial).reshape({count, splits, c.heads, c.depth}).share(),
        std::move(lse).reshape({count, splits, c.heads}).share(),
        rows.madeOfHeads()));
    return std::move(mean);
  }

  Extents ofLayer(const Pages &pages) const {
    return {pages.values.extents()[0] / c.layers, pageLength, c.cacheHeads,
            c.depth};
  }

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  std::int64_t count;
  Recording &run;
  const Stream &stream;
  Rows<Recording> rows;
  std::int64_t splits;
  Pieces<bf16> keys, values;
  Pieces<std::int32_t> numbers;
  std::optional<Told> told;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_LAYERS_BATCHWRITER_H
