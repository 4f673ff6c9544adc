// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of what is easily taken for something else: operands, numbers,
// layouts, contracts.

#include "Recorded.h"
#include "ir/embed/Recording.h"
using namespace girih::kernel;
using namespace girih::kernel::test;

namespace {
constexpr Sym M{"M"}, N{"N"}, ld{"ld"};

struct operators {
  Shared<f32, N> x;
  Out<f32, N> y;
  Out<i32, N> z;
  Out<f8e8m0, N> low, high;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    auto v = load<8>(x, {i}, pad::zero);
    auto less = 2 - v;
    auto isNaN = v != v;
    store(y, {i}, where(isNaN, less, 4 / less));
    store(z, {i}, to<i32>(isNaN));
    store(low, {i}, to<f8e8m0>(v, toward::zero));
    store(high, {i}, to<f8e8m0>(v, toward::infinity));
  }
};

template <class Tensor> struct of {
  Tensor x;
  void operator()() { grid(1); }
};
/// The type of an argument.
template <class Tensor> std::string typeOf() {
  auto lines = linesOf(record<of<Tensor>>().text);
  std::string line = lines[lineWith(lines, "!X = ")];
  return line.substr(5);
}

template <class Tensor> struct tiled {
  Tensor x;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    load<8, 8>(x, {i, 0}, pad::zero);
  }
};

template <class T> std::string numberOf(double number) {
  recorder::begin();
  recorder::openKernel("T [K = k]", Place::current());
  std::string text = recorder::literal(elementOf<T>, number, {});
  recorder::abandon();
  return text;
}

struct padded {
  Shared<f32, N> x;
  Own<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    auto piece = claim<8>(y, {i});
    store(piece, load(piece, pad(-inf)) + load<8>(x, {i}, pad(inf)) +
                     load<8>(x, {0}, pad(nan)));
  }
};

struct counted {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(M, 8));
    for (Index k : range(ceildiv(N, 16))) {
      store(y, {i, k}, load<8, 16>(x, {i, k}, pad::zero));
    }
    for ([[maybe_unused]] Index k : range(ceildiv(N, 4))) {
      prove(i >= 0);
    }
  }
};

struct contract {
  Shared<f32, M, N> x;
  Out<f32, N> y;
  void operator()() {
    require(M >= 1);
    require(M - (N - 1) >= 0);
    require(M - N - 1 <= 7);
    require(M * (N + 1) <= 100 - (20 - M));
    auto [i] = grid(N - (M - 1));
    store<_>(y, {i}, load<_, _>(x, {0, i}));
  }
};

template <int N_> struct named {
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, N_));
    store(y, {i}, fill<f32, N_>(1));
  }
};
struct list : Variants<named<64>, named<128>, named<32>> {
  void operator()() {
    when<named<64>>(N >= 1000);
    when<named<128>>(N >= 500);
  }
};
} // namespace

TEST(Text, NumbersInFrontStayThere) {
  auto lines = bodyOf<operators>();
  EXPECT_TRUE(has(lines, "arith.subf %c2, %v"));
  EXPECT_TRUE(has(lines, "arith.divf %c4, %less"));
}
TEST(Text, RelationsOfNaN) {
  EXPECT_TRUE(has(bodyOf<operators>(), "arith.cmpf une, %v, %v"));
}
TEST(Text, MasksAreReadWithoutSign) {
  EXPECT_TRUE(has(bodyOf<operators>(), "arith.extui %isNaN"));
}
TEST(Text, DirectionsOfRounding) {
  auto lines = bodyOf<operators>();
  EXPECT_LT(lineWith(lines, "rounding(zero)"),
            lineWith(lines, "rounding(positive_inf)"));
}
TEST(Text, NumbersOfEachElement) {
  EXPECT_EQ(numberOf<f32>(0.1f), "0.1");
  EXPECT_EQ(numberOf<f64>(0.1f), "0.10000000149011612");
  EXPECT_EQ(numberOf<f64>(0.1), "0.1");
  EXPECT_EQ(numberOf<f32>(1e30f), "1.0e30");
  EXPECT_EQ(numberOf<bf16>(-3), "-3.0");
}
TEST(Text, StridesAndAlignment) {
  using X = Shared<f32, N, 8>;
  EXPECT_EQ(typeOf<X>(), "!tile.tensor<[N, 8] x f32, shared>");
  EXPECT_EQ((typeOf<With<X, strides<16, 1>>>()),
            "!tile.tensor<[N, 8] x f32, shared, strides [16, 1]>");
  EXPECT_EQ((typeOf<With<X, strides<ld, 1>>>()),
            "!tile.tensor<[N, 8] x f32, shared, strides [ld, 1]>");
  EXPECT_EQ((typeOf<With<X, align<4>>>()),
            "!tile.tensor<[N, 8] x f32, shared, align = 4>");
}
TEST(Text, StridesAndAlignmentInEitherOrder) {
  using X = Shared<f32, N, 8>;
  const char *want =
      "!tile.tensor<[N, 8] x f32, shared, strides [8, 1], align = 64>";
  EXPECT_EQ((typeOf<With<X, strides<8, 1>, align<64>>>()), want);
  EXPECT_EQ((typeOf<With<X, align<64>, strides<8, 1>>>()), want);
}
TEST(Text, TilesHaveTheLayoutOfTheirTensor) {
  using X = With<Shared<f32, N, 8>, align<16>, strides<32, 1>>;
  EXPECT_TRUE(has(linesOf(record<tiled<X>>().text),
                  "!XTiles = !tile.partition<[8, 8], [N, 8] x f32, shared, "
                  "strides [32, 1], align = 16>"));
}
TEST(Text, InfinitePaddings) {
  auto lines = bodyOf<padded>();
  EXPECT_TRUE(has(lines, "tile.load %piece pad(neg_inf)"));
  EXPECT_TRUE(has(lines, "tile.load %x_tiles[%i] pad(pos_inf)"));
  EXPECT_TRUE(has(lines, "tile.load %x_tiles[%c0] pad(nan)"));
}
TEST(Text, TilesOfThatExtentAreCounted) {
  auto lines = bodyOf<counted>();
  EXPECT_TRUE(has(lines, "tile.num_tiles %x_tiles, 1"));
  EXPECT_TRUE(has(lines, "arith.ceildivsi %N, %c4"));
}
TEST(Text, TheContractIsAllThatIsRequired) {
  EXPECT_NE(record<contract>().text.find(
                "requires [M >= 1, M - (N - 1) >= 0, M - N - 1 <= 7, "
                "M * (N + 1) <= 100 - (20 - M)]"),
            std::string::npos)
      << record<contract>().text;
}
TEST(Text, DifferencesKeepTheirParentheses) {
  EXPECT_NE(record<contract>().text.find("grid [N - (M - 1)]"),
            std::string::npos);
}
TEST(Text, VariantsInTheOrderOfTheList) {
  auto lines = linesOf(record<list>().text);
  EXPECT_EQ(lines[lineWith(lines, "tile.variants")],
            "tile.variants @list [@named_64 when (N >= 1000), "
            "@named_128 when (N >= 500), @named_32]");
  EXPECT_LT(lineWith(lines, "tile.kernel @named_64"),
            lineWith(lines, "tile.kernel @named_128"));
}
