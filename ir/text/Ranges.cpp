// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where ops, operands and definitions stand in the text of a kernel.

#include "ir/text/Reader.h"

using namespace mlir;
using namespace girih::tile;

Operation *girih::tile::writtenOp(const KernelFile &file, Operation *op) {
  Operation *source = file.written.lookup(op);
  return source ? source : op;
}

SMRange girih::tile::opRange(const KernelFile &file, Operation *op) {
  const auto *def = file.text->state.getOpDef(writtenOp(file, op));
  return def ? def->loc : SMRange();
}

/// The definition of `value` with all its uses, if the text has it.
static const AsmParserState::SMDefinition *
findDefinition(const KernelFile &file, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Block *owner = argument.getOwner();
    if (Operation *source = file.written.lookup(owner->getParentOp())) {
      owner = &source->getRegion(owner->getParent()->getRegionNumber()).front();
    }
    const auto *block = file.text->state.getBlockDef(owner);
    unsigned number = argument.getArgNumber();
    return block && number < block->arguments.size() ? &block->arguments[number]
                                                     : nullptr;
  }
  const auto *def =
      file.text->state.getOpDef(writtenOp(file, value.getDefiningOp()));
  const AsmParserState::SMDefinition *found = nullptr;
  unsigned number = cast<OpResult>(value).getResultNumber();
  for (const auto &group : def ? ArrayRef(def->resultGroups)
                               : ArrayRef<AsmParserState::OperationDefinition::
                                              ResultGroupDefinition>()) {
    if (group.startIndex <= number) {
      found = &group.definition;
    }
  }
  return found;
}

SMRange girih::tile::definitionRange(const KernelFile &file, Value value) {
  const auto *definition = findDefinition(file, value);
  return definition ? definition->loc : SMRange();
}

SMRange girih::tile::operandRange(const KernelFile &file, Operation *op,
                                  unsigned operand) {
  op = writtenOp(file, op);
  const auto *def = file.text->state.getOpDef(op);
  if (!def || operand >= op->getNumOperands()) {
    return {};
  }
  Value value = op->getOperand(operand);
  const auto *definition = findDefinition(file, value);
  if (!definition) {
    return {};
  }
  // Uses of the value inside the text of this op, in the order of the text;
  // the operand is as far along them as among the op's equal operands.
  SmallVector<SMRange> uses;
  for (SMRange use : definition->uses) {
    if (def->loc.Start.getPointer() <= use.Start.getPointer() &&
        use.End.getPointer() <= def->scopeLoc.End.getPointer()) {
      uses.push_back(use);
    }
  }
  llvm::sort(uses, [](SMRange a, SMRange b) {
    return a.Start.getPointer() < b.Start.getPointer();
  });
  size_t rank = llvm::count(op->getOperands().take_front(operand), value);
  if (rank >= uses.size()) {
    return {};
  }
  // The parser's range ends before the number of a result: %sums#1.
  SMRange range = uses[rank];
  const char *end = range.End.getPointer();
  if (*end == '#') {
    do {
      ++end;
    } while (llvm::isDigit(*end));
  }
  range.End = SMLoc::getFromPointer(end);
  return range;
}
