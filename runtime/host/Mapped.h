// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Memory of the host that kernels write as a tensor, and that the host reads
/// while they do: no call of the driver stands between a kernel's number and
/// who waits for it.

#ifndef GIRIH_RUNTIME_HOST_MAPPED_H
#define GIRIH_RUNTIME_HOST_MAPPED_H

#include "runtime/host/Tensor.h"

namespace girih {
/// \cond
namespace detail {

/// Pinned memory of zeros, which goes with its last owner.
std::shared_ptr<void> mappedMemory(std::size_t bytes, const Device &device);

} // namespace detail
/// \endcond

/// Elements in pinned memory of the host. Copies are the same memory, which
/// goes with the last of them and of the tensors in it.
template <typename T> class Mapped {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8 &&
                    (sizeof(T) & (sizeof(T) - 1)) == 0,
                "the host reads an element as one");

public:
  /// So many zeros, for kernels of a device. Throws RuntimeError for none.
  static Mapped zeros(std::size_t count, const Device &device) {
    return Mapped(count, device);
  }

  /// All elements as a tensor, [count], that kernels write; refused while
  /// another one lives.
  Tensor<T> tensor(const Stream &behind) const {
    return Tensor<T>::fromForeign(
        memory.get(), {static_cast<std::int64_t>(count)}, {1}, memory, behind);
  }
  /// An element as the host finds it: as one of the kernels has stored it that
  /// are queued by now, or as it was before them. What all of a kernel has
  /// stored is there when what is queued behind it begins. Elements are not in
  /// the order of each other.
  T peek(std::size_t index) const {
    if (index >= count) {
      throw RuntimeError(3, "element " + std::to_string(index) +
                                " of mapped memory of " +
                                std::to_string(count));
    }
    T out;
    __atomic_load(static_cast<T *>(memory.get()) + index, &out,
                  __ATOMIC_ACQUIRE);
    return out;
  }

private:
  Mapped(std::size_t count, const Device &device)
      : count(count), memory(detail::mappedMemory(count * sizeof(T), device)) {}

  std::size_t count;
  std::shared_ptr<void> memory;
};

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_MAPPED_H
