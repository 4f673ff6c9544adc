// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of maps and what the verifier asks of a map alone. That its
// properties hold is proved where it is applied, with the contract of a kernel
// at hand.

#include "ir/ops/ClosedOps.h"
#include "ir/ops/Ops.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Names.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace girih::tile;

static ParseResult parseCondition(OpAsmParser &parser, ProveKindAttr &kind,
                                  OpAsmParser::UnresolvedOperand &condition) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  std::optional<ProveKind> value = ProveKind::Holds;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    value = symbolizeProveKind(word);
    if (!value) {
      return parser.emitError(loc) << "expected a condition, got " << word;
    }
  }
  kind = ProveKindAttr::get(parser.getContext(), *value);
  return parser.parseOperand(condition);
}

static void printCondition(OpAsmPrinter &printer, Operation *,
                           ProveKindAttr kind, Value condition) {
  if (kind.getValue() != ProveKind::Holds) {
    printer << stringifyProveKind(kind.getValue()) << ' ';
  }
  printer << condition;
}

#define GET_OP_CLASSES
#include "ir/ops/MapOps.cpp.inc"

//===-- Text form ---------------------------------------------------------===//

static ParseResult parseNames(OpAsmParser &parser,
                              SmallVectorImpl<Attribute> &names) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::OptionalSquare, [&]() -> ParseResult {
        StringRef name;
        if (parser.parseKeyword(&name)) {
          return failure();
        }
        names.push_back(parser.getBuilder().getStringAttr(name));
        return success();
      });
}

static ParseResult parseExprs(OpAsmParser &parser,
                              SmallVectorImpl<Attribute> &exprs) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        FailureOr<ExprAttr> expr = parseExpr(parser);
        exprs.push_back(succeeded(expr) ? *expr : ExprAttr());
        return success(succeeded(expr));
      });
}

/// `(%p, %q)`: all are of type index, which is not said.
static ParseResult
parseIndexArguments(OpAsmParser &parser,
                    SmallVectorImpl<OpAsmParser::Argument> &args) {
  if (parser.parseArgumentList(args, AsmParser::Delimiter::Paren)) {
    return failure();
  }
  for (OpAsmParser::Argument &arg : args) {
    arg.type = parser.getBuilder().getIndexType();
  }
  return success();
}

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> args, inverseArgs;
  SmallVector<Attribute> params, domain, range;
  int64_t results = 0;
  auto parseResultType = [&]() -> ParseResult {
    ++results;
    return parser.parseKeyword("index");
  };
  if (parser.parseSymbolName(properties.sym_name) ||
      parseIndexArguments(parser, args) || parseNames(parser, params) ||
      parser.parseArrow() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseResultType) ||
      parser.parseKeyword("from") || parseExprs(parser, domain)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("into"))) {
    if (parseExprs(parser, range)) {
      return failure();
    }
    properties.range = builder.getArrayAttr(range);
  }
  MapKind kind = MapKind::Plain;
  if (succeeded(parser.parseOptionalKeyword("injective"))) {
    kind = MapKind::Injective;
  } else if (succeeded(parser.parseOptionalKeyword("bijective"))) {
    kind = MapKind::Bijective;
  }
  properties.params = builder.getArrayAttr(params);
  properties.resultCount = builder.getI64IntegerAttr(results);
  properties.domain = builder.getArrayAttr(domain);
  properties.mapKind = MapKindAttr::get(parser.getContext(), kind);
  Region *body = result.addRegion(), *inverse = result.addRegion();
  if (parser.parseRegion(*body, args)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("inverse")) &&
      (parseIndexArguments(parser, inverseArgs) ||
       parser.parseRegion(*inverse, inverseArgs))) {
    return failure();
  }
  return success();
}

static void printExprs(OpAsmPrinter &printer, ArrayAttr exprs) {
  printer << '[';
  llvm::interleaveComma(exprs.getAsRange<ExprAttr>(), printer,
                        [&](ExprAttr expr) { printer << expr.str(); });
  printer << ']';
}

static void printArguments(OpAsmPrinter &printer, Region &region) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](BlockArgument arg) { printer << arg; });
  printer << ") ";
}

void MapOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printArguments(printer, getBodyRegion());
  if (!getParams().empty()) {
    printer << '[';
    llvm::interleaveComma(getParams().getAsRange<StringAttr>(), printer,
                          [&](StringAttr name) { printer << name.getValue(); });
    printer << "] ";
  }
  printer << "-> (";
  for (uint64_t i = 0; i < getResultCount(); ++i) {
    printer << (i == 0 ? "" : ", ") << "index";
  }
  printer << ") from ";
  printExprs(printer, getDomain());
  if (ArrayAttr range = getRangeAttr()) {
    printer << " into ";
    printExprs(printer, range);
  }
  if (getMapKind() != MapKind::Plain) {
    printer << ' ' << stringifyMapKind(getMapKind());
  }
  printer << ' ';
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
  if (!getInverse().empty()) {
    printer << " inverse ";
    printArguments(printer, getInverse());
    printer.printRegion(getInverse(), /*printEntryBlockArgs=*/false);
  }
}

//===-- Verifier ----------------------------------------------------------===//

static LogicalResult verifyParameters(MapOp map) {
  llvm::StringSet<> bound;
  for (StringAttr name : map.getParams().getAsRange<StringAttr>()) {
    if (!isSymbolName(name) || !bound.insert(name.getValue()).second) {
      return map.emitError() << "'" << name.getValue()
                             << "' cannot name a parameter, or is used twice";
    }
  }
  LogicalResult result = success();
  auto check = [&](StringAttr name) {
    if (succeeded(result) && !bound.contains(name.getValue())) {
      result = map.emitError() << name.getValue() << " is no parameter of @"
                               << map.getSymName();
    }
  };
  for (ArrayAttr exprs : {map.getDomain(), map.getRangeAttr()}) {
    for (Attribute expr : exprs ? exprs.getValue() : ArrayRef<Attribute>()) {
      forEachSymbol(cast<ExprAttr>(expr), check);
    }
  }
  return result;
}

/// A region of one block that takes and yields so many indices.
static LogicalResult verifyShape(MapOp map, Region &region, StringRef what,
                                 size_t takes, size_t yields) {
  auto complain = [&](const Twine &text) {
    return map.emitError() << what << " of @" << map.getSymName() << text;
  };
  if (!region.hasOneBlock()) {
    return complain(" has one block");
  }
  if (region.getNumArguments() != takes ||
      !llvm::all_of(region.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); })) {
    return complain(" takes " + counted(takes, "index", "indices") + ", got " +
                    counted(region.getNumArguments(), "argument", "arguments"));
  }
  Block &block = region.front();
  auto end = block.empty() ? MapYieldOp() : dyn_cast<MapYieldOp>(block.back());
  if (!end) {
    return complain(" ends with tile.yield");
  }
  if (end.getValues().size() != yields) {
    return end.emitError() << what << " of @" << map.getSymName() << " yields "
                           << counted(yields, "index", "indices") << ", got "
                           << end.getValues().size();
  }
  return success();
}

LogicalResult MapOp::verify() {
  if (!isPlainName(getSymName())) {
    return emitError() << "the name of a map is a letter, then letters, digits "
                          "and underscores, got "
                       << getSymName();
  }
  size_t takes = getBodyRegion().getNumArguments(), yields = getResultCount();
  if (takes == 0 || yields == 0 || takes > maxRank || yields > maxRank) {
    return emitError() << "a map takes and gives 1 to " << maxRank
                       << " indices, got " << takes << " and " << yields;
  }
  if (getDomain().size() != takes) {
    return emitError() << "from has "
                       << counted(getDomain().size(), "extent", "extents")
                       << " but @" << getSymName() << " takes "
                       << counted(takes, "index", "indices");
  }
  if (ArrayAttr range = getRangeAttr(); range && range.size() != yields) {
    return emitError() << "into has "
                       << counted(range.size(), "extent", "extents") << " but @"
                       << getSymName() << " gives "
                       << counted(yields, "index", "indices");
  }
  if (getMapKind() != MapKind::Plain && getInverse().empty()) {
    return emitError() << "a map that is " << stringifyMapKind(getMapKind())
                       << " shows it by its inverse: add inverse (...) {...}";
  }
  if (getMapKind() == MapKind::Bijective && !getRangeAttr()) {
    return emitError() << "a map that is bijective says onto what: add into "
                          "[...]";
  }
  return verifyParameters(*this);
}

LogicalResult MapOp::verifyRegions() {
  size_t takes = getBodyRegion().getNumArguments(), yields = getResultCount();
  if (failed(verifyShape(*this, getBodyRegion(), "the body", takes, yields))) {
    return failure();
  }
  return getInverse().empty()
             ? success()
             : verifyShape(*this, getInverse(), "the inverse", yields, takes);
}

LogicalResult PrintOp::verify() {
  // As the text has it, so that what is printed reads back.
  if (!llvm::all_of(getLabel(), [](char c) {
        return llvm::isPrint(c) && c != '"' && c != '\\';
      })) {
    return emitError() << "a label has printable characters, no quote and no "
                          "backslash";
  }
  for (OpOperand &operand : (*this)->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (isa<TileTensorType, PartitionType, PieceType>(element)) {
      return emitOperandError(*this, operand.getOperandNumber())
             << "print takes numbers and vectors of them, got " << element;
    }
    if (isSmallFloat(element)) {
      return emitOperandError(*this, operand.getOperandNumber())
             << "print takes no " << element << ": extend it, with arith.extf";
    }
  }
  return success();
}
