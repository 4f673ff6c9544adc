// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Engine.h"

#include <algorithm>
#include <fmt/format.h>

namespace girih::qwen3 {
namespace {

template <typename Place>
Decoder decoderOf(Place place, const Options &options) {
  if (options.sequences == 1) {
    return SingleDecoderOf<Place>(std::move(place));
  }
  return PagedDecoderOf<Place>(std::move(place), options.sequences,
                               options.isInvariant);
}

Decoder decoderOf(const std::optional<Model> &whole,
                  const std::optional<Ranks> &ranks, const Kernels &kernels,
                  const Options &options) {
  if (ranks) {
    return decoderOf(RankPlace(*ranks, kernels), options);
  }
  Stream stream = Stream::create(Device::get(options.device));
  return decoderOf(OnePlace(*whole, kernels, stream), options);
}

void refuseOptions(const Options &options) {
  if (options.sequences < 1 || options.sequences > maxSequences) {
    throw RuntimeError(3, fmt::format("{} sequences: an engine serves from 1 "
                                      "to {} at once",
                                      options.sequences, maxSequences));
  }
  if (options.chunk < 1) {
    throw RuntimeError(3, fmt::format("{} tokens of prompts between two steps: "
                                      "it is at least one",
                                      options.chunk));
  }
  if (options.format != Format::BF16 && !options.devices.empty()) {
    throw RuntimeError(3, fmt::format("weights in {} on several devices: these "
                                      "take bf16",
                                      nameOf(options.format)));
  }
  if (options.isInvariant && options.devices.size() > 2) {
    // Two terms have one sum, whatever their order.
    throw RuntimeError(3, fmt::format("invariant answers on {} devices: NCCL "
                                      "adds more than two terms in an order "
                                      "that depends on the row",
                                      options.devices.size()));
  }
}

std::optional<Model> wholeOf(const std::filesystem::path &folder,
                             const Options &options, const Progress &progress) {
  if (!options.devices.empty()) {
    return std::nullopt;
  }
  return Model::load(folder, options.format, options.positions,
                     Device::get(options.device), progress);
}

std::optional<Ranks> ranksOf(const std::filesystem::path &folder,
                             const Options &options, const Progress &progress) {
  if (options.devices.empty()) {
    return std::nullopt;
  }
  return Ranks::load(folder, options.positions, options.devices, progress);
}

/// Looks until it is done, for a while: a thread that sleeps takes some 50 us
/// to be awake.
template <typename Done>
void look(std::chrono::steady_clock::duration time, Done done) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!done() && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
}

} // namespace

//===-- Requests ----------------------------------------------------------===//

/// Who waits for the first token looks before it sleeps, for as long as a
/// prompt of 512 tokens takes: the engine is ahead of those behind it. One
/// thread alone, as many would take the processors of those that work.
Seen Request::next(std::chrono::milliseconds time, std::int32_t &token) {
  static std::atomic_flag isOneLooking;
  constexpr std::chrono::milliseconds awake(10);
  const auto end = std::chrono::steady_clock::now() + time;
  std::unique_lock lock(mutex);
  auto isThere = [&] { return !tokens.empty() || ended; };
  if (!hasBegun && time.count() != 0 && !isOneLooking.test_and_set()) {
    lock.unlock();
    look(time.count() < 0 ? awake : std::min(time, awake),
         [&] { return hasBegun.load(); });
    isOneLooking.clear();
    lock.lock();
  }
  if (time.count() < 0) {
    changed.wait(lock, isThere);
  } else if (!changed.wait_until(lock, end, isThere)) {
    return Seen::Wait;
  }
  if (tokens.empty()) {
    return *ended;
  }
  token = tokens.front();
  tokens.pop_front();
  return Seen::Token;
}

std::string Request::error() const {
  std::lock_guard lock(mutex);
  return why;
}

void Request::give(std::int32_t token) {
  {
    std::lock_guard lock(mutex);
    tokens.push_back(token);
    hasBegun = true;
  }
  changed.notify_all();
}

void Request::end(Seen event, std::string reason) {
  {
    std::lock_guard lock(mutex);
    ended = event;
    why = std::move(reason);
    hasBegun = true;
  }
  changed.notify_all();
}

//===-- The engine --------------------------------------------------------===//

Engine::Engine(const std::filesystem::path &modelFolder,
               const std::filesystem::path &kernelFolder,
               const Options &options, const Progress &progress)
    : launches(
          (refuseOptions(options), Kernels::load(kernelFolder, options.format,
                                                 !options.devices.empty()))),
      whole(wholeOf(modelFolder, options, progress)),
      ranks(ranksOf(modelFolder, options, progress)),
      first(Device::get(options.devices.empty() ? options.device
                                                : options.devices.front())),
      decoder(decoderOf(whole, ranks, launches, options)),
      slots(static_cast<std::size_t>(options.sequences)),
      chunk(static_cast<std::size_t>(options.chunk)),
      worker([this] { serve(); }) {}

Engine::~Engine() {
  {
    std::lock_guard lock(mutex);
    closing = true;
  }
  changed.notify_all();
  worker.join();
}

std::size_t Engine::sequences() const { return slots.size(); }

std::vector<std::string> Engine::optOuts() const {
  std::vector<std::string> out;
  if (ranks) {
    // Recorded by now: those of prompts are the same.
    for (const OptOutUse &use : usedOptOuts()) {
      out.push_back(use.name);
    }
  }
  return out;
}

Counters Engine::counters() const {
  std::lock_guard lock(mutex);
  Counters out = counts;
  out.queued = queue.size();
  return out;
}

void Engine::refusePrompt(std::span<const std::int32_t> prompt) const {
  if (prompt.empty()) {
    throw RuntimeError(3, "the prompt has no token");
  }
  if (std::cmp_greater(prompt.size(), model().positions)) {
    throw RuntimeError(3, fmt::format("the prompt has {} tokens: a sequence "
                                      "has {} positions",
                                      prompt.size(), model().positions));
  }
  for (std::size_t k = 0; k < prompt.size(); ++k) {
    if (prompt[k] < 0 || prompt[k] >= model().config.vocabulary) {
      throw RuntimeError(3,
                         fmt::format("token {} of the prompt is {}: the "
                                     "vocabulary has {}",
                                     k, prompt[k], model().config.vocabulary));
    }
  }
}

/// With the lock.
void Engine::refuseBroken() const {
  if (!broken.empty()) {
    throw RuntimeError(1, "the engine serves no more: " + broken);
  }
}

std::shared_ptr<Request> Engine::submit(Order order) {
  refusePrompt(order.prompt);
  if (order.maxTokens < 1) {
    throw RuntimeError(
        3, fmt::format("an answer of at most {} tokens", order.maxTokens));
  }
  const Sampling &how = order.sampling;
  if (!(how.temperature >= 0) || how.temperature > 100 || how.topK < 0 ||
      !(how.topP > 0) || how.topP > 1) {
    throw RuntimeError(3, fmt::format("temperature {}, top_k {}, top_p {}: "
                                      "they are from 0 to 100, from 0, and in "
                                      "(0, 1]",
                                      how.temperature, how.topK, how.topP));
  }
  auto request = std::make_shared<Request>(std::move(order));
  {
    std::lock_guard lock(mutex);
    refuseBroken();
    ++counts.requests;
    queue.push_back(request);
    ++asked;
  }
  changed.notify_all();
  return request;
}

std::vector<float> Engine::logits(std::vector<std::int32_t> prompt,
                                  bool bySteps) {
  refusePrompt(prompt);
  Question question{std::move(prompt), bySteps, {}, nullptr, false};
  std::unique_lock lock(mutex);
  refuseBroken();
  questions.push_back(&question);
  ++asked;
  changed.notify_all();
  changed.wait(lock, [&] { return question.isDone; });
  if (question.error) {
    std::rethrow_exception(question.error);
  }
  return std::move(question.logits);
}

//===-- The thread --------------------------------------------------------===//

void Engine::serve() {
  std::optional<CurrentDevice> current;
  try {
    current.emplace(first);
  } catch (const std::exception &error) {
    breakDown(error.what());
    return;
  }
  std::unique_lock lock(mutex);
  while (!closing) {
    awaitWork(lock);
    lock.unlock();
    try {
      admit();
      step();
      answer();
    } catch (const std::exception &error) {
      breakDown(error.what());
    }
    lock.lock();
  }
  lock.unlock();
  breakDown({});
}

/// Who has an answer often asks for the next one at once: so for a while it
/// looks before it sleeps. The first token of prompts of 128 and 512 tokens was
/// there 30 to 50 us sooner.
void Engine::awaitWork(std::unique_lock<std::mutex> &lock) {
  auto isThere = [&] {
    return closing || counts.active || !queue.empty() || !questions.empty();
  };
  if (!isThere()) {
    constexpr auto awake = std::chrono::microseconds(300);
    const std::uint64_t before = asked;
    lock.unlock();
    look(awake, [&] { return asked != before; });
    lock.lock();
  }
  changed.wait(lock, isThere);
}

/// The next of what waits, if any.
template <typename T>
static std::optional<T> popped(std::mutex &mutex, std::deque<T> &queue) {
  std::lock_guard lock(mutex);
  if (queue.empty()) {
    return std::nullopt;
  }
  T first = std::move(queue.front());
  queue.pop_front();
  return first;
}

void Engine::admit() {
  std::size_t left = chunk;
  while (left > 0) {
    if (!filling) {
      auto unused = std::ranges::find_if(
          slots, [](const std::optional<Active> &slot) { return !slot; });
      if (unused == slots.end()) {
        return;
      }
      auto request = popped(mutex, queue);
      if (!request) {
        return;
      }
      // Whatever is thrown, whoever waits hears of it.
      *unused = Active{std::move(*request), 0, 0, 0};
      filling = static_cast<std::size_t>(unused - slots.begin());
      count([&] { counts.active += 1; });
    }
    // What is taken together depends on the prompt alone, whoever else is here.
    const Active &active = *slots[*filling];
    std::size_t some =
        std::min(chunk, active.request->order.prompt.size() - active.filled);
    if (some > left) {
      return;
    }
    left -= fill(some);
  }
}

/// Takes so many tokens of the prompt, and says how many it were.
std::size_t Engine::fill(std::size_t some) {
  std::size_t slot = *filling;
  Active &active = *slots[slot];
  if (active.request->isCancelled()) {
    filling.reset();
    finish(slot, Seen::Cancelled);
    return 0;
  }
  const Order &order = active.request->order;
  std::optional<std::int32_t> token = std::visit(
      [&](auto &d) {
        return d.fill(slot, order.prompt, active.filled, some, order.sampling);
      },
      decoder);
  active.filled += some;
  count([&] { counts.promptTokens += some; });
  if (token) {
    filling.reset();
    take(slot, *token);
  }
  return some;
}

void Engine::step() {
  std::vector<Next> next;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (filling == k) {
      continue;
    }
    if (slots[k] && slots[k]->request->isCancelled()) {
      finish(k, Seen::Cancelled);
    }
    if (slots[k]) {
      const Active &active = *slots[k];
      next.push_back({k, active.token,
                      active.given + 1 >= active.request->order.maxTokens});
    }
  }
  if (next.empty()) {
    return;
  }
  std::visit([&](auto &d) { d.step(next); }, decoder);
  for (const Next &each : next) {
    take(each.slot, each.token);
  }
}

/// The next token of a sequence, which may be its last.
void Engine::take(std::size_t slot, std::int32_t token) {
  Active &active = *slots[slot];
  const Order &order = active.request->order;
  if (token < 0 || token >= model().config.vocabulary) {
    finish(slot, Seen::Broken, "a logit is NaN");
    return;
  }
  if (std::ranges::find(order.stops, token) != order.stops.end()) {
    finish(slot, Seen::Stop);
    return;
  }
  active.token = token;
  ++active.given;
  count([&] { ++counts.answerTokens; });
  active.request->give(token);
  auto used = static_cast<std::int64_t>(order.prompt.size()) + active.given;
  // The last token needs no position: nothing follows it.
  if (active.given >= order.maxTokens || used > model().positions) {
    finish(slot, Seen::Length);
  }
}

void Engine::finish(std::size_t slot, Seen event, std::string why) {
  std::shared_ptr<Request> request = std::move(slots[slot]->request);
  slots[slot].reset();
  std::visit([&](auto &d) { d.end(slot); }, decoder);
  count([&] {
    --counts.active;
    ++(event == Seen::Cancelled ? counts.cancelled : counts.finished);
  });
  request->end(event, std::move(why));
}

void Engine::answer() {
  if (count([&] { return counts.active; })) {
    return;
  }
  auto question = popped(mutex, questions);
  if (!question) {
    return;
  }
  Question &asked = **question;
  try {
    asked.logits = std::visit(
        [&](auto &d) { return d.logits(asked.prompt, asked.bySteps); },
        decoder);
  } catch (...) {
    asked.error = std::current_exception();
  }
  // It is gone once its thread sees this.
  bool isBroken = asked.error != nullptr;
  count([&] { asked.isDone = true; });
  changed.notify_all();
  if (isBroken) {
    throw RuntimeError(1, "logits could not be computed");
  }
}

/// Ends all that waits, with an error or because the engine is closed.
void Engine::breakDown(const std::string &why) {
  Seen event = why.empty() ? Seen::Cancelled : Seen::Broken;
  std::vector<std::shared_ptr<Request>> left;
  {
    std::lock_guard lock(mutex);
    broken = why.empty() ? "it is closed" : why;
    left.assign(queue.begin(), queue.end());
    queue.clear();
    for (std::optional<Active> &slot : slots) {
      if (slot) {
        left.push_back(std::move(slot->request));
        slot.reset();
      }
    }
    filling.reset();
    counts.active = 0;
    counts.cancelled += left.size();
    for (Question *question : questions) {
      question->error = std::make_exception_ptr(RuntimeError(1, broken));
      question->isDone = true;
    }
    questions.clear();
  }
  changed.notify_all();
  for (const auto &request : left) {
    request->end(event, why);
  }
}

} // namespace girih::qwen3
