// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-compile: verifies a kernel and turns it into an artefact, a folder with
// cubins, manifest and proof. What is not VERIFIED is refused as tile-verify
// refuses it.

#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"
#include "ir/Files.h"
#include "ir/Tool.h"
#include "lower/Artefact.h"
#include "lower/Cache.h"
#include "lower/Readback.h"
#include "lower/tileir/Assemble.h"
#include "lower/tileir/Manifest.h"
#include "lower/tileir/Remarks.h"
#include "lower/tileir/Writer.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace girih;
using namespace girih::checker;
namespace cl = llvm::cl;

static cl::OptionCategory category("tile-compile options");
static cl::opt<std::string> input(cl::Positional, cl::desc("<kernel.mlir>"),
                                  cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("the artefact's folder"),
                                   cl::value_desc("folder"), cl::cat(category));
static cl::list<std::string>
    targets("arch", cl::CommaSeparated, cl::value_desc("sm_90,..."),
            cl::desc("architectures (default sm_90,sm_100,sm_120)"),
            cl::cat(category));
enum class Dump { None, Module, Bytecode, Facts };
static cl::opt<Dump>
    dump("dump", cl::desc("print instead of assembling"),
         cl::values(clEnumValN(Dump::Module, "module", "Tile IR as text"),
                    clEnumValN(Dump::Bytecode, "bytecode", "its bytes"),
                    clEnumValN(Dump::Facts, "facts",
                               "what it asserts and what that rests on")),
         cl::init(Dump::None), cl::cat(category));
static cl::opt<std::string>
    assemblerPath("tileiras", cl::value_desc("path"),
                  cl::desc("the assembler (default: the one that quickstart "
                           "installed, else the one on PATH)"),
                  cl::cat(category));

static cl::opt<bool>
    lineInfo("lineinfo",
             cl::desc("say in cubins which line of the kernel code comes from"),
             cl::cat(category));
enum class Remarks { None, All, Memory, TensorCore };
static cl::opt<Remarks> remarks(
    "remarks", cl::desc("what the assembler remarks on lines of the kernel"),
    cl::values(clEnumValN(Remarks::None, "none", "nothing (the default)"),
               clEnumValN(Remarks::All, "all", "everything"),
               clEnumValN(Remarks::Memory, "memory", "on loads and stores"),
               clEnumValN(Remarks::TensorCore, "tensorcore", "on products")),
    cl::init(Remarks::None), cl::cat(category));
static cl::opt<bool>
    noFacts("no-facts", cl::desc("assert nothing, for comparison: slower code"),
            cl::cat(category));
static cl::opt<bool> inKernelChecks(
    "in-kernel-checks",
    cl::desc("check every index in the kernel in place of relying on its "
             "proof, for comparison and as an oracle"),
    cl::cat(category));
static cl::opt<bool>
    allowTrust("allow-trust",
               cl::desc("compile a kernel that rests on opt-outs"),
               cl::cat(category));
static cl::opt<std::string> validatorFolder(
    "validators", cl::value_desc("folder"),
    cl::desc("the shipped kernels that look up on the device what is given "
             "(default: proofs/kernels of the source tree)"),
    cl::init(GIRIH_VALIDATORS), cl::cat(category));
static cl::opt<std::string> cacheFolder(
    "cache", cl::value_desc("folder"),
    cl::desc("where cubins are kept (default: girih in $XDG_CACHE_HOME or "
             "~/.cache)"),
    cl::cat(category));
static cl::opt<unsigned> cacheSize("cache-size", cl::value_desc("MiB"),
                                   cl::desc("of all that is kept there "
                                            "(default 1024)"),
                                   cl::init(1024), cl::cat(category));
static cl::opt<bool> noCache("no-cache",
                             cl::desc("neither use nor keep cubins"),
                             cl::cat(category));
static cl::opt<unsigned>
    timeLimit("time-limit", cl::value_desc("seconds"),
              cl::desc("for the assembler, a target (default 300)"),
              cl::init(300), cl::cat(category));

/// The assembler writes the cubins, so its version belongs to a report.
static void printAssembler(llvm::raw_ostream &os) {
  std::string path = tileir::findAssembler(assemblerPath);
  os << (path.empty() ? "no tileiras" : tileir::assemblerVersion(path)) << '\n';
}

static constexpr tile::Tool tool = {
    "tile-compile", "Compiles verified tile kernels for NVIDIA GPUs.",
    "0 compiled, 1 refuted or not assembled, 2 unknown or trusted, 3 usage or "
    "malformed.",
    R"text(  tile-compile proofs/kernels/add/add.mlir --arch=sm_90 -o build/add
  tile-compile proofs/kernels/add/add.mlir --dump=facts
)text",
    printAssembler};

static constexpr llvm::StringLiteral knownTargets[] = {
    "sm_80",  "sm_86",  "sm_87",  "sm_88",  "sm_89", "sm_90",
    "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"};

static int fail(int code, const llvm::Twine &message) {
  llvm::errs() << "tile-compile: error: " << message << "\n";
  return code;
}

static std::optional<std::string> checkOptions() {
  if (timeLimit < 1) {
    return "--time-limit is at least 1";
  }
  if (targets.empty()) {
    targets.push_back("sm_90");
    targets.push_back("sm_100");
    targets.push_back("sm_120");
  }
  std::set<std::string> seen;
  for (const std::string &t : targets) {
    if (!llvm::is_contained(knownTargets, t)) {
      return "--arch takes " +
             llvm::join(std::begin(knownTargets), std::end(knownTargets),
                        ", ") +
             ", got " + t;
    }
    if (!seen.insert(t).second) {
      return "--arch names " + t + " twice";
    }
  }
  return std::nullopt;
}

/// What an architecture lacks, or nothing.
static std::optional<std::string>
refuseTargets(const tileir::Lowered &lowered) {
  for (const std::string &target : targets) {
    unsigned number = 0;
    llvm::StringRef(target).drop_front(3).getAsInteger(10, number);
    for (const tileir::Need &need : lowered.needs) {
      if (number < need.target) {
        return need.what + ": " + target + " has none, sm_" +
               std::to_string(need.target) + " is the first that does";
      }
    }
  }
  return std::nullopt;
}

/// Options of the assembler beside target and files.
static std::vector<std::string> assemblerOptions() {
  std::vector<std::string> out;
  if (lineInfo) {
    out.push_back("--lineinfo");
  }
  if (remarks != Remarks::None) {
    static constexpr const char *words[] = {"none", "all", "memory",
                                            "tensorcore"};
    out.push_back("--remark-format=command-line");
    out.push_back(std::string("--remarks=") +
                  words[size_t(remarks.getValue())]);
  }
  return out;
}

static void printRemarks(const tileir::AssembleJob &job) {
  for (const tileir::Remark &r : tileir::parseRemarks(job.words)) {
    tileir::printAt(
        llvm::errs(), llvm::SourceMgr::DK_Remark, {r.file, r.line, r.column},
        r.text + " [" + job.target + " @" + r.entry + ", " + r.kind + "]",
        r.notes);
  }
}

namespace {

/// What is compiled: a verified kernel and its code.
struct Work {
  const Verdict &verdict;
  tileir::Lowered lowered;
  /// For which launches of a list it is; and before the names of its files.
  llvm::ArrayRef<tile::ComparisonAttr> when = {};
  std::string prefix = "";
};

/// What went wrong and the exit code for it.
struct Failure {
  int code;
  std::string message;
};

/// Writes artefacts into one new folder, that of the kernel and, within, those
/// of the kernels that look up what is given to it.
struct Compiler {
  std::string assembler, version;
  lower::Cache cache;
  lower::NewFolder folder;
  std::optional<Failure> failure;

  bool fail(int code, std::string message) {
    failure = Failure{code, std::move(message)};
    return false;
  }

  /// Assembles into `where`, "" or "a_folder/"; on failure the bytecode stays
  /// beside the artefact.
  bool makeCubins(const std::string &where, const Work &work,
                  const tileir::Bytes &bytecode,
                  tileir::ManifestInputs &inputs) {
    llvm::StringRef bytes(reinterpret_cast<const char *>(bytecode.data()),
                          bytecode.size());
    std::string kept = llvm::StringRef(output).rtrim('/').str() + ".tileirbc";
    if (auto error = tile::writeFiles({{kept, bytes.str()}})) {
      return fail(3, *error);
    }
    std::vector<tileir::AssembleJob> jobs;
    std::map<std::string, std::string> keys, hashes; // by target
    for (const std::string &t : targets) {
      std::string file = where + work.prefix + t + ".cubin";
      keys[t] = lower::cubinKey(bytes, t, assembler,
                                version + (lineInfo ? " --lineinfo" : ""));
      // A cubin that is known remarks on nothing.
      auto known =
          remarks == Remarks::None ? cache.find(keys[t]) : std::nullopt;
      if (known) {
        if (!write(file, *known)) {
          return false;
        }
        hashes[t] = sha256(*known);
      } else {
        jobs.push_back({t, folder.path(file), ""});
      }
    }
    if (auto error = tileir::assemble(assembler, kept, jobs, timeLimit,
                                      assemblerOptions())) {
      placeFailure(kept, work.lowered, jobs);
      return fail(1, *error + "\nnote: the bytecode is in " + kept);
    }
    llvm::sys::fs::remove(kept);
    llvm::for_each(jobs, printRemarks);
    for (const tileir::AssembleJob &job : jobs) {
      auto cubin = llvm::MemoryBuffer::getFile(job.output);
      if (!cubin) {
        return fail(1, job.output + ": " + cubin.getError().message());
      }
      cache.store(keys[job.target], (*cubin)->getBuffer());
      hashes[job.target] = sha256((*cubin)->getBuffer());
    }
    for (const std::string &t : targets) {
      inputs.cubins.push_back({t, {work.prefix + t + ".cubin", hashes[t]}});
    }
    return true;
  }

  /// Says which op the assembler could not do, where it says so. The bytecode
  /// that stays has the places.
  void placeFailure(const std::string &kept, const tileir::Lowered &lowered,
                    std::vector<tileir::AssembleJob> jobs) {
    tileir::Bytes placed = tileir::writeBytecode(
        lowered.module, tileir::bytecodeMinor(version), /*places=*/true);
    if (tile::writeFiles({{kept, std::string(placed.begin(), placed.end())}}) ||
        !tileir::assemble(assembler, kept, jobs, timeLimit)) {
      return;
    }
    for (const tileir::AssembleJob &job : jobs) {
      tileir::NamedPlace place = tileir::placeIn(job.words);
      if (place.line > 0) {
        tileir::printAt(llvm::errs(), llvm::SourceMgr::DK_Error, place,
                        "the assembler cannot compile this for " + job.target,
                        {});
        return;
      }
    }
  }

  bool write(const std::string &file, llvm::StringRef bytes) {
    auto error = folder.write(file, bytes);
    return !error || fail(3, *error);
  }

  /// Writes the files of one kernel and says in `inputs` what they are.
  bool writeKernel(const std::string &where, const Work &work,
                   tileir::ManifestInputs &inputs) {
    inputs.when = work.when;
    tileir::Bytes bytecode = tileir::writeBytecode(
        work.lowered.module, tileir::bytecodeMinor(version),
        lineInfo || remarks != Remarks::None);
    if (auto why =
            lower::readBack(*work.verdict.verified, work.lowered, bytecode)) {
      return fail(1, *why);
    }
    if (!makeCubins(where, work, bytecode, inputs)) {
      return false;
    }
    std::string proof = tileir::proofText(work.verdict);
    inputs.proof = {work.prefix + "proof.json", sha256(proof)};
    return write(where + inputs.proof.name, proof);
  }

  /// Writes one artefact; `manifest` becomes the text of its manifest.
  bool writeArtefact(const std::string &where, const std::string &name,
                     llvm::ArrayRef<Work> kernels,
                     const std::map<std::string, std::string> &validators,
                     std::string &manifest) {
    std::string producer = std::string("tile-compile ") + tile::girihVersion() +
                           (noFacts ? " --no-facts" : "") +
                           (inKernelChecks ? " --in-kernel-checks" : "") +
                           ", " + version;
    std::vector<OpenedKernel> opened;
    std::vector<tileir::VariantInputs> variants;
    for (const Work &work : kernels) {
      auto kernel = work.verdict.verified->open();
      if (auto *why = std::get_if<std::string>(&kernel)) {
        return fail(1, *why);
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
    std::string path = validatorFolder + "/" + name + "/" + name + ".mlir";
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    CheckOptions options;
    options.openSearch = openSearch;
    std::string error;
    std::vector<Checked> checked =
        checkFile(context, path, options, llvm::errs(), error);
    const Checked &c = checked.front();
    if (!c.file || !c.verdict.verified || exitCode(c.verdict) != 0) {
      return fail(3, path + ": no validator: " +
                         (error.empty() ? "not VERIFIED" : error));
    }
    auto lowered =
        tileir::lower(*c.verdict.verified, {!noFacts, inKernelChecks, {}});
    if (auto *why = std::get_if<std::string>(&lowered)) {
      return fail(1, path + ": " + *why);
    }
    if (auto made = folder.makeFolder(name)) {
      return fail(3, *made);
    }
    return writeArtefact(
        name + "/", name,
        Work{c.verdict, std::get<tileir::Lowered>(std::move(lowered))}, {},
        manifest);
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
    if (auto error = folder.open()) {
      return fail(3, *error);
    }
    for (const Work &work : kernels) {
      if (!writeValidators(work.lowered.source.kernel(), validators)) {
        return false;
      }
    }
    if (!writeArtefact("", name, kernels, validators, manifest)) {
      return false;
    }
    auto error = folder.publish();
    return !error || fail(3, *error);
  }
};

} // namespace

static int compile(const std::string &name, llvm::ArrayRef<Work> kernels) {
  std::string assembler = tileir::findAssembler(assemblerPath);
  if (assembler.empty()) {
    return fail(3, assemblerPath.empty()
                       ? "there is no tileiras: run ./quickstart, or put a "
                         "CUDA toolkit of 13.3 or newer on PATH"
                       : assemblerPath + " cannot be run");
  }
  std::string kept = noCache               ? ""
                     : cacheFolder.empty() ? lower::defaultCacheFolder()
                                           : cacheFolder.getValue();
  Compiler compiler{assembler, tileir::assemblerVersion(assembler),
                    lower::Cache(kept, uint64_t(cacheSize) << 20),
                    lower::NewFolder(output), std::nullopt};
  if (!compiler.compile(name, kernels)) {
    return fail(compiler.failure->code, compiler.failure->message);
  }
  size_t obligations = 0;
  for (const Work &work : kernels) {
    obligations += work.verdict.owed.size();
  }
  llvm::outs() << output << ": " << name << " for " << llvm::join(targets, ", ")
               << ", " << obligations << " obligations certified\n";
  return 0;
}

/// Refuses what is not verified, as tile-verify does; else 0.
static int refuseUnproved(llvm::ArrayRef<Checked> kernels) {
  for (const Checked &c : kernels) {
    if (!c.verdict.verified) {
      printText(c, llvm::errs());
      return exitCode(c.verdict);
    }
    if (int code = exitCode(c.verdict, allowTrust)) {
      printText(c, llvm::errs());
      return fail(code, "the kernel rests on what it trusts: --allow-trust");
    }
  }
  return 0;
}

/// Lowers the kernels of a file; none after saying why not.
static std::vector<Work> lowerAll(llvm::ArrayRef<Checked> kernels) {
  std::vector<Work> out;
  std::set<std::string> entries;
  for (const Checked &c : kernels) {
    auto lowered =
        tileir::lower(*c.verdict.verified, {!noFacts, inKernelChecks, {}});
    if (auto *error = std::get_if<std::string>(&lowered)) {
      fail(1, *error);
      return {};
    }
    auto &made = std::get<tileir::Lowered>(lowered);
    bool listed = !c.file->list.empty();
    std::string prefix =
        listed ? made.source.kernel().getSymName().str() + "." : "";
    out.push_back({c.verdict, std::move(made), c.file->when, prefix});
    for (const tileir::Plan &plan : out.back().lowered.plans) {
      if (!entries.insert(plan.entry).second) {
        fail(1, "two kernels of the list have an entry " + plan.entry +
                    ": rename one");
        return {};
      }
    }
  }
  return out;
}

/// Prints what --dump asks for.
static int dumpWork(const Work &work) {
  const tileir::Lowered &lowered = work.lowered;
  if (dump == Dump::Module) {
    llvm::outs() << tileir::print(lowered.module);
    return 0;
  }
  if (dump == Dump::Facts) {
    llvm::outs() << tileir::factsText(work.verdict, lowered);
    return 0;
  }
  tileir::Bytes bytecode =
      tileir::writeBytecode(lowered.module, tileir::newestMinor, lineInfo);
  if (auto error = lower::readBack(*work.verdict.verified, lowered, bytecode)) {
    return fail(1, *error);
  }
  llvm::outs().write(reinterpret_cast<const char *>(bytecode.data()),
                     bytecode.size());
  return 0;
}

int main(int argc, char **argv) {
  tile::guardStandardOutput("tile-compile");
  if (!tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  if (input.empty()) {
    return fail(3, "no kernel given");
  }
  if (output.empty() && dump == Dump::None) {
    return fail(3, "no folder given: -o FOLDER");
  }
  if (auto error = checkOptions()) {
    return fail(3, *error);
  }
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  CheckOptions options;
  options.openSearch = openSearch;
  std::string failure;
  std::vector<Checked> checked =
      checkFile(context, input, options, llvm::errs(), failure);
  if (!failure.empty()) {
    return fail(3, failure);
  }
  if (!checked.front().file) {
    return 3;
  }
  if (int code = refuseUnproved(checked)) {
    return code;
  }
  if (dump == Dump::Bytecode && checked.size() > 1) {
    return fail(3, "--dump=bytecode takes a file of one kernel");
  }
  std::vector<Work> kernels = lowerAll(checked);
  if (kernels.empty()) {
    return 1;
  }
  for (const Work &work : kernels) {
    bool text = dump == Dump::Module || dump == Dump::Facts;
    if (auto error = text ? std::nullopt : refuseTargets(work.lowered)) {
      return fail(1, *error);
    }
    if (int code = dump == Dump::None ? 0 : dumpWork(work)) {
      return code;
    }
  }
  tile::KernelOp first = kernels.front().lowered.source.kernel();
  const std::string &list = checked.front().file->list;
  return dump == Dump::None
             ? compile(list.empty() ? first.getSymName().str() : list, kernels)
             : 0;
}
