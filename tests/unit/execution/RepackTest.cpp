// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches on copies of what they read, on the simulated driver: results,
// memory and order are those of launches without.

#include "runtime/arguments/Repack.h"
#include "tests/simulated/Artefacts.h"

#include <girih/runtime.h>
#include <gtest/gtest.h>
#include <random>

using namespace girih;
using tests::Json;
using tests::simulated;

namespace {

Json symbol(const char *name) { return {{"symbol", name}}; }
Json atLeast(const char *name, int least) {
  return {{"op", ">="},
          {"args", Json::array({symbol(name), least})},
          {"text", std::string(name) + " >= " + std::to_string(least)}};
}

/// Products of rows that lie as they are given, whose launcher copies a from 4
/// columns of the result on, and b from 4 rows on.
std::map<std::string, std::string> product() {
  auto files = tests::simulatedArtefact("gemm_strided");
  Json manifest = Json::parse(files["manifest.json"]);
  manifest.erase("seal");
  for (Json &each : manifest["symbols"]) {
    if (each["source"] == "caller") {
      each["source"] = "stride";
    }
  }
  manifest["variants"][0]["repack"] = Json::array(
      {{{"tensor", "a"}, {"when", Json::array({atLeast("N", 4)})}},
       {{"tensor", "b"}, {"when", Json::array({atLeast("M", 4)})}}});
  files["manifest.json"] = tests::sealed(manifest);
  return files;
}

using Draw = std::mt19937;
int64_t below(Draw &draw, int64_t end) {
  return std::uniform_int_distribution<int64_t>(0, end - 1)(draw);
}
/// Rows of which some are copied: short ones, odd ones, whole ones.
int64_t extent(Draw &draw) {
  static constexpr int64_t some[] = {1, 3, 16, 17, 31, 32, 33, 36, 47, 65};
  return some[below(draw, std::size(some))];
}

struct Matrices {
  int64_t m, n, k;
  std::vector<float> a, b;

  explicit Matrices(Draw &draw)
      : m(extent(draw)), n(extent(draw)), k(extent(draw)) {
    for (auto *of : {&a, &b}) {
      of->resize(static_cast<size_t>((of == &a ? m : n) * k));
      for (float &x : *of) {
        x = static_cast<float>(below(draw, 19) - 9);
      }
    }
  }
  std::vector<float> product() const {
    std::vector<float> c;
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < k; ++l) {
          sum += a[static_cast<size_t>(i * k + l)] *
                 b[static_cast<size_t>(l * n + j)];
        }
        c.push_back(sum);
      }
    }
    return c;
  }
  /// How many of both are copied: rows miss 16 bytes, there is a second one,
  /// and gaps are not most of the copies.
  int copies() const {
    auto pays = [](int64_t rows, int64_t columns, int64_t readers) {
      return rows > 1 && columns % 4 != 0 && columns > 16 && readers >= 4;
    };
    return pays(m, k, n) + pays(k, n, m);
  }
};

Tensor<float> matrix(const std::vector<float> &elements, int64_t rows,
                     int64_t columns) {
  return Tensor<float>::copyFrom(elements, {rows, columns});
}

struct Repack : testing::Test {
  Draw draw{20261128};

  int before = simulated().simCalls("cuMemcpy2DAsync");
  int copies() const {
    return simulated().simCalls("cuMemcpy2DAsync") - before;
  }
  void TearDown() override {
    EXPECT_EQ(simulated().errors(), std::vector<std::string>());
  }
};

TEST_F(Repack, OfDrawnSizes) {
  tests::Folder folder(product());
  Kernel kernel = Kernel::load(folder.path());
  int launches = 0, all = 0;
  for (; launches < 200; ++launches) {
    Matrices x(draw);
    before = simulated().simCalls("cuMemcpy2DAsync");
    auto [a, b, c] = kernel
                         .launch({}, matrix(x.a, x.m, x.k).share(),
                                 matrix(x.b, x.k, x.n).share(),
                                 Tensor<float>::empty({x.m, x.n}))
                         .sync();
    EXPECT_EQ(c.toHost(), x.product()) << x.m << " " << x.n << " " << x.k;
    EXPECT_EQ(copies(), x.copies()) << x.m << " " << x.n << " " << x.k;
    all += copies();
  }
  EXPECT_GT(all, launches / 8);
}

/// A launch in flight reads its copies, whatever is queued behind it.
TEST_F(Repack, InOrder) {
  tests::Folder folder(product());
  Kernel kernel = Kernel::load(folder.path());
  Matrices x(draw);
  while (x.copies() != 2) {
    x = Matrices(draw);
  }
  Shared<float> b = matrix(x.b, x.k, x.n).share();
  std::vector<Tensor<float>> results;
  for (int k = 0; k < 20; ++k) {
    auto [a, same, c] = kernel
                            .launch({}, matrix(x.a, x.m, x.k).share(), b,
                                    Tensor<float>::empty({x.m, x.n}))
                            .queue(Stream::create());
    results.push_back(std::move(c));
  }
  for (Tensor<float> &c : results) {
    EXPECT_EQ(c.toHost(), x.product());
  }
}

TEST_F(Repack, EveryCallFailsOnce) {
  tests::Folder folder(product());
  Matrices x(draw);
  while (x.copies() != 2) {
    x = Matrices(draw);
  }
  Device::get(); // what starts the driver fails in tests of its own
  int failed = 0;
  for (int n = 1; n < 60; ++n) {
    Kernel kernel = Kernel::load(folder.path());
    auto run = [&] {
      auto [a, b, c] = kernel
                           .launch({}, matrix(x.a, x.m, x.k).share(),
                                   matrix(x.b, x.k, x.n).share(),
                                   Tensor<float>::empty({x.m, x.n}))
                           .sync();
      EXPECT_EQ(c.toHost(), x.product()) << "call " << n;
    };
    simulated().simFailCall("*", n, 1);
    try {
      run();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1);
      ++failed;
    }
    simulated().simStopFailing();
    run();
  }
  EXPECT_GE(failed, 5);
}

/// Where there is no memory for copies, the launch goes on without.
TEST_F(Repack, WithoutMemory) {
  tests::Folder folder(product());
  Kernel kernel = Kernel::load(folder.path());
  Matrices x(draw);
  while (x.copies() != 2) {
    x = Matrices(draw);
  }
  simulated().simFailCall("cuMemAllocFromPoolAsync", 1, 2);
  auto [a, b, c] = kernel
                       .launch({}, matrix(x.a, x.m, x.k).share(),
                               matrix(x.b, x.k, x.n).share(),
                               Tensor<float>::empty({x.m, x.n}))
                       .sync();
  EXPECT_EQ(c.toHost(), x.product());
  EXPECT_EQ(copies(), 0);
}

/// A graph has no memory of a launch's own.
TEST_F(Repack, NotInGraphs) {
  tests::Folder folder(product());
  Kernel kernel = Kernel::load(folder.path());
  Matrices x(draw);
  while (x.copies() != 2) {
    x = Matrices(draw);
  }
  auto a = matrix(x.a, x.m, x.k).share(), b = matrix(x.b, x.k, x.n).share();
  Graph graph =
      record(kernel.launch({}, a, b, Tensor<float>::empty({x.m, x.n})));
  graph.sync();
  EXPECT_EQ(graph.get<2>().toHost(), x.product());
  EXPECT_EQ(copies(), 0);
}

//===-- Plans -------------------------------------------------------------===//

runtime::Manifest manifestOf(const std::map<std::string, std::string> &files) {
  auto parsed = runtime::parseManifest(files.at("manifest.json"));
  EXPECT_TRUE(parsed) << parsed.error().reason;
  return *parsed;
}

runtime::LaunchPlan planOf(const runtime::Manifest &manifest, int64_t m,
                           int64_t n, int64_t k, int64_t lda, int64_t ldb) {
  auto plan = runtime::planLaunch(manifest, {m, n, k, lda, ldb, n});
  EXPECT_TRUE(plan) << plan.error().reason;
  return *plan;
}

/// Copies hold what the kernel reads, and nothing of them overlaps.
TEST(RepackPlan, CopiesAllRows) {
  runtime::Manifest manifest = manifestOf(product());
  Draw draw(7);
  int found = 0;
  for (int k = 0; k < 2000; ++k) {
    int64_t m = 1 + below(draw, 100), n = 1 + below(draw, 100),
            depth = 1 + below(draw, 100), lda = depth + below(draw, 9),
            ldb = n + below(draw, 9);
    auto plan = planOf(manifest, m, n, depth, lda, ldb);
    auto on = runtime::repack(manifest, plan);
    if (!on) {
      continue;
    }
    ++found;
    size_t end = 0;
    std::vector<int64_t> symbols = plan.symbols;
    for (const runtime::RowCopies &copies : on->copies) {
      bool isA = copies.argument == 0;
      ASSERT_LE(copies.argument, 1u);
      EXPECT_EQ(copies.rows, size_t(isA ? m : depth));
      EXPECT_EQ(copies.rowBytes, size_t(4 * (isA ? depth : n)));
      EXPECT_EQ(copies.fromPitch, size_t(4 * (isA ? lda : ldb)));
      EXPECT_NE(copies.fromPitch % 16, 0u);
      EXPECT_EQ(copies.toPitch % 128, 0u);
      EXPECT_GE(copies.toPitch, copies.rowBytes);
      EXPECT_GE(copies.offset, end);
      EXPECT_LT(copies.offset, end + 256);
      EXPECT_EQ(copies.offset % 256, 0u);
      end = copies.offset + copies.rows * copies.toPitch;
      symbols[isA ? 3 : 4] = int64_t(copies.toPitch / 4);
    }
    EXPECT_EQ(on->bytes, end);
    EXPECT_EQ(on->plan.symbols, symbols);
    EXPECT_EQ(on->plan.layouts[2].strides, plan.layouts[2].strides);
  }
  EXPECT_GT(found, 500);
}

TEST(RepackPlan, NothingOfWhatIsNotToBeCopied) {
  runtime::Manifest manifest = manifestOf(product());
  auto none = [&](int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb) {
    return !runtime::repack(manifest, planOf(manifest, m, n, k, lda, ldb));
  };
  EXPECT_FALSE(none(8, 8, 33, 33, 8));
  EXPECT_TRUE(none(8, 3, 33, 33, 4)) << "the condition is false";
  EXPECT_TRUE(none(8, 8, 33, 36, 8)) << "rows begin at multiples of 16 bytes";
  EXPECT_TRUE(none(8, 8, 5, 5, 8)) << "copies are gaps for the most part";
  EXPECT_TRUE(none(8, 8, 33, 5, 8)) << "rows overlap";
  EXPECT_TRUE(none(0, 8, 33, 33, 8)) << "nothing is launched";
  EXPECT_TRUE(none(8, 8, 0, 0, 8)) << "nothing is read";
  // A stride that says something else as well.
  runtime::Manifest shared = manifest;
  shared.arguments[1].strides[0] = shared.arguments[0].strides[0];
  EXPECT_TRUE(!runtime::repack(shared, planOf(shared, 8, 8, 33, 33, 33)));
  // What the caller says is not the launcher's to change.
  runtime::Manifest said = manifest;
  said.symbols[3].source = runtime::Symbol::Source::Caller;
  EXPECT_TRUE(!runtime::repack(said, planOf(said, 8, 8, 33, 33, 8)));
  // Addresses that copies would not have.
  runtime::Manifest lines = manifest;
  lines.arguments[0].align = 512;
  EXPECT_TRUE(!runtime::repack(lines, planOf(lines, 8, 8, 33, 33, 8)));
  // A launch on copies that the contract refuses.
  runtime::Manifest refused = manifest;
  refused.variants[0].requirements.push_back(
      {runtime::Condition::Op::Le,
       {runtime::Expression::Op::Symbol, 3, {}},
       {runtime::Expression::Op::Constant, 40, {}},
       "lda <= 40"});
  EXPECT_TRUE(!runtime::repack(refused, planOf(refused, 8, 8, 33, 33, 8)));
}

} // namespace
