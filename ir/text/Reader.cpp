// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scan, parse, verify; diagnostics with carets under what they mean.

#include "ir/text/Reader.h"
#include "ir/ops/ClosedOps.h"
#include "ir/text/Elaborate.h"
#include "ir/text/Messages.h"
#include "ir/text/Scan.h"
#include "ir/text/ScanPlace.h"
#include "ir/text/Variants.h"
#include "ir/tool/Files.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Sources.h"

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

/// MLIR puts what `loc` says in the place of where an op stands; both are kept.
static void keepPlaces(const KernelFile &file) {
  const llvm::SourceMgr &sources = file.text->sources;
  unsigned main = sources.getMainFileID();
  ModuleOp module = *file.text->module;
  auto name =
      StringAttr::get(module.getContext(),
                      sources.getMemoryBuffer(main)->getBufferIdentifier());
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Operation *parent = op->getParentOp();
    if (const auto *def = file.text->state.getOpDef(op)) {
      auto [line, column] = sources.getLineAndColumn(def->loc.Start, main);
      Location text = FileLineColLoc::get(name, line, column);
      if (op->getLoc() != text) {
        op->setLoc(placedAt(text, op->getLoc()));
      }
    } else if (parent && op->getLoc() == textLocation(parent->getLoc())) {
      op->setLoc(parent->getLoc()); // a terminator that is not written
    }
  });
}

/// Puts the names of values into locations, where they stay with the kernel
/// and mean nothing to it.
static void keepNames(const KernelFile &file) {
  auto named = [](const std::string &name, Location loc) -> Location {
    return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
  };
  file.text->module.get()->walk([&](Operation *op) {
    const auto *def = file.text->state.getOpDef(op);
    if (def && !def->resultGroups.empty()) {
      op->setLoc(named(resultNames(*def), op->getLoc()));
    }
    for (Region &region : op->getRegions()) {
      for (BlockArgument argument : region.getArguments()) {
        SMRange range = definitionRange(file, argument);
        if (range.isValid()) {
          argument.setLoc(named(textOf(range), argument.getLoc()));
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
  Printer(const KernelFile &file, MLIRContext &context, raw_ostream &errors,
          OnDiagnostic each)
      : file(file), context(context), errors(errors), each(each),
        origins(file.text->sources
                    .getMemoryBuffer(file.text->sources.getMainFileID())
                    ->getBufferIdentifier()) {}

  void print(Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        ++count > maxErrors) {
      return;
    }
    if (auto better = yieldMessage(diagnostic)) {
      print(SourceMgr::DK_Error, find(diagnostic.getLocation()),
            better->message, sourcePlace(diagnostic.getLocation()));
      if (better->yield) {
        print(SourceMgr::DK_Note, opRange(file, better->yield),
              "this is what it yields");
      }
      return;
    }
    print(diagnostic, diagnostic.getSeverity());
    for (Diagnostic &note : diagnostic.getNotes()) {
      print(note, DiagnosticSeverity::Note);
    }
  }

  void print(SMRange range, const Twine &message) {
    if (++count <= maxErrors) {
      print(SourceMgr::DK_Error, range, message, placeOnLine(range.Start));
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
    StringRef all = mainText();
    auto better = betterMessage(message, all,
                                size_t(range.Start.getPointer() - all.data()));
    if (better && better->at) {
      SMLoc at = SMLoc::getFromPointer(all.data() + *better->at);
      range = {at, at};
    }
    auto origin = sourcePlace(diagnostic.getLocation());
    print(kind, range, better ? StringRef(better->message) : message,
          origin ? origin : placeOnLine(range.Start));
  }

  StringRef mainText() const {
    const SourceMgr &sources = file.text->sources;
    return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  }

  std::optional<YieldMessage> yieldMessage(const Diagnostic &diagnostic) const {
    auto op = ops.find(textLocation(diagnostic.getLocation()));
    return op == ops.end()
               ? std::nullopt
               : girih::tile::yieldMessage(op->second, diagnostic.str());
  }

  /// What is behind an op that could not be built, if all of it is on its line.
  std::optional<SourcePlace> placeOnLine(SMLoc at) {
    StringRef rest = mainText();
    rest = rest.drop_front(size_t(at.getPointer() - rest.data()));
    StringRef line = rest.split('\n').first.rtrim();
    size_t from = line.rfind(" loc(");
    if (from == StringRef::npos) {
      return std::nullopt;
    }
    StringRef place = line.drop_front(from + 1);
    size_t end = strlen("loc");
    if (scanPlace(place, end) || end != place.size() || place.contains('#')) {
      return std::nullopt; // in a comment
    }
    auto location = dyn_cast_or_null<LocationAttr>(
        parseAttribute(place, &context, Type(), nullptr));
    return location ? sourcePlace(placedAt(UnknownLoc::get(&context), location))
                    : std::nullopt;
  }

  void print(SourceMgr::DiagKind kind, SMRange range, const Twine &message,
             std::optional<SourcePlace> origin = std::nullopt) {
    // By way of a string: the stream of errors may write each piece at once.
    std::string text;
    llvm::raw_string_ostream os(text);
    std::optional<ShownPlace> shown;
    if (origin && kind == SourceMgr::DK_Error) {
      shown = origins.look(*origin);
      printAt(os, *shown, "error: " + message);
      printMessage(os, file.text->sources, range, SourceMgr::DK_Note,
                   "in the text of the kernel", maxColumns);
    } else {
      printMessage(os, file.text->sources, range, kind, message, maxColumns);
    }
    errors << text;
    if (each) {
      each(file.text->sources.GetMessage(range.Start, kind, message,
                                         narrow(range)),
           shown ? &*shown : nullptr);
    }
  }

  static SmallVector<SMRange, 1> narrow(SMRange range) {
    return range.isValid() ? SmallVector<SMRange, 1>{range}
                           : SmallVector<SMRange, 1>{};
  }

  SMRange find(Location location) {
    std::optional<unsigned> operand = namedOperand(location);
    Location base = textLocation(location);
    auto op = ops.find(base);
    if (op != ops.end()) {
      SMRange range = operand ? operandRange(file, op->second, *operand)
                              : opRange(file, op->second);
      return range.isValid() ? range : opRange(file, op->second);
    }
    auto position = dyn_cast<FileLineColLoc>(base);
    unsigned main = file.text->sources.getMainFileID();
    SMLoc loc;
    if (position) {
      loc = file.text->sources.FindLocForLineAndColumn(main, position.getLine(),
                                                       position.getColumn());
    }
    if (position && !loc.isValid()) { // a carriage return before the column
      loc = file.text->sources.FindLocForLineAndColumn(main, position.getLine(),
                                                       0);
    }
    if (!loc.isValid()) {
      loc = SMLoc::getFromPointer(
          file.text->sources.getMemoryBuffer(main)->getBufferStart());
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
  MLIRContext &context;
  raw_ostream &errors;
  OnDiagnostic each;
  Sources origins;
};
} // namespace

//===-- Reading -----------------------------------------------------------===//

/// Whether a module is one around a kernel, as tools print it.
static bool isWrapped(ModuleOp module) {
  return llvm::hasSingleElement(*module.getBody()) &&
         isa<ModuleOp>(module.getBody()->front());
}

namespace {
/// What a file has to offer.
struct Contents {
  SmallVector<KernelOp> kernels; ///< none after an error
  VariantsOp list;               ///< null for one kernel
};
} // namespace

/// The kernels of a parsed file, in the order of the text; none after printing
/// why.
static Contents findKernels(const KernelFile &file, Printer &printer) {
  ModuleOp module = *file.text->module;
  if (module.getSymName() || !module->getAttrs().empty()) {
    printer.print(opRange(file, module), "the module of a kernel has neither "
                                         "name nor attributes");
    return {};
  }
  Contents found;
  for (Operation &op : *module.getBody()) {
    if (auto list = dyn_cast<VariantsOp>(op)) {
      if (found.list) {
        printer.print(opRange(file, &op), "second tile.variants in a file, @" +
                                              list.getSymName() + " after @" +
                                              found.list.getSymName());
        return {};
      }
      found.list = list;
    } else if (auto kernel = dyn_cast<KernelOp>(op)) {
      found.kernels.push_back(kernel);
    } else if (!isHelper(&op)) {
      printer.print(opRange(file, &op), "a kernel file holds one tile.kernel, "
                                        "its helpers and maps, got " +
                                            op.getName().getStringRef());
      return {};
    }
  }
  if (!found.list && found.kernels.size() > 1) {
    printer.print(opRange(file, found.kernels[1]),
                  "second kernel @" + found.kernels[1].getSymName() +
                      " in a file, after @" + found.kernels[0].getSymName());
    return {};
  }
  if (found.kernels.empty()) {
    const llvm::SourceMgr &sources = file.text->sources;
    StringRef text =
        sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
    SMLoc start = SMLoc::getFromPointer(text.ltrim().begin());
    printer.print(SMRange(start, start), "no tile.kernel in the file");
  }
  return found;
}

/// The kernel that `parsed` holds, elaborated; null after saying why not.
static std::unique_ptr<KernelFile> elaborated(const KernelFile &parsed,
                                              KernelOp kernel) {
  FailureOr<Elaborated> done = elaborate(kernel);
  if (failed(done)) {
    return nullptr;
  }
  auto file = std::make_unique<KernelFile>();
  file->text = parsed.text;
  file->module = std::move(done->module);
  file->written = std::move(done->written);
  file->kernel = cast<KernelOp>(file->module->getBody()->front());
  return file;
}

/// The kernels of a verified file in the order of its list.
static KernelFiles kernelsOf(const KernelFile &parsed,
                             const Contents &contents) {
  KernelFiles files;
  if (!contents.list) {
    files.push_back(elaborated(parsed, contents.kernels.front()));
  } else {
    VariantsOp list = contents.list;
    for (unsigned i = 0; i < list.getKernels().size(); ++i) {
      KernelOp kernel = *llvm::find_if(contents.kernels, [&](KernelOp k) {
        return k.getSymName() == list.getKernelName(i);
      });
      files.push_back(elaborated(parsed, kernel));
      if (KernelFile *file = files.back().get()) {
        file->list = list.getSymName().str();
        file->when = list.getWhen(i);
      }
    }
  }
  return llvm::all_of(files, [](auto &f) { return f != nullptr; })
             ? std::move(files)
             : KernelFiles();
}

static KernelFiles readBuffer(MLIRContext &context,
                              std::unique_ptr<llvm::MemoryBuffer> buffer,
                              bool one, raw_ostream &errors,
                              OnDiagnostic each = {}) {
  context
      .loadDialect<TileDialect, arith::ArithDialect, func::FuncDialect,
                   math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
  auto file = std::make_unique<KernelFile>();
  file->text = std::make_shared<KernelText>();
  StringRef text = buffer->getBuffer();
  const char *begin = text.data();
  file->text->sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  Printer printer(*file, context, errors, each);
  if (text.size() > maxTextBytes) {
    SMLoc start = SMLoc::getFromPointer(begin);
    printer.print(SMRange(start, start),
                  "more than " + Twine(maxTextBytes) + " bytes of text");
    return {};
  }
  if (std::optional<ScanError> error = scanKernelText(text)) {
    SMLoc at = SMLoc::getFromPointer(begin + error->offset);
    printer.print(SMRange(at, at), error->message);
    return {};
  }
  bool printsOps = context.shouldPrintOpOnDiagnostic();
  context.printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context.printOpOnDiagnostic(printsOps); });
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    printer.print(diagnostic);
    return success();
  });
  OwningOpRef<ModuleOp> &module = file->text->module;
  module = ModuleOp::create(UnknownLoc::get(&context));
  // Verified below, when diagnostics can be given the ranges of operands.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(file->text->sources, module->getBody(), config,
                                &file->text->state))) {
    return {};
  }
  keepPlaces(*file);
  // Outer ops first: an implied terminator has the location of its loop.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    printer.ops.try_emplace(textLocation(op->getLoc()), op);
  });
  if (isWrapped(*module)) {
    auto inner = cast<ModuleOp>(module->getBody()->front());
    inner->remove();
    module = OwningOpRef<ModuleOp>(inner);
  }
  Contents contents = findKernels(*file, printer);
  if (contents.kernels.empty() || failed(verify(*module)) ||
      failed(verifyHelpers(*module)) || printer.count > 0 ||
      (contents.list &&
       failed(verifyVariants(contents.list, contents.kernels)))) {
    return {};
  }
  if (one && contents.list) {
    printer.print(opRange(*file, contents.list),
                  "one kernel is expected here, not variants");
    return {};
  }
  keepNames(*file);
  if (needsElaboration(*module)) {
    return kernelsOf(*file, contents);
  }
  file->module = std::move(module);
  file->kernel = contents.kernels.front();
  KernelFiles files;
  files.push_back(std::move(file));
  return files;
}

static KernelFiles readPath(MLIRContext &context, StringRef path, bool one,
                            raw_ostream &errors) {
  auto buffer = readBytes(path, maxTextBytes);
  if (!buffer) {
    errors << path << ": error: " << buffer.getError().message() << '\n';
    return {};
  }
  return readBuffer(context, std::move(*buffer), one, errors);
}

static KernelFiles readText(MLIRContext &context, StringRef text,
                            StringRef name, bool one, raw_ostream &errors,
                            OnDiagnostic each = {}) {
  return readBuffer(context, llvm::MemoryBuffer::getMemBufferCopy(text, name),
                    one, errors, each);
}

static std::unique_ptr<KernelFile> only(KernelFiles files) {
  return files.empty() ? nullptr : std::move(files.front());
}

KernelFiles girih::tile::readKernelFiles(MLIRContext &context, StringRef path,
                                         raw_ostream &errors) {
  return readPath(context, path, /*one=*/false, errors);
}

KernelFiles girih::tile::readKernelTexts(MLIRContext &context, StringRef text,
                                         StringRef name, raw_ostream &errors,
                                         OnDiagnostic each) {
  return readText(context, text, name, /*one=*/false, errors, each);
}

std::unique_ptr<KernelFile> girih::tile::readKernelFile(MLIRContext &context,
                                                        StringRef path,
                                                        raw_ostream &errors) {
  return only(readPath(context, path, /*one=*/true, errors));
}

std::unique_ptr<KernelFile> girih::tile::readKernelText(MLIRContext &context,
                                                        StringRef text,
                                                        StringRef name,
                                                        raw_ostream &errors) {
  return only(readText(context, text, name, /*one=*/true, errors));
}
