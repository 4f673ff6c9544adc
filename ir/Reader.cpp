// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scan, parse, verify; diagnostics with carets under what they mean.

#include "ir/Reader.h"
#include "ir/Body.h"
#include "ir/Diagnose.h"
#include "ir/Elaborate.h"
#include "ir/Files.h"
#include "ir/Scan.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace girih::tile;

void girih::tile::registerDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, arith::ArithDialect, func::FuncDialect,
                  math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
}

//===-- Ranges ------------------------------------------------------------===//

Operation *girih::tile::writtenOp(const KernelFile &file, Operation *op) {
  Operation *source = file.written.lookup(op);
  return source ? source : op;
}

SMRange girih::tile::opRange(const KernelFile &file, Operation *op) {
  const auto *def = file.state.getOpDef(writtenOp(file, op));
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
    const auto *block = file.state.getBlockDef(owner);
    unsigned number = argument.getArgNumber();
    return block && number < block->arguments.size() ? &block->arguments[number]
                                                     : nullptr;
  }
  const auto *def = file.state.getOpDef(writtenOp(file, value.getDefiningOp()));
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
  const auto *def = file.state.getOpDef(op);
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

//===-- Names -------------------------------------------------------------===//

static std::string textOf(SMRange range) {
  return std::string(range.Start.getPointer(), range.End.getPointer());
}

/// The names of an op's results, one a result, with commas between them.
static std::string resultNames(const AsmParserState::OperationDefinition &def) {
  std::string out;
  for (auto [i, group] : llvm::enumerate(def.resultGroups)) {
    unsigned end = i + 1 < def.resultGroups.size()
                       ? def.resultGroups[i + 1].startIndex
                       : def.op->getNumResults();
    std::string name = textOf(group.definition.loc);
    for (unsigned r = group.startIndex; r < end; ++r) {
      out += out.empty() ? "" : ",";
      out += name;
      if (end - group.startIndex > 1) {
        out += "#" + std::to_string(r - group.startIndex);
      }
    }
  }
  return out;
}

/// Puts the names of values into locations, where they stay with the kernel
/// and mean nothing to it.
static void keepNames(const KernelFile &file) {
  auto named = [](const std::string &name, Location loc) -> Location {
    return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
  };
  file.module.get()->walk([&](Operation *op) {
    const auto *def = file.state.getOpDef(op);
    if (def && !def->resultGroups.empty()) {
      op->setLoc(named(resultNames(*def), op->getLoc()));
    }
    for (Region &region : op->getRegions()) {
      for (BlockArgument argument : region.getArguments()) {
        if (const auto *d = findDefinition(file, argument)) {
          argument.setLoc(named(textOf(d->loc), argument.getLoc()));
        }
      }
    }
  });
}

std::string girih::tile::writtenName(Value value) {
  auto result = dyn_cast<OpResult>(value);
  Location loc = result ? result.getOwner()->getLoc() : value.getLoc();
  auto named = dyn_cast<NameLoc>(loc);
  if (!named) {
    return "";
  }
  SmallVector<StringRef> names;
  named.getName().getValue().split(names, ',');
  size_t number = result ? result.getResultNumber() : 0;
  return number < names.size() ? names[number].str() : "";
}

//===-- Diagnostics -------------------------------------------------------===//

namespace {
/// Prints the diagnostics of one reading, the first few of them.
class Printer {
public:
  Printer(const KernelFile &file, raw_ostream &errors)
      : file(file), errors(errors) {}

  void print(Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        ++count > maxErrors) {
      return;
    }
    print(diagnostic, diagnostic.getSeverity());
    for (Diagnostic &note : diagnostic.getNotes()) {
      print(note, DiagnosticSeverity::Note);
    }
  }

  void print(SMRange range, const Twine &message) {
    if (++count <= maxErrors) {
      print(SourceMgr::DK_Error, range, message);
    }
  }

  /// Where ops begin, once they are parsed.
  llvm::DenseMap<Location, Operation *> ops;
  unsigned count = 0;

private:
  static constexpr unsigned maxErrors = 20;
  /// Nobody finds a caret under a longer line.
  static constexpr unsigned maxColumns = 1000;

  using SourceMgr = llvm::SourceMgr;

  void print(Diagnostic &diagnostic, DiagnosticSeverity severity) {
    SourceMgr::DiagKind kind =
        severity == DiagnosticSeverity::Error     ? SourceMgr::DK_Error
        : severity == DiagnosticSeverity::Warning ? SourceMgr::DK_Warning
                                                  : SourceMgr::DK_Note;
    SMRange range = find(diagnostic.getLocation());
    // What is wrong matters, not which of MLIR's parsers says so.
    std::string text = diagnostic.str();
    StringRef message = text;
    if (message.consume_front("'func.call' op ")) {
    } else if (message.consume_front("custom op '")) {
      message = message.split("' ").second;
    } else if (message.consume_front("Dialect `' not found for custom op '")) {
      text = refuseOp(message.split('\'').first);
      message = text;
    }
    print(kind, range, message);
  }

  void print(SourceMgr::DiagKind kind, SMRange range, const Twine &message) {
    // By way of a string: carets come as single characters, and the stream of
    // errors may write each at once.
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::SMDiagnostic shown =
        file.sources->GetMessage(range.Start, kind, message, narrow(range));
    if (shown.getLineContents().size() <= maxColumns) {
      file.sources->PrintMessage(os, shown, false);
    } else {
      os << shown.getFilename() << ':' << shown.getLineNo() << ':'
         << shown.getColumnNo() + 1
         << (kind == SourceMgr::DK_Note ? ": note: " : ": error: ")
         << shown.getMessage() << '\n';
    }
    errors << printable(std::move(text));
  }

  static SmallVector<SMRange, 1> narrow(SMRange range) {
    return range.isValid() ? SmallVector<SMRange, 1>{range}
                           : SmallVector<SMRange, 1>{};
  }

  SMRange find(Location location) {
    std::optional<unsigned> operand = namedOperand(location);
    Location base = location;
    while (isa<FusedLoc, NameLoc>(base)) {
      auto named = dyn_cast<NameLoc>(base);
      base = named ? named.getChildLoc()
                   : cast<FusedLoc>(base).getLocations().front();
    }
    auto op = ops.find(base);
    if (op != ops.end()) {
      SMRange range = operand ? operandRange(file, op->second, *operand)
                              : opRange(file, op->second);
      return range.isValid() ? range : opRange(file, op->second);
    }
    auto position = dyn_cast<FileLineColLoc>(base);
    unsigned main = file.sources->getMainFileID();
    SMLoc loc;
    if (position) {
      loc = file.sources->FindLocForLineAndColumn(main, position.getLine(),
                                                  position.getColumn());
    }
    if (position && !loc.isValid()) { // a carriage return before the column
      loc = file.sources->FindLocForLineAndColumn(main, position.getLine(), 0);
    }
    if (!loc.isValid()) {
      loc = SMLoc::getFromPointer(
          file.sources->getMemoryBuffer(main)->getBufferStart());
    }
    return operand ? guessOperand(loc, *operand) : SMRange(loc, loc);
  }

  /// The operand of an op that could not be built: of the values named after
  /// the op on its line, the one with that number.
  SMRange guessOperand(SMLoc op, unsigned operand) {
    StringRef line =
        StringRef(op.getPointer()).take_until([](char c) { return c == '\n'; });
    StringRef rest = line;
    for (unsigned i = 0; i <= operand; ++i) {
      rest = rest.drop_front(std::min(rest.find('%', i > 0), rest.size()));
    }
    StringRef name = rest.take_until(
        [](char c) { return StringRef(" ,:[)\t").contains(c); });
    return name.empty() ? SMRange(op, op)
                        : SMRange(SMLoc::getFromPointer(name.begin()),
                                  SMLoc::getFromPointer(name.end()));
  }

  const KernelFile &file;
  raw_ostream &errors;
};
} // namespace

//===-- Reading -----------------------------------------------------------===//

/// The kernel of a parsed file, with the module that holds it; null after
/// printing why there is none.
static KernelOp findKernel(KernelFile &file, Printer &printer) {
  auto isInner = [](Block &body) {
    return llvm::hasSingleElement(body) && isa<ModuleOp>(body.front());
  };
  // What tools print has a module around it; one is looked through.
  if (isInner(*file.module->getBody())) {
    auto inner = cast<ModuleOp>(file.module->getBody()->front());
    inner->remove();
    file.module = OwningOpRef<ModuleOp>(inner);
  }
  ModuleOp module = *file.module;
  if (module.getSymName() || !module->getAttrs().empty()) {
    printer.print(opRange(file, module), "the module of a kernel has neither "
                                         "name nor attributes");
    return {};
  }
  KernelOp kernel;
  for (Operation &op : *module.getBody()) {
    auto next = dyn_cast<KernelOp>(op);
    if (isHelper(&op)) {
      continue;
    }
    if (!next) {
      printer.print(opRange(file, &op), "a kernel file holds one tile.kernel, "
                                        "its helpers and maps, got " +
                                            op.getName().getStringRef());
      return {};
    }
    if (kernel) {
      printer.print(opRange(file, &op), "second kernel @" + next.getSymName() +
                                            " in a file, after @" +
                                            kernel.getSymName());
      return {};
    }
    kernel = next;
  }
  if (!kernel) {
    StringRef text =
        file.sources->getMemoryBuffer(file.sources->getMainFileID())
            ->getBuffer();
    SMLoc start = SMLoc::getFromPointer(text.ltrim().begin());
    printer.print(SMRange(start, start), "no tile.kernel in the file");
  }
  return kernel;
}

static std::unique_ptr<KernelFile>
readBuffer(MLIRContext &context, std::unique_ptr<llvm::MemoryBuffer> buffer,
           raw_ostream &errors) {
  context
      .loadDialect<TileDialect, arith::ArithDialect, func::FuncDialect,
                   math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
  auto file = std::make_unique<KernelFile>();
  file->sources = std::make_unique<llvm::SourceMgr>();
  StringRef text = buffer->getBuffer();
  const char *begin = text.data();
  file->sources->AddNewSourceBuffer(std::move(buffer), SMLoc());
  Printer printer(*file, errors);
  if (text.size() > maxTextBytes) {
    SMLoc start = SMLoc::getFromPointer(begin);
    printer.print(SMRange(start, start),
                  "more than " + Twine(maxTextBytes) + " bytes of text");
    return nullptr;
  }
  if (std::optional<ScanError> error = scanKernelText(text)) {
    SMLoc at = SMLoc::getFromPointer(begin + error->offset);
    printer.print(SMRange(at, at), error->message);
    return nullptr;
  }
  bool printsOps = context.shouldPrintOpOnDiagnostic();
  context.printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context.printOpOnDiagnostic(printsOps); });
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    printer.print(diagnostic);
    return success();
  });
  file->module = ModuleOp::create(UnknownLoc::get(&context));
  // Verified below, when diagnostics can be given the ranges of operands.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(*file->sources, file->module->getBody(), config,
                                &file->state))) {
    return nullptr;
  }
  // Outer ops first: an implied terminator has the location of its loop.
  file->module->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { printer.ops.try_emplace(op->getLoc(), op); });
  file->kernel = findKernel(*file, printer);
  if (!file->kernel || failed(verify(*file->module)) ||
      failed(verifyHelpers(*file->module)) || printer.count > 0) {
    return nullptr;
  }
  keepNames(*file);
  if (needsElaboration(*file->module)) {
    FailureOr<Elaborated> elaborated = elaborate(*file->module);
    if (failed(elaborated)) {
      return nullptr;
    }
    file->source = std::exchange(file->module, std::move(elaborated->module));
    file->written = std::move(elaborated->written);
    file->kernel = cast<KernelOp>(file->module->getBody()->front());
  }
  return file;
}

std::unique_ptr<KernelFile> girih::tile::readKernelText(MLIRContext &context,
                                                        StringRef text,
                                                        StringRef name,
                                                        raw_ostream &errors) {
  return readBuffer(context, llvm::MemoryBuffer::getMemBufferCopy(text, name),
                    errors);
}

std::unique_ptr<KernelFile> girih::tile::readKernelFile(MLIRContext &context,
                                                        StringRef path,
                                                        raw_ostream &errors) {
  auto buffer = readBytes(path, maxTextBytes);
  if (!buffer) {
    errors << path << ": error: " << buffer.getError().message() << '\n';
    return nullptr;
  }
  return readBuffer(context, std::move(*buffer), errors);
}
