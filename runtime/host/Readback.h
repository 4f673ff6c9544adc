// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Contents of a tensor on their way to the host, while the device goes on with
/// what is queued behind the copy.

#ifndef GIRIH_RUNTIME_HOST_READBACK_H
#define GIRIH_RUNTIME_HOST_READBACK_H

#include "runtime/host/Stream.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace girih {
/// \cond
namespace detail {

struct TensorState;
struct ReadbackState;

/// Queues the copy; throws for a tensor with gaps, and what toHost throws.
/// `bytes` is the size of an element on the host.
std::shared_ptr<ReadbackState> readBack(const TensorState &from,
                                        std::size_t bytes);
bool isThere(const ReadbackState &state);
/// The elements, once they are there; waits for the copy alone.
const void *elementsOf(ReadbackState &state);

} // namespace detail
/// \endcond

/// What Tensor::readBack has queued. Copies are the same one. Whoever drops the
/// last one before the copy is done waits for it. For one thread at a time.
template <typename T> class Readback {
public:
  /// Whether `get` would not wait; throws an error of the device.
  bool isReady() const { return !state || detail::isThere(*state); }
  /// The elements in row-major order; waits for the copy, not for what is
  /// queued behind it. Throws an error of the device.
  std::vector<T> get() const {
    std::vector<T> out(count);
    if (state) {
      std::memcpy(out.data(), detail::elementsOf(*state), count * sizeof(T));
    }
    return out;
  }

  /// \cond
  Readback(std::shared_ptr<detail::ReadbackState> state, std::size_t count)
      : state(std::move(state)), count(count) {}
  /// \endcond

private:
  std::shared_ptr<detail::ReadbackState> state; ///< null of no elements
  std::size_t count;
};

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_READBACK_H
