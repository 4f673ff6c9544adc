// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry point touches: each access with the place, as a polynomial,
// and what it has to prove.

#ifndef GIRIH_LOWER_PTX_ACCESS_H
#define GIRIH_LOWER_PTX_ACCESS_H

#include "lower/ptx/Evaluate.h"

namespace girih::ptx {

/// Bytes of a tensor, or of a shared variable, that one instruction touches.
struct Access {
  size_t instruction = 0;
  size_t block = 0; ///< where it takes place: that of the instruction, but for
                    ///< what a copy brings to where it is waited for
  Mode mode = Mode::Read;
  std::optional<size_t> tensor; ///< else `shared`
  size_t shared = 0;
  proofs::Poly offset; ///< in bytes
  uint64_t bytes = 0;  ///< 0 of a copy whose size is no constant
  proofs::Poly size;   ///< the same, of any access
  std::vector<proofs::Hypothesis> guards; ///< of the instruction itself
  bool generic = true;     ///< by the thread itself; false: by the copy engine
  bool isPrefetch = false; ///< gives nobody a value: it meets nobody
  std::vector<proofs::Poly> coordinates; ///< of a tensor: of the first element
};

struct Accesses {
  std::vector<Access> global, shared;
};

/// The text form: an access a line. `names` are those of all variables.
std::string print(const Access &access, const Evaluator &evaluator,
                  const std::vector<std::string> &names);

/// All accesses of the entry point. What cannot be followed is an error.
std::variant<Accesses, Error> accessesOf(Evaluator &e);

/// Emits that each access stays inside of what its block may touch, and is
/// aligned; finds coordinates.
std::optional<Error> checkRegions(Evaluator &e, Accesses &all);

/// Emits that shared accesses stay inside of their variable.
std::optional<Error> checkShared(Evaluator &e, const Accesses &all);

/// Emits that no two threads of a block meet, one of them to write, but where a
/// barrier stands between.
std::optional<Error> checkRaces(Evaluator &e, const Accesses &all);

/// Refuses barriers that some threads may not come to.
std::optional<Error> checkBarriers(Evaluator &e);

/// Emits that what must be touched is touched. `all` are accesses of tensors.
std::optional<Error> checkCoverage(Evaluator &e,
                                   const std::vector<Access> &all);

/// Refuses what may meet a grid before this one that still runs.
std::optional<Error> checkDependency(Evaluator &e, const Accesses &all);

/// Checks all bulk copies and mbarriers against the rings that are expected;
/// gives the accesses of tensors as they are waited for.
std::variant<std::vector<Access>, Error> checkRings(Evaluator &e,
                                                    const Accesses &all);

/// Emits lemmas about quotients for what else is to be proved.
void findQuotientLemmas(Evaluator &e);

/// What holds where the access takes place.
std::vector<proofs::Hypothesis> factsOf(Evaluator &e, const Access &a);

/// Of the facts of a block, without those that say no more than that a loop
/// before it has ended, by its count.
std::vector<proofs::Hypothesis>
withoutEnds(Evaluator &e, size_t block, std::vector<proofs::Hypothesis> facts);

/// Whether control, once it is in block `from`, surely comes to `to` if all
/// facts of `to` hold: nothing else decides, but for waits, which are taken to
/// end.
bool decidedByFacts(Evaluator &e, size_t from, size_t to);

/// Of a block that ends with a branch on what an mbarrier wait says: whether it
/// is taken when the wait is over, or when it is not.
std::optional<bool> endsWithWait(Evaluator &e, size_t block);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_ACCESS_H
