// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contract gives about contents, looked up in device memory before a
// launch: by a shipped kernel, itself verified, or in a copy on the host.

#ifndef GIRIH_RUNTIME_DRIVER_VALIDATE_H
#define GIRIH_RUNTIME_DRIVER_VALIDATE_H

#include "runtime/arguments/Contract.h"
#include "runtime/driver/Driver.h"

#include <memory>

namespace girih::runtime {

struct KernelLaunch;
class Kernel;

/// Device memory that is freed with its last owner.
struct DeviceMemory {
  static Expected<std::shared_ptr<DeviceMemory>> make(const Driver &driver,
                                                      size_t bytes);
  DeviceMemory(const Driver &driver, DevicePointer address)
      : driver(&driver), address(address) {}
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  const Driver *driver;
  DevicePointer address;
};

/// One fact about one tensor on the device.
struct Validation {
  Precondition given;
  Bounds bounds;
  Layout layout;
  DevicePointer address = 0;
  /// Writes, for each of its blocks, the number of an element that breaks the
  /// fact or one behind the last; null where the host looks instead.
  std::shared_ptr<KernelLaunch> kernel;
  std::shared_ptr<DeviceMemory> found;
};

/// Readies what looks a fact up. `validator` is null when the artefact has no
/// kernel for it; one that does not fit this launch is not used.
Expected<Validation> prepareValidation(const Driver &driver,
                                       const Precondition &given, Bounds bounds,
                                       const Layout &layout,
                                       DevicePointer address,
                                       Kernel *validator);

/// Looks, behind all work of the stream, and waits for what it finds.
std::optional<Error> validate(const Driver &driver,
                              const Validation &validation, void *stream);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_VALIDATE_H
