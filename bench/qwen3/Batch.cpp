// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Batch.h"

namespace girih::qwen3 {
namespace {

/// What the host says of rows, each a number of all rows.
enum Number : std::size_t { Token, Position, Slot, Length };
constexpr std::int64_t numberCount = 4;

/// Blocks of attention that keep an H200 busy, and the most splits of a
/// sequence.
constexpr std::int64_t busyBlocks = 264, maxSplits = 32;

/// Records the launches of one token of each row.
class Writer {
public:
  Writer(const Model &model, const Kernels &kernels, std::int64_t rows,
         Recording &run)
      : model(model), c(model.config), kernels(kernels), rows(rows), run(run),
        splits(std::clamp<std::int64_t>(busyBlocks / (rows * c.cacheHeads), 1,
                                        maxSplits)) {}

  using Results =
      std::tuple<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Tensor<bf16>,
                 Tensor<std::int32_t>, Tensor<std::int32_t>>;

  Results record(Pages pages, std::int64_t tableLength) {
    std::int64_t count = pages.keys.extents()[0] / c.layers;
    Extents ofLayer = {count, pageLength, c.cacheHeads, c.depth};
    auto keys = std::move(pages.keys).partition(ofLayer);
    auto values = std::move(pages.values).partition(ofLayer);
    auto numbers =
        Tensor<std::int32_t>::zeros({numberCount * rows}).partition({rows});
    Told told{numbers[Position], numbers[Slot], numbers[Length],
              Tensor<std::int32_t>::zeros({rows, tableLength})};
    Shared<bf16> x = embedding(numbers[Token]);
    Shared<bf16> norm = normed(x, model.layers.front().inputNorm);
    for (std::size_t k = 0; k < model.layers.size(); ++k) {
      const Layer &layer = model.layers[k];
      Shared<bf16> mean =
          attention(layer, product(norm, layer.qkv), told, keys[k], values[k]);
      std::tie(x, norm) = added(product(mean, layer.out), x, layer.outputNorm);
      Shared<bf16> inner = activated(product(norm, layer.gateUp));
      const Shared<bf16> &next = k + 1 < model.layers.size()
                                     ? model.layers[k + 1].inputNorm
                                     : model.norm;
      std::tie(x, norm) = added(product(inner, layer.down), x, next);
    }
    auto [a, b, logits] =
        run(kernels["linear"].launch({}, norm, model.head, made(c.vocabulary)));
    Extents stretches = {rows, stretchesOf(c.vocabulary)};
    auto [l, top, at] = run(kernels["argmax_blocks"].launch(
        {}, std::move(logits), Tensor<float>::empty(stretches),
        Tensor<std::int32_t>::empty(stretches)));
    auto [t, i, tokens] = run(
        kernels["argmax_reduce"].launch({}, std::move(top), std::move(at),
                                        Tensor<std::int32_t>::empty({rows})));
    drop(std::move(told.position), std::move(told.slot),
         std::move(told.length));
    return {run.join(std::move(keys)),
            run.join(std::move(values)),
            std::move(tokens),
            std::move(l),
            run.join(std::move(numbers)),
            std::move(told.table)};
  }

private:
  /// Numbers that the host has said, in pieces.
  struct Told {
    Piece<std::int32_t> position, slot, length;
    Tensor<std::int32_t> table;
  };

  template <typename... Pieces> static void drop(Pieces...) {}

  Tensor<bf16> made(std::int64_t columns) const {
    return Tensor<bf16>::empty({rows, columns});
  }

  Shared<bf16> embedding(Piece<std::int32_t> tokens) {
    auto [ids, table, x] = run(kernels["step_embedding"].launch(
        {}, std::move(tokens), model.embedding, made(c.width)));
    return std::move(x).share();
  }

  Shared<bf16> normed(const Shared<bf16> &x, const Shared<bf16> &gain) {
    auto [a, g, y] = run(
        kernels["rms_norm"].launch({{"eps", c.eps}}, x, gain, made(c.width)));
    return std::move(y).share();
  }

  std::pair<Shared<bf16>, Shared<bf16>> added(const Shared<bf16> &of,
                                              const Shared<bf16> &x,
                                              const Shared<bf16> &gain) {
    auto [a, b, g, sum, y] = run(kernels["add_rms_norm"].launch(
        {{"eps", c.eps}}, of, x, gain, made(c.width), made(c.width)));
    return {std::move(sum).share(), std::move(y).share()};
  }

  Shared<bf16> product(const Shared<bf16> &x, const Shared<bf16> &w) {
    auto [a, b, y] =
        run(kernels["linear"].launch({}, x, w, made(w.extents()[0])));
    return std::move(y).share();
  }

  Shared<bf16> activated(const Shared<bf16> &gateUp) {
    auto [a, y] = run(kernels["silu_mul"].launch({}, gateUp, made(c.inner)));
    return std::move(y).share();
  }

  Shared<bf16> attention(const Layer &layer, const Shared<bf16> &qkv,
                         Told &told, Piece<bf16> keys, Piece<bf16> values) {
    Shared<bf16> heads =
        qkv.reshape({rows, c.heads + 2 * c.cacheHeads, c.depth});
    std::int64_t behind = c.heads + c.cacheHeads;
    auto [q, k, v, at, slot, qg, kg, cos, sin, turned, ks, vs] =
        run(kernels["paged_heads"].launch(
            {{"eps", c.eps}}, heads.slice(1, 0, c.heads),
            heads.slice(1, c.heads, behind),
            heads.slice(1, behind, behind + c.cacheHeads),
            std::move(told.position), validated(std::move(told.slot)),
            layer.qNorm, layer.kNorm, model.cos, model.sin,
            Tensor<bf16>::empty({rows, c.heads, c.depth}), std::move(keys),
            std::move(values)));
    told.position = std::move(at);
    told.slot = std::move(slot);
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto [q2, k2, v2, table, length, partial, lse] =
        run(kernels["attention_decode_paged"].launch(
            {{"scale", model.scale()}},
            std::move(turned).reshape({rows, g, r, c.depth}).share(),
            std::move(ks), std::move(vs), validated(std::move(told.table)),
            validated(std::move(told.length)),
            Tensor<float>::empty({rows, splits, g, r, c.depth}),
            Tensor<float>::empty({rows, splits, g, r})));
    told.table = std::move(table);
    told.length = std::move(length);
    auto [p, l, mean] = run(kernels["attention_merge"].launch(
        {},
        std::move(partial).reshape({rows, splits, c.heads, c.depth}).share(),
        std::move(lse).reshape({rows, splits, c.heads}).share(),
        Tensor<bf16>::empty({rows, c.heads, c.depth})));
    return std::move(mean).reshape({rows, c.heads * c.depth}).share();
  }

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  std::int64_t rows;
  Recording &run;
  std::int64_t splits;
};

} // namespace

Pages Pages::of(const Model &model, std::int64_t count, const Stream &stream) {
  Extents extents = {model.config.layers * count, pageLength,
                     model.config.cacheHeads, model.config.depth};
  return {Tensor<bf16>::empty(extents, stream),
          Tensor<bf16>::empty(extents, stream)};
}

Batch::Batch(const Model &model, const Kernels &kernels, std::int64_t rows,
             Pages pages)
    : kernels(kernels), count(rows), tableLength(pagesOf(model.positions)),
      graph(girih::record([&](Recording &run) {
        return Writer(model, kernels, rows, run)
            .record(std::move(pages), tableLength);
      })) {}

std::vector<std::int32_t> Batch::run(std::span<const Row> rows,
                                     const Stream &stream) {
  auto rowCount = static_cast<std::size_t>(count);
  std::vector<std::int32_t> told(std::size_t(numberCount * count)),
      table(std::size_t(count * tableLength));
  for (std::size_t k = 0; k < rowCount; ++k) {
    auto number = [&](Number which) -> std::int32_t & {
      return told[which * rowCount + k];
    };
    if (k >= rows.size()) {
      number(Slot) = static_cast<std::int32_t>(k); // of page 0
      continue;
    }
    const Row &row = rows[k];
    auto page = static_cast<std::size_t>(row.position / pageLength);
    number(Token) = row.token;
    number(Position) = row.position;
    number(Slot) = static_cast<std::int32_t>(row.pages[page] * pageLength +
                                             row.position % pageLength);
    number(Length) = row.position + 1;
    std::ranges::copy(row.pages,
                      table.begin() +
                          std::ptrdiff_t(k * std::size_t(tableLength)));
  }
  auto bring = [&](auto given, std::vector<std::int32_t> &known,
                   std::vector<std::int32_t> &now) {
    given.assign(now);
    known = std::move(now);
    return given;
  };
  if (told != numbers) {
    graph.put<4>(bring(graph.take<4>(), numbers, told));
  }
  if (table != tables) {
    graph.put<5>(bring(graph.take<5>(), tables, table));
  }
  graph.launch(stream);
  if (std::ranges::any_of(rows, [](const Row &row) {
        return row.draw.sampling.temperature > 0;
      })) {
    draw(rows, stream);
  }
  std::vector<std::int32_t> tokens = graph.get<2>().toHost();
  tokens.resize(rows.size());
  return tokens;
}

/// Tokens in place of the most likely ones, of all rows.
void Batch::draw(std::span<const Row> rows, const Stream &stream) {
  std::vector<Draw> draws;
  for (const Row &row : rows) {
    draws.push_back(row.draw);
  }
  Tensor<std::int32_t> tokens = graph.take<2>();
  Tensor<bf16> logits = graph.take<3>();
  if (!sampler) {
    sampler.emplace(kernels, std::move(logits), std::move(tokens));
    std::tie(logits, tokens) = sampler->take();
  }
  sampler->run(logits, tokens, draws, stream);
  graph.put<2>(std::move(tokens));
  graph.put<3>(std::move(logits));
}

Pages Batch::take() { return {graph.take<0>(), graph.take<1>()}; }

void Batch::put(Pages pages) {
  graph.put<0>(std::move(pages.keys));
  graph.put<1>(std::move(pages.values));
}

void copyToPages(const Model &model, const Kernels &kernels, Caches &from,
                 std::span<const std::int32_t> pages, std::int64_t positions,
                 Pages &to, const Stream &stream) {
  const Config &c = model.config;
  std::vector<std::int32_t> slots;
  for (std::int64_t k = 0; k < positions; ++k) {
    slots.push_back(static_cast<std::int32_t>(
        pages[std::size_t(k / pageLength)] * pageLength + k % pageLength));
  }
  auto onDevice =
      Tensor<std::int32_t>::copyFrom(slots, {positions}, stream).share();
  Extents ofCache = {c.cacheHeads, model.positions, c.depth},
          ofPages = {to.keys.extents()[0] / c.layers, pageLength, c.cacheHeads,
                     c.depth};
  auto keys = std::move(from.keys).partition(ofCache),
       values = std::move(from.values).partition(ofCache),
       pagedKeys = std::move(to.keys).partition(ofPages),
       pagedValues = std::move(to.values).partition(ofPages);
  for (std::size_t k = 0; k < model.layers.size(); ++k) {
    auto [s, a, b, ks, vs] =
        kernels["paged_copy"]
            .launch({}, withContents(onDevice, slots), keys[k], values[k],
                    pagedKeys[k], pagedValues[k])
            .queue(stream);
  }
  from.keys = std::move(keys).join();
  from.values = std::move(values).join();
  to.keys = std::move(pagedKeys).join();
  to.values = std::move(pagedValues).join();
}

} // namespace girih::qwen3
