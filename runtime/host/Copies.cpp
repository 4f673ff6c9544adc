// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between tensors and host memory, whatever the strides. Where other
// pieces lie between the elements, these alone are touched.

#include "runtime/host/Readback.h"
#include "runtime/host/Record.h"
#include "runtime/host/TensorState.h"

#include <bit>
#include <cstring>
#include <mutex>

namespace girih::detail {

namespace {

/// Memory as runs of neighbouring elements, in the order of addresses.
struct Runs {
  int64_t length = 1;
  /// Axes that are left, the one with the largest stride first.
  std::vector<std::pair<int64_t, int64_t>> axes; ///< extent, stride

  explicit Runs(const TensorState &state) {
    for (size_t k = 0; k < state.extents.span().size(); ++k) {
      if (state.extents.span()[k] > 1) {
        axes.emplace_back(state.extents.span()[k], state.strides.span()[k]);
      }
    }
    std::sort(axes.begin(), axes.end(),
              [](auto &a, auto &b) { return a.second > b.second; });
    while (!axes.empty() && axes.back().second == length) {
      length *= axes.back().first;
      axes.pop_back();
    }
  }

  /// Elements from the first to behind the last one.
  int64_t span() const {
    int64_t end = length;
    for (auto [extent, stride] : axes) {
      end += (extent - 1) * stride;
    }
    return end;
  }

  /// Calls `visit(offset, number)` for each run: where it begins, in elements.
  template <typename Visit> void forEach(Visit visit) const {
    std::vector<int64_t> at(axes.size());
    int64_t offset = 0, number = 0;
    while (true) {
      visit(offset, number++);
      size_t k = axes.size();
      for (; k > 0; --k) {
        auto [extent, stride] = axes[k - 1];
        offset += stride;
        if (++at[k - 1] < extent) {
          break;
        }
        offset -= extent * stride;
        at[k - 1] = 0;
      }
      if (k == 0) {
        return;
      }
    }
  }
};

/// Calls `visit(position)` for all elements in row-major order.
template <typename Visit>
void forEachElement(const TensorState &state, Visit visit) {
  auto extents = state.extents.span(), strides = state.strides.span();
  std::vector<int64_t> at(extents.size());
  int64_t position = 0;
  while (true) {
    visit(position);
    size_t k = at.size();
    for (; k > 0; --k) {
      position += strides[k - 1];
      if (++at[k - 1] < extents[k - 1]) {
        break;
      }
      position -= extents[k - 1] * strides[k - 1];
      at[k - 1] = 0;
    }
    if (k == 0) {
      return;
    }
  }
}

uint64_t bytesOf(Element element, int64_t count) {
  return (static_cast<uint64_t>(count) * bitsOf(element) + 7) / 8;
}

/// Whether host memory in row-major order is device memory byte for byte.
bool isImage(const TensorState &state, const Runs &runs, size_t bytes) {
  return runs.axes.empty() && bytes * 8 == bitsOf(state.element) &&
         isRowMajor(state);
}

/// From what lies in device memory to elements of `bytes` each.
void gather(const TensorState &state, const std::vector<char> &image, char *to,
            size_t bytes) {
  bool isHalf = bitsOf(state.element) < 8;
  forEachElement(state, [&](int64_t position) {
    if (isHalf) {
      int pair = static_cast<unsigned char>(image[position / 2]);
      *to = static_cast<char>(pair >> (position % 2 * 4) & 15);
    } else {
      std::memcpy(to, image.data() + position * bytes, bytes);
    }
    to += bytes;
  });
}

void scatter(const TensorState &state, std::vector<char> &image,
             const char *from, size_t bytes) {
  bool isHalf = bitsOf(state.element) < 8;
  forEachElement(state, [&](int64_t position) {
    if (isHalf) {
      int half = (*from & 15) << (position % 2 * 4);
      image[position / 2] = static_cast<char>(image[position / 2] | half);
    } else {
      std::memcpy(image.data() + position * bytes, from, bytes);
    }
    from += bytes;
  });
}

/// Waits for a stream although calls may fail: host memory that a copy reads or
/// writes goes afterwards. An error that comes again and again is that of a
/// lost context, in which nothing runs any more.
void waitWhateverFails(const Stream &stream) noexcept {
  constexpr int maxTries = 16;
  for (int tries = 0; tries < maxTries; ++tries) {
    try {
      stream.synchronize();
      return;
    } catch (...) {
    }
  }
}

/// Queues a copy under the ledger and, where the host takes part, waits for it:
/// neither side may go before it is done, whatever goes wrong meanwhile.
template <typename Queue>
void queueCopy(std::span<Access> accesses, const Stream &stream, bool wait,
               Queue queue) {
  acquireAcross(accesses, stream);
  try {
    InContext in(stream.internal()->device);
    queue();
  } catch (...) {
    release(accesses, stream);
    if (wait) {
      waitWhateverFails(stream);
    }
    throw;
  }
  release(accesses, stream);
  if (!wait) {
    return;
  }
  try {
    stream.record().synchronize();
  } catch (...) {
    // The copy may still run: a wait that failed has waited for nothing.
    waitWhateverFails(stream);
    throw;
  }
}

} // namespace

void copyToHost(const TensorState &from, void *to, size_t bytes) {
  if (from.count() == 0) {
    return;
  }
  Runs runs(from);
  std::vector<char> image;
  char *target = static_cast<char *>(to);
  bool direct = isImage(from, runs, bytes);
  if (!direct) {
    image.resize(bytesOf(from.element, runs.span()));
    target = image.data();
  }
  Access access(*from.record, AccessMode::Read);
  // Behind its writer there is nothing to wait for.
  Stream stream(from.record->lastWriter());
  queueCopy({&access, 1}, stream, true, [&] {
    auto copy = [&](int64_t offset, int64_t length) {
      uint64_t at = bytesOf(from.element, offset);
      check(driver().copyToHostBehind(target + at, from.address + at,
                                      bytesOf(from.element, length),
                                      stream.handle()),
            "cuMemcpyDtoHAsync");
    };
    if (from.record->isPiece()) {
      runs.forEach([&](int64_t offset, int64_t) { copy(offset, runs.length); });
    } else {
      copy(0, runs.span());
    }
  });
  if (!direct) {
    gather(from, image, static_cast<char *>(to), bytes);
  }
}

//===-- Behind which the host does not wait -------------------------------===//

namespace {

/// Pinned memory of the host, which copies go to while nobody waits. To get it
/// from the driver takes longer than a copy, so small blocks are kept.
class PinnedBlocks {
public:
  void *take(size_t bytes, const Stream &stream) {
    if (bytes <= maxKept) {
      std::lock_guard guard(lock);
      std::vector<void *> &kept = free[std::bit_width(bytes)];
      if (!kept.empty()) {
        void *block = kept.back();
        kept.pop_back();
        return block;
      }
    }
    InContext in(stream.internal()->device);
    void *block = nullptr;
    check(functions().hostAllocate(&block, std::bit_ceil(bytes + 1) - 1,
                                   runtime::cu::hostAllocPortable),
          "cuMemHostAlloc");
    return block;
  }
  void give(void *block, size_t bytes) noexcept {
    if (bytes <= maxKept) {
      try {
        std::lock_guard guard(lock);
        free[std::bit_width(bytes)].push_back(block);
        return;
      } catch (...) {
      }
    }
    functions().hostFree(block);
  }

private:
  static constexpr size_t maxKept = 1 << 20;
  std::mutex lock;
  /// By the number of bits that a block's size has.
  std::array<std::vector<void *>, 64> free;
};

PinnedBlocks &pinnedBlocks() {
  // Never destroyed: threads may read back while the process ends.
  static auto *blocks = new PinnedBlocks;
  return *blocks;
}

} // namespace

struct ReadbackState {
  ReadbackState(size_t bytes, const Stream &stream)
      : bytes(bytes), stream(stream),
        block(pinnedBlocks().take(bytes, stream)) {}
  ~ReadbackState() {
    // The copy may still run.
    if (!isDone) {
      waitWhateverFails(stream);
    }
    pinnedBlocks().give(block, bytes);
  }
  ReadbackState(const ReadbackState &) = delete;
  ReadbackState &operator=(const ReadbackState &) = delete;

  size_t bytes;
  Stream stream;
  void *block;
  std::optional<Event> behind; ///< the copy
  bool isDone = false;
};

std::shared_ptr<ReadbackState> readBack(const TensorState &from, size_t bytes) {
  if (from.count() == 0) {
    return nullptr;
  }
  if (!isImage(from, Runs(from), bytes)) {
    throw RuntimeError(3, "only a tensor without gaps, of whole bytes, is read "
                          "back; toHost reads others");
  }
  Access access(*from.record, AccessMode::Read);
  // Behind its writer there is nothing to wait for.
  Stream stream(from.record->lastWriter());
  auto state = std::make_shared<ReadbackState>(
      bytesOf(from.element, from.count()), stream);
  queueCopy({&access, 1}, stream, false, [&] {
    check(driver().copyToHostBehind(state->block, from.address, state->bytes,
                                    stream.handle()),
          "cuMemcpyDtoHAsync");
  });
  state->behind = stream.record();
  return state;
}

bool isThere(const ReadbackState &state) {
  return state.isDone || state.behind->query();
}

const void *elementsOf(ReadbackState &state) {
  if (!state.isDone) {
    state.behind->synchronize();
    state.isDone = true;
  }
  return state.block;
}

void copyInto(const TensorState &to, const void *from, size_t count,
              size_t bytes, const Stream *given) {
  if (count != static_cast<size_t>(to.count())) {
    throw RuntimeError(3, std::to_string(count) + " elements for a tensor of " +
                              std::to_string(to.count()));
  }
  if (count == 0) {
    return;
  }
  Runs runs(to);
  std::vector<char> image;
  const char *source = static_cast<const char *>(from);
  if (!isImage(to, runs, bytes)) {
    image.resize(bytesOf(to.element, runs.span()));
    scatter(to, image, source, bytes);
    source = image.data();
  }
  Access access(*to.record, AccessMode::Write);
  Stream stream = given ? *given : Stream(to.record->lastStream());
  queueCopy({&access, 1}, stream, true, [&] {
    runs.forEach([&](int64_t offset, int64_t) {
      uint64_t at = bytesOf(to.element, offset);
      check(functions().copyToDeviceBehind(to.address + at, source + at,
                                           bytesOf(to.element, runs.length),
                                           stream.handle()),
            "cuMemcpyHtoDAsync");
    });
  });
}

TensorState makeCopy(Element element, const void *from, size_t count,
                     size_t bytes, const Extents &extents,
                     const Stream &stream) {
  TensorState state = makeEmpty(element, extents, stream);
  copyInto(state, from, count, bytes, &stream);
  return state;
}

/// As the strides are ordered, without gaps.
static void makeDense(TensorState &state) {
  auto strides = state.strides.span();
  std::vector<std::pair<int64_t, size_t>> order;
  for (size_t k = 0; k < strides.size(); ++k) {
    order.emplace_back(strides[k], k);
  }
  std::sort(order.begin(), order.end());
  int64_t stride = 1;
  Axes dense = state.strides;
  // An axis of one element has any stride; those of the others count.
  for (const auto &[old, axis] : order) {
    dense.span()[axis] = stride;
    stride *= std::max<int64_t>(state.extents.span()[axis], 1);
  }
  state.strides = std::move(dense);
}

void copyBetween(uint64_t to, uint64_t from, DeviceState &source,
                 uint64_t bytes, const Stream &stream) {
  DeviceState &target = stream.internal()->device;
  if (&source == &target) {
    check(functions().copyOnDeviceBehind(to, from, bytes, stream.handle()),
          "cuMemcpyDtoDAsync");
  } else {
    check(functions().copyToPeerBehind(to, target.context, from, source.context,
                                       bytes, stream.handle()),
          "cuMemcpyPeerAsync");
  }
}

TensorState copyTo(const TensorState &from, const Stream &stream,
                   PeerPath path) {
  DeviceState &target = stream.internal()->device;
  if (path == PeerPath::Direct && &from.record->device() != &target) {
    openPeer(target, from.record->device());
  }
  return clone(from, stream);
}

TensorState clone(const TensorState &from, const Stream &stream) {
  Runs runs(from);
  if (bitsOf(from.element) < 8 && !runs.axes.empty() && runs.length % 2 != 0) {
    throw RuntimeError(3, "the copy would have rows of " +
                              std::string(nameOf(from.element)) +
                              " that begin within a byte");
  }
  Extents all{from.count()};
  TensorState to = makeEmpty(from.element, all, stream);
  to.extents = from.extents;
  to.strides = from.strides;
  makeDense(to);
  if (from.count() == 0) {
    return to;
  }
  Access accesses[] = {{*to.record, AccessMode::Write},
                       {*from.record, AccessMode::Read}};
  queueCopy(accesses, stream, false, [&] {
    runs.forEach([&](int64_t offset, int64_t number) {
      copyBetween(to.address + bytesOf(to.element, number * runs.length),
                  from.address + bytesOf(from.element, offset),
                  from.record->device(), bytesOf(from.element, runs.length),
                  stream);
    });
  });
  return to;
}

} // namespace girih::detail
