// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graph/Graph.h"

#include "runtime/graph/GraphState.h"

namespace girih::detail {

void launchGraph(GraphState &graph, const Stream *stream) {
  graph.launch(stream);
}

Stream queueGraph(GraphState &graph, const Stream *stream) {
  return graph.launch(stream);
}

std::exception_ptr graphError(const GraphState &graph,
                              std::exception_ptr error) {
  return named(graph.nameOfFailure(), std::move(error));
}

void setNumber(GraphState &graph, size_t node, std::string_view name,
               std::variant<int64_t, double> value) {
  graph.set(node, name, value);
}

size_t sizeOf(const GraphState &graph) { return graph.size(); }
LaunchDag dagOf(const GraphState &graph) { return graph.dag(); }
DagReport reportOf(const GraphState &graph) { return graph.report(); }
void closeGraph(GraphState &graph) noexcept { graph.close(); }
void exchange(GraphState &graph, std::span<const Replacement> replacements) {
  graph.exchange(replacements);
}
void lend(GraphState &graph, size_t result,
          const std::shared_ptr<Record> &record, const ArgumentView &view) {
  graph.lend(result, record, view);
}
void takeBack(GraphState &graph, size_t result,
              const std::shared_ptr<Record> &record, const ArgumentView &view) {
  graph.takeBack(result, record, view);
}
void assign(GraphState &graph, const std::shared_ptr<Record> &to,
            const ArgumentView &view, const void *from, size_t count,
            size_t bytes) {
  graph.assign(
      {to, view.address, view.element, Axes(view.extents), Axes(view.strides)},
      from, count, bytes);
}
void requireResults(const GraphState &graph) { graph.requireResults(); }

} // namespace girih::detail
