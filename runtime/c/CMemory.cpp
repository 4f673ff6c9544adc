// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory through the C interface, for callers that have none of their
// own.

#include "runtime/artefact/Text.h"
#include "runtime/c/CGuard.h"
#include "runtime/girih.h"

#include <fmt/format.h>
#include <map>
#include <mutex>

using namespace girih::runtime;

namespace {

/// What girih_allocate gave.
struct Allocation {
  uint64_t address = 0;
  size_t bytes = 0;
  Context context;
};

struct Allocations {
  std::mutex mutex;
  std::map<uint64_t, Allocation> byAddress;

  /// The one in which an address lies, or nothing.
  std::optional<Allocation> around(uint64_t address) {
    std::lock_guard lock(mutex);
    auto next = byAddress.upper_bound(address);
    if (next == byAddress.begin()) {
      return std::nullopt;
    }
    const Allocation &found = std::prev(next)->second;
    return address - found.address < found.bytes ? std::optional(found)
                                                 : std::nullopt;
  }
};

} // namespace

// Never destroyed: a thread may outlive the end of main.
static auto &allocations = *new Allocations;

int girih_allocate(size_t bytes, uint64_t *address) {
  return guarded([&]() -> Step {
    if (!address) {
      return misuse("there is no place for the address");
    }
    *address = 0;
    if (bytes == 0) {
      return std::nullopt;
    }
    return withDriver({}, [&](const Driver &driver, const Context &context) {
      BesideCaptures beside(driver);
      uint64_t given = 0;
      if (int error = driver.memoryAllocate(&given, bytes)) {
        return Step(driverFailure(driver, "cuMemAlloc", error));
      }
      std::lock_guard lock(allocations.mutex);
      allocations.byAddress[given] = {given, bytes, context};
      *address = given;
      return Step();
    });
  });
}

int girih_free(uint64_t address) {
  return guarded([&]() -> Step {
    std::optional<Allocation> found = allocations.around(address);
    if (address == 0) {
      return std::nullopt;
    }
    {
      std::lock_guard lock(allocations.mutex);
      if (!found || allocations.byAddress.erase(address) == 0) {
        return misuse(
            fmt::format("no memory of girih_allocate is at {:#x}", address));
      }
    }
    return withDriver(
        found->context, [&](const Driver &driver, const Context &) {
          BesideCaptures beside(driver);
          return succeed(driver, "cuMemFree", driver.memoryFree(address));
        });
  });
}

/// Copies on the default stream, and waits. Refused while a capture would be
/// ruined by that.
template <typename Copy>
static int copy(const char *name, const void *host, uint64_t address,
                size_t bytes, Copy function) {
  return guarded([&]() -> Step {
    if (bytes == 0) {
      return std::nullopt;
    }
    if (!host) {
      return misuse(fmt::format("null as the address of {} of host memory",
                                counted(bytes, "byte", "bytes")));
    }
    std::optional<Allocation> ours = allocations.around(address);
    return withDriver(
        ours ? std::optional(ours->context) : std::nullopt,
        [&](const Driver &driver, const Context &context) -> Step {
          MemoryCheck memory(driver, context);
          if (auto error = memory.check("the memory", address, bytes)) {
            return error;
          }
          if (auto captured = isCaptured(driver, nullptr); !captured) {
            return captured.error();
          }
          BesideCaptures beside(driver);
          if (int error = function(driver)) {
            return driverFailure(driver, name, error);
          }
          // The last bytes of pageable memory may still be on their way.
          return succeed(driver, "cuStreamSynchronize",
                         driver.streamSynchronize(nullptr));
        });
  });
}

int girih_upload(uint64_t to, const void *from, size_t bytes) {
  return copy("cuMemcpyHtoD", from, to, bytes, [&](const Driver &driver) {
    return driver.copyToDevice(to, from, bytes);
  });
}

int girih_download(void *to, uint64_t from, size_t bytes) {
  return copy("cuMemcpyDtoH", to, from, bytes, [&](const Driver &driver) {
    return driver.copyToHost(to, from, bytes);
  });
}

int girih_synchronize(void) {
  return guarded([&]() -> Step {
    return withDriver({}, [](const Driver &driver, const Context &) -> Step {
      if (auto captured = isCaptured(driver, nullptr); !captured) {
        return captured.error();
      }
      return succeed(driver, "cuCtxSynchronize", driver.contextSynchronize());
    });
  });
}
