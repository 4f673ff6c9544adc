// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol of rings: each warp has slots in shared memory, with an mbarrier
// each; one lane has the copy engine fill them, all lanes wait, read, and the
// slot is filled again. Copy u goes to slot u mod D and is waited for in trip u
// of one loop, with the parity of u div D. README.md has the argument.

#include "lower/ptx/ring/Ring.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

Hypothesis isZero(Poly p, Origin::Kind kind) {
  return assumed(Fact::zero(std::move(p)), kind);
}

static bool isMbarrier(const Instruction &i, const char *what) {
  return i.root == "mbarrier" && i.has(what);
}

void RingCheck::emit(const std::string &label, size_t i, size_t block,
                     Poly goal, std::vector<Hypothesis> extra) {
  if (auto c = goal.constant(); c && *c >= 0) {
    return;
  }
  s.emit(Goal{"ptx.ring", label, i, block, std::move(extra), std::move(goal)});
}

const Access &RingCheck::sharedAccess(size_t i, bool last) const {
  const Access *found = nullptr;
  for (const Access &a : all.shared) {
    if (a.instruction == i && (!found || last)) {
      found = &a;
    }
  }
  return *found;
}

std::variant<std::vector<Access>, Error> RingCheck::run() {
  using Step = Checked (RingCheck::*)();
  for (Step step :
       {&RingCheck::layout, &RingCheck::initialised, &RingCheck::waits,
        &RingCheck::copies, &RingCheck::separatedFromInit, &RingCheck::others,
        &RingCheck::wholeSlot, &RingCheck::consumed, &RingCheck::sameSource,
        &RingCheck::issuedBeforeWait, &RingCheck::waitedAfterIssue}) {
    if (auto error = (this->*step)()) {
      return *error;
    }
  }
  // What trip t waits for is what copy t brought.
  std::vector<Access> out;
  for (const Access &a : all.global) {
    if (a.generic) {
      out.push_back(a);
    }
  }
  if (!wholeCopies) {
    return out; // what of a slot is read says nothing of what is copied
  }
  Access brought = *refill->source;
  brought.block = arrived;
  brought.guards.clear();
  Poly before = trip - Poly(Int(ring.slots));
  brought.offset = *inTrip(brought.offset, before);
  for (Poly &x : brought.coordinates) {
    x = *inTrip(x, before);
  }
  out.push_back(std::move(brought));
  return out;
}

RingCheck::Checked RingCheck::layout() {
  const Expected &x = s.expected;
  const Instruction &any = code[0];
  if (x.threads[0] != 32 * ring.warps || x.threads[1] != 1 ||
      x.threads[2] != 1) {
    return at(any, "a ring of " + std::to_string(ring.warps) +
                       " warps in blocks of another shape");
  }
  uint64_t slotBytes = ring.warps * ring.slots * ring.bytes;
  uint64_t barrierBytes = ring.warps * ring.slots * 8;
  bool apart = ring.at + slotBytes <= ring.barriers ||
               ring.barriers + barrierBytes <= ring.at;
  std::optional<size_t> in;
  for (const Access &a : all.shared) {
    if (!a.generic) {
      if (in && *in != a.shared) {
        return at(code[a.instruction], "a ring in several shared variables");
      }
      in = a.shared;
    }
  }
  shared = *in;
  const SharedVariable &v = e.shared()[shared];
  uint64_t size = v.dynamic ? x.dynamicBytes : v.bytes;
  if (!apart || ring.at + slotBytes > size ||
      ring.barriers + barrierBytes > size || ring.at % 16 != 0 ||
      ring.bytes % 16 != 0 || ring.barriers % 8 != 0) {
    return at(any, "slots and barriers of the ring do not fit");
  }
  std::tie(warp, lane) = s.divided(Poly::variable(s.thread(0)), 32, 0, 0);
  slots = Poly(Int(ring.at)) + Poly(Int(ring.slots * ring.bytes)) * warp;
  barriers = Poly(Int(ring.barriers)) + Poly(Int(ring.slots * 8)) * warp;
  return std::nullopt;
}

/// The number of the slot whose barrier that is.
std::optional<Poly> RingCheck::indexOf(const Poly &barrier) const {
  std::vector<Term> terms;
  const Poly d = barrier - barriers;
  for (const Term &t : d.terms()) {
    if (t.coeff % 8 != 0) {
      return std::nullopt;
    }
    terms.push_back({t.vars, t.coeff / 8});
  }
  return Poly::fromTerms(std::move(terms));
}

// Barriers are ready before anybody waits.

RingCheck::Checked RingCheck::initialised() {
  std::set<Int> warpWise, blockWise;
  for (const Access &a : all.shared) {
    if (!isMbarrier(code[a.instruction], "init")) {
      continue;
    }
    if (auto error = initialisation(a, warpWise, blockWise)) {
      return error;
    }
    inits.push_back(a.instruction);
  }
  warpsInitialise = blockWise.empty();
  size_t wanted = warpsInitialise ? ring.slots : ring.slots * ring.warps;
  const std::set<Int> &done = warpsInitialise ? warpWise : blockWise;
  if ((!warpWise.empty() && !blockWise.empty()) || done.size() != wanted) {
    return at(code[0], "not every barrier of the ring is initialised");
  }
  return std::nullopt;
}

RingCheck::Checked RingCheck::initialisation(const Access &a,
                                             std::set<Int> &warpWise,
                                             std::set<Int> &blockWise) {
  const Instruction &i = code[a.instruction];
  Number count = e.operand(a.instruction, i.operands[1], 32);
  if (!i.guard.empty() || !count.poly || *count.poly != Poly(1)) {
    return at(i, "a barrier for another number of arrivals than one");
  }
  auto own = indexOf(a.offset);
  auto index = own ? own->constant() : std::nullopt;
  bool ofWarp = index && (warp != Poly(0) || ring.warps == 1);
  if (!ofWarp) {
    // One thread for all warps.
    auto offset = (a.offset - Poly(Int(ring.barriers))).constant();
    index =
        offset && *offset % 8 == 0 ? std::optional(*offset / 8) : std::nullopt;
  }
  Int most = Int(ofWarp ? ring.slots : ring.slots * ring.warps);
  if (!index || *index < 0 || *index >= most ||
      !(ofWarp ? warpWise : blockWise).insert(*index).second) {
    return at(i, "this is not one of the ring's barriers, once each");
  }
  size_t block = a.block;
  if (e.flow.blocks()[block].loop || !decidedByFacts(e, 0, block)) {
    return at(i, "it is not followed whether this is executed once");
  }
  // By one thread, and by that one surely.
  Poly who = ofWarp ? lane : Poly::variable(s.thread(0));
  emit("initialised by one thread", a.instruction, block, -who);
  for (const Hypothesis &h : e.facts(block)) {
    const Atom *atom = h.fact.atom();
    if (!atom) {
      return at(i, "it is not followed who executes this");
    }
    emit("initialised", a.instruction, 0, atom->poly, {isZero(who)});
    if (atom->equality) {
      emit("initialised", a.instruction, 0, -atom->poly, {isZero(who)});
    }
  }
  for (size_t k = a.instruction + 1; k < e.flow.blocks()[block].end; ++k) {
    bool fence = code[k].root == "fence" &&
                 (code[k].has("mbarrier_init") ||
                  (code[k].has("proxy") && code[k].has("async")));
    if (fence && code[k].guard.empty()) {
      return std::nullopt;
    }
  }
  return at(i, "no fence lets the copy engine see this barrier");
}

/// Whether control can come from one instruction to another.
bool RingCheck::comesAfter(size_t from, size_t to) const {
  const Flow &flow = e.flow;
  size_t start = flow.blockOf(from), end = flow.blockOf(to);
  if (start == end && from < to) {
    return true;
  }
  std::vector<bool> seen(flow.blocks().size());
  std::vector<size_t> open = flow.blocks()[start].successors;
  while (!open.empty()) {
    size_t b = open.back();
    open.pop_back();
    if (b == end) {
      return true;
    }
    if (!seen[b]) {
      seen[b] = true;
      open.insert(open.end(), flow.blocks()[b].successors.begin(),
                  flow.blocks()[b].successors.end());
    }
  }
  return false;
}

RingCheck::Checked RingCheck::separatedFromInit() {
  std::vector<size_t> users = {wait};
  for (const Copy &c : first) {
    users.push_back(c.instruction);
  }
  if (fill) {
    users.push_back(fill->instruction);
  }
  users.push_back(refill->instruction);
  for (size_t z = 0; z < code.size(); ++z) {
    bool barrier = (code[z].root == "bar" || code[z].root == "barrier") &&
                   code[z].has("sync") && code[z].guard.empty();
    bool ofWarp = code[z].has("warp");
    if (!barrier || (ofWarp && !warpsInitialise)) {
      continue;
    }
    Number mask = e.operand(z, code[z].operands[0], 32);
    bool everybody = mask.poly && *mask.poly == (ofWarp ? Poly(-1) : Poly(0));
    bool between =
        everybody &&
        e.uniform(e.flow.blockOf(z), ofWarp ? Group::Warp : Group::Block) &&
        std::all_of(users.begin(), users.end(),
                    [&](size_t u) { return e.flow.precedes(z, u); }) &&
        std::none_of(inits.begin(), inits.end(),
                     [&](size_t i) { return comesAfter(z, i); });
    if (between) {
      return std::nullopt;
    }
  }
  return at(code[wait], "nothing makes sure that the barriers are initialised "
                        "before this");
}

// The loop that waits.

RingCheck::Checked RingCheck::waits() {
  std::optional<size_t> only;
  for (size_t i = 0; i < code.size(); ++i) {
    bool known = code[i].root != "mbarrier" || isMbarrier(code[i], "init") ||
                 (code[i].has("arrive") && code[i].has("expect_tx")) ||
                 (code[i].has("try_wait") && code[i].has("parity"));
    if (!known) {
      return at(code[i], "no part of a ring");
    }
    if (isMbarrier(code[i], "try_wait")) {
      if (only) {
        return at(code[i], "a second wait");
      }
      only = i;
    }
  }
  if (!only) {
    return at(code[0], "nothing waits for the copies");
  }
  wait = *only;
  size_t block = e.flow.blockOf(wait);
  const Block &b = e.flow.blocks()[block];
  std::optional<bool> over = endsWithWait(e, block);
  if (!code[wait].guard.empty() || !over || !b.loop ||
      e.flow.loops()[*b.loop].header != block) {
    return at(code[wait], "a wait that is not repeated until it is over");
  }
  arrived = *over ? *b.taken : *b.fallen;
  size_t again = *over ? *b.fallen : *b.taken;
  const Loop &spin = e.flow.loops()[*b.loop];
  bool repeats = !spin.body[arrived] && spin.body[again] &&
                 e.flow.conditionalPredecessor(arrived) == block;
  for (size_t k = 1; k < e.flow.blocks().size(); ++k) {
    for (size_t i = e.flow.blocks()[k].first;
         spin.body[k] && i < e.flow.blocks()[k].end; ++i) {
      bool quiet =
          i == wait || (code[i].root == "not" && code[i].has("pred")) ||
          (code[i].root == "bra" && (i == b.end - 1 || code[i].guard.empty()));
      repeats = repeats && quiet;
    }
  }
  if (!repeats) {
    return at(code[wait], "a wait that is not repeated until it is over");
  }
  return mainLoop(*b.loop);
}

RingCheck::Checked RingCheck::mainLoop(size_t spin) {
  std::optional<size_t> parent = e.flow.loops()[spin].parent;
  if (!parent) {
    return at(code[wait], "a wait outside of a loop");
  }
  loop = *parent;
  const Loop &l = e.flow.loops()[loop];
  bool simple = !l.parent && l.latches.size() == 1 &&
                e.flow.dominates(arrived, l.latches[0]);
  for (size_t b = 1; simple && b < e.flow.blocks().size(); ++b) {
    simple = !l.body[b] || !e.flow.leaves(b, loop) || b == l.latches[0];
  }
  if (!simple || !e.branch(l.latches.at(0), true).exact ||
      !e.same(e.branch(l.latches[0], true), Group::Warp) ||
      !e.uniform(arrived, Group::Warp)) {
    return at(code[wait], "not all lanes may wait in every trip of one loop");
  }
  Var t = e.trip(loop);
  trip = Poly::variable(t);
  auto [round, number] = s.divided(trip, Int(ring.slots), wait, l.header);
  slot = number;
  Poly parity = s.divided(round, 2, wait, l.header).second;
  auto index = indexOf(sharedAccess(wait, false).offset);
  if (!index || *index != slot) {
    return at(code[wait], "this does not wait for the barrier of slot t mod " +
                              std::to_string(ring.slots) + " in trip t");
  }
  Number waited = e.operand(wait, code[wait].operands[2], 32);
  if (!waited.poly || *waited.poly != parity) {
    return at(code[wait],
              "the parity is not that of t div " + std::to_string(ring.slots));
  }
  return std::nullopt;
}

// Copies.

RingCheck::Checked RingCheck::copies() {
  size_t count = 0, expects = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    expects += isMbarrier(code[i], "expect_tx");
    if (code[i].root == "cp") {
      ++count;
      if (auto error = copy(i)) {
        return error;
      }
    }
  }
  if (expects != count) {
    return at(code[wait], "a barrier expects bytes that no copy brings");
  }
  wholeCopies = bytes != 0;
  bytes = wholeCopies ? bytes : ring.bytes;
  std::sort(first.begin(), first.end(), [](const Copy &a, const Copy &b) {
    return *a.slot.constant() < *b.slot.constant();
  });
  bool all = first.size() == (fill ? 0 : ring.slots) && refill;
  for (size_t d = 0; all && d < first.size(); ++d) {
    all = first[d].slot == Poly(Int(d));
  }
  if (!all) {
    return at(code[wait], "not one copy for each slot before the loop, and one "
                          "in it");
  }
  return std::nullopt;
}

RingCheck::Checked RingCheck::copy(size_t i) {
  const Access &destination = sharedAccess(i, false);
  const Access &barrier = sharedAccess(i, true);
  Copy c;
  c.instruction = i;
  c.block = destination.block;
  for (const Access &a : all.global) {
    if (a.instruction == i) {
      c.source = &a;
    }
  }
  auto expect = expectBefore(i, c.block);
  if (auto from = e.flow.conditionalPredecessor(c.block); !expect && from) {
    expect = expectBefore(e.flow.blocks()[*from].end, *from);
    if (auto error =
            expect ? leftOut(i, *from, destination.size) : std::nullopt) {
      return error;
    }
    c.block = *from;
  }
  if (!expect || !code[*expect].guard.empty() || !code[i].guard.empty()) {
    return at(code[i], "no barrier expects what this copy brings");
  }
  Number expected = e.operand(*expect, code[*expect].operands[2], 32);
  if (sharedAccess(*expect, false).offset != barrier.offset || !expected.poly ||
      *expected.poly != destination.size) {
    return at(code[*expect],
              "the barrier or the bytes are not those of the copy");
  }
  bool isWhole = destination.bytes != 0;
  bool isFirst = first.empty() && !fill && !refill;
  if (destination.bytes > ring.bytes ||
      (!isFirst && bytes != destination.bytes)) {
    return at(code[i], "a copy of another size than a slot takes");
  }
  bytes = destination.bytes;
  auto index = indexOf(barrier.offset);
  if (!index || destination.offset != slots + Poly(Int(ring.bytes)) * *index) {
    return at(code[i], "the barrier is not that of the slot");
  }
  c.slot = *index;
  emit("copied by one lane", i, c.block, -lane);
  if (!isWhole) {
    emit("copied into one slot", i, destination.block,
         Poly(Int(ring.bytes)) - destination.size);
  }
  return placed(std::move(c));
}

/// The `expect_tx` before an instruction, with no other part of a ring between.
std::optional<size_t> RingCheck::expectBefore(size_t i, size_t block) const {
  for (size_t k = i; k-- > e.flow.blocks()[block].first;) {
    if (code[k].root == "mbarrier" || code[k].root == "cp") {
      return isMbarrier(code[k], "expect_tx") ? std::optional(k) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// A copy behind a branch is left out only where it has no bytes.
RingCheck::Checked RingCheck::leftOut(size_t i, size_t from, const Poly &size) {
  bool taken = e.flow.blocks()[from].taken == e.flow.blockOf(i);
  Condition copied = e.branch(from, taken);
  if (!copied.exact) {
    return at(code[i], "it is not followed when this is copied");
  }
  std::vector<Hypothesis> without;
  for (const Fact &f : copied.no) {
    without.push_back(assumed(f, Origin::Kind::Path));
  }
  emit("left out if it has no bytes", i, from, -size, without);
  emit("left out if it has no bytes", i, from, size, std::move(without));
  return std::nullopt;
}

RingCheck::Checked RingCheck::placed(Copy c) {
  size_t i = c.instruction;
  std::optional<size_t> in = e.flow.blocks()[c.block].loop;
  if (e.flow.inLoop(c.block, loop)) {
    if (refill || c.slot != slot || !e.flow.dominates(arrived, c.block) ||
        in != loop) {
      return at(code[i], "in the loop, only the slot that was waited for is "
                         "filled again, once");
    }
    refill = std::move(c);
    return std::nullopt;
  }
  if (in) {
    return filling(std::move(c), *in);
  }
  auto d = c.slot.constant();
  if (!d || *d < 0 || *d >= Int(ring.slots) || comesAfter(wait, i)) {
    return at(code[i], "before the loop, each slot is filled once");
  }
  first.push_back(std::move(c));
  return std::nullopt;
}

/// Copies in a loop before the loop that waits: trip d fills slot d.
RingCheck::Checked RingCheck::filling(Copy c, size_t in) {
  const Loop &l = e.flow.loops()[in];
  auto last = e.lastTrip(in);
  if (fill || l.parent ||
      e.flow.blocks()[e.flow.blockOf(c.instruction)].loop != in ||
      comesAfter(wait, c.instruction) || !last ||
      *last != Poly(Int(ring.slots) - 1) ||
      c.slot != Poly::variable(e.trip(in))) {
    return at(code[c.instruction], "before the loop, each slot is filled once");
  }
  fillTrip = e.trip(in);
  fill = std::move(c);
  return std::nullopt;
}

std::variant<std::vector<Access>, Error> checkRings(Evaluator &e,
                                                    const Accesses &all) {
  const std::vector<Instruction> &code = e.flow.entry().instructions;
  auto isPart = [](const Instruction &i) {
    return i.root == "cp" || i.root == "mbarrier";
  };
  auto any = std::find_if(code.begin(), code.end(), isPart);
  if (any == code.end()) {
    return all.global;
  }
  if (e.symbols.expected.rings.size() != 1) {
    return at(*any, "copies and barriers without one ring that is expected");
  }
  return RingCheck(e, all, e.symbols.expected.rings[0]).run();
}

} // namespace girih::ptx
