// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the check of rings share: Ring.cpp has the parts of a ring,
// RingReads.cpp that slots are read before they are filled again, RingTrips.cpp
// that copies and trips belong to each other.

#ifndef GIRIH_LOWER_PTX_RING_H
#define GIRIH_LOWER_PTX_RING_H

#include "lower/ptx/Access.h"

#include <set>

namespace girih::ptx {

/// A bulk copy with the `expect_tx` in front of it. One of no bytes may be left
/// out: its barrier then expects none.
struct Copy {
  size_t instruction = 0;
  size_t block = 0; ///< that of the `expect_tx`
  const Access *source = nullptr;
  proofs::Poly slot;
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
  Checked initialisation(const Access &a, std::set<proofs::Int> &warpWise,
                         std::set<proofs::Int> &blockWise);
  Checked separatedFromInit();
  Checked waits();
  Checked mainLoop(size_t spin);
  Checked copies();
  Checked copy(size_t i);
  Checked placed(Copy c);
  Checked filling(Copy c, size_t in);
  std::optional<size_t> expectBefore(size_t i, size_t block) const;
  Checked leftOut(size_t i, size_t from, const proofs::Poly &size);
  Checked usedForSum(size_t read, size_t sum);
  Checked others();
  Checked wholeSlot();
  Checked consumed();
  Checked issuedBeforeWait();
  Checked filledBeforeWait();
  Checked waitedAfterIssue();
  Checked sameSource();

  const Access &sharedAccess(size_t i, bool last) const;
  std::optional<proofs::Poly> indexOf(const proofs::Poly &barrier) const;
  std::optional<proofs::Poly> inTrip(const proofs::Poly &p, proofs::Var of,
                                     const proofs::Poly &t) const;
  std::optional<proofs::Poly> inTrip(const proofs::Poly &p,
                                     const proofs::Poly &t) const {
    return inTrip(p, trip.terms()[0].vars[0], t);
  }
  Checked emitFacts(const std::vector<proofs::Hypothesis> &facts, size_t block,
                    const std::vector<proofs::Hypothesis> &extra,
                    size_t instruction, const std::string &label,
                    proofs::Var of, const proofs::Poly &t);
  void emit(const std::string &label, size_t i, size_t block, proofs::Poly goal,
            std::vector<proofs::Hypothesis> extra = {});
  bool comesAfter(size_t from, size_t to) const;
  uint32_t freeBits(size_t value, unsigned depth);
  bool keepsDependence(const Instruction &i, size_t result);
  std::vector<std::string> neededBy(size_t value);
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
  proofs::Poly warp, lane, slots,
      barriers; ///< the last two: of the thread's warp
  size_t wait = 0, arrived = 0, loop = 0; ///< `arrived`: the block behind it
  proofs::Poly trip, slot;
  std::vector<Copy> first;  ///< before the loop, by slot
  std::optional<Copy> fill; ///< or one in a loop of its own, over the slots
  proofs::Var fillTrip = 0;
  std::optional<Copy> refill;
  bool wholeCopies = true;  ///< each of the same number of bytes
  uint64_t bytes = 0;       ///< of every copy, or of a slot
  std::vector<size_t> sync; ///< behind which the barriers are initialised
  std::vector<size_t> inits;
  std::vector<size_t> reads; ///< of slots
  bool warpsInitialise = true;
  bool selects = false; ///< a select stands between a read and the sum
  std::map<std::pair<size_t, size_t>, bool> dependence;
};

/// That a polynomial is 0, as a condition.
proofs::Hypothesis
isZero(proofs::Poly p, proofs::Origin::Kind kind = proofs::Origin::Kind::Path);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_RING_H
