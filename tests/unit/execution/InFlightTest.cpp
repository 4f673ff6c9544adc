// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that are dropped while a launch surely runs: its kernel waits for
// gates, which stay closed until the tensors are gone. The kernels are embedded
// into the program.

#include "runtime/driver/HostFunctions.h"
#include "tests/simulated/Artefacts.h"

#include <girih/runtime.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace girih;

namespace {

Kernel embeddedKernel(const std::map<std::string, std::string> &files) {
  std::vector<EmbeddedFile> list;
  for (const auto &[name, bytes] : files) {
    list.push_back({name, bytes});
  }
  return Kernel::embedded(list);
}

Tensor<float> tensor(const std::vector<float> &elements) {
  return Tensor<float>::copyFrom(elements,
                                 {static_cast<int64_t>(elements.size())});
}

struct InFlight : testing::Test {
  const tests::Simulated &driver = tests::simulated();
  Device device = Device::get();
  Kernel copy = embeddedKernel(tests::simulatedArtefact("copy", "gated"));
  uint64_t live = 0;

  void SetUp() override {
    copy.prepare(device);
    device.synchronize();
    live = device.memory().live;
    driver.simCloseGates();
  }
  void TearDown() override {
    driver.simOpenGates();
    device.synchronize();
    EXPECT_EQ(device.memory().live, live);
    // A free in flight, a use after it, or a race.
    EXPECT_EQ(driver.errors(), std::vector<std::string>());
  }
  /// That the launch has not ended.
  void expectRunning() const { EXPECT_GE(driver.simOutstanding(), 1); }
  static Tensor<float> empty() { return Tensor<float>::empty({4}); }
};

/// A tensor that lives long, as weights do, kept each stream that ever read it.
TEST_F(InFlight, ReadersThatHaveRunAreForgotten) {
  driver.simOpenGates();
  auto x = tensor({1, 2, 3, 4}).share();
  const int before = driver.simLiveHandles();
  for (int k = 0; k < 1000; ++k) {
    auto [a, z] = copy.launch({}, x, empty()).queue(Stream::create());
    if (k % 50 == 0) {
      device.synchronize();
    }
  }
  device.synchronize();
  EXPECT_LT(driver.simLiveHandles(), before + 200);
}

/// A stream that somebody captures must not be asked: the capture would fail.
TEST_F(InFlight, ReadersThatAreCapturedAreNotAsked) {
  driver.simOpenGates();
  auto x = tensor({1, 2, 3, 4}).share();
  std::vector<Stream> streams;
  for (int k = 0; k < 60; ++k) {
    streams.push_back(Stream::create());
    auto [a, z] = copy.launch({}, x, empty()).queue(streams.back());
  }
  const runtime::HostFunctions calls = *runtime::openHostFunctions();
  ASSERT_EQ(
      calls.streamBeginCapture(streams[7].handle(), runtime::cu::captureGlobal),
      0);
  for (int k = 0; k < 60; ++k) {
    std::thread([&, stream = Stream::create()] {
      auto [a, z] = copy.launch({}, x, empty()).queue(stream);
    }).join();
  }
  void *graph = nullptr;
  EXPECT_EQ(calls.streamEndCapture(streams[7].handle(), &graph), 0);
  calls.graphDestroy(graph);
}

/// Those that have not are waited for.
TEST_F(InFlight, ReadersThatRunAreKept) {
  auto x = tensor({1, 2, 3, 4});
  {
    auto shared = std::move(x).share();
    for (int k = 0; k < 200; ++k) {
      auto [a, z] = copy.launch({}, shared, empty()).queue(Stream::create());
    }
    expectRunning();
  }
}

TEST_F(InFlight, ResultsAreDropped) {
  {
    auto [x, z] = copy.launch({}, tensor({1, 2, 3, 4}), empty()).queue();
    expectRunning();
  }
  expectRunning();
  // Memory that is freed behind the launch may be given again; what is written
  // there comes behind it as well.
  Tensor<float> other = tensor({5, 6, 7, 8});
  expectRunning();
  driver.simOpenGates();
  EXPECT_EQ(other.toHost(), (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(InFlight, OneResultStays) {
  std::optional<Tensor<float>> kept;
  {
    auto [x, z] = copy.launch({}, tensor({1, 2, 3, 4}), empty()).queue();
    kept.emplace(std::move(z));
  }
  expectRunning();
  driver.simOpenGates();
  EXPECT_EQ(kept->toHost(), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(InFlight, OnAStreamThatIsDropped) {
  {
    Stream stream = Stream::create();
    auto [x, z] = copy.launch({}, tensor({1, 2, 3, 4}), empty()).queue(stream);
  }
  expectRunning();
}

TEST_F(InFlight, TheKernelIsDropped) {
  Tensor<float> kept = [&] {
    Kernel own = embeddedKernel(tests::simulatedArtefact("fill", "slow"));
    return std::move(own.launch({{"value", 3.0}}, empty())).queue();
  }(); // waits for the launch, which no gate holds
  EXPECT_EQ(kept.toHost(), (std::vector<float>{3, 3, 3, 3}));
}

TEST_F(InFlight, TheWaitIsStopped) {
  std::stop_source source;
  int before = driver.simCalls("cuLaunchKernel");
  std::jthread stopper([&] {
    while (driver.simCalls("cuLaunchKernel") == before) {
      std::this_thread::yield();
    }
    source.request_stop();
  });
  auto none = syncWait(copy.launch({}, tensor({1, 2, 3, 4}), empty()),
                       source.get_token());
  EXPECT_FALSE(none);
  expectRunning();
}

struct Dropped {
  using receiver_concept = receiver_t;
  std::atomic<bool> *heard;
  void set_value(auto &&...) && noexcept { *heard = true; }
  void set_error(std::exception_ptr) && noexcept { *heard = true; }
  void set_stopped() && noexcept { *heard = true; }
};

TEST_F(InFlight, TheOperationIsDropped) {
  std::atomic<bool> heard = false;
  {
    auto operation = girih::connect(
        copy.launch({}, tensor({1, 2, 3, 4}), empty()), Dropped{&heard});
    girih::start(operation);
    expectRunning();
  }
  expectRunning();
  driver.simOpenGates();
  device.synchronize();
  EXPECT_FALSE(heard); // nobody is there to hear of it
}

TEST_F(InFlight, ReadersStayBehindTheWriter) {
  Kernel add = embeddedKernel(tests::simulatedArtefact("add"));
  Tensor<float> sum = [&] {
    auto [x, z] = copy.launch({}, tensor({1, 2, 3, 4}), empty()).queue();
    Shared<float> both = std::move(z).share();
    auto [a, b, out] =
        add.launch({}, both, both, empty()).queue(Stream::create());
    return std::move(out);
  }();
  expectRunning();
  driver.simOpenGates();
  EXPECT_EQ(sum.toHost(), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(InFlight, RandomOrders) {
  // Chains of launches whose tensors go in random order while the first runs.
  std::mt19937 draw(17);
  Kernel add = embeddedKernel(tests::simulatedArtefact("add"));
  for (int round = 0; round < 20; ++round) {
    driver.simCloseGates();
    std::vector<Shared<float>> all;
    {
      auto [x, z] = copy.launch({}, tensor({1, 1, 1, 1}), empty()).queue();
      all.push_back(std::move(x).share());
      all.push_back(std::move(z).share());
    }
    float expected = 1;
    Shared<float> last = all.back();
    for (int k = 0; k < 5; ++k, expected *= 2) {
      Stream stream = Stream::create();
      auto [a, b, z] = add.launch({}, last, last, empty()).queue(stream);
      last = std::move(z).share();
      all.push_back(last);
    }
    std::shuffle(all.begin(), all.end(), draw);
    while (!all.empty()) {
      all.pop_back();
      expectRunning();
    }
    driver.simOpenGates();
    EXPECT_EQ(last.toHost()[3], expected);
  }
}

TEST(Embedded, IsCheckedAsAFolderIs) {
  std::map<std::string, std::string> files = tests::simulatedArtefact("copy");
  EXPECT_EQ(embeddedKernel(files).name(), "copy");
  for (const auto &[name, bytes] : files) {
    auto refuses = [&, file = name](auto change) {
      auto changed = files;
      change(changed, file);
      try {
        embeddedKernel(changed);
        ADD_FAILURE() << file;
      } catch (const RuntimeError &error) {
        EXPECT_EQ(error.code(), 1) << error.what();
      }
    };
    refuses([](auto &all, const std::string &file) { all.erase(file); });
    refuses([](auto &all, const std::string &file) {
      std::string &text = all[file];
      text[text.size() / 2] ^= 1;
    });
    refuses([](auto &all, const std::string &file) { all[file].pop_back(); });
  }
}

} // namespace
