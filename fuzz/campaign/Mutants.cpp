// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Mutants.h"

#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "fuzz/campaign/Replay.h"
#include "fuzz/campaign/Workers.h"
#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Mutate.h"
#include "fuzz/sanitiser/BruteForce.h"
#include "ir/text/Reader.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace girih::fuzz {

using checker::VerdictKind;

namespace {
struct Case {
  std::string kernel, original;
  Mutant mutant;
};

/// How a mutant ended, as a letter, and why when that needs saying.
struct End {
  char what = 'W';
  std::string why;
};
} // namespace

/// Whether two results can be results of one computation.
static bool agree(const exec::Array &a, const exec::Array &b,
                  const std::optional<exec::Array> &boundA,
                  const std::optional<exec::Array> &boundB) {
  if (a.shape != b.shape || a.kind != b.kind || a.ints != b.ints) {
    return false;
  }
  for (size_t i = 0; i < a.floats.size(); ++i) {
    double x = a.floats[i], y = b.floats[i];
    double bound =
        (boundA ? boundA->floats[i] : 0) + (boundB ? boundB->floats[i] : 0);
    bool same =
        x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= bound;
    if (!same) {
      return false;
    }
  }
  return true;
}

/// Whether both kernels compute the same on some launches of the box; a launch
/// that one of them refuses says nothing.
static bool sameOutputs(tile::KernelOp a, tile::KernelOp b, const Box &box,
                        uint64_t seed) {
  Draw d(seed);
  for (int tries = 0, runs = 0; tries < 200 && runs < 12; ++tries) {
    exec::Options o;
    for (const auto &[name, values] : box.symbols) {
      o.symbols[name] = d.pick(values);
    }
    o.inputs = variedInputs(a, o.symbols, seed + tries);
    o.maxSteps = 1 << 22;
    o.maxResultElements = 1 << 16;
    exec::Result x = exec::run(a, o), y = exec::run(b, o);
    if (!x.clean() || !y.clean()) {
      continue;
    }
    ++runs;
    for (size_t t = 0; t < x.tensors.size() && t < y.tensors.size(); ++t) {
      if (x.tensors[t] && y.tensors[t] &&
          !agree(*x.tensors[t], *y.tensors[t], x.bounds[t], y.bounds[t])) {
        return false;
      }
    }
  }
  return true;
}

static End judge(tile::KernelOp mutant, tile::KernelOp original,
                 const search::Api *search) {
  checker::VerifyOptions options;
  options.search = search;
  options.allFaults = false;
  checker::Verdict verdict = checker::verify(mutant, options);
  if (verdict.kind == VerdictKind::Unsatisfiable) {
    return {'I', "no launch meets the contract"};
  }
  if (verdict.kind == VerdictKind::Refuted) {
    return replays(mutant, verdict.counterexamples.front(), options.width.bits)
               ? End{'K', ""}
               : End{'W', "REFUTED by a launch that does not replay"};
  }
  Box box = boxOf(mutant);
  BruteOptions brute;
  brute.maxLaunches = 40;
  BruteResult run = bruteForce(mutant, box, brute);
  if (verdict.kind == VerdictKind::Unknown) {
    return {'U', run.broken ? "broken: " + text(*run.broken) : ""};
  }
  if (run.broken) {
    return {'W', "VERIFIED, but " + text(*run.broken)};
  }
  return {sameOutputs(mutant, original, box, 1) ? 'E' : 'D', ""};
}

/// Of several kernels the end that says most: of the file.
static End judge(mlir::MLIRContext &context, const Case &c,
                 const search::Api *search) {
  static constexpr llvm::StringLiteral order = "WKIUDE";
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto files = tile::readKernelTexts(context, c.mutant.text, "mutant.mlir", os);
  if (files.empty()) {
    return {'I', errors};
  }
  auto originals =
      tile::readKernelTexts(context, c.original, "kernel.mlir", os);
  End worst{'E', ""};
  for (auto [file, original] : llvm::zip_equal(files, originals)) {
    End end = judge(file->kernel, original->kernel, search);
    if (order.find(end.what) < order.find(worst.what)) {
      worst = std::move(end);
    }
  }
  return worst;
}

static std::vector<Case>
casesOf(const std::vector<std::pair<std::string, std::string>> &kernels,
        const MutantOptions &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::vector<Case> cases;
  for (const auto &[path, text] : kernels) {
    for (Mutant &m : mutantsOf(context, text)) {
      cases.push_back({path, text, std::move(m)});
    }
  }
  // A sample without a pattern: the first ones of a random order.
  Draw d(options.seed);
  for (size_t i = 0; i + 1 < cases.size(); ++i) {
    std::swap(cases[i], cases[i + d.below(std::ssize(cases) - i)]);
  }
  if (options.count != 0 && cases.size() > options.count) {
    cases.resize(options.count);
  }
  return cases;
}

static Job startJob(const std::vector<Case> &cases) {
  auto context = std::make_shared<std::unique_ptr<mlir::MLIRContext>>();
  auto uses = std::make_shared<size_t>(0);
  const search::Api *search = checker::openSearch();
  return [=, &cases](size_t job) {
    // Types are never freed while their context lives.
    if ((*uses)++ % 256 == 0) {
      *context = std::make_unique<mlir::MLIRContext>(
          mlir::MLIRContext::Threading::DISABLED);
    }
    End end = judge(**context, cases[job], search);
    std::string line = end.what + end.why;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
  };
}

static size_t &slot(MutantCount &c, char what) {
  switch (what) {
  case 'I':
    return c.refused;
  case 'K':
    return c.killed;
  case 'U':
    return c.unknown;
  case 'E':
    return c.equivalent;
  case 'D':
    return c.different;
  default:
    return c.wrong;
  }
}

/// A mutant that needs a look, with the reason above it.
static void save(const std::string &folder, size_t job, const Case &c,
                 const std::string &line) {
  if (folder.empty()) {
    return;
  }
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::ofstream(folder + "/" + line[0] + std::to_string(job) + ".mlir")
      << "// " << c.kernel << ": " << c.mutant.kind << ", " << c.mutant.place
      << "\n// " << line.substr(1) << "\n"
      << c.mutant.text;
}

MutantResult
runMutants(const std::vector<std::pair<std::string, std::string>> &kernels,
           const MutantOptions &options) {
  auto start = std::chrono::steady_clock::now();
  MutantResult r;
  std::vector<Case> cases = casesOf(kernels, options);
  WorkersResult w =
      runJobs(cases.size(), options.jobs, options.secondsPerMutant,
              [&] { return startJob(cases); });
  for (const Death &d : w.deaths) {
    w.lines[d.job] = d.hung ? "Wtakes too long"
                            : "Wcrash, signal " + std::to_string(d.signal);
  }
  for (size_t job = 0; job < cases.size(); ++job) {
    const Case &c = cases[job];
    const std::string &line = w.lines[job];
    if (line.empty()) {
      continue; // not begun
    }
    ++slot(r.all, line[0]);
    ++slot(r.kinds[c.mutant.kind], line[0]);
    std::string text = c.kernel + ": " + c.mutant.kind + ", " + c.mutant.place +
                       (line.size() > 1 ? ": " : "") + line.substr(1);
    if (line[0] == 'U') {
      r.unknown.push_back(text);
    } else if (line[0] == 'W') {
      r.problems.push_back(text);
    }
    if (line[0] == 'U' || line[0] == 'W') {
      save(options.out, job, c, line);
    }
  }
  if (!w.error.empty()) {
    ++r.all.wrong;
    r.problems.push_back(w.error);
  }
  r.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return r;
}

static llvm::json::Object toJson(const MutantCount &c) {
  auto number = [](size_t n) { return static_cast<int64_t>(n); };
  return llvm::json::Object{
      {"refused", number(c.refused)},     {"killed", number(c.killed)},
      {"unknown", number(c.unknown)},     {"equivalent", number(c.equivalent)},
      {"different", number(c.different)}, {"wrong", number(c.wrong)}};
}

llvm::json::Object toJson(const MutantResult &r) {
  llvm::json::Object out = toJson(r.all), kinds;
  for (const auto &[kind, n] : r.kinds) {
    kinds[kind] = toJson(n);
  }
  out["judged"] = static_cast<int64_t>(r.judged());
  out["kinds"] = std::move(kinds);
  out["seconds"] = r.seconds;
  out["unknownOnes"] = llvm::json::Array(r.unknown);
  out["problems"] = llvm::json::Array(r.problems);
  return out;
}

} // namespace girih::fuzz
