// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/runtime/FakeDriver.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <sstream>
#include <unistd.h>

namespace {

constexpr int invalidValue = 1, invalidContext = 201, invalidHandle = 400,
              notFound = 500, illegalAddress = 700, captureUnsupported = 900,
              captureImplicit = 906;
constexpr int relaxed = 2;
constexpr int maxDevices = 4, contextsEach = 3;

struct FakeContext {
  int device = 0;
};

struct Module {
  std::vector<size_t> sizes;
  std::string behaviour, entry;
  void *context = nullptr;
  std::map<int, int> attributes; ///< of its function
};

std::recursive_mutex mutex;
FakeState state;
int sticky = 0; ///< an error that every later call reports
FakeContext contexts[maxDevices][contextsEach];
thread_local std::vector<void *> stack; ///< the last one is current
thread_local int captureMode = 0;
// Never destroyed: what a program leaves behind is no leak of its own.
auto &modules = *new std::set<Module *>;
auto &allocated = *new std::map<uint64_t, FakeRange>;

/// Every function counts itself, fails once the context is broken, and when it
/// is told to.
int called(const char *name, int error = 0) {
  std::lock_guard lock(mutex);
  ++state.calls;
  auto listed = state.fails.find(name);
  error = sticky                        ? sticky
          : listed != state.fails.end() ? listed->second
                                        : error;
  if (error) {
    state.failed.emplace_back(name);
  }
  return error;
}

void *current() { return stack.empty() ? nullptr : stack.back(); }

int withoutContext() { return current() ? 0 : invalidContext; }

bool isStrictCapture() {
  return state.capturing && state.captured != FakeState::everyStream();
}

/// Of a call that waits for or allocates something, in a thread that has not
/// said that it knows what it does.
int besideCapture() {
  if (isStrictCapture() && captureMode != relaxed) {
    state.ruined = true;
    return captureUnsupported;
  }
  return withoutContext();
}

/// Of a call that uses the default stream.
int onStream(void *stream) {
  if (isStrictCapture() && state.blocking &&
      reinterpret_cast<uintptr_t>(stream) <= 1) {
    state.ruined = true;
    return captureImplicit;
  }
  return withoutContext();
}

int first(int a, int b) { return a ? a : b; }

size_t offsetOf(const Module &module, size_t index) {
  size_t end = 0;
  for (size_t k = 0;; ++k) {
    size_t size = module.sizes[k];
    end = (end + size - 1) / size * size;
    if (k == index) {
      return end;
    }
    end += size;
  }
}

template <typename T> T parameter(const FakeLaunch &launch, size_t k) {
  T value;
  std::memcpy(&value, launch.parameters[k].data(), sizeof value);
  return value;
}

bool isValidator(const std::string &behaviour) {
  return behaviour == "within" || behaviour == "sorted" ||
         behaviour == "distinct" || behaviour == "alarm";
}

void lookUp(const std::string &behaviour, const FakeLaunch &launch) {
  auto *t = parameter<int32_t *>(launch, 0);
  auto *found = parameter<int64_t *>(launch, 1);
  auto n = parameter<int64_t>(launch, 2),
       blocks = parameter<int64_t>(launch, 3);
  std::fill(found, found + blocks, n);
  for (int64_t i = n; i-- > 0;) {
    bool bad = behaviour == "alarm";
    if (behaviour == "within") {
      bad = t[i] < parameter<int64_t>(launch, 4) ||
            t[i] > parameter<int64_t>(launch, 5);
    } else if (behaviour == "sorted") {
      bad = i + 1 < n && t[i] > t[i + 1];
    } else if (behaviour == "distinct") {
      bad = std::find(t + i + 1, t + n, t[i]) != t + n;
    }
    found[0] = bad ? i : found[0];
  }
}

void execute(const Module &module, const FakeLaunch &launch) {
  if (module.behaviour == "nothing") {
    return;
  }
  if (module.behaviour == "fault") {
    sticky = illegalAddress;
    return;
  }
  if (module.behaviour == "crash") {
    std::abort();
  }
  while (module.behaviour == "hang") {
    pause();
  }
  if (isValidator(module.behaviour)) {
    lookUp(module.behaviour, launch);
    return;
  }
  auto *x = parameter<float *>(launch, 0);
  auto *y = parameter<float *>(launch, 1);
  auto *z = parameter<float *>(launch, 2);
  auto n = parameter<int64_t>(launch, 3);
  // The upper half of all addresses is no program's: nothing is there.
  auto isUpper = [](float *p) { return reinterpret_cast<uintptr_t>(p) >> 63; };
  if (isUpper(x) || isUpper(y) || isUpper(z)) {
    return;
  }
  for (int64_t i = 0; i < n - (module.behaviour == "early"); ++i) {
    z[i] = x[i] + y[i];
  }
  if (module.behaviour == "outside") {
    z[n] = 1;
  }
  if (module.behaviour == "input") {
    x[0] += 1;
  }
}

} // namespace

extern "C" {

FakeState *fakeState() { return &state; }

void *fakeContext(int device, int number) {
  contexts[device][number].device = device;
  return &contexts[device][number];
}

void fakeReset() { state = FakeState(); }
void fakeCapture(void *stream, int blocking) {
  state.capturing = 1;
  state.captured = stream;
  state.blocking = blocking != 0;
}
void fakeRange(uint64_t begin, uint64_t size, int device, int type) {
  state.strict = true;
  state.ranges.push_back({begin, size, device, type, nullptr});
}
int fakeRuined() { return state.ruined; }
int fakeLaunches() { return static_cast<int>(state.launches.size()); }
int fakeModules() {
  std::lock_guard lock(mutex);
  return state.modulesLoaded - state.modulesUnloaded;
}
int fakeCurrent() {
  void *context = current();
  return context ? static_cast<FakeContext *>(context)->device : -1;
}
int fakeFailed() { return static_cast<int>(state.failed.size()); }
uint64_t fakeParameter(int number) {
  return parameter<uint64_t>(state.launches.back(),
                             static_cast<size_t>(number));
}
int fakeLive() { return static_cast<int>(allocated.size()); }

int cuInit(unsigned) { return called("cuInit"); }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return called("cuDriverGetVersion");
}
int cuGetErrorName(int error, const char **name) {
  *name = error == illegalAddress   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == notFound       ? "CUDA_ERROR_NOT_FOUND"
          : error == invalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
          : error == invalidHandle  ? "CUDA_ERROR_INVALID_HANDLE"
          : error == captureUnsupported
              ? "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"
              : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = state.devices;
  return called("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return called("cuDeviceGet", ordinal < state.devices ? 0 : invalidValue);
}
int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(length));
  return called("cuDeviceGetName");
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 132;
  return called("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **out, int device) {
  *out = fakeContext(device, 0);
  return called("cuDevicePrimaryCtxRetain");
}
int cuCtxGetCurrent(void **out) {
  *out = current();
  return called("cuCtxGetCurrent");
}
int cuCtxSetCurrent(void *to) {
  if (!stack.empty()) {
    stack.pop_back();
  }
  if (to) {
    stack.push_back(to);
  }
  return called("cuCtxSetCurrent");
}
int cuCtxPushCurrent_v2(void *context) {
  if (int error = called("cuCtxPushCurrent", context ? 0 : invalidContext)) {
    return error;
  }
  stack.push_back(context);
  return 0;
}
int cuCtxPopCurrent_v2(void **out) {
  *out = current();
  if (!stack.empty()) {
    stack.pop_back();
  }
  return called("cuCtxPopCurrent", *out ? 0 : invalidContext);
}
int cuCtxGetDevice(int *device) {
  if (void *context = current()) {
    *device = static_cast<FakeContext *>(context)->device;
  }
  return called("cuCtxGetDevice", withoutContext());
}
int cuCtxSynchronize() {
  std::lock_guard lock(mutex);
  if (isStrictCapture()) {
    state.ruined = true;
    return called("cuCtxSynchronize", captureUnsupported);
  }
  return called("cuCtxSynchronize", withoutContext());
}

int cuStreamSynchronize(void *stream) {
  std::lock_guard lock(mutex);
  if (isStrictCapture() && stream == state.captured) {
    state.ruined = true;
    return called("cuStreamSynchronize", captureUnsupported);
  }
  return called("cuStreamSynchronize", onStream(stream));
}

int cuModuleLoadData(void **out, const void *image) {
  std::lock_guard lock(mutex);
  // Behind the header of the ELF file.
  std::istringstream text(static_cast<const char *>(image) + 64);
  std::string word;
  Module module;
  text >> word;
  if (int error = called("cuModuleLoadData",
                         word == "fake" ? besideCapture() : invalidValue)) {
    return error;
  }
  while (text >> word && word != ";") {
    module.sizes.push_back(std::stoul(word));
  }
  text >> module.behaviour;
  module.context = current();
  auto *loaded = new Module(module);
  modules.insert(loaded);
  *out = loaded;
  ++state.modulesLoaded;
  return 0;
}
int cuModuleUnload(void *handle) {
  std::lock_guard lock(mutex);
  auto *module = static_cast<Module *>(handle);
  int error = !modules.contains(module)      ? invalidHandle
              : module->context != current() ? invalidContext
                                             : besideCapture();
  if (int failed = called("cuModuleUnload", error)) {
    return failed;
  }
  modules.erase(module);
  delete module;
  ++state.modulesUnloaded;
  return 0;
}
int cuModuleGetFunction(void **out, void *module, const char *name) {
  static_cast<Module *>(module)->entry = name;
  *out = module;
  return called("cuModuleGetFunction",
                std::strcmp(name, "absent") == 0 ? notFound : withoutContext());
}
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset,
                       size_t *size) {
  const Module &module = *static_cast<Module *>(function);
  if (index >= module.sizes.size()) {
    return called("cuFuncGetParamInfo", invalidValue);
  }
  *offset = offsetOf(module, index);
  *size = module.sizes[index];
  return called("cuFuncGetParamInfo");
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  static_cast<Module *>(function)->attributes[attribute] = value;
  return called("cuFuncSetAttribute");
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **) {
  std::lock_guard lock(mutex);
  auto *module = static_cast<Module *>(function);
  int error = gx == 0                        ? invalidValue
              : !modules.contains(module)    ? invalidHandle
              : module->context != current() ? invalidHandle
                                             : onStream(stream);
  if (int failed = called("cuLaunchKernel", error)) {
    return failed;
  }
  FakeLaunch launch{module->entry, {gx, gy, gz}, {bx, by, bz},      shared,
                    stream,        {},           module->attributes};
  for (size_t k = 0; k < module->sizes.size(); ++k) {
    launch.parameters.emplace_back(static_cast<char *>(parameters[k]),
                                   module->sizes[k]);
  }
  execute(*module, launch);
  state.launches.push_back(std::move(launch));
  return 0;
}

int cuStreamIsCapturing(void *stream, int *status) {
  std::lock_guard lock(mutex);
  bool defaultStream = reinterpret_cast<uintptr_t>(stream) <= 1;
  if (isStrictCapture() && state.blocking && defaultStream &&
      stream != state.captured) {
    return called("cuStreamIsCapturing", captureImplicit);
  }
  bool captured = !isStrictCapture() || stream == state.captured;
  *status = captured ? state.capturing : 0;
  return called("cuStreamIsCapturing");
}
int cuThreadExchangeStreamCaptureMode(int *mode) {
  std::swap(*mode, captureMode);
  return called("cuThreadExchangeStreamCaptureMode");
}

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  std::lock_guard lock(mutex);
  void *memory = bytes <= size_t(1) << 40
                     ? std::aligned_alloc(256, (bytes + 255) / 256 * 256)
                     : nullptr;
  int error = memory ? besideCapture() : 2;
  if (int failed = called("cuMemAlloc", error)) {
    std::free(memory);
    return failed;
  }
  *pointer = reinterpret_cast<uint64_t>(memory);
  int device = static_cast<FakeContext *>(current())->device;
  allocated[*pointer] = {*pointer, bytes, device, 2, current()};
  ++state.allocations;
  return 0;
}
int cuMemFree_v2(uint64_t pointer) {
  std::lock_guard lock(mutex);
  int error = allocated.contains(pointer) ? besideCapture() : invalidValue;
  if (int failed = called("cuMemFree", error)) {
    return failed;
  }
  allocated.erase(pointer);
  std::free(reinterpret_cast<void *>(pointer));
  ++state.frees;
  return 0;
}
int cuPointerGetAttributes(unsigned count, const int *kinds, void **values,
                           uint64_t pointer) {
  std::lock_guard lock(mutex);
  FakeRange found{pointer, 0, 0, state.strict ? 0 : 2, nullptr};
  auto look = [&](const FakeRange &range) {
    if (pointer - range.begin < range.size) {
      found = range;
    }
  };
  for (const auto &[begin, range] : allocated) {
    look(range);
  }
  for (const FakeRange &range : state.ranges) {
    look(range);
  }
  for (unsigned k = 0; k < count; ++k) {
    switch (kinds[k]) {
    case 1:
      *static_cast<void **>(values[k]) = found.context;
      break;
    case 2:
      *static_cast<unsigned *>(values[k]) = static_cast<unsigned>(found.type);
      break;
    case 3:
      *static_cast<uint64_t *>(values[k]) = found.type ? pointer : 0;
      break;
    case 8:
      *static_cast<unsigned *>(values[k]) = 0;
      break;
    case 9:
      *static_cast<int *>(values[k]) = found.type ? found.device : -2;
      break;
    case 11:
      *static_cast<uint64_t *>(values[k]) = found.begin;
      break;
    case 12:
      *static_cast<size_t *>(values[k]) = found.size;
      break;
    default:
      return called("cuPointerGetAttributes", invalidValue);
    }
  }
  return called("cuPointerGetAttributes");
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  std::lock_guard lock(mutex);
  int error = called("cuMemcpyHtoD", first(besideCapture(), onStream(nullptr)));
  if (!error) {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  }
  return error;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  std::lock_guard lock(mutex);
  int error = called("cuMemcpyDtoH", first(besideCapture(), onStream(nullptr)));
  if (!error) {
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  }
  return error;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  std::lock_guard lock(mutex);
  int error = called("cuMemcpyDtoHAsync", onStream(stream));
  if (!error) {
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  }
  return error;
}

// An event is the number of launches before it; each takes 3 microseconds.
int cuEventCreate(void **event, unsigned) {
  *event = new size_t(0);
  return called("cuEventCreate");
}
int cuEventDestroy_v2(void *event) {
  delete static_cast<size_t *>(event);
  return called("cuEventDestroy");
}
int cuEventRecord(void *event, void *) {
  *static_cast<size_t *>(event) = state.launches.size();
  return called("cuEventRecord");
}
int cuEventSynchronize(void *) { return called("cuEventSynchronize"); }
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  *milliseconds = 0.003F * static_cast<float>(*static_cast<size_t *>(to) -
                                              *static_cast<size_t *>(from));
  return called("cuEventElapsedTime");
}

} // extern "C"
