// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract expressions: what is printed reads back as the same tree, and a
// reference evaluator agrees on how operators bind.

#include "ir/text/Reader.h"

#include "mlir/AsmParser/AsmParser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace girih::tile;

namespace {
struct Attrs : testing::Test {
  Attrs() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<TileDialect>();
    context.getDiagEngine().registerHandler(
        [&](mlir::Diagnostic &diagnostic) { error = diagnostic.str(); });
  }

  ExprAttr expr(const std::string &text) {
    return mlir::dyn_cast_if_present<ExprAttr>(
        mlir::parseAttribute("#tile.expr<" + text + ">", &context));
  }

  /// Comparisons are read where kernels have them.
  ComparisonAttr comparison(const std::string &text) {
    llvm::raw_string_ostream os(error);
    auto file = readKernelText(context,
                               "tile.kernel @k() symbols [M : index, N : "
                               "index, K : i8, x1 : i64, grid : index, "
                               "step : index] grid [] requires [" +
                                   text + "] {}",
                               "k.mlir", os);
    return file ? file->kernel.getRequirements().front() : ComparisonAttr();
  }

  ExprAttr random(unsigned depth) {
    int kind = *rc::gen::inRange(0, depth == 0 ? 2 : 10);
    if (kind == 0) {
      return ExprAttr::constant(
          &context, *rc::gen::oneOf(rc::gen::arbitrary<int64_t>(),
                                    rc::gen::element<int64_t>(
                                        0, 1, -1, INT64_MIN, INT64_MAX)));
    }
    if (kind == 1) {
      return ExprAttr::symbol(mlir::StringAttr::get(
          &context,
          *rc::gen::element<std::string>("M", "N", "K", "x1", "grid", "step")));
    }
    return ExprAttr::binary(static_cast<ExprKind>(kind), random(depth - 1),
                            random(depth - 1));
  }

  mlir::MLIRContext context;
  std::string error;
};

struct AttrsProperty : Attrs {};
} // namespace

RC_GTEST_FIXTURE_PROP(AttrsProperty, expressionsReadBack, ()) {
  ExprAttr tree = random(*rc::gen::inRange(0, 6));
  RC_LOG() << tree.str();
  RC_ASSERT(expr(tree.str()) == tree);
}

RC_GTEST_FIXTURE_PROP(AttrsProperty, comparisonsReadBack, ()) {
  auto kind = static_cast<ComparisonKind>(*rc::gen::inRange(0, 5));
  auto tree = ComparisonAttr::get(&context, kind, random(3), random(3));
  RC_LOG() << tree.str();
  RC_ASSERT(comparison(tree.str()) == tree);
  std::string alone;
  llvm::raw_string_ostream(alone) << mlir::Attribute(tree);
  RC_ASSERT(mlir::parseAttribute(alone, &context) == tree);
}

TEST_F(Attrs, operatorsBindAsUsual) {
  EXPECT_EQ(expr("a + b * c"), expr("a + (b * c)"));
  EXPECT_EQ(expr("a - b - c"), expr("(a - b) - c"));
  EXPECT_NE(expr("a - b - c"), expr("a - (b - c)"));
  EXPECT_EQ(expr("a * b * c"), expr("((a * b)) * c"));
  EXPECT_EQ(expr("a-1"), expr("a - 1"));
  EXPECT_EQ(expr("-1 * a - -2").str(), "-1 * a - -2");
  EXPECT_EQ(expr("a*(b+c)").str(), "a * (b + c)");
  EXPECT_EQ(expr("a - (b + c)").str(), "a - (b + c)");
  EXPECT_EQ(expr("min(a+1,max(b,mod(c,div(d,ceildiv(e,2)))))").str(),
            "min(a + 1, max(b, mod(c, div(d, ceildiv(e, 2)))))");
}

TEST_F(Attrs, accessorsGiveTheTree) {
  ExprAttr tree = expr("ceildiv(M, 128) * 3");
  ASSERT_EQ(tree.getKind(), ExprKind::Mul);
  EXPECT_EQ(tree.getRhs().getKind(), ExprKind::Constant);
  EXPECT_EQ(tree.getRhs().getValue(), 3);
  ASSERT_EQ(tree.getLhs().getKind(), ExprKind::CeilDiv);
  EXPECT_EQ(tree.getLhs().getLhs().getSymbol().getValue(), "M");
  std::vector<std::string> names;
  forEachSymbol(expr("min(M, N * M) - 2"),
                [&](mlir::StringAttr name) { names.push_back(name.str()); });
  EXPECT_EQ(names, (std::vector<std::string>{"M", "N", "M"}));
}

TEST_F(Attrs, comparisonsHaveTheirKinds) {
  EXPECT_EQ(comparison("M == 1").getKind(), ComparisonKind::Eq);
  EXPECT_EQ(comparison("M < 1").getKind(), ComparisonKind::Lt);
  EXPECT_EQ(comparison("M <= 1").getKind(), ComparisonKind::Le);
  EXPECT_EQ(comparison("M > 1").getKind(), ComparisonKind::Gt);
  EXPECT_EQ(comparison("M >= 1").getKind(), ComparisonKind::Ge);
  EXPECT_EQ(comparison("M+1>=N-1").str(), "M + 1 >= N - 1");
}

TEST_F(Attrs, malformedOnesAreRefused) {
  for (const char *text :
       {"", "M +", "M N", "(M", "min(M)", "min(M, N, K)", "i32", "M mod 4",
        "-M", "f(M)", "M / 2", "9223372036854775808", "x", "a.b", "\"M\"",
        "M == N", "_"}) {
    EXPECT_FALSE(expr(text)) << text;
    EXPECT_FALSE(error.empty()) << text;
    error.clear();
  }
  for (const char *text : {"M", "M = N", "M < N < K", "M !", "M =< N", "< M"}) {
    EXPECT_FALSE(comparison(text)) << text;
  }
}

TEST_F(Attrs, sizeIsLimited) {
  std::string sum = "M";
  for (unsigned i = 1; i < maxExprNodes / 2; ++i) {
    sum += "+M";
  }
  ASSERT_TRUE(expr(sum));
  EXPECT_EQ(expr(expr(sum).str()), expr(sum));
  EXPECT_FALSE(expr(sum + "+M+M"));
  EXPECT_EQ(error, "contract expression of more than 256 terms");
}
