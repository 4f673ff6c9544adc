// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loaded artefact, and what launches of it have in common: code by device,
// and plans by the sizes that they were made for. A plan is what the contract
// comes to for some sizes; it is a function of the artefact and these, so one
// that was made is never wrong later, only forgotten.

#ifndef GIRIH_RUNTIME_EXECUTION_KERNELSTATE_H
#define GIRIH_RUNTIME_EXECUTION_KERNELSTATE_H

#include "runtime/arguments/PlannedTensors.h"
#include "runtime/driver/Launch.h"
#include "runtime/execution/Request.h"
#include "runtime/execution/Signature.h"
#include "runtime/host/Device.h"

#include <array>
#include <atomic>

namespace girih {

/// A launch of some sizes, short of addresses and scalars.
struct CachedPlan {
  /// The extents of all tensors one behind the other, the strides that symbols
  /// take, then the symbols that the caller gives.
  std::vector<int64_t> key;
  runtime::LaunchPlan plan;
  std::shared_ptr<runtime::LoadedCode> code;
  runtime::PlannedTensors tensors;
  /// The parameters of the entry; addresses and scalars are still to come.
  runtime::ParameterBlock parameters;
  /// Where these go.
  struct Place {
    size_t parameter, from; ///< among the tensors, or among the scalars
  };
  std::vector<Place> addresses, scalars;
  /// What is launched in its place where no graph is captured, or null.
  std::shared_ptr<const runtime::RepackedLaunch> repacked;
};

/// A launch that passed the contract, for as often as it is run.
struct PreparedLaunch {
  std::shared_ptr<const CachedPlan> plan;
  runtime::ParameterBlock parameters;
  /// What is looked up in device memory first, each time.
  std::vector<runtime::Validation> validations;

  unsigned blocks() const { return static_cast<unsigned>(plan->plan.blocks); }
};

class KernelState {
public:
  explicit KernelState(runtime::Artefact artefact);
  KernelState(const KernelState &) = delete;
  ~KernelState();

  /// Throws if the artefact has another signature.
  void compare(const KernelSignature &signature) const;

  const runtime::Manifest &manifest() const { return artefact->manifest; }
  size_t tensorCount() const { return tensors.size(); }
  size_t scalarCount() const { return scalars.size(); }
  size_t symbolCount() const { return symbols.size(); }
  std::vector<SymbolSignature> symbolSignatures() const;
  /// What a tensor is used for, by its place among the tensors.
  AccessMode modeOf(size_t tensor) const { return modes[tensor]; }
  /// The places of a scalar and of a symbol of the caller; throws.
  size_t scalarNamed(std::string_view name) const;
  size_t symbolNamed(std::string_view name) const;
  bool isScalar(std::string_view name) const;

  /// Loads the code of all variants; throws.
  void prepare(const Device &device);
  /// Checks a request as `queue` does, and queues nothing; throws.
  PreparedLaunch prepare(const LaunchRequest &request, const Device &device);
  /// Remembers that prepared launches are queued there: code stays until they
  /// have run.
  void note(const Stream &stream);
  /// Checks a request and queues it; throws.
  Stream queue(const LaunchRequest &request, const Stream *stream);
  /// `gemm(M = 1, N = 2; grid (1, 2))`.
  std::string describe(const LaunchRequest &request) const;

private:
  struct OnDevice;

  OnDevice &on(const Device &device);
  runtime::Call callOf(const LaunchRequest &request) const;
  std::shared_ptr<const CachedPlan>
  planFor(OnDevice &on, const LaunchRequest &request, const Stream *stream);
  void checkCounts(const LaunchRequest &request) const;
  void setArguments(const CachedPlan &plan, const LaunchRequest &request,
                    void *const *parameters) const;
  std::shared_ptr<const CachedPlan> makePlan(OnDevice &on,
                                             const LaunchRequest &request);
  template <typename Visit>
  void forEachSize(const LaunchRequest &request, Visit visit) const;
  bool isFor(const CachedPlan &plan, const LaunchRequest &request) const;
  size_t slotOf(const LaunchRequest &request) const;
  void launch(OnDevice &on, const CachedPlan &plan,
              const LaunchRequest &request, const Stream &stream);
  void check(const CachedPlan &plan, const LaunchRequest &request) const;
  bool needsContents(const CachedPlan &plan,
                     const LaunchRequest &request) const;

  std::shared_ptr<const runtime::Artefact> artefact;
  /// Numbers of arguments and symbols of the manifest.
  std::vector<size_t> tensors, scalars, symbols;
  /// Strides that are the values of symbols: places among the tensors, and
  /// axes.
  std::vector<std::pair<size_t, size_t>> boundStrides;
  /// By argument, its place among its kind.
  std::vector<size_t> places;
  std::vector<AccessMode> modes;

  /// By ordinal of the device; null until it is used. A launch reads them
  /// without a lock.
  static constexpr size_t maxDevices = 64;
  std::array<std::atomic<OnDevice *>, maxDevices> devices{};
};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_KERNELSTATE_H
