// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a struct to the text of a kernel file. A kernel's members are its
// arguments, named as in C++; operator() is the body. Maps are structs, too.

#ifndef GIRIH_KERNEL_KERNELS_H
#define GIRIH_KERNEL_KERNELS_H

#include "girih/kernel/Control.h"

namespace girih::kernel {

namespace detail {
/// What a member may be made of.
struct Anything {
  template <class T> operator T() const;
};
template <std::size_t> using AnythingAt = Anything;
inline constexpr int maxMembers = 16;
/// How many members K has: none of them has a default, so that this many
/// initializers are needed, and no more are taken.
template <class K, int N = maxMembers + 1> constexpr int memberCount() {
  constexpr bool fits = []<std::size_t... I>(std::index_sequence<I...>) {
    return requires { K{AnythingAt<I>{}...}; };
  }(std::make_index_sequence<N>());
  if constexpr (fits || N == 0) {
    return N;
  } else {
    return memberCount<K, N - 1>();
  }
}

// The name of a member is in the name of a pointer to it.
template <class K> struct Somewhere {
  K kernel;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class K> extern const Somewhere<K> nowhere;
template <class K> constexpr auto memberPointers(K &k) {
  constexpr int n = memberCount<std::remove_const_t<K>>();
#define GIRIH_MEMBERS(N, ...)                                                  \
  if constexpr (n == N) {                                                      \
    auto &[__VA_ARGS__] = k;                                                   \
    return [](auto &...x) { return std::tuple(&x...); }(__VA_ARGS__);          \
  } else
  GIRIH_MEMBERS(1, a)
  GIRIH_MEMBERS(2, a, b)
  GIRIH_MEMBERS(3, a, b, c)
  GIRIH_MEMBERS(4, a, b, c, d)
  GIRIH_MEMBERS(5, a, b, c, d, e)
  GIRIH_MEMBERS(6, a, b, c, d, e, f)
  GIRIH_MEMBERS(7, a, b, c, d, e, f, g)
  GIRIH_MEMBERS(8, a, b, c, d, e, f, g, h)
  GIRIH_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  GIRIH_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  GIRIH_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, l)
  GIRIH_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, l, m)
  GIRIH_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, l, m, o)
  GIRIH_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, l, m, o, p)
  GIRIH_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, l, m, o, p, q)
  GIRIH_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, l, m, o, p, q, r) {
    return std::tuple<>();
  }
#undef GIRIH_MEMBERS
}
template <class K> constexpr auto memberPointers() {
  return memberPointers(nowhere<K>.kernel);
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
template <auto P> constexpr const char *prettyMember() {
  return __PRETTY_FUNCTION__;
}
template <class K> constexpr const char *prettyType() {
  return __PRETTY_FUNCTION__;
}

template <class K, std::size_t I> const char *memberName() {
  return recorder::memberName(prettyMember<std::get<I>(memberPointers<K>())>());
}

/// Stands for a member while a kernel is made of the names of its arguments.
struct Member {
  ArgumentName argument;
  template <class T> operator T() const {
    if constexpr (AnyTile<T>) {
      return argumentTile(argument, static_cast<const T *>(nullptr));
    } else {
      static_assert(isTensor<T>, "members of a kernel are its arguments: "
                                 "tensors by mode, and Scalar<f32> or another "
                                 "float");
      if constexpr (isTensor<T>) {
        return T(argument);
      } else {
        throw "refused above";
      }
    }
  }
};

/// Whatever happens, no kernel is left open.
struct Recording {
  Recording() { recorder::begin(); }
  ~Recording() { recorder::abandon(); }
  Recording(const Recording &) = delete;
};

template <class K> void recordKernel(Place at) {
  static_assert(std::is_aggregate_v<K>,
                "a kernel is a plain struct: its members are arguments, and "
                "operator() is its body");
  static_assert(
      memberCount<K>() >= 1 && memberCount<K>() <= maxMembers,
      "a kernel has 1 to 16 members, its arguments, without defaults");
  recorder::openKernel(prettyType<K>(), at);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    K kernel{Member{{memberName<K, I>()}}...};
    kernel();
  }(std::make_index_sequence<memberCount<K>()>());
  recorder::closeKernel();
}
} // namespace detail

//===-- Maps --------------------------------------------------------------===//

/// A function on indices, as a struct derived from this with its parameters,
/// symbols of its own. It has `Extents<A> from() const`, what its arguments are
/// below, and operator(), which gives `Ids<R>`; `Extents<R> into() const`,
/// `property` and `Ids<A> inverse(Index...) const` if it claims more.
template <Sym... P> struct Map {
  static constexpr int parameterCount = sizeof...(P);
  static constexpr const Sym *parameters = detail::symbols<P...>;
};
enum class Property : std::uint8_t { plain, injective, bijective };
template <int N> struct Extents {
  recorder::Expression of[N];
  template <class... E>
    requires(sizeof...(E) == N)
  Extents(const E &...e) : of{Expr(e).node...} {}
};

namespace detail {
template <class R> struct ResultCount;
template <int N> struct ResultCount<Ids<N>> {
  static constexpr int count = N;
};
template <class R, class M, class... A> struct Signature {
  static constexpr int arguments = sizeof...(A),
                       results = ResultCount<R>::count;
};
template <class R, class M, class... A>
Signature<R, M, A...> signatureOf(R (M::*)(A...) const);

template <class F, std::size_t... I>
void mapRegion(F f, std::index_sequence<I...>) {
  auto results = f(Index(Recorded{recorder::mapArgument(int(I))})...);
  recorder::Value values[8];
  results.read(values);
  recorder::closeMapRegion(values, decltype(results)::count);
}
template <class M, class S> void recordMap(const M &map, Place at) {
  constexpr bool hasInto = requires { map.into(); };
  constexpr bool hasProperty = requires { M::property; };
  constexpr bool hasInverse = requires { &M::inverse; };
  recorder::Map form{prettyType<M>(),   S::arguments,  S::results,
                     M::parameterCount, M::parameters, "",
                     hasInverse};
  if constexpr (hasProperty) {
    static_assert(M::property == Property::plain || hasInverse,
                  "a map that is injective or bijective shows its inverse");
    static_assert(M::property != Property::bijective || hasInto,
                  "a bijective map says into what: Extents<R> into() const");
    form.property = M::property == Property::injective   ? "injective"
                    : M::property == Property::bijective ? "bijective"
                                                         : "";
  }
  if (!recorder::openMap(form, at)) {
    return;
  }
  static_assert(std::is_same_v<decltype(map.from()), Extents<S::arguments>>,
                "a map says from what: Extents<A> from() const, an extent for "
                "each argument");
  Extents<S::arguments> from = map.from();
  recorder::mapExtents(false, from.of, S::arguments);
  if constexpr (hasInto) {
    static_assert(std::is_same_v<decltype(map.into()), Extents<S::results>>,
                  "into() gives Extents<R>, an extent for each result");
    Extents<S::results> into = map.into();
    recorder::mapExtents(true, into.of, S::results);
  }
  mapRegion([&](const auto &...i) { return map(i...); },
            std::make_index_sequence<S::arguments>());
  if constexpr (hasInverse) {
    recorder::openInverse();
    mapRegion([&](const auto &...i) { return map.inverse(i...); },
              std::make_index_sequence<S::results>());
  }
  recorder::closeMap();
}
template <int N, std::size_t... I>
Ids<N> idsFrom(recorder::Value first, std::index_sequence<I...>) {
  return {Index(Recorded{first + int(I)})...};
}
} // namespace detail

/// The map of some arguments; its parameters are the same in every block.
template <class M>
auto apply(std::type_identity_t<
               At<decltype(detail::signatureOf(&M::operator()))::arguments>>
               arguments,
           std::type_identity_t<At<M::parameterCount>> parameters,
           Place at = Place::current()) {
  using S = decltype(detail::signatureOf(&M::operator()));
  detail::recordMap<M, S>(M{}, at);
  return detail::idsFrom<S::results>(
      recorder::apply(detail::prettyType<M>(), arguments.at(at), S::arguments,
                      parameters.at(at), M::parameterCount, S::results, at),
      std::make_index_sequence<S::results>());
}

//===-- Variants and files ------------------------------------------------===//

/// Kernels for one call, in order; operator() says by when<K>(...) for which
/// launches a kernel is taken. The last one may be for all that are left.
template <class... K> struct Variants {
  using Kernels = std::tuple<K...>;
  template <class Variant, class... C>
  static void when(const C &...conditions) {
    static_assert((std::is_same_v<Variant, K> || ...),
                  "when<K>: K is none of these Variants");
    recorder::when(detail::prettyType<Variant>(), {conditions...});
  }
};

/// The text of the kernel file that a struct stands for. Without a name it has
/// that of the struct, with its template arguments.
template <class K>
recorder::File record(Place at = Place::current(), const char *name = "") {
  detail::Recording recording;
  if constexpr (requires { typename K::Kernels; }) {
    recorder::variants(detail::prettyType<K>());
    K{}();
    [&]<class... V>(std::tuple<V...> *) {
      (detail::recordKernel<V>(at), ...);
    }(static_cast<typename K::Kernels *>(nullptr));
  } else {
    detail::recordKernel<K>(at);
  }
  return recorder::finish(name, at);
}

/// Names a kernel or list that the file it stands in gives to others: to
/// girih_add_kernel, and to Python.
///
///   template struct girih::kernel::Listed<gemm<128, 256>>;
template <class K> struct Listed {
  static inline const bool isListed = recorder::list(
      {detail::prettyType<K>(), [] { return record<K>(Place()); }});
};

} // namespace girih::kernel

#endif // GIRIH_KERNEL_KERNELS_H
