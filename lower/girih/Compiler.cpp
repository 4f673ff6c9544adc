// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih/compiler.h over Compile.

#include "girih/compiler.h"
#include "checker/search/SearchLibrary.h"
#include "girih/Kernels.h"
#include "lower/Compile.h"
#include "lower/tileir/Assemble.h"

namespace girih {

std::vector<std::string> architectures() {
  llvm::ArrayRef<llvm::StringLiteral> known = lower::knownTargets();
  return {known.begin(), known.end()};
}

static std::optional<Error> refuseOptions(const VerifiedKernels &kernels,
                                          const CompileOptions &options) {
  if (options.architectures.empty()) {
    return Error{Error::Kind::Usage, "no architecture is given"};
  }
  if (auto error = lower::refuseTargets(options.architectures)) {
    return error;
  }
  if (options.timeLimit < 1) {
    return Error{Error::Kind::Usage, "the time limit is at least 1 second"};
  }
  for (const checker::Checked &c : kernels.get().kernels) {
    if (!c.verdict.optOuts.empty() && !options.allowTrust) {
      return Error{Error::Kind::Refused,
                   title(c) + " rests on opt-outs, which are not allowed"};
    }
  }
  return std::nullopt;
}

/// The code of all kernels, once the options are known to make sense.
static Expected<std::vector<lower::Work>>
lowered(const VerifiedKernels &kernels, const CompileOptions &options) {
  if (auto error = refuseOptions(kernels, options)) {
    return *error;
  }
  auto work = lower::lowerAll(kernels.get().kernels, {});
  if (!work) {
    return work.error();
  }
  for (const lower::Work &w : *work) {
    if (auto error = lower::refuseLowered(w.lowered, options.architectures)) {
      return *error;
    }
  }
  return work;
}

static Expected<lower::CompileSettings>
settingsOf(const CompileOptions &options, llvm::raw_ostream &said) {
  lower::CompileSettings out;
  out.targets = options.architectures;
  out.lineInfo = options.lineInfo;
  out.assembler = tileir::findAssembler(options.tileiras);
  if (out.assembler.empty()) {
    return Error{Error::Kind::Missing,
                 options.tileiras.empty()
                     ? "there is no tileiras on PATH: it comes with CUDA "
                       "toolkits of 13.3 or newer"
                     : options.tileiras + " cannot be run"};
  }
  out.version = tileir::assemblerVersion(out.assembler);
  out.timeLimit = options.timeLimit;
  out.cache = runtime::Cache(options.cache ? *options.cache
                                           : runtime::defaultCacheFolder());
  out.validators = lower::shippedKernels();
  out.openSearch = checker::openSearch;
  out.said = &said;
  if (auto error = lower::readSigningKey(options.signingKey, out)) {
    return *error;
  }
  return out;
}

static std::vector<uint8_t> bytesOf(const std::string &text) {
  return {text.begin(), text.end()};
}

Expected<std::vector<TileIr>> compileToTileIr(const VerifiedKernels &kernels,
                                              const CompileOptions &options) {
  std::lock_guard lock(kernels.get().mutex);
  auto all = lowered(kernels, options);
  if (!all) {
    return all.error();
  }
  std::vector<TileIr> out;
  for (const lower::Work &work : *all) {
    auto bytecode =
        lower::bytecodeOf(work, tileir::newestMinor, options.lineInfo);
    if (!bytecode) {
      return bytecode.error();
    }
    out.push_back({work.lowered.source.kernel().getSymName().str(),
                   std::move(*bytecode), tileir::print(work.lowered.module)});
  }
  return out;
}

Expected<std::vector<Cubin>> compileToCubins(const VerifiedKernels &kernels,
                                             const CompileOptions &options) {
  std::lock_guard lock(kernels.get().mutex);
  auto all = lowered(kernels, options);
  if (!all) {
    return all.error();
  }
  std::string words;
  llvm::raw_string_ostream said(words);
  auto settings = settingsOf(options, said);
  if (!settings) {
    return settings.error();
  }
  std::vector<Cubin> out;
  for (const lower::Work &work : *all) {
    auto cubins = lower::cubinsOf(work, "", *settings);
    if (!cubins) {
      Error error = cubins.error();
      error.text = words;
      return error;
    }
    for (const std::string &target : options.architectures) {
      out.push_back({work.lowered.source.kernel().getSymName().str(), target,
                     bytesOf((*cubins)[target])});
    }
  }
  return out;
}

Expected<Artefact> compileToArtefact(const VerifiedKernels &kernels,
                                     const std::string &folder,
                                     const CompileOptions &options) {
  std::lock_guard lock(kernels.get().mutex);
  auto all = lowered(kernels, options);
  if (!all) {
    return all.error();
  }
  std::string words;
  llvm::raw_string_ostream said(words);
  auto settings = settingsOf(options, said);
  if (!settings) {
    return settings.error();
  }
  std::string name = lower::artefactName(kernels.get().kernels);
  if (auto error = lower::writeArtefact(name, *all, folder, *settings)) {
    error->text = words;
    return *error;
  }
  return Artefact{folder, name, settings->version};
}

} // namespace girih
