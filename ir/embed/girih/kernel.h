// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the tile language in C++20. A kernel is a struct: members are
// arguments by mode, extents are symbols in their types, operator() is the body
// of one block. It is recorded as the text that is verified and reviewed.
//
//   constexpr Sym M{"M"}, N{"N"};
//   template <int BM, int BN> struct scale {
//     Shared<f32, M, N> x;
//     Scalar<f32> by;
//     Out<f32, M, N> y;
//     void operator()() {
//       auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
//       store(y, {i, j}, by * load<BM, BN>(x, {i, j}, pad::zero));
//     }
//   };
//   std::string text = record<scale<16, 64>>().text;

#ifndef GIRIH_KERNEL_H
#define GIRIH_KERNEL_H

// All by name, so that a message is two files away from the author's.
// clang-format off
#include "girih/kernel/Elements.h"
#include "girih/kernel/Recorder.h"
#include "girih/kernel/Call.h"
#include "girih/kernel/Symbols.h"
#include "girih/kernel/Tile.h"
#include "girih/kernel/Functions.h"
#include "girih/kernel/Tensors.h"
#include "girih/kernel/Views.h"
#include "girih/kernel/Control.h"
#include "girih/kernel/Kernels.h"
// clang-format on

#endif // GIRIH_KERNEL_H
