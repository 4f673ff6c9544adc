// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each family of conditions a kernel for which one is told. Pasted into its
// text it gives VERIFIED; a bound of a width is refuted one further on, and
// where the list has weaker conditions they are refuted.

#include "checker/decide/Suggest.h"
#include "checker/decide/Conditions.h"
#include "checker/decide/SmallLaunches.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"
#include "tests/unit/checker/Paste.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace girih;
using namespace girih::checker;

namespace {
struct Case {
  const char *kernel;
  const char *condition; ///< the new ones
  const char *bound = "";
  bool isWeakest = false; ///< whether to try all weaker ones of the list
};

constexpr Case cases[] = {
    {"corpus/girih/rules/loop.step/bad", "S >= 1", "", true},
    {"corpus/girih/contract/no_program.bad", "P >= 1", "", true},
    {"corpus/girih/rules/index.width/bad", "S <= 3037000499",
     "S <= 3037000499"},
    {"corpus/girih/integers/i32_offset.bad", "N <= 2147483648",
     "N <= 2147483648"},
    {"corpus/girih/bugs/wrap_i32", "N <= 2147483648", "N <= 2147483648"},
    {"corpus/girih/contract/grid_difference.bad", "P <= N", "", true},
    {"corpus/maps/persistent/persistent.bug_2", "T < NB"},
    {"corpus/girih/views/view_append.bad", "N + pos <= S", "", true},
    {"corpus/maps/hard/strides4.bug_1", "S * ss <= sh"},
    {"corpus/maps/split/kv_range.bug_2", "NS * TPS <= KT"},
    {"corpus/girih/accesses/clamp.bad", "P <= ceildiv(N, 8)"},
    {"corpus/girih/coverage/skip.bad", "ceildiv(N, 8) <= P"},
    {"corpus/girih/rules/load.pad/bad", "mod(N, 128) == 0", "", true},
    {"corpus/maps/swizzle/m.bug_1", "mod(gm, GM) == 0"},
    {"corpus/girih/lanes/lane_transpose.bad", "M == N", "", true},
    {"corpus/maps/swizzle/rank4.bug_1", "a == b"},
    {"corpus/girih/maps/longest_first.bad", "H == ceildiv(Q, 16)"},
    // Preconditions on contents, where no condition on sizes is enough.
    {"corpus/girih/by_contents/permuted_lanes.bad",
     "given [within(%perm, 0, N), distinct(%perm)"},
    {"corpus/girih/contents/found_gather.bad", "given [within(%ids, 0, N)"},
    {"corpus/girih/contents/given_distinct.bad",
     "given [within(%rows, 0, S), distinct(%rows)"},
    {"corpus/girih/lanes/lane_compact.bad",
     "given [within(%t, 0, 64), distinct(%t)"},
};

std::string fileOf(const std::string &kernel) {
  return GIRIH_SOURCE_DIR "/tests/" + kernel + ".mlir";
}
} // namespace

class SuggestionTest : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    options.search = openSearch();
    ASSERT_TRUE(options.search);
  }

  tile::KernelOp read(const std::string &path) {
    files.push_back(tile::readKernelFile(context, path, llvm::errs()));
    EXPECT_TRUE(files.back());
    return files.back()->kernel;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::vector<std::unique_ptr<tile::KernelFile>> files;
  VerifyOptions options;
};

class Suggestions : public SuggestionTest,
                    public testing::WithParamInterface<Case> {};

class WeakestSuggestions : public Suggestions {};

TEST_P(Suggestions, VerifyWhenPasted) {
  const Case &c = GetParam();
  tile::KernelOp kernel = read(fileOf(c.kernel));
  Verdict before = verify(kernel, options);
  ASSERT_EQ(before.kind, VerdictKind::Refuted);
  std::optional<Suggestion> s = suggest(kernel, before, options);
  ASSERT_TRUE(s);
  EXPECT_TRUE(
      llvm::StringRef(s->clause).ends_with(std::string(c.condition) + "]"))
      << s->clause;
  EXPECT_EQ(s->bound, c.bound);
  std::stringstream text;
  text << std::ifstream(fileOf(c.kernel)).rdbuf();
  std::string name = c.kernel;
  llvm::replace(name, '/', '_');
  std::string path = testing::TempDir() + "suggest_" + name + ".mlir";
  std::ofstream(path) << test::paste(text.str(), s->clause);
  EXPECT_EQ(verify(read(path), options).kind, VerdictKind::Verified);
}

/// Whatever holds at every small launch at which the condition does, and at
/// others, is not enough.
TEST_P(WeakestSuggestions, AreTheWeakest) {
  const Case &c = GetParam();
  tile::KernelOp kernel = read(fileOf(c.kernel));
  ContractValues contract(kernel);
  std::vector<std::vector<int64_t>> launches;
  SmallLaunches all(kernel, 1 << 14);
  for (std::optional<CandidateLaunch> l;
       launches.size() < 400 && (l = all.next());) {
    launches.emplace_back();
    for (auto &[name, value] : l->symbols) {
      launches.back().push_back(value);
    }
  }
  auto list = missingConditions(kernel, contract, {});
  auto found = llvm::find_if(
      list, [&](tile::ComparisonAttr e) { return e.str() == c.condition; });
  ASSERT_NE(found, list.end());
  auto effect = [&](tile::ComparisonAttr condition) {
    ContractValues::Comparison place = contract.add(condition);
    llvm::SmallVector<char> out;
    for (const std::vector<int64_t> &l : launches) {
      out.push_back(contract.holds(place, l).value_or(false));
    }
    return out;
  };
  auto strong = effect(*found);
  unsigned weaker = 0;
  for (tile::ComparisonAttr condition : list) {
    auto weak = effect(condition);
    bool isWeaker = weak != strong;
    for (size_t i = 0; i < weak.size(); ++i) {
      isWeaker &= weak[i] || !strong[i];
    }
    if (!isWeaker) {
      continue;
    }
    auto copy = mlir::cast<tile::KernelOp>(kernel->clone());
    llvm::SmallVector<mlir::Attribute> conditions(
        copy.getConditions().getValue());
    conditions.push_back(condition);
    copy.setConditionsAttr(mlir::ArrayAttr::get(&context, conditions));
    options.allFaults = false;
    EXPECT_EQ(verify(copy, options).kind, VerdictKind::Refuted)
        << condition.str();
    copy->erase();
    ++weaker;
  }
  EXPECT_GT(weaker, 0u);
}

/// Kernels that a launch of one block would make safe, and most of which
/// nothing else does.
constexpr const char *severalBlocks[] = {
    "corpus/girih/bugs/gemm_oob",
    "corpus/girih/bugs/permute_race",
    "corpus/girih/bugs/two_tilings",
    "corpus/girih/rules/claim.bounds/bad",
    "corpus/girih/rules/claim.disjoint/bad",
    "corpus/girih/rules/load.bounds/bad",
    "corpus/girih/rules/out.covered/bad",
    "corpus/girih/rules/scatter.bounds/bad",
    "corpus/girih/accesses/select.bad",
    "corpus/girih/accesses/two_partitions.bad",
    "corpus/girih/views/view_transpose.bad"};

class SuggestionsOfSeveralBlocks
    : public SuggestionTest,
      public testing::WithParamInterface<const char *> {};

/// If anything is suggested, some launch under it has two blocks.
TEST_P(SuggestionsOfSeveralBlocks, LeaveThem) {
  tile::KernelOp kernel = read(fileOf(GetParam()));
  Verdict before = verify(kernel, options);
  ASSERT_EQ(before.kind, VerdictKind::Refuted);
  std::optional<Suggestion> s = suggest(kernel, before, options);
  if (!s) {
    return;
  }
  std::stringstream text;
  text << std::ifstream(fileOf(GetParam())).rdbuf();
  files.push_back(tile::readKernelText(context,
                                       test::paste(text.str(), s->clause),
                                       "pasted.mlir", llvm::errs()));
  ASSERT_TRUE(files.back());
  tile::KernelOp pasted = files.back()->kernel;
  ContractValues contract(pasted);
  int64_t most = 0;
  SmallLaunches all(pasted, 1 << 14);
  for (std::optional<CandidateLaunch> l; (l = all.next());) {
    std::vector<int64_t> values;
    for (auto &[name, value] : l->symbols) {
      values.push_back(value);
    }
    int64_t blocks = 1;
    for (tile::ExprAttr e : pasted.getGridExprs()) {
      blocks *= int64_t(*contract.evaluate(contract.add(e), values));
    }
    most = std::max(most, blocks);
  }
  EXPECT_GT(most, 1) << s->clause;
}

static std::string nameOf(const testing::TestParamInfo<Case> &info) {
  std::string name = info.param.kernel;
  for (char &c : name) {
    c = llvm::isAlnum(c) ? c : '_';
  }
  return name;
}

static std::vector<Case> weakest() {
  std::vector<Case> out;
  llvm::copy_if(cases, std::back_inserter(out),
                [](const Case &c) { return c.isWeakest; });
  return out;
}

INSTANTIATE_TEST_SUITE_P(Families, Suggestions, testing::ValuesIn(cases),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Families, WeakestSuggestions,
                         testing::ValuesIn(weakest()), nameOf);
INSTANTIATE_TEST_SUITE_P(Kernels, SuggestionsOfSeveralBlocks,
                         testing::ValuesIn(severalBlocks),
                         [](const testing::TestParamInfo<const char *> &info) {
                           return nameOf({{info.param, ""}, info.index});
                         });
