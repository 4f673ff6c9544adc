// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Devices, and what this library has of their memory.

#ifndef GIRIH_RUNTIME_HOST_DEVICE_H
#define GIRIH_RUNTIME_HOST_DEVICE_H

#include <cstdint>
#include <memory>
#include <string>

namespace girih {
/// \cond
namespace detail {
struct DeviceState;
class InContext;
} // namespace detail
/// \endcond
class Stream;

/// Memory that tensors of a device have.
struct MemoryUse {
  std::uint64_t live = 0;        ///< bytes allocated and not freed
  std::uint64_t peak = 0;        ///< the most that were live at once
  std::uint64_t allocations = 0; ///< since the process began
  std::uint64_t frees = 0;       ///< of these
  std::uint64_t failedFrees = 0; ///< that the driver refused; still live
};

/// How elements get from one device to another.
enum class PeerPath : unsigned char {
  Any,    ///< as the driver can, through host memory where it has to
  Direct, ///< only where one device reaches the other's memory
};

/// A GPU. Cheap to copy; copies are the same device. Every function may be
/// called in any thread.
class Device {
public:
  /// How many there are; 0 without a driver.
  static int count() noexcept;
  /// One of them, by the driver's number. Its primary context is retained once
  /// and stays. Throws RuntimeError, with code 77 where it does not exist.
  static Device get(int ordinal = 0);

  /// The driver's number.
  int ordinal() const noexcept;
  /// `NVIDIA H200`.
  const std::string &name() const noexcept;
  /// `sm_90`.
  const std::string &architecture() const noexcept;
  /// What tensors have of its memory. What is freed counts as free once the
  /// free is queued.
  MemoryUse memory() const noexcept;
  /// Gives the driver back what its pool holds and no tensor has. The pool
  /// keeps what is freed otherwise, also across synchronisation.
  void trim() const;
  /// One of a few streams of the library, in turn.
  Stream nextStream() const;
  /// Waits for all that is queued on the device; throws its error.
  void synchronize() const;
  /// Whether it can read and write memory of another device without the host
  /// between them.
  bool canReach(const Device &other) const;
  /// The primary context, a CUcontext.
  void *context() const noexcept;

  /// Whether both are the same device.
  friend bool operator==(const Device &a, const Device &b) noexcept {
    return a.state == b.state;
  }

  /// \cond
  explicit Device(detail::DeviceState &state) : state(&state) {}
  detail::DeviceState &internal() const noexcept { return *state; }
  /// \endcond

private:
  detail::DeviceState *state;
};

/// Makes a device's primary context the current one of this thread, as long as
/// it lives. Every call of the library does so where another one is current,
/// which takes two calls of the driver each time: a thread that does nothing
/// else need not. For one thread; those of one thread end in reverse order.
class CurrentDevice {
public:
  /// Throws what the driver returns.
  explicit CurrentDevice(const Device &device);
  CurrentDevice(const CurrentDevice &) = delete;
  CurrentDevice &operator=(const CurrentDevice &) = delete;
  /// Makes the context before it the current one again.
  ~CurrentDevice();

private:
  std::unique_ptr<detail::InContext> in;
};

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_DEVICE_H
