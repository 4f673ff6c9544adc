// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of a launch DAG, the one file of the runtime that uses Boost. It
// knows nothing of how the edges came about: accesses are compared by the bytes
// that they touch.

#include "runtime/arguments/Contract.h"
#include "runtime/graph/Dag.h"
#include "runtime/host/Error.h"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dag_shortest_paths.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/topological_sort.hpp>
#include <iterator>
#include <span>

namespace girih {

namespace {

using Directed =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                          boost::no_property,
                          boost::property<boost::edge_weight_t, std::int64_t>>;

/// Weights of all nodes stay below 2^63 together.
constexpr std::uint64_t maxWeight = std::uint64_t(1) << 48;

//===-- Nodes -------------------------------------------------------------===//

Directed nodesOf(const LaunchDag &dag) {
  Directed nodes(dag.nodes.size());
  for (const DagEdge &edge : dag.edges) {
    if (edge.from >= dag.nodes.size() || edge.to >= dag.nodes.size()) {
      throw RuntimeError(3, "an edge from node " + std::to_string(edge.from) +
                                " to node " + std::to_string(edge.to) + " of " +
                                std::to_string(dag.nodes.size()));
    }
    add_edge(edge.from, edge.to, nodes);
  }
  return nodes;
}

/// Finds a way back.
struct CycleVisitor : boost::default_dfs_visitor {
  std::vector<std::size_t> *path, *cycle;

  CycleVisitor(std::vector<std::size_t> &path, std::vector<std::size_t> &cycle)
      : path(&path), cycle(&cycle) {}
  void discover_vertex(std::size_t node, const Directed &) {
    path->push_back(node);
  }
  void finish_vertex(std::size_t, const Directed &) { path->pop_back(); }
  void back_edge(Directed::edge_descriptor edge, const Directed &nodes) {
    if (cycle->empty()) {
      auto first = std::find(path->begin(), path->end(), target(edge, nodes));
      cycle->assign(first, path->end());
    }
  }
};

std::vector<std::size_t> cycleOf(const Directed &nodes) {
  std::vector<std::size_t> path, cycle;
  boost::depth_first_search(nodes, boost::visitor(CycleVisitor(path, cycle)));
  return cycle;
}

//===-- Edges that others imply -------------------------------------------===//

/// A full edge says that `to` starts when `from` has ended; a programmatic one
/// that it starts when `from` has started, and has waited when `from` has
/// ended. Each node starts, waits and ends in this order. So any path says what
/// a programmatic edge says, and one with a full edge in it what a full one
/// says.
std::vector<DagEdge> reduce(const LaunchDag &dag) {
  std::size_t count = dag.nodes.size();
  std::vector<DagEdge> edges = dag.edges;
  std::sort(edges.begin(), edges.end(), [](const DagEdge &a, const DagEdge &b) {
    return std::tie(a.from, a.to, a.programmatic) <
           std::tie(b.from, b.to, b.programmatic);
  });
  auto joins = [](const DagEdge &a, const DagEdge &b) {
    return a.from == b.from && a.to == b.to;
  };
  edges.erase(std::unique(edges.begin(), edges.end(), joins), edges.end());

  auto none = [&] {
    return std::vector<boost::dynamic_bitset<>>(count,
                                                boost::dynamic_bitset<>(count));
  };
  // By a path of one edge or more, and by one with a full edge in it.
  auto reached = none(), reachedInFull = none();
  std::vector<DagEdge> out;
  std::vector<std::size_t> order; // last ones first
  Directed nodes = nodesOf(dag);
  boost::topological_sort(nodes, std::back_inserter(order));
  for (std::size_t from : order) {
    auto [first, last] = std::equal_range(
        edges.begin(), edges.end(), DagEdge{from, 0},
        [](const DagEdge &a, const DagEdge &b) { return a.from < b.from; });
    std::span<const DagEdge> some(first, last);
    for (const DagEdge &edge : some) {
      reached[from] |= reached[edge.to];
      reachedInFull[from] |=
          edge.programmatic ? reachedInFull[edge.to] : reached[edge.to];
    }
    // So far by two edges or more.
    for (const DagEdge &edge : some) {
      if (!(edge.programmatic ? reached : reachedInFull)[from][edge.to]) {
        out.push_back(edge);
      }
    }
    for (const DagEdge &edge : some) {
      reached[from].set(edge.to);
      reachedInFull[from][edge.to] |= !edge.programmatic;
    }
  }
  std::sort(out.begin(), out.end(), [](const DagEdge &a, const DagEdge &b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  return out;
}

//===-- Order -------------------------------------------------------------===//

/// What is before what. A launch starts, has waited and ends; these are one
/// event where no edge is programmatic.
class Order {
public:
  Order(std::size_t count, const std::vector<DagEdge> &edges)
      : each(std::any_of(edges.begin(), edges.end(),
                         [](auto &edge) { return edge.programmatic; })
                 ? 3
                 : 1) {
    Directed events(count * each);
    for (std::size_t node = 0; node < count && each == 3; ++node) {
      add_edge(start(node), waited(node), events);
      add_edge(waited(node), end(node), events);
    }
    for (const DagEdge &edge : edges) {
      if (edge.programmatic) {
        add_edge(start(edge.from), start(edge.to), events);
        add_edge(end(edge.from), waited(edge.to), events);
      } else {
        add_edge(end(edge.from), start(edge.to), events);
      }
    }
    std::vector<std::size_t> order; // last ones first
    boost::topological_sort(events, std::back_inserter(order));
    reached.assign(num_vertices(events),
                   boost::dynamic_bitset<>(num_vertices(events)));
    for (std::size_t event : order) {
      for (auto [next, last] = adjacent_vertices(event, events); next != last;
           ++next) {
        reached[event].set(*next);
        reached[event] |= reached[*next];
      }
    }
  }

  bool isBefore(std::size_t first, const DagAccess &a, std::size_t second,
                const DagAccess &b) const {
    std::size_t done = a.beforeWait ? waited(first) : end(first);
    std::size_t begun = b.beforeWait ? start(second) : waited(second);
    return reached[done][begun];
  }

private:
  std::size_t start(std::size_t node) const { return node * each; }
  std::size_t waited(std::size_t node) const { return node * each + each / 2; }
  std::size_t end(std::size_t node) const { return node * each + each - 1; }

  std::size_t each;
  std::vector<boost::dynamic_bitset<>> reached;
};

//===-- Conflicts ---------------------------------------------------------===//

struct Region {
  std::size_t node;
  const DagAccess *access;
  runtime::Layout layout;
  std::uint64_t end; ///< behind the last byte

  Region(std::size_t node, const DagAccess &access)
      : node(node), access(&access) {
    // The numbers of the two enumerations are the same.
    layout.element = static_cast<runtime::Element>(access.element);
    layout.extents = access.extents;
    layout.strides = access.strides;
    end = access.address +
          (static_cast<std::uint64_t>(layout.span()) * bitsOf(access.element) +
           7) /
              8;
  }
  bool writes() const { return access->mode != AccessMode::Read; }
};

/// Regions whose bytes touch, by way of others too, in groups.
std::vector<std::vector<Region>> groupsOf(const LaunchDag &dag) {
  std::vector<Region> all;
  for (std::size_t node = 0; node < dag.nodes.size(); ++node) {
    for (const DagAccess &access : dag.nodes[node].accesses) {
      all.emplace_back(node, access);
    }
  }
  std::erase_if(all, [](auto &region) { return region.layout.empty(); });
  std::sort(all.begin(), all.end(), [](const Region &a, const Region &b) {
    return std::tie(a.access->address, a.node) <
           std::tie(b.access->address, b.node);
  });
  std::vector<std::vector<Region>> groups;
  std::uint64_t end = 0;
  for (Region &region : all) {
    if (groups.empty() || region.access->address >= end) {
      groups.emplace_back();
    }
    end = std::max(end, region.end);
    groups.back().push_back(std::move(region));
  }
  return groups;
}

std::vector<DagConflict> conflictsOf(const LaunchDag &dag, const Order &order) {
  std::vector<DagConflict> out;
  for (const std::vector<Region> &group : groupsOf(dag)) {
    for (const Region &a : group) {
      if (!a.writes()) {
        continue;
      }
      for (const Region &b : group) {
        bool seen = b.writes() && b.node <= a.node;
        if (seen || a.node == b.node ||
            order.isBefore(a.node, *a.access, b.node, *b.access) ||
            order.isBefore(b.node, *b.access, a.node, *a.access) ||
            runtime::areDisjoint(a.layout, a.access->address, b.layout,
                                 b.access->address)) {
          continue;
        }
        const Region &first = a.node < b.node ? a : b;
        out.push_back(
            {first.node, a.node + b.node - first.node, first.access->buffer});
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end(),
                        [](auto &a, auto &b) {
                          return a.first == b.first && a.second == b.second;
                        }),
            out.end());
  return out;
}

//===-- Critical path -----------------------------------------------------===//

/// The shortest path where every node has its weight, negated.
void findCriticalPath(const LaunchDag &dag, DagReport &report) {
  std::size_t count = dag.nodes.size();
  if (count == 0) {
    return;
  }
  auto cost = [&](std::size_t node) {
    return -static_cast<std::int64_t>(
        std::min(dag.nodes[node].weight, maxWeight));
  };
  Directed nodes(count + 1); // the last one is before all others
  for (std::size_t node = 0; node < count; ++node) {
    add_edge(count, node, cost(node), nodes);
  }
  for (const DagEdge &edge : report.edges) {
    add_edge(edge.from, edge.to, cost(edge.to), nodes);
  }
  std::vector<std::int64_t> distance(count + 1);
  std::vector<std::size_t> before(count + 1);
  boost::dag_shortest_paths(
      nodes, count,
      boost::distance_map(distance.data()).predecessor_map(before.data()));
  std::size_t last = 0;
  for (std::size_t node = 1; node < count; ++node) {
    last = distance[node] < distance[last] ? node : last;
  }
  report.criticalWeight = static_cast<std::uint64_t>(-distance[last]);
  for (std::size_t node = last; node != count; node = before[node]) {
    report.criticalPath.insert(report.criticalPath.begin(), node);
  }
}

} // namespace

DagReport checkDag(const LaunchDag &dag) {
  if (dag.nodes.size() > maxDagNodes) {
    throw RuntimeError(3, std::to_string(dag.nodes.size()) +
                              " launches in a graph, more than " +
                              std::to_string(maxDagNodes));
  }
  DagReport report;
  report.cycle = cycleOf(nodesOf(dag));
  if (!report.cycle.empty()) {
    return report;
  }
  report.edges = reduce(dag);
  report.conflicts = conflictsOf(dag, Order(dag.nodes.size(), report.edges));
  findCriticalPath(dag, report);
  return report;
}

} // namespace girih
