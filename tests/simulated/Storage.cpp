// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls for memory: allocations, pools, copies, fills.

#include "tests/simulated/State.h"

#include <algorithm>
#include <cstdlib>

namespace girih::simulated {

static Pool *poolOf(const void *handle) {
  for (int k = 0; k < state().deviceCount; ++k) {
    if (handle == &state().devices[k].pool) {
      return &state().devices[k].pool;
    }
  }
  return nullptr;
}

int State::allocate(uint64_t bytes, Context &context, bool pooled,
                    Allocation *&made) {
  Device &device = devices[context.device];
  if (bytes == 0) {
    return cu::invalidValue;
  }
  if (bytes >
      device.limit - std::min(device.limit, memory.live[context.device])) {
    return cu::outOfMemory;
  }
  made = memory.allocate(bytes, context.device, pooled ? nullptr : &context);
  if (!made) {
    return cu::outOfMemory;
  }
  made->made = std::string(pooled ? "cuMemAllocAsync" : "cuMemAlloc") + " #" +
               std::to_string(++taskCount);
  if (pooled) {
    made->pooled = true;
    auto &attributes = device.pool.attributes;
    attributes[cu::poolUsedCurrent] += bytes;
    attributes[cu::poolReservedCurrent] = std::max(
        attributes[cu::poolReservedCurrent], attributes[cu::poolUsedCurrent]);
    for (int high : {cu::poolUsedHigh, cu::poolReservedHigh}) {
      attributes[high] = std::max(attributes[high], attributes[high - 1]);
    }
  }
  return 0;
}

void State::release(Allocation &allocation) {
  if (allocation.pooled) {
    devices[allocation.device].pool.attributes[cu::poolUsedCurrent] -=
        allocation.bytes;
  }
  memory.release(allocation);
}

/// What is to be freed, or null, with the mistake noted.
static Allocation *freeable(const char *call, Address address, bool pinned) {
  State &s = state();
  Allocation *found = s.memory.find(address);
  if (!found || found->begin != address || found->pinned != pinned) {
    s.faults.report(std::string("bad free: ") + call +
                    " is given no allocation");
    return nullptr;
  }
  if (!found->live) {
    s.faults.report(std::string("double free: ") + call + " of " + found->made +
                    ", freed by " + found->freed);
    return nullptr;
  }
  return found;
}

/// A call that queues a task on a stream.
static int queued(const char *name, void *handle, const Task &task) {
  return call(name, [&](Lock &) -> int {
    int error = 0;
    Stream *stream = streamOf(name, handle, error);
    return stream ? submit(*stream, task) : error;
  });
}

/// A copy that the host waits for.
static int copyNow(const char *name, const Copy &copy) {
  return inContext(name, [&](Lock &lock, Context &context) {
    Stream &stream = context.legacy;
    int error = besideCaptures();
    if (!error) {
      error = submit(stream, copy);
    }
    if (error) {
      return error;
    }
    Clock known = stream.clock;
    state().workers.wait(lock, std::shared_ptr<Op>(stream.last));
    state().host.join(known);
    return context.sticky;
  });
}

static int fillBehind(const char *name, Address to, unsigned value,
                      unsigned elementBytes, size_t count, void *stream) {
  return queued(name, stream, Fill{to, value, elementBytes, count, 1, 0});
}

static Address addressOf(const void *host) {
  return reinterpret_cast<Address>(host);
}

} // namespace girih::simulated

using namespace girih::simulated;

extern "C" {

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  return inContext("cuMemAlloc", [&](Lock &, Context &context) {
    if (int error = besideCaptures()) {
      return error;
    }
    Allocation *made = nullptr;
    int error = state().allocate(bytes, context, false, made);
    *pointer = made ? made->begin : 0;
    return error;
  });
}

int cuMemFree_v2(uint64_t pointer) {
  return inContext("cuMemFree", [&](Lock &, Context &) -> int {
    State &s = state();
    if (int error = besideCaptures()) {
      return error;
    }
    Allocation *freed = freeable("cuMemFree", pointer, false);
    if (!freed) {
      return cu::invalidValue;
    }
    if (auto mistake = s.memory.checkFree(*freed, s.host, "cuMemFree")) {
      s.faults.report(*mistake);
    }
    freed->freed = "cuMemFree";
    s.release(*freed);
    return 0;
  });
}

static int allocateBehind(const char *name, uint64_t *pointer, size_t bytes,
                          void *handle) {
  return call(name, [&](Lock &) -> int {
    State &s = state();
    int error = 0;
    Stream *stream = streamOf(name, handle, error);
    if (!stream) {
      return error;
    }
    if (stream->capture) {
      return notSupported;
    }
    if ((error = besideImplicit(*stream)) != 0) {
      return error;
    }
    Allocation *made = nullptr;
    if ((error = s.allocate(bytes, *stream->context, true, made)) != 0) {
      return error;
    }
    queueOn(*stream, Nothing{}, *stream->context);
    made->madeAt = s.actors.next(stream->actor);
    stream->clock.join(made->madeAt);
    made->made += " on " + nameOf(*stream);
    *pointer = made->begin;
    return 0;
  });
}

int cuMemAllocAsync(uint64_t *pointer, size_t bytes, void *handle) {
  return allocateBehind("cuMemAllocAsync", pointer, bytes, handle);
}

int cuMemAllocFromPoolAsync(uint64_t *pointer, size_t bytes, void *pool,
                            void *handle) {
  if (!poolOf(pool)) {
    return cu::invalidValue;
  }
  return allocateBehind("cuMemAllocFromPoolAsync", pointer, bytes, handle);
}

int cuMemFreeAsync(uint64_t pointer, void *handle) {
  return call("cuMemFreeAsync", [&](Lock &) -> int {
    State &s = state();
    int error = 0;
    Stream *stream = streamOf("cuMemFreeAsync", handle, error);
    if (!stream) {
      return error;
    }
    if (stream->capture) {
      return notSupported;
    }
    if ((error = besideImplicit(*stream)) != 0) {
      return error;
    }
    Allocation *freed = freeable("cuMemFreeAsync", pointer, false);
    if (!freed) {
      return cu::invalidValue;
    }
    queueOn(*stream, Nothing{}, *stream->context);
    std::string name = "cuMemFreeAsync on " + nameOf(*stream);
    if (auto mistake = s.memory.checkFree(*freed, stream->clock, name)) {
      s.faults.report(*mistake);
    }
    freed->freed = name;
    s.release(*freed);
    return 0;
  });
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  return inContext("cuMemGetInfo", [&](Lock &, Context &context) {
    uint64_t limit = state().devices[context.device].limit;
    *total = limit;
    *free = limit - std::min(limit, state().memory.live[context.device]);
    return 0;
  });
}

int cuDeviceGetDefaultMemPool(void **pool, int device) {
  return call("cuDeviceGetDefaultMemPool", [&](Lock &) -> int {
    if (device < 0 || device >= state().deviceCount) {
      return cu::invalidDevice;
    }
    *pool = &state().devices[device].pool;
    return 0;
  });
}

/// All pools of a device are its default one. Of a CUmemPoolProps the fourth
/// number is the device.
int cuMemPoolCreate(void **pool, const int *properties) {
  return cuDeviceGetDefaultMemPool(pool, properties[3]);
}

int cuMemPoolSetAttribute(void *handle, int attribute, void *value) {
  return call("cuMemPoolSetAttribute", [&](Lock &) -> int {
    Pool *pool = poolOf(handle);
    if (!pool || attribute < 1 || attribute > 8) {
      return cu::invalidValue;
    }
    uint64_t &to = pool->attributes[attribute];
    if (attribute < cu::poolReleaseThreshold) {
      to = static_cast<uint64_t>(*static_cast<int *>(value));
    } else if (attribute == cu::poolReleaseThreshold) {
      to = *static_cast<uint64_t *>(value);
    } else if (attribute == cu::poolReservedHigh ||
               attribute == cu::poolUsedHigh) {
      to = pool->attributes[attribute - 1]; // only a reset
    } else {
      return cu::invalidValue;
    }
    return 0;
  });
}

int cuMemPoolGetAttribute(void *handle, int attribute, void *value) {
  return call("cuMemPoolGetAttribute", [&](Lock &) -> int {
    Pool *pool = poolOf(handle);
    if (!pool || attribute < 1 || attribute > 8) {
      return cu::invalidValue;
    }
    if (attribute < cu::poolReleaseThreshold) {
      *static_cast<int *>(value) =
          static_cast<int>(pool->attributes[attribute]);
    } else {
      *static_cast<uint64_t *>(value) = pool->attributes[attribute];
    }
    return 0;
  });
}

int cuMemPoolTrimTo(void *handle, size_t bytes) {
  return call("cuMemPoolTrimTo", [&](Lock &) -> int {
    Pool *pool = poolOf(handle);
    if (!pool) {
      return cu::invalidValue;
    }
    uint64_t kept =
        std::max<uint64_t>(bytes, pool->attributes[cu::poolUsedCurrent]);
    uint64_t &reserved = pool->attributes[cu::poolReservedCurrent];
    reserved = std::min(reserved, kept);
    return 0;
  });
}

/// A CUmemAccessDesc: kind and number of a place, and flags.
struct PoolAccess {
  int kind, id, flags;
};

int cuMemPoolSetAccess(void *handle, const PoolAccess *list, size_t count) {
  return call("cuMemPoolSetAccess", [&](Lock &) -> int {
    Pool *pool = poolOf(handle);
    if (!pool) {
      return cu::invalidValue;
    }
    for (size_t k = 0; k < count; ++k) {
      if (list[k].flags) {
        pool->reachedBy.insert(list[k].id);
      } else {
        pool->reachedBy.erase(list[k].id);
      }
    }
    return 0;
  });
}

int cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  return inContext("cuMemHostAlloc", [&](Lock &, Context &context) -> int {
    if (int error = besideCaptures()) {
      return error;
    }
    Allocation *made = state().memory.pin(bytes, &context);
    if (!made) {
      return cu::outOfMemory;
    }
    made->made = "cuMemHostAlloc";
    *pointer = made->at(made->begin);
    return 0;
  });
}

int cuMemFreeHost(void *pointer) {
  return inContext("cuMemFreeHost", [&](Lock &lock, Context &) -> int {
    State &s = state();
    if (int error = besideCaptures()) {
      return error;
    }
    Allocation *freed = freeable("cuMemFreeHost", addressOf(pointer), true);
    if (!freed) {
      return cu::invalidValue;
    }
    if (auto mistake = s.memory.checkFree(*freed, s.host, "cuMemFreeHost")) {
      // Its bytes must stay for as long as work may touch them.
      s.faults.report(*mistake);
      s.workers.waitForAll(lock);
    }
    freed->freed = "cuMemFreeHost";
    s.release(*freed);
    return 0;
  });
}

int cuPointerGetAttributes(unsigned count, const int *kinds, void **values,
                           uint64_t pointer) {
  return inContext("cuPointerGetAttributes", [&](Lock &, Context &) -> int {
    Allocation *in = state().memory.find(pointer);
    if (in && !in->live) {
      state().faults.report("use after free: cuPointerGetAttributes of " +
                            in->made + ", freed by " + in->freed);
      in = nullptr;
    }
    bool device = in && !in->pinned;
    for (unsigned k = 0; k < count; ++k) {
      switch (kinds[k]) {
      case 1:
        *static_cast<void **>(values[k]) = in ? in->context : nullptr;
        break;
      case 2:
        *static_cast<unsigned *>(values[k]) = device ? cu::memoryDevice
                                              : in   ? cu::memoryHost
                                                     : 0;
        break;
      case 3:
        *static_cast<uint64_t *>(values[k]) = in ? pointer : 0;
        break;
      case 8:
        *static_cast<unsigned *>(values[k]) = 0;
        break;
      case 9:
        *static_cast<int *>(values[k]) = in ? in->device : -2;
        break;
      case 11:
        *static_cast<uint64_t *>(values[k]) = in ? in->begin : 0;
        break;
      case 12:
        *static_cast<size_t *>(values[k]) = in ? in->bytes : 0;
        break;
      default:
        return cu::invalidValue;
      }
    }
    return 0;
  });
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return copyNow("cuMemcpyHtoD", {to, addressOf(from), false, true, bytes});
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  return copyNow("cuMemcpyDtoH", {addressOf(to), from, true, false, bytes});
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                         void *stream) {
  return queued("cuMemcpyHtoDAsync", stream,
                Copy{to, addressOf(from), false, true, bytes});
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  return queued("cuMemcpyDtoHAsync", stream,
                Copy{addressOf(to), from, true, false, bytes});
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                         void *stream) {
  return queued("cuMemcpyDtoDAsync", stream,
                Copy{to, from, false, false, bytes});
}

/// A CUDA_MEMCPY2D of device memory.
struct RowsSide {
  size_t x, y;
  unsigned kind;
  void *host;
  uint64_t device;
  void *array;
  size_t pitch;
};
struct RowsCopy {
  RowsSide from, to;
  size_t width, rows;
};

int cuMemcpy2DAsync_v2(const RowsCopy *c, void *stream) {
  return queued("cuMemcpy2DAsync", stream,
                Copy{c->to.device, c->from.device, false, false, c->width,
                     c->rows, c->to.pitch, c->from.pitch});
}

int cuMemcpyPeerAsync(uint64_t to, void *, uint64_t from, void *, size_t bytes,
                      void *stream) {
  return queued("cuMemcpyPeerAsync", stream,
                Copy{to, from, false, false, bytes});
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t count,
                    void *stream) {
  return fillBehind("cuMemsetD8Async", to, value, 1, count, stream);
}

int cuMemsetD16Async(uint64_t to, unsigned short value, size_t count,
                     void *stream) {
  return fillBehind("cuMemsetD16Async", to, value, 2, count, stream);
}

int cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *stream) {
  return fillBehind("cuMemsetD32Async", to, value, 4, count, stream);
}

} // extern "C"
