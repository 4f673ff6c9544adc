// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, opened at run time, so that one binary runs on machines with
// and without a GPU. The functions are declared here with their ABI, so that
// the runtime builds without a CUDA toolkit.

#ifndef GIRIH_RUNTIME_DRIVER_H
#define GIRIH_RUNTIME_DRIVER_H

#include "runtime/Result.h"

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
  int (*contextGetDevice)(int *device) = nullptr;
  int (*contextSynchronize)() = nullptr;
  int (*moduleLoadData)(void **module, const void *image) = nullptr;
  int (*moduleUnload)(void *module) = nullptr;
  int (*moduleGetFunction)(void **function, void *module,
                           const char *name) = nullptr;
  int (*functionGetParamInfo)(void *function, size_t index, size_t *offset,
                              size_t *size) = nullptr;
  int (*launchKernel)(void *function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes, void *stream,
                      void **parameters, void **extra) = nullptr;
  int (*streamSynchronize)(void *stream) = nullptr;
  int (*streamIsCapturing)(void *stream, int *status) = nullptr;
  int (*memoryAllocate)(DevicePointer *pointer, size_t bytes) = nullptr;
  int (*memoryFree)(DevicePointer pointer) = nullptr;
  int (*copyToDevice)(DevicePointer to, const void *from,
                      size_t bytes) = nullptr;
  int (*copyToHost)(void *to, DevicePointer from, size_t bytes) = nullptr;
  int (*eventCreate)(void **event, unsigned flags) = nullptr;
  int (*eventDestroy)(void *event) = nullptr;
  int (*eventRecord)(void *event, void *stream) = nullptr;
  int (*eventSynchronize)(void *event) = nullptr;
  int (*eventElapsedTime)(float *milliseconds, void *from, void *to) = nullptr;
};

/// Opens the driver library and initialises it. It stays open until the
/// process ends.
Result<Driver> openDriver();

/// `cuLaunchKernel: CUDA_ERROR_INVALID_VALUE`.
Refusal driverFailure(const Driver &driver, const char *call, int error);

/// One GPU as the driver describes it.
struct Device {
  int handle = 0;
  std::string name;
  int major = 0, minor = 0; ///< compute capability: 9.0 is sm_90
  int multiprocessors = 0;
};

/// `sm_90`.
std::string architectureOf(const Device &device);

/// What the driver library says.
struct DriverInfo {
  int version = 0; ///< CUDA version that it serves, 1000 * major + 10 * minor
  std::vector<Device> devices;
};

Result<DriverInfo> queryDevices(const Driver &driver);

/// Makes sure that this thread has a context: the current one, or else the
/// primary context of the first device. Returns its device.
Result<Device> enterContext(const Driver &driver);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_H
