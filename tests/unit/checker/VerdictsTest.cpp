// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel in tests/verdicts says in its first line what must come out. A
// refusal is run again here; a proof is held against all shapes of a small box
// on the executor.

#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace girih;
using namespace girih::checker;

namespace {
std::vector<std::string> kernels() {
  std::vector<std::string> out;
  std::filesystem::path folder(GIRIH_SOURCE_DIR "/tests/verdicts");
  for (auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".mlir") {
      out.push_back(entry.path().stem().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// All launches with every symbol in the box, at most `limit` of them.
void forEachLaunch(tile::KernelOp kernel, std::vector<int64_t> box,
                   llvm::function_ref<void(const exec::Options &)> visit) {
  auto symbols = kernel.getLaunchSymbols();
  size_t count = 1;
  for (size_t i = 0; i < symbols.size(); ++i) {
    count *= box.size();
  }
  for (size_t n = 0; n < count; ++n) {
    exec::Options o;
    o.values = false;
    size_t rest = n;
    for (const tile::LaunchSymbol &s : symbols) {
      o.symbols[s.name.getValue().str()] = box[rest % box.size()];
      rest /= box.size();
    }
    visit(o);
  }
}
} // namespace

class Verdicts : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    std::string path =
        GIRIH_SOURCE_DIR "/tests/verdicts/" + GetParam() + ".mlir";
    std::string word, comment;
    std::ifstream(path) >> comment >> comment >> expected >> rule;
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    files = tile::readKernelFiles(context, path, llvm::errs());
    ASSERT_FALSE(files.empty());
    options.search = openSearch();
    ASSERT_TRUE(options.search);
  }

  std::string expected, rule;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  tile::KernelFiles files;
  VerifyOptions options;

  void isTrue(tile::KernelOp kernel, const Verdict &v);
};

/// What a verdict says is what the executor sees.
void Verdicts::isTrue(tile::KernelOp kernel, const Verdict &v) {
  if (v.kind == VerdictKind::Refuted) {
    bool named = false;
    for (const Counterexample &c : v.counterexamples) {
      exec::Options o;
      o.symbols.insert(c.symbols.begin(), c.symbols.end());
      o.contents = c.contents;
      o.blocks = c.blocks;
      o.values = false;
      o.maxFaults = 8;
      exec::Result r = exec::run(kernel, o);
      EXPECT_TRUE(llvm::any_of(r.faults, [&](const exec::Fault &f) {
        return f.rule == c.fault.rule;
      })) << ruleName(c.fault.rule);
      named |= ruleName(c.fault.rule) == rule;
      // It is booked on an obligation that is false, not on its neighbour.
      EXPECT_NE(options.search->crossCheck(v.vcs[c.obligation].obligation, 1),
                search::Answer::Unsat)
          << v.vcs[c.obligation].obligation.label;
    }
    EXPECT_TRUE(named) << "no counterexample for " << rule;
  }
  if (v.kind == VerdictKind::Unknown) {
    EXPECT_TRUE(llvm::any_of(llvm::seq<size_t>(0, v.vcs.size()), [&](size_t i) {
      return v.findings[i].status == Status::Unknown &&
             ruleName(v.vcs[i].rule) == rule;
    }));
  }
  size_t launches = 0;
  if (v.kind == VerdictKind::Verified) {
    forEachLaunch(kernel, {0, 1, 2, 5, 8, 17}, [&](exec::Options o) {
      for (exec::Order order : {exec::Order::Sequential, exec::Order::Reverse,
                                exec::Order::Interleaved}) {
        o.order = order;
        exec::Result r = exec::run(kernel, o);
        ASSERT_TRUE(r.faults.empty()) << r.faults[0].message;
        ASSERT_FALSE(r.exhausted);
        launches += r.contractError.empty();
      }
    });
    EXPECT_GT(launches, 0u);
  }
}

TEST_P(Verdicts, AsExpected) {
  size_t expectedOnes = 0;
  for (const auto &file : files) {
    Verdict v = verify(file->kernel, options);
    if (verdictName(v.kind) == expected) {
      ++expectedOnes;
    } else { // that of a list is the worst
      ASSERT_EQ(v.kind, VerdictKind::Verified);
    }
    isTrue(file->kernel, v);
  }
  EXPECT_GE(expectedOnes, 1u);
}

// Stored certificates give the same verdict without any search, and without
// the search nothing is proved that has no certificate.
TEST_P(Verdicts, ReplaysFromCertificates) {
  for (const auto &file : files) {
    Verdict v = verify(file->kernel, options);
    proofs::CertificateFile stored = certificateFile(v);
    VerifyOptions replay;
    replay.certificates = &stored;
    Verdict again = verify(file->kernel, replay);
    EXPECT_EQ(again.kind == VerdictKind::Verified,
              v.kind == VerdictKind::Verified);
    if (!stored.byHash.empty()) {
      stored.byHash.erase(stored.byHash.begin());
      Verdict missing = verify(file->kernel, replay);
      EXPECT_NE(missing.kind, VerdictKind::Verified);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Verdicts, testing::ValuesIn(kernels()),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });
