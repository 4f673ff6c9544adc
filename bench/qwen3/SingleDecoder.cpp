// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Decoder.h"

#include <array>

namespace girih::qwen3 {

SingleDecoder::SingleDecoder(const Model &model, const Kernels &kernels,
                             const Stream &stream)
    : model(model), kernels(kernels), stream(stream),
      prefill(model, kernels, stream), sequence(Sequence::of(model, stream)) {
  graphOf(0);
  if (model.positions > longSequence) {
    graphOf(longSequence);
  }
}

/// The graph for a token at a position, which has the sequence then.
Step &SingleDecoder::graphOf(std::int64_t at) {
  auto attention = at < longSequence ? Attention::Whole : Attention::Split;
  std::unique_ptr<Step> &step = attention == Attention::Whole ? whole : split;
  if (step && holder == step.get()) {
    return *step;
  }
  taken();
  if (step) {
    step->put(*std::exchange(sequence, std::nullopt));
  } else {
    step =
        std::make_unique<Step>(model, kernels, attention,
                               *std::exchange(sequence, std::nullopt), stream);
  }
  holder = step.get();
  return *step;
}

Sequence &SingleDecoder::taken() {
  if (holder) {
    sequence = std::exchange(holder, nullptr)->take();
  }
  return *sequence;
}

std::optional<std::int32_t>
SingleDecoder::fill(std::size_t, std::span<const std::int32_t> prompt,
                    std::size_t from, std::size_t count, const Sampling &how) {
  ahead.reset();
  Sequence &s = taken();
  Shared<bf16> state = prefill(prompt.subspan(from, count), from, s.caches);
  if (from + count < prompt.size()) {
    stream.synchronize(); // whoever cancels it does not wait for all of it
    return std::nullopt;
  }
  auto [logits, token] =
      bestTokens(kernels, logitsOf(model, kernels, state, stream), stream);
  auto [old, kept] = copy(std::move(logits), std::move(s.logits)).queue(stream);
  s.logits = std::move(kept);
  position = static_cast<std::int64_t>(prompt.size());
  std::array next{static_cast<std::int32_t>(position)};
  s.position.assign(next);
  auto [first, same] = copy(std::move(token), std::move(s.token)).queue(stream);
  s.token = std::move(same);
  sampling = how;
  draw();
  return s.token.toHost().front();
}

/// The next token in place of the most likely one, if that is asked for.
void SingleDecoder::draw() {
  if (sampling.temperature == 0) {
    return;
  }
  Sequence &s = taken();
  if (!sampler) {
    sampler.emplace(kernels, std::move(s.logits), std::move(s.token), stream);
    std::tie(s.logits, s.token) = sampler->take();
  }
  std::array draws{Draw{sampling, static_cast<std::int32_t>(position)}};
  sampler->run(s.logits, s.token, draws, stream);
}

/// Queues a step.
Step &SingleDecoder::launch() {
  Step &graph = graphOf(position);
  graph.launch(stream);
  ++position;
  return graph;
}

void SingleDecoder::step(std::span<Next> next) {
  if (sampling.temperature != 0) {
    launch();
    draw();
    next.front().token = sequence->token.toHost().front();
    return;
  }
  Readback<std::int32_t> token =
      ahead ? *std::exchange(ahead, std::nullopt) : launch().token();
  if (!next.front().isLast && position < model.positions) {
    ahead = launch().token();
  }
  next.front().token = token.get().front();
}

void SingleDecoder::end(std::size_t) { ahead.reset(); }

std::vector<float> SingleDecoder::logits(std::span<const std::int32_t> prompt,
                                         bool bySteps) {
  std::span<const std::int32_t> first = bySteps ? prompt.first(1) : prompt;
  fill(0, first, 0, first.size(), Sampling());
  for (std::size_t k = 1; bySteps && k < prompt.size(); ++k) {
    Sequence &s = taken();
    s.token.assign(prompt.subspan(k, 1));
    std::array<Next, 1> next{{{0, 0, true}}};
    step(next);
  }
  return toFloats(taken().logits.toHost());
}

} // namespace girih::qwen3
