// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "girih/kernel.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"};
static int everywhere = 0;

template <int B> struct counting {
  Shared<f32, M, N> x;
  Out<f32, M> y;

  static int twice(int n) {
    n *= 2;
    return n;
  }

  void operator()() {
    auto [i] = grid(ceildiv(M, B));
    int trips = 0;
    float share = 0;
    bool some = false;
    unsigned char low = 0;
    auto acc = zeros<f32, B>();
    Index traced = i;
    for (Index k : range(N)) {
      ++trips;                     // warns: number-changed-in-loop
      trips++;                     // warns: number-changed-in-loop
      share += 0.5f;               // warns: number-changed-in-loop
      some = true;                 // warns: number-changed-in-loop
      low <<= 1;                   // warns: number-changed-in-loop
      (everywhere) = trips;        // warns: number-changed-in-loop
      traced = traced + k;
      int own = 0;
      own++;
      for (int j = 0; j < 3; ++j) {
        own += twice(j);
        trips -= j;                // warns: number-changed-in-loop
      }
      for (Index l : range(Index(2), k)) {
        own--;                     // warns: number-changed-in-loop
        int inner = 1;
        inner = 2;
        traced = traced + l + inner;
      }
      [&] { --trips; }();          // warns: number-changed-in-loop
      acc = acc + 1;
    }
    for (int j = 0; j < 3; ++j) {
      trips += j;
    }
    for (i32 n : {1, 2, 3}) {
      trips += n;
    }
    if (trips > 5 || some) {
      trips = low;
    }
    store(y, {i}, acc + float(trips) + share);
  }
};

struct member {
  Shared<f32, M, N> x;
  Out<f32, M> y;
  int trips;
  void operator()() {
    auto [i] = grid(M);
    trips = 0;
    for (Index k : rangeOf<i32>(0, 4, 1)) {
      trips++; // warns: number-changed-in-loop
    }
    store(y, {i}, zeros<f32, 1>() + float(trips));
  }
};

int main() { record<counting<4>>(); }
