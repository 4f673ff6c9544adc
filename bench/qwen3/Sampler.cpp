// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Sampler.h"

#include "bench/qwen3/Prefill.h"

namespace girih::qwen3 {
namespace {

/// Numbers of a row: temperature and top_p; seed, top_k and position.
constexpr std::int64_t howCount = 2, numberCount = 4;

/// Candidates of a digit of a logit's 16 bits.
constexpr std::int64_t digits = 16;
constexpr std::int64_t steps[] = {4096, 256, 16, 1};

auto recorded(const Kernels &kernels, Recording &run, Tensor<bf16> logits,
              Tensor<std::int32_t> tokens, const Stream &stream) {
  std::int64_t rows = logits.extents()[0];
  Extents stretches = {rows, stretchesOf(logits.extents()[1])};
  Extents counted = {rows, stretches[1], digits};
  auto how = Tensor<float>::zeros({rows, howCount}, stream);
  auto numbers = Tensor<std::int32_t>::zeros({rows, numberCount}, stream);
  auto [l, top, first] = run(kernels["argmax_blocks"].launch(
      {}, std::move(logits), Tensor<float>::empty(stretches, stream),
      Tensor<std::int32_t>::empty(stretches, stream)));
  auto [t, n, greatest, least, some, part] = run(kernels["sample_start"].launch(
      {}, std::move(top), std::move(numbers),
      Tensor<float>::empty({rows}, stream),
      Tensor<std::int32_t>::empty({rows}, stream),
      Tensor<std::int32_t>::empty({rows}, stream),
      Tensor<float>::empty({rows}, stream)));
  auto low = std::move(least), needed = std::move(some);
  auto mass = std::move(part), highest = std::move(greatest);
  auto counts = Tensor<std::int32_t>::empty(counted, stream);
  auto masses = Tensor<float>::empty(counted, stream);
  for (bool isOfTopK : {true, false}) {
    for (std::int64_t step : steps) {
      std::tie(l, highest, how, low, counts, masses) =
          run(kernels["sample_count"].launch({{"step", step}}, std::move(l),
                                             std::move(highest), std::move(how),
                                             std::move(low), std::move(counts),
                                             std::move(masses)));
      std::int64_t turn = isOfTopK && step == 1;
      std::tie(counts, masses, how, low, needed, mass) =
          run(kernels["sample_pick"].launch(
              {{"step", step}, {"turn", turn}}, std::move(counts),
              std::move(masses), std::move(how), std::move(low),
              std::move(needed), std::move(mass)));
    }
  }
  auto [read, h, hows, ns, lows, best, at] = run(kernels["sample_draw"].launch(
      {}, std::move(l), std::move(highest), std::move(how), std::move(n),
      std::move(low), std::move(t), std::move(first)));
  auto [b, i, drawn] = run(kernels["step_tokens"].launch(
      {}, std::move(best), std::move(at), std::move(tokens)));
  return std::tuple(std::move(read), std::move(drawn), std::move(hows),
                    std::move(ns));
}

} // namespace

Sampler::Sampler(const Kernels &kernels, Tensor<bf16> logits,
                 Tensor<std::int32_t> tokens, const Stream &stream)
    : rows(static_cast<std::size_t>(logits.extents()[0])),
      graph(girih::record([&](Recording &run) {
        return recorded(kernels, run, std::move(logits), std::move(tokens),
                        stream);
      })) {}

std::pair<Tensor<bf16>, Tensor<std::int32_t>> Sampler::take() {
  return {graph.take<0>(), graph.take<1>()};
}

void Sampler::run(Tensor<bf16> &logits, Tensor<std::int32_t> &tokens,
                  std::span<const Draw> draws, const Stream &stream) {
  std::vector<float> hows(rows * howCount);
  std::vector<std::int32_t> numbers(rows * numberCount);
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const Sampling &of = draws[k].sampling;
    hows[k * howCount] = of.temperature;
    hows[k * howCount + 1] = of.topP;
    std::int32_t *row = &numbers[k * numberCount];
    row[0] = static_cast<std::int32_t>(of.seed);
    row[1] = static_cast<std::int32_t>(of.seed >> 32);
    row[2] = of.topK;
    row[3] = draws[k].position;
  }
  if (hows != how) {
    Tensor<float> given = graph.take<2>();
    given.assign(hows);
    graph.put<2>(std::move(given));
    how = std::move(hows);
  }
  Tensor<std::int32_t> given = graph.take<3>();
  given.assign(numbers);
  graph.put<3>(std::move(given));
  graph.put<0>(std::move(logits));
  graph.put<1>(std::move(tokens));
  graph.launch(stream);
  logits = graph.take<0>();
  tokens = graph.take<1>();
}

RankSampler::RankSampler(const Ranks &ranks, const Kernels &kernels,
                         std::int64_t rows)
    : ranks(ranks),
      sampler(kernels,
              Tensor<bf16>::empty({rows, ranks.models[0].config.vocabulary},
                                  ranks.streams[0]),
              Tensor<std::int32_t>::empty({rows}, ranks.streams[0]),
              ranks.streams[0]),
      all(Tensor<bf16>::empty({0}, ranks.streams[0])),
      drawn(Tensor<std::int32_t>::empty({0}, ranks.streams[0])) {
  std::tie(all, drawn) = sampler.take();
}

void RankSampler::run(std::span<Tensor<bf16>> logits,
                      std::span<Tensor<std::int32_t>> tokens,
                      std::span<const Draw> draws) {
  std::int64_t rows = all.extents()[0], columns = all.extents()[1];
  auto count = static_cast<std::int64_t>(ranks.size());
  auto parts = std::move(all).partition({1, columns / count});
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    auto lines = std::move(logits[r]).partition({1, columns / count});
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t to = row * count + static_cast<std::int64_t>(r);
      auto [from, part] = copy(lines[std::size_t(row)], parts[std::size_t(to)])
                              .queue(ranks.streams[0]);
    }
    logits[r] = std::move(lines).join();
  }
  all = std::move(parts).join();
  sampler.run(all, drawn, draws, ranks.streams[0]);
  for (Tensor<std::int32_t> &each : tokens) {
    auto [from, to] = copy(std::move(drawn), std::move(each)).queue();
    drawn = std::move(from);
    each = std::move(to);
  }
}

} // namespace girih::qwen3
