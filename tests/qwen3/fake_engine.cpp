// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The engine of qwen3.h without a GPU, for tests of what calls it. The next
/// token is a hash of the last three, and with a temperature of the seed, too;
/// fake.py computes the same. The environment says what else happens:
///   FAKE_ENGINE_DELAY_US   of each step of all sequences that are served
///   FAKE_ENGINE_BREAK_AT   the step after which the engine is broken
/// qwen3_counters also has "held": requests that are not released.

#include "bench/qwen3/qwen3.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using Lock = std::unique_lock<std::mutex>;
using Clock = std::chrono::steady_clock;

thread_local std::string lastError;

qwen3_status refuse(std::string why) {
  lastError = std::move(why);
  return QWEN3_REFUSED;
}

long numberOf(const char *variable, long otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atol(text) : otherwise;
}

/// An integer of a file's JSON by its key, wherever that stands; 0 for none.
long integerOf(const std::string &json, const std::string &key) {
  size_t at = json.find("\"" + key + "\":");
  return at == std::string::npos ? 0 : std::atol(&json[at + key.size() + 3]);
}

std::string textOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Answer {
  std::vector<int32_t> sequence; ///< prompt and answer
  size_t prompt = 0;
  size_t end = 0;  ///< of sequence, at most
  size_t told = 0; ///< of sequence, by qwen3_next
  qwen3_sampling sampling{};
  std::vector<int32_t> stops;
  bool isCancelled = false;
  qwen3_event event = QWEN3_WAIT; ///< how it ended; QWEN3_WAIT: not yet
};

/// Outlives the engine as long as there are requests.
struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Answer>> active, queued;
  long vocabulary = 0, positions = 0, sequences = 1, steps = 0;
  long requests = 0, finished = 0, cancelled = 0, held = 0;
  long promptTokens = 0, answerTokens = 0;
  bool isClosing = false, isBroken = false;
};

int32_t nextOf(const State &state, const Answer &answer) {
  uint64_t hash = 14695981039346656037U;
  auto mix = [&](uint64_t value) { hash = (hash ^ value) * 1099511628211U; };
  const std::vector<int32_t> &all = answer.sequence;
  for (size_t k = all.size() > 3 ? all.size() - 3 : 0; k < all.size(); ++k) {
    mix(static_cast<uint64_t>(all[k]));
  }
  if (answer.sampling.temperature > 0) {
    mix(answer.sampling.seed);
  }
  return static_cast<int32_t>((hash >> 33) %
                              static_cast<uint64_t>(state.vocabulary));
}

void end(State &state, Answer &answer, qwen3_event event) {
  answer.event = event;
  (event == QWEN3_CANCELLED ? state.cancelled : state.finished) += 1;
}

/// One token more, or the end.
void step(State &state, Answer &answer) {
  if (answer.isCancelled) {
    return end(state, answer, QWEN3_CANCELLED);
  }
  if (answer.sequence.size() == answer.end) {
    return end(state, answer, QWEN3_LENGTH);
  }
  int32_t token = nextOf(state, answer);
  if (std::count(answer.stops.begin(), answer.stops.end(), token)) {
    return end(state, answer, QWEN3_STOP);
  }
  answer.sequence.push_back(token);
  state.answerTokens += 1;
}

void endAll(State &state, qwen3_event event) {
  for (auto *list : {&state.active, &state.queued}) {
    for (auto &answer : *list) {
      end(state, *answer, event);
    }
    list->clear();
  }
}

void serve(State &state, std::chrono::microseconds delay, long breakAt) {
  Lock lock(state.mutex);
  while (true) {
    state.changed.wait(lock, [&] {
      return state.isClosing || !state.active.empty() || !state.queued.empty();
    });
    if (state.isClosing) {
      endAll(state, QWEN3_CANCELLED);
      break;
    }
    while (!state.queued.empty() &&
           static_cast<long>(state.active.size()) < state.sequences) {
      state.active.push_back(std::move(state.queued.front()));
      state.queued.pop_front();
    }
    for (auto &answer : state.active) {
      step(state, *answer);
    }
    std::erase_if(state.active,
                  [](auto &answer) { return answer->event != QWEN3_WAIT; });
    if (state.steps++ == breakAt) {
      state.isBroken = true;
      endAll(state, QWEN3_BROKEN);
    }
    state.changed.notify_all();
    if (delay.count()) {
      lock.unlock();
      std::this_thread::sleep_for(delay);
      lock.lock();
    }
  }
  state.changed.notify_all();
}

} // namespace

struct qwen3_engine {
  std::shared_ptr<State> state = std::make_shared<State>();
  std::string report;
  std::thread thread;
};

struct qwen3_request {
  std::shared_ptr<State> state;
  std::shared_ptr<Answer> answer;
};

static qwen3_status checkPrompt(const State &state, const int32_t *tokens,
                                size_t count) {
  if (!count) {
    return refuse("the prompt has no token");
  }
  if (count > static_cast<size_t>(state.positions)) {
    return refuse("the prompt has " + std::to_string(count) + " tokens, and " +
                  std::to_string(state.positions) + " positions are there");
  }
  for (size_t k = 0; k < count; ++k) {
    if (tokens[k] < 0 || tokens[k] >= state.vocabulary) {
      return refuse("token " + std::to_string(tokens[k]) +
                    " is outside of the vocabulary of " +
                    std::to_string(state.vocabulary));
    }
  }
  return QWEN3_OK;
}

qwen3_status qwen3_open(const char *model, const char *kernels,
                        const qwen3_options *options, qwen3_progress progress,
                        void *context, qwen3_engine **engine) {
  return qwen3_open_ranks(model, kernels, options, nullptr, 0, progress,
                          context, engine);
}

qwen3_status qwen3_open_ranks(const char *model, const char *kernels,
                              const qwen3_options *options, const int32_t *,
                              size_t device_count, qwen3_progress progress,
                              void *context, qwen3_engine **engine) {
  if (device_count > 2) {
    return refuse(std::to_string(device_count) + " devices");
  }
  std::string config = textOf(std::string(model) + "/config.json");
  if (config.empty()) {
    return refuse(std::string(model) + "/config.json: cannot be read");
  }
  if (!std::filesystem::is_directory(kernels)) {
    return refuse(std::string(kernels) + ": is not a folder");
  }
  auto made = std::make_unique<qwen3_engine>();
  State &state = *made->state;
  state.vocabulary = integerOf(config, "vocab_size");
  long most = integerOf(config, "max_position_embeddings");
  if (state.vocabulary < 1 || most < 1) {
    return refuse(std::string(model) + "/config.json: says no vocab_size");
  }
  long wanted = options ? options->positions : 0;
  if (wanted > most) {
    return refuse("positions are " + std::to_string(wanted) +
                  ", and the model has " + std::to_string(most));
  }
  state.positions = wanted ? wanted : std::min(4096L, most);
  state.sequences = options && options->sequences ? options->sequences : 1;
  int32_t weights = options ? options->weights : QWEN3_BF16;
  constexpr const char *names[] = {"bf16", "f8", "int4"};
  if (weights < QWEN3_BF16 || weights > QWEN3_INT4) {
    return refuse("weights is " + std::to_string(weights) +
                  ", which no format has");
  }
  for (uint64_t done = 0; progress && done <= 4; ++done) {
    progress(context, done << 20, 4 << 20);
  }
  auto number = [](long value) { return std::to_string(value); };
  made->report =
      R"({"model": {"width": )" + number(integerOf(config, "hidden_size")) +
      R"(, "layers": )" + number(integerOf(config, "num_hidden_layers")) +
      R"(, "vocabulary": )" + number(state.vocabulary) + R"(, "positions": )" +
      number(state.positions) + R"(, "sequences": )" + number(state.sequences) +
      R"(, "parameters": 3870208, "weights": ")" + names[weights] +
      R"("}, "kernels": [)"
      R"({"name": "gemv", "verdict": "VERIFIED", "producer": "fake", )"
      R"("obligations": 12, "variants": 1}, )"
      R"({"name": "<b>&attention", "verdict": "VERIFIED", "producer": "fake", )"
      R"("obligations": 34, "variants": 2}]})";
  // Here, not in the thread: who opens the engine may change them afterwards.
  std::chrono::microseconds delay(numberOf("FAKE_ENGINE_DELAY_US", 0));
  long breakAt = numberOf("FAKE_ENGINE_BREAK_AT", -1);
  made->thread =
      std::thread([&state, delay, breakAt] { serve(state, delay, breakAt); });
  *engine = made.release();
  return QWEN3_OK;
}

void qwen3_close(qwen3_engine *engine) {
  if (!engine) {
    return;
  }
  {
    Lock lock(engine->state->mutex);
    engine->state->isClosing = true;
  }
  engine->state->changed.notify_all();
  engine->thread.join();
  delete engine;
}

const char *qwen3_report(const qwen3_engine *engine) {
  return engine->report.c_str();
}

qwen3_status qwen3_submit(qwen3_engine *engine, const int32_t *tokens,
                          size_t token_count, int32_t max_tokens,
                          const qwen3_sampling *sampling,
                          const int32_t *stop_tokens, size_t stop_count,
                          qwen3_request **request) {
  State &state = *engine->state;
  if (qwen3_status status = checkPrompt(state, tokens, token_count)) {
    return status;
  }
  if (max_tokens < 1) {
    return refuse("max_tokens is " + std::to_string(max_tokens));
  }
  if (!(sampling->temperature >= 0) || sampling->top_k < 0 ||
      !(sampling->top_p > 0 && sampling->top_p <= 1)) {
    return refuse("sampling is out of range");
  }
  auto answer = std::make_shared<Answer>();
  answer->sequence.assign(tokens, tokens + token_count);
  answer->prompt = answer->told = token_count;
  answer->end = std::min(token_count + static_cast<size_t>(max_tokens),
                         static_cast<size_t>(state.positions));
  answer->sampling = *sampling;
  answer->stops.assign(stop_tokens, stop_tokens + stop_count);
  Lock lock(state.mutex);
  if (state.isBroken) {
    lastError = "the engine is broken";
    return QWEN3_FAILED;
  }
  state.requests += 1;
  state.held += 1;
  state.promptTokens += static_cast<long>(token_count);
  state.queued.push_back(answer);
  state.changed.notify_all();
  *request = new qwen3_request{engine->state, std::move(answer)};
  return QWEN3_OK;
}

qwen3_event qwen3_next(qwen3_request *request, int32_t timeout_ms,
                       int32_t *token) {
  Answer &answer = *request->answer;
  Lock lock(request->state->mutex);
  auto isReady = [&] {
    return answer.told < answer.sequence.size() || answer.event != QWEN3_WAIT;
  };
  if (timeout_ms < 0) {
    request->state->changed.wait(lock, isReady);
  } else {
    request->state->changed.wait_until(
        lock, Clock::now() + std::chrono::milliseconds(timeout_ms), isReady);
  }
  if (answer.told < answer.sequence.size()) {
    *token = answer.sequence[answer.told++];
    return QWEN3_TOKEN;
  }
  if (answer.event == QWEN3_BROKEN) {
    lastError = "the engine broke, as it was asked to";
  }
  return answer.event;
}

void qwen3_cancel(qwen3_request *request) {
  Lock lock(request->state->mutex);
  request->answer->isCancelled = true;
  State &state = *request->state;
  // One that waits for its turn need not wait to end.
  auto found =
      std::find(state.queued.begin(), state.queued.end(), request->answer);
  if (found != state.queued.end()) {
    end(state, **found, QWEN3_CANCELLED);
    state.queued.erase(found);
    state.changed.notify_all();
  }
}

void qwen3_release(qwen3_request *request) {
  if (!request) {
    return;
  }
  qwen3_cancel(request);
  {
    Lock lock(request->state->mutex);
    request->state->held -= 1;
  }
  delete request;
}

qwen3_status qwen3_logits(qwen3_engine *engine, const int32_t *tokens,
                          size_t token_count, int32_t, float *logits) {
  const State &state = *engine->state;
  if (qwen3_status status = checkPrompt(state, tokens, token_count)) {
    return status;
  }
  Answer answer;
  answer.sequence.assign(tokens, tokens + token_count);
  std::fill_n(logits, state.vocabulary, 0.0F);
  logits[nextOf(state, answer)] = 1;
  return QWEN3_OK;
}

size_t qwen3_counters(const qwen3_engine *engine, char *text, size_t size) {
  State &state = *engine->state;
  std::string out;
  {
    Lock lock(state.mutex);
    auto add = [&](const char *name, long value) {
      out += (out.empty() ? "{\"" : ", \"") + std::string(name) +
             "\": " + std::to_string(value);
    };
    add("requests", state.requests);
    add("active", static_cast<long>(state.active.size()));
    add("queued", static_cast<long>(state.queued.size()));
    add("finished", state.finished);
    add("cancelled", state.cancelled);
    add("prompt_tokens", state.promptTokens);
    add("answer_tokens", state.answerTokens);
    add("held", state.held);
  }
  out += "}";
  if (size) {
    size_t cut = std::min(out.size(), size - 1);
    std::memcpy(text, out.data(), cut);
    text[cut] = 0;
  }
  return out.size() + 1;
}

const char *qwen3_error(void) { return lastError.c_str(); }
