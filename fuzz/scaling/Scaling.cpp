// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Workers.h"
#include "fuzz/scaling/ScalingText.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/scaling/ScalingTools.h"

#include "llvm/Support/FileSystem.h"

#include <chrono>
#include <filesystem>
#include <fstream>

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

/// Writes a text and its certificates beside it, and gives the text's path.
static std::string written(const ScaledKernel &scaled,
                           const std::string &folder, const std::string &name) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::string path = folder + "/" + name;
  std::ofstream(path + ".mlir") << scaled.text;
  if (!scaled.certificates.empty()) {
    std::ofstream(path + ".cert") << scaled.certificates;
  }
  return path + ".mlir";
}

static std::string lineOf(const ToolCosts &costs) {
  llvm::json::Array tools;
  for (const ToolCost &c : costs.tools) {
    tools.push_back(llvm::json::Object{
        {"tool", c.tool}, {"seconds", c.seconds}, {"bytes", int64_t(c.bytes)}});
  }
  std::string line;
  llvm::raw_string_ostream(line) << llvm::json::Value(
      llvm::json::Object{{"tools", std::move(tools)}, {"wrong", costs.wrong}});
  return line;
}

static ToolCosts costsOf(const std::string &line) {
  ToolCosts costs;
  auto parsed = llvm::json::parse(line);
  if (!parsed) {
    costs.wrong = llvm::toString(parsed.takeError());
    return costs;
  }
  const llvm::json::Object &all = *parsed->getAsObject();
  costs.wrong = all.getString("wrong")->str();
  for (const llvm::json::Value &v : *all.getArray("tools")) {
    const llvm::json::Object &c = *v.getAsObject();
    costs.tools.push_back({c.getString("tool")->str(), *c.getNumber("seconds"),
                           size_t(*c.getInteger("bytes"))});
  }
  return costs;
}

static Job startJob(const ScalingOptions &options, const std::string &folder) {
  return [=, families = chosen(options)](size_t job) -> std::string {
    auto [family, bytes] = drawn(families, options.seed + job);
    std::string path =
        written(scaledTo(*family, bytes), folder, std::to_string(job));
    return lineOf(runTools(path));
  };
}

ScalingResult runScaling(const ScalingOptions &options) {
  auto start = std::chrono::steady_clock::now();
  ScalingResult r;
  std::vector<const ScalingFamily *> families = chosen(options);
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("girih-scaling", folder)) {
    r.problems.push_back(error.message());
    return r;
  }
  WorkersResult w =
      runJobs(options.count, options.jobs, options.secondsPerText,
              [&] { return startJob(options, folder.str().str()); });
  llvm::sys::fs::remove_directories(folder);
  auto wrong = [&](size_t job, const std::string &why) {
    auto [family, bytes] = drawn(families, options.seed + job);
    r.problems.push_back(std::to_string(options.seed + job) + ", " +
                         family->name + " of " + std::to_string(bytes) +
                         " bytes: " + why);
    if (!options.out.empty()) {
      written(scaledTo(*family, bytes), options.out,
              "scaling-" + std::to_string(options.seed + job));
    }
  };
  for (size_t job = 0; job < options.count; ++job) {
    if (w.lines[job].empty()) {
      continue;
    }
    ++r.tried;
    ToolCosts costs = costsOf(w.lines[job]);
    std::string why = costs.wrong;
    auto also = [&](const std::string &what) {
      why += (why.empty() ? "" : ", ") + what;
    };
    for (const ToolCost &c : costs.tools) {
      if (c.bytes > options.maxBytes) {
        also(c.tool + " takes " + std::to_string(c.bytes >> 20) + " MiB");
      }
      if (c.seconds > options.secondsPerTool) {
        also(c.tool + " takes " + std::to_string(c.seconds) + " s");
      }
      r.peak = std::max(r.peak, c.bytes);
      r.slowest[c.tool] = std::max(r.slowest[c.tool], c.seconds);
    }
    if (!why.empty()) {
      wrong(job, why);
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
  llvm::json::Object slowest;
  for (const auto &[tool, seconds] : r.slowest) {
    slowest[tool] = seconds;
  }
  return llvm::json::Object{
      {"tried", int64_t(r.tried)},
      {"peak", int64_t(r.peak)},
      {"slowest", std::move(slowest)},
      {"seconds", r.seconds},
      {"problems", llvm::json::Array(r.problems)},
  };
}

} // namespace girih::fuzz
