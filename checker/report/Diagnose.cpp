// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Diagnose.h"
#include "checker/decide/ContractValues.h"
#include "checker/decide/Replay.h"
#include "ir/types/Diagnose.h"

#include "llvm/ADT/SetVector.h"

#include <functional>

using namespace girih::proofs;
using mlir::Operation;

namespace girih::checker {

const char *ruleHelp(Rule rule) {
  switch (rule) {
  case Rule::ClaimBounds:
  case Rule::LoadBounds:
  case Rule::AtomicBounds:
    return "keep the index below tile.num_tiles of that axis: by the grid, "
           "by a guard, or with requires";
  case Rule::ViewSlice:
    return "slice what the axis has: require that offset and size fit, or "
           "take a minimum";
  case Rule::ViewUnfold:
    return "require that the product of the factors is the extent";
  case Rule::ViewFix:
    return "keep the coordinate below the extent: by the grid, by a guard, or "
           "with requires";
  case Rule::ViewFlatten:
    return "flatten axes of which the stride of the first one is the extent of "
           "the other one times its stride, or require that";
  case Rule::ClaimDisjoint:
    return "let different blocks claim different tiles";
  case Rule::LoadPad:
    return "add pad(zero), or require that the tile divides the extent";
  case Rule::LoadDefined:
    return "store to the piece first, or make the tensor own";
  case Rule::GatherBounds:
  case Rule::ScatterBounds:
  case Rule::AtomicScatterBounds:
    return "mask out the lanes that lie outside, or bound the index with "
           "requires";
  case Rule::ScatterLanes:
    return "let each lane write an element of its own, or mask out all but "
           "one";
  case Rule::OutCovered:
    return "round the grid up with ceildiv, or declare the tensor 'out "
           "partial'";
  case Rule::IndexWidth:
    return "bound the operands with requires";
  case Rule::IndexDivision:
    return "require that the divisor is at least 1 and the dividend at least "
           "0";
  case Rule::ContractDivision:
    return "put a requires for the divisor before it";
  case Rule::ContractSatisfiable:
    return "weaken a requires";
  case Rule::LaunchGrid:
    return "wrap the expression in max(..., 0)";
  case Rule::MapDomain:
    return "apply the map below its extents: by the grid, by a guard, or with "
           "requires";
  case Rule::MapInto:
    return "let the map give what into says, or say less";
  case Rule::MapInverse:
    return "let the inverse undo the map";
  case Rule::BytesWhole:
    return "make the number a multiple of 2: with requires, or as twice "
           "another number";
  case Rule::MapCount:
    return "let from and into have the same product";
  case Rule::ProveHolds:
    return "state what holds, or require it";
  case Rule::TrustHolds:
    return "trust what holds, or let it be proved";
  case Rule::LoopStep:
    return "require a step of at least 1";
  case Rule::InvariantHolds:
    return "state what holds at the start and what each trip keeps; more "
           "invariants before it may be what it lacks";
  case Rule::WhileMeasure:
    return "let each trip make the measure smaller, down to 0 at most; an "
           "invariant may say how large the carried values are";
  case Rule::LoopWidth:
    return "bound the upper bound and the step with requires";
  }
  return "";
}

static SourceRange rangeOf(const llvm::SourceMgr &sm, llvm::SMRange r) {
  auto [line, column] = sm.getLineAndColumn(r.Start);
  auto length =
      static_cast<unsigned>(r.End.getPointer() - r.Start.getPointer());
  return {line, column, length};
}

/// Where operand `index` of an operation is written; the operation's name when
/// that is not known.
static SourceRange rangeOf(const tile::KernelFile &file, Operation *op,
                           int index) {
  op = tile::writtenOp(file, op);
  const mlir::AsmParserState &state = file.text->state;
  const auto *def = state.getOpDef(op);
  if (!def) {
    return {};
  }
  llvm::SMRange best = def->loc;
  if (index >= 0 && static_cast<unsigned>(index) < op->getNumOperands()) {
    mlir::Value v = op->getOperand(index);
    llvm::ArrayRef<llvm::SMRange> uses;
    if (auto arg = mlir::dyn_cast<mlir::BlockArgument>(v)) {
      if (const auto *b = state.getBlockDef(arg.getOwner())) {
        uses = b->arguments[arg.getArgNumber()].uses;
      }
    } else if (const auto *d = state.getOpDef(v.getDefiningOp())) {
      unsigned result = mlir::cast<mlir::OpResult>(v).getResultNumber();
      for (const auto &group : d->resultGroups) {
        if (group.startIndex <= result) {
          uses = group.definition.uses;
        }
      }
    }
    // The first use behind the operation's own name.
    const char *from = def->loc.Start.getPointer(), *found = nullptr;
    for (llvm::SMRange u : uses) {
      const char *at = u.Start.getPointer();
      if (at > from && (!found || at < found)) {
        found = at;
        best = u;
      }
    }
  }
  return rangeOf(file.text->sources, best);
}

namespace {
/// Where diagnostics of one file stand, in its text and in what that was made
/// from.
class Places {
public:
  Places(const tile::KernelFile &file, llvm::StringRef path)
      : file(file), sources(path) {}

  /// At an operand of an op, or at the op.
  void put(Diagnostic &d, Operation *op, int operand = -1) {
    d.at = rangeOf(file, op, operand);
    d.origin = originOf(op);
  }
  void putOther(Diagnostic &d, Operation *op) {
    d.other = rangeOf(file, op, -1);
    d.otherOrigin = originOf(op);
  }

private:
  std::optional<tile::ShownPlace> originOf(Operation *op) {
    auto place = tile::sourcePlace(op->getLoc());
    return place ? std::optional(sources.look(*place)) : std::nullopt;
  }

  const tile::KernelFile &file;
  tile::Sources sources;
};
} // namespace

static std::string symbolText(const Counterexample &c) {
  std::string out;
  for (auto &[name, value] : c.symbols) {
    out += name + " = " + std::to_string(value) + ", ";
  }
  return out;
}

/// `block (0), trip 1 of %k`.
static std::string
placeText(llvm::ArrayRef<int64_t> block,
          llvm::ArrayRef<std::pair<Operation *, int64_t>> iterations) {
  std::string out = "block " + exec::tupleText(block.vec());
  for (auto &[op, trip] : iterations) {
    out += ", trip " + std::to_string(trip);
    auto loop = mlir::cast<mlir::scf::ForOp>(op);
    std::string counter = tile::writtenName(loop.getInductionVar());
    out += counter.empty() ? "" : " of " + counter;
  }
  return out;
}

static std::string counterexampleText(const Counterexample &c) {
  const exec::Fault &f = c.fault;
  std::string out = symbolText(c) + "grid " + exec::tupleText(c.grid);
  for (auto &[name, numbers] : c.contents) {
    out += ", " + contentsText(name, numbers);
  }
  out += ": ";
  if (f.block.empty() && f.otherBlock.empty()) {
    return out + f.message;
  }
  if (!f.otherBlock.empty()) {
    out += placeText(f.otherBlock, f.otherIterations) + " " + f.otherMessage +
           ", and ";
  }
  return out + placeText(f.block, f.iterations) + " " + f.message;
}

/// `p >= 0` as one would write it: nothing negative on either side.
static std::string readable(const Poly &p,
                            const std::vector<std::string> &names) {
  std::vector<Term> left, right;
  Int constant = 0;
  for (Term t : p.terms()) {
    if (t.vars.empty()) {
      constant = t.coeff;
    } else if (t.coeff > 0) {
      right.push_back(t);
    } else {
      t.coeff = -t.coeff;
      left.push_back(t);
    }
  }
  if (right.empty()) {
    return proofs::print(Poly::fromTerms(left), &names) +
           " <= " + toString(constant);
  }
  if (left.empty()) {
    return proofs::print(Poly::fromTerms(right), &names) +
           " >= " + toString(-constant);
  }
  bool strict = constant == -1;
  if (constant < 0 && !strict) {
    left.push_back({{}, -constant});
  } else if (constant > 0) {
    right.push_back({{}, constant});
  }
  return proofs::print(Poly::fromTerms(left), &names) +
         (strict ? " < " : " <= ") +
         proofs::print(Poly::fromTerms(right), &names);
}

/// The facts of control that speak of what the goal speaks of, three at most.
static std::string becauseText(const Obligation &o) {
  std::string out;
  unsigned count = 0;
  for (const Hypothesis &h : o.hypotheses) {
    using K = Origin::Kind;
    if (h.origin.kind != K::Launch && h.origin.kind != K::Loop &&
        h.origin.kind != K::Path && h.origin.kind != K::Invariant) {
      continue;
    }
    const Atom *a = h.fact.atom();
    bool touches = false;
    for (Var v = 0; a && v < o.variables.size(); ++v) {
      touches |= o.goal.contains(v) && a->poly.contains(v);
    }
    if (touches && a->poly.terms().size() > 1 && count++ < 3) {
      out += (out.empty() ? "" : ", ") +
             (a->equality ? proofs::print(h.fact, &o.variables)
                          : readable(a->poly, o.variables));
    }
  }
  return out;
}

namespace {
/// What decides whether an op runs and what it does, told from the text: all
/// that its operands come from, through branches and loops, and what stands
/// around them.
class Causes {
public:
  explicit Causes(Operation *op) {
    addOp(op);
    for (size_t i = 0; i < values.size(); ++i) {
      if (auto arg = mlir::dyn_cast<mlir::BlockArgument>(values[i])) {
        addOp(arg.getOwner()->getParentOp());
      } else {
        addOp(values[i].getDefiningOp());
      }
    }
  }

  bool speakOfAxis(unsigned axis) const {
    return llvm::any_of(ops, [&](Operation *op) {
      auto id = mlir::dyn_cast<tile::BlockIdOp>(op);
      return id && id.getAxis() == axis;
    });
  }

private:
  llvm::SetVector<mlir::Value> values;
  llvm::SetVector<Operation *> ops;

  void addOp(Operation *op) {
    if (!op || mlir::isa<tile::KernelOp>(op) || !ops.insert(op)) {
      return;
    }
    values.insert(op->operand_begin(), op->operand_end());
    for (mlir::Region &region : op->getRegions()) {
      for (mlir::Block &block : region) {
        Operation *end = block.getTerminator();
        values.insert(end->operand_begin(), end->operand_end());
      }
    }
    addOp(op->getParentOp());
  }
};
} // namespace

/// The grid axes of which neither claim of a pair depends in any way.
static std::string unusedAxes(const Vc &o, size_t rank) {
  std::string out;
  if (!o.op || !o.other) {
    return out;
  }
  Causes one(o.op), two(o.other);
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (!one.speakOfAxis(axis) && !two.speakOfAxis(axis)) {
      out += (out.empty() ? "" : ", ") + std::to_string(axis);
    }
  }
  return out;
}

/// The expression with its divisions rounded up.
static tile::ExprAttr roundedUp(tile::ExprAttr e) {
  using K = tile::ExprKind;
  if (e.getKind() == K::Constant || e.getKind() == K::Symbol) {
    return e;
  }
  return tile::ExprAttr::binary(e.getKind() == K::Div ? K::CeilDiv
                                                      : e.getKind(),
                                roundedUp(e.getLhs()), roundedUp(e.getRhs()));
}

/// Whether the grid has fewer blocks at a launch than with its divisions
/// rounded up.
static bool isRoundedDown(tile::KernelOp kernel, const Counterexample &c) {
  ContractValues contract(kernel);
  std::vector<int64_t> symbols(contract.names.size());
  for (auto &[name, value] : c.symbols) {
    symbols[contract.symbol(name)] = value;
  }
  return llvm::any_of(kernel.getGridExprs(), [&](tile::ExprAttr e) {
    auto now = contract.evaluate(contract.add(e), symbols),
         then = contract.evaluate(contract.add(roundedUp(e)), symbols);
    return now && then && *now < *then;
  });
}

static std::string helpText(tile::KernelOp kernel, const Vc &o, Rule rule,
                            const Counterexample *c = nullptr) {
  size_t rank = kernel.getGridExprs().size();
  std::string axes = rule == Rule::ClaimDisjoint ? unusedAxes(o, rank) : "";
  if (!axes.empty()) {
    return "no index of the claim depends on grid axis " + axes +
           ": drop the axis or use it";
  }
  if (rule == Rule::OutCovered && !(c && isRoundedDown(kernel, *c))) {
    return "let some block write each element, or declare the tensor 'out "
           "partial'";
  }
  return ruleHelp(rule);
}

static void addNote(Diagnostic &d, const char *kind, std::string text) {
  if (!text.empty()) {
    d.notes.push_back({kind, std::move(text)});
  }
}

void addSuggestion(Diagnostic &d, const Suggestion &s) {
  auto help = llvm::find_if(
      d.notes, [](const auto &note) { return note.first == "help"; });
  if (!s.bound.empty()) {
    help = d.notes.insert(help, {"bound", "holds exactly while " + s.bound});
    ++help;
  }
  if (help != d.notes.end()) {
    ++help;
  }
  d.notes.insert(help, {"help", "VERIFIED with: " + s.clause});
}

static Diagnostic refuted(const tile::KernelFile &file, llvm::StringRef path,
                          Places &places, const Verdict &v,
                          const Counterexample &c, Width width) {
  const Vc &vc = v.vcs[c.obligation];
  Diagnostic d;
  d.obligation = c.obligation;
  d.rule = c.fault.rule;
  d.message = c.fault.headline;
  if (vc.lacksStore && d.rule == Rule::OutCovered) {
    d.message += ": " + vc.obligation.label;
  }
  places.put(d, c.fault.op, c.fault.operand);
  if (c.fault.otherOp && c.fault.otherOp != c.fault.op) {
    places.putOther(d, c.fault.otherOp);
  }
  addNote(d, "counterexample", counterexampleText(c));
  if (c.fault.rule == vc.rule) {
    addNote(d, "because", becauseText(vc.obligation));
  }
  addNote(d, "help", helpText(file.kernel, vc, d.rule, &c));
  addNote(d, "rule", ruleText(d.rule));
  addNote(d, "replay", replayCommand(c, file, path, width));
  return d;
}

static Diagnostic open(const tile::KernelFile &file, Places &places,
                       const Verdict &v, size_t i) {
  const Obligation &o = v.vcs[i].obligation;
  Diagnostic d;
  d.severity = Diagnostic::Severity::Warning;
  d.obligation = i;
  d.rule = v.vcs[i].rule;
  tile::KernelOp kernel = file.kernel;
  d.message = "not proved and not refuted: ";
  if (d.rule == Rule::OutCovered && v.vcs[i].tensor >= 0 &&
      !v.vcs[i].lacksStore) {
    d.message += "coverage of %" +
                 kernel.getArgName(unsigned(v.vcs[i].tensor)).str() + ": ";
  }
  d.message += o.label + ", " + v.findings[i].reason;
  const Obstacle &obstacle = v.vcs[i].obstacle;
  Operation *op = v.vcs[i].op      ? v.vcs[i].op
                  : obstacle.store ? obstacle.store
                                   : kernel.getOperation();
  places.put(d, op);
  addNote(d, "because", obstacle.text);
  if (!o.goal.constant()) {
    addNote(d, "residual", readable(o.goal, o.variables));
  }
  addNote(d, "because", becauseText(o));
  // No launch shows a hole, so that there may be none: what lacks is a witness.
  addNote(d, "help",
          !obstacle.remedy.empty() ? obstacle.remedy
          : d.rule == Rule::OutCovered && !v.vcs[i].lacksStore
              ? "let covers say which block, and which trips of its loops, "
                "write an element"
              : helpText(kernel, v.vcs[i], d.rule));
  addNote(d, "rule", ruleText(d.rule));
  return d;
}

static Diagnostic tooLarge(const tile::KernelFile &file, Places &places,
                           const Verdict &v) {
  Diagnostic d;
  d.rule = v.tooLarge->rule;
  d.message =
      "not proved and not refuted: the kernel has more obligations than are "
      "kept, some " +
      std::to_string(maxFactUnits / 20) + " hypotheses";
  d.severity = Diagnostic::Severity::Warning;
  tile::KernelOp kernel = file.kernel;
  places.put(d, v.tooLarge->op ? v.tooLarge->op : kernel.getOperation());
  addNote(d, "help", "split the kernel, or put what repeats into a loop");
  addNote(d, "rule", ruleText(d.rule));
  return d;
}

static Diagnostic withoutModel(const tile::KernelFile &file, Places &places,
                               const Verdict &v) {
  Diagnostic d;
  d.rule = Rule::ContractSatisfiable;
  d.message = v.modelReason;
  d.severity = v.kind == VerdictKind::Unsatisfiable
                   ? Diagnostic::Severity::Error
                   : Diagnostic::Severity::Warning;
  tile::KernelOp kernel = file.kernel;
  places.put(d, kernel);
  addNote(d, "help",
          v.kind == VerdictKind::Unsatisfiable
              ? ruleHelp(d.rule)
              : "store a launch that meets the contract, with --save");
  addNote(d, "rule", ruleText(d.rule));
  return d;
}

static Diagnostic disagreement(const tile::KernelFile &file, Places &places,
                               const Verdict &v, size_t i) {
  Diagnostic d = open(file, places, v, i);
  d.severity = Diagnostic::Severity::Error;
  d.message = "judge and solver disagree: " + v.vcs[i].obligation.label;
  return d;
}

namespace {
/// A diagnostic that is made only if it is kept.
struct Pending {
  bool isError;
  std::function<Diagnostic()> make;
};
} // namespace

static std::vector<Pending> pending(const tile::KernelFile &file,
                                    llvm::StringRef path, Places &places,
                                    const Verdict &v, Width width) {
  if (v.tooLarge) {
    return {{false, [&] { return tooLarge(file, places, v); }}};
  }
  std::vector<Pending> out;
  if (!v.modelReason.empty()) {
    out.push_back({v.kind == VerdictKind::Unsatisfiable,
                   [&] { return withoutModel(file, places, v); }});
  }
  // Several outputs may be left open at one op.
  std::set<std::tuple<Rule, Operation *, int>> printed;
  auto isNew = [&](Rule rule, Operation *op, int tensor) {
    return printed.insert({rule, op, rule == Rule::OutCovered ? tensor : -1})
        .second;
  };
  for (const Counterexample &c : v.counterexamples) {
    if (isNew(c.fault.rule, c.fault.op, c.fault.tensor)) {
      out.push_back({true, [&file, path, &places, &v, &c, width] {
                       return refuted(file, path, places, v, c, width);
                     }});
    }
  }
  // Of a refuted kernel what stayed open was not searched for in full, of a
  // contract without launches not at all.
  bool wasSearched =
      v.kind != VerdictKind::Refuted && v.kind != VerdictKind::Unsatisfiable;
  for (size_t i = 0; i < v.findings.size() && wasSearched; ++i) {
    if (v.findings[i].status == Status::Unknown &&
        isNew(v.vcs[i].rule, v.vcs[i].op, v.vcs[i].tensor)) {
      out.push_back({false, [&file, &places, &v, i] {
                       return open(file, places, v, i);
                     }});
    }
  }
  for (size_t i : v.disagreements) {
    out.push_back({true, [&file, &places, &v, i] {
                     return disagreement(file, places, v, i);
                   }});
  }
  return out;
}

Diagnostics diagnose(const tile::KernelFile &file, llvm::StringRef path,
                     const Verdict &v, Width width, size_t most) {
  Places places(file, path);
  std::vector<Pending> all = pending(file, path, places, v, width);
  Diagnostics out;
  if (all.size() > most) {
    out.leftOut = all.size() - most;
    std::vector<Pending> sorted;
    for (bool errors : {true, false}) {
      llvm::copy_if(all, std::back_inserter(sorted),
                    [&](const Pending &p) { return p.isError == errors; });
    }
    all.assign(sorted.begin(), sorted.begin() + ptrdiff_t(most));
  }
  for (const Pending &p : all) {
    out.list.push_back(p.make());
  }
  return out;
}

void print(const tile::KernelFile &file, llvm::StringRef path,
           const Diagnostic &d, llvm::raw_ostream &os) {
  const char *severity =
      d.severity == Diagnostic::Severity::Error ? "error" : "warning";
  auto show = [&](SourceRange r, const std::string &message) {
    os << path << ":" << r.line << ":" << r.column << ": " << message << "\n";
    llvm::SourceMgr &sources = file.text->sources;
    // Finds lines by a table that is made once.
    llvm::SMLoc start =
        sources.FindLocForLineAndColumn(sources.getMainFileID(), r.line, 1);
    if (r.line == 0 || !start.isValid()) {
      return;
    }
    llvm::StringRef text =
        sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
    llvm::StringRef line =
        text.substr(size_t(start.getPointer() - text.data())).split('\n').first;
    tile::printUnderlined(os, line.rtrim(), r.column, r.columns);
  };
  // What was made from another source is told at both places.
  auto tell = [&](const std::optional<tile::ShownPlace> &origin, SourceRange at,
                  const std::string &message) {
    if (origin) {
      tile::printAt(os, *origin, message);
    }
    show(at, origin ? "note: in the text of the kernel" : message);
  };
  tell(d.origin, d.at,
       std::string(severity) + ": " + d.message + " [" + ruleName(d.rule) +
           "]");
  if (d.other) {
    tell(d.otherOrigin, *d.other, "note: the other claim");
  }
  for (auto &[kind, text] : d.notes) {
    os << "note: " << kind << ": " << text << "\n";
  }
}

} // namespace girih::checker
