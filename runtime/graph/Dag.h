// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The launches of a graph as plain data: what each reads and writes, and which
/// is behind which. It is checked before the driver sees it.

#ifndef GIRIH_RUNTIME_GRAPH_DAG_H
#define GIRIH_RUNTIME_GRAPH_DAG_H

#include "runtime/host/Access.h"

#include <string>
#include <vector>

namespace girih {

/// Memory that a launch touches.
struct DagAccess {
  std::size_t buffer = 0; ///< a number for messages; one allocation, one number
  AccessMode mode = AccessMode::Read;
  /// Whether it may come before the launch waits for those in front of it: of
  /// kernels that start early (programmatic dependent launch).
  bool beforeWait = false;
  std::uint64_t address = 0; ///< of the first element
  Element element = Element::F32;
  std::vector<std::int64_t> extents, strides; ///< strides in elements
};

/// One launch, copy, fill or opt-out.
struct DagNode {
  std::string text;         ///< `gemm(M = 1, N = 2; grid (1, 2))`
  std::uint64_t weight = 1; ///< how long it takes, in any unit
  std::vector<DagAccess> accesses;
  std::string optOut; ///< its name, of what nobody has verified
};

/// `to` is behind `from`.
struct DagEdge {
  std::size_t from = 0, to = 0;
  /// `to` starts as soon as `from` lets it, and waits for its end by itself:
  /// accesses of `to` that are marked `beforeWait` are not behind `from`.
  bool programmatic = false;

  friend bool operator==(const DagEdge &, const DagEdge &) = default;
};

struct LaunchDag {
  std::vector<DagNode> nodes;
  std::vector<DagEdge> edges;
};

/// Two accesses to the same bytes, one of which writes, in no order.
struct DagConflict {
  std::size_t first = 0, second = 0; ///< nodes, the lower number first
  std::size_t buffer = 0;            ///< as the first one calls it

  friend auto operator<=>(const DagConflict &, const DagConflict &) = default;
};

/// What was found about a DAG.
struct DagReport {
  std::vector<std::size_t> cycle; ///< nodes of one, if there is one
  /// In order, each pair of nodes once; not looked for where there is a cycle.
  std::vector<DagConflict> conflicts;
  /// Those that no others imply, in order. Empty where there is a cycle.
  std::vector<DagEdge> edges;
  /// The nodes of a heaviest path, first to last, and the sum of their weights.
  std::vector<std::size_t> criticalPath;
  std::uint64_t criticalWeight = 0;

  /// Whether it may be run: no cycle, and each conflicting pair in order.
  bool isSound() const { return cycle.empty() && conflicts.empty(); }
};

/// Most nodes that are checked: what is before what takes as many bits squared.
inline constexpr std::size_t maxDagNodes = 1 << 14;

/// Checks a DAG: cycles, conflicting pairs without an order, edges that others
/// imply, the critical path. Pairs are looked at with the edges that are left.
/// Throws RuntimeError for an edge of a node that is none, or too many nodes.
DagReport checkDag(const LaunchDag &dag);

/// What makes it unsound, one line each; none where it is sound.
std::vector<std::string> errorsOf(const LaunchDag &dag,
                                  const DagReport &report);

/// A DAG and what was found about it as text, without addresses: equal for
/// equal pipelines.
std::string textOf(const LaunchDag &dag, const DagReport &report);

/// The same as a drawing, in SVG; the critical path is marked.
std::string pictureOf(const LaunchDag &dag, const DagReport &report);

} // namespace girih

#endif // GIRIH_RUNTIME_GRAPH_DAG_H
