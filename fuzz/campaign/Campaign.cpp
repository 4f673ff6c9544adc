// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Campaign.h"

#include "checker/search/SearchLibrary.h"
#include "fuzz/campaign/Forged.h"
#include "fuzz/campaign/Replay.h"
#include "fuzz/campaign/Workers.h"
#include "fuzz/generators/Contracts.h"
#include "fuzz/generators/Draw.h"
#include "fuzz/generators/FromMemory.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/sanitiser/BruteForce.h"
#include "fuzz/sanitiser/Sanitiser.h"
#include "ir/text/Reader.h"
#include "ir/types/Diagnose.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace girih::fuzz {

using checker::VerdictKind;

namespace {
enum class Sort { Safe, NearMiss, Random, Memory, Contract, Family };
} // namespace

/// An index of 8 bits leaves few launches: all of them, or many at random.
static void widen(Box &box, unsigned width) {
  for (auto &[name, values] : box.symbols) {
    int64_t top = int64_t(1) << ((40 * width + 63) / 64);
    if (llvm::any_of(values, [](int64_t v) { return v < 0; })) {
      continue;
    }
    values.clear();
    for (int64_t v = 0; v <= top; ++v) {
      values.push_back(v);
    }
  }
}

static std::string runSanitiser(const tile::KernelFile &file,
                                const Sample &sample, unsigned width) {
  tile::KernelOp kernel = file.kernel;
  checker::Generated g = checker::generate(kernel, {width});
  std::vector<std::string> missing = missingObligations(file, g);
  if (!missing.empty()) {
    return "no obligation for " + missing.front();
  }
  Draw d(sample.seed);
  for (size_t tries = 0, runs = 0; tries < 8 && runs < 3; ++tries) {
    exec::Options o;
    for (auto &[name, values] : sample.box.symbols) {
      o.symbols[name] = d.pick(values);
    }
    o.inputs = variedInputs(kernel, o.symbols, sample.seed + tries);
    o.indexWidth = width;
    o.values = false;
    o.seed = tries + 1;
    o.maxSteps = 20000;
    o.maxFaults = 1000;
    o.maxResultElements = 0;
    SanitiserReport r = sanitise(kernel, g, o);
    runs += r.result.contractError.empty();
    if (!r.problems.empty()) {
      return "sanitiser: " + r.problems.front();
    }
  }
  return "";
}

/// The rule of a refuted obligation that the solver finds to hold; or nothing.
static std::string bookedWrongly(const checker::Verdict &v,
                                 const search::Api &search) {
  for (size_t i = 0; i < v.findings.size(); ++i) {
    const proofs::Obligation &o = v.vcs[i].obligation;
    if (v.findings[i].status == checker::Status::Refuted &&
        search.crossCheck(o, 1) == search::Answer::Unsat) {
      return o.rule;
    }
  }
  return "";
}

/// Whether verdict and executor agree with an enumeration on the contract of a
/// kernel whose box decides.
static std::string tryContract(tile::KernelOp kernel, const Sample &sample,
                               const Box &box, unsigned width,
                               VerdictKind verdict) {
  bool canRun = isSatisfiable(kernel, box, width);
  if (verdict == VerdictKind::Verified && !canRun) {
    return "VERIFIED, but no launch meets the contract";
  }
  if (verdict == VerdictKind::Unsatisfiable && canRun) {
    return "UNSATISFIABLE, but a launch meets the contract";
  }
  if (verdict == VerdictKind::Unknown && canRun) {
    return "UNKNOWN, but a small launch meets the contract, or breaks a rule";
  }
  Draw d(sample.seed);
  for (size_t tries = 0; tries < 12; ++tries) {
    exec::Options o;
    for (auto &[name, values] : box.symbols) {
      o.symbols[name] = d.pick(values);
    }
    o.indexWidth = width;
    o.blocks.emplace(); // the launch alone
    exec::Result r = exec::run(kernel, o);
    bool isAdmitted = admits(kernel, o.symbols, width);
    if (r.contractError.empty() != isAdmitted) {
      return "the executor " +
             (isAdmitted ? "refuses a launch: " + r.contractError
                         : "runs a launch that the contract refuses: ") +
             text(o.symbols);
    }
  }
  return "";
}

/// The honest file of certificates of a kernel; nothing of one that cannot be
/// read.
static proofs::CertificateFile
certificatesOf(mlir::MLIRContext &context, const std::string &text,
               const checker::VerifyOptions &options) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto file = tile::readKernelText(context, text, "foreign.mlir", os);
  return file ? certificateFile(checker::verify(file->kernel, options))
              : proofs::CertificateFile();
}

Trial tryKernel(mlir::MLIRContext &context, const Sample &sample,
                unsigned width, const search::Api *search,
                const std::string &foreign) {
  Trial t;
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto file = tile::readKernelText(context, sample.text, "kernel.mlir", os);
  if (!file) {
    t.wrong = "unreadable: " + errors;
    return t;
  }
  checker::VerifyOptions options;
  options.width = {width};
  options.search = search;
  options.allFaults = false;
  options.steps /= 2; // few need more, and what nothing proves takes them all
  checker::Verdict verdict = checker::verify(file->kernel, options);
  t.verdict = verdict.kind;
  Box box = sample.box;
  if (width < 16) {
    widen(box, width);
  }
  BruteOptions brute;
  brute.width = width;
  brute.seed = sample.seed + 1;
  brute.maxLaunches = width < 16 ? 150 : 40;
  BruteResult run = bruteForce(file->kernel, box, brute);
  t.brokenInBox = run.broken.has_value();
  bool isSafe = sample.truth == Sample::Truth::Safe;
  if (run.broken && (isSafe || t.verdict == VerdictKind::Verified)) {
    t.wrong = std::string(isSafe ? "safe" : "VERIFIED") + ", but " +
              text(*run.broken);
  } else if (t.verdict == VerdictKind::Verified &&
             sample.truth == Sample::Truth::Unsafe) {
    t.wrong = "VERIFIED, but broken by construction: " + sample.mutation;
  } else if (t.verdict == VerdictKind::Refuted && isSafe) {
    t.wrong = "REFUTED, but safe by construction";
  } else if (t.verdict == VerdictKind::Refuted &&
             !replays(file->kernel, verdict.counterexamples.front(), width)) {
    t.wrong = "REFUTED by a launch that does not replay";
  } else if (t.verdict == VerdictKind::Unsatisfiable &&
             admitsWork(file->kernel, box, width)) {
    t.wrong = "UNSATISFIABLE, but a launch meets the contract";
  } else if (std::string rule = bookedWrongly(verdict, *search);
             !rule.empty()) {
    t.wrong = "REFUTED, booked on an obligation that holds, of " + rule;
  } else {
    t.wrong = runSanitiser(*file, {sample.seed, {}, {}, {}, box}, width);
  }
  if (t.wrong.empty() && sample.decides) {
    t.wrong = tryContract(file->kernel, sample, box, width, t.verdict);
  }
  // Seeds are numbered like jobs: a share that is a power of two would meet
  // kernels of one sort only.
  bool isTriedAgain = sample.seed % 17 == 3;
  if (t.wrong.empty() && (sample.decides || isTriedAgain)) {
    Draw d(sample.seed);
    bool isWrong = run.broken || sample.truth == Sample::Truth::Unsafe ||
                   (sample.decides && !isSatisfiable(file->kernel, box, width));
    t.wrong = tryForged(d, file->kernel, verdict, options, isWrong,
                        certificatesOf(context, foreign, options));
  }
  if (t.wrong.empty() && isTriedAgain) {
    t.wrong = tryAgain(file->kernel, verdict, options);
  }
  return t;
}

/// Families have jobs of their own, so that the others stay as they were.
static constexpr unsigned familyShift = 40;

static Sort sortOf(size_t job) {
  return job >> familyShift ? Sort::Family
         : job % 16 == 13   ? Sort::Contract
         : job % 4 < 2      ? Sort::Safe
         : job % 4 == 2     ? Sort::NearMiss
         : job % 16 == 11   ? Sort::Memory
                            : Sort::Random;
}

/// The kernel that a job is about, by its place among all.
static size_t placeOf(const CampaignOptions &options, size_t job) {
  job += options.first;
  return options.contracts ? job * 16 + 13
         : options.memory  ? job * 16 + 11
         : options.family  ? ((*options.family + 1) << familyShift) + job
                           : job;
}

static const Family &familyOf(size_t job) {
  return drawnFamilies()[(job >> familyShift) - 1];
}

/// Contracts and some families are tried at either width, random arithmetic at
/// 8 bits.
static unsigned widthOf(size_t job) {
  Sort sort = sortOf(job);
  bool isNarrow =
      sort == Sort::Random || (sort == Sort::Contract && job % 32 == 29) ||
      (sort == Sort::Family && familyOf(job).isNarrowToo && job % 2 == 1);
  return isNarrow ? 8 : 64;
}

static Sample sampleOf(uint64_t seed, size_t job) {
  uint64_t s = seed * 1000003 + job;
  switch (sortOf(job)) {
  case Sort::Safe:
    return safeKernel(s);
  case Sort::NearMiss: {
    size_t mistakes = mutationsOf(s).size();
    return mistakes ? nearMiss(s, s / 7 % mistakes) : safeKernel(s);
  }
  case Sort::Random:
    return job % 8 == 7    ? randomLanes(s)
           : job % 32 == 3 ? randomNibbles(s)
                           : randomIndices(s);
  case Sort::Memory: {
    size_t mistakes = memoryMistakes(s).size();
    return job % 32 == 11 ? fromMemory(s) : fromMemory(s, s / 7 % mistakes);
  }
  case Sort::Contract:
    return contractKernel(s, widthOf(job));
  case Sort::Family:
    return familyOf(job).draw(s);
  }
  return {};
}

/// Another kernel much like that of a job, whose certificates are tried there:
/// of one with a mistake the one without, which proves nearly the same.
static std::string foreignOf(uint64_t seed, size_t job) {
  uint64_t s = seed * 1000003 + job;
  switch (sortOf(job)) {
  case Sort::NearMiss:
    return safeKernel(s).text;
  case Sort::Memory:
    return fromMemory(s).text;
  default: // sorts come again after so many
    return sampleOf(seed, job + 32).text;
  }
}

/// A kernel that went wrong, with the reason above it.
static void save(const std::string &folder, const Sample &s,
                 const std::string &why) {
  if (folder.empty()) {
    return;
  }
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::ofstream file(folder + "/wrong-" + std::to_string(s.seed) + ".mlir");
  std::string comment = why;
  for (size_t at = 0; (at = comment.find('\n', at)) != std::string::npos;
       at += 4) {
    comment.replace(at, 1, "\n// ");
  }
  file << "// " << comment << "\n"
       << (s.mutation.empty() ? "" : "// mistake: " + s.mutation + "\n")
       << s.text;
}

/// `V0 12 why`: verdict, whether the box breaks it, milliseconds, what is
/// wrong.
static std::string lineOf(const Trial &t, std::clock_t spent) {
  std::string line(1, "VRUS"[static_cast<int>(t.verdict)]);
  line += t.brokenInBox ? "1 " : "0 ";
  line += std::to_string(spent * 1000 / CLOCKS_PER_SEC) + " ";
  for (char c : t.wrong) {
    line += c == '\n' ? ' ' : c;
  }
  return line;
}

static Job startJob(const CampaignOptions &options) {
  auto context = std::make_shared<std::unique_ptr<mlir::MLIRContext>>();
  auto uses = std::make_shared<size_t>(0);
  const search::Api *search = checker::openSearch();
  return [=](size_t job) {
    // Types are never freed while their context lives.
    if ((*uses)++ % 256 == 0) {
      *context = std::make_unique<mlir::MLIRContext>(
          mlir::MLIRContext::Threading::DISABLED);
    }
    job = placeOf(options, job);
    Sample sample = sampleOf(options.seed, job);
    unsigned width = widthOf(job);
    std::clock_t start = std::clock();
    Trial t = tryKernel(**context, sample, width, search,
                        foreignOf(options.seed, job));
    if (!t.wrong.empty()) {
      save(options.out, sample, t.wrong);
    }
    return lineOf(t, std::clock() - start);
  };
}

static void count(CampaignResult &r, const Sample &sample, Sort sort,
                  const std::string &line) {
  ++r.generated;
  bool verified = line[0] == 'V', refuted = line[0] == 'R';
  bool broken = line[1] == '1';
  size_t why = line.find(' ', 3) + 1;
  double seconds = std::stod(line.substr(3)) / 1000;
  r.processorSeconds += seconds;
  if (seconds > r.slowest) {
    r.slowest = seconds;
    r.slowestSeed = sample.seed;
  }
  if (line.size() > why) {
    ++r.wrong;
    r.problems.push_back(std::to_string(sample.seed) + ": " + line.substr(why));
  }
  if (sort == Sort::Contract) {
    ++r.contracts;
    r.contractsVerified += verified;
    r.contractsImpossible += line[0] == 'S';
  } else if (sort == Sort::Family) {
    ++r.family;
    r.familyVerified += verified;
    r.familyRefuted += refuted;
    r.familyBroken += broken;
    if (!verified && !refuted) {
      r.unproved.push_back(sample.seed);
    }
    if (sample.truth == Sample::Truth::Unsafe) {
      ++r.familyMistakes;
      r.familyMistakesRefuted += refuted;
      r.missed[sample.mutation] += !refuted;
    }
  } else if (sort == Sort::Random) {
    ++r.random;
    r.randomVerified += verified;
    r.randomRefuted += refuted;
  } else if (sort == Sort::Memory && sample.truth == Sample::Truth::Safe) {
    ++r.memorySafe;
    r.memoryVerified += verified;
  } else if (sort == Sort::Memory) {
    ++r.memoryMistakes;
    r.memoryRefuted += refuted;
    if (!refuted) {
      r.memoryMissed[sample.seed] = sample.mutation;
    }
  } else if (sample.truth == Sample::Truth::Safe) {
    ++r.safe;
    r.safeVerified += verified;
    if (!verified) {
      r.unproved.push_back(sample.seed);
    }
  } else {
    ++r.nearMisses;
    r.nearRefuted += refuted;
    r.nearBroken += broken;
    r.nearUnknown += !refuted && !verified;
    r.nearEquivalent += verified && !broken;
    if (broken && !refuted) {
      ++r.missed[sample.mutation];
    }
  }
}

CampaignResult runCampaign(const CampaignOptions &options) {
  auto start = std::chrono::steady_clock::now();
  CampaignResult r;
  WorkersResult w =
      runJobs(options.count, options.jobs, options.secondsPerKernel,
              [&] { return startJob(options); });
  for (size_t job = 0; job < options.count; ++job) {
    if (w.lines[job].size() >= 2) {
      size_t place = placeOf(options, job);
      count(r, sampleOf(options.seed, place), sortOf(place), w.lines[job]);
    }
  }
  // Now and then one is hard to find; a share of them means that contents are
  // not looked for.
  auto demandMost = [&](size_t refuted, size_t mistakes, const char *where) {
    size_t missed = mistakes - refuted;
    if (missed * 50 > mistakes + 50) {
      ++r.wrong;
      r.problems.push_back(std::to_string(missed) + " of " +
                           tile::counted(mistakes, "mistake", "mistakes") +
                           " in " + where + " not REFUTED");
    }
  };
  demandMost(r.memoryRefuted, r.memoryMistakes, "indices from memory");
  demandMost(r.familyMistakesRefuted, r.familyMistakes,
             "kernels of the family");
  for (const Death &d : w.deaths) {
    Sample s = sampleOf(options.seed, placeOf(options, d.job));
    std::string why =
        d.hung ? "takes too long" : "crash, signal " + std::to_string(d.signal);
    save(options.out, s, why);
    ++r.generated;
    ++r.wrong;
    r.problems.push_back(std::to_string(s.seed) + ": " + why);
  }
  if (!w.error.empty()) {
    ++r.wrong;
    r.problems.push_back(w.error);
  }
  r.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return r;
}

llvm::json::Object toJson(const CampaignResult &r) {
  auto number = [](size_t n) { return static_cast<int64_t>(n); };
  llvm::json::Object missed;
  for (auto &[name, n] : r.missed) {
    missed[name] = number(n);
  }
  llvm::json::Object memoryMissed;
  for (auto &[seed, name] : r.memoryMissed) {
    memoryMissed[std::to_string(seed)] = name;
  }
  llvm::json::Array unproved, problems;
  for (uint64_t seed : r.unproved) {
    unproved.push_back(std::to_string(seed));
  }
  for (const std::string &p : r.problems) {
    problems.push_back(p);
  }
  return llvm::json::Object{
      {"generated", number(r.generated)},
      {"safe", number(r.safe)},
      {"safeVerified", number(r.safeVerified)},
      {"safeVerifiedShare", r.share()},
      {"nearMisses", number(r.nearMisses)},
      {"nearRefuted", number(r.nearRefuted)},
      {"nearUnknown", number(r.nearUnknown)},
      {"nearBrokenInBox", number(r.nearBroken)},
      {"nearVerifiedAndEquivalent", number(r.nearEquivalent)},
      {"random", number(r.random)},
      {"randomVerified", number(r.randomVerified)},
      {"randomRefuted", number(r.randomRefuted)},
      {"memorySafe", number(r.memorySafe)},
      {"memoryVerified", number(r.memoryVerified)},
      {"memoryMistakes", number(r.memoryMistakes)},
      {"memoryRefuted", number(r.memoryRefuted)},
      {"memoryMissed", std::move(memoryMissed)},
      {"family", number(r.family)},
      {"familyVerified", number(r.familyVerified)},
      {"familyRefuted", number(r.familyRefuted)},
      {"familyBrokenInBox", number(r.familyBroken)},
      {"contracts", number(r.contracts)},
      {"contractsVerified", number(r.contractsVerified)},
      {"contractsImpossible", number(r.contractsImpossible)},
      {"wrong", number(r.wrong)},
      {"seconds", r.seconds},
      {"processorSeconds", r.processorSeconds},
      {"slowest", r.slowest},
      {"slowestSeed", std::to_string(r.slowestSeed)},
      {"missed", std::move(missed)},
      {"unproved", std::move(unproved)},
      {"problems", std::move(problems)},
  };
}

} // namespace girih::fuzz
