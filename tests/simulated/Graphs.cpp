// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: nodes by hand, instantiation, launches, new parameters.

#include "tests/simulated/State.h"

#include <algorithm>
#include <optional>

namespace girih::simulated {

using runtime::CopyParams;
using runtime::EdgeData;
using runtime::FillParams;
using runtime::HostNodeParams;
using runtime::KernelNodeParams;

Launch launchOf(const Function &function, void **parameters, uint64_t blocks) {
  Launch launch{&function, {}};
  launch.arguments.blocks = blocks;
  for (size_t size : function.module->code.sizes) {
    launch.arguments.bytes.emplace_back(static_cast<char *>(*parameters++),
                                        size);
  }
  return launch;
}

Node *addNode(Graph &graph, Task task, Context &context,
              std::vector<Node *> behind) {
  Node *node = state().nodes.add();
  node->graph = &graph;
  node->context = &context;
  node->task = std::move(task);
  node->behind = std::move(behind);
  graph.nodes.push_back(node);
  return node;
}

/// A node of a graph; null, with a mistake noted, if it is none.
static Node *nodeOf(const char *call, const Graph &graph, const void *handle) {
  Node *node = state().nodes.find(handle);
  if (node && node->graph == &graph) {
    return node;
  }
  state().faults.unknownHandle(call, "node of the graph");
  return nullptr;
}

/// A call that adds a node with a task, or with none where it is malformed.
template <typename MakeTask>
static int add(const char *name, void **out, void *handle, void *const *behind,
               size_t count, MakeTask makeTask) {
  return inContext(name, [&](Lock &, Context &context) -> int {
    Graph *graph = state().graphs.find(handle);
    if (!graph) {
      return state().faults.unknownHandle(name, "graph");
    }
    std::vector<Node *> before;
    for (size_t k = 0; k < count; ++k) {
      Node *node = nodeOf(name, *graph, behind[k]);
      if (!node) {
        return cu::invalidValue;
      }
      before.push_back(node);
    }
    std::optional<Task> task = makeTask();
    if (!task) {
      return cu::invalidValue;
    }
    auto *launch = std::get_if<Launch>(&*task);
    *out = addNode(*graph, *task,
                   launch ? *launch->function->module->context : context,
                   std::move(before));
    return 0;
  });
}

static std::optional<Task> taskOf(const KernelNodeParams &p) {
  Function *function = state().functions.find(p.function);
  if (!function) {
    state().faults.unknownHandle("a kernel node", "function");
    return std::nullopt;
  }
  if (!p.gridX || !p.gridY || !p.gridZ || !p.blockX || !p.blockY || !p.blockZ) {
    return std::nullopt;
  }
  return launchOf(*function, p.parameters,
                  uint64_t(p.gridX) * p.gridY * p.gridZ);
}

static std::optional<Task> taskOf(const CopyParams &p) {
  auto known = [](unsigned type) {
    return type == cu::memoryHost || type == cu::memoryDevice;
  };
  if (!known(p.from.memoryType) || !known(p.to.memoryType) || p.depth != 1) {
    return std::nullopt;
  }
  auto begin = [](const runtime::CopySide &side) {
    Address at = side.memoryType == cu::memoryHost
                     ? reinterpret_cast<Address>(side.host)
                     : side.device;
    return at + side.y * side.pitch + side.xInBytes;
  };
  return Copy{begin(p.to),
              begin(p.from),
              p.to.memoryType == cu::memoryHost,
              p.from.memoryType == cu::memoryHost,
              p.widthInBytes,
              p.height,
              p.to.pitch,
              p.from.pitch};
}

static std::optional<Task> taskOf(const FillParams &p) {
  if (p.elementBytes != 1 && p.elementBytes != 2 && p.elementBytes != 4) {
    return std::nullopt;
  }
  return Fill{p.to, p.value, p.elementBytes, p.width, p.height, p.pitch};
}

/// The nodes in an order in which each is behind those it waits for; fewer
/// where there is a cycle.
static std::vector<Node *> ordered(const Graph &graph) {
  std::vector<Node *> out;
  std::set<Node *> placed;
  for (bool more = true; more;) {
    more = false;
    for (Node *node : graph.nodes) {
      bool isReady = !placed.contains(node) &&
                     std::all_of(node->behind.begin(), node->behind.end(),
                                 [&](Node *b) { return placed.contains(b); });
      if (isReady) {
        placed.insert(node);
        out.push_back(node);
        more = true;
      }
    }
  }
  return out;
}

/// A call that gives a node of an executable graph another task of its kind.
template <typename Params>
static int setParams(const char *name, void *handle, void *node,
                     const Params &params) {
  return call(name, [&](Lock &) -> int {
    Executable *executable = state().executables.find(handle);
    if (!executable) {
      return state().faults.unknownHandle(name, "executable graph");
    }
    if (!state().nodes.find(node)) {
      return state().faults.unknownHandle(name, "node");
    }
    auto step = std::find_if(executable->steps.begin(), executable->steps.end(),
                             [&](auto &s) { return s.node == node; });
    std::optional<Task> task = taskOf(params);
    if (step == executable->steps.end() || !task ||
        task->index() != step->task.index()) {
      return cu::invalidValue;
    }
    auto *launch = std::get_if<Launch>(&*task);
    if (launch && launch->function->module->context != step->context) {
      return cu::invalidValue;
    }
    step->task = *task;
    return 0;
  });
}

static void launchGraph(Executable &graph, Stream &stream) {
  State &s = state();
  std::shared_ptr<Op> begin =
      queueOn(stream, Nothing{}, *stream.context, {graph.last}, &graph.clock);
  std::vector<std::shared_ptr<Op>> ops;
  std::vector<Clock> clocks;
  Clock all;
  for (Executable::Step &step : graph.steps) {
    Clock clock = stream.clock;
    std::vector<std::shared_ptr<Op>> behind = {begin};
    for (size_t before : step.behind) {
      clock.join(clocks[before]);
      behind.push_back(ops[before]);
    }
    Stamp stamp = s.actors.next(step.actor);
    clock.join(stamp);
    std::shared_ptr<Op> op = makeOp(step.task, clock, stamp, *step.context,
                                    "a node of a graph on " + nameOf(stream));
    s.workers.queue(op, behind);
    ops.push_back(op);
    all.join(clock);
    clocks.push_back(std::move(clock));
  }
  graph.last = queueOn(stream, Nothing{}, *stream.context, ops, &all);
  graph.clock = stream.clock;
}

/// Programmatic edges go from kernels to kernels, from the port of that kind.
static bool isValid(const EdgeData &edge, const Node &from, const Node &to) {
  bool isProgrammatic = edge.type == cu::edgeProgrammatic;
  return edge.toPort == 0 && edge.type <= cu::edgeProgrammatic &&
         edge.fromPort == (isProgrammatic ? cu::portProgrammatic : 0) &&
         (!isProgrammatic || (std::holds_alternative<Launch>(from.task) &&
                              std::holds_alternative<Launch>(to.task)));
}

} // namespace girih::simulated

using namespace girih::simulated;

extern "C" {

int cuGraphCreate(void **out, unsigned) {
  return call("cuGraphCreate", [&](Lock &) {
    *out = state().graphs.add();
    return 0;
  });
}

int cuGraphDestroy(void *handle) {
  return call("cuGraphDestroy", [&](Lock &) {
    Graph *graph = state().graphs.find(handle);
    if (!graph) {
      return state().faults.unknownHandle("cuGraphDestroy", "graph");
    }
    graph->live = false;
    for (Node *node : graph->nodes) {
      node->live = false;
    }
    return 0;
  });
}

int cuGraphAddKernelNode_v2(void **out, void *graph, void *const *behind,
                            size_t count, const KernelNodeParams *params) {
  return add("cuGraphAddKernelNode", out, graph, behind, count,
             [&] { return taskOf(*params); });
}

int cuGraphAddMemcpyNode(void **out, void *graph, void *const *behind,
                         size_t count, const CopyParams *params, void *) {
  return add("cuGraphAddMemcpyNode", out, graph, behind, count,
             [&] { return taskOf(*params); });
}

int cuGraphAddMemsetNode(void **out, void *graph, void *const *behind,
                         size_t count, const FillParams *params, void *) {
  return add("cuGraphAddMemsetNode", out, graph, behind, count,
             [&] { return taskOf(*params); });
}

int cuGraphAddHostNode(void **out, void *graph, void *const *behind,
                       size_t count, const HostNodeParams *params) {
  return add("cuGraphAddHostNode", out, graph, behind, count,
             [&]() -> std::optional<Task> {
               return HostCall{params->function, params->data};
             });
}

int cuGraphAddEmptyNode(void **out, void *graph, void *const *behind,
                        size_t count) {
  return add("cuGraphAddEmptyNode", out, graph, behind, count,
             []() -> std::optional<Task> { return Nothing{}; });
}

/// Copies of the child's nodes, and behind them the node that is given out.
int cuGraphAddChildGraphNode(void **out, void *handle, void *const *behind,
                             size_t count, void *childHandle) {
  const char *name = "cuGraphAddChildGraphNode";
  return inContext(name, [&](Lock &, Context &context) -> int {
    Graph *graph = state().graphs.find(handle);
    Graph *child = state().graphs.find(childHandle);
    if (!graph || !child) {
      return state().faults.unknownHandle(name, "graph");
    }
    std::vector<Node *> before, copies;
    for (size_t k = 0; k < count; ++k) {
      before.push_back(nodeOf(name, *graph, behind[k]));
      if (!before.back()) {
        return cu::invalidValue;
      }
    }
    std::map<Node *, Node *> copyOf;
    for (Node *node : ordered(*child)) {
      std::vector<Node *> waits =
          node->behind.empty() ? before : std::vector<Node *>();
      for (Node *other : node->behind) {
        waits.push_back(copyOf.at(other));
      }
      copyOf[node] = addNode(*graph, node->task, *node->context, waits);
      copies.push_back(copyOf[node]);
    }
    std::vector<Node *> end = copies.empty() ? before : copies;
    Node *whole = addNode(*graph, Nothing{}, context, end);
    whole->children = std::move(copies);
    *out = whole;
    return 0;
  });
}

/// Edges of programmatic launch order as full ones do: what a kernel reads
/// before it waits is not known here.
int cuGraphAddDependencies_v2(void *handle, void *const *from, void *const *to,
                              const EdgeData *data, size_t count) {
  return call("cuGraphAddDependencies", [&](Lock &) -> int {
    Graph *graph = state().graphs.find(handle);
    if (!graph) {
      return state().faults.unknownHandle("cuGraphAddDependencies", "graph");
    }
    for (size_t k = 0; k < count; ++k) {
      Node *first = nodeOf("cuGraphAddDependencies", *graph, from[k]);
      Node *second = nodeOf("cuGraphAddDependencies", *graph, to[k]);
      if (!first || !second ||
          std::find(second->behind.begin(), second->behind.end(), first) !=
              second->behind.end() ||
          (data && !isValid(data[k], *first, *second))) {
        return cu::invalidValue; // an edge that is there is one too
      }
      second->behind.push_back(first);
      if (data && data[k].type) {
        second->early.insert(first);
      }
    }
    return 0;
  });
}

int cuGraphGetNodes(void *handle, void **nodes, size_t *count) {
  return call("cuGraphGetNodes", [&](Lock &) -> int {
    Graph *graph = state().graphs.find(handle);
    if (!graph) {
      return state().faults.unknownHandle("cuGraphGetNodes", "graph");
    }
    if (nodes) {
      *count = std::min(*count, graph->nodes.size());
      std::copy_n(graph->nodes.begin(), *count, nodes);
    } else {
      *count = graph->nodes.size();
    }
    return 0;
  });
}

int cuGraphGetEdges_v2(void *handle, void **from, void **to, EdgeData *edges,
                       size_t *count) {
  return call("cuGraphGetEdges", [&](Lock &) -> int {
    Graph *graph = state().graphs.find(handle);
    if (!graph) {
      return state().faults.unknownHandle("cuGraphGetEdges", "graph");
    }
    size_t seen = 0;
    for (Node *node : graph->nodes) {
      for (Node *before : node->behind) {
        if (from && to && seen < *count) {
          from[seen] = before;
          to[seen] = node;
          if (edges) {
            edges[seen] = {};
            edges[seen].type = edges[seen].fromPort =
                node->early.contains(before);
          }
        }
        ++seen;
      }
    }
    *count = from && to ? std::min(*count, seen) : seen;
    return 0;
  });
}

int cuGraphNodeGetType(void *handle, int *type) {
  return call("cuGraphNodeGetType", [&](Lock &) -> int {
    Node *node = state().nodes.find(handle);
    if (!node) {
      return state().faults.unknownHandle("cuGraphNodeGetType", "node");
    }
    constexpr int types[] = {cu::nodeEmpty, cu::nodeKernel, cu::nodeCopy,
                             cu::nodeFill, cu::nodeHost};
    *type = types[node->task.index()];
    return 0;
  });
}

int cuGraphKernelNodeGetParams_v2(void *handle, KernelNodeParams *params) {
  return call("cuGraphKernelNodeGetParams", [&](Lock &) -> int {
    Node *node = state().nodes.find(handle);
    if (!node) {
      return state().faults.unknownHandle("cuGraphKernelNodeGetParams", "node");
    }
    auto *launch = std::get_if<Launch>(&node->task);
    if (!launch) {
      return cu::invalidValue;
    }
    node->pointers.clear();
    for (std::string &bytes : launch->arguments.bytes) {
      node->pointers.push_back(bytes.data());
    }
    *params = {};
    params->function = const_cast<Function *>(launch->function);
    params->parameters = node->pointers.data();
    return 0;
  });
}

int cuGraphInstantiateWithFlags(void **out, void *handle, unsigned long long) {
  return inContext("cuGraphInstantiate", [&](Lock &, Context &context) -> int {
    State &s = state();
    Graph *graph = s.graphs.find(handle);
    if (!graph) {
      return s.faults.unknownHandle("cuGraphInstantiate", "graph");
    }
    std::vector<Node *> nodes = ordered(*graph);
    if (nodes.size() != graph->nodes.size()) {
      return cu::invalidValue;
    }
    Executable *executable = s.executables.add();
    executable->context = &context;
    for (Node *node : nodes) {
      Executable::Step step{node, node->context, node->task, {}, -1};
      for (Node *before : node->behind) {
        step.behind.push_back(static_cast<size_t>(
            std::find(nodes.begin(), nodes.end(), before) - nodes.begin()));
      }
      step.actor = s.actors.add(s.host);
      executable->steps.push_back(std::move(step));
    }
    *out = executable;
    return 0;
  });
}

int cuGraphExecKernelNodeSetParams_v2(void *executable, void *node,
                                      const KernelNodeParams *params) {
  return setParams("cuGraphExecKernelNodeSetParams", executable, node, *params);
}

int cuGraphExecMemcpyNodeSetParams(void *executable, void *node,
                                   const CopyParams *params, void *) {
  return setParams("cuGraphExecMemcpyNodeSetParams", executable, node, *params);
}

int cuGraphExecMemsetNodeSetParams(void *executable, void *node,
                                   const FillParams *params, void *) {
  return setParams("cuGraphExecMemsetNodeSetParams", executable, node, *params);
}

/// The same nodes with other tasks of their kinds.
int cuGraphExecChildGraphNodeSetParams(void *handle, void *nodeHandle,
                                       void *childHandle) {
  const char *name = "cuGraphExecChildGraphNodeSetParams";
  return call(name, [&](Lock &) -> int {
    Executable *executable = state().executables.find(handle);
    Node *node = state().nodes.find(nodeHandle);
    Graph *child = state().graphs.find(childHandle);
    if (!executable || !node || !child) {
      return state().faults.unknownHandle(name, "graph or node");
    }
    std::vector<Node *> fresh = ordered(*child);
    if (fresh.size() != node->children.size()) {
      return cu::invalidValue;
    }
    for (size_t k = 0; k < fresh.size(); ++k) {
      for (Executable::Step &step : executable->steps) {
        if (step.node == node->children[k]) {
          if (step.task.index() != fresh[k]->task.index()) {
            return cu::invalidValue;
          }
          step.task = fresh[k]->task;
        }
      }
    }
    return 0;
  });
}

static int onGraph(const char *name, void *executable, void *streamHandle,
                   bool launches) {
  return call(name, [&](Lock &) -> int {
    Executable *graph = state().executables.find(executable);
    if (!graph) {
      return state().faults.unknownHandle(name, "executable graph");
    }
    int error = 0;
    Stream *stream = streamOf(name, streamHandle, error);
    if (!stream) {
      return error;
    }
    if (stream->capture) {
      return notSupported;
    }
    error = besideImplicit(*stream);
    if (!error && launches) {
      launchGraph(*graph, *stream);
    }
    return error;
  });
}

int cuGraphUpload(void *executable, void *stream) {
  return onGraph("cuGraphUpload", executable, stream, false);
}

int cuGraphLaunch(void *executable, void *stream) {
  return onGraph("cuGraphLaunch", executable, stream, true);
}

int cuGraphExecDestroy(void *handle) {
  return call("cuGraphExecDestroy", [&](Lock &) {
    State &s = state();
    Executable *executable = s.executables.find(handle);
    if (!executable) {
      return s.faults.unknownHandle("cuGraphExecDestroy", "executable graph");
    }
    for (Executable::Step &step : executable->steps) {
      s.actors.end(step.actor);
    }
    executable->live = false;
    executable->last = nullptr;
    executable->clock.clear();
    return 0;
  });
}

} // extern "C"
