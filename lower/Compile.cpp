// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Compile.h"
#include "checker/CheckFile.h"
#include "ir/Installed.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"
#include "lower/Artefact.h"
#include "lower/Readback.h"
#include "lower/tileir/Assemble.h"
#include "lower/tileir/Manifest.h"
#include "lower/tileir/Remarks.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace girih::checker;

namespace girih::lower {

static Error refused(std::string message) {
  return {Error::Kind::Refused, std::move(message)};
}

static Error failed(std::string message) {
  return {Error::Kind::Failed, std::move(message)};
}

static Error unwritten(std::string message) {
  return {Error::Kind::File, std::move(message)};
}

//===-- Architectures -----------------------------------------------------===//

llvm::ArrayRef<llvm::StringLiteral> knownTargets() {
  static constexpr llvm::StringLiteral known[] = {
      "sm_80",  "sm_86",  "sm_87",  "sm_88",  "sm_89", "sm_90",
      "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"};
  return known;
}

std::optional<Error> refuseTargets(llvm::ArrayRef<std::string> targets) {
  std::set<std::string> seen;
  for (const std::string &t : targets) {
    if (!llvm::is_contained(knownTargets(), t)) {
      return Error{Error::Kind::Usage, "the architectures are " +
                                           llvm::join(knownTargets(), ", ") +
                                           ", got " + t};
    }
    if (!seen.insert(t).second) {
      return Error{Error::Kind::Usage, t + " is named twice"};
    }
  }
  return std::nullopt;
}

std::optional<Error> refuseLowered(const tileir::Lowered &lowered,
                                   llvm::ArrayRef<std::string> targets) {
  for (const std::string &target : targets) {
    unsigned number = 0;
    llvm::StringRef(target).drop_front(3).getAsInteger(10, number);
    for (const tileir::Need &need : lowered.needs) {
      if (number < need.target) {
        return refused(need.what + ": " + target + " has none, sm_" +
                       std::to_string(need.target) + " is the first that does");
      }
    }
  }
  return std::nullopt;
}

//===-- Code --------------------------------------------------------------===//

Expected<std::vector<Work>> lowerAll(llvm::ArrayRef<Checked> kernels,
                                     const tileir::Options &options,
                                     const Scheduler &scheduler) {
  std::vector<Work> out;
  std::set<std::string> entries;
  for (const Checked &c : kernels) {
    std::optional<ScheduledCubin> scheduled;
    if (scheduler) {
      auto made = scheduler(*c.verdict.verified);
      if (!made) {
        return made.error();
      }
      scheduled = std::move(*made);
    }
    tileir::Options how = options;
    // A schedule has one entry point, which assumes what the contract says.
    how.facts = options.facts && !scheduled;
    auto lowered = tileir::lower(*c.verdict.verified, how);
    if (auto *error = std::get_if<std::string>(&lowered)) {
      return refused(*error);
    }
    auto &made = std::get<tileir::Lowered>(lowered);
    bool listed = !c.file->list.empty();
    std::string prefix =
        listed ? made.source.kernel().getSymName().str() + "." : "";
    out.push_back({c.verdict, std::move(made), c.file->when, prefix,
                   std::move(scheduled)});
    for (const tileir::EntryPlan &plan : out.back().lowered.plans) {
      if (!entries.insert(plan.entry).second) {
        return refused("two kernels of the list have an entry " + plan.entry +
                       ": rename one");
      }
    }
  }
  return out;
}

Expected<tileir::Bytes> bytecodeOf(const Work &work, unsigned minor,
                                   bool places) {
  tileir::Bytes bytecode =
      tileir::writeBytecode(work.lowered.module, minor, places);
  if (auto why =
          readBack(*work.verdict.verified, work.lowered, bytecode, minor)) {
    return refused(*why);
  }
  return bytecode;
}

std::map<std::string, tileir::LaunchRecipe>
launchesOf(const Work &work, llvm::ArrayRef<std::string> targets,
           llvm::StringRef assembler) {
  if (work.scheduled) {
    return {{"sm_90", work.scheduled->recipe}};
  }
  std::map<std::string, tileir::LaunchRecipe> out;
  if (work.lowered.waitsIn(tileir::bytecodeMinor(assembler))) {
    for (const std::string &t : targets) {
      unsigned number = 0;
      llvm::StringRef(t).drop_front(3).getAsInteger(10, number);
      constexpr unsigned first = 90; // that has such launches
      if (number >= first) {
        out[t].waits = true;
      }
    }
  }
  return out;
}

namespace {
/// A folder for files between two programs.
struct ScratchFolder {
  llvm::SmallString<128> path;
  std::error_code error;

  ScratchFolder() {
    error = llvm::sys::fs::createUniqueDirectory("girih", path);
  }
  ~ScratchFolder() {
    if (!error) {
      llvm::sys::fs::remove_directories(path);
    }
  }
  std::string file(const std::string &name) const {
    return (path + "/" + name).str();
  }
};
} // namespace

/// Options of the assembler beside target and files.
static std::vector<std::string>
assemblerOptions(const CompileSettings &settings) {
  std::vector<std::string> out;
  if (settings.lineInfo) {
    out.push_back("--lineinfo");
  }
  if (!settings.remarks.empty()) {
    out.push_back("--remark-format=command-line");
    out.push_back("--remarks=" + settings.remarks);
  }
  return out;
}

static void printRemarks(const tileir::AssembleJob &job,
                         const std::string &kernel, llvm::raw_ostream &said) {
  for (const tileir::Remark &r : tileir::parseRemarks(job.words)) {
    tileir::printAt(
        said, llvm::SourceMgr::DK_Remark, {r.file, r.line, r.column}, kernel,
        r.text + " [" + job.target + " @" + r.entry + ", " + r.kind + "]",
        r.notes);
  }
}

/// Says which op the assembler could not do, where it says so. The bytecode in
/// `kept` then has the places.
static void placeFailure(const std::string &kept,
                         const tileir::Lowered &lowered,
                         std::vector<tileir::AssembleJob> jobs,
                         const CompileSettings &settings) {
  tileir::Bytes placed = tileir::writeBytecode(
      lowered.module, tileir::bytecodeMinor(settings.version), /*places=*/true);
  if (tile::writeFiles({{kept, std::string(placed.begin(), placed.end())}}) ||
      !tileir::assemble(settings.assembler, kept, jobs, settings.timeLimit)) {
    return;
  }
  for (const tileir::AssembleJob &job : jobs) {
    tileir::NamedPlace place = tileir::placeIn(job.words);
    if (place.line > 0) {
      tileir::printAt(
          *settings.said, llvm::SourceMgr::DK_Error, place, lowered.module.file,
          "the assembler cannot compile this for " + job.target, {});
      return;
    }
  }
}

/// Assembles what the cache does not have.
static std::optional<Error> assembleJobs(const std::string &kept,
                                         const tileir::Lowered &lowered,
                                         std::vector<tileir::AssembleJob> &jobs,
                                         const CompileSettings &settings) {
  auto error = tileir::assemble(settings.assembler, kept, jobs,
                                settings.timeLimit, assemblerOptions(settings));
  if (error) {
    placeFailure(kept, lowered, jobs, settings);
    return failed(*error);
  }
  for (const tileir::AssembleJob &job : jobs) {
    printRemarks(job, lowered.module.file, *settings.said);
  }
  return std::nullopt;
}

std::string cubinKey(llvm::StringRef bytecode, llvm::StringRef target,
                     const std::string &assembler, llvm::StringRef version) {
  std::string program = runtime::programIdentity(assembler);
  // The hash of the bytecode has a fixed length: no two lists of parts are one.
  return program.empty() ? ""
                         : sha256(sha256(bytecode) + "\n" + target.str() +
                                  "\n" + version.str() + "\n" + program);
}

Expected<std::map<std::string, std::string>>
cubinsOf(const Work &work, const std::string &kept,
         const CompileSettings &settings) {
  auto bytecode = bytecodeOf(work, tileir::bytecodeMinor(settings.version),
                             settings.lineInfo || !settings.remarks.empty());
  if (!bytecode) {
    return bytecode.error();
  }
  if (settings.makeCubin) {
    std::map<std::string, std::string> made;
    for (const std::string &t : settings.targets) {
      made[t] = settings.makeCubin(work, t);
    }
    return made;
  }
  ScratchFolder scratch;
  if (scratch.error) {
    return unwritten("no temporary folder can be made: " +
                     scratch.error.message());
  }
  std::string bytes(bytecode->begin(), bytecode->end());
  std::string input = kept.empty() ? scratch.file("kernel.tileirbc") : kept;
  if (auto error = tile::writeFiles({{input, bytes}})) {
    return unwritten(*error);
  }
  std::map<std::string, std::string> keys, cubins; // by target
  std::vector<tileir::AssembleJob> jobs;
  for (const std::string &t : settings.targets) {
    keys[t] =
        cubinKey(bytes, t, settings.assembler,
                 settings.version + (settings.lineInfo ? " --lineinfo" : ""));
    // A cubin that is known remarks on nothing.
    auto known = settings.remarks.empty()
                     ? settings.cache.find(runtime::Cache::Kind::Cubin, keys[t])
                     : std::nullopt;
    if (known) {
      cubins[t] = std::move(*known);
    } else {
      jobs.push_back({t, scratch.file(t + ".cubin"), ""});
    }
  }
  if (auto error = assembleJobs(input, work.lowered, jobs, settings)) {
    error->message += kept.empty() ? "" : "\nnote: the bytecode is in " + kept;
    return *error;
  }
  llvm::sys::fs::remove(input);
  for (const tileir::AssembleJob &job : jobs) {
    auto cubin = llvm::MemoryBuffer::getFile(job.output);
    if (!cubin) {
      return failed(job.output + ": " + cubin.getError().message());
    }
    settings.cache.store(runtime::Cache::Kind::Cubin, keys[job.target],
                         (*cubin)->getBuffer());
    cubins[job.target] = (*cubin)->getBuffer().str();
  }
  return cubins;
}

//===-- Artefacts ---------------------------------------------------------===//

namespace {
/// Writes artefacts into one new folder, that of the kernel and, within, those
/// of the kernels that look up what is given to it.
struct Compiler {
  const CompileSettings &settings;
  std::string output;
  NewFolder folder;
  std::optional<Error> error;

  Compiler(const CompileSettings &settings, const std::string &output)
      : settings(settings), output(output), folder(output) {}

  bool fail(Error why) {
    error = std::move(why);
    return false;
  }

  bool write(const std::string &file, llvm::StringRef bytes) {
    auto why = folder.write(file, bytes);
    return !why || fail(unwritten(*why));
  }

  /// Writes the files of one kernel into `where`, "" or "a_folder/", and says
  /// in `inputs` what they are.
  bool writeKernel(const std::string &where, const Work &work,
                   tileir::ManifestInputs &inputs) {
    inputs.when = work.when;
    Expected<std::map<std::string, std::string>> cubins =
        std::map<std::string, std::string>();
    if (work.scheduled) {
      (*cubins)["sm_90"] = work.scheduled->bytes;
    } else {
      cubins =
          cubinsOf(work, llvm::StringRef(output).rtrim('/').str() + ".tileirbc",
                   settings);
    }
    if (!cubins) {
      return fail(cubins.error());
    }
    inputs.launches = launchesOf(work, settings.targets, settings.version);
    for (const std::string &t : settings.targets) {
      std::string file = work.prefix + t + ".cubin";
      if (!write(where + file, (*cubins)[t])) {
        return false;
      }
      inputs.cubins.push_back({t, {file, sha256((*cubins)[t])}});
    }
    std::string proof = tileir::proofText(work.verdict);
    inputs.proof = {work.prefix + "proof.json", sha256(proof)};
    return write(where + inputs.proof.name, proof);
  }

  /// What wrote the artefact: the options that its bytes depend on, and the
  /// assemblers that it took.
  std::string producerOf(llvm::ArrayRef<Work> kernels) const {
    auto isScheduled = [](const Work &w) { return w.scheduled.has_value(); };
    bool some = llvm::any_of(kernels, isScheduled);
    return std::string("tile-compile ") + tile::girihVersion() +
           (some ? " --backend=hopper" : "") +
           (settings.lowering.facts ? "" : " --no-facts") +
           (settings.lowering.checks ? " --in-kernel-checks" : "") +
           (some ? ", " + settings.schedulerVersion : "") +
           (llvm::all_of(kernels, isScheduled) ? "" : ", " + settings.version);
  }

  /// Writes one artefact; `manifest` becomes the text of its manifest.
  bool writeArtefact(const std::string &where, const std::string &name,
                     llvm::ArrayRef<Work> kernels,
                     const std::map<std::string, std::string> &validators,
                     std::string &manifest) {
    std::string producer = producerOf(kernels);
    std::vector<OpenedKernel> opened;
    std::vector<tileir::VariantInputs> variants;
    for (const Work &work : kernels) {
      auto kernel = work.verdict.verified->open();
      if (auto *why = std::get_if<std::string>(&kernel)) {
        return fail(refused(*why));
      }
      opened.push_back(std::get<OpenedKernel>(std::move(kernel)));
      tileir::ManifestInputs inputs;
      inputs.validators = validators;
      if (!writeKernel(where, work, inputs)) {
        return false;
      }
      variants.push_back({*work.verdict.verified, opened.back().kernel(),
                          work.lowered, std::move(inputs)});
    }
    manifest = tileir::manifestText(name, producer, variants);
    return write(where + "manifest.json", manifest);
  }

  /// The artefact of a shipped kernel, verified and compiled like any other.
  bool writeValidator(const std::string &name, std::string &manifest) {
    std::string path = settings.validators + "/" + name + "/" + name + ".mlir";
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    CheckOptions options;
    options.openSearch = settings.openSearch;
    std::string why;
    std::vector<Checked> checked =
        checkFile(context, path, options, *settings.said, why);
    const Checked &c = checked.front();
    if (!c.file || !c.verdict.verified || exitCode(c.verdict) != 0) {
      return fail(
          {Error::Kind::Missing,
           path + ": no validator: " + (why.empty() ? "not VERIFIED" : why)});
    }
    auto lowered = lowerAll(c, settings.lowering);
    if (!lowered) {
      return fail(refused(path + ": " + lowered.error().message));
    }
    if (auto made = folder.makeFolder(name)) {
      return fail(unwritten(*made));
    }
    return writeArtefact(name + "/", name, *lowered, {}, manifest);
  }

  bool writeValidators(tile::KernelOp kernel,
                       std::map<std::string, std::string> &digests) {
    for (tile::GivenAttr given : kernel.getGivenFacts()) {
      std::string name = tileir::validatorOf(kernel, given), manifest;
      if (name.empty() || digests.count(name)) {
        continue;
      }
      if (!writeValidator(name, manifest)) {
        return false;
      }
      digests[name] = sha256(manifest);
    }
    return true;
  }

  bool compile(const std::string &name, llvm::ArrayRef<Work> kernels) {
    std::map<std::string, std::string> validators;
    std::string manifest;
    if (auto why = folder.open()) {
      return fail(unwritten(*why));
    }
    for (const Work &work : kernels) {
      if (!writeValidators(work.lowered.source.kernel(), validators)) {
        return false;
      }
    }
    if (!writeArtefact("", name, kernels, validators, manifest)) {
      return false;
    }
    if (settings.signingKey &&
        !write("signature.json",
               runtime::signatureText(*settings.signingKey, manifest))) {
      return false;
    }
    auto why = folder.publish();
    return !why || fail(unwritten(*why));
  }
};
} // namespace

std::optional<Error> readSigningKey(const std::string &path,
                                    CompileSettings &settings) {
  if (path.empty()) {
    return std::nullopt;
  }
  constexpr size_t maxKeyBytes = 1 << 16;
  auto text = tile::readBytes(path, maxKeyBytes);
  if (!text) {
    return unwritten(path + ": " + text.getError().message());
  }
  settings.signingKey = runtime::SecretKey::parse((*text)->getBuffer().str());
  if (!settings.signingKey || settings.signingKey->sign("").empty()) {
    return Error{Error::Kind::Usage,
                 path + ": no secret key of Ed25519 as PEM without a password; "
                        "openssl genpkey -algorithm ed25519 makes one"};
  }
  return std::nullopt;
}

std::string artefactName(llvm::ArrayRef<Checked> kernels) {
  const tile::KernelFile &file = *kernels.front().file;
  return file.list.empty() ? tile::KernelOp(file.kernel).getSymName().str()
                           : file.list;
}

std::optional<Error> writeArtefact(const std::string &name,
                                   llvm::ArrayRef<Work> kernels,
                                   const std::string &folder,
                                   const CompileSettings &settings) {
  Compiler compiler(settings, folder);
  compiler.compile(name, kernels);
  return compiler.error;
}

std::string shippedKernels() {
  for (std::filesystem::path place :
       {installedRoot() / "share/girih/kernels",
        std::filesystem::path(GIRIH_VALIDATORS)}) {
    std::error_code missing;
    if (std::filesystem::exists(place, missing)) {
      return place.string();
    }
  }
  return "";
}

} // namespace girih::lower
