// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What tensors, shared tensors and pieces have in common, without types:
/// memory with its entry in the ledger, and a layout. No part of the public
/// interface.

#ifndef GIRIH_RUNTIME_HOST_TENSORSTATE_H
#define GIRIH_RUNTIME_HOST_TENSORSTATE_H

#include "runtime/host/Access.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

/// As dlpack.h declares it: tensors of this library and of others in one form.
struct DLManagedTensorVersioned;

namespace girih {

/// Extents of a tensor, one an axis.
using Extents = std::vector<std::int64_t>;

/// \cond
namespace detail {

/// A number an axis; without an allocation for as many axes as tensors have.
class Axes {
public:
  Axes() = default;
  explicit Axes(std::span<const std::int64_t> numbers) : count(numbers.size()) {
    if (count > few.size()) {
      many.assign(numbers.begin(), numbers.end());
    } else {
      std::copy(numbers.begin(), numbers.end(), few.begin());
    }
  }
  std::span<const std::int64_t> span() const noexcept {
    return {count > few.size() ? many.data() : few.data(), count};
  }
  std::span<std::int64_t> span() noexcept {
    return {count > few.size() ? many.data() : few.data(), count};
  }

private:
  std::array<std::int64_t, 6> few{};
  std::vector<std::int64_t> many;
  std::size_t count = 0;
};

struct TensorState {
  /// Null once it was moved.
  std::shared_ptr<Record> record;
  std::uint64_t address = 0;
  Element element = Element::F32;
  Axes extents, strides;

  std::int64_t count() const noexcept;
};

/// Throws what a moved value gives.
[[noreturn]] void throwMoved(const char *what);
inline const TensorState &whole(const TensorState &state, const char *what) {
  if (!state.record) {
    throwMoved(what);
  }
  return state;
}
inline const TensorState &whole(const TensorState *state, const char *what) {
  if (!state) {
    throwMoved(what);
  }
  return *state;
}
inline ArgumentView viewOf(const TensorState &state) {
  return {state.address, state.element, state.extents.span(),
          state.strides.span()};
}

// The limits of a launch (spec/tile.md, Launches).
inline constexpr std::int64_t maxExtent = std::int64_t(1) << 40;
inline constexpr std::int64_t maxBytes = std::int64_t(1) << 47;

/// `[2, 3]`.
std::string listOf(std::span<const std::int64_t> numbers);
/// Elements, within the limits; throws.
std::int64_t checkedCount(Element element,
                          std::span<const std::int64_t> extents);
/// Strides without gaps.
void makeRowMajor(std::span<const std::int64_t> extents,
                  std::span<std::int64_t> strides);
/// Two elements of 4 bits share a byte: views begin at a byte, and so does
/// every row of one that has gaps. Throws; `offset` counts elements.
void checkHalves(const TensorState &state, std::int64_t offset);

TensorState makeEmpty(Element element, const Extents &extents,
                      const Stream &stream);
TensorState makeZeros(Element element, const Extents &extents,
                      const Stream &stream);
/// By a verified kernel (execution/Creation.cpp), with its scalars and symbols.
/// Kernels of other elements than f32 have that in their name: `fill_bf16`.
TensorState makeByKernel(std::string_view kernel, Element element,
                         const Extents &extents, const Stream &stream,
                         std::span<const double> scalars,
                         std::span<const std::int64_t> symbols);
/// Of `count` elements of host memory, `bytes` each.
TensorState makeCopy(Element element, const void *from, std::size_t count,
                     std::size_t bytes, const Extents &extents,
                     const Stream &stream);
TensorState clone(const TensorState &from, const Stream &stream);
/// The same by a path; throws where that is not there.
TensorState copyTo(const TensorState &from, const Stream &stream,
                   PeerPath path);
/// Queues a copy on a stream of the device that it goes to; throws.
void copyBetween(std::uint64_t to, std::uint64_t from, DeviceState &source,
                 std::uint64_t bytes, const Stream &stream);
/// Memory of somebody else's (host/Foreign.cpp); behind what is queued on the
/// stream, where there is one.
TensorState makeForeign(Element element, std::uint64_t address,
                        const Extents &extents, const Extents &strides,
                        std::shared_ptr<void> owner, bool isReadOnly,
                        const Stream *behind);
/// All elements in row-major order, `bytes` each.
void copyToHost(const TensorState &from, void *to, std::size_t bytes);
/// From as many elements in row-major order.
void copyInto(const TensorState &to, const void *from, std::size_t count,
              std::size_t bytes, const Stream *stream);

/// From DLPack and to it (host/DLPack.cpp). What is refused stays the caller's.
TensorState fromDLPack(Element element, bool isUnsigned,
                       DLManagedTensorVersioned *handle, bool isReadOnly,
                       const Stream *behind);
DLManagedTensorVersioned *toDLPack(TensorState &&state, bool isUnsigned,
                                   bool isReadOnly, const Stream &consumer);

// These change the layout alone; a refused one leaves it as it is.
void slice(TensorState &state, std::size_t axis, std::int64_t from,
           std::int64_t to);
void permute(TensorState &state, std::span<const std::size_t> order);
void reshape(TensorState &state, const Extents &extents);

/// Whether the elements lie in row-major order without gaps.
bool isRowMajor(const TensorState &state) noexcept;
/// Whether a record has no other holder, and may be written; what others have
/// queued is booked then.
bool isUnique(const TensorState &state) noexcept;

struct PiecesState {
  TensorState tensor;
  std::vector<std::int64_t> tile, counts;
  /// By number of the piece, in row-major order.
  std::vector<std::shared_ptr<Record>> records;
};
PiecesState partition(TensorState &&tensor, std::span<const std::int64_t> tile);
TensorState take(PiecesState &pieces, std::span<const std::int64_t> index);
TensorState join(PiecesState &&pieces);
std::vector<std::int64_t> indexOf(const PiecesState &pieces,
                                  std::size_t number);

} // namespace detail
/// \endcond
} // namespace girih

#endif // GIRIH_RUNTIME_HOST_TENSORSTATE_H
