// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Driver.h"

#include "runtime/driver/Symbols.h"

#include <array>

namespace girih::runtime {

namespace {
// CUdevice_attribute values, fixed by the driver's ABI.
constexpr int multiprocessorCount = 16;
constexpr int capabilityMajor = 75;
constexpr int capabilityMinor = 76;
} // namespace

// The suffixes _v2 are part of the ABI: names without them are older
// functions with 32-bit sizes.
static void takeAll(Symbols &from, Driver &d) {
  from.take(d.init, "cuInit");
  from.take(d.driverGetVersion, "cuDriverGetVersion");
  from.take(d.getErrorName, "cuGetErrorName");
  from.take(d.deviceGetCount, "cuDeviceGetCount");
  from.take(d.deviceGet, "cuDeviceGet");
  from.take(d.deviceGetName, "cuDeviceGetName");
  from.take(d.deviceGetAttribute, "cuDeviceGetAttribute");
  from.take(d.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  from.take(d.contextGetCurrent, "cuCtxGetCurrent");
  from.take(d.contextSetCurrent, "cuCtxSetCurrent");
  from.take(d.contextPush, "cuCtxPushCurrent_v2");
  from.take(d.contextPop, "cuCtxPopCurrent_v2");
  from.take(d.contextGetDevice, "cuCtxGetDevice");
  from.take(d.contextSynchronize, "cuCtxSynchronize");
  from.take(d.moduleLoadData, "cuModuleLoadData");
  from.take(d.moduleUnload, "cuModuleUnload");
  from.take(d.moduleGetFunction, "cuModuleGetFunction");
  from.take(d.functionGetParamInfo, "cuFuncGetParamInfo");
  from.take(d.functionSetAttribute, "cuFuncSetAttribute");
  from.take(d.launchKernel, "cuLaunchKernel");
  from.take(d.streamSynchronize, "cuStreamSynchronize");
  from.take(d.streamIsCapturing, "cuStreamIsCapturing");
  from.take(d.exchangeCaptureMode, "cuThreadExchangeStreamCaptureMode");
  from.take(d.memoryAllocate, "cuMemAlloc_v2");
  from.take(d.memoryFree, "cuMemFree_v2");
  from.take(d.pointerGetAttributes, "cuPointerGetAttributes");
  from.take(d.copyToDevice, "cuMemcpyHtoD_v2");
  from.take(d.copyToHost, "cuMemcpyDtoH_v2");
  from.take(d.copyToHostBehind, "cuMemcpyDtoHAsync_v2");
  from.take(d.eventCreate, "cuEventCreate");
  from.take(d.eventDestroy, "cuEventDestroy_v2");
  from.take(d.eventRecord, "cuEventRecord");
  from.take(d.eventSynchronize, "cuEventSynchronize");
  from.take(d.eventElapsedTime, "cuEventElapsedTime");
}

static Error noGpu(std::string reason) {
  return {ErrorKind::NoGpu, std::move(reason)};
}

Error driverFailure(const Driver &driver, const char *call, int error) {
  const char *name = nullptr;
  bool known = driver.getErrorName(error, &name) == 0 && name;
  return {ErrorKind::Failed, std::string(call) + ": " +
                           (known ? name : "error " + std::to_string(error))};
}

Expected<Driver> openDriver() {
  Symbols symbols;
  if (!symbols.library) {
    return noGpu("no CUDA driver: libcuda.so.1 is not on this machine");
  }
  Driver driver;
  takeAll(symbols, driver);
  if (symbols.missing) {
    return noGpu(std::string("libcuda.so.1 lacks ") + symbols.missing +
                 ": the driver is older than CUDA 12.4");
  }
  if (int error = driver.init(0)) {
    return noGpu(driverFailure(driver, "cuInit", error).reason);
  }
  return driver;
}

std::string architectureOf(const Device &device) {
  return "sm_" + std::to_string(device.major) + std::to_string(device.minor);
}

Expected<Device> describeDevice(const Driver &driver, int handle) {
  Device out;
  out.handle = handle;
  std::array<char, 256> name{};
  if (driver.deviceGetName(name.data(), name.size(), handle) != 0 ||
      driver.deviceGetAttribute(&out.major, capabilityMajor, handle) != 0 ||
      driver.deviceGetAttribute(&out.minor, capabilityMinor, handle) != 0 ||
      driver.deviceGetAttribute(&out.multiprocessors, multiprocessorCount,
                                handle) != 0) {
    return noGpu("the CUDA driver does not describe device " +
                 std::to_string(handle));
  }
  name.back() = 0;
  out.name = name.data();
  return out;
}

Expected<DriverInfo> queryDevices(const Driver &driver) {
  DriverInfo info;
  int count = 0;
  if (driver.driverGetVersion(&info.version) != 0 ||
      driver.deviceGetCount(&count) != 0 || count == 0) {
    return noGpu("the CUDA driver sees no device");
  }
  for (int i = 0; i < count; ++i) {
    int handle = 0;
    if (driver.deviceGet(&handle, i) != 0) {
      return noGpu("the CUDA driver does not give device " + std::to_string(i));
    }
    Expected<Device> device = describeDevice(driver, handle);
    if (!device) {
      return device.error();
    }
    info.devices.push_back(*device);
  }
  return info;
}

} // namespace girih::runtime
