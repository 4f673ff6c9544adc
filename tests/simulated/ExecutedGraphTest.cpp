// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the language in a graph of the C++ interface.

#include "runtime/execution/Kernel.h"
#include "runtime/graph/Graph.h"
#include "tests/simulated/Artefacts.h"

#include <gtest/gtest.h>

namespace girih::tests {

TEST(ExecutedGraph, ReplaysWhatWasRecorded) {
  simulated().simReset(1);
  Kernel add = Kernel::load(GIRIH_EXECUTED "/add");
  constexpr int64_t n = 1300;
  std::vector<float> numbers(n);
  for (int64_t k = 0; k < n; ++k) {
    numbers[k] = static_cast<float>(k) / 8;
  }
  Shared<float> x = Tensor<float>::copyFrom(numbers, {n}).share();
  // y = x + x, z = y + x
  Graph graph = record(add.launch({}, x, x, Tensor<float>::empty({n}))
                           .let([&](auto, auto, auto y) {
                             return add.launch({}, std::move(y).share(), x,
                                               Tensor<float>::empty({n}));
                           }));
  for (int k = 0; k < 3; ++k) {
    graph.launch();
  }
  graph.sync();
  std::vector<float> z = graph.get<2>().toHost();
  for (int64_t k = 0; k < n; ++k) {
    EXPECT_EQ(z[k], 3 * numbers[k]);
  }
  EXPECT_EQ(simulated().errors(), std::vector<std::string>());
}

} // namespace girih::tests
