// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver, opened at run time, so that one binary runs on machines with
// and without a GPU.

#ifndef GIRIH_RUNTIME_DRIVER_H
#define GIRIH_RUNTIME_DRIVER_H

#include <string>
#include <variant>
#include <vector>

namespace girih::runtime {

/// One GPU as the driver describes it.
struct Device {
  std::string name;
  int major = 0, minor = 0; ///< compute capability: 9.0 is sm_90
  int multiprocessors = 0;
};

/// What the driver library says.
struct DriverInfo {
  int version = 0; ///< CUDA version that it serves, 1000 * major + 10 * minor
  std::vector<Device> devices;
};

/// Asks the driver; the string says why there is no answer (no library, no
/// device).
std::variant<DriverInfo, std::string> queryDriver();

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_H
