// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of others: their code by device, and launches of them.

#include "runtime/execution/OptOut.h"
#include "runtime/host/Releases.h"
#include "runtime/host/States.h"
#include "runtime/host/UsedStreams.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace girih {
namespace detail {

namespace {

/// A loaded module, which goes when no launch runs it.
struct Module {
  DeviceState *device = nullptr;
  void *module = nullptr, *function = nullptr;
  std::vector<size_t> sizes; ///< of the parameters

  Module() = default;
  Module(const Module &) = delete;
  ~Module() {
    if (module) {
      runtime::Entered entered(driver(), device->context);
      driver().moduleUnload(module);
    }
  }
};

struct OnDevice {
  std::shared_ptr<Module> code;
  UsedStreams streams;
};

} // namespace

struct ForeignKernelState {
  std::string name, code, function;
  std::vector<AccessMode> modes;

  std::mutex mutex;
  std::map<DeviceState *, OnDevice> devices;

  ~ForeignKernelState();
  std::shared_ptr<Module> on(const Stream &stream);
};

ForeignKernelState::~ForeignKernelState() {
  for (auto &[device, used] : devices) {
    try {
      if (!used.streams.areAll()) {
        keepForever(std::move(used.code));
        continue;
      }
      std::vector<Event> events;
      for (const Stream &stream : used.streams.remembered()) {
        events.push_back(stream.record());
      }
      releaseBehind(std::move(events), {}, std::move(used.code));
    } catch (...) {
      keepForever(std::move(used.code));
    }
  }
}

static std::shared_ptr<Module> load(const ForeignKernelState &kernel,
                                    DeviceState &device) {
  runtime::BesideCaptures beside(driver());
  auto made = std::make_shared<Module>();
  made->device = &device;
  check(driver().moduleLoadData(&made->module, kernel.code.c_str()),
        "cuModuleLoadData");
  check(driver().moduleGetFunction(&made->function, made->module,
                                   kernel.function.c_str()),
        "cuModuleGetFunction");
  size_t offset = 0, size = 0;
  int error = 0;
  while ((error = driver().functionGetParamInfo(
              made->function, made->sizes.size(), &offset, &size)) == 0) {
    made->sizes.push_back(size);
  }
  // There is no other way to ask how many there are.
  if (error != runtime::cu::invalidValue) {
    throwFailure("cuFuncGetParamInfo", error);
  }
  return made;
}

/// The stream is noted before the launch is queued: unloading waits for it.
/// What a graph has, and what runs on a stream of others, stays for good.
std::shared_ptr<Module> ForeignKernelState::on(const Stream &stream) {
  auto captured = runtime::isCaptured(driver(), stream.handle());
  if (!captured) {
    throwError(captured.error());
  }
  DeviceState &device = stream.internal()->device;
  std::lock_guard lock(mutex);
  OnDevice &used = devices[&device];
  if (!used.code) {
    used.code = load(*this, device);
  }
  if (*captured) {
    used.streams.noteUnknown();
  } else {
    used.streams.note(stream);
  }
  return used.code;
}

static std::string sizesOf(std::span<const size_t> sizes) {
  std::string text;
  for (size_t size : sizes) {
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  }
  return text.empty() ? "none" : text;
}

static void queue(ForeignKernelState &kernel, const ForeignShape &shape,
                  std::span<const ForeignParameter> parameters,
                  const RawCall &call) {
  std::shared_ptr<Module> code = kernel.on(call.on);
  std::vector<std::byte> bytes;
  std::vector<size_t> sizes;
  std::vector<void *> places;
  std::vector<uint64_t> addresses(parameters.size());
  for (size_t k = 0; k < parameters.size(); ++k) {
    const ForeignParameter &parameter = parameters[k];
    if (parameter.tensor != SIZE_MAX) {
      addresses[k] = call.tensors[parameter.tensor].address;
      places.push_back(&addresses[k]);
      sizes.push_back(sizeof addresses[k]);
    } else {
      places.push_back(const_cast<std::byte *>(parameter.bytes.data()));
      sizes.push_back(parameter.bytes.size());
    }
  }
  if (sizes != code->sizes) {
    throw RuntimeError(3, fmt::format("the parameters of {} have {} bytes, {} "
                                      "are given",
                                      kernel.function, sizesOf(code->sizes),
                                      sizesOf(sizes)));
  }
  check(driver().launchKernel(code->function, shape.grid[0], shape.grid[1],
                              shape.grid[2], shape.block[0], shape.block[1],
                              shape.block[2], shape.sharedBytes, call.stream,
                              places.data(), nullptr),
        "cuLaunchKernel");
}

std::shared_ptr<const OptOut>
foreignLaunch(const std::shared_ptr<ForeignKernelState> &kernel,
              const ForeignShape &shape,
              std::vector<ForeignParameter> parameters) {
  for (const auto &axes : {shape.grid, shape.block}) {
    if (std::find(axes.begin(), axes.end(), 0u) != axes.end()) {
      throw RuntimeError(3, fmt::format("opt-out {}: a grid or block without "
                                        "an element",
                                        kernel->name));
    }
  }
  return std::make_shared<const OptOut>(OptOut{
      kernel->name,
      fmt::format("opt-out {}(grid ({}, {}, {}))", kernel->name, shape.grid[0],
                  shape.grid[1], shape.grid[2]),
      kernel->modes,
      [kernel, shape, parameters = std::move(parameters)](const RawCall &call) {
        queue(*kernel, shape, parameters, call);
      }});
}

} // namespace detail

ForeignKernel ForeignKernel::load(std::string_view name, std::string code,
                                  std::string function,
                                  std::vector<AccessMode> modes) {
  detail::checkOptOutName(name);
  auto state = std::make_shared<detail::ForeignKernelState>();
  state->name = name;
  state->code = std::move(code);
  state->function = std::move(function);
  state->modes = std::move(modes);
  return ForeignKernel(std::move(state));
}

} // namespace girih
