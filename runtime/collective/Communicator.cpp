// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collective/Communicator.h"

#include "runtime/collective/Nccl.h"
#include "runtime/driver/Ranges.h"
#include "runtime/host/States.h"

#include <algorithm>
#include <fmt/format.h>

namespace girih {
namespace detail {

struct CommunicatorState {
  const nccl::Library &library;
  std::vector<Device> devices;
  std::vector<void *> ranks;

  /// Of what is queued: all ranks have it in one order.
  std::mutex mutex;
  std::vector<Stream> streams; ///< whose work may not be done
  /// How many have `note` ask which ones have run.
  static constexpr size_t maxUnasked = 64;
  size_t manyStreams = maxUnasked;

  explicit CommunicatorState(const nccl::Library &library) : library(library) {}
  CommunicatorState(const CommunicatorState &) = delete;
  ~CommunicatorState();

  void check(int result, const char *call) const;
  void note(const Stream &stream);
};

void CommunicatorState::check(int result, const char *call) const {
  if (result != nccl::success && result != nccl::inProgress) {
    const char *text = library.getErrorString(result);
    throw RuntimeError(
        1, fmt::format("{}: {}", call, text ? text : "error of NCCL"));
  }
}

void CommunicatorState::note(const Stream &stream) {
  if (std::find(streams.begin(), streams.end(), stream) != streams.end()) {
    return;
  }
  if (streams.size() >= manyStreams) {
    std::erase_if(streams, [](const Stream &used) {
      StreamState &state = *used.internal();
      state.look();
      return state.completed.load() >= state.ticket.load();
    });
    manyStreams = std::max(maxUnasked, 2 * streams.size());
  }
  streams.push_back(stream);
}

/// Work that is queued needs it: where that cannot be waited for, what is left
/// of it is aborted.
CommunicatorState::~CommunicatorState() {
  bool isDone = true;
  for (const Stream &stream : streams) {
    try {
      stream.synchronize();
    } catch (...) {
      isDone = false;
    }
  }
  for (void *rank : ranks) {
    (isDone ? library.destroy : library.abort)(rank);
  }
}

//===-- What fits --------------------------------------------------------===//

static const char *nameOf(Collective kind) {
  switch (kind) {
  case Collective::AllReduce:
    return "nccl.allReduce";
  case Collective::AllGather:
    return "nccl.allGather";
  case Collective::ReduceScatter:
    return "nccl.reduceScatter";
  case Collective::Send:
    break;
  }
  return "nccl.send";
}

std::string CollectiveWork::text() const {
  return kind == Collective::Send
             ? fmt::format("opt-out {}({} to {})", nameOf(kind), sender,
                           receiver)
             : fmt::format("opt-out {}({} ranks)", nameOf(kind),
                           communicator->ranks.size());
}

static int typeOf(Element element, bool isUnsigned) {
  switch (element) {
  case Element::I8:
    return isUnsigned ? nccl::uint8 : nccl::int8;
  case Element::I32:
    return isUnsigned ? nccl::uint32 : nccl::int32;
  case Element::I64:
    return isUnsigned ? nccl::uint64 : nccl::int64;
  case Element::F16:
    return nccl::float16;
  case Element::BF16:
    return nccl::bfloat16;
  case Element::F32:
    return nccl::float32;
  case Element::F64:
    return nccl::float64;
  case Element::F8E4M3FN:
    return nccl::f8e4m3;
  case Element::F8E5M2:
    return nccl::f8e5m2;
  default:
    return -1;
  }
}

static int64_t countOf(const ArgumentView &view) {
  int64_t count = 1;
  for (int64_t extent : view.extents) {
    count *= extent;
  }
  return count;
}

void checkCollective(const CollectiveWork &work,
                     std::span<const RankPart> parts) {
  auto refuse = [&](const std::string &why) {
    throw RuntimeError(3, fmt::format("{}: {}", work.text(), why));
  };
  refuseIfAsked(nameOf(work.kind));
  size_t ranks = work.communicator->ranks.size();
  if (work.kind == Collective::Send) {
    if (work.sender >= ranks || work.receiver >= ranks ||
        work.sender == work.receiver) {
      refuse(fmt::format("there are ranks 0 to {}, and it takes two of them",
                         ranks - 1));
    }
    if (countOf(*parts[0].from) != countOf(*parts[1].to)) {
      refuse(fmt::format("{} elements for a tensor of {}",
                         countOf(*parts[0].from), countOf(*parts[1].to)));
    }
  } else if (parts.size() != ranks) {
    refuse(fmt::format("tensors of {} ranks", parts.size()));
  }
  bool inPlace = !parts[0].from;
  std::optional<int64_t> count;
  for (const RankPart &part : parts) {
    if (work.kind != Collective::Send &&
        (part.from.has_value() == inPlace || !part.to)) {
      refuse(
          fmt::format("rank {} has not as many tensors as rank 0", part.rank));
    }
    for (const auto *view : {&part.from, &part.to}) {
      if (!*view) {
        continue;
      }
      if (typeOf((*view)->element, work.isUnsigned) < 0) {
        refuse(fmt::format("NCCL has no elements of {}",
                           girih::nameOf((*view)->element)));
      }
      checkZero(**view);
    }
    if (work.kind == Collective::Send) {
      continue;
    }
    auto scale = static_cast<int64_t>(ranks);
    int64_t to = countOf(*part.to);
    int64_t from = inPlace ? to : countOf(*part.from);
    int64_t fromScale = work.kind == Collective::AllGather ? scale : 1;
    int64_t toScale = work.kind == Collective::ReduceScatter ? scale : 1;
    if (from * fromScale != to * toScale || count.value_or(to) != to) {
      refuse(fmt::format("rank {} has {} elements and gives {} elements, which "
                         "do not go together or with those of rank 0",
                         part.rank, to, from));
    }
    count = to;
  }
}

//===-- Queueing ---------------------------------------------------------===//

static int callOf(const CollectiveWork &work, const RankPart &part,
                  void *stream) {
  const nccl::Library &library = work.communicator->library;
  void *rank = work.communicator->ranks[part.rank];
  const ArgumentView &of = part.to ? *part.to : *part.from;
  void *to = reinterpret_cast<void *>(of.address);
  void *from = part.from ? reinterpret_cast<void *>(part.from->address) : to;
  int type = typeOf(of.element, work.isUnsigned);
  auto operation = static_cast<int>(work.reduction);
  auto count = static_cast<size_t>(countOf(of));
  switch (work.kind) {
  case Collective::AllReduce:
    return library.allReduce(from, to, count, type, operation, rank, stream);
  case Collective::AllGather:
    return library.allGather(from, to, count / work.communicator->ranks.size(),
                             type, rank, stream);
  case Collective::ReduceScatter:
    return library.reduceScatter(from, to, count, type, operation, rank,
                                 stream);
  case Collective::Send:
    break;
  }
  return part.from
             ? library.send(from, count, type, static_cast<int>(work.receiver),
                            rank, stream)
             : library.receive(to, count, type, static_cast<int>(work.sender),
                               rank, stream);
}

/// The calls of all ranks as one, for otherwise each would wait for the others.
static void callAll(const CollectiveWork &work, std::span<const RankPart> parts,
                    std::span<const Stream> streams) {
  const CommunicatorState &state = *work.communicator;
  state.check(state.library.groupStart(), "ncclGroupStart");
  std::exception_ptr failure;
  try {
    for (size_t k = 0; k < parts.size(); ++k) {
      InContext in(streams[k].internal()->device);
      state.check(callOf(work, parts[k], streams[k].handle()),
                  nameOf(work.kind));
    }
  } catch (...) {
    failure = std::current_exception();
  }
  // Whatever happened, or later calls of this thread would be in the group.
  int atEnd = state.library.groupEnd();
  if (failure) {
    std::rethrow_exception(failure);
  }
  state.check(atEnd, "ncclGroupEnd");
}

Stream queueCollective(const CollectiveWork &work,
                       std::span<const RankPart> parts,
                       std::span<Access> accesses, const Stream *given) {
  CommunicatorState &state = *work.communicator;
  bookOptOut(nameOf(work.kind));
  // By rank, since each lies on its device.
  std::vector<std::span<Access>> ofRank;
  std::vector<Stream> streams;
  size_t used = 0;
  for (const RankPart &part : parts) {
    size_t count = part.from.has_value() + part.to.has_value();
    ofRank.push_back(accesses.subspan(used, count));
    used += count;
    Device device = state.devices[part.rank];
    Stream stream = streamFor(ofRank.back());
    if (!(stream.device() == device)) {
      throw RuntimeError(3,
                         fmt::format("{}: rank {} is device {}, its tensor "
                                     "lies on device {}",
                                     work.text(), part.rank, device.ordinal(),
                                     stream.device().ordinal()));
    }
    streams.push_back(given && given->device() == device ? *given : stream);
  }
  std::lock_guard lock(state.mutex);
  size_t acquired = 0;
  try {
    for (; acquired < parts.size(); ++acquired) {
      acquire(ofRank[acquired], streams[acquired]);
    }
    for (const Stream &stream : streams) {
      state.note(stream);
    }
  } catch (...) {
    while (acquired > 0) {
      cancel(ofRank[--acquired]);
    }
    throw;
  }
  std::exception_ptr failure;
  try {
    runtime::Range range(runtime::hasRanges() ? work.text() : std::string());
    callAll(work, parts, streams);
  } catch (...) {
    // A part of it may be queued: uses are booked nevertheless.
    failure = named(work.text(), std::current_exception());
  }
  for (size_t k = 0; k < parts.size(); ++k) {
    release(ofRank[k], streams[k]);
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
  for (size_t k = 1; k < streams.size(); ++k) {
    streams[0].internal()->waitFor(*streams[k].internal());
  }
  return streams[0];
}

} // namespace detail

//===-- Communicators ----------------------------------------------------===//

Communicator Communicator::all(const std::vector<Device> &devices,
                               const std::string &library) {
  if (devices.empty()) {
    throw RuntimeError(3, "a communicator of no devices");
  }
  std::vector<int> ordinals;
  for (const Device &device : devices) {
    if (std::find(ordinals.begin(), ordinals.end(), device.ordinal()) !=
        ordinals.end()) {
      throw RuntimeError(3, fmt::format("device {} is two ranks of a "
                                        "communicator",
                                        device.ordinal()));
    }
    ordinals.push_back(device.ordinal());
  }
  auto state = std::make_shared<detail::CommunicatorState>(nccl::open(library));
  std::vector<void *> ranks(devices.size());
  state->check(state->library.initAll(ranks.data(),
                                      static_cast<int>(ranks.size()),
                                      ordinals.data()),
               "ncclCommInitAll");
  state->devices = devices;
  state->ranks = std::move(ranks);
  return Communicator(std::move(state));
}

std::size_t Communicator::size() const { return state->ranks.size(); }

Device Communicator::device(std::size_t rank) const {
  if (rank >= size()) {
    throw RuntimeError(3, fmt::format("rank {} of {}", rank, size()));
  }
  return state->devices[rank];
}

void Communicator::check() const {
  for (std::size_t rank = 0; rank < size(); ++rank) {
    int found = 0;
    state->check(state->library.getAsyncError(state->ranks[rank], &found),
                 "ncclCommGetAsyncError");
    state->check(found, fmt::format("rank {}", rank).c_str());
  }
}

} // namespace girih
