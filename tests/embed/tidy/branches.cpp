// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "girih/kernel.h"
using namespace girih::kernel;

constexpr Sym M{"M"};

template <int B> struct branching {
  Shared<f32, M> x;
  Out<f32, M> y;

  void operator()() {
    auto [i] = grid(ceildiv(M, B));
    int n = 0, m = 0;
    double share = 1;
    auto acc = zeros<f32, B>();
    if_(i > 3, [&] {
      n = 4;              // warns: number-changed-in-branch
      acc = acc + 1;
      int own = 1;
      own += 2;
      acc = acc + float(own);
    });
    if_(
        i < 2, [&] { share *= 2; },  // warns: number-changed-in-branch
        [&] {
          if_(i > 0, [&] {
            m--;          // warns: number-changed-in-branch
          });
        });
    Index low = i;
    while_(
        [&] {
          measure(low);
          return low > 3;
        },
        [&] {
          low = low - 1;
          ++n;            // warns: number-changed-in-branch
        });
    if (B > 2) {
      n = 7;
      [&] { m = 2; }();
    }
    store(y, {i}, acc + float(n) + float(m) + float(share));
  }
};

int main() { record<branching<4>>(); }
