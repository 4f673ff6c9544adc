// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/ring/Ring.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

RingCheck::Checked
RingCheck::emitFacts(const std::vector<Hypothesis> &facts, size_t block,
                     const std::vector<Hypothesis> &extra, size_t instruction,
                     const std::string &label, Var of, const Poly &t) {
  const std::vector<Hypothesis> known = e.facts(block);
  for (const Hypothesis &h : facts) {
    bool stands =
        std::any_of(known.begin(), known.end(),
                    [&](const Hypothesis &k) { return k.fact == h.fact; });
    if (h.origin.kind == Origin::Kind::Loop || stands) {
      continue;
    }
    const Atom *a = h.fact.atom();
    auto p = a ? inTrip(a->poly, of, t) : std::nullopt;
    if (!p) {
      return at(code[instruction], label + ": a condition that is not "
                                           "followed");
    }
    emit(label, instruction, block, *p, extra);
    if (a->equality) {
      emit(label, instruction, block, -*p, extra);
    }
  }
  return std::nullopt;
}

/// A polynomial as it is in another trip, if nothing in it but the trip's
/// number belongs to the loop.
std::optional<Poly> RingCheck::inTrip(const Poly &p, Var v,
                                      const Poly &t) const {
  for (const Term &term : p.terms()) {
    for (Var x : term.vars) {
      if (x != v && e.flow.blocks()[s[x].home].loop) {
        return std::nullopt;
      }
    }
  }
  return p.substitute(v, t);
}

// Copies and trips belong to each other.

RingCheck::Checked RingCheck::sameSource() {
  if (!wholeCopies) {
    return std::nullopt; // for what has to be read whole alone
  }
  const Access &a = *refill->source;
  for (size_t d = 0; d < first.size(); ++d) {
    const Access &b = *first[d].source;
    Poly before = Poly(Int(d)) - Poly(Int(ring.slots));
    auto there = inTrip(a.offset, before);
    if (!there || a.tensor != b.tensor || *there != b.offset) {
      return at(code[first[d].instruction],
                "this copy does not bring what trip " + std::to_string(d) +
                    " of the refill would");
    }
  }
  return std::nullopt;
}

/// Who waits in trip u has issued copy u: lane 0 of the warp, which makes the
/// same trips.
RingCheck::Checked RingCheck::issuedBeforeWait() {
  Poly depth(Int(ring.slots));
  for (size_t d = 0; d < first.size(); ++d) {
    const Copy &c = first[d];
    if (!decidedByFacts(e, 0, c.block)) {
      return at(code[c.instruction], "it is not followed when this is copied");
    }
    if (auto error = emitFacts(
            e.facts(c.block), arrived,
            {isZero(trip - Poly(Int(d)), Origin::Kind::Loop), isZero(lane)},
            wait, "copy " + std::to_string(d) + " was issued",
            trip.terms()[0].vars[0], trip)) {
      return error;
    }
  }
  if (auto error = fill ? filledBeforeWait() : std::nullopt) {
    return error;
  }
  if (!decidedByFacts(e, arrived, refill->block)) {
    return at(code[refill->instruction],
              "it is not followed when this is copied");
  }
  std::vector<Hypothesis> conditions, before = e.facts(arrived);
  for (Hypothesis &h : e.facts(refill->block)) {
    bool stands =
        std::any_of(before.begin(), before.end(),
                    [&](const Hypothesis &k) { return k.fact == h.fact; });
    if (!stands) {
      conditions.push_back(std::move(h));
    }
  }
  return emitFacts(
      conditions, arrived,
      {assumed(Fact::atLeastZero(trip - depth), Origin::Kind::Loop),
       isZero(lane)},
      wait, "the copy was issued", trip.terms()[0].vars[0], trip - depth);
}

RingCheck::Checked RingCheck::filledBeforeWait() {
  size_t header = e.flow.loops()[*e.flow.blocks()[fill->block].loop].header;
  if (!decidedByFacts(e, 0, header) ||
      !decidedByFacts(e, header, fill->block)) {
    return at(code[fill->instruction],
              "it is not followed when this is copied");
  }
  return emitFacts(e.facts(fill->block), arrived,
                   {assumed(Fact::atLeastZero(Poly(Int(ring.slots) - 1) - trip),
                            Origin::Kind::Loop),
                    isZero(lane)},
                   wait, "the first copy was issued", fillTrip, trip);
}

/// What was issued is waited for, so that nothing is on its way at the end.
RingCheck::Checked RingCheck::waitedAfterIssue() {
  const Loop &l = e.flow.loops()[loop];
  size_t latch = l.latches[0];
  const Block &end = e.flow.blocks()[latch];
  if (!end.taken || !decidedByFacts(e, 0, l.header)) {
    return at(code[wait], "it is not followed when the loop is entered");
  }
  bool taken = end.taken == l.header;
  const std::vector<Fact> stay = e.branch(latch, taken).yes;
  auto entered = [&](const Copy &c) {
    return emitFacts(withoutEnds(e, l.header, e.facts(l.header)), c.block, {},
                     c.instruction, "the loop is entered",
                     trip.terms()[0].vars[0], Poly(0));
  };
  auto waited = [&](const Copy &c, const Poly &from,
                    const Poly &to) -> Checked {
    Variable v;
    v.name = "trip" + std::to_string(s.count());
    Poly u = Poly::variable(Var(s.count()));
    v.facts = {assumed(Fact::atLeastZero(u), Origin::Kind::Loop)};
    v.low = 0;
    s.add(std::move(v));
    std::vector<Hypothesis> facts;
    for (const Fact &f : stay) {
      facts.push_back(assumed(f, Origin::Kind::Path));
    }
    return emitFacts(
        facts, c.block,
        {assumed(Fact::atLeastZero(u - from), Origin::Kind::Loop),
         assumed(Fact::atLeastZero(to - u - Poly(1)), Origin::Kind::Loop)},
        c.instruction, "the copy is waited for", trip.terms()[0].vars[0], u);
  };
  if (auto end = e.lastTrip(loop)) {
    // Trips 0 to `end` wait, if the loop is entered.
    for (size_t d = 0; d < first.size(); ++d) {
      emit("the copy is waited for", first[d].instruction, first[d].block,
           *end - Poly(Int(d)));
    }
    if (fill) {
      emit("the copy is waited for", fill->instruction, fill->block,
           *end - Poly::variable(fillTrip));
    }
    emit("the copy is waited for", refill->instruction, refill->block,
         *end - trip - Poly(Int(ring.slots)));
    for (const Copy &c : first) {
      if (auto error = entered(c)) {
        return error;
      }
    }
    return fill ? entered(*fill) : std::nullopt;
  }
  if (fill) {
    return at(code[fill->instruction], "it is not followed which trips wait");
  }
  for (size_t d = 0; d < first.size(); ++d) {
    const Copy &c = first[d];
    if (auto error = entered(c)) {
      return error;
    }
    if (auto error = d == 0 ? std::nullopt : waited(c, 0, Poly(Int(d)))) {
      return error;
    }
  }
  return waited(*refill, trip, trip + Poly(Int(ring.slots)));
}

} // namespace girih::ptx
