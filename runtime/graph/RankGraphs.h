// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Graphs of several devices that run together, one of each rank of a
/// communicator, with collectives between them. They are recorded together: a
/// collective is recorded into the graphs of all ranks by one call, so all have
/// the same ones in the same order.

#ifndef GIRIH_RUNTIME_GRAPH_RANKGRAPHS_H
#define GIRIH_RUNTIME_GRAPH_RANKGRAPHS_H

#include "runtime/collective/Communicator.h"
#include "runtime/graph/Graph.h"

namespace girih {
namespace detail {

/// A recorder for each rank.
class RankRecorders {
public:
  RankRecorders(const Communicator &communicator, const RecordOptions &options);

  std::size_t size() const { return recorders.size(); }
  Recorder &operator[](std::size_t rank) { return *recorders[rank]; }
  /// A collective of all ranks; `holds` are as many for each part as it has
  /// tensors.
  void collective(const CollectiveWork &work, std::span<const RankPart> parts,
                  std::span<const std::shared_ptr<Record>> holds);
  /// Ends the recording of a rank.
  std::shared_ptr<GraphState> finish(std::size_t rank,
                                     std::span<const Record *const> results);
  const std::shared_ptr<CommunicatorState> &communicator() const {
    return state;
  }

private:
  std::shared_ptr<CommunicatorState> state;
  std::vector<std::unique_ptr<Recorder>> recorders;
};

/// Graphs of all ranks, which are queued together.
struct GraphGroup {
  std::shared_ptr<CommunicatorState> communicator;
  std::vector<std::shared_ptr<GraphState>> graphs;
  std::vector<Stream> streams; ///< of the last replay
};

void launchRanks(GraphGroup &group, std::span<const Stream> streams);
void waitForRanks(GraphGroup &group);

} // namespace detail

/// What a function records into: a recording of each rank, and collectives of
/// all of them.
class RankRecordings {
public:
  /// Ranks.
  std::size_t size() const { return recordings.size(); }
  /// That of a rank, for launches on its device.
  Recording &operator[](std::size_t rank) { return recordings.at(rank); }
  /// Records a collective of the communicator behind all that its tensors
  /// depend on and behind the collectives before, into the graphs of all ranks,
  /// and gives its tensors. Refused: a send, another communicator, and what is
  /// refused of one that is queued.
  template <typename T>
  auto operator()(TransferOp<detail::CollectivePart<T>> &&collective) {
    return std::move(collective).recordOn(recorders);
  }

  /// \cond
  explicit RankRecordings(detail::RankRecorders &recorders)
      : recorders(recorders) {
    for (std::size_t rank = 0; rank < recorders.size(); ++rank) {
      recordings.emplace_back(recorders[rank]);
    }
  }
  /// \endcond

private:
  detail::RankRecorders &recorders;
  std::vector<Recording> recordings;
};

/// Graphs of all ranks of a communicator, which move and are not copied. None
/// is replayed alone. For one thread at a time.
template <typename... Results> class [[nodiscard]] RankGraphs {
public:
  /// Ranks.
  std::size_t size() const { return graphs.size(); }
  /// That of a rank: its results and its numbers. What a collective uses is not
  /// exchanged.
  Graph<Results...> &operator[](std::size_t rank) { return graphs.at(rank); }
  /// The same, to be read.
  const Graph<Results...> &operator[](std::size_t rank) const {
    return graphs.at(rank);
  }

  /// Queues one replay of all ranks, each where its tensors were used last,
  /// behind the collectives and replays of the communicator that are queued. If
  /// the driver takes some of them only, these are aborted, and the
  /// communicator with them. An error of a device shows where it is waited for.
  void launch() { detail::launchRanks(group, {}); }
  /// The same, each on a stream of its rank.
  void launch(const std::vector<Stream> &streams) {
    detail::launchRanks(group, streams);
  }
  /// Waits for the last replay of all ranks. If one of them fails, the others
  /// would wait for it for ever: they are aborted.
  void wait() { detail::waitForRanks(group); }
  /// One replay, and waits for it.
  void sync() {
    launch();
    wait();
  }

  /// \cond
  RankGraphs(std::vector<Graph<Results...>> graphs, detail::GraphGroup group)
      : group(std::move(group)), graphs(std::move(graphs)) {}
  /// \endcond

private:
  detail::GraphGroup group;
  std::vector<Graph<Results...>> graphs; ///< they close first
};

namespace detail {

template <typename... Values>
RankGraphs<Values...> rankGraphsOf(RankRecorders &recorders,
                                   std::vector<std::tuple<Values...>> values) {
  if (values.size() != recorders.size()) {
    throw RuntimeError(3, "results of " + std::to_string(values.size()) +
                              " ranks: there are " +
                              std::to_string(recorders.size()));
  }
  std::vector<Graph<Values...>> graphs;
  GraphGroup group{recorders.communicator(), {}, {}};
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    std::vector<const Record *> holds;
    std::apply([&](const auto &...each) { (addHold(holds, each), ...); },
               values[rank]);
    group.graphs.push_back(recorders.finish(rank, holds));
    graphs.emplace_back(group.graphs.back(), std::move(values[rank]));
  }
  return {std::move(graphs), std::move(group)};
}

} // namespace detail

/// Makes graphs of what a function records for all ranks: it gets
/// RankRecordings and gives the results, a tuple of tensors for each rank.
/// Otherwise like `record`.
template <typename F>
  requires std::invocable<F &, RankRecordings &>
[[nodiscard]] auto recordRanks(const Communicator &communicator, F &&function,
                               const RecordOptions &options = {}) {
  detail::RankRecorders recorders(communicator, options);
  RankRecordings recordings(recorders);
  return detail::rankGraphsOf(recorders, function(recordings));
}

} // namespace girih

#endif // GIRIH_RUNTIME_GRAPH_RANKGRAPHS_H
