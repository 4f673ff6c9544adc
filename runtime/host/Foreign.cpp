// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in memory of somebody else's. What is said of it is checked as if an
// enemy had said it: layout, address, device, and what else lives there.

#include "runtime/host/Record.h"
#include "runtime/host/TensorState.h"

#include <fmt/format.h>

namespace girih::detail {

using runtime::Wide;

[[noreturn]] static void refuseForeign(const std::string &why) {
  throw RuntimeError(3, "foreign memory: " + why);
}

/// Bytes from the first to behind the last element.
static uint64_t checkLayout(const TensorState &state, bool isReadOnly) {
  auto extents = state.extents.span(), strides = state.strides.span();
  if (extents.size() != strides.size()) {
    refuseForeign(fmt::format("{} extents and {} strides", extents.size(),
                              strides.size()));
  }
  int64_t count = checkedCount(state.element, extents);
  Wide last = 0;
  for (size_t k = 0; k < extents.size(); ++k) {
    if (strides[k] < 0) {
      refuseForeign(
          fmt::format("stride {} of axis {} is negative", strides[k], k));
    }
    // As of a launch: what no element is reached with is limited too.
    if (Wide(strides[k]) * extents[k] * bitsOf(state.element) >
        Wide(maxBytes) * 8) {
      refuseForeign(
          fmt::format("extent {} and stride {} of axis {} are more than "
                      "2^47 bytes",
                      extents[k], strides[k], k));
    }
    last += count ? Wide(strides[k]) * (extents[k] - 1) : 0;
  }
  if (count == 0) {
    return 0;
  }
  checkHalves(state, 0);
  runtime::Layout layout{static_cast<runtime::Element>(state.element),
                         {extents.begin(), extents.end()},
                         {strides.begin(), strides.end()}};
  if (!isReadOnly && !runtime::isInjective(layout)) {
    refuseForeign(
        fmt::format("elements of extents {} with strides {} may overlap; "
                    "only a Shared may be so",
                    listOf(extents), listOf(strides)));
  }
  Wide bytes = ((last + 1) * bitsOf(state.element) + 7) / 8;
  if (bytes > Wide(maxBytes)) {
    refuseForeign(
        fmt::format("extents {} with strides {} span more than 2^47 bytes",
                    listOf(extents), listOf(strides)));
  }
  return static_cast<uint64_t>(bytes);
}

/// The number of a device by the driver's handle.
static Device deviceWith(int handle) {
  for (int k = 0; k < Device::count(); ++k) {
    int found = 0;
    if (driver().deviceGet(&found, k) == 0 && found == handle) {
      return Device::get(k);
    }
  }
  refuseForeign(
      fmt::format("it lies on a device with handle {}, which the driver "
                  "does not list",
                  handle));
}

/// The device on which all bytes lie, by the word of the driver.
static Device deviceOf(uint64_t address, uint64_t bytes,
                       const Device *expected) {
  Device at = expected ? *expected : Device::get();
  runtime::Context here{at.context(), at.internal().described};
  InContext in(at.internal());
  auto where = runtime::contextOfMemory(driver(), here, address);
  if (!where) {
    throwError(where.error());
  }
  if (where->device.handle != here.device.handle) {
    at = deviceWith(where->device.handle);
    if (expected) {
      refuseForeign(
          fmt::format("it lies on device {}, the stream is of device {}",
                      at.ordinal(), expected->ordinal()));
    }
    here = {at.context(), at.internal().described};
  }
  InContext there(at.internal());
  if (auto error = runtime::MemoryCheck(driver(), here)
                       .check("the memory", address, bytes)) {
    throw RuntimeError(runtime::exitCode(error->why),
                       "foreign memory: " + error->reason);
  }
  return at;
}

TensorState makeForeign(Element element, uint64_t address,
                        const Extents &extents, const Extents &strides,
                        std::shared_ptr<void> owner, bool isReadOnly,
                        const Stream *behind) {
  TensorState state;
  state.element = element;
  state.address = address;
  state.extents = Axes(extents);
  state.strides = Axes(strides);
  uint64_t bytes = checkLayout(state, isReadOnly);
  if (!owner) {
    refuseForeign(
        "it has no owner; std::shared_ptr<void>(p, [](void *) {}) says that "
        "it stays by itself");
  }
  if (bytes && address == 0) {
    refuseForeign("a null pointer");
  }
  uint64_t alignment = std::max(bitsOf(element) / 8, 1u);
  if (address % alignment != 0) {
    refuseForeign(
        fmt::format("address {:#x} is not a multiple of {}, as {} asks",
                    address, alignment, nameOf(element)));
  }
  if (bytes > UINT64_MAX - address) {
    refuseForeign(fmt::format("{} bytes at {:#x} are beyond the last address",
                              bytes, address));
  }
  std::optional<Device> given;
  if (behind) {
    given = behind->device();
  }
  Device device = bytes   ? deviceOf(address, bytes, given ? &*given : nullptr)
                  : given ? *given
                          : Device::get();
  Stream stream = behind ? *behind : device.nextStream();
  ForeignMemory foreign{{static_cast<runtime::Element>(element),
                         {extents.begin(), extents.end()},
                         {strides.begin(), strides.end()}},
                        isReadOnly,
                        std::move(owner)};
  state.record = std::make_shared<Record>(stream.internal(), address, bytes,
                                          std::move(foreign));
  return state;
}

} // namespace girih::detail
