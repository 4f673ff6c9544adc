// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX for tests: ranges are lines on standard output.

#include <cstdio>

extern "C" int nvtxRangePushA(const char *text) {
  std::printf("range %s\n", text);
  std::fflush(stdout);
  return 0;
}

extern "C" int nvtxRangePop() {
  std::printf("end\n");
  std::fflush(stdout);
  return 0;
}
