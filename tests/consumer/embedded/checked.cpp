// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"

#include <girih/execute.h>
#include <girih/verify.h>
#include <iostream>

int main() {
  using namespace app;
  std::cout << verify<copy>()->kernels[0].text;
  Array<f32, 1> x({3}, {1, 2, 3}), y({3}, {0, 1, 0});
  auto done = execute(axpy<128>{.a = 2, .x = x, .y = y});
  std::cout << done->faults.size() << ' ' << y.numbers[1] << '\n';
}
