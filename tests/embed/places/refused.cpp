// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are not VERIFIED. A comment `AT kernel: rule` stands before the
// line at which each is told first, `OTHER kernel` before the second one of a
// clash. Behind the rule stands what is underlined, where that is a call or an
// operator.

#include "proofs/kernels/Library.h"

using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, V{"V"}, P{"P"};

struct row_beyond {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 16), ceildiv(N, 32));
    // AT row_beyond: load.bounds load
    auto v = load<16, 32>(x, {i + 1, j}, pad::zero);
    store(y, {i, j}, v);
  }
};

struct claim_beyond {
  Shared<f32, M> x;
  OutPartial<f32, M> y;
  void operator()() {
    auto [i] = grid(ceildiv(M, 16));
    auto v = load<16>(x, {i}, pad::zero);
    // AT claim_beyond: claim.bounds store
    store(y, {i + 1}, v);
  }
};

struct grid_rounds_down {
  Shared<f32, M> x;
  Out<f32, M> y;
  void operator()() {
    // AT grid_rounds_down: out.covered grid
    auto [i] = grid(M / 16);
    auto v = load<16>(x, {i}, pad::zero);
    store(y, {i}, v);
  }
};

struct race {
  Shared<f32, M, N> x;
  Own<f32, M> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 16), ceildiv(N, 32));
    auto v = load<16, 32>(x, {i, j}, pad::zero);
    // AT race: claim.disjoint store
    store(y, {i}, sum(v, drop<1>));
  }
};

struct two_stores {
  Shared<f32, N> x;
  Own<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    auto v = load<32>(x, {i}, pad::zero);
    // AT two_stores: claim.disjoint store
    store(y, {i}, v);
    if_(i + 1 < ceildiv(N, 32), [&] {
      // OTHER two_stores: store
      store(y, {i + 1}, v);
    });
  }
};

struct no_padding {
  Shared<f32, M> x;
  Out<f32, M> y;
  void operator()() {
    auto [i] = grid(ceildiv(M, 16));
    // AT no_padding: load.pad load
    auto v = load<16>(x, {i}, pad::none);
    store(y, {i}, v);
  }
};

struct ids_unbounded {
  Shared<i32, N> ids;
  Shared<f32, V> table;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    auto id = load<32>(ids, {i}, pad::zero);
    // AT ids_unbounded: gather.bounds gather
    auto v = gather(table, lanes(to<idx>(id)));
    store(y, {i}, v);
  }
};

struct negative_slice {
  Shared<f32, N> x;
  Out<f32, P> y;
  void operator()() {
    auto [i] = grid(ceildiv(P, 32));
    // AT negative_slice: view.slice slice
    auto s = slice<P>(x, {Index(N) - Index(P)});
    store(y, {i}, load<32>(s, {i}, pad::zero));
  }
};

struct row_fixed {
  Shared<f32, M, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    // AT row_fixed: view.fix fix
    auto row = fix<0>(x, Index(M));
    store(y, {i}, load<32>(row, {i}, pad::zero));
  }
};

struct false_statement {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    // AT false_statement: prove.holds prove
    prove(i < 3, "few blocks");
    store(y, {i}, load<32>(x, {i}, pad::zero));
  }
};

struct divided_by_none {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    // AT divided_by_none: index.division /
    auto q = i / (i % 2);
    prove(q >= 0);
    store(y, {i}, load<32>(x, {i}, pad::zero));
  }
};

/// One operator of several, of which nobody knows which.
struct divided_twice {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    // AT divided_twice: index.division
    auto q = i / 2 / (i % 2);
    prove(q >= 0);
    store(y, {i}, load<32>(x, {i}, pad::zero));
  }
};

struct no_step {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    auto sum = zeros<f32, 32>();
    // AT no_step: loop.step range
    for (Index k : range(Index(0), Index(N), i)) {
      prove(k >= 0);
      sum = sum + load<32>(x, {i}, pad::zero);
    }
    store(y, {i}, sum);
  }
};

/// A mistake in a function that kernels share is told where it is written.
template <class T> auto nextTile(T &x, const Index &i) {
  // AT in_function: load.bounds load
  return load<32>(x, {i + 1}, pad::zero);
}
struct in_function {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    store(y, {i}, nextTile(x, i));
  }
};

struct in_loop {
  Shared<f32, M, N> x;
  Out<f32, M> y;
  void operator()() {
    auto [i] = grid(ceildiv(M, 16));
    auto total = zeros<f32, 16>();
    for (Index k : range(ceildiv(N, 32))) {
      if_(k > 0, [&] {
        // AT in_loop: load.bounds load
        auto v = load<16, 32>(x, {i, k + 1}, pad::zero);
        total = total + sum(v, drop<1>);
      });
    }
    store(y, {i}, total);
  }
};

struct contradiction {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    require(N < 4);
    require(N > 4);
    // AT contradiction: contract.satisfiable grid
    auto [i] = grid(ceildiv(N, 32));
    store(y, {i}, load<32>(x, {i}, pad::zero));
  }
};

/// Safe at any size, and beyond the search.
struct unknown_product {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    require(M <= 1024);
    require(N <= 1024);
    auto [i, j] = grid(ceildiv(M, 16), ceildiv(N, 32));
    auto v = load<16, 32>(x, {i, j}, pad::zero);
    store(y, {i, j}, v);
    // AT unknown_product: prove.holds prove
    prove(i * i * j * j + 1 != 3 * i * j, "no root");
  }
};

/// The reader refuses it.
struct half_byte {
  Shared<f4e2m1, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(N);
    // AT half_byte: malformed load
    auto v = to<f32>(load<_>(x, {i}));
    store(y, {i}, v);
  }
};

struct endless {
  Shared<f32, N> x;
  Out<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 32));
    Index k = i;
    while_(
        [&] {
          // AT endless: while.measure measure
          measure(i);
          return k < 5;
        },
        [&] { k = k + 1; });
    prove(k >= 0);
    store(y, {i}, load<32>(x, {i}, pad::zero));
  }
};

struct slice_of_number {
  Shared<f32, 64> x;
  Out<f32, 32> y;
  void operator()() {
    auto [i] = grid(1);
    // AT slice_of_number: view.slice slice
    auto s = slice<96>(x, {0});
    store(y, {i}, load<32>(s, {i}, pad::zero));
  }
};

int main(int argc, char **argv) {
  using girih::kernel::library::writeAll;
  return writeAll(argc, argv,
                  {{"row_beyond", record<row_beyond>},
                   {"claim_beyond", record<claim_beyond>},
                   {"grid_rounds_down", record<grid_rounds_down>},
                   {"race", record<race>},
                   {"two_stores", record<two_stores>},
                   {"no_padding", record<no_padding>},
                   {"ids_unbounded", record<ids_unbounded>},
                   {"negative_slice", record<negative_slice>},
                   {"row_fixed", record<row_fixed>},
                   {"false_statement", record<false_statement>},
                   {"divided_by_none", record<divided_by_none>},
                   {"divided_twice", record<divided_twice>},
                   {"no_step", record<no_step>},
                   {"in_function", record<in_function>},
                   {"in_loop", record<in_loop>},
                   {"contradiction", record<contradiction>},
                   {"unknown_product", record<unknown_product>},
                   {"half_byte", record<half_byte>},
                   {"endless", record<endless>},
                   {"slice_of_number", record<slice_of_number>}});
}
