// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in C++ for cpp_test.py.

#include <girih/kernel.h>
using namespace girih::kernel;

constexpr Sym N{"N"};

#ifndef BLOCK
#define BLOCK 128
#endif

template <int B> struct axpy {
  Scalar<f32> a;
  Shared<f32, N> x;
  Own<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, B));
    auto mine = claim<B>(y, {i});
    store(mine, a * load<B>(x, {i}, pad::zero) + load(mine, pad::zero));
  }
};

struct race {
  Out<f32, N> z;
  void operator()() {
    grid(2);
    store(z, {0}, zeros<f32, 8>());
  }
};

template struct girih::kernel::Listed<axpy<BLOCK>>;
template struct girih::kernel::Listed<race>;
