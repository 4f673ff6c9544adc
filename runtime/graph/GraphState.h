// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph is inside: recorded work with its arguments, the driver's graph
// of it, and the ledger's side of a replay.

#ifndef GIRIH_RUNTIME_GRAPH_GRAPHSTATE_H
#define GIRIH_RUNTIME_GRAPH_GRAPHSTATE_H

#include "runtime/execution/KernelState.h"
#include "runtime/graph/Recorder.h"
#include "runtime/host/ReplayUses.h"
#include "runtime/host/TensorState.h"

#include <set>
#include <variant>

namespace girih::detail {

/// Memory that a graph uses, once however many arguments lie in it.
struct GraphBuffer {
  std::shared_ptr<Record> record;
  AccessMode mode = AccessMode::Read; ///< the strongest use
};

/// A tensor as one piece of work has it.
struct GraphArgument {
  size_t buffer = 0;
  AccessMode mode = AccessMode::Read;
  uint64_t address = 0;
  Element element = Element::F32;
  Axes extents, strides;
  Known known = Known::Not;
  std::vector<unsigned char> contents; ///< of Known::Contents
  size_t count = 0;

  ArgumentView view() const {
    return {address, element, extents.span(), strides.span()};
  }
  void lieAt(const ArgumentView &view);
};

struct GraphLaunch {
  std::shared_ptr<KernelState> kernel;
  std::vector<double> scalars;
  std::vector<int64_t> symbols;
  PreparedLaunch prepared;
};
/// From argument 0 to argument 1, byte for byte.
struct GraphCopy {};
/// All bytes of argument 0 become 0.
struct GraphZero {};

/// What nobody has verified, as it was captured with the arguments.
struct GraphOptOut {
  std::shared_ptr<const OptOut> work;
  std::shared_ptr<void> captured; ///< a graph of the driver
  /// Of a rank's part of a collective, which is captured with those of the
  /// other ranks: a number that is the rank's, which each part writes. 0 else.
  uint64_t communicator = 0;
};

struct GraphNode {
  std::vector<GraphArgument> arguments;
  std::variant<GraphLaunch, GraphCopy, GraphZero, GraphOptOut> work;
  void *handle = nullptr; ///< of the driver
  bool stale = false;     ///< the executable still has other parameters

  /// Checks the contract for arguments and numbers as they are; throws, and
  /// says which launch that was.
  void prepare(const Device &device);
  /// Adds it to a graph of the driver.
  void addTo(void *graph, std::span<void *const> behind, const Device &device);
  /// Gives an executable graph the parameters.
  void update(void *executable, const Device &device);

  /// `gemm(M = 1, N = 2; grid (1, 2))`.
  std::string text() const;
  uint64_t bytes() const;
  /// Whether it is none of the driver's: a launch of no blocks.
  bool isEmpty() const;
  /// Whether it is a launch that the driver has as one.
  bool isLaunch() const {
    return std::holds_alternative<GraphLaunch>(work) && !isEmpty();
  }
  /// Arguments that it reads before it waits for the launches before it; none
  /// of what does not wait by itself.
  std::span<const size_t> early() const;
  /// Whether it is a launch that waits for those before it by itself.
  bool waits() const;
};

/// How far the last replay has come, written by the driver's thread: a node's
/// successors wait until it is marked.
struct GraphMarks {
  explicit GraphMarks(size_t count) : done(count) {}
  std::atomic<bool> begun{false};
  std::vector<std::atomic<bool>> done; ///< by node
};

class GraphState {
public:
  explicit GraphState(const RecordOptions &options,
                      std::optional<GraphRank> rank = {})
      : options(options), rank(rank) {}
  GraphState(const GraphState &) = delete;
  GraphState &operator=(const GraphState &) = delete;
  ~GraphState() { close(); }

  /// Takes what was recorded, checks it and instantiates it.
  void build(std::vector<GraphBuffer> buffers, std::vector<GraphNode> nodes,
             std::vector<DagEdge> edges);

  /// One replay of a graph: its tensors are acquired and looked at, then it is
  /// queued. One that was not is none.
  class Replay {
  public:
    /// On the stream, or where the tensors were used last.
    Replay(GraphState &graph, const Stream *given);
    Replay(const Replay &) = delete;
    Replay &operator=(const Replay &) = delete;
    ~Replay();

    const Stream &stream() const { return *on; }
    void queue();

  private:
    GraphState &graph;
    std::unique_lock<std::mutex> lock;
    std::optional<Stream> on;
    bool isAcquired = false;
  };
  /// Queues one replay. Refused of a graph that runs with those of other ranks.
  Stream launch(const Stream *given);
  const Device &deviceOf() const { return *device; }
  /// One number of one launch, by its name.
  void set(size_t node, std::string_view name,
           std::variant<int64_t, double> value);
  void exchange(std::span<const Replacement> replacements);
  /// Overwrites a result with as many elements of `bytes` each; what is given
  /// of them is looked up here.
  void assign(const TensorState &to, const void *from, size_t count,
              size_t bytes);
  /// Lets a result go until it is back: no replay meanwhile.
  void lend(size_t result, const std::shared_ptr<Record> &record,
            const ArgumentView &view);
  /// Refuses another tensor, or another view of it.
  void takeBack(size_t result, const std::shared_ptr<Record> &record,
                const ArgumentView &view);
  void requireResults() const;
  /// No replay afterwards; lets go of memory behind those that are queued.
  void close() noexcept;

  size_t size() const { return nodes.size(); }
  LaunchDag dag() const;
  const DagReport &report() const { return checked; }
  /// `graph of 2 (add, saxpy)`.
  const std::string &name() const { return title; }
  /// The same with the launches of which one has failed, where it is traced.
  std::string nameOfFailure() const;

private:
  struct Change {
    size_t node;
    GraphNode fresh;
  };
  struct Lent {
    size_t result;
    std::weak_ptr<Record> record; ///< whoever has the result may drop it
    GraphArgument argument;
  };
  /// What contracts give of contents that are looked up before replays.
  struct Fact {
    size_t node, buffer;
    const runtime::Validation *look; ///< of the node
    bool isKnown = false; ///< from the host, and nobody has written it since
  };

  void requireOpen() const;
  /// Lets launches that wait by themselves start early, where that is sound.
  void startEarly();
  void refuseOtherStart(const Change &change) const;
  void instantiate();
  void *addBegin();
  void *addMark(size_t node);
  void releaseMarks() noexcept;
  void destroy() noexcept;
  /// Looks up what is not known.
  void validate(const Stream &stream) const;
  /// Each fact once; none of them is known.
  void listFacts();
  /// Throws where contents that the host has break a fact.
  void refuseBreach(const Fact &fact, const TensorState &to,
                    const void *contents) const;
  /// Of a result that somebody may have written.
  void forgetContents(const Record &record) noexcept;
  void note(const Stream &stream);
  /// Brings the executable up to date.
  void flush();
  /// All of the changes, or none.
  void apply(std::vector<Change> changes);
  void refuseWrittenContents() const;
  void bookBuffers();
  /// Says of what the graph writes that it does, or not any more.
  void markWritten(bool written) noexcept;

  mutable std::mutex mutex;
  std::optional<Device> device;
  std::vector<GraphBuffer> buffers;
  ReplayUses uses; ///< of the buffers, which it goes before
  std::vector<Lent> lent;
  std::vector<GraphNode> nodes;
  std::vector<DagEdge> edges;
  std::set<KernelState *> kernels;
  std::vector<Stream> noted;
  std::vector<Fact> facts;
  DagReport checked;
  std::string title;
  void *graph = nullptr, *executable = nullptr;
  std::shared_ptr<GraphMarks> marks; ///< of a graph that is traced
  RecordOptions options;
  std::optional<GraphRank> rank;
  bool anyStale = false, areMarked = false;
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_GRAPH_GRAPHSTATE_H
