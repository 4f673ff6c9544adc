// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Batch.h"

#include "bench/qwen3/Rows.h"

namespace girih::qwen3 {
namespace {

/// What the host says of rows, each a number of all rows.
enum Number : std::size_t { Token, Position, Slot, Length };
constexpr std::int64_t numberCount = 4;

/// Blocks of attention that keep an H200 busy, and the most splits of a
/// sequence.
constexpr std::int64_t busyBlocks = 264, maxSplits = 32;

/// The line of a position of a sequence, counted over all pages.
std::int32_t slotOf(std::span<const std::int32_t> pages,
                    std::int64_t position) {
  std::int32_t page = pages[static_cast<std::size_t>(position / pageLength)];
  return static_cast<std::int32_t>(page * pageLength + position % pageLength);
}

/// Numbers that the host has said, in pieces.
struct Told {
  Piece<std::int32_t> position, slot, length;
  Tensor<std::int32_t> table;
};

/// Records attention of a token of each row, with caches in pages.
class PagedAttention {
public:
  PagedAttention(const Model &model, const Kernels &kernels,
                 std::int64_t rowCount, Recording &run, Rows<Recording> &rows,
                 const Stream &stream)
      : model(model), c(model.config), kernels(kernels), rowCount(rowCount),
        run(run), rows(rows), stream(stream),
        splits(std::clamp<std::int64_t>(busyBlocks / (rowCount * c.cacheHeads),
                                        1, maxSplits)) {}

  Shared<bf16> operator()(const Layer &layer, const Shared<bf16> &qkv,
                          Told &told, Piece<bf16> keys, Piece<bf16> values) {
    auto [ofQ, ofK, ofV] = rows.headsOf(qkv);
    auto [q, k, v, at, slot, qg, kg, cos, sin, turned, ks, vs] =
        run(kernels["paged_heads"].launch(
            {{"eps", c.eps}}, ofQ, ofK, ofV, std::move(told.position),
            validated(std::move(told.slot)), layer.qNorm, layer.kNorm,
            model.cos, model.sin, rows.madeOfHeads(), std::move(keys),
            std::move(values)));
    told.position = std::move(at);
    told.slot = std::move(slot);
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto queries = std::move(turned).reshape({rowCount, g, r, c.depth}).share();
    Tensor<bf16> mean =
        splits == 1
            ? whole(std::move(queries), std::move(ks), std::move(vs), told)
            : split(std::move(queries), std::move(ks), std::move(vs), told);
    return std::move(mean).reshape({rowCount, c.heads * c.depth}).share();
  }

private:
  /// A block for each head of the caches of a sequence.
  Tensor<bf16> whole(Shared<bf16> queries, Piece<bf16> keys, Piece<bf16> values,
                     Told &told) {
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto [q, k, v, table, length, mean] =
        run(kernels["attention_decode_paged_whole"].launch(
            {{"scale", model.scale()}}, std::move(queries), std::move(keys),
            std::move(values), validated(std::move(told.table)),
            validated(std::move(told.length)),
            rows.madeOfHeads().reshape({rowCount, g, r, c.depth})));
    told.table = std::move(table);
    told.length = std::move(length);
    return std::move(mean);
  }

  /// In splits, and merged.
  Tensor<bf16> split(Shared<bf16> queries, Piece<bf16> keys, Piece<bf16> values,
                     Told &told) {
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    auto [q, k, v, table, length, partial, lse] =
        run(kernels["attention_decode_paged"].launch(
            {{"scale", model.scale()}}, std::move(queries), std::move(keys),
            std::move(values), validated(std::move(told.table)),
            validated(std::move(told.length)),
            Tensor<float>::empty({rowCount, splits, g, r, c.depth}, stream),
            Tensor<float>::empty({rowCount, splits, g, r}, stream)));
    told.table = std::move(table);
    told.length = std::move(length);
    auto [p, l, mean] = run(kernels["attention_merge"].launch(
        {},
        std::move(partial)
            .reshape({rowCount, splits, c.heads, c.depth})
            .share(),
        std::move(lse).reshape({rowCount, splits, c.heads}).share(),
        rows.madeOfHeads()));
    return std::move(mean);
  }

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  std::int64_t rowCount;
  Recording &run;
  Rows<Recording> &rows;
  const Stream &stream;
  std::int64_t splits;
};

using Results =
    std::tuple<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Tensor<bf16>,
               Tensor<std::int32_t>, Tensor<std::int32_t>>;

/// One token of each row.
Results recorded(const Model &model, const Kernels &kernels, Recording &run,
                 std::int64_t count, Pages pages, std::int64_t tableLength,
                 const Stream &stream) {
  const Config &c = model.config;
  Extents ofLayer = {pages.keys.extents()[0] / c.layers, pageLength,
                     c.cacheHeads, c.depth};
  auto keys = std::move(pages.keys).partition(ofLayer);
  auto values = std::move(pages.values).partition(ofLayer);
  auto numbers = Tensor<std::int32_t>::zeros({numberCount * count}, stream)
                     .partition({count});
  std::optional<Told> told(
      Told{numbers[Position], numbers[Slot], numbers[Length],
           Tensor<std::int32_t>::zeros({count, tableLength}, stream)});
  Rows rows(model, kernels, count, run, stream);
  PagedAttention attention(model, kernels, count, run, rows, stream);
  auto [ids, of, first] = run(kernels["step_embedding"].launch(
      {}, numbers[Token], model.embedding, rows.made(c.width)));
  {
    auto dropped = std::move(ids);
  }
  auto [x, norm] = rows.layers(
      std::move(first).share(), [&](std::size_t k, const Shared<bf16> &qkv) {
        return attention(model.layers[k], qkv, *told, keys[k], values[k]);
      });
  Tensor<bf16> logits = rows.product(norm, model.head);
  Extents stretches = {count, stretchesOf(c.vocabulary)};
  auto [l, top, at] = run(kernels["argmax_blocks"].launch(
      {}, std::move(logits), Tensor<float>::empty(stretches, stream),
      Tensor<std::int32_t>::empty(stretches, stream)));
  auto [t, i, tokens] = run(kernels["step_tokens"].launch(
      {}, std::move(top), std::move(at),
      Tensor<std::int32_t>::empty({count}, stream)));
  Tensor<std::int32_t> table = std::move(told->table);
  told.reset(); // its pieces are back
  return {run.join(std::move(keys)),
          run.join(std::move(values)),
          std::move(tokens),
          std::move(l),
          run.join(std::move(numbers)),
          std::move(table)};
}

} // namespace

Pages Pages::of(const Model &model, std::int64_t count, const Stream &stream) {
  Extents extents = {model.config.layers * count, pageLength,
                     model.config.cacheHeads, model.config.depth};
  return {Tensor<bf16>::empty(extents, stream),
          Tensor<bf16>::empty(extents, stream)};
}

Batch::Batch(const Model &model, const Kernels &kernels, std::int64_t rows,
             Pages pages, const Stream &stream)
    : kernels(kernels), count(rows), tableLength(pagesOf(model.positions)),
      graph(girih::record([&](Recording &run) {
        return recorded(model, kernels, run, rows, std::move(pages),
                        tableLength, stream);
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
    number(Token) = row.token;
    number(Position) = row.position;
    number(Slot) = slotOf(row.pages, row.position);
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
    sampler.emplace(kernels, std::move(logits), std::move(tokens), stream);
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
    slots.push_back(slotOf(pages, k));
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
