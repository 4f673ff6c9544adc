// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made up contents against all that there are: the executor has some exactly
// if some exist, they fit element and memory, and keep what is given, element
// by element or in closed form.

#include "spec/executor/launch/Preconditions.h"
#include "tests/unit/executor/Launching.h"

#include <random>

namespace girih::exec {
namespace {

constexpr int draws = 300;

struct Random {
  std::mt19937_64 engine;
  int64_t below(int64_t n) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(n));
  }
  template <typename T> T pick(std::vector<T> from) {
    return from[static_cast<size_t>(below(std::ssize(from)))];
  }
};

/// One to three facts about %t, with numbers at which elements end.
std::string givens(Random &r, bool isLine) {
  auto end = [&] {
    return std::to_string(
        r.pick<int64_t>({-300, -129, -128, -127, -2, -1, 0, 0, 1, 2, 3, 126,
                         127, 128, 129, 300, 40000, int64_t(1) << 33}));
  };
  std::string out;
  for (int64_t n = 1 + r.below(3); n > 0; --n) {
    int64_t kind = r.below(isLine ? 5 : 3);
    out += out.empty() ? "" : ", ";
    out += kind < 2    ? "within(%t, " + end() + ", " + end() + ")"
           : kind == 2 ? "distinct(%t)"
           : kind == 3 ? "sorted(%t)"
                       : "splits(%t, " + end() + ")";
  }
  return out;
}

struct Drawn {
  std::unique_ptr<Kernel> kernel;
  std::optional<AdmittedLaunch> launch;
  std::string text;
};

/// A kernel over one tensor of such extents and strides, and its launch.
Drawn draw(Random &r, const std::string &dims, const std::string &strides,
           const std::string &element, bool isLine) {
  Drawn d;
  d.text = "!T = !tile.tensor<[" + dims + "] x " + element + ", shared" +
           (strides.empty() ? "" : ", strides [" + strides + "]") +
           ">\ntile.kernel @k(%t: !T) grid [1] given [" + givens(r, isLine) +
           "] {\n}\n";
  d.kernel = std::make_unique<Kernel>(d.text);
  EXPECT_TRUE(d.kernel->file) << d.kernel->errors;
  d.launch = checkLaunch(d.kernel->file->kernel, {}, 64).launch;
  EXPECT_TRUE(d.launch) << d.text;
  return d;
}

/// What the facts say, as their table in spec/tile.md does.
bool keeps(const AdmittedLaunch &launch, const std::vector<int64_t> &v) {
  for (const Precondition &g : launch.givens) {
    for (size_t i = 0; i < v.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (g.kind == tile::GivenKind::Distinct ? v[i] == v[j]
            : g.kind == tile::GivenKind::Within ? false
                                                : v[j] > v[i]) {
          return false;
        }
      }
      if (g.kind == tile::GivenKind::Within &&
          (v[i] < g.low || v[i] >= g.high)) {
        return false;
      }
    }
    if (g.kind == tile::GivenKind::Splits &&
        (v.empty() || v.front() != 0 || v.back() != g.high)) {
      return false;
    }
  }
  return true;
}

TEST(Preconditions, ContentsAreMadeUpExactlyIfThereAreSome) {
  Random r{std::mt19937_64(11)};
  size_t some = 0;
  for (int i = 0; i < draws; ++i) {
    int64_t rows = r.pick<int64_t>({0, 1, 1, 2, 2}), columns = 1;
    bool isLine = r.below(3) > 0;
    int64_t stride = r.pick<int64_t>({-1, -1, 0, 1, 3});
    Drawn d =
        draw(r, std::to_string(rows) + (isLine ? "" : ", 1"),
             stride < 0 ? "" : std::to_string(stride) + (isLine ? "" : ", 1"),
             "i8", isLine);
    ASSERT_TRUE(d.launch);
    size_t count = static_cast<size_t>(rows * columns);
    bool exist = false;
    for (int64_t n = 0, all = int64_t(1) << (8 * count); n < all && !exist;
         ++n) {
      std::vector<int64_t> v(count);
      for (size_t k = 0; k < count; ++k) {
        v[k] = static_cast<int8_t>(n >> (8 * k));
      }
      exist = keeps(*d.launch, v) && (stride != 0 || count < 2 || v[0] == v[1]);
    }
    Contents contents;
    std::string error =
        makeUpContents(d.kernel->file->kernel, *d.launch, 5, contents);
    ASSERT_EQ(error.empty(), exist) << error << "\n" << d.text;
    some += exist;
    if (exist) {
      const Array &made = contents.arrays.at("t");
      EXPECT_TRUE(keeps(*d.launch, made.ints)) << d.text;
      EXPECT_EQ(elementError(made), "") << d.text;
      EXPECT_EQ(placeError(*d.launch->tensors[0], made), "") << d.text;
      EXPECT_EQ(givenError(d.kernel->file->kernel, *d.launch, contents), "");
    }
    Result result = d.kernel->run({});
    ASSERT_EQ(result.contractError.empty(), exist) << d.text;
  }
  EXPECT_GT(some, draws / 8u);
  EXPECT_LT(some, draws - draws / 8u);
}

TEST(Preconditions, ClosedFormsKeepWhatListsKeep) {
  Random r{std::mt19937_64(12)};
  size_t some = 0;
  for (int i = 0; i < draws; ++i) {
    int64_t n = r.pick<int64_t>(
        {maxListedElements + 1, 40000, int64_t(1) << 31, int64_t(1) << 40});
    bool isLine = r.below(3) > 0;
    Drawn d = draw(r, std::to_string(n) + (isLine ? "" : ", 3"),
                   r.below(4) ? ""
                   : isLine   ? "0"
                              : "3, 1",
                   r.pick<std::string>({"i8", "i16", "i32", "i64"}), isLine);
    ASSERT_TRUE(d.launch);
    const Layout &layout = *d.launch->tensors[0];
    Contents contents;
    if (!makeUpContents(d.kernel->file->kernel, *d.launch, 7, contents)
             .empty()) {
      continue;
    }
    ++some;
    ASSERT_EQ(givenError(d.kernel->file->kernel, *d.launch, contents), "");
    // A sample in ascending order keeps whatever all of them do; both ends are
    // in it.
    const ClosedForm &form = contents.forms.at("t");
    int64_t count = n * (isLine ? 1 : 3);
    std::set<int64_t> places = {0, 1, count - 2, count - 1};
    for (int k = 0; k < 60; ++k) {
      places.insert(r.below(count));
    }
    std::vector<int64_t> sample;
    for (int64_t at : places) {
      int64_t address = layout.strides.back() == 0 ? 0 : at;
      Wide x = form.at(at, address);
      ASSERT_EQ(elementError({layout.kind, {1}, {}, {int64_t(x)}}), "")
          << d.text;
      sample.push_back(int64_t(x));
    }
    ASSERT_TRUE(keeps(*d.launch, sample)) << d.text;
    // One wrong number is seen.
    ClosedForm &wrong = contents.forms.at("t");
    wrong.low = -(Wide(1) << 64);
    EXPECT_NE(givenError(d.kernel->file->kernel, *d.launch, contents), "")
        << d.text;
  }
  EXPECT_GT(some, draws / 10u);
}

} // namespace
} // namespace girih::exec
