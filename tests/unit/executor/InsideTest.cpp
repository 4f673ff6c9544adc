// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes outside: which they are, and what they hold when a tile is read.

#include "Launching.h"

#include <climits>

namespace girih::exec {
namespace {

struct Padded {
  Kind kind;
  const char *pad;
  double value; ///< of lanes outside
};

/// A tensor of four elements in a tile of eight, read with the padding, and
/// gathered with it where elements have addresses.
std::string paddedKernel(const Padded &p, bool gathers) {
  std::string e = kindName(p.kind), pad = std::string(" pad(") + p.pad + ")";
  std::string text = "!X = !tile.tensor<[4] x " + e +
                     ", shared>\n!C = !tile.tensor<[8] x " + e +
                     ", out>\n!PX = !tile.partition<[8], [4] x " + e +
                     ", shared>\n!PC = !tile.partition<[8], [8] x " + e +
                     ", out>\n!P = !tile.piece<[8] x " + e +
                     ", out>\ntile.kernel @k(%x: !X, %c: !C) grid [1] {\n"
                     "  %c0 = arith.constant 0 : index\n"
                     "  %px = tile.partition %x by [8] : !X\n"
                     "  %pc = tile.partition %c by [8] : !C\n"
                     "  %o = tile.claim %pc[%c0] : !PC\n";
  text += gathers ? "  %l = tile.iota 0 : vector<8xindex>\n"
                    "  %m = tile.inside %px[%c0] : !PX\n"
                    "  %v = tile.gather %x[%l], %m" +
                        pad + " : !X, vector<8xindex>, vector<8xi1>\n"
                  : "  %v = tile.load %px[%c0]" + pad + " : !PX\n";
  return text + "  tile.store %v, %o : !P\n}\n";
}

TEST(Outside, HoldsThePaddingOfAnyType) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Padded all[] = {
      {Kind::I4, "-8", -8},           {Kind::I4, "7", 7},
      {Kind::I8, "-1", -1},           {Kind::I8, "127", 127},
      {Kind::I16, "-32768", -0x1p15}, {Kind::I32, "-1", -1},
      {Kind::I32, "zero", 0},         {Kind::I64, "9007199254740992", 0x1p53},
      {Kind::F4E2M1FN, "-6.0", -6},   {Kind::F4E2M1FN, "1.5", 1.5},
      {Kind::F8E4M3FN, "448.0", 448}, {Kind::F8E5M2, "-0.5", -0.5},
      {Kind::F8E8M0FNU, "4.0", 4},    {Kind::F8E8M0FNU, "zero", 0x1p-127},
      {Kind::F16, "65504.0", 65504},  {Kind::BF16, "-1.0", -1},
      {Kind::F32, "0.5", 0.5},        {Kind::F32, "neg_inf", -infinity},
      {Kind::F64, "0.1", 0.1},
  };
  for (const Padded &p : all) {
    for (bool gathers : {false, true}) {
      if (gathers && isSubByte(p.kind)) {
        continue;
      }
      Kernel k(paddedKernel(p, gathers));
      Options options;
      Array &x = options.inputs["x"];
      x = {p.kind, {4}, {}, {}};
      if (isFloat(p.kind)) {
        x.floats.assign(4, 2.0);
      } else {
        x.ints.assign(4, 2);
      }
      Result result = k.run({}, options);
      ASSERT_EQ(verdict(result), "clean") << k.errors;
      const Array &c = *result.tensors[1];
      for (size_t lane = 0; lane < 8; ++lane) {
        double got = isFloat(p.kind) ? c.floats[lane]
                                     : static_cast<double>(c.ints[lane]);
        EXPECT_EQ(got, lane < 4 ? 2.0 : p.value)
            << kindName(p.kind) << " pad(" << p.pad << ") in lane " << lane;
      }
    }
  }
}

TEST(Outside, HoldsAllBitsOfAnInteger) {
  Kernel k(paddedKernel({Kind::I64, "-9223372036854775807", 0}, false));
  Options options;
  options.inputs["x"] = {Kind::I64, {4}, {}, {1, 2, 3, 4}};
  Result result = k.run({}, options);
  ASSERT_EQ(verdict(result), "clean") << k.errors;
  EXPECT_EQ(result.tensors[1]->ints,
            (std::vector<int64_t>{1, 2, 3, 4, -INT64_MAX, -INT64_MAX,
                                  -INT64_MAX, -INT64_MAX}));
}

/// The mask of a tile, and of one element, for any number of a tile.
constexpr const char *masked = R"(
!X = !tile.tensor<[M, N, L] x i8, own>
!Y = !tile.tensor<[2, 4] x i8, out>
!Z = !tile.tensor<[1] x i8, out>
!PX = !tile.partition<[2, 4, _], [M, N, L] x i8, own>
!PE = !tile.partition<[_, _, _], [M, N, L] x i8, own>
!PY = !tile.partition<[2, 4], [2, 4] x i8, out>
!PZ = !tile.partition<[_], [1] x i8, out>
!P = !tile.piece<[2, 4] x i8, out>
!Q = !tile.piece<[_] x i8, out>
tile.kernel @k(%x: !X, %y: !Y, %z: !Z) symbols [a : i64, b : i64, c : i64] grid [1] {
  %c0 = arith.constant 0 : index
  %a64 = tile.symbol "a" : i64
  %b64 = tile.symbol "b" : i64
  %c64 = tile.symbol "c" : i64
  %a = arith.index_cast %a64 : i64 to index
  %b = arith.index_cast %b64 : i64 to index
  %c = arith.index_cast %c64 : i64 to index
  %px = tile.partition %x by [2, 4, _] : !X
  %pe = tile.partition %x by [_, _, _] : !X
  %py = tile.partition %y by [2, 4] : !Y
  %pz = tile.partition %z by [_] : !Z
  %oy = tile.claim %py[%c0, %c0] : !PY
  %oz = tile.claim %pz[%c0] : !PZ
  %in = tile.inside %px[%a, %b, %c] : !PX
  %is = tile.inside %pe[%a, %b, %c] : !PE
  %in8 = arith.extui %in : vector<2x4xi1> to vector<2x4xi8>
  %is8 = arith.extui %is : i1 to i8
  tile.store %in8, %oy : !P
  tile.store %is8, %oz : !Q
})";

TEST(Inside, IsWhereAnElementIs) {
  Kernel k(masked);
  const int64_t tiles[] = {
      INT64_MIN,        -(int64_t(1) << 61), -2,       -1, 0, 1, 2,
      int64_t(1) << 40, int64_t(1) << 61,    INT64_MAX};
  auto isIn = [](int64_t tile, int64_t size, int64_t lane, int64_t extent) {
    __int128 at = __int128(tile) * size + lane;
    return at >= 0 && at < extent;
  };
  for (int64_t m : {0, 1, 2, 3, 5}) {
    for (int64_t n : {0, 1, 3, 4, 5, 7, 9}) {
      for (int64_t l : {0, 2}) {
        for (int64_t a : tiles) {
          for (int64_t b : tiles) {
            int64_t c = (a ^ b) & 3;
            Result result = k.run({{"M", m},
                                   {"N", n},
                                   {"L", l},
                                   {"a", a},
                                   {"b", b},
                                   {"c", c - 1}});
            ASSERT_EQ(verdict(result), "clean") << k.errors;
            std::vector<int64_t> want;
            bool there = isIn(c - 1, 1, 0, l);
            for (int64_t lane = 0; lane < 8; ++lane) {
              want.push_back(there && isIn(a, 2, lane / 4, m) &&
                             isIn(b, 4, lane % 4, n));
            }
            ASSERT_EQ(result.tensors[1]->ints, want)
                << m << " " << n << " " << l << ", " << a << " " << b;
            ASSERT_EQ(result.tensors[2]->ints[0],
                      there && isIn(a, 1, 0, m) && isIn(b, 1, 0, n));
          }
        }
      }
    }
  }
}

} // namespace
} // namespace girih::exec
