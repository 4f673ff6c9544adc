// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch on copies of what it reads (arguments/Repack.h): memory for them
// from a pool of the runtime's own, the copies, the launch and the memory's
// end, all behind one another on one stream.

#ifndef GIRIH_RUNTIME_DRIVER_REPACKED_H
#define GIRIH_RUNTIME_DRIVER_REPACKED_H

#include "runtime/arguments/Repack.h"
#include "runtime/driver/Launch.h"

namespace girih::runtime {

struct RepackedLaunch {
  Repacking repacking;
  std::shared_ptr<LoadedCode> code;
  /// Of its entry; addresses and scalars are still to come.
  ParameterBlock parameters;
  /// Which parameters of the launch that it stands for are which of its own.
  struct Place {
    size_t from, to, bytes;
  };
  std::vector<Place> places;
  /// Which parameters are the addresses of a tensor that is copied.
  struct Pointer {
    size_t parameter, copies;
  };
  std::vector<Pointer> pointers;
};

/// Readies it, by the code and the parameters of its plan; null where the
/// launch that it stands for has not all of its parameters.
std::shared_ptr<const RepackedLaunch>
repackedLaunch(const Manifest &manifest, const LaunchPlan &instead,
               Repacking repacking, std::shared_ptr<LoadedCode> code,
               ParameterBlock parameters);

/// Queues it on a stream that is not captured, in a context that is entered,
/// with the parameters of the launch that it stands for. False, and nothing was
/// queued, where there is no memory for copies.
Expected<bool> launchRepacked(const Driver &driver,
                              const RepackedLaunch &launch,
                              void *const *parameters, void *stream);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_REPACKED_H
