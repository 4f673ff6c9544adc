// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/ops/Repack.h"
#include "ir/types/Diagnose.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace girih::tile;

ParseResult
girih::tile::parseRepack(OpAsmParser &parser,
                         llvm::function_ref<FailureOr<unsigned>()> parseTensor,
                         SmallVectorImpl<Attribute> &copies) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        FailureOr<unsigned> tensor = parseTensor();
        SmallVector<Attribute> conditions;
        if (failed(tensor) || parser.parseKeyword("when") ||
            parseConditions(parser, conditions)) {
          return failure();
        }
        copies.push_back(
            RepackAttr::get(parser.getContext(), *tensor,
                            parser.getBuilder().getArrayAttr(conditions)));
        return success();
      });
}

void girih::tile::printRepack(OpAsmPrinter &printer, KernelOp kernel) {
  if (kernel.getRepack().empty()) {
    return;
  }
  printer << " repack [";
  llvm::interleaveComma(
      kernel.getRepack().getAsRange<RepackAttr>(), printer,
      [&](RepackAttr repack) {
        printer << kernel.getArgText(repack.getTensor()) << " when (";
        llvm::interleaveComma(
            repack.getConditions().getAsRange<ComparisonAttr>(), printer,
            [&](ComparisonAttr comparison) { printer << comparison.str(); });
        printer << ')';
      });
  printer << ']';
}

/// How many tensors name a symbol as an extent or a stride.
static unsigned countTensors(KernelOp kernel, StringAttr symbol) {
  return llvm::count_if(kernel.getArguments(), [&](BlockArgument argument) {
    auto tensor = dyn_cast<TileTensorType>(argument.getType());
    return tensor && (llvm::is_contained(tensor.getDims(), symbol) ||
                      llvm::is_contained(tensor.getStrides(), symbol));
  });
}

/// A tensor that is read, with rows of which a launch says how far they lie
/// apart, by a symbol that says nothing else.
static bool hasRowsOfItsOwn(KernelOp kernel, unsigned number) {
  auto type = dyn_cast<TileTensorType>(kernel.getArguments()[number].getType());
  if (!type || type.getMode() != Mode::Shared || type.getStrides().size() < 2) {
    return false;
  }
  auto rows = dyn_cast<StringAttr>(type.getStrides().drop_back().back());
  auto last = dyn_cast<IntegerAttr>(type.getStrides().back());
  return rows && last && last.getInt() == 1 &&
         !llvm::is_contained(type.getDims(), rows) &&
         countTensors(kernel, rows) == 1;
}

LogicalResult girih::tile::verifyRepack(KernelOp kernel) {
  llvm::SmallSet<unsigned, 4> seen;
  for (RepackAttr repack : kernel.getRepack().getAsRange<RepackAttr>()) {
    unsigned number = repack.getTensor();
    if (number >= kernel.getArguments().size()) {
      return kernel.emitError()
             << "repack of argument " << number << " of "
             << counted(kernel.getArguments().size(), "argument", "arguments");
    }
    std::string name = kernel.getArgText(number);
    if (!seen.insert(number).second) {
      return kernel.emitError() << "repack " << name << ": given twice";
    }
    if (!hasRowsOfItsOwn(kernel, number)) {
      return kernel.emitError()
             << "repack " << name << " needs a shared tensor whose rows have a "
             << "stride of their own, as in strides [ld, 1], got "
             << kernel.getArguments()[number].getType();
    }
  }
  return success();
}
