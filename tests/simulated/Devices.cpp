// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, contexts, modules. A device has its primary context only.

#include "tests/simulated/State.h"

#include <algorithm>

namespace girih::simulated {

/// The contexts of a thread; the last is current. Statics of a program may call
/// when the thread has ended: there is nothing to destroy.
static thread_local struct {
  Context *contexts[4096];
  size_t count;

  bool empty() const { return count == 0; }
  bool full() const { return count == std::size(contexts); }
  Context *back() const { return contexts[count - 1]; }
  void pop_back() { --count; }
  void push_back(Context *context) { contexts[count++] = context; }
} stack;

Context *currentContext() { return stack.empty() ? nullptr : stack.back(); }

static Context *contextAt(const void *handle) {
  State &s = state();
  for (int k = 0; k < s.deviceCount; ++k) {
    if (handle == &s.devices[k].primary) {
      return &s.devices[k].primary;
    }
  }
  return nullptr;
}

static bool isDevice(int device) {
  return device >= 0 && device < state().deviceCount;
}

bool State::mayReach(const Context &context, const Allocation &to) const {
  if (to.pinned || to.device == context.device) {
    return true;
  }
  const Device &other = devices[to.device];
  // Memory of a pool is opened by the pool, other memory by its context.
  return to.context ? context.peers.contains(to.context)
                    : other.pool.reachedBy.contains(context.device);
}

static const char *errorName(int error) {
  switch (error) {
  case 0:
    return "CUDA_SUCCESS";
  case cu::invalidValue:
    return "CUDA_ERROR_INVALID_VALUE";
  case cu::outOfMemory:
    return "CUDA_ERROR_OUT_OF_MEMORY";
  case cu::invalidDevice:
    return "CUDA_ERROR_INVALID_DEVICE";
  case cu::invalidImage:
    return "CUDA_ERROR_INVALID_IMAGE";
  case cu::invalidContext:
    return "CUDA_ERROR_INVALID_CONTEXT";
  case cu::peerUnsupported:
    return "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED";
  case cu::invalidHandle:
    return "CUDA_ERROR_INVALID_HANDLE";
  case cu::illegalState:
    return "CUDA_ERROR_ILLEGAL_STATE";
  case cu::notFound:
    return "CUDA_ERROR_NOT_FOUND";
  case cu::notReady:
    return "CUDA_ERROR_NOT_READY";
  case cu::illegalAddress:
    return "CUDA_ERROR_ILLEGAL_ADDRESS";
  case cu::peerAlreadyEnabled:
    return "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED";
  case cu::launchFailed:
    return "CUDA_ERROR_LAUNCH_FAILED";
  case notPermitted:
    return "CUDA_ERROR_NOT_PERMITTED";
  case notSupported:
    return "CUDA_ERROR_NOT_SUPPORTED";
  case cu::captureUnsupported:
    return "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
  case cu::captureInvalidated:
    return "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
  case cu::captureMerge:
    return "CUDA_ERROR_STREAM_CAPTURE_MERGE";
  case cu::captureUnmatched:
    return "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED";
  case cu::captureUnjoined:
    return "CUDA_ERROR_STREAM_CAPTURE_UNJOINED";
  case cu::captureIsolation:
    return "CUDA_ERROR_STREAM_CAPTURE_ISOLATION";
  case cu::captureImplicit:
    return "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT";
  case cu::capturedEvent:
    return "CUDA_ERROR_CAPTURED_EVENT";
  case cu::captureWrongThread:
    return "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD";
  default:
    return nullptr;
  }
}

} // namespace girih::simulated

using namespace girih::simulated;

extern "C" {

int cuInit(unsigned) {
  return call("cuInit", [](Lock &) { return 0; });
}

int cuDriverGetVersion(int *version) {
  *version = 13000;
  return call("cuDriverGetVersion", [](Lock &) { return 0; });
}

int cuGetErrorName(int error, const char **name) {
  *name = errorName(error);
  return *name ? 0 : cu::invalidValue;
}

int cuDeviceGetCount(int *count) {
  return call("cuDeviceGetCount", [&](Lock &) {
    *count = state().deviceCount;
    return 0;
  });
}

int cuDeviceGet(int *device, int ordinal) {
  return call("cuDeviceGet", [&](Lock &) {
    *device = ordinal;
    return isDevice(ordinal) ? 0 : cu::invalidDevice;
  });
}

int cuDeviceGetName(char *name, int length, int device) {
  return call("cuDeviceGetName", [&](Lock &) {
    std::string text = "Simulated GPU " + std::to_string(device);
    std::strncpy(name, text.c_str(), static_cast<size_t>(length));
    return isDevice(device) ? 0 : cu::invalidDevice;
  });
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  return call("cuDeviceGetAttribute", [&](Lock &) {
    *value = attribute == 75                         ? 9
             : attribute == 76                       ? 0
             : attribute == cu::memoryPoolsSupported ? 1
                                                     : 132;
    return isDevice(device) ? 0 : cu::invalidDevice;
  });
}

int cuDevicePrimaryCtxRetain(void **out, int device) {
  return call("cuDevicePrimaryCtxRetain", [&](Lock &) -> int {
    if (!isDevice(device)) {
      return cu::invalidDevice;
    }
    *out = &state().devices[device].primary;
    return 0;
  });
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  return call("cuDevicePrimaryCtxRelease",
              [&](Lock &) { return isDevice(device) ? 0 : cu::invalidDevice; });
}

int cuCtxGetCurrent(void **out) {
  return call("cuCtxGetCurrent", [&](Lock &) {
    *out = currentContext();
    return 0;
  });
}

int cuCtxSetCurrent(void *handle) {
  return call("cuCtxSetCurrent", [&](Lock &) -> int {
    Context *context = contextAt(handle);
    if (handle && !context) {
      state().faults.unknownHandle("cuCtxSetCurrent", "context");
      return cu::invalidContext;
    }
    if (!stack.empty()) {
      stack.pop_back();
    }
    if (context) {
      stack.push_back(context);
    }
    return 0;
  });
}

int cuCtxPushCurrent_v2(void *handle) {
  return call("cuCtxPushCurrent", [&](Lock &) -> int {
    Context *context = contextAt(handle);
    if (!context) {
      state().faults.unknownHandle("cuCtxPushCurrent", "context");
      return cu::invalidContext;
    }
    if (stack.full()) {
      return cu::outOfMemory;
    }
    stack.push_back(context);
    return 0;
  });
}

int cuCtxPopCurrent_v2(void **out) {
  return call("cuCtxPopCurrent", [&](Lock &) -> int {
    Context *popped = currentContext();
    if (!popped) {
      return cu::invalidContext;
    }
    stack.pop_back();
    if (out) {
      *out = popped;
    }
    return 0;
  });
}

int cuCtxGetDevice(int *device) {
  return call("cuCtxGetDevice", [&](Lock &) -> int {
    Context *context = currentContext();
    *device = context ? context->device : -1;
    return context ? 0 : cu::invalidContext;
  });
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return inContext("cuCtxGetStreamPriorityRange", [&](Lock &, Context &) {
    *least = 0;
    *greatest = -5;
    return 0;
  });
}

int cuCtxSynchronize() {
  return inContext("cuCtxSynchronize", [](Lock &lock, Context &context) {
    State &s = state();
    for (const std::shared_ptr<Capture> &capture : s.captures) {
      if (capture->origin->context == &context) {
        ruin(*capture);
        return cu::captureUnsupported;
      }
    }
    Clock known = context.legacy.clock;
    known.join(context.endedStreams);
    std::vector<std::shared_ptr<Op>> last = {context.legacy.last};
    // Streams that were destroyed too: their work goes on.
    s.streams.forEachEver([&](Stream &stream) {
      if (stream.context == &context) {
        known.join(stream.clock);
        last.push_back(stream.last);
      }
    });
    for (const std::shared_ptr<Op> &op : last) {
      s.workers.wait(lock, op);
    }
    s.host.join(known);
    return context.sticky;
  });
}

int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  return call("cuDeviceCanAccessPeer", [&](Lock &) {
    *can = state().peersReach && device != peer;
    return isDevice(device) && isDevice(peer) ? 0 : cu::invalidDevice;
  });
}

int cuCtxEnablePeerAccess(void *handle, unsigned flags) {
  return inContext("cuCtxEnablePeerAccess", [&](Lock &, Context &context) {
    Context *peer = contextAt(handle);
    if (!peer || peer == &context) {
      return cu::invalidContext;
    }
    if (flags) {
      return cu::invalidValue;
    }
    if (!state().peersReach) {
      return cu::peerUnsupported;
    }
    return context.peers.insert(peer).second ? 0 : cu::peerAlreadyEnabled;
  });
}

int cuModuleLoadData(void **out, const void *image) {
  return inContext("cuModuleLoadData", [&](Lock &, Context &context) {
    if (int error = besideCaptures()) {
      return error;
    }
    KernelCode code;
    std::string why;
    if (!readCode(image, code, why)) {
      if (!why.empty()) {
        state().faults.report("bad module: " + why);
      }
      return cu::invalidImage;
    }
    Module *module = state().modules.add();
    module->context = &context;
    module->code = std::move(code);
    *out = module;
    return 0;
  });
}

int cuModuleUnload(void *handle) {
  return inContext("cuModuleUnload", [&](Lock &, Context &) {
    State &s = state();
    Module *module = s.modules.find(handle);
    if (!module) {
      return s.faults.unknownHandle("cuModuleUnload", "module");
    }
    if (int error = besideCaptures()) {
      return error;
    }
    module->live = false;
    s.functions.forEach([&](Function &function) {
      function.live &= function.module != module;
    });
    return 0;
  });
}

int cuModuleGetFunction(void **out, void *handle, const char *name) {
  return inContext("cuModuleGetFunction", [&](Lock &, Context &) {
    State &s = state();
    Module *module = s.modules.find(handle);
    if (!module) {
      return s.faults.unknownHandle("cuModuleGetFunction", "module");
    }
    if (!module->code.hasEntry(name)) {
      return cu::notFound;
    }
    Function *function = s.functions.add();
    function->module = module;
    function->entry = name;
    *out = function;
    return 0;
  });
}

int cuFuncGetParamInfo(void *handle, size_t index, size_t *offset,
                       size_t *size) {
  return inContext("cuFuncGetParamInfo", [&](Lock &, Context &) {
    Function *function = state().functions.find(handle);
    if (!function) {
      return state().faults.unknownHandle("cuFuncGetParamInfo", "function");
    }
    const KernelCode &code = function->module->code;
    if (index >= code.sizes.size()) {
      return cu::invalidValue;
    }
    *offset = code.offsetOf(index);
    *size = code.sizes[index];
    return 0;
  });
}

int cuFuncSetAttribute(void *handle, int, int) {
  return inContext("cuFuncSetAttribute", [&](Lock &, Context &) {
    return state().functions.find(handle)
               ? 0
               : state().faults.unknownHandle("cuFuncSetAttribute", "function");
  });
}

} // extern "C"
