// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-run: what this machine's CUDA driver offers to verified kernels.

#include "runtime/Driver.h"

#include <cstdio>
#include <string_view>

using namespace girih::runtime;

static constexpr const char *usage =
    "usage: tile-run --devices\n"
    "  --devices  list the GPUs that the CUDA driver sees\n"
    "exit codes: 0 listed, 77 no GPU on this machine, 3 usage\n";

int main(int argc, char **argv) {
  std::string_view command = argc > 1 ? argv[1] : "--help";
  if (argc == 2 && command == "--help") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (argc != 2 || command != "--devices") {
    int at = argc > 2 && command == "--devices" ? 2 : 1;
    std::fprintf(stderr, "tile-run: error: unknown argument %s\n%s",
                 argc > at ? argv[at] : "(none)", usage);
    return 3;
  }
  auto answer = queryDriver();
  if (auto *why = std::get_if<std::string>(&answer)) {
    std::printf("not run: %s\n", why->c_str());
    return 77;
  }
  const auto &info = std::get<DriverInfo>(answer);
  std::printf("CUDA driver %d.%d\n", info.version / 1000,
              info.version % 1000 / 10);
  for (const Device &d : info.devices) {
    std::printf("%s: sm_%d%d, %d multiprocessors\n", d.name.c_str(), d.major,
                d.minor, d.multiprocessors);
  }
  return 0;
}
