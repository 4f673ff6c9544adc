// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random sequences of calls of the C interface, with handles that are live,
// stale, null, foreign or of the other kind, arguments with one thing wrong,
// and a driver some of whose functions fail. A model that knows only what was
// opened and closed says what each call must return. GIRIH_CALLS has the number
// of calls, for longer runs, GIRIH_SEED the seed from which on they are drawn.

#include "tests/unit/runtime/Fixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace girih::tests;

namespace {

int callsOf(int standard) {
  const char *text = std::getenv("GIRIH_CALLS");
  return text ? std::atoi(text) : standard;
}

uint64_t firstSeed() {
  const char *text = std::getenv("GIRIH_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

struct Caller {
  std::mt19937_64 random;
  Folder &folder;
  FakeState &driver = driverState();
  SumArguments sum;
  /// With whether the kernel is open.
  std::vector<std::pair<girih_kernel *, bool>> kernels;
  struct Run {
    girih_launch *launch;
    size_t kernel;
    bool live;
  };
  std::vector<Run> launches;
  std::vector<std::pair<uint64_t, bool>> memory;
  int streams[2] = {};

  Caller(uint64_t seed, Folder &folder) : random(seed), folder(folder) {}

  uint64_t below(uint64_t n) { return random() % n; }

  /// A number of something that was given, live or not, or none.
  template <typename Things> size_t any(const Things &things) {
    return things.empty() || below(6) == 0 ? things.size()
                                           : below(things.size());
  }
  /// A handle that was not given as such.
  uint64_t foreign() {
    switch (below(5)) {
    case 0:
      return 0;
    case 1:
      return reinterpret_cast<uint64_t>(&sum);
    case 2:
      return random();
    case 3:
      return launches.empty()
                 ? 1
                 : reinterpret_cast<uint64_t>(launches.back().launch) ^
                       uint64_t(1) << 63;
    default:
      return below(100);
    }
  }

  /// What a call came to against what it had to.
  void expect(const char *what, int code, int expected) {
    ASSERT_EQ(code, expected) << what << ": " << girih_error();
    if (code != 0) {
      ASSERT_STRNE(girih_error(), "");
    }
  }

  void open() {
    girih_kernel *kernel = nullptr;
    std::string path = folder.path();
    switch (below(8)) {
    case 0:
      return expect("open", girih_open(nullptr, &kernel), 3);
    case 1:
      return expect("open", girih_open(path.c_str(), nullptr), 3);
    case 2:
      expect("open", girih_open((path + "/absent").c_str(), &kernel), 3);
      EXPECT_EQ(kernel, nullptr);
      return;
    default:
      expect("open", girih_open(path.c_str(), &kernel), 0);
      for (const auto &[other, open] : kernels) {
        ASSERT_NE(other, kernel);
      }
      kernels.emplace_back(kernel, true);
    }
  }

  /// The kernel's handle, its number, and whether it is open.
  std::tuple<girih_kernel *, size_t, bool> kernel() {
    size_t k = any(kernels);
    return k == kernels.size()
               ? std::tuple(reinterpret_cast<girih_kernel *>(foreign()), k,
                            false)
               : std::tuple(kernels[k].first, k, kernels[k].second);
  }

  void close() {
    if (kernels.size() > 8 || below(4) == 0) {
      auto [handle, number, isOpen] = kernel();
      expect("close", girih_close(handle), isOpen || !handle ? 0 : 3);
      if (isOpen) {
        kernels[number].second = false;
      }
    }
  }

  void mode() {
    auto [handle, number, isOpen] = kernel();
    static constexpr const char *names[] = {"x", "z", "w", "", nullptr};
    static constexpr int modes[] = {0, 2, -1, -1, -2};
    size_t k = below(5);
    expect("mode", girih_mode(handle, names[k]), isOpen ? modes[k] : -2);
  }

  /// Makes one thing of the arguments wrong, or none.
  bool spoil(std::vector<girih_argument> &list,
             std::vector<girih_symbol> &symbols) {
    girih_argument &one = list[below(3)];
    switch (below(24)) {
    case 0:
      one.name = nullptr;
      return true;
    case 1:
      one.name = "w";
      return true;
    case 2:
      one.element = below(2) ? "f16" : "f33";
      return true;
    case 3:
      one.element = nullptr;
      return true;
    case 4:
      one.rank = below(2) ? 0 : random() | 2;
      return true;
    case 5:
      (below(2) ? one.extents : one.strides) = nullptr;
      return true;
    case 6:
      one.evidence = below(2) ? -1 : 4;
      return true;
    case 7:
      one.evidence = GIRIH_CONTENTS; // without any
      return true;
    case 8:
      list.push_back(one);
      return true;
    case 9:
      list.erase(list.begin() + static_cast<long>(below(3)));
      return true;
    case 10:
      one.address = below(2) ? 0 : ~uint64_t(0) - 15 * below(2);
      return true;
    case 11:
      one.address =
          below(2) ? list[0].address + 4 : one.address + 1 + below(15);
      return true;
    case 12:
      symbols = {{"N", int64_t(random() | 16)}};
      return true;
    case 13:
      symbols = {{"N", 8}, {"N", 8}};
      return true;
    case 14:
      symbols = {{below(2) ? "M" : nullptr, 8}};
      return true;
    case 15:
      list[2].address = list[below(2)].address;
      return true;
    case 16:
      symbols = {{"N", 8}};
      return false;
    default:
      return false;
    }
  }

  void prepare() {
    auto [handle, number, isOpen] = kernel();
    std::vector<girih_argument> list = sum.list;
    std::vector<girih_symbol> symbols;
    bool bad = spoil(list, symbols) || !isOpen;
    auto *launch = reinterpret_cast<girih_launch *>(1);
    size_t nulls = below(20);
    expect("prepare",
           girih_prepare(handle, nulls == 0 ? nullptr : list.data(),
                         list.size(), nulls == 1 ? nullptr : symbols.data(),
                         nulls == 1 ? 1 : symbols.size(),
                         nulls == 2 ? nullptr : &launch),
           bad || nulls < 3 ? 3 : 0);
    if (bad || nulls < 3) {
      ASSERT_TRUE(nulls == 2 || !launch);
      return;
    }
    for (const Run &other : launches) {
      ASSERT_NE(other.launch, launch);
    }
    launches.push_back({launch, number, true});
  }

  girih_launch *launchAt(size_t k) {
    return k == launches.size() ? reinterpret_cast<girih_launch *>(foreign())
                                : launches[k].launch;
  }
  bool isLive(size_t k) { return k < launches.size() && launches[k].live; }

  void run() {
    size_t k = any(launches), before = driver.launches.size();
    bool good = isLive(k) && kernels[launches[k].kernel].second;
    expect("run", girih_run(launchAt(k), stream()), good ? 0 : 3);
    ASSERT_EQ(driver.launches.size(), before + (good ? 1 : 0));
  }
  void *stream() { return below(2) ? nullptr : &streams[below(2)]; }

  void wait() {
    size_t k = any(launches);
    girih_launch *handle = launchAt(k);
    int captured = 0, expected = isLive(k) || !handle ? 0 : 3;
    expect("captured", girih_captured(handle, stream(), &captured), expected);
    expect("wait", girih_wait(handle, stream()), expected);
  }

  void release() {
    size_t k = any(launches);
    girih_launch *handle = launchAt(k);
    bool live = isLive(k);
    EXPECT_EQ(girih_believed(handle, 0), nullptr);
    expect("release", girih_release(handle), live || !handle ? 0 : 3);
    if (live) {
      launches[k].live = false;
    }
  }

  void allocate() {
    uint64_t address = 0;
    size_t bytes = below(100);
    expect("allocate", girih_allocate(bytes, &address), 0);
    if (address != 0) {
      // The same place may be given again.
      std::erase_if(memory, [&](auto &m) { return m.first == address; });
      memory.emplace_back(address, true);
    }
    char some[100] = {};
    expect("upload", girih_upload(address, some, bytes), 0);
    expect("download", girih_download(some, address, bytes), 0);
  }

  void free() {
    size_t k = any(memory);
    uint64_t address = k == memory.size() ? below(2) * 64 : memory[k].first;
    bool good = address == 0 || (k < memory.size() && memory[k].second);
    expect("free", girih_free(address), good ? 0 : 3);
    if (k < memory.size()) {
      memory[k].second = false;
    }
  }

  void step() {
    if (below(8) == 0) {
      // Whatever the program has made current. A kernel is in the context of
      // device 0.
      setContext(below(2) ? nullptr : driverContext(0));
    }
    static constexpr void (Caller::*calls[])() = {
        &Caller::open,    &Caller::close,   &Caller::mode,     &Caller::prepare,
        &Caller::prepare, &Caller::prepare, &Caller::run,      &Caller::run,
        &Caller::wait,    &Caller::release, &Caller::allocate, &Caller::free};
    // Opening reads files.
    size_t k = below(std::size(calls));
    (this->*calls[k == 0 && kernels.size() > 3 && below(16) ? 3 : k])();
  }

  /// Gives everything back, in any order.
  void finish() {
    std::shuffle(memory.begin(), memory.end(), random);
    for (auto [address, live] : memory) {
      EXPECT_EQ(girih_free(address), live ? 0 : 3);
    }
    bool launchesFirst = below(2) != 0;
    for (int turn = 0; turn < 2; ++turn) {
      if ((turn == 0) == launchesFirst) {
        for (const Run &run : launches) {
          EXPECT_EQ(girih_release(run.launch), run.live ? 0 : 3);
        }
      } else {
        for (auto [kernel, open] : kernels) {
          EXPECT_EQ(girih_close(kernel), open ? 0 : 3);
        }
      }
    }
  }
};

} // namespace

TEST(Calls, ComeToWhatAModelSays) {
  Folder folder(artefactFiles("add"));
  FakeState &driver = driverState();
  int calls = callsOf(6000);
  for (uint64_t seed = firstSeed(); calls > 0; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    driver = FakeState();
    setContext(nullptr);
    Caller caller(seed, folder);
    for (int k = 0; k < 300 && !testing::Test::HasFatalFailure();
         ++k, --calls) {
      caller.step();
    }
    if (testing::Test::HasFailure()) {
      return;
    }
    caller.finish();
    ASSERT_EQ(driver.modulesLoaded, driver.modulesUnloaded);
    ASSERT_EQ(driver.allocations, driver.frees);
    ASSERT_EQ(driver.failed, std::vector<std::string>());
  }
  setContext(nullptr);
}

// Whatever the driver refuses comes back as an error, from whichever call.
TEST(Calls, ADriverThatFailsIsAnError) {
  static constexpr const char *names[] = {"cuCtxGetCurrent",
                                          "cuCtxPushCurrent",
                                          "cuCtxGetDevice",
                                          "cuDeviceGet",
                                          "cuDeviceGetName",
                                          "cuModuleLoadData",
                                          "cuModuleUnload",
                                          "cuModuleGetFunction",
                                          "cuFuncGetParamInfo",
                                          "cuLaunchKernel",
                                          "cuStreamSynchronize",
                                          "cuStreamIsCapturing",
                                          "cuMemAlloc",
                                          "cuMemFree",
                                          "cuPointerGetAttributes",
                                          "cuMemcpyHtoD",
                                          "cuMemcpyDtoH",
                                          "cuCtxSynchronize",
                                          "cuCtxPopCurrent",
                                          "cuThreadExchangeStreamCaptureMode"};
  Folder folder(artefactFiles("add"));
  FakeState &driver = driverState();
  SumArguments sum;
  for (const char *name : names) {
    for (int error : {1, 201, 700, 906}) {
      driver = FakeState();
      setContext(nullptr);
      driver.fails[name] = error;
      girih_kernel *kernel = nullptr;
      girih_launch *launch = nullptr;
      uint64_t address = 0;
      float bytes[4] = {};
      std::vector<int> codes = {girih_open(folder.path().c_str(), &kernel),
                                sum.prepare(kernel, &launch)};
      if (launch) {
        codes.push_back(girih_run(launch, nullptr));
        codes.push_back(girih_wait(launch, nullptr));
        codes.push_back(girih_release(launch));
      }
      codes.push_back(girih_allocate(sizeof bytes, &address));
      codes.push_back(girih_upload(address, bytes, address ? 16 : 0));
      codes.push_back(girih_download(bytes, address, address ? 16 : 0));
      codes.push_back(girih_synchronize());
      codes.push_back(girih_free(address));
      codes.push_back(girih_close(kernel));
      for (int code : codes) {
        EXPECT_TRUE(code == 0 || code == 1 || code == 3 || code == 77)
            << name << ": " << code;
      }
      EXPECT_EQ(currentContext(), nullptr) << name;
    }
  }
  driver = FakeState();
}

// The same calls from many threads at once, each with kernels of its own and a
// launch that all of them share.
TEST(Calls, OfManyThreadsAtOnce) {
  Folder folder(artefactFiles("add"));
  driverState() = FakeState();
  SumArguments sum;
  girih_kernel *kernel = nullptr;
  girih_launch *shared = nullptr;
  ASSERT_EQ(girih_open(folder.path().c_str(), &kernel), 0);
  ASSERT_EQ(sum.prepare(kernel, &shared), 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < callsOf(200) / 4; ++k) {
        girih_launch *own = nullptr;
        EXPECT_EQ(sum.prepare(kernel, &own), 0) << girih_error();
        EXPECT_EQ(girih_run(t % 2 ? own : shared, nullptr), 0);
        EXPECT_EQ(girih_release(own), 0);
        EXPECT_EQ(girih_release(own), 3);
        EXPECT_STREQ(girih_error(), "the launch was released already");
        uint64_t address = 0;
        EXPECT_EQ(girih_allocate(8, &address), 0);
        EXPECT_EQ(girih_free(address), 0);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  EXPECT_EQ(girih_release(shared), 0);
  EXPECT_EQ(girih_close(kernel), 0);
  EXPECT_EQ(driverState().modulesLoaded, 1);
  EXPECT_EQ(driverState().modulesUnloaded, 1);
  EXPECT_EQ(driverState().allocations, driverState().frees);
}
