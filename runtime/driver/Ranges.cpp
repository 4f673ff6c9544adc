// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Ranges.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace girih::runtime {

namespace {

/// Of NVTX, with the ABI that versions 2 and 3 share.
struct Nvtx {
  int (*push)(const char *text) = nullptr;
  int (*pop)() = nullptr;

  bool take(const char *library) {
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (opened) {
      push = reinterpret_cast<decltype(push)>(dlsym(opened, "nvtxRangePushA"));
      pop = reinterpret_cast<decltype(pop)>(dlsym(opened, "nvtxRangePop"));
    }
    return push && pop;
  }
};

/// CUDA 12 has the first library, 13 the second.
constexpr const char *names[] = {"libnvToolsExt.so.1", "libnvtx3interop.so.1"};

/// Whoever asks for ranges that cannot be had is told so, once, and the
/// launches go on.
Nvtx openNvtx() {
  const char *asked = std::getenv("GIRIH_NVTX");
  std::string library = asked ? asked : "";
  if (library.empty() || library == "0") {
    return {};
  }
  Nvtx nvtx;
  if (library != "1") {
    if (nvtx.take(library.c_str())) {
      return nvtx;
    }
  } else {
    library = fmt::format("{}", fmt::join(names, ", "));
    for (const char *name : names) {
      if (nvtx.take(name)) {
        return nvtx;
      }
    }
  }
  std::fprintf(stderr, "girih: GIRIH_NVTX: no NVTX in %s\n", library.c_str());
  return {};
}

const Nvtx &nvtxOnce() {
  static const Nvtx nvtx = openNvtx();
  return nvtx;
}

} // namespace

bool hasRanges() { return nvtxOnce().pop != nullptr; }

std::string rangeText(const Manifest &manifest, const LaunchPlan &plan,
                      const std::vector<std::string> &believed) {
  if (!hasRanges()) {
    return {};
  }
  std::string text =
      fmt::format("{} grid [{}] VERIFIED", manifest.variants[plan.variant].name,
                  fmt::join(plan.grid, ", "));
  for (const std::string &fact : believed) {
    text += ", believed " + fact;
  }
  return text;
}

void Range::push(const std::string &text) { nvtxOnce().push(text.c_str()); }

void Range::pop() { nvtxOnce().pop(); }

} // namespace girih::runtime
