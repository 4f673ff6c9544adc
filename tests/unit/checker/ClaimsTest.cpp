// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many claims of one tensor: compared by classes, as safely as one by one, and
// what is too much is UNKNOWN.

#include "checker/decide/Verify.h"
#include "checker/report/Instance.h"
#include "checker/search/SearchLibrary.h"
#include "ir/text/Reader.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih;
using namespace girih::checker;

namespace {
/// Block b claims the elements step * b + at of one tensor, those of `late` in
/// a branch that many launches take, before all those of `early` in one that a
/// launch of one block takes.
struct Claims {
  int64_t step = 1;
  std::vector<int64_t> at, late, early = {};

  std::string text() const {
    int64_t largest = 0;
    for (int64_t x : at) {
      largest = std::max(largest, x);
    }
    for (int64_t x : late) {
      largest = std::max(largest, x);
    }
    std::string room =
        std::to_string(step) + " * G + " + std::to_string(largest + 1);
    std::string out =
        "!C = !tile.tensor<[N] x f32, own>\n"
        "!PC = !tile.partition<[_], [N] x f32, own>\n"
        "tile.kernel @k(%c: !C) symbols [G : index] grid [G] requires [N >= " +
        room +
        "] {\n  %b = tile.block_id 0\n  %g = tile.symbol \"G\" : index\n"
        "  %s = arith.constant " +
        std::to_string(step) +
        " : index\n  %first = arith.muli %b, %s : index\n"
        "  %pc = tile.partition %c by [_] : !C\n";
    size_t number = 0;
    auto claim = [&](int64_t x) {
      std::string n = std::to_string(number++);
      out += "  %x" + n + " = arith.constant " + std::to_string(x) +
             " : index\n  %i" + n + " = arith.addi %first, %x" + n +
             " : index\n  %o" + n + " = tile.claim %pc[%i" + n + "] : !PC\n";
    };
    out += "  %one = arith.constant 1 : index\n"
           "  %alone = arith.cmpi sle, %g, %one : index\n"
           "  scf.if %alone {\n";
    llvm::for_each(early, claim);
    out += "  }\n";
    llvm::for_each(at, claim);
    out += "  %some = arith.cmpi slt, %s, %g : index\n  scf.if %some {\n";
    llvm::for_each(late, claim);
    return out + "  }\n}\n";
  }

  /// Whether two blocks of a large grid meet.
  bool clash() const {
    std::vector<int64_t> all = at;
    all.insert(all.end(), late.begin(), late.end());
    for (int64_t x : all) {
      for (int64_t y : all) {
        if (x != y && (x - y) % step == 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether each block has a range of its own.
  bool isApart() const {
    for (int64_t x : at) {
      if (x >= step) {
        return false;
      }
    }
    return llvm::all_of(late, [&](int64_t x) { return x < step; });
  }
};

class ClaimsTest : public testing::Test {
protected:
  Verdict verified(const std::string &text) {
    file = tile::readKernelText(context, text, "k.mlir", llvm::errs());
    EXPECT_TRUE(file) << text;
    VerifyOptions options;
    options.search = openSearch();
    return verify(file->kernel, options);
  }

  static size_t pairs(const Verdict &v) {
    return size_t(llvm::count_if(
        v.vcs, [](const Vc &o) { return o.rule == Rule::ClaimDisjoint; }));
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::unique_ptr<tile::KernelFile> file;
};
} // namespace

TEST_F(ClaimsTest, areComparedByClassesWhereTheyAreMany) {
  Claims few{70, {}, {}}, many{70, {}, {}};
  for (int64_t x = 0; x < 65; ++x) {
    many.at.push_back(x);
    if (x > 0) {
      few.at.push_back(x);
    }
  }
  Verdict v = verified(many.text());
  EXPECT_EQ(v.kind, VerdictKind::Verified);
  EXPECT_EQ(pairs(v), 1u);
  EXPECT_NE(withoutInstance(file->kernel), "");
  v = verified(few.text());
  EXPECT_EQ(v.kind, VerdictKind::Verified);
  EXPECT_EQ(pairs(v), 64u * 65 / 2);
  EXPECT_EQ(withoutInstance(file->kernel), "");
}

TEST_F(ClaimsTest, inClassesAreNeverTakenForApart) {
  std::mt19937_64 random(7);
  auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  size_t apart = 0, clashing = 0, refuted = 0;
  for (int n = 0; n < 12; ++n) {
    Claims c;
    c.step = 80 + below(40);
    // Of every second kernel one claim is somewhere else.
    for (int64_t i = 65 + below(10); i > 0; --i) {
      (below(4) == 0 ? c.late : c.at).push_back(below(c.step));
    }
    if (n % 2) {
      int64_t &one = c.at[size_t(below(int64_t(c.at.size())))];
      one += c.step * (1 + below(2));
    }
    Verdict v = verified(c.text());
    EXPECT_LE(pairs(v), 3u);
    apart += c.isApart();
    clashing += c.clash();
    refuted += v.kind == VerdictKind::Refuted;
    EXPECT_EQ(v.kind == VerdictKind::Verified, c.isApart()) << c.text();
    if (c.clash()) {
      EXPECT_NE(v.kind, VerdictKind::Verified) << c.text();
    }
  }
  std::cout << apart << " apart, " << clashing << " clash, " << refuted
            << " refuted\n";
  EXPECT_GE(apart, 4u);
  EXPECT_GE(clashing, 2u);
}

/// What holds where a block is alone is not said of claims that come later.
TEST_F(ClaimsTest, ofABranchDoNotSpeakForOthers) {
  Claims c{3, {}, {}, {0}};
  for (int64_t x = 0; x < 66; ++x) {
    c.at.push_back(x % 5);
  }
  Verdict v = verified(c.text());
  EXPECT_EQ(v.kind, VerdictKind::Refuted);
  EXPECT_EQ(pairs(v), 3u);
  for (int64_t &x : c.at) {
    x %= 3;
  }
  v = verified(c.text());
  EXPECT_EQ(v.kind, VerdictKind::Verified);
  EXPECT_EQ(pairs(v), 3u);
}

TEST_F(ClaimsTest, beyondTheLimitAreUnknown) {
  Claims c{5000, {}, {}};
  for (int64_t x = 0; x < 5000; ++x) {
    c.at.push_back(x);
  }
  Verdict v = verified(c.text());
  EXPECT_EQ(v.kind, VerdictKind::Unknown);
  ASSERT_TRUE(v.tooLarge);
  EXPECT_EQ(v.tooLarge->rule, Rule::ClaimBounds);
  EXPECT_TRUE(v.vcs.empty());
  EXPECT_FALSE(v.verified);
}
