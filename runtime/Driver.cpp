// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/Driver.h"

#include <array>
#include <dlfcn.h>

namespace girih::runtime {

namespace {
// CUdevice_attribute values, fixed by the driver's ABI.
constexpr int multiprocessorCount = 16;
constexpr int capabilityMajor = 75;
constexpr int capabilityMinor = 76;

/// The driver's functions; all return CUresult, 0 for success.
struct Functions {
  int (*init)(unsigned) = nullptr;
  int (*driverGetVersion)(int *) = nullptr;
  int (*deviceGetCount)(int *) = nullptr;
  int (*deviceGet)(int *, int) = nullptr;
  int (*deviceGetName)(char *, int, int) = nullptr;
  int (*deviceGetAttribute)(int *, int, int) = nullptr;
};

template <typename F> bool load(void *library, const char *name, F &out) {
  out = reinterpret_cast<F>(dlsym(library, name));
  return out != nullptr;
}
} // namespace

static bool describe(const Functions &f, int ordinal, Device &out) {
  int device = 0;
  std::array<char, 256> name{};
  if (f.deviceGet(&device, ordinal) != 0 ||
      f.deviceGetName(name.data(), name.size(), device) != 0 ||
      f.deviceGetAttribute(&out.major, capabilityMajor, device) != 0 ||
      f.deviceGetAttribute(&out.minor, capabilityMinor, device) != 0 ||
      f.deviceGetAttribute(&out.multiprocessors, multiprocessorCount,
                           device) != 0) {
    return false;
  }
  out.name = name.data();
  return true;
}

std::variant<DriverInfo, std::string> queryDriver() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return std::string("no CUDA driver: libcuda.so.1 is not on this machine");
  }
  Functions f;
  if (!load(library, "cuInit", f.init) ||
      !load(library, "cuDriverGetVersion", f.driverGetVersion) ||
      !load(library, "cuDeviceGetCount", f.deviceGetCount) ||
      !load(library, "cuDeviceGet", f.deviceGet) ||
      !load(library, "cuDeviceGetName", f.deviceGetName) ||
      !load(library, "cuDeviceGetAttribute", f.deviceGetAttribute)) {
    return std::string("libcuda.so.1 lacks a function of the driver API");
  }
  DriverInfo info;
  int count = 0;
  if (int e = f.init(0)) {
    return "cuInit failed with error " + std::to_string(e);
  }
  if (f.driverGetVersion(&info.version) != 0 || f.deviceGetCount(&count) != 0 ||
      count == 0) {
    return std::string("the CUDA driver sees no device");
  }
  for (int i = 0; i < count; ++i) {
    Device d;
    if (!describe(f, i, d)) {
      return "the CUDA driver does not describe device " + std::to_string(i);
    }
    info.devices.push_back(d);
  }
  return info;
}

} // namespace girih::runtime
