// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel op: its header's text form and what the verifier asks of it.

#include "ir/ops/ClosedOps.h"
#include "ir/ops/Ops.h"
#include "ir/ops/Repack.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Names.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace girih::tile;

#define GET_OP_CLASSES
#include "ir/ops/KernelOps.cpp.inc"

//===-- Access ------------------------------------------------------------===//

StringRef KernelOp::getArgName(unsigned index) {
  return cast<StringAttr>(getArgNames()[index]).getValue();
}

SmallVector<ExprAttr> KernelOp::getGridExprs() {
  return llvm::to_vector(getGrid().getAsRange<ExprAttr>());
}

SmallVector<ComparisonAttr> KernelOp::getRequirements() {
  return llvm::to_vector(getConditions().getAsRange<ComparisonAttr>());
}

SmallVector<GivenAttr> KernelOp::getGivenFacts() {
  return llvm::to_vector(getGivens().getAsRange<GivenAttr>());
}

std::string KernelOp::getArgText(unsigned index) {
  return "%" + getArgName(index).str();
}

SmallVector<LaunchSymbol> KernelOp::getLaunchSymbols() {
  SmallVector<LaunchSymbol> symbols;
  llvm::DenseSet<StringAttr> seen;
  for (BlockArgument argument : getArguments()) {
    auto tensor = dyn_cast<TileTensorType>(argument.getType());
    for (Attribute dim : tensor ? tensor.getDims() : ArrayRef<Attribute>()) {
      auto name = dyn_cast<StringAttr>(dim);
      if (name && seen.insert(name).second) {
        symbols.push_back({name, IndexType::get(getContext())});
      }
    }
  }
  for (auto symbol : getSymbols().getAsRange<LaunchSymbolAttr>()) {
    symbols.push_back({symbol.getName(), symbol.getType()});
  }
  return symbols;
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) {
    if (argument.getArgNumber() < getArgNames().size()) {
      setName(argument, getArgName(argument.getArgNumber()));
    }
  }
}

//===-- Text form ---------------------------------------------------------===//

static ParseResult parseSymbols(OpAsmParser &parser,
                                SmallVectorImpl<Attribute> &symbols) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        StringRef name;
        Type type;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&name) || parser.parseColonType(type)) {
          return failure();
        }
        symbols.push_back(LaunchSymbolAttr::getChecked(
            [&] { return parser.emitError(loc); }, parser.getContext(),
            parser.getBuilder().getStringAttr(name), type));
        return success(symbols.back() != nullptr);
      });
}

/// Parses `{name = value, ...}` with `parseValue` for each value.
static FailureOr<DictionaryAttr>
parseHintDict(OpAsmParser &parser,
              function_ref<FailureOr<Attribute>()> parseValue) {
  NamedAttrList entries;
  llvm::StringSet<> seen;
  auto parseEntry = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual()) {
      return failure();
    }
    if (!seen.insert(name).second) {
      return parser.emitError(loc) << "hint " << name << " is given twice";
    }
    FailureOr<Attribute> value = parseValue();
    if (failed(value)) {
      return failure();
    }
    entries.append(name, *value);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     parseEntry)) {
    return failure();
  }
  return entries.getDictionary(parser.getContext());
}

static FailureOr<DictionaryAttr> parseHints(OpAsmParser &parser) {
  return parseHintDict(parser, [&]() -> FailureOr<Attribute> {
    int64_t value;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseOptionalInteger(value).has_value()) {
      return parser.emitError(loc, "hints are given for each target, as in "
                                   "hints {sm_90 = {occupancy = 1}}");
    }
    auto hints = parseHintDict(parser, [&]() -> FailureOr<Attribute> {
      int64_t value;
      if (parser.parseInteger(value)) {
        return failure();
      }
      return Attribute(parser.getBuilder().getI64IntegerAttr(value));
    });
    if (failed(hints)) {
      return failure();
    }
    return Attribute(*hints);
  });
}

static ParseResult parseArguments(OpAsmParser &parser,
                                  SmallVectorImpl<OpAsmParser::Argument> &args,
                                  SmallVectorImpl<Attribute> &names) {
  if (parser.parseArgumentList(args, AsmParser::Delimiter::Paren,
                               /*allowType=*/true)) {
    return failure();
  }
  for (OpAsmParser::Argument &arg : args) {
    StringRef name = arg.ssaName.name.drop_front();
    if (!isPlainName(name)) {
      return parser.emitError(arg.ssaName.location)
             << "the name of an argument is a letter, then letters, digits and "
                "underscores, got "
             << name;
    }
    names.push_back(parser.getBuilder().getStringAttr(name));
  }
  return success();
}

static ParseResult parseExprList(OpAsmParser &parser,
                                 AsmParser::Delimiter delimiter,
                                 SmallVectorImpl<Attribute> &exprs) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    FailureOr<ExprAttr> expr = parseExpr(parser);
    exprs.push_back(succeeded(expr) ? *expr : ExprAttr());
    return success(succeeded(expr));
  });
}

/// `%c[i, j] by block (e, ...) trips (e, ...)`; trips may be left out.
static ParseResult parseCover(OpAsmParser &parser,
                              SmallVectorImpl<Attribute> &covers) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::UnresolvedOperand tensor;
  SmallVector<Attribute> indices, blocks, trips;
  auto parseIndex = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name)) {
      return failure();
    }
    if (!isSymbolName(name)) {
      return parser.emitError(loc) << "'" << name << "' cannot name an index";
    }
    indices.push_back(builder.getStringAttr(name));
    return success();
  };
  if (parser.parseOperand(tensor, /*allowResultNumber=*/false) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseIndex) ||
      parser.parseKeyword("by") || parser.parseKeyword("block") ||
      parseExprList(parser, AsmParser::Delimiter::Paren, blocks) ||
      (succeeded(parser.parseOptionalKeyword("trips")) &&
       parseExprList(parser, AsmParser::Delimiter::Paren, trips))) {
    return failure();
  }
  covers.push_back(CoverAttr::get(
      parser.getContext(), builder.getStringAttr(tensor.name.drop_front()),
      builder.getArrayAttr(indices), builder.getArrayAttr(blocks),
      builder.getArrayAttr(trips)));
  return success();
}

/// Parses `%a`; gives the number of the argument.
static FailureOr<unsigned> parseArgument(OpAsmParser &parser,
                                         ArrayRef<OpAsmParser::Argument> args) {
  OpAsmParser::UnresolvedOperand tensor;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(tensor, /*allowResultNumber=*/false)) {
    return failure();
  }
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (arg.ssaName.name == tensor.name) {
      return unsigned(number);
    }
  }
  return parser.emitError(loc) << tensor.name << " is no argument";
}

/// Parses `given [...]`, if it is there.
static ParseResult parseGivens(OpAsmParser &parser,
                               ArrayRef<OpAsmParser::Argument> args,
                               SmallVectorImpl<Attribute> &givens) {
  auto parseTensor = [&] { return parseArgument(parser, args); };
  if (failed(parser.parseOptionalKeyword("given"))) {
    return success();
  }
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        FailureOr<GivenAttr> given = parseGiven(parser, parseTensor);
        givens.push_back(succeeded(given) ? *given : GivenAttr());
        return success(succeeded(given));
      });
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<Attribute> names, symbols, grid, conditions, givens, covers,
      repack;
  StringAttr name;
  if (parser.parseSymbolName(name) || parseArguments(parser, args, names)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("symbols")) &&
      parseSymbols(parser, symbols)) {
    return failure();
  }
  if (parser.parseKeyword("grid") ||
      parseExprList(parser, AsmParser::Delimiter::Square, grid)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("requires")) &&
      parseComparisons(parser, AsmParser::Delimiter::Square, conditions)) {
    return failure();
  }
  if (parseGivens(parser, args, givens)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("covers")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseCover(parser, covers);
      })) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("repack")) &&
      parseRepack(
          parser, [&] { return parseArgument(parser, args); }, repack)) {
    return failure();
  }
  properties.hints = builder.getDictionaryAttr({});
  if (succeeded(parser.parseOptionalKeyword("hints"))) {
    FailureOr<DictionaryAttr> hints = parseHints(parser);
    if (failed(hints)) {
      return failure();
    }
    properties.hints = *hints;
  }
  properties.sym_name = name;
  properties.arg_names = builder.getArrayAttr(names);
  properties.symbols = builder.getArrayAttr(symbols);
  properties.grid = builder.getArrayAttr(grid);
  properties.conditions = builder.getArrayAttr(conditions);
  properties.givens = builder.getArrayAttr(givens);
  properties.covers = builder.getArrayAttr(covers);
  properties.repack = builder.getArrayAttr(repack);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, args)) {
    return failure();
  }
  if (body->empty()) {
    body->emplaceBlock();
  }
  return success();
}

static void printCover(OpAsmPrinter &printer, CoverAttr cover) {
  auto exprs = [&](ArrayAttr list) {
    printer << '(';
    llvm::interleaveComma(list.getAsRange<ExprAttr>(), printer,
                          [&](ExprAttr expr) { printer << expr.str(); });
    printer << ')';
  };
  printer << '%' << cover.getTensor().getValue() << '[';
  llvm::interleaveComma(cover.getIndices().getAsRange<StringAttr>(), printer,
                        [&](StringAttr name) { printer << name.getValue(); });
  printer << "] by block ";
  exprs(cover.getBlocks());
  if (!cover.getTrips().empty()) {
    printer << " trips ";
    exprs(cover.getTrips());
  }
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getArguments(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument);
  });
  printer << ')';
  if (!getSymbols().empty()) {
    printer << " symbols [";
    llvm::interleaveComma(getSymbols().getAsRange<LaunchSymbolAttr>(), printer,
                          [&](LaunchSymbolAttr symbol) {
                            printer << symbol.getName().getValue() << " : "
                                    << symbol.getType();
                          });
    printer << ']';
  }
  printer << " grid [";
  llvm::interleaveComma(getGridExprs(), printer,
                        [&](ExprAttr expr) { printer << expr.str(); });
  printer << ']';
  if (!getConditions().empty()) {
    printer << " requires [";
    llvm::interleaveComma(getRequirements(), printer,
                          [&](ComparisonAttr cmp) { printer << cmp.str(); });
    printer << ']';
  }
  if (!getGivens().empty()) {
    printer << " given [";
    llvm::interleaveComma(getGivenFacts(), printer, [&](GivenAttr given) {
      printer << given.str(getArgText(given.getTensor()));
    });
    printer << ']';
  }
  if (!getCovers().empty()) {
    printer << " covers [";
    llvm::interleaveComma(getCovers().getAsRange<CoverAttr>(), printer,
                          [&](CoverAttr c) { printCover(printer, c); });
    printer << ']';
  }
  printRepack(printer, *this);
  if (!getHints().empty()) {
    printer << " hints {";
    llvm::interleaveComma(getHints(), printer, [&](NamedAttribute target) {
      printer << target.getName().getValue() << " = {";
      llvm::interleaveComma(
          cast<DictionaryAttr>(target.getValue()), printer,
          [&](NamedAttribute hint) {
            printer << hint.getName().getValue() << " = "
                    << cast<IntegerAttr>(hint.getValue()).getInt();
          });
      printer << '}';
    });
    printer << '}';
  }
  printer << ' ';
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
}

//===-- Verifier ----------------------------------------------------------===//

static LogicalResult verifyHints(KernelOp kernel) {
  for (NamedAttribute target : kernel.getHints()) {
    auto hints = dyn_cast<DictionaryAttr>(target.getValue());
    auto isHint = [](NamedAttribute hint) {
      auto value = dyn_cast<IntegerAttr>(hint.getValue());
      return isPlainName(hint.getName()) && value &&
             value.getType().isSignlessInteger(64);
    };
    if (!isPlainName(target.getName()) || !hints ||
        !llvm::all_of(hints, isHint)) {
      return kernel.emitError() << "hints of " << target.getName().getValue()
                                << " are names with integers";
    }
  }
  return success();
}

static LogicalResult verifyArguments(KernelOp kernel) {
  if (kernel.getArgNames().size() != kernel.getArguments().size()) {
    return kernel.emitError()
           << "kernel has "
           << counted(kernel.getArguments().size(), "argument", "arguments")
           << " but " << counted(kernel.getArgNames().size(), "name", "names");
  }
  llvm::StringSet<> seen;
  for (BlockArgument argument : kernel.getArguments()) {
    StringRef name = kernel.getArgName(argument.getArgNumber());
    if (!isPlainName(name) || !seen.insert(name).second) {
      return kernel.emitError()
             << "'" << name << "' is no name for an argument, or used twice";
    }
    Type type = argument.getType();
    if (isa<IntegerType, IndexType>(type)) {
      return emitError(argument.getLoc())
             << "argument " << name << " has type " << type
             << ", but integers come as launch symbols: declare it in "
                "symbols [...]";
    }
    auto tensor = dyn_cast<TileTensorType>(type);
    if (tensor && llvm::any_of(tensor.getDims(), llvm::IsaPred<UnitAttr>)) {
      return emitError(argument.getLoc())
             << "argument " << name << " has a run-time extent ?, but only a "
             << "view has: name it by a launch symbol";
    }
    if (!tensor && !type.isF16() && !type.isBF16() && !type.isF32() &&
        !type.isF64()) {
      return emitError(argument.getLoc())
             << "argument " << name << " has type " << type
             << ", but arguments are !tile.tensor, f16, bf16, f32 or f64";
    }
  }
  return success();
}

/// What is given is about shared tensors of integers; an order is about lists.
static LogicalResult verifyGivens(KernelOp kernel) {
  // Each may be a fact about each element that is loaded.
  constexpr size_t most = 64;
  if (kernel.getGivens().size() > most) {
    return kernel.emitError() << "given lists " << kernel.getGivens().size()
                              << " facts, at most " << most << " are allowed";
  }
  for (GivenAttr given : kernel.getGivenFacts()) {
    unsigned number = given.getTensor();
    if (number >= kernel.getArguments().size()) {
      return kernel.emitError()
             << "given of argument " << number << " of "
             << counted(kernel.getArguments().size(), "argument", "arguments");
    }
    std::string name = kernel.getArgText(number);
    auto type =
        dyn_cast<TileTensorType>(kernel.getArguments()[number].getType());
    if (!type || type.getMode() != Mode::Shared ||
        !type.getElementType().isSignlessInteger() ||
        isSmall(type.getElementType())) {
      return kernel.emitError()
             << given.str(name)
             << " needs a shared tensor of i8, i16, i32 or i64, got "
             << kernel.getArguments()[number].getType();
    }
    bool ordered = given.getKind() == GivenKind::Sorted ||
                   given.getKind() == GivenKind::Splits;
    if (ordered && type.getDims().size() != 1) {
      return kernel.emitError()
             << given.str(name) << " needs one axis, got "
             << counted(type.getDims().size(), "axis", "axes");
    }
  }
  return success();
}

/// Every symbol of the header is an extent or declared, once.
static LogicalResult verifySymbols(KernelOp kernel) {
  llvm::DenseMap<StringAttr, Type> types;
  llvm::DenseMap<StringAttr, StringRef> extentOf;
  for (BlockArgument argument : kernel.getArguments()) {
    auto tensor = dyn_cast<TileTensorType>(argument.getType());
    for (Attribute dim : tensor ? tensor.getDims() : ArrayRef<Attribute>()) {
      if (auto name = dyn_cast<StringAttr>(dim)) {
        types[name] = IndexType::get(kernel.getContext());
        extentOf.try_emplace(name, kernel.getArgName(argument.getArgNumber()));
      }
    }
  }
  for (auto symbol : kernel.getSymbols().getAsRange<LaunchSymbolAttr>()) {
    StringAttr name = symbol.getName();
    if (types.try_emplace(name, symbol.getType()).second) {
      continue;
    }
    auto extent = extentOf.find(name);
    if (extent == extentOf.end()) {
      return kernel.emitError()
             << "symbol " << name.getValue() << " is declared twice";
    }
    return kernel.emitError()
           << "symbol " << name.getValue() << " is declared as "
           << symbol.getType() << " but is already an extent of %"
           << extent->second << ", of type index";
  }
  LogicalResult result = success();
  auto needBound = [&](StringAttr name, Location loc) {
    if (succeeded(result) && !types.count(name)) {
      result = emitError(loc)
               << "symbol " << name.getValue() << " is not bound: it is no "
               << "extent of an argument and not in symbols [...]";
    }
  };
  for (BlockArgument argument : kernel.getArguments()) {
    auto tensor = dyn_cast<TileTensorType>(argument.getType());
    for (Attribute stride :
         tensor ? tensor.getStrides() : ArrayRef<Attribute>()) {
      auto name = dyn_cast<StringAttr>(stride);
      if (!name) {
        continue;
      }
      needBound(name, argument.getLoc());
      if (succeeded(result) && !types.lookup(name).isIndex()) {
        return emitError(argument.getLoc())
               << "stride " << name.getValue() << " has type "
               << types.lookup(name) << ", but strides are index";
      }
    }
  }
  auto boundAtKernel = [&](StringAttr name) {
    needBound(name, kernel.getLoc());
  };
  for (ExprAttr expr : kernel.getGridExprs()) {
    forEachSymbol(expr, boundAtKernel);
  }
  SmallVector<ComparisonAttr> conditions = kernel.getRequirements();
  for (RepackAttr repack : kernel.getRepack().getAsRange<RepackAttr>()) {
    llvm::append_range(conditions,
                       repack.getConditions().getAsRange<ComparisonAttr>());
  }
  for (ComparisonAttr condition : conditions) {
    forEachSymbol(condition.getLhs(), boundAtKernel);
    forEachSymbol(condition.getRhs(), boundAtKernel);
  }
  for (GivenAttr given : kernel.getGivenFacts()) {
    for (ExprAttr expr : given.getExprs()) {
      forEachSymbol(expr, boundAtKernel);
    }
  }
  return result;
}

/// What a covers clause says of its output: its indices have names of their
/// own, and there is an expression for each axis of the grid.
static LogicalResult verifyCover(KernelOp kernel, CoverAttr cover) {
  StringRef name = cover.getTensor().getValue();
  TileTensorType type;
  for (BlockArgument argument : kernel.getArguments()) {
    if (kernel.getArgName(argument.getArgNumber()) == name) {
      type = dyn_cast<TileTensorType>(argument.getType());
    }
  }
  auto complain = [&] {
    return kernel.emitError() << "covers %" << name << ": ";
  };
  if (!type || type.getMode() != Mode::Out || type.getPartial()) {
    return complain() << "not an out tensor that is to be written whole";
  }
  if (cover.getIndices().size() != type.getRank()) {
    return complain() << counted(cover.getIndices().size(), "index", "indices")
                      << " of a tensor of "
                      << counted(type.getRank(), "axis", "axes");
  }
  if (cover.getBlocks().size() != kernel.getGrid().size()) {
    return complain() << counted(cover.getBlocks().size(), "block id",
                                 "block ids")
                      << " in a grid of "
                      << counted(kernel.getGrid().size(), "dimension",
                                 "dimensions");
  }
  llvm::StringSet<> bound;
  for (const LaunchSymbol &symbol : kernel.getLaunchSymbols()) {
    bound.insert(symbol.name.getValue());
  }
  for (StringAttr index : cover.getIndices().getAsRange<StringAttr>()) {
    if (!isSymbolName(index) || !bound.insert(index.getValue()).second) {
      return complain() << "'" << index.getValue()
                        << "' cannot name an index, or names something else";
    }
  }
  LogicalResult result = success();
  for (ArrayAttr list : {cover.getBlocks(), cover.getTrips()}) {
    for (ExprAttr expr : list.getAsRange<ExprAttr>()) {
      forEachSymbol(expr, [&](StringAttr symbol) {
        if (succeeded(result) && !bound.contains(symbol.getValue())) {
          result = complain() << symbol.getValue()
                              << " is neither an index nor a launch symbol";
        }
      });
    }
  }
  return result;
}

static LogicalResult verifyCovers(KernelOp kernel) {
  llvm::DenseSet<StringAttr> seen;
  for (CoverAttr cover : kernel.getCovers().getAsRange<CoverAttr>()) {
    if (!seen.insert(cover.getTensor()).second) {
      return kernel.emitError()
             << "covers %" << cover.getTensor().getValue() << ": given twice";
    }
    if (failed(verifyCover(kernel, cover))) {
      return failure();
    }
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (!isPlainName(getSymName())) {
    return emitError() << "the name of a kernel is a letter, then letters, "
                          "digits and underscores, got "
                       << getSymName();
  }
  if (getGrid().size() > maxRank) {
    return emitError() << "grid has " << getGrid().size()
                       << " dimensions, at most " << maxRank << " are allowed";
  }
  if (failed(verifyHints(*this)) || failed(verifyArguments(*this)) ||
      failed(verifySymbols(*this)) || failed(verifyGivens(*this)) ||
      failed(verifyCovers(*this)) || failed(verifyRepack(*this))) {
    return failure();
  }
  return verifyOpNames(getBodyRegion());
}

LogicalResult NumTilesOp::verify() {
  if (getAxis() >= getPartition().getType().getRank()) {
    return emitError() << "axis " << int64_t(getAxis()) << " of a partition of "
                       << counted(getPartition().getType().getRank(), "axis",
                                  "axes");
  }
  return success();
}
