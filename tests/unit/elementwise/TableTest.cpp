// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row of ir/ops/Elementwise.def against all that must know the op: reader,
// executor, checker, printer to Coq, emitter, readback gate and import; and no
// op of arith or math is in the language without a row.

#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"
#include "fuzz/generators/Forms.h"
#include "ir/ops/ClosedOps.h"
#include "ir/text/Reader.h"
#include "lower/Readback.h"
#include "lower/import/Import.h"
#include "lower/readback/Rows.h"
#include "lower/tileir/Encoding.h"
#include "spec/coq/KernelPrinter.h"
#include "spec/coq/Words.h"
#include "spec/executor/Executor.h"
#include "tests/unit/ir/Kernels.h"

#include <gtest/gtest.h>

using namespace girih;

namespace {

/// What a row says of the op of Tile IR.
struct TileIr {
  bool own = false; ///< the opcode is its own
  unsigned number = 0;
  std::string mnemonic;
};

/// A row, as this test reads it.
struct Row {
  std::string name, shape, elements;
  TileIr tileIr;
  std::optional<tileir::Opcode> emitted; ///< as one op on the same operands
  std::string imported;                  ///< "" unless lane by lane
  bool isImported;
};

const std::vector<Row> rows = {
#define ELEMENTS(kinds, text) text
#define TILE_IR(opcode, number, mnemonic, ...)                                 \
  TileIr { true, number, mnemonic }
#define SHARED_TILE_IR TileIr()
#define NO_TILE_IR TileIr()
#define TILE_IR_BY_HAND TileIr()
#define EMIT(opcode, ...) tileir::Opcode::opcode
#define EMITTED_BY_HAND std::nullopt
#define IMPORT(from) from, true
#define IMPORTED_BY_HAND "", true
#define NOT_IMPORTED "", false
#define ELEMENTWISE(name, shape, elements, executor, coq, tile_ir, emitted,    \
                    imported, ...)                                             \
  {name, #shape, elements, tile_ir, emitted, imported},
#include "ir/ops/Elementwise.def"
};

/// Elements from which and to which the op goes, of those that a tensor has.
std::pair<std::string, std::string> elementsOf(const Row &row) {
  if (row.shape == "Cast") {
    static const fuzz::ElementTable table = fuzz::elementTable(
        test::readText(std::string(GIRIH_SOURCE_DIR) + "/spec/tile.md"));
    for (auto [from, to] : {std::pair{"i32", "f32"},
                            {"f32", "i32"},
                            {"i32", "i64"},
                            {"i32", "i16"},
                            {"f32", "f64"},
                            {"f32", "f16"}}) {
      if (table.at(row.name).contains(std::string(from) + " to " + to)) {
        return {from, to};
      }
    }
    return {"i32", "i32"}; // by index
  }
  std::string e = row.elements == "fN" || row.elements == "all" ? "f32" : "i32";
  return {e, row.shape == "Compare" ? "i8" : e};
}

/// The statements that make %r of %v.
std::string statements(const Row &row, const std::string &from,
                       const std::string &to) {
  std::string v = " : vector<4x" + from + ">", r = " to vector<4x" + to + ">";
  if (row.name == "arith.index_cast") {
    return "  %n = arith.index_cast %v" + v + " to vector<4xindex>\n" +
           "  %r = arith.index_cast %n : vector<4xindex>" + r + "\n";
  }
  if (row.shape == "Cast") {
    return "  %r = " + row.name + " %v" + v + r + "\n";
  }
  if (row.shape == "Shift") {
    return "  %z = arith.constant dense<3>" + v + "\n  %r = " + row.name +
           " %v, %z" + v + "\n";
  }
  if (row.shape == "Select") {
    return "  %m = arith.constant dense<[true, false, false, true]> : "
           "vector<4xi1>\n  %r = " +
           row.name + " %m, %v, %v : vector<4xi1>, vector<4x" + from + ">\n";
  }
  std::string op = fuzz::Elementwise{row.name, row.shape, ""}.of("%v") + v;
  if (row.shape == "Compare") {
    return "  %b = " + op + "\n  %r = arith.extui %b : vector<4xi1>" + r + "\n";
  }
  return "  %r = " + op + "\n";
}

std::string kernelOf(const Row &row) {
  auto [from, to] = elementsOf(row);
  std::string x = "[4] x " + from + ", shared>", y = "[4] x " + to + ", out>";
  return "!X = !tile.tensor<" + x + "\n!PX = !tile.partition<[4], " + x +
         "\n!Y = !tile.tensor<" + y + "\n!PY = !tile.partition<[4], " + y +
         "\ntile.kernel @k(%x: !X, %y: !Y) grid [1]" +
         // So that divisions are defined.
         (from[0] == 'i' ? " given [within(%x, 1, 5)]" : "") +
         " {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %px = tile.partition %x by [4] : !X\n"
         "  %py = tile.partition %y by [4] : !Y\n"
         "  %v = tile.load %px[%c0] : !PX\n" +
         statements(row, from, to) +
         "  %o = tile.claim %py[%c0] : !PY\n"
         "  tile.store %r, %o : !tile.piece<" +
         y + "\n}\n";
}

class Table : public testing::TestWithParam<Row> {
protected:
  Table() {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    files = tile::readKernelTexts(context, kernelOf(GetParam()), "k.mlir",
                                  llvm::errs());
  }
  bool lowered(const tileir::Module &module, tileir::Opcode opcode) {
    return llvm::any_of(module.functions[0].body.ops,
                        [&](const auto &op) { return op.opcode == opcode; });
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  tile::KernelFiles files;
};

TEST_P(Table, IsKnownToAll) {
  const Row &row = GetParam();
  SCOPED_TRACE(kernelOf(row));
  ASSERT_EQ(files.size(), 1u);
  tile::KernelOp kernel = files.front()->kernel;
  EXPECT_TRUE(tile::isClosedOp(row.name));
  EXPECT_TRUE(exec::run(kernel, {}).clean());
  EXPECT_TRUE(coq::formOf(row.name));
  EXPECT_EQ(coq::unmechanised(kernel), "");
  EXPECT_TRUE(coq::printKernel(kernel));

  checker::CheckOptions options;
  options.openSearch = checker::openSearch;
  std::string failure;
  std::vector<checker::Checked> checked = checker::checkKernels(
      std::move(files), "k.mlir", options, nullptr, failure);
  ASSERT_TRUE(checked.front().verdict.verified) << failure;
  const checker::VerifiedKernel &verified = *checked.front().verdict.verified;

  auto made = tileir::lower(verified);
  auto *why = std::get_if<std::string>(&made);
  ASSERT_FALSE(why) << *why;
  auto &low = std::get<tileir::Lowered>(made);
  tileir::Bytes bytes = tileir::writeBytecode(low.module);
  EXPECT_EQ(lower::readBack(verified, low, bytes).value_or(""), "");

  // The decoder, written without the table, calls the op the same.
  if (row.tileIr.own) {
    const readback::Row *known = readback::rowOf(row.tileIr.number, false);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->name, row.tileIr.mnemonic);
  }
  auto read = readback::read(bytes);
  auto *functions = std::get_if<std::vector<readback::Function>>(&read);
  ASSERT_TRUE(functions);
  if (row.emitted) {
    std::string mnemonic = tileir::formOf(*row.emitted).mnemonic;
    EXPECT_TRUE(
        llvm::any_of(functions->front().ops,
                     [&](const auto &op) { return op.name == mnemonic; }))
        << mnemonic << " is not emitted";
  }
  if (row.isImported && row.emitted) {
    auto text = importer::importKernel(functions->front(), {});
    ASSERT_EQ(text.index(), 0u) << std::get<importer::ImportError>(text).why;
    // Of which the checker knows more.
    std::string as = row.name == "math.absi" ? "arith.maxsi" : row.name;
    EXPECT_NE(std::get<std::string>(text).find(as + " "), std::string::npos)
        << std::get<std::string>(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Elementwise, Table, testing::ValuesIn(rows),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

/// What `negi` of others comes to; the emitter writes none, so that an op of
/// the same operands stands in for it.
class Negation : public Table {};

TEST_P(Negation, IsASubtractionFromZero) {
  checker::CheckOptions options;
  options.openSearch = checker::openSearch;
  std::string failure;
  std::vector<checker::Checked> checked = checker::checkKernels(
      std::move(files), "k.mlir", options, nullptr, failure);
  ASSERT_TRUE(checked.front().verdict.verified) << failure;
  auto made = tileir::lower(*checked.front().verdict.verified);
  auto read = readback::read(
      tileir::writeBytecode(std::get<tileir::Lowered>(made).module));
  readback::Function f =
      std::get<std::vector<readback::Function>>(read).front();
  auto op = std::ranges::find(f.ops, std::string_view("absi"),
                              [](const auto &o) { return o.name; });
  ASSERT_NE(op, f.ops.end());
  op->name = "negi";
  op->attributes["overflow"].number = 0;
  auto text = importer::importKernel(f, {});
  ASSERT_EQ(text.index(), 0u) << std::get<importer::ImportError>(text).why;
  const std::string &kernel = std::get<std::string>(text);
  size_t zero = kernel.find(" = arith.constant dense<0> : vector<4xi32>");
  ASSERT_NE(zero, std::string::npos) << kernel;
  size_t name = kernel.rfind('%', zero);
  EXPECT_NE(kernel.find("arith.subi " + kernel.substr(name, zero - name) + ","),
            std::string::npos)
      << kernel;
  EXPECT_EQ(kernel.find("arith.maxsi"), std::string::npos) << kernel;
  EXPECT_EQ(
      tile::readKernelTexts(context, kernel, "again.mlir", llvm::errs()).size(),
      1u);
  // One that is said not to wrap is another op.
  op->attributes["overflow"].number = 1;
  EXPECT_EQ(importer::importKernel(f, {}).index(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Elementwise, Negation, testing::ValuesIn([] {
                           std::vector<Row> one = rows;
                           std::erase_if(one, [](const Row &r) {
                             return r.name != "math.absi";
                           });
                           return one;
                         }()),
                         [](const auto &info) { return info.param.shape; });

TEST(Elementwise, EachOpOfArithAndMathHasARow) {
  mlir::MLIRContext context;
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  size_t closed = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    llvm::StringRef word = name.getStringRef();
    bool isScalarOp = word.starts_with("arith.") || word.starts_with("math.");
    if (!isScalarOp || !tile::isClosedOp(word) || word == "arith.constant") {
      continue;
    }
    ++closed;
    EXPECT_TRUE(llvm::any_of(rows, [&](const Row &row) {
      return word == row.name;
    })) << word.str();
  }
  // Ops of the dialect have other forms as well.
  EXPECT_EQ(closed, size_t(llvm::count_if(rows, [](const Row &row) {
              return !llvm::StringRef(row.name).starts_with("tile.");
            })));
}

} // namespace
