// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel op: its header's text form and what the header owes.

#include "ir/Body.h"
#include "ir/Diagnose.h"
#include "ir/Names.h"
#include "ir/Ops.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace girih::tile;

#define GET_OP_CLASSES
#include "ir/KernelOps.cpp.inc"

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

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<Attribute> names, symbols, grid, conditions;
  StringAttr name;
  if (parser.parseSymbolName(name) || parseArguments(parser, args, names)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("symbols")) &&
      parseSymbols(parser, symbols)) {
    return failure();
  }
  auto parseGridEntry = [&]() -> ParseResult {
    FailureOr<ExprAttr> expr = parseExpr(parser);
    grid.push_back(succeeded(expr) ? *expr : ExprAttr());
    return success(succeeded(expr));
  };
  if (parser.parseKeyword("grid") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseGridEntry)) {
    return failure();
  }
  auto parseCondition = [&]() -> ParseResult {
    FailureOr<ComparisonAttr> condition = parseComparison(parser);
    conditions.push_back(succeeded(condition) ? *condition : ComparisonAttr());
    return success(succeeded(condition));
  };
  if (succeeded(parser.parseOptionalKeyword("requires")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseCondition)) {
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
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, args)) {
    return failure();
  }
  if (body->empty()) {
    body->emplaceBlock();
  }
  return success();
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
           << "kernel has " << kernel.getArguments().size() << " arguments but "
           << kernel.getArgNames().size() << " names";
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
    if (!isa<TileTensorType>(type) && !type.isF16() && !type.isBF16() &&
        !type.isF32() && !type.isF64()) {
      return emitError(argument.getLoc())
             << "argument " << name << " has type " << type
             << ", but arguments are !tile.tensor, f16, bf16, f32 or f64";
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
  for (ComparisonAttr condition : kernel.getRequirements()) {
    forEachSymbol(condition.getLhs(), boundAtKernel);
    forEachSymbol(condition.getRhs(), boundAtKernel);
  }
  return result;
}

LogicalResult KernelOp::verify() {
  if (!isPlainName(getSymName())) {
    return emitError() << "the name of a kernel is a letter, then letters, "
                          "digits and underscores, got "
                       << getSymName();
  }
  for (Operation *before = getOperation()->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (auto first = dyn_cast<KernelOp>(before)) {
      return emitError() << "second kernel @" << getSymName()
                         << " in a file, after @" << first.getSymName();
    }
  }
  if (getGrid().size() > maxRank) {
    return emitError() << "grid has " << getGrid().size()
                       << " dimensions, at most " << maxRank << " are allowed";
  }
  if (failed(verifyHints(*this)) || failed(verifyArguments(*this)) ||
      failed(verifySymbols(*this))) {
    return failure();
  }
  return verifyOpNames(*this);
}

LogicalResult KernelOp::verifyRegions() { return verifyBody(*this); }

LogicalResult NumTilesOp::verify() {
  if (getAxis() >= getPartition().getType().getRank()) {
    return emitError() << "axis " << int64_t(getAxis()) << " of a partition of "
                       << counted(getPartition().getType().getRank(), "axis",
                                  "axes");
  }
  return success();
}
