// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file and the certificates beside it come to, and when the search is
// opened.

#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace girih;
using namespace girih::checker;
namespace fs = std::filesystem;

static unsigned opened = 0;
static const search::Api *countingSearch(std::string *error) {
  ++opened;
  return openSearch(error);
}
static const search::Api *noSearch(std::string *error) {
  *error = "no search here";
  return nullptr;
}

namespace {
struct CheckFile : testing::Test {
  CheckFile() {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    opened = 0;
    folder = fs::path(testing::TempDir()) /
             ("girih-check-" + std::to_string(getpid()));
    fs::create_directory(folder);
    kernel = (folder / "add.mlir").string();
    fs::copy_file(shipped + ".mlir", kernel);
    options.openSearch = countingSearch;
  }
  ~CheckFile() override { fs::remove_all(folder); }

  Checked check() {
    failure.clear();
    llvm::raw_string_ostream os(errors);
    return std::move(checkFile(context, kernel, options, os, failure).front());
  }
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder / name) << text;
  }

  const std::string shipped = GIRIH_SOURCE_DIR "/proofs/kernels/add/add";
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  CheckOptions options;
  fs::path folder;
  std::string kernel, errors, failure;
};
} // namespace

TEST_F(CheckFile, certificatesNeedNoSearch) {
  fs::copy_file(shipped + ".cert", folder / "add.cert");
  Checked c = check();
  EXPECT_EQ(failure, "");
  EXPECT_EQ(c.verdict.kind, VerdictKind::Verified);
  EXPECT_EQ(opened, 0u);
  options.verify.crossCheck = true;
  EXPECT_EQ(check().verdict.kind, VerdictKind::Verified);
  EXPECT_EQ(opened, 1u);
}

TEST_F(CheckFile, whatTheyLeaveOpenIsSearchedFor) {
  EXPECT_EQ(check().verdict.kind, VerdictKind::Verified);
  EXPECT_EQ(opened, 1u);
  write("add.cert", "girih-certificates 1\nmodel N=1\n");
  EXPECT_EQ(check().verdict.kind, VerdictKind::Verified);
  EXPECT_EQ(opened, 2u);
  options.openSearch = nullptr;
  EXPECT_EQ(check().verdict.kind, VerdictKind::Unknown);
  EXPECT_EQ(failure, "");
  options.openSearch = noSearch;
  check();
  EXPECT_EQ(failure, "no search here");
}

TEST_F(CheckFile, brokenCertificatesAreTold) {
  write("add.cert", "girih-certificates 1\nmodel N=1\nnonsense\n");
  Checked c = check();
  EXPECT_EQ(failure.find((folder / "add.cert").string() + ":3: "), 0u)
      << failure;
  EXPECT_EQ(c.verdict.kind, VerdictKind::Unknown);
  options.stored = false;
  EXPECT_EQ(check().verdict.kind, VerdictKind::Verified);
  EXPECT_EQ(failure, "");
}

TEST_F(CheckFile, aMalformedKernelIsPrinted) {
  write("add.mlir", "kernel\n");
  EXPECT_FALSE(check().file);
  EXPECT_EQ(failure, "");
  EXPECT_EQ(errors.find(kernel + ":1:1: error: "), 0u) << errors;
  EXPECT_EQ(opened, 0u);
}

TEST_F(CheckFile, ofManyDiagnosticsErrorsAreKept) {
  options.openSearch = nullptr;
  Checked c = check();
  size_t all = c.diagnostics.size();
  ASSERT_EQ(all, 2u);
  EXPECT_EQ(c.leftOut, 0u);
  // As if the solver had the last word on the last obligation.
  c.verdict.disagreements = {c.verdict.vcs.size() - 1};
  auto diagnosticsOf = [&](size_t most) {
    return diagnose(*c.file, c.path, c.verdict, Width(), most);
  };
  Diagnostics whole = diagnosticsOf(all + 1), cut = diagnosticsOf(2);
  ASSERT_EQ(whole.list.size(), all + 1);
  EXPECT_EQ(whole.leftOut, 0u);
  EXPECT_EQ(whole.list.front().severity, Diagnostic::Severity::Warning);
  EXPECT_EQ(whole.list.back().severity, Diagnostic::Severity::Error);
  ASSERT_EQ(cut.list.size(), 2u);
  EXPECT_EQ(cut.leftOut, all - 1);
  EXPECT_EQ(cut.list[0].severity, Diagnostic::Severity::Error);
  EXPECT_EQ(cut.list[1].message, whole.list[0].message);
}
