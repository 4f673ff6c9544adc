// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graph/RankGraphs.h"

#include "runtime/collective/CommunicatorState.h"
#include "runtime/graph/GraphState.h"

#include <fmt/format.h>
#include <numeric>

namespace girih::detail {

RankRecorders::RankRecorders(const Communicator &communicator,
                             const RecordOptions &options)
    : state(communicator.internal()) {
  for (size_t rank = 0; rank < communicator.size(); ++rank) {
    recorders.push_back(std::make_unique<Recorder>(
        options, GraphRank{rank, communicator.size()}));
  }
}

void RankRecorders::collective(const CollectiveWork &work,
                               std::span<const RankPart> parts,
                               std::span<const std::shared_ptr<Record>> holds) {
  if (work.communicator != state) {
    throw RuntimeError(3, work.text() + ": it is of another communicator than "
                                        "the recording");
  }
  if (work.kind == Collective::Send) {
    throw RuntimeError(3, work.text() + ": a send is no part of a graph");
  }
  std::vector<std::span<const std::shared_ptr<Record>>> ofRank;
  size_t used = 0;
  for (const RankPart &part : parts) {
    size_t count = part.from.has_value() + part.to.has_value();
    ofRank.push_back(holds.subspan(used, count));
    used += count;
    for (const auto &hold : ofRank.back()) {
      requireDevice(work, part.rank, Device(hold->device()));
    }
  }
  std::vector<std::shared_ptr<void>> captured = captureCollective(work, parts);
  for (size_t k = 0; k < parts.size(); ++k) {
    const RankPart &part = parts[k];
    OptOut name{work.name(), work.textOf(part.rank), {}, {}};
    std::vector<ArgumentView> tensors;
    if (part.from) {
      tensors.push_back(*part.from);
      name.modes.push_back(AccessMode::Read);
    }
    tensors.push_back(*part.to);
    name.modes.push_back(AccessMode::Write);
    recorders[part.rank]->collective(
        {std::make_shared<const OptOut>(std::move(name)), captured[k],
         reinterpret_cast<uint64_t>(state->ranks[part.rank])},
        tensors, ofRank[k]);
  }
}

std::shared_ptr<GraphState>
RankRecorders::finish(size_t rank, std::span<const Record *const> results) {
  std::shared_ptr<GraphState> graph = recorders[rank]->finish(results);
  const Device &device = state->devices[rank];
  if (!(graph->deviceOf() == device)) {
    throw RuntimeError(3, fmt::format("{}: rank {} is device {}, its tensors "
                                      "lie on device {}",
                                      graph->name(), rank, device.ordinal(),
                                      graph->deviceOf().ordinal()));
  }
  return graph;
}

void launchRanks(GraphGroup &group, std::span<const Stream> given) {
  size_t count = group.graphs.size();
  if (!given.empty() && given.size() != count) {
    throw RuntimeError(3, fmt::format("{} streams for graphs of {} ranks",
                                      given.size(), count));
  }
  CommunicatorState &state = *group.communicator;
  std::lock_guard lock(state.mutex);
  state.requireWorking();
  // What may be refused of one is refused before any is queued.
  std::vector<std::unique_ptr<GraphState::Replay>> replays;
  std::vector<Stream> streams;
  for (size_t k = 0; k < count; ++k) {
    replays.push_back(std::make_unique<GraphState::Replay>(
        *group.graphs[k], given.empty() ? nullptr : &given[k]));
    streams.push_back(replays.back()->stream());
    state.note(streams.back());
  }
  std::vector<size_t> all(count);
  std::iota(all.begin(), all.end(), size_t(0));
  state.order(all, streams);
  for (size_t k = 0; k < count; ++k) {
    try {
      replays[k]->queue();
    } catch (const RuntimeError &error) {
      if (k > 0) {
        state.abort(fmt::format("ranks before {} wait for it, which was not "
                                "queued: {}",
                                k, error.what()));
      }
      throw;
    }
  }
  group.streams = std::move(streams);
}

void waitForRanks(GraphGroup &group) {
  group.communicator->wait(
      group.streams, [&](size_t rank, std::exception_ptr error) {
        return graphError(*group.graphs[rank], std::move(error));
      });
}

} // namespace girih::detail
