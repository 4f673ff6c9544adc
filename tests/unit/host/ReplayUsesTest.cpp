// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a replay leaves for the ledger, beside launches that book each tensor:
// over random uses by others, both wait for the same and refuse the same.

#include "runtime/host/ReplayUses.h"

#include "runtime/host/Ledger.h"
#include "tests/simulated/Artefacts.h"
#include "tests/unit/Long.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace girih;
using namespace girih::detail;

namespace {

constexpr int streamCount = 3, recordCount = 5, graphCount = 2;
constexpr AccessMode modes[] = {AccessMode::Read, AccessMode::Write};

/// Books every tensor at every replay.
class EachLaunch {
public:
  void reset(std::vector<Access> given) { accesses = std::move(given); }
  void clear() { accesses.clear(); }
  void acquire(const Stream &stream) { girih::acquire(accesses, stream); }
  void release(const Stream &stream) { girih::release(accesses, stream); }
  void cancel() { girih::cancel(accesses); }

private:
  std::vector<Access> accesses;
};

/// Streams and tensors, and graphs of that kind which use them.
template <typename Uses> struct World {
  std::vector<Stream> streams;
  std::vector<std::shared_ptr<Record>> records;
  std::shared_ptr<Record> piece; ///< of the last tensor, which graphs have
  std::array<Uses, graphCount> graphs;

  World() {
    for (int k = 0; k < streamCount; ++k) {
      streams.push_back(Stream::create());
    }
    for (int k = 0; k < recordCount; ++k) {
      records.push_back(std::make_shared<Record>(streams[0].internal(), 16));
    }
    piece = std::make_shared<Record>(records.back());
  }
  ~World() {
    for (Uses &uses : graphs) {
      uses.clear();
    }
  }

  void reset(std::span<const AccessMode> how, int graph = 0) {
    Uses &uses = graphs[static_cast<std::size_t>(graph)];
    uses.clear();
    std::vector<Access> accesses;
    for (std::size_t k = 0; k < how.size(); ++k) {
      bool isLast = k + 1 == recordCount;
      accesses.emplace_back(isLast ? *piece : *records[k], how[k]);
    }
    uses.reset(std::move(accesses));
  }
  /// As the ledger's callers have it: whether it is refused.
  bool acquire(int stream, int graph = 0) {
    try {
      graphs[static_cast<std::size_t>(graph)].acquire(
          streams[static_cast<std::size_t>(stream)]);
      return true;
    } catch (const RuntimeError &) {
      return false;
    }
  }
  void release(int stream, int graph = 0) {
    graphs[static_cast<std::size_t>(graph)].release(
        streams[static_cast<std::size_t>(stream)]);
  }
  /// What another use waits for, as numbers of streams and tickets; nothing of
  /// one that is refused.
  std::optional<std::vector<std::pair<int, uint64_t>>>
  begin(Record &record, AccessMode mode, int stream) {
    std::vector<Use> waits;
    try {
      record.begin(*streams[static_cast<std::size_t>(stream)].internal(), mode,
                   ledgerMode() == LedgerMode::Checks, 0, waits);
    } catch (const RuntimeError &) {
      return std::nullopt;
    }
    std::vector<std::pair<int, uint64_t>> out;
    for (const Use &use : waits) {
      streams[static_cast<std::size_t>(stream)].internal()->waitFor(
          *use.stream);
      out.emplace_back(numberOf(*use.stream), use.ticket);
    }
    std::ranges::sort(out);
    return out;
  }
  void end(Record &record, AccessMode mode, int stream) {
    const auto &on = streams[static_cast<std::size_t>(stream)].internal();
    record.end(on, ++on->ticket, mode, ledgerMode() == LedgerMode::Checks);
  }
  /// For each two streams, up to which ticket of the second the first one is
  /// behind it.
  std::vector<uint64_t> order() const {
    std::vector<uint64_t> out;
    for (const Stream &one : streams) {
      for (const Stream &other : streams) {
        uint64_t ticket = other.internal()->ticket.load();
        while (ticket > 0 &&
               !one.internal()->isBehind(*other.internal(), ticket)) {
          --ticket;
        }
        out.push_back(ticket);
      }
    }
    return out;
  }
  int numberOf(const StreamState &state) const {
    auto found = std::ranges::find_if(streams, [&](const Stream &stream) {
      return stream.internal().get() == &state;
    });
    return static_cast<int>(found - streams.begin());
  }
};

struct ReplayUsesTest : testing::TestWithParam<LedgerMode> {
  void SetUp() override { setLedger(GetParam()); }
  void TearDown() override {
    setLedger(LedgerMode::Checks);
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().live, 0u);
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, ReplayUsesTest,
                         testing::Values(LedgerMode::Checks,
                                         LedgerMode::Orders),
                         [](const auto &info) {
                           return info.param == LedgerMode::Checks ? "Checks"
                                                                   : "Orders";
                         });

/// Both kinds, to which the same is done.
struct Both {
  explicit Both(unsigned seed) : random(seed) {
    for (int k = 0; k < graphCount; ++k) {
      reset(k);
    }
  }
  ~Both() {
    for (const Held &held : used) {
      finish(held);
    }
  }

  int draw(int count) { return static_cast<int>(random() % unsigned(count)); }
  template <typename Do> void both(Do run) {
    run(one);
    run(other);
  }
  void reset(int graph) {
    std::vector<AccessMode> how;
    for (int k = 0; k < recordCount; ++k) {
      how.push_back(modes[draw(2)]);
    }
    both([&](auto &world) { world.reset(how, graph); });
  }

  /// A use by somebody else, of a tensor, a piece, or the graph's own piece.
  struct Held {
    std::shared_ptr<Record> ofOne, ofOther;
    AccessMode mode;
    int stream;
  };
  void use() {
    auto record = static_cast<std::size_t>(draw(recordCount + 1));
    AccessMode mode = modes[draw(2)];
    int stream = draw(streamCount);
    bool isPiece = draw(4) == 0;
    auto chosen = [&](auto &world) {
      std::shared_ptr<Record> out =
          record == recordCount ? world.piece : world.records[record];
      return isPiece && !out->isPiece() ? std::make_shared<Record>(out) : out;
    };
    Held held{chosen(one), chosen(other), mode, stream};
    auto waits = one.begin(*held.ofOne, mode, stream);
    ASSERT_EQ(waits, other.begin(*held.ofOther, mode, stream));
    if (waits) {
      used.push_back(held);
      if (draw(2)) {
        finishOne();
      }
    }
  }
  void finish(const Held &held) {
    one.end(*held.ofOne, held.mode, held.stream);
    other.end(*held.ofOther, held.mode, held.stream);
  }
  void finishOne() {
    if (!used.empty()) {
      std::swap(used[static_cast<std::size_t>(draw(int(used.size())))],
                used.back());
      finish(used.back());
      used.pop_back();
    }
  }
  /// Somebody lends a tensor or records it, for a while.
  void hold() {
    auto k = static_cast<std::size_t>(draw(recordCount));
    AccessMode mode = modes[draw(2)];
    bool lends = draw(2);
    both([&](auto &world) {
      lends ? world.records[k]->setLent(true)
            : world.records[k]->beginRecording(mode);
    });
    replay(draw(graphCount));
    both([&](auto &world) {
      lends ? world.records[k]->setLent(false)
            : world.records[k]->endRecording(mode);
    });
  }
  /// Of a graph, with uses by others, a replay of the other one among them,
  /// while it is on its way.
  void replay(int graph) {
    // Most replays are where the last one was.
    int &last = lastStream[static_cast<std::size_t>(graph)];
    last = draw(4) ? last : draw(streamCount);
    int stream = last;
    bool isOne = one.acquire(stream, graph);
    ASSERT_EQ(isOne, other.acquire(stream, graph));
    for (int k = draw(3); k > 1; --k) {
      use();
    }
    if (!isOne) {
      return;
    }
    if (graph == 0 && draw(4) == 0) {
      replay(1);
    }
    replays += 1;
    bool fails = draw(8) == 0;
    both([&](auto &world) {
      fails ? world.graphs[static_cast<std::size_t>(graph)].cancel()
            : world.release(stream, graph);
    });
  }

  std::mt19937 random;
  World<EachLaunch> one;
  World<ReplayUses> other;
  std::vector<Held> used;
  std::array<int, graphCount> lastStream{};
  int replays = 0;
};

TEST_P(ReplayUsesTest, AreThoseOfLaunches) {
  const unsigned rounds = girih::test::isLong ? 20000 : 500;
  int replays = 0;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    Both both(seed);
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << step);
      switch (both.draw(12)) {
      case 0:
        both.finishOne();
        break;
      case 1:
        both.hold();
        break;
      case 2:
      case 3:
      case 4:
        both.use();
        break;
      case 5:
        if (both.draw(4) == 0) {
          both.reset(both.draw(graphCount));
        }
        break;
      default:
        both.replay(both.draw(graphCount));
      }
      if (HasFatalFailure()) {
        return;
      }
      ASSERT_EQ(both.one.order(), both.other.order());
    }
    replays += both.replays;
  }
  EXPECT_GT(replays, int(5 * rounds));
}

/// A replay that is on its way is what it would be for a launch.
TEST(ReplayUses, RefuseWhatContradictsThem) {
  World<ReplayUses> world;
  world.reset(std::vector{AccessMode::Read, AccessMode::Write});
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(world.acquire(0));
    if (k > 0) {
      EXPECT_FALSE(world.begin(*world.records[0], AccessMode::Write, 1));
      EXPECT_FALSE(world.begin(*world.records[1], AccessMode::Read, 1));
      auto reads = world.begin(*world.records[0], AccessMode::Read, 1);
      ASSERT_TRUE(reads);
      world.end(*world.records[0], AccessMode::Read, 1);
    }
    world.release(0);
  }
}

/// Also where something that is not refused has asked for it since it began.
TEST(ReplayUses, RefuseWhatContradictsThemBehindAPiece) {
  World<ReplayUses> world;
  world.reset(std::vector{AccessMode::Read, AccessMode::Write});
  for (int k = 0; k < 2; ++k) { // from now on it books none
    ASSERT_TRUE(world.acquire(0));
    world.release(0);
  }
  ASSERT_TRUE(world.acquire(0));
  auto piece = std::make_shared<Record>(world.records[1]);
  EXPECT_FALSE(world.begin(*world.records[1], AccessMode::Read, 1));
  world.release(0);
  EXPECT_TRUE(world.begin(*world.records[1], AccessMode::Read, 1));
  world.end(*world.records[1], AccessMode::Read, 1);
}

/// The first replay books all tensors, the next ones those that others used.
TEST(ReplayUses, AskNoTensorThatNobodyElseUsed) {
  World<ReplayUses> world;
  world.reset(std::vector{AccessMode::Read, AccessMode::Write});
  auto replay = [&] {
    ASSERT_TRUE(world.acquire(0));
    world.release(0);
  };
  replay();
  EXPECT_EQ(world.graphs[0].touchedCount(), 0u);
  replay();
  ASSERT_TRUE(world.begin(*world.records[0], AccessMode::Read, 1));
  world.end(*world.records[0], AccessMode::Read, 1);
  EXPECT_EQ(world.graphs[0].touchedCount(), 0u); // both read it
  ASSERT_TRUE(world.begin(*world.records[1], AccessMode::Read, 1));
  world.end(*world.records[1], AccessMode::Read, 1);
  EXPECT_EQ(world.graphs[0].touchedCount(), 1u);
  replay();
  EXPECT_EQ(world.graphs[0].touchedCount(), 0u);
}

} // namespace
