// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Requests from any threads, and the thread that serves them. A request waits
/// for a free sequence, its prompt is taken alone, some of it between two
/// steps, and then it is one of those that get a token with each step.

#ifndef GIRIH_BENCH_QWEN3_ENGINE_H
#define GIRIH_BENCH_QWEN3_ENGINE_H

#include "bench/qwen3/Decoder.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace girih::qwen3 {

struct Options {
  int device = 0;
  std::vector<int> devices;   ///< where the model is cut over some, by rank
  std::int64_t positions = 0; ///< see Model::load
  std::int64_t sequences = 1;
  bool isInvariant = false;  ///< see PagedDecoder
  std::int64_t chunk = 4096; ///< tokens of prompts between two steps
  Format format = Format::BF16;
};

/// What is asked for.
struct Order {
  std::vector<std::int32_t> prompt;
  std::int64_t maxTokens = 1;
  Sampling sampling;
  std::vector<std::int32_t> stops;
};

/// How a request goes on; see qwen3_event.
enum class Seen : unsigned char {
  Token,
  Stop,
  Length,
  Cancelled,
  Broken,
  Wait
};

/// An answer, token by token. Written by the engine, read by one thread.
class Request {
public:
  explicit Request(Order order) : order(std::move(order)) {}

  /// The next event; `token` is set with Seen::Token. A negative time is for
  /// ever.
  Seen next(std::chrono::milliseconds time, std::int32_t &token);
  void cancel() { cancelled = true; }
  bool isCancelled() const { return cancelled; }
  /// Of Seen::Broken.
  std::string error() const;

  const Order order;

private:
  friend class Engine;
  void give(std::int32_t token);
  void end(Seen event, std::string why = {});

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::int32_t> tokens;
  std::optional<Seen> ended;
  std::string why;
  std::atomic<bool> hasBegun{false}; ///< there was a token, or the end
  std::atomic<bool> cancelled{false};
};

struct Counters {
  std::uint64_t requests = 0, finished = 0, cancelled = 0, promptTokens = 0,
                answerTokens = 0;
  std::size_t active = 0, queued = 0;
};

class Engine {
public:
  /// \throws RuntimeError for what Model::load, Kernels::load and a launch
  /// refuse.
  Engine(const std::filesystem::path &model,
         const std::filesystem::path &kernels, const Options &options,
         const Progress &progress);
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;
  /// Ends what is left with Seen::Cancelled.
  ~Engine();

  /// \throws RuntimeError 3 for what cannot be answered.
  std::shared_ptr<Request> submit(Order order);
  /// Logits behind the last token of a prompt, when no request is left.
  std::vector<float> logits(std::vector<std::int32_t> prompt, bool bySteps);

  /// The model, or the first rank's part of it.
  const Model &model() const { return ranks ? ranks->models.front() : *whole; }
  const Kernels &kernels() const { return launches; }
  std::size_t sequences() const;
  /// Devices over which the model is cut, or 1.
  std::size_t rankCount() const { return ranks ? ranks->size() : 1; }
  /// What it runs that is no verified kernel, by name.
  std::vector<std::string> optOuts() const;
  Counters counters() const;

private:
  struct Active {
    std::shared_ptr<Request> request;
    std::size_t filled = 0; ///< of the prompt
    std::int32_t token = 0; ///< the last one
    std::int64_t given = 0;
  };
  struct Question {
    std::vector<std::int32_t> prompt;
    bool bySteps;
    std::vector<float> logits;
    std::exception_ptr error;
    bool isDone = false;
  };

  void refusePrompt(std::span<const std::int32_t> prompt) const;
  void refuseBroken() const;
  void serve();
  void awaitWork(std::unique_lock<std::mutex> &lock);
  /// Some tokens of prompts, for sequences that are free.
  void admit();
  std::size_t fill(std::size_t some);
  /// One more token of each sequence.
  void step();
  void answer();
  void take(std::size_t slot, std::int32_t token);
  void finish(std::size_t slot, Seen event, std::string why = {});
  void breakDown(const std::string &why);

  template <typename F> auto count(F change) {
    std::lock_guard lock(mutex);
    return change();
  }

  Kernels launches;           // in front of what takes long to load
  std::optional<Model> whole; ///< or it is cut over ranks
  std::optional<Ranks> ranks;
  Device first; ///< of them
  Decoder decoder;
  std::vector<std::optional<Active>> slots;
  std::optional<std::size_t> filling; ///< a slot whose prompt is taken
  std::size_t chunk;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Request>> queue;
  std::deque<Question *> questions;
  std::atomic<std::uint64_t> asked{0}; ///< requests and questions so far
  Counters counts;
  std::string broken; ///< why it serves no more
  bool closing = false;
  std::thread worker;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_ENGINE_H
