// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader: what a kernel file gives, and that hostile texts are refused
// quickly, for the reason that is theirs.

#include "Kernels.h"

#include "ir/ops/ClosedOps.h"
#include "ir/text/Reader.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <chrono>
#include <gtest/gtest.h>

using namespace girih::tile;
using girih::test::kernelPaths;

namespace {
struct Reader : testing::Test {
  Reader() : context(mlir::MLIRContext::Threading::DISABLED) {}

  std::unique_ptr<KernelFile> read(const std::string &text) {
    errors.clear();
    llvm::raw_string_ostream os(errors);
    return readKernelText(context, text, "k.mlir", os);
  }

  /// The first line of errors after its position; empty if `text` is a kernel.
  std::string refusal(const std::string &text) {
    auto begin = std::chrono::steady_clock::now();
    bool fine = read(text) != nullptr;
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 1.0);
    EXPECT_EQ(fine, errors.empty());
    size_t start = errors.find("error: ");
    return fine ? "" : errors.substr(start + 7, errors.find('\n') - start - 7);
  }

  mlir::MLIRContext context;
  std::string errors;
};
} // namespace

static std::string repeat(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i) {
    result += text;
  }
  return result;
}

static const char *const opening = R"(
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !X) grid [M] {
  %i = tile.block_id 0
  %c = arith.cmpi slt, %i, %i : index
  %p = tile.partition %x by [16, 32] : !X
)";

TEST_F(Reader, shippedKernelsAreRead) {
  auto paths = kernelPaths("proofs/kernels");
  ASSERT_GE(paths.size(), 7u);
  for (const auto &path : paths) {
    llvm::raw_string_ostream os(errors);
    KernelFiles files = readKernelFiles(context, path.string(), os);
    ASSERT_FALSE(files.empty()) << errors;
    KernelFile &first = *files.front();
    EXPECT_EQ(first.list.empty() ? first.kernel.getSymName().str() : first.list,
              path.stem().string());
    EXPECT_EQ(path.parent_path().filename(), path.stem());
  }
}

TEST_F(Reader, valuesKeepTheirNames) {
  auto file = read(R"(
tile.kernel @k() grid [1] {
  %c0 = arith.constant 0 : index
  %0 = arith.constant 4 : index
  %a, %b:2 = scf.for %k = %c0 to %0 step %0 iter_args(%x = %c0, %y.1 = %c0, %z = %0) -> (index, index, index) {
    scf.yield %x, %k, %z : index, index, index
  }
})");
  ASSERT_TRUE(file) << errors;
  std::vector<std::string> names;
  file->kernel->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    for (mlir::Value v : op->getResults()) {
      names.push_back(writtenName(v));
    }
    if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
      for (mlir::Value v : loop.getBody()->getArguments()) {
        names.push_back(writtenName(v));
      }
    }
  });
  EXPECT_EQ(names, (std::vector<std::string>{"%c0", "%0", "%a", "%b#0", "%b#1",
                                             "%k", "%x", "%y.1", "%z"}));
  // What is not in the text has none.
  EXPECT_EQ(
      writtenName(mlir::Value(file->kernel.getBody()->addArgument(
          mlir::IndexType::get(&context), mlir::UnknownLoc::get(&context)))),
      "");
}

TEST_F(Reader, headerOfAKernel) {
  auto file = read("tile.kernel @k(%b: !tile.tensor<[N, 4, M] x f32, own, "
                   "strides [ld, 1, P]>, %a: !tile.tensor<[M, K] x f32, out>, "
                   "%s: f32) symbols [pos : i32, P : index, ld : index] "
                   "grid [M, 2 * P] requires [P >= 1] {}");
  ASSERT_TRUE(file) << errors;
  KernelOp kernel = file->kernel;
  std::string symbols;
  for (const LaunchSymbol &symbol : kernel.getLaunchSymbols()) {
    symbols += symbol.name.str() + (symbol.type.isIndex() ? " " : "! ");
  }
  EXPECT_EQ(symbols, "N M K pos! P ld ");
  ASSERT_EQ(kernel.getArguments().size(), 3u);
  EXPECT_EQ(kernel.getArgName(0), "b");
  EXPECT_EQ(kernel.getArgName(2), "s");
  ASSERT_EQ(kernel.getGridExprs().size(), 2u);
  EXPECT_EQ(kernel.getGridExprs()[1].str(), "2 * P");
  ASSERT_EQ(kernel.getRequirements().size(), 1u);
  EXPECT_EQ(kernel.getRequirements()[0].str(), "P >= 1");
}

TEST_F(Reader, rangesOfOperandsAndDefinitions) {
  auto file = read(std::string(opening) +
                   "  %sums:2 = scf.for %k = %i to %i step %i "
                   "iter_args(%a = %c, %b = %i) -> (i1, index) {\n"
                   "    %d = arith.addi %b, %b : index\n"
                   "    scf.yield %a, %d : i1, index\n  }\n"
                   "  %e = arith.muli %sums#1, %i : index\n}\n");
  ASSERT_TRUE(file) << errors;
  auto at = [](llvm::SMRange range) {
    return std::string(range.Start.getPointer(), range.End.getPointer());
  };
  mlir::Operation *loop = nullptr, *add = nullptr, *mul = nullptr;
  file->kernel->walk([&](mlir::Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    loop = name == "scf.for" ? op : loop;
    add = name == "arith.addi" ? op : add;
    mul = name == "arith.muli" ? op : mul;
  });
  EXPECT_EQ(at(opRange(*file, loop)), "scf.for");
  EXPECT_EQ(at(operandRange(*file, loop, 2)), "%i");
  EXPECT_EQ(at(operandRange(*file, loop, 3)), "%c");
  EXPECT_EQ(at(operandRange(*file, mul, 0)), "%sums#1");
  // The second of two equal operands is not the first.
  EXPECT_GT(operandRange(*file, add, 1).Start.getPointer(),
            operandRange(*file, add, 0).Start.getPointer());
  EXPECT_EQ(at(definitionRange(*file, add->getOperand(0))), "%b");
  EXPECT_EQ(at(definitionRange(*file, add->getResult(0))), "%d");
  EXPECT_EQ(at(definitionRange(*file, loop->getResult(1))), "%sums");
  EXPECT_EQ(at(definitionRange(*file, file->kernel.getArguments()[1])), "%y");
  EXPECT_FALSE(operandRange(*file, add, 2).isValid());
}

TEST_F(Reader, oneModuleAroundAKernelIsLookedThrough) {
  EXPECT_TRUE(read("module {\n tile.kernel @k() grid [] {}\n}"));
  EXPECT_EQ(refusal("module { module { tile.kernel @k() grid [] {} } }"),
            "a kernel file holds one tile.kernel, its helpers and maps, "
            "got builtin.module");
}

TEST_F(Reader, variantsComeInTheOrderOfTheirList) {
  const char *text = "tile.kernel @b() symbols [N : index] grid [N] {}\n"
                     "tile.kernel @a() symbols [N : index] grid [1] {}\n"
                     "tile.variants @v [@a when (N >= 2, N < 9), @b]\n";
  llvm::raw_string_ostream os(errors);
  KernelFiles files = readKernelTexts(context, text, "k.mlir", os);
  ASSERT_EQ(files.size(), 2u) << errors;
  EXPECT_EQ(files[0]->kernel.getSymName(), "a");
  EXPECT_EQ(files[1]->kernel.getSymName(), "b");
  EXPECT_EQ(files[0]->list, "v");
  EXPECT_EQ(files[1]->list, "v");
  ASSERT_EQ(files[0]->when.size(), 2u);
  EXPECT_EQ(files[0]->when[1].str(), "N < 9");
  EXPECT_TRUE(files[1]->when.empty());
  // What a list takes a kernel for is no part of the kernel.
  EXPECT_TRUE(files[0]->kernel.getRequirements().empty());
  EXPECT_EQ(files[0]->text, files[1]->text);
  EXPECT_EQ(refusal(text), "one kernel is expected here, not variants");
  auto alone = read("tile.kernel @k() grid [1] {}");
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->list, "");
}

TEST_F(Reader, contextsStayUsable) {
  EXPECT_FALSE(read("tile.kernel"));
  EXPECT_TRUE(read("tile.kernel @k() grid [] {}"));
  EXPECT_TRUE(context.shouldPrintOpOnDiagnostic());
  auto kept = read("tile.kernel @kept() grid [] {}");
  EXPECT_TRUE(read("tile.kernel @other() grid [] {}"));
  EXPECT_EQ(kept->kernel.getSymName(), "kept");
}

TEST_F(Reader, bytesThatAreNoText) {
  EXPECT_EQ(refusal(""), "no tile.kernel in the file");
  EXPECT_EQ(refusal(" // nothing"), "no tile.kernel in the file");
  EXPECT_EQ(refusal(std::string("tile.kernel @k() grid [] {\0}", 28)),
            "unexpected byte 0");
  EXPECT_EQ(refusal("\xff\xfe"), "unexpected byte 255");
  EXPECT_EQ(refusal("tile.kernel @k() grid [] { \xc3\xa9 }"),
            "unexpected character é: outside of comments a kernel is ASCII");
  EXPECT_EQ(refusal("// \xc3\xa9\ntile.kernel @k() grid [] {}\r\n"), "");
  EXPECT_EQ(refusal(std::string(maxTextBytes + 1, ' ')),
            "more than 1048576 bytes of text");
  EXPECT_EQ(refusal("//" + std::string(maxTextBytes - 2, 'x')),
            "no tile.kernel in the file");
}

TEST_F(Reader, charactersThatAreNotAscii) {
  EXPECT_EQ(refusal("\xef\xbb\xbftile.kernel @k() grid [] {}"),
            "the file begins with a byte order mark: save it without");
  EXPECT_EQ(refusal("tile.kernel @k() grid [] {\xef\xbb\xbf}"),
            "unexpected character \\u{feff}: outside of comments a kernel is "
            "ASCII");
  EXPECT_EQ(refusal("\xe2\x82"), "unexpected byte 226"); // half a euro sign
}

// What is shown of a text steers no terminal and floods none.
TEST_F(Reader, errorsArePrintable) {
  refusal("tile.kernel @k() \x1b[31m\xff \xc3\xa9 // \x07");
  EXPECT_EQ(errors, "k.mlir:1:18: error: unexpected byte 27\n"
                    "tile.kernel @k() \\x1b[31m\\xff \xc3\xa9 // \\x07\n"
                    "                 ^~~~\n");
  refusal("tile.kernel @k() grid [] {}" + repeat(" ", 1000) + "~");
  EXPECT_EQ(errors, "k.mlir:1:1028: error: unexpected character ~\n");
}

TEST_F(Reader, deepNesting) {
  const std::string deep = "brackets are nested more than 64 deep";
  EXPECT_EQ(refusal(repeat("(", maxTextBytes)), deep);
  EXPECT_EQ(refusal(opening + repeat("scf.if %c {", 90000)), deep);
  EXPECT_EQ(refusal(repeat("module {", 100000)), deep);
  EXPECT_EQ(refusal(opening + repeat("scf.if %c {", 60) + repeat("}", 61)), "");
  EXPECT_EQ(refusal(opening + ("%v = arith.constant dense<0> : " +
                               repeat("vector<4x", 100000))),
            "a vector type reads vector<4x8xf32>");
  EXPECT_EQ(refusal("tile.kernel @k(%x: !tile.tensor<[M] x f32, own>) grid [M" +
                    repeat("+M", 400000) + "] {}"),
            "contract expression of more than 256 terms");
}

TEST_F(Reader, literalsThatAskForMemory) {
  EXPECT_EQ(refusal(opening + std::string("%a = arith.addi %z#4000000000, %i "
                                          ": index }")),
            "an op has at most 64 results");
  EXPECT_EQ(refusal(opening + std::string("%v = arith.constant 0 :i16777215}")),
            "type i16777215 is not in the language");
  EXPECT_EQ(refusal(opening + std::string("%v = arith.constant dense<0> : "
                                          "vector<1048576x1048576xi32> }")),
            "vectors have 1 to 1048576 elements");
  EXPECT_EQ(refusal(opening + ("%v = arith.constant " + repeat("9", 900000) +
                               " : i64 }")),
            "number of 900000 digits");
  // Glued to a number, a word is a word of its own, as in MLIR's lexer.
  EXPECT_EQ(refusal(opening + std::string("%v = tile.block_id 0memref.load }")),
            "memref.load is not in the language, which has ops of tile, scf, "
            "func, arith, math and vector");
  EXPECT_EQ(refusal(opening + std::string("%v = arith.constant 0xi16777215 }")),
            "xi16777215 is not in the language, which has ops of tile, scf, "
            "func, arith, math "
            "and vector");
}

TEST_F(Reader, manyOfOneThing) {
  EXPECT_EQ(refusal(repeat("tile.kernel @k() grid [] {}\n", 30000)),
            "second kernel @k in a file, after @k");
  std::string arguments, symbols, ops, hints;
  for (int i = 0; i < 10000; ++i) {
    std::string number = std::to_string(i);
    arguments += (i ? ", %a" : "%a") + number + ": !tile.tensor<[M" + number +
                 "] x f32, own>";
    symbols += (i ? ", s" : "s") + number + " : i8";
    ops += "%v" + number + " = tile.symbol \"s" + number + "\" : i8\n";
    hints += (i ? ", t" : "t") + number + " = {a = 1}";
  }
  EXPECT_EQ(refusal("tile.kernel @k(" + arguments + ") symbols [" + symbols +
                    "] grid [] {}"),
            "");
  EXPECT_EQ(refusal("tile.kernel @k() symbols [" + symbols +
                    "] grid [] hints {" + hints + "} {" + ops + "}"),
            "");
  EXPECT_EQ(refusal(opening + repeat("tile.load %p[%i] : !PX\n", 30000) + "}"),
            "load has 1 index but the partition has 2 axes");
  EXPECT_LT(std::count(errors.begin(), errors.end(), '\n'), 100);
  EXPECT_EQ(refusal(opening + ("%v = tile.load %p[%i" + repeat(", %i", 200000) +
                               "] : !PX }")),
            "load has 200001 indices but the partition has 2 axes");
}

/// Where the statements of statementForm stand: their operands have values
/// here, a second map yields as one of them does, and two belong to a while.
static std::string around(const std::string &statement, bool inMap) {
  std::string map = R"(
tile.map @map(%i) [] -> (index) from [64] into [64] {
  tile.yield %i
}
tile.map @other(%i) [] -> (index) from [64] into [64] {
  )";
  bool inWhile = statement.starts_with("tile.measure") ||
                 statement.starts_with("tile.invariant");
  return map + (inMap ? statement : "tile.yield %i") + R"(
}
!X = !tile.tensor<[N] x i32, shared>
!C = !tile.tensor<[N] x i32, own>
!H = !tile.tensor<[N] x i32, atomic<add>>
!PX = !tile.partition<[16], [N] x i32, shared>
!PC = !tile.partition<[16], [N] x i32, own>
!PH = !tile.partition<[16], [N] x i32, atomic<add>>
!P = !tile.piece<[16] x i32, own>
tile.kernel @k(%x: !X, %c: !C, %h: !H) grid [N] {
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %t = arith.cmpi slt, %i, %n : index
  %l = tile.iota 0 : vector<16xindex>
  %v = arith.constant dense<1> : vector<16xi32>
  %f = arith.constant dense<1.0> : vector<16xf32>
  %s = arith.constant dense<1.0> : vector<16x16xf32>
  %a = arith.constant dense<1.0> : vector<16x32xf8E5M2>
  %b = arith.constant dense<1.0> : vector<32x16xf8E5M2>
  %as = arith.constant dense<1.0> : vector<16x1xf8E8M0FNU>
  %bs = arith.constant dense<1.0> : vector<1x16xf8E8M0FNU>
  %px = tile.partition %x by [16] : !X
  %pc = tile.partition %c by [16] : !C
  %ph = tile.partition %h by [16] : !H
  %piece = tile.claim %pc[%i] : !PC
  scf.if %t {
    )" + (inMap || inWhile ? "" : statement) +
         R"(
  }
  scf.while () : () -> () {
    )" + (inWhile ? statement : "") +
         (statement.starts_with("tile.measure")
              ? ""
              : "\n    tile.measure %i : index") +
         R"(
    scf.condition(%t)
  } do {
    scf.yield
  }
}
)";
}

// What an atomic combines by is a word: in braces another could stand.
TEST_F(Reader, atomicsSayTheirKindInAWord) {
  std::string atomic = statementForm("tile.atomic").str();
  EXPECT_TRUE(read(around(atomic, false))) << errors;
  for (const char *kind : {" {kind = 1 : i32}", " {note = 3 : i32}"}) {
    EXPECT_EQ(refusal(around(atomic + kind, false)),
              refuseBraces("tile.atomic"));
  }
}

// An attribute in braces would take the place of a word of the op: behind no
// op of the dialect is there one, whether it is one of the op's own or not.
TEST_F(Reader, noOpHasAttributesInBraces) {
  context.getOrLoadDialect<TileDialect>();
  unsigned count = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    std::string op = name.getStringRef().str();
    if (!name.getStringRef().starts_with("tile.") || op == "tile.kernel" ||
        op == "tile.map" || op == "tile.variants") {
      continue; // the text of these three has no place for such attributes
    }
    ++count;
    std::string statement = op == "tile.mulhi"
                                ? "%r = tile.mulhi %v, %v : vector<16xi32>"
                                : statementForm(op).str();
    bool inMap = op == "tile.yield";
    // Results named as values of the prelude are no mistake of the form.
    std::string fresh = statement;
    if (size_t equals = fresh.find(" = "); equals != std::string::npos) {
      fresh = "%fresh" + fresh.substr(equals);
    }
    EXPECT_TRUE(read(around(fresh, inMap))) << fresh << '\n' << errors;
    std::vector<std::string> names{"note"};
    for (mlir::StringAttr own : name.getAttributeNames()) {
      names.push_back(own.str());
    }
    size_t colon = std::min(fresh.find(" : "), fresh.size());
    for (const std::string &attribute : names) {
      for (size_t at : {colon, fresh.size()}) {
        std::string with = fresh;
        with.insert(at, " {" + attribute + " = 3 : i32}");
        EXPECT_EQ(refusal(around(with, inMap)), refuseBraces(op)) << with;
        size_t column = at + (inMap ? 4 : 6);
        EXPECT_NE(errors.find(":" + std::to_string(column) + ": error"),
                  std::string::npos)
            << errors;
      }
    }
  }
  EXPECT_GE(count, 28u);
}
