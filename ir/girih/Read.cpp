// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "girih/Read.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"
#include "ir/types/Sources.h"

namespace girih {

const char *version() { return tile::girihVersion(); }

namespace api {

std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  return std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

/// A diagnostic of the reader; notes belong to the error before them.
static void add(std::vector<Diagnostic> &list, const llvm::SMDiagnostic &d,
                const tile::ShownPlace *origin) {
  if (d.getKind() == llvm::SourceMgr::DK_Note && !list.empty()) {
    list.back().notes.push_back({"", d.getMessage().str()});
    return;
  }
  Diagnostic &made = list.emplace_back();
  made.message = d.getMessage().str();
  if (d.getLineNo() > 0) {
    made.at.line = unsigned(d.getLineNo());
    made.at.column = unsigned(d.getColumnNo() + 1);
  }
  if (!d.getRanges().empty()) {
    auto [from, to] = d.getRanges().front();
    made.at.columns = to - from;
  }
  if (origin) {
    made.origin =
        Origin{origin->file, origin->line, origin->column, origin->text};
  }
}

/// The text of a source with the name for its diagnostics.
static Expected<Source> loaded(const Source &source) {
  if (source.text) {
    return source;
  }
  auto buffer = tile::readBytes(source.name, tile::maxTextBytes);
  if (!buffer) {
    std::string why = buffer.getError().message();
    return Error{Error::Kind::File,
                 source.name + ": " + why,
                 {},
                 source.name + ": error: " + why + "\n"};
  }
  return Source::of((*buffer)->getBuffer().str(),
                    (*buffer)->getBufferIdentifier().str());
}

Expected<tile::KernelFiles> read(mlir::MLIRContext &context,
                                 const Source &source) {
  Expected<Source> from = loaded(source);
  if (!from) {
    return from.error();
  }
  Error error{Error::Kind::Malformed, ""};
  llvm::raw_string_ostream errors(error.text);
  tile::KernelFiles files = tile::readKernelTexts(
      context, *from->text, from->name, errors,
      [&](const llvm::SMDiagnostic &d, const tile::ShownPlace *origin) {
        add(error.diagnostics, d, origin);
      });
  if (!files.empty()) {
    return files;
  }
  error.message = error.diagnostics.empty() ? from->name + " holds no kernel"
                                            : error.diagnostics.front().message;
  return error;
}

SourceRange rangeOf(const tile::KernelFile &file, llvm::SMRange range) {
  if (!range.isValid()) {
    return {};
  }
  auto [line, column] = file.text->sources.getLineAndColumn(range.Start);
  return {line, column,
          unsigned(range.End.getPointer() - range.Start.getPointer())};
}

} // namespace api
} // namespace girih
