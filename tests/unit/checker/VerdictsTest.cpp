// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel of the corpus says in its first line what must come out. A
// refusal of one of ours is run again here; a proof is held against all shapes
// of a small box on the executor.

#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"
#include "tests/corpus/Corpus.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::checker;

namespace {
/// Those of rules have a test of their own, launches of the planted bugs are
/// large, and whole kernels have many symbols.
std::vector<test::CorpusKernel> kernels() {
  std::vector<test::CorpusKernel> out = test::corpusOf("girih");
  std::erase_if(out, [](const test::CorpusKernel &k) {
    return k.topic == "rules" || k.topic == "bugs" || k.topic == "kernels";
  });
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

class Verdicts : public testing::TestWithParam<test::CorpusKernel> {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    files = tile::readKernelFiles(context, GetParam().path, llvm::errs());
    ASSERT_FALSE(files.empty());
    options.search = openSearch();
    ASSERT_TRUE(options.search);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  tile::KernelFiles files;
  VerifyOptions options;

  void isTrue(tile::KernelOp kernel, const Verdict &v);
  void replays(tile::KernelOp kernel, const Verdict &v);
};

/// What a verdict says is what the executor sees.
void Verdicts::isTrue(tile::KernelOp kernel, const Verdict &v) {
  const auto &[path, topic, expect, rules] = GetParam();
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
      named |= ruleName(c.fault.rule) == rules[0];
      // It is booked on an obligation that is false, not on its neighbour.
      EXPECT_NE(options.search->crossCheck(v.vcs[c.obligation].obligation, 1),
                search::Answer::Unsat)
          << v.vcs[c.obligation].obligation.label;
    }
    EXPECT_TRUE(named) << "no counterexample for " << rules[0];
  }
  if (v.kind == VerdictKind::Unknown) {
    EXPECT_TRUE(llvm::any_of(llvm::seq<size_t>(0, v.vcs.size()), [&](size_t i) {
      return v.findings[i].status == Status::Unknown &&
             ruleName(v.vcs[i].rule) == rules[0];
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

/// Stored certificates give the same verdict without any search, and without
/// the search nothing is proved that has no certificate.
void Verdicts::replays(tile::KernelOp kernel, const Verdict &v) {
  proofs::CertificateFile stored = certificateFile(v);
  VerifyOptions replay;
  replay.certificates = &stored;
  Verdict again = verify(kernel, replay);
  EXPECT_EQ(again.kind == VerdictKind::Verified,
            v.kind == VerdictKind::Verified);
  if (!stored.byHash.empty()) {
    stored.byHash.erase(stored.byHash.begin());
    Verdict missing = verify(kernel, replay);
    EXPECT_NE(missing.kind, VerdictKind::Verified);
  }
}

TEST_P(Verdicts, AreTrueAndReplay) {
  size_t expectedOnes = 0;
  for (const auto &file : files) {
    Verdict v = verify(file->kernel, options);
    if (verdictName(v.kind) == GetParam().expect) {
      ++expectedOnes;
    } else { // that of a list is the worst
      ASSERT_EQ(v.kind, VerdictKind::Verified);
    }
    isTrue(file->kernel, v);
    replays(file->kernel, v);
  }
  EXPECT_GE(expectedOnes, 1u);
}

INSTANTIATE_TEST_SUITE_P(, Verdicts, testing::ValuesIn(kernels()),
                         [](const auto &info) {
                           std::filesystem::path path(info.param.path);
                           std::string name =
                               info.param.topic + "_" + path.stem().string();
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });
