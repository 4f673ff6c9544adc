// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Verify.h"
#include "checker/decide/Blame.h"
#include "checker/decide/PackedStrides.h"
#include "checker/decide/Probe.h"
#include "checker/decide/Replay.h"

#include <atomic>
#include <thread>

using namespace girih::proofs;

namespace girih::checker {

const char *statusName(Status s) {
  switch (s) {
  case Status::Proved:
    return "proved";
  case Status::Refuted:
    return "refuted";
  case Status::Unknown:
    return "unknown";
  case Status::Blocked:
    return "blocked";
  }
  return "";
}

const char *verdictName(VerdictKind k) {
  switch (k) {
  case VerdictKind::Verified:
    return "VERIFIED";
  case VerdictKind::Refuted:
    return "REFUTED";
  case VerdictKind::Unknown:
    return "UNKNOWN";
  case VerdictKind::Unsatisfiable:
    return "UNSATISFIABLE";
  }
  return "";
}

std::string obligationHash(const Obligation &o) {
  return sha256(o.rule + " table " + std::to_string(definitionTableVersion) +
                "\n" + canonicalText(o));
}

/// What reading an obligation costs, and who reads it.
struct Reading {
  uint64_t fixed, times;
  bool solver;
};
static constexpr Reading bySearch = {200, 1, false},
                         bySolver = {8000, 10, true};

/// The stages over one kernel; the only maker of VerifiedKernel.
struct Verifier {
  tile::KernelOp kernel;
  const VerifyOptions &options;
  SealedText sealed{kernel}; ///< from before anything was made of the kernel
  exec::Runner runner{kernel};
  Verdict v = {};
  /// What went wrong when the model was run.
  std::optional<exec::Fault> modelFault = {};
  uint64_t steps = options.steps; ///< that are left, as the units are
  std::vector<char> spent = {}; ///< by obligation: its search ran out of steps
  /// What stored certificates may still cost, accepted or not.
  uint64_t storedWork = maxListWork;
  search::Lemmas lemmas = {}; ///< what its obligations have in common
  search::Units units = options.units;
  uint64_t readable = options.readable;
  bool wasRefutedByRun = false;     ///< at a small launch
  std::vector<Steered> missed = {}; ///< models whose replay shows no fault

  void prove();
  void judgeStored(size_t i);
  bool accept(size_t i, const Certificate &c, bool stored,
              uint64_t most = maxWork);
  std::vector<std::optional<size_t>> openBelow() const;
  std::vector<char> refutedBelow() const;
  bool read(const Obligation &o, const Reading &by);
  void searchCertificates(std::vector<size_t> batch,
                          const search::Budget &budget);
  std::vector<size_t> nextBatch(const std::vector<size_t> &rounds) const;
  void searchAll();
  void refute(size_t i);
  void book(Counterexample &c) const;
  bool take(std::vector<Counterexample> found);
  void tidyCounterexamples();
  bool isReported(const Vc &vc) const;
  bool isAbsurd(const Obligation &o, uint64_t most);
  void findModel(const Vc &query);
  bool meetsStored(llvm::function_ref<bool(const CandidateLaunch &)> meets);
  bool
  findModelBySearch(const Vc &query,
                    llvm::function_ref<bool(const CandidateLaunch &)> meets);
  void secondOpinion();
  void conclude();
  void seal();
  void reach(Stage stage) const {
    if (options.between) {
      options.between(stage, kernel);
    }
  }
};

static CheckResult ruling(const Obligation &o, const Certificate &c,
                          uint64_t most = maxWork) {
  std::vector<Fact> facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(Fact::atLeastZero(negatedGoal(o)));
  return refutes(std::move(facts), c, most);
}

/// Asks the judge, for this obligation alone; whether the earlier ones that it
/// rests on hold is asked once more over the whole list at the end.
bool Verifier::accept(size_t i, const Certificate &c, bool stored,
                      uint64_t most) {
  CheckResult r = ruling(v.vcs[i].obligation, c, most);
  storedWork -= stored ? r.work : 0;
  if (!r.accepted) {
    v.findings[i].reason = r.reason;
    return false;
  }
  v.findings[i].status = Status::Proved;
  v.findings[i].certificate = c;
  v.findings[i].stored = stored;
  v.findings[i].reason.clear();
  return true;
}

/// By obligation: the first that it rests on, at any remove, and that is not
/// proved.
std::vector<std::optional<size_t>> Verifier::openBelow() const {
  std::vector<std::optional<size_t>> open(v.vcs.size());
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    for (const Hypothesis &h : v.vcs[i].obligation.hypotheses) {
      if (h.origin.kind == Origin::Kind::Proved && !open[i]) {
        size_t j = h.origin.index;
        open[i] = v.findings[j].status == Status::Proved ? open[j] : j;
      }
    }
  }
  return open;
}

/// By obligation: whether it rests on one that is refuted, at any remove.
std::vector<char> Verifier::refutedBelow() const {
  std::vector<char> refuted(v.vcs.size(), false);
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    for (const Hypothesis &h : v.vcs[i].obligation.hypotheses) {
      if (h.origin.kind == Origin::Kind::Proved) {
        size_t j = h.origin.index;
        refuted[i] |= refuted[j] || v.findings[j].status == Status::Refuted;
      }
    }
  }
  return refuted;
}

/// How far a polynomial is from linear: the factors of its terms beyond the
/// first.
static uint64_t nonlinearity(const Poly &p) {
  uint64_t sum = 0;
  for (const Term &t : p.terms()) {
    sum += t.vars.empty() ? 0 : t.vars.size() - 1;
  }
  return sum;
}

/// Of an obligation that Z3 is asked about, and of its goal. A step of Z3's
/// nonlinear arithmetic may take seconds and count as a few units: it took 34 s
/// over a cube of seven terms, 58 s over a square of ten. The library and the
/// maps have up to 70, and goals up to 6.
static constexpr uint64_t maxNonlinearity = 256, maxOfGoal = 32;

/// Whether a search may still be given an obligation; counts it. Of
/// alternatives each is held against each, of facts a few.
bool Verifier::read(const Obligation &o, const Reading &by) {
  uint64_t count = o.hypotheses.size(), ways = 0;
  uint64_t ofGoal = nonlinearity(o.goal), far = ofGoal;
  for (const Hypothesis &h : o.hypotheses) {
    ways += !h.fact.atom();
    for (const std::vector<Atom> &branch : h.fact.branches) {
      for (const Atom &a : branch) {
        far += nonlinearity(a.poly);
      }
    }
  }
  uint64_t cost = by.fixed +
                  by.times * (count + by.times * count * count / 65536) +
                  ways * ways / 4;
  if (by.solver && (ofGoal > maxOfGoal || far > maxNonlinearity)) {
    return false;
  }
  bool enough = cost <= readable;
  readable -= enough ? cost : 0;
  return enough;
}

/// Searches for certificates of these obligations, on as many threads as are
/// asked for. Each has steps of its own, so that what is found does not depend
/// on who is faster.
void Verifier::searchCertificates(std::vector<size_t> batch,
                                  const search::Budget &most) {
  // In a first, short round most obligations fall without.
  static constexpr uint64_t shortSearch = 1000;
  llvm::erase_if(batch, [&](size_t i) {
    spent[i] = !read(v.vcs[i].obligation, bySearch);
    return spent[i] != 0;
  });
  // In their order, on one thread: what one has found the next one knows.
  search::Budget budget = most;
  if (most.pivots > shortSearch) {
    for (size_t i : batch) {
      budget.pivots = std::min(most.pivots, steps);
      steps -= std::min(steps, options.search->findLemmas(v.vcs[i].obligation,
                                                          budget, lemmas));
    }
  }
  budget.pivots = most.pivots;
  budget.lemmas = &lemmas;
  std::vector<std::optional<Certificate>> found(batch.size());
  std::vector<search::Stats> stats(batch.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t k; (k = next++) < batch.size();) {
      found[k] = options.search->findCertificate(v.vcs[batch[k]].obligation,
                                                 budget, &stats[k]);
    }
  };
  std::vector<std::thread> others;
  while (others.size() + 1 < std::min<size_t>(options.threads, batch.size())) {
    others.emplace_back(work);
  }
  work();
  for (std::thread &t : others) {
    t.join();
  }
  for (size_t k = 0; k < batch.size(); ++k) {
    steps -= std::min(steps, stats[k].pivots);
    spent[batch[k]] = stats[k].pivots >= budget.pivots;
    if (found[k]) {
      accept(batch[k], *found[k], false);
    }
  }
}

/// The obligation, and what a launch keeps besides.
static Obligation forModels(const Vc &vc) {
  Obligation o = vc.obligation;
  for (const Fact &f : vc.contents) {
    o.hypotheses.push_back({f, {Origin::Kind::Given, 0, 0, {}, ""}});
  }
  return o;
}

/// The same of packed tensors; nothing where no stride is a symbol of its own.
static std::optional<Obligation> forPackedModels(tile::KernelOp kernel,
                                                 const Vc &vc) {
  std::vector<Fact> packed = packedStrides(kernel, vc);
  if (packed.empty()) {
    return std::nullopt;
  }
  Obligation o = forModels(vc);
  for (Fact &f : packed) {
    o.hypotheses.push_back(
        {std::move(f), {Origin::Kind::Contract, 0, 0, {}, ""}});
  }
  return o;
}

/// Whether a counterexample breaks the same rule at the same place.
bool Verifier::isReported(const Vc &vc) const {
  return llvm::any_of(v.counterexamples, [&](const Counterexample &c) {
    const Vc &other = v.vcs[c.obligation];
    return other.rule == vc.rule && other.op == vc.op &&
           other.other == vc.other && other.tensor == vc.tensor;
  });
}

/// What a model of another fault may cost once a run has refuted the kernel,
/// unless it is a clash.
static constexpr uint64_t findBesides = 10'000;

/// Runs tell which rule is broken where; of the obligations there one is false.
void Verifier::book(Counterexample &c) const {
  std::vector<size_t> about;
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    if (v.findings[i].status == Status::Unknown && isAbout(c.fault, v.vcs[i])) {
      about.push_back(i);
    }
  }
  if (about.size() > 1) {
    c.obligation = blamed(c, v, about, options.search);
  }
}

/// Takes what runs have found, each for the obligation that it breaks; whether
/// there is a reason to go on.
bool Verifier::take(std::vector<Counterexample> found) {
  for (Counterexample &c : found) {
    book(c);
    v.findings[c.obligation].status = Status::Refuted;
    v.findings[c.obligation].reason = c.fault.message;
    v.counterexamples.push_back(std::move(c));
  }
  wasRefutedByRun |= !v.counterexamples.empty();
  return options.allFaults || v.counterexamples.empty();
}

/// What small launches may hide: numbers outgrow their width at large ones,
/// another fault may end a block before it meets its partner, and contents are
/// not what a run makes up.
static bool isForModels(const Vc &vc) {
  Rule rule = vc.rule;
  return rule == Rule::IndexWidth || rule == Rule::LoopWidth ||
         rule == Rule::ClaimDisjoint || vc.speaksOfContents();
}

void Verifier::refute(size_t i) {
  if (!options.models) {
    return;
  }
  if (isReported(v.vcs[i])) {
    v.findings[i].reason = "a launch breaks the same rule here";
    return;
  }
  if (wasRefutedByRun && !isForModels(v.vcs[i])) {
    v.findings[i].reason = "the kernel is refuted, and no small launch shows "
                           "a fault here";
    return;
  }
  // The solver takes its time to take in what it is asked.
  if (!read(v.vcs[i].obligation, bySolver)) {
    spent[i] = true;
    return;
  }
  uint64_t kept = 0; // for others
  if (wasRefutedByRun && v.vcs[i].rule != Rule::ClaimDisjoint) {
    kept = units.find - std::min(units.find, findBesides);
  }
  units.find -= kept;
  search::Model m;
  auto shows = [&](const Obligation &o) {
    if (options.search->findModel(o, minimisationOrder(v.vcs[i]), units, m) !=
        search::Answer::Sat) {
      return false;
    }
    v.findings[i].reason = "a model exists, but no run shows a fault";
    if (auto c = replay(runner, v.vcs[i], m, options.width)) {
      c->obligation = i;
      v.findings[i].status = Status::Refuted;
      v.findings[i].reason = c->fault.message;
      v.counterexamples.push_back(std::move(*c));
    } else {
      missed.push_back({launchOf(v.vcs[i], m), valuesOf(v.vcs[i], m)});
    }
    return v.findings[i].status == Status::Refuted;
  };
  std::optional<Obligation> packed = forPackedModels(kernel, v.vcs[i]);
  if (!packed || !shows(*packed)) {
    shows(forModels(v.vcs[i]));
  }
  units.find += kept;
}

void Verifier::judgeStored(size_t i) {
  Finding &f = v.findings[i];
  f.hash = obligationHash(v.vcs[i].obligation);
  f.reason = "no certificate";
  if (options.certificates) {
    auto it = options.certificates->byHash.find(f.hash);
    if (it != options.certificates->byHash.end()) {
      accept(i, it->second, true, std::min(maxWork, storedWork));
    }
  }
}

/// What is open and has been through fewest rounds, of what rests on nothing
/// open. At first only what is refuted is known to be.
std::vector<size_t>
Verifier::nextBatch(const std::vector<size_t> &rounds) const {
  std::vector<size_t> batch;
  std::vector<std::optional<size_t>> below = openBelow();
  std::vector<char> refuted = refutedBelow();
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    if (v.findings[i].status != Status::Unknown ||
        (!batch.empty() && rounds[i] > rounds[batch[0]]) || refuted[i] ||
        (rounds[i] > 0 && below[i])) {
      continue;
    }
    if (!batch.empty() && rounds[i] < rounds[batch[0]]) {
      batch.clear();
    }
    batch.push_back(i);
  }
  return batch;
}

/// A few runs, short searches for all, more runs, longer searches, models of
/// what is left, runs with contents that are as bad as they may be, long
/// searches. Most mistakes show where sizes are 0, 1 or 2,
/// most obligations fall at once, and a solver that has to find out that there
/// is no model is slower than a search of some thousand steps. A refuted kernel
/// stays refuted, whatever more could be proved of it: there is one short
/// search of its other obligations, and models of what runs do not show.
void Verifier::searchAll() {
  struct Round {
    uint64_t most;   ///< steps an obligation
    unsigned degree; ///< see search::Budget; 0: a model
    uint64_t first;  ///< likewise
  };
  static constexpr Round schedule[] = {{1000, 2, 2000},
                                       {10000, 2, 2000},
                                       {8000, 3, 8000},
                                       {0, 0, 0},
                                       {1 << 30, 3, 8000}};
  /// Of the executor, before the first search and after it.
  static constexpr uint64_t firstRuns = 1 << 16, moreRuns = 3 << 17;
  SmallestRuns runs(runner, options.width);
  bool all = options.allFaults;
  if (!take(runs.run(v, firstRuns, all))) {
    return;
  }
  std::vector<size_t> rounds(v.vcs.size(), 0);
  bool ran = wasRefutedByRun, steered = false;
  while (true) {
    std::vector<size_t> batch = nextBatch(rounds);
    size_t round = batch.empty() ? std::size(schedule) : rounds[batch[0]];
    if (round == std::size(schedule)) {
      return;
    }
    if (round > 0 && !ran) {
      ran = true;
      if (!take(runs.run(v, moreRuns, all))) {
        return;
      }
      continue;
    }
    if (round > 0 && schedule[round - 1].degree == 0 && !steered) {
      steered = true;
      if (options.models && v.counterexamples.empty() &&
          !take(runSteered(runner, v, options.width, missed, all))) {
        return;
      }
      continue;
    }
    search::Budget budget;
    budget.pivots = std::min(schedule[round].most, steps / batch.size());
    budget.degree = schedule[round].degree;
    budget.first = schedule[round].first;
    for (size_t i : batch) {
      ++rounds[i];
      if (budget.degree == 0) {
        refute(i);
        if (!options.allFaults && !v.counterexamples.empty()) {
          return;
        }
      }
    }
    if (budget.degree > 0 && (round == 0 || v.counterexamples.empty())) {
      searchCertificates(batch, budget);
    }
  }
}

/// In the order of the obligations; without what rests on another that is
/// refuted, and of two that show the same rule broken at the same place the one
/// with the smaller launch.
void Verifier::tidyCounterexamples() {
  std::vector<Counterexample> &all = v.counterexamples;
  std::vector<char> rests = refutedBelow();
  llvm::erase_if(all, [&](const Counterexample &c) {
    if (rests[c.obligation]) {
      v.findings[c.obligation].status = Status::Unknown;
    }
    return rests[c.obligation];
  });
  auto size = [](const Counterexample &c) {
    __int128 sum = 0;
    for (auto &[name, value] : c.symbols) {
      sum += value < 0 ? -__int128(value) : value;
    }
    return sum;
  };
  std::sort(all.begin(), all.end(), [&](auto &a, auto &b) {
    return std::pair(size(a), a.obligation) < std::pair(size(b), b.obligation);
  });
  std::set<std::pair<Rule, mlir::Operation *>> reported;
  llvm::erase_if(all, [&](const Counterexample &c) {
    return !reported.insert({c.fault.rule, c.fault.op}).second;
  });
  llvm::sort(all, [](auto &a, auto &b) { return a.obligation < b.obligation; });
}

void Verifier::prove() {
  spent.assign(v.vcs.size(), 0);
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    judgeStored(i);
  }
  if (options.search) {
    searchAll();
    tidyCounterexamples();
  }
  std::vector<std::optional<size_t>> below = openBelow();
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    Finding &f = v.findings[i];
    if (below[i] && f.status != Status::Refuted) {
      f.status = Status::Blocked;
      f.reason = "rests on obligation " + std::to_string(*below[i]);
    } else if (spent[i] && f.reason == "no certificate") {
      f.reason = "no certificate within the kernel's budget, which "
                 "--steps raises";
    }
  }
  if (options.search && v.counterexamples.empty()) {
    if (auto c = probe(runner, v, options.width)) {
      book(*c);
      v.findings[c->obligation].status = Status::Refuted;
      v.findings[c->obligation].reason = c->fault.message;
      v.counterexamples.push_back(std::move(*c));
    }
  }
}

/// Whether the judge agrees that the hypotheses contradict each other: the
/// solver's word is not enough to call a contract empty.
bool Verifier::isAbsurd(const Obligation &o, uint64_t most) {
  search::Budget budget;
  budget.pivots = std::min(steps, most);
  search::Stats stats;
  auto c = options.search->findCertificate(o, budget, &stats);
  steps -= std::min(steps, stats.pivots);
  return c && ruling(o, *c).accepted;
}

/// Of a file so many launches are tried: it has one a kernel, and lists of
/// kernels are short.
static constexpr size_t maxStoredModels = 16;

/// Launches that are tried where the solver has none.
static constexpr size_t maxTriedLaunches = 64, maxTriedChoices = 1 << 12;

/// The executor decides whether a launch meets the contract, a stored one as
/// well as one that was found. A file has no say in which launch is run where
/// one of the smallest will do; without a search it must name one.
void Verifier::findModel(const Vc &query) {
  std::string refusal;
  auto meets = [&](const CandidateLaunch &launch) {
    ModelRun run = tryModel(runner, launch, options.width);
    refusal = run.refusal;
    if (refusal.empty()) {
      v.model = launch.symbols;
      modelFault = modelFault ? modelFault : run.fault;
    }
    return refusal.empty();
  };
  bool met = llvm::any_of(smallLaunches(kernel), meets);
  if (!met || (!options.search && !kernel.getLaunchSymbols().empty())) {
    v.model.reset();
    met = meetsStored(meets) ||
          (!met && options.search && findModelBySearch(query, meets));
  }
  if (!met) {
    v.modelReason = v.kind == VerdictKind::Unsatisfiable
                        ? "no launch with every extent and the grid at least "
                          "1 meets the contract"
                    : refusal.empty()
                        ? "no launch that meets the contract is stored"
                        : "no launch that meets the contract was found; the "
                          "last one tried: " +
                              refusal;
  }
}

/// Whether a launch of the file meets the contract.
bool Verifier::meetsStored(
    llvm::function_ref<bool(const CandidateLaunch &)> meets) {
  std::set<std::vector<std::pair<std::string, int64_t>>> tried;
  for (const StoredModel &model : options.certificates
                                      ? options.certificates->models
                                      : std::vector<StoredModel>()) {
    std::optional<CandidateLaunch> launch = launchOf(kernel, model);
    if (launch && tried.size() < maxStoredModels &&
        tried.insert(launch->symbols).second && meets(*launch)) {
      return true;
    }
  }
  return false;
}

/// Asks first whether there is one at all: most contradictions are short. What
/// the facts about contents do not say, of elements that share memory, small
/// launches may show.
bool Verifier::findModelBySearch(
    const Vc &query, llvm::function_ref<bool(const CandidateLaunch &)> meets) {
  static constexpr uint64_t shortSearch = 1000, longSearch = 20'000;
  if (!read(query.obligation, bySolver)) {
    return false;
  }
  Obligation o = forModels(query);
  search::Model m;
  std::optional<Obligation> packed = forPackedModels(kernel, query);
  if (packed &&
      options.search->findModel(*packed, minimisationOrder(query), units, m) ==
          search::Answer::Sat &&
      meets(launchOf(query, m))) {
    return true;
  }
  search::Answer answer = search::Answer::Unknown;
  bool absurd = isAbsurd(o, shortSearch);
  if (!absurd) {
    answer = options.search->findModel(o, minimisationOrder(query), units, m);
    absurd = answer != search::Answer::Sat &&
             isAbsurd(o, answer == search::Answer::Unsat ? steps : longSearch);
  }
  if (absurd) {
    v.kind = VerdictKind::Unsatisfiable;
    return false;
  }
  if (answer == search::Answer::Sat && meets(launchOf(query, m))) {
    return true;
  }
  SmallLaunches launches(kernel, maxTriedChoices);
  for (size_t i = 0; i < maxTriedLaunches; ++i) {
    std::optional<CandidateLaunch> launch = launches.next();
    if (!launch) {
      break;
    }
    if (meets(*launch)) {
      return true;
    }
  }
  return false;
}

void Verifier::secondOpinion() {
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    Finding &f = v.findings[i];
    if (f.status == Status::Blocked) {
      continue;
    }
    f.secondOpinion = options.search->crossCheck(v.vcs[i].obligation, 1);
    bool proved = f.status == Status::Proved;
    if ((proved && f.secondOpinion == search::Answer::Sat) ||
        (f.status == Status::Refuted &&
         f.secondOpinion == search::Answer::Unsat)) {
      v.disagreements.push_back(i);
    }
  }
}

void Verifier::conclude() {
  if (v.kind == VerdictKind::Unsatisfiable) {
    return;
  }
  if (!v.counterexamples.empty()) {
    v.kind = VerdictKind::Refuted;
    return;
  }
  std::vector<Obligation> all;
  std::vector<const Certificate *> certificates;
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    all.push_back(std::move(v.vcs[i].obligation)); // back below: they are long
    certificates.push_back(
        v.findings[i].certificate ? &*v.findings[i].certificate : nullptr);
  }
  std::vector<CheckResult> rulings = judge(all, certificates);
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    v.vcs[i].obligation = std::move(all[i]);
  }
  bool proved = v.model.has_value();
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    if (!rulings[i].accepted && v.findings[i].status == Status::Proved) {
      v.findings[i].status = Status::Unknown;
      v.findings[i].reason = rulings[i].reason;
    }
    proved &= rulings[i].accepted;
  }
  if (proved && modelFault) {
    // Generator and executor contradict each other, or what is trusted is
    // false: never VERIFIED.
    std::string fault =
        modelFault->message + " [" + ruleName(modelFault->rule) + "]";
    v.modelReason = modelFault->rule == Rule::TrustHolds
                        ? "a launch that the contract admits breaks what is "
                          "trusted: " +
                              fault
                        : "every obligation is certified, yet the model of "
                          "the contract faults when it is run: " +
                              fault;
    return;
  }
  if (proved && v.disagreements.empty()) {
    seal();
  }
}

/// VERIFIED is said of the text from which all of it began.
void Verifier::seal() {
  reach(Stage::Judged);
  if (SealedText(kernel).digest != sealed.digest) {
    v.modelReason = "the kernel was changed while it was verified";
    return;
  }
  std::vector<JudgedObligation> judged;
  for (const Finding &f : v.findings) {
    judged.push_back({f.hash, *f.certificate});
  }
  v.kind = VerdictKind::Verified;
  v.verified = std::shared_ptr<const VerifiedKernel>(
      new VerifiedKernel(sealed, std::move(judged)));
}

Verdict verify(tile::KernelOp kernel, const VerifyOptions &options) {
  Verifier verifier{kernel, options};
  verifier.reach(Stage::Sealed);
  Generated g = generate(kernel, options.width, options.factUnits);
  verifier.v.factUnits = g.unitsLeft;
  verifier.reach(Stage::Generated);
  if (g.tooLarge) {
    verifier.v.tooLarge = std::move(g.tooLarge);
    verifier.v.optOuts = optOutsOf(kernel);
    return std::move(verifier.v);
  }
  verifier.v.vcs = std::move(g.vcs);
  verifier.v.findings.resize(verifier.v.vcs.size());
  verifier.v.witnesses = std::move(g.witnesses);
  verifier.v.optOuts = optOutsOf(kernel);
  verifier.findModel(g.satisfiable);
  if (verifier.v.kind != VerdictKind::Unsatisfiable) {
    verifier.prove();
    if (options.crossCheck && options.search) {
      verifier.secondOpinion();
    }
  }
  verifier.conclude();
  verifier.v.readable = verifier.readable;
  return std::move(verifier.v);
}

CertificateFile certificateFile(const Verdict &v) {
  CertificateFile f;
  if (v.model) {
    f.models.push_back(*v.model);
  }
  for (const Finding &x : v.findings) {
    if (x.certificate) {
      f.byHash.emplace(x.hash, *x.certificate);
    }
  }
  return f;
}

} // namespace girih::checker
