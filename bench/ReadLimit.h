// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast device memory can be read: by bulk copies into shared memory, of
// which nothing is used. No kernel of ours, so that it can be what they are
// measured by.

#ifndef GIRIH_BENCH_READLIMIT_H
#define GIRIH_BENCH_READLIMIT_H

#include <cstdint>

namespace girih::bench {

/// Queues kernels that read memory, on the first device.
class ReadLimit {
public:
  /// Throws std::runtime_error where the driver or the device says no.
  ReadLimit();

  /// Reads `bytes`, a multiple of 16 KiB, at a multiple of 16, on a stream of
  /// the driver; each multiprocessor has `slots` times 16 KiB on their way, at
  /// most 13 of them.
  void launch(uint64_t from, uint64_t bytes, unsigned slots,
              void *stream) const;

private:
  void *function = nullptr;
  unsigned blocks = 0;
};

} // namespace girih::bench

#endif // GIRIH_BENCH_READLIMIT_H
