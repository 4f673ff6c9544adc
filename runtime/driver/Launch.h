// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a checked plan to a launch: modules, parameters, the driver call.

#ifndef GIRIH_RUNTIME_DRIVER_LAUNCH_H
#define GIRIH_RUNTIME_DRIVER_LAUNCH_H

#include "runtime/arguments/Contract.h"
#include "runtime/artefact/Artefact.h"
#include "runtime/driver/Validate.h"

#include <atomic>
#include <cstddef>
#include <memory>

namespace girih::runtime {

/// The bytes of all parameters, each at its natural alignment.
struct ParameterBlock {
  std::vector<std::byte> bytes;
  std::vector<size_t> offsets;
};

/// Lays out the parameters of the plan's variant in the manifest's order.
ParameterBlock packParameters(const Manifest &manifest, const LaunchPlan &plan,
                              const Call &call);

/// Writes other addresses and scalars, by argument number, into parameters that
/// were packed for a call that differs in nothing else.
void setParameters(const Manifest &manifest, size_t variant,
                   const std::vector<uint64_t> &addresses,
                   const std::vector<double> &scalars, ParameterBlock &block);

/// The code of one variant on the device, for as long as somebody may run it.
struct LoadedCode {
  void *module = nullptr, *function = nullptr;
  /// Of its launches.
  unsigned threads = 1, sharedBytes = 0;
  /// Tensors, by their place among the tensors, that it reads before it waits
  /// for the launches before it.
  std::vector<size_t> early;
  bool waits = false; ///< for the launches before it, in each block
  /// A graph holds it, and nobody says for how long: it is never unloaded.
  std::atomic<bool> captured = false;
};

struct RepackedLaunch;

/// A launch that passed the contract. It may be repeated for as long as the
/// memory that it names and its kernel live; it may be recorded into a graph,
/// which may outlive both the launch and its kernel.
struct KernelLaunch {
  std::shared_ptr<LoadedCode> code;
  unsigned blocks = 0; ///< none for an empty grid
  ParameterBlock parameters;
  /// What is launched in its place where no graph is captured, or null.
  std::shared_ptr<const RepackedLaunch> repacked;
  /// What is looked up in device memory first, each time.
  std::vector<Validation> validations;
  /// What nobody looks up: opt-outs of the kernel, and what the caller vouches
  /// for.
  std::vector<std::string> believed;
  std::string range; ///< for a profiler, or empty
};

/// An artefact on one device. Modules are loaded when a variant is first used
/// and unloaded with the kernel, unless a graph has recorded them.
class Kernel {
public:
  Kernel(const Driver &driver, Device device,
         std::shared_ptr<const Artefact> artefact);
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;
  ~Kernel();

  const Manifest &manifest() const { return artefact->manifest; }

  /// Readies the launch of a plan that was made for this call. A variant
  /// without a cubin for the device is refused, whatever the grid.
  Expected<KernelLaunch> prepare(const LaunchPlan &plan, const Call &call);

  /// The launch on copies that is to take the place of one, or null.
  Expected<std::shared_ptr<const RepackedLaunch>>
  repackedFor(const LaunchPlan &plan, const Call &call);

  /// The code of a variant, loaded if it is not.
  Expected<std::shared_ptr<LoadedCode>> code(size_t variant);
  /// Leaves all code loaded when the kernel goes: a launch may still run it.
  void keepLoaded();

private:
  Expected<Kernel *> validatorOf(const Precondition &given);
  std::optional<Error> prepareGivens(const LaunchPlan &plan, const Call &call,
                                     KernelLaunch &launch);

  const Driver *driver;
  Device device;
  std::shared_ptr<const Artefact> artefact;
  /// By variant; null until loaded.
  std::vector<std::shared_ptr<LoadedCode>> modules;
  /// Of what is given, by folder.
  std::map<std::string, std::unique_ptr<Kernel>> validators;
};

/// Queues a launch on a stream (null: the default one), after what it validates
/// has been looked up behind the work of that stream; a stream that is captured
/// cannot wait for that. An empty grid does nothing.
std::optional<Error> launch(const Driver &driver, KernelLaunch &whole,
                            void *stream);
/// The same with parameters of the caller, so that many threads may run one
/// launch at once.
std::optional<Error> launch(const Driver &driver, const KernelLaunch &launch,
                            ParameterBlock &block, void *stream);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_LAUNCH_H
