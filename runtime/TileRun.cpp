// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-run: launches verified kernels on this machine's GPU.

#include "runtime/arguments/Repack.h"
#include "runtime/artefact/Text.h"
#include "runtime/run/CommandLine.h"

#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

using namespace girih::runtime;

/// Says why something was not done and returns the exit code for it.
static int report(const Error &error) {
  if (error.why == ErrorKind::NoGpu) {
    std::printf("not run: %s\n", error.reason.c_str());
  } else {
    std::fprintf(stderr, "tile-run: error: %s\n", error.reason.c_str());
  }
  return exitCode(error.why);
}

static int listDevices() {
  Expected<Driver> driver = openDriver();
  if (!driver) {
    return report(driver.error());
  }
  Expected<DriverInfo> info = queryDevices(*driver);
  if (!info) {
    return report(info.error());
  }
  std::printf("CUDA driver %d.%d\n", info->version / 1000,
              info->version % 1000 / 10);
  for (const Device &device : info->devices) {
    std::printf("%s: %s, %d multiprocessors\n", device.name.c_str(),
                architectureOf(device).c_str(), device.multiprocessors);
  }
  return 0;
}

/// What the rows of a tensor cost at a launch: those that begin at multiples of
/// 16 bytes are moved by the copy engine, or 16 bytes at a time.
static void explainRows(const Argument &argument, const Layout &layout) {
  constexpr int64_t whole = 16;
  int64_t bytes = whole;
  for (size_t k = 0; k + 1 < layout.strides.size(); ++k) {
    if (layout.extents[k] > 1) {
      bytes = std::gcd(bytes, bytesOf(layout.element, layout.strides[k]));
    }
  }
  if (bytes < whole && !layout.empty()) {
    bool single = bytes <= bytesOf(layout.element, int64_t(1));
    fmt::print("%{}: rows begin at multiples of {}, not of 16: no copy engine, "
               "{}\n",
               argument.name, counted(bytes, "byte", "bytes"),
               single ? "element by element"
                      : fmt::format("at most {} bytes at a time", bytes));
  }
}

static void explainCopies(const Manifest &manifest, const Repacking &on) {
  for (const RowCopies &copies : on.copies) {
    fmt::print("%{}: its rows are copied first, to multiples of {} bytes\n",
               manifest.arguments[copies.argument].name, copies.toPitch);
  }
  fmt::print("{}: taken for the copies, where there is memory for them and no "
             "graph is captured\n",
             manifest.variants[on.plan.variant].name);
}

/// Which entry point a launch takes, what those before it miss, and what the
/// layouts of its tensors cost.
static int explain(const Case &what, std::optional<Policy> policy) {
  Session session(std::move(policy));
  auto artefact = session.artefact(what.artefact);
  if (!artefact) {
    return report(artefact.error());
  }
  const Manifest &manifest = (*artefact)->manifest;
  Call call;
  call.tensors.resize(manifest.arguments.size());
  call.scalars.resize(manifest.arguments.size());
  call.symbols = what.symbols;
  Expected<std::vector<int64_t>> symbols = bindSymbols(manifest, call);
  if (!symbols) {
    return report(symbols.error());
  }
  auto trials = tryVariants(manifest, *symbols);
  if (!trials) {
    return report(trials.error());
  }
  for (const VariantTrial &trial : *trials) {
    fmt::print("{}: {}\n", trial.variant->name,
               trial.unmet.empty() ? "taken" : trial.unmet);
  }
  Expected<LaunchPlan> plan = planLaunch(manifest, std::move(*symbols));
  if (!plan) {
    return report(plan.error());
  }
  fmt::print("grid ({}), {}\n", fmt::join(plan->grid, ", "),
             counted(plan->blocks, "block", "blocks"));
  for (size_t k = 0; k < manifest.arguments.size(); ++k) {
    if (manifest.arguments[k].isTensor) {
      explainRows(manifest.arguments[k], plan->layouts[k]);
    }
  }
  if (std::optional<Repacking> on = repack(manifest, *plan)) {
    explainCopies(manifest, *on);
  }
  return 0;
}

static int runOne(const Case &what, std::optional<Policy> policy) {
  Session session(std::move(policy));
  Expected<Outcome> outcome = runCase(session, what);
  if (!outcome) {
    return report(outcome.error());
  }
  fmt::print("ran {} on {}\n", counted(outcome->blocks, "block", "blocks"),
             outcome->device);
  for (const std::string &text : outcome->believed) {
    fmt::print("believed {}\n", text);
  }
  for (const auto &[name, comparison] : outcome->comparisons) {
    if (comparison.agrees()) {
      fmt::print("%{} agrees, largest difference {:.3g}\n", name,
                 comparison.maxError);
    } else if (const auto &first = comparison.first) {
      fmt::print(
          stderr,
          "tile-run: error: %{}[{}] is {}, expected {} within {:.3g}; "
          "{}\n",
          name, fmt::join(first->index, ", "), first->got, first->expected,
          first->bound,
          counted(comparison.mismatches, "element differs", "elements differ"));
    } else {
      fmt::print(stderr, "tile-run: error: %{}: {}\n", name, comparison.shape);
    }
  }
  if (const auto &timing = outcome->timing) {
    fmt::print("{:.2f} us a launch, median of {} ({:.2f} to {:.2f})\n",
               timing->median, timing->samples, timing->low, timing->high);
  }
  return exitCodeOf(outcome);
}

/// The policy that the command line asks for, if it does.
static Expected<std::optional<Policy>> policyOf(const CommandLine &line) {
  std::optional<Policy> policy;
  if (!line.policyFile.empty()) {
    Expected<Policy> read = readPolicy(line.policyFile);
    if (!read) {
      return read.error();
    }
    policy = std::move(*read);
  }
  for (const std::string &path : line.keyFiles) {
    policy = policy.value_or(Policy());
    if (auto error = addKey(*policy, path)) {
      return *error;
    }
  }
  return policy;
}

static int act(int argc, char **argv) {
  Expected<CommandLine> line = parseCommandLine({argv + 1, argv + argc});
  if (!line) {
    return report(line.error());
  }
  switch (line->action) {
  case CommandLine::Action::Help:
    std::fputs(helpText(), stdout);
    return 0;
  case CommandLine::Action::Version:
    std::fputs(versionText(), stdout);
    return 0;
  case CommandLine::Action::Devices:
    return listDevices();
  case CommandLine::Action::Batch:
  case CommandLine::Action::Explain:
  case CommandLine::Action::Run:
    break;
  }
  Expected<std::optional<Policy>> policy = policyOf(*line);
  if (!policy) {
    return report(policy.error());
  }
  if (line->action == CommandLine::Action::Batch) {
    line->batch.policy = std::move(*policy);
    return runBatch(line->batch);
  }
  return line->action == CommandLine::Action::Explain
             ? explain(line->what, std::move(*policy))
             : runOne(line->what, std::move(*policy));
}

int main(int argc, char **argv) {
  int code = act(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fputs("tile-run: error: standard output cannot be written\n", stderr);
    return code ? code : 3;
  }
  return code;
}
