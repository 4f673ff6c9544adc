// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-verify: proves kernels for every launch that their contracts admit, or
// refuses them with a counterexample that replays.

#include "checker/CheckFile.h"
#include "checker/report/Explain.h"
#include "checker/report/Graph.h"
#include "checker/report/Instance.h"
#include "checker/report/Report.h"
#include "checker/report/Sarif.h"
#include "checker/report/Trust.h"
#include "checker/search/SearchLibrary.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace girih;
using namespace girih::checker;
namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;

static constexpr tile::Tool tool = {
    "tile-verify",
    "Proves tile kernels for every launch that their contracts admit.",
    "0 proved, 1 refuted, 2 unknown or trusted, 3 usage or malformed.",
    R"text(  tile-verify proofs/kernels/add
  tile-verify tests/corpus/girih/bugs/permute_race.mlir   # a race: exit code 1
  tile-verify --explain=claim.disjoint
)text"};

static cl::OptionCategory category("tile-verify options");
static cl::list<std::string> inputs(cl::Positional,
                                    cl::desc("<kernel.mlir or folder>..."),
                                    cl::cat(category));
enum class Format { Text, Jsonl, Sarif, Github };
static cl::opt<Format> format(
    "format", cl::desc("how verdicts are printed"),
    cl::values(clEnumValN(Format::Text, "text", "for a reader"),
               clEnumValN(Format::Jsonl, "jsonl", "one JSON object a kernel"),
               clEnumValN(Format::Sarif, "sarif", "one SARIF 2.1.0 log"),
               clEnumValN(Format::Github, "github",
                          "workflow commands that annotate the lines")),
    cl::init(Format::Text), cl::cat(category));
static cl::opt<std::string> report("report",
                                   cl::desc("write an HTML page with verdicts, "
                                            "sources and pictures"),
                                   cl::value_desc("FILE.html"),
                                   cl::cat(category));
static cl::opt<std::string>
    graph("graph",
          cl::desc("write which obligations rest on which, for Graphviz"),
          cl::value_desc("FILE.dot"), cl::cat(category));
static cl::opt<std::string>
    explain("explain",
            cl::desc("say what a rule demands; without a "
                     "rule, list all"),
            cl::ValueOptional, cl::value_desc("rule"), cl::cat(category));
static cl::opt<bool> replayOnly(
    "replay",
    cl::desc("judge the stored certificates only: no search, no solver"),
    cl::cat(category));
static cl::opt<bool> save("save",
                          cl::desc("store certificates beside each kernel"),
                          cl::cat(category));
static cl::opt<bool> fresh("fresh", cl::desc("ignore stored certificates"),
                           cl::cat(category));
static cl::opt<bool>
    recheck("recheck",
            cl::desc("judge the stored certificates, then prove all again from "
                     "nothing; fails where the two differ"),
            cl::cat(category));
static cl::opt<bool>
    crossCheck("cross-check",
               cl::desc("put every obligation to Z3 as well; disagreement is "
                        "an error"),
               cl::cat(category));
static cl::opt<bool> trust("trust",
                           cl::desc("print what each verdict rests on"),
                           cl::cat(category));
static cl::opt<bool>
    allowTrust("allow-trust",
               cl::desc("count kernels that rest on opt-outs as proved"),
               cl::cat(category));
static cl::opt<bool>
    coq("coq",
        cl::desc("print the theorem that the kernel is safe, for Coq to check"),
        cl::cat(category));
static cl::opt<bool> dump("dump-obligations",
                          cl::desc("print every obligation with its status"),
                          cl::cat(category));
static cl::opt<bool>
    suggestions("suggest",
                cl::desc("look for a requires under which a kernel that is not "
                         "proved would be (default true)"),
                cl::init(true), cl::cat(category));
static cl::opt<unsigned>
    indexWidth("index-width", cl::desc("bits of index, 8 to 64 (default 64)"),
               cl::init(64), cl::cat(category));
static cl::opt<unsigned long long>
    steps("steps",
          cl::desc("search budget a kernel, in steps (default 150000)"),
          cl::init(checker::VerifyOptions().steps), cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tile-verify: error: " << message << "\n";
  return 3;
}

/// The worse of two exit codes: 3 beats 1 beats 2 beats 0.
static int worse(int a, int b) {
  static constexpr int rank[] = {0, 2, 1, 3};
  return rank[a] >= rank[b] ? a : b;
}

/// The kernels that the arguments name; folders are searched.
static std::optional<std::string> collect(std::vector<std::string> &files) {
  for (const std::string &path : inputs) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::error_code error;
    std::vector<std::string> found;
    // Links to folders are not followed: they may lead in circles.
    for (fs::recursive_directory_iterator it(path, error, false), end;
         it != end && !error; it.increment(error)) {
      fs::file_status status;
      bool gone = bool(fs::status(it->path(), status));
      if (llvm::sys::path::extension(it->path()) == ".mlir" &&
          (gone || fs::is_regular_file(status))) {
        found.push_back(it->path());
      }
    }
    if (error || found.empty()) {
      return path + ": " + (error ? error.message() : "holds no .mlir file");
    }
    llvm::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return std::nullopt;
}

/// What became of one file, and what is to be printed about it.
struct Outcome {
  std::vector<Checked> kernels;
  int code = 0;
  std::string out, errors;
};

static void fail(Outcome &o, const llvm::Twine &message, int code = 3) {
  o.errors += ("tile-verify: error: " + message + "\n").str();
  o.code = worse(o.code, code);
}

/// The theorem; of what was not proved the verdict, and an error.
static void printInstance(Outcome &o, const Checked &c, Width width,
                          llvm::raw_ostream &os) {
  if (c.verdict.kind != VerdictKind::Verified) {
    llvm::raw_string_ostream errors(o.errors);
    printText(c, errors);
    fail(o, title(c) + ": there is no theorem of a kernel that is not VERIFIED",
         o.code);
    return;
  }
  std::string missing = withoutInstance(c.file->kernel);
  if (!missing.empty()) {
    fail(o, title(c) + ": there is no theorem: " + missing);
    return;
  }
  if (!c.verdict.model) {
    fail(o, title(c) +
                ": there is no theorem that a launch meets the contract: "
                "the verdict has no model");
    return;
  }
  os << coqInstance(c.file->kernel, c.verdict, width);
}

/// Whether the certificates beside kernels say what a search did.
static void compareStored(mlir::MLIRContext &context, const std::string &path,
                          CheckOptions options, Outcome &o) {
  bool verified = llvm::all_of(o.kernels, [](const Checked &c) {
    return c.verdict.kind == VerdictKind::Verified;
  });
  if (!fs::exists(certificatePath(path)) && !verified) {
    return; // nothing is stored of them, and nothing should be
  }
  options.stored = true;
  options.openSearch = nullptr;
  options.verify.crossCheck = false;
  std::string failure;
  llvm::raw_string_ostream errors(o.errors);
  std::vector<Checked> stored =
      checkFile(context, path, options, errors, failure);
  if (!failure.empty()) {
    fail(o, failure);
    return;
  }
  for (auto [before, searched] : llvm::zip_equal(stored, o.kernels)) {
    std::string what = difference(before.verdict, searched.verdict);
    if (!what.empty()) {
      fail(o, title(searched) + ": " + what, 1);
    }
  }
}

/// Prints what became of one kernel, and counts it.
static void tell(Outcome &o, const Checked &c, Width width,
                 llvm::raw_ostream &os) {
  o.code = worse(o.code, exitCode(c.verdict, allowTrust));
  if (coq) {
    printInstance(o, c, width, os);
  } else if (dump) {
    dumpObligations(c, os);
  } else if (format == Format::Jsonl) {
    os << llvm::json::Value(toJson(c, width)) << "\n";
  } else if (format == Format::Github) {
    printGithub(c, os);
  } else if (format == Format::Text) {
    printText(c, os);
    if (trust) {
      printTrust(c.verdict, os);
    }
  }
}

/// Checks one file on so many threads.
static Outcome check(mlir::MLIRContext &context, const std::string &path,
                     unsigned threads) {
  CheckOptions options;
  options.verify.width.bits = indexWidth;
  options.verify.crossCheck = crossCheck;
  options.verify.steps = steps;
  options.verify.threads = threads;
  options.suggest = suggestions;
  options.stored = !fresh && !recheck;
  options.openSearch = replayOnly ? nullptr : openSearch;
  Outcome o;
  std::string failure;
  llvm::raw_string_ostream errors(o.errors), os(o.out);
  o.kernels = checkFile(context, path, options, errors, failure);
  if (!failure.empty()) {
    fail(o, failure);
    return o;
  }
  if (!o.kernels.front().file) {
    o.code = 3;
    return o;
  }
  bool verified = llvm::all_of(o.kernels, [](const Checked &c) {
    return c.verdict.kind == VerdictKind::Verified;
  });
  if (save && verified) {
    if (auto error = tile::writeFiles(
            {{certificatePath(path), print(certificateFile(o.kernels))}})) {
      fail(o, *error);
      return o;
    }
  }
  for (const Checked &c : o.kernels) {
    tell(o, c, options.verify.width, os);
  }
  if (recheck) {
    compareStored(context, path, options, o);
  }
  return o;
}

/// Checks all files, as many at a time as there are cores, and prints what
/// becomes of them in their order. Verdicts are the same with any number of
/// cores. `contexts` own what `done` speaks of.
static int checkAll(const std::vector<std::string> &files,
                    std::vector<std::unique_ptr<mlir::MLIRContext>> &contexts,
                    std::vector<Checked> &done) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  size_t cores = std::max(1u, std::thread::hardware_concurrency());
  size_t workers = std::min(cores, files.size());
  std::vector<std::optional<Outcome>> outcomes(files.size());
  std::mutex mutex;
  std::condition_variable ready;
  std::atomic<size_t> next = 0;
  auto work = [&](mlir::MLIRContext &context) {
    for (size_t i; (i = next++) < files.size();) {
      Outcome o = check(context, files[i], unsigned(cores / workers));
      std::lock_guard lock(mutex);
      outcomes[i] = std::move(o);
      ready.notify_one();
    }
  };
  std::vector<std::thread> threads;
  for (size_t k = 0; k < workers; ++k) {
    contexts.push_back(std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED));
    threads.emplace_back(work, std::ref(*contexts.back()));
  }
  int code = 0;
  for (std::optional<Outcome> &outcome : outcomes) {
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] { return outcome.has_value(); });
    Outcome o = std::move(*outcome);
    lock.unlock();
    llvm::errs() << o.errors;
    llvm::outs() << o.out;
    code = worse(code, o.code);
    std::move(o.kernels.begin(), o.kernels.end(), std::back_inserter(done));
  }
  for (std::thread &t : threads) {
    t.join();
  }
  return code;
}

/// `--explain=rule` or `--explain rule`; all rules without one.
static int explainRules() {
  std::string rule = explain;
  if (rule.empty() && !inputs.empty()) {
    rule = inputs.front();
  }
  if (rule.empty() || rule == "list") {
    listRules(llvm::outs());
    return 0;
  }
  if (explainRule(rule, llvm::outs())) {
    return 0;
  }
  std::string similar = similarRules(rule);
  return fail("there is no rule " + rule + ": " +
              (similar.empty() ? "--explain lists all"
                               : "did you mean " + similar + "?"));
}

int main(int argc, char **argv) {
  tile::guardStandardOutput("tile-verify");
  if (!tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  if (explain.getNumOccurrences()) {
    return explainRules();
  }
  if (inputs.empty()) {
    return fail("no kernel given");
  }
  if (indexWidth < 8 || indexWidth > 64) {
    return fail("--index-width takes 8 to 64");
  }
  if (replayOnly && (fresh || save || crossCheck)) {
    return fail("--replay goes without --fresh, --save and --cross-check");
  }
  if (recheck && (replayOnly || fresh || save)) {
    return fail("--recheck goes without --replay, --fresh and --save");
  }
  if (recheck && llvm::is_contained(inputs, "-")) {
    return fail("--recheck needs a file: standard input has no certificates");
  }
  if (coq && (dump || trust || format != Format::Text)) {
    return fail("--coq goes without --dump-obligations, --trust and --format");
  }
  if (save && llvm::is_contained(inputs, "-")) {
    return fail("--save needs a file: standard input has no place beside it");
  }
  std::vector<std::string> files;
  if (auto error = collect(files)) {
    return fail(*error);
  }
  if (coq && files.size() > 1) {
    return fail("--coq takes one kernel");
  }
  std::vector<std::unique_ptr<mlir::MLIRContext>> contexts;
  std::vector<Checked> done;
  int code = checkAll(files, contexts, done);
  if (format == Format::Sarif) {
    llvm::outs() << llvm::json::Value(toSarif(done)) << "\n";
  }
  if (!graph.empty()) {
    if (auto error = tile::writeFiles({{graph, obligationGraph(done)}})) {
      return fail(*error);
    }
  }
  if (!report.empty()) {
    if (auto error =
            tile::writeFiles({{report, reportPage(done, Width{indexWidth})}})) {
      return fail(*error);
    }
  }
  return code;
}
