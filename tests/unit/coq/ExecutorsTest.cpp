// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executors against each other: the reference one, the semantics extracted
// from Coq, and brute force over interleavings. Launches of the kernels of the
// repository and of random ones end alike and leave the same in memory.

#include "fuzz/generators/Generator.h"
#include "fuzz/sanitiser/BruteForce.h"
#include "ir/text/Reader.h"
#include "spec/coq/KernelPrinter.h"
#include "spec/executor/numerics/Float.h"
#include "tests/unit/coq/Cases.h"
#include "tests/unit/coq/Launches.h"
#include "tests/unit/coq/RandomKernels.h"
#include "tests/unit/coq/Repository.h"

#include <gtest/gtest.h>

#include <cmath>

namespace girih {
namespace {

using exec::Array;
using exec::Kind;

/// What the reference executor says of a launch.
struct Expected {
  std::string what; ///< for a reader
  std::string how;
  exec::Result result;
};

/// A kernel with the launches that were written for it.
struct Subject {
  std::string term;
  std::vector<Expected> runs;
};

/// How many there were of each sort.
struct Tally {
  std::map<std::string, size_t> endings;
  size_t runs = 0, wrong = 0;
  size_t lanes = 0, bounded = 0, unpromised = 0;
};

std::string endingOf(const exec::Result &r) {
  if (!r.contractError.empty()) {
    return "refused";
  }
  if (r.faults.empty()) {
    return "clean";
  }
  const exec::Fault &fault = r.faults.front();
  if (mlir::isa<tile::KernelOp>(fault.op)) {
    return ruleName(fault.rule); // of the launch, or of what no block wrote
  }
  int64_t number = 0;
  for (size_t axis = 0; axis < fault.block.size(); ++axis) {
    number = number * r.grid[axis] + fault.block[axis];
  }
  return ruleName(fault.rule) + (" " + std::to_string(number));
}

/// What is wrong with a lane, or nothing.
std::string compareLane(const exec::Result &r, unsigned tensor, size_t lane,
                        const std::string &got, Tally &tally) {
  const Array &expected = *r.tensors[tensor];
  bool defined = !r.defined[tensor] || r.defined[tensor]->ints[lane];
  if (!defined || got == "_") {
    return defined == (got != "_") ? "" : "defined here, undefined there";
  }
  ++tally.lanes;
  std::string exact = test::laneText(expected, lane);
  if (exact == got) {
    return "";
  }
  if (!r.boundsHold) {
    ++tally.unpromised; // rounding decides what happens
    return "";
  }
  if (!exec::isFloat(expected.kind)) {
    return exact + " here, " + got + " there";
  }
  double x = expected.floats[lane];
  double y = exec::fromBits(exec::formatOf(expected.kind), std::stoull(got));
  double bound = r.bounds[tensor] ? r.bounds[tensor]->floats[lane] : 0;
  if (std::isnan(x) && std::isnan(y)) {
    return "";
  }
  ++(std::isinf(bound) ? tally.unpromised : tally.bounded);
  return std::isinf(bound) || (bound > 0 && std::fabs(x - y) <= bound)
             ? ""
             : std::to_string(x) + " here, " + std::to_string(y) +
                   " there, within " + std::to_string(bound);
}

std::string compareRun(const Expected &expected, const test::Ended &got,
                       Tally &tally) {
  const exec::Result &r = expected.result;
  if (got.how != expected.how) {
    return expected.how + " here, " + got.how + " there";
  }
  for (const auto &[tensor, lanes] : got.tensors) {
    if (!r.tensors[tensor] || r.tensors[tensor]->size() != std::ssize(lanes)) {
      return "tensor " + std::to_string(tensor) + " has another size";
    }
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      std::string wrong = compareLane(r, tensor, lane, lanes[lane], tally);
      if (!wrong.empty()) {
        return "tensor " + std::to_string(tensor) + ", lane " +
               std::to_string(lane) + ": " + wrong;
      }
    }
  }
  return "";
}

class Trial {
public:
  /// Launches of a kernel at one width, most of them admitted.
  void addRuns(tile::KernelOp kernel, const std::string &name,
               const fuzz::Box &box, unsigned width, size_t count,
               fuzz::Draw &draw) {
    bool refused = false;
    for (size_t tries = 0; tries < 8 * count && count > 0; ++tries) {
      exec::Options options;
      options.indexWidth = width;
      options.maxSteps = 1 << 16;
      options.symbols = test::drawSymbols(kernel, box, draw);
      auto check = exec::checkLaunch(kernel, options.symbols, width);
      if (check.launch) {
        auto inputs = test::drawInputs(kernel, *check.launch, draw);
        if (!inputs || check.launch->blocks > 64) {
          continue;
        }
        options.inputs = std::move(*inputs);
      } else if (!check.fault && std::exchange(refused, true)) {
        continue;
      }
      exec::Result result = exec::run(kernel, options);
      if (result.exhausted) {
        continue;
      }
      cases.writeRun(kernel, options);
      subjects.back().runs.push_back({name + " at width " +
                                          std::to_string(width) + ", " +
                                          fuzz::text(options.symbols),
                                      endingOf(result), std::move(result)});
      narrow += width == 8 && check.launch.has_value();
      --count;
    }
  }

  void addKernel(tile::KernelOp kernel) {
    subjects.push_back({*coq::printKernel(kernel), {}});
    cases.writeKernel(subjects.back().term);
  }

  /// Holds what the program answers against what the executor said.
  void judge(const std::string &program) {
    test::Answers answers = cases.answer(program);
    ASSERT_EQ(answers.error, "");
    Tally tally;
    for (const Subject &subject : subjects) {
      EXPECT_EQ(answers.readKernel(), subject.term + "\n");
      for (const Expected &expected : subject.runs) {
        ++tally.runs;
        ++tally.endings[expected.how.substr(0, expected.how.find(' '))];
        std::string problem = compareRun(expected, answers.readRun(), tally);
        if (!problem.empty() && ++tally.wrong <= 10) {
          ADD_FAILURE() << program << ": " << expected.what << ": " << problem
                        << "\n"
                        << subject.term;
        }
      }
    }
    EXPECT_EQ(tally.wrong, 0u) << program;
    std::cout << subjects.size() << " kernels, " << tally.runs << " runs, "
              << tally.lanes << " lanes, " << tally.bounded
              << " of them within a bound, " << tally.unpromised
              << " unpromised:";
    for (const auto &[how, count] : tally.endings) {
      std::cout << " " << count << " " << how;
    }
    std::cout << "\n";
    last = tally;
  }

  /// Both programs.
  void judge() {
    judge("'" GIRIH_COQ_EXEC "'");
    judge("'" GIRIH_PYTHON "' '" GIRIH_SOURCE_DIR
          "/tests/unit/coq/brute_force.py'");
  }

  Tally last;        ///< of the last program
  size_t narrow = 0; ///< admitted runs at width 8

private:
  test::Cases cases;
  std::vector<Subject> subjects;
};

TEST(Executors, agreeOnTheKernelsOfTheRepository) {
  Trial trial;
  fuzz::Draw draw(1);
  for (const auto &[name, source] :
       test::kernelTexts({"proofs/kernels", "tests/corpus/girih",
                          "tests/tileir/kernels", "tests/lit/tileir"})) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto files = tile::readKernelTexts(context, source, name, stream);
    ASSERT_FALSE(files.empty()) << errors;
    for (const auto &file : files) {
      if (test::isUnmechanised(name, file->kernel) || !test::isTaken(name)) {
        continue;
      }
      trial.addKernel(file->kernel);
      // Each element with each: seconds a launch, as extracted from Coq.
      bool isQuick = name.find("validate_distinct") == name.npos;
      size_t launches = isQuick ? test::share(2) : 1;
      for (unsigned width : {8u, 64u}) {
        fuzz::Box box = fuzz::boxOf(file->kernel, width);
        trial.addRuns(file->kernel, test::nameOf(name, *file), box, width,
                      launches, draw);
      }
    }
  }
  trial.judge();
}

/// Random kernels, each at a few launches at width 8 and at one at 64.
void judgeRandom(fuzz::Sample sampleOf(uint64_t seed), uint64_t count,
                 size_t launches, Trial &trial) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  uint64_t skipped = 0;
  for (uint64_t seed = 1; seed <= test::share(count); ++seed) {
    fuzz::Sample sample = sampleOf(seed);
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto file = tile::readKernelText(context, sample.text, "random", stream);
    ASSERT_TRUE(file) << errors << sample.text;
    if (!coq::unmechanised(file->kernel).empty()) {
      ++skipped;
      continue;
    }
    fuzz::Draw draw(seed);
    std::string name = "seed " + std::to_string(seed);
    trial.addKernel(file->kernel);
    trial.addRuns(file->kernel, name, sample.box, 8, launches, draw);
    trial.addRuns(file->kernel, name, sample.box, 64, 1, draw);
  }
  std::cout << skipped << " kernels are not mechanised yet\n";
  trial.judge();
}

TEST(Executors, agreeOnRandomKernels) {
  Trial trial;
  judgeRandom(test::indexKernel, 3000, 7, trial);
  EXPECT_GE(trial.narrow, test::share(10000));
}

TEST(Executors, agreeOnRandomValues) {
  Trial trial;
  judgeRandom(test::valueKernel, 3000, 3, trial);
}

TEST(Executors, agreeOnRandomViews) {
  Trial trial;
  judgeRandom(test::viewKernel, 2000, 5, trial);
}

TEST(Executors, agreeOnRandomLookups) {
  Trial trial;
  judgeRandom(test::lookupKernel, 600, 5, trial);
}

TEST(Executors, agreeOnRandomNibbles) {
  Trial trial;
  judgeRandom(fuzz::randomNibbles, 300, 3, trial);
}

TEST(Executors, agreeOnRandomContracts) {
  Trial trial;
  judgeRandom(test::contractKernel, 3000, 5, trial);
}

} // namespace
} // namespace girih
