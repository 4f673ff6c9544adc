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

namespace girih::readback {

namespace {

/// What may hold of an access and a token.
enum Statement : unsigned { earlier, latest, old, statements };

/// Statements that hold of a token, a bit each: a kernel may have thousands of
/// accesses, and a token for each.
class Behind {
public:
  explicit Behind(size_t accesses) : words((accesses * statements + 63) / 64) {}

  bool has(size_t access, Statement s) const {
    return (words[at(access, s) / 64] >> (at(access, s) % 64)) & 1;
  }
  bool hasAll(size_t access) const {
    return has(access, earlier) && has(access, latest);
  }
  void insert(size_t access, Statement s) {
    words[at(access, s) / 64] |= uint64_t(1) << (at(access, s) % 64);
  }
  void erase(size_t access, Statement s) {
    words[at(access, s) / 64] &= ~(uint64_t(1) << (at(access, s) % 64));
  }
  void unite(const Behind &other) {
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] |= other.words[i];
    }
  }
  void meet(const Behind &other) {
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] &= other.words[i];
    }
  }
  /// The access runs once more, and not behind the token.
  void pass(size_t access) {
    if (!hasAll(access)) {
      erase(access, earlier);
    }
    erase(access, latest);
  }
  friend bool operator==(const Behind &, const Behind &) = default;

private:
  static size_t at(size_t access, Statement s) {
    return access * statements + s;
  }

  std::vector<uint64_t> words;
};

Behind met(Behind a, const Behind &b) {
  a.meet(b);
  return a;
}

/// Of accesses to tensors that nothing writes no order is asked, so the others
/// alone are followed. They are numbered anew.
struct Analysis {
  const std::vector<Ordered> &accesses;
  static constexpr size_t notFollowed = SIZE_MAX;
  std::vector<size_t> numbers;    ///< of accesses, or notFollowed
  std::vector<unsigned> followed; ///< the accesses, by number
  std::map<unsigned, std::vector<size_t>> ofArgument; ///< their numbers
  std::vector<char> mayHaveRun;                       ///< by number
  size_t ran = 0;                                     ///< how many may have run
  std::map<Token, Behind> tokens;
  std::map<const LoopEvent *, std::vector<Behind>> lastCarried;
  unsigned next = 0; ///< the next access
  int64_t nextRegion = 0;
  std::optional<std::pair<unsigned, unsigned>> wrong;

  explicit Analysis(const std::vector<Ordered> &accesses)
      : accesses(accesses), numbers(accesses.size(), notFollowed) {
    for (unsigned i = 0; i < accesses.size(); ++i) {
      if (accesses[i].written) {
        numbers[i] = followed.size();
        ofArgument[accesses[i].argument].push_back(numbers[i]);
        followed.push_back(i);
      }
    }
    mayHaveRun.assign(followed.size(), false);
  }

  Behind behind(Token t) const {
    auto it = tokens.find(t);
    return it == tokens.end() ? Behind(followed.size()) : it->second;
  }

  /// Of two accesses to one tensor.
  static bool conflict(const Ordered &a, const Ordered &b) {
    return !(a.kind == b.kind && a.kind != Access::Store);
  }

  void access(const AccessEvent &e) {
    unsigned self = next++;
    Behind before = e.before ? behind(e.before) : fresh();
    for (size_t other : ofArgument[accesses[self].argument]) {
      const Ordered &of = accesses[followed[other]];
      if (!mayHaveRun[other] || !conflict(of, accesses[self])) {
        continue;
      }
      bool apart = followed[other] == self && of.apartIn >= 0;
      bool good = apart ? before.has(other, old) : before.hasAll(other);
      if (!good && !wrong) {
        wrong = {followed[other], self};
      }
    }
    if (size_t number = numbers[self]; number != notFollowed) {
      for (auto &[token, set] : tokens) {
        set.pass(number);
      }
      ran += !mayHaveRun[number];
      mayHaveRun[number] = true;
      before.pass(number);
      before.insert(number, latest);
    }
    tokens.insert_or_assign(e.after, std::move(before));
  }

  void join(const JoinEvent &e) {
    Behind joined = e.of.empty() ? fresh() : Behind(followed.size());
    for (Token t : e.of) {
      joined.unite(behind(t));
    }
    tokens.insert_or_assign(e.result, std::move(joined));
  }

  /// What holds of a token with nothing behind it: all about what has not run.
  Behind fresh() const {
    Behind set(followed.size());
    for (size_t i = 0; i < followed.size(); ++i) {
      if (!mayHaveRun[i]) {
        set.insert(i, earlier);
        set.insert(i, latest);
        set.insert(i, old);
      }
    }
    return set;
  }

  /// How many accesses are in events.
  static unsigned accessesIn(const Events &events) {
    unsigned count = 0;
    for (const Event &event : events) {
      if (std::holds_alternative<AccessEvent>(event.what)) {
        ++count;
      } else if (auto *l = std::get_if<LoopEvent>(&event.what)) {
        count += accessesIn(l->body);
      } else if (auto *b = std::get_if<BranchEvent>(&event.what)) {
        count += accessesIn(b->body[0]) + accessesIn(b->body[1]);
      }
    }
    return count;
  }

  /// What any number of trips leave of the tokens from before the loop. Two
  /// runs of an access leave nothing about it; one in a loop within is old
  /// after a trip.
  void passTrips(unsigned first, unsigned end, int64_t firstRegion) {
    for (unsigned i = first; i < end; ++i) {
      size_t number = numbers[i];
      if (number == notFollowed) {
        continue;
      }
      for (auto &[token, set] : tokens) {
        set.erase(number, earlier);
        set.erase(number, latest);
        if (accesses[i].apartIn >= firstRegion) {
          set.erase(number, old);
        }
      }
    }
  }

  void loop(const LoopEvent &e) {
    int64_t region = nextRegion++;
    unsigned first = next;
    int64_t firstRegion = nextRegion;
    std::vector<Behind> initial;
    for (Token t : e.initialTokens) {
      initial.push_back(behind(t));
    }
    // Statements only ever fall. So a loop in a loop goes on from where the
    // last trip of the outer one left it; from the start it would take twice as
    // long for each loop around it.
    std::vector<Behind> &carried =
        lastCarried.try_emplace(&e, initial).first->second;
    for (size_t i = 0; i < carried.size(); ++i) {
      carried[i].meet(initial[i]);
    }
    passTrips(first, first + accessesIn(e.body), firstRegion);
    size_t ranBefore = ran;
    auto soFar = wrong;
    for (bool changes = true; changes;) {
      next = first;
      nextRegion = firstRegion;
      wrong = soFar;
      for (size_t i = 0; i < carried.size(); ++i) {
        tokens.insert_or_assign(e.arguments[i], carried[i]);
      }
      walk(e.body);
      changes = false;
      for (size_t i = 0; i < carried.size(); ++i) {
        Behind both = met(carried[i], behind(e.handedOnTokens[i]));
        changes |= both != carried[i];
        carried[i] = std::move(both);
      }
      // Later trips find what earlier ones ran.
      changes |= ran != ranBefore;
      ranBefore = ran;
    }
    for (size_t i = 0; i < carried.size(); ++i) {
      tokens.insert_or_assign(e.results[i], met(initial[i], carried[i]));
    }
    // What ran in this loop is old from here on.
    for (unsigned i = first; i < next; ++i) {
      if (accesses[i].apartIn != region || numbers[i] == notFollowed) {
        continue;
      }
      for (auto &[token, set] : tokens) {
        if (!set.hasAll(numbers[i])) {
          set.erase(numbers[i], old);
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
      set = met(after.at(token), tokens.at(token));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      before.insert_or_assign(e.results[i],
                              met(results[i], behind(e.tokens[1][i])));
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
  Analysis analysis(accesses);
  analysis.walk(events);
  return analysis.wrong;
}

} // namespace girih::readback
