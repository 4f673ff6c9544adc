// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graph/GraphState.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace girih::detail {

namespace {

/// Kernels that a graph's name lists.
constexpr size_t maxNamed = 4;

std::string titleOf(const std::vector<GraphNode> &nodes) {
  std::string list;
  for (size_t k = 0; k < nodes.size() && k < maxNamed; ++k) {
    std::string text = nodes[k].text();
    list += (k ? ", " : "") + text.substr(0, text.find('('));
  }
  return fmt::format("graph of {} ({}{})", nodes.size(), list,
                     nodes.size() > maxNamed ? ", ..." : "");
}

} // namespace

bool isSameView(const ArgumentView &a, const ArgumentView &b) {
  return a.address == b.address && a.element == b.element &&
         std::ranges::equal(a.extents, b.extents) &&
         std::ranges::equal(a.strides, b.strides);
}

//===-- Building ----------------------------------------------------------===//

void GraphState::build(std::vector<GraphBuffer> usedBuffers,
                       std::vector<GraphNode> recorded,
                       std::vector<DagEdge> order) {
  if (recorded.empty()) {
    throw RuntimeError(3, "the pipeline launches nothing: there is no graph");
  }
  buffers = std::move(usedBuffers);
  nodes = std::move(recorded);
  edges = std::move(order);
  device = buffers.empty() ? Device::get()
                           : Device(buffers.front().record->device());
  title = titleOf(nodes);
  for (const GraphBuffer &buffer : buffers) {
    if (&buffer.record->device() != &device->internal()) {
      throw RuntimeError(3, title + ": its tensors lie on two devices");
    }
  }
  startEarly();
  checked = checkDag(dag());
  std::vector<std::string> errors = errorsOf(dag(), checked);
  if (!errors.empty()) {
    throw RuntimeError(1, title + ": " + errors.front());
  }
  refuseWrittenContents();
  for (const GraphNode &node : nodes) {
    if (const auto *launch = std::get_if<GraphLaunch>(&node.work)) {
      kernels.insert(launch->kernel.get());
    }
  }
  listFacts();
  bookBuffers();
  try {
    instantiate();
  } catch (const RuntimeError &error) {
    destroy();
    throw RuntimeError(error.code(), title + ": " + error.what());
  }
  markWritten(true);
}

/// Whether `to` reads nothing early that `from` writes, and waits by itself.
static bool mayStartEarly(const GraphNode &from, const GraphNode &to) {
  auto isWritten = [&](size_t early) {
    return std::ranges::any_of(from.arguments, [&](const GraphArgument &a) {
      return a.mode != AccessMode::Read &&
             a.buffer == to.arguments[early].buffer;
    });
  };
  return from.isLaunch() && to.waits() &&
         std::ranges::none_of(to.early(), isWritten);
}

/// A node of the host marks what is traced, and stands between launches. What
/// launches further before write the check knows: if a launch would read of it
/// early, all wait until those before are done.
void GraphState::startEarly() {
  if (options.traced || !options.early) {
    return;
  }
  bool any = false;
  for (DagEdge &edge : edges) {
    edge.programmatic = mayStartEarly(nodes[edge.from], nodes[edge.to]);
    any |= edge.programmatic;
  }
  if (any && !checkDag(dag()).isSound()) {
    for (DagEdge &edge : edges) {
      edge.programmatic = false;
    }
  }
}

void GraphState::markWritten(bool written) noexcept {
  if (std::exchange(areMarked, written) == written) {
    return;
  }
  for (const GraphBuffer &buffer : buffers) {
    if (buffer.mode != AccessMode::Read) {
      buffer.record->setReplayed(written);
    }
  }
}

void GraphState::bookBuffers() {
  try {
    std::vector<Access> accesses;
    for (const GraphBuffer &buffer : buffers) {
      accesses.emplace_back(*buffer.record, buffer.mode);
    }
    uses.reset(std::move(accesses));
  } catch (...) {
    destroy(); // no replay without the ledger
    throw;
  }
}

void GraphState::instantiate() {
  InContext in(device->internal());
  runtime::BesideCaptures beside(driver());
  check(functions().graphCreate(&graph, 0), "cuGraphCreate");
  auto edge = checked.edges.begin();
  std::vector<std::vector<void *>> behind(nodes.size());
  void *begin = options.traced ? addBegin() : nullptr;
  for (size_t k = 0; k < nodes.size(); ++k) {
    if (begin && behind[k].empty()) {
      behind[k].push_back(begin);
    }
    // Edges lead forward, since they are as the launches were recorded.
    nodes[k].addTo(graph, behind[k], *device);
    void *end = options.traced ? addMark(k) : nodes[k].handle;
    for (; edge != checked.edges.end() && edge->from == k; ++edge) {
      if (!edge->programmatic) {
        behind[edge->to].push_back(end);
      }
    }
  }
  for (const DagEdge &early : checked.edges) {
    if (early.programmatic) {
      runtime::EdgeData data;
      data.fromPort = runtime::cu::portProgrammatic;
      data.type = runtime::cu::edgeProgrammatic;
      check(functions().graphAddDependencies(graph, &nodes[early.from].handle,
                                             &nodes[early.to].handle, &data, 1),
            "cuGraphAddDependencies");
    }
  }
  check(functions().graphInstantiate(&executable, graph, 0),
        "cuGraphInstantiate");
}

//===-- Traces ------------------------------------------------------------===//

void *GraphState::addBegin() {
  marks = std::make_shared<GraphMarks>(nodes.size());
  runtime::HostNodeParams params{[](void *data) {
                                   auto &all = *static_cast<GraphMarks *>(data);
                                   for (std::atomic<bool> &done : all.done) {
                                     done = false;
                                   }
                                   all.begun = true;
                                 },
                                 marks.get()};
  void *node = nullptr;
  check(functions().graphAddHostNode(&node, graph, nullptr, 0, &params),
        "cuGraphAddHostNode");
  return node;
}

void *GraphState::addMark(size_t number) {
  runtime::HostNodeParams params{
      [](void *data) { *static_cast<std::atomic<bool> *>(data) = true; },
      &marks->done[number]};
  void *node = nullptr;
  check(functions().graphAddHostNode(&node, graph, &nodes[number].handle, 1,
                                     &params),
        "cuGraphAddHostNode");
  return node;
}

/// Replays that are queued still write them.
void GraphState::releaseMarks() noexcept {
  if (!marks) {
    return;
  }
  try {
    std::vector<Event> events;
    for (const Stream &stream : noted) {
      events.push_back(stream.record());
    }
    releaseBehind(std::move(events), {}, marks);
  } catch (...) {
    keepForever(marks);
  }
  marks = nullptr;
}

std::string GraphState::nameOfFailure() const {
  std::lock_guard lock(mutex);
  if (!marks || !marks->begun) {
    return title;
  }
  // It has failed, or runs beside what has: what it waits for is done.
  std::vector<bool> isReached(nodes.size(), true);
  for (const DagEdge &edge : checked.edges) {
    isReached[edge.to] = isReached[edge.to] && marks->done[edge.from];
  }
  std::string list;
  for (size_t k = 0; k < nodes.size(); ++k) {
    if (isReached[k] && !marks->done[k]) {
      list += fmt::format("{}launch {}, {}", list.empty() ? " at " : ", or ", k,
                          nodes[k].text());
    }
  }
  return title + list;
}

//===-- The end -----------------------------------------------------------===//

void GraphState::destroy() noexcept {
  runtime::Entered entered(driver(), device->internal().context);
  // What is in flight runs on; the driver frees it then.
  if (executable) {
    functions().graphExecDestroy(executable);
  }
  if (graph) {
    functions().graphDestroy(graph);
  }
  executable = graph = nullptr;
  releaseMarks();
  facts.clear();
  nodes.clear(); // validators free memory
}

void GraphState::close() noexcept {
  std::lock_guard lock(mutex);
  if (!device) {
    return;
  }
  destroy();
  markWritten(false);
  for (const Lent &out : lent) {
    if (std::shared_ptr<Record> record = out.record.lock()) {
      record->setLentByGraph(false);
    }
  }
  lent.clear();
  uses.clear();
  buffers.clear();
}

void GraphState::requireOpen() const {
  if (!executable) {
    throw RuntimeError(3, title + ": it was dissolved or dropped");
  }
}

//===-- Results between replays -------------------------------------------===//

void GraphState::requireResults() const {
  if (!lent.empty()) {
    throw RuntimeError(3, fmt::format("{}: its result {} is taken out", title,
                                      lent.front().result));
  }
}

void GraphState::lend(size_t result, const std::shared_ptr<Record> &record,
                      const ArgumentView &view) {
  std::lock_guard lock(mutex);
  requireOpen();
  // Uses of a piece and of its tensor are not in the order of each other.
  size_t uses = 0;
  for (const GraphBuffer &buffer : buffers) {
    if (buffer.record == record) {
      ++uses;
    } else if (buffer.record->whole() == record->whole()) {
      throw RuntimeError(3, fmt::format("{}: its result {} is one with pieces "
                                        "that the graph uses: join them as it "
                                        "is recorded",
                                        title, result));
    }
  }
  if (uses == 0) {
    throw RuntimeError(
        3, fmt::format("{}: it does not use its result {}", title, result));
  }
  GraphArgument argument;
  argument.lieAt(view);
  lent.push_back({result, record, std::move(argument)});
  record->setLentByGraph(true);
}

void GraphState::takeBack(size_t result, const std::shared_ptr<Record> &record,
                          const ArgumentView &view) {
  std::lock_guard lock(mutex);
  requireOpen();
  auto out = std::find_if(lent.begin(), lent.end(),
                          [&](auto &each) { return each.result == result; });
  if (out == lent.end()) {
    throw RuntimeError(
        3, fmt::format("{}: its result {} is not taken out", title, result));
  }
  if (out->record.lock() != record || !isSameView(out->argument.view(), view)) {
    throw RuntimeError(3, fmt::format("{}: what is put back is not the result "
                                      "{} that was taken out",
                                      title, result));
  }
  record->setLentByGraph(false);
  lent.erase(out);
  forgetContents(*record);
}

LaunchDag GraphState::dag() const {
  LaunchDag out;
  for (const GraphNode &node : nodes) {
    DagNode made{node.text(), std::max<uint64_t>(node.bytes(), 1), {}, {}};
    if (const auto *optOut = std::get_if<GraphOptOut>(&node.work)) {
      made.optOut = optOut->work->name;
    }
    for (const GraphArgument &argument : node.arguments) {
      DagAccess access;
      access.buffer = argument.buffer;
      access.mode = argument.mode;
      access.address = argument.address;
      access.element = argument.element;
      auto extents = argument.extents.span(), strides = argument.strides.span();
      access.extents.assign(extents.begin(), extents.end());
      access.strides.assign(strides.begin(), strides.end());
      access.beforeWait =
          std::ranges::find(node.early(), made.accesses.size()) !=
          node.early().end();
      made.accesses.push_back(std::move(access));
    }
    const auto *optOut = std::get_if<GraphOptOut>(&node.work);
    if (optOut && optOut->communicator) {
      // So the check sees that collectives are in one order.
      made.accesses.push_back({buffers.size(),
                               AccessMode::Write,
                               false,
                               optOut->communicator,
                               Element::I8,
                               {1},
                               {1}});
    }
    out.nodes.push_back(std::move(made));
  }
  out.edges = edges;
  return out;
}

//===-- Replays -----------------------------------------------------------===//

void GraphState::note(const Stream &stream) {
  if (std::find(noted.begin(), noted.end(), stream) != noted.end()) {
    return;
  }
  for (KernelState *kernel : kernels) {
    kernel->note(stream);
  }
  // Noting one again does no harm, keeping all of them would.
  constexpr size_t maxNoted = 64;
  if (noted.size() == maxNoted) {
    noted.clear();
  }
  noted.push_back(stream);
}

GraphState::Replay::Replay(GraphState &graph, const Stream *given)
    : graph(graph), lock(graph.mutex) {
  graph.requireOpen();
  graph.requireResults();
  const Device &device = *graph.device;
  on = given                  ? *given
       : graph.uses.isEmpty() ? device.nextStream()
                              : graph.uses.stream();
  try {
    if (!(on->device() == device)) {
      throw RuntimeError(
          3, fmt::format("it is of device {}, the stream is of device {}",
                         device.ordinal(), on->device().ordinal()));
    }
    InContext in(device.internal());
    auto captured = runtime::isCaptured(driver(), on->handle());
    if (!captured) {
      throwError(captured.error());
    }
    if (*captured) {
      throw RuntimeError(3, "the stream is being captured");
    }
    graph.flush();
    graph.note(*on);
    graph.uses.acquire(*on);
    isAcquired = true;
    graph.validate(*on);
  } catch (...) {
    if (isAcquired) {
      graph.uses.cancel();
    }
    std::rethrow_exception(named(graph.title, std::current_exception()));
  }
}

GraphState::Replay::~Replay() {
  if (isAcquired) {
    graph.uses.cancel();
  }
}

void GraphState::Replay::queue() {
  InContext in(graph.device->internal());
  try {
    check(functions().graphLaunch(graph.executable, on->handle()),
          "cuGraphLaunch");
  } catch (...) {
    std::rethrow_exception(named(graph.title, std::current_exception()));
  }
  graph.uses.release(*on);
  isAcquired = false;
}

Stream GraphState::launch(const Stream *given) {
  if (rank) {
    throw RuntimeError(3, fmt::format("{}: it is the graph of rank {} of {}, "
                                      "which run together: launch all of them",
                                      title, rank->rank, rank->count));
  }
  Replay replay(*this, given);
  replay.queue();
  return replay.stream();
}

//===-- Other arguments ---------------------------------------------------===//

void GraphState::flush() {
  if (!anyStale) {
    return;
  }
  for (GraphNode &node : nodes) {
    if (node.stale) {
      node.update(executable, *device);
    }
  }
  anyStale = false;
}

/// Which launches may start early was decided for the entry points as recorded.
void GraphState::refuseOtherStart(const Change &change) const {
  bool startsEarly =
      std::ranges::any_of(checked.edges, [&](const DagEdge &edge) {
        return edge.programmatic && edge.to == change.node;
      });
  if (startsEarly &&
      (change.fresh.waits() != nodes[change.node].waits() ||
       !std::ranges::equal(change.fresh.early(), nodes[change.node].early()))) {
    throw RuntimeError(3, change.fresh.text() +
                              ": it waits for the launches before it in "
                              "another way than the recorded one: record it "
                              "again");
  }
}

void GraphState::apply(std::vector<Change> changes) {
  for (Change &change : changes) {
    change.fresh.prepare(*device);
    if (change.fresh.isEmpty() != nodes[change.node].isEmpty()) {
      throw RuntimeError(3, change.fresh.text() +
                                ": an empty launch is none in a graph, and no "
                                "other one: record it again");
    }
    refuseOtherStart(change);
  }
  auto swap = [&] {
    for (Change &change : changes) {
      std::swap(nodes[change.node], change.fresh);
      nodes[change.node].stale = true;
    }
    anyStale = true;
  };
  swap();
  try {
    InContext in(device->internal());
    flush();
  } catch (...) {
    // Which of them the driver has is not known: the next replay begins with
    // the old ones.
    swap();
    throw;
  }
  listFacts();
}

void GraphState::set(size_t node, std::string_view name,
                     std::variant<int64_t, double> value) {
  std::lock_guard lock(mutex);
  requireOpen();
  if (node >= nodes.size()) {
    throw RuntimeError(3,
                       fmt::format("{}: there is no launch {}", title, node));
  }
  Change change{node, nodes[node]};
  auto *launch = std::get_if<GraphLaunch>(&change.fresh.work);
  if (!launch) {
    throw RuntimeError(
        3, fmt::format("{}: launch {} is {}", title, node, nodes[node].text()));
  }
  if (launch->kernel->isScalar(name)) {
    launch->scalars[launch->kernel->scalarNamed(name)] =
        std::visit([](auto v) { return static_cast<double>(v); }, value);
  } else {
    size_t symbol = launch->kernel->symbolNamed(name);
    const auto *whole = std::get_if<int64_t>(&value);
    if (!whole) {
      throw RuntimeError(3, fmt::format("{}: the symbol {} is an integer",
                                        nodes[node].text(), name));
    }
    launch->symbols[symbol] = *whole;
  }
  apply({std::move(change)});
}

void GraphState::exchange(std::span<const Replacement> replacements) {
  std::lock_guard lock(mutex);
  requireOpen();
  requireResults();
  for (size_t k = 0; k < replacements.size(); ++k) {
    if (&replacements[k].fresh->device() != &device->internal()) {
      throw RuntimeError(
          3, title + ": the other tensor lies on device " +
                 std::to_string(replacements[k].fresh->device().ordinal));
    }
    // All of the tensor stays the graph's, and so do its pieces.
    const Record *whole = replacements[k].old->whole();
    if (replacements[k].old->isPiece() &&
        std::any_of(buffers.begin(), buffers.end(), [&](auto &buffer) {
          return buffer.record.get() == whole;
        })) {
      throw RuntimeError(3, title + ": what is exchanged is a piece of a "
                                    "tensor that the graph uses");
    }
    for (size_t j = 0; j < k; ++j) {
      if (replacements[j].old == replacements[k].old) {
        throw RuntimeError(3, title + ": two of the results are one tensor, "
                                      "which is exchanged once");
      }
    }
  }
  auto replacementOf = [&](const GraphArgument &argument) {
    return std::find_if(replacements.begin(), replacements.end(),
                        [&](const Replacement &r) {
                          return buffers[argument.buffer].record == r.old;
                        });
  };
  std::vector<Change> changes;
  for (size_t k = 0; k < nodes.size(); ++k) {
    GraphNode fresh = nodes[k];
    bool changed = false;
    for (GraphArgument &argument : fresh.arguments) {
      auto by = replacementOf(argument);
      if (by == replacements.end()) {
        continue;
      }
      if (!isSameView(argument.view(), by->from)) {
        throw RuntimeError(3, fresh.text() + ": it uses the tensor that is "
                                             "exchanged in another view");
      }
      if (argument.known == Known::Contents ||
          argument.known == Known::Vouched) {
        throw RuntimeError(3, fresh.text() +
                                  ": what is given of the contents was said of "
                                  "the tensor that is exchanged");
      }
      const auto *optOut = std::get_if<GraphOptOut>(&fresh.work);
      if (optOut && optOut->communicator) {
        throw RuntimeError(3, fresh.text() +
                                  ": it was captured with those of the other "
                                  "ranks: record all of them again");
      }
      argument.lieAt(by->to);
      changed = true;
    }
    if (changed) {
      changes.push_back({k, std::move(fresh)});
    }
  }
  apply(std::move(changes));
  markWritten(false);
  uses.clear();
  for (GraphBuffer &buffer : buffers) {
    for (const Replacement &replacement : replacements) {
      if (buffer.record == replacement.old) {
        buffer.record = replacement.fresh;
        break;
      }
    }
  }
  bookBuffers();
  markWritten(true);
}

} // namespace girih::detail
