// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A call of a kernel without the types of its arguments.

#ifndef GIRIH_RUNTIME_EXECUTION_REQUEST_H
#define GIRIH_RUNTIME_EXECUTION_REQUEST_H

#include "runtime/host/Access.h"

#include <span>
#include <string>

namespace girih {

class KernelState;
class Stream;

/// How it is known that a tensor's contents are what the contract gives.
enum class Known : unsigned char {
  Not,       ///< the launch is refused if it has to be
  Contents,  ///< a copy in host memory is looked through
  Vouched,   ///< the caller says so
  Validated, ///< what lies on the device is looked through before the launch
};

struct LaunchArgument {
  ArgumentView view;
  Known known = Known::Not;
  const void *contents = nullptr; ///< row-major, with as many elements:
  size_t count = 0;
};

struct LaunchRequest {
  std::span<const LaunchArgument> tensors; ///< in the kernel's order
  std::span<Access> accesses;              ///< of the same
  std::span<const double> scalars;
  std::span<const int64_t> symbols; ///< neither extents nor strides
};

namespace detail {

/// Checks a request against the contract and queues it, on the stream or, with
/// a null one, where its arguments were used last. Throws what is wrong with
/// it, and says which launch that was.
Stream queueLaunch(KernelState &kernel, const LaunchRequest &request,
                   const Stream *stream);

/// An error of work that had been queued, with the launch.
std::exception_ptr launchError(const KernelState &kernel,
                               const LaunchRequest &request,
                               std::exception_ptr error);

AccessMode modeOf(const KernelState &kernel, size_t tensor);

} // namespace detail
} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_REQUEST_H
