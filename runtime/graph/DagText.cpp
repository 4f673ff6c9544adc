// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch DAG for readers: errors, text and a drawing.

#include "runtime/graph/Dag.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace girih {

namespace {

/// `reads b0 b1, writes b2`.
std::string accessesOf(const DagNode &node) {
  std::string text;
  for (bool writes : {false, true}) {
    std::vector<std::string> buffers;
    for (const DagAccess &access : node.accesses) {
      if ((access.mode != AccessMode::Read) == writes) {
        buffers.push_back(fmt::format("b{}{}", access.buffer,
                                      access.beforeWait ? " early" : ""));
      }
    }
    if (!buffers.empty()) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                          writes ? "writes" : "reads", fmt::join(buffers, " "));
    }
  }
  return text.empty() ? "touches nothing" : text;
}

std::string pathOf(const std::vector<size_t> &nodes) {
  return fmt::format("{}", fmt::join(nodes, " -> "));
}

std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text) {
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
                      : std::string(1, c);
  }
  return out;
}

/// By node, how many are in front of it on the longest way; all 0 where there
/// is a cycle, which has no edges.
std::vector<size_t> layersOf(const LaunchDag &dag, const DagReport &report) {
  std::vector<size_t> layers(dag.nodes.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const DagEdge &edge : report.edges) {
      if (layers[edge.to] <= layers[edge.from]) {
        layers[edge.to] = layers[edge.from] + 1;
        changed = true;
      }
    }
  }
  return layers;
}

// Sizes of a drawing, in pixels.
constexpr int nodeHeight = 44, rowHeight = 92, columnGap = 24, margin = 16;
constexpr int letterWidth = 7, padding = 10;

} // namespace

std::vector<std::string> errorsOf(const LaunchDag &dag,
                                  const DagReport &report) {
  std::vector<std::string> out;
  if (!report.cycle.empty()) {
    out.push_back(fmt::format("launches wait for each other: {} -> {}",
                              pathOf(report.cycle), report.cycle.front()));
  }
  for (const DagConflict &conflict : report.conflicts) {
    out.push_back(fmt::format(
        "nothing orders launch {}, {}, and launch {}, {}: both touch b{}, and "
        "one writes it",
        conflict.first, dag.nodes[conflict.first].text, conflict.second,
        dag.nodes[conflict.second].text, conflict.buffer));
  }
  return out;
}

std::string textOf(const LaunchDag &dag, const DagReport &report) {
  std::string text = fmt::format("nodes {}\n", dag.nodes.size());
  for (size_t k = 0; k < dag.nodes.size(); ++k) {
    text += fmt::format("{}: {}: {}\n", k, dag.nodes[k].text,
                        accessesOf(dag.nodes[k]));
  }
  std::vector<std::string> optOuts;
  for (size_t k = 0; k < dag.nodes.size(); ++k) {
    if (!dag.nodes[k].optOut.empty()) {
      optOuts.push_back(fmt::format("{} at {}", dag.nodes[k].optOut, k));
    }
  }
  if (!optOuts.empty()) {
    text += fmt::format("unverified {}\n", fmt::join(optOuts, ", "));
  }
  text +=
      fmt::format("edges {} of {}\n", report.edges.size(), dag.edges.size());
  for (const DagEdge &edge : report.edges) {
    text += fmt::format("{} -> {}{}\n", edge.from, edge.to,
                        edge.programmatic ? " programmatic" : "");
  }
  text += fmt::format("critical path {}: {}\n", report.criticalWeight,
                      pathOf(report.criticalPath));
  for (const std::string &error : errorsOf(dag, report)) {
    text += "error: " + error + "\n";
  }
  return text;
}

std::string pictureOf(const LaunchDag &dag, const DagReport &report) {
  std::vector<size_t> layers = layersOf(dag, report);
  std::vector<int> rowEnd, left(dag.nodes.size()), width(dag.nodes.size());
  int right = 0;
  for (size_t k = 0; k < dag.nodes.size(); ++k) {
    size_t letters =
        std::max(dag.nodes[k].text.size() + 6, accessesOf(dag.nodes[k]).size());
    rowEnd.resize(std::max(rowEnd.size(), layers[k] + 1), margin);
    width[k] = static_cast<int>(letters) * letterWidth + 2 * padding;
    left[k] = rowEnd[layers[k]];
    rowEnd[layers[k]] += width[k] + columnGap;
    right = std::max(right, left[k] + width[k]);
  }
  auto isCritical = [&](size_t node) {
    return std::find(report.criticalPath.begin(), report.criticalPath.end(),
                     node) != report.criticalPath.end();
  };
  auto top = [&](size_t node) {
    return margin + static_cast<int>(layers[node]) * rowHeight;
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"monospace\" font-size=\"11\">\n"
      "<defs><marker id=\"end\" markerWidth=\"8\" markerHeight=\"8\" "
      "refX=\"7\" refY=\"4\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/>"
      "</marker></defs>\n",
      right + margin, static_cast<int>(rowEnd.size()) * rowHeight + margin);
  for (const DagEdge &edge : report.edges) {
    bool critical = isCritical(edge.from) && isCritical(edge.to);
    out += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"black\" "
        "stroke-width=\"{}\"{} marker-end=\"url(#end)\"/>\n",
        left[edge.from] + width[edge.from] / 2, top(edge.from) + nodeHeight,
        left[edge.to] + width[edge.to] / 2, top(edge.to), critical ? 2 : 1,
        edge.programmatic ? " stroke-dasharray=\"4\"" : "");
  }
  for (size_t k = 0; k < dag.nodes.size(); ++k) {
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
        "stroke=\"black\"/>\n<text x=\"{}\" y=\"{}\">{}: {}</text>\n"
        "<text x=\"{}\" y=\"{}\">{}</text>\n",
        left[k], top(k), width[k], nodeHeight,
        !dag.nodes[k].optOut.empty() ? "#f6c7c7"
        : isCritical(k)              ? "#fde9b8"
                                     : "#ffffff",
        left[k] + padding, top(k) + 18, k, escaped(dag.nodes[k].text),
        left[k] + padding, top(k) + 34, escaped(accessesOf(dag.nodes[k])));
  }
  return out + "</svg>\n";
}

} // namespace girih
