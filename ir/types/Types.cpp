// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text form and invariants of the types. Element types are read as words, not
// as types, so that a type cannot be nested in a type.

#include "ir/types/Types.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Dialect.h"
#include "ir/types/Names.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace girih::tile;

#include "ir/types/TypeEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/types/Types.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/types/Types.cpp.inc"
      >();
}

bool girih::tile::isSmallFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType>(type);
}

bool girih::tile::isSmall(Type type) {
  return isSmallFloat(type) || type.isSignlessInteger(4);
}

bool girih::tile::isSubByte(Type type) {
  return isSmall(type) && type.getIntOrFloatBitWidth() < 8;
}

std::optional<AtomicKind> girih::tile::atomicOf(Mode mode) {
  switch (mode) {
  case Mode::Shared:
  case Mode::Own:
  case Mode::Out:
  case Mode::Raw:
    return std::nullopt;
  case Mode::AtomicAdd:
    return AtomicKind::Add;
  case Mode::AtomicMin:
    return AtomicKind::Min;
  case Mode::AtomicMax:
    return AtomicKind::Max;
  case Mode::AtomicAnd:
    return AtomicKind::And;
  case Mode::AtomicOr:
    return AtomicKind::Or;
  case Mode::AtomicXor:
    return AtomicKind::Xor;
  }
  return std::nullopt;
}

bool girih::tile::isClaimed(Mode mode) {
  return mode == Mode::Own || mode == Mode::Out || mode == Mode::Raw;
}

using Emit = function_ref<InFlightDiagnostic()>;

static constexpr const char *elementTypes =
    "f4E2M1FN, f8E4M3FN, f8E5M2, f8E8M0FNU, f16, bf16, f32, f64, i4, i8, i16, "
    "i32, i64";

static LogicalResult verifyElementType(Emit emitError, Type type) {
  if (type && (type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
               isSmall(type) || type.isSignlessInteger(8) ||
               type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
               type.isSignlessInteger(64))) {
    return success();
  }
  return emitError() << "element type is one of " << elementTypes << ", got "
                     << type;
}

/// A constant of at least zero or a launch symbol; an extent may be `?`.
static LogicalResult verifyExtents(Emit emitError, StringRef what,
                                   ArrayRef<Attribute> extents) {
  for (Attribute extent : extents) {
    if (isa_and_present<UnitAttr>(extent) && what == "extent") {
      continue;
    }
    if (auto name = dyn_cast_if_present<StringAttr>(extent)) {
      if (!isSymbolName(name)) {
        return emitError() << "'" << name.getValue()
                           << "' cannot name a launch symbol";
      }
      continue;
    }
    auto constant = dyn_cast_if_present<IntegerAttr>(extent);
    if (!constant || !constant.getType().isIndex()) {
      return emitError() << what << " is neither a constant nor a symbol";
    }
    if (constant.getInt() < 0) {
      return emitError() << what << " is at least 0, got " << constant.getInt();
    }
  }
  return success();
}

static LogicalResult verifyTile(Emit emitError, ArrayRef<int64_t> tile) {
  if (tile.size() > maxRank) {
    return emitError() << "tile has " << tile.size() << " axes, at most "
                       << maxRank << " are allowed";
  }
  int64_t elements = 1;
  for (int64_t dim : tile) {
    if (dim == 0) {
      continue;
    }
    if (dim < 0 || !llvm::isPowerOf2_64(dim)) {
      return emitError() << "tile dims are powers of two or _, got " << dim;
    }
    if (dim > maxElements || (elements *= dim) > maxElements) {
      return emitError() << "tile has more than " << maxElements << " elements";
    }
  }
  return success();
}

//===-- Pieces of text ----------------------------------------------------===//

static ParseResult parseExtents(AsmParser &parser,
                                SmallVectorImpl<Attribute> &extents) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        if (succeeded(parser.parseOptionalQuestion())) {
          extents.push_back(parser.getBuilder().getUnitAttr());
          return success();
        }
        int64_t value;
        OptionalParseResult number = parser.parseOptionalInteger(value);
        if (number.has_value()) {
          if (failed(*number)) {
            return failure();
          }
          extents.push_back(parser.getBuilder().getIndexAttr(value));
          return success();
        }
        StringRef name;
        if (failed(parser.parseOptionalKeyword(&name))) {
          return parser.emitError(loc, "expected a constant or the name of a "
                                       "launch symbol");
        }
        extents.push_back(parser.getBuilder().getStringAttr(name));
        return success();
      });
}

static void printExtents(AsmPrinter &printer, ArrayRef<Attribute> extents) {
  printer << '[';
  llvm::interleaveComma(extents, printer, [&](Attribute extent) {
    if (auto name = dyn_cast<StringAttr>(extent)) {
      printer << name.getValue();
    } else if (isa<UnitAttr>(extent)) {
      printer << '?';
    } else {
      printer << cast<IntegerAttr>(extent).getInt();
    }
  });
  printer << ']';
}

static ParseResult parseElementType(AsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword("x"))) {
    return parser.emitError(loc, "expected 'x' and an element type, as in "
                                 "[M, N] x f32");
  }
  loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&word))) {
    return parser.emitError(loc, "expected an element type");
  }
  Builder &builder = parser.getBuilder();
  type = llvm::StringSwitch<Type>(word)
             .Case("f16", builder.getF16Type())
             .Case("bf16", builder.getBF16Type())
             .Case("f32", builder.getF32Type())
             .Case("f64", builder.getF64Type())
             .Case("f8E4M3FN", Float8E4M3FNType::get(builder.getContext()))
             .Case("f8E5M2", Float8E5M2Type::get(builder.getContext()))
             .Case("f8E8M0FNU", Float8E8M0FNUType::get(builder.getContext()))
             .Case("f4E2M1FN", Float4E2M1FNType::get(builder.getContext()))
             .Case("i4", builder.getIntegerType(4))
             .Case("i8", builder.getIntegerType(8))
             .Case("i16", builder.getIntegerType(16))
             .Case("i32", builder.getIntegerType(32))
             .Case("i64", builder.getIntegerType(64))
             .Default(Type());
  if (!type) {
    return parser.emitError(loc)
           << "element type is one of " << elementTypes << ", got " << word;
  }
  return success();
}

static FailureOr<AtomicKind> parseAtomicKind(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<AtomicKind> kind = symbolizeAtomicKind(word);
  if (!kind) {
    return parser.emitError(loc)
           << "an atomic is one of add, min, max, and, or, xor, got " << word;
  }
  return *kind;
}

ParseResult girih::tile::parseAtomicWord(AsmParser &parser,
                                         AtomicKindAttr &kind) {
  FailureOr<AtomicKind> parsed = parseAtomicKind(parser);
  if (failed(parsed)) {
    return failure();
  }
  kind = AtomicKindAttr::get(parser.getContext(), *parsed);
  return success();
}

void girih::tile::printAtomicWord(AsmPrinter &printer, Operation *,
                                  AtomicKindAttr kind) {
  printer << stringifyAtomicKind(kind.getValue());
}

LogicalResult girih::tile::verifyAtomicMode(Operation *op, StringRef name,
                                            AtomicKind kind, Mode mode) {
  if (atomicOf(mode) == kind) {
    return success();
  }
  return emitOperandError(op, 1)
         << name << ' ' << stringifyAtomicKind(kind) << " needs mode atomic<"
         << stringifyAtomicKind(kind) << ">, got " << stringifyMode(mode);
}

static ParseResult parseMode(AsmParser &parser, Mode &mode) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word))) {
    return parser.emitError(loc, "expected a mode: shared, own, out, "
                                 "atomic<...> or raw");
  }
  std::string text = word.str();
  if (word == "atomic") {
    if (parser.parseLess()) {
      return failure();
    }
    FailureOr<AtomicKind> kind = parseAtomicKind(parser);
    if (failed(kind) || parser.parseGreater()) {
      return failure();
    }
    text = ("atomic<" + stringifyAtomicKind(*kind) + ">").str();
  }
  std::optional<Mode> parsed = symbolizeMode(text);
  if (!parsed) {
    return parser.emitError(loc)
           << "mode is one of shared, own, out, atomic<...>, raw, got " << word;
  }
  mode = *parsed;
  return success();
}

ParseResult girih::tile::parseTile(AsmParser &parser,
                                   SmallVectorImpl<int64_t> &tile) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        if (succeeded(parser.parseOptionalKeyword("_"))) {
          tile.push_back(0);
          return success();
        }
        int64_t value;
        OptionalParseResult number = parser.parseOptionalInteger(value);
        if (!number.has_value()) {
          return parser.emitError(loc, "expected a power of two or _");
        }
        if (failed(*number)) {
          return failure();
        }
        if (value == 0) {
          return parser.emitError(loc,
                                  "tile dims are powers of two or _, got 0");
        }
        tile.push_back(value);
        return success();
      });
}

void girih::tile::printTile(AsmPrinter &printer, ArrayRef<int64_t> tile) {
  printer << '[';
  llvm::interleaveComma(tile, printer, [&](int64_t dim) {
    if (dim == 0) {
      printer << '_';
    } else {
      printer << dim;
    }
  });
  printer << ']';
}

Type girih::tile::tileTypeOf(ArrayRef<int64_t> tile, Type elementType) {
  SmallVector<int64_t> shape;
  llvm::copy_if(tile, std::back_inserter(shape),
                [](int64_t dim) { return dim != 0; });
  return shape.empty() ? elementType : VectorType::get(shape, elementType);
}

Type girih::tile::tileTypeOf(Type type) {
  if (auto partition = dyn_cast<PartitionType>(type)) {
    return partition.getTileType();
  }
  auto piece = dyn_cast<PieceType>(type);
  return piece ? piece.getTileType() : Type();
}

//===-- Tensors -----------------------------------------------------------===//

LogicalResult TileTensorType::verify(Emit emitError, ArrayRef<Attribute> dims,
                                     Type elementType, Mode mode, bool partial,
                                     ArrayRef<Attribute> strides,
                                     int64_t align) {
  if (dims.empty() || dims.size() > maxRank) {
    return emitError() << "a tensor has 1 to " << maxRank << " axes, got "
                       << dims.size();
  }
  if (!strides.empty() && strides.size() != dims.size()) {
    return emitError() << "tensor has "
                       << counted(strides.size(), "stride", "strides")
                       << " but " << counted(dims.size(), "axis", "axes");
  }
  if (partial && mode != Mode::Out) {
    return emitError() << "partial needs mode out, got " << stringifyMode(mode);
  }
  if (align <= 0 || !llvm::isPowerOf2_64(align)) {
    return emitError() << "align is a power of two, got " << align;
  }
  if (failed(verifyElementType(emitError, elementType))) {
    return failure();
  }
  std::optional<AtomicKind> kind = atomicOf(mode);
  if (kind && isSmall(elementType)) {
    return emitError() << stringifyMode(mode) << " has no sum of "
                       << elementType;
  }
  if (isSubByte(elementType) && !strides.empty()) {
    auto last = dyn_cast_if_present<IntegerAttr>(strides.back());
    if (!last || last.getInt() != 1) {
      return emitError() << "elements of " << elementType
                         << " are packed along the last axis: its stride is 1";
    }
  }
  if (kind && *kind != AtomicKind::Add && !elementType.isInteger()) {
    return emitError() << stringifyMode(mode) << " needs integer elements, got "
                       << elementType;
  }
  return success(succeeded(verifyExtents(emitError, "extent", dims)) &&
                 succeeded(verifyExtents(emitError, "stride", strides)));
}

/// Parses all between the angle brackets of a tensor.
static TileTensorType parseTensorBody(AsmParser &parser) {
  SmallVector<Attribute> dims, strides;
  Type elementType;
  Mode mode = Mode::Shared;
  int64_t align = TileTensorType::defaultAlign;
  SMLoc loc = parser.getCurrentLocation();
  if (parseExtents(parser, dims) || parseElementType(parser, elementType) ||
      parser.parseComma() || parseMode(parser, mode)) {
    return {};
  }
  bool partial = succeeded(parser.parseOptionalKeyword("partial"));
  bool sawAlign = false, sawStrides = false;
  while (!sawAlign && succeeded(parser.parseOptionalComma())) {
    if (!sawStrides && succeeded(parser.parseOptionalKeyword("strides"))) {
      sawStrides = true;
      SMLoc at = parser.getCurrentLocation();
      if (parseExtents(parser, strides)) {
        return {};
      }
      if (strides.empty()) {
        parser.emitError(at) << "tensor has 0 strides but "
                             << counted(dims.size(), "axis", "axes");
        return {};
      }
      continue;
    }
    sawAlign = true;
    if (parser.parseKeyword("align") || parser.parseEqual() ||
        parser.parseInteger(align)) {
      return {};
    }
  }
  return TileTensorType::getChecked([&] { return parser.emitError(loc); },
                                    parser.getContext(), dims, elementType,
                                    mode, partial, strides, align);
}

static void printTensorBody(AsmPrinter &printer, TileTensorType type) {
  printExtents(printer, type.getDims());
  printer << " x " << type.getElementType() << ", "
          << stringifyMode(type.getMode())
          << (type.getPartial() ? " partial" : "");
  if (!type.getStrides().empty()) {
    printer << ", strides ";
    printExtents(printer, type.getStrides());
  }
  if (type.getAlign() != TileTensorType::defaultAlign) {
    printer << ", align = " << type.getAlign();
  }
}

Type TileTensorType::parse(AsmParser &parser) {
  if (parser.parseLess()) {
    return {};
  }
  TileTensorType type = parseTensorBody(parser);
  return type && succeeded(parser.parseGreater()) ? type : Type();
}

void TileTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printTensorBody(printer, *this);
  printer << '>';
}

//===-- Partitions --------------------------------------------------------===//

LogicalResult PartitionType::verify(Emit emitError, ArrayRef<int64_t> tile,
                                    TileTensorType tensor) {
  if (!tensor) {
    return emitError() << "a partition needs a tensor";
  }
  if (tile.size() != tensor.getRank()) {
    return emitError() << "tile has " << counted(tile.size(), "axis", "axes")
                       << " but the tensor has " << tensor.getRank();
  }
  return verifyTile(emitError, tile);
}

Type PartitionType::getTileType() {
  return tileTypeOf(getTile(), getTensor().getElementType());
}

Type PartitionType::parse(AsmParser &parser) {
  SmallVector<int64_t> tile;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseTile(parser, tile) || parser.parseComma()) {
    return {};
  }
  TileTensorType tensor = parseTensorBody(parser);
  if (!tensor || parser.parseGreater()) {
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    tile, tensor);
}

void PartitionType::print(AsmPrinter &printer) const {
  printer << '<';
  printTile(printer, getTile());
  printer << ", ";
  printTensorBody(printer, getTensor());
  printer << '>';
}

//===-- Pieces ------------------------------------------------------------===//

LogicalResult PieceType::verify(Emit emitError, ArrayRef<int64_t> tile,
                                Type elementType, Mode mode) {
  if (!isClaimed(mode)) {
    return emitError() << "a piece has mode own, out or raw, got "
                       << stringifyMode(mode);
  }
  return success(succeeded(verifyTile(emitError, tile)) &&
                 succeeded(verifyElementType(emitError, elementType)));
}

Type PieceType::getTileType() {
  return tileTypeOf(getTile(), getElementType());
}

Type PieceType::parse(AsmParser &parser) {
  SmallVector<int64_t> tile;
  Type elementType;
  Mode mode = Mode::Out;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseTile(parser, tile) ||
      parseElementType(parser, elementType) || parser.parseComma() ||
      parseMode(parser, mode) || parser.parseGreater()) {
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    tile, elementType, mode);
}

void PieceType::print(AsmPrinter &printer) const {
  printer << '<';
  printTile(printer, getTile());
  printer << " x " << getElementType() << ", " << stringifyMode(getMode())
          << '>';
}
