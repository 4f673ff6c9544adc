// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/layers/StepWriter.h"

#include <chrono>
#include <thread>

namespace girih::qwen3 {
namespace {

/// Records the launches of one token.
std::tuple<Tensor<std::int32_t>, Tensor<std::int32_t>, Tensor<bf16>,
           Tensor<bf16>, Tensor<bf16>>
recorded(const Model &model, const Kernels &kernels, std::int64_t splits,
         const StepTokens &tokens, Recording &run, Sequence sequence,
         const Stream &stream) {
  StepWriter write(model, kernels, splits, run, stream);
  CachePieces caches(model, std::move(sequence.caches));
  auto [token, x] = write.embedded(std::move(sequence.token));
  Tensor<std::int32_t> position = std::move(sequence.position);
  for (std::size_t k = 0; k < model.layers.size(); ++k) {
    const Layer &layer = model.layers[k];
    Shared<bf16> mean =
        write.attended(layer, x, position, caches.keys[k], caches.values[k]);
    x = write.added(layer.out, mean, x);
    Shared<bf16> inner = write.inner(layer, x);
    x = write.added(layer.down, inner, x);
  }
  auto [logits, top, at] = write.best(x, std::move(sequence.logits));
  auto [t, i, next, best, number, told] = run(kernels["step_argmax"].launch(
      {}, std::move(top), std::move(at), std::move(position), std::move(token),
      Tensor<std::int32_t>::zeros({1}, stream), tokens.tensor(stream)));
  return {std::move(best), std::move(next), run.join(std::move(caches.keys)),
          run.join(std::move(caches.values)), std::move(logits)};
}

} // namespace

Sequence Sequence::of(const Model &model, const Stream &stream) {
  return {Tensor<std::int32_t>::zeros({1}, stream),
          Tensor<std::int32_t>::zeros({1}, stream), Caches::of(model, stream),
          Tensor<bf16>::zeros({1, model.headRows()}, stream)};
}

Step::Step(const Model &model, const Kernels &kernels, std::int64_t splits,
           Sequence sequence, const Stream &stream)
    : stream(stream), tokens(stream.device()),
      graph(girih::record([&](Recording &run) {
        return recorded(model, kernels, splits, tokens, run,
                        std::move(sequence), stream);
      })) {}

std::optional<std::int32_t> StepTokens::find(std::int32_t number) const {
  for (std::size_t k : {0, 1}) {
    std::int64_t entry = told.peek(k);
    if (static_cast<std::int32_t>(entry >> 32) == number) {
      return static_cast<std::int32_t>(entry & 0xffffffff);
    }
  }
  return std::nullopt;
}

std::int32_t StepTokens::waitFor(std::int32_t number,
                                 const std::function<bool()> &hasRun) const {
  // A step of a large model is many looks; where it is many more, the thread
  // leaves its core to others.
  constexpr unsigned looksOfDevice = 1000, looksAwake = 50'000;
  for (unsigned looks = 1;; ++looks) {
    // What has run has told it: this comes first.
    bool isDone = looks % looksOfDevice == 0 && hasRun();
    if (auto token = find(number)) {
      return *token;
    }
    if (isDone) {
      throw RuntimeError(1, "step " + std::to_string(number) +
                                " has run, and its token is not there");
    }
    if (looks > looksAwake) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    std::this_thread::yield();
  }
}

Sequence Step::take() {
  return {graph.take<0>(),
          graph.take<1>(),
          {graph.take<2>(), graph.take<3>()},
          graph.take<4>()};
}

void Step::put(Sequence sequence) {
  graph.put<0>(std::move(sequence.token));
  graph.put<1>(std::move(sequence.position));
  graph.put<2>(std::move(sequence.caches.keys));
  graph.put<3>(std::move(sequence.caches.values));
  graph.put<4>(std::move(sequence.logits));
}

} // namespace girih::qwen3
