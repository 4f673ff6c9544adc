// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles: C++ variables of traced types, their operators, broadcasting and
// promotion. Operators take (Tile, Operand<Tile>): an operator has no default
// arguments, but the conversion to Operand has one, the place of the call.

#ifndef GIRIH_KERNEL_TILE_H
#define GIRIH_KERNEL_TILE_H

#include "girih/kernel/Call.h"
#include "girih/kernel/Symbols.h"

namespace girih::kernel {

template <class T, int... D> class Tile;
/// A single number: an argument of the kernel, or an element.
template <class T> using Scalar = Tile<T>;
using Index = Tile<idx>;
using Bool = Tile<bool>;

template <class> inline constexpr bool isTile = false;
template <class T, int... D> inline constexpr bool isTile<Tile<T, D...>> = true;
template <class T>
concept AnyTile = isTile<T>;

/// An axis of a tile, which a reduction leaves with extent 1, so that what it
/// gives broadcasts against what it took.
template <int K> struct Axis {};
template <int K> inline constexpr Axis<K> axis{};
/// An axis that a reduction drops.
template <int K> struct Drop {};
template <int K> inline constexpr Drop<K> drop{};

/// A C++ variable whose value the recorder knows: copies are variables of their
/// own, and what a traced loop or branch assigns is carried.
class Variable {
public:
  explicit Variable(Recorded r) : slot(recorder::declare(r.value)) {}
  explicit Variable(recorder::Slot slot) : slot(slot) {}
  Variable(const Variable &o) : slot(recorder::copy(o.slot)) {}
  Variable &operator=(const Variable &o) {
    recorder::assign(slot, o.value());
    return *this;
  }
  /// What it is now, asked for at a place.
  recorder::Value value(Place at = {}) const {
    return recorder::read(slot, at);
  }
  /// The number that it holds as an argument of a call.
  double held() const { return slot.held; }

private:
  recorder::Slot slot;
};

namespace detail {

/// As NumPy aligns shapes, at the last axis: axes of 1 are repeated.
constexpr bool widensTo(const recorder::Type &from, const recorder::Type &to) {
  if (from.rank > to.rank || !promotes(from.element, to.element)) {
    return false;
  }
  for (int i = 0; i < from.rank; ++i) {
    int x = from.extents[i], y = to.extents[i + to.rank - from.rank];
    if (x != 1 && x != y) {
      return false;
    }
  }
  return true;
}

/// The type that two tiles meet at; of element None where there is none.
constexpr recorder::Type meetOf(const recorder::Type &a,
                                const recorder::Type &b) {
  recorder::Type r{promotes(a.element, b.element)   ? b.element
                   : promotes(b.element, a.element) ? a.element
                                                    : Element::None,
                   a.rank > b.rank ? a.rank : b.rank,
                   {}};
  for (int i = 0; i < r.rank; ++i) {
    int p = i - (r.rank - a.rank), q = i - (r.rank - b.rank);
    int x = p < 0 ? 1 : a.extents[p], y = q < 0 ? 1 : b.extents[q];
    if (x != y && x != 1 && y != 1) {
      r.element = Element::None;
    }
    r.extents[i] = x > y ? x : y;
  }
  return r;
}
constexpr bool shapesMeet(recorder::Type a, recorder::Type b) {
  a.element = b.element = Element::F32;
  return meetOf(a, b).element != Element::None;
}

template <Element E> struct ElementType;
#define GIRIH_ELEMENT(T)                                                       \
  template <> struct ElementType<elementOf<T>> {                               \
    using type = T;                                                            \
  };
GIRIH_ELEMENT(idx)
GIRIH_ELEMENT(bool)
GIRIH_ELEMENT(i4)
GIRIH_ELEMENT(i8)
GIRIH_ELEMENT(i16)
GIRIH_ELEMENT(i32)
GIRIH_ELEMENT(i64)
GIRIH_ELEMENT(f4e2m1)
GIRIH_ELEMENT(f8e8m0)
GIRIH_ELEMENT(f8e5m2)
GIRIH_ELEMENT(f8e4m3)
GIRIH_ELEMENT(f16)
GIRIH_ELEMENT(bf16)
GIRIH_ELEMENT(f32)
GIRIH_ELEMENT(f64)
#undef GIRIH_ELEMENT

template <class H, std::size_t... I>
auto tileOf(std::index_sequence<I...>)
    -> Tile<typename ElementType<H::type.element>::type, H::type.extents[I]...>;
/// The tile of the type that H::type is. A class, since g++ 12 does not survive
/// a function's value as a template argument of class type.
template <class H>
using TileOf = decltype(tileOf<H>(std::make_index_sequence<H::type.rank>()));
template <class A, class B> struct Meet {
  static constexpr recorder::Type type = meetOf(A::type, B::type);
};

template <class From, class To> inline constexpr bool widens = false;
template <AnyTile From, AnyTile To>
inline constexpr bool widens<From, To> = widensTo(From::type, To::type);

/// `x` with the element and the shape of `To`.
recorder::Value widened(const recorder::Type &from, const recorder::Type &to,
                        recorder::Value x, Place at);
template <AnyTile To, AnyTile From>
recorder::Value widenedTo(const From &x, Place at) {
  return widened(From::type, To::type, x.value(at), at);
}
template <AnyTile To, Number N> recorder::Value numberOf(N n, Place at) {
  static_assert(isFloat(To::type.element) || std::is_integral_v<N>,
                "a number with a fraction beside integers: convert the tile "
                "with to<f32>(x)");
  static_assert(To::type.element != Element::I1,
                "a number beside a mask: compare, or use true and false");
  if constexpr (isFloat(To::type.element)) {
    return recorder::real(To::type, double(n), at);
  } else {
    return recorder::integer(To::type, i64(n), at);
  }
}

/// What stands beside a tile in an operator.
template <class To, bool same> struct Operand {
  recorder::Value value;
  Place at;
  template <AnyTile From>
    requires(widens<From, To> && (same || !std::is_same_v<From, To>))
  Operand(const From &x, Place at = Place::current())
      : value(widenedTo<To>(x, at)), at(at) {}
  template <Number N>
  Operand(N n, Place at = Place::current())
      : value(numberOf<To>(n, at)), at(at) {}
  template <Symbolic E>
  Operand(const E &e, Place at = Place::current())
      : value(recorder::value(Expr(e).node, at)), at(at) {
    static_assert(To::type.element == Element::Idx,
                  "a launch symbol is an idx: convert it, "
                  "to<f32>(Index(N))");
    value = widened(recorder::Type{Element::Idx, 0, {}}, To::type, value, at);
  }
};

/// Refuses the conversion while it is looked for, so that both compilers name
/// the author's line.
template <class B> constexpr bool truthOfTile() {
  static_assert(!std::is_same_v<B, bool>,
                "a traced value has no truth in C++: if_(c, [&] {...}) "
                "branches, where(mask, a, b) chooses, & | ~ combine");
  return false;
}
struct ShiftBits {
  int bits;
  Place at;
  ShiftBits(int bits, Place at = Place::current()) : bits(bits), at(at) {}
};

} // namespace detail

/// Extents are powers of two; without extents a single number.
template <class T, int... D> class Tile : public Variable {
public:
  static_assert(AnyElement<T>,
                "elements are f64 f32 f16 bf16 f8e5m2 f8e4m3 f8e8m0 f4e2m1 i64 "
                "i32 i16 i8 i4 bool idx");
  static_assert(((D > 0 && (D & (D - 1)) == 0) && ...),
                "extents of a tile are powers of two");
  static_assert((1L * ... * D) <= (1 << 20), "a tile has at most 2^20 lanes");
  static_assert(sizeof...(D) <= 8, "a tile has at most 8 axes");
  using Element = T;
  using Self = Tile;
  using Mask = Tile<bool, D...>;
  static constexpr recorder::Type type{elementOf<T>, int(sizeof...(D)), {D...}};
  static constexpr int rank = sizeof...(D);
  static constexpr long lanes = (1L * ... * D);

  explicit Tile(Recorded r) : Variable(r) {}
  template <class Missing = void> Tile() : Variable(recorder::Slot{}) {
    detail::checkPresent<Missing>();
  }
  Tile(const Tile &) = default;
  Tile &operator=(const Tile &) = default;

  /// A number is a tile of it where the type says which. Outside of a kernel it
  /// is an argument of a call.
  template <Number N>
    requires(rank == 0 && elementOf<T> != kernel::Element::I1)
  Tile(N n, Place at = Place::current())
      : Variable(isFloat(elementOf<T>) && !recorder::isOpen()
                     ? recorder::Slot{0, 0, double(n)}
                     : recorder::declare(detail::numberOf<Tile>(n, at))) {}
  template <Symbolic E>
    requires(rank == 0 && elementOf<T> == kernel::Element::Idx)
  Tile(const E &e, Place at = Place::current())
      : Variable(Recorded{recorder::value(Expr(e).node, at)}) {}
  template <class I>
    requires(rank == 0 && std::is_same_v<I, T>)
  Tile(const SymOf<I> &s, Place at = Place::current())
      : Variable(Recorded{recorder::value(Expr(s).node, at)}) {}
  /// A loaded integer is an index where one is wanted.
  template <class I>
    requires(elementOf<T> == kernel::Element::Idx && isInteger(elementOf<I>))
  Tile(const Tile<I, D...> &x, Place at = Place::current())
      : Variable(Recorded{recorder::cast(
            "arith.index_cast", Tile<I, D...>::type, type, x.value(at), at)}) {}

  /// There is none: `if`, `&&`, `while` and std::min are refused.
  template <class B, bool = detail::truthOfTile<B>()>
  explicit operator B() const;

#define GIRIH_UPDATE(sign)                                                     \
  Tile &operator sign## = (detail::Operand<Tile, true> b) {                    \
    return *this = *this sign b;                                               \
  }
  GIRIH_UPDATE(+)
  GIRIH_UPDATE(-)
  GIRIH_UPDATE(*)
  GIRIH_UPDATE(/)
  GIRIH_UPDATE(%)
  GIRIH_UPDATE(&)
  GIRIH_UPDATE(|)
  GIRIH_UPDATE(^)
#undef GIRIH_UPDATE
};

//===-- Operators ---------------------------------------------------------===//

namespace detail {
template <class Tile>
recorder::Value arithmetic(const char *f, const char *i, recorder::Value x,
                           recorder::Value y, Place at) {
  constexpr Element e = Tile::type.element;
  static_assert(!isFloat(e) || isWideFloat(e),
                "nothing computes with floats of 8 bits or less: to<f32>(x)");
  static_assert(e != Element::I4, "nothing computes with i4: to<i32>(x)");
  return recorder::elementwise(isFloat(e) ? f : i, Tile::type, {x, y}, at);
}
template <class Tile>
recorder::Value bits(const char *op, recorder::Value x, recorder::Value y,
                     Place at) {
  static_assert(isWhole(Tile::type.element), "& | ^ are of integers and masks");
  return recorder::elementwise(op, Tile::type, {x, y}, at);
}
template <class Tile>
recorder::Value relation(const char *f, const char *i, recorder::Value x,
                         recorder::Value y, Place at) {
  constexpr Element e = Tile::type.element;
  static_assert(isWideFloat(e) || isWhole(e),
                "nothing compares elements below a byte or floats of 8 bits: "
                "to<f32>(x)");
  return isFloat(e) ? recorder::compare("arith.cmpf", f, Tile::type, x, y, at)
                    : recorder::compare("arith.cmpi", i, Tile::type, x, y, at);
}
template <class Tile, bool same>
using OperandOf = std::type_identity_t<Operand<Tile, same>>;
} // namespace detail

// The tile says what the other operand becomes; its conversion knows the place.
#define GIRIH_OPERATOR(sign, Result, record)                                   \
  template <class T, int... D>                                                 \
  auto operator sign(const Tile<T, D...> &a,                                   \
                     detail::OperandOf<Tile<T, D...>, true> b) {               \
    using X = Tile<T, D...>;                                                   \
    recorder::Value x = a.value(b.at), y = b.value;                            \
    Place at = b.at;                                                           \
    return typename X::Result(Recorded{record});                               \
  }                                                                            \
  template <class T, int... D>                                                 \
  auto operator sign(detail::OperandOf<Tile<T, D...>, false> a,                \
                     const Tile<T, D...> &b) {                                 \
    using X = Tile<T, D...>;                                                   \
    recorder::Value x = a.value, y = b.value(a.at);                            \
    Place at = a.at;                                                           \
    return typename X::Result(Recorded{record});                               \
  }
#define GIRIH_ARITHMETIC(sign, f, i)                                           \
  GIRIH_OPERATOR(sign, Self, (detail::arithmetic<X>(f, i, x, y, at)))
GIRIH_ARITHMETIC(+, "arith.addf", "arith.addi")
GIRIH_ARITHMETIC(-, "arith.subf", "arith.subi")
GIRIH_ARITHMETIC(*, "arith.mulf", "arith.muli")
GIRIH_ARITHMETIC(/, "arith.divf", "arith.divsi")
GIRIH_ARITHMETIC(%, "arith.remf", "arith.remsi")
#undef GIRIH_ARITHMETIC
#define GIRIH_BITS(sign, i)                                                    \
  GIRIH_OPERATOR(sign, Self, (detail::bits<X>(i, x, y, at)))
GIRIH_BITS(&, "arith.andi")
GIRIH_BITS(|, "arith.ori")
GIRIH_BITS(^, "arith.xori")
#undef GIRIH_BITS
#define GIRIH_RELATION(sign, f, i)                                             \
  GIRIH_OPERATOR(sign, Mask, (detail::relation<X>(f, i, x, y, at)))
GIRIH_RELATION(==, "oeq", "eq")
GIRIH_RELATION(!=, "une", "ne")
GIRIH_RELATION(<, "olt", "slt")
GIRIH_RELATION(<=, "ole", "sle")
GIRIH_RELATION(>, "ogt", "sgt")
GIRIH_RELATION(>=, "oge", "sge")
#undef GIRIH_RELATION
#undef GIRIH_OPERATOR

// Of one operand, without room for a place: what takes the result gives its
// own.
template <class T, int... D> Tile<T, D...> operator-(const Tile<T, D...> &x) {
  constexpr recorder::Type type = Tile<T, D...>::type;
  recorder::Value v = x.value();
  Place at{};
  if constexpr (isFloat(type.element)) {
    static_assert(isWideFloat(type.element),
                  "nothing computes with floats of 8 bits or less: to<f32>(x)");
    return Tile<T, D...>(
        Recorded{recorder::elementwise("arith.negf", type, {v}, at)});
  } else {
    return Tile<T, D...>(Recorded{recorder::elementwise(
        "arith.subi", type, {recorder::integer(type, 0, at), v}, at)});
  }
}
/// Of masks `not`: `!` would ask for the truth of a traced value.
template <class T, int... D> Tile<T, D...> operator~(const Tile<T, D...> &x) {
  constexpr recorder::Type type = Tile<T, D...>::type;
  static_assert(isWhole(type.element), "~ is of masks and integers");
  recorder::Value v = x.value();
  Place at{};
  i64 ones = type.element == Element::I1 ? 1 : -1;
  return Tile<T, D...>(Recorded{recorder::elementwise(
      "arith.xori", type, {v, recorder::integer(type, ones, at)}, at)});
}
#define GIRIH_SHIFT(sign, op)                                                  \
  template <class T, int... D>                                                 \
  Tile<T, D...> operator sign(const Tile<T, D...> &x, detail::ShiftBits n) {   \
    static_assert(isInteger(elementOf<T>), #sign " is of i8 to i64");          \
    return Tile<T, D...>(Recorded{recorder::shiftBy(                           \
        op, Tile<T, D...>::type, x.value(n.at), n.bits, n.at)});               \
  }
GIRIH_SHIFT(<<, "arith.shli")
GIRIH_SHIFT(>>, "arith.shrsi")
#undef GIRIH_SHIFT

namespace detail {
template <class A, class B>
inline constexpr bool elementsMeet =
    promotes(A::type.element, B::type.element) ||
    promotes(B::type.element, A::type.element);
template <class A, class B>
inline constexpr bool shapesBroadcast = shapesMeet(A::type, B::type);
template <class A, class B> constexpr void checkMeet() {
  static_assert(elementsMeet<A, B>,
                "elements of two types, neither of which holds the other: "
                "convert one with to<...>(x)");
  static_assert(
      shapesBroadcast<A, B>,
      "shapes do not broadcast: aligned at the last axis, extents are "
      "equal or 1");
}
template <class A, class B>
concept OnlyMeet = AnyTile<A> && AnyTile<B> && !widens<A, B> && !widens<B, A>;
} // namespace detail

// Two tiles of which neither widens to the other: [64, 1] and [1, 64]. They
// have no room for a place, and this file is none: what takes the result gives
// its own.
#define GIRIH_MEET(sign)                                                       \
  template <class A, class B>                                                  \
    requires detail::OnlyMeet<A, B>                                            \
  auto operator sign(const A &a, const B &b) {                                 \
    detail::checkMeet<A, B>();                                                 \
    if constexpr (detail::Meet<A, B>::type.element != Element::None) {         \
      using R = detail::TileOf<detail::Meet<A, B>>;                            \
      R x(Recorded{detail::widenedTo<R>(a, Place())});                         \
      R y(Recorded{detail::widenedTo<R>(b, Place())});                         \
      return x sign detail::Operand<R, true>(y, Place());                      \
    } else {                                                                   \
      return a; /* so that one message is enough */                            \
    }                                                                          \
  }
GIRIH_MEET(+)
GIRIH_MEET(-)
GIRIH_MEET(*)
GIRIH_MEET(/)
GIRIH_MEET(%)
GIRIH_MEET(&)
GIRIH_MEET(|)
GIRIH_MEET(^)
GIRIH_MEET(==)
GIRIH_MEET(!=)
GIRIH_MEET(<)
GIRIH_MEET(<=)
GIRIH_MEET(>)
GIRIH_MEET(>=)
#undef GIRIH_MEET

} // namespace girih::kernel

#endif // GIRIH_KERNEL_TILE_H
