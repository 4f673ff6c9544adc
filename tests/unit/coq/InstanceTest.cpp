// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The theorems of each kernel that is shipped, from the certificates and the
// model beside it, without axioms: it is correct, and some launch meets its
// contract. Of the kernels of the tests those that are verified have them,
// those that are refuted or open have none.

#include "checker/report/Instance.h"
#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"
#include "tests/unit/Long.h"
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

/// What is printed for one kernel, apart from what all files begin with.
struct Instance {
  std::string name, header, definitions, satisfiable, kernel;
  bool verified;

  /// As one of many in a file, in a module of its own. Of what is not verified
  /// the certificates are refused, it is not the file that is wrong.
  std::string in(const std::string &module) const {
    std::string end = "Fail Qed.\nAbort.\nExample refused : verify 64%Z " +
                      kernel + "_kernel " + kernel +
                      "_certificates = false.\nProof. vm_cast_no_check "
                      "(eq_refl false). Qed.\n";
    return "\nModule " + module + ".\n" + definitions +
           (verified ? "Qed.\n" + satisfiable : end) + "End " + module + ".\n";
  }
};

static Instance instanceOf(const std::string &name, const Checked &c) {
  Instance i{name,
             "",
             "",
             "",
             c.file->kernel.getSymName().str(),
             c.verdict.kind == VerdictKind::Verified};
  std::string text = coqInstance(c.file->kernel, c.verdict, Width());
  size_t begin = text.find("Definition "),
         end =
             text.rfind("Qed.\nPrint Assumptions " + i.kernel + "_correct.\n");
  EXPECT_NE(end, std::string::npos) << name;
  i.header = text.substr(0, begin);
  i.definitions = text.substr(begin, end - begin);
  if (i.verified) {
    size_t from = text.find("Theorem " + i.kernel + "_satisfiable : "),
           to = text.rfind("Print Assumptions " + i.kernel + "_satisfiable.\n");
    EXPECT_LT(from, to) << name;
    i.satisfiable = text.substr(from, to - from);
  }
  return i;
}

/// What is wrong with these instances in one file of Coq: loading the theory
/// and following its proofs down to the axioms take longer than most kernels.
static std::string wrongWith(const std::vector<Instance> &all) {
  std::string text = all.front().header, proved = "tt";
  for (size_t i = 0; i < all.size(); ++i) {
    std::string module = "K" + std::to_string(i);
    text += all[i].in(module);
    if (all[i].verified) {
      std::string theorem = module + "." + all[i].kernel;
      proved = "(" + theorem + "_correct, " + theorem + "_satisfiable, " +
               proved + ")";
    }
    EXPECT_EQ(all[i].header, all.front().header);
  }
  text += "\nDefinition proved := " + proved + ".\nPrint Assumptions proved.\n";
  test::Compiled r = test::coqc(text);
  return r.accepted && r.output == "Closed under the global context\n"
             ? ""
             : "coqc: " + r.output;
}

/// Each part has every so many-th kernel of its folders.
/// Where such kernels stand.
static constexpr const char *beyondTheory[] = {"/several_stores/",
                                               "/orders/",
                                               "/by_contents/",
                                               "/kernels/conv2d_scatter",
                                               "/kernels/grouped_gemm",
                                               "/integers/rows_i32",
                                               "/lanes/arg",
                                               "/attention_step",
                                               "/linear_panels",
                                               "/linear_silu_mul_panels",
                                               "/parts/masks",
                                               "/contents/loaded_shift_memory"};

static constexpr size_t shippedParts = 8, testedParts = 4;

class Instances : public testing::TestWithParam<size_t> {
protected:
  void check(const std::vector<std::string> &folders, size_t parts,
             decltype(CheckOptions::openSearch) search) {
    std::vector<std::string> kernels = kernelsIn(folders);
    std::vector<Instance> all;
    for (size_t i = GetParam(); i < kernels.size(); i += parts) {
      add(kernels[i], search, all);
    }
    ASSERT_FALSE(all.empty());
    std::string names;
    for (size_t i = 0; i < all.size(); ++i) {
      names += "K" + std::to_string(i) + ": " + all[i].name + "\n";
    }
    EXPECT_EQ(wrongWith(all), "") << names;
  }

private:
  static void add(const std::string &path,
                  decltype(CheckOptions::openSearch) search,
                  std::vector<Instance> &all) {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    CheckOptions options;
    options.openSearch = search;
    std::string failure;
    std::vector<Checked> checked =
        checkFile(context, std::string(GIRIH_SOURCE_DIR "/") + path, options,
                  llvm::errs(), failure);
    EXPECT_EQ(failure, "");
    for (const Checked &c : checked) {
      ASSERT_TRUE(c.file) << path;
      if (!search) {
        EXPECT_EQ(c.verdict.kind, VerdictKind::Verified) << path;
      }
      if (c.verdict.kind == VerdictKind::Unsatisfiable) {
        EXPECT_FALSE(c.verdict.model) << path;
        continue; // safe, as no launch is admitted, and yet refused
      }
      if (test::isUnmechanised(path, c.file->kernel) || !test::isTaken(path)) {
        continue;
      }
      // The generator in Coq takes one store for each output, guesses no
      // witness, and takes each lane for itself.
      if (!withoutInstance(c.file->kernel).empty()) {
        EXPECT_TRUE(c.verdict.kind != VerdictKind::Verified ||
                    llvm::any_of(beyondTheory,
                                 [&](const char *part) {
                                   return path.find(part) != path.npos;
                                 }))
            << path;
        continue;
      }
      all.push_back(instanceOf(path, c));
    }
  }
};

using Shipped = Instances;
using Tested = Instances;

TEST_P(Shipped, areTheorems) {
  check({"proofs/kernels"}, shippedParts, nullptr);
}

TEST_P(Tested, areTheoremsIfVerified) {
  check({"tests/corpus/girih"}, testedParts, openSearch);
}

INSTANTIATE_TEST_SUITE_P(Parts, Shipped,
                         testing::Range(size_t(0), shippedParts));
INSTANTIATE_TEST_SUITE_P(Parts, Tested, testing::Range(size_t(0), testedParts));
