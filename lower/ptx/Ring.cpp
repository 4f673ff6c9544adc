// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol of rings: each warp has slots in shared memory, with an mbarrier
// each; one lane has the copy engine fill them, all lanes wait, read, and the
// slot is filled again. Copy u goes to slot u mod D and is waited for in trip u
// of one loop, with the parity of u div D. README.md has the argument.

#include "lower/ptx/Access.h"

#include <algorithm>
#include <set>

namespace girih::ptx {

using namespace proofs;

namespace {

/// A bulk copy with the `expect_tx` in front of it.
struct Copy {
  size_t instruction = 0, block = 0;
  const Access *source = nullptr;
  Poly slot;
};

class RingCheck {
public:
  RingCheck(Evaluator &e, const Accesses &all, const Ring &ring)
      : e(e), s(e.symbols), code(e.flow.entry().instructions), all(all),
        ring(ring) {}
  std::variant<std::vector<Access>, Error> run();

private:
  using Checked = std::optional<Error>;
  Checked layout();
  Checked initialised();
  Checked initialisation(const Access &a, std::set<Int> &warpWise,
                         std::set<Int> &blockWise);
  Checked separatedFromInit();
  Checked waits();
  Checked mainLoop(size_t spin);
  Checked copies();
  Checked copy(size_t i);
  Checked placed(Copy c, const Access &a);
  Checked others();
  Checked wholeSlot();
  Checked consumed();
  Checked issuedBeforeWait();
  Checked waitedAfterIssue();
  Checked sameSource();

  const Access &sharedAccess(size_t i, bool last) const;
  std::optional<Poly> indexOf(const Poly &barrier) const;
  std::optional<Poly> inTrip(const Poly &p, const Poly &t) const;
  Checked oweFacts(const std::vector<Hypothesis> &facts, size_t block,
                   const std::vector<Hypothesis> &extra, size_t instruction,
                   const std::string &label, const Poly &t);
  void owe(const std::string &label, size_t i, size_t block, Poly goal,
           std::vector<Hypothesis> extra = {});
  bool comesAfter(size_t from, size_t to) const;
  bool dependsOn(size_t value, size_t read, unsigned depth);
  unsigned masks(size_t value, unsigned depth);
  size_t source(size_t value);
  std::optional<unsigned> shuffle(size_t value) const;

  Evaluator &e;
  Symbols &s;
  const std::vector<Instruction> &code;
  const Accesses &all;
  const Ring &ring;
  size_t shared = 0;
  Poly warp, lane, slots, barriers; ///< the last two: of the thread's warp
  size_t wait = 0, arrived = 0, loop = 0; ///< `arrived`: the block behind it
  Poly trip, slot;
  std::vector<Copy> first; ///< before the loop, by slot
  std::optional<Copy> refill;
  uint64_t bytes = 0;       ///< of every copy
  std::vector<size_t> sync; ///< behind which the barriers are initialised
  std::vector<size_t> inits;
  std::vector<size_t> reads; ///< of slots
  bool warpsInitialise = true;
  std::map<std::pair<size_t, size_t>, bool> dependence;
};

} // namespace

static Hypothesis zero(Poly p, Origin::Kind kind = Origin::Kind::Path) {
  return assumed(Fact::zero(std::move(p)), kind);
}

static bool isMbarrier(const Instruction &i, const char *what) {
  return i.root == "mbarrier" && i.has(what);
}

void RingCheck::owe(const std::string &label, size_t i, size_t block, Poly goal,
                    std::vector<Hypothesis> extra) {
  if (auto c = goal.constant(); c && *c >= 0) {
    return;
  }
  s.owe(Goal{"ptx.ring", label, i, block, std::move(extra), std::move(goal)});
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

RingCheck::Checked
RingCheck::oweFacts(const std::vector<Hypothesis> &facts, size_t block,
                    const std::vector<Hypothesis> &extra, size_t instruction,
                    const std::string &label, const Poly &t) {
  const std::vector<Hypothesis> known = e.facts(block);
  for (const Hypothesis &h : facts) {
    bool stands =
        std::any_of(known.begin(), known.end(),
                    [&](const Hypothesis &k) { return k.fact == h.fact; });
    if (h.origin.kind == Origin::Kind::Loop || stands) {
      continue;
    }
    const Atom *a = h.fact.atom();
    auto p = a ? inTrip(a->poly, t) : std::nullopt;
    if (!p) {
      return at(code[instruction], label + ": a condition that is not "
                                           "followed");
    }
    owe(label, instruction, block, *p, extra);
    if (a->equality) {
      owe(label, instruction, block, -*p, extra);
    }
  }
  return std::nullopt;
}

/// A polynomial as it is in another trip, if nothing in it but the trip's
/// number belongs to the loop.
std::optional<Poly> RingCheck::inTrip(const Poly &p, const Poly &t) const {
  Var v = trip.terms()[0].vars[0];
  for (const Term &term : p.terms()) {
    for (Var x : term.vars) {
      if (x != v && e.flow.blocks()[s[x].home].loop) {
        return std::nullopt;
      }
    }
  }
  return p.substitute(v, t);
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
  owe("initialised by one thread", a.instruction, block, -who);
  for (const Hypothesis &h : e.facts(block)) {
    const Atom *atom = h.fact.atom();
    if (!atom) {
      return at(i, "it is not followed who executes this");
    }
    owe("initialised", a.instruction, 0, atom->poly, {zero(who)});
    if (atom->equality) {
      owe("initialised", a.instruction, 0, -atom->poly, {zero(who)});
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
                 (code[i].has("arrive") && code[i].has("expect_tx") &&
                  code[i].operands[0].kind == Operand::Kind::Sink) ||
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
  const Instruction &branch = code[b.end - 1];
  if (!code[wait].guard.empty() || !endsWithWait(e, block) || !b.loop ||
      e.flow.loops()[*b.loop].header != block) {
    return at(code[wait], "a wait that is not repeated until it is over");
  }
  arrived = branch.guardNegated ? *b.fallen : *b.taken;
  size_t again = branch.guardNegated ? *b.taken : *b.fallen;
  const Loop &spin = e.flow.loops()[*b.loop];
  bool repeats = !spin.body[arrived] && spin.body[again] &&
                 e.flow.conditionalPredecessor(arrived) == block;
  for (size_t k = 1; k < e.flow.blocks().size(); ++k) {
    for (size_t i = e.flow.blocks()[k].first;
         spin.body[k] && i < e.flow.blocks()[k].end; ++i) {
      bool quiet = i == wait || (code[i].root == "bra" &&
                                 (i == b.end - 1 || code[i].guard.empty()));
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
    const Instruction &end = code[e.flow.blocks()[b].end - 1];
    bool leaves = end.root == "ret" || end.root == "exit";
    for (size_t next : e.flow.blocks()[b].successors) {
      leaves = leaves || !l.body[next];
    }
    simple = !l.body[b] || !leaves || b == l.latches[0];
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
  std::sort(first.begin(), first.end(), [](const Copy &a, const Copy &b) {
    return *a.slot.constant() < *b.slot.constant();
  });
  bool all = first.size() == ring.slots && refill;
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
  size_t k = i;
  while (k > e.flow.blocks()[c.block].first &&
         (k == i || (code[k].root != "mbarrier" && code[k].root != "cp"))) {
    --k;
  }
  if (k == i || !isMbarrier(code[k], "expect_tx") || !code[k].guard.empty() ||
      !code[i].guard.empty()) {
    return at(code[i], "no barrier expects what this copy brings");
  }
  Number expected = e.operand(k, code[k].operands[2], 32);
  if (sharedAccess(k, false).offset != barrier.offset || !expected.poly ||
      *expected.poly != Poly(Int(destination.bytes))) {
    return at(code[k], "the barrier or the bytes are not those of the copy");
  }
  if (destination.bytes > ring.bytes ||
      (bytes != 0 && bytes != destination.bytes)) {
    return at(code[i], "a copy of another size than a slot takes");
  }
  bytes = destination.bytes;
  auto index = indexOf(barrier.offset);
  if (!index || destination.offset != slots + Poly(Int(ring.bytes)) * *index) {
    return at(code[i], "the barrier is not that of the slot");
  }
  c.slot = *index;
  owe("copied by one lane", i, c.block, -lane);
  return placed(std::move(c), destination);
}

RingCheck::Checked RingCheck::placed(Copy c, const Access &) {
  size_t i = c.instruction;
  if (e.flow.inLoop(c.block, loop)) {
    if (refill || c.slot != slot || !e.flow.dominates(arrived, c.block) ||
        e.flow.blocks()[c.block].loop != loop) {
      return at(code[i], "in the loop, only the slot that was waited for is "
                         "filled again, once");
    }
    refill = std::move(c);
    return std::nullopt;
  }
  auto d = c.slot.constant();
  if (!d || *d < 0 || *d >= Int(ring.slots) || e.flow.blocks()[c.block].loop ||
      comesAfter(wait, i)) {
    return at(code[i], "before the loop, each slot is filled once");
  }
  first.push_back(std::move(c));
  return std::nullopt;
}

/// Whatever else is in the same shared variable: reads of the slot that was
/// waited for, and accesses that stay away from slots and barriers.
RingCheck::Checked RingCheck::others() {
  struct Area {
    uint64_t from, to;
  };
  const Area areas[] = {
      {ring.at, ring.at + ring.warps * ring.slots * ring.bytes},
      {ring.barriers, ring.barriers + ring.warps * ring.slots * 8}};
  for (const Access &a : all.shared) {
    if (!a.generic || a.shared != shared) {
      continue;
    }
    const Instruction &i = code[a.instruction];
    Poly inSlot = a.offset - slots - Poly(Int(ring.bytes)) * slot;
    Bounds b = s.bounds(inSlot);
    Int last = Int(bytes) - Int(a.bytes);
    if (a.mode == Mode::Read && e.flow.dominates(arrived, a.block) &&
        e.flow.blocks()[a.block].loop == loop && b.low && b.high &&
        *b.low >= 0 && *b.high <= last && i.guard.empty()) {
      owe("slot, lower", a.instruction, a.block, inSlot);
      owe("slot, upper", a.instruction, a.block, Poly(last) - inSlot);
      reads.push_back(a.instruction);
      continue;
    }
    for (const Area &area : areas) {
      Bounds at = s.bounds(a.offset);
      if (at.low && *at.low >= Int(area.to)) {
        owe("above the ring", a.instruction, a.block,
            a.offset - Poly(Int(area.to)));
      } else if (at.high && *at.high + Int(a.bytes) <= Int(area.from)) {
        owe("below the ring", a.instruction, a.block,
            Poly(Int(area.from) - Int(a.bytes)) - a.offset);
      } else {
        return ptx::at(i, "this may meet a slot or a barrier of the ring");
      }
    }
  }
  return std::nullopt;
}

/// The lanes together read every byte of a slot once: one after the other, then
/// again behind what all of them read.
RingCheck::Checked RingCheck::wholeSlot() {
  std::vector<Int> places;
  Int each = 0;
  for (const Access &a : all.shared) {
    if (std::find(reads.begin(), reads.end(), a.instruction) == reads.end()) {
      continue;
    }
    each = Int(a.bytes);
    auto place = (a.offset - slots - Poly(Int(ring.bytes)) * slot -
                  Poly(each) * lane)
                     .constant();
    places.push_back(place.value_or(-1));
  }
  std::sort(places.begin(), places.end());
  bool whole = Int(places.size()) * 32 * each == Int(bytes);
  for (size_t k = 0; k < places.size(); ++k) {
    whole = whole && places[k] == Int(k) * 32 * each;
  }
  return whole ? std::nullopt
               : std::optional(at(code[wait],
                                  "not every byte of the slot is read once"));
}

// A slot is filled again when every lane has what it read.

/// The value that a move copies.
size_t RingCheck::source(size_t value) {
  for (;;) {
    value = e.flow.resolved(value);
    const Value v = e.flow.value(value);
    if (v.kind != Value::Kind::Result) {
      return value;
    }
    const Instruction &i = code[v.instruction];
    if (i.root != "mov" || !i.guard.empty() ||
        i.operands[1].kind != Operand::Kind::Register) {
      return value;
    }
    value = e.flow.valueBefore(i.operands[1].name, v.instruction);
  }
}

/// Whether the result cannot be known without what is read: an assembler may
/// fold `x & 0`, but no sum of floats.
static bool keepsDependence(const Instruction &i) {
  std::vector<Type> types = i.types();
  if (types.empty()) {
    return false;
  }
  bool isFloat = types[0].kind == 'f';
  const Operand *last = i.operands.empty() ? nullptr : &i.operands.back();
  bool constant = last && last->kind == Operand::Kind::Integer;
  if (i.root == "and") {
    return constant && (last->value & 0xffff0000) != 0;
  }
  if (i.root == "shl" || i.root == "shr") {
    return constant && last->value >= 0 && last->value <= 16;
  }
  return i.root == "mov" || i.root == "cvt" || i.root == "shfl" ||
         (isFloat && (i.root == "add" || i.root == "fma" || i.root == "mul" ||
                      i.root == "sub"));
}

bool RingCheck::dependsOn(size_t value, size_t read, unsigned depth) {
  value = e.flow.resolved(value);
  auto [it, isNew] = dependence.try_emplace({value, read}, false);
  if (!isNew) {
    return it->second;
  }
  const Value v = e.flow.value(value);
  bool depends = false;
  if (v.kind == Value::Kind::Result && code[v.instruction].guard.empty() &&
      depth < 2000) {
    const Instruction &i = code[v.instruction];
    depends = v.instruction == read;
    for (size_t k = i.written;
         k < i.operands.size() && !depends && keepsDependence(i); ++k) {
      for (const std::string &name : registersOf(i.operands[k])) {
        depends = depends || dependsOn(e.flow.valueBefore(name, v.instruction),
                                       read, depth + 1);
      }
    }
  }
  dependence[{value, read}] = depends;
  return depends;
}

/// The lane mask of a butterfly over the whole warp.
std::optional<unsigned> RingCheck::shuffle(size_t value) const {
  const Value v = e.flow.value(value);
  if (v.kind != Value::Kind::Result || v.part != 0) {
    return std::nullopt;
  }
  const Instruction &i = code[v.instruction];
  if (i.root != "shfl" || !i.has("bfly") || !i.has("b32") || !i.guard.empty()) {
    return std::nullopt;
  }
  auto constant = [&](size_t k) {
    Number n = e.operand(v.instruction, i.operands[k], 32);
    return n.poly ? n.poly->constant() : std::nullopt;
  };
  auto mask = constant(2), clamp = constant(3), members = constant(4);
  if (!mask || clamp != Int(31) || members != Int(-1) || *mask <= 0 ||
      *mask > 16 || (*mask & (*mask - 1)) != 0) {
    return std::nullopt;
  }
  return unsigned(*mask);
}

/// Over which lanes a value is a sum of what they read: the masks of the
/// butterflies that it went through, each taken together with its own source.
unsigned RingCheck::masks(size_t value, unsigned depth) {
  value = source(value);
  const Value v = e.flow.value(value);
  if (v.kind != Value::Kind::Result || depth > 64 ||
      !code[v.instruction].guard.empty() || shuffle(value)) {
    return 0;
  }
  const Instruction &i = code[v.instruction];
  std::vector<size_t> inputs;
  for (size_t k = i.written; k < i.operands.size(); ++k) {
    if (i.operands[k].kind == Operand::Kind::Register) {
      inputs.push_back(
          source(e.flow.valueBefore(i.operands[k].name, v.instruction)));
    }
  }
  for (size_t a : inputs) {
    auto mask = shuffle(a);
    if (!mask) {
      continue;
    }
    size_t at = e.flow.value(a).instruction;
    const Operand &o = code[at].operands[1];
    if (o.kind != Operand::Kind::Register) {
      continue;
    }
    size_t of = source(e.flow.valueBefore(o.name, at));
    bool everyRead = std::all_of(reads.begin(), reads.end(),
                                 [&](size_t r) { return dependsOn(of, r, 0); });
    if (everyRead &&
        std::find(inputs.begin(), inputs.end(), of) != inputs.end()) {
      return masks(of, depth + 1) | *mask;
    }
  }
  return 0;
}

RingCheck::Checked RingCheck::consumed() {
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].root != "shfl" || !e.flow.precedes(i, refill->instruction) ||
        !e.flow.dominates(arrived, e.flow.blockOf(i)) ||
        e.flow.blocks()[e.flow.blockOf(i)].loop != loop ||
        !e.uniform(e.flow.blockOf(i), Group::Warp)) {
      continue;
    }
    const Operand &to = code[i].operands[0];
    const Operand &written = to.kind == Operand::Kind::Pair ? to.parts[0] : to;
    const Operand &o = code[i].operands[1];
    if (written.kind != Operand::Kind::Register ||
        o.kind != Operand::Kind::Register) {
      continue;
    }
    size_t result = e.flow.valueBefore(written.name, i + 1);
    auto mask = shuffle(result);
    size_t of = source(e.flow.valueBefore(o.name, i));
    bool everyRead = std::all_of(reads.begin(), reads.end(),
                                 [&](size_t r) { return dependsOn(of, r, 0); });
    if (mask && everyRead && (masks(of, 0) | *mask) == 31) {
      return std::nullopt;
    }
  }
  return at(code[refill->instruction],
            "the slot may be filled again before every lane has read it");
}

// Copies and trips belong to each other.

RingCheck::Checked RingCheck::sameSource() {
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
    if (auto error = oweFacts(
            e.facts(c.block), arrived,
            {zero(trip - Poly(Int(d)), Origin::Kind::Loop), zero(lane)}, wait,
            "copy " + std::to_string(d) + " was issued", trip)) {
      return error;
    }
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
  return oweFacts(conditions, arrived,
                  {assumed(Fact::atLeastZero(trip - depth), Origin::Kind::Loop),
                   zero(lane)},
                  wait, "the copy was issued", trip - depth);
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
  auto owed = [&](const Copy &c, const Poly &from, const Poly &to) -> Checked {
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
    return oweFacts(
        facts, c.block,
        {assumed(Fact::atLeastZero(u - from), Origin::Kind::Loop),
         assumed(Fact::atLeastZero(to - u - Poly(1)), Origin::Kind::Loop)},
        c.instruction, "the copy is waited for", u);
  };
  for (size_t d = 0; d < first.size(); ++d) {
    const Copy &c = first[d];
    if (auto error = oweFacts(e.facts(l.header), c.block, {}, c.instruction,
                              "the loop is entered", Poly(0))) {
      return error;
    }
    if (auto error = d == 0 ? std::nullopt : owed(c, 0, Poly(Int(d)))) {
      return error;
    }
  }
  return owed(*refill, trip, trip + Poly(Int(ring.slots)));
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
