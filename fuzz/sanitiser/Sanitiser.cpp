// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/sanitiser/SanitiserRun.h"

#include "ir/ops/Tile.h"
#include "ir/types/Diagnose.h"
#include "spec/executor/launch/Preconditions.h"

#include <set>

using girih::checker::Variable;
using girih::checker::Vc;
using mlir::Operation;

namespace girih::fuzz {

namespace {
/// Looks on while the kernel runs.
class Watcher : public exec::Observer {
public:
  explicit Watcher(SanitiserRun &run) : run(run) {
    for (const Vc &o : run.generated.vcs) {
      if (o.rule == Rule::ClaimDisjoint) {
        needs(o.op, o);
        needs(o.other, o);
      } else if (o.rule == Rule::OutCovered) {
        needs(o.op, o);
      } else if (o.op) {
        anchored[o.op].push_back(&o);
        needs(o.op, o);
      }
    }
  }

  void at(Operation *op, const exec::Instance &instance) override {
    if (run.full()) {
      return;
    }
    Place place = placeOf(op, instance);
    Operation *loop = op->getParentOp();
    auto it = anchored.find(op);
    if (isEvaluated(op)) {
      checkEvaluation(loop, op, instance, place);
    } else if (it != anchored.end()) {
      check(op, it->second, instance, place);
    }
    if (mlir::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op)) {
      trips.erase({op, place.block});
    } else if (op == endOfTrip(loop)) {
      trips[{loop, place.block}].end = place;
    }
    if (auto scatter = mlir::dyn_cast<tile::ScatterOp>(op)) {
      keepLanes(scatter, instance, place);
    } else if (auto claim = mlir::dyn_cast<tile::ClaimOp>(op)) {
      keep(claim, run.claims[op], instance, std::move(place), true);
    } else if (auto store = mlir::dyn_cast<tile::StoreOp>(op)) {
      keep(store.getPiece().getDefiningOp<tile::ClaimOp>(), run.stores[op],
           instance, std::move(place), false);
    }
  }

  /// After the run: each goal that was false has its fault, each fault its
  /// goal.
  void finish() {
    const exec::Result &r = run.report.result;
    std::set<std::vector<int64_t>> stuck;
    for (const exec::Fault &f : r.faults) {
      stuck.insert(f.block);
      if (isLocal(f.rule) && !expected.count({f.rule, f.op, f.block})) {
        run.problem("the executor faults where no goal is false: " +
                    std::string(ruleName(f.rule)) + ", " + f.message +
                    ", block " + exec::tupleText(f.block));
      }
    }
    bool all = !r.exhausted && r.faults.size() < run.run.maxFaults;
    for (auto &[event, vc] : expected) {
      // What is written before is told from the text of the kernel alone, and
      // what is too large is not followed: both ask for caution, not for a
      // fault. And a block that is stuck never gets to its later goals.
      bool cautious = vc->rule == Rule::LoadDefined ||
                      llvm::StringRef(vc->obligation.label)
                          .ends_with("too large to follow");
      if (all && !stuck.count(std::get<2>(event)) && !cautious) {
        run.problem(*vc, "the goal is false, and the executor goes on");
      }
    }
  }

private:
  using Event = std::tuple<Rule, Operation *, std::vector<int64_t>>;

  SanitiserRun &run;
  llvm::DenseMap<Operation *, std::vector<const Vc *>> anchored;
  llvm::DenseMap<Operation *, llvm::SetVector<mlir::Value>> needed;
  llvm::DenseMap<Operation *, size_t> met;
  /// Of each while that a block is in: the end of its last trip, and the
  /// measure at its head.
  struct Trip {
    std::optional<Place> end;
    Wide measure = 0;
  };
  std::map<std::pair<Operation *, std::vector<int64_t>>, Trip> trips;
  std::map<Event, const Vc *> expected;
  Slacks goals; ///< at the instance in hand

  static bool isLocal(Rule rule) {
    return rule != Rule::TrustHolds && rule != Rule::ClaimDisjoint &&
           rule != Rule::OutCovered && rule != Rule::ContractDivision &&
           rule != Rule::LaunchGrid;
  }

  void needs(Operation *op, const Vc &o) {
    // Of a trip the numbers are kept where it ends.
    Operation *end = op;
    if (o.evaluation == checker::Evaluation::Next) {
      end = endOfTrip(op->getParentOp());
    }
    for (const Variable &v : o.variables) {
      if (v.kind == Variable::Kind::Value) {
        needed[v.next ? op : end].insert(v.value);
      }
    }
  }

  /// The obligations of the condition region, of the first evaluation or of one
  /// behind a trip. The numbers of the trip are those that its end had.
  void checkEvaluation(Operation *loop, Operation *op,
                       const exec::Instance &instance, const Place &place) {
    using checker::Evaluation;
    Trip &trip = trips[{loop, place.block}];
    bool isFirst = !trip.end;
    auto measure = mlir::dyn_cast<tile::MeasureOp>(op);
    if (measure) {
      mlir::Value goesOn =
          mlir::cast<mlir::scf::WhileOp>(loop).getConditionOp().getCondition();
      if (instance.integer(goesOn).value_or(0) == 0) {
        return; // nothing is asked of it
      }
    }
    std::vector<const Vc *> vcs;
    for (const Vc *o : anchored.lookup(op)) {
      if (o->evaluation == Evaluation::Any) {
        checkOne(*o, op, place);
      } else if ((o->evaluation == Evaluation::First) == isFirst) {
        vcs.push_back(o);
      }
    }
    Place at = place;
    if (!isFirst) {
      at = *trip.end;
      at.nextValues = place.values;
      at.nextVectors = place.vectors;
    }
    check(op, vcs, instance, at);
    if (!measure) {
      return;
    }
    std::optional<Wide> now = instance.integer(measure.getValue());
    if (!now) {
      run.problem("a measure without a number");
      return;
    }
    demand(op, {Rule::WhileMeasure, *now}, at);
    if (*now >= 0 && !isFirst) {
      demand(op, {Rule::WhileMeasure, trip.measure - 1 - *now}, at);
    }
    trip.measure = *now;
  }

  Place placeOf(Operation *op, const exec::Instance &instance) {
    Place p;
    p.block = instance.block();
    p.trips = instance.iterations();
    for (mlir::Value v : needed[op]) {
      if (auto type = mlir::dyn_cast<mlir::VectorType>(v.getType())) {
        for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
          p.vectors[v].push_back(instance.integer(v, lane).value_or(0));
        }
      } else if (std::optional<Wide> x = instance.integer(v)) {
        p.values[v] = *x;
      }
    }
    return p;
  }

  void check(Operation *op, const std::vector<const Vc *> &vc,
             const exec::Instance &instance, Place place) {
    if (mlir::VectorType type = laneType(op)) {
      checkLanes(op, vc, instance, std::move(place), type);
      return;
    }
    goals.clear();
    for (const Vc *o : vc) {
      bool perTrip = llvm::any_of(o->variables, [&](const Variable &v) {
        return v.kind == Variable::Kind::Trip && v.op == op;
      });
      if (perTrip ? !checkTrips(*o, op, instance, place)
                  : !checkOne(*o, op, place)) {
        return; // what follows rests on it
      }
    }
    for (auto &slack : slacksOf(run, op, instance)) {
      demand(op, slack, place);
    }
  }

  /// Lanes that are looked at: all, or some and one that faults.
  std::vector<size_t> someLanes(Operation *op, const exec::Instance &instance,
                                mlir::VectorType type) {
    constexpr int64_t most = 48;
    int64_t all = type.getNumElements();
    std::vector<size_t> out;
    for (int64_t n = 0; n < std::min(all, most); ++n) {
      size_t lane = all <= most ? n : run.random() % all;
      if (isActive(op, instance, lane)) {
        out.push_back(lane);
      }
    }
    for (int64_t lane = 0; lane < all && all > most; ++lane) {
      auto faults = [](auto &slack) { return slack.second < 0; };
      if (isActive(op, instance, lane) &&
          llvm::any_of(slacksOf(run, op, instance, lane), faults)) {
        out.push_back(lane);
        break;
      }
    }
    return out;
  }

  /// Whether an obligation is about two lanes of a scatter.
  static bool isOfTwo(const Vc &o) {
    return o.rule == Rule::ScatterLanes ||
           llvm::any_of(o.variables, [](const Variable &v) { return v.other; });
  }

  void checkLanes(Operation *op, const std::vector<const Vc *> &vc,
                  const exec::Instance &instance, Place place,
                  mlir::VectorType type) {
    std::vector<size_t> lanes = someLanes(op, instance, type);
    for (size_t lane : lanes) {
      goals.clear();
      place.lane = laneAt(type, lane);
      for (const Vc *o : vc) {
        if (!isOfTwo(*o) && !checkOne(*o, op, place)) {
          return;
        }
      }
      for (auto &slack : slacksOf(run, op, instance, lane)) {
        demand(op, slack, place);
      }
    }
    for (const Vc *o : vc) {
      if (isOfTwo(*o)) {
        checkTwoLanes(*o, mlir::cast<tile::ScatterOp>(op), instance, place,
                      type, lanes);
      }
    }
  }

  /// Of two lanes that meet all that is assumed is true, and of others it is
  /// said that they do not.
  void checkTwoLanes(const Vc &o, tile::ScatterOp op,
                     const exec::Instance &instance, Place place,
                     mlir::VectorType type, const std::vector<size_t> &lanes) {
    using Kind = proofs::Origin::Kind;
    // All of them may meet where few are looked at.
    std::map<std::vector<Wide>, size_t> first;
    bool meets = false;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
      std::vector<Wide> at;
      for (mlir::Value v : op.getIndices()) {
        at.push_back(instance.integer(v, lane).value_or(-1));
      }
      if (isActive(op, instance, lane)) {
        auto [it, isNew] = first.try_emplace(at, lane);
        if (!isNew && !meets) {
          meets = true;
          place.lane = laneAt(type, it->second);
          place.other = laneAt(type, lane);
          checkOne(o, op, place);
        }
      }
    }
    for (size_t i = 0; !meets && i + 1 < lanes.size(); ++i) {
      auto [low, high] = std::minmax(lanes[i], lanes[i + 1]);
      if (low == high) {
        continue;
      }
      place.lane = laneAt(type, low);
      place.other = laneAt(type, high);
      if (o.rule != Rule::ScatterLanes) {
        checkOne(o, op, place);
        continue;
      }
      Opinion opinion = ask(o, place);
      bool apart = false;
      llvm::erase_if(opinion.falseHypotheses, [&](size_t h) {
        bool region = o.obligation.hypotheses[h].origin.kind == Kind::Region;
        apart |= region;
        return region;
      });
      if (run.sound(o, opinion, &place) && !apart) {
        run.problem(o, "it speaks of lanes that meet, and they do not", &place);
      }
    }
  }

  Opinion ask(const Vc &o, const Place &place) {
    Environment env;
    for (const Variable &v : o.variables) {
      env.push_back(run.supply(v, &place));
    }
    ++run.report.instances;
    return run.ask(o, env, [&](const Variable &) { return &place; });
  }

  /// One of the goals there has the value that the rule asks about.
  void demand(Operation *op, const std::pair<Rule, Wide> &slack,
              const Place &place) {
    if (!llvm::is_contained(goals, slack)) {
      run.problem(std::string(ruleName(slack.first)) + " at " +
                  tile::locationText(op->getLoc()) + ", block " +
                  exec::tupleText(place.block) + ": no goal has the value " +
                  proofs::toString(slack.second));
    }
  }

  /// The obligations of a loop that speak of its own counter, at every one of
  /// its iterations.
  bool checkTrips(const Vc &o, Operation *op, const exec::Instance &instance,
                  Place place) {
    auto loop = mlir::cast<mlir::scf::ForOp>(op);
    auto low = instance.integer(loop.getLowerBound()),
         high = instance.integer(loop.getUpperBound()),
         step = instance.integer(loop.getStep());
    if (!low || !high || !step || *step < 1) {
      run.problem(o, "the bounds of the loop have no value", &place);
      return false;
    }
    constexpr int64_t most = 1 << 12;
    place.trips.push_back({op, 0});
    unsigned bits =
        loop.getInductionVar().getType().isIndex()
            ? run.run.indexWidth
            : loop.getInductionVar().getType().getIntOrFloatBitWidth();
    Wide max = (Wide(1) << (bits - 1)) - 1;
    for (int64_t t = 0; t < most && *low + *step * t < *high; ++t) {
      place.trips.back().second = t;
      if (!checkOne(o, op, place)) {
        return false;
      }
      demand(op, {Rule::LoopWidth, max - *low - *step * (t + 1)}, place);
    }
    return true;
  }

  /// True when the goal holds.
  bool checkOne(const Vc &o, Operation *op, const Place &place) {
    Opinion opinion = ask(o, place);
    if (!run.sound(o, opinion, &place)) {
      return false;
    }
    goals.push_back({o.rule, *opinion.slack});
    if (!opinion.goal()) {
      expected.try_emplace(Event{o.rule, op, place.block}, &o);
      // It says nothing about the run, so the next ones are looked at.
      return o.rule == Rule::LoadDefined;
    }
    return true;
  }

  /// A claim and a store for each lane of a scatter that gets through.
  void keepLanes(tile::ScatterOp op, const exec::Instance &instance,
                 const Place &place) {
    auto type = mlir::cast<mlir::VectorType>(op.getValue().getType());
    std::optional<exec::View> view = instance.view(op.getTensor());
    if (!view) {
      run.problem("a scatter to a view that is not there");
      return;
    }
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
      if (!isActive(op, instance, lane)) {
        continue;
      }
      Place p = place;
      p.view = *view;
      p.lane = laneAt(type, lane);
      for (auto [i, v] : llvm::enumerate(op.getIndices())) {
        Wide at = instance.integer(v, lane).value_or(-1);
        if (at < 0 || at >= view->extents[i]) {
          return; // the executor faults here
        }
        p.tile.push_back(1);
        p.low.push_back(at);
        p.high.push_back(at);
      }
      run.stores[op].push_back(p);
      sample(op, run.claims[op], std::move(p));
    }
  }

  void sample(Operation *op, std::vector<Place> &where, Place place) {
    size_t number = met[op]++;
    if (where.size() < run.options.maxClaims) {
      where.push_back(std::move(place));
    } else if (size_t i = run.random() % (number + 1); i < where.size()) {
      where[i] = std::move(place);
    }
  }

  void keep(tile::ClaimOp claim, std::vector<Place> &where,
            const exec::Instance &instance, Place place, bool sampled) {
    auto type = mlir::cast<tile::PartitionType>(claim.getPartition().getType());
    std::optional<exec::View> view =
        instance.view(tile::partitionOf(claim).getTensor());
    if (!view) {
      run.problem("a claim from a view that is not there");
      return;
    }
    const exec::Coord &extents = view->extents;
    place.view = *view;
    for (auto [i, v] : llvm::enumerate(claim.getIndices())) {
      std::optional<Wide> index = instance.integer(v);
      Wide size = std::max<int64_t>(type.getTile()[i], 1);
      if (!index || *index < 0 || *index * size >= extents[i]) {
        return; // the executor faults here
      }
      place.tile.push_back(size);
      place.low.push_back(*index * size);
      place.high.push_back(std::min<Wide>(*index * size + size, extents[i]) -
                           1);
    }
    if (sampled) {
      sample(claim, where, std::move(place));
    } else {
      where.push_back(std::move(place));
    }
  }
};
} // namespace

/// The launch: its facts hold when the executor admits it, its goals fail where
/// it does not.
static void sanitiseLaunch(SanitiserRun &run) {
  const exec::Result &r = run.report.result;
  auto faulted = [&](Rule rule) {
    return llvm::any_of(r.faults, [&](auto &f) { return f.rule == rule; });
  };
  bool stuck = faulted(Rule::ContractDivision) || faulted(Rule::LaunchGrid);
  auto launchOnly = [&](const Vc &o) {
    Environment env;
    for (const Variable &v : o.variables) {
      env.push_back(run.supply(v, nullptr));
    }
    return run.ask(o, env, [](const Variable &) { return nullptr; });
  };
  bool foretold = false;
  for (const Vc &o : run.generated.vcs) {
    Rule rule = o.rule;
    if (rule != Rule::ContractDivision && rule != Rule::LaunchGrid) {
      continue;
    }
    Opinion opinion = launchOnly(o);
    if (!r.contractError.empty() && !opinion.falseHypotheses.empty()) {
      return; // refused on both sides
    }
    if (!run.sound(o, opinion)) {
      return;
    }
    if (!opinion.goal()) {
      foretold = true;
      if (r.contractError.empty() && !faulted(rule)) {
        run.problem(o, "the goal is false, and the executor goes on");
      }
      break;
    }
  }
  if (stuck && !foretold) {
    run.problem("the executor faults where no goal is false: " +
                std::string(ruleName(r.faults[0].rule)) + ", " +
                r.faults[0].message);
  }
  if (stuck || !r.contractError.empty()) {
    return;
  }
  bool empty = llvm::is_contained(r.grid, 0);
  for (mlir::BlockArgument arg : run.kernel.getArguments()) {
    empty |= mlir::isa<tile::TileTensorType>(arg.getType()) &&
             llvm::is_contained(run.extents(arg.getArgNumber()), 0);
  }
  Opinion query = launchOnly(run.generated.satisfiable);
  if (!empty && !query.falseHypotheses.empty()) {
    Opinion only = query;
    only.slack = 0;
    run.sound(run.generated.satisfiable, only);
  }
}

/// The contents that the executor makes up for this run, or is given.
static std::map<unsigned, exec::Array>
contentsOf(tile::KernelOp kernel, const exec::Options &options) {
  std::map<unsigned, exec::Array> out;
  exec::LaunchCheck check =
      exec::checkLaunch(kernel, options.symbols, options.indexWidth);
  if (!check.launch) {
    return out;
  }
  exec::Contents all;
  all.arrays = options.inputs;
  auto nameOf = [&](unsigned tensor) {
    return kernel.getArgName(tensor).str();
  };
  for (const exec::Precondition &g : check.launch->givens) {
    auto list = options.contents.find(nameOf(g.tensor));
    if (list != options.contents.end()) {
      const exec::Layout &layout = *check.launch->tensors[g.tensor];
      all.arrays[list->first] = {layout.kind,
                                 {layout.extents.begin(), layout.extents.end()},
                                 {},
                                 list->second};
    }
  }
  exec::makeUpContents(kernel, *check.launch, options.seed, all);
  for (const exec::Precondition &g : check.launch->givens) {
    auto array = all.arrays.find(nameOf(g.tensor));
    if (array != all.arrays.end()) {
      out[g.tensor] = array->second;
    }
  }
  return out;
}

SanitiserReport sanitise(tile::KernelOp kernel,
                         const checker::Generated &generated,
                         exec::Options options,
                         const SanitiserOptions &limits) {
  SanitiserReport report;
  SanitiserRun run(kernel, generated, options, limits, report);
  run.contents = contentsOf(kernel, options);
  Watcher watcher(run);
  report.result = exec::run(kernel, options, &watcher);
  sanitiseLaunch(run);
  watcher.finish();
  const exec::Result &r = report.result;
  if (r.contractError.empty()) {
    sanitisePairs(run);
  }
  bool whole = llvm::all_of(r.faults,
                            [](auto &f) { return f.rule == Rule::OutCovered; });
  if (whole && r.contractError.empty() && !r.exhausted) {
    sanitiseCoverage(run);
  }
  return report;
}

} // namespace girih::fuzz
