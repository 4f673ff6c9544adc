// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: accessors, printing and reading back, and the tile that a load gives.

#include "ir/ops/Tile.h"

#include "mlir/AsmParser/AsmParser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace girih::tile;

namespace {
struct Types : testing::Test {
  Types() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<TileDialect>();
    context.getDiagEngine().registerHandler(
        [&](mlir::Diagnostic &diagnostic) { error = diagnostic.str(); });
  }

  template <typename T> T parse(const std::string &text) {
    return mlir::dyn_cast_if_present<T>(mlir::parseType(text, &context));
  }

  static std::string print(mlir::Type type) {
    std::string text;
    llvm::raw_string_ostream os(text);
    type.print(os);
    return text;
  }

  /// A constant or a symbol.
  mlir::Attribute randomExtent() {
    mlir::Builder builder(&context);
    if (*rc::gen::arbitrary<bool>()) {
      return builder.getIndexAttr(*rc::gen::inRange<int64_t>(0, INT64_MAX));
    }
    return builder.getStringAttr(
        *rc::gen::element<std::string>("M", "N", "x8", "align", "out"));
  }

  TileTensorType randomTensor() {
    mlir::Builder builder(&context);
    llvm::SmallVector<mlir::Attribute> dims, strides;
    size_t rank = *rc::gen::inRange(1, 5);
    bool strided = *rc::gen::arbitrary<bool>();
    for (size_t i = 0; i < rank; ++i) {
      dims.push_back(randomExtent());
      if (strided) {
        strides.push_back(randomExtent());
      }
    }
    mlir::Type element = *rc::gen::element<mlir::Type>(
        builder.getF16Type(), builder.getBF16Type(), builder.getF32Type(),
        builder.getF64Type(), builder.getI8Type(), builder.getI16Type(),
        builder.getI32Type(), builder.getI64Type());
    auto mode = *rc::gen::element(Mode::Shared, Mode::Own, Mode::Out);
    bool partial = mode == Mode::Out && *rc::gen::arbitrary<bool>();
    int64_t align = int64_t(1) << *rc::gen::inRange(0, 62);
    return TileTensorType::get(&context, dims, element, mode, partial, strides,
                               align);
  }

  mlir::MLIRContext context;
  std::string error;
};

struct TypesProperty : Types {};
} // namespace

RC_GTEST_FIXTURE_PROP(TypesProperty, tensorsReadBack, ()) {
  TileTensorType type = randomTensor();
  RC_ASSERT(parse<TileTensorType>(print(type)) == type);
}

RC_GTEST_FIXTURE_PROP(TypesProperty, partitionsAndPiecesReadBack, ()) {
  TileTensorType tensor = randomTensor();
  llvm::SmallVector<int64_t> tile;
  for (unsigned i = 0; i < tensor.getRank(); ++i) {
    tile.push_back(*rc::gen::element<int64_t>(0, 1, 2, 16, 32));
  }
  auto partition = PartitionType::get(&context, tile, tensor);
  RC_ASSERT(parse<PartitionType>(print(partition)) == partition);
  auto piece = PieceType::get(&context, tile, tensor.getElementType(),
                              *rc::gen::element(Mode::Own, Mode::Out));
  RC_ASSERT(parse<PieceType>(print(piece)) == piece);
  RC_ASSERT(partition.getTileType() == piece.getTileType());
}

TEST_F(Types, tensorAccessors) {
  auto type = parse<TileTensorType>(
      "!tile.tensor<[M, 128] x bf16, out partial, strides [ld, 1], align = 4>");
  ASSERT_TRUE(type);
  ASSERT_EQ(type.getRank(), 2u);
  EXPECT_EQ(mlir::cast<mlir::StringAttr>(type.getDims()[0]).getValue(), "M");
  EXPECT_EQ(mlir::cast<mlir::IntegerAttr>(type.getDims()[1]).getInt(), 128);
  EXPECT_EQ(mlir::cast<mlir::StringAttr>(type.getStrides()[0]).getValue(),
            "ld");
  EXPECT_TRUE(type.getElementType().isBF16());
  EXPECT_EQ(type.getMode(), Mode::Out);
  EXPECT_TRUE(type.getPartial());
  EXPECT_EQ(type.getAlign(), 4);

  auto plain = parse<TileTensorType>("!tile.tensor<[M] x f32, shared>");
  EXPECT_TRUE(plain.getStrides().empty());
  EXPECT_EQ(plain.getAlign(), 16);
  EXPECT_FALSE(plain.getPartial());
}

TEST_F(Types, equalTextsAreEqualTypes) {
  EXPECT_EQ(parse<TileTensorType>("!tile.tensor<[M,0x10] x f32,own,align=16>"),
            parse<TileTensorType>("!tile.tensor<[M, 16] x f32, own>"));
  EXPECT_EQ(parse<PartitionType>("!tile.partition<[_,8],[M,N] x f32,own>"),
            parse<PartitionType>("!tile.partition<[_, 8], [M, N] x f32, own>"));
}

TEST_F(Types, unitAxesAreAbsentFromTheTile) {
  auto tileType = [&](const std::string &text) {
    return print(tileTypeOf(mlir::parseType(text, &context)));
  };
  EXPECT_EQ(tileType("!tile.piece<[_, 64, _, 32] x bf16, out>"),
            "vector<64x32xbf16>");
  EXPECT_EQ(tileType("!tile.piece<[1, 64] x f32, own>"), "vector<1x64xf32>");
  EXPECT_EQ(tileType("!tile.piece<[_, _] x i32, own>"), "i32");
  EXPECT_EQ(tileType("!tile.partition<[_], [N] x i64, shared>"), "i64");
  EXPECT_FALSE(tileTypeOf(mlir::Float32Type::get(&context)));
}

TEST_F(Types, limitsAreInclusive) {
  EXPECT_TRUE(parse<PieceType>("!tile.piece<[1024, 1024] x f32, own>"));
  EXPECT_FALSE(parse<PieceType>("!tile.piece<[2048, 1024] x f32, own>"));
  EXPECT_EQ(error, "tile has more than 1048576 elements");
  EXPECT_FALSE(parse<PieceType>("!tile.piece<[4611686018427387904, "
                                "4611686018427387904, 4] x f32, own>"));
  EXPECT_TRUE(
      parse<TileTensorType>("!tile.tensor<[9223372036854775807] x f32, own>"));
  EXPECT_FALSE(
      parse<TileTensorType>("!tile.tensor<[9223372036854775808] x f32, own>"));
  EXPECT_TRUE(parse<TileTensorType>("!tile.tensor<[0] x f32, own>"));
}
