// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From tokens to the next token: of one sequence, a graph a token with nothing
/// from the host, or of several, whose caches share pages. Both are for one
/// thread.

#ifndef GIRIH_BENCH_QWEN3_DECODER_H
#define GIRIH_BENCH_QWEN3_DECODER_H

#include "bench/qwen3/Place.h"

#include <map>
#include <variant>

namespace girih::qwen3 {

/// A sequence that gets one more token.
struct Next {
  std::size_t slot = 0;
  std::int32_t token = 0; ///< the last one of it, then the next one
  bool isLast = false;    ///< none is asked for behind that
};

/// One sequence at a time. Of tokens that nobody draws a step is queued before
/// the token of the one before is read: so the device waits for nobody, and
/// what it does behind the last token of an answer is dropped.
template <typename Place> class SingleDecoderOf {
public:
  explicit SingleDecoderOf(Place place);

  /// Takes some tokens of a prompt, and with its last one gives the first token
  /// of the answer, which all are chosen as `sampling` says. One prompt after
  /// another.
  std::optional<std::int32_t> fill(std::size_t slot,
                                   std::span<const std::int32_t> prompt,
                                   std::size_t from, std::size_t count,
                                   const Sampling &sampling);
  void step(std::span<Next> next);
  void end(std::size_t slot);
  /// Logits behind the last token, which the prompt is taken to at once or, but
  /// for the first token, by steps.
  std::vector<float> logits(std::span<const std::int32_t> prompt, bool bySteps);

private:
  using Steps = typename Place::Steps;
  using Held = typename Place::Held;

  Steps &stepsOf(std::int64_t at);
  Held &taken();
  void draw();
  Steps &launch();

  Place place;
  std::optional<Held> sequence; ///< unless a graph has it
  std::map<std::int64_t, std::unique_ptr<Steps>> graphs; ///< by splits
  Steps *holder = nullptr;                               ///< who has it
  Sampling sampling;
  std::int64_t position = 0; ///< behind what is queued
  /// Whether the sequence has it. Behind a prompt it gets it with the first
  /// step: the first token does not wait for that.
  bool isPlaced = false;
  std::optional<typename Steps::Token> ahead; ///< of a step that is queued
};

/// Up to as many sequences at once as it was made for. Answers are the same
/// bits whoever else is there: up to 16 sequences, or where it is asked to be
/// invariant, with one graph for all numbers of them.
template <typename Place> class PagedDecoderOf {
public:
  PagedDecoderOf(Place place, std::int64_t sequences, bool isInvariant);

  std::optional<std::int32_t> fill(std::size_t slot,
                                   std::span<const std::int32_t> prompt,
                                   std::size_t from, std::size_t count,
                                   const Sampling &sampling);
  void step(std::span<Next> next);
  void end(std::size_t slot);
  std::vector<float> logits(std::span<const std::int32_t> prompt, bool bySteps);

private:
  using Graph = typename Place::Graph;
  /// What a sequence has.
  struct Line {
    std::vector<std::int32_t> pages;
    std::int64_t length = 0;
    Sampling sampling;
  };

  void reserve(Line &line, std::int64_t positions);
  Graph &graphFor(std::size_t count);
  typename Place::Pool &taken();

  Place place;
  bool isInvariant;
  typename Place::Staging staging;           ///< of the prompt that is taken
  std::optional<typename Place::Pool> pages; ///< unless a graph has them
  std::map<std::size_t, std::unique_ptr<Graph>> batches;
  Graph *holder = nullptr;
  std::vector<std::int32_t> freePages;
  std::vector<Line> lines;
};

using Decoder =
    std::variant<SingleDecoderOf<OnePlace>, PagedDecoderOf<OnePlace>,
                 SingleDecoderOf<RankPlace>, PagedDecoderOf<RankPlace>>;

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_DECODER_H
