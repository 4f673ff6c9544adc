// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Decoder.h"

#include <array>

namespace girih::qwen3 {

template <typename Place>
SingleDecoderOf<Place>::SingleDecoderOf(Place of)
    : place(std::move(of)), sequence(place.sequence()) {
  for (std::int64_t at = 0; at < place.model().positions; ++at) {
    if (!graphs.contains(place.splitsAt(at))) {
      stepsOf(at);
    }
  }
}

/// The graph for a token at a position, which has the sequence then.
template <typename Place>
auto SingleDecoderOf<Place>::stepsOf(std::int64_t at) -> Steps & {
  std::int64_t splits = place.splitsAt(at);
  std::unique_ptr<Steps> &steps = graphs[splits];
  if (steps && holder == steps.get()) {
    return *steps;
  }
  taken();
  Held given = *std::exchange(sequence, std::nullopt);
  if (steps) {
    steps->put(std::move(given));
  } else {
    steps = place.steps(splits, std::move(given));
  }
  holder = steps.get();
  return *steps;
}

template <typename Place> auto SingleDecoderOf<Place>::taken() -> Held & {
  if (holder) {
    sequence = std::exchange(holder, nullptr)->take();
  }
  return *sequence;
}

template <typename Place>
std::optional<std::int32_t>
SingleDecoderOf<Place>::fill(std::size_t, std::span<const std::int32_t> prompt,
                             std::size_t from, std::size_t count,
                             const Sampling &how) {
  ahead.reset();
  Held &held = taken();
  auto state = place.prefill(prompt.subspan(from, count), from, held);
  if (from + count < prompt.size()) {
    place.wait(); // whoever cancels it does not wait for all of it
    return std::nullopt;
  }
  place.begin(state, held);
  position = static_cast<std::int64_t>(prompt.size());
  isPlaced = false;
  sampling = how;
  draw();
  return place.tokenOf(held);
}

/// The next token in place of the most likely one, if that is asked for.
template <typename Place> void SingleDecoderOf<Place>::draw() {
  if (sampling.temperature > 0) {
    place.draw({sampling, static_cast<std::int32_t>(position)}, taken());
  }
}

/// Queues a step.
template <typename Place> auto SingleDecoderOf<Place>::launch() -> Steps & {
  if (!std::exchange(isPlaced, true)) {
    place.setPosition(position, taken());
  }
  Steps &steps = stepsOf(position);
  place.run(steps);
  ++position;
  return steps;
}

template <typename Place>
void SingleDecoderOf<Place>::step(std::span<Next> next) {
  if (sampling.temperature > 0) {
    launch();
    draw();
    next.front().token = place.tokenOf(*sequence);
    return;
  }
  typename Steps::Token token =
      ahead ? *std::exchange(ahead, std::nullopt) : launch().token();
  if (!next.front().isLast && position < place.model().positions) {
    ahead = launch().token();
  }
  next.front().token = token.get();
}

template <typename Place> void SingleDecoderOf<Place>::end(std::size_t) {
  ahead.reset();
}

template <typename Place>
std::vector<float>
SingleDecoderOf<Place>::logits(std::span<const std::int32_t> prompt,
                               bool bySteps) {
  std::span<const std::int32_t> first = bySteps ? prompt.first(1) : prompt;
  fill(0, first, 0, first.size(), Sampling());
  for (std::size_t k = 1; bySteps && k < prompt.size(); ++k) {
    place.setToken(prompt.subspan(k, 1), taken());
    std::array<Next, 1> next{{{0, 0, true}}};
    step(next);
  }
  return place.logitsOf(taken());
}

template class SingleDecoderOf<OnePlace>;
template class SingleDecoderOf<RankPlace>;

} // namespace girih::qwen3
