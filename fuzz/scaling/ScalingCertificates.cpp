// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of certificates that have much of one thing, beside a small kernel.

#include "fuzz/scaling/ScalingText.h"

namespace girih::fuzz {

/// A kernel whose obligation is known: that `a + b` fits.
static std::string small(size_t) {
  return "tile.kernel @k() symbols [a0 : index, a1 : index, a2 : index, a3 : "
         "index, a4 : index, a5 : index, a6 : index, a7 : index, a8 : index, "
         "a9 : index, a10 : index, a11 : index] grid [1] requires [a0 + a1 + "
         "a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 >= 1] {\n"
         "  %a = tile.symbol \"a0\" : index\n"
         "  %b = arith.addi %a, %a : index\n}\n";
}

/// The obligations of `small`, in their order.
static const char *const vc[] = {
    "4974da37e18a3e30aa35a82f975d141b086af3a440e9b89409afe834c10230a8"};

static std::string certificateOf(const std::string &tree) {
  std::string out = "girih-certificates 1\nmodel a0=1 a1=1 a2=1 a3=1 a4=1 a5=1 "
                    "a6=1 a7=1 a8=1 a9=1 a10=1 a11=1\n";
  for (const char *hash : vc) {
    out += std::string(hash) + " " + tree + "\n";
  }
  return out;
}

static std::string wideLeaf(size_t n) {
  return certificateOf(
      "(leaf" +
      times(n,
            [](size_t) { return std::string(" 1[24,24,24,24,24,24,24,24]"); }) +
      ")");
}

static std::string deepProduct(size_t n) {
  return certificateOf(
      "(leaf 1[" +
      times(n, [](size_t) { return std::string("24"); }, ",") + "])");
}

static std::string productsOfZero(size_t n) {
  return certificateOf(
      "(leaf" + times(n, [](size_t) { return std::string(" 1[]"); }) + ")");
}

static std::string deepTree(size_t n) {
  return certificateOf(
      times(n, [](size_t) { return std::string("(have 'v0' "); }) + "(leaf)" +
      times(n, [](size_t) { return std::string(" (leaf))"); }));
}

/// Haves one in another, as deep as may be, again and again.
static std::string manyHaves(size_t n) {
  std::string chain =
      times(300,
            [](size_t) { return std::string("(have '0' (leaf 1[25]) "); }) +
      "(leaf 1[25])" + times(300, [](size_t) { return std::string(")"); });
  std::string tree = "(leaf 1[25])";
  for (; n > 0; --n) {
    tree = "(have '0' " + chain + " " + tree + ")";
  }
  return certificateOf(tree);
}

static std::string manySplits(size_t n) {
  std::function<std::string(size_t)> tree = [&](size_t left) {
    return left < 3 ? std::string("(leaf 1[24,24])")
                    : "(split 'v0*v1 - v2*v3' " + tree(left / 3) + " " +
                          tree(left / 3) + " " + tree(left / 3) + ")";
  };
  return certificateOf(tree(n));
}

static std::string longPolynomial(size_t n) {
  return certificateOf("(have '" +
                       times(
                           n, [](size_t i) { return "v" + str(i); }, " + ") +
                       "' (leaf 1[25,25]) (leaf 1[25,25]))");
}

static std::string longMonomial(size_t n) {
  return certificateOf("(have '" +
                       times(
                           n, [](size_t) { return std::string("v0"); }, "*") +
                       "' (leaf 1[25,25,25,25]) (leaf 1[25,25,25]))");
}

static std::string solves(size_t n) {
  return certificateOf(
      times(n,
            [](size_t i) {
              return "(split 'v" + str(i % 12) + " - v" + str((i + 1) % 12) +
                     "*v" + str((i + 2) % 12) + "' (leaf) (solve " +
                     str(25 + i) + " v" + str(i % 12) + " ";
            }) +
      "(leaf)" + times(n, [](size_t) { return std::string(") (leaf))"); }));
}

static std::string manyModels(size_t n) {
  return "girih-certificates 1\n" +
         times(n, [](size_t i) { return "model a0=" + str(i) + " a1=1\n"; });
}

static std::string longModel(size_t n) {
  return "girih-certificates 1\nmodel" +
         times(n, [](size_t i) { return " a" + str(i) + "=1"; }) + "\n";
}

static std::string manyHashes(size_t n) {
  return "girih-certificates 1\nmodel a0=1\n" + times(n, [](size_t i) {
           std::string number = str(i);
           return std::string(64 - number.size(), '0') + number +
                  " (leaf 1[0])\n";
         });
}

std::vector<ScalingFamily> certificateFamilies() {
  return {{"wide-leaf", small, wideLeaf},
          {"deep-product", small, deepProduct},
          {"empty-products", small, productsOfZero},
          {"deep-tree", small, deepTree},
          {"many-haves", small, manyHaves},
          {"many-splits", small, manySplits},
          {"long-polynomial", small, longPolynomial},
          {"long-monomial", small, longMonomial},
          {"solves", small, solves},
          {"many-models", small, manyModels},
          {"long-model", small, longModel},
          {"many-hashes", small, manyHashes}};
}

} // namespace girih::fuzz
