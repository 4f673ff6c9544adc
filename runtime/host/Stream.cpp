// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/States.h"

namespace girih {
namespace detail {

static uint64_t newId() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

StreamState::StreamState(DeviceState &device, void *handle, bool isOwned)
    : device(device), handle(handle), isOwned(isOwned), id(newId()) {}

StreamState::~StreamState() {
  if (!isOwned) {
    return;
  }
  // The driver lets what is queued run first. It may have ended itself, with
  // the process.
  runtime::Entered entered(driver(), device.context);
  functions().streamDestroy(handle);
}

bool StreamState::isBehind(const StreamState &other, uint64_t ticket) noexcept {
  if (&other == this || other.completed.load() >= ticket) {
    return true;
  }
  std::lock_guard guard(lock);
  for (auto &[stream, reached] : behind) {
    if (stream == other.id) {
      return reached >= ticket;
    }
  }
  return false;
}

void StreamState::waitFor(StreamState &other) {
  // Read before the event is recorded: so the event is behind all of it.
  uint64_t reached = other.ticket.load();
  void *event = nullptr;
  {
    InContext in(other.device);
    event = other.device.takeEvent();
    int error = driver().eventRecord(event, other.handle);
    if (error) {
      other.device.giveEvent(event);
      throwFailure("cuEventRecord", error);
    }
  }
  int error = 0;
  {
    InContext in(device);
    error = functions().streamWaitEvent(handle, event, 0);
  }
  // The wait is for what was recorded now, whatever the event records later.
  other.device.giveEvent(event);
  check(error, "cuStreamWaitEvent");
  std::lock_guard guard(lock);
  for (auto &[stream, known] : behind) {
    if (stream == other.id) {
      known = std::max(known, reached);
      return;
    }
  }
  if (behind.size() == maxRemembered) {
    behind.clear();
  }
  behind.emplace_back(other.id, reached);
}

void StreamState::look() noexcept {
  if (!isOwned) {
    return;
  }
  uint64_t reached = ticket.load();
  runtime::Entered entered(driver(), device.context);
  runtime::BesideCaptures beside(driver());
  int status = runtime::cu::captureNone;
  if (driver().streamIsCapturing(handle, &status) == 0 &&
      status == runtime::cu::captureNone &&
      functions().streamQuery(handle) == 0) {
    raise(completed, reached);
  }
}

EventState::EventState(std::shared_ptr<StreamState> on, Timing timing)
    : stream(std::move(on)), timing(timing), ticket(stream->ticket.load()) {
  InContext in(stream->device);
  if (timing == Timing::Timed) {
    check(driver().eventCreate(&handle, runtime::cu::eventDefault),
          "cuEventCreate");
  } else {
    handle = stream->device.takeEvent();
  }
  if (int error = driver().eventRecord(handle, stream->handle)) {
    driver().eventDestroy(handle);
    throwFailure("cuEventRecord", error);
  }
}

EventState::~EventState() {
  if (timing == Timing::Timed) {
    driver().eventDestroy(handle);
  } else {
    stream->device.giveEvent(handle);
  }
}

} // namespace detail

using detail::check;
using detail::driver;
using detail::functions;
using detail::InContext;

bool Event::query() const {
  InContext in(state->stream->device);
  int error = functions().eventQuery(state->handle);
  if (error == runtime::cu::notReady) {
    return false;
  }
  check(error, "cuEventQuery");
  detail::raise(state->stream->completed, state->ticket);
  return true;
}

void Event::synchronize() const {
  InContext in(state->stream->device);
  check(driver().eventSynchronize(state->handle), "cuEventSynchronize");
  detail::raise(state->stream->completed, state->ticket);
}

float Event::millisecondsSince(const Event &earlier) const {
  if (state->timing != Timing::Timed ||
      earlier.state->timing != Timing::Timed) {
    throw RuntimeError(3, "an event was recorded without its time");
  }
  InContext in(state->stream->device);
  float time = 0;
  check(driver().eventElapsedTime(&time, earlier.state->handle, state->handle),
        "cuEventElapsedTime");
  return time;
}

void *Event::handle() const noexcept { return state->handle; }

Stream Stream::create(const Device &device) {
  detail::DeviceState &on = device.internal();
  InContext in(on);
  void *handle = nullptr;
  check(functions().streamCreate(&handle, runtime::cu::streamNonBlocking),
        "cuStreamCreate");
  return Stream(std::make_shared<detail::StreamState>(on, handle, true));
}

Stream Stream::fromForeign(void *stream, const Device &device) {
  return Stream(
      std::make_shared<detail::StreamState>(device.internal(), stream, false));
}

Device Stream::device() const noexcept { return Device(state->device); }
void *Stream::handle() const noexcept { return state->handle; }

Event Stream::record(Timing timing) const {
  return Event(std::make_shared<detail::EventState>(state, timing));
}

void Stream::wait(const Event &event) const {
  InContext in(state->device);
  check(functions().streamWaitEvent(state->handle, event.handle(), 0),
        "cuStreamWaitEvent");
}

bool Stream::query() const {
  uint64_t reached = state->ticket.load();
  InContext in(state->device);
  int error = functions().streamQuery(state->handle);
  if (error == runtime::cu::notReady) {
    return false;
  }
  check(error, "cuStreamQuery");
  detail::raise(state->completed, reached);
  return true;
}

void Stream::synchronize() const {
  uint64_t reached = state->ticket.load();
  InContext in(state->device);
  check(driver().streamSynchronize(state->handle), "cuStreamSynchronize");
  detail::raise(state->completed, reached);
}

} // namespace girih
