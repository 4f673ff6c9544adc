// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capture of streams into graphs, and what ruins one.

#include "tests/simulated/State.h"

#include <algorithm>

namespace girih::simulated {

static thread_local int captureMode = cu::captureGlobal;

void ruin(Capture &capture) { capture.invalid = true; }

int besideCaptures() {
  bool forbidden = false;
  for (const std::shared_ptr<Capture> &capture : state().captures) {
    bool isOurs = capture->thread == std::this_thread::get_id();
    bool forbids = captureMode != cu::captureRelaxed &&
                   ((isOurs && capture->mode != cu::captureRelaxed) ||
                    (captureMode == cu::captureGlobal &&
                     capture->mode == cu::captureGlobal));
    if (forbids) {
      ruin(*capture);
      forbidden = true;
    }
  }
  return forbidden ? cu::captureUnsupported : 0;
}

int besideImplicit(const Stream &stream) {
  if (!stream.legacy) {
    return 0;
  }
  int error = 0;
  state().streams.forEach([&](Stream &other) {
    if (other.capture && other.blocking && other.context == stream.context) {
      ruin(*other.capture);
      error = cu::captureImplicit;
    }
  });
  return error;
}

/// Whether every captured node is before what the origin comes to.
static bool isJoined(const Capture &capture, const Stream &origin) {
  std::set<Node *> before(origin.tails.begin(), origin.tails.end());
  std::vector<Node *> left = origin.tails;
  while (!left.empty()) {
    Node *node = left.back();
    left.pop_back();
    for (Node *behind : node->behind) {
      if (before.insert(behind).second) {
        left.push_back(behind);
      }
    }
  }
  bool joined = true;
  state().streams.forEach([&](Stream &stream) {
    if (stream.capture.get() == &capture && &stream != &origin) {
      joined &= std::all_of(stream.tails.begin(), stream.tails.end(),
                            [&](Node *n) { return before.contains(n); });
    }
  });
  return joined;
}

static void endCapture(const std::shared_ptr<Capture> &capture) {
  State &s = state();
  std::erase(s.captures, capture);
  s.streams.forEachEver([&](Stream &stream) {
    if (stream.capture == capture) {
      stream.capture = nullptr;
      stream.tails.clear();
    }
  });
  s.events.forEach([&](Event &event) {
    if (event.capture == capture) {
      event.capture = nullptr;
      event.nodes.clear();
    }
  });
}

} // namespace girih::simulated

using namespace girih::simulated;

extern "C" {

int cuThreadExchangeStreamCaptureMode(int *mode) {
  return call("cuThreadExchangeStreamCaptureMode", [&](Lock &) -> int {
    if (*mode < 0 || *mode > 2) {
      return cu::invalidValue;
    }
    std::swap(*mode, captureMode);
    return 0;
  });
}

int cuStreamIsCapturing(void *handle, int *status) {
  return call("cuStreamIsCapturing", [&](Lock &) -> int {
    int error = 0;
    Stream *stream = streamOf("cuStreamIsCapturing", handle, error);
    if (!stream) {
      return error;
    }
    if (stream->legacy) {
      // It is told so and ruins nothing.
      state().streams.forEach([&](Stream &other) {
        if (other.capture && other.blocking &&
            other.context == stream->context) {
          error = cu::captureImplicit;
        }
      });
    }
    *status = !stream->capture           ? cu::captureNone
              : stream->capture->invalid ? cu::captureStatusInvalidated
                                         : cu::captureActive;
    return error;
  });
}

int cuStreamBeginCapture_v2(void *handle, int mode) {
  return call("cuStreamBeginCapture", [&](Lock &) -> int {
    State &s = state();
    int error = 0;
    Stream *stream = streamOf("cuStreamBeginCapture", handle, error);
    if (!stream) {
      return error;
    }
    if (stream->legacy) {
      return cu::captureUnsupported;
    }
    if (stream->capture) {
      return cu::illegalState;
    }
    if (mode < 0 || mode > 2) {
      return cu::invalidValue;
    }
    auto capture = std::make_shared<Capture>();
    capture->graph = s.graphs.add();
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = stream;
    s.captures.push_back(capture);
    stream->capture = capture;
    return 0;
  });
}

int cuStreamEndCapture(void *handle, void **graph) {
  return call("cuStreamEndCapture", [&](Lock &) -> int {
    int error = 0;
    Stream *stream = streamOf("cuStreamEndCapture", handle, error);
    if (!stream) {
      return error;
    }
    std::shared_ptr<Capture> capture = stream->capture;
    if (!capture) {
      return cu::illegalState;
    }
    if (capture->mode != cu::captureRelaxed &&
        capture->thread != std::this_thread::get_id()) {
      return cu::captureWrongThread;
    }
    if (capture->origin != stream) {
      ruin(*capture);
      return cu::captureUnmatched;
    }
    error = capture->invalid               ? cu::captureInvalidated
            : !isJoined(*capture, *stream) ? cu::captureUnjoined
                                           : 0;
    *graph = error ? nullptr : capture->graph;
    capture->graph->live = !error;
    endCapture(capture);
    return error;
  });
}

} // extern "C"
