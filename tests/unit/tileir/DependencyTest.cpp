// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses are behind the wait for the grids before: on traces that are
// written here, and on bytecode that was changed.

#include "lower/readback/Dependency.h"
#include "lower/tileir/Encoding.h"
#include "tests/unit/tileir/Compiled.h"

using namespace girih;
using namespace girih::readback;

namespace {

/// A trace with a token that is behind the wait and one that is not.
struct Traced {
  Token last = 0;
  Events events;
  Token wait = join(events, {}, true), start = join(events, {});

  Token join(Events &to, std::vector<Token> of, bool isWait = false) {
    to.push_back({JoinEvent{++last, std::move(of), isWait}});
    return last;
  }
  Token access(Events &to, Token before) {
    AccessEvent event;
    event.before = before;
    event.after = ++last;
    to.push_back({event});
    return last;
  }
  /// A loop that carries tokens; `body` gives what it hands on.
  template <class F>
  std::vector<Token> loop(std::vector<Token> initial, const F &body) {
    LoopEvent event;
    event.initialTokens = initial;
    for (size_t i = 0; i < initial.size(); ++i) {
      event.arguments.push_back(++last);
      event.results.push_back(++last);
    }
    event.handedOnTokens = body(event.body, event.arguments);
    events.push_back({event});
    return event.results;
  }
  Token branch(Token one, Token other) {
    BranchEvent event;
    event.tokens[0] = {one};
    event.tokens[1] = {other};
    event.results = {++last};
    events.push_back({event});
    return last;
  }
  using First = std::optional<int64_t>;
  First first() const { return unwaited(events); }
};
using First = Traced::First;

TEST(Dependency, anAccessIsBehindWhatItsTokenIsBehind) {
  Traced t;
  Token after = t.access(t.events, t.wait);
  t.access(t.events, t.join(t.events, {t.start, after}));
  EXPECT_EQ(t.first(), First());
  for (Token missed : {Token(0), t.start}) {
    Traced other = t;
    Token late = other.access(other.events, missed);
    EXPECT_EQ(other.first(), First(2));
    // Nor is what follows it, even where the access itself is let pass.
    Traced behind = t;
    behind.events.push_back({JoinEvent{late, {missed}}});
    behind.access(behind.events, late);
    EXPECT_EQ(behind.first(), First(2));
  }
}

TEST(Dependency, bothBranchesHaveToBe) {
  for (bool one : {false, true}) {
    for (bool other : {false, true}) {
      Traced t;
      t.access(t.events,
               t.branch(one ? t.wait : t.start, other ? t.wait : t.start));
      EXPECT_EQ(t.first(), one && other ? First() : First(0));
    }
  }
}

TEST(Dependency, eachTripHandsOnWhatIs) {
  for (bool first : {false, true}) {
    for (bool later : {false, true}) {
      Traced t;
      std::vector<Token> results =
          t.loop({first ? t.wait : t.start}, [&](Events &body, auto arguments) {
            Token after = t.access(body, arguments[0]);
            return std::vector<Token>{later ? after : t.start};
          });
      EXPECT_EQ(t.first(), first && later ? First() : First(0));
      // Behind the loop, whether or not it touched anything.
      Traced behind = t;
      behind.access(behind.events, results[0]);
      EXPECT_EQ(behind.first(), first && later ? First() : First(0));
    }
  }
}

/// What is carried in one place in a trip is carried in the next one then.
TEST(Dependency, whatTripsPassOnIsFollowed) {
  Traced t;
  t.loop({t.wait, t.wait, t.start}, [&](Events &body, auto arguments) {
    t.access(body, arguments[0]);
    return std::vector<Token>{arguments[1], arguments[2], arguments[2]};
  });
  EXPECT_EQ(t.first(), First(0));
}

using tileir::Function;
using tileir::Op;
using tileir::Opcode;

/// Every op of a kind, in order, wherever it stands.
template <class F> void each(std::vector<Op> &ops, const F &see) {
  for (Op &op : ops) {
    see(op);
    for (tileir::Region &r : op.regions) {
      each(r.ops, see);
    }
  }
}

TEST(Dependency, aWaitThatIsMissedIsNamed) {
  tileir::Compiled c("tests/tileir/kernels/early.mlir");
  ASSERT_TRUE(c.lowered.waits);
  ASSERT_EQ(c.gate(writeBytecode(c.lowered.module)), "");
  Function &f = c.lowered.module.functions.at(0);
  auto refusal = [&](auto edit) {
    Function whole = f;
    each(f.body.ops, edit);
    std::string said = c.gate(writeBytecode(c.lowered.module));
    f = std::move(whole);
    return said;
  };
  auto missed = [](const std::string &said) {
    return said.find("does not wait for the grids before it") !=
           std::string::npos;
  };
  // No wait at all, and one that another token takes the place of.
  EXPECT_TRUE(missed(refusal([](Op &op) {
    if (op.opcode == Opcode::GdcWait) {
      op.opcode = Opcode::MakeToken;
      op.operands.clear();
    }
  })));
  // A token that an access does not take, one after the other.
  int accesses = 0;
  each(f.body.ops, [&](Op &op) {
    accesses += op.opcode == Opcode::LoadView || op.opcode == Opcode::LoadPtr ||
                op.opcode == Opcode::StoreView;
  });
  ASSERT_GE(accesses, 4);
  for (int chosen = 0; chosen < accesses; ++chosen) {
    int number = 0;
    std::string said = refusal([&](Op &op) {
      bool is = op.opcode == Opcode::LoadView || op.opcode == Opcode::LoadPtr ||
                op.opcode == Opcode::StoreView;
      if (is && number++ == chosen) {
        op.operands.back().clear();
      }
    });
    EXPECT_NE(said, "") << chosen;
  }
}

/// A grid that lets the next one start has to wait itself, whatever is said of
/// it: the next one waits for it alone.
TEST(Dependency, whoStartsTheNextWaits) {
  tileir::Compiled c("proofs/kernels/add/add.mlir");
  ASSERT_FALSE(c.lowered.waits);
  Function &f = c.lowered.module.functions.at(0);
  Op start;
  start.opcode = Opcode::GdcLaunchDependents;
  start.operands = {{}};
  start.results = {f.add(tileir::TokenType{})};
  f.body.ops.insert(f.body.ops.begin(), start);
  EXPECT_NE(c.gate(writeBytecode(c.lowered.module))
                .find("does not wait for the grids before it"),
            std::string::npos);
}

} // namespace
