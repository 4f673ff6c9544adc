// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// contract_times MANIFEST.json NAME=VALUE...: how long the launch contract of a
// kernel takes on the host, for a launch with these symbols. Prints nanoseconds
// a check, the least of many batches.

#include "runtime/arguments/Contract.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>

using namespace girih::runtime;

static int fail(const std::string &reason) {
  std::fprintf(stderr, "contract_times: error: %s\n", reason.c_str());
  return 3;
}

/// Tensors as the plan lays them out, one behind the other.
static Call callOf(const Manifest &manifest, const LaunchPlan &plan) {
  Call call;
  uint64_t address = uint64_t(1) << 32;
  for (size_t i = 0; i < manifest.arguments.size(); ++i) {
    if (!manifest.arguments[i].isTensor) {
      call.tensors.push_back(std::nullopt);
      call.scalars.push_back(1.0);
      continue;
    }
    const Layout &layout = plan.layouts[i];
    call.tensors.push_back(TensorValue{address, layout.element, layout.extents,
                                       layout.strides, Evidence::Vouched,
                                       nullptr});
    call.scalars.push_back(std::nullopt);
    uint64_t bytes = layout.span() * bytesOf(layout.element);
    address += (bytes + 4095) / 4096 * 4096;
  }
  for (size_t s = 0; s < manifest.symbols.size(); ++s) {
    if (manifest.symbols[s].source == Symbol::Source::Caller) {
      call.symbols[manifest.symbols[s].name] = plan.symbols[s];
    }
  }
  return call;
}

static double nanosecondsPerCheck(const Manifest &manifest, const Call &call) {
  constexpr int batches = 101, checks = 1000;
  double least = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < batches; ++batch) {
    // The processor's time, and the least of it: others may want the core, its
    // caches, or the machine that this one is a part of.
    std::clock_t start = std::clock();
    for (int i = 0; i < checks; ++i) {
      Expected<LaunchPlan> plan = checkCall(manifest, call);
      if (!plan) {
        return -1;
      }
    }
    least = std::min(least, double(std::clock() - start) * 1e9 /
                                CLOCKS_PER_SEC / checks);
  }
  return least;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    return fail("usage: contract_times MANIFEST.json NAME=VALUE...");
  }
  std::ifstream in(argv[1]);
  std::string text(std::istreambuf_iterator<char>(in), {});
  Expected<Manifest> manifest = parseManifest(text);
  if (!manifest) {
    return fail(manifest.error().reason);
  }
  std::vector<int64_t> symbols(manifest->symbols.size());
  for (int i = 2; i < argc; ++i) {
    std::string word = argv[i];
    size_t equals = word.find('=');
    std::optional<size_t> number =
        symbolNamed(*manifest, word.substr(0, equals));
    if (equals == std::string::npos || !number) {
      return fail("no symbol: " + word);
    }
    symbols[*number] = std::atoll(word.c_str() + equals + 1);
  }
  Expected<LaunchPlan> plan = planLaunch(*manifest, symbols);
  if (!plan) {
    return fail(plan.error().reason);
  }
  double time = nanosecondsPerCheck(*manifest, callOf(*manifest, *plan));
  if (time < 0) {
    return fail("the launch was refused with its tensors");
  }
  std::printf("%.0f\n", time);
  return 0;
}
