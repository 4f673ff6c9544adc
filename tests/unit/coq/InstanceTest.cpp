// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The theorem of each kernel that is shipped, from the certificates beside it,
// without axioms. Of the kernels of the tests those that are verified have one,
// those that are refuted or open have none.

#include "checker/Instance.h"
#include "checker/CheckFile.h"
#include "checker/SearchLibrary.h"
#include "ir/Reader.h"
#include "tests/unit/coq/Repository.h"
#include "tests/unit/proofs/Coqc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

using namespace girih;
using namespace girih::checker;

static std::vector<std::string>
kernelsIn(const std::vector<std::string> &folders) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  fs::path root = GIRIH_SOURCE_DIR;
  for (const std::string &folder : folders) {
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".mlir") {
        out.push_back(fs::relative(entry.path(), root));
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Instances : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  std::vector<Checked> check(decltype(CheckOptions::openSearch) search) {
    CheckOptions options;
    options.openSearch = search;
    std::string failure;
    std::vector<Checked> all =
        checkFile(context, std::string(GIRIH_SOURCE_DIR "/") + GetParam(),
                  options, llvm::errs(), failure);
    EXPECT_EQ(failure, "");
    EXPECT_TRUE(all.front().file);
    return all;
  }

  static test::Compiled compiled(const Checked &c) {
    return test::coqc(coqInstance(c.file->kernel, c.verdict, Width()));
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

using Shipped = Instances;
using Tested = Instances;

TEST_P(Shipped, isATheorem) {
  for (const Checked &c : check(nullptr)) {
    ASSERT_EQ(c.verdict.kind, VerdictKind::Verified);
    if (test::isUnmechanised(GetParam(), c.file->kernel)) {
      continue;
    }
    test::Compiled r = compiled(c);
    EXPECT_TRUE(r.accepted) << r.output;
    EXPECT_EQ(r.output, "Closed under the global context\n");
  }
}

TEST_P(Tested, isATheoremIfVerified) {
  for (const Checked &c : check(openSearch)) {
    if (c.verdict.kind == VerdictKind::Unsatisfiable) {
      continue; // safe, as no launch is admitted, and yet refused
    }
    if (test::isUnmechanised(GetParam(), c.file->kernel)) {
      continue;
    }
    test::Compiled r = compiled(c);
    bool verified = c.verdict.kind == VerdictKind::Verified;
    EXPECT_EQ(r.accepted, verified) << r.output;
    // The certificates are refused, it is not the file that is wrong.
    bool refused = r.output.find("\"eq_refl\" has type \"true = true\" while "
                                 "it is expected") != std::string::npos;
    EXPECT_EQ(refused, !verified) << r.output;
  }
}

static std::string nameOf(const testing::TestParamInfo<std::string> &info) {
  std::string name = std::filesystem::path(info.param).replace_extension();
  for (char &c : name) {
    c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Shipped,
                         testing::ValuesIn(kernelsIn({"proofs/kernels"})),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Kernels, Tested,
                         testing::ValuesIn(kernelsIn({"tests/kernels",
                                                      "tests/rules",
                                                      "tests/verdicts"})),
                         nameOf);
