// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, a launch through a generated header, a coroutine and an exception
// across the border of the library. Prints what came of each.

#include "double.h"

#include <girih/runtime.h>
#include <iostream>

using namespace girih;

static Task<float> second(Shared<float> x) {
  // GCC 12 takes no list of extents beside a co_await.
  Tensor<float> fresh = Tensor<float>::empty({3});
  auto [same, z] = co_await kernels::double_(std::move(x), std::move(fresh));
  co_return z.toHost()[1];
}

/// Verified and compiled by the tools that are installed beside the library.
static void compile(const char *assembler) {
  JitOptions options;
  options.architectures = {"sm_90"};
  options.assembler = assembler;
  options.cache = "";
  Kernel made = Kernel::fromFile("good.mlir", options);
  std::cout << made.name() << '\n';
  Kernel::fromFile("race.mlir", options).prepare(Device::get());
}

int main(int, char **argv) {
  try {
    compile(argv[1]);
  } catch (const RuntimeError &error) {
    std::cout << error.code() << ' ' << error.what() << '\n';
  }
  try {
    const std::vector<float> elements{1, 2, 3};
    Shared<float> x = Tensor<float>::copyFrom(elements, {3}).share();
    auto [same, z] = kernels::double_(x, Tensor<float>::empty({3})).sync();
    for (float element : z.toHost()) {
      std::cout << element << ' ';
    }
    std::cout << second(x).sync() << '\n';
    auto refused = kernels::double_(x, Tensor<float>::empty({4})).sync();
  } catch (const RuntimeError &error) {
    std::cout << error.code() << ' ' << error.what() << '\n';
  }
  std::cout << std::uncaught_exceptions() << '\n';
}
