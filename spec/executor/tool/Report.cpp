// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing faults.

#include "spec/executor/tool/Report.h"

#include "ir/types/Diagnose.h"
#include "ir/types/Sources.h"

namespace girih::exec {

llvm::SMRange faultRange(const tile::KernelFile &file, const Fault &fault) {
  llvm::SMRange range;
  tile::KernelOp kernel = file.kernel;
  if (fault.operand >= 0) {
    range = tile::operandRange(file, fault.op, fault.operand);
  } else if (fault.op == kernel && fault.tensor >= 0) {
    range = tile::definitionRange(file, kernel.getArguments()[fault.tensor]);
  }
  return range.isValid() ? range : tile::opRange(file, fault.op);
}

/// At a range of the text that belongs to `op`, and where that was written, if
/// the text was made from another source.
static void print(const tile::KernelFile &file, mlir::Operation *op,
                  llvm::SMRange range, llvm::SourceMgr::DiagKind kind,
                  const std::string &message, llvm::raw_ostream &stream) {
  const llvm::SourceMgr &sources = file.text->sources;
  auto place = tile::sourcePlace(op->getLoc());
  if (!place) {
    tile::printMessage(stream, sources, range, kind, message);
    return;
  }
  llvm::StringRef kernel =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  const char *word = kind == llvm::SourceMgr::DK_Note ? "note: " : "error: ";
  tile::printAt(stream, tile::Sources(kernel).look(*place), word + message);
  tile::printMessage(stream, sources, range, llvm::SourceMgr::DK_Note,
                     "in the text of the kernel");
}

static std::string
iterationText(llvm::ArrayRef<std::pair<mlir::Operation *, int64_t>> list) {
  std::vector<int64_t> trips;
  for (auto &[loop, trip] : list) {
    trips.push_back(trip);
  }
  return trips.empty() ? "" : ", in iteration " + tupleText(trips);
}

void reportFault(const tile::KernelFile &file, const Fault &fault,
                 llvm::raw_ostream &stream) {
  print(file, fault.op, faultRange(file, fault), llvm::SourceMgr::DK_Error,
        fault.headline + " [" + ruleName(fault.rule) + "]", stream);
  stream << "note: ";
  if (fault.op != file.kernel) {
    stream << "block " << tupleText(fault.block) << ' ';
  }
  stream << fault.message;
  stream << iterationText(fault.iterations) << '\n';
  if (fault.otherOp) {
    print(file, fault.otherOp, tile::operandRange(file, fault.otherOp, 0),
          llvm::SourceMgr::DK_Note,
          "block " + tupleText(fault.otherBlock) + " " + fault.otherMessage +
              iterationText(fault.otherIterations),
          stream);
  }
}

void reportRefusal(const tile::KernelFile &file, const std::string &why,
                   llvm::raw_ostream &stream) {
  tile::KernelOp kernel = file.kernel;
  print(file, kernel, tile::opRange(file, kernel), llvm::SourceMgr::DK_Error,
        "the launch is refused: " + why, stream);
}

} // namespace girih::exec
