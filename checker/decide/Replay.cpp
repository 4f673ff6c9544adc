// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Replay.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace girih::proofs;

namespace girih::checker {

std::vector<Var> minimisationOrder(const Vc &vc) {
  using K = Variable::Kind;
  std::vector<Var> order;
  for (K kind :
       {K::Symbol, K::BlockId, K::Trip, K::Lane, K::Element, K::InView}) {
    for (Var v = 0; v < vc.variables.size(); ++v) {
      if (vc.variables[v].kind == kind) {
        order.push_back(v);
      }
    }
  }
  return order;
}

CandidateLaunch launchOf(const Vc &vc, const search::Model &model) {
  CandidateLaunch launch;
  std::map<unsigned, std::map<unsigned, int64_t>> blocks; // copy, axis
  for (Var v = 0; v < vc.variables.size(); ++v) {
    const Variable &x = vc.variables[v];
    auto value = static_cast<int64_t>(model.values[v]);
    if (x.kind == Variable::Kind::Symbol) {
      launch.symbols.push_back({x.name, value});
    } else if (x.kind == Variable::Kind::BlockId) {
      blocks[x.copy][x.axis] = value;
    }
  }
  for (auto &[copy, ids] : blocks) {
    launch.blocks.emplace_back();
    for (auto &[axis, id] : ids) {
      launch.blocks.back().push_back(id);
    }
  }
  return launch;
}

std::vector<int64_t> valuesOf(const Vc &vc, const search::Model &model) {
  std::set<int64_t> out;
  for (Var v = 0; v < vc.variables.size(); ++v) {
    Int x = model.values[v];
    if (vc.variables[v].kind == Variable::Kind::Value &&
        x == static_cast<int64_t>(x)) {
      out.insert(static_cast<int64_t>(x));
    }
  }
  return {out.begin(), out.end()};
}

std::optional<CandidateLaunch>
launchOf(tile::KernelOp kernel,
         const std::vector<std::pair<std::string, int64_t>> &stored) {
  CandidateLaunch launch;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    auto it = llvm::find_if(
        stored, [&](auto &p) { return p.first == s.name.getValue(); });
    if (it == stored.end()) {
      return std::nullopt;
    }
    launch.symbols.push_back(*it);
  }
  return launch;
}

std::vector<CandidateLaunch> smallLaunches(tile::KernelOp kernel) {
  llvm::DenseSet<mlir::Attribute> extents;
  for (mlir::Type t : kernel.getBody()->getArgumentTypes()) {
    if (auto type = mlir::dyn_cast<tile::TileTensorType>(t)) {
      extents.insert(type.getDims().begin(), type.getDims().end());
    }
  }
  std::vector<CandidateLaunch> out(2);
  for (int64_t other : {0, 1}) {
    for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
      out[other].symbols.push_back(
          {s.name.getValue().str(), extents.count(s.name) ? 1 : other});
    }
  }
  return out;
}

static exec::Options optionsOf(const CandidateLaunch &launch, Width width) {
  exec::Options o;
  o.symbols.insert(launch.symbols.begin(), launch.symbols.end());
  o.contents = launch.contents;
  o.indexWidth = width.bits;
  o.values = false;
  o.maxSteps = replaySteps;
  o.maxFaults = 8;
  o.maxResultElements = 0; // nobody looks at them
  return o;
}

/// The first extent or grid dimension that is empty; or nothing.
static std::string emptiness(tile::KernelOp kernel,
                             const CandidateLaunch &launch,
                             const exec::Result &r) {
  for (mlir::Type t : kernel.getBody()->getArgumentTypes()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(t);
    if (!type) {
      continue;
    }
    for (mlir::Attribute d : type.getDims()) {
      auto constant = mlir::dyn_cast<mlir::IntegerAttr>(d);
      if (constant && constant.getValue().isZero()) {
        return "a tensor has no elements";
      }
      auto name = mlir::dyn_cast<mlir::StringAttr>(d);
      auto it = llvm::find_if(launch.symbols, [&](auto &p) {
        return name && p.first == name.getValue();
      });
      if (it != launch.symbols.end() && it->second < 1) {
        return it->first + " is 0";
      }
    }
  }
  return llvm::any_of(r.grid, [](int64_t g) { return g < 1; })
             ? "the grid is empty"
             : "";
}

/// Whether a value may come from memory, told from the text.
static bool mayBeLoaded(mlir::Value value) {
  llvm::SetVector<mlir::Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    mlir::Operation *op = seen[i].getDefiningOp();
    if (!op || op->getNumRegions() != 0 || mlir::isa<tile::LoadOp>(op)) {
      return true;
    }
    for (mlir::Value operand : op->getOperands()) {
      if (operand.getType().isIntOrIndex()) {
        seen.insert(operand);
      }
    }
  }
  return false;
}

/// What a kernel trusts of its inputs need not hold of made up ones.
static bool isExcused(const exec::Fault &f) {
  auto trust = mlir::dyn_cast_or_null<tile::TrustOp>(f.op);
  return trust && mayBeLoaded(trust.getCondition());
}

/// So many steps without a fault count as a block that ran.
static constexpr uint64_t blockSteps = 1 << 16;

ModelRun tryModel(exec::Runner &runner, const CandidateLaunch &launch,
                  Width width) {
  exec::Result r = runner.run(optionsOf(launch, width));
  std::string refusal = r.contractError.empty()
                            ? emptiness(runner.kernel(), launch, r)
                            : r.contractError;
  if (refusal.empty() && r.faults.empty() && r.ended == 0 &&
      r.steps < blockSteps) {
    refusal = "no block can be run";
  }
  if (!refusal.empty()) {
    return {refusal, std::nullopt};
  }
  if (r.faults.empty() || isExcused(r.faults[0])) {
    return {};
  }
  return {"", std::move(r.faults[0])};
}

/// The fault that the obligation is about, else the first.
static const exec::Fault *pick(const exec::Result &r, const Vc &vc) {
  for (const exec::Fault &f : r.faults) {
    if (f.rule == vc.rule && (!vc.op || f.op == vc.op)) {
      return &f;
    }
  }
  for (const exec::Fault &f : r.faults) {
    if (f.rule == vc.rule) {
      return &f;
    }
  }
  return r.faults.empty() ? nullptr : &r.faults.front();
}

static Counterexample counterexample(exec::Runner &runner,
                                     const CandidateLaunch &launch,
                                     exec::Options options,
                                     const exec::Result &r,
                                     const exec::Fault &fault) {
  Counterexample c;
  c.symbols = launch.symbols;
  c.grid = r.grid;
  c.contents = options.contents;
  c.blocks = options.blocks;
  c.fault = fault;
  // Floats cost steps and memory; where they do not fit, tile-exec is told to
  // leave them out as well.
  options.values = true;
  options.maxFaults = 1;
  c.values = !runner.run(options).faults.empty();
  return c;
}

std::optional<Counterexample> tryLaunch(exec::Runner &runner,
                                        const CandidateLaunch &launch,
                                        Width width, uint64_t &steps) {
  exec::Options options = optionsOf(launch, width);
  options.maxSteps = std::min(steps, replaySteps);
  exec::Result r = runner.run(options);
  steps -= std::min(steps, r.steps);
  if (!r.contractError.empty() || r.faults.empty()) {
    return std::nullopt;
  }
  return counterexample(runner, launch, options, r, r.faults.front());
}

std::optional<Counterexample> replay(exec::Runner &runner, const Vc &vc,
                                     const search::Model &model, Width width) {
  CandidateLaunch launch = launchOf(vc, model);
  launch.contents = contentsOf(runner.kernel(), vc, model, launch, width);
  exec::Options options = optionsOf(launch, width);
  exec::Result r = runner.run(options);
  const exec::Fault *fault = pick(r, vc);
  if (!fault && r.exhausted && !launch.blocks.empty()) {
    // The order in which two blocks run is free: show either.
    options.blocks = launch.blocks;
    r = runner.run(options);
    fault = pick(r, vc);
  }
  if (!fault || !r.contractError.empty()) {
    return std::nullopt;
  }
  return counterexample(runner, launch, options, r, *fault);
}

/// A path as one word of a shell.
static std::string shellWord(llvm::StringRef path) {
  bool plain = llvm::all_of(path, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_-./+,:@%=").contains(c);
  });
  // A leading dash would be an option.
  std::string word = (path.starts_with("-") ? "./" : "") + path.str();
  if (plain) {
    return word;
  }
  std::string quoted = "'";
  for (char c : word) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + "'";
}

/// `0,3*4`: a 0 and four times 3.
static std::string runs(llvm::ArrayRef<int64_t> numbers) {
  std::string out;
  for (size_t i = 0, next = 0; i < numbers.size(); i = next) {
    while (next < numbers.size() && numbers[next] == numbers[i]) {
      ++next;
    }
    out += (i ? "," : "") + std::to_string(numbers[i]) +
           (next - i > 1 ? "*" + std::to_string(next - i) : "");
  }
  return out;
}

std::string replayCommand(const Counterexample &c, const tile::KernelFile &file,
                          llvm::StringRef path, Width width) {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << "tile-exec " << shellWord(path);
  if (!file.list.empty()) {
    os << " --variant " << tile::KernelOp(file.kernel).getSymName();
  }
  llvm::ListSeparator comma(",");
  for (auto &[name, value] : c.symbols) {
    os << (&name == &c.symbols.front().first ? " --set " : "") << comma << name
       << "=" << value;
  }
  for (auto &[name, numbers] : c.contents) {
    os << " --contents \"" << name << "=" << runs(numbers) << "\"";
  }
  if (c.blocks) {
    os << " --blocks \"";
    llvm::ListSeparator semicolon(";");
    for (const std::vector<int64_t> &b : *c.blocks) {
      os << semicolon << exec::tupleText(b);
    }
    os << "\"";
  }
  if (width.bits != 64) {
    os << " --index-width=" << width.bits;
  }
  if (!c.values) {
    os << " --no-values";
  }
  return out;
}

} // namespace girih::checker
