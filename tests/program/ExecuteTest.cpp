// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs of kernels that are verified and executed in this process, without a
// GPU.

#include "tests/program/Kernels.h"

#include <cmath>
#include <girih/execute.h>
#include <girih/verify.h>
#include <gtest/gtest.h>
#include <random>

using namespace tested;
using girih::Verdict;

namespace {

/// Where kernels of this file are wrong: recording notes it.
unsigned wrongLine = 0;

/// Reads the tile behind that of its block.
struct beyond {
  Shared<f32, N> x;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    wrongLine = __LINE__ + 1;
    auto v = load<128>(x, {i + 1}, pad::zero);
    store(z, {i}, v);
  }
};
constexpr unsigned wrongColumn = 14; // of the load

/// `file:line:column` of what is wrong there.
std::string wrongPlace() {
  return std::string(__FILE__) + ":" + std::to_string(wrongLine) + ":" +
         std::to_string(wrongColumn);
}

TEST(Verify, SaysWhatTileVerifySays) {
  auto found = verify<gemm<16, 32, 16>>();
  ASSERT_TRUE(found) << found.error().text;
  ASSERT_EQ(found->kernels.size(), 1u);
  EXPECT_TRUE(found->verified);
  EXPECT_EQ(found->kernels[0].name, "gemm_16_32_16");
  EXPECT_NE(found->kernels[0].text.find("VERIFIED gemm_16_32_16.mlir: "),
            std::string::npos)
      << found->kernels[0].text;
  auto refuted = verify<race>();
  ASSERT_TRUE(refuted);
  EXPECT_FALSE(refuted->verified);
  EXPECT_EQ(refuted->kernels[0].verdict, Verdict::Refuted);
  ASSERT_FALSE(refuted->kernels[0].counterexamples.empty());
  EXPECT_EQ(refuted->kernels[0].counterexamples[0].rule, "claim.disjoint");
  girih::VerifyOptions options;
  options.search = false;
  EXPECT_EQ(verify<copy>(options)->kernels[0].verdict, Verdict::Unknown);
  options.indexWidth = 7;
  EXPECT_FALSE(verify<copy>(options));
}

TEST(Verify, NamesTheLineOfACounterexample) {
  auto found = verify<beyond>();
  ASSERT_TRUE(found) << found.error().text;
  const girih::KernelVerdict &kernel = found->kernels[0];
  ASSERT_EQ(kernel.verdict, Verdict::Refuted);
  ASSERT_FALSE(kernel.counterexamples.empty());
  EXPECT_EQ(kernel.counterexamples[0].rule, "load.bounds");
  ASSERT_FALSE(kernel.diagnostics.empty());
  const std::optional<girih::Origin> &origin = kernel.diagnostics[0].origin;
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->file, __FILE__);
  EXPECT_EQ(origin->line, wrongLine);
  EXPECT_EQ(origin->column, wrongColumn);
  EXPECT_TRUE(kernel.text.starts_with(wrongPlace() + ": error: "))
      << kernel.text;
  EXPECT_NE(kernel.text.find("\n    auto v = load<128>(x, {i + 1}"),
            std::string::npos)
      << kernel.text;
}

/// Small integers: every sum is exact, in any order.
TEST(Execute, EqualsASimpleLoop) {
  std::mt19937 random(7);
  for (int draw = 0; draw < 30; ++draw) {
    std::int64_t m = random() % 40, n = random() % 40, k = random() % 40;
    Array<bf16, 2> a({m, k}), b({k, n});
    for (auto *array : {&a, &b}) {
      for (double &number : array->numbers) {
        number = int(random() % 9) - 4;
      }
    }
    Array<f32, 2> c({m, n});
    auto done = execute(gemm<16, 16, 16>{.a = a, .b = b, .scale = 0.5, .c = c});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->faults.empty());
    for (std::int64_t i = 0; i < m * n; ++i) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += a.numbers[i / n * k + l] * b.numbers[l * n + i % n];
      }
      ASSERT_EQ(c.numbers[i], 0.5 * sum) << m << ' ' << n << ' ' << k;
    }
  }
}

TEST(Execute, StridesArePacked) {
  for (std::int64_t m : {0, 1, 3}) {
    Array<f32, 2> z({m, 130});
    auto done = execute(fill_rows{.z = z, .value = 2});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(z.numbers, std::vector<double>(m * 130, 2));
  }
}

TEST(Execute, IntegersSymbolsAndWhatIsOwned) {
  const std::vector<std::int32_t> numbers{2, 0, 2};
  Array<i32, 1> ids({3}, std::span<const std::int32_t>(numbers));
  Array<f32, 2> table({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  Array<i32, 1> counts({3}, {10, 20, 30});
  Array<f32, 2> y({3, 4});
  girih::Launch options;
  options.symbols["bias"] = -1;
  auto run = [&] {
    return execute(
        lookup<8>{.ids = ids, .table = table, .counts = counts, .y = y},
        options);
  };
  auto done = run();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->faults.empty());
  EXPECT_EQ(y.numbers,
            (std::vector<double>{8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(counts.numbers, (std::vector<std::int64_t>{9, 19, 29}));
  // What the contract gives of contents is looked up.
  ids.numbers[1] = 3;
  EXPECT_EQ(run().error().kind, girih::Error::Kind::Refused);
  // A symbol that is no extent is missing.
  ids.numbers[1] = 0;
  options.symbols.clear();
  EXPECT_FALSE(run());
}

TEST(Execute, AtomicsStartFromWhatTheyHold) {
  Array<f32, 1> x({300});
  Array<i32, 1> count({1}, {40}), best({1}, {2});
  for (std::int64_t k = 1; k <= 2; ++k) {
    auto done = execute(counted{.x = x, .count = count, .best = best});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(count.numbers, std::vector<std::int64_t>{40 + 3 * k});
    EXPECT_EQ(best.numbers, std::vector<std::int64_t>{3});
  }
  best.numbers[0] = 9;
  ASSERT_TRUE(execute(counted{.x = x, .count = count, .best = best}));
  EXPECT_EQ(best.numbers, std::vector<std::int64_t>{9});
}

TEST(Execute, RawTensorsStartFromWhatTheyHold) {
  Array<f32, 1> x({3}, {1, 2, -3});
  auto done = execute(doubled{.x = x});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(x.numbers, (std::vector<double>{2, 4, -6}));
}

TEST(Execute, OutputsInPart) {
  Array<f32, 1> z({3}, {7, 7, 7});
  auto done = execute(arange{.z = z, .low = 10, .by = 0.5});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(z.numbers, (std::vector<double>{10, 10.5, 11}));
}

TEST(Execute, ListsOfVariants) {
  auto found = verify<copies>();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->verified);
  EXPECT_EQ(found->kernels.size(), 2u);
  for (std::int64_t n : {999, 1000}) {
    Array<f32, 1> x({n}, std::vector<double>(std::size_t(n), 1.5)), z({n});
    auto done = execute<copies>(copy{.x = x, .z = z});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->kernel, n < 1000 ? "copy" : "copy_wide");
    EXPECT_EQ(z.numbers, x.numbers);
  }
}

TEST(Execute, FaultsAreResults) {
  Array<f32, 1> x({3}, {1, 2, 3}), z({3});
  auto done = execute(race{.x = x, .z = z});
  ASSERT_TRUE(done);
  ASSERT_FALSE(done->faults.empty());
  EXPECT_EQ(done->faults[0].rule, "claim.disjoint");
}

TEST(Execute, NamesTheLineOfAFault) {
  Array<f32, 1> x({3}, {1, 2, 3}), z({3});
  auto done = execute(beyond{.x = x, .z = z});
  ASSERT_TRUE(done);
  ASSERT_EQ(done->faults.size(), 1u);
  const girih::Fault &fault = done->faults[0];
  EXPECT_EQ(fault.rule, "load.bounds");
  EXPECT_TRUE(fault.text.starts_with(wrongPlace() + ": error: ")) << fault.text;
}

template <typename Run> std::string refused(Run run) {
  try {
    run();
  } catch (const std::invalid_argument &error) {
    return error.what();
  }
  return "nothing";
}

TEST(Execute, ExtentsThatAreNumbers) {
  Array<i32, 1> ids({2}), counts({2});
  Array<f32, 2> table({9, 3}), y({2, 4});
  EXPECT_EQ(refused([&] {
              (void)execute(lookup<8>{
                  .ids = ids, .table = table, .counts = counts, .y = y});
            }),
            "table: axis 1 has 3 elements, but the kernel has 4");
}

TEST(Execute, ArraysThatDisagree) {
  Array<bf16, 2> a({2, 3}), b({4, 2});
  Array<f32, 2> c({2, 2});
  EXPECT_EQ(refused([&] {
              (void)execute(
                  gemm<16, 16, 16>{.a = a, .b = b, .scale = 1, .c = c});
            }),
            "b: axis 0 has 4 elements, but K is 3");
  EXPECT_EQ(refused([&] { Array<f32, 2>({2, 2}, {1, 2, 3}); }),
            "an array of 4 elements is made of 3");
  EXPECT_EQ(refused([&] { Array<f32, 2>({-1, 2}); }), "an extent is negative");
  Array<f32, 1> z({2});
  copy call{.x = Array<f32, 1>({2}), .z = z};
  copy other = call;
  EXPECT_EQ(refused([&] { (void)execute(other); }),
            "x has no array: execute() takes Array<...>, and a call is moved, "
            "not copied");
}

} // namespace
