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

#include <bit>
#include <map>
#include <unordered_map>

namespace girih::readback {

namespace {

/// Accesses by number, a bit each: a kernel may have thousands, and a token for
/// each.
class Set {
public:
  explicit Set(size_t accesses) : words((accesses + 63) / 64) {}

  bool has(size_t access) const {
    return (words[access / 64] >> (access % 64)) & 1;
  }
  void insert(size_t access) {
    words[access / 64] |= uint64_t(1) << (access % 64);
  }
  void erase(size_t access) {
    words[access / 64] &= ~(uint64_t(1) << (access % 64));
  }
  void unite(const Set &other) {
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] |= other.words[i];
    }
  }
  void meet(const Set &other) {
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] &= other.words[i];
    }
  }
  Set others() const {
    Set out = *this;
    for (uint64_t &word : out.words) {
      word = ~word;
    }
    return out;
  }
  /// The first that is not in both of these, or SIZE_MAX.
  size_t firstOutside(const Set &a, const Set &b) const {
    for (size_t i = 0; i < words.size(); ++i) {
      if (uint64_t outside = words[i] & ~(a.words[i] & b.words[i])) {
        return 64 * i + size_t(std::countr_zero(outside));
      }
    }
    return SIZE_MAX;
  }
  friend bool operator==(const Set &, const Set &) = default;

private:
  std::vector<uint64_t> words;
};

/// Of which accesses each statement holds of a token.
struct Behind {
  explicit Behind(size_t accesses) : Behind(Set(accesses)) {}
  explicit Behind(const Set &all) : earlier(all), latest(all), old(all) {}

  Set earlier, latest, old;

  bool hasAll(size_t access) const {
    return earlier.has(access) && latest.has(access);
  }
  void unite(const Behind &other) {
    earlier.unite(other.earlier);
    latest.unite(other.latest);
    old.unite(other.old);
  }
  void meet(const Behind &other) {
    earlier.meet(other.earlier);
    latest.meet(other.latest);
    old.meet(other.old);
  }
  /// The access runs once more, and not behind the token.
  void pass(size_t access) {
    if (!hasAll(access)) {
      earlier.erase(access);
    }
    latest.erase(access);
  }
  friend bool operator==(const Behind &, const Behind &) = default;
};

Behind met(Behind a, const Behind &b) {
  a.meet(b);
  return a;
}

/// With which event the use of a token ends. Most have one use, and each that
/// is kept has to be told of every access.
class Lifetimes {
public:
  explicit Lifetimes(const Events &events) { visit(events, {}, nullptr); }

  const std::vector<Token> &endingWith(const Event &event) const {
    static const std::vector<Token> none;
    auto it = ending.find(&event);
    return it == ending.end() ? none : it->second;
  }

private:
  /// What a sequence uses of tokens from before it. A token ends with an event
  /// of the sequence that has it, so that no trip of a loop takes it from the
  /// next one; those that are handed on end with the event around.
  std::set<Token> visit(const Events &events,
                        const std::vector<Token> &handedOn,
                        const Event *around) {
    std::set<Token> own, used(handedOn.begin(), handedOn.end());
    for (const Event &event : events) {
      std::vector<Token> made = madeBy(event);
      own.insert(made.begin(), made.end());
    }
    for (Token t : used) {
      if (own.contains(t)) {
        ending[around].push_back(t);
      }
    }
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      for (Token t : madeBy(*event)) {
        if (!used.contains(t)) {
          ending[&*event].push_back(t);
        }
      }
      for (Token t : usedBy(*event)) {
        if (used.insert(t).second && own.contains(t)) {
          ending[&*event].push_back(t);
        }
      }
    }
    std::erase_if(used, [&](Token t) { return own.contains(t); });
    return used;
  }

  static std::vector<Token> madeBy(const Event &event) {
    if (auto *a = std::get_if<AccessEvent>(&event.what)) {
      return {a->after};
    }
    if (auto *j = std::get_if<JoinEvent>(&event.what)) {
      return {j->result};
    }
    if (auto *l = std::get_if<LoopEvent>(&event.what)) {
      return l->results;
    }
    auto *b = std::get_if<BranchEvent>(&event.what);
    return b ? b->results : std::vector<Token>();
  }

  std::set<Token> usedBy(const Event &event) {
    std::set<Token> used;
    if (auto *a = std::get_if<AccessEvent>(&event.what)) {
      used = {a->before};
    } else if (auto *j = std::get_if<JoinEvent>(&event.what)) {
      used.insert(j->of.begin(), j->of.end());
    } else if (auto *l = std::get_if<LoopEvent>(&event.what)) {
      used = visit(l->body, l->handedOnTokens, &event);
      for (Token t : l->arguments) {
        used.erase(t);
        ending[&event].push_back(t);
      }
      used.insert(l->initialTokens.begin(), l->initialTokens.end());
    } else if (auto *b = std::get_if<BranchEvent>(&event.what)) {
      used = visit(b->body[0], b->tokens[0], &event);
      used.merge(visit(b->body[1], b->tokens[1], &event));
    }
    return used;
  }

  std::unordered_map<const Event *, std::vector<Token>> ending;
};

/// Of accesses to tensors that nothing writes no order is asked, so the others
/// alone are followed. They are numbered anew.
struct Analysis {
  const std::vector<Ordered> &accesses;
  Lifetimes lifetimes;
  static constexpr size_t notFollowed = SIZE_MAX;
  std::vector<size_t> numbers;    ///< of accesses, or notFollowed
  std::vector<unsigned> followed; ///< the accesses, by number
  Set mayHaveRun{0};
  /// By what they go to.
  std::map<std::pair<unsigned, Access>, Set> mayHaveRunOf;
  size_t ran = 0; ///< how many may have run
  std::map<Token, Behind> tokens;
  std::map<const LoopEvent *, std::vector<Behind>> lastCarried;
  unsigned next = 0; ///< the next access
  int64_t nextRegion = 0;
  std::optional<std::pair<unsigned, unsigned>> wrong;

  Analysis(const Events &events, const std::vector<Ordered> &accesses)
      : accesses(accesses), lifetimes(events),
        numbers(accesses.size(), notFollowed) {
    for (unsigned i = 0; i < accesses.size(); ++i) {
      if (accesses[i].written) {
        numbers[i] = followed.size();
        followed.push_back(i);
      }
    }
    mayHaveRun = Set(followed.size());
  }

  Behind behind(Token t) const {
    auto it = tokens.find(t);
    return it == tokens.end() ? Behind(followed.size()) : it->second;
  }

  /// Of two kinds of accesses to one tensor.
  static bool conflict(Access a, Access b) {
    return !(a == b && a != Access::Store);
  }

  /// The first access of a kind that an access has to wait for and does not.
  size_t notWaitedFor(unsigned self, Access kind, const Behind &before) const {
    const Ordered &of = accesses[self];
    auto all = mayHaveRunOf.find({of.argument, kind});
    if (all == mayHaveRunOf.end() || !conflict(kind, of.kind)) {
      return notFollowed;
    }
    size_t number = numbers[self];
    bool apart = of.apartIn >= 0 && kind == of.kind && all->second.has(number);
    if (!apart) {
      return all->second.firstOutside(before.earlier, before.latest);
    }
    Set others = all->second;
    others.erase(number);
    return std::min(others.firstOutside(before.earlier, before.latest),
                    before.old.has(number) ? notFollowed : number);
  }

  void access(const AccessEvent &e) {
    unsigned self = next++;
    Behind before = e.before ? behind(e.before) : fresh();
    if (size_t number = numbers[self]; number != notFollowed) {
      size_t first = notFollowed;
      for (Access kind : {Access::Load, Access::Store, Access::Atomic}) {
        first = std::min(first, notWaitedFor(self, kind, before));
      }
      if (first != notFollowed && !wrong) {
        wrong = {followed[first], self};
      }
      for (auto &[token, set] : tokens) {
        set.pass(number);
      }
      ran += !mayHaveRun.has(number);
      mayHaveRun.insert(number);
      mayHaveRunOf
          .try_emplace({accesses[self].argument, accesses[self].kind},
                       followed.size())
          .first->second.insert(number);
      before.pass(number);
      before.latest.insert(number);
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
  Behind fresh() const { return Behind(mayHaveRun.others()); }

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
        set.earlier.erase(number);
        set.latest.erase(number);
        if (accesses[i].apartIn >= firstRegion) {
          set.old.erase(number);
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
          set.old.erase(numbers[i]);
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
      for (Token t : lifetimes.endingWith(event)) {
        tokens.erase(t);
      }
    }
  }
};

} // namespace

std::optional<std::pair<unsigned, unsigned>>
unorderedPair(const Events &events, const std::vector<Ordered> &accesses) {
  Analysis analysis(events, accesses);
  analysis.walk(events);
  return analysis.wrong;
}

} // namespace girih::readback
