// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of kernels with something given about contents: looked at before each
// replay, behind all earlier work; on a breach nothing of the graph runs.

#include "runtime/driver/Driver.h"
#include "runtime/graph/Graph.h"
#include "tests/unit/graph/Kernels.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

/// z = x + y, with `given within(%ids, 0, N)`.
const Kernel &looking(bool onDevice) {
  auto make = [](bool onDevice) {
    Json manifest = manifestWith(fact("within", {0, {{"symbol", "N"}}}));
    std::map<std::string, std::string> inner;
    if (onDevice) {
      addValidator(inner, manifest, "within");
    }
    std::map<std::string, std::string> files = artefactFiles("add", manifest);
    files.merge(inner);
    return new Kernel(kernelOf(files));
  };
  static const Kernel &host = *make(false), &device = *make(true);
  return onDevice ? device : host;
}

using Ids = std::vector<int32_t>;
Tensor<int32_t> tensorOf(const Ids &ids) {
  return Tensor<int32_t>::copyFrom(ids, {int64_t(ids.size())});
}

struct Contents : testing::TestWithParam<bool> {
  void TearDown() override {
    Device::get().synchronize();
    EXPECT_EQ(simulated().errors(), std::vector<std::string>());
  }
  template <typename Ids> auto sum(Ids ids) {
    return looking(GetParam()).launch({}, x, x, empty(), std::move(ids));
  }
  template <typename Run> static std::string thrown(Run run) {
    try {
      run();
    } catch (const RuntimeError &error) {
      return error.what();
    }
    return "nothing";
  }
  Shared<float> x = tensor({1, 2, 3, 4}).share();
};
INSTANTIATE_TEST_SUITE_P(Places, Contents, testing::Bool(), [](auto info) {
  return info.param ? "OnDevice" : "OnHost";
});

TEST_P(Contents, AreLookedAtBeforeEachReplay) {
  Graph g = record(sum(validated(tensorOf({0, 1, 2, 3}))));
  g.sync();
  EXPECT_EQ(g.get<2>().toHost(), (Floats{2, 4, 6, 8}));
  auto good = g.exchange<3>(tensorOf({0, 4, 0, 0}));
  auto kept = g.exchange<2>(tensor({7, 7, 7, 7}));
  std::string text = thrown([&] { g.launch(); });
  EXPECT_NE(text.find("given within(%ids, 0, N): element [1] is 4"),
            std::string::npos)
      << text;
  EXPECT_EQ(g.get<2>().toHost(), Floats(4, 7)); // nothing has run
  auto bad = g.exchange<3>(std::move(good));
  g.launch();
  EXPECT_EQ(g.get<2>().toHost(), (Floats{2, 4, 6, 8}));
}

/// However many launches are given the same, a breach of another one is seen.
TEST_P(Contents, AreLookedAtOnce) {
  auto downloads = [] { return simulated().simCalls("cuMemcpyDtoHAsync"); };
  auto good = tensorOf({0, 1, 2, 3}).share(),
       other = tensorOf({3, 2, 1, 0}).share();
  auto both = [&](auto ids, auto more) {
    return record([&](Recording &run) {
      auto [a, b, z, i] = run(sum(validated(ids)));
      auto [c, d, y, j] = run(sum(validated(ids)));
      auto [e, f, w, k] = run(sum(validated(more)));
      return std::tuple(std::move(z), std::move(y), std::move(w));
    });
  };
  Graph same = both(good, good);
  Graph different = both(good, other);
  int before = downloads();
  same.launch();
  int ofOne = downloads() - before;
  EXPECT_GT(ofOne, 0);
  different.launch();
  EXPECT_EQ(downloads() - before, 3 * ofOne);
  EXPECT_EQ(different.get<2>().toHost(), (Floats{2, 4, 6, 8}));
  Graph wrong = both(good, tensorOf({0, 0, 4, 0}).share());
  EXPECT_NE(thrown([&] { wrong.launch(); }).find("element [2] is 4"),
            std::string::npos);
}

TEST_P(Contents, AreLookedAtBehindWhatWritesThem) {
  simulated().simDelay(2000);
  for (int k = 0; k < 10; ++k) {
    auto ids = tensorOf({9, 9, 9, 9});
    Tensor<int32_t> fresh = tensorOf({0, 1, 2, 3});
    auto [from, to] =
        copy(std::move(fresh), std::move(ids)).queue(Stream::create());
    Graph g = record(sum(validated(std::move(to))));
    g.launch();
    EXPECT_EQ(g.get<2>().toHost(), (Floats{2, 4, 6, 8}));
  }
  simulated().simDelay(60);
}

TEST_P(Contents, OfTheGraphItselfAreRefused) {
  auto pipeline = setZero(tensorOf({9, 9, 9, 9})).let([&](auto ids) {
    return sum(validated(std::move(ids)));
  });
  std::string text = thrown([&] { auto g = record(std::move(pipeline)); });
  EXPECT_EQ(text, "sum(N = 4; grid (1)): the contents of b0 are given, and "
                  "setZero(16 bytes) of the same graph writes them: they "
                  "cannot be looked at before");
  // Behind the launch they may be written: the next replay looks again.
  Graph g =
      record(sum(validated(tensorOf({0, 0, 0, 3})))
                 .let([](auto, auto, auto z, auto ids) {
                   return whenAll(just(std::move(z)), setZero(std::move(ids)));
                 }));
  g.sync();
  g.sync();
  EXPECT_EQ(g.get<1>().toHost(), Ids(4, 0));
  // Of what was said once that is not known.
  Ids all(4, 0);
  auto said = sum(withContents(tensorOf(all), all))
                  .let([](auto, auto, auto z, auto ids) {
                    return whenAll(just(std::move(z)), setZero(std::move(ids)));
                  });
  EXPECT_NE(thrown([&] { auto g = record(std::move(said)); }), "nothing");
}

TEST_P(Contents, ThatWereSaidGoWithTheirTensor) {
  Ids good{0, 1, 2, 3}, bad{0, 1, 2, 4};
  EXPECT_NE(
      thrown([&] { auto g = record(sum(withContents(tensorOf(bad), bad))); }),
      "nothing");
  EXPECT_NE(thrown([&] { auto g = record(sum(tensorOf(good))); }), "nothing");
  Graph g = record(sum(withContents(tensorOf(good), good)));
  Graph h = record(sum(vouched(tensorOf(good))));
  g.sync();
  h.sync();
  EXPECT_EQ(h.get<2>().toHost(), (Floats{2, 4, 6, 8}));
  std::string text = thrown([&] { auto old = g.exchange<3>(tensorOf(good)); });
  EXPECT_EQ(text, "sum(N = 4; grid (1)): what is given of the contents was "
                  "said of the tensor that is exchanged");
  EXPECT_EQ(thrown([&] { auto old = h.exchange<3>(tensorOf(good)); }), text);
}

TEST_P(Contents, OfASharedTensorThatReplaysWriteAreNotSaid) {
  Ids good(4, 0);
  auto first = setZero(tensorOf(good)).then([](auto ids) {
    return std::move(ids).share();
  });
  Graph g = record(std::move(first));
  Shared<int32_t> ids = g.get<0>();
  auto said = [&] { auto h = record(sum(withContents(ids, good))); };
  EXPECT_EQ(thrown(said),
            "sum(N = 4; grid (1)): the contents of b2 are given, and replays "
            "of another graph write them");
  Graph looks = record(sum(validated(ids)));
  looks.sync();
  auto old = std::move(g).dissolve();
  said();
}

TEST_P(Contents, ThatTheHostBringsAreLookedAtThere) {
  auto downloads = [] { return simulated().simCalls("cuMemcpyDtoHAsync"); };
  Graph g = record(sum(validated(tensorOf({9, 9, 9, 9}))));
  EXPECT_NE(thrown([&] { g.launch(); }), "nothing");
  g.assign<3>(Ids{3, 2, 1, 0});
  int before = downloads();
  g.sync();
  g.sync();
  EXPECT_EQ(downloads(), before);
  EXPECT_EQ(thrown([&] { g.assign<3>(Ids{0, 1, 2, 4}); }),
            "sum(N = 4; grid (1)): contract: given within(%ids, 0, N): element "
            "[3] is 4, outside [0, 4)");
  EXPECT_EQ(thrown([&] { g.assign<3>(Ids{0, 1, 2}); }),
            "3 elements for a tensor of 4");
  EXPECT_EQ(g.get<3>().toHost(), (Ids{3, 2, 1, 0}));
  before = downloads();
  g.sync();
  EXPECT_EQ(downloads(), before);
  // Another tensor nobody has looked at.
  auto known = g.exchange<3>(tensorOf({0, 0, 0, 9}));
  EXPECT_NE(thrown([&] { g.launch(); }), "nothing");
  g.assign<3>(Ids{1, 1, 1, 1});
  g.sync();
  // Nor one that was out.
  Tensor<int32_t> out = g.take<3>();
  out.assign(Ids{0, 0, 0, 9});
  g.put<3>(std::move(out));
  EXPECT_NE(thrown([&] { g.launch(); }), "nothing");
}

TEST_P(Contents, ThatTheHostBringsAreOfTheGraphThatOnlyReadsThem) {
  Graph g =
      record(sum(validated(tensorOf({0, 0, 0, 3})))
                 .let([](auto, auto, auto z, auto ids) {
                   return whenAll(just(std::move(z)), setZero(std::move(ids)));
                 }));
  g.assign<1>(Ids{3, 3, 3, 3});
  int before = simulated().simCalls("cuMemcpyDtoHAsync");
  g.launch();
  EXPECT_GT(simulated().simCalls("cuMemcpyDtoHAsync"), before);
  EXPECT_EQ(g.get<1>().toHost(), Ids(4, 0));
}

/// Others may write there between two replays.
TEST_P(Contents, ThatTheHostBringsToForeignMemoryAreLookedAt) {
  static const runtime::Driver driver = *runtime::openDriver();
  Device device = Device::get();
  runtime::Entered in(driver, device.context());
  uint64_t address = 0;
  ASSERT_EQ(driver.memoryAllocate(&address, 16), 0);
  auto write = [&](const Ids &ids) {
    device.synchronize();
    ASSERT_EQ(driver.copyToDevice(address, ids.data(), 16), 0);
  };
  write({0, 1, 2, 3});
  std::shared_ptr<void> owner(reinterpret_cast<void *>(address),
                              [context = device.context()](void *memory) {
                                runtime::Entered in(driver, context);
                                driver.memoryFree(
                                    reinterpret_cast<uint64_t>(memory));
                              });
  Graph g = record(sum(validated(Tensor<int32_t>::fromForeign(
      owner.get(), {4}, {1}, owner, device.nextStream()))));
  owner.reset();
  g.assign<3>(Ids{3, 2, 1, 0});
  g.sync();
  write({0, 4, 0, 0});
  EXPECT_NE(thrown([&] { g.launch(); }).find("element [1] is 4"),
            std::string::npos);
}

/// Whatever was brought, taken, exchanged: a replay runs if all numbers are in
/// range, and only then.
TEST_P(Contents, OfRandomProgramsAreKnownOrLookedAt) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    auto draw = [&](unsigned count) { return random() % count; };
    auto drawn = [&] {
      Ids ids(4);
      for (int32_t &id : ids) {
        id = draw(8) ? int32_t(draw(4)) : 4 + int32_t(draw(3));
      }
      return ids;
    };
    auto isGood = [](const Ids &ids) {
      return std::ranges::all_of(ids, [](int32_t id) { return id < 4; });
    };
    Ids now = drawn();
    Graph g = record(sum(validated(tensorOf(now))));
    for (int step = 0; step < 30; ++step) {
      Ids fresh = drawn();
      switch (draw(5)) {
      case 0: {
        auto old = g.exchange<3>(tensorOf(fresh));
        now = fresh;
        break;
      }
      case 1: {
        Tensor<int32_t> out = g.take<3>();
        if (draw(2)) {
          out.assign(fresh);
          now = fresh;
        }
        g.put<3>(std::move(out));
        break;
      }
      case 2:
      case 3:
        EXPECT_EQ(thrown([&] { g.assign<3>(fresh); }) == "nothing",
                  isGood(fresh))
            << seed << " " << step;
        now = isGood(fresh) ? fresh : now;
        break;
      default:
        break;
      }
      EXPECT_EQ(thrown([&] { g.sync(); }) == "nothing", isGood(now))
          << seed << " " << step;
      EXPECT_EQ(g.get<3>().toHost(), now) << seed << " " << step;
    }
  }
}

/// What was known is not, once it may have been overwritten in part.
TEST_P(Contents, ThatCannotBeBroughtAreNotKnown) {
  Graph g = record(sum(validated(tensorOf({0, 1, 2, 3}))));
  g.assign<3>(Ids{0, 0, 0, 0});
  simulated().simFailCall("cuMemcpyHtoDAsync", 1, 2);
  EXPECT_NE(thrown([&] { g.assign<3>(Ids{1, 1, 1, 1}); }), "nothing");
  simulated().simStopFailing();
  int before = simulated().simCalls("cuMemcpyDtoHAsync");
  g.sync();
  EXPECT_GT(simulated().simCalls("cuMemcpyDtoHAsync"), before);
}

TEST_P(Contents, ThatCannotBeLookedAtStopNoOtherGraph) {
  Graph g = record(sum(validated(tensorOf({0, 1, 2, 3}))));
  g.sync();
  for (int n = 1; n < 40; ++n) {
    simulated().simFailCall("*", n, 2);
    std::string text = thrown([&] { g.launch(); });
    simulated().simStopFailing();
    g.sync();
    EXPECT_EQ(g.get<2>().toHost(), (Floats{2, 4, 6, 8})) << n << text;
  }
}

} // namespace
