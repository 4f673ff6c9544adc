// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of tiles: elementwise ones under the names that mathematics has for
// them, conversions, shapes, choices of lanes. One for each row of
// ir/ops/Elementwise.def, which a test counts.

#ifndef GIRIH_KERNEL_FUNCTIONS_H
#define GIRIH_KERNEL_FUNCTIONS_H

#include "girih/kernel/Tile.h"

namespace girih::kernel {

inline constexpr double inf = __builtin_inf();
inline constexpr double nan = __builtin_nan("");

namespace detail {
template <class X>
concept TileOrNumber = AnyTile<X> || Number<X> || Symbolic<X>;
/// The tile that both arguments of a function widen to.
template <class A, class B> constexpr recorder::Type commonType() {
  if constexpr (!AnyTile<A>) {
    return B::type;
  } else if constexpr (!AnyTile<B>) {
    return A::type;
  } else {
    checkMeet<A, B>();
    return meetOf(A::type, B::type);
  }
}
template <class A, class B> struct Common {
  static constexpr recorder::Type type = commonType<A, B>();
};
template <class To, class X> recorder::Value operandOf(const X &x, Place at) {
  return Operand<To, true>(x, at).value;
}
template <class A, class B>
auto binary(const char *f, const char *i, const A &a, const B &b, Place at) {
  constexpr recorder::Type type = commonType<A, B>();
  if constexpr (type.element != Element::None) {
    static_assert(isWideFloat(type.element) || isWhole(type.element),
                  "nothing computes with elements below a byte or floats of 8 "
                  "bits: to<f32>(x)");
    using R = TileOf<Common<A, B>>;
    recorder::Value x = operandOf<R>(a, at), y = operandOf<R>(b, at);
    return R(Recorded{recorder::elementwise(isFloat(type.element) ? f : i, type,
                                            {x, y}, at)});
  }
}
} // namespace detail

#define GIRIH_UNARY(f, op)                                                     \
  template <class T, int... D>                                                 \
  Tile<T, D...> f(const Tile<T, D...> &x, Place at = Place::current()) {       \
    static_assert(isWideFloat(elementOf<T>), #f " is of f16, bf16, f32, f64"); \
    return Tile<T, D...>(Recorded{                                             \
        recorder::elementwise(op, Tile<T, D...>::type, {x.value(at)}, at)});   \
  }
GIRIH_UNARY(exp, "math.exp")
GIRIH_UNARY(exp2, "math.exp2")
GIRIH_UNARY(expm1, "math.expm1")
GIRIH_UNARY(log, "math.log")
GIRIH_UNARY(log1p, "math.log1p")
GIRIH_UNARY(log2, "math.log2")
GIRIH_UNARY(sqrt, "math.sqrt")
GIRIH_UNARY(rsqrt, "math.rsqrt")
GIRIH_UNARY(sin, "math.sin")
GIRIH_UNARY(cos, "math.cos")
GIRIH_UNARY(tan, "math.tan")
GIRIH_UNARY(sinh, "math.sinh")
GIRIH_UNARY(cosh, "math.cosh")
GIRIH_UNARY(tanh, "math.tanh")
GIRIH_UNARY(erf, "math.erf")
GIRIH_UNARY(floor, "math.floor")
GIRIH_UNARY(ceil, "math.ceil")
GIRIH_UNARY(trunc, "math.trunc")
GIRIH_UNARY(round, "math.round")
GIRIH_UNARY(roundeven, "math.roundeven")
#undef GIRIH_UNARY

template <class T, int... D>
Tile<T, D...> abs(const Tile<T, D...> &x, Place at = Place::current()) {
  static_assert(isWideFloat(elementOf<T>) || isInteger(elementOf<T>),
                "abs is of f16, bf16, f32, f64 and of i8 to i64");
  return Tile<T, D...>(Recorded{
      recorder::elementwise(isFloat(elementOf<T>) ? "math.absf" : "math.absi",
                            Tile<T, D...>::type, {x.value(at)}, at)});
}

/// May take subnormal numbers for zero.
struct Approximate {};
inline constexpr Approximate approximate;
template <int... D>
Tile<f32, D...> exp2(const Tile<f32, D...> &x, Approximate,
                     Place at = Place::current()) {
  return Tile<f32, D...>(Recorded{recorder::elementwise(
      "math.exp2", Tile<f32, D...>::type, {x.value(at)}, at, "fastmath<afn>")});
}

#define GIRIH_BINARY(f, ofFloats, ofIntegers)                                  \
  template <detail::TileOrNumber A, detail::TileOrNumber B>                    \
    requires(AnyTile<A> || AnyTile<B>)                                         \
  auto f(const A &a, const B &b, Place at = Place::current()) {                \
    constexpr Element e = detail::commonType<A, B>().element;                  \
    static_assert(!isFloat(e) || ofFloats[0], #f " is of integers");           \
    static_assert(!isWhole(e) || ofIntegers[0], #f " is of floats");           \
    return detail::binary(ofFloats, ofIntegers, a, b, at);                     \
  }
/// NaN where an operand is.
GIRIH_BINARY(max, "arith.maximumf", "arith.maxsi")
GIRIH_BINARY(min, "arith.minimumf", "arith.minsi")
/// The other operand where one is NaN.
GIRIH_BINARY(maxnum, "arith.maxnumf", "")
GIRIH_BINARY(minnum, "arith.minnumf", "")
/// Read without sign.
GIRIH_BINARY(umax, "", "arith.maxui")
GIRIH_BINARY(umin, "", "arith.minui")
GIRIH_BINARY(pow, "math.powf", "")
GIRIH_BINARY(atan2, "math.atan2", "")
GIRIH_BINARY(ceildiv, "", "arith.ceildivsi")
/// The high half of the product, read without sign.
GIRIH_BINARY(mulhi, "", "tile.mulhi")
#undef GIRIH_BINARY

/// a * b + c, rounded once.
template <detail::TileOrNumber A, detail::TileOrNumber B,
          detail::TileOrNumber C>
  requires(AnyTile<A> || AnyTile<B>)
auto fma(const A &a, const B &b, const C &c, Place at = Place::current()) {
  using AB = detail::TileOf<detail::Common<A, B>>;
  using R = detail::TileOf<detail::Common<AB, C>>;
  static_assert(isWideFloat(R::type.element), "fma is of floats");
  recorder::Value x = detail::operandOf<R>(a, at),
                  y = detail::operandOf<R>(b, at),
                  z = detail::operandOf<R>(c, at);
  return R(Recorded{recorder::elementwise("math.fma", R::type, {x, y, z}, at)});
}

/// Zeros move in: shiftRight(x, n) of what is read without sign.
template <class T, int... D>
Tile<T, D...> shiftRight(const Tile<T, D...> &x, int bits,
                         Place at = Place::current()) {
  static_assert(isInteger(elementOf<T>), "shiftRight is of i8 to i64");
  return Tile<T, D...>(Recorded{recorder::shiftBy(
      "arith.shrui", Tile<T, D...>::type, x.value(at), bits, at)});
}

/// Comparisons of floats that no operator says: true where an operand is NaN
/// (u..), or false there (o..).
enum class relation : std::uint8_t {
  one,
  ord,
  ueq,
  ugt,
  uge,
  ult,
  ule,
  uno,
  always,
  never
};
template <detail::TileOrNumber A, detail::TileOrNumber B>
  requires(AnyTile<A> || AnyTile<B>)
auto compare(relation predicate, const A &a, const B &b,
             Place at = Place::current()) {
  constexpr const char *words[] = {"one", "ord", "ueq", "ugt",  "uge",
                                   "ult", "ule", "uno", "true", "false"};
  using R = detail::TileOf<detail::Common<A, B>>;
  static_assert(isWideFloat(R::type.element), "compare is of floats");
  recorder::Value x = detail::operandOf<R>(a, at),
                  y = detail::operandOf<R>(b, at);
  return typename R::Mask(Recorded{recorder::compare(
      "arith.cmpf", words[int(predicate)], R::type, x, y, at)});
}

//===-- Conversions -------------------------------------------------------===//

/// How to<...>(x) reads integers, or rounds to powers of two.
struct Unsigned {};
inline constexpr Unsigned asUnsigned;
enum class toward : std::uint8_t { zero, infinity };

namespace detail {
constexpr const char *castOf(Element from, Element to, bool isUnsigned) {
  if (from == Element::Idx || to == Element::Idx) {
    return isInteger(from) || isInteger(to) ? "arith.index_cast" : nullptr;
  }
  if (isFloat(from) && isFloat(to)) {
    if (to == Element::F8E8M0) {
      return nullptr;
    }
    if (from == Element::F8E8M0) {
      return to == Element::F16 || !isWideFloat(to) ? nullptr : "arith.extf";
    }
    if (bitsOf(to) > bitsOf(from)) {
      return "arith.extf";
    }
    if (bitsOf(from) < 16 || (from == Element::F64 && bitsOf(to) < 16)) {
      return nullptr;
    }
    return bitsOf(to) < 16              ? "tile.convert"
           : bitsOf(to) == bitsOf(from) ? nullptr
                                        : "arith.truncf";
  }
  bool whole = isInteger(from) || from == Element::I1;
  if (isFloat(to)) {
    return !whole || !isWideFloat(to)          ? nullptr
           : isUnsigned || from == Element::I1 ? "arith.uitofp"
                                               : "arith.sitofp";
  }
  if (isFloat(from)) {
    return !isWideFloat(from) || !isInteger(to) ? nullptr
           : isUnsigned                         ? "arith.fptoui"
                                                : "arith.fptosi";
  }
  if (bitsOf(to) < bitsOf(from)) {
    return from == Element::I4 ? nullptr : "arith.trunci";
  }
  return isUnsigned || from == Element::I1 ? "arith.extui" : "arith.extsi";
}
template <class E, class T, int... D>
Tile<E, D...> convert(const Tile<T, D...> &x, const char *op, Place at,
                      const char *detail = "") {
  return Tile<E, D...>(Recorded{recorder::cast(
      op, Tile<T, D...>::type, Tile<E, D...>::type, x.value(at), at, detail)});
}
} // namespace detail

/// x with other elements: exact, or rounded once to nearest; integers modulo
/// 2^N; floats of 8 bits or less saturate; true is 1.
template <class E, class T, int... D>
Tile<E, D...> to(const Tile<T, D...> &x, Place at = Place::current()) {
  if constexpr (std::is_same_v<E, T>) {
    return x;
  } else {
    constexpr const char *op =
        detail::castOf(elementOf<T>, elementOf<E>, false);
    static_assert(op, "to: no op converts between these elements in one step; "
                      "f8e8m0 takes toward::zero or toward::infinity");
    return detail::convert<E>(x, op, at);
  }
}
template <class E, class T, int... D>
Tile<E, D...> to(const Tile<T, D...> &x, Unsigned,
                 Place at = Place::current()) {
  constexpr const char *op = detail::castOf(elementOf<T>, elementOf<E>, true);
  static_assert(op && (!isFloat(elementOf<T>) || !isFloat(elementOf<E>)),
                "to: asUnsigned is of conversions from or to integers");
  return detail::convert<E>(x, op, at);
}
template <class E, class T, int... D>
Tile<E, D...> to(const Tile<T, D...> &x, toward direction,
                 Place at = Place::current()) {
  static_assert(std::is_same_v<E, f8e8m0> && isWideFloat(elementOf<T>) &&
                    elementOf<T> != Element::F64,
                "to: toward:: rounds f16, bf16 and f32 to f8e8m0");
  return detail::convert<E>(
      x, "tile.convert", at,
      direction == toward::zero ? "rounding(zero)" : "rounding(positive_inf)");
}
/// The same bits as another type.
template <class E, class T, int... D>
Tile<E, D...> bitcast(const Tile<T, D...> &x, Place at = Place::current()) {
  static_assert(bitsOf(elementOf<T>) == bitsOf(elementOf<E>) &&
                    bitsOf(elementOf<T>) >= 8 && elementOf<T> != Element::Idx &&
                    elementOf<E> != Element::Idx,
                "bitcast: types of one width, 8 bits at least");
  return detail::convert<E>(x, "arith.bitcast", at);
}

//===-- Lanes and shapes --------------------------------------------------===//

template <AnyElement T, int... D, Number N>
Tile<T, D...> fill(N n, Place at = Place::current()) {
  return Tile<T, D...>(Recorded{detail::numberOf<Tile<T, D...>>(n, at)});
}
template <AnyElement T, int... D>
Tile<T, D...> zeros(Place at = Place::current()) {
  return fill<T, D...>(0, at);
}
template <int... D>
Tile<bool, D...> always(bool b, Place at = Place::current()) {
  return Tile<bool, D...>(
      Recorded{recorder::integer(Tile<bool, D...>::type, b, at)});
}
/// Each lane's number along an axis.
template <AnyElement T, int... D, int K>
Tile<T, D...> iota(Axis<K>, Place at = Place::current()) {
  static_assert(K >= 0 && K < int(sizeof...(D)), "iota: no such axis");
  static_assert(isInteger(elementOf<T>) || elementOf<T> == Element::Idx,
                "iota: numbers are idx or i8 to i64");
  return Tile<T, D...>(Recorded{recorder::iota(Tile<T, D...>::type, K, at)});
}
template <int... E, class T, int... D>
Tile<T, E...> broadcast(const Tile<T, D...> &x, Place at = Place::current()) {
  using R = Tile<T, E...>;
  static_assert(detail::widens<Tile<T, D...>, R>,
                "broadcast: aligned at the last axis, axes of 1 are repeated");
  return R(Recorded{detail::widenedTo<R>(x, at)});
}
template <int... E, class T, int... D>
Tile<T, E...> reshape(const Tile<T, D...> &x, Place at = Place::current()) {
  using R = Tile<T, E...>;
  static_assert(R::lanes == Tile<T, D...>::lanes,
                "reshape: the lanes are as many as before");
  static_assert(R::rank > 0 && sizeof...(D) > 0,
                "reshape: a scalar has no lanes; extract it by a reduction");
  return R(Recorded{recorder::cast("vector.shape_cast", Tile<T, D...>::type,
                                   R::type, x.value(at), at)});
}
/// Axis P[k] of x is axis k of the result.
template <int... P, class T, int... D>
  requires(sizeof...(P) > 0)
auto permute(const Tile<T, D...> &x, Place at = Place::current()) {
  constexpr recorder::Type from = Tile<T, D...>::type;
  constexpr int axes[] = {P...};
  constexpr bool isPermutation = [&] {
    int seen = 0;
    for (int p : axes) {
      seen |= p >= 0 && p < 8 ? 1 << p : 0;
    }
    return seen == (1 << sizeof...(D)) - 1;
  }();
  static_assert(sizeof...(P) == sizeof...(D) && isPermutation,
                "permute: each axis of the tile once");
  if constexpr (sizeof...(P) == sizeof...(D) && isPermutation) {
    using R = Tile<T, from.extents[P]...>;
    return R(
        Recorded{recorder::transpose(from, R::type, axes, x.value(at), at)});
  }
}
template <class T, int A, int B>
Tile<T, B, A> transpose(const Tile<T, A, B> &x, Place at = Place::current()) {
  constexpr int axes[] = {1, 0};
  return Tile<T, B, A>(Recorded{recorder::transpose(
      Tile<T, A, B>::type, Tile<T, B, A>::type, axes, x.value(at), at)});
}
/// The number of a part along each axis.
template <int... N> struct Part {};
template <int... N> inline constexpr Part<N...> part{};
/// x cut into parts of this shape, and one of them.
template <int... E, class T, int... D, int... N>
Tile<T, E...> extract(const Tile<T, D...> &x, Part<N...>,
                      Place at = Place::current()) {
  static_assert(sizeof...(E) == sizeof...(D) && sizeof...(N) == sizeof...(D),
                "extract: an extent and a number for each axis of the tile");
  if constexpr (sizeof...(E) == sizeof...(D) && sizeof...(N) == sizeof...(D)) {
    static_assert(((D % E == 0 && N >= 0 && N < D / E) && ...),
                  "extract: no such part");
    constexpr int number[] = {N...};
    return Tile<T, E...>(Recorded{recorder::extract(
        Tile<T, D...>::type, Tile<T, E...>::type, number, x.value(at), at)});
  }
}
/// a, and b behind it.
template <int K, class T, int... D>
auto cat(const Tile<T, D...> &a, const Tile<T, D...> &b, Axis<K>,
         Place at = Place::current()) {
  static_assert(K >= 0 && K < int(sizeof...(D)), "cat: no such axis");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using R = Tile<T, (int(I) == K ? 2 * D : D)...>;
    recorder::Value x = a.value(at), y = b.value(at);
    return R(
        Recorded{recorder::cat(Tile<T, D...>::type, R::type, x, y, K, at)});
  }(std::make_index_sequence<sizeof...(D)>());
}
namespace detail {
/// The shape that a mask and the sides of a choice meet at.
template <class Mask, class A, class B> struct Chosen {
  static constexpr recorder::Type type = [] {
    recorder::Type lanes = Mask::type;
    lanes.element = commonType<A, B>().element;
    return meetOf(commonType<A, B>(), lanes);
  }();
};
} // namespace detail
/// a where the mask is true, else b.
template <int... D, detail::TileOrNumber A, detail::TileOrNumber B>
auto where(const Tile<bool, D...> &mask, const A &a, const B &b,
           Place at = Place::current()) {
  static_assert(
      AnyTile<A> || AnyTile<B>,
      "where: one of the two is a tile, so that elements have a type");
  if constexpr (AnyTile<A> || AnyTile<B>) {
    using C = detail::Chosen<Tile<bool, D...>, A, B>;
    static_assert(C::type.element != Element::None,
                  "where: the mask's shape and the sides' do not broadcast");
    if constexpr (C::type.element != Element::None) {
      using R = detail::TileOf<C>;
      using M = std::conditional_t<sizeof...(D) == 0, Bool, typename R::Mask>;
      recorder::Value m = detail::widenedTo<M>(mask, at);
      recorder::Value x = detail::operandOf<R>(a, at);
      recorder::Value y = detail::operandOf<R>(b, at);
      return R(Recorded{recorder::select(R::type, M::type, m, x, y, at)});
    }
  }
}

//===-- Products and reductions -------------------------------------------===//

/// Tensor cores' digits: f32 as tf32, sums of f8 in 13 bits.
struct Fast {};
inline constexpr Fast fast;

namespace detail {
template <class A, class B>
inline constexpr bool columnsAreRows = A::type.extents[1] == B::type.extents[0];
template <class A, class B, class C>
inline constexpr bool isProduct = A::type.extents[0] == C::type.extents[0] &&
                                  B::type.extents[1] == C::type.extents[1];
template <class... X>
inline constexpr bool haveTwoAxes = ((X::rank == 2) && ...);
constexpr bool hasProduct(Element a, Element b, Element c) {
  return a == b &&
         (c == Element::F32   ? a >= Element::F8E5M2 && a <= Element::F32
          : c == Element::F64 ? a == Element::F64
                              : a == Element::I8 && c == Element::I32);
}
template <class A, class B, class C>
inline constexpr bool areFactors =
    hasProduct(A::type.element, B::type.element, C::type.element);
template <class A, class B, class C>
C product(const char *flag, const A &a, const B &b, const C &c, Place at) {
  static_assert(haveTwoAxes<A, B, C>, "mma: tiles of two axes");
  static_assert(columnsAreRows<A, B>, "mma: columns of the first factor are "
                                      "not the rows of the second");
  static_assert(isProduct<A, B, C>, "mma: the sum has not the product's shape");
  static_assert(areFactors<A, B, C>,
                "mma: factors of one type; f8, f16, bf16 and f32 are summed in "
                "f32, f64 in f64, i8 in i32");
  recorder::Value x = a.value(at), y = b.value(at), z = c.value(at);
  return C(Recorded{recorder::product(
      "tile.mma", {&A::type, &B::type, &C::type}, {x, y, z}, flag, at)});
}
} // namespace detail

/// c + a b.
template <AnyTile A, AnyTile B, AnyTile C>
C mma(const A &a, const B &b, const C &c, Place at = Place::current()) {
  return detail::product("", a, b, c, at);
}
template <AnyTile A, AnyTile B, AnyTile C>
C mma(const A &a, const B &b, const C &c, Fast, Place at = Place::current()) {
  static_assert(A::type.element == Element::F32 || bitsOf(A::type.element) == 8,
                "mma: fast is of factors of f8 or f32");
  return detail::product(" fast", a, b, c, at);
}
/// a b, in f32.
template <AnyTile A, AnyTile B>
auto dot(const A &a, const B &b, Place at = Place::current()) {
  static_assert(A::rank == 2 && B::rank == 2, "dot: tiles of two axes");
  using C = Tile<f32, A::type.extents[0], B::type.extents[1]>;
  return mma(a, b, C(Recorded{detail::numberOf<C>(0, at)}), at);
}
/// c + a b, where 32 (or 16) neighbours along the sum share a scale.
template <AnyTile A, AnyTile B, AnyTile C, AnyTile SA, AnyTile SB>
C mmaScaled(const A &a, const B &b, const C &c, const SA &sa, const SB &sb,
            Place at = Place::current()) {
  static_assert(detail::haveTwoAxes<A, B, C>, "mmaScaled: tiles of two axes");
  static_assert(detail::columnsAreRows<A, B>,
                "mmaScaled: columns of the first factor are not the rows of "
                "the second");
  static_assert(detail::isProduct<A, B, C>,
                "mmaScaled: the sum has not the product's shape");
  static_assert(A::type.element == B::type.element &&
                    bitsOf(A::type.element) <= 8 &&
                    C::type.element == Element::F32,
                "mmaScaled: factors of f8 or f4 of one type, summed in f32");
  static_assert(SA::type.element == SB::type.element &&
                    (SA::type.element == Element::F8E8M0 ||
                     SA::type.element == Element::F8E4M3),
                "mmaScaled: scales are f8e8m0 or, of f4e2m1, f8e4m3");
  static_assert(SA::rank == 2 && SB::rank == 2 &&
                    SA::type.extents[0] == A::type.extents[0] &&
                    SB::type.extents[1] == B::type.extents[1] &&
                    SA::type.extents[1] == SB::type.extents[0] &&
                    (A::type.extents[1] == 32 * SA::type.extents[1] ||
                     A::type.extents[1] == 16 * SA::type.extents[1]),
                "mmaScaled: a scale for each 32 (or 16, of f4e2m1) neighbours");
  recorder::Value x = a.value(at), y = b.value(at), z = c.value(at),
                  s = sa.value(at), t = sb.value(at);
  return C(Recorded{recorder::product(
      "tile.mma_scaled", {&A::type, &B::type, &C::type, &SA::type, &SB::type},
      {x, y, z, s, t}, "", at)});
}

namespace detail {
template <int K, bool keep, class E, class X> struct Along {
  static constexpr recorder::Type type = [] {
    recorder::Type t = X::type;
    t.element = elementOf<E>;
    if (keep) {
      t.extents[K] = 1;
      return t;
    }
    for (int i = K; i < t.rank; ++i) {
      t.extents[i] = i + 1 < t.rank ? t.extents[i + 1] : 0;
    }
    --t.rank;
    return t;
  }();
};
template <int K, bool keep, class E, class T, int... D>
auto alongAxis(const char *op, const Tile<T, D...> &x, Place at) {
  static_assert(K >= 0 && K < int(sizeof...(D)), "the tile has no such axis");
  static_assert(isWideFloat(elementOf<T>) || isInteger(elementOf<T>),
                "reductions are of f16 to f64 and i8 to i64: convert with "
                "to<...>(x)");
  using R = TileOf<Along<K, keep, E, Tile<T, D...>>>;
  return R(
      Recorded{recorder::alongAxis(op, Tile<T, D...>::type, R::type,
                                   x.value(at), K, keep ? " keep" : "", at)});
}
} // namespace detail

// f(x, axis<k>) leaves the axis with extent 1, f(x, drop<k>) drops it, f(x) is
// of tiles of one axis.
#define GIRIH_REDUCTION(f, op, E)                                              \
  template <class T, int... D, int K>                                          \
  auto f(const Tile<T, D...> &x, Axis<K>, Place at = Place::current()) {       \
    return detail::alongAxis<K, true, E>(op, x, at);                           \
  }                                                                            \
  template <class T, int... D, int K>                                          \
  auto f(const Tile<T, D...> &x, Drop<K>, Place at = Place::current()) {       \
    return detail::alongAxis<K, false, E>(op, x, at);                          \
  }                                                                            \
  template <class T, int... D>                                                 \
  auto f(const Tile<T, D...> &x, Place at = Place::current()) {                \
    static_assert(sizeof...(D) == 1, #f                                        \
                  "(x) is of tiles of one axis: name it, " #f "(x, axis<1>)"); \
    return detail::alongAxis<0, false, E>(op, x, at);                          \
  }
GIRIH_REDUCTION(sum, "tile.reduce add", T)
GIRIH_REDUCTION(prod, "tile.reduce mul", T)
GIRIH_REDUCTION(max, "tile.reduce max", T)
GIRIH_REDUCTION(min, "tile.reduce min", T)
GIRIH_REDUCTION(argmax, "tile.argmax", i32)
GIRIH_REDUCTION(argmin, "tile.argmin", i32)
#undef GIRIH_REDUCTION

/// From the last lane on.
struct Reverse {};
inline constexpr Reverse reverse;
// Lane k is what the lanes up to k (or from it on) reduce to.
#define GIRIH_SCAN(f, op)                                                      \
  template <class T, int... D, int K>                                          \
  Tile<T, D...> f(const Tile<T, D...> &x, Axis<K>,                             \
                  Place at = Place::current()) {                               \
    return detail::scan<K>(op, "", x, at);                                     \
  }                                                                            \
  template <class T, int... D, int K>                                          \
  Tile<T, D...> f(const Tile<T, D...> &x, Axis<K>, Reverse,                    \
                  Place at = Place::current()) {                               \
    return detail::scan<K>(op, " reverse", x, at);                             \
  }
namespace detail {
template <int K, class T, int... D>
Tile<T, D...> scan(const char *op, const char *flag, const Tile<T, D...> &x,
                   Place at) {
  static_assert(K >= 0 && K < int(sizeof...(D)), "the tile has no such axis");
  static_assert(isWideFloat(elementOf<T>) || isInteger(elementOf<T>),
                "scans are of f16 to f64 and i8 to i64");
  return Tile<T, D...>(Recorded{recorder::alongAxis(
      op, Tile<T, D...>::type, Tile<T, D...>::type, x.value(at), K, flag, at)});
}
} // namespace detail
GIRIH_SCAN(scanSum, "tile.scan add")
GIRIH_SCAN(scanProd, "tile.scan mul")
GIRIH_SCAN(scanMax, "tile.scan max")
GIRIH_SCAN(scanMin, "tile.scan min")
#undef GIRIH_SCAN

} // namespace girih::kernel

#endif // GIRIH_KERNEL_FUNCTIONS_H
