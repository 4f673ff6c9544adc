// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Model.h"

#include <z3++.h>

#include <algorithm>
#include <set>

namespace girih::search {

using proofs::Int;
using proofs::Var;

namespace {
/// Z3's resource units that one check may use: a fraction of a second in its
/// incremental core, two seconds in its tactics.
constexpr uint64_t coreLimit = 100'000, tacticLimit = 2'000'000;

/// Milliseconds that a check may take: Z3 counts no units in some of its loops,
/// and one check took it more than a minute. No proof depends on them. An
/// opinion that is late is none; a counterexample, for which the units last a
/// fraction of a second, is searched for no more.
constexpr unsigned timeLimit = 4000;

/// A number of Z3 in 128 bits; nothing when it does not fit.
std::optional<Int> parseInt(const std::string &text) {
  Int value = 0;
  bool negative = !text.empty() && text[0] == '-';
  for (size_t i = negative; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9' ||
        __builtin_mul_overflow(value, Int(10), &value) ||
        __builtin_add_overflow(value, Int(text[i] - '0'), &value)) {
      return std::nullopt;
    }
  }
  return negative ? -value : value;
}

bool holds(const proofs::Atom &a, const Model &m) {
  auto value = a.poly.evaluate([&](Var v) { return m.values[v]; });
  return value && (a.equality ? *value == 0 : *value >= 0);
}

bool holds(const proofs::Fact &f, const Model &m) {
  return std::any_of(
      f.branches.begin(), f.branches.end(), [&](const auto &branch) {
        return std::all_of(branch.begin(), branch.end(),
                           [&](const proofs::Atom &a) { return holds(a, m); });
      });
}

/// One obligation in one context.
class Query {
public:
  Query(const proofs::Obligation &o, Units &units)
      : solver(context), zero(context.int_val(0)), units(units),
        left(&units.find) {
    for (const proofs::Hypothesis &h : o.hypotheses) {
      facts.push_back(h.fact);
    }
    facts.push_back(proofs::Fact::atLeastZero(proofs::negatedGoal(o)));
    size_t count = o.variables.size();
    for (const proofs::Fact &f : facts) {
      for (const auto &branch : f.branches) {
        for (const proofs::Atom &a : branch) {
          for (const proofs::Term &t : a.poly.terms()) {
            for (Var v : t.vars) {
              count = std::max(count, size_t(v) + 1);
            }
          }
        }
      }
    }
    for (size_t i = 0; i < count; ++i) {
      variables.push_back(context.int_const(("v" + std::to_string(i)).c_str()));
    }
    for (const proofs::Fact &f : facts) {
      solver.add(encode(f));
    }
    solver.set("timeout", timeLimit);
  }

  Answer opinion() {
    // Inside a scope Z3 uses its incremental core, outside its tactics: each
    // knows what the other does not.
    solver.push();
    Answer r = ask(z3::expr_vector(context), coreLimit);
    solver.pop();
    if (r == Answer::Unknown) {
      r = ask(z3::expr_vector(context), tacticLimit);
    }
    return r;
  }

  Answer find(const std::vector<Var> &minimise, Model &out) {
    Answer found = findSmall(out);
    if (found != Answer::Sat) {
      return found;
    }
    left = &units.lower;
    for (Var v : minimise) {
      if (v < variables.size()) {
        lower(v, out);
      }
    }
    return Answer::Sat;
  }

private:
  z3::context context;
  z3::solver solver;
  z3::expr zero;
  Units &units;
  uint64_t *left;     ///< the units that count now
  uint64_t limit = 0; ///< of a check, as the solver knows it
  std::vector<proofs::Fact> facts;
  std::vector<z3::expr> variables;
  std::set<Var> unbounded; ///< variables that no model keeps small
  Int bound = 0;           ///< of the others; 0: none

  /// Units that this context has used since it was made.
  uint64_t used() const {
    z3::stats all = solver.statistics();
    for (unsigned i = 0; i < all.size(); ++i) {
      if (all.key(i) == "rlimit count") {
        return all.is_uint(i) ? all.uint_value(i)
                              : static_cast<uint64_t>(all.double_value(i));
      }
    }
    return 0;
  }

  /// A check of at most `most` units.
  Answer ask(const z3::expr_vector &assumptions, uint64_t most) {
    most = std::min(most, *left);
    if (most == 0) {
      return Answer::Unknown;
    }
    uint64_t before = used();
    if (most != limit) { // Z3 reads all its parameters again each time
      solver.set("rlimit", unsigned(most));
      limit = most;
    }
    Answer r = answer(solver.check(assumptions));
    bool isLate = r == Answer::Unknown && solver.reason_unknown() == "timeout";
    *left -= isLate ? *left : std::min(*left, used() - before);
    return r;
  }

  static Answer answer(z3::check_result r) {
    return r == z3::sat     ? Answer::Sat
           : r == z3::unsat ? Answer::Unsat
                            : Answer::Unknown;
  }

  z3::expr number(Int c) {
    return context.int_val(proofs::toString(c).c_str());
  }

  z3::expr encode(const proofs::Poly &p) {
    z3::expr_vector sum(context);
    for (const proofs::Term &t : p.terms()) {
      z3::expr product = number(t.coeff);
      for (size_t i = 0; i < t.vars.size(); ++i) {
        const z3::expr &x = variables[t.vars[i]];
        product = i == 0 && t.coeff == 1 ? x : product * x;
      }
      sum.push_back(product);
    }
    return sum.empty() ? zero : z3::sum(sum);
  }

  z3::expr encode(const proofs::Fact &f) {
    z3::expr_vector any(context);
    for (const auto &branch : f.branches) {
      z3::expr_vector all(context);
      for (const proofs::Atom &a : branch) {
        all.push_back(a.equality ? encode(a.poly) == zero
                                 : encode(a.poly) >= zero);
      }
      any.push_back(z3::mk_and(all));
    }
    return z3::mk_or(any);
  }

  /// The solver's model, when it really satisfies every fact.
  bool read(Model &out) {
    z3::model m = solver.get_model();
    Model candidate;
    for (const z3::expr &v : variables) {
      std::string text;
      z3::expr value = m.eval(v, true);
      std::optional<Int> number;
      if (value.is_numeral(text)) {
        number = parseInt(text);
      }
      if (!number) {
        return false;
      }
      candidate.values.push_back(*number);
    }
    if (!std::all_of(facts.begin(), facts.end(), [&](const proofs::Fact &f) {
          return holds(f, candidate);
        })) {
      return false;
    }
    out = std::move(candidate);
    return true;
  }

  /// `|v| <= bound` for all variables that are not free to grow. With `core`
  /// the variables whose bounds contradict the facts are put there.
  Answer check(Model &out, std::vector<Var> *core = nullptr) {
    z3::expr_vector assumptions(context);
    std::vector<Var> assumed;
    if (bound > 0) {
      for (Var v = 0; v < variables.size(); ++v) {
        if (unbounded.count(v)) {
          continue;
        }
        z3::expr p = context.bool_const(
            ("bound" + std::to_string(v) + "_" + proofs::toString(bound))
                .c_str());
        if (introduced.insert({v, bound}).second) {
          solver.add(z3::implies(p, variables[v] <= number(bound) &&
                                        variables[v] >= number(-bound)));
        }
        assumptions.push_back(p);
        assumed.push_back(v);
      }
    }
    Answer r = ask(assumptions, coreLimit);
    if (r == Answer::Sat && !read(out)) {
      return Answer::Unknown;
    }
    if (r == Answer::Unsat && core) {
      z3::expr_vector used = solver.unsat_core();
      for (unsigned i = 0; i < assumptions.size(); ++i) {
        for (unsigned k = 0; k < used.size(); ++k) {
          if (z3::eq(assumptions[i], used[k])) {
            core->push_back(assumed[i]);
          }
        }
      }
    }
    return r;
  }
  std::set<std::pair<Var, Int>> introduced;

  /// A model with small values where that is possible: all of them at most 3,
  /// then 6; then, with 12, the bounds that contradict the facts are given up
  /// one after the other; then larger ones and none.
  Answer findSmall(Model &out) {
    for (Int b : {3, 6}) {
      bound = b;
      std::vector<Var> core;
      Answer r = check(out, &core);
      if (r == Answer::Sat || (r == Answer::Unsat && core.empty())) {
        return r;
      }
    }
    bound = 12;
    while (true) {
      std::vector<Var> core;
      Answer r = check(out, &core);
      if (r == Answer::Sat || (r == Answer::Unsat && core.empty())) {
        return r;
      }
      if (r == Answer::Unknown) {
        break;
      }
      unbounded.insert(core[0]);
    }
    unbounded.clear();
    Answer r = Answer::Unknown;
    for (Int b : {40, 0}) {
      bound = b;
      r = check(out);
      if (r == Answer::Sat) {
        break;
      }
    }
    return r;
  }

  /// Whether `out` keeps the bounds that `check` assumes.
  bool withinBounds(const Model &out) const {
    for (Var v = 0; v < variables.size(); ++v) {
      Int x = out.values[v];
      if (bound > 0 && !unbounded.count(v) && (x > bound || x < -bound)) {
        return false;
      }
    }
    return true;
  }

  /// Makes |v| as small as it can be shown to get, and keeps it there: first
  /// while the others stay small, then at any price.
  void lower(Var v, Model &out) {
    Int sign = out.values[v] < 0 ? -1 : 1;
    z3::expr size = sign < 0 ? -variables[v] : variables[v];
    auto atMost = [&](Int high) {
      solver.push();
      solver.add(size <= number(high) && size >= zero);
      std::set<std::pair<Var, Int>> before = introduced;
      bool found = check(out) == Answer::Sat;
      introduced = std::move(before);
      solver.pop();
      return found;
    };
    auto search = [&] {
      // The least value is often near 0, so the first steps are short.
      Int low = 0, step = 1;
      while (low < out.values[v] * sign) {
        Int half = (out.values[v] * sign - low) / 2;
        Int middle = low + std::min(step - 1, half);
        if (atMost(middle)) {
          step = half + 1;
        } else {
          low = middle + 1;
          step = std::min(step, half + 1) * 8;
        }
      }
    };
    Int keep = bound;
    if (withinBounds(out)) {
      search();
    }
    bound = 0;
    if (out.values[v] != 0 && atMost(out.values[v] * sign - 1)) {
      search();
    }
    bound = keep;
    solver.add(variables[v] == number(out.values[v]));
  }
};
} // namespace

/// Z3's arithmetic forgets its resource limit on powers of high degree.
static bool isTooSteep(const proofs::Obligation &o) {
  constexpr size_t maxDegree = 8;
  bool steep = o.goal.degree() > maxDegree;
  for (const proofs::Hypothesis &h : o.hypotheses) {
    for (const auto &branch : h.fact.branches) {
      for (const proofs::Atom &a : branch) {
        steep |= a.poly.degree() > maxDegree;
      }
    }
  }
  return steep;
}

Answer findModel(const proofs::Obligation &o, const std::vector<Var> &minimise,
                 Units &units, Model &out) {
  if (isTooSteep(o)) {
    return Answer::Unknown;
  }
  try {
    return Query(o, units).find(minimise, out);
  } catch (const z3::exception &) {
    return Answer::Unknown;
  }
}

Answer crossCheck(const proofs::Obligation &o, uint64_t effort) {
  if (isTooSteep(o)) {
    return Answer::Unknown;
  }
  try {
    Units units{effort * (coreLimit + tacticLimit), 0};
    return Query(o, units).opinion();
  } catch (const z3::exception &) {
    return Answer::Unknown;
  }
}

} // namespace girih::search
