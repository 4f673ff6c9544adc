// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: a part of a tensor, or its elements under other coordinates.

#ifndef GIRIH_KERNEL_VIEWS_H
#define GIRIH_KERNEL_VIEWS_H

#include "girih/kernel/Tensors.h"

namespace girih::kernel {

template <class N> recorder::ViewNumber::ViewNumber(const N &n) {
  if constexpr (std::is_integral_v<N> || std::is_same_v<N, Sym>) {
    symbol = Sym(n);
  } else if constexpr (std::is_same_v<N, Index>) {
    value = n.value();
  } else {
    static_assert(
        std::is_convertible_v<N, Index>,
        "numbers of a view are constants, launch symbols and indices");
    value = Index(n, Place()).value();
  }
}
using ViewNumbers = recorder::ViewNumbers;

namespace detail {
template <int K> inline constexpr int axisNumber = K;
struct ExtentList {
  Sym of[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  int count = 0;
};
template <class X, class H, class Numbers> struct ViewFrom;
template <class X, class H, std::size_t... I>
struct ViewFrom<X, H, std::index_sequence<I...>> {
  using type = Tensor<typename X::Element, X::mode, strides<>, 0,
                      Sym(H::extents.of[I])...>;
};
/// The view whose extents H::extents are.
template <AnyTensor X, class H>
using ViewWith =
    typename ViewFrom<X, H, std::make_index_sequence<H::extents.count>>::type;

template <AnyTensor X> constexpr ExtentList extentsOf() {
  ExtentList e;
  for (; e.count < X::rank; ++e.count) {
    e.of[e.count] = X::type.extents[e.count];
  }
  return e;
}
template <AnyTensor X, int... P> struct Permuted {
  static constexpr ExtentList extents = [] {
    ExtentList e;
    ((e.of[e.count++] = X::type.extents[P]), ...);
    return e;
  }();
};
template <int K, AnyTensor X> struct Narrowed {
  static constexpr ExtentList extents = [] {
    ExtentList e = extentsOf<X>();
    e.of[K] = dynamic;
    return e;
  }();
};
template <int K, AnyTensor X, Sym... F> struct Unfolded {
  static constexpr ExtentList extents = [] {
    ExtentList from = extentsOf<X>(), e;
    for (int i = 0; i < X::rank; ++i) {
      if (i == K) {
        ((e.of[e.count++] = F), ...);
      } else {
        e.of[e.count++] = from.of[i];
      }
    }
    return e;
  }();
};
template <int K, AnyTensor X> struct Fixed {
  static constexpr ExtentList extents = [] {
    ExtentList from = extentsOf<X>(), e;
    for (int i = 0; i < X::rank; ++i) {
      if (i != K) {
        e.of[e.count++] = from.of[i];
      }
    }
    return e;
  }();
};
template <int K, AnyTensor X> struct Flattened {
  static constexpr ExtentList extents = [] {
    ExtentList from = extentsOf<X>(), e;
    for (int i = 0; i < X::rank; ++i) {
      if (i == K) {
        const Sym &a = from.of[i], &b = from.of[i + 1];
        e.of[e.count++] =
            a.number >= 0 && b.number >= 0 ? Sym(a.number * b.number) : dynamic;
        ++i;
      } else {
        e.of[e.count++] = from.of[i];
      }
    }
    return e;
  }();
};
} // namespace detail

/// The elements from an offset on, of these extents: those that are `dynamic`
/// are listed in `sizes`, in order. With steps, every so many-th.
template <Sym... D, AnyTensor X>
auto slice(const X &x, ViewNumbers offsets, ViewNumbers sizes = {},
           ViewNumbers steps = {}, Place at = Place::current()) {
  static_assert(sizeof...(D) == X::rank,
                "slice: an extent for each axis of the tensor");
  using V = Tensor<typename X::Element, X::mode, strides<>, 0, D...>;
  return V(
      Recorded{recorder::view(recorder::View::Slice, X::type, V::type, x.value,
                              nullptr, offsets, sizes, steps, at)});
}
/// Along one axis `size` elements from `from` on; other axes whole.
template <int K, AnyTensor X>
auto narrow(const X &x, const recorder::ViewNumber &from, const Index &size,
            Place at = Place::current()) {
  static_assert(K >= 0 && K < X::rank, "narrow: the tensor has no such axis");
  using V = detail::ViewWith<X, detail::Narrowed<K, X>>;
  return V(
      Recorded{recorder::view(recorder::View::Slice, X::type, V::type, x.value,
                              &detail::axisNumber<K>, {from}, {size}, {}, at)});
}
/// Axis P[k] of x is axis k of the view.
template <int... P, AnyTensor X>
auto permute(const X &x, Place at = Place::current()) {
  constexpr int axes[] = {P...};
  constexpr bool isPermutation = [&] {
    int seen = 0;
    for (int p : axes) {
      seen |= p >= 0 && p < 8 ? 1 << p : 0;
    }
    return seen == (1 << X::rank) - 1;
  }();
  static_assert(sizeof...(P) == X::rank && isPermutation,
                "permute: each axis of the tensor once");
  if constexpr (sizeof...(P) == X::rank && isPermutation) {
    using V = detail::ViewWith<X, detail::Permuted<X, P...>>;
    return V(Recorded{recorder::view(recorder::View::Permute, X::type, V::type,
                                     x.value, axes, {}, {}, {}, at)});
  }
}
/// Axis K as axes of these extents, whose product is its own.
template <int K, Sym... F, AnyTensor X>
auto unfold(const X &x, Place at = Place::current()) {
  static_assert(K >= 0 && K < X::rank, "unfold: the tensor has no such axis");
  static_assert(sizeof...(F) >= 2, "unfold: two factors or more");
  using V = detail::ViewWith<X, detail::Unfolded<K, X, F...>>;
  return V(
      Recorded{recorder::view(recorder::View::Unfold, X::type, V::type, x.value,
                              &detail::axisNumber<K>, {F...}, {}, {}, at)});
}
/// All axes but K, at whose coordinate `at` it is.
template <int K, AnyTensor X>
auto fix(const X &x, const recorder::ViewNumber &coordinate,
         Place at = Place::current()) {
  static_assert(K >= 0 && K < X::rank, "fix: the tensor has no such axis");
  static_assert(X::rank > 1, "fix: one axis has to be left");
  using V = detail::ViewWith<X, detail::Fixed<K, X>>;
  return V(Recorded{recorder::view(recorder::View::Fix, X::type, V::type,
                                   x.value, &detail::axisNumber<K>,
                                   {coordinate}, {}, {}, at)});
}
/// Axes K and K + 1 as one.
template <int K, AnyTensor X>
auto flatten(const X &x, Place at = Place::current()) {
  static_assert(K >= 0 && K + 1 < X::rank,
                "flatten: an axis with another behind it");
  using V = detail::ViewWith<X, detail::Flattened<K, X>>;
  return V(Recorded{recorder::view(recorder::View::Flatten, X::type, V::type,
                                   x.value, &detail::axisNumber<K>, {}, {}, {},
                                   at)});
}

} // namespace girih::kernel

#endif // GIRIH_KERNEL_VIEWS_H
