// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/ScalingText.h"
#include "fuzz/Workers.h"

#include "checker/SearchLibrary.h"
#include "checker/Verify.h"
#include "fuzz/Draw.h"
#include "ir/Reader.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <malloc.h>

namespace girih::fuzz {

const std::vector<ScalingFamily> &scalingFamilies() {
  static const std::vector<ScalingFamily> all = [] {
    std::vector<ScalingFamily> out = kernelFamilies();
    llvm::append_range(out, certificateFamilies());
    return out;
  }();
  return all;
}

ScaledKernel scaledTo(const ScalingFamily &family, size_t bytes) {
  auto make = [&](size_t n) {
    return ScaledKernel{family.text(n),
                        family.certificates ? family.certificates(n) : ""};
  };
  auto size = [](const ScaledKernel &k) {
    return std::max(k.text.size(), k.certificates.size());
  };
  // Bisection between what fits and what does not.
  size_t low = 1, high = 2;
  while (size(make(high)) <= bytes) {
    low = high;
    high *= 2;
  }
  while (high - low > 1 + low / 64) {
    size_t middle = low + (high - low) / 2;
    (size(make(middle)) <= bytes ? low : high) = middle;
  }
  return make(low);
}

/// The families that are drawn from.
static std::vector<const ScalingFamily *> chosen(const ScalingOptions &o) {
  std::vector<const ScalingFamily *> out;
  for (const ScalingFamily &family : scalingFamilies()) {
    if (o.families.empty() || llvm::is_contained(o.families, family.name)) {
      out.push_back(&family);
    }
  }
  return out;
}

/// Which family, and how many bytes: as often few as many.
static std::pair<const ScalingFamily *, size_t>
drawn(const std::vector<const ScalingFamily *> &families, uint64_t seed) {
  Draw d(seed);
  const ScalingFamily *family = d.pick(families);
  return {family, size_t(d.between(1, 1000)) << d.between(0, 10)};
}

/// Gives back what earlier jobs left behind, and forgets how much it was.
static void resetPeak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// The most memory that this process had since, in bytes.
static size_t peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

static Job startJob(const ScalingOptions &options) {
  const search::Api *search = checker::openSearch();
  return [=, families = chosen(options)](size_t job) -> std::string {
    auto [family, bytes] = drawn(families, options.seed + job);
    ScaledKernel scaled = scaledTo(*family, bytes);
    resetPeak();
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::string errors;
    llvm::raw_string_ostream os(errors);
    auto files = tile::readKernelTexts(context, scaled.text, "kernel.mlir", os);
    std::optional<proofs::CertificateFile> stored;
    if (!scaled.certificates.empty()) {
      auto read = proofs::parseCertificateFile(scaled.certificates);
      if (auto *file = std::get_if<proofs::CertificateFile>(&read)) {
        stored = std::move(*file);
      }
    }
    for (const auto &file : files) {
      checker::VerifyOptions verify;
      verify.certificates = stored ? &*stored : nullptr;
      checker::verify(file->kernel, verify);
      verify.search = search;
      checker::verify(file->kernel, verify);
    }
    return std::to_string(peak());
  };
}

ScalingResult runScaling(const ScalingOptions &options) {
  auto start = std::chrono::steady_clock::now();
  ScalingResult r;
  std::vector<const ScalingFamily *> families = chosen(options);
  WorkersResult w = runJobs(options.count, options.jobs, options.secondsPerText,
                            [&] { return startJob(options); });
  auto wrong = [&](size_t job, const std::string &why) {
    auto [family, bytes] = drawn(families, options.seed + job);
    r.problems.push_back(std::to_string(options.seed + job) + ", " +
                         family->name + " of " + std::to_string(bytes) +
                         " bytes: " + why);
    if (!options.out.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(options.out, ignored);
      std::string path =
          options.out + "/scaling-" + std::to_string(options.seed + job);
      ScaledKernel scaled = scaledTo(*family, bytes);
      std::ofstream(path + ".mlir") << scaled.text;
      if (!scaled.certificates.empty()) {
        std::ofstream(path + ".cert") << scaled.certificates;
      }
    }
  };
  for (size_t job = 0; job < options.count; ++job) {
    if (!w.lines[job].empty()) {
      ++r.tried;
      size_t bytes = std::stoull(w.lines[job]);
      if (bytes > options.maxBytes) {
        wrong(job, "takes " + std::to_string(bytes >> 20) + " MiB");
      }
      r.peak = std::max(r.peak, bytes);
    }
  }
  for (const Death &d : w.deaths) {
    ++r.tried;
    wrong(d.job, d.hung ? "takes more than " +
                              std::to_string(int(options.secondsPerText)) +
                              " seconds"
                        : "crash, signal " + std::to_string(d.signal));
  }
  if (!w.error.empty()) {
    r.problems.push_back(w.error);
  }
  r.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return r;
}

llvm::json::Object toJson(const ScalingResult &r) {
  return llvm::json::Object{
      {"tried", int64_t(r.tried)},
      {"peak", int64_t(r.peak)},
      {"seconds", r.seconds},
      {"problems", llvm::json::Array(r.problems)},
  };
}

} // namespace girih::fuzz
