// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Dependency.h"

#include <algorithm>

namespace girih::readback {
namespace {

struct Waited {
  std::set<Token> tokens; ///< behind a wait
  int64_t accesses = 0;
  std::optional<int64_t> first; ///< access that is behind none

  bool has(Token t) const { return tokens.contains(t); }
  void add(Token t, bool isBehind) {
    if (isBehind) {
      tokens.insert(t);
    }
  }

  void walk(const Events &events) {
    for (const Event &event : events) {
      std::visit([&](const auto &e) { take(e); }, event.what);
    }
  }

  void take(const AccessEvent &e) {
    if (!has(e.before) && !first) {
      first = accesses;
    }
    ++accesses;
    add(e.after, has(e.before));
  }

  void take(const JoinEvent &e) {
    add(e.result,
        e.isWait || std::ranges::any_of(e.of, [&](Token t) { return has(t); }));
  }

  /// What a loop carries is behind the wait if it is at first and each trip
  /// hands on what is. Of what does not stay so nothing is known in the body
  /// either, which is then looked at anew.
  void take(const LoopEvent &e) {
    std::vector<bool> stays;
    for (Token t : e.initialTokens) {
      stays.push_back(has(t));
    }
    Waited before = *this;
    for (bool isStable = false; !isStable;) {
      *this = before;
      for (size_t i = 0; i < stays.size(); ++i) {
        add(e.arguments[i], stays[i]);
      }
      if (e.head) {
        walk(e.head->events);
      }
      walk(e.body);
      isStable = true;
      for (size_t i = 0; i < stays.size(); ++i) {
        if (stays[i] && !has(e.handedOnTokens[i])) {
          stays[i] = isStable = false;
        }
      }
    }
    for (size_t i = 0; i < stays.size(); ++i) {
      add(e.results[i], stays[i]);
    }
  }

  void take(const BranchEvent &e) {
    walk(e.body[0]);
    walk(e.body[1]);
    for (size_t i = 0; i < e.results.size(); ++i) {
      add(e.results[i], has(e.tokens[0][i]) && has(e.tokens[1][i]));
    }
  }

  void take(const Assumption &) {}
};

} // namespace

std::optional<int64_t> unwaited(const Events &events) {
  Waited waited;
  waited.walk(events);
  return waited.first;
}

} // namespace girih::readback
