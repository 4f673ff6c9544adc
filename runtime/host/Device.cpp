// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/States.h"

namespace girih {
namespace detail {

void throwError(const runtime::Error &error) {
  throw RuntimeError(runtime::exitCode(error.why), error.reason);
}

const runtime::Driver &driver() {
  // Not destroyed: tensors in statics may be dropped later.
  static const auto *opened =
      new runtime::Expected<runtime::Driver>(runtime::openDriver());
  if (!*opened) {
    throwError(opened->error());
  }
  return **opened;
}

const runtime::HostFunctions &functions() {
  driver();
  static const auto *opened = new runtime::Expected<runtime::HostFunctions>(
      runtime::openHostFunctions());
  if (!*opened) {
    throwError(opened->error());
  }
  return **opened;
}

void throwFailure(const char *call, int error) {
  throwError(runtime::driverFailure(driver(), call, error));
}

InContext::InContext(const DeviceState &device)
    : entered(driver(), device.context) {
  if (entered.error()) {
    throwError(*entered.error());
  }
}

void *DeviceState::takeEvent() {
  {
    std::lock_guard guard(mutex);
    if (!events.empty()) {
      void *event = events.back();
      events.pop_back();
      return event;
    }
  }
  void *event = nullptr;
  check(driver().eventCreate(&event, runtime::cu::eventDisableTiming),
        "cuEventCreate");
  return event;
}

void DeviceState::giveEvent(void *event) noexcept {
  std::lock_guard guard(mutex);
  try {
    events.push_back(event);
  } catch (...) {
    driver().eventDestroy(event);
  }
}

/// What is freed stays in the pool: by default the driver takes it back at
/// every synchronisation, which is slow.
static void keepFreedMemory(DeviceState &device) {
  check(functions().deviceDefaultPool(&device.pool, device.described.handle),
        "cuDeviceGetDefaultMemPool");
  uint64_t threshold = UINT64_MAX;
  check(functions().poolSetAttribute(
            device.pool, runtime::cu::poolReleaseThreshold, &threshold),
        "cuMemPoolSetAttribute");
}

static std::unique_ptr<DeviceState> openDevice(int ordinal) {
  auto state = std::make_unique<DeviceState>();
  state->ordinal = ordinal;
  int handle = 0;
  if (driver().deviceGet(&handle, ordinal) != 0) {
    throw RuntimeError(77, "the CUDA driver sees no device " +
                               std::to_string(ordinal));
  }
  auto described = runtime::describeDevice(driver(), handle);
  if (!described) {
    throwError(described.error());
  }
  state->described = *described;
  state->architecture = runtime::architectureOf(*described);
  auto context = runtime::primaryContext(driver(), handle);
  if (!context) {
    throwError(context.error());
  }
  state->context = *context;
  InContext in(*state);
  keepFreedMemory(*state);
  return state;
}

void openPeer(DeviceState &to, DeviceState &from) {
  if (!Device(to).canReach(Device(from))) {
    throw RuntimeError(3, "device " + std::to_string(to.ordinal) +
                              " does not reach the memory of device " +
                              std::to_string(from.ordinal) +
                              "; PeerPath::Any copies through the host");
  }
  InContext in(to);
  // Memory of the pool, and other memory.
  runtime::PoolAccess access;
  access.device = to.described.handle;
  check(functions().poolSetAccess(from.pool, &access, 1), "cuMemPoolSetAccess");
  int error = functions().contextEnablePeerAccess(from.context, 0);
  if (error != runtime::cu::peerAlreadyEnabled) {
    check(error, "cuCtxEnablePeerAccess");
  }
}

} // namespace detail

using detail::check;
using detail::driver;
using detail::functions;

int Device::count() noexcept {
  try {
    int count = 0;
    return driver().deviceGetCount(&count) == 0 ? count : 0;
  } catch (...) {
    return 0;
  }
}

Device Device::get(int ordinal) {
  static std::mutex mutex;
  // Not destroyed: tensors in statics may be dropped later.
  static auto *devices = new std::vector<std::unique_ptr<detail::DeviceState>>;
  std::lock_guard guard(mutex);
  if (ordinal < 0) {
    throw RuntimeError(3, "device " + std::to_string(ordinal));
  }
  auto place = static_cast<size_t>(ordinal);
  if (place >= devices->size() || !(*devices)[place]) {
    auto opened = detail::openDevice(ordinal);
    devices->resize(std::max(devices->size(), place + 1));
    (*devices)[place] = std::move(opened);
  }
  return Device(*(*devices)[place]);
}

int Device::ordinal() const noexcept { return state->ordinal; }
const std::string &Device::name() const noexcept {
  return state->described.name;
}
const std::string &Device::architecture() const noexcept {
  return state->architecture;
}
void *Device::context() const noexcept { return state->context; }

MemoryUse Device::memory() const noexcept {
  return {state->live, state->peak, state->allocations, state->frees,
          state->failedFrees};
}

void Device::trim() const {
  detail::InContext in(*state);
  check(functions().poolTrimTo(state->pool, 0), "cuMemPoolTrimTo");
}

Stream Device::nextStream() const {
  /// More than the work of one program that can run at once.
  constexpr size_t maxStreams = 8;
  {
    std::lock_guard guard(state->mutex);
    if (state->streams.size() == maxStreams) {
      state->nextStream = (state->nextStream + 1) % maxStreams;
      return Stream(state->streams[state->nextStream]);
    }
  }
  Stream made = Stream::create(*this);
  std::lock_guard guard(state->mutex);
  if (state->streams.size() < maxStreams) {
    state->streams.push_back(made.internal());
  }
  return made;
}

bool Device::canReach(const Device &other) const {
  int can = 0;
  check(functions().deviceCanAccessPeer(&can, state->described.handle,
                                        other.state->described.handle),
        "cuDeviceCanAccessPeer");
  return can != 0;
}

void Device::synchronize() const {
  detail::InContext in(*state);
  check(driver().contextSynchronize(), "cuCtxSynchronize");
}

CurrentDevice::CurrentDevice(const Device &device)
    : in(std::make_unique<detail::InContext>(device.internal())) {}
CurrentDevice::~CurrentDevice() = default;

} // namespace girih
