// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses tokens order, on traces that are written here: how long a
// token is kept must change no answer, and decides what a long kernel costs.

#include "lower/readback/Order.h"

#include <ctime>
#include <gtest/gtest.h>

using namespace girih::readback;
using Pair = std::optional<std::pair<unsigned, unsigned>>;

namespace {

/// A trace of accesses to written tensors, in the order of their numbers.
struct Accesses {
  std::vector<Ordered> all;
  Token last = 0;

  Token token() { return ++last; }

  /// Gives the token behind the access.
  Token add(Events &to, Access kind, unsigned argument, Token before) {
    AccessEvent event;
    event.kind = kind;
    event.before = before;
    event.after = token();
    to.push_back({event});
    all.push_back({argument, kind, true, -1});
    return event.after;
  }
  Token store(Events &to, unsigned argument, Token before) {
    return add(to, Access::Store, argument, before);
  }
  Token join(Events &to, std::vector<Token> of) {
    to.push_back({JoinEvent{token(), std::move(of)}});
    return last;
  }
};

} // namespace

TEST(Order, storesOfOneTensorNeedAChain) {
  for (size_t skipped : {0, 1, 7}) {
    Accesses a;
    Events events;
    std::vector<Token> tokens = {a.join(events, {})};
    for (size_t i = 0; i < 10; ++i) {
      tokens.push_back(a.store(events, 0, tokens.back()));
    }
    a.store(events, 0, tokens[tokens.size() - 1 - skipped]);
    Pair wanted;
    if (skipped) {
      wanted = {unsigned(10 - skipped), 10};
    }
    EXPECT_EQ(unorderedPair(events, a.all), wanted) << skipped;
  }
}

/// Each of the last stores waits for its own tensor alone, by a token that was
/// made long before.
TEST(Order, tokensLastUntilTheirLastUse) {
  constexpr unsigned tensors = 50;
  for (unsigned wrong : {tensors, 0u, 20u, tensors - 1}) {
    Accesses a;
    Events events;
    Token none = a.join(events, {});
    std::vector<Token> tokens;
    for (unsigned i = 0; i < tensors; ++i) {
      tokens.push_back(a.store(events, i, none));
    }
    for (unsigned i = 0; i < tensors; ++i) {
      a.store(events, i, tokens[i == wrong ? (i + 1) % tensors : i]);
    }
    Pair wanted;
    if (wrong < tensors) {
      wanted = {wrong, tensors + wrong};
    }
    EXPECT_EQ(unorderedPair(events, a.all), wanted) << wrong;
  }
}

/// A token from before a loop is of use on each trip, and behind the loop; it
/// is behind no store of an earlier trip.
TEST(Order, tokensLastThroughLoops) {
  enum Form { Carried, FromBefore, DroppedInTheLoop, DroppedBehindIt };
  for (Form form : {Carried, FromBefore, DroppedInTheLoop, DroppedBehindIt}) {
    Accesses a;
    Events events;
    Token before = a.store(events, 0, a.join(events, {}));
    LoopEvent loop;
    Token argument = a.token();
    loop.initialTokens = {before};
    loop.arguments = {argument};
    Token after = a.store(loop.body, 0, form == FromBefore ? before : argument);
    a.add(loop.body, Access::Load, 1, before);
    loop.handedOnTokens = {form == DroppedInTheLoop ? argument : after};
    loop.results = {a.token()};
    Token result = loop.results[0];
    events.push_back({std::move(loop)});
    a.store(events, 0, form == DroppedBehindIt ? before : result);
    Pair wanted;
    if (form == FromBefore || form == DroppedInTheLoop) {
      wanted = {1, 1};
    } else if (form == DroppedBehindIt) {
      wanted = {1, 3};
    }
    EXPECT_EQ(unorderedPair(events, a.all), wanted) << form;
  }
}

TEST(Order, branchesHandOnWhatBothWaitFor) {
  for (bool both : {true, false}) {
    Accesses a;
    Events events;
    Token before = a.store(events, 0, a.join(events, {}));
    BranchEvent branch;
    Token first = a.store(branch.body[0], 0, before);
    branch.tokens[0] = {both ? first : before};
    branch.tokens[1] = {before};
    branch.results = {a.token()};
    Token result = branch.results[0];
    events.push_back({std::move(branch)});
    a.store(events, 0, result);
    EXPECT_EQ(unorderedPair(events, a.all), both ? Pair() : Pair({1, 2}));
  }
}

/// Each store was held against every token there was: this took 10 s.
TEST(Order, longChainsTakeLittle) {
  Accesses a;
  Events events;
  Token token = a.join(events, {});
  for (size_t i = 0; i < 20'000; ++i) {
    token = a.store(events, 0, token);
  }
  std::clock_t start = std::clock();
  EXPECT_EQ(unorderedPair(events, a.all), Pair());
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 3);
}
