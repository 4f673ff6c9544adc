// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Mapped.h"

#include "runtime/host/States.h"

#include <cstring>

namespace girih::detail {

std::shared_ptr<void> mappedMemory(size_t bytes, const Device &device) {
  if (bytes == 0) {
    throw RuntimeError(3, "mapped memory of no elements");
  }
  InContext in(device.internal());
  void *memory = nullptr;
  check(functions().hostAllocate(&memory, bytes,
                                 runtime::cu::hostAllocPortable |
                                     runtime::cu::hostAllocMapped),
        "cuMemHostAlloc");
  std::memset(memory, 0, bytes);
  return {memory, [device](void *pinned) {
            runtime::Entered entered(driver(), device.context());
            functions().hostFree(pinned);
          }};
}

} // namespace girih::detail
