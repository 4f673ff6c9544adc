// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, contexts, captures and foreign memory: what the driver knows about
// them is asked before anything is done that would fail, since a call that
// fails beside a capture ruins the capture.

#include "runtime/artefact/Text.h"
#include "runtime/driver/Driver.h"

#include <fmt/format.h>
#include <map>
#include <mutex>

namespace girih::runtime {

/// CU_STREAM_CAPTURE_MODE_RELAXED
static constexpr int relaxedMode = 2;
// CUDA_ERROR_INVALID_VALUE, _INVALID_CONTEXT and _STREAM_CAPTURE_IMPLICIT
static constexpr int invalidValue = 1, invalidContext = 201,
                     captureImplicit = 906;
/// CU_STREAM_CAPTURE_STATUS_INVALIDATED
static constexpr int captureInvalidated = 2;

// Each call to the driver counts a reference that nobody gives back.
Expected<void *> primaryContext(const Driver &driver, int device) {
  static std::mutex mutex;
  static std::map<int, void *> retained;
  std::lock_guard lock(mutex);
  void *&context = retained[device];
  if (!context) {
    if (int error = driver.primaryContextRetain(&context, device)) {
      return driverFailure(driver, "cuDevicePrimaryCtxRetain", error);
    }
  }
  return context;
}

Entered::Entered(const Driver &driver, void *context) : driver(driver) {
  void *current = nullptr;
  if (driver.contextGetCurrent(&current) == 0 && current == context) {
    return;
  }
  if (int error = driver.contextPush(context)) {
    failure = driverFailure(driver, "cuCtxPushCurrent", error);
    return;
  }
  pushed = true;
}

Entered::~Entered() {
  void *popped = nullptr;
  if (pushed) {
    driver.contextPop(&popped);
  }
}

Expected<void *> handleAtHand(const Driver &driver) {
  void *current = nullptr;
  if (int error = driver.contextGetCurrent(&current)) {
    return driverFailure(driver, "cuCtxGetCurrent", error);
  }
  if (current) {
    return current;
  }
  int first = 0;
  if (driver.deviceGet(&first, 0) != 0) {
    return Error{ErrorKind::NoGpu, "the CUDA driver sees no device"};
  }
  return primaryContext(driver, first);
}

/// A context with its device.
static Expected<Context> describeContext(const Driver &driver, void *handle) {
  Entered entered(driver, handle);
  if (entered.error()) {
    return *entered.error();
  }
  int device = 0;
  if (int error = driver.contextGetDevice(&device)) {
    return driverFailure(driver, "cuCtxGetDevice", error);
  }
  Expected<Device> described = describeDevice(driver, device);
  if (!described) {
    return described.error();
  }
  return Context{handle, *described};
}

Expected<Context> contextAtHand(const Driver &driver) {
  Expected<void *> handle = handleAtHand(driver);
  return handle ? describeContext(driver, *handle)
                : Expected<Context>(handle.error());
}

Expected<Context> enterContext(const Driver &driver) {
  Expected<Context> context = contextAtHand(driver);
  if (context) {
    if (int error = driver.contextSetCurrent(context->handle)) {
      return driverFailure(driver, "cuCtxSetCurrent", error);
    }
  }
  return context;
}

BesideCaptures::BesideCaptures(const Driver &driver)
    : driver(driver), mode(relaxedMode) {
  driver.exchangeCaptureMode(&mode);
}

BesideCaptures::~BesideCaptures() { driver.exchangeCaptureMode(&mode); }

Expected<bool> isCaptured(const Driver &driver, void *stream) {
  int status = 0;
  int error = driver.streamIsCapturing(stream, &status);
  if (error == captureImplicit) {
    return Error{ErrorKind::Usage,
                 "a graph is captured from a stream that waits for the "
                 "default stream, where nothing can be queued until the "
                 "capture has ended"};
  }
  if (error) {
    return driverFailure(driver, "cuStreamIsCapturing", error);
  }
  if (status == captureInvalidated) {
    return Error{ErrorKind::Usage,
                 "the capture of this stream has failed already"};
  }
  return status != 0;
}

namespace {

/// What the driver knows about an address. Asked for all at once: the function
/// for a single attribute fails where no memory is.
struct Attributes {
  enum Kind : int {
    OfContext = 1,
    OfMemoryType = 2,
    OfDevicePointer = 3,
    OfManaged = 8,
    OfDevice = 9,
    OfRangeStart = 11,
    OfRangeSize = 12
  };
  void *context = nullptr;
  unsigned memoryType = 0; ///< 0 unknown, 1 host, 2 device
  DevicePointer onDevice = 0;
  unsigned managed = 0;
  int device = -1;
  DevicePointer start = 0;
  size_t size = 0; ///< 0 when unknown

  int ask(const Driver &driver, DevicePointer address) {
    static constexpr int kinds[] = {OfContext,  OfMemoryType, OfDevicePointer,
                                    OfManaged,  OfDevice,     OfRangeStart,
                                    OfRangeSize};
    void *values[] = {&context, &memoryType, &onDevice, &managed,
                      &device,  &start,      &size};
    return driver.pointerGetAttributes(std::size(kinds), kinds, values,
                                       address);
  }
};

/// Allocations, one behind the other, in which a tensor may lie.
constexpr int maxAllocations = 1 << 16;

} // namespace

Expected<Context> contextOfMemory(const Driver &driver, const Context &here,
                                  DevicePointer address) {
  Attributes found;
  Entered entered(driver, here.handle);
  // What is no memory of a device MemoryCheck says.
  if (entered.error() || found.ask(driver, address) != 0 ||
      found.memoryType != 2 || found.managed != 0 ||
      found.device == here.device.handle) {
    return here;
  }
  Expected<void *> other = found.context ? Expected<void *>(found.context)
                                         : primaryContext(driver, found.device);
  return other ? describeContext(driver, *other)
               : Expected<Context>(other.error());
}

std::optional<Error> MemoryCheck::check(const std::string &what,
                                        DevicePointer address, uint64_t bytes) {
  auto refuse = [&](std::string reason) {
    return Error{ErrorKind::Usage, what + reason};
  };
  if (bytes == 0) {
    return std::nullopt;
  }
  for (const Allocation &whole : known) {
    if (whole.begin <= address && address < whole.end &&
        bytes <= whole.end - address) {
      return std::nullopt;
    }
  }
  DevicePointer at = address;
  for (int k = 0; k < maxAllocations; ++k) {
    Attributes found;
    int error = found.ask(driver, at);
    if (error == invalidValue || error == invalidContext) {
      found = {}; // some drivers say so where no memory is
    } else if (error) {
      return driverFailure(driver, "cuPointerGetAttributes", error);
    }
    bool onDevice = found.memoryType > 1 || found.managed != 0 ||
                    (found.memoryType == 1 && found.onDevice == at);
    if (!onDevice) {
      return refuse(
          at == address
              ? fmt::format(" at {:#x} is no memory of a device", address)
              : fmt::format(
                    " at {:#x} takes {}, the memory there ends after {}",
                    address, counted(bytes, "byte", "bytes"), at - address));
    }
    if (found.memoryType != 1 && found.managed == 0 &&
        found.device != context.device.handle) {
      return refuse(fmt::format(" lies on device {}, the kernel is on device "
                                "{}",
                                found.device, context.device.handle));
    }
    if (found.context && found.memoryType != 1 &&
        found.context != context.handle) {
      return refuse(fmt::format(" belongs to another context of device {} than "
                                "the kernel",
                                found.device));
    }
    DevicePointer end = found.start + found.size;
    // What the device reaches of the host it may not reach at each address.
    if (found.memoryType != 1 && found.start <= at && at < end) {
      known.push_back({found.start, end});
    }
    if (end <= at || end - address >= bytes) {
      return std::nullopt; // unknown, or far enough
    }
    at = end;
  }
  return refuse(fmt::format(" at {:#x} lies in more than {} allocations",
                            address, maxAllocations));
}

} // namespace girih::runtime
