// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that no one means: huge, deep, on many threads, left by exceptions.

#include "Recorded.h"
#include <ctime>
#include <thread>
using namespace girih::kernel;
using namespace girih::kernel::test;

namespace {
constexpr Sym N{"N"};

template <int count> struct chain {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    auto v = load<_>(x, {i});
    for (int k = 0; k < count; ++k) {
      v = v * 2 + x0;
    }
    store(y, {i}, v);
  }
  static constexpr int x0 = 1;
};
/// A store after each trip, of a value that needs all trips before.
template <int count> struct stores {
  Shared<f32, N> x;
  Own<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    auto v = load<_>(x, {i});
    for (int k = 0; k < count; ++k) {
      v = exp(v);
      store<_>(y, {i}, v);
    }
  }
};
/// Loops and branches within each other.
template <int depth> struct nest {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    Scalar<f32> v = 1;
    in(i, v, depth);
    store<_>(y, {i}, v);
  }
  void in(const Index &n, Scalar<f32> &v, int left) {
    if (!left) {
      v = v + 1;
    } else if (left % 2) {
      for (Index k : range(n)) {
        in(k, v, left - 1);
      }
    } else {
      if_(n < 3, [&] { in(n, v, left - 1); });
    }
  }
};
struct small {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    store<_>(y, {i}, Scalar<f32>(1));
  }
};
struct thrower {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    Scalar<f32> v = 1;
    for (Index k : range(i)) {
      v = v + 1;
      if_(k < 2, [&] {
        v = v * 2;
        throw std::runtime_error("of the author's own");
      });
    }
    store<_>(y, {i}, v);
  }
};
struct breaks {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    for (Index k : range(i)) {
      store<_>(y, {k}, Scalar<f32>(1));
      break;
    }
  }
};
struct nested {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    record<small>();
    store<_>(y, {i}, Scalar<f32>(1));
  }
};
struct survives {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    try {
      record<small>();
    } catch (const Error &) {
      // The kernel that is being recorded goes on.
    }
    store<_>(y, {i}, Scalar<f32>(2));
  }
};

/// The least CPU time of three runs.
template <class F> double secondsOf(F run) {
  double least = 1e9;
  for (int k = 0; k < 3; ++k) {
    timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    run();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    least = std::min(least, double(end.tv_sec - begin.tv_sec) +
                                1e-9 * double(end.tv_nsec - begin.tv_nsec));
  }
  return least;
}
/// Eight times the size takes about eight times as long; quadratic would be 64.
template <class Small, class Large> void expectLinear(const char *what) {
  double one = secondsOf([] { record<Small>(); }),
         eight = secondsOf([] { record<Large>(); });
  EXPECT_LT(eight, 24 * one) << what << ": " << one << " s, " << eight << " s";
}
} // namespace

TEST(Hostile, TenThousandOpsInAChain) {
  auto lines = bodyOf<chain<5000>>();
  size_t ops = 0;
  for (const std::string &line : lines) {
    ops += line.find("arith.mulf") != std::string::npos ||
           line.find("arith.addf") != std::string::npos;
  }
  EXPECT_EQ(ops, 10000u);
}
TEST(Hostile, ALongKernelTakesLinearTime) {
  expectLinear<chain<600>, chain<4800>>("a chain");
  expectLinear<stores<600>, stores<4800>>("stores");
}
TEST(Hostile, MoreOpsThanAKernelHasAreRefused) {
  EXPECT_EQ(
      errorOf<chain<10000>>(),
      "a kernel has at most 16384 ops: is a loop of C++ to be a range()?");
  EXPECT_EQ(errorOf<small>(), "accepted");
}
TEST(Hostile, DeepNests) {
  auto lines = bodyOf<nest<200>>();
  size_t loops = 0, branches = 0;
  for (const std::string &line : lines) {
    loops += line.find("scf.for") != std::string::npos;
    branches += line.find("scf.if") != std::string::npos;
  }
  EXPECT_EQ(loops, 100u);
  EXPECT_EQ(branches, 100u);
}
TEST(Hostile, DeepNestsTakePolynomialTime) {
  double one = secondsOf([] { record<nest<50>>(); }),
         four = secondsOf([] { record<nest<200>>(); });
  // Indentation alone is quadratic.
  EXPECT_LT(four, 64 * one) << one << " s, " << four << " s";
}
TEST(Hostile, ThreadsRecordWhatOneThreadDoes) {
  std::string alone = record<nest<20>>().text,
              chained = record<chain<50>>().text;
  std::vector<std::string> texts(16);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < texts.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 20; ++k) {
        texts[t] = (t % 2 ? record<nest<20>>() : record<chain<50>>()).text;
        if (t % 3 == 0) {
          errorOf<breaks>();
        }
      }
    });
  }
  for (std::thread &t : threads) {
    t.join();
  }
  for (size_t t = 0; t < texts.size(); ++t) {
    EXPECT_EQ(texts[t], t % 2 ? alone : chained);
  }
}
TEST(Hostile, ATileOfAnotherThreadsKernelIsRefused) {
  // One of a first kernel, used in the first kernel of a second thread
  const Scalar<f32> *leaked = nullptr;
  std::string message;
  recorder::begin();
  recorder::openKernel("T [K = k]", Place::current());
  Scalar<f32> tile = 1;
  leaked = &tile;
  std::thread other([&] {
    recorder::begin();
    recorder::openKernel("T [K = k]", Place::current());
    try {
      leaked->value(Place::current());
      message = "accepted";
    } catch (const Error &error) {
      message = error.message;
    }
    recorder::abandon();
  });
  other.join();
  recorder::abandon();
  EXPECT_EQ(message, "a tile outlived the kernel that made it: no tile is "
                     "static or global");
}
TEST(Hostile, AnExceptionLeavesNothingBehind) {
  std::string before = record<small>().text;
  for (int k = 0; k < 3; ++k) {
    EXPECT_THROW(record<thrower>(), std::runtime_error);
    EXPECT_EQ(record<small>().text, before);
    EXPECT_NE(errorOf<breaks>(), "accepted");
    EXPECT_EQ(record<small>().text, before);
  }
}
TEST(Hostile, RecordWithinRecord) {
  EXPECT_EQ(errorOf<nested>(),
            "a kernel is being recorded on this thread already");
  EXPECT_EQ(errorOf<small>(), "accepted");
  EXPECT_TRUE(has(bodyOf<survives>(), "arith.constant 2.0"));
}
namespace {
template <int number> struct variant {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    store<_>(y, {i}, Scalar<f32>(number));
  }
};
struct askedTwice : Variants<variant<1>, variant<2>> {
  void operator()() {
    when<variant<1>>(N <= 8);
    when<variant<1>>(N >= 64);
  }
};
} // namespace

TEST(Hostile, AVariantHasOneSetOfConditions) {
  EXPECT_EQ(errorOf<askedTwice>(),
            "variant variant_1 has its conditions already: one `when` says all "
            "of them");
}
TEST(Hostile, NothingIsTracedOutsideOfAKernel) {
  EXPECT_THROW(Index(1), Error);
  EXPECT_NO_THROW(Scalar<f32>(1)); // a number for a call
  EXPECT_THROW(N + 1, Error);
}

namespace {
// Names of launch symbols that are none
template <int which> struct symbolNamed {
  static constexpr Sym names[] = {
      "x",       "index",  "i32",      "bf16", "ceildiv", "dense",
      "f8E4M3X", "a b",    "\xC3\xA4", "_a",   "9",       "a-b",
      "?",       "vector", "loc",      "x]",   "%a",      "a\n"};
  Out<f32, names[which]> y;
  void operator()() {
    auto [i] = grid(names[which]);
    store<_>(y, {i}, Scalar<f32>(1));
  }
};
template <int which> void expectRefused() {
  EXPECT_NE(errorOf<symbolNamed<which>>(), "accepted")
      << symbolNamed<which>::names[which].name;
}
template <int... which>
void expectAllRefused(std::integer_sequence<int, which...>) {
  (expectRefused<which>(), ...);
}
} // namespace

TEST(Hostile, NamesThatNameNoSymbol) {
  expectAllRefused(std::make_integer_sequence<int, 18>());
}
