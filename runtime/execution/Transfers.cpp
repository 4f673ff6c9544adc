// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/Transfers.h"

#include "runtime/host/States.h"
#include "runtime/host/TensorState.h"

#include <algorithm>

namespace girih::detail {

static int64_t countOf(const ArgumentView &view) {
  int64_t count = 1;
  for (int64_t extent : view.extents) {
    count *= extent;
  }
  return count;
}

static uint64_t bytesOf(const ArgumentView &view) {
  return (static_cast<uint64_t>(countOf(view)) * bitsOf(view.element) + 7) / 8;
}

void checkZero(const ArgumentView &to) {
  int64_t stride = 1;
  for (size_t k = to.extents.size(); k-- > 0 && countOf(to) != 0;) {
    if (to.extents[k] > 1 && to.strides[k] != stride) {
      throw RuntimeError(3, "a tensor to be copied or set to zero does not lie "
                            "in row-major order without gaps");
    }
    stride *= to.extents[k];
  }
}

void checkCopy(const ArgumentView &from, const ArgumentView &to) {
  if (!std::ranges::equal(from.extents, to.extents)) {
    throw RuntimeError(3, "a copy between tensors of other extents");
  }
  checkZero(from);
  checkZero(to);
}

/// The last access is of what is written.
template <typename Call>
static Stream queue(std::span<Access> accesses, uint64_t bytes,
                    const Stream *given, Call call) {
  Stream stream = given ? *given : streamFor(accesses.last(1));
  InContext in(stream.internal()->device);
  if (deviceFor(accesses) == stream.device()) {
    acquire(accesses, stream);
  } else {
    acquireAcross(accesses, stream);
  }
  try {
    if (bytes) {
      call(stream);
    }
  } catch (...) {
    cancel(accesses);
    throw;
  }
  release(accesses, stream);
  return stream;
}

Stream queueCopy(const ArgumentView &from, const ArgumentView &to,
                 std::span<Access> accesses, const Stream *given) {
  uint64_t bytes = bytesOf(to);
  DeviceState &source = deviceFor(accesses.first(1)).internal();
  return queue(accesses, bytes, given, [&](const Stream &stream) {
    copyBetween(to.address, from.address, source, bytes, stream);
  });
}

Stream queueZero(const ArgumentView &to, Access access, const Stream *given) {
  uint64_t bytes = bytesOf(to);
  return queue({&access, 1}, bytes, given, [&](const Stream &stream) {
    check(functions().fill8Behind(to.address, 0, bytes, stream.handle()),
          "cuMemsetD8Async");
  });
}

} // namespace girih::detail
