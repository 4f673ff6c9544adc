// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element of a region is touched: for an element, the thread and the trip
// that touch it are computed as digits of its coordinates, and all that has to
// hold for that access to happen is emitted as obligations.

#include "lower/ptx/Access.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

namespace {

/// A part of a coordinate that threads and trips tell apart.
struct Digit {
  Int weight = 1;
  std::optional<Int> count; ///< how many values; none: no bound
  std::optional<Var> variable;
  bool site = false; ///< the number of the access among alike ones
};

/// Divisions and goals of a witness rest on what is said of its element; those
/// of the entry point never do.
class Under {
public:
  Under(Symbols &s, const std::vector<Hypothesis> &facts) : s(s) {
    s.witness = facts;
  }
  ~Under() { s.witness.reset(); }
  Under(const Under &) = delete;

private:
  Symbols &s;
};

class Witness {
public:
  Witness(Evaluator &e, std::vector<const Access *> sites, const Region &region)
      : e(e), s(e.symbols), sites(std::move(sites)), first(*this->sites[0]),
        region(region), tensor(s.expected.tensors[region.tensor]) {}
  std::optional<Error> run();

private:
  Error refused(const std::string &why) const {
    const Instruction &code = e.flow.entry().instructions[first.instruction];
    return at(code, "that every element of '" + tensor.name +
                        "' is touched is not seen, " + why);
  }
  std::optional<Error> alike();
  void element();
  Poly notNegative(Variable v);
  std::optional<Error> digits(size_t axis);
  std::optional<Poly> assigned(Var v, unsigned depth);
  Poly image(const Poly &p);
  Poly image(Var v);
  std::optional<Error> happens();
  std::optional<Error> guards();
  std::optional<Error> trips();
  void emit(const char *label, Poly goal);
  std::optional<Error> emit(const char *label, const Fact &f);

  Evaluator &e;
  Symbols &s;
  std::vector<const Access *> sites;
  const Access &first;
  const Region &region;
  const Tensor &tensor;
  size_t siteAxis = 0;
  Int siteStep = 0;
  std::vector<Hypothesis> facts; ///< of the element, and of an earlier trip
  bool foreign = false; ///< something that the witness has no value for
  Poly site;            ///< which of the alike accesses
  std::vector<Poly> coordinates;
  std::map<Var, Poly> chosen; ///< what digits are
  std::map<Var, Poly> images;
};

} // namespace

void Witness::emit(const char *label, Poly goal) {
  Under under(s, facts);
  s.emit("ptx.coverage", label, first.instruction, 0, std::move(goal));
}

std::optional<Error> Witness::emit(const char *label, const Fact &f) {
  const Atom *a = f.atom();
  if (!a) {
    return refused("where one of several conditions has to hold");
  }
  Poly p = image(a->poly);
  emit(label, p);
  if (a->equality) {
    emit(label, -p);
  }
  return std::nullopt;
}

/// Accesses of one basic block, each with its own guard, that differ by equal
/// steps along one axis.
std::optional<Error> Witness::alike() {
  if (sites.size() == 1) {
    return std::nullopt;
  }
  std::optional<size_t> axis;
  std::vector<std::pair<Int, const Access *>> order;
  for (const Access *a : sites) {
    Int by = 0;
    if (a->block != first.block || a->bytes != first.bytes) {
      return refused("by accesses under different conditions");
    }
    for (size_t k = 0; k < a->coordinates.size(); ++k) {
      auto d = (a->coordinates[k] - first.coordinates[k]).constant();
      if (!d || (*d != 0 && axis && *axis != k)) {
        return refused("by accesses that are not alike");
      }
      if (*d != 0) {
        axis = k;
        by = *d;
      }
    }
    order.push_back({by, a});
  }
  std::sort(order.begin(), order.end());
  siteAxis = axis.value_or(0);
  siteStep = order[1].first - order[0].first;
  for (size_t k = 1; k < order.size(); ++k) {
    if (siteStep <= 0 || order[k].first - order[k - 1].first != siteStep) {
      return refused("by accesses that are not evenly spaced");
    }
  }
  for (size_t k = 0; k < order.size(); ++k) {
    sites[k] = order[k].second;
  }
  return std::nullopt;
}

/// A new variable; as it is new, it may be said to be at least 0 anywhere.
Poly Witness::notNegative(Variable v) {
  Poly x = Poly::variable(Var(s.count()));
  v.facts = {assumed(Fact::atLeastZero(x), Origin::Kind::Region)};
  s.add(std::move(v));
  return x;
}

/// Any element of the region, by how far it is from the region's beginning.
void Witness::element() {
  for (size_t axis = 0; axis < region.axes.size(); ++axis) {
    const Range &range = region.axes[axis];
    Variable v;
    v.name = "x" + std::to_string(axis) + "_" + std::to_string(s.count());
    v.low = 0;
    for (const Poly &below : range.below) {
      if (auto n = (below - range.from).constant()) {
        v.high = std::min(v.high.value_or(*n - 1), *n - 1);
      }
    }
    Poly x = range.from + notNegative(std::move(v));
    coordinates.push_back(x);
    auto known = [&](Poly p) {
      facts.push_back(
          assumed(Fact::atLeastZero(std::move(p)), Origin::Kind::Region));
    };
    known(x);
    known(tensor.extents[axis] - Poly(1) - x);
    for (const Poly &below : range.below) {
      known(below - Poly(1) - x);
    }
  }
  ++s.witnessNumber;
}

std::optional<Error> Witness::digits(size_t axis) {
  const Access &lowest = *sites[0];
  std::vector<Digit> found;
  Poly rest = coordinates[axis];
  for (const Term &t : lowest.coordinates[axis].terms()) {
    bool isDigit = false;
    for (Var v : t.vars) {
      isDigit =
          isDigit || s[v].trips || !e.same(Poly::variable(v), Group::Block);
    }
    if (!isDigit) {
      rest = rest - Poly::fromTerms({t});
      continue;
    }
    Var v = t.vars[0];
    if (t.vars.size() != 1 || t.coeff <= 0 || chosen.contains(v)) {
      return refused("along axis " + std::to_string(axis));
    }
    chosen[v] = Poly();
    found.push_back({t.coeff,
                     s[v].high ? std::optional(*s[v].high + 1) : std::nullopt,
                     v, false});
  }
  if (axis == siteAxis && sites.size() > 1) {
    found.push_back({siteStep, Int(sites.size()), {}, true});
  }
  bool last = axis + 1 == coordinates.size();
  Int elements = last ? Int(first.bytes / tensor.bytes) : 1;
  if (elements > 1) {
    found.push_back({1, elements, {}, false});
  }
  std::sort(found.begin(), found.end(),
            [](const Digit &a, const Digit &b) { return a.weight > b.weight; });
  // The smallest counts elements, and each next one what the smaller ones
  // together have.
  Int weight = 1;
  for (size_t k = found.size(); k-- > 0;) {
    if (found[k].weight != weight || (!found[k].count && k != 0)) {
      return refused("along axis " + std::to_string(axis) +
                     ": its parts leave gaps");
    }
    weight *= found[k].count.value_or(1);
  }
  for (const Digit &d : found) {
    auto [q, r] = [&] {
      Under under(s, facts);
      return s.divided(rest, d.weight, first.instruction, 0);
    }();
    if (d.variable) {
      chosen[*d.variable] = q;
    } else if (d.site) {
      site = q;
    }
    if (d.count) {
      emit("digit, upper", Poly(*d.count - 1) - q);
    }
    emit("digit, lower", q);
    rest = r;
  }
  if (found.empty()) {
    emit("coordinate", rest);
    emit("coordinate", -rest);
  }
  return std::nullopt;
}

/// The value of a variable of the launch or of a loop from the digits that are
/// its own, or its quotient's and remainder's; 0 where it has none.
std::optional<Poly> Witness::assigned(Var v, unsigned depth) {
  if (auto it = chosen.find(v); it != chosen.end()) {
    return it->second;
  }
  for (const Defined &d : s.definitions()) {
    const Definition &of = d.definition;
    if (depth < 8 && of.kind == Definition::Kind::Quotient &&
        of.arguments[0] == Poly::variable(v) && of.arguments[1].constant()) {
      auto q = assigned(of.results[0], depth + 1);
      auto r = assigned(of.results[1], depth + 1);
      if (q || r) {
        return of.arguments[1] * q.value_or(0) + r.value_or(0);
      }
    }
  }
  return std::nullopt;
}

Poly Witness::image(Var v) {
  if (auto it = images.find(v); it != images.end()) {
    return it->second;
  }
  Poly out = Poly::variable(v);
  const Variable of = s[v];
  if (of.definition) {
    const Definition d = s.definitions()[*of.definition].definition;
    std::vector<Poly> arguments;
    for (const Poly &a : d.arguments) {
      arguments.push_back(image(a));
    }
    if (arguments != d.arguments) {
      Under under(s, facts);
      if (d.kind == Definition::Kind::Quotient) {
        auto [q, r] =
            s.divided(arguments[0], arguments[1], first.instruction, 0);
        out = v == d.results[0] ? q : r;
      } else {
        out = s.selected(arguments[0], arguments[1], arguments[2], 0);
      }
    }
  } else if (of.perThread || of.trips) {
    bool isThread = v >= s.thread(0) && v <= s.thread(2);
    // How often another loop was gone through, or which path was taken, is
    // nothing that may be chosen.
    foreign = foreign ||
              (!isThread &&
               (!of.trips || of.trips != e.flow.blocks()[first.block].loop));
    out = assigned(v, 0).value_or(0);
  }
  images[v] = out;
  return out;
}

Poly Witness::image(const Poly &p) {
  Poly sum;
  for (const Term &t : p.terms()) {
    Poly product(t.coeff);
    for (Var v : t.vars) {
      product = product * image(v);
    }
    sum = sum + product;
  }
  return sum;
}

std::optional<Error> Witness::happens() {
  bool isExact = decidedByFacts(e, 0, first.block);
  for (const Access *a : sites) {
    isExact = isExact && e.guard(a->instruction).exact;
  }
  if (!isExact) {
    return refused("as more decides on it than is followed");
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    Poly x = image(s.thread(axis));
    emit("thread, lower", x);
    emit("thread, upper", Poly(Int(s.expected.threads[axis]) - 1) - x);
  }
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    Poly there = image(sites[0]->coordinates[axis]);
    if (axis == siteAxis && sites.size() > 1) {
      there = there + Poly(siteStep) * site;
    }
    bool last = axis + 1 == coordinates.size();
    Int elements = last ? Int(first.bytes / tensor.bytes) : 1;
    emit("element, lower", coordinates[axis] - there);
    emit("element, upper", there + Poly(elements - 1) - coordinates[axis]);
  }
  for (const Hypothesis &h :
       withoutEnds(e, first.block, e.facts(first.block))) {
    if (h.origin.kind == Origin::Kind::Loop) {
      continue; // of the trips: below
    }
    if (auto error = emit("condition", h.fact)) {
      return error;
    }
  }
  if (auto error = guards()) {
    return error;
  }
  return trips();
}

/// What guards an access itself holds where it is the one of the alike ones
/// that touches the element.
std::optional<Error> Witness::guards() {
  for (size_t k = 0; k < sites.size(); ++k) {
    if (sites.size() > 1) {
      facts.push_back(
          assumed(Fact::zero(site - Poly(Int(k))), Origin::Kind::Region));
    }
    for (const Hypothesis &h : sites[k]->guards) {
      if (auto error = emit("guard", h.fact)) {
        return error;
      }
    }
    if (sites.size() > 1) {
      facts.pop_back();
    }
  }
  return std::nullopt;
}

/// All earlier trips lead on to the next one.
std::optional<Error> Witness::trips() {
  std::optional<size_t> loop = e.flow.blocks()[first.block].loop;
  if (!loop) {
    return std::nullopt;
  }
  const Loop &l = e.flow.loops()[*loop];
  if (l.parent || l.latches.size() != 1 ||
      !e.flow.postDominates(l.latches[0], l.header)) {
    return refused("in a loop of many ways");
  }
  Var t = e.trip(*loop);
  Poly last = image(t);
  Variable v;
  v.name = "earlier" + std::to_string(s.count());
  v.low = 0;
  Poly u = notNegative(std::move(v));
  std::vector<Hypothesis> outer = facts;
  emit("trip, lower", last);
  facts.push_back(
      assumed(Fact::atLeastZero(last - Poly(1) - u), Origin::Kind::Loop));
  std::map<Var, Poly> kept = images;
  for (auto it = images.begin(); it != images.end();) {
    // What depends on the trip is another value in another one.
    it = s[it->first].home != 0 ? images.erase(it) : std::next(it);
  }
  images[t] = u;
  std::optional<Error> error;
  for (size_t b = 1; b < e.flow.blocks().size() && !error; ++b) {
    const Block &of = e.flow.blocks()[b];
    if (!e.flow.inLoop(b, *loop) || !e.flow.leaves(b, *loop)) {
      continue;
    }
    bool known =
        of.taken && (b == l.latches[0] || e.flow.dominates(b, first.block));
    Condition stay =
        known ? e.branch(b, e.flow.inLoop(*of.taken, *loop)) : Condition{};
    if (!stay.exact) {
      error = refused("in a loop that may end early");
    }
    for (const Fact &f : stay.yes) {
      error = error ? error : emit("earlier trip", f);
    }
  }
  images = std::move(kept);
  facts = std::move(outer);
  return error;
}

std::optional<Error> Witness::run() {
  if (auto error = alike()) {
    return error;
  }
  element();
  std::optional<Error> error;
  for (size_t axis = 0; axis < coordinates.size() && !error; ++axis) {
    error = digits(axis);
  }
  if (!error) {
    error = happens();
  }
  if (!error && foreign) {
    error = refused("as it rests on more than threads and trips");
  }
  return error;
}

std::optional<Error> checkCoverage(Evaluator &e,
                                   const std::vector<Access> &all) {
  for (const Region &region : e.symbols.expected.regions) {
    if (!region.covered) {
      continue;
    }
    auto overAny = [&](const Poly &p) {
      const std::vector<Var> &any = e.symbols.expected.any;
      return std::any_of(any.begin(), any.end(),
                         [&](Var v) { return p.contains(v); });
    };
    for (const Range &range : region.axes) {
      if (overAny(range.from) ||
          std::any_of(range.below.begin(), range.below.end(), overAny)) {
        return Error{0, "a region of many boxes cannot be covered"};
      }
    }
    std::vector<const Access *> sites;
    for (const Access &a : all) {
      if (a.tensor == region.tensor && a.mode == region.mode && !a.isPrefetch) {
        sites.push_back(&a);
      }
    }
    const std::string &name = e.symbols.expected.tensors[region.tensor].name;
    if (sites.empty()) {
      return Error{e.flow.entry().line,
                   "'" + name + "' is not touched, though all of it has to be"};
    }
    if (auto error = Witness(e, std::move(sites), region).run()) {
      return error;
    }
  }
  return std::nullopt;
}

} // namespace girih::ptx
