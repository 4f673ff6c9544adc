// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/Transfers.h"

#include "runtime/host/States.h"

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

template <typename Call>
static Stream queue(std::span<Access> accesses, uint64_t bytes,
                    const Stream *given, const char *name, Call call) {
  Stream stream = given ? *given : streamFor(accesses);
  InContext in(stream.internal()->device);
  acquire(accesses, stream);
  int error = bytes ? call(stream) : 0;
  if (error) {
    cancel(accesses);
    throwFailure(name, error);
  }
  release(accesses, stream);
  return stream;
}

Stream queueCopy(const ArgumentView &from, const ArgumentView &to,
                 std::span<Access> accesses, const Stream *given) {
  uint64_t bytes = bytesOf(to);
  return queue(accesses, bytes, given, "cuMemcpyDtoDAsync",
               [&](const Stream &stream) {
                 return functions().copyOnDeviceBehind(to.address, from.address,
                                                       bytes, stream.handle());
               });
}

Stream queueZero(const ArgumentView &to, Access access, const Stream *given) {
  uint64_t bytes = bytesOf(to);
  return queue(
      {&access, 1}, bytes, given, "cuMemsetD8Async", [&](const Stream &stream) {
        return functions().fill8Behind(to.address, 0, bytes, stream.handle());
      });
}

} // namespace girih::detail
