// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/layers/BatchWriter.h"

namespace girih::qwen3 {
namespace {

/// The line of a position of a sequence, counted over all pages.
std::int32_t slotOf(std::span<const std::int32_t> pages,
                    std::int64_t position) {
  std::int32_t page = pages[static_cast<std::size_t>(position / pageLength)];
  return static_cast<std::int32_t>(page * pageLength + position % pageLength);
}

/// One token of each row.
BatchWriter::Results recorded(const Model &model, const Kernels &kernels,
                              Recording &run, std::int64_t count, Pages pages,
                              std::int64_t tableLength, const Stream &stream) {
  BatchWriter write(model, kernels, count, std::move(pages), tableLength, run,
                    stream);
  auto [x, norm] = write.ofRows().layers(
      write.embedded(), [&](std::size_t k, const Shared<bf16> &qkv) {
        return write.attended(k, qkv);
      });
  auto [logits, top, at] = write.best(norm);
  auto [t, i, tokens] = run(kernels["step_tokens"].launch(
      {}, std::move(top), std::move(at),
      Tensor<std::int32_t>::empty({count}, stream)));
  return write.results(std::move(logits), std::move(tokens));
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

Numbers Numbers::of(std::span<const Row> rows, std::int64_t count,
                    std::int64_t tableLength) {
  auto rowCount = static_cast<std::size_t>(count);
  Numbers out{std::vector<std::int32_t>(std::size_t(kinds * count)),
              std::vector<std::int32_t>(std::size_t(count * tableLength))};
  for (std::size_t k = 0; k < rowCount; ++k) {
    auto number = [&](Kind which) -> std::int32_t & {
      return out.ofRows[which * rowCount + k];
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
                      out.tables.begin() +
                          std::ptrdiff_t(k * std::size_t(tableLength)));
  }
  return out;
}

bool Numbers::anyDrawn(std::span<const Row> rows) {
  return std::ranges::any_of(
      rows, [](const Row &row) { return row.draw.sampling.temperature > 0; });
}

std::vector<std::int32_t> Batch::run(std::span<const Row> rows,
                                     const Stream &stream) {
  Numbers now = Numbers::of(rows, count, tableLength);
  if (now.ofRows != known.ofRows) {
    graph.assign<4>(now.ofRows);
  }
  if (now.tables != known.tables) {
    graph.assign<5>(now.tables);
  }
  known = std::move(now);
  graph.launch(stream);
  if (Numbers::anyDrawn(rows)) {
    draw(rows, stream);
  }
  std::vector<std::int32_t> tokens = graph.get<2>().toHost();
  tokens.resize(rows.size());
  return tokens;
}

std::vector<float> Batch::logits() const {
  std::vector<bf16> rows = graph.get<3>().toHost();
  rows.resize(rows.size() / static_cast<std::size_t>(count));
  return toFloats(rows);
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
  Extents ofCache = {c.cacheHeads, model.cacheRows(), c.depth},
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
