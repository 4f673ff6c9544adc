// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events, launches, host functions.

#include "tests/simulated/State.h"

#include <algorithm>

namespace girih::simulated {

Stream *streamOf(const char *call, void *handle, int &error) {
  State &s = state();
  Context *context = currentContext();
  Stream *stream = nullptr;
  auto number = reinterpret_cast<uintptr_t>(handle);
  if (number <= 2) {
    if (!context) {
      error = cu::invalidContext;
      return nullptr;
    }
    stream = &context->legacy;
    if (number == 2) {
      Stream *&own = context->perThread[std::this_thread::get_id()];
      if (!own) {
        own = s.streams.add();
        own->context = context;
        own->actor = s.actors.add(s.host);
      }
      stream = own;
    }
  } else if (!(stream = s.streams.find(handle))) {
    error = s.faults.unknownHandle(call, "stream");
    return nullptr;
  }
  error = stream->context->sticky;
  return error ? nullptr : stream;
}

/// A call on a stream.
template <typename Body>
static int onStream(const char *name, void *handle, Body body) {
  return call(name, [&](Lock &lock) -> int {
    int error = 0;
    Stream *stream = streamOf(name, handle, error);
    return stream ? body(lock, *stream) : error;
  });
}

static int createStream(const char *name, void **out, unsigned flags,
                        int priority) {
  return inContext(name, [&](Lock &, Context &context) {
    State &s = state();
    Stream *stream = s.streams.add();
    stream->context = &context;
    stream->blocking = flags != cu::streamNonBlocking;
    stream->number = ++s.streamCount;
    stream->priority = priority;
    stream->actor = s.actors.add(s.host);
    stream->clock = s.host;
    *out = stream;
    return 0;
  });
}

/// Of a call that waits for or asks about a stream.
static int refusedInCapture(Stream &stream) {
  if (stream.capture) {
    ruin(*stream.capture);
    return cu::captureUnsupported;
  }
  return besideImplicit(stream);
}

/// A call on an event.
template <typename Body>
static int onEvent(const char *name, void *handle, Body body) {
  return call(name, [&](Lock &lock) -> int {
    Event *event = state().events.find(handle);
    return event ? body(lock, *event)
                 : state().faults.unknownHandle(name, "event");
  });
}

} // namespace girih::simulated

using namespace girih::simulated;

extern "C" {

int cuStreamCreate(void **out, unsigned flags) {
  return createStream("cuStreamCreate", out, flags, 0);
}

int cuStreamCreateWithPriority(void **out, unsigned flags, int priority) {
  return createStream("cuStreamCreateWithPriority", out, flags, priority);
}

int cuStreamDestroy_v2(void *handle) {
  return call("cuStreamDestroy", [&](Lock &) {
    State &s = state();
    Stream *stream = s.streams.find(handle);
    if (!stream) {
      return s.faults.unknownHandle("cuStreamDestroy", "stream");
    }
    if (stream->capture) {
      ruin(*stream->capture);
    }
    stream->live = false;
    stream->context->endedStreams.join(stream->clock);
    stream->clock.clear();
    s.actors.end(stream->actor);
    return stream->context->sticky;
  });
}

int cuStreamGetCtx(void *handle, void **context) {
  return onStream("cuStreamGetCtx", handle, [&](Lock &, Stream &stream) {
    *context = stream.context;
    return 0;
  });
}

int cuStreamSynchronize(void *handle) {
  return onStream("cuStreamSynchronize", handle,
                  [](Lock &lock, Stream &stream) {
                    if (int error = refusedInCapture(stream)) {
                      return error;
                    }
                    // What was queued when it was called.
                    Clock known = stream.clock;
                    Context *context = stream.context;
                    state().workers.wait(lock, stream.last);
                    state().host.join(known);
                    return context->sticky;
                  });
}

int cuStreamQuery(void *handle) {
  return onStream("cuStreamQuery", handle, [](Lock &, Stream &stream) -> int {
    if (int error = refusedInCapture(stream)) {
      return error;
    }
    if (stream.last && !stream.last->done) {
      return cu::notReady;
    }
    state().host.join(stream.clock);
    return 0;
  });
}

int cuStreamWaitEvent(void *handle, void *eventHandle, unsigned) {
  return onStream("cuStreamWaitEvent", handle, [&](Lock &, Stream &stream) {
    State &s = state();
    Event *event = s.events.find(eventHandle);
    if (!event) {
      return s.faults.unknownHandle("cuStreamWaitEvent", "event");
    }
    if (event->capture) {
      if (stream.capture && stream.capture != event->capture) {
        ruin(*stream.capture);
        ruin(*event->capture);
        return cu::captureMerge;
      }
      if (stream.legacy) {
        ruin(*event->capture);
        return cu::captureImplicit;
      }
      stream.capture = event->capture;
      for (Node *node : event->nodes) {
        if (std::find(stream.tails.begin(), stream.tails.end(), node) ==
            stream.tails.end()) {
          stream.tails.push_back(node);
        }
      }
      return 0;
    }
    if (stream.capture) {
      ruin(*stream.capture);
      return cu::captureIsolation;
    }
    if (int error = besideImplicit(stream)) {
      return error;
    }
    if (event->op) {
      queueOn(stream, Nothing{}, *stream.context, {event->op}, &event->clock);
    }
    return 0;
  });
}

int cuEventCreate(void **out, unsigned flags) {
  return inContext("cuEventCreate", [&](Lock &, Context &context) {
    Event *event = state().events.add();
    event->context = &context;
    event->flags = flags;
    *out = event;
    return 0;
  });
}

int cuEventDestroy_v2(void *handle) {
  return onEvent("cuEventDestroy", handle, [](Lock &, Event &event) {
    event.live = false;
    event.clock.clear();
    event.op = nullptr;
    return event.context->sticky;
  });
}

int cuEventRecord(void *handle, void *streamHandle) {
  return onStream("cuEventRecord", streamHandle, [&](Lock &, Stream &stream) {
    State &s = state();
    Event *event = s.events.find(handle);
    if (!event) {
      return s.faults.unknownHandle("cuEventRecord", "event");
    }
    if (event->context != stream.context) {
      return cu::invalidHandle;
    }
    if (stream.capture) {
      if (stream.capture->invalid) {
        return cu::captureInvalidated;
      }
      event->capture = stream.capture;
      event->nodes = stream.tails;
      event->op = nullptr;
      return 0;
    }
    if (int error = besideImplicit(stream)) {
      return error;
    }
    event->capture = nullptr;
    event->op = queueOn(stream, Nothing{}, *stream.context);
    event->clock = stream.clock;
    return 0;
  });
}

int cuEventSynchronize(void *handle) {
  return onEvent("cuEventSynchronize", handle, [](Lock &lock, Event &event) {
    if (event.capture) {
      ruin(*event.capture);
      return cu::capturedEvent;
    }
    if (event.context->sticky || !event.op) {
      return event.context->sticky;
    }
    Clock known = event.clock;
    Context *context = event.context;
    state().workers.wait(lock, std::shared_ptr<Op>(event.op));
    state().host.join(known);
    return context->sticky;
  });
}

int cuEventQuery(void *handle) {
  return onEvent("cuEventQuery", handle, [](Lock &, Event &event) -> int {
    if (event.capture) {
      ruin(*event.capture);
      return cu::capturedEvent;
    }
    if (event.context->sticky) {
      return event.context->sticky;
    }
    if (event.op && !event.op->done) {
      return cu::notReady;
    }
    state().host.join(event.clock);
    return 0;
  });
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  return onEvent("cuEventElapsedTime", from, [&](Lock &, Event &first) -> int {
    Event *second = state().events.find(to);
    if (!second || !first.op || !second->op ||
        ((first.flags | second->flags) & cu::eventDisableTiming) != 0) {
      return cu::invalidHandle;
    }
    if (!first.op->done || !second->op->done) {
      return cu::notReady;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(
                        second->op->finished - first.op->finished)
                        .count();
    return first.context->sticky;
  });
}

int cuLaunchHostFunc(void *handle, girih::runtime::HostFunction function,
                     void *data) {
  return onStream("cuLaunchHostFunc", handle, [&](Lock &, Stream &stream) {
    return submit(stream, HostCall{function, data});
  });
}

int cuLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned,
                   void *streamHandle, void **parameters, void **) {
  return onStream("cuLaunchKernel", streamHandle, [&](Lock &, Stream &stream) {
    Function *function = state().functions.find(handle);
    if (!function) {
      return state().faults.unknownHandle("cuLaunchKernel", "function");
    }
    if (function->module->context != stream.context ||
        currentContext() != stream.context) {
      return cu::invalidHandle;
    }
    if (!gridX || !gridY || !gridZ || !blockX || !blockY || !blockZ) {
      return cu::invalidValue;
    }
    return submit(stream, launchOf(*function, parameters,
                                   uint64_t(gridX) * gridY * gridZ));
  });
}

} // extern "C"
