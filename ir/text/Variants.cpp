// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of a list of variants, and its constraints.

#include "ir/text/Variants.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Names.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace girih::tile;

StringRef VariantsOp::getKernelName(unsigned number) {
  return cast<FlatSymbolRefAttr>(getKernels()[number]).getValue();
}

SmallVector<ComparisonAttr> VariantsOp::getWhen(unsigned number) {
  return llvm::to_vector(
      cast<ArrayAttr>(getConditions()[number]).getAsRange<ComparisonAttr>());
}

//===-- Text form ---------------------------------------------------------===//

ParseResult VariantsOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<Attribute> kernels, conditions;
  auto parseKernel = [&]() -> ParseResult {
    StringAttr kernel;
    SmallVector<Attribute> when;
    if (parser.parseSymbolName(kernel) ||
        (succeeded(parser.parseOptionalKeyword("when")) &&
         parseConditions(parser, when))) {
      return failure();
    }
    kernels.push_back(FlatSymbolRefAttr::get(kernel));
    conditions.push_back(builder.getArrayAttr(when));
    return success();
  };
  if (parser.parseSymbolName(name) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseKernel)) {
    return failure();
  }
  properties.sym_name = name;
  properties.kernels = builder.getArrayAttr(kernels);
  properties.conditions = builder.getArrayAttr(conditions);
  return success();
}

void VariantsOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " [";
  for (unsigned i = 0; i < getKernels().size(); ++i) {
    printer << (i == 0 ? "" : ", ");
    printer.printSymbolName(getKernelName(i));
    SmallVector<ComparisonAttr> when = getWhen(i);
    if (!when.empty()) {
      printer << " when (";
      llvm::interleaveComma(when, printer,
                            [&](ComparisonAttr c) { printer << c.str(); });
      printer << ')';
    }
  }
  printer << ']';
}

//===-- Constraints of a list ---------------------------------------------===//

/// `%a : type`, `N : index`, for a message.
static std::string textOf(StringRef name, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << name << " : " << type;
  return text;
}

/// The arguments, then the launch symbols, each as text.
static SmallVector<std::string> signatureOf(KernelOp kernel) {
  SmallVector<std::string> out;
  for (BlockArgument a : kernel.getArguments()) {
    out.push_back(textOf(kernel.getArgText(a.getArgNumber()), a.getType()));
  }
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    out.push_back("symbol " + textOf(s.name.getValue(), s.type));
  }
  return out;
}

/// A caller does not know which kernel it will be: names and types agree.
static LogicalResult verifySignature(KernelOp kernel, KernelOp first) {
  SmallVector<std::string> own = signatureOf(kernel),
                           other = signatureOf(first);
  for (size_t i = 0; i < std::max(own.size(), other.size()); ++i) {
    StringRef has = i < own.size() ? StringRef(own[i]) : "nothing more";
    StringRef wanted = i < other.size() ? StringRef(other[i]) : "nothing more";
    if (has != wanted) {
      return kernel.emitError()
             << "kernels of one list have one signature: @"
             << kernel.getSymName() << " has " << has << " where @"
             << first.getSymName() << " has " << wanted;
    }
  }
  return success();
}

static LogicalResult verifyWhen(VariantsOp list, unsigned number,
                                KernelOp kernel) {
  SmallVector<LaunchSymbol> symbols = kernel.getLaunchSymbols();
  LogicalResult result = success();
  for (ComparisonAttr condition : list.getWhen(number)) {
    for (ExprAttr side : {condition.getLhs(), condition.getRhs()}) {
      forEachSymbol(side, [&](StringAttr name) {
        auto isIt = [&](const LaunchSymbol &s) { return s.name == name; };
        if (succeeded(result) && llvm::none_of(symbols, isIt)) {
          result = list.emitError()
                   << "symbol " << name.getValue() << " in the when of @"
                   << kernel.getSymName() << " is no symbol of the kernel";
        }
      });
    }
  }
  return result;
}

LogicalResult girih::tile::verifyVariants(VariantsOp list,
                                          ArrayRef<KernelOp> kernels) {
  if (!isPlainName(list.getSymName())) {
    return list.emitError() << "the name of a list of variants is a letter, "
                               "then letters, digits and underscores, got "
                            << list.getSymName();
  }
  unsigned count = list.getKernels().size();
  if (count == 0 || count > maxVariants) {
    return list.emitError() << "a list of variants names 1 to " << maxVariants
                            << " kernels, got " << count;
  }
  SmallVector<KernelOp> named;
  for (unsigned i = 0; i < count; ++i) {
    StringRef name = list.getKernelName(i);
    const auto *kernel = llvm::find_if(
        kernels, [&](KernelOp k) { return k.getSymName() == name; });
    if (kernel == kernels.end()) {
      return list.emitError() << "there is no kernel @" << name;
    }
    if (llvm::is_contained(named, *kernel)) {
      return list.emitError() << "@" << name << " is named twice";
    }
    if (i + 1 < count && list.getWhen(i).empty()) {
      return list.emitError()
             << "@" << name << " is for all launches and leaves none to @"
             << list.getKernelName(i + 1) << ": say when it is taken";
    }
    named.push_back(*kernel);
    if (failed(verifySignature(*kernel, named.front())) ||
        failed(verifyWhen(list, i, *kernel))) {
      return failure();
    }
  }
  for (KernelOp kernel : kernels) {
    if (!llvm::is_contained(named, kernel)) {
      return kernel.emitError()
             << "@" << kernel.getSymName() << " is not in the list of @"
             << list.getSymName();
    }
  }
  return success();
}
