// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coverage: for an element of an out tensor the obligations name a block and
// trip numbers. When all goals are true there, that very instance of the store
// has written the element. Where they speak of elements alone that no other
// store writes, another one has written each of the rest.

#include "fuzz/sanitiser/SanitiserRun.h"

using girih::checker::Variable;
using girih::checker::Vc;
using girih::proofs::Origin;

namespace girih::fuzz {

namespace {
/// The obligations of one out tensor.
struct Group {
  int tensor = -1;
  std::vector<const Vc *> vcs;
};

/// What the obligations name for one element.
struct Witness {
  const Vc *last = nullptr; ///< the last one with a store
  std::map<unsigned, Wide> block;
  llvm::DenseMap<mlir::Operation *, Wide> trips;
  std::map<unsigned, Wide> lane;
  std::vector<Wide> goals;
  bool elsewhere = false; ///< another store is said to write the element
};
} // namespace

/// A divisor of a witness belongs to no tensor by itself: to the next one.
static std::vector<Group> groups(const checker::Generated &g) {
  std::vector<Group> out;
  Group next;
  for (const Vc &o : g.vcs) {
    if (o.rule != Rule::OutCovered) {
      continue;
    }
    if (o.tensor < 0) {
      next.vcs.push_back(&o);
      continue;
    }
    if (out.empty() || out.back().tensor != o.tensor) {
      out.push_back(std::move(next));
      out.back().tensor = o.tensor;
    } else {
      llvm::append_range(out.back().vcs, next.vcs);
    }
    next = {};
    out.back().vcs.push_back(&o);
  }
  return out;
}

/// What an instance of the store loads or carries; where none is named, what
/// some instance does, which is the same for elements that all of them load.
static Wide loaded(SanitiserRun &run, const Vc &o, const Variable &v,
                   const Place *from) {
  auto stores = run.stores.find(o.op);
  if (!from && stores != run.stores.end() && !stores->second.empty()) {
    from = &stores->second.front();
  }
  return run.supply(v, from).value_or(0);
}

/// Fills the environment: the witness comes from definitions, what is loaded or
/// carried round a loop from an instance of the store, or else it is 0.
static Environment environment(SanitiserRun &run, const Vc &o,
                               const std::vector<Wide> &element,
                               const Place *from) {
  Environment env;
  for (const Variable &v : o.variables) {
    switch (v.kind) {
    case Variable::Kind::Element:
      env.push_back(v.axis < element.size()
                        ? std::optional<Wide>(element[v.axis])
                        : std::nullopt);
      break;
    case Variable::Kind::Value:
      env.push_back(v.lane.empty() ? loaded(run, o, v, from)
                                   : std::optional<Wide>());
      break;
    default:
      env.push_back(run.supply(v, nullptr));
    }
  }
  return env;
}

static void collect(const Vc &o, const Environment &env, Witness &w) {
  if (o.op) {
    w.last = &o;
  }
  for (size_t i = 0; i < o.variables.size(); ++i) {
    const Variable &v = o.variables[i];
    if (v.copy != 0) {
      continue; // of another store
    }
    if (env[i] && v.kind == Variable::Kind::BlockId) {
      w.block[v.axis] = *env[i];
    } else if (env[i] && v.kind == Variable::Kind::Trip) {
      w.trips[v.op] = *env[i];
    } else if (env[i] && v.kind == Variable::Kind::Lane) {
      w.lane[v.axis] = *env[i];
    }
  }
}

static bool isNamed(const Place &p, const Witness &w) {
  for (auto &[axis, id] : w.block) {
    if (axis >= p.block.size() || p.block[axis] != id) {
      return false;
    }
  }
  for (auto &[axis, lane] : w.lane) {
    if (axis >= p.lane.size() || p.lane[axis] != lane) {
      return false;
    }
  }
  return llvm::all_of(w.trips, [&](auto &t) {
    std::optional<Wide> trip = p.trip(t.first);
    return !trip || *trip == t.second;
  });
}

/// Whether a hypothesis speaks of something loaded or carried, of another store
/// when `known`: no number that is made up for it need satisfy what was proved
/// of the real one.
static bool isMadeUp(const Vc &o, size_t hypothesis, bool known) {
  for (const auto &branch : o.obligation.hypotheses[hypothesis].fact.branches) {
    for (const proofs::Atom &a : branch) {
      for (const proofs::Term &t : a.poly.terms()) {
        for (proofs::Var v : t.vars) {
          const Variable &x = o.variables[v];
          if ((x.copy != 0 || !known) && (x.kind == Variable::Kind::Value ||
                                          x.kind == Variable::Kind::Defined)) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

/// True when all goals hold, that is when the element is said to be written;
/// reports what is wrong when `strict`.
static bool claimed(SanitiserRun &run, const Group &group,
                    const std::vector<Wide> &element, const Place *from,
                    Witness &w, bool strict) {
  for (const Vc *o : group.vcs) {
    Environment env = environment(run, *o, element, from);
    // Which instance of another store is meant nobody knows, nor whether the
    // lane that is guessed exists.
    Opinion opinion = run.ask(*o, env, [&](const Variable &v) {
      return v.copy == 0 ? from : nullptr;
    });
    collect(*o, env, w);
    if (!strict) {
      continue;
    }
    w.elsewhere = llvm::any_of(opinion.falseHypotheses, [&](size_t i) {
      return o->obligation.hypotheses[i].origin.kind == Origin::Kind::Region;
    });
    if (w.elsewhere) {
      return false;
    }
    // The goal -1 with the refusals of a disjunction as path conditions: one of
    // them is false where the disjunction holds.
    std::optional<proofs::Int> goal = o->obligation.goal.constant();
    if (goal && *goal < 0) {
      size_t before = opinion.falseHypotheses.size();
      llvm::erase_if(opinion.falseHypotheses, [&](size_t i) {
        return o->obligation.hypotheses[i].origin.kind == Origin::Kind::Path;
      });
      opinion.slack = opinion.falseHypotheses.size() != before ? 0 : -1;
    }
    if (llvm::any_of(opinion.falseHypotheses, [&](size_t i) {
          return isMadeUp(*o, i, from != nullptr);
        })) {
      return false;
    }
    if (!run.sound(*o, opinion) || !opinion.goal()) {
      return false;
    }
    w.goals.push_back(*opinion.slack);
  }
  return true;
}

static std::string elementText(const std::vector<Wide> &element) {
  std::string out;
  for (Wide x : element) {
    out += (out.empty() ? "" : ", ") + proofs::toString(x);
  }
  return "element [" + out + "]";
}

/// That the element lies in the tile of the witness is asked, axis by axis.
static void checkGoals(SanitiserRun &run, const Vc &o, const Place &p,
                       const std::vector<Wide> &element, const Witness &w) {
  std::vector<Wide> at = p.inView(element);
  for (size_t axis = 0; axis < at.size(); ++axis) {
    Wide before = at[axis] - p.low[axis];
    for (Wide slack : {before, p.tile[axis] - 1 - before}) {
      if (!llvm::is_contained(w.goals, slack)) {
        run.problem(o, elementText(element) + ": no goal has the value " +
                           proofs::toString(slack));
      }
    }
  }
}

/// The tensor that a store or scatter writes, by the obligations of its claim.
static int writtenTensor(const SanitiserRun &run, mlir::Operation *op) {
  if (auto store = mlir::dyn_cast<tile::StoreOp>(op)) {
    op = store.getPiece().getDefiningOp();
  }
  for (const Vc &o : run.generated.vcs) {
    if (o.op == op && o.tensor >= 0) {
      return o.tensor;
    }
  }
  return -1;
}

static bool isWritten(SanitiserRun &run, int tensor,
                      const std::vector<Wide> &element) {
  return llvm::any_of(run.stores, [&](auto &entry) {
    return writtenTensor(run, entry.first) == tensor &&
           llvm::any_of(entry.second,
                        [&](const Place &p) { return p.contains(element); });
  });
}

static void checkElement(SanitiserRun &run, const Group &group,
                         const std::vector<Wide> &element) {
  ++run.report.elements;
  Witness guess, w;
  claimed(run, group, element, nullptr, guess, false);
  const Place *from = nullptr;
  if (guess.last) {
    for (const Place &p : run.stores[guess.last->op]) {
      from = isNamed(p, guess) ? &p : from;
    }
  }
  // What is true of one loaded number need not be of another, so that it need
  // not be provable: only the instance that loaded it can tell.
  bool loaded = llvm::any_of(group.vcs, [](const Vc *o) {
    return llvm::any_of(o->variables, [](const Variable &v) {
      return v.kind == Variable::Kind::Value;
    });
  });
  if (!claimed(run, group, element, from, w, true)) {
    if (w.elsewhere && !loaded && !isWritten(run, group.tensor, element)) {
      run.problem(elementText(element) + " is not written by another store");
    }
    return;
  }
  if (!w.last) {
    run.problem(elementText(element) + " is covered by no store");
    return;
  }
  if (loaded && (!from || !isNamed(*from, w))) {
    return;
  }
  for (const Place &p : run.stores[w.last->op]) {
    if (isNamed(p, w) && p.contains(element)) {
      return checkGoals(run, *w.last, p, element, w);
    }
  }
  run.problem(*w.last, elementText(element) +
                           " is not written by the block and trips named");
}

void sanitiseCoverage(SanitiserRun &run) {
  for (const Group &group : groups(run.generated)) {
    std::vector<int64_t> extents = run.extents(group.tensor);
    Wide size = 1;
    for (int64_t e : extents) {
      size *= e;
    }
    bool sampled = size > static_cast<Wide>(run.options.maxElements);
    Wide count = sampled ? static_cast<Wide>(run.options.maxElements) : size;
    for (Wide n = 0; n < count && !run.full(); ++n) {
      Wide at = sampled ? static_cast<Wide>(run.random()) % size : n;
      std::vector<Wide> element(extents.size());
      for (size_t axis = extents.size(); axis-- > 0;) {
        element[axis] = at % extents[axis];
        at /= extents[axis];
      }
      checkElement(run, group, element);
    }
  }
}

} // namespace girih::fuzz
