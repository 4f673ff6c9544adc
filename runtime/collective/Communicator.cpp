// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collective/Symmetric.h"
#include "runtime/driver/Ranges.h"

#include <algorithm>
#include <fmt/format.h>

namespace girih {
namespace detail {

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

void CommunicatorState::order(std::span<const size_t> some,
                              std::span<const Stream> on) {
  for (size_t k = 0; k < some.size(); ++k) {
    std::optional<Stream> &before = last[some[k]];
    if (before && !(*before == on[k])) {
      on[k].internal()->waitFor(*before->internal());
    }
    before = on[k];
  }
}

void CommunicatorState::requireWorking() const {
  if (!aborted.empty()) {
    throw RuntimeError(1, "the communicator was aborted: " + aborted);
  }
}

/// NCCL begins at once, and comes back when no graph has a part of it.
void CommunicatorState::abort(const std::string &why) {
  if (aborted.empty()) {
    aborted = why;
    for (void *rank : ranks) {
      aborting.emplace_back([this, rank] { library.abort(rank); });
    }
  }
}

/// Polls of all ranks between two questions of what NCCL has found.
static constexpr int pollsOfRanks = 1000;

void CommunicatorState::lookForErrors() {
  std::lock_guard lock(mutex);
  requireWorking();
  for (size_t k = 0; k < ranks.size(); ++k) {
    int found = 0;
    check(library.getAsyncError(ranks[k], &found), "ncclCommGetAsyncError");
    if (found != nccl::success && found != nccl::inProgress) {
      const char *text = library.getErrorString(found);
      abort(fmt::format("rank {}: {}", k, text ? text : "error of NCCL"));
      requireWorking();
    }
  }
}

void CommunicatorState::wait(std::span<const Stream> on,
                             const ErrorOfRank &asError,
                             CommunicatorState *other) {
  auto abortBoth = [&](const std::string &why) {
    for (CommunicatorState *each : {this, other}) {
      if (each) {
        std::lock_guard lock(each->mutex);
        each->abort(why);
      }
    }
  };
  std::vector<bool> isDone(on.size());
  for (int polls = 1; !std::ranges::all_of(isDone, std::identity()); ++polls) {
    for (size_t k = 0; k < on.size(); ++k) {
      try {
        isDone[k] = isDone[k] || on[k].query();
      } catch (...) {
        std::exception_ptr error = asError(k, std::current_exception());
        abortBoth(fmt::format("rank {} has failed", k % ranks.size()));
        std::rethrow_exception(error);
      }
    }
    if (polls % pollsOfRanks == 0) {
      std::this_thread::yield();
      try {
        lookForErrors();
        if (other) {
          other->lookForErrors();
        }
      } catch (const std::exception &error) {
        abortBoth(error.what());
        throw;
      }
    }
  }
}

void CommunicatorState::waitForLast(CommunicatorState *other) {
  std::vector<Stream> streams;
  for (CommunicatorState *each : {this, other}) {
    if (each) {
      std::lock_guard lock(each->mutex);
      each->requireWorking();
      for (const std::optional<Stream> &stream : each->last) {
        if (stream && std::ranges::find(streams, *stream) == streams.end()) {
          streams.push_back(*stream);
        }
      }
    }
  }
  wait(streams, [](size_t, std::exception_ptr error) { return error; }, other);
}

/// Work that is queued needs it: where that cannot be waited for, what is left
/// of it is aborted.
CommunicatorState::~CommunicatorState() {
  for (std::thread &thread : aborting) {
    thread.join();
  }
  bool isDone = true;
  if (aborted.empty()) {
    for (const Stream &stream : streams) {
      try {
        stream.synchronize();
      } catch (...) {
        isDone = false;
      }
    }
  }
  for (void *rank : ranks) {
    if (aborted.empty()) {
      (isDone ? library.destroy : library.abort)(rank);
    }
  }
  for (auto [rank, memory] : left) {
    freeMemory(rank, memory);
  }
}

void CommunicatorState::freeMemory(size_t rank, void *memory) const noexcept {
  runtime::Entered in(driver(), devices[rank].context());
  if (memory) {
    library.memFree(memory);
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

std::string CollectiveWork::name() const { return nameOf(kind); }

std::string CollectiveWork::text() const {
  return kind == Collective::Send
             ? fmt::format("opt-out {}({} to {})", nameOf(kind), sender,
                           receiver)
             : fmt::format("opt-out {}({} ranks)", nameOf(kind),
                           communicator->ranks.size());
}

std::string CollectiveWork::textOf(size_t rank) const {
  return fmt::format("opt-out {}(rank {} of {})", nameOf(kind), rank,
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

void requireDevice(const CollectiveWork &work, size_t rank,
                   const Device &found) {
  const Device &device = work.communicator->devices[rank];
  if (!(found == device)) {
    throw RuntimeError(3, fmt::format("{}: rank {} is device {}, its tensor "
                                      "lies on device {}",
                                      work.text(), rank, device.ordinal(),
                                      found.ordinal()));
  }
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
    const Device &device = state.devices[part.rank];
    Stream stream = streamFor(ofRank.back());
    requireDevice(work, part.rank, stream.device());
    streams.push_back(given && given->device() == device ? *given : stream);
  }
  std::vector<size_t> ranks;
  for (const RankPart &part : parts) {
    ranks.push_back(part.rank);
  }
  std::lock_guard lock(state.mutex);
  state.requireWorking();
  size_t acquired = 0;
  try {
    for (; acquired < parts.size(); ++acquired) {
      acquire(ofRank[acquired], streams[acquired]);
    }
    for (const Stream &stream : streams) {
      state.note(stream);
    }
    state.order(ranks, streams);
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

//===-- Captures ---------------------------------------------------------===//

/// Ends the capture of a stream; the graph is the driver's.
static std::shared_ptr<void>
endCapture(const Stream &stream, const std::shared_ptr<CommunicatorState> &of,
           int &error) {
  void *graph = nullptr;
  error = functions().streamEndCapture(stream.handle(), &graph);
  if (error) {
    // Where that did not end it, nothing else on the device could go on.
    functions().streamEndCapture(stream.handle(), &graph);
  }
  // NCCL's ranks stay until the last graph of them is gone.
  return {graph, [device = stream.device(), of](void *captured) {
            if (captured) {
              runtime::Entered entered(driver(), device.context());
              functions().graphDestroy(captured);
            }
          }};
}

std::vector<std::shared_ptr<void>>
captureCollective(const CollectiveWork &work, std::span<const RankPart> parts) {
  CommunicatorState &state = *work.communicator;
  bookOptOut(nameOf(work.kind));
  std::lock_guard lock(state.mutex);
  state.requireWorking();
  std::vector<Stream> streams;
  for (const RankPart &part : parts) {
    streams.push_back(Stream::create(state.devices[part.rank]));
  }
  std::exception_ptr failure;
  size_t begun = 0;
  try {
    for (; begun < streams.size(); ++begun) {
      InContext in(streams[begun].internal()->device);
      check(functions().streamBeginCapture(streams[begun].handle(),
                                           runtime::cu::captureRelaxed),
            "cuStreamBeginCapture");
    }
    callAll(work, parts, streams);
  } catch (...) {
    failure = named(work.text(), std::current_exception());
  }
  // Whatever happened, the streams are let go of.
  std::vector<std::shared_ptr<void>> graphs;
  int firstError = 0;
  for (size_t k = 0; k < begun; ++k) {
    runtime::Entered entered(driver(), streams[k].device().context());
    int error = 0;
    graphs.push_back(endCapture(streams[k], work.communicator, error));
    firstError = firstError ? firstError : error;
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
  if (firstError) {
    try {
      throwFailure("cuStreamEndCapture", firstError);
    } catch (...) {
      std::rethrow_exception(named(work.text(), std::current_exception()));
    }
  }
  return graphs;
}

//===-- Symmetric memory --------------------------------------------------===//

SymmetricPlaces symmetricPlaces(const std::shared_ptr<CommunicatorState> &state,
                                Element element, const Extents &extents) {
  int64_t bits = checkedCount(element, extents) * bitsOf(element);
  if (bits == 0 || !state->library.hasWindows()) {
    return {};
  }
  auto memory = std::make_shared<SymmetricMemory>(
      state, static_cast<size_t>(bits + 7) / 8);
  SymmetricPlaces out{memory, {}, Extents(extents.size())};
  makeRowMajor(extents, out.strides);
  for (size_t rank = 0; rank < state->ranks.size(); ++rank) {
    out.at.push_back(memory->at(rank));
  }
  return out;
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
  state->last.resize(devices.size());
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
  std::lock_guard lock(state->mutex);
  state->requireWorking();
  for (std::size_t rank = 0; rank < size(); ++rank) {
    int found = 0;
    state->check(state->library.getAsyncError(state->ranks[rank], &found),
                 "ncclCommGetAsyncError");
    state->check(found, fmt::format("rank {}", rank).c_str());
  }
}

void Communicator::wait() const { state->waitForLast(nullptr); }

void Communicator::wait(const Communicator &other) const {
  if (state->devices != other.state->devices) {
    throw RuntimeError(3, "communicators of other devices");
  }
  state->waitForLast(other.state.get());
}

} // namespace girih
