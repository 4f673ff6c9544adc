// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Careless callers of the C interface: handles that stand for nothing, numbers
// that are none of the kernel's, memory of other devices, threads without a
// context, captures. Each is refused with its reason, and nothing else happens.

#include "tests/unit/runtime/Fixture.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace girih::tests;

namespace {

/// A sum that is opened, with the driver as new.
struct Border : testing::Test {
  Folder folder{artefactFiles("add")};
  FakeState &driver = driverState();
  SumArguments sum;
  girih_kernel *kernel = nullptr;

  void SetUp() override {
    driver = FakeState();
    setContext(nullptr);
    ASSERT_EQ(girih_open(folder.path().c_str(), &kernel), 0) << girih_error();
  }
  void TearDown() override {
    driver.capturing = 0;
    girih_close(kernel);
    EXPECT_EQ(driver.modulesLoaded, driver.modulesUnloaded);
    setContext(nullptr);
  }

  girih_launch *prepared() {
    girih_launch *launch = nullptr;
    EXPECT_EQ(sum.prepare(kernel, &launch), 0) << girih_error();
    return launch;
  }
  /// 0, or 3 where the contract alone refuses the call.
  int checked() {
    return girih_check(kernel, sum.list.data(), sum.list.size(),
                       sum.symbols.data(), sum.symbols.size());
  }
  /// Why the call is refused; it must not reach the driver's launch.
  std::string refused() {
    std::string contract = checked() ? girih_error() : "";
    auto *launch = reinterpret_cast<girih_launch *>(1);
    int code = sum.prepare(kernel, &launch);
    EXPECT_EQ(code, 3);
    if (!contract.empty()) {
      EXPECT_EQ(contract, girih_error());
    }
    EXPECT_EQ(launch, nullptr);
    EXPECT_TRUE(driver.launches.empty());
    return code ? girih_error() : "accepted";
  }
};

template <typename Handle> Handle *asHandle(uint64_t number) {
  return reinterpret_cast<Handle *>(number);
}

} // namespace

#define REFUSED(call, reason)                                                  \
  EXPECT_EQ(call, 3);                                                          \
  EXPECT_EQ(std::string(girih_error()), reason)

TEST_F(Border, NullIsAnErrorWhereItIsNotAllowed) {
  girih_kernel *opened = nullptr;
  girih_launch *launch = prepared();
  std::string path = folder.path();
  REFUSED(girih_open(nullptr, &opened), "the folder is null");
  REFUSED(girih_open(path.c_str(), nullptr), "there is no place for the "
                                             "kernel");
  EXPECT_EQ(girih_mode(nullptr, "x"), -2);
  EXPECT_STREQ(girih_error(), "the kernel is null");
  EXPECT_EQ(girih_mode(kernel, nullptr), -2);
  EXPECT_STREQ(girih_error(), "the name is null");
  EXPECT_EQ(girih_release(launch), 0);
  REFUSED(girih_prepare(nullptr, nullptr, 0, nullptr, 0, &launch),
          "the kernel is null");
  REFUSED(girih_prepare(kernel, nullptr, 0, nullptr, 0, nullptr),
          "there is no place for the launch");
  REFUSED(girih_prepare(kernel, nullptr, 3, nullptr, 0, &launch),
          "3 arguments are given, at null");
  REFUSED(girih_prepare(kernel, sum.list.data(), 3, nullptr, 2, &launch),
          "2 symbols are given, at null");
  EXPECT_EQ(launch, nullptr);
  EXPECT_EQ(girih_believed(nullptr, 0), nullptr);
  EXPECT_STREQ(girih_error(), "the launch is null");
  REFUSED(girih_run(nullptr, nullptr), "the launch is null");
  REFUSED(girih_captured(nullptr, nullptr, nullptr),
          "there is no place for the answer");
  REFUSED(girih_allocate(8, nullptr), "there is no place for the address");
  REFUSED(girih_upload(8, nullptr, 4),
          "null as the address of 4 bytes of host memory");
  REFUSED(girih_download(nullptr, 8, 4),
          "null as the address of 4 bytes of host memory");
  EXPECT_EQ(girih_close(nullptr), 0);
  EXPECT_EQ(girih_release(nullptr), 0);
  EXPECT_EQ(girih_free(0), 0);
  EXPECT_EQ(girih_upload(0, nullptr, 0), 0);
}

TEST_F(Border, NullWithinAnArgumentIsAnError) {
  sum.list[1].name = nullptr;
  EXPECT_EQ(refused(), "an argument has no name");
  sum.list[1].name = "y";
  sum.list[1].extents = nullptr;
  EXPECT_EQ(refused(), "argument %y has no extents");
  sum.list[1].extents = sum.extents;
  sum.list[1].strides = nullptr;
  EXPECT_EQ(refused(), "argument %y has no strides");
  sum.list[1].strides = sum.strides;
  sum.symbols = {{nullptr, 8}};
  EXPECT_EQ(refused(), "a symbol has no name");
}

TEST_F(Border, WhatIsClosedOrReleasedIsStale) {
  girih_launch *launch = prepared(), *other = prepared();
  EXPECT_NE(launch, other);
  ASSERT_EQ(girih_run(launch, nullptr), 0);
  EXPECT_EQ(girih_release(launch), 0);
  REFUSED(girih_release(launch), "the launch was released already");
  REFUSED(girih_run(launch, nullptr), "the launch was released already");
  EXPECT_EQ(girih_believed(launch, 0), nullptr);
  EXPECT_STREQ(girih_error(), "the launch was released already");
  EXPECT_EQ(girih_release(other), 0);

  driver.launches.clear();
  EXPECT_EQ(girih_close(kernel), 0);
  REFUSED(girih_close(kernel), "the kernel was closed already");
  EXPECT_EQ(girih_mode(kernel, "x"), -2);
  EXPECT_EQ(refused(), "the kernel was closed already");
}

TEST_F(Border, ALaunchOfAClosedKernelIsRefused) {
  girih_launch *launch = prepared();
  EXPECT_EQ(girih_close(kernel), 0);
  EXPECT_EQ(driver.modulesUnloaded, 0);
  REFUSED(girih_run(launch, nullptr), "the kernel of this launch was closed");
  EXPECT_EQ(girih_release(launch), 0);
  EXPECT_EQ(driver.modulesUnloaded, 1);
  EXPECT_TRUE(driver.launches.empty());
}

TEST_F(Border, ForeignHandlesAreFoundOut) {
  girih_launch *launch = prepared();
  int local = 0;
  for (uint64_t number :
       {uint64_t(1), ~uint64_t(0), reinterpret_cast<uint64_t>(&local),
        reinterpret_cast<uint64_t>(kernel) + 1,
        reinterpret_cast<uint64_t>(kernel) ^ 0x8000}) {
    EXPECT_EQ(girih_close(asHandle<girih_kernel>(number)), 3);
    EXPECT_TRUE(std::string(girih_error()).ends_with(" is no kernel"));
    EXPECT_EQ(girih_run(asHandle<girih_launch>(number), nullptr), 3);
    EXPECT_EQ(girih_release(asHandle<girih_launch>(number)), 3);
    EXPECT_TRUE(std::string(girih_error()).ends_with(" is no launch"));
  }
  // One for the other.
  EXPECT_EQ(girih_close(reinterpret_cast<girih_kernel *>(launch)), 3);
  EXPECT_EQ(girih_run(reinterpret_cast<girih_launch *>(kernel), nullptr), 3);
  EXPECT_TRUE(driver.launches.empty());
  EXPECT_EQ(girih_run(launch, nullptr), 0);
  EXPECT_EQ(girih_release(launch), 0);
}

// A check evaluates the contract, and asks nobody whether memory is there.
TEST_F(Border, AContractNeedsNoDevice) {
  EXPECT_EQ(checked(), 0) << girih_error();
  driver.strict = true; // now the memory of this test is nobody's
  EXPECT_EQ(checked(), 0) << girih_error();
  EXPECT_NE(refused().find("%x"), std::string::npos);
  sum.symbols = {{"N", 7}};
  REFUSED(checked(), "contract: N is 7 for the caller and 8 for axis 0 of %x");
  sum.symbols.clear();
  sum.list[2].address = sum.list[0].address;
  EXPECT_EQ(checked(), 3);
  REFUSED(girih_check(nullptr, nullptr, 0, nullptr, 0), "the kernel is null");
  REFUSED(girih_check(kernel, nullptr, 3, nullptr, 0),
          "3 arguments are given, at null");
}

TEST_F(Border, NothingIsGivenTwice) {
  sum.symbols = {{"N", 8}, {"N", 9}};
  EXPECT_EQ(refused(), "symbol N is given twice: 8 and 9");
  sum.symbols = {{"N", 8}, {"N", 8}};
  EXPECT_EQ(refused(), "symbol N is given twice: 8 and 8");
  sum.symbols.clear();
  sum.list.push_back(sum.list[0]);
  EXPECT_EQ(refused(), "argument %x is given twice");
}

// A shape that has passed is remembered; addresses, memory, scalars and the
// context are not.
TEST_F(Border, ACallThatComesAgainIsCheckedAgain) {
  auto call = [&] {
    return girih_call(kernel, sum.list.data(), sum.list.size(),
                      sum.symbols.data(), sum.symbols.size(), nullptr);
  };
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(call(), 0) << girih_error();
  }
  EXPECT_EQ(driver.launches.size(), 3);
  EXPECT_EQ(driver.modulesLoaded, 1);
  driver.launches.clear();
  uint64_t x = sum.list[0].address, z = sum.list[2].address;
  // Each wrong address is refused in the words of girih_prepare.
  for (uint64_t address : {uint64_t(0), z + 4, ~uint64_t(0) - 15, x, x + 16}) {
    sum.list[2].address = address;
    std::string reason = refused();
    EXPECT_EQ(call(), 3);
    EXPECT_EQ(girih_error(), reason);
    EXPECT_TRUE(driver.launches.empty());
  }
  sum.list[2].address = z;
  driver.strict = true; // now the memory of this test is nobody's
  std::string reason = refused();
  EXPECT_EQ(call(), 3);
  EXPECT_EQ(girih_error(), reason);
  driver.strict = false;
  // In another context the kernel has code of its own.
  setContext(driverContext(0, 1));
  EXPECT_EQ(call(), 0) << girih_error();
  EXPECT_EQ(driver.modulesLoaded, 2);
  driver.launches.clear();
  setContext(nullptr);
  driver.capturing = 2;
  EXPECT_EQ(call(), 3);
  driver.capturing = 0;
  driver.fails["cuLaunchKernel"] = 1;
  EXPECT_EQ(call(), 1);
  driver.fails.clear();
  EXPECT_EQ(call(), 0);
  ASSERT_EQ(driver.launches.size(), 1);
  REFUSED(girih_call(nullptr, nullptr, 0, nullptr, 0, nullptr),
          "the kernel is null");
  REFUSED(girih_call(kernel, nullptr, 3, nullptr, 0, nullptr),
          "3 arguments are given, at null");
}

// Arrays are read only where they are known to be long enough, so these counts
// do no harm.
TEST_F(Border, CountsThatAreFarTooLarge) {
  sum.list[2].rank = ~size_t(0);
  EXPECT_EQ(refused(), "contract: %z has 18446744073709551615 axes, the kernel "
                       "has 1");
  sum.list[2].rank = 1;
  sum.list.push_back(sum.list[0]);
  girih_launch *launch = nullptr;
  REFUSED(
      girih_prepare(kernel, sum.list.data(), ~size_t(0), nullptr, 0, &launch),
      "argument %x is given twice");
  sum.list.pop_back();
  girih_symbol twice[] = {{"N", 8}, {"N", 8}};
  REFUSED(girih_prepare(kernel, sum.list.data(), 3, twice, ~size_t(0), &launch),
          "symbol N is given twice: 8 and 8");
}

TEST_F(Border, BytesEndAtTheLastAddress) {
  sum.list[0].address = ~uint64_t(0) - 15;
  EXPECT_EQ(refused(), "contract: %x at 0xfffffffffffffff0 takes 32 bytes, "
                       "which end behind the last address");
  // 2^64 itself is behind the last byte.
  sum.list[0].address = ~uint64_t(0) - 31;
  EXPECT_EQ(girih_release(prepared()), 0);
}

TEST_F(Border, MemoryIsOfTheKernelsDevice) {
  driver.strict = true;
  driver.devices = 2;
  auto place = [&](int k, uint64_t size, int device, int type,
                   void *context = nullptr) {
    driver.ranges[k] = {sum.list[k].address, size, device, type, context};
  };
  driver.ranges.resize(3);
  for (int k = 0; k < 3; ++k) {
    place(k, 32, 0, 2);
  }
  girih_launch *launch = prepared();
  EXPECT_EQ(girih_run(launch, nullptr), 0);
  EXPECT_EQ(girih_release(launch), 0);
  driver.launches.clear();
  auto at = [&](int k) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%lx", sum.list[k].address);
    return std::string(text);
  };
  place(2, 32, 1, 2);
  EXPECT_EQ(refused(), "%z lies on device 1, the kernel is on device 0");
  place(2, 31, 0, 2);
  EXPECT_EQ(refused(), "%z at " + at(2) +
                           " takes 32 bytes, the memory there ends after 31");
  place(2, 0, 0, 2);
  EXPECT_EQ(refused(), "%z at " + at(2) + " is no memory of a device");
  place(2, 32, 0, 2, driverContext(0, 1));
  EXPECT_EQ(refused(),
            "%z belongs to another context of device 0 than the kernel");
  // Host memory that the device reaches, and two allocations in a row.
  place(2, 32, 0, 1);
  EXPECT_EQ(girih_release(prepared()), 0);
  place(2, 16, 0, 2);
  driver.ranges.push_back({sum.list[2].address + 16, 16, 0, 2});
  EXPECT_EQ(girih_release(prepared()), 0);
  driver.ranges.back().device = 1;
  EXPECT_EQ(refused(), "%z lies on device 1, the kernel is on device 0");
  // Two tensors in one allocation, which ends within the second.
  place(0, sum.list[1].address - sum.list[0].address + 31, 0, 2);
  place(1, 0, 0, 2);
  EXPECT_EQ(refused(), "%y at " + at(1) +
                           " takes 32 bytes, the memory there ends after 31");
  // Of an empty tensor nothing is touched.
  driver.ranges.clear();
  for (int64_t &n : sum.extents) {
    n = 0;
  }
  EXPECT_EQ(girih_release(prepared()), 0);
}

TEST_F(Border, ScalarsAreNotTakenForInfinity) {
  Json manifest = sumManifest();
  for (const char *type : {"f16", "bf16", "f32", "f64", "f8E4M3FN"}) {
    manifest["arguments"].push_back(
        {{"kind", "scalar"}, {"name", type}, {"dtype", type}});
  }
  Folder scalars(artefactFiles("add", manifest));
  girih_kernel *other = nullptr;
  girih_launch *launch = nullptr;
  ASSERT_EQ(girih_open(scalars.path().c_str(), &other), 0) << girih_error();
  auto reason = [&](const char *name, double value) {
    std::vector<girih_argument> list = sum.list;
    for (const char *type : {"f16", "bf16", "f32", "f64", "f8E4M3FN"}) {
      list.push_back({type, nullptr, 0, 0, nullptr, nullptr,
                      std::string(name) == type ? value : 1, 0, nullptr});
    }
    int code =
        girih_prepare(other, list.data(), list.size(), nullptr, 0, &launch);
    EXPECT_EQ(girih_release(launch), 0);
    return std::string(code ? girih_error() : "accepted");
  };
  EXPECT_EQ(reason("f16", 65519), "accepted");
  EXPECT_EQ(reason("f16", 65520),
            "contract: %f16 = 65520 is beyond the numbers of f16");
  EXPECT_EQ(reason("bf16", -3.4e38),
            "contract: %bf16 = -3.4e+38 is beyond the numbers of bf16");
  EXPECT_EQ(reason("f32", 1e39),
            "contract: %f32 = 1e+39 is beyond the numbers of f32");
  EXPECT_EQ(reason("f64", 1e308), "accepted");
  EXPECT_EQ(reason("f8E4M3FN", 500),
            "contract: %f8E4M3FN = 500 is beyond the numbers of f8E4M3FN");
  EXPECT_EQ(reason("f16", std::numeric_limits<double>::infinity()), "accepted");
  EXPECT_EQ(girih_close(other), 0);
}

TEST_F(Border, ALaunchRunsOnAThreadWithoutAContext) {
  girih_launch *launch = prepared();
  EXPECT_EQ(currentContext(), nullptr);
  void *elsewhere = driverContext(1);
  for (void *context : {static_cast<void *>(nullptr), elsewhere}) {
    std::thread([&] {
      setContext(context);
      EXPECT_EQ(girih_run(launch, nullptr), 0) << girih_error();
      EXPECT_EQ(girih_wait(launch, nullptr), 0) << girih_error();
      EXPECT_EQ(currentContext(), context);
    }).join();
  }
  EXPECT_EQ(driver.launches.size(), 2U);
  std::thread([&] { EXPECT_EQ(girih_release(launch), 0); }).join();
  EXPECT_TRUE(driver.failed.empty());
}

// A launch is where its memory is, whatever is current; the kernel has its code
// in each context.
TEST_F(Border, AKernelIsWhereTheMemoryIs) {
  driver.devices = 2;
  driver.strict = true;
  SumArguments other;
  for (int k = 0; k < 3; ++k) {
    driver.ranges.push_back({sum.list[k].address, 32, 1, 2});
    driver.ranges.push_back({other.list[k].address, 32, 0, 2});
  }
  auto call = [&](const SumArguments &arguments) {
    return girih_call(kernel, arguments.list.data(), arguments.list.size(),
                      nullptr, 0, nullptr);
  };
  for (void *context :
       {static_cast<void *>(nullptr), driverContext(0), driverContext(1)}) {
    setContext(context);
    for (const SumArguments *arguments : {&sum, &other, &other, &sum}) {
      EXPECT_EQ(call(*arguments), 0) << girih_error();
      EXPECT_EQ(currentContext(), context);
    }
    girih_launch *launch = prepared();
    EXPECT_EQ(girih_run(launch, nullptr), 0) << girih_error();
    EXPECT_EQ(girih_release(launch), 0);
    EXPECT_EQ(currentContext(), context);
  }
  EXPECT_EQ(driver.launches.size(), 15U);
  EXPECT_EQ(driver.modulesLoaded, 2);
  // Memory of a context that is not the primary one, on another device.
  setContext(driverContext(0));
  for (int k = 0; k < 3; ++k) {
    driver.ranges[2 * k].context = driverContext(1, 1);
  }
  EXPECT_EQ(call(sum), 0) << girih_error();
  EXPECT_EQ(call(sum), 0) << girih_error();
  EXPECT_EQ(driver.modulesLoaded, 3);
  // The first tensor says where, and the others are there or refused.
  for (size_t k = 1; k < 3; ++k) {
    SumArguments mixed;
    mixed.list = other.list;
    mixed.list[k].address = sum.list[k].address;
    EXPECT_EQ(call(mixed), 3);
    EXPECT_EQ(std::string(girih_error()),
              std::string(k == 1 ? "%y" : "%z") +
                  " lies on device 1, the kernel is on device 0");
  }
  // Of another context of the device at hand it is refused.
  driver.launches.clear();
  setContext(driverContext(1));
  EXPECT_EQ(refused(),
            "%x belongs to another context of device 1 than the kernel");
  setContext(nullptr);
  EXPECT_EQ(girih_close(kernel), 0);
  EXPECT_EQ(driver.modulesUnloaded, 3);
  EXPECT_TRUE(driver.failed.empty());
  kernel = nullptr;
}

TEST_F(Border, NoCallOfAWholeLifeFails) {
  uint64_t address = 0;
  float bytes[8] = {};
  ASSERT_EQ(girih_allocate(sizeof bytes, &address), 0);
  EXPECT_EQ(girih_upload(address, bytes, sizeof bytes), 0);
  sum.list[0].address = address;
  girih_launch *launch = prepared();
  EXPECT_EQ(girih_run(launch, nullptr), 0);
  EXPECT_EQ(girih_synchronize(), 0);
  EXPECT_EQ(girih_download(bytes, address, sizeof bytes), 0);
  EXPECT_EQ(girih_free(address), 0);
  EXPECT_EQ(girih_release(launch), 0);
  EXPECT_EQ(girih_close(kernel), 0);
  // Nor where the cubin has another number of parameters than the manifest.
  for (bool more : {false, true}) {
    Json manifest = sumManifest();
    Json &parameters = manifest["variants"][0]["parameters"];
    if (more) {
      parameters.push_back({{"kind", "pointer"}, {"argument", "x"}});
    } else {
      parameters.erase(3);
    }
    Folder other(artefactFiles("add", manifest));
    ASSERT_EQ(girih_open(other.path().c_str(), &kernel), 0);
    EXPECT_EQ(sum.prepare(kernel, &launch), 1);
    EXPECT_EQ(std::string(girih_error()),
              "the cubin's entry sum has 4 parameters, the manifest has " +
                  std::string(more ? "5" : "3"));
    EXPECT_EQ(girih_close(kernel), 0);
  }
  kernel = nullptr;
  EXPECT_EQ(driver.failed, std::vector<std::string>());
}

TEST_F(Border, MemoryOfOursIsFreedOnce) {
  uint64_t address = 0;
  ASSERT_EQ(girih_allocate(64, &address), 0);
  char bytes[65] = {};
  driver.strict = true;
  EXPECT_EQ(girih_upload(address + 1, bytes, 63), 0) << girih_error();
  EXPECT_EQ(girih_upload(address + 1, bytes, 64), 3);
  EXPECT_EQ(girih_download(bytes, address, 65), 3);
  EXPECT_TRUE(std::string(girih_error())
                  .ends_with("takes 65 bytes, the memory there ends after 64"));
  EXPECT_EQ(girih_download(bytes, reinterpret_cast<uint64_t>(bytes), 1), 3);
  EXPECT_EQ(girih_free(address + 1), 3);
  EXPECT_EQ(girih_free(address), 0);
  EXPECT_EQ(girih_free(address), 3);
  EXPECT_EQ(girih_free(reinterpret_cast<uint64_t>(bytes)), 3);
  EXPECT_EQ(girih_allocate(size_t(1) << 50, &address), 1);
  EXPECT_EQ(address, 0U);
}

TEST_F(Border, ACaptureIsNotRuined) {
  int place = 0;
  void *stream = &place;
  girih_launch *early = prepared();
  for (bool blocking : {false, true}) {
    driver.capturing = 1;
    driver.captured = stream;
    driver.blocking = blocking;
    // Into the capture, and beside it.
    EXPECT_EQ(girih_run(early, stream), 0) << girih_error();
    int captured = 0;
    EXPECT_EQ(girih_captured(early, stream, &captured), 0);
    EXPECT_EQ(captured, 1);
    REFUSED(girih_wait(early, stream),
            "nobody can wait for a stream that is captured");
    girih_launch *late = prepared();
    uint64_t address = 0;
    float bytes[8] = {};
    EXPECT_EQ(girih_allocate(sizeof bytes, &address), 0) << girih_error();
    int expected = blocking ? 3 : 0;
    EXPECT_EQ(girih_run(late, nullptr), expected);
    EXPECT_EQ(girih_wait(late, nullptr), expected);
    EXPECT_EQ(girih_upload(address, bytes, sizeof bytes), expected);
    EXPECT_EQ(girih_download(bytes, address, sizeof bytes), expected);
    if (blocking) {
      EXPECT_EQ(girih_synchronize(), 3);
      EXPECT_STREQ(girih_error(),
                   "a graph is captured from a stream that waits for the "
                   "default stream, where nothing can be queued until the "
                   "capture has ended");
    }
    EXPECT_EQ(girih_free(address), 0) << girih_error();
    EXPECT_EQ(girih_release(late), 0);
    // A kernel that is opened, used and closed meanwhile.
    girih_kernel *meanwhile = nullptr;
    ASSERT_EQ(girih_open(folder.path().c_str(), &meanwhile), 0);
    ASSERT_EQ(sum.prepare(meanwhile, &late), 0) << girih_error();
    EXPECT_EQ(girih_release(late), 0);
    EXPECT_EQ(girih_close(meanwhile), 0);
    EXPECT_FALSE(driver.ruined);
  }
  driver.capturing = 2;
  REFUSED(girih_run(early, stream),
          "the capture of this stream has failed already");
  driver.capturing = 0;
  EXPECT_EQ(girih_release(early), 0);
  ++driver.modulesUnloaded; // what a graph recorded stays
}

// A release in one thread beside uses in others: each use is of a launch that
// lives, or refused.
TEST_F(Border, ThreadsThatReleaseWhatOthersUse) {
  for (int round = 0; round < 20; ++round) {
    girih_launch *launch = prepared();
    std::atomic<int> begun = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        ++begun;
        for (int k = 0; k < 20; ++k) {
          int code = girih_run(launch, nullptr);
          EXPECT_TRUE(code == 0 || code == 3) << girih_error();
          girih_believed(launch, 0);
        }
      });
    }
    while (begun < 4) {
    }
    EXPECT_EQ(girih_release(launch), 0);
    if (round == 19) {
      EXPECT_EQ(girih_close(kernel), 0);
    }
    for (std::thread &thread : threads) {
      thread.join();
    }
  }
  EXPECT_EQ(driver.modulesLoaded, driver.modulesUnloaded);
}
