// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract, control and what is stated in a body. A loop's body runs once
// in C++ and is recorded as a loop; what it assigns is carried.

#ifndef GIRIH_KERNEL_CONTROL_H
#define GIRIH_KERNEL_CONTROL_H

#include "girih/kernel/Views.h"
#include <exception>

namespace girih::kernel {

//===-- Contract ----------------------------------------------------------===//

/// A number of indices, for `auto [i, j] = ...`.
template <int N> struct Ids;
#define GIRIH_IDS(N, ...)                                                      \
  template <> struct Ids<N> {                                                  \
    static constexpr int count = N;                                            \
    Index __VA_ARGS__;                                                         \
    void read(recorder::Value *into) const {                                   \
      const Index *all[] = {GIRIH_ADDRESS_##N(__VA_ARGS__)};                   \
      for (int k = 0; k < N; ++k) {                                            \
        into[k] = all[k]->value();                                             \
      }                                                                        \
    }                                                                          \
  };
#define GIRIH_ADDRESS_1(a) &a
#define GIRIH_ADDRESS_2(a, b) &a, &b
#define GIRIH_ADDRESS_3(a, b, c) &a, &b, &c
#define GIRIH_ADDRESS_4(a, b, c, d) &a, &b, &c, &d
#define GIRIH_ADDRESS_5(a, b, c, d, e) &a, &b, &c, &d, &e
#define GIRIH_ADDRESS_6(a, b, c, d, e, f) &a, &b, &c, &d, &e, &f
GIRIH_IDS(1, a)
GIRIH_IDS(2, a, b)
GIRIH_IDS(3, a, b, c)
GIRIH_IDS(4, a, b, c, d)
GIRIH_IDS(5, a, b, c, d, e)
GIRIH_IDS(6, a, b, c, d, e, f)
#undef GIRIH_ADDRESS_1
#undef GIRIH_ADDRESS_2
#undef GIRIH_ADDRESS_3
#undef GIRIH_ADDRESS_4
#undef GIRIH_ADDRESS_5
#undef GIRIH_ADDRESS_6
#undef GIRIH_IDS

namespace detail {
template <std::size_t... I>
Ids<sizeof...(I)> blockIds(std::index_sequence<I...>, Place at) {
  return {Index(Recorded{recorder::blockId(int(I), at)})...};
}
template <class... E> auto gridOf(Place at, const E &...e) {
  recorder::grid({e.node...}, at);
  return blockIds(std::index_sequence_for<E...>(), at);
}
} // namespace detail
/// The grid, and the coordinates of the block: `auto [i, j] = grid(M, N)`.
inline auto grid(const Expr &a, Place at = Place::current()) {
  return detail::gridOf(at, a);
}
inline auto grid(const Expr &a, const Expr &b, Place at = Place::current()) {
  return detail::gridOf(at, a, b);
}
inline auto grid(const Expr &a, const Expr &b, const Expr &c,
                 Place at = Place::current()) {
  return detail::gridOf(at, a, b, c);
}
inline auto grid(const Expr &a, const Expr &b, const Expr &c, const Expr &d,
                 Place at = Place::current()) {
  return detail::gridOf(at, a, b, c, d);
}
inline auto grid(const Expr &a, const Expr &b, const Expr &c, const Expr &d,
                 const Expr &e, Place at = Place::current()) {
  return detail::gridOf(at, a, b, c, d, e);
}
inline auto grid(const Expr &a, const Expr &b, const Expr &c, const Expr &d,
                 const Expr &e, const Expr &f, Place at = Place::current()) {
  return detail::gridOf(at, a, b, c, d, e, f);
}
/// How many blocks there are along an axis of the grid.
inline Index gridDim(int axis, Place at = Place::current()) {
  return Index(Recorded{recorder::gridDim(axis, at)});
}

/// A condition on launches: others are refused.
inline void require(Comparison c, Place at = Place::current()) {
  c.at = at;
  recorder::require(c);
}
template <AnyTile T> void require(const T &) {
  static_assert(sizeof(T) == 0,
                "require is of launch symbols; of values of a block it is "
                "prove(c), or a branch, if_(c, ...)");
}

/// A fact about the contents of a Shared tensor of integers, for given().
struct Fact {
  const char *word;
  recorder::Value tensor;
  int count;
  recorder::Expression expressions[2];
};
namespace detail {
template <AnyTensor X> constexpr void checkFact() {
  static_assert(X::mode == Mode::Shared && isInteger(X::type.element),
                "facts are given about Shared tensors of i8 to i64");
}
} // namespace detail
/// Every element v has low <= v < high.
template <AnyTensor X>
Fact within(const X &x, const Expr &low, const Expr &high) {
  detail::checkFact<X>();
  return {"within", x.value, 2, {low.node, high.node}};
}
template <AnyTensor X> Fact sorted(const X &x) {
  static_assert(X::rank == 1, "sorted: of tensors of one axis");
  detail::checkFact<X>();
  return {"sorted", x.value, 0, {}};
}
/// Sorted, the first element 0 and the last one n.
template <AnyTensor X> Fact splits(const X &x, const Expr &n) {
  static_assert(X::rank == 1, "splits: of tensors of one axis");
  detail::checkFact<X>();
  return {"splits", x.value, 1, {n.node}};
}
template <AnyTensor X> Fact distinct(const X &x) {
  detail::checkFact<X>();
  return {"distinct", x.value, 0, {}};
}
inline void given(const Fact &f, Place at = Place::current()) {
  recorder::given(f.word, f.tensor, f.expressions, f.count, false, at);
}
/// Nobody has to check the fact before a launch; verdict and manifest name it.
struct Assumed {};
inline constexpr Assumed assumed;
inline void given(const Fact &f, Assumed, Place at = Place::current()) {
  recorder::given(f.word, f.tensor, f.expressions, f.count, true, at);
}

/// That launchers may pass a copy of a Shared tensor, whose rows begin at
/// multiples of 16 bytes, where all of these hold. Advice, as hints are.
template <AnyTensor X>
void repack(const X &x, std::initializer_list<recorder::Comparison> when,
            Place at = Place::current()) {
  static_assert(X::mode == Mode::Shared, "copies are made of Shared tensors");
  recorder::repack(x.value, when, at);
}

/// Expressions of a covers clause.
template <int N> struct Witness {
  recorder::Expression expressions[N];
};
template <class... E> Witness<sizeof...(E)> block(const E &...e) {
  return {{Expr(e).node...}};
}
template <class... E> Witness<sizeof...(E)> trips(const E &...e) {
  return {{Expr(e).node...}};
}
/// Which block, and which trip of each loop around the store, writes the tile
/// (or, through a view, the element) of an output that the symbols in braces
/// name.
template <AnyTensor X, int N>
void covers(const X &y, std::initializer_list<Sym> tile,
            const Witness<N> &blocks, Place at = Place::current()) {
  recorder::covers(y.value, X::rank, tile, blocks.expressions, N, nullptr, 0,
                   at);
}
template <AnyTensor X, int N, int T>
void covers(const X &y, std::initializer_list<Sym> tile,
            const Witness<N> &blocks, const Witness<T> &trips,
            Place at = Place::current()) {
  recorder::covers(y.value, X::rank, tile, blocks.expressions, N,
                   trips.expressions, T, at);
}

/// Advice to a target's assembler: hint("sm_90", "occupancy", 2).
inline void hint(const char *target, const char *name, i64 value,
                 Place at = Place::current()) {
  recorder::hint(target, name, value, at);
}

//===-- Statements --------------------------------------------------------===//

/// Owed here, and a fact from here on.
inline void prove(const Bool &c, const char *text = "",
                  Place at = Place::current()) {
  recorder::statement("prove", c.value(at), text, at);
}
/// A fact that nobody proves: verdict and manifest name it.
inline void trust(const Bool &c, const char *text = "",
                  Place at = Place::current()) {
  recorder::statement("trust", c.value(at), text, at);
}
/// What each trip of a loop finds true: first in the body of a for, or in the
/// condition of a while.
inline void invariant(const Bool &c, const char *text = "",
                      Place at = Place::current()) {
  recorder::statement("invariant", c.value(at), text, at);
}
/// What each trip of a while makes smaller, last in its condition.
inline void measure(const Index &n, Place at = Place::current()) {
  recorder::statement("measure", n.value(at), "", at);
}
/// A line on the executor and the device; up to four values.
inline void print(const char *label, Place at = Place::current()) {
  recorder::print(label, {}, at);
}
template <AnyTile A>
void print(const char *label, const A &a, Place at = Place::current()) {
  recorder::print(label, {a.value(at)}, at);
}
template <AnyTile A, AnyTile B>
void print(const char *label, const A &a, const B &b,
           Place at = Place::current()) {
  recorder::print(label, {a.value(at), b.value(at)}, at);
}
template <AnyTile A, AnyTile B, AnyTile C>
void print(const char *label, const A &a, const B &b, const C &c,
           Place at = Place::current()) {
  recorder::print(label, {a.value(at), b.value(at), c.value(at)}, at);
}

//===-- Loops and branches ------------------------------------------------===//

/// `for (Index k : range(n)) {...}`: one pass in C++, a loop in the kernel.
template <class T> class Range {
public:
  Range(const Tile<T> &low, const Tile<T> &high, const Tile<T> &step, Place at)
      : low(low), high(high), step(step), place(at) {}
  Range(const Range &) = delete;
  ~Range() noexcept(false) {
    if (loop >= 0 && !closed && !std::uncaught_exceptions()) {
      throw Error(place, "break or return out of a traced loop, which runs as "
                         "often as the launch says");
    }
  }
  struct End {};
  struct Trip {
    Range *range;
    Tile<T> operator*() const {
      return Tile<T>(Recorded{recorder::counterOf(range->loop)});
    }
    void operator++() { range->done = true; }
    bool operator!=(End) const { return range->goesOn(); }
  };
  Trip begin() {
    recorder::Value first = low.value(place), last = high.value(place),
                    by = step.value(place);
    loop = recorder::openFor(elementOf<T>, first, last, by, place);
    return {this};
  }
  End end() const { return {}; }

private:
  bool goesOn() {
    if (done) {
      recorder::closeFor(loop);
      closed = true;
    }
    return !done;
  }
  Tile<T> low, high, step;
  Place place;
  recorder::Control loop = -1;
  bool done = false, closed = false;
};
/// 0 up to n; from `low` up to `high`, by steps.
inline Range<idx> range(const Index &n, Place at = Place::current()) {
  return {Index(0, at), n, Index(1, at), at};
}
inline Range<idx> range(const Index &low, const Index &high,
                        Place at = Place::current()) {
  return {low, high, Index(1, at), at};
}
inline Range<idx> range(const Index &low, const Index &high, const Index &step,
                        Place at = Place::current()) {
  return {low, high, step, at};
}
/// A loop whose counter is of another type.
template <class T>
Range<T> rangeOf(const Tile<T> &low, const Tile<T> &high, const Tile<T> &step,
                 Place at = Place::current()) {
  static_assert(isInteger(elementOf<T>), "rangeOf: counters are i8 to i64");
  return {low, high, step, at};
}

template <class Then>
void if_(const Bool &c, Then then, Place at = Place::current()) {
  recorder::Control branch = recorder::openIf(c.value(at), at);
  then();
  recorder::openElse(branch);
  recorder::closeIf(branch);
}
/// What either side assigns is merged.
template <class Then, class Else>
  requires std::is_invocable_v<Else>
void if_(const Bool &c, Then then, Else otherwise,
         Place at = Place::current()) {
  recorder::Control branch = recorder::openIf(c.value(at), at);
  then();
  recorder::openElse(branch);
  otherwise();
  recorder::closeIf(branch);
}
/// While the condition, a function that states invariants and a measure and
/// gives a Bool, is true. It assigns nothing and touches no memory.
template <class Condition, class Body>
void while_(Condition condition, Body body, Place at = Place::current()) {
  static_assert(std::is_same_v<decltype(condition()), Bool>,
                "while_: the condition gives a Bool: return lo < hi;");
  recorder::Control loop = recorder::openWhile(at);
  {
    Bool goesOn = condition();
    recorder::openBody(loop, goesOn.value(at));
  }
  body();
  recorder::closeWhile(loop);
}

} // namespace girih::kernel

#endif // GIRIH_KERNEL_CONTROL_H
