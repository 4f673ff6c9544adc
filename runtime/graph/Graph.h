// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Pipelines that are recorded once and replayed: `Graph g = record(pipeline)`.
///
/// A graph owns the tensors of its pipeline, what was dropped on the way
/// included. Between replays its results are read where they lie, or taken out
/// for launches and put back; `dissolve` gives them back. Replays are ordered
/// by the ledger like launches, on any streams and in any threads, and never
/// run beside each other.

#ifndef GIRIH_RUNTIME_GRAPH_GRAPH_H
#define GIRIH_RUNTIME_GRAPH_GRAPH_H

#include "runtime/graph/Recorder.h"

#include <variant>

namespace girih {
namespace detail {

// What Graph does without its types.
void launchGraph(GraphState &graph, const Stream *stream);
Stream queueGraph(GraphState &graph, const Stream *stream);
std::exception_ptr graphError(const GraphState &graph,
                              std::exception_ptr error);
void setNumber(GraphState &graph, std::size_t node, std::string_view name,
               std::variant<std::int64_t, double> value);
std::size_t sizeOf(const GraphState &graph);
LaunchDag dagOf(const GraphState &graph);
DagReport reportOf(const GraphState &graph);
void closeGraph(GraphState &graph) noexcept;

void exchange(GraphState &graph, std::span<const Replacement> replacements);
void lend(GraphState &graph, std::size_t result,
          const std::shared_ptr<Record> &record, const ArgumentView &view);
void takeBack(GraphState &graph, std::size_t result,
              const std::shared_ptr<Record> &record, const ArgumentView &view);
void assign(GraphState &graph, const std::shared_ptr<Record> &to,
            const ArgumentView &view, const void *from, std::size_t count,
            std::size_t bytes);
void requireResults(const GraphState &graph);

template <typename Value> struct ElementOfTensor;
template <typename T> struct ElementOfTensor<Tensor<T>> {
  using Type = T;
};

/// Closes the graph when it goes: a replay that comes later is refused.
class GraphHold {
public:
  explicit GraphHold(std::shared_ptr<GraphState> state)
      : state(std::move(state)) {}
  GraphHold(GraphHold &&) noexcept = default;
  GraphHold &operator=(GraphHold &&other) noexcept {
    close();
    state = std::move(other.state);
    return *this;
  }
  ~GraphHold() { close(); }
  const std::shared_ptr<GraphState> &get() const { return state; }

private:
  void close() noexcept {
    if (state) {
      closeGraph(*state);
    }
  }

  std::shared_ptr<GraphState> state;
};

} // namespace detail

/// One replay that has not started: a sender without a value.
class [[nodiscard]] ReplayOp : public SenderMethods<ReplayOp> {
public:
  using completion_signatures = signatures_of_t<std::tuple<>>;

  /// \cond
  explicit ReplayOp(std::shared_ptr<detail::GraphState> graph)
      : graph(std::move(graph)) {}
  /// \endcond
  template <receiver R> auto connect(R next) && {
    return detail::QueuedOperation<ReplayOp, R>(std::move(*this),
                                                std::move(next));
  }

private:
  template <typename Op, typename R> friend class detail::QueuedOperation;

  Stream queueOn(const Stream *stream) const {
    return detail::queueGraph(*graph, stream);
  }
  std::exception_ptr asError(std::exception_ptr error) const {
    return detail::graphError(*graph, std::move(error));
  }
  std::tuple<> results() { return {}; }

  std::shared_ptr<detail::GraphState> graph;
};

/// A recorded pipeline that gives these results. It moves and is not copied.
/// Replays may be queued in any thread, two at once one behind the other; all
/// else is for one thread at a time. A graph that was moved or dissolved is
/// refused, and by clang's `-Wconsumed`; so is a replay of one that is gone.
template <typename... Results> class [[nodiscard]] GIRIH_CONSUMABLE Graph {
  /// What `assign` takes, of a result that is a Tensor.
  template <std::size_t number>
  using Assigned = typename detail::ElementOfTensor<
      std::tuple_element_t<number, std::tuple<Results...>>>::Type;

public:
  /// Takes the other's graph.
  Graph(Graph &&) noexcept = default;
  /// Takes the other's graph and drops its own.
  Graph &operator=(Graph &&) noexcept = default;
  /// Not copied.
  Graph(const Graph &) = delete;
  /// Not copied.
  Graph &operator=(const Graph &) = delete;
  /// Drops graph and tensors; replays that are queued run, and memory is free
  /// behind them.
  ~Graph() = default;

  /// Queues one replay where the tensors were used last. An error of the device
  /// shows where a result is waited for.
  GIRIH_USES void launch() { detail::launchGraph(whole(), nullptr); }
  /// The same on a stream.
  GIRIH_USES void launch(const Stream &stream) {
    detail::launchGraph(whole(), &stream);
  }
  /// One replay, and waits for it.
  GIRIH_USES void sync() { replay().sync(); }
  /// One replay as a sender, which queues it when it starts.
  GIRIH_USES ReplayOp replay() {
    whole();
    return ReplayOp(state.get());
  }

  /// A result, to be read: behind the replays that are queued by then.
  template <std::size_t number> GIRIH_USES const auto &get() const & {
    whole();
    return std::get<number>(results);
  }
  /// The graph would be gone before it is read.
  template <std::size_t number> const auto &get() const && = delete;

  /// Takes a result out, for launches between replays or to record another
  /// graph with: replays are refused until `put` has it back. What is queued
  /// with it is ordered with the replays. Refused where the graph uses pieces
  /// of it: see Recording::join.
  template <std::size_t number> [[nodiscard]] GIRIH_USES auto take() {
    auto &place = std::get<number>(results);
    detail::lend(whole(), number, holdOf(place), viewOf(place));
    return std::move(place);
  }
  /// Puts back what was taken out. Refused for another tensor or another view,
  /// which stays the caller's.
  template <std::size_t number>
  GIRIH_USES void
  put(std::tuple_element_t<number, std::tuple<Results...>> &&value) {
    detail::takeBack(whole(), number, holdOf(value), viewOf(value));
    std::get<number>(results) = std::move(value);
  }

  /// Overwrites a result, a Tensor, with host memory in row-major order, which
  /// may change or go as soon as this returns: behind the replays that are
  /// queued. What contracts give of its contents is looked up in host memory,
  /// once, and not on the device before each replay, where the graph only reads
  /// it and it is no foreign memory: until `take` or `exchange`, or other
  /// numbers. Throws RuntimeError for what breaks that, and for another number
  /// of elements; nothing has changed then.
  template <std::size_t number>
  GIRIH_USES void assign(std::span<const Assigned<number>> elements) {
    const auto &to = std::get<number>(results);
    detail::assign(whole(), holdOf(to), viewOf(to), elements.data(),
                   elements.size(), sizeof(Assigned<number>));
  }

  /// Others in place of results, wherever the graph uses these: gives the old
  /// ones. The contract of every launch is checked as for a new one; refused,
  /// all stays as it is, `others` included.
  template <std::size_t... numbers, typename... Others>
  GIRIH_USES auto exchange(Others &&...others) {
    using Values = std::tuple<Results...>;
    static_assert(
        (std::same_as<std::remove_cvref_t<Others>,
                      std::tuple_element_t<numbers, Values>> &&
         ...),
        "what is exchanged has the type of the result that it replaces");
    std::array<detail::Replacement, sizeof...(numbers)> replacements{
        detail::Replacement{holdOf(std::get<numbers>(results)), holdOf(others),
                            viewOf(std::get<numbers>(results)),
                            viewOf(others)}...};
    detail::exchange(whole(), replacements);
    std::tuple<std::tuple_element_t<numbers, Values>...> old{
        swapIn(std::get<numbers>(results), std::forward<Others>(others))...};
    return detail::Unwrapped<decltype(old)>::of(std::move(old));
  }
  /// A scalar or symbol of one launch, by its name in the kernel; launches are
  /// numbered as they were recorded, see text(). Checked like a new launch.
  template <typename Number>
    requires std::integral<Number> || std::floating_point<Number>
  GIRIH_USES void set(std::size_t launch, std::string_view name, Number value) {
    if constexpr (std::integral<Number>) {
      detail::setNumber(whole(), launch, name,
                        static_cast<std::int64_t>(SymbolValue(value)));
    } else {
      detail::setNumber(whole(), launch, name, static_cast<double>(value));
    }
  }

  /// Ends the graph and gives its results, ordered behind all replays. Refused
  /// while one is taken out.
  [[nodiscard]] GIRIH_CONSUMES auto dissolve() && {
    detail::requireResults(whole());
    detail::closeGraph(whole());
    detail::GraphHold gone = std::move(state);
    return detail::Unwrapped<std::tuple<Results...>>::of(std::move(results));
  }

  /// Launches, copies and zeros.
  GIRIH_USES std::size_t size() const { return detail::sizeOf(whole()); }
  /// What is behind what, and what the check of that came to.
  GIRIH_USES LaunchDag dag() const { return detail::dagOf(whole()); }
  /// What the check came to.
  GIRIH_USES DagReport report() const { return detail::reportOf(whole()); }
  /// Both as text.
  GIRIH_USES std::string text() const { return textOf(dag(), report()); }
  /// Both as a drawing, in SVG.
  GIRIH_USES std::string picture() const { return pictureOf(dag(), report()); }

  /// \cond
  GIRIH_WHOLE Graph(std::shared_ptr<detail::GraphState> state,
                    std::tuple<Results...> &&results)
      : results(std::move(results)), state(std::move(state)) {}
  /// \endcond

private:
  detail::GraphState &whole() const {
    if (!state.get()) {
      detail::throwMoved("graph");
    }
    return *state.get();
  }
  /// Gives the old value; copies of it among the results follow.
  template <typename T, typename Other> T swapIn(T &place, Other &&other) {
    T old = std::move(place);
    place = std::forward<Other>(other);
    if constexpr (std::copy_constructible<T>) {
      std::apply([&](auto &...each) { (follow(each, old, place), ...); },
                 results);
    }
    return old;
  }
  template <typename Each, typename T>
  static void follow(Each &each, const T &old, const T &fresh) {
    if constexpr (std::same_as<Each, T>) {
      if (&each != &fresh && holdOf(each) == holdOf(old) &&
          detail::isSameView(viewOf(each), viewOf(old))) {
        each = fresh;
      }
    }
  }

  std::tuple<Results...> results;
  detail::GraphHold state; ///< goes before the results do
};

namespace detail {

/// The memory of a value, where it has some.
template <typename Value>
void addHold(std::vector<const Record *> &holds, const Value &value) {
  if constexpr (ArgumentTraits<Value>::isArgument) {
    holds.push_back(holdOf(value).get());
  }
}

template <typename... Values>
Graph<Values...> graphOf(Recorder &recorder, std::tuple<Values...> &&values) {
  std::vector<const Record *> holds;
  std::apply([&](const auto &...each) { (addHold(holds, each), ...); }, values);
  return Graph<Values...>(recorder.finish(holds), std::move(values));
}

} // namespace detail

/// Makes a graph of a pipeline, without running it. Functions of `let` and
/// `then` are called once, now: what they do on the host, replays do not
/// repeat, and contents that the graph will write are refused to them. Throws
/// RuntimeError for what a launch would be refused for, for a tensor that the
/// graph writes and that has an owner outside, and where the check fails.
template <typename S>
  requires recordable<S>
[[nodiscard]] auto record(S &&pipeline, const RecordOptions &options = {}) {
  detail::Recorder recorder(options);
  auto values = std::move(pipeline).recordOn(recorder);
  return detail::graphOf(recorder, std::move(values));
}

/// What a function records into.
class Recording {
public:
  /// Records a pipeline behind all that it depends on, and gives its values, as
  /// `queue` does of a launch that runs.
  template <typename S>
    requires recordable<S>
  auto operator()(S &&pipeline) {
    using Values = values_of_t<S>;
    return detail::Unwrapped<Values>::of(
        Values(std::move(pipeline).recordOn(recorder)));
  }
  /// The tensor of all pieces, behind what was recorded with them. Refused
  /// while a piece is out.
  template <typename T> [[nodiscard]] Tensor<T> join(Pieces<T> &&pieces) {
    return std::move(pieces).joinBy([this](detail::PiecesState &&state) {
      return recorder.join(std::move(state));
    });
  }

  /// \cond
  explicit Recording(detail::Recorder &recorder) : recorder(recorder) {}
  /// \endcond

private:
  detail::Recorder &recorder;
};

/// Makes a graph of what a function records, loops included; it gives the
/// results, a tensor or a tuple of them. Otherwise like the above.
template <typename F>
  requires std::invocable<F &, Recording &> &&
           detail::AreHandles<typename detail::AsValues<
               std::invoke_result_t<F &, Recording &>>::type>::value
[[nodiscard]] auto record(F &&function, const RecordOptions &options = {}) {
  detail::Recorder recorder(options);
  Recording recording(recorder);
  typename detail::AsValues<std::invoke_result_t<F &, Recording &>>::type
      values(function(recording));
  return detail::graphOf(recorder, std::move(values));
}

} // namespace girih

#endif // GIRIH_RUNTIME_GRAPH_GRAPH_H
