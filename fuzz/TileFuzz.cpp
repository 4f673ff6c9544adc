// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-fuzz: random kernels against checker and executor, disturbed bytes
// against reader and checker.

#include "fuzz/Bytes.h"
#include "fuzz/Campaign.h"
#include "ir/Files.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace girih::fuzz;
namespace cl = llvm::cl;

static cl::SubCommand
    campaign("campaign", "verify random kernels and try their small launches");
static cl::SubCommand bytes("bytes", "read and verify kernels with disturbed "
                                     "bytes");
static cl::SubCommand show("show", "print a random kernel");

static cl::OptionCategory category("tile-fuzz options");
static cl::opt<unsigned long long> count("count", cl::desc("how many"),
                                         cl::init(20000), cl::cat(category),
                                         cl::sub(campaign), cl::sub(bytes));
static cl::opt<unsigned long long> seed("seed", cl::desc("where to start"),
                                        cl::init(1), cl::cat(category),
                                        cl::sub(campaign), cl::sub(bytes),
                                        cl::sub(show));
static cl::opt<unsigned> jobs("jobs", cl::desc("processes"), cl::init(2),
                              cl::cat(category), cl::sub(campaign),
                              cl::sub(bytes));
static cl::opt<std::string> out("out", cl::desc("folder for what goes wrong"),
                                cl::value_desc("DIR"), cl::cat(category),
                                cl::sub(campaign), cl::sub(bytes));
static cl::list<std::string> files(cl::Positional, cl::desc("<kernel.mlir>..."),
                                   cl::cat(category), cl::sub(bytes));
static cl::opt<int> mistake("mistake",
                            cl::desc("make mistake number N in the kernel"),
                            cl::init(-1), cl::cat(category), cl::sub(show));
static cl::opt<bool> soup("soup", cl::desc("index arithmetic at random"),
                          cl::cat(category), cl::sub(show));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tile-fuzz: error: " << message << "\n";
  return 3;
}

static void print(llvm::json::Object o) {
  llvm::outs() << llvm::json::Value(std::move(o)) << "\n";
}

static int runCampaignCommand() {
  CampaignOptions o;
  o.seed = seed;
  o.count = count;
  o.jobs = std::max(1u, jobs.getValue());
  o.out = out;
  CampaignResult r = runCampaign(o);
  print(toJson(r));
  return r.wrong ? 1 : 0;
}

static int runBytesCommand() {
  std::vector<std::string> texts;
  for (const std::string &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
      return fail(path + ": " + buffer.getError().message());
    }
    texts.push_back((*buffer)->getBuffer().str());
  }
  if (texts.empty()) {
    return fail("no kernels to disturb");
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

static int runShowCommand() {
  std::vector<std::string> mistakes = mutationsOf(seed);
  if (mistake >= static_cast<int>(mistakes.size())) {
    return fail("the kernel has " + llvm::Twine(mistakes.size()) +
                " places for a mistake");
  }
  Sample s = soup           ? soupKernel(seed)
             : mistake >= 0 ? nearMiss(seed, static_cast<size_t>(mistake))
                            : safeKernel(seed);
  if (!s.mutation.empty()) {
    llvm::outs() << "// mistake: " << s.mutation << "\n";
  }
  llvm::outs() << s.text;
  return 0;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  girih::tile::guardStandardOutput("tile-fuzz");
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Random kernels against checker and executor.\n"
          "Exit codes: 0 all agree, 1 something is wrong, 3 usage.\n",
          &llvm::errs())) {
    return 3;
  }
  if (campaign) {
    return runCampaignCommand();
  }
  if (bytes) {
    return runBytesCommand();
  }
  if (show) {
    return runShowCommand();
  }
  return fail("say campaign, bytes or show");
}
