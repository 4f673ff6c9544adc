// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// From a pipeline to what a graph is made of. Nothing runs: functions of `let`
/// and `then` are called once, with the tensors that the graph will use.

#ifndef GIRIH_RUNTIME_GRAPH_RECORDER_H
#define GIRIH_RUNTIME_GRAPH_RECORDER_H

#include "runtime/execution/Kernel.h"
#include "runtime/execution/OptOut.h"
#include "runtime/execution/Transfers.h"
#include "runtime/execution/WhenAll.h"
#include "runtime/graph/Dag.h"

#include <map>

namespace girih {

/// What a graph is made with.
struct RecordOptions {
  /// An error of the device behind a replay names the launch, or those of which
  /// it is one. It takes a call of the host behind each launch: for looking for
  /// mistakes.
  bool traced = false;
  /// Launches that wait for those before them by themselves start before these
  /// are done, where the check finds that sound; not in what is traced.
  bool early = true;
};

namespace detail {

class GraphState;
struct GraphBuffer;
struct GraphNode;
struct GraphOptOut;

/// Of which rank a graph is, where ranks run together.
struct GraphRank {
  std::size_t rank = 0, count = 1;
};

/// Another tensor in place of one.
struct Replacement {
  std::shared_ptr<Record> old, fresh;
  ArgumentView from, to;
};
/// Whether both are the same elements.
bool isSameView(const ArgumentView &a, const ArgumentView &b);

class Recorder {
public:
  explicit Recorder(const RecordOptions &options,
                    std::optional<GraphRank> rank = {});
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;
  ~Recorder();

  /// A launch; `holds` are of its tensors.
  void launch(const std::shared_ptr<KernelState> &kernel,
              const LaunchRequest &request,
              std::span<const std::shared_ptr<Record>> holds);
  void copy(const ArgumentView &from, const std::shared_ptr<Record> &fromHold,
            const ArgumentView &to, const std::shared_ptr<Record> &toHold);
  void zero(const ArgumentView &to, const std::shared_ptr<Record> &hold);
  void optOut(const std::shared_ptr<const OptOut> &work,
              std::span<const ArgumentView> tensors,
              std::span<const std::shared_ptr<Record>> holds);
  /// This rank's part of a collective, behind the one before.
  void collective(GraphOptOut part, std::span<const ArgumentView> tensors,
                  std::span<const std::shared_ptr<Record>> holds);

  /// Makes one tensor of pieces; what was recorded with them is of the tensor.
  TensorState join(PiecesState &&pieces);

  /// Ends the recording. `results` are the memory of what the pipeline gives,
  /// once for each value.
  std::shared_ptr<GraphState> finish(std::span<const Record *const> results);

private:
  /// Nodes that wrote one piece of memory last, and have read it since.
  struct Uses {
    std::vector<std::size_t> writers, readers;
  };

  void add(GraphNode node, std::span<const std::shared_ptr<Record>> holds);
  std::size_t bufferOf(const std::shared_ptr<Record> &hold, AccessMode mode);
  void order(const Record &record, AccessMode mode, std::size_t node);
  bool isOut(const std::shared_ptr<Record> &piece) const;
  void moveUses(const Record &piece, const Record &tensor);
  void refuseKept(std::span<const Record *const> results) const;

  RecordOptions options;
  std::optional<GraphRank> rank;
  std::optional<std::size_t> lastCollective;
  std::vector<GraphBuffer> buffers;
  std::map<const Record *, std::size_t> numbers; ///< of the buffers
  std::vector<GraphNode> nodes;
  std::vector<DagEdge> edges;
  /// By tensor, then by what of it is used: all of it or a piece.
  std::map<const Record *, std::map<const Record *, Uses>> uses;
};

//===-- What can be recorded ----------------------------------------------===//

/// Values that stand for memory, and say nothing of what it holds.
template <typename Values> struct AreHandles : std::false_type {};
template <typename... Values>
struct AreHandles<std::tuple<Values...>>
    : std::bool_constant<(sizeof...(Values) > 0) &&
                         ((ArgumentTraits<Values>::isArgument &&
                           !ArgumentTraits<Values>::isKnown) &&
                          ...)> {};

template <typename S> struct IsRecordable : std::false_type {};
template <typename... Arguments>
struct IsRecordable<LaunchOp<Arguments...>> : std::true_type {};
template <typename Part>
struct IsRecordable<TransferOp<Part>> : std::bool_constant<Part::isRecordable> {
};
template <typename... Values>
struct IsRecordable<JustSender<Values...>> : std::true_type {};
template <typename S, typename Place>
struct IsRecordable<OnSender<S, Place>> : IsRecordable<S> {};
template <typename... Senders>
struct IsRecordable<WhenAllSender<Senders...>>
    : std::bool_constant<(IsRecordable<Senders>::value && ...)> {};
template <typename S, typename F>
struct IsRecordable<LetSender<S, F>>
    : std::bool_constant<IsRecordable<S>::value &&
                         IsRecordable<std::remove_cvref_t<
                             result_of_t<F, values_of_t<S>>>>::value> {};
template <typename S, typename F>
struct IsRecordable<ThenSender<S, F>>
    : std::bool_constant<IsRecordable<S>::value &&
                         AreHandles<values_of_t<ThenSender<S, F>>>::value> {};

} // namespace detail

/// A pipeline of which `record` makes a graph: launches, copies, zeros and
/// opt-outs, `just`, `on`, `whenAll`, `let` of such, and `then` that gives
/// tensors. What runs on the host with each replay is none: `then` that gives
/// anything else, `uponError`, coroutines, and senders of others.
template <typename S>
concept recordable = sender<S> && std::is_rvalue_reference_v<S &&> &&
                     detail::IsRecordable<std::remove_cvref_t<S>>::value;

} // namespace girih

#endif // GIRIH_RUNTIME_GRAPH_RECORDER_H
