// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/runtime/FakeDriver.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <unistd.h>

namespace {

constexpr int invalidValue = 1, notFound = 500, illegalAddress = 700;

struct Module {
  std::vector<size_t> sizes;
  std::string behaviour, entry;
};

FakeState state;
int sticky = 0; ///< an error that every later call reports
void *context = nullptr;

/// Every function counts itself and fails once the context is broken.
int called() {
  ++state.calls;
  return sticky;
}

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

int cuInit(unsigned) { return called(); }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return called();
}
int cuGetErrorName(int error, const char **name) {
  *name = error == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == notFound     ? "CUDA_ERROR_NOT_FOUND"
                                  : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = 1;
  return called();
}
int cuDeviceGet(int *device, int) {
  *device = 0;
  return called();
}
int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(length));
  return called();
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 132;
  return called();
}
int cuDevicePrimaryCtxRetain(void **out, int) {
  *out = &state;
  return called();
}
int cuCtxGetCurrent(void **out) {
  *out = context;
  return called();
}
int cuCtxSetCurrent(void *to) {
  context = to;
  return called();
}
int cuCtxGetDevice(int *device) {
  *device = 0;
  return called();
}
int cuCtxSynchronize() { return called(); }

int cuStreamSynchronize(void *) { return called(); }

int cuModuleLoadData(void **out, const void *image) {
  std::istringstream text(static_cast<const char *>(image));
  std::string word;
  Module module;
  text >> word;
  if (word != "fake") {
    return invalidValue;
  }
  while (text >> word && word != ";") {
    module.sizes.push_back(std::stoul(word));
  }
  text >> module.behaviour;
  *out = new Module(module);
  ++state.modulesLoaded;
  return called();
}
int cuModuleUnload(void *module) {
  delete static_cast<Module *>(module);
  ++state.modulesUnloaded;
  return called();
}
int cuModuleGetFunction(void **out, void *module, const char *name) {
  static_cast<Module *>(module)->entry = name;
  *out = module;
  return std::strcmp(name, "absent") == 0 ? notFound : called();
}
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset,
                       size_t *size) {
  const Module &module = *static_cast<Module *>(function);
  if (index >= module.sizes.size()) {
    return invalidValue;
  }
  *offset = offsetOf(module, index);
  *size = module.sizes[index];
  return called();
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **) {
  const Module &module = *static_cast<Module *>(function);
  FakeLaunch launch{module.entry, {gx, gy, gz}, {bx, by, bz},
                    shared,       stream,       {}};
  for (size_t k = 0; k < module.sizes.size(); ++k) {
    launch.parameters.emplace_back(static_cast<char *>(parameters[k]),
                                   module.sizes[k]);
  }
  if (gx == 0) {
    return invalidValue;
  }
  execute(module, launch);
  state.launches.push_back(std::move(launch));
  ++state.calls;
  return 0;
}

int cuStreamIsCapturing(void *, int *status) {
  *status = state.capturing;
  return called();
}

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  *pointer = reinterpret_cast<uint64_t>(
      std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  ++state.allocations;
  return called();
}
int cuMemFree_v2(uint64_t pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  ++state.frees;
  return called();
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return called();
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return called();
}

// An event is the number of launches before it; each takes 3 microseconds.
int cuEventCreate(void **event, unsigned) {
  *event = new size_t(0);
  return called();
}
int cuEventDestroy_v2(void *event) {
  delete static_cast<size_t *>(event);
  return called();
}
int cuEventRecord(void *event, void *) {
  *static_cast<size_t *>(event) = state.launches.size();
  return called();
}
int cuEventSynchronize(void *) { return called(); }
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  *milliseconds = 0.003F * static_cast<float>(*static_cast<size_t *>(to) -
                                              *static_cast<size_t *>(from));
  return called();
}

} // extern "C"
