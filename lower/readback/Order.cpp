// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token stands for statements about accesses: that the latest instance of one
// is behind it, that all earlier ones are. At first nothing has an instance, so
// all of it holds. A loop hands on what both its start and each trip hand on,
// until nothing changes.
//
// An access that the trips of a loop place apart need not wait for instances of
// the same run of that loop: a third statement is about those of earlier runs.

#include "lower/readback/Order.h"

#include <map>
#include <set>

namespace girih::readback {

namespace {

/// Statements that hold of a token.
using Behind = std::set<std::pair<unsigned, char>>;
constexpr char earlier = 'e', latest = 'l', old = 'o';

bool all(const Behind &set, unsigned access) {
  return set.count({access, earlier}) && set.count({access, latest});
}

/// The access runs once more, and not behind the token.
void pass(Behind &set, unsigned access) {
  if (!all(set, access)) {
    set.erase({access, earlier});
  }
  set.erase({access, latest});
}

struct Analysis {
  const std::vector<Ordered> &accesses;
  std::map<Token, Behind> tokens;
  std::set<unsigned> mayHaveRun;
  unsigned next = 0; ///< number of the next access
  int64_t nextRegion = 0;
  std::optional<std::pair<unsigned, unsigned>> wrong;

  Behind behind(Token t) const {
    auto it = tokens.find(t);
    return it == tokens.end() ? Behind{} : it->second;
  }

  static Behind meet(const Behind &a, const Behind &b) {
    Behind out;
    for (const auto &x : a) {
      if (b.count(x)) {
        out.insert(x);
      }
    }
    return out;
  }

  bool conflict(const Ordered &a, const Ordered &b) const {
    return a.argument == b.argument && a.written &&
           !(a.kind == b.kind && a.kind != Access::Store);
  }

  void access(const AccessEvent &e) {
    unsigned self = next++;
    Behind before = e.before ? behind(e.before) : fresh();
    for (unsigned other : mayHaveRun) {
      if (!conflict(accesses[other], accesses[self])) {
        continue;
      }
      bool apart = other == self && accesses[self].apartIn >= 0;
      bool good = apart ? before.count({other, old}) > 0 : all(before, other);
      if (!good && !wrong) {
        wrong = {other, self};
      }
    }
    for (auto &[token, set] : tokens) {
      pass(set, self);
    }
    mayHaveRun.insert(self);
    pass(before, self);
    before.insert({self, latest});
    tokens[e.after] = std::move(before);
  }

  void join(const JoinEvent &e) {
    Behind joined = e.of.empty() ? fresh() : Behind{};
    for (Token t : e.of) {
      Behind more = behind(t);
      joined.insert(more.begin(), more.end());
    }
    tokens[e.result] = std::move(joined);
  }

  /// What holds of a token with nothing behind it: all about what has not run.
  Behind fresh() const {
    Behind set;
    for (unsigned i = 0; i < accesses.size(); ++i) {
      if (!mayHaveRun.count(i)) {
        set.insert({{i, earlier}, {i, latest}, {i, old}});
      }
    }
    return set;
  }

  void loop(const LoopEvent &e) {
    int64_t region = nextRegion++;
    unsigned first = next;
    int64_t firstRegion = nextRegion;
    std::vector<Behind> carried, initial;
    for (Token t : e.initialTokens) {
      initial.push_back(behind(t));
    }
    carried = initial;
    auto outside = tokens;
    auto ranBefore = mayHaveRun;
    auto soFar = wrong;
    for (bool changes = true; changes;) {
      tokens = outside;
      next = first;
      nextRegion = firstRegion;
      wrong = soFar;
      for (size_t i = 0; i < carried.size(); ++i) {
        tokens[e.arguments[i]] = carried[i];
      }
      walk(e.body);
      changes = false;
      std::vector<Behind> handedOn;
      for (size_t i = 0; i < carried.size(); ++i) {
        Behind met = meet(carried[i], behind(e.handedOnTokens[i]));
        changes |= met != carried[i];
        carried[i] = std::move(met);
      }
      for (auto &[token, set] : outside) {
        Behind met = meet(set, behind(token));
        changes |= met != set;
        set = std::move(met);
      }
      // Later trips find what earlier ones ran.
      changes |= mayHaveRun.size() != ranBefore.size();
      ranBefore = mayHaveRun;
    }
    for (size_t i = 0; i < carried.size(); ++i) {
      tokens[e.results[i]] = meet(initial[i], carried[i]);
    }
    // What ran in this loop is old from here on.
    for (unsigned i = first; i < next; ++i) {
      if (accesses[i].apartIn != region) {
        continue;
      }
      for (auto &[token, set] : tokens) {
        if (!all(set, i)) {
          set.erase({i, old});
        }
      }
    }
  }

  void branch(const BranchEvent &e) {
    ++nextRegion;
    auto before = tokens;
    walk(e.body[0]);
    std::vector<Behind> results;
    for (Token t : e.tokens[0]) {
      results.push_back(behind(t));
    }
    auto after = tokens;
    tokens = before;
    walk(e.body[1]);
    for (auto &[token, set] : before) {
      set = meet(after[token], tokens[token]);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      before[e.results[i]] = meet(results[i], behind(e.tokens[1][i]));
    }
    tokens = std::move(before);
  }

  void walk(const Events &events) {
    for (const Event &event : events) {
      if (auto *a = std::get_if<AccessEvent>(&event.what)) {
        access(*a);
      } else if (auto *j = std::get_if<JoinEvent>(&event.what)) {
        join(*j);
      } else if (auto *l = std::get_if<LoopEvent>(&event.what)) {
        loop(*l);
      } else if (auto *b = std::get_if<BranchEvent>(&event.what)) {
        branch(*b);
      }
    }
  }
};

} // namespace

std::optional<std::pair<unsigned, unsigned>>
unorderedPair(const Events &events, const std::vector<Ordered> &accesses) {
  Analysis analysis{accesses, {}, {}, 0, 0, std::nullopt};
  analysis.walk(events);
  return analysis.wrong;
}

} // namespace girih::readback
