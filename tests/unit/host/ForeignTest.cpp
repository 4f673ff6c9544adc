// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of somebody else's as tensors, by pointer and by DLPack: what is
// refused, who owns it for how long, and what is ordered. The simulated driver
// finds memory that goes while work uses it.

#include "runtime/driver/HostFunctions.h"
#include "runtime/host/DLPackAbi.h"
#include "runtime/host/Partition.h"
#include "tests/simulated/Artefacts.h"
#include "tests/unit/Long.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace girih;
using Floats = std::vector<float>;

namespace {

const runtime::Driver &driver() {
  static const runtime::Driver opened = *runtime::openDriver();
  return opened;
}

/// Memory of the driver's that is freed with its last owner, wherever that is.
struct Memory {
  uint64_t address = 0;
  std::shared_ptr<std::atomic<int>> frees =
      std::make_shared<std::atomic<int>>(0);

  explicit Memory(size_t bytes, const Device &device = Device::get()) {
    runtime::Entered in(driver(), device.context());
    EXPECT_EQ(driver().memoryAllocate(&address, bytes), 0);
    context = device.context();
  }
  void *at(size_t offset = 0) const {
    return reinterpret_cast<void *>(address + offset);
  }
  void fill(const Floats &values) const {
    runtime::Entered in(driver(), context);
    EXPECT_EQ(driver().copyToDevice(address, values.data(), 4 * values.size()),
              0);
  }
  std::shared_ptr<void> owner() const {
    return {at(),
            [frees = frees, context = context, address = address](void *) {
              runtime::Entered in(driver(), context);
              EXPECT_EQ(driver().memoryFree(address), 0);
              ++*frees;
            }};
  }
  /// Whether it was freed, once, after a while at most.
  bool isFreed() const {
    for (int k = 0; k < 5000 && *frees == 0; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return *frees == 1;
  }
  void free() const { owner(); }

private:
  void *context = nullptr;
};

struct Foreign : testing::Test {
  const tests::Simulated &simulated = tests::simulated();
  int known = simulated.simErrors();

  void TearDown() override {
    simulated.simStopFailing();
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().live, 0u);
    EXPECT_EQ(simulated.errors(known), std::vector<std::string>());
  }

  /// The text of a refusal.
  template <typename Run> static std::string refused(Run run) {
    try {
      run();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 3) << error.what();
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(Foreign, IsReadAndWrittenInPlace) {
  Memory memory(48);
  memory.fill({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  {
    // Every second column of three rows.
    auto t = Tensor<float>::fromForeign(memory.at(4), {3, 2}, {4, 2},
                                        memory.owner());
    EXPECT_EQ(t.toHost(), (Floats{1, 3, 5, 7, 9, 11}));
    t.assign(Floats{-1, -3, -5, -7, -9, -11});
    EXPECT_EQ(t.clone().toHost(), (Floats{-1, -3, -5, -7, -9, -11}));
    EXPECT_EQ(*memory.frees, 0);
  }
  EXPECT_TRUE(memory.isFreed());
}

TEST_F(Foreign, IsSharedAndPartitioned) {
  Memory memory(32);
  memory.fill({0, 1, 2, 3, 4, 5, 6, 7});
  {
    auto pieces =
        Tensor<float>::fromForeign(memory.at(), {8}, {1}, memory.owner())
            .partition({4});
    {
      auto high = pieces[1];
      high.assign(Floats{40, 50, 60, 70});
    }
    auto share = std::move(pieces).join().share();
    auto whole = std::move(share).tryUnique();
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->toHost(), (Floats{0, 1, 2, 3, 40, 50, 60, 70}));
  }
  EXPECT_TRUE(memory.isFreed());
}

TEST_F(Foreign, OwnerStaysUntilTheWorkIsDone) {
  simulated.simDelay(2000);
  for (int k = 0; k < 20; ++k) {
    Memory memory(4096);
    std::optional<Tensor<float>> copy;
    {
      auto t =
          Tensor<float>::fromForeign(memory.at(), {1024}, {1}, memory.owner());
      t.assign(Floats(1024, 3));
      copy = t.clone(Stream::create());
    }
    // Freed in flight is noted by the driver.
    EXPECT_EQ(copy->toHost(), Floats(1024, 3));
    EXPECT_TRUE(memory.isFreed());
  }
  simulated.simDelay(200);
}

TEST_F(Foreign, IsBehindTheStreamThatFillsIt) {
  simulated.simDelay(2000);
  auto functions = *runtime::openHostFunctions();
  for (int k = 0; k < 20; ++k) {
    Memory memory(4096);
    Stream filler = Stream::create();
    ASSERT_EQ(functions.fill32Behind(memory.address, 0x40000000, 1024,
                                     filler.handle()),
              0);
    {
      auto t = Tensor<float>::fromForeign(memory.at(), {1024}, {1},
                                          memory.owner(), filler);
      EXPECT_EQ(t.clone(Stream::create()).toHost(), Floats(1024, 2));
    }
    EXPECT_TRUE(memory.isFreed());
  }
  simulated.simDelay(200);
}

TEST_F(Foreign, ThatComesBackIsBehindItsPast) {
  simulated.simDelay(2000);
  for (int k = 0; k < 20; ++k) {
    Memory memory(4096);
    auto owner = memory.owner();
    for (float value : {1.0f, 2.0f}) {
      // The second time the writes of the first one may be in flight.
      auto source = Tensor<float>::copyFrom(Floats(1024, value), {1024});
      auto t = Tensor<float>::fromForeign(memory.at(), {1024}, {1}, owner,
                                          Stream::create());
      auto pieces = std::move(t).partition({1024});
      auto piece = pieces[0];
      auto copy = source.clone(Stream::create());
      piece.assign(copy.toHost());
    }
    auto t = Tensor<float>::fromForeign(memory.at(), {1024}, {1}, owner,
                                        Stream::create());
    EXPECT_EQ(t.toHost(), Floats(1024, 2));
    owner.reset();
    {
      auto gone = std::move(t);
    }
    EXPECT_TRUE(memory.isFreed());
  }
  simulated.simDelay(200);
}

TEST_F(Foreign, RefusesWhatCannotBe) {
  Memory memory(64), other(64, Device::get(1));
  constexpr int64_t huge = INT64_MAX;
  auto owner = memory.owner();
  auto take = [&](void *pointer, const Extents &extents, const Extents &strides,
                  std::shared_ptr<void> by) {
    return refused([&] {
      auto t = Tensor<float>::fromForeign(pointer, extents, strides, by);
    });
  };
  struct Case {
    void *pointer;
    Extents extents, strides;
    const char *why;
  };
  const Case cases[] = {
      {nullptr, {4}, {1}, "a null pointer"},
      {memory.at(), {4}, {}, "1 extents and 0 strides"},
      {memory.at(), {}, {1}, "0 extents and 1 strides"},
      {memory.at(2), {4}, {1}, "is not a multiple of 4, as f32 asks"},
      {memory.at(), {-1}, {1}, "extents [-1] are not all from 0 to 2^40"},
      {memory.at(), {huge}, {1}, "are not all from 0 to 2^40"},
      {memory.at(), {4}, {-1}, "stride -1 of axis 0 is negative"},
      {memory.at(), {2}, {huge}, "stride 9223372036854775807 of axis 0 are "},
      {memory.at(), {1 << 30, 1 << 30}, {1, 1}, "are more than 2^47 bytes"},
      {memory.at(), {4}, {0}, "may overlap; only a Shared may be so"},
      {memory.at(), {2, 3}, {2, 1}, "may overlap"},
      {memory.at(),
       {17},
       {1},
       "takes 68 bytes, the memory there ends after 64"},
      {memory.at(), {2}, {16}, "takes 68 bytes"},
      {memory.at(48),
       {8},
       {1},
       "takes 32 bytes, the memory there ends after 16"},
      {&owner, {4}, {1}, "is no memory of a device"},
      {reinterpret_cast<void *>(UINT64_MAX - 3),
       {4},
       {1},
       "are beyond the last address"},
  };
  for (const Case &c : cases) {
    std::string text = take(c.pointer, c.extents, c.strides, owner);
    EXPECT_NE(text.find(c.why), std::string::npos) << c.why << "\n" << text;
  }
  EXPECT_NE(take(memory.at(), {4}, {1}, nullptr).find("it has no owner"),
            std::string::npos);
  EXPECT_EQ(refused([&] {
              auto t = Tensor<float>::fromForeign(
                  other.at(), {4}, {1}, other.owner(), Stream::create());
            }),
            "foreign memory: it lies on device 1, the stream is of device 0");
  // What is refused keeps nothing.
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(*other.frees, 1);
}

TEST_F(Foreign, LiesWhereTheDriverSays) {
  Memory memory(64, Device::get(1));
  memory.fill({5, 6});
  {
    auto t = Tensor<float>::fromForeign(memory.at(), {2}, {1}, memory.owner());
    EXPECT_EQ(t.toHost(), (Floats{5, 6}));
  }
  EXPECT_TRUE(memory.isFreed());
}

TEST_F(Foreign, MayBeEmpty) {
  auto owner = std::make_shared<int>(1);
  {
    auto t = Tensor<float>::fromForeign(nullptr, {0, 5}, {5, 1}, owner);
    EXPECT_EQ(t.count(), 0);
    EXPECT_EQ(t.toHost(), Floats());
    EXPECT_EQ(owner.use_count(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST_F(Foreign, OverlapsNoLiveTensor) {
  Memory memory(64);
  auto owner = memory.owner();
  auto write = [&](size_t offset, Extents extents, Extents strides) {
    return Tensor<float>::fromForeign(memory.at(offset), extents, strides,
                                      owner);
  };
  auto read = [&](size_t offset, Extents extents, Extents strides) {
    return Shared<float>::fromForeign(memory.at(offset), extents, strides,
                                      owner);
  };
  {
    auto left = write(0, {4, 2}, {4, 1});
    EXPECT_NE(refused([&] {
                auto t = write(4, {4}, {1});
              }).find("overlaps a live tensor"),
              std::string::npos);
    EXPECT_NE(refused([&] { auto t = read(4, {4}, {1}); }), "nothing");
    // Beside it, though their bytes lie between each other.
    auto right = write(8, {4, 2}, {4, 1});
  }
  auto all = read(0, {16}, {1}), part = read(16, {3, 4}, {0, 1});
  EXPECT_NE(refused([&] { auto t = write(0, {1}, {1}); }), "nothing");
  EXPECT_FALSE(std::move(all).tryUnique());
  auto own = Tensor<float>::zeros({4});
  EXPECT_NE(refused([&] {
              auto t = Shared<float>::fromForeign(
                  reinterpret_cast<void *>(own.address()), {4}, {1}, owner);
            }),
            "nothing");
}

TEST_F(Foreign, KeepsTheOwnerWhereNobodyKnows) {
  Memory memory(64);
  uint64_t before = Device::get().memory().failedFrees;
  simulated.simDelay(2000);
  std::optional<Tensor<float>> copy;
  {
    auto t = Tensor<float>::fromForeign(memory.at(), {16}, {1}, memory.owner());
    copy = t.clone(Stream::create());
    simulated.simFailCall("cuEventRecord", 1, 1);
  }
  simulated.simStopFailing();
  EXPECT_EQ(Device::get().memory().failedFrees, before + 1);
  copy.reset();
  Device::get().synchronize();
  EXPECT_EQ(*memory.frees, 0);
  simulated.simDelay(200);
}

/// Random views of one allocation: accepted ones share no element, and what is
/// refused shares one, or is of strides that do not agree.
TEST_F(Foreign, RandomViewsAreApart) {
  std::mt19937 random(11);
  auto below = [&](unsigned n) { return static_cast<int64_t>(random() % n); };
  int accepted = 0, rejected = 0;
  for (int run = 0; run < (girih::test::isLong ? 30000 : 300); ++run) {
    Memory memory(4 * 64);
    auto owner = memory.owner();
    std::vector<Tensor<float>> live;
    std::vector<int> users(64);
    for (int k = 0; k < 6; ++k) {
      int64_t first = below(40), rows = 1 + below(3), columns = 1 + below(4);
      Extents extents{rows, columns}, strides{below(10), 1 + below(2)};
      std::vector<int> own(64);
      bool outside = false;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
          int64_t at = first + i * strides[0] + j * strides[1];
          outside |= at >= 64;
          own[static_cast<size_t>(std::min<int64_t>(at, 63))]++;
        }
      }
      bool clashes = outside;
      for (size_t at = 0; at < 64; ++at) {
        clashes |= own[at] > 1 || (own[at] && users[at]);
      }
      try {
        live.push_back(Tensor<float>::fromForeign(
            memory.at(4 * static_cast<size_t>(first)), extents, strides,
            owner));
        ASSERT_FALSE(clashes) << "run " << run;
        for (size_t at = 0; at < 64; ++at) {
          users[at] += own[at];
        }
        ++accepted;
      } catch (const RuntimeError &) {
        ++rejected;
      }
    }
  }
  EXPECT_GT(accepted, rejected / 4);
  EXPECT_GT(rejected, accepted / 10);
}

//===-- DLPack -----------------------------------------------------------===//

/// A tensor of others, which counts calls of its deleter.
struct Exported {
  Memory memory{64};
  std::vector<int64_t> shape{2, 4}, strides{4, 1};
  std::atomic<int> deletions = 0;
  dlpack::Managed managed;

  Exported() {
    managed.major = 1;
    managed.minor = 3;
    managed.context = this;
    managed.deleter = [](dlpack::Managed *self) {
      auto *whole = static_cast<Exported *>(self->context);
      ++whole->deletions;
      // What waits for this may destroy all of it.
      whole->memory.free();
    };
    managed.tensor = {memory.at(),  {2, 0},         2, {2, 32, 1},
                      shape.data(), strides.data(), 0};
  }
  DLManagedTensorVersioned *get() {
    return reinterpret_cast<DLManagedTensorVersioned *>(&managed);
  }
};

TEST_F(Foreign, DLPackIsTakenAndGivenBackOnce) {
  Exported from;
  from.memory.fill({0, 1, 2, 3, 4, 5, 6, 7, 8});
  from.managed.tensor.byteOffset = 4;
  {
    auto t = Tensor<float>::fromDLPack(from.get());
    EXPECT_EQ(t.toHost(), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
    auto other = std::move(t).permute({1, 0});
    EXPECT_EQ(from.deletions, 0);
  }
  EXPECT_TRUE(from.memory.isFreed());
  EXPECT_EQ(from.deletions, 1);
}

TEST_F(Foreign, DLPackWithoutStridesIsRowMajor) {
  Exported from;
  from.memory.fill({0, 1, 2, 3, 4, 5, 6, 7});
  from.managed.tensor.strides = nullptr;
  from.managed.flags = dlpack::readOnly;
  {
    auto t = Shared<float>::fromDLPack(from.get());
    EXPECT_EQ(t.slice(0, 1, 2).toHost(), (Floats{4, 5, 6, 7}));
    EXPECT_FALSE(std::move(t).tryUnique());
  }
  EXPECT_TRUE(from.memory.isFreed());
}

TEST_F(Foreign, DLPackRefuses) {
  Exported from;
  using Change = std::function<void(dlpack::Managed &)>;
  const std::pair<Change, const char *> cases[] = {
      {[](auto &m) { m.major = 2; }, "it has version 2.3, not 1"},
      {[](auto &m) { m.major = 0; }, "it has version 0.3, not 1"},
      {[](auto &m) { m.flags = dlpack::readOnly; }, "take it as a Shared"},
      {[](auto &m) { m.flags = dlpack::paddedSubBytes; }, "padded to bytes"},
      {[](auto &m) { m.tensor.dtype.code = 0; }, "code 0, 32 bits and 1 lanes"},
      {[](auto &m) { m.tensor.dtype.bits = 16; }, "code 2, 16 bits"},
      {[](auto &m) { m.tensor.dtype.lanes = 4; }, "4 lanes"},
      {[](auto &m) { m.tensor.dtype.lanes = 0; }, "0 lanes"},
      {[](auto &m) { m.tensor.device.type = 1; }, "its device is of type 1"},
      {[](auto &m) { m.tensor.device.type = 10; }, "its device is of type 10"},
      {[](auto &m) { m.tensor.device.id = 1; }, "it lies on device 0"},
      {[](auto &m) { m.tensor.ndim = -1; }, "-1 axes"},
      {[](auto &m) { m.tensor.ndim = 65; }, "65 axes"},
      {[](auto &m) { m.tensor.shape = nullptr; }, "it has no shape"},
      {[](auto &m) { m.tensor.shape[0] = -2; }, "extents [-2, 4]"},
      {[](auto &m) { m.tensor.strides[0] = -4; }, "stride -4 of axis 0"},
      {[](auto &m) { m.tensor.strides[0] = 2; }, "may overlap"},
      {[](auto &m) { m.tensor.byteOffset = UINT64_MAX; },
       "are beyond the last address"},
      {[](auto &m) { m.tensor.byteOffset = 2; }, "is not a multiple of 4"},
      {[](auto &m) { m.tensor.byteOffset = 36; }, "the memory there ends"},
      {[](auto &m) { m.tensor.data = nullptr; }, "a null pointer"},
  };
  for (const auto &[change, why] : cases) {
    dlpack::Managed whole = from.managed;
    from.shape = {2, 4};
    from.strides = {4, 1};
    change(from.managed);
    std::string text =
        refused([&] { auto t = Tensor<float>::fromDLPack(from.get()); });
    EXPECT_NE(text.find(why), std::string::npos) << why << "\n" << text;
    from.managed = whole;
  }
  EXPECT_NE(refused([&] { auto t = Tensor<float>::fromDLPack(nullptr); }),
            "nothing");
  EXPECT_NE(refused([&] { auto t = Tensor<uint32_t>::fromDLPack(from.get()); }),
            "nothing");
  EXPECT_NE(refused([&] { auto t = Tensor<i4>::fromDLPack(from.get()); }),
            "nothing");
  // All of that is the caller's still.
  EXPECT_EQ(from.deletions, 0);
  from.memory.free();
}

TEST_F(Foreign, DLPackDeleterMayBeNull) {
  Exported from;
  from.managed.deleter = nullptr;
  {
    auto t = Tensor<float>::fromDLPack(from.get(), Stream::create());
    EXPECT_EQ(t.count(), 8);
  }
  EXPECT_EQ(*from.memory.frees, 0);
  Device::get().synchronize();
  from.memory.free();
}

dlpack::Managed &open(DLManagedTensorVersioned *handle) {
  return *reinterpret_cast<dlpack::Managed *>(handle);
}

TEST_F(Foreign, IsGivenToOthers) {
  Stream theirs = Stream::create();
  auto functions = *runtime::openHostFunctions();
  simulated.simDelay(2000);
  for (int k = 0; k < 20; ++k) {
    auto t = Tensor<float>::copyFrom(Floats{1, 2, 3, 4, 5, 6}, {2, 3})
                 .permute({1, 0});
    auto address = t.address();
    auto *handle = std::move(t).toDLPack(theirs);
    dlpack::Managed &managed = open(handle);
    EXPECT_EQ(managed.major, 1u);
    EXPECT_EQ(managed.flags, 0u);
    EXPECT_EQ(managed.tensor.data, reinterpret_cast<void *>(address));
    EXPECT_EQ(managed.tensor.device.type, 2);
    EXPECT_EQ(managed.tensor.device.id, 0);
    EXPECT_EQ(managed.tensor.dtype.code, 2);
    EXPECT_EQ(managed.tensor.dtype.bits, 32);
    EXPECT_EQ(managed.tensor.dtype.lanes, 1);
    ASSERT_EQ(managed.tensor.ndim, 2);
    EXPECT_EQ(managed.tensor.shape[0], 3);
    EXPECT_EQ(managed.tensor.strides[0], 1);
    EXPECT_EQ(managed.tensor.strides[1], 3);
    EXPECT_EQ(Device::get().memory().live, 24u);
    // They use it on their stream, and let go at once.
    ASSERT_EQ(functions.fill32Behind(address, 7, 6, theirs.handle()), 0);
    managed.deleter(&managed);
    EXPECT_EQ(Device::get().memory().live, 0u);
  }
  simulated.simDelay(200);
}

TEST_F(Foreign, IsGivenToReaders) {
  Stream theirs = Stream::create();
  auto share =
      Tensor<uint16_t>::copyFrom(std::vector<uint16_t>{1, 2}, {2}).share();
  auto *handle = share.toDLPack(theirs);
  EXPECT_EQ(open(handle).flags, dlpack::readOnly);
  EXPECT_EQ(open(handle).tensor.dtype.code, dlpack::codeUInt);
  EXPECT_EQ(share.toHost(), (std::vector<uint16_t>{1, 2}));
  EXPECT_FALSE(std::move(share).tryUnique());
  open(handle).deleter(&open(handle));
  EXPECT_TRUE(std::move(share).tryUnique());
}

TEST_F(Foreign, ComesHome) {
  auto t = Tensor<float>::copyFrom(Floats{1, 2, 3}, {3});
  auto *handle = std::move(t).toDLPack(Stream::create());
  auto back = Tensor<float>::fromDLPack(handle, Stream::create());
  EXPECT_EQ(back.toHost(), (Floats{1, 2, 3}));
  auto *read = std::move(back).share().toDLPack(Stream::create());
  EXPECT_NE(refused([&] { auto u = Tensor<float>::fromDLPack(read); }),
            "nothing");
  EXPECT_EQ(Shared<float>::fromDLPack(read).toHost(), (Floats{1, 2, 3}));
}

/// Makes a stream wait for all that another one has now.
void bringBehind(const Stream &late, const Stream &early) {
  auto t = Tensor<float>::copyFrom(Floats{1}, {1}, early).clone(late);
}

TEST_F(Foreign, ComesHomeBehindWhatTheyDid) {
  auto functions = *runtime::openHostFunctions();
  simulated.simDelay(2000);
  for (int k = 0; k < 10; ++k) {
    Stream theirs = Stream::create(), ours = Stream::create();
    auto t = Tensor<float>::copyFrom(Floats(4, 1), {4});
    auto address = t.address();
    auto *handle = std::move(t).toDLPack(theirs);
    // Ours has waited for theirs already, before they use it.
    bringBehind(ours, theirs);
    ASSERT_EQ(functions.fill32Behind(address, 0x40000000, 4, theirs.handle()),
              0);
    auto back = Tensor<float>::fromDLPack(handle);
    EXPECT_EQ(back.clone(ours).toHost(), Floats(4, 2));
  }
  simulated.simDelay(200);
}

TEST_F(Foreign, IsWrittenBehindTheirReaders) {
  auto functions = *runtime::openHostFunctions();
  simulated.simDelay(2000);
  for (int k = 0; k < 10; ++k) {
    Stream theirs = Stream::create(), ours = Stream::create();
    auto share = Tensor<float>::copyFrom(Floats(4, 1), {4}).share();
    auto to = Tensor<float>::zeros({4}, theirs);
    auto *handle = share.toDLPack(theirs);
    bringBehind(ours, theirs);
    ASSERT_EQ(functions.copyOnDeviceBehind(to.address(), share.address(), 16,
                                           theirs.handle()),
              0);
    open(handle).deleter(&open(handle));
    auto own = std::move(share).tryUnique();
    ASSERT_TRUE(own);
    // The first use there makes it the stream of the next one.
    auto copy = own->clone(ours);
    auto pieces = std::move(*own).partition({4});
    auto piece = pieces[0];
    piece.assign(Floats(4, 9));
    theirs.synchronize();
    EXPECT_EQ(to.toHost(), Floats(4, 1));
  }
  simulated.simDelay(200);
}

TEST_F(Foreign, IsNotGivenInHalves) {
  auto t = Tensor<f4e2m1>::zeros({4});
  EXPECT_EQ(refused([&] { (void)std::move(t).toDLPack(Stream::create()); }),
            "DLPack: elements of f4E2M1FN are not exchanged");
  auto u = Tensor<float>::zeros({4});
  EXPECT_NE(refused([&] {
              (void)std::move(u).toDLPack(Stream::create(Device::get(1)));
            }),
            "nothing");
  EXPECT_EQ(u.count(), 4); // refused, it stays
}

} // namespace
