// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on launch symbols. In a contract it stays an expression; where a
// body wants an Index it becomes ops.

#ifndef GIRIH_KERNEL_SYMBOLS_H
#define GIRIH_KERNEL_SYMBOLS_H

#include "girih/kernel/Recorder.h"

namespace girih::kernel {

/// A launch scalar of another type than idx: `constexpr SymOf<i32> pos{"pos"};`
template <class T> struct SymOf {
  static_assert(isInteger(elementOf<T>),
                "a launch scalar is an i8, i16, i32 or i64; idx is Sym");
  Sym symbol;
  template <std::size_t N>
  constexpr SymOf(const char (&text)[N]) : symbol(text) {}
};

/// An expression on launch symbols, in the kernel that is being recorded.
struct Expr {
  recorder::Expression node;
  Expr(const Sym &s) : node(recorder::symbol(s)) {}
  template <class T>
  Expr(const SymOf<T> &s) : node(recorder::symbol(s.symbol, elementOf<T>)) {}
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
  Expr(I n) : Expr(recorder::symbol(Sym(n < 0 ? 0 : n)), n) {}
  Expr(const char *op, const Expr &x, const Expr &y)
      : node(recorder::expression(op, x.node, y.node)) {}

private:
  template <class I>
  Expr(recorder::Expression magnitude, I n)
      : node(n < 0
                 ? recorder::expression("-", magnitude,
                                        recorder::symbol(Sym(-(n < 0 ? n : 0))))
                 : magnitude) {}
};

namespace detail {
template <class B> constexpr bool truthOfSymbols() {
  static_assert(!std::is_same_v<B, bool>,
                "a comparison of launch symbols has no truth in C++: "
                "require(N <= 8) states it, if_(Index(N) <= 8, ...) asks it");
  return false;
}
} // namespace detail

/// Of launch symbols: what require() takes.
struct Comparison : recorder::Comparison {
  Comparison(const char *sign, const Expr &x, const Expr &y, Place at)
      : recorder::Comparison{sign, x.node, y.node, at} {}
  template <class B, bool = detail::truthOfSymbols<B>()>
  explicit operator B() const;
};

template <class T> inline constexpr bool isSymbol = false;
template <> inline constexpr bool isSymbol<Sym> = true;
template <> inline constexpr bool isSymbol<Expr> = true;
template <class T> inline constexpr bool isSymbol<SymOf<T>> = true;
template <class T>
concept Symbolic = isSymbol<T>;
template <class T>
concept ExprOperand =
    isSymbol<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool>);
template <class A, class B>
concept Expressions =
    ExprOperand<A> && ExprOperand<B> && (isSymbol<A> || isSymbol<B>);

#define GIRIH_EXPRESSION(f, word)                                              \
  template <class A, class B>                                                  \
    requires Expressions<A, B>                                                 \
  Expr f(const A &a, const B &b) {                                             \
    return {word, Expr(a), Expr(b)};                                           \
  }
GIRIH_EXPRESSION(operator+, "+")
GIRIH_EXPRESSION(operator-, "-")
GIRIH_EXPRESSION(operator*, "*")
GIRIH_EXPRESSION(operator/, "div")
GIRIH_EXPRESSION(operator%, "mod")
GIRIH_EXPRESSION(ceildiv, "ceildiv")
GIRIH_EXPRESSION(min, "min")
GIRIH_EXPRESSION(max, "max")
#undef GIRIH_EXPRESSION

#define GIRIH_COMPARISON(sign)                                                 \
  template <class A, class B>                                                  \
    requires Expressions<A, B>                                                 \
  Comparison operator sign(const A &a, const B &b) {                           \
    return {#sign, Expr(a), Expr(b), Place()};                                 \
  }
GIRIH_COMPARISON(==)
GIRIH_COMPARISON(<)
GIRIH_COMPARISON(<=)
GIRIH_COMPARISON(>)
GIRIH_COMPARISON(>=)
#undef GIRIH_COMPARISON
template <class A, class B>
  requires Expressions<A, B>
Comparison operator!=(const A &a, const B &b) {
  static_assert(sizeof(A) == 0, "a contract compares with == < <= > >=");
  return {"==", Expr(a), Expr(b), Place()};
}

} // namespace girih::kernel

#endif // GIRIH_KERNEL_SYMBOLS_H
