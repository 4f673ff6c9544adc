// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <girih/kernel.h>

#include <iostream>

using namespace girih::kernel;

constexpr Sym N{"N"};

template <int B> struct twice {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, B));
    auto v = load<B>(x, {i}, pad::zero);
    store(y, {i}, v + v);
  }
};

int main() { std::cout << record<twice<128>>().text; }
