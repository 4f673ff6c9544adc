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

PagedDecoder::PagedDecoder(const Model &model, const Kernels &kernels,
                           const Stream &stream, std::int64_t sequences,
                           bool isInvariant)
    : model(model), kernels(kernels), stream(stream),
      prefill(model, kernels, stream), isInvariant(isInvariant),
      staging(Caches::of(model, stream)), lines(std::size_t(sequences)) {
  std::int64_t count = sequences * pagesOf(model.positions);
  pages = Pages::of(model, count + 1, stream);
  for (std::int64_t page = count; page >= 1; --page) {
    freePages.push_back(static_cast<std::int32_t>(page));
  }
  for (std::size_t rows = 1; rows < 2 * lines.size(); rows *= 2) {
    graphFor(std::min(rows, lines.size()));
  }
}

/// Gives a sequence pages for so many positions.
void PagedDecoder::reserve(Line &line, std::int64_t positions) {
  while (std::int64_t(line.pages.size()) < pagesOf(positions)) {
    // There are as many as all sequences have at most.
    line.pages.push_back(freePages.back());
    freePages.pop_back();
  }
}

/// The graph of at least so many rows, the next power of two, which has the
/// pages then.
Batch &PagedDecoder::graphFor(std::size_t count) {
  std::size_t most = std::bit_ceil(std::max(lines.size(), fewestRows));
  std::size_t rows =
      isInvariant ? most
                  : std::min(std::max(std::bit_ceil(count), usualRows), most);
  auto found = batches.find(rows);
  if (found != batches.end() && holder == &found->second) {
    return found->second;
  }
  taken();
  Pages given = *std::exchange(pages, std::nullopt);
  if (found != batches.end()) {
    found->second.put(std::move(given));
  } else {
    found =
        batches
            .try_emplace(rows, model, kernels, static_cast<std::int64_t>(rows),
                         std::move(given), stream)
            .first;
  }
  holder = &found->second;
  return *holder;
}

Pages &PagedDecoder::taken() {
  if (holder) {
    pages = std::exchange(holder, nullptr)->take();
  }
  return *pages;
}

std::optional<std::int32_t>
PagedDecoder::fill(std::size_t slot, std::span<const std::int32_t> prompt,
                   std::size_t from, std::size_t count,
                   const Sampling &sampling) {
  Shared<bf16> state = prefill(prompt.subspan(from, count), from, *staging);
  if (from + count < prompt.size()) {
    return std::nullopt;
  }
  Line &line = lines[slot];
  line.length = static_cast<std::int64_t>(prompt.size());
  line.sampling = sampling;
  reserve(line, line.length);
  copyToPages(model, kernels, *staging, line.pages, line.length, taken(),
              stream);
  auto [logits, token] =
      bestTokens(kernels, logitsOf(model, kernels, state, stream), stream);
  if (sampling.temperature == 0) {
    return token.toHost().front();
  }
  if (!sampler) {
    sampler.emplace(kernels,
                    Tensor<bf16>::empty({1, model.config.vocabulary}, stream),
                    Tensor<std::int32_t>::empty({1}, stream), stream);
    kept = sampler->take();
  }
  std::array draws{Draw{sampling, static_cast<std::int32_t>(line.length)}};
  auto &[ofSampler, drawn] = *kept;
  auto [old, to] = copy(std::move(logits), std::move(ofSampler)).queue(stream);
  ofSampler = std::move(to);
  sampler->run(ofSampler, drawn, draws, stream);
  return drawn.toHost().front();
}

void PagedDecoder::step(std::span<Next> next) {
  std::vector<Row> rows;
  for (const Next &each : next) {
    Line &line = lines[each.slot];
    reserve(line, line.length + 1);
    auto at = static_cast<std::int32_t>(line.length);
    rows.push_back({each.token, at, line.pages, {line.sampling, at + 1}});
    ++line.length;
  }
  std::vector<std::int32_t> tokens = graphFor(rows.size()).run(rows, stream);
  for (std::size_t k = 0; k < next.size(); ++k) {
    next[k].token = tokens[k];
  }
}

void PagedDecoder::end(std::size_t slot) {
  Line &line = lines[slot];
  freePages.insert(freePages.end(), line.pages.begin(), line.pages.end());
  line = {};
}

std::vector<float> PagedDecoder::logits(std::span<const std::int32_t> prompt,
                                        bool bySteps) {
  if (!bySteps || prompt.size() == 1) {
    auto state = prefill(prompt, 0, *staging);
    return toFloats(logitsOf(model, kernels, state, stream).toHost());
  }
  fill(0, prompt.first(1), 0, 1, Sampling());
  for (std::int32_t token : prompt.subspan(1)) {
    std::array<Next, 1> next{{{0, token, true}}};
    step(next);
  }
  end(0);
  std::vector<bf16> rows = graphFor(1).logits();
  rows.resize(static_cast<std::size_t>(model.config.vocabulary));
  return toFloats(rows);
}

} // namespace girih::qwen3
