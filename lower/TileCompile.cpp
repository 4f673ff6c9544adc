// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-compile: verifies a kernel and turns it into an artefact, a folder with
// cubins, manifest and proof. What is not VERIFIED is refused as tile-verify
// refuses it.

#include "checker/CheckFile.h"
#include "checker/search/SearchLibrary.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"
#include "lower/Audit.h"
#include "lower/Launcher.h"
#include "lower/hopper/Compile.h"
#include "lower/hopper/expected/Expected.h"
#include "lower/hopper/nvvm/Assemble.h"
#include "lower/tileir/Assemble.h"

#include "ir/types/Diagnose.h"
#include "llvm/Support/CommandLine.h"
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
enum class Dump { None, Module, Bytecode, Facts, Hopper, Ptx, Expected };
static cl::opt<Dump> dump(
    "dump", cl::desc("print instead of assembling"),
    cl::values(clEnumValN(Dump::Module, "module", "Tile IR as text"),
               clEnumValN(Dump::Bytecode, "bytecode", "its bytes"),
               clEnumValN(Dump::Facts, "facts",
                          "what it asserts and what that rests on"),
               clEnumValN(Dump::Hopper, "hopper",
                          "the schedule for sm_90, if the kernel fits one"),
               clEnumValN(Dump::Ptx, "ptx", "the PTX of the schedule"),
               clEnumValN(Dump::Expected, "expected",
                          "what that PTX may touch, for the gate")),
    cl::init(Dump::None), cl::cat(category));
static cl::opt<std::string>
    assemblerPath("tileiras", cl::value_desc("path"),
                  cl::desc("the assembler (default: the one that quickstart "
                           "installed, else the one on PATH)"),
                  cl::cat(category));

enum class Backend { TileIR, Hopper };
static cl::opt<Backend>
    backend("backend", cl::desc("what makes the cubins"),
            cl::values(clEnumValN(Backend::TileIR, "tileir",
                                  "CUDA Tile IR and tileiras (the default)"),
                       clEnumValN(Backend::Hopper, "hopper",
                                  "a schedule for sm_90 and ptxas; Tile IR for "
                                  "kernels that fit none")),
            cl::init(Backend::TileIR), cl::cat(category));
static cl::opt<std::string>
    ptxasPath("ptxas", cl::value_desc("path"),
              cl::desc("the assembler of schedules (default: the one that "
                       "quickstart installed, else the one on PATH)"),
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
static cl::opt<std::string> launcherFile(
    "emit-launcher", cl::value_desc("file.h"),
    cl::desc("write the C++ header that calls the kernel, alone or beside the "
             "artefact; - is the standard output"),
    cl::cat(category));
static cl::opt<std::string>
    signingKey("sign", cl::value_desc("key.pem"),
               cl::desc("sign the artefact with this key of Ed25519"),
               cl::cat(category));
static cl::opt<std::string>
    audited("audit", cl::value_desc("folder"),
            cl::desc("compile nothing: judge the certificates of an artefact "
                     "again, make its manifest and cubins again, and compare"),
            cl::cat(category));
static cl::opt<std::string> validatorFolder(
    "validators", cl::value_desc("folder"),
    cl::desc("the shipped kernels that look up on the device what is given "
             "(default: those of this installation)"),
    cl::cat(category));
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
  tile-compile --audit=build/add
)text",
    printAssembler};

static int fail(int code, const llvm::Twine &message) {
  llvm::errs() << "tile-compile: error: " << message << "\n";
  return code;
}

static std::optional<std::string> checkOptions() {
  if (timeLimit < 1) {
    return "--time-limit is at least 1";
  }
  if (backend == Backend::Hopper) {
    if (targets.empty()) {
      targets.push_back("sm_90");
    }
    if (targets.size() != 1 || targets[0] != "sm_90") {
      return "--backend=hopper is for --arch=sm_90 alone";
    }
    if (lineInfo || remarks != Remarks::None || inKernelChecks) {
      return "--backend=hopper goes without --lineinfo, --remarks and "
             "--in-kernel-checks";
    }
  }
  if (targets.empty()) {
    targets.push_back("sm_90");
    targets.push_back("sm_100");
    targets.push_back("sm_120");
  }
  if (auto error = lower::refuseTargets(targets)) {
    return "--arch: " + error->message;
  }
  return std::nullopt;
}

/// 1 for what cannot be compiled, 3 for what cannot be read or written.
static int fail(const Error &error) {
  bool about =
      error.kind == Error::Kind::Refused || error.kind == Error::Kind::Failed;
  return fail(about ? 1 : 3, error.message);
}

static Error missing(const std::string &name, const std::string &path) {
  return {Error::Kind::Missing,
          path.empty() ? "there is no " + name +
                             ": run ./quickstart, or put a CUDA toolkit of "
                             "13.3 or newer on PATH"
                       : path + " cannot be run"};
}

/// The search for certificates of PTX; without the library there are those that
/// the gate finds itself.
static std::optional<proofs::Certificate>
findCertificate(const proofs::Obligation &obligation) {
  const search::Api *api = openSearch();
  search::Budget budget;
  budget.pivots = 20000;
  return api ? api->findCertificate(obligation, budget, nullptr) : std::nullopt;
}

/// A kernel as a schedule; with a remark that names the op if it fits none.
static Expected<std::optional<lower::ScheduledCubin>>
schedule(const VerifiedKernel &kernel) {
  std::string ptxas = hopper::findPtxas(ptxasPath);
  if (ptxas.empty()) {
    return missing("ptxas", ptxasPath);
  }
  auto made = hopper::compile(kernel, findCertificate, ptxas, timeLimit);
  if (auto *why = std::get_if<std::string>(&made)) {
    return Error{Error::Kind::Refused, *why};
  }
  if (auto *misfit = std::get_if<hopper::Unscheduled>(&made)) {
    llvm::errs() << misfit->place << ": remark: " << misfit->why << "\n";
    return std::optional<lower::ScheduledCubin>();
  }
  auto &compiled = std::get<hopper::Compiled>(made);
  return std::optional(
      lower::ScheduledCubin{std::move(compiled.cubin), compiled.recipe});
}

/// What the options say, and the assembler; an error where there is none.
static Expected<lower::CompileSettings> settings() {
  static constexpr const char *words[] = {"", "all", "memory", "tensorcore"};
  lower::CompileSettings out;
  out.targets = {targets.begin(), targets.end()};
  out.lowering = {!noFacts, inKernelChecks, {}};
  out.lineInfo = lineInfo;
  out.remarks = words[size_t(remarks.getValue())];
  out.assembler = tileir::findAssembler(assemblerPath);
  out.timeLimit = timeLimit;
  if (!out.assembler.empty()) {
    out.version = tileir::assemblerVersion(out.assembler);
  } else if (backend == Backend::TileIR || !assemblerPath.empty()) {
    return missing("tileiras", assemblerPath);
  }
  if (backend == Backend::Hopper) {
    out.scheduler = schedule;
    out.schedulerVersion = hopper::ptxasVersion(hopper::findPtxas(ptxasPath));
  }
  std::string kept = noCache               ? ""
                     : cacheFolder.empty() ? runtime::defaultCacheFolder()
                                           : cacheFolder.getValue();
  out.cache = runtime::Cache(kept, uint64_t(cacheSize) << 20);
  if (auto why = out.cache.distrust()) {
    llvm::errs() << "tile-compile: warning: " << *why << "\n";
  }
  out.validators = validatorFolder.empty() ? lower::shippedKernels()
                                           : validatorFolder.getValue();
  out.openSearch = openSearch;
  out.said = &llvm::errs();
  if (auto error = lower::readSigningKey(signingKey, out)) {
    return *error;
  }
  return out;
}

/// Says whether an artefact is what its kernel compiles to; 2 where its cubins
/// could not be made again.
static int audit() {
  lower::AuditSettings how;
  how.allowTrust = allowTrust;
  auto compile = settings();
  if (compile) {
    how.compile = std::move(*compile);
  } else if (compile.error().kind == Error::Kind::Missing &&
             assemblerPath.empty()) {
    how.compile.validators = lower::shippedKernels();
  } else {
    return fail(compile.error());
  }
  auto found = lower::auditArtefact(audited, how);
  if (!found) {
    return fail(found.error());
  }
  llvm::outs() << audited << ": " << found->name << ": "
               << tile::counted(found->obligations, "obligation", "obligations")
               << " judged, the manifest is what the kernel gives, ";
  if (found->cubinsLeftOut.empty()) {
    llvm::outs() << tile::counted(found->cubins, "cubin", "cubins")
                 << " made again\n";
  } else {
    llvm::outs() << "cubins not compared: " << found->cubinsLeftOut << "\n";
  }
  return found->cubinsLeftOut.empty() ? 0 : 2;
}

static int compile(const std::string &name,
                   llvm::ArrayRef<lower::Work> kernels) {
  auto how = settings();
  if (!how) {
    return fail(how.error());
  }
  bool all = llvm::all_of(
      kernels, [](const lower::Work &w) { return w.scheduled.has_value(); });
  if (!all && how->assembler.empty()) {
    return fail(missing("tileiras", assemblerPath));
  }
  if (auto error = lower::writeArtefact(name, kernels, output, *how)) {
    return fail(*error);
  }
  size_t obligations = 0;
  for (const lower::Work &work : kernels) {
    obligations += work.verdict.vcs.size();
  }
  llvm::outs() << output << ": " << name << " for " << llvm::join(targets, ", ")
               << ", "
               << tile::counted(obligations, "obligation", "obligations")
               << " certified\n";
  if (how->signingKey) {
    llvm::outs() << output << ": signed by " << how->signingKey->publicKey()
                 << "\n";
  }
  return 0;
}

/// Writes the header, if it is asked for.
static int emitLauncher(const std::string &name,
                        llvm::ArrayRef<lower::Work> kernels) {
  if (launcherFile.empty()) {
    return 0;
  }
  std::string text = lower::launcherText(name, kernels);
  if (launcherFile == "-") {
    llvm::outs() << text;
    return 0;
  }
  auto error = tile::writeFiles({{launcherFile, text}});
  return error ? fail(3, *error) : 0;
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

/// Says where a kernel prints: nobody wants that but to find a mistake.
static void remarkPrints(const Checked &checked) {
  auto kernel = checked.file->kernel;
  kernel->walk([](tile::PrintOp print) {
    llvm::errs() << tile::locationText(print.getLoc())
                 << ": remark: the kernel prints here, in every block\n";
  });
}

/// Prints the schedule of a kernel, or its PTX; 1 with a remark that names the
/// op where it fits none.
static int dumpSchedule(const Checked &checked) {
  auto scheduled = hopper::schedule(*checked.verdict.verified);
  if (auto *misfit = std::get_if<hopper::Unscheduled>(&scheduled)) {
    llvm::errs() << misfit->place << ": remark: " << misfit->why << "\n";
    return fail(1, "the kernel fits no schedule for sm_90");
  }
  if (auto *why = std::get_if<std::string>(&scheduled)) {
    return fail(1, *why);
  }
  const auto &made = std::get<hopper::Scheduled>(scheduled);
  if (dump == Dump::Hopper) {
    llvm::outs() << *made.kernel() << "\n";
    return 0;
  }
  if (dump == Dump::Expected) {
    llvm::outs() << ptx::print(hopper::expectedOf(made));
    return 0;
  }
  std::string why;
  auto ptx = hopper::ptxOf(made, why);
  if (!ptx) {
    return fail(1, why);
  }
  llvm::outs() << *ptx;
  return 0;
}

/// Prints what --dump asks for.
static int dumpWork(const lower::Work &work) {
  const tileir::Lowered &lowered = work.lowered;
  if (dump == Dump::Module) {
    llvm::outs() << tileir::print(lowered.module);
    return 0;
  }
  if (dump == Dump::Facts) {
    llvm::outs() << tileir::factsText(work.verdict, lowered);
    return 0;
  }
  auto bytecode = lower::bytecodeOf(work, tileir::newestMinor, lineInfo);
  if (!bytecode) {
    return fail(bytecode.error());
  }
  llvm::outs().write(reinterpret_cast<const char *>(bytecode->data()),
                     bytecode->size());
  return 0;
}

int main(int argc, char **argv) {
  tile::guardStandardOutput("tile-compile");
  if (!tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  if (!audited.empty()) {
    if (!input.empty() || !output.empty() || dump != Dump::None ||
        !launcherFile.empty()) {
      return fail(3, "--audit goes without a kernel, -o, --dump and "
                     "--emit-launcher");
    }
    if (timeLimit < 1) {
      return fail(3, "--time-limit is at least 1");
    }
    return audit();
  }
  if (input.empty()) {
    return fail(3, "no kernel given");
  }
  if (output.empty() && dump == Dump::None && launcherFile.empty()) {
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
  if (dump == Dump::Hopper || dump == Dump::Ptx || dump == Dump::Expected) {
    for (const Checked &c : checked) {
      if (int code = dumpSchedule(c)) {
        return code;
      }
    }
    return 0;
  }
  bool schedules = backend == Backend::Hopper && dump == Dump::None;
  auto kernels = lower::lowerAll(checked, {!noFacts, inKernelChecks, {}},
                                 schedules ? schedule : lower::Scheduler());
  if (!kernels) {
    return fail(kernels.error());
  }
  for (const lower::Work &work : *kernels) {
    bool forAll = dump == Dump::Module || dump == Dump::Facts ||
                  (dump == Dump::None && output.empty());
    auto error = lower::refuseLowered(work.lowered, targets);
    if (error && !forAll) {
      return fail(*error);
    }
    if (int code = dump == Dump::None ? 0 : dumpWork(work)) {
      return code;
    }
  }
  if (dump != Dump::None) {
    return 0;
  }
  for (const Checked &c : checked) {
    remarkPrints(c);
  }
  std::string name = lower::artefactName(checked);
  int code = output.empty() ? 0 : compile(name, *kernels);
  return code ? code : emitLauncher(name, *kernels);
}
