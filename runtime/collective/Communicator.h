// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Collective work of several devices of one process, by NCCL: senders that own
/// the tensors of all ranks, like launches. They are opt-outs by their names
/// (`nccl.allReduce`), see execution/OptOut.h. NCCL is opened when a
/// communicator is made, and is no part of the build.

#ifndef GIRIH_RUNTIME_COLLECTIVE_COMMUNICATOR_H
#define GIRIH_RUNTIME_COLLECTIVE_COMMUNICATOR_H

#include "runtime/execution/OptOut.h"

namespace girih {

/// What becomes of the elements at one position.
enum class Reduction : unsigned char { Sum, Product, Max, Min, Average };

/// \cond
namespace detail {

struct CommunicatorState;

enum class Collective : unsigned char {
  AllReduce,
  AllGather,
  ReduceScatter,
  Send
};

/// One rank's part of a collective. In place, `from` is `to`, and only that is
/// in the ledger.
struct RankPart {
  std::size_t rank = 0;
  std::optional<ArgumentView> from, to;
};

struct CollectiveWork {
  std::shared_ptr<CommunicatorState> communicator;
  Collective kind = Collective::AllReduce;
  Reduction reduction = Reduction::Sum;
  bool isUnsigned = false;
  std::size_t sender = 0, receiver = 0; ///< of Collective::Send

  std::string name() const; ///< `nccl.allReduce`
  std::string text() const;
  /// The same of one rank's part.
  std::string textOf(std::size_t rank) const;
};

/// Throws RuntimeError for tensors that do not fit the work.
void checkCollective(const CollectiveWork &work,
                     std::span<const RankPart> parts);
/// Queues it on a stream of each rank, the one of the last use of what is
/// written, or the one given on its device; what is queued behind the stream
/// that it returns is behind all ranks. `accesses` are as many for each part as
/// it has tensors.
Stream queueCollective(const CollectiveWork &work,
                       std::span<const RankPart> parts,
                       std::span<Access> accesses, const Stream *stream);

/// Throws RuntimeError for a tensor of another device than its rank's.
void requireDevice(const CollectiveWork &work, std::size_t rank,
                   const Device &found);
/// What it puts on a stream of each part, as a graph of the driver's for each,
/// which goes with the last owner. Nothing runs.
std::vector<std::shared_ptr<void>>
captureCollective(const CollectiveWork &work, std::span<const RankPart> parts);

/// Where tensors of all ranks lie in memory of one owner, by rank; nobody where
/// they have ordinary memory.
struct SymmetricPlaces {
  std::shared_ptr<void> owner;
  std::vector<void *> at;
  Extents strides;
};
SymmetricPlaces
symmetricPlaces(const std::shared_ptr<CommunicatorState> &communicator,
                Element element, const Extents &extents);

template <typename T> constexpr bool isWithoutSign() {
  return std::is_unsigned_v<T> && !std::same_as<T, bool>;
}

/// `From` are those that are read, `To` those that are written, by rank.
template <typename T> struct CollectivePart {
  using Froms = std::vector<Shared<T>>;
  using Tos = std::vector<Tensor<T>>;
  using Results = std::tuple<Froms, Tos>;
  /// A graph has one device; graphs of all ranks are recorded together.
  static constexpr bool isRecordable = false;
  Results tensors;
  CollectiveWork work;

  std::string name() const { return work.text(); }
  void check() const { checkCollective(work, parts()); }
  Stream queue(const Stream *stream) const {
    std::vector<Access> accesses;
    const auto &[froms, tos] = tensors;
    for (std::size_t k = 0; k < std::max(froms.size(), tos.size()); ++k) {
      if (k < froms.size()) {
        accesses.push_back(accessOf(froms[k], AccessMode::Read));
      }
      if (k < tos.size()) {
        accesses.push_back(accessOf(tos[k], AccessMode::Write));
      }
    }
    return queueCollective(work, parts(), accesses, stream);
  }
  /// `recorders` are of all ranks.
  template <typename Recorders> void recordOn(Recorders &recorders) const {
    std::vector<std::shared_ptr<Record>> holds;
    const auto &[froms, tos] = tensors;
    for (std::size_t k = 0; k < std::max(froms.size(), tos.size()); ++k) {
      if (k < froms.size()) {
        holds.push_back(holdOf(froms[k]));
      }
      if (k < tos.size()) {
        holds.push_back(holdOf(tos[k]));
      }
    }
    recorders.collective(work, parts(), holds);
  }

private:
  std::vector<RankPart> parts() const {
    std::vector<RankPart> out;
    const auto &[froms, tos] = tensors;
    if (work.kind == Collective::Send) {
      out.push_back({work.sender, viewOf(froms[0]), std::nullopt});
      out.push_back({work.receiver, std::nullopt, viewOf(tos[0])});
      return out;
    }
    for (std::size_t k = 0; k < std::max(froms.size(), tos.size()); ++k) {
      RankPart part{k, std::nullopt, std::nullopt};
      if (k < froms.size()) {
        part.from = viewOf(froms[k]);
      }
      if (k < tos.size()) {
        part.to = viewOf(tos[k]);
      }
      out.push_back(part);
    }
    return out;
  }
};

} // namespace detail
/// \endcond

/// Devices that work together, each a rank in the order in which they are
/// given. Copies are the same communicator, which ends with the last copy,
/// operation and graph, when its work has run. Every function may be called in
/// any thread; operations and replays run in the order in which they are
/// queued. What it makes is queued, or recorded into graphs of all ranks, see
/// graph/RankGraphs.h.
class Communicator {
public:
  /// One rank a device, each device once. `library` is the path of NCCL, or
  /// empty for what the loader finds. Throws RuntimeError, 77 without NCCL.
  static Communicator all(const std::vector<Device> &devices,
                          const std::string &library = {});

  /// Ranks.
  std::size_t size() const;
  /// The device of a rank.
  Device device(std::size_t rank) const;
  /// Throws RuntimeError if NCCL has found an error behind what was queued.
  void check() const;
  /// Waits for the collectives and replays that are queued. If a rank fails,
  /// the others would wait for it for ever: they are aborted, and the
  /// communicator with them.
  void wait() const;
  /// The same of this and another one of the same devices, whose work may wait
  /// for each other's: if a rank fails, both are aborted.
  void wait(const Communicator &other) const;

  /// Tensors of all ranks, by rank, in symmetric memory: all-reduces of few KB
  /// take less time where each rank's tensors are of one such call, of two at
  /// most (`from`, `to`). Elements are uninitialised; NCCL may add in another
  /// order than elsewhere. It takes pages of 2 MiB, and may wait for the
  /// devices. With an NCCL older than 2.27 it is ordinary memory. Throws
  /// RuntimeError.
  template <typename T>
  std::vector<Tensor<T>> symmetric(const Extents &extents) const {
    auto places = detail::symmetricPlaces(state, ElementOf<T>::value, extents);
    std::vector<Tensor<T>> out;
    for (std::size_t rank = 0; rank < size(); ++rank) {
      Stream stream = device(rank).nextStream();
      out.push_back(places.owner ? Tensor<T>::fromForeign(
                                       places.at[rank], extents, places.strides,
                                       places.owner, stream)
                                 : Tensor<T>::empty(extents, stream));
    }
    return out;
  }

  /// `to[r]`, for each rank, is the reduction of all of `from`. Like the
  /// others: tensors by rank, each on the device of its rank, in row-major
  /// order without gaps; gives both lists back.
  template <typename T>
  [[nodiscard]] auto allReduce(std::vector<Shared<T>> from,
                               std::vector<Tensor<T>> to,
                               Reduction reduction = Reduction::Sum) const {
    return op<T>(detail::Collective::AllReduce, std::move(from), std::move(to),
                 reduction);
  }
  /// In place: each becomes the reduction of all.
  template <typename T>
  [[nodiscard]] auto allReduce(std::vector<Tensor<T>> tensors,
                               Reduction reduction = Reduction::Sum) const {
    return op<T>(detail::Collective::AllReduce, {}, std::move(tensors),
                 reduction);
  }
  /// `to[r]`, with as many elements as all of `from`, has them one behind the
  /// other.
  template <typename T>
  [[nodiscard]] auto allGather(std::vector<Shared<T>> from,
                               std::vector<Tensor<T>> to) const {
    return op<T>(detail::Collective::AllGather, std::move(from), std::move(to));
  }
  /// `to[r]` is part r of the reduction of all of `from`, which have as many
  /// elements as all of `to`.
  template <typename T>
  [[nodiscard]] auto reduceScatter(std::vector<Shared<T>> from,
                                   std::vector<Tensor<T>> to,
                                   Reduction reduction = Reduction::Sum) const {
    return op<T>(detail::Collective::ReduceScatter, std::move(from),
                 std::move(to), reduction);
  }
  /// A tensor of one rank to one of another rank, which receives it: both
  /// sides, since both are in this process.
  template <typename T>
  [[nodiscard]] auto send(std::size_t sender, Shared<T> from,
                          std::size_t receiver, Tensor<T> to) const {
    std::vector<Shared<T>> froms{std::move(from)};
    std::vector<Tensor<T>> tos;
    tos.push_back(std::move(to));
    return op<T>(detail::Collective::Send, std::move(froms), std::move(tos),
                 Reduction::Sum, sender, receiver);
  }

  /// \cond
  const std::shared_ptr<detail::CommunicatorState> &internal() const noexcept {
    return state;
  }
  /// \endcond

private:
  explicit Communicator(std::shared_ptr<detail::CommunicatorState> state)
      : state(std::move(state)) {}
  template <typename T>
  auto op(detail::Collective kind, std::vector<Shared<T>> from,
          std::vector<Tensor<T>> to, Reduction reduction = Reduction::Sum,
          std::size_t sender = 0, std::size_t receiver = 0) const {
    return TransferOp(detail::CollectivePart<T>{
        {std::move(from), std::move(to)},
        {state, kind, reduction, detail::isWithoutSign<T>(), sender,
         receiver}});
  }

  std::shared_ptr<detail::CommunicatorState> state;
};

} // namespace girih

#endif // GIRIH_RUNTIME_COLLECTIVE_COMMUNICATOR_H
