// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once
#include <girih/kernel.h>

namespace app {
using namespace girih::kernel;

inline constexpr Sym N{"N"};

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

struct copy {
  Shared<f32, N> x;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, BLOCK));
    store(z, {i}, load<BLOCK>(x, {i}, pad::zero));
  }
};

} // namespace app
