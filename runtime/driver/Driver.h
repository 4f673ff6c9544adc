// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, opened at run time, so that one binary runs on machines with
// and without a GPU. The functions are declared here with their ABI, so that
// the runtime builds without a CUDA toolkit.

#ifndef GIRIH_RUNTIME_DRIVER_DRIVER_H
#define GIRIH_RUNTIME_DRIVER_DRIVER_H

#include "runtime/artefact/Expected.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace girih::runtime {

/// An address in device memory.
using DevicePointer = uint64_t;

/// The functions of the driver that the runtime calls. Every one returns a
/// CUresult, 0 for success. Handles are the driver's pointers.
struct Driver {
  int (*init)(unsigned flags) = nullptr;
  int (*driverGetVersion)(int *version) = nullptr;
  int (*getErrorName)(int error, const char **name) = nullptr;
  int (*deviceGetCount)(int *count) = nullptr;
  int (*deviceGet)(int *device, int ordinal) = nullptr;
  int (*deviceGetName)(char *name, int length, int device) = nullptr;
  int (*deviceGetAttribute)(int *value, int attribute, int device) = nullptr;
  int (*primaryContextRetain)(void **context, int device) = nullptr;
  int (*contextGetCurrent)(void **context) = nullptr;
  int (*contextSetCurrent)(void *context) = nullptr;
  int (*contextPush)(void *context) = nullptr;
  int (*contextPop)(void **context) = nullptr;
  int (*contextGetDevice)(int *device) = nullptr;
  int (*contextSynchronize)() = nullptr;
  int (*moduleLoadData)(void **module, const void *image) = nullptr;
  int (*moduleUnload)(void *module) = nullptr;
  int (*moduleGetFunction)(void **function, void *module,
                           const char *name) = nullptr;
  int (*functionGetParamInfo)(void *function, size_t index, size_t *offset,
                              size_t *size) = nullptr;
  int (*functionSetAttribute)(void *function, int attribute,
                              int value) = nullptr;
  int (*launchKernel)(void *function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes, void *stream,
                      void **parameters, void **extra) = nullptr;
  int (*streamSynchronize)(void *stream) = nullptr;
  int (*streamIsCapturing)(void *stream, int *status) = nullptr;
  int (*exchangeCaptureMode)(int *mode) = nullptr;
  int (*memoryAllocate)(DevicePointer *pointer, size_t bytes) = nullptr;
  int (*memoryFree)(DevicePointer pointer) = nullptr;
  int (*pointerGetAttributes)(unsigned count, const int *attributes,
                              void **values, DevicePointer pointer) = nullptr;
  int (*copyToDevice)(DevicePointer to, const void *from,
                      size_t bytes) = nullptr;
  int (*copyToHost)(void *to, DevicePointer from, size_t bytes) = nullptr;
  int (*copyToHostBehind)(void *to, DevicePointer from, size_t bytes,
                          void *stream) = nullptr;
  int (*eventCreate)(void **event, unsigned flags) = nullptr;
  int (*eventDestroy)(void *event) = nullptr;
  int (*eventRecord)(void *event, void *stream) = nullptr;
  int (*eventSynchronize)(void *event) = nullptr;
  int (*eventElapsedTime)(float *milliseconds, void *from, void *to) = nullptr;
};

/// Opens the driver library and initialises it. It stays open until the
/// process ends.
Expected<Driver> openDriver();

/// `cuLaunchKernel: CUDA_ERROR_INVALID_VALUE`.
Error driverFailure(const Driver &driver, const char *call, int error);

/// One GPU as the driver describes it.
struct Device {
  int handle = 0;
  std::string name;
  int major = 0, minor = 0; ///< compute capability: 9.0 is sm_90
  int multiprocessors = 0;
};

/// `sm_90`.
std::string architectureOf(const Device &device);

Expected<Device> describeDevice(const Driver &driver, int handle);

/// What the driver library says.
struct DriverInfo {
  int version = 0; ///< CUDA version that it serves, 1000 * major + 10 * minor
  std::vector<Device> devices;
};

Expected<DriverInfo> queryDevices(const Driver &driver);

/// A context of the driver, and its device.
struct Context {
  void *handle = nullptr;
  Device device;
};

/// The primary context of a device, which is retained once and stays retained.
Expected<void *> primaryContext(const Driver &driver, int device);

/// The current context of this thread, or else the primary context of the first
/// device, which is retained once and stays retained. Changes nothing.
Expected<void *> handleAtHand(const Driver &driver);
/// The same with its device.
Expected<Context> contextAtHand(const Driver &driver);
/// Where memory is used: in the context at hand, or, if it is of another
/// device, in its own context, or in that device's primary one where it has
/// none.
Expected<Context> contextOfMemory(const Driver &driver, const Context &here,
                                  DevicePointer address);

/// Makes that context the current one of this thread, for good.
Expected<Context> enterContext(const Driver &driver);

/// Makes a context the current one of this thread for as long as it lives.
class Entered {
public:
  Entered(const Driver &driver, void *context);
  Entered(const Entered &) = delete;
  Entered &operator=(const Entered &) = delete;
  ~Entered();

  /// Why the context could not be entered, if it could not.
  const std::optional<Error> &error() const { return failure; }

private:
  const Driver &driver;
  bool pushed = false;
  std::optional<Error> failure;
};

/// For as long as it lives, calls of this thread that have nothing to do with a
/// capture (allocations, module loads) are let through while a stream is
/// captured. Without it they fail, and the capture with them.
class BesideCaptures {
public:
  explicit BesideCaptures(const Driver &driver);
  BesideCaptures(const BesideCaptures &) = delete;
  BesideCaptures &operator=(const BesideCaptures &) = delete;
  ~BesideCaptures();

private:
  const Driver &driver;
  int mode;
};

/// Whether a stream is being captured into a graph. Refused, and the capture
/// left as it is, for the default stream while a stream is captured that waits
/// for it: nothing may be queued there then.
Expected<bool> isCaptured(const Driver &driver, void *stream);

/// Checks that bytes are memory of a context's device. The driver is asked once
/// for each allocation, so one of these serves one call and no other: what it
/// has heard may be wrong afterwards.
class MemoryCheck {
public:
  MemoryCheck(const Driver &driver, const Context &context)
      : driver(driver), context(context) {}

  /// `what` names them in a message.
  std::optional<Error> check(const std::string &what, DevicePointer address,
                             uint64_t bytes);

private:
  struct Allocation {
    DevicePointer begin, end;
  };
  const Driver &driver;
  const Context &context;
  std::vector<Allocation> known;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_DRIVER_H
