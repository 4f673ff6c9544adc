// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that kernels make, with the code inside of the program. What the real
// kernels compute is tested on the executor (tests/library); here they are
// stand-ins of the simulated driver, of which `randn` counts from its seed on.

#include "runtime/girih/runtime.h"
#include "tests/simulated/Artefacts.h"

#include <gtest/gtest.h>
#include <thread>

using namespace girih;

namespace {

struct Creation : testing::Test {
  void TearDown() override {
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().live, 0u);
    EXPECT_EQ(tests::simulated().errors(), std::vector<std::string>());
  }
};

TEST_F(Creation, FillsWithANumber) {
  auto t = Tensor<float>::full({2, 3}, 2.5);
  EXPECT_EQ(t.toHost(), std::vector<float>(6, 2.5f));
  EXPECT_EQ(t.rank(), 2u);
  EXPECT_EQ(Tensor<float>::ones({5}).toHost(), std::vector<float>(5, 1.0f));
  for (bf16 value : Tensor<bf16>::full({7}, -3).toHost()) {
    EXPECT_EQ(toNumber(value), -3);
  }
  EXPECT_EQ(Tensor<int32_t>::full({3}, INT32_MIN).toHost(),
            std::vector<int32_t>(3, INT32_MIN));
  EXPECT_EQ(Tensor<uint32_t>::full({3}, UINT32_MAX).toHost(),
            std::vector<uint32_t>(3, UINT32_MAX));
  EXPECT_EQ(Tensor<int32_t>::ones({1, 1, 1}).toHost()[0], 1);
}

TEST_F(Creation, Counts) {
  EXPECT_EQ(Tensor<int32_t>::arange(4).toHost(),
            (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(Tensor<int32_t>::arange(4, 9, -2).toHost(),
            (std::vector<int32_t>{9, 7, 5, 3}));
  EXPECT_EQ(Tensor<float>::arange(3, 1, 0.5).toHost(),
            (std::vector<float>{1, 1.5, 2}));
}

TEST_F(Creation, DrawsBySeed) {
  EXPECT_EQ(Tensor<float>::randn({2, 2}, 100).toHost(),
            (std::vector<float>{100, 101, 102, 103}));
  EXPECT_EQ(Tensor<float>::randn({1}, UINT64_MAX).toHost()[0], -1);
}

TEST_F(Creation, OfNoElements) {
  EXPECT_EQ(Tensor<float>::ones({0, 3}).toHost(), std::vector<float>());
  EXPECT_EQ(Tensor<float>::arange(0).count(), 0);
  EXPECT_EQ(Tensor<float>::full({}, 3).toHost(), std::vector<float>{3});
}

TEST_F(Creation, RefusesWhatIsBeyond) {
  auto refused = [](auto make) -> std::string {
    try {
      auto made = make();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 3);
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(refused([] { return Tensor<float>::full({1}, 1e300); }),
            "fill(N = 1; grid (1)): contract: %value = 1e+300 is beyond the "
            "numbers of f32");
  EXPECT_EQ(refused([] { return Tensor<float>::arange(-1); }),
            "extents [-1] are not all from 0 to 2^40");
}

TEST_F(Creation, OnTheStreamThatIsGiven) {
  Stream stream = Stream::create();
  std::vector<std::jthread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([stream, k] {
      auto t = Tensor<int32_t>::full({1000}, k, stream);
      auto copy = t.clone(Stream::create());
      EXPECT_EQ(copy.toHost()[999], k);
    });
  }
}

} // namespace
