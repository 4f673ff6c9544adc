// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/KernelState.h"

#include "runtime/arguments/Preconditions.h"
#include "runtime/artefact/Text.h"
#include "runtime/driver/Ranges.h"
#include "runtime/driver/Repacked.h"
#include "runtime/execution/QueuedOperation.h"
#include "runtime/host/States.h"
#include "runtime/host/UsedStreams.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace girih::runtime;

namespace girih {

[[noreturn]] static void raise(const runtime::Error &error) {
  throw RuntimeError(exitCode(error.why), error.reason);
}

//===-- What is loaded ----------------------------------------------------===//

/// Plans that are kept, by the hash of their sizes.
static constexpr size_t maxPlans = 64;

struct KernelState::OnDevice {
  OnDevice(const Driver &driver, const runtime::Device &device,
           std::shared_ptr<const Artefact> artefact)
      : kernel(driver, device, std::move(artefact)) {}

  ~OnDevice();
  /// A plan that is kept, or null; a stream, where one is given, is noted.
  std::shared_ptr<const CachedPlan> find(const KernelState &state,
                                         const LaunchRequest &request,
                                         const Stream *stream);

  std::mutex mutex; ///< of the kernel: loading takes long
  runtime::Kernel kernel;
  detail::SpinLock lock; ///< of all that follows
  detail::UsedStreams streams;
  std::shared_ptr<const CachedPlan> last;
  std::array<std::shared_ptr<const CachedPlan>, maxPlans> plans;
};

/// Code is unloaded when no launch runs it any more; where that is unknown it
/// stays loaded.
KernelState::OnDevice::~OnDevice() {
  bool done = streams.areAll();
  for (const Stream &stream : streams.remembered()) {
    try {
      stream.synchronize();
    } catch (...) {
      done = false;
    }
  }
  if (!done) {
    kernel.keepLoaded();
  }
}

KernelState::KernelState(Artefact loaded)
    : artefact(std::make_shared<const Artefact>(std::move(loaded))) {
  const Manifest &manifest = artefact->manifest;
  for (size_t k = 0; k < manifest.arguments.size(); ++k) {
    const Argument &argument = manifest.arguments[k];
    std::vector<size_t> &kind = argument.isTensor ? tensors : scalars;
    places.push_back(kind.size());
    kind.push_back(k);
    for (size_t axis = 0; axis < argument.strides.size(); ++axis) {
      const Expression &stride = argument.strides[axis];
      if (stride.op == Expression::Op::Symbol &&
          manifest.symbols[stride.value].source == Symbol::Source::Stride) {
        boundStrides.emplace_back(places.back(), axis);
      }
    }
    if (argument.isTensor) {
      modes.push_back(argument.mode == Mode::Shared ? AccessMode::Read
                                                    : AccessMode::Write);
    }
  }
  for (size_t k = 0; k < manifest.symbols.size(); ++k) {
    if (manifest.symbols[k].source == Symbol::Source::Caller) {
      symbols.push_back(k);
    }
  }
}

KernelState::~KernelState() {
  for (std::atomic<OnDevice *> &device : devices) {
    delete device.load();
  }
}

KernelState::OnDevice &KernelState::on(const Device &device) {
  auto number = static_cast<size_t>(device.ordinal());
  if (number >= maxDevices) {
    throw RuntimeError(3, fmt::format("device {} is beyond the {} that kernels "
                                      "are loaded on",
                                      number, maxDevices));
  }
  std::atomic<OnDevice *> &place = devices[number];
  OnDevice *ready = place.load(std::memory_order_acquire);
  if (ready) {
    return *ready;
  }
  auto made = std::make_unique<OnDevice>(detail::driver(),
                                         device.internal().described, artefact);
  // Another thread may have been first.
  return place.compare_exchange_strong(ready, made.get()) ? *made.release()
                                                          : *ready;
}

//===-- Signatures and names ----------------------------------------------===//

static ArgumentMode kindOf(ArgumentMode mode) {
  // The manifest does not tell these apart.
  return mode == ArgumentMode::Atomic || mode == ArgumentMode::Raw
             ? ArgumentMode::Own
             : mode;
}

void KernelState::compare(const KernelSignature &signature) const {
  const Manifest &manifest = artefact->manifest;
  auto refuse = [&](const std::string &what) {
    throw RuntimeError(1, fmt::format("the header of {} is not of the artefact "
                                      "{}: {}",
                                      signature.name, manifest.name, what));
  };
  if (signature.name != manifest.name) {
    refuse("the names differ");
  }
  if (signature.arguments.size() != manifest.arguments.size()) {
    refuse(fmt::format(
        "{} against {}",
        counted(signature.arguments.size(), "argument", "arguments"),
        manifest.arguments.size()));
  }
  for (size_t k = 0; k < manifest.arguments.size(); ++k) {
    const ArgumentSignature &ours = signature.arguments[k];
    const Argument &theirs = manifest.arguments[k];
    bool same = ours.name == theirs.name && ours.isTensor == theirs.isTensor &&
                ours.element == nameOf(theirs.element);
    if (same && theirs.isTensor) {
      same =
          ours.rank == theirs.dims.size() &&
          static_cast<int>(kindOf(ours.mode)) == static_cast<int>(theirs.mode);
    }
    if (!same) {
      refuse(fmt::format("argument {}, %{} against %{}, is another one", k,
                         ours.name, theirs.name));
    }
  }
  bool same = std::equal(
      symbols.begin(), symbols.end(), signature.symbols.begin(),
      signature.symbols.end(), [&](size_t number, const SymbolSignature &ours) {
        const runtime::Symbol &theirs = manifest.symbols[number];
        return ours.name == theirs.name && ours.bits == theirs.bits;
      });
  if (!same) {
    refuse("the launch symbols differ");
  }
}

std::vector<SymbolSignature> KernelState::symbolSignatures() const {
  std::vector<SymbolSignature> out;
  for (size_t number : symbols) {
    const runtime::Symbol &symbol = artefact->manifest.symbols[number];
    out.push_back({symbol.name, symbol.bits});
  }
  return out;
}

bool KernelState::isScalar(std::string_view name) const {
  std::optional<size_t> number = argumentNamed(artefact->manifest, name);
  return number && !artefact->manifest.arguments[*number].isTensor;
}

size_t KernelState::scalarNamed(std::string_view name) const {
  return places[*argumentNamed(artefact->manifest, name)];
}

size_t KernelState::symbolNamed(std::string_view name) const {
  std::optional<size_t> number = runtime::symbolNamed(artefact->manifest, name);
  auto found = number ? std::find(symbols.begin(), symbols.end(), *number)
                      : symbols.end();
  if (found == symbols.end()) {
    throw RuntimeError(3, fmt::format("the kernel {} has no symbol and no "
                                      "scalar {} to be given",
                                      artefact->manifest.name, name));
  }
  return static_cast<size_t>(found - symbols.begin());
}

//===-- Plans -------------------------------------------------------------===//

/// The element type as the rooms below have it, with the same numbers.
static runtime::Element below(Element element) {
  static_assert(static_cast<int>(Element::F4E2M1FN) ==
                static_cast<int>(runtime::Element::F4E2M1FN));
  return static_cast<runtime::Element>(element);
}

/// -1 of a tensor that has no such axis.
static int64_t strideOf(const LaunchRequest &request, size_t tensor,
                        size_t axis) {
  std::span<const int64_t> strides = request.tensors[tensor].view.strides;
  return axis < strides.size() ? strides[axis] : -1;
}

/// Calls `visit` with the numbers that a plan is for.
template <typename Visit>
void KernelState::forEachSize(const LaunchRequest &request, Visit visit) const {
  for (const LaunchArgument &tensor : request.tensors) {
    for (int64_t extent : tensor.view.extents) {
      visit(extent);
    }
  }
  for (auto [tensor, axis] : boundStrides) {
    visit(strideOf(request, tensor, axis));
  }
  for (int64_t symbol : request.symbols) {
    visit(symbol);
  }
}

bool KernelState::isFor(const CachedPlan &plan,
                        const LaunchRequest &request) const {
  const int64_t *at = plan.key.data();
  for (size_t k = 0; k < tensors.size(); ++k) {
    std::span<const int64_t> extents = request.tensors[k].view.extents;
    // One behind the other they say nothing without the ranks.
    if (extents.size() !=
            artefact->manifest.arguments[tensors[k]].dims.size() ||
        !std::equal(extents.begin(), extents.end(), at)) {
      return false;
    }
    at += extents.size();
  }
  for (auto [tensor, axis] : boundStrides) {
    if (strideOf(request, tensor, axis) != *at++) {
      return false;
    }
  }
  return std::equal(request.symbols.begin(), request.symbols.end(), at);
}

size_t KernelState::slotOf(const LaunchRequest &request) const {
  uint64_t hash = 0;
  forEachSize(request, [&](int64_t size) {
    hash = (hash ^ static_cast<uint64_t>(size)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  });
  return hash % maxPlans;
}

Call KernelState::callOf(const LaunchRequest &request) const {
  const Manifest &manifest = artefact->manifest;
  static constexpr Evidence evidence[] = {Evidence::None, Evidence::Contents,
                                          Evidence::Vouched,
                                          Evidence::Validated};
  Call call;
  call.tensors.resize(manifest.arguments.size());
  call.scalars.resize(manifest.arguments.size());
  for (size_t k = 0; k < tensors.size(); ++k) {
    const LaunchArgument &tensor = request.tensors[k];
    const ArgumentView &view = tensor.view;
    if (tensor.known == Known::Contents) {
      size_t count = 1;
      for (int64_t extent : view.extents) {
        count *= static_cast<size_t>(extent);
      }
      if (count != tensor.count) {
        raise(
            {ErrorKind::Usage,
             fmt::format("contract: %{} has {}, of its contents {} are given",
                         manifest.arguments[tensors[k]].name,
                         counted(count, "element", "elements"), tensor.count)});
      }
    }
    call.tensors[tensors[k]] =
        TensorValue{view.address,
                    below(view.element),
                    {view.extents.begin(), view.extents.end()},
                    {view.strides.begin(), view.strides.end()},
                    evidence[static_cast<int>(tensor.known)],
                    tensor.contents};
  }
  for (size_t k = 0; k < scalars.size(); ++k) {
    call.scalars[scalars[k]] = request.scalars[k];
  }
  for (size_t k = 0; k < symbols.size(); ++k) {
    call.symbols[manifest.symbols[symbols[k]].name] = request.symbols[k];
  }
  return call;
}

std::shared_ptr<const CachedPlan>
KernelState::makePlan(OnDevice &on, const LaunchRequest &request) {
  const Manifest &manifest = artefact->manifest;
  Call call = callOf(request);
  Expected<std::vector<int64_t>> values = bindSymbols(manifest, call);
  if (!values) {
    raise(values.error());
  }
  Expected<LaunchPlan> plan = planLaunch(manifest, std::move(*values));
  if (!plan) {
    raise(plan.error());
  }
  auto made = std::make_shared<CachedPlan>();
  made->plan = std::move(*plan);
  BesideCaptures beside(detail::driver());
  Expected<std::shared_ptr<LoadedCode>> code =
      on.kernel.code(made->plan.variant);
  if (!code) {
    raise(code.error());
  }
  made->code = *code;
  auto repacked = on.kernel.repackedFor(made->plan, call);
  if (!repacked) {
    raise(repacked.error());
  }
  made->repacked = *repacked;
  made->parameters = packParameters(manifest, made->plan, call);
  made->tensors = PlannedTensors(manifest, made->plan);
  const Variant &variant = manifest.variants[made->plan.variant];
  for (size_t k = 0; k < variant.parameters.size(); ++k) {
    const Parameter &parameter = variant.parameters[k];
    if (parameter.kind == Parameter::Kind::Pointer) {
      made->addresses.push_back({k, places[parameter.argument]});
    } else if (parameter.kind == Parameter::Kind::Scalar) {
      made->scalars.push_back({k, places[parameter.argument]});
    }
  }
  forEachSize(request, [&](int64_t size) { made->key.push_back(size); });
  return made;
}

std::shared_ptr<const CachedPlan>
KernelState::OnDevice::find(const KernelState &state,
                            const LaunchRequest &request,
                            const Stream *stream) {
  std::lock_guard guard(lock);
  if (stream) {
    streams.note(*stream);
  }
  if (last && state.isFor(*last, request)) {
    return last;
  }
  const std::shared_ptr<const CachedPlan> &slot = plans[state.slotOf(request)];
  if (!slot || !state.isFor(*slot, request)) {
    return nullptr;
  }
  return last = slot;
}

std::shared_ptr<const CachedPlan>
KernelState::planFor(OnDevice &on, const LaunchRequest &request,
                     const Stream *stream) {
  if (auto found = on.find(*this, request, stream)) {
    return found;
  }
  std::lock_guard loading(on.mutex);
  std::shared_ptr<const CachedPlan> made = makePlan(on, request);
  std::lock_guard guard(on.lock);
  on.plans[slotOf(request)] = made;
  return on.last = made;
}

//===-- Launches ----------------------------------------------------------===//

/// Whether something is given of which the caller's word is not all.
bool KernelState::needsContents(const CachedPlan &plan,
                                const LaunchRequest &request) const {
  const auto &givens = artefact->manifest.variants[plan.plan.variant].givens;
  return std::any_of(
      givens.begin(), givens.end(), [&](const Precondition &given) {
        return !given.assumed &&
               request.tensors[places[given.tensor]].known != Known::Vouched;
      });
}

void KernelState::check(const CachedPlan &plan,
                        const LaunchRequest &request) const {
  bool admitted = plan.tensors.admit([&](size_t k) -> const ArgumentView & {
    return request.tensors[k].view;
  });
  if (!admitted) {
    if (auto error =
            checkArguments(artefact->manifest, plan.plan, callOf(request))) {
      raise(*error);
    }
    return;
  }
  for (size_t k = 0; k < scalars.size(); ++k) {
    if (auto error = checkScalar(artefact->manifest.arguments[scalars[k]],
                                 request.scalars[k])) {
      raise(*error);
    }
  }
}

/// Parameters of a launch on the stack, for as many as kernels have.
namespace {
struct Parameters {
  static constexpr size_t maxBytes = 512, maxCount = 64;
  std::array<std::byte, maxBytes> bytes;
  std::array<void *, maxCount> addresses;
  std::vector<std::byte> manyBytes;
  std::vector<void *> manyAddresses;

  explicit Parameters(const ParameterBlock &block) {
    std::byte *into = bytes.data();
    void **list = addresses.data();
    if (block.bytes.size() > maxBytes || block.offsets.size() > maxCount) {
      manyBytes.resize(block.bytes.size());
      manyAddresses.resize(block.offsets.size());
      into = manyBytes.data();
      list = manyAddresses.data();
    }
    std::memcpy(into, block.bytes.data(), block.bytes.size());
    for (size_t k = 0; k < block.offsets.size(); ++k) {
      list[k] = into + block.offsets[k];
    }
  }
  void **list() {
    return manyAddresses.empty() ? addresses.data() : manyAddresses.data();
  }
};
} // namespace

/// Writes addresses and scalars over those of a plan.
void KernelState::setArguments(const CachedPlan &plan,
                               const LaunchRequest &request,
                               void *const *parameters) const {
  const Manifest &manifest = artefact->manifest;
  for (const CachedPlan::Place &place : plan.addresses) {
    uint64_t address = request.tensors[place.from].view.address;
    std::memcpy(parameters[place.parameter], &address, sizeof(address));
  }
  const Variant &variant = manifest.variants[plan.plan.variant];
  for (const CachedPlan::Place &place : plan.scalars) {
    const Parameter &parameter = variant.parameters[place.parameter];
    uint64_t bits = bitsOf(manifest.arguments[parameter.argument].element,
                           request.scalars[place.from]);
    std::memcpy(parameters[place.parameter], &bits, parameter.bytes);
  }
}

void KernelState::launch(OnDevice &on, const CachedPlan &plan,
                         const LaunchRequest &request, const Stream &stream) {
  const Manifest &manifest = artefact->manifest;
  const Driver &driver = detail::driver();
  if (plan.plan.blocks == 0) {
    return;
  }
  void *handle = stream.handle();
  Expected<bool> captured = isCaptured(driver, handle);
  if (!captured) {
    raise(captured.error());
  }
  if (needsContents(plan, request)) {
    // Rare, and it looks at contents: nothing is saved here.
    Call call = callOf(request);
    if (auto error = checkGivens(manifest, plan.plan, call)) {
      raise(*error);
    }
    KernelLaunch whole;
    {
      std::lock_guard lock(on.mutex);
      BesideCaptures beside(driver);
      Expected<KernelLaunch> prepared = on.kernel.prepare(plan.plan, call);
      if (!prepared) {
        raise(prepared.error());
      }
      whole = std::move(*prepared);
    }
    if (auto error = runtime::launch(driver, whole, handle)) {
      raise(*error);
    }
    return;
  }
  if (*captured) {
    plan.code->captured = true;
  }
  Parameters parameters(plan.parameters);
  setArguments(plan, request, parameters.list());
  Range range(rangeText(manifest, plan.plan,
                        manifest.variants[plan.plan.variant].trusted));
  if (plan.repacked && !*captured) {
    Expected<bool> launched =
        launchRepacked(driver, *plan.repacked, parameters.list(), handle);
    if (!launched) {
      raise(launched.error());
    }
    if (*launched) {
      return;
    }
  }
  if (int error = driver.launchKernel(
          plan.code->function, static_cast<unsigned>(plan.plan.blocks), 1, 1,
          plan.code->threads, 1, 1, plan.code->sharedBytes, handle,
          parameters.list(), nullptr)) {
    raise(driverFailure(driver, "cuLaunchKernel", error));
  }
}

void KernelState::prepare(const Device &device) {
  OnDevice &where = on(device);
  Entered entered(detail::driver(), device.context());
  if (entered.error()) {
    raise(*entered.error());
  }
  std::lock_guard lock(where.mutex);
  BesideCaptures beside(detail::driver());
  for (size_t k = 0; k < artefact->manifest.variants.size(); ++k) {
    auto code = where.kernel.code(k);
    if (!code) {
      raise(code.error());
    }
  }
}

void KernelState::checkCounts(const LaunchRequest &request) const {
  if (request.tensors.size() != tensors.size() ||
      request.scalars.size() != scalars.size() ||
      request.symbols.size() != symbols.size()) {
    throw RuntimeError(3,
                       fmt::format("the kernel has {}, {} are given",
                                   counted(tensors.size(), "tensor", "tensors"),
                                   request.tensors.size()));
  }
}

PreparedLaunch KernelState::prepare(const LaunchRequest &request,
                                    const Device &device) {
  checkCounts(request);
  OnDevice &where = on(device);
  Entered entered(detail::driver(), device.context());
  if (entered.error()) {
    raise(*entered.error());
  }
  PreparedLaunch out;
  out.plan = planFor(where, request, nullptr);
  check(*out.plan, request);
  out.parameters = out.plan->parameters;
  std::vector<void *> addresses;
  for (size_t offset : out.parameters.offsets) {
    addresses.push_back(out.parameters.bytes.data() + offset);
  }
  setArguments(*out.plan, request, addresses.data());
  if (out.plan->plan.blocks != 0 && needsContents(*out.plan, request)) {
    Call call = callOf(request);
    if (auto error = checkGivens(artefact->manifest, out.plan->plan, call)) {
      raise(*error);
    }
    std::lock_guard lock(where.mutex);
    BesideCaptures beside(detail::driver());
    auto prepared = where.kernel.prepare(out.plan->plan, call);
    if (!prepared) {
      raise(prepared.error());
    }
    out.validations = std::move(prepared->validations);
  }
  return out;
}

void KernelState::note(const Stream &stream) {
  OnDevice &where = on(stream.device());
  std::lock_guard guard(where.lock);
  where.streams.note(stream);
}

Stream KernelState::queue(const LaunchRequest &request, const Stream *given) {
  checkCounts(request);
  Device device = given && request.accesses.empty()
                      ? given->device()
                      : deviceFor(request.accesses);
  OnDevice &where = on(device);
  Entered entered(detail::driver(), device.context());
  if (entered.error()) {
    raise(*entered.error());
  }
  Stream stream = given ? *given : streamFor(request.accesses);
  std::shared_ptr<const CachedPlan> plan = planFor(where, request, &stream);
  check(*plan, request);
  acquire(request.accesses, stream);
  try {
    launch(where, *plan, request, stream);
  } catch (...) {
    cancel(request.accesses);
    throw;
  }
  release(request.accesses, stream);
  return stream;
}

std::string KernelState::describe(const LaunchRequest &request) const {
  const Manifest &manifest = artefact->manifest;
  Call call = callOf(request);
  Expected<std::vector<int64_t>> values = bindSymbols(manifest, call);
  std::string text = manifest.name;
  if (!values) {
    return text;
  }
  std::string list;
  for (size_t k = 0; k < values->size(); ++k) {
    list += fmt::format("{}{} = {}", k ? ", " : "", manifest.symbols[k].name,
                        (*values)[k]);
  }
  Expected<LaunchPlan> plan = planLaunch(manifest, std::move(*values));
  if (plan) {
    list += fmt::format("{}grid ({})", list.empty() ? "" : "; ",
                        fmt::join(plan->grid, ", "));
  }
  return text + "(" + list + ")";
}

//===-- What launches call ------------------------------------------------===//

namespace detail {

Stream queueLaunch(KernelState &kernel, const LaunchRequest &request,
                   const Stream *stream) {
  try {
    return kernel.queue(request, stream);
  } catch (...) {
    std::rethrow_exception(
        launchError(kernel, request, std::current_exception()));
  }
}

std::exception_ptr launchError(const KernelState &kernel,
                               const LaunchRequest &request,
                               std::exception_ptr error) {
  return named(kernel.describe(request), std::move(error));
}

AccessMode modeOf(const KernelState &kernel, size_t tensor) {
  // One too many is refused before it is used.
  return tensor < kernel.tensorCount() ? kernel.modeOf(tensor)
                                       : AccessMode::Read;
}

} // namespace detail
} // namespace girih
