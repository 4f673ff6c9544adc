// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the theorems must not say less than (Gaps.v), and that a kernel's term
// leaves nothing out: what has no form in the theory is refused by its name.

#include "ir/ops/ClosedOps.h"
#include "ir/text/Reader.h"
#include "spec/coq/KernelPrinter.h"
#include "spec/coq/Words.h"
#include "tests/unit/coq/Repository.h"
#include "tests/unit/proofs/Coqc.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <regex>

namespace girih {
namespace {

namespace arith = mlir::arith;

TEST(Theorems, sayNoLess) {
  EXPECT_EQ(test::compileCoq(
                test::contentsOf(GIRIH_SOURCE_DIR "/tests/unit/coq/Gaps.v")),
            "");
}

constexpr const char *text = R"(
tile.kernel @k(%a: !tile.tensor<[64, 64] x f32, shared>,
               %c: !tile.tensor<[64, 64] x f32, out>, %s: f32) grid [1] {
  %c0 = arith.constant 0 : index
  %is = arith.cmpi slt, %c0, %c0 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %pa = tile.partition %a by [64, 64] : !tile.tensor<[64, 64] x f32, shared>
  %pc = tile.partition %c by [64, 64] : !tile.tensor<[64, 64] x f32, out>
  %out = tile.claim %pc[%c0, %c0] : !tile.partition<[64, 64], [64, 64] x f32, out>
  %x = tile.load %pa[%c0, %c0] : !tile.partition<[64, 64], [64, 64] x f32, shared>
  %p = tile.mma %x, %x, %zero : vector<64x64xf32>, vector<64x64xf32>, vector<64x64xf32>
  %q = tile.mma %x, %x, %zero fast : vector<64x64xf32>, vector<64x64xf32>, vector<64x64xf32>
  %m = tile.reduce add %p, 1 : vector<64x64xf32>
  %n = tile.reduce add %p, 1 : vector<64x64xf32>
  %k = tile.reduce add %p, 1 keep : vector<64x64xf32>
  %e = math.exp2 %q : vector<64x64xf32>
  %f = math.exp2 %q fastmath<afn> : vector<64x64xf32>
  %sum = arith.addf %p, %q : vector<64x64xf32>
  tile.store %sum, %out : !tile.piece<[64, 64] x f32, out>
}
)";

struct Closed : testing::Test {
  Closed() : context(mlir::MLIRContext::Threading::DISABLED) {
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto files = tile::readKernelTexts(context, text, "k.mlir", stream);
    EXPECT_EQ(files.size(), 1u) << errors;
    file = std::move(files.front());
    context.allowUnregisteredDialects();
  }

  tile::KernelOp kernel() { return file->kernel; }
  mlir::Operation *op(llvm::StringRef name, int skip = 0) {
    mlir::Operation *found = nullptr;
    kernel().walk([&](mlir::Operation *o) {
      if (o->getName().getStringRef() == name && skip-- == 0) {
        found = o;
      }
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  /// It is refused, the term withheld, for this reason.
  void refuses(const std::string &why) {
    EXPECT_NE(coq::unmechanised(kernel()).find(why), std::string::npos)
        << coq::unmechanised(kernel()) << " does not name " << why;
    EXPECT_FALSE(coq::printKernel(kernel()));
  }

  mlir::MLIRContext context;
  decltype(tile::readKernelTexts(
      std::declval<mlir::MLIRContext &>(), "", "",
      std::declval<llvm::raw_ostream &>()))::value_type file;
};

TEST_F(Closed, unknownOps) {
  EXPECT_EQ(coq::unmechanised(kernel()), "");
  for (const char *name :
       {"test.unknown", "math.atan", "arith.subui_extended", "tile.later"}) {
    EXPECT_FALSE(coq::formOf(name)) << name;
  }
  mlir::OpBuilder builder(op("tile.mma"));
  mlir::OperationState state(op("tile.mma")->getLoc(), "test.unknown");
  state.addOperands(op("tile.load")->getResults());
  state.addTypes(builder.getF32Type());
  builder.create(state);
  refuses("test.unknown in line 11 ");
}

/// The closed lists are those of the language, less what the theory lacks.
TEST_F(Closed, opsOfTheLanguage) {
  // Inlined and elaborated by the reader, opted out of the theory, nothing to a
  // run, or not in it yet.
  const std::set<std::string> without = {
      "tile.apply",     "tile.yield",  "tile.trust", "func.call",
      "tile.print",     "func.return", "scf.while",  "scf.condition",
      "tile.invariant", "tile.inside", "tile.measure"};
  size_t said = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    llvm::StringRef word = name.getStringRef();
    bool expected = tile::isClosedOp(word) && !without.contains(word.str());
    EXPECT_EQ(coq::formOf(word).has_value(), expected) << word.str();
    said += expected;
  }
  EXPECT_GE(said, 80u);
}

TEST_F(Closed, unknownModes) {
  auto argument = kernel().getArguments()[0];
  auto tensor = mlir::cast<tile::TileTensorType>(argument.getType());
  for (auto mode : {tile::Mode::Raw, static_cast<tile::Mode>(10)}) {
    argument.setType(tile::TileTensorType::get(
        &context, tensor.getDims(), tensor.getElementType(), mode, false,
        tensor.getStrides(), tensor.getAlign()));
    refuses("mode ");
  }
}

TEST_F(Closed, unknownTypes) {
  mlir::Builder b(&context);
  for (mlir::Type type : std::initializer_list<mlir::Type>{
           mlir::Float80Type::get(&context), mlir::FloatTF32Type::get(&context),
           mlir::Float8E4M3FNUZType::get(&context), b.getF128Type(),
           b.getIntegerType(32, false), b.getNoneType()}) {
    EXPECT_FALSE(coq::elementWord(type));
    kernel().getArguments()[2].setType(type);
    refuses("type ");
    kernel().getArguments()[2].setType(b.getF32Type());
    op("tile.mma")
        ->getResult(0)
        .setType(mlir::VectorType::get({64, 64}, b.getF32Type()));
    EXPECT_EQ(coq::unmechanised(kernel()), "");
    if (mlir::isa<mlir::FloatType>(type)) {
      op("tile.mma")
          ->getResult(0)
          .setType(mlir::VectorType::get({64, 64}, type));
      refuses("type ");
      op("tile.mma")
          ->getResult(0)
          .setType(mlir::VectorType::get({64, 64}, b.getF32Type()));
    }
  }
}

TEST_F(Closed, unknownAttributes) {
  mlir::Builder b(&context);
  op("tile.mma")->setAttr("sparse", b.getUnitAttr());
  refuses("attribute sparse of tile.mma in line 11 ");
  op("tile.mma")->removeAttr("sparse");
  EXPECT_EQ(coq::unmechanised(kernel()), "");
  mlir::cast<arith::AddFOp>(op("arith.addf"))
      .setFastmath(arith::FastMathFlags::reassoc);
  refuses("attribute fastmath of arith.addf");
}

TEST_F(Closed, unknownComparisons) {
  for (auto predicate :
       {arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
        arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge}) {
    mlir::cast<arith::CmpIOp>(op("arith.cmpi")).setPredicate(predicate);
    refuses("comparison without sign in line 5 ");
  }
}

/// Ops that were one function: equal ones, products with `fast` and without,
/// reductions that keep an axis, exponentials.
TEST_F(Closed, opsDifferByPlaceAndAttributes) {
  std::optional<std::string> term = coq::printKernel(kernel());
  ASSERT_TRUE(term);
  std::set<std::string> places, functions;
  size_t ops = 0;
  std::regex opaque(R"re(Opaque (\d+) ("[^"]*" \[.*?\]) \[\(\d)re");
  for (std::sregex_iterator it(term->begin(), term->end(), opaque), end;
       it != end; ++it, ++ops) {
    places.insert((*it)[1]);
    functions.insert((*it)[2]);
  }
  EXPECT_EQ(ops, 8u);
  EXPECT_EQ(places.size(), 8u);
  EXPECT_EQ(functions,
            (std::set<std::string>{
                R"("tile.mma" [])", R"("tile.mma" [("fast", [])])",
                R"("tile.reduce" [("axis", [1]); ("reduceKind", [0])])",
                R"("tile.reduce" [("axis", [1]); ("keep", []); )"
                R"(("reduceKind", [0])])",
                R"("math.exp2" [])", R"("math.exp2" [("fastmath", [64])])",
                R"("arith.addf" [])"}));
}

} // namespace
} // namespace girih
