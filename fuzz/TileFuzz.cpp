// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-fuzz: random kernels and mutants of given ones against checker and
// executor, disturbed bytes against reader and checker.

#include "fuzz/campaign/Bytes.h"
#include "fuzz/campaign/Campaign.h"
#include "fuzz/campaign/GateRun.h"
#include "fuzz/campaign/Mutants.h"
#include "fuzz/campaign/Texts.h"
#include "fuzz/generators/Contracts.h"
#include "fuzz/generators/FromMemory.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/scaling/Scaling.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"

#include "ir/types/Diagnose.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace girih::fuzz;
namespace cl = llvm::cl;

static cl::SubCommand
    campaign("campaign", "verify random kernels and try their small launches");
static cl::SubCommand bytes("bytes", "read and verify kernels with disturbed "
                                     "bytes");
static cl::SubCommand mutate("mutate",
                             "verify kernels with one mistake in them");
static cl::SubCommand gate("gate",
                           "compile random kernels, and plant faults in "
                           "what the gate before the assembler reads");
static cl::SubCommand texts("texts", "print random kernels and read them back, "
                                     "and try ops over all elements");
static cl::SubCommand scaling("scaling",
                              "verify long kernels in little time and memory");
static cl::SubCommand show("show", "print a random kernel");

static constexpr girih::tile::Tool tool = {
    "tile-fuzz", "Random kernels against checker and executor.",
    "0 all agree, 1 something is wrong, 3 usage.",
    R"text(  tile-fuzz show --seed=7
  tile-fuzz campaign --count=5
  tile-fuzz mutate proofs/kernels/add/add.mlir --count=5
)text"};

static cl::OptionCategory category("tile-fuzz options");
static cl::opt<unsigned long long> count("count", cl::desc("how many"),
                                         cl::init(20000), cl::cat(category),
                                         cl::sub(campaign), cl::sub(bytes),
                                         cl::sub(mutate), cl::sub(gate),
                                         cl::sub(texts), cl::sub(scaling));
static cl::opt<unsigned long long>
    seed("seed", cl::desc("where to start"), cl::init(1), cl::cat(category),
         cl::sub(campaign), cl::sub(bytes), cl::sub(mutate), cl::sub(show),
         cl::sub(gate), cl::sub(texts), cl::sub(scaling));
static cl::opt<unsigned long long>
    first("first", cl::desc("leave out those before this one"), cl::init(0),
          cl::cat(category), cl::sub(campaign));
static cl::opt<unsigned> jobs("jobs", cl::desc("processes"), cl::init(2),
                              cl::cat(category), cl::sub(campaign),
                              cl::sub(bytes), cl::sub(mutate), cl::sub(gate),
                              cl::sub(texts), cl::sub(scaling));
static cl::opt<std::string> out("out", cl::desc("folder for what goes wrong"),
                                cl::value_desc("DIR"), cl::cat(category),
                                cl::sub(campaign), cl::sub(bytes),
                                cl::sub(mutate), cl::sub(scaling));
static cl::list<std::string>
    family("family", cl::desc("long texts of these families only"),
           cl::value_desc("NAME,..."), cl::CommaSeparated, cl::cat(category),
           cl::sub(scaling));
static cl::opt<std::string>
    families("families",
             cl::desc("write a kernel of each family of long ones, and its "
                      "certificates, to a folder"),
             cl::value_desc("DIR"), cl::cat(category), cl::sub(show));
static cl::opt<unsigned long long>
    size("size", cl::desc("bytes of each of them (default 1000000)"),
         cl::init(1000000), cl::cat(category), cl::sub(show));
static cl::list<std::string> files(cl::Positional, cl::desc("<kernel.mlir>..."),
                                   cl::cat(category), cl::sub(bytes),
                                   cl::sub(mutate));
static cl::opt<int> mistake("mistake",
                            cl::desc("make mistake number N in the kernel"),
                            cl::init(-1), cl::cat(category), cl::sub(show));
static cl::opt<bool> laneOps("lanes",
                             cl::desc("arithmetic on lanes at random, with "
                                      "gathers and scatters"),
                             cl::cat(category), cl::sub(show));
static cl::opt<bool> nibbles("nibbles",
                             cl::desc("elements of 4 bits through views"),
                             cl::cat(category), cl::sub(show));
static cl::opt<bool> memory("memory", cl::desc("indices that come from memory"),
                            cl::cat(category), cl::sub(campaign),
                            cl::sub(show));
static cl::opt<std::string>
    kernelFamily("kernels",
                 cl::desc("kernels of one family: several-stores (outputs "
                          "that several stores cover), by-contents "
                          "(outputs that permutations and segments "
                          "cover), masks (of tiles, and paddings), "
                          "atomic-scatters, random-atomic-scatters, whiles, "
                          "lane-slices (taken apart and put together), "
                          "views-of-lanes, tiles-of-views (views of views)"),
                 cl::value_desc("FAMILY"), cl::cat(category), cl::sub(campaign),
                 cl::sub(show));
static cl::opt<bool> indices("indices", cl::desc("index arithmetic at random"),
                             cl::cat(category), cl::sub(show));

static cl::opt<bool> contracts("contracts",
                               cl::desc("facts about contents at random"),
                               cl::cat(category), cl::sub(campaign),
                               cl::sub(show));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tile-fuzz: error: " << message << "\n";
  return 3;
}

static void print(llvm::json::Object o) {
  llvm::outs() << llvm::json::Value(std::move(o)) << "\n";
}

static int runCampaignCommand() {
  if (contracts + memory + !kernelFamily.empty() > 1) {
    return fail("--contracts, --memory and --kernels go one at a time");
  }
  CampaignOptions o;
  o.seed = seed;
  o.first = first;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  o.out = out;
  o.contracts = contracts;
  o.memory = memory;
  if (!kernelFamily.empty() && !(o.family = findFamily(kernelFamily))) {
    return fail("there is no family " + kernelFamily);
  }
  CampaignResult r = runCampaign(o);
  print(toJson(r));
  return r.wrong ? 1 : 0;
}

/// The kernels that the arguments name, by path and text; an error if there is
/// none.
static std::optional<std::string>
readKernels(std::vector<std::pair<std::string, std::string>> &kernels) {
  for (const std::string &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      return path + ": " + buffer.getError().message();
    }
    kernels.emplace_back(path, (*buffer)->getBuffer().str());
  }
  return kernels.empty() ? std::optional<std::string>("no kernels to disturb")
                         : std::nullopt;
}

static int runMutateCommand() {
  std::vector<std::pair<std::string, std::string>> kernels;
  if (auto error = readKernels(kernels)) {
    return fail(*error);
  }
  MutantOptions o;
  o.seed = seed;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  o.out = out;
  MutantResult r = runMutants(kernels, o);
  print(toJson(r));
  return r.all.wrong ? 1 : 0;
}

static int runBytesCommand() {
  std::vector<std::pair<std::string, std::string>> kernels;
  if (auto error = readKernels(kernels)) {
    return fail(*error);
  }
  std::vector<std::string> texts;
  for (auto &[path, text] : kernels) {
    texts.push_back(std::move(text));
  }
  BytesOptions o;
  o.seed = seed;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  o.out = out;
  BytesResult r = runBytes(texts, o);
  print(toJson(r));
  return r.bad() ? 1 : 0;
}

static int runGateCommand() {
  GateOptions o;
  o.seed = seed;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  GateResult r = runGate(o);
  print(toJson(r));
  return r.wrong ? 1 : 0;
}

static int runTextsCommand() {
  auto spec = llvm::MemoryBuffer::getFile(GIRIH_SPEC);
  if (!spec) {
    return fail(llvm::Twine(GIRIH_SPEC) + ": " + spec.getError().message());
  }
  TextsOptions o;
  o.seed = seed;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  o.elements = elementTable((*spec)->getBuffer().str());
  TextsResult r = runTexts(o);
  print(toJson(r));
  return r.wrong ? 1 : 0;
}

static int runScalingCommand() {
  ScalingOptions o;
  o.seed = seed;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  o.out = out;
  o.families.assign(family.begin(), family.end());
  for (const std::string &name : o.families) {
    if (llvm::none_of(scalingFamilies(),
                      [&](const ScalingFamily &f) { return name == f.name; })) {
      return fail("no family of long texts is called " + name);
    }
  }
  ScalingResult r = runScaling(o);
  print(toJson(r));
  return r.problems.empty() ? 0 : 1;
}

static int writeFamilies() {
  std::vector<girih::tile::NamedBytes> all;
  for (const ScalingFamily &family : scalingFamilies()) {
    ScaledKernel scaled = scaledTo(family, size);
    std::string path = families + "/" + family.name;
    all.push_back({path + ".mlir", scaled.text});
    if (!scaled.certificates.empty()) {
      all.push_back({path + ".cert", scaled.certificates});
    }
  }
  auto error = girih::tile::writeFiles(all);
  return error ? fail(*error) : 0;
}

static int runShowCommand() {
  if (!families.empty()) {
    return writeFamilies();
  }
  std::vector<std::string> mistakes =
      memory ? memoryMistakes(seed) : mutationsOf(seed);
  if (mistake >= static_cast<int>(mistakes.size())) {
    return fail("the kernel has " +
                girih::tile::counted(mistakes.size(), "place", "places") +
                " for a mistake");
  }
  std::optional<size_t> family = findFamily(kernelFamily);
  if (!kernelFamily.empty() && !family) {
    return fail("there is no family " + kernelFamily);
  }
  Sample s = laneOps        ? randomLanes(seed)
             : nibbles      ? randomNibbles(seed)
             : family       ? drawnFamilies()[*family].draw(seed)
             : contracts    ? contractKernel(seed, 64)
             : indices      ? randomIndices(seed)
             : memory       ? mistake >= 0 ? fromMemory(seed, size_t(mistake))
                                           : fromMemory(seed)
             : mistake >= 0 ? nearMiss(seed, static_cast<size_t>(mistake))
                            : safeKernel(seed);
  if (!s.mutation.empty()) {
    llvm::outs() << "// mistake: " << s.mutation << "\n";
  }
  llvm::outs() << s.text;
  return 0;
}

int main(int argc, char **argv) {
  girih::tile::guardStandardOutput("tile-fuzz");
  if (!girih::tile::parseToolOptions(argc, argv, tool, category)) {
    return 3;
  }
  if (campaign) {
    return runCampaignCommand();
  }
  if (bytes) {
    return runBytesCommand();
  }
  if (mutate) {
    return runMutateCommand();
  }
  if (gate) {
    return runGateCommand();
  }
  if (texts) {
    return runTextsCommand();
  }
  if (scaling) {
    return runScalingCommand();
  }
  if (show) {
    return runShowCommand();
  }
  return fail("say campaign, bytes, mutate, gate, texts, scaling or show");
}
