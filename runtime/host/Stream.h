// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Queues of work on a device, and points in them.

#ifndef GIRIH_RUNTIME_HOST_STREAM_H
#define GIRIH_RUNTIME_HOST_STREAM_H

#include "runtime/host/Device.h"

#include <memory>

namespace girih {
/// \cond
namespace detail {
struct StreamState;
struct EventState;
} // namespace detail
/// \endcond

/// Whether the time between events can be read.
enum class Timing : unsigned char {
  None,  ///< cheaper
  Timed, ///< for Event::millisecondsSince
};

/// A point in a stream. Copies are the same event.
class Event {
public:
  /// The same event; moved is copied.
  Event(const Event &) = default;
  /// The same event; moved is copied.
  Event &operator=(const Event &) = default;

  /// Whether all that was queued before it has run; throws an error of the
  /// device.
  bool query() const;
  /// Waits for that in this thread; throws an error of the device.
  void synchronize() const;
  /// Time on the device since another event; both are timed and have happened.
  float millisecondsSince(const Event &earlier) const;
  /// The driver's handle, a CUevent.
  void *handle() const noexcept;

  /// \cond
  explicit Event(std::shared_ptr<detail::EventState> state)
      : state(std::move(state)) {}
  /// \endcond

private:
  std::shared_ptr<detail::EventState> state;
};

/// A queue of work on a device. Copies share one queue. Tensors are ordered
/// across streams by the library: events are needed for other work alone. Every
/// function may be called in any thread.
class Stream {
public:
  /// The same queue; moved is copied.
  Stream(const Stream &) = default;
  /// The same queue; moved is copied.
  Stream &operator=(const Stream &) = default;

  /// A new one, which does not wait for the default stream. It is destroyed
  /// when the last copy is gone and no tensor remembers work in it; what is
  /// queued runs nevertheless.
  [[nodiscard]] static Stream create(const Device &device = Device::get());
  /// A stream of the caller, a CUstream of the device's primary context; null
  /// is the default stream. It has to live for as long as a tensor that was
  /// used on it, and is not destroyed.
  [[nodiscard]] static Stream fromForeign(void *stream,
                                          const Device &device = Device::get());

  /// Whose it is.
  Device device() const noexcept;
  /// The driver's handle, a CUstream.
  void *handle() const noexcept;
  /// A point behind all that is queued now.
  [[nodiscard]] Event record(Timing timing = Timing::None) const;
  /// What is queued from now on waits for the event.
  void wait(const Event &event) const;
  /// Whether all that is queued has run; throws an error of the device.
  bool query() const;
  /// Waits for that in this thread; throws an error of the device.
  void synchronize() const;

  /// Whether both are one queue.
  friend bool operator==(const Stream &a, const Stream &b) noexcept {
    return a.state == b.state;
  }

  /// \cond
  explicit Stream(std::shared_ptr<detail::StreamState> state)
      : state(std::move(state)) {}
  const std::shared_ptr<detail::StreamState> &internal() const noexcept {
    return state;
  }
  /// \endcond

private:
  std::shared_ptr<detail::StreamState> state;
};

/// Where a tensor is made: behind what is queued on a stream, or on the next
/// stream of a device, the first one if nothing is said.
class Place {
public:
  /// The next stream of device 0.
  Place() : Place(Device::get()) {}
  /// The next stream of a device.
  Place(const Device &device) : queue(device.nextStream()) {}
  /// This stream.
  Place(Stream stream) : queue(std::move(stream)) {}
  /// The stream.
  const Stream &stream() const noexcept { return queue; }

private:
  Stream queue;
};

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_STREAM_H
