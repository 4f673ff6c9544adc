// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/GateRun.h"

#include "checker/search/SearchLibrary.h"
#include "fuzz/campaign/OperandFaults.h"
#include "fuzz/campaign/Workers.h"
#include "fuzz/generators/AtomicLanes.h"
#include "fuzz/generators/Draw.h"
#include "fuzz/generators/FromMemory.h"
#include "fuzz/generators/Generator.h"
#include "ir/text/Reader.h"
#include "lower/Readback.h"

#include <chrono>
#include <sstream>

namespace girih::fuzz {

/// All that an element type may be padded with, words and numbers.
static std::vector<std::string> padsOf(const std::string &element) {
  if (element == "f8E8M0FNU") {
    return {"zero", "1.0", "0.5", "4.0"};
  }
  if (element == "i4") {
    return {"zero", "0", "-1", "1", "7", "-8"};
  }
  if (element[0] == 'i') {
    return {"zero", "0", "-1", "1", "100", "-128"};
  }
  std::vector<std::string> pads = {"zero", "neg_zero", "0.0", "-0.0",
                                   "1.0",  "-0.5",     "6.0"};
  if (element != "f4E2M1FN") {
    pads.push_back("nan");
  }
  if (element != "f4E2M1FN" && element != "f8E4M3FN") {
    pads.insert(pads.end(), {"pos_inf", "neg_inf"});
  }
  return pads;
}

std::string paddedLoads(uint64_t seed) {
  Draw d(seed);
  std::string element = d.pick<std::string>(
      {"i8", "i16", "i32", "i32", "i64", "f16", "bf16", "f32", "f32", "f64",
       "f8E5M2", "f8E4M3FN", "f8E8M0FNU", "f4E2M1FN", "i4", "i4"});
  bool isPacked = element == "f4E2M1FN" || element == "i4";
  int64_t rows = d.pick({1, 4, 8}), columns = d.pick({2, 4, 16});
  std::string tile =
      "[" + std::to_string(rows) + ", " + std::to_string(columns) + "]";
  std::string vector =
      "vector<" + std::to_string(rows) + "x" + std::to_string(columns) + "x";
  std::string strides =
      isPacked
          ? ""
          : d.pick<std::string>({"", "", ", strides [0, 1]", ", strides [1, 0]",
                                 ", strides [ld, 1]", ", strides [ld, 1]"});
  bool named = strides.find("ld") != std::string::npos;
  bool sliced = strides.empty() && d.chance(40);
  std::string divides;
  for (auto [extent, by] : {std::pair("N", rows), std::pair("M", columns)}) {
    if (d.chance(20) || (isPacked && extent[0] == 'M')) {
      divides += (divides.empty() ? "" : ", ") +
                 ("mod(" + std::string(extent)) + ", " +
                 std::to_string(d.chance(50) ? by : 2) + ") == 0";
    }
  }
  std::vector<std::string> pads = padsOf(element);
  std::string of = "[N, M] x " + element, source = sliced ? "!V" : "!X";
  std::ostringstream text;
  text << "!X = !tile.tensor<" << of << ", shared" << strides << ">\n"
       << "!V = !tile.tensor<" << of << ", shared>\n"
       << "!C = !tile.tensor<" << of << ", out>\n"
       << "!PX = !tile.partition<" << tile << ", " << of << ", shared"
       << strides << ">\n"
       << "!PC = !tile.partition<" << tile << ", " << of << ", out>\n"
       << "!P = !tile.piece<" << tile << " x " << element << ", out>\n"
       << "tile.kernel @padded(%x: !X, %c: !C)"
       << (named ? " symbols [ld : index]" : "") << " grid [ceildiv(N, " << rows
       << "), ceildiv(M, " << columns << ")]"
       << (divides.empty() ? "" : " requires [" + divides + "]") << " {\n"
       << "  %i = tile.block_id 0\n  %j = tile.block_id 1\n";
  if (sliced) {
    text << "  %v = tile.view %x slice [0, 0] size [N, M] : !X\n";
  }
  text << "  %px = tile.partition " << (sliced ? "%v" : "%x") << " by " << tile
       << " : " << source << "\n"
       << "  %pc = tile.partition %c by " << tile << " : !C\n"
       << "  %o = tile.claim %pc[%i, %j] : !PC\n"
       << "  %a = tile.load %px[%i, %j] pad(" << d.pick(pads) << ") : !PX\n"
       << "  %b = tile.load %px[%i, %j] pad(" << d.pick(pads) << ") : !PX\n"
       << "  %in = tile.inside %px[%j, %i] : !PX\n"
       << "  %r = arith.select %in, %a, %b : " << vector << "i1>, " << vector
       << element << ">\n"
       << "  tile.store %r, %o : !P\n}\n";
  return text.str();
}

std::string paddedGather(uint64_t seed) {
  Draw d(seed);
  std::string element =
      d.pick<std::string>({"i8", "i16", "i32", "i64", "f16", "bf16", "f32",
                           "f64", "f8E5M2", "f8E4M3FN", "f8E8M0FNU"});
  bool chained = d.chance(50);
  std::vector<std::string> pads = padsOf(element);
  std::string lanes = std::to_string(d.pick({1, 4, 16, 32}));
  std::string v = "vector<" + lanes + "xindex>";
  std::string table = d.pick<std::string>({"i16", "i32", "i64"});
  std::ostringstream text;
  text << "!I = !tile.tensor<[N] x " << table << ", shared>\n"
       << "!E = !tile.tensor<[V] x " << element << ", shared>\n"
       << "!C = !tile.tensor<[" << lanes << "] x " << element << ", out>\n"
       << "!PC = !tile.partition<[" << lanes << "], [" << lanes << "] x "
       << element << ", out>\n"
       << "!P = !tile.piece<[" << lanes << "] x " << element << ", out>\n"
       << "tile.kernel @padded(%t: !I, %e: !E, %c: !C) grid [1]"
       << " requires [V >= 1] given [within(%t, 0, V)] {\n"
       << "  %c0 = arith.constant 0 : index\n"
       << "  %n = tile.symbol \"" << (chained ? "N" : "V") << "\" : index\n"
       << "  %lane = tile.iota 0 : " << v << "\n"
       << "  %nn = vector.broadcast %n : index to " << v << "\n"
       << "  %m = arith.cmpi slt, %lane, %nn : " << v << "\n";
  std::string mask = "vector<" + lanes + "xi1>", at = "%lane";
  if (chained) {
    text << "  %x = tile.gather %t[%lane], %m pad(zero) : !I, " << v << ", "
         << mask << "\n"
         << "  %i = arith.index_cast %x : vector<" << lanes << "x" << table
         << "> to " << v << "\n";
    at = "%i";
  }
  bool masked = !chained || d.chance(50);
  text << "  %g = tile.gather %e[" << at << "]"
       << (masked ? ", %m pad(" + d.pick(pads) + ")" : "") << " : !E, " << v
       << (masked ? ", " + mask : "") << "\n"
       << "  %pc = tile.partition %c by [" << lanes << "] : !C\n"
       << "  %o = tile.claim %pc[%c0] : !PC\n"
       << "  tile.store %g, %o : !P\n}\n";
  return text.str();
}

static std::string textOf(uint64_t seed, size_t job) {
  uint64_t s = seed * 1000003 + job;
  switch (job % 6) {
  case 0:
    return paddedGather(s);
  case 1:
    return fromMemory(s).text;
  case 2:
    return randomLanes(s).text;
  case 3:
    return paddedLoads(s);
  case 4:
    return (job % 12 == 4 ? randomMasks(s) : whiles(s)).text;
  default:
    return (job % 8 == 7 ? atomicLanes(s) : safeKernel(s)).text;
  }
}

namespace {
struct Trial {
  bool lowered = false;
  size_t planted = 0, harmless = 0;
  std::string wrong;
};
} // namespace

static Trial tryGate(mlir::MLIRContext &context, const std::string &text,
                     uint64_t seed, size_t faults, const search::Api *search) {
  Trial t;
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto file = tile::readKernelText(context, text, "kernel.mlir", os);
  if (!file) {
    t.wrong = "unreadable: " + errors;
    return t;
  }
  checker::VerifyOptions options;
  options.search = search;
  options.allFaults = false;
  options.steps /= 4; // what nothing proves is of no use here
  options.models = false;
  checker::Verdict verdict = checker::verify(file->kernel, options);
  if (!verdict.verified) {
    return t;
  }
  auto made = tileir::lower(*verdict.verified);
  if (std::holds_alternative<std::string>(made)) {
    return t; // no form in Tile IR
  }
  t.lowered = true;
  const auto &lowered = std::get<tileir::Lowered>(made);
  if (auto why = lower::readBack(*verdict.verified, lowered,
                                 tileir::writeBytecode(lowered.module))) {
    t.wrong = *why;
    return t;
  }
  auto opened = lower::Gate::open(*verdict.verified);
  if (auto *why = std::get_if<std::string>(&opened)) {
    t.wrong = *why;
    return t;
  }
  const auto &gate = std::get<lower::Gate>(opened);
  auto each = [&](auto choose, auto visit) {
    for (size_t f = 0; f < lowered.module.functions.size(); ++f) {
      forEachOperandFault(
          lowered.module, f, choose,
          [&](const OperandFault &fault, const tileir::Module &broken) {
            visit(fault, broken, f);
          });
    }
  };
  size_t all = 0;
  each([&](const OperandFault &) { return ++all, false; },
       [](const OperandFault &, const tileir::Module &, size_t) {});
  Draw d(seed);
  each(
      [&](const OperandFault &) {
        return d.below(static_cast<int64_t>(all)) <
               static_cast<int64_t>(faults);
      },
      [&](const OperandFault &fault, const tileir::Module &broken, size_t f) {
        ++t.planted;
        if (gate.differs(lowered, tileir::writeBytecode(broken))) {
          return;
        }
        if (whyHarmless(fault, text, broken.functions[f])) {
          ++t.harmless;
        } else if (t.wrong.empty()) {
          t.wrong = "the gate does not see " + fault.text();
        }
      });
  return t;
}

static Job startJob(const GateOptions &options) {
  auto context = std::make_shared<std::unique_ptr<mlir::MLIRContext>>();
  auto uses = std::make_shared<size_t>(0);
  const search::Api *search = checker::openSearch();
  return [=](size_t job) {
    // Types are never freed while their context lives.
    if ((*uses)++ % 256 == 0) {
      *context = std::make_unique<mlir::MLIRContext>(
          mlir::MLIRContext::Threading::DISABLED);
    }
    Trial t = tryGate(**context, textOf(options.seed, job), options.seed + job,
                      options.faults, search);
    std::string line = std::to_string(t.lowered) + " " +
                       std::to_string(t.planted) + " " +
                       std::to_string(t.harmless) + " ";
    for (char c : t.wrong) {
      line += c == '\n' ? ' ' : c;
    }
    return line;
  };
}

GateResult runGate(const GateOptions &options) {
  auto start = std::chrono::steady_clock::now();
  GateResult r;
  WorkersResult w =
      runJobs(options.count, options.jobs, options.secondsPerKernel,
              [&] { return startJob(options); });
  auto problem = [&](size_t job, const std::string &why) {
    ++r.wrong;
    r.problems.push_back("seed " + std::to_string(options.seed) + ", kernel " +
                         std::to_string(job) + ": " + why);
  };
  for (size_t job = 0; job < options.count; ++job) {
    std::istringstream line(w.lines[job]);
    size_t lowered = 0, planted = 0, harmless = 0;
    if (!(line >> lowered >> planted >> harmless)) {
      continue; // it died
    }
    ++r.kernels;
    r.lowered += lowered;
    r.planted += planted;
    r.harmless += harmless;
    std::string why;
    std::getline(line >> std::ws, why);
    if (!why.empty()) {
      problem(job, why);
    }
  }
  for (const Death &d : w.deaths) {
    problem(d.job, d.hung ? "takes too long"
                          : "crash, signal " + std::to_string(d.signal));
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

llvm::json::Object toJson(const GateResult &r) {
  llvm::json::Array problems;
  for (const std::string &p : r.problems) {
    problems.push_back(p);
  }
  auto number = [](size_t n) { return static_cast<int64_t>(n); };
  return llvm::json::Object{
      {"kernels", number(r.kernels)},   {"lowered", number(r.lowered)},
      {"planted", number(r.planted)},   {"harmless", number(r.harmless)},
      {"wrong", number(r.wrong)},       {"seconds", r.seconds},
      {"problems", std::move(problems)}};
}

} // namespace girih::fuzz
