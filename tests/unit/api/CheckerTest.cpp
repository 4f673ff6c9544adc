// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih/checker.h: verdicts and errors as plain data.

#include "girih/checker.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

using namespace girih;

static const std::string source = GIRIH_SOURCE_DIR "/";
static const std::string add = source + "proofs/kernels/add/add.mlir";
static const std::string gemm =
    source + "tests/corpus/girih/bugs/gemm_oob.mlir";

static std::string textOf(const std::string &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Checker, whatIsVerifiedHasCertificates) {
  Expected<Verification> v = verify(Source::file(add));
  ASSERT_TRUE(v) << v.error().text;
  ASSERT_EQ(v->kernels.size(), 1u);
  const KernelVerdict &k = v->kernels.front();
  EXPECT_EQ(k.name, "add");
  EXPECT_EQ(k.verdict, Verdict::Verified);
  EXPECT_STREQ(verdictName(k.verdict), "VERIFIED");
  EXPECT_EQ(k.digest.size(), 64u);
  EXPECT_EQ(k.text, "VERIFIED " + add + ": " +
                        std::to_string(k.obligations.size()) + " of " +
                        std::to_string(k.obligations.size()) +
                        " obligations certified, for all N\n");
  ASSERT_FALSE(k.obligations.empty());
  for (const Obligation &o : k.obligations) {
    EXPECT_EQ(o.status, ObligationStatus::Proved);
    EXPECT_EQ(o.hash.size(), 64u);
    EXPECT_EQ(o.certificate.front(), '(');
    EXPECT_FALSE(o.text.empty());
  }
  EXPECT_EQ(k.model->front(), std::pair(std::string("N"), int64_t(1)));
  EXPECT_TRUE(v->verified);
  EXPECT_EQ(v->certificates, textOf(source + "proofs/kernels/add/add.cert"));
}

TEST(Checker, aTextIsSearchedForAndItsCertificatesReplay) {
  Source text = Source::of(textOf(add), "mine");
  VerifyOptions options;
  options.search = false;
  Expected<Verification> without = verify(text, options);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->kernels[0].verdict, Verdict::Unknown);
  EXPECT_EQ(without->kernels[0].diagnostics.front().severity,
            Diagnostic::Severity::Warning);
  EXPECT_FALSE(without->verified);
  Expected<Verification> found = verify(text);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->kernels[0].verdict, Verdict::Verified);
  options.certificates = found->certificates;
  EXPECT_EQ(verify(text, options).value().kernels[0].verdict,
            Verdict::Verified);
}

TEST(Checker, aRefusalHasItsLaunch) {
  Expected<Verification> v = verify(Source::file(gemm));
  ASSERT_TRUE(v);
  const KernelVerdict &k = v->kernels.front();
  EXPECT_EQ(k.verdict, Verdict::Refuted);
  EXPECT_FALSE(v->verified);
  ASSERT_EQ(k.counterexamples.size(), 1u);
  const Counterexample &x = k.counterexamples.front();
  EXPECT_EQ(x.rule, "claim.bounds");
  using Symbols = std::vector<std::pair<std::string, int64_t>>;
  EXPECT_EQ(x.symbols, (Symbols{{"M", 1}, {"K", 0}, {"N", 1}}));
  EXPECT_EQ(x.grid, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(x.block, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(x.tensor, "c");
  EXPECT_EQ(x.message, "claims rows 128..255 of 1");
  EXPECT_EQ(x.replay, "tile-exec " + gemm + " --set M=1,K=0,N=1");
  EXPECT_EQ(k.obligations[x.obligation].status, ObligationStatus::Refuted);
  const Diagnostic &d = k.diagnostics.front();
  EXPECT_EQ(d.rule, "claim.bounds");
  EXPECT_EQ(d.at.line, 21u);
  EXPECT_EQ(d.at.column, 25u);
  EXPECT_EQ(d.at.columns, 3u);
  EXPECT_EQ(d.notes.front().kind, "counterexample");
}

TEST(Checker, diagnosticsSayWhereInCpp) {
  std::string kernel = "!C = !tile.tensor<[N] x f32, own>\n"
                       "!PC = !tile.partition<[_], [N] x f32, own>\n"
                       "!P = !tile.piece<[_] x f32, own>\n"
                       "tile.kernel @k(%c: !C, %v: f32) grid [N] {\n"
                       "  %n = tile.grid_dim 0\n"
                       "  %pc = tile.partition %c by [_] : !C\n"
                       "  %p = tile.claim %pc[%n] : !PC loc(\"no.cpp\":7:3)\n"
                       "  tile.store %v, %p : !P loc(\"no.cpp\":8:0)\n"
                       "}\n";
  Expected<Verification> v = verify(Source::of(kernel));
  ASSERT_TRUE(v);
  const Diagnostic &d = v->kernels[0].diagnostics.front();
  EXPECT_EQ(d.at.line, 7u);
  ASSERT_TRUE(d.origin);
  EXPECT_EQ(d.origin->file, "no.cpp");
  EXPECT_EQ(d.origin->line, 7u);
  EXPECT_EQ(d.origin->column, 3u);
  EXPECT_FALSE(d.origin->text);
  EXPECT_FALSE(d.otherOrigin);
  kernel.replace(kernel.find("%v, %p"), 6, "%p, %v");
  Expected<Verification> malformed = verify(Source::of(kernel));
  ASSERT_FALSE(malformed);
  const Diagnostic &m = malformed.error().diagnostics.at(0);
  EXPECT_EQ(m.at.line, 8u);
  ASSERT_TRUE(m.origin) << m.message;
  EXPECT_EQ(m.origin->line, 8u);
}

TEST(Checker, aMalformedTextSaysWhere) {
  Expected<Verification> v = verify(Source::of("\n  kernel\n", "k.mlir"));
  ASSERT_FALSE(v);
  EXPECT_EQ(v.error().kind, Error::Kind::Malformed);
  ASSERT_EQ(v.error().diagnostics.size(), 1u);
  EXPECT_EQ(v.error().diagnostics[0].at.line, 2u);
  EXPECT_EQ(v.error().diagnostics[0].at.column, 3u);
  EXPECT_EQ(v.error().message, v.error().diagnostics[0].message);
  EXPECT_EQ(v.error().text.find("k.mlir:2:3: error: "), 0u) << v.error().text;
  EXPECT_THROW(v.value(), BadExpectedAccess);
}

TEST(Checker, otherErrorsHaveTheirKind) {
  auto error = [](const Source &from, const VerifyOptions &options) {
    Expected<Verification> v = verify(from, options);
    EXPECT_FALSE(v);
    return v.error();
  };
  Error missing = error(Source::file("/nowhere.mlir"), {});
  EXPECT_EQ(missing.kind, Error::Kind::File);
  EXPECT_EQ(missing.message, "/nowhere.mlir: No such file or directory");
  VerifyOptions narrow;
  narrow.indexWidth = 7;
  EXPECT_EQ(error(Source::file(add), narrow).kind, Error::Kind::Usage);
  VerifyOptions newer;
  newer.certificates = "girih-certificates 2\nmodel N=1\n";
  Error refused = error(Source::file(add), newer);
  EXPECT_EQ(refused.kind, Error::Kind::Malformed);
  EXPECT_EQ(refused.message,
            "certificates:1: version 2: this program reads version 1 of "
            "girih-certificates");
}

TEST(Checker, anOptOutIsTold) {
  Expected<Verification> v =
      verify(Source::file(source + "tests/lit/checker/Inputs/assumed.mlir"));
  ASSERT_TRUE(v) << v.error().text;
  const KernelVerdict &k = v->kernels.front();
  EXPECT_EQ(k.verdict, Verdict::Verified);
  ASSERT_EQ(k.optOuts.size(), 1u);
  EXPECT_EQ(k.optOuts[0].form, "given");
}

TEST(Checker, threadsVerifyAtOnce) {
  std::vector<std::thread> threads;
  std::vector<Verdict> verdicts(4, Verdict::Unknown);
  for (size_t i = 0; i < verdicts.size(); ++i) {
    threads.emplace_back([&, i] {
      verdicts[i] = verify(Source::file(i % 2 ? gemm : add))
                        .value()
                        .kernels.front()
                        .verdict;
    });
  }
  for (std::thread &t : threads) {
    t.join();
  }
  EXPECT_EQ(verdicts,
            (std::vector<Verdict>{Verdict::Verified, Verdict::Refuted,
                                  Verdict::Verified, Verdict::Refuted}));
}
