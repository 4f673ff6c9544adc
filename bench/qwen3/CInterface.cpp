// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/qwen3.h"

#include "bench/qwen3/Engine.h"
#include "bench/qwen3/Report.h"

#include <cstring>

using namespace girih;
using namespace girih::qwen3;

struct qwen3_engine {
  Engine engine;
  std::string report;
};

struct qwen3_request {
  std::shared_ptr<Request> request;
};

namespace {

thread_local std::string lastError;

/// Runs a call, and keeps the message of what it throws.
template <typename F> qwen3_status guarded(F call) noexcept {
  try {
    call();
    return QWEN3_OK;
  } catch (const RuntimeError &error) {
    lastError = error.what();
    return error.code() == 3 ? QWEN3_REFUSED : QWEN3_FAILED;
  } catch (const std::exception &error) {
    lastError = error.what();
  } catch (...) {
    lastError = "an error that says nothing";
  }
  return QWEN3_FAILED;
}

void require(bool isGiven, const char *what) {
  if (!isGiven) {
    throw RuntimeError(3, std::string(what) + " is null");
  }
}

std::vector<std::int32_t> listOf(const std::int32_t *tokens, std::size_t count,
                                 const char *what) {
  require(tokens || count == 0, what);
  return {tokens, tokens + count};
}

Format formatOf(std::int32_t weights) {
  switch (weights) {
  case QWEN3_BF16:
    return Format::BF16;
  case QWEN3_F8:
    return Format::F8;
  case QWEN3_INT4:
    return Format::Int4;
  default:
    throw RuntimeError(3, "weights is " + std::to_string(weights) +
                              ", which no format has");
  }
}

qwen3_event eventOf(Seen seen) {
  switch (seen) {
  case Seen::Token:
    return QWEN3_TOKEN;
  case Seen::Stop:
    return QWEN3_STOP;
  case Seen::Length:
    return QWEN3_LENGTH;
  case Seen::Cancelled:
    return QWEN3_CANCELLED;
  case Seen::Broken:
    return QWEN3_BROKEN;
  case Seen::Wait:
    return QWEN3_WAIT;
  }
  return QWEN3_BROKEN;
}

} // namespace

qwen3_status qwen3_open(const char *model, const char *kernels,
                        const qwen3_options *options, qwen3_progress progress,
                        void *context, qwen3_engine **engine) {
  return qwen3_open_ranks(model, kernels, options, nullptr, 0, progress,
                          context, engine);
}

qwen3_status qwen3_open_ranks(const char *model, const char *kernels,
                              const qwen3_options *options,
                              const int32_t *devices, size_t device_count,
                              qwen3_progress progress, void *context,
                              qwen3_engine **engine) {
  return guarded([&] {
    require(model, "model");
    require(kernels, "kernels");
    require(engine, "engine");
    require(devices || device_count == 0, "devices");
    Options how;
    if (options) {
      how.device = options->device;
      how.positions = options->positions;
      how.sequences = options->sequences ? options->sequences : 1;
      how.isInvariant = options->invariant != 0;
      how.chunk = options->chunk ? options->chunk : how.chunk;
      how.format = formatOf(options->weights);
    }
    how.devices.assign(devices, devices + device_count);
    Progress say;
    if (progress) {
      say = [=](std::uint64_t done, std::uint64_t total) {
        progress(context, done, total);
      };
    }
    // An engine stays where it is made.
    std::unique_ptr<qwen3_engine> made(
        new qwen3_engine{{model, kernels, how, say}, {}});
    made->report = reportOf(made->engine);
    *engine = made.release();
  });
}

void qwen3_close(qwen3_engine *engine) { delete engine; }

const char *qwen3_report(const qwen3_engine *engine) {
  return engine ? engine->report.c_str() : "";
}

qwen3_status qwen3_submit(qwen3_engine *engine, const int32_t *tokens,
                          size_t token_count, int32_t max_tokens,
                          const qwen3_sampling *sampling,
                          const int32_t *stop_tokens, size_t stop_count,
                          qwen3_request **request) {
  return guarded([&] {
    require(engine, "engine");
    require(request, "request");
    Order order;
    order.prompt = listOf(tokens, token_count, "tokens");
    order.maxTokens = max_tokens;
    order.stops = listOf(stop_tokens, stop_count, "stop_tokens");
    if (sampling) {
      order.sampling = {sampling->temperature, sampling->top_k, sampling->top_p,
                        sampling->seed};
    }
    auto made = std::make_unique<qwen3_request>();
    made->request = engine->engine.submit(std::move(order));
    *request = made.release();
  });
}

qwen3_event qwen3_next(qwen3_request *request, int32_t timeout_ms,
                       int32_t *token) {
  if (!request) {
    lastError = "request is null";
    return QWEN3_BROKEN;
  }
  int32_t next = 0;
  Seen event =
      request->request->next(std::chrono::milliseconds(timeout_ms), next);
  if (event == Seen::Token && token) {
    *token = next;
  } else if (event == Seen::Broken) {
    lastError = request->request->error();
  }
  return eventOf(event);
}

void qwen3_cancel(qwen3_request *request) {
  if (request) {
    request->request->cancel();
  }
}

void qwen3_release(qwen3_request *request) {
  if (request) {
    request->request->cancel();
    delete request;
  }
}

qwen3_status qwen3_logits(qwen3_engine *engine, const int32_t *tokens,
                          size_t token_count, int32_t by_step, float *logits) {
  return guarded([&] {
    require(engine, "engine");
    require(logits, "logits");
    std::vector<float> all = engine->engine.logits(
        listOf(tokens, token_count, "tokens"), by_step != 0);
    std::ranges::copy(all, logits);
  });
}

size_t qwen3_counters(const qwen3_engine *engine, char *text, size_t size) {
  std::string all = engine ? countersOf(engine->engine) : "";
  if (text && size) {
    size_t count = std::min(all.size(), size - 1);
    std::memcpy(text, all.data(), count);
    text[count] = '\0';
  }
  return all.size();
}

const char *qwen3_error(void) { return lastError.c_str(); }
