// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Decoder.h"

#include <array>
#include <bit>

namespace girih::qwen3 {

/// Rows of the smallest graph, unless an engine has fewer sequences: fewer take
/// as long, and answers are the same bits whether one of them runs or sixteen.
constexpr std::size_t usualRows = 16;
/// At least: numbers of rows stand behind each other, and kernels want each
/// kind to begin at a multiple of 16 bytes.
constexpr std::size_t fewestRows = 4;

template <typename Place>
PagedDecoderOf<Place>::PagedDecoderOf(Place of, std::int64_t sequences,
                                      bool isInvariant)
    : place(std::move(of)), isInvariant(isInvariant), staging(place.staging()),
      lines(std::size_t(sequences)) {
  std::int64_t count = sequences * pagesOf(place.model().positions);
  pages = place.pool(count + 1);
  for (std::int64_t page = count; page >= 1; --page) {
    freePages.push_back(static_cast<std::int32_t>(page));
  }
  for (std::size_t rows = 1; rows < 2 * lines.size(); rows *= 2) {
    graphFor(std::min(rows, lines.size()));
  }
}

/// Gives a sequence pages for so many positions.
template <typename Place>
void PagedDecoderOf<Place>::reserve(Line &line, std::int64_t positions) {
  while (std::int64_t(line.pages.size()) < pagesOf(positions)) {
    // There are as many as all sequences have at most.
    line.pages.push_back(freePages.back());
    freePages.pop_back();
  }
}

/// The graph of at least so many rows, the next power of two, which has the
/// pages then.
template <typename Place>
auto PagedDecoderOf<Place>::graphFor(std::size_t count) -> Graph & {
  std::size_t most = std::bit_ceil(std::max(lines.size(), fewestRows));
  std::size_t rows =
      isInvariant ? most
                  : std::min(std::max(std::bit_ceil(count), usualRows), most);
  std::unique_ptr<Graph> &graph = batches[rows];
  if (graph && holder == graph.get()) {
    return *graph;
  }
  taken();
  auto given = *std::exchange(pages, std::nullopt);
  if (graph) {
    graph->put(std::move(given));
  } else {
    graph = place.graph(static_cast<std::int64_t>(rows), std::move(given));
  }
  holder = graph.get();
  return *graph;
}

template <typename Place>
auto PagedDecoderOf<Place>::taken() -> typename Place::Pool & {
  if (holder) {
    pages = std::exchange(holder, nullptr)->take();
  }
  return *pages;
}

template <typename Place>
std::optional<std::int32_t> PagedDecoderOf<Place>::fill(
    std::size_t slot, std::span<const std::int32_t> prompt, std::size_t from,
    std::size_t count, const Sampling &sampling) {
  auto state = place.prefill(prompt.subspan(from, count), from, staging);
  if (from + count < prompt.size()) {
    return std::nullopt;
  }
  Line &line = lines[slot];
  line.length = static_cast<std::int64_t>(prompt.size());
  line.sampling = sampling;
  reserve(line, line.length);
  place.copyToPages(staging, line.pages, line.length, taken());
  return place.token(state, {sampling, static_cast<std::int32_t>(line.length)});
}

template <typename Place>
void PagedDecoderOf<Place>::step(std::span<Next> next) {
  std::vector<Row> rows;
  for (const Next &each : next) {
    Line &line = lines[each.slot];
    reserve(line, line.length + 1);
    auto at = static_cast<std::int32_t>(line.length);
    rows.push_back({each.token, at, line.pages, {line.sampling, at + 1}});
    ++line.length;
  }
  std::vector<std::int32_t> tokens = place.run(graphFor(rows.size()), rows);
  for (std::size_t k = 0; k < next.size(); ++k) {
    next[k].token = tokens[k];
  }
}

template <typename Place> void PagedDecoderOf<Place>::end(std::size_t slot) {
  Line &line = lines[slot];
  freePages.insert(freePages.end(), line.pages.begin(), line.pages.end());
  line = {};
}

template <typename Place>
std::vector<float>
PagedDecoderOf<Place>::logits(std::span<const std::int32_t> prompt,
                              bool bySteps) {
  if (!bySteps || prompt.size() == 1) {
    return place.logits(place.prefill(prompt, 0, staging));
  }
  fill(0, prompt.first(1), 0, 1, Sampling());
  for (std::int32_t token : prompt.subspan(1)) {
    std::array<Next, 1> next{{{0, token, true}}};
    step(next);
  }
  end(0);
  return graphFor(1).logits();
}

template class PagedDecoderOf<OnePlace>;
template class PagedDecoderOf<RankPlace>;

} // namespace girih::qwen3
