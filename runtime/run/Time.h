// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing launches with events of the device.

#ifndef GIRIH_RUNTIME_RUN_TIME_H
#define GIRIH_RUNTIME_RUN_TIME_H

#include "runtime/driver/Launch.h"

namespace girih::runtime {

/// Microseconds a launch.
struct Timing {
  double median = 0;
  double low = 0, high = 0; ///< the 10th and 90th percentile
  int samples = 0;
};

/// The statistics of some measurements, in any order; there is at least one.
Timing summarize(std::vector<double> microseconds);

/// Takes `samples` measurements of launches that are queued one behind the
/// other, so that what the host does is hidden. Short launches are repeated
/// within one measurement.
Expected<Timing> timeLaunch(const Driver &driver, KernelLaunch &what,
                            int samples, void *stream);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_RUN_TIME_H
