// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches what is inside of the program, and a kernel that is not.

#include "kernels.h"

#include <girih/launch.h>
#include <iostream>

using girih::kernel::launch;

int main() {
  const std::vector<float> elements{1, 2, 3};
  auto x = girih::Tensor<float>::copyFrom(elements, {3}).share();
  auto zeros = [] { return girih::Tensor<float>::zeros({3}); };
  auto [same, y] = launch(app::axpy<BLOCK>{.a = 2, .x = x, .y = zeros()}).sync();
  auto [again, z] = launch(app::copy{.x = std::move(y), .z = zeros()}).sync();
  for (float element : z.toHost()) {
    std::cout << element << ' ';
  }
  try {
    (void)launch(app::axpy<2 * BLOCK>{.a = 2, .x = x, .y = zeros()});
  } catch (const girih::RuntimeError &error) {
    std::cout << error.code() << ' ' << error.what() << '\n';
  }
}
