// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors without types: how they are made, and views of them.

#include "runtime/host/TensorState.h"
#include "runtime/host/Record.h"

#include <numeric>

namespace girih::detail {

using Wide = __int128;

void throwMoved(const char *what) {
  throw RuntimeError(3, std::string("the ") + what + " was moved");
}

std::string listOf(std::span<const int64_t> numbers) {
  std::string text = "[";
  for (int64_t number : numbers) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  }
  return text + "]";
}

int64_t TensorState::count() const noexcept {
  int64_t count = 1;
  for (int64_t extent : extents.span()) {
    count *= extent;
  }
  return count;
}

void makeRowMajor(std::span<const int64_t> extents,
                  std::span<int64_t> strides) {
  int64_t stride = 1;
  for (size_t k = extents.size(); k-- > 0;) {
    strides[k] = stride;
    stride *= std::max<int64_t>(extents[k], 1);
  }
}

int64_t checkedCount(Element element, std::span<const int64_t> extents) {
  // An axis of no elements leaves the others their limit.
  Wide count = 1, nonempty = 1;
  for (int64_t extent : extents) {
    if (extent < 0 || extent > maxExtent) {
      throw RuntimeError(3, "extents " + listOf(extents) +
                                " are not all from 0 to 2^40");
    }
    count *= extent;
    nonempty *= std::max<int64_t>(extent, 1);
    if (nonempty * bitsOf(element) > Wide(maxBytes) * 8) {
      throw RuntimeError(3, "extents " + listOf(extents) + " of " +
                                std::string(nameOf(element)) +
                                " are more than 2^47 bytes");
    }
  }
  return static_cast<int64_t>(count);
}

static uint64_t bytesOf(Element element, int64_t count) {
  return (static_cast<uint64_t>(count) * bitsOf(element) + 7) / 8;
}

TensorState makeEmpty(Element element, const Extents &extents,
                      const Stream &stream) {
  TensorState state;
  int64_t count = checkedCount(element, extents);
  state.element = element;
  state.extents = Axes(extents);
  state.strides = state.extents;
  makeRowMajor(extents, state.strides.span());
  state.record =
      std::make_shared<Record>(stream.internal(), bytesOf(element, count));
  state.address = state.record->address();
  return state;
}

TensorState makeZeros(Element element, const Extents &extents,
                      const Stream &stream) {
  TensorState state = makeEmpty(element, extents, stream);
  uint64_t bytes = bytesOf(element, state.count());
  if (bytes == 0) {
    return state;
  }
  Access access(*state.record, AccessMode::Write);
  std::span<Access> accesses(&access, 1);
  acquire(accesses, stream);
  InContext in(state.record->device());
  int error = functions().fill8Behind(state.address, 0, bytes, stream.handle());
  release(accesses, stream);
  check(error, "cuMemsetD8Async");
  return state;
}

//===-- Views -------------------------------------------------------------===//

void checkHalves(const TensorState &state, int64_t offset) {
  if (bitsOf(state.element) >= 8 || state.count() == 0) {
    return;
  }
  bool isEven = offset % 2 == 0;
  for (size_t k = 0; k < state.extents.span().size(); ++k) {
    int64_t stride = state.strides.span()[k];
    isEven &= state.extents.span()[k] <= 1 || stride == 1 || stride % 2 == 0;
  }
  if (!isEven) {
    throw RuntimeError(3, "the view has rows of " +
                              std::string(nameOf(state.element)) +
                              " that begin within a byte");
  }
}

static void checkAxis(const TensorState &state, size_t axis) {
  if (axis >= state.extents.span().size()) {
    throw RuntimeError(3, "axis " + std::to_string(axis) +
                              " of a tensor of rank " +
                              std::to_string(state.extents.span().size()));
  }
}

/// Moves the first element; `offset` counts elements.
static void advance(TensorState &state, int64_t offset) {
  state.address += bytesOf(state.element, offset);
}

void slice(TensorState &state, size_t axis, int64_t from, int64_t to) {
  checkAxis(state, axis);
  int64_t extent = state.extents.span()[axis];
  if (from < 0 || from > to || to > extent) {
    throw RuntimeError(3, "slice " + std::to_string(from) + " to " +
                              std::to_string(to) + " of an axis of extent " +
                              std::to_string(extent));
  }
  TensorState view = state;
  view.extents.span()[axis] = to - from;
  // The address of no elements stays within the memory.
  int64_t offset = from == to ? 0 : from * state.strides.span()[axis];
  checkHalves(view, offset);
  advance(view, offset);
  state = std::move(view);
}

void permute(TensorState &state, std::span<const size_t> order) {
  auto extents = state.extents.span(), strides = state.strides.span();
  std::vector<bool> seen(extents.size());
  bool isOrder = order.size() == extents.size();
  for (size_t axis : order) {
    isOrder = isOrder && axis < seen.size() && !seen[axis];
    if (isOrder) {
      seen[axis] = true;
    }
  }
  if (!isOrder) {
    throw RuntimeError(3, "the order of a permutation has each of the " +
                              std::to_string(extents.size()) + " axes once");
  }
  Axes newExtents = state.extents, newStrides = state.strides;
  for (size_t k = 0; k < order.size(); ++k) {
    newExtents.span()[k] = extents[order[k]];
    newStrides.span()[k] = strides[order[k]];
  }
  state.extents = std::move(newExtents);
  state.strides = std::move(newStrides);
}

bool isRowMajor(const TensorState &state) noexcept {
  int64_t stride = 1;
  for (size_t k = state.extents.span().size(); k-- > 0;) {
    int64_t extent = state.extents.span()[k];
    if (extent > 1 && state.strides.span()[k] != stride) {
      return false;
    }
    stride *= extent;
  }
  return true;
}

void reshape(TensorState &state, const Extents &extents) {
  if (checkedCount(state.element, extents) != state.count()) {
    throw RuntimeError(3, "reshape of " + listOf(state.extents.span()) +
                              " to " + listOf(extents) +
                              ", which has another number of elements");
  }
  if (state.count() != 0 && !isRowMajor(state)) {
    throw RuntimeError(3, "reshape of " + listOf(state.extents.span()) +
                              " with strides " + listOf(state.strides.span()) +
                              ", which does not lie in row-major order");
  }
  Axes newExtents(extents), newStrides(extents);
  makeRowMajor(extents, newStrides.span());
  state.extents = std::move(newExtents);
  state.strides = std::move(newStrides);
}

bool isUnique(const TensorState &state) noexcept {
  if (state.record.use_count() != 1 || state.record->isReadOnly()) {
    return false;
  }
  // Behind what other holders did before they let go.
  std::atomic_thread_fence(std::memory_order_acquire);
  return true;
}

//===-- Partitions --------------------------------------------------------===//

PiecesState partition(TensorState &&tensor, std::span<const int64_t> tile) {
  /// Records of pieces are small; their number is not what memory goes to.
  constexpr int64_t maxPieces = 1 << 20;
  auto extents = tensor.extents.span();
  bool isTile = tile.size() == extents.size();
  for (int64_t extent : tile) {
    isTile &= extent >= 1;
  }
  if (!isTile) {
    throw RuntimeError(3, "a tile " + listOf(tile) + " of a tensor " +
                              listOf(extents) +
                              ": one extent an axis, at least 1");
  }
  PiecesState pieces;
  Wide count = 1;
  for (size_t k = 0; k < tile.size(); ++k) {
    int64_t tiles = extents[k] / tile[k] + (extents[k] % tile[k] != 0);
    pieces.counts.push_back(tiles);
    count = std::min<Wide>(count * tiles, Wide(maxPieces) + 1);
    if (bitsOf(tensor.element) < 8 && tiles > 1 &&
        tile[k] * tensor.strides.span()[k] % 2 != 0) {
      throw RuntimeError(3, "tiles " + listOf(tile) + " of " +
                                std::string(nameOf(tensor.element)) +
                                " share bytes");
    }
  }
  if (count > maxPieces) {
    throw RuntimeError(3, "a partition of " + listOf(extents) + " in tiles " +
                              listOf(tile) + " has more than 2^20 pieces");
  }
  checkHalves(tensor, 0);
  pieces.tile.assign(tile.begin(), tile.end());
  pieces.records.resize(static_cast<size_t>(count));
  tensor.record->setLent(true);
  pieces.tensor = std::move(tensor);
  return pieces;
}

std::vector<int64_t> indexOf(const PiecesState &pieces, size_t number) {
  if (number >= pieces.records.size()) {
    throw RuntimeError(3, "piece " + std::to_string(number) + " of " +
                              std::to_string(pieces.records.size()));
  }
  std::vector<int64_t> index(pieces.counts.size());
  for (size_t k = index.size(); k-- > 0;) {
    auto tiles = static_cast<size_t>(pieces.counts[k]);
    index[k] = static_cast<int64_t>(number % tiles);
    number /= tiles;
  }
  return index;
}

TensorState take(PiecesState &pieces, std::span<const int64_t> index) {
  bool isInside = index.size() == pieces.counts.size();
  size_t number = 0;
  for (size_t k = 0; isInside && k < index.size(); ++k) {
    isInside = index[k] >= 0 && index[k] < pieces.counts[k];
    number = number * static_cast<size_t>(pieces.counts[k]) +
             static_cast<size_t>(index[k]);
  }
  if (!isInside) {
    throw RuntimeError(3, "piece " + listOf(index) + " of " +
                              listOf(pieces.counts));
  }
  std::shared_ptr<Record> &record = pieces.records[number];
  if (!record) {
    record = std::make_shared<Record>(pieces.tensor.record);
  } else if (record.use_count() > 1) {
    throw RuntimeError(3, "piece " + listOf(index) + " is out already");
  }
  TensorState piece = pieces.tensor;
  piece.record = record;
  int64_t offset = 0;
  for (size_t k = 0; k < index.size(); ++k) {
    int64_t first = index[k] * pieces.tile[k];
    piece.extents.span()[k] =
        std::min(pieces.tile[k], pieces.tensor.extents.span()[k] - first);
    offset += first * pieces.tensor.strides.span()[k];
  }
  advance(piece, offset);
  return piece;
}

TensorState join(PiecesState &&pieces) {
  for (size_t number = 0; number < pieces.records.size(); ++number) {
    if (pieces.records[number].use_count() > 1) {
      throw RuntimeError(3, "piece " + listOf(indexOf(pieces, number)) +
                                " is out: a tensor is joined of all pieces");
    }
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  // What they were used for becomes the tensor's.
  pieces.records.clear();
  pieces.tensor.record->setLent(false);
  return std::move(pieces.tensor);
}

} // namespace girih::detail
