// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Graph.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/graph/transitive_reduction.hpp>

#include <sstream>

namespace girih::checker {

namespace {
/// An obligation of a kernel.
struct Node {
  const Checked *kernel = nullptr;
  size_t number = 0;
  unsigned level = 0;
  unsigned above = 0; ///< how many rest on it
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS,
                                    boost::bidirectionalS, Node>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;
} // namespace

static const Finding *findingOf(const Node &node) {
  const std::vector<Finding> &all = node.kernel->verdict.findings;
  return node.number < all.size() ? &all[node.number] : nullptr;
}

/// Which obligations rest on which, those that follow included.
static Graph allEdges(llvm::ArrayRef<Checked> checked) {
  Graph graph;
  for (const Checked &c : checked) {
    size_t first = boost::num_vertices(graph);
    for (size_t i = 0; i < c.verdict.vcs.size(); ++i) {
      boost::add_vertex(Node{&c, i}, graph);
    }
    for (size_t i = 0; i < c.verdict.vcs.size(); ++i) {
      std::set<size_t> below;
      for (auto &h : c.verdict.vcs[i].obligation.hypotheses) {
        if (h.origin.kind == proofs::Origin::Kind::Proved) {
          below.insert(h.origin.index);
        }
      }
      for (size_t b : below) {
        boost::add_edge(first + b, first + i, graph);
      }
    }
  }
  return graph;
}

/// The same graph without the edges that follow from others.
static Graph reduced(const Graph &graph) {
  size_t count = boost::num_vertices(graph);
  std::vector<Vertex> copies(count);
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Graph smaller; // which numbers vertices as it likes
  boost::transitive_reduction(graph, smaller, copies.data(), numbers.data());
  Graph out(count);
  std::vector<Vertex> originals(count);
  for (Vertex v : llvm::make_range(boost::vertices(graph))) {
    out[v] = graph[v];
    originals[copies[v]] = v;
  }
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (auto edge : llvm::make_range(boost::edges(smaller))) {
    edges.push_back({originals[boost::source(edge, smaller)],
                     originals[boost::target(edge, smaller)]});
  }
  llvm::sort(edges);
  for (auto [from, to] : edges) {
    boost::add_edge(from, to, out);
  }
  return out;
}

static void addLevels(Graph &graph) {
  std::vector<Vertex> order; // what rests on something comes before it
  boost::topological_sort(graph, std::back_inserter(order));
  for (Vertex v : llvm::reverse(order)) {
    for (auto edge : llvm::make_range(boost::out_edges(v, graph))) {
      unsigned &level = graph[boost::target(edge, graph)].level;
      level = std::max(level, graph[v].level + 1);
    }
  }
}

/// Counts what rests on each obligation that is not proved.
static void addAbove(Graph &graph) {
  for (Vertex v : llvm::make_range(boost::vertices(graph))) {
    const Finding *finding = findingOf(graph[v]);
    if (finding && finding->status == Status::Proved) {
      continue;
    }
    std::vector<boost::default_color_type> colours(boost::num_vertices(graph));
    boost::depth_first_visit(
        graph, v, boost::default_dfs_visitor(),
        boost::make_iterator_property_map(
            colours.begin(), boost::get(boost::vertex_index, graph)));
    graph[v].above =
        unsigned(llvm::count_if(colours,
                                [](auto colour) {
                                  return colour != boost::default_color_type();
                                })) -
        1;
  }
}

static const char *colourOf(const Finding *finding) {
  if (!finding) {
    return "white";
  }
  switch (finding->status) {
  case Status::Proved:
    return "palegreen";
  case Status::Refuted:
    return "salmon";
  case Status::Unknown:
    return "khaki";
  case Status::Blocked:
    return "lightgrey";
  }
  return "white";
}

static std::string labelOf(const Node &node) {
  const Finding *finding = findingOf(node);
  const proofs::Obligation &o =
      node.kernel->verdict.vcs[node.number].obligation;
  std::string out = title(*node.kernel) + "\n" + std::to_string(node.number) +
                    " " + o.rule + "\n" + o.label + "\n" +
                    (finding ? statusName(finding->status) : "not tried") +
                    ", level " + std::to_string(node.level);
  return node.above == 0 ? out : out + ", hides " + std::to_string(node.above);
}

/// A string of DOT, each line of the text on a line of its node.
static std::string quoted(const std::string &text) {
  std::string out;
  for (char c : boost::escape_dot_string(text)) {
    out += c == '\n' ? "\\n" : std::string(1, c);
  }
  return out;
}

std::string obligationGraph(llvm::ArrayRef<Checked> checked) {
  Graph graph = reduced(allEdges(checked));
  addLevels(graph);
  addAbove(graph);
  std::ostringstream out;
  boost::write_graphviz(
      out, graph,
      [&](std::ostream &os, Vertex v) {
        os << "[label=" << quoted(labelOf(graph[v]))
           << ", fillcolor=" << colourOf(findingOf(graph[v])) << "]";
      },
      boost::default_writer(),
      [](std::ostream &os) { os << "node [shape=box, style=filled];\n"; });
  return out.str();
}

} // namespace girih::checker
