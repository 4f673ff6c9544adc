// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of launch DAGs beside brute force: all paths, all bytes, all
// moments of a launch, on small random DAGs. Edges that are left out are found.

#include "runtime/graph/Dag.h"
#include "runtime/host/Error.h"
#include "tests/unit/Long.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace girih;

namespace {

using Pair = std::pair<size_t, size_t>;
/// By pair of rows, whether the first is before the second.
using Relation = std::vector<std::vector<bool>>;

const unsigned rounds = girih::test::isLong ? 200000 : 4000;

//===-- Brute force -------------------------------------------------------===//

Relation closed(Relation r) {
  for (size_t k = 0; k < r.size(); ++k) {
    for (size_t i = 0; i < r.size(); ++i) {
      for (size_t j = 0; j < r.size(); ++j) {
        r[i][j] = r[i][j] || (r[i][k] && r[k][j]);
      }
    }
  }
  return r;
}

Relation paths(const LaunchDag &dag) {
  size_t count = dag.nodes.size();
  Relation r(count, std::vector<bool>(count));
  for (const DagEdge &edge : dag.edges) {
    r[edge.from][edge.to] = true;
  }
  return closed(r);
}

std::set<uint64_t> bytesOf(const DagAccess &access) {
  std::set<uint64_t> out;
  std::vector<uint64_t> at{access.address};
  for (size_t k = 0; k < access.extents.size(); ++k) {
    std::vector<uint64_t> next;
    for (uint64_t address : at) {
      for (int64_t i = 0; i < access.extents[k]; ++i) {
        next.push_back(address + uint64_t(i * access.strides[k]));
      }
    }
    at = next;
  }
  out.insert(at.begin(), at.end());
  return out;
}

bool touch(const DagAccess &a, const DagAccess &b) {
  if (a.mode == AccessMode::Read && b.mode == AccessMode::Read) {
    return false;
  }
  std::set<uint64_t> bytes = bytesOf(a);
  for (uint64_t byte : bytesOf(b)) {
    if (bytes.contains(byte)) {
      return true;
    }
  }
  return false;
}

/// Moments: node k begins at 3 k, has waited at 3 k + 1 and ends at 3 k + 2.
Relation moments(const LaunchDag &dag) {
  size_t count = 3 * dag.nodes.size();
  Relation r(count, std::vector<bool>(count));
  for (size_t k = 0; k < count; k += 3) {
    r[k][k + 1] = r[k + 1][k + 2] = true;
  }
  for (const DagEdge &edge : dag.edges) {
    size_t from = 3 * edge.from, to = 3 * edge.to;
    r[from][to] = true;
    r[from + 2][edge.programmatic ? to + 1 : to] = true;
  }
  return closed(r);
}

std::vector<Pair> conflicts(const LaunchDag &dag) {
  Relation before = moments(dag);
  std::set<Pair> out;
  for (size_t i = 0; i < dag.nodes.size(); ++i) {
    for (size_t j = i + 1; j < dag.nodes.size(); ++j) {
      for (const DagAccess &a : dag.nodes[i].accesses) {
        for (const DagAccess &b : dag.nodes[j].accesses) {
          auto first = [](size_t node, const DagAccess &x) {
            return 3 * node + (x.beforeWait ? 0 : 1);
          };
          auto last = [](size_t node, const DagAccess &x) {
            return 3 * node + (x.beforeWait ? 1 : 2);
          };
          if (touch(a, b) && !before[last(i, a)][first(j, b)] &&
              !before[last(j, b)][first(i, a)]) {
            out.insert({i, j});
          }
        }
      }
    }
  }
  return {out.begin(), out.end()};
}

uint64_t heaviestFrom(const LaunchDag &dag, size_t node) {
  uint64_t most = 0;
  for (const DagEdge &edge : dag.edges) {
    if (edge.from == node) {
      most = std::max(most, heaviestFrom(dag, edge.to));
    }
  }
  return most + dag.nodes[node].weight;
}

//===-- Draws -------------------------------------------------------------===//

struct Draw {
  std::mt19937 random;
  size_t below(size_t n) { return random() % n; }
  bool oneIn(size_t n) { return below(n) == 0; }

  /// Bytes of a matrix of 6 rows of 8, or of a line.
  DagAccess access(bool boxes) {
    DagAccess out;
    out.mode = AccessMode(below(3));
    out.element = Element::I8;
    if (boxes) {
      size_t row = below(6), column = below(8);
      out.address = 1000 + 8 * row + column;
      out.extents = {int64_t(1 + below(6 - row)), int64_t(below(9 - column))};
      out.strides = {8, 1};
    } else {
      out.address = 1000 + below(12);
      out.extents = {int64_t(below(5))};
      out.strides = {1};
    }
    return out;
  }
  LaunchDag dag(bool cycles) {
    LaunchDag out;
    bool boxes = oneIn(2), early = oneIn(2);
    out.nodes.resize(below(7));
    size_t count = out.nodes.size();
    for (DagNode &node : out.nodes) {
      node.weight = below(10);
      for (size_t k = below(3); k > 0; --k) {
        node.accesses.push_back(access(boxes));
        node.accesses.back().beforeWait = early && oneIn(3);
      }
    }
    for (size_t k = count ? below(2 * count) : 0; k > 0; --k) {
      size_t a = below(count), b = below(count);
      if (cycles || a != b) {
        bool turned = !(cycles && oneIn(8)) && a > b;
        out.edges.push_back(
            {turned ? b : a, turned ? a : b, early && oneIn(3)});
      }
    }
    return out;
  }
  /// Launches on some tensors in sequence, with all edges that this gives.
  LaunchDag ordered() {
    LaunchDag out;
    out.nodes.resize(2 + below(6));
    for (size_t k = 0; k < out.nodes.size(); ++k) {
      for (size_t tensor = 0; tensor < 4; ++tensor) {
        if (oneIn(2)) {
          DagAccess access;
          access.buffer = tensor;
          access.mode = AccessMode(below(3));
          access.address = 100 * (1 + tensor);
          access.extents = {10};
          access.strides = {1};
          access.element = Element::I8;
          out.nodes[k].accesses.push_back(access);
        }
      }
      for (size_t j = 0; j < k; ++j) {
        bool behind = false;
        for (const DagAccess &a : out.nodes[j].accesses) {
          for (const DagAccess &b : out.nodes[k].accesses) {
            behind = behind || touch(a, b);
          }
        }
        if (behind) {
          out.edges.push_back({j, k});
        }
      }
    }
    return out;
  }
};

std::vector<Pair> pairsOf(const DagReport &report) {
  std::vector<Pair> out;
  for (const DagConflict &conflict : report.conflicts) {
    out.emplace_back(conflict.first, conflict.second);
  }
  return out;
}

//===-- Tests -------------------------------------------------------------===//

TEST(Dag, IsAsBruteForceSays) {
  unsigned cyclic = 0, conflicting = 0, sound = 0, early = 0;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    Draw draw{std::mt19937(seed)};
    LaunchDag dag = draw.dag(seed % 4 == 0);
    size_t count = dag.nodes.size();
    Relation all = paths(dag);
    bool isCyclic = false;
    for (size_t k = 0; k < count; ++k) {
      isCyclic = isCyclic || all[k][k];
    }
    DagReport report = checkDag(dag);
    ASSERT_EQ(!report.cycle.empty(), isCyclic) << seed;
    for (size_t k = 0; k < report.cycle.size(); ++k) {
      DagEdge edge{report.cycle[k],
                   report.cycle[(k + 1) % report.cycle.size()]};
      bool there = false;
      for (const DagEdge &given : dag.edges) {
        there = there || (given.from == edge.from && given.to == edge.to);
      }
      ASSERT_TRUE(there) << seed;
    }
    cyclic += isCyclic;
    if (isCyclic) {
      EXPECT_FALSE(report.isSound());
      continue;
    }
    ASSERT_EQ(pairsOf(report), conflicts(dag)) << seed;
    ASSERT_EQ(errorsOf(dag, report).size(), report.conflicts.size());
    conflicting += !report.isSound();
    sound += report.isSound() && !dag.edges.empty();

    // As much order, and less without any of the edges, which takes long.
    Relation before = moments(dag);
    ASSERT_EQ(moments({dag.nodes, report.edges}), before) << seed;
    for (size_t k = 0; k < report.edges.size(); ++k) {
      if (seed % 4 == 1) {
        LaunchDag less{dag.nodes, report.edges};
        less.edges.erase(less.edges.begin() + k);
        ASSERT_NE(moments(less), before) << seed << ": " << k;
      }
      early += report.edges[k].programmatic;
    }

    uint64_t heaviest = 0, weight = 0;
    for (size_t k = 0; k < count; ++k) {
      heaviest = std::max(heaviest, heaviestFrom(dag, k));
    }
    for (size_t k = 0; k < report.criticalPath.size(); ++k) {
      weight += dag.nodes[report.criticalPath[k]].weight;
      if (k > 0) {
        ASSERT_TRUE(all[report.criticalPath[k - 1]][report.criticalPath[k]]);
      }
    }
    ASSERT_EQ(report.criticalWeight, heaviest) << seed;
    ASSERT_EQ(weight, heaviest) << seed;
  }
  // The draws are of all sorts.
  EXPECT_GT(cyclic, rounds / 50);
  EXPECT_GT(conflicting, rounds / 20);
  EXPECT_GT(sound, rounds / 20);
  EXPECT_GT(early, rounds / 20);
}

TEST(Dag, MissesNoEdgeThatIsLeftOut) {
  unsigned planted = 0;
  for (unsigned seed = 0; seed < rounds / 4; ++seed) {
    LaunchDag dag = Draw{std::mt19937(seed)}.ordered();
    DagReport report = checkDag(dag);
    ASSERT_TRUE(report.isSound()) << textOf(dag, report);
    for (size_t k = 0; k < report.edges.size(); ++k) {
      LaunchDag wrong{dag.nodes, report.edges};
      wrong.edges.erase(wrong.edges.begin() + k);
      DagReport found = checkDag(wrong);
      ASSERT_FALSE(found.isSound()) << seed << ": " << k;
      ++planted;
    }
  }
  EXPECT_GT(planted, rounds / 2);
}

/// Reads of a buffer that nobody writes, and a chain on another one.
LaunchDag early(bool reads, bool beforeWait) {
  auto access = [](size_t buffer, AccessMode mode) {
    DagAccess out;
    out.buffer = buffer;
    out.mode = mode;
    out.address = 1000 * (1 + buffer);
    out.extents = {16};
    out.strides = {1};
    return out;
  };
  LaunchDag dag;
  dag.nodes.push_back({"first", 1, {access(0, AccessMode::Write)}, {}});
  dag.nodes.push_back(
      {"second",
       1,
       {access(1, AccessMode::Read), access(0, AccessMode::Write)},
       {}});
  if (reads) {
    dag.nodes[1].accesses[0] = access(0, AccessMode::Read);
  }
  dag.nodes[1].accesses[0].beforeWait = beforeWait;
  dag.edges.push_back({0, 1, true});
  return dag;
}

TEST(Dag, StartsEarlyOnlyWhereNothingIsReadBeforeTheWait) {
  EXPECT_TRUE(checkDag(early(false, true)).isSound());
  EXPECT_TRUE(checkDag(early(true, false)).isSound());
  LaunchDag wrong = early(true, true);
  DagReport report = checkDag(wrong);
  ASSERT_EQ(pairsOf(report), (std::vector<Pair>{{0, 1}}));
  EXPECT_EQ(errorsOf(wrong, report).front(),
            "nothing orders launch 0, first, and launch 1, second: both touch "
            "b0, and one writes it");
  wrong.edges[0].programmatic = false;
  EXPECT_TRUE(checkDag(wrong).isSound());
}

TEST(Dag, StartsNotBeforeThePredecessorsOfItsPredecessor) {
  // 0 > 1 > 2, of which 2 reads early what 0 writes: 1 lets 2 start, and may do
  // so before it has itself waited for 0.
  LaunchDag dag = early(true, false);
  dag.nodes.push_back(dag.nodes[1]);
  dag.nodes[1].accesses.clear();
  dag.nodes[2].accesses[0].beforeWait = true;
  dag.nodes[2].accesses.pop_back();
  dag.edges = {{0, 1, true}, {1, 2, true}};
  EXPECT_FALSE(checkDag(dag).isSound());
  dag.edges[0].programmatic = false;
  EXPECT_TRUE(checkDag(dag).isSound());
}

TEST(Dag, HasTextAndPicture) {
  LaunchDag dag = early(false, true);
  dag.nodes[0].text = "first <&>";
  dag.edges.push_back({0, 1, false});
  DagReport report = checkDag(dag);
  EXPECT_EQ(textOf(dag, report), "nodes 2\n"
                                 "0: first <&>: writes b0\n"
                                 "1: second: reads b1 early, writes b0\n"
                                 "edges 1 of 2\n"
                                 "0 -> 1\n"
                                 "critical path 2: 0 -> 1\n");
  std::string picture = pictureOf(dag, report);
  EXPECT_NE(picture.find("<text x=\"26\" y=\"34\">0: first &lt;&amp;&gt;"),
            std::string::npos)
      << picture;
  EXPECT_EQ(picture.find("dasharray"), std::string::npos);
  dag.edges = {{0, 1}, {1, 0}};
  EXPECT_EQ(
      errorsOf(dag, checkDag(dag)),
      (std::vector<std::string>{"launches wait for each other: 0 -> 1 -> 0"}));
}

TEST(Dag, RefusesWhatIsNone) {
  LaunchDag dag;
  EXPECT_TRUE(checkDag(dag).isSound());
  dag.nodes.resize(2);
  dag.edges = {{0, 2}};
  EXPECT_THROW(checkDag(dag), RuntimeError);
  dag.edges.clear();
  dag.nodes.resize(maxDagNodes + 1);
  EXPECT_THROW(checkDag(dag), RuntimeError);
}

TEST(Dag, OfManyLaunches) {
  // 4,000 launches on 40 tensors.
  LaunchDag dag;
  for (size_t k = 0; k < 4000; ++k) {
    DagAccess access;
    access.buffer = k % 40;
    access.mode = AccessMode::Write;
    access.address = 1000 * (1 + access.buffer);
    access.extents = {100};
    access.strides = {1};
    dag.nodes.push_back({"n", 1, {access}, {}});
    if (k >= 40) {
      dag.edges.push_back({k - 40, k});
    }
  }
  DagReport report = checkDag(dag);
  EXPECT_TRUE(report.isSound());
  EXPECT_EQ(report.criticalWeight, 100u);
  EXPECT_EQ(report.edges.size(), 3960u);
}

} // namespace
