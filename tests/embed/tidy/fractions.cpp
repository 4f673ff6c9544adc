// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "girih/kernel.h"
using namespace girih::kernel;

constexpr Sym M{"M"};

template <int B> struct halving {
  Shared<f32, M> x;
  Out<f32, M> y;

  void operator()() {
    auto [i] = grid(ceildiv(M, B));
    auto v = load<B>(x, {i}, pad::zero);
    const int heads = 8;
    v = v * (1 / 2);     // warns: fraction-of-integers
    v = v * (1 / B);     // warns: fraction-of-integers
    v = v * (3 / heads); // warns: fraction-of-integers
    v = v * (1 / 2.0f) * (1.0f / B);
    v = v * (B / 2) * (64 / 4);
    v = 1 / v;
    store(y, {i}, v);
  }
};

int main() { record<halving<4>>(); }
