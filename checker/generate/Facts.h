// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts in program order. A variable is a launch symbol, a block id, a trip
// counter, an unknown value, or the result of a definition; a fact is what the
// kernel's contract, control flow and earlier obligations say about them. A
// fact is visible until the scope that introduced it ends.

#ifndef GIRIH_CHECKER_GENERATE_FACTS_H
#define GIRIH_CHECKER_GENERATE_FACTS_H

#include "checker/generate/Width.h"
#include "ir/ops/Tile.h"
#include "proofs/Obligation.h"
#include "spec/Rule.h"

#include <functional>
#include <map>
#include <memory>

namespace girih::checker {

/// What a variable stands for, so that a run of the kernel can supply its
/// value. Variables of the second block of a pair have `copy` 2.
struct Variable {
  enum class Kind {
    Symbol,  ///< launch symbol `name`
    BlockId, ///< block id on axis `axis`
    Trip,    ///< number of finished iterations of the loop `op`
    Value, ///< the SSA value `value`: loaded or carried by a loop; of a vector
           ///< the lane at `lane`
    Defined, ///< a result of a definition, by its arguments
    Element, ///< coordinate of an element on axis `axis`
    InView,  ///< its coordinate on axis `axis` of the view of a claim, or of
             ///< one below it that is flattened
    Index,   ///< index of a claim, one of several alike, on axis `axis`
    Lane,    ///< number of a lane on axis `axis`, at the gather or scatter `op`
    Content, ///< the element of `tensor` at `lane`, whether a block loads it
    Found, ///< coordinate on axis `axis` of the element of `tensor` that holds
           ///< the number `lane[0]`
    Segment, ///< the segment of `tensor`, which splits a range, with `lane[0]`
  };
  Kind kind = Kind::Symbol;
  std::string name;
  unsigned axis = 0;
  unsigned level =
      0;             ///< InView: how many flattenings the claim's view is above
  unsigned copy = 0; ///< 0: of the launch, or of the only block; else 1 or 2
  mlir::Operation *op = nullptr;
  mlir::Value value;
  /// Of a value that is a vector: its lane, in the kernel's variables.
  std::vector<proofs::Poly> lane;
  int tensor = -1;    ///< argument number, where a kind above names a tensor
  bool other = false; ///< of a lane: the second of two
  /// Of a value in the condition region of a while: it is the one of the
  /// evaluation behind the trip in hand, see Evaluation.
  bool next = false;
};

/// Of the condition region of a while, which evaluation is spoken of. Control
/// gets there once from before the loop and then from the end of each trip.
enum class Evaluation {
  None,  ///< no condition region
  First, ///< with the initial values
  Any,   ///< with values that some evaluation had
  Next,  ///< with the values that a trip yields
};

/// A map between variables; those that are not in it stay.
using Renaming = std::map<proofs::Var, proofs::Var>;
proofs::Var renamed(const Renaming &r, proofs::Var v);

/// A fact over the kernel's variables. `origin.renaming` is filled only when
/// an obligation is made; until then `via` leads from the variables of the
/// proved obligation to the ones here.
struct ScopedFact {
  proofs::Fact fact;
  proofs::Origin::Kind origin = proofs::Origin::Kind::Contract;
  std::string note;
  std::optional<proofs::Definition> definition;
  uint32_t part = 0;
  uint32_t proved = 0;
  std::shared_ptr<const Renaming> via; ///< of a proved fact; null: all stay
};

using FactList = std::vector<ScopedFact>;

/// One element of a tensor of integers, loaded: which, and what for a variable
/// holds it.
struct Lookup {
  int tensor = -1; ///< argument number
  std::vector<proofs::Poly> at;
  proofs::Var value = 0;
  size_t mark = 0; ///< facts that were visible before it
  /// Of an own tensor, which changes: nothing is assumed of its elements, but a
  /// model has to fit.
  bool isOwn = false;
  /// What the block stored there before; else it is what the launch found.
  std::optional<proofs::Poly> stored;
  /// Of a lane: in these ways it holds the padding, and not the element.
  std::vector<std::vector<proofs::Atom>> padded;
};

/// The fact shares the renaming where it can.
ScopedFact rename(const ScopedFact &f,
                  const std::shared_ptr<const Renaming> &r);
Lookup rename(const Lookup &l, const Renaming &r);

/// Why no store is known to write each element of an output, for a reader.
struct Obstacle {
  mlir::Operation *store = nullptr;
  std::string text;   ///< what is in the way
  std::string remedy; ///< the smallest thing to say or do
};

/// A verification condition: an obligation and what ties it to the kernel.
/// `variables` runs parallel to `obligation.variables`.
struct Vc {
  proofs::Obligation obligation;
  Rule rule{}; ///< the one that `obligation.rule` names
  std::vector<Variable> variables;
  /// The same variables by their number in the kernel.
  std::vector<proofs::Var> kernelVariables;
  mlir::Operation *op = nullptr;    ///< null for the contract
  mlir::Operation *other = nullptr; ///< the second site of a pair
  /// Of a pair: all claims that `op` stands for, and those of `other`.
  std::vector<mlir::Operation *> alike, othersAlike;
  int tensor = -1; ///< argument number, or -1
  Evaluation evaluation = Evaluation::None; ///< First or Next, where it counts
  /// Of out.covered: whether no op of the kernel stores to the tensor.
  bool lacksStore = false;
  Obstacle obstacle; ///< of an output without a witness
  /// The elements that its hypotheses speak of, by the obligation's variables.
  std::vector<Lookup> lookups;
  /// Whether some of them are of shared tensors, so that what is proved may
  /// hang on what lies there.
  bool speaksOfContents() const;
  /// True of every launch and of no use to a proof, but a model that breaks
  /// them is no launch: the search for models is told.
  std::vector<proofs::Fact> contents;
};

/// What holds of contents of which these elements are loaded; fills
/// `Vc::contents`.
using ContentsRule =
    std::function<std::vector<proofs::Fact>(llvm::ArrayRef<Lookup>)>;

/// What the facts and obligations of a kernel may come to, in units of some 30
/// bytes: about a million hypotheses. The kernels of the library stay below a
/// twentieth of it.
inline constexpr size_t maxFactUnits = size_t(1) << 24;

/// Thrown where they come to more; nothing is made of such a kernel but that.
struct TooLarge {
  Rule rule;                     ///< of the last obligation that was written
  mlir::Operation *op = nullptr; ///< its place, null for the contract
};

/// The variables of a kernel and the obligations so far.
class FactBase {
public:
  explicit FactBase(Width width, size_t units = maxFactUnits)
      : width(width), left(units) {}

  proofs::Var add(Variable v);
  const Variable &variable(proofs::Var v) const { return variables[v]; }
  size_t variableCount() const { return variables.size(); }

  /// The quotient and remainder of a by d, defined once per scope: those of an
  /// equal division that is still visible are returned again. Constants are
  /// divided, and by 1 the quotient is a. Needs the facts `d - 1 >= 0` and
  /// `a >= 0` in scope.
  std::pair<proofs::Poly, proofs::Poly>
  divide(const proofs::Poly &a, const proofs::Poly &d, const std::string &name,
         const std::string &restName = "");
  /// c >= 0 ? a : b; one of them when c is a constant.
  proofs::Poly select(const proofs::Poly &c, const proofs::Poly &a,
                      const proofs::Poly &b, const std::string &name);
  /// e wrapped to a signed integer of `bits` bits.
  proofs::Poly wrap(const proofs::Poly &e, unsigned bits,
                    const std::string &name);
  /// A variable that equals e, defined once per scope; e itself when it is a
  /// constant.
  proofs::Poly alias(const proofs::Poly &e, const std::string &name);
  /// A variable that equals e.
  void define(proofs::Var v, const proofs::Poly &e);

  void assume(proofs::Fact f, proofs::Origin::Kind origin, std::string note);

  /// Emits the obligation `goal >= 0` under the facts in scope. With `remember`
  /// the goal is a fact from then on.
  size_t emit(Rule rule, const std::string &label, const proofs::Poly &goal,
              mlir::Operation *op, bool remember, int tensor = -1,
              mlir::Operation *other = nullptr,
              std::vector<proofs::Poly> splits = {});

  /// Scopes: the facts visible now, and forgetting those added since.
  size_t mark() const { return facts.size(); }
  void release(size_t mark);
  const FactList &visible() const { return facts; }
  void append(ScopedFact f);
  /// Copies to keep.
  FactList keepVisible();
  std::vector<Lookup> keepLookups();

  /// Counts so much towards the limit, in units.
  void charge(size_t units);
  size_t unitsLeft() const { return left; }

  /// Lookups end with the facts behind `mark`, of which there is at least one.
  void addLookup(Lookup l, size_t mark);
  const std::vector<Lookup> &lookups() const { return found; }

  Width width;
  /// While it is Any, what is owed is a fact: each evaluation is the first one
  /// or follows a trip, and owes it there.
  Evaluation evaluation = Evaluation::None;
  std::vector<Vc> vcs;
  ContentsRule contentsRule; ///< or none

private:
  proofs::Var result(const std::string &name);
  const proofs::Definition *find(const proofs::Definition &like);
  void introduce(const proofs::Definition &d, const std::string &note);

  std::vector<Variable> variables;
  FactList facts;
  std::vector<Lookup> found;
  size_t left;                        ///< units that there is room for
  TooLarge last = {Rule::LaunchGrid}; ///< what is said where they are too many
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_FACTS_H
