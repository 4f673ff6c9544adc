// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, shares and pieces on the simulated driver, which finds races, uses
// after a free and leaks: what they hold, what the ledger refuses, and random
// programs over threads and streams, whose results are those of the host.

#include "runtime/artefact/Element.h"
#include "runtime/host/Partition.h"
#include "tests/simulated/Artefacts.h"
#include "tests/unit/Long.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <thread>

using namespace girih;
using Floats = std::vector<float>;

namespace {

struct Values : testing::Test {
  int known = tests::simulated().simErrors();
  uint64_t lost = Device::get().memory().failedFrees;

  void TearDown() override {
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().live, 0u);
    EXPECT_EQ(Device::get().memory().failedFrees, lost);
    EXPECT_EQ(tests::simulated().errors(known), std::vector<std::string>());
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

  /// 0 to 11, in three rows of four.
  static Tensor<float> counted() {
    Floats v(12);
    std::iota(v.begin(), v.end(), 0.0f);
    return Tensor<float>::copyFrom(v, {3, 4});
  }
};

TEST_F(Values, AreReadBackBesideTheHost) {
  auto t = counted();
  Floats before(12), after(12, 3.5f);
  std::iota(before.begin(), before.end(), 0.0f);
  Readback<float> first = t.readBack(), again = first;
  t.assign(after); // behind the copy
  Readback<float> second = t.readBack();
  {
    Readback<float> dropped = t.readBack();
  }
  {
    auto gone = std::move(t); // its memory is free behind the copies
  }
  EXPECT_EQ(second.get(), after);
  EXPECT_EQ(first.get(), before);
  EXPECT_EQ(again.get(), before);
  EXPECT_TRUE(again.isReady());
  Readback<float> none = Tensor<float>::empty({0, 4}).readBack();
  EXPECT_TRUE(none.isReady());
  EXPECT_EQ(none.get(), Floats());
  Shared<float> half = counted().share().slice(0, 1, 2);
  EXPECT_EQ(half.readBack().get(), (Floats{4, 5, 6, 7}));
  // More than what is kept.
  Floats many((1 << 18) + 1, 2.0f);
  std::int64_t count = std::ssize(many);
  EXPECT_EQ(Tensor<float>::copyFrom(many, {count}).readBack().get(), many);
  std::string why = "only a tensor without gaps, of whole bytes, is read back; "
                    "toHost reads others";
  auto turned = counted().permute({1, 0});
  EXPECT_EQ(refused([&] { (void)turned.readBack(); }), why);
  auto columns = counted().slice(1, 0, 2);
  EXPECT_EQ(refused([&] { (void)columns.readBack(); }), why);
}

TEST_F(Values, AreSeenThroughViews) {
  auto t = counted().permute({1, 0});
  Floats turned{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11};
  EXPECT_EQ(t.toHost(), turned);
  EXPECT_EQ(t.clone().toHost(), turned);
  auto rows = std::move(t).slice(0, 1, 3);
  EXPECT_EQ(rows.toHost(), (Floats{1, 5, 9, 2, 6, 10}));
  EXPECT_EQ(rows.clone().toHost(), rows.toHost());
}

TEST_F(Values, HaveNoShapeThatStridesDoNotGive) {
  auto t = counted().permute({1, 0});
  EXPECT_NE(refused([&] { auto r = std::move(t).reshape({12}); }), "nothing");
}

TEST_F(Values, AreUniqueWithTheLastShare) {
  auto share = counted().share();
  {
    auto other = share;
    EXPECT_FALSE(std::move(share).tryUnique());
  }
  auto unique = std::move(share).tryUnique();
  ASSERT_TRUE(unique.has_value());
  EXPECT_EQ(unique->toHost()[11], 11);
}

TEST_F(Values, AreNotUsedAfterTheyMoved) {
  auto share = counted().share();
  auto other = std::move(share);
  EXPECT_EQ(refused([&] { share.count(); }), "the shared tensor was moved");
}

TEST_F(Values, AreWrittenThroughPieces) {
  auto pieces = counted().slice(1, 0, 3).partition({1, 2});
  EXPECT_EQ(pieces.size(), 6u);
  {
    auto first = pieces[0], last = pieces[5];
    EXPECT_NE(refused([&] { auto twice = pieces[0]; }), "nothing");
    first.assign(Floats{100, 200});
    last.assign(Floats{7});
    EXPECT_NE(refused([&] { auto t = std::move(pieces).join(); }), "nothing");
  }
  auto joined = std::move(pieces).join();
  EXPECT_EQ(joined.toHost(), (Floats{100, 200, 2, 4, 5, 6, 8, 9, 7}));
}

TEST_F(Values, AreNotWrittenWhileTheyAreInPieces) {
  auto t = counted();
  Access whole = accessOf(t, AccessMode::Read);
  auto pieces = std::move(t).partition({3, 4});
  EXPECT_EQ(refused([&] { acquire({&whole, 1}, Stream::create()); }),
            "argument 0 is out in pieces");
  EXPECT_EQ(refused([&] { t.count(); }), "the tensor was moved");
}

TEST_F(Values, LieOnTheDeviceOfTheStream) {
  auto t = counted();
  Access access = accessOf(t, AccessMode::Read);
  Stream other = Stream::create(Device::get(1));
  EXPECT_EQ(refused([&] { acquire({&access, 1}, other); }),
            "argument 0 lies on device 0, the stream is of device 1");
}

TEST_F(Values, SharedAreOnlyRead) {
  auto share = counted().share();
  EXPECT_EQ(refused([&] { accessOf(share, AccessMode::Write); }),
            "a shared tensor is only read");
}

//===-- Four bits -----------------------------------------------------------//

using Nibbles = std::vector<int>;

Nibbles numbersOf(const std::vector<i4> &elements) {
  Nibbles out;
  for (i4 element : elements) {
    EXPECT_LT(element.bits, 16);
    out.push_back(element.bits);
  }
  return out;
}
std::vector<i4> nibbles(const Nibbles &numbers) {
  std::vector<i4> out;
  for (int number : numbers) {
    out.push_back({static_cast<uint8_t>(number)});
  }
  return out;
}

TEST_F(Values, OfFourBitsShareBytes) {
  auto t = Tensor<i4>::copyFrom(nibbles({2, 1, 4, 3, 6}), {5});
  EXPECT_EQ(numbersOf(t.toHost()), (Nibbles{2, 1, 4, 3, 6}));
  EXPECT_EQ(numbersOf(t.clone().toHost()), (Nibbles{2, 1, 4, 3, 6}));
  t.assign(nibbles({15, 14, 13, 12, 11}));
  EXPECT_EQ(numbersOf(t.toHost()), (Nibbles{15, 14, 13, 12, 11}));
  // Bits beyond the four are not the neighbour's.
  t.assign(nibbles({0xf1, 0xf2, 0xf3, 0xf4, 0xf5}));
  EXPECT_EQ(numbersOf(t.toHost()), (Nibbles{1, 2, 3, 4, 5}));
  EXPECT_NE(refused([&] { auto odd = std::move(t).slice(0, 1, 3); }),
            "nothing");
  auto rest = std::move(t).slice(0, 2, 5);
  EXPECT_EQ(numbersOf(rest.toHost()), (Nibbles{3, 4, 5}));
}

TEST_F(Values, OfFourBitsAreWrittenInPieces) {
  auto t = Tensor<i4>::zeros({2, 6});
  EXPECT_NE(
      refused([&] { auto odd = Tensor<i4>::zeros({2, 6}).partition({1, 3}); }),
      "nothing");
  auto pieces = std::move(t).partition({1, 4});
  {
    auto first = pieces.take({0, 0}), last = pieces.take({1, 1});
    first.assign(nibbles({1, 2, 3, 4}));
    last.assign(nibbles({5, 6}));
    EXPECT_EQ(numbersOf(last.toHost()), (Nibbles{5, 6}));
  }
  EXPECT_EQ(numbersOf(std::move(pieces).join().toHost()),
            (Nibbles{1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 5, 6}));
}

/// Any shape and views, beside the same on the host; what begins within a byte
/// is refused and leaves the tensor as it was.
TEST_F(Values, OfFourBitsAreWhatTheHostHas) {
  std::mt19937 random(11);
  auto below = [&](int n) { return static_cast<int>(random() % n); };
  int refusals = 0;
  for (int round = 0; round < 200; ++round) {
    int64_t rows = 1 + below(4), columns = 1 + below(9);
    auto draw = [&] {
      Nibbles out(rows * columns);
      std::generate(out.begin(), out.end(), [&] { return below(16); });
      return out;
    };
    Nibbles wanted = draw();
    auto t = Tensor<i4>::copyFrom(nibbles(wanted), {rows, columns});
    for (int step = 0; step < 4; ++step) {
      switch (below(4)) {
      case 0:
        wanted = draw();
        t.assign(nibbles(wanted));
        break;
      case 1: {
        bool onRows = below(2);
        int64_t extent = onRows ? rows : columns;
        int64_t from = below(extent), to = from + 1 + below(extent - from);
        try {
          t = std::move(t).slice(onRows ? 0 : 1, from, to);
        } catch (const RuntimeError &) {
          ++refusals;
          break;
        }
        Nibbles kept;
        for (int64_t k = 0; k < rows * columns; ++k) {
          int64_t at = onRows ? k / columns : k % columns;
          if (at >= from && at < to) {
            kept.push_back(wanted[k]);
          }
        }
        wanted = kept;
        (onRows ? rows : columns) = to - from;
        break;
      }
      case 2: {
        t = std::move(t).permute({1, 0});
        Nibbles turned;
        for (int64_t k = 0; k < rows * columns; ++k) {
          turned.push_back(wanted[k % rows * columns + k / rows]);
        }
        wanted = turned;
        std::swap(rows, columns);
        break;
      }
      case 3:
        try {
          t = t.clone(Stream::create());
        } catch (const RuntimeError &) {
          ++refusals;
        }
        break;
      }
      EXPECT_EQ(numbersOf(t.toHost()), wanted) << "round " << round;
    }
  }
  EXPECT_GT(refusals, 20);
}

TEST_F(Values, HaveOneWriterOrReaders) {
  auto t = counted();
  Stream stream = Stream::create();
  Access both[] = {accessOf(t, AccessMode::Write),
                   accessOf(t, AccessMode::Read)};
  std::span<Access> writer(both, 1), reader(both + 1, 1);
  EXPECT_EQ(refused([&] { acquire(both, stream); }),
            "arguments 0 and 1 are one tensor, and argument 0 is written");
  acquire(writer, stream);
  EXPECT_EQ(refused([&] { acquire(reader, stream); }),
            "argument 0 is being written by another launch");
  Access second[] = {accessOf(t, AccessMode::Write)};
  EXPECT_EQ(refused([&] { acquire(second, stream); }),
            "argument 0 is being written by another launch");
  cancel(writer);
  acquire(reader, stream);
  EXPECT_NE(refused([&] { acquire(writer, stream); }), "nothing");
  cancel(reader);
}

// The public header repeats what it cannot include.
TEST(Elements, AreThoseOfArtefacts) {
  for (int k = 0; k <= static_cast<int>(Element::F4E2M1FN); ++k) {
    auto inside = static_cast<runtime::Element>(k);
    EXPECT_EQ(nameOf(static_cast<Element>(k)), runtime::nameOf(inside));
    bool half = runtime::isSubByte(inside);
    EXPECT_EQ(bitsOf(static_cast<Element>(k)),
              half ? 4 : 8 * runtime::bytesOf(inside));
  }
}

/// Some tensors and what each should hold, changed at random on three streams.
void runProgram(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return random() % n; };
  auto numbers = [&](size_t count) {
    std::vector<int> out(count);
    std::generate(out.begin(), out.end(), [&] { return int(random()); });
    return out;
  };
  std::vector<Stream> streams;
  for (int k = 0; k < 3; ++k) {
    streams.push_back(Stream::create());
  }
  auto anyStream = [&] { return streams[below(3)]; };
  constexpr int64_t rows = 4, columns = 6;
  std::vector<Tensor<int>> tensors;
  std::vector<std::vector<int>> wanted;
  for (int k = 0; k < 4; ++k) {
    wanted.push_back(numbers(rows * columns));
    tensors.push_back(
        Tensor<int>::copyFrom(wanted.back(), {rows, columns}, anyStream()));
  }
  for (int step = 0; step < 60; ++step) {
    unsigned i = below(4), j = below(4);
    switch (below(5)) {
    case 0:
      tensors[i] = tensors[j].clone(anyStream());
      wanted[i] = wanted[j];
      break;
    case 1:
      tensors[i] = Tensor<int>::zeros({rows, columns}, anyStream());
      wanted[i].assign(rows * columns, 0);
      break;
    case 2:
      EXPECT_EQ(tensors[i].toHost(), wanted[i]);
      break;
    case 3: {
      auto pieces = std::move(tensors[i]).partition({2, 4});
      for (int64_t number = 0; number < 4; ++number) {
        if (below(2)) {
          continue;
        }
        auto piece = pieces[number];
        int64_t row = number / 2 * 2, column = number % 2 * 4;
        int64_t width = std::min<int64_t>(4, columns - column);
        std::vector<int> written = numbers(2 * width);
        piece.assign(written);
        for (int64_t k = 0; k < 2 * width; ++k) {
          wanted[i][(row + k / width) * columns + column + k % width] =
              written[k];
        }
      }
      tensors[i] = std::move(pieces).join();
      break;
    }
    case 4: {
      auto share = std::move(tensors[i]).share();
      std::vector<Tensor<int>> clones;
      for (Stream &stream : streams) {
        clones.push_back(share.clone(stream));
      }
      if (below(2)) {
        EXPECT_EQ(clones[1].toHost(), wanted[i]);
      }
      tensors[i] = *std::move(share).tryUnique();
      break;
    }
    }
  }
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(tensors[k].toHost(), wanted[k]) << "program " << seed;
  }
}

TEST_F(Values, AreInOrderWhateverStreamsAndThreads) {
  tests::simulated().simDelay(300);
  unsigned rounds = girih::test::isLong ? 300 : 15;
  for (unsigned round = 0; round < rounds && !HasFailure(); ++round) {
    std::thread one(runProgram, 2 * round), other(runProgram, 2 * round + 1);
    one.join();
    other.join();
  }
}

TEST_F(Values, AreSharedAmongThreads) {
  auto share = Tensor<int>::zeros({1000}).share();
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k) {
    threads.emplace_back([share] {
      for (int n = 0; n < 20; ++n) {
        auto clone = share.clone();
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
}

} // namespace
