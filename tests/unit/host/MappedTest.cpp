// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the host that kernels write as a tensor: what the host finds there,
// who owns it for how long, and what is refused.

#include "runtime/host/Mapped.h"
#include "tests/unit/graph/Kernels.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::tests;

namespace {

struct MappedMemory : testing::Test {
  const Simulated &driver = simulated();
  Device device = Device::get();

  void TearDown() override {
    driver.simStopFailing();
    device.synchronize();
    EXPECT_EQ(driver.errors(), std::vector<std::string>());
  }
  template <typename Run> static std::string refused(Run run) {
    try {
      run();
    } catch (const RuntimeError &error) {
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(MappedMemory, IsReadWhileKernelsWriteIt) {
  auto memory = Mapped<float>::zeros(3, device);
  EXPECT_EQ(memory.peek(2), 0.0f);
  Tensor<float> x = memory.tensor(device.nextStream());
  std::vector<float> values{1, 2, 3};
  x.assign(values);
  auto scaled =
      simulatedKernel("scale").launch({{"alpha", 4}}, std::move(x)).sync();
  EXPECT_EQ(memory.peek(0), 4.0f);
  EXPECT_EQ(memory.peek(2), 12.0f);
  auto same = memory;
  EXPECT_EQ(same.peek(1), 8.0f);
}

TEST_F(MappedMemory, StaysForItsTensor) {
  std::optional<Tensor<int64_t>> x;
  {
    auto memory = Mapped<int64_t>::zeros(2, device);
    x = memory.tensor(device.nextStream());
    EXPECT_NE(refused([&] {
                (void)memory.tensor(device.nextStream());
              }).find("overlaps"),
              std::string::npos);
  }
  EXPECT_EQ(x->toHost(), (std::vector<int64_t>{0, 0}));
}

TEST_F(MappedMemory, IsRefusedAndLosesNothing) {
  EXPECT_EQ(refused([&] { (void)Mapped<float>::zeros(0, device); }),
            "mapped memory of no elements");
  auto memory = Mapped<float>::zeros(2, device);
  EXPECT_EQ(refused([&] { (void)memory.peek(2); }),
            "element 2 of mapped memory of 2");
  driver.simFailCall("cuMemHostAlloc", 1, 2);
  EXPECT_NE(refused([&] {
              (void)Mapped<float>::zeros(2, device);
            }).find("cuMemHostAlloc"),
            std::string::npos);
}

} // namespace
