// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Repacked.h"

#include "runtime/driver/HostFunctions.h"
#include "runtime/driver/Symbols.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

namespace girih::runtime {

/// How much memory for copies a device keeps between launches.
static constexpr uint64_t keptBytes = uint64_t(256) << 20;

/// Whether two parameters are of one argument, and say the same of it.
static bool sayTheSame(const Parameter &a, const Parameter &b) {
  return a.kind == b.kind && a.argument == b.argument && a.bytes == b.bytes;
}

std::shared_ptr<const RepackedLaunch>
repackedLaunch(const Manifest &manifest, const LaunchPlan &instead,
               Repacking repacking, std::shared_ptr<LoadedCode> code,
               ParameterBlock parameters) {
  const auto &theirs = manifest.variants[instead.variant].parameters;
  const auto &ours = manifest.variants[repacking.plan.variant].parameters;
  auto out = std::make_shared<RepackedLaunch>();
  for (size_t to = 0; to < ours.size(); ++to) {
    if (ours[to].kind == Parameter::Kind::Integer) {
      continue;
    }
    auto from = std::ranges::find_if(
        theirs, [&](const Parameter &p) { return sayTheSame(p, ours[to]); });
    if (from == theirs.end()) {
      return nullptr;
    }
    out->places.push_back(
        {static_cast<size_t>(from - theirs.begin()), to, ours[to].bytes});
    for (size_t k = 0; k < repacking.copies.size(); ++k) {
      if (ours[to].kind == Parameter::Kind::Pointer &&
          ours[to].argument == repacking.copies[k].argument) {
        out->pointers.push_back({to, k});
      }
    }
  }
  out->repacking = std::move(repacking);
  out->code = std::move(code);
  out->parameters = std::move(parameters);
  return out;
}

namespace {

/// CUmemPoolProps.
struct PoolProperties {
  int allocation = 1; ///< memory of its own
  int handles = 0;    ///< that no other process opens
  int placeKind = 1;  ///< on a device
  int device = 0;
  void *security = nullptr;
  size_t maxBytes = 0; ///< 0: as much as there is
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};
static_assert(sizeof(PoolProperties) == 88);
static_assert(offsetof(PoolProperties, reserved) == 34);

/// One side of a CUDA_MEMCPY2D_v2.
struct Side {
  size_t xInBytes = 0, y = 0;
  unsigned memoryType = cu::memoryDevice;
  void *host = nullptr;
  DevicePointer device = 0;
  void *array = nullptr;
  size_t pitch = 0;
};
/// CUDA_MEMCPY2D_v2.
struct RowsCopy {
  Side from, to;
  size_t widthInBytes = 0, height = 0;
};
static_assert(sizeof(RowsCopy) == 128);
static_assert(offsetof(RowsCopy, to) == 56);
static_assert(offsetof(RowsCopy, widthInBytes) == 112);

/// What is called beyond the functions in Driver.h. Where the driver lacks one
/// there are no copies.
struct Functions {
  int (*poolCreate)(void **pool, const PoolProperties *) = nullptr;
  int (*poolSetAttribute)(void *pool, int attribute, void *value) = nullptr;
  int (*allocateBehind)(DevicePointer *memory, size_t bytes, void *pool,
                        void *stream) = nullptr;
  int (*freeBehind)(DevicePointer memory, void *stream) = nullptr;
  int (*copyRowsBehind)(const RowsCopy *, void *stream) = nullptr;
  bool areAll = false;

  Functions() {
    Symbols symbols;
    if (!symbols.library) {
      return;
    }
    symbols.take(poolCreate, "cuMemPoolCreate");
    symbols.take(poolSetAttribute, "cuMemPoolSetAttribute");
    symbols.take(allocateBehind, "cuMemAllocFromPoolAsync");
    symbols.take(freeBehind, "cuMemFreeAsync");
    symbols.take(copyRowsBehind, "cuMemcpy2DAsync_v2");
    areAll = !symbols.missing;
  }
};

} // namespace

static const Functions &functions() {
  static const Functions all;
  return all;
}

/// The pool of the current context's device, which lives as long as the
/// process; null where there is none.
static void *poolOfDevice(const Driver &driver) {
  static std::mutex mutex;
  static auto &pools = *new std::map<int, void *>;
  PoolProperties properties;
  if (!functions().areAll || driver.contextGetDevice(&properties.device) != 0) {
    return nullptr;
  }
  std::lock_guard lock(mutex);
  void *&pool = pools[properties.device];
  void *made = nullptr;
  if (!pool && functions().poolCreate(&made, &properties) == 0) {
    // A pool that refuses gives everything back at each synchronisation: that
    // takes time and nothing else.
    uint64_t kept = keptBytes;
    functions().poolSetAttribute(made, cu::poolReleaseThreshold, &kept);
    pool = made;
  }
  return pool;
}

/// Copies of all rows, and their addresses in place of the tensors' own.
static std::optional<Error> copyRows(const Driver &driver,
                                     const RepackedLaunch &launch,
                                     DevicePointer memory,
                                     ParameterBlock &block, void *stream) {
  std::vector<bool> copied(launch.repacking.copies.size());
  for (const RepackedLaunch::Pointer &pointer : launch.pointers) {
    const RowCopies &rows = launch.repacking.copies[pointer.copies];
    std::byte *at = block.bytes.data() + block.offsets[pointer.parameter];
    DevicePointer from = 0, to = memory + rows.offset;
    std::memcpy(&from, at, sizeof(from));
    std::memcpy(at, &to, sizeof(to));
    if (copied[pointer.copies]) {
      continue;
    }
    copied[pointer.copies] = true;
    RowsCopy copy;
    copy.from.device = from;
    copy.from.pitch = rows.fromPitch;
    copy.to.device = to;
    copy.to.pitch = rows.toPitch;
    copy.widthInBytes = rows.rowBytes;
    copy.height = rows.rows;
    if (int error = functions().copyRowsBehind(&copy, stream)) {
      return driverFailure(driver, "cuMemcpy2DAsync", error);
    }
  }
  return std::nullopt;
}

Expected<bool> launchRepacked(const Driver &driver,
                              const RepackedLaunch &launch,
                              void *const *parameters, void *stream) {
  void *pool = poolOfDevice(driver);
  DevicePointer memory = 0;
  if (!pool || functions().allocateBehind(&memory, launch.repacking.bytes, pool,
                                          stream) != 0) {
    return false;
  }
  ParameterBlock block = launch.parameters;
  for (const RepackedLaunch::Place &place : launch.places) {
    std::memcpy(block.bytes.data() + block.offsets[place.to],
                parameters[place.from], place.bytes);
  }
  std::optional<Error> failed = copyRows(driver, launch, memory, block, stream);
  if (!failed) {
    std::vector<void *> list;
    for (size_t offset : block.offsets) {
      list.push_back(block.bytes.data() + offset);
    }
    int error = driver.launchKernel(
        launch.code->function,
        static_cast<unsigned>(launch.repacking.plan.blocks), 1, 1,
        launch.code->threads, 1, 1, launch.code->sharedBytes, stream,
        list.data(), nullptr);
    if (error) {
      failed = driverFailure(driver, "cuLaunchKernel", error);
    }
  }
  int error = functions().freeBehind(memory, stream);
  if (error && !failed) {
    failed = driverFailure(driver, "cuMemFreeAsync", error);
  }
  if (failed) {
    // The caller takes a launch that failed for one that has queued nothing.
    driver.streamSynchronize(stream);
    return *failed;
  }
  return true;
}

} // namespace girih::runtime
