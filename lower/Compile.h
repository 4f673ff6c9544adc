// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From verified kernels to their artefact: cubins, manifest, proof, and the
// artefacts of the shipped kernels that look up what is given to them.

#ifndef GIRIH_LOWER_COMPILE_H
#define GIRIH_LOWER_COMPILE_H

#include "checker/report/Output.h"
#include "girih/expected.h"
#include "lower/tileir/Manifest.h"
#include "lower/tileir/Writer.h"
#include "runtime/artefact/Cache.h"
#include "runtime/artefact/Ed25519.h"

#include <map>

namespace girih::lower {

/// The cubin of a schedule, and how it is launched.
struct ScheduledCubin {
  std::string bytes;
  tileir::LaunchRecipe recipe;
};

/// A kernel as the cubin of a schedule; nothing where it fits none.
using Scheduler = std::function<Expected<std::optional<ScheduledCubin>>(
    const checker::VerifiedKernel &)>;

struct Work;

/// The cubin of a kernel for a target, from something else than the assembler.
using CubinMaker =
    std::function<std::string(const Work &, llvm::StringRef target)>;

struct CompileSettings {
  std::vector<std::string> targets; ///< "sm_90"
  tileir::Options lowering;
  bool lineInfo = false;
  /// What the assembler is asked to remark on; empty: on nothing.
  std::string remarks;
  std::string assembler; ///< its path
  std::string version;   ///< what it calls itself
  unsigned timeLimit = 300;
  /// Takes the place of the assembler, for devices that are no GPU; or null.
  CubinMaker makeCubin;
  /// Of cubins.
  runtime::Cache cache{""};
  /// Makes schedules again for an audit; or null. And what its assembler calls
  /// itself.
  Scheduler scheduler;
  std::string schedulerVersion;
  /// Signs the artefact, if there is one.
  std::optional<runtime::SecretKey> signingKey;
  std::string validators; ///< the folder of the shipped kernels
  /// Opens the search, for validators without certificates; null: no search.
  const search::Api *(*openSearch)(std::string *error) = nullptr;
  /// Hears remarks, and what is wrong with places in the kernel.
  llvm::raw_ostream *said = &llvm::nulls();
};

/// A kernel with its code.
struct Work {
  const checker::Verdict &verdict;
  tileir::Lowered lowered;
  /// For which launches of a list it is; and before the names of its files.
  llvm::ArrayRef<tile::ComparisonAttr> when = {};
  std::string prefix = "";
  /// For sm_90, in place of what the assembler makes of `lowered`.
  std::optional<ScheduledCubin> scheduled = std::nullopt;
};

/// The architectures that the assembler knows, oldest first.
llvm::ArrayRef<llvm::StringLiteral> knownTargets();

/// Why these are no architectures to compile for; or nothing.
std::optional<Error> refuseTargets(llvm::ArrayRef<std::string> targets);

/// What an architecture lacks, or nothing.
std::optional<Error> refuseLowered(const tileir::Lowered &lowered,
                                   llvm::ArrayRef<std::string> targets);

/// Lowers the kernels of a file, each of them VERIFIED: to schedules where
/// there is a scheduler and one fits.
Expected<std::vector<Work>> lowerAll(llvm::ArrayRef<checker::Checked> kernels,
                                     const tileir::Options &options,
                                     const Scheduler &scheduler = nullptr);

/// How the code of a kernel is launched, by target, where its cubin does not
/// say it: made by an assembler of this version.
std::map<std::string, tileir::LaunchRecipe>
launchesOf(const Work &work, llvm::ArrayRef<std::string> targets,
           llvm::StringRef assembler);

/// The bytecode of a kernel, compared with what was judged.
Expected<tileir::Bytes> bytecodeOf(const Work &work, unsigned minor,
                                   bool places);

/// The key of a cubin: of the bytecode, the target, and the assembler as its
/// version and its file tell it; empty when there is no such file.
std::string cubinKey(llvm::StringRef bytecode, llvm::StringRef target,
                     const std::string &assembler, llvm::StringRef version);

/// The cubins of a kernel by target. On failure the bytecode stays in the file
/// `kept`, unless that is empty.
Expected<std::map<std::string, std::string>>
cubinsOf(const Work &work, const std::string &kept,
         const CompileSettings &settings);

/// Reads the key that signs from a file; an empty path is none.
std::optional<Error> readSigningKey(const std::string &path,
                                    CompileSettings &settings);

/// The name of the kernel, or of the list of several.
std::string artefactName(llvm::ArrayRef<checker::Checked> kernels);

/// Writes the artefact: whole, or not at all.
std::optional<Error> writeArtefact(const std::string &name,
                                   llvm::ArrayRef<Work> kernels,
                                   const std::string &folder,
                                   const CompileSettings &settings);

/// The shipped kernels of this installation; empty where there are none.
std::string shippedKernels();

} // namespace girih::lower

#endif // GIRIH_LOWER_COMPILE_H
