// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Validate.h"

#include "runtime/arguments/Preconditions.h"
#include "runtime/driver/Buffer.h"
#include "runtime/driver/Launch.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace girih::runtime {

/// Most blocks of a validator.
static constexpr int64_t maxBlocks = 1024;
/// Elements that the host looks at.
static constexpr int64_t maxElements = int64_t(1) << 31;
/// Elements of which a kernel compares each with each; of more the host, which
/// sorts, is faster.
static constexpr int64_t maxCompared = int64_t(1) << 18;

/// Elements that one step of a validator looks at.
static int64_t tileOfValidator(Precondition::Kind kind) {
  return kind == Precondition::Kind::Distinct ? 32 : 1024;
}

Expected<std::shared_ptr<DeviceMemory>> DeviceMemory::make(const Driver &driver,
                                                           size_t bytes) {
  DevicePointer address = 0;
  if (int error = driver.memoryAllocate(&address, bytes)) {
    return driverFailure(driver, "cuMemAlloc", error);
  }
  return std::make_shared<DeviceMemory>(driver, address);
}

DeviceMemory::~DeviceMemory() { driver->memoryFree(address); }

/// The number of elements, or nothing when it is not for one machine.
static std::optional<int64_t> sizeOf(const Layout &layout) {
  int64_t size = 1;
  for (int64_t extent : layout.extents) {
    if (__builtin_mul_overflow(size, extent, &size) ||
        size > std::numeric_limits<int64_t>::max() / 8) {
      return std::nullopt;
    }
  }
  return size;
}

static bool isPacked(const Layout &layout) {
  int64_t stride = 1;
  for (size_t k = layout.extents.size(); k-- > 0;) {
    if (layout.extents[k] > 1 && layout.strides[k] != stride) {
      return false;
    }
    stride *= layout.extents[k];
  }
  return true;
}

static bool fits(Wide value) {
  return value >= std::numeric_limits<int64_t>::min() &&
         value <= std::numeric_limits<int64_t>::max();
}

/// The call of a validator: its tensors are %t and %found, its symbols, where
/// it has them, the least and the largest value that may be.
static std::optional<Call> callOf(const Manifest &manifest,
                                  const Precondition &given, Bounds bounds,
                                  const TensorValue &tensor,
                                  const TensorValue &found) {
  std::optional<size_t> t = argumentNamed(manifest, "t"),
                        f = argumentNamed(manifest, "found");
  if (!t || !f) {
    return std::nullopt;
  }
  Call call;
  call.tensors.resize(manifest.arguments.size());
  call.scalars.resize(manifest.arguments.size());
  call.tensors[*t] = tensor;
  call.tensors[*f] = found;
  if (given.kind == Precondition::Kind::Within) {
    call.symbols = {{"least", static_cast<int64_t>(bounds.low)},
                    {"most", static_cast<int64_t>(bounds.high - 1)}};
  }
  return call;
}

Expected<Validation> prepareValidation(const Driver &driver,
                                       const Precondition &given, Bounds bounds,
                                       const Layout &layout,
                                       DevicePointer address,
                                       Kernel *validator) {
  Validation v{given, bounds, layout, address, nullptr, nullptr};
  std::optional<int64_t> size = sizeOf(layout);
  bool usable =
      validator && size && isPacked(layout) &&
      address % bytesOf(layout.element) == 0 && fits(bounds.low) &&
      fits(bounds.high - 1) &&
      (given.kind != Precondition::Kind::Distinct || *size <= maxCompared);
  if (!usable) {
    return v;
  }
  int64_t tile = tileOfValidator(given.kind);
  int64_t blocks = std::clamp<int64_t>((*size + tile - 1) / tile, 1, maxBlocks);
  auto found = DeviceMemory::make(driver, 8 * static_cast<size_t>(blocks));
  if (!found) {
    return found.error();
  }
  v.found = *found;
  auto call = callOf(
      validator->manifest(), given, bounds,
      TensorValue{address, layout.element, {*size}, {1}, Evidence::None, {}},
      TensorValue{
          v.found->address, Element::I64, {blocks}, {1}, Evidence::None, {}});
  if (!call) {
    return Error{ErrorKind::Artefact, "the validator of " + given.text +
                                          " lacks the arguments %t and %found"};
  }
  Expected<LaunchPlan> plan = checkCall(validator->manifest(), *call);
  if (!plan) {
    return plan.error();
  }
  Expected<KernelLaunch> prepared = validator->prepare(*plan, *call);
  if (!prepared) {
    return prepared.error();
  }
  v.kernel = std::make_shared<KernelLaunch>(std::move(*prepared));
  return v;
}

namespace {

/// One look at the device.
struct Look {
  const Driver &driver;
  const Validation &v;
  void *stream;

  /// Behind the work of the stream: on the default stream it would disturb a
  /// capture that waits for that one.
  std::optional<Error> download(void *to, DevicePointer from, size_t bytes) {
    if (int error = driver.copyToHostBehind(to, from, bytes, stream)) {
      return driverFailure(driver, "cuMemcpyDtoHAsync", error);
    }
    if (int error = driver.streamSynchronize(stream)) {
      // The copy may still run, and what it writes is about to go.
      driver.streamSynchronize(stream);
      return driverFailure(driver, "cuStreamSynchronize", error);
    }
    return std::nullopt;
  }

  /// Copies the tensor and looks through it.
  std::optional<Error> onHost() {
    std::optional<int64_t> size = sizeOf(v.layout);
    if (!size || *size > maxElements || v.layout.span() > maxElements) {
      return Error{ErrorKind::Usage,
                   "contract: given " + v.given.text +
                       ": there are more than 2^31 elements, "
                       "too many to be copied and looked through"};
    }
    size_t bytes = bytesOf(v.layout.element);
    std::string memory(static_cast<size_t>(v.layout.span()) * bytes, 0);
    std::string packed(static_cast<size_t>(*size) * bytes, 0);
    if (auto error = download(memory.data(), v.address, memory.size())) {
      return error;
    }
    forEachElement(v.layout, [&](int64_t element, int64_t position) {
      std::memcpy(packed.data() + element * bytes,
                  memory.data() + position * bytes, bytes);
    });
    return findBreach(v.given, v.bounds, v.layout.element, v.layout.extents,
                      packed.data());
  }

  /// The first and the last number of splits, which the kernel leaves out.
  std::optional<Error> ends(bool &right) {
    char bytes[8];
    int64_t last = v.layout.extents[0] - 1;
    for (auto [at, wanted] : {std::pair<int64_t, Wide>{0, 0},
                              std::pair<int64_t, Wide>{last, v.bounds.high}}) {
      size_t size = bytesOf(v.layout.element);
      if (auto error = download(bytes, v.address + at * size, size)) {
        return error;
      }
      right = right && integerAt(v.layout.element, bytes) == wanted;
    }
    return std::nullopt;
  }

  std::optional<Error> onDevice() {
    if (auto error = launch(driver, *v.kernel, stream)) {
      return error;
    }
    std::vector<int64_t> found(v.kernel->blocks);
    if (auto error =
            download(found.data(), v.found->address, 8 * found.size())) {
      return error;
    }
    int64_t first = *std::min_element(found.begin(), found.end());
    bool right = first >= *sizeOf(v.layout);
    if (v.given.kind == Precondition::Kind::Splits) {
      if (auto error = ends(right)) {
        return error;
      }
    }
    if (right) {
      return std::nullopt;
    }
    // Slow, but now there is something to tell.
    if (auto error = onHost()) {
      return error;
    }
    return Error{ErrorKind::Failed,
                 fmt::format("given {}: the kernel finds a breach at element "
                             "{}, the host finds none",
                             v.given.text, first)};
  }
};

} // namespace

std::optional<Error> validate(const Driver &driver,
                              const Validation &validation, void *stream) {
  BesideCaptures beside(driver);
  Look look{driver, validation, stream};
  return validation.kernel ? look.onDevice() : look.onHost();
}

} // namespace girih::runtime
