// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors by mode, their views and partitions, and all that touches memory.
// What takes template arguments is a free function, so that nobody writes
// `.template`.

#ifndef GIRIH_KERNEL_TENSORS_H
#define GIRIH_KERNEL_TENSORS_H

#include "girih/kernel/Call.h"
#include "girih/kernel/Functions.h"
#include <tuple>

namespace girih::kernel {

/// The name of an argument, for the constructors of members.
struct ArgumentName {
  const char *name;
};
template <class T, int... D>
Tile<T, D...> argumentTile(ArgumentName a, const Tile<T, D...> *) {
  static_assert(
      sizeof...(D) == 0 && isWideFloat(elementOf<T>),
      "members are tensors and Scalar<f32> or another float; a launch "
      "integer is a Sym");
  return Tile<T, D...>(
      Recorded{recorder::scalarArgument(a.name, elementOf<T>)});
}

/// Strides of an argument, symbols or numbers, and its alignment in bytes.
template <Sym... S> struct strides {};
template <int bytes> struct align {};

namespace detail {
template <Sym... S> inline constexpr Sym symbols[sizeof...(S) + 1] = {S..., 0};
} // namespace detail

/// A tensor argument, or a view of one.
template <class T, Mode m, class Layout, int alignment, Sym... D> class Tensor;
template <class T, Mode m, Sym... S, int alignment, Sym... D>
class Tensor<T, m, strides<S...>, alignment, D...> {
public:
  static_assert(AnyElement<T> && elementOf<T> != kernel::Element::Idx &&
                    elementOf<T> != kernel::Element::I1,
                "no tensor holds idx or bool");
  static_assert(sizeof...(D) >= 1 && sizeof...(D) <= 8,
                "a tensor has 1 to 8 axes");
  static_assert(sizeof...(S) == 0 || sizeof...(S) == sizeof...(D),
                "a stride for each axis");
  static_assert(!isAtomic(m) || m == Mode::Add || isInteger(elementOf<T>),
                "an atomic tensor of floats only adds");
  static_assert(!isAtomic(m) || isInteger(elementOf<T>) ||
                    isWideFloat(elementOf<T>),
                "an atomic tensor has elements of 8 bits at least, and no f8");
  using Element = T;
  static constexpr Mode mode = m;
  static constexpr int rank = sizeof...(D);
  static constexpr recorder::TensorType type{
      elementOf<T>,
      m,
      int(sizeof...(D)),
      detail::symbols<D...>,
      sizeof...(S) ? detail::symbols<S...> : nullptr,
      alignment};

  explicit Tensor(Recorded r) : value(r.value) {}
  explicit Tensor(ArgumentName a)
      : value(recorder::tensorArgument(a.name, type)) {}
  /// An argument of a call.
  template <AnyCallArgument A> Tensor(A &&argument) : value(-1) {
    detail::checkArgument<A, elementOf<T>, rank, m>();
    using C = detail::CallArgumentOf<A>;
    if constexpr (detail::holdsElement<A, elementOf<T>> &&
                  detail::mayHaveRank<A, rank> && detail::mayBeUsed<A, m>) {
      held = C::template hold<m>(std::forward<A>(argument));
    }
  }
  template <class Missing = void> Tensor() { detail::checkPresent<Missing>(); }
  Tensor(const Tensor &) = default;
  Tensor(Tensor &&) = default;
  Tensor &operator=(const Tensor &) = delete;

  recorder::Value value;
  Held held; ///< of a call
};

template <class T, Sym... D>
using Shared = Tensor<T, Mode::Shared, strides<>, 0, D...>;
template <class T, Sym... D>
using Own = Tensor<T, Mode::Own, strides<>, 0, D...>;
template <class T, Sym... D>
using Out = Tensor<T, Mode::Out, strides<>, 0, D...>;
/// An output of which not every element need be written.
template <class T, Sym... D>
using OutPartial = Tensor<T, Mode::OutPartial, strides<>, 0, D...>;
/// No guarantee: named with the verdict.
template <class T, Sym... D>
using Raw = Tensor<T, Mode::Raw, strides<>, 0, D...>;
template <class T, Sym... D>
using AtomicAdd = Tensor<T, Mode::Add, strides<>, 0, D...>;
template <class T, Sym... D>
using AtomicMin = Tensor<T, Mode::Min, strides<>, 0, D...>;
template <class T, Sym... D>
using AtomicMax = Tensor<T, Mode::Max, strides<>, 0, D...>;
template <class T, Sym... D>
using AtomicAnd = Tensor<T, Mode::And, strides<>, 0, D...>;
template <class T, Sym... D>
using AtomicOr = Tensor<T, Mode::Or, strides<>, 0, D...>;
template <class T, Sym... D>
using AtomicXor = Tensor<T, Mode::Xor, strides<>, 0, D...>;

template <class> inline constexpr bool isTensor = false;
template <class T, Mode m, class S, int a, Sym... D>
inline constexpr bool isTensor<Tensor<T, m, S, a, D...>> = true;
template <class T>
concept AnyTensor = isTensor<T>;

namespace detail {
template <class X, class P> struct With_;
template <class T, Mode m, class S, int a, Sym... D, Sym... N>
struct With_<Tensor<T, m, S, a, D...>, strides<N...>> {
  using type = Tensor<T, m, strides<N...>, a, D...>;
};
template <class T, Mode m, class S, int a, Sym... D, int bytes>
struct With_<Tensor<T, m, S, a, D...>, align<bytes>> {
  static_assert(bytes > 0 && (bytes & (bytes - 1)) == 0,
                "align is a power of two");
  using type = Tensor<T, m, S, bytes, D...>;
};
template <class X, class... P> struct WithAll {
  using type = X;
};
template <class X, class P, class... Q> struct WithAll<X, P, Q...> {
  using type = typename WithAll<typename With_<X, P>::type, Q...>::type;
};
} // namespace detail
/// `With<Shared<f32, M, N>, strides<ld, 1>, align<4>>`.
template <AnyTensor X, class... P>
using With = typename detail::WithAll<X, P...>::type;

/// In a shape: an axis of which a tile has one coordinate, and no extent.
inline constexpr int _ = 0;

/// The number of a tile along each axis: `{i, 0}`.
template <int R> struct At {
  recorder::Value values[R]{};
  template <class... I>
    requires(std::is_convertible_v<I, Index> && ...)
  At(const I &...i) {
    static_assert(sizeof...(I) == R,
                  "a tile has one index for each axis of the tensor");
    int k = 0;
    ((values[k++] = valueOf(i)), ...);
  }
  const recorder::Value *at(Place place) const {
    for (recorder::Value v : values) {
      recorder::place(v, place);
    }
    return values;
  }

private:
  template <class I> static recorder::Value valueOf(const I &i) {
    if constexpr (std::is_same_v<I, Index>) {
      return i.value();
    } else {
      return Index(i, Place()).value();
    }
  }
};

namespace detail {
template <class X, int... By>
inline constexpr bool hasAllAxes = sizeof...(By) == X::rank;
template <class T, int... By> struct Squeezed {
  static constexpr recorder::Type type = [] {
    recorder::Type t{elementOf<T>, 0, {}};
    ((By ? void(t.extents[t.rank++] = By) : void()), ...);
    return t;
  }();
};
} // namespace detail

/// A tensor or view as tiles of one shape.
template <AnyTensor X, int... By> struct Tiles {
  using Value = detail::TileOf<detail::Squeezed<typename X::Element, By...>>;
  static constexpr Mode mode = X::mode;
  static constexpr int rank = X::rank;
  recorder::Value value;
};
/// The exclusive right to one tile.
template <AnyTensor X, int... By> struct Piece {
  using Value = typename Tiles<X, By...>::Value;
  recorder::Value value;
};

template <int... By, AnyTensor X>
auto partition(const X &x, Place at = Place::current()) {
  static_assert(detail::hasAllAxes<X, By...>,
                "a tile has an extent, or _, for each axis of the tensor");
  constexpr recorder::By by{sizeof...(By), {By...}};
  return Tiles<X, By...>{recorder::partition(X::type, by, x.value, at)};
}
/// How many tiles there are along an axis.
template <AnyTensor X, int... By, int K>
Index tiles(const Tiles<X, By...> &p, Axis<K>, Place at = Place::current()) {
  static_assert(K >= 0 && K < X::rank, "tiles: the tensor has no such axis");
  return Index(Recorded{recorder::numTiles(p.value, K, at)});
}
template <int... By, AnyTensor X, int K>
  requires(sizeof...(By) > 0)
Index tiles(const X &x, Axis<K> k, Place at = Place::current()) {
  return tiles(partition<By...>(x, at), k, at);
}
/// Which lanes of a tile have an element.
template <AnyTensor X, int... By>
auto inside(const Tiles<X, By...> &p, std::type_identity_t<At<X::rank>> i,
            Place at = Place::current()) {
  using M = typename Tiles<X, By...>::Value::Mask;
  return M(Recorded{recorder::inside(M::type, p.value, i.at(at), at)});
}
template <int... By, AnyTensor X>
  requires(sizeof...(By) > 0)
auto inside(const X &x, std::type_identity_t<At<X::rank>> i,
            Place at = Place::current()) {
  return inside(partition<By...>(x, at), i, at);
}

template <AnyTensor X, int... By>
auto load(const Tiles<X, By...> &p, std::type_identity_t<At<X::rank>> i,
          pad padding = pad::none, Place at = Place::current()) {
  static_assert(X::mode == Mode::Shared || X::mode == Mode::Raw,
                "load: Own and Out tensors are read through a piece, "
                "load(claim<...>(y, {...})); Atomic ones never");
  using V = typename Tiles<X, By...>::Value;
  return V(Recorded{recorder::load(V::type, p.value, i.at(at), padding, at)});
}
template <int... By, AnyTensor X>
auto load(const X &x, std::type_identity_t<At<X::rank>> i,
          pad padding = pad::none, Place at = Place::current()) {
  static_assert(sizeof...(By) > 0,
                "load: the tile's shape, load<64, 128>(x, {i, j})");
  return load(partition<By...>(x, at), i, padding, at);
}
template <AnyTensor X, int... By>
auto load(const Piece<X, By...> &p, pad padding = pad::none,
          Place at = Place::current()) {
  using V = typename Piece<X, By...>::Value;
  return V(Recorded{recorder::loadPiece(V::type, p.value, padding, at)});
}

namespace detail {
template <class X> inline constexpr bool isClaimed = isWritten(X::mode);
} // namespace detail
template <AnyTensor X, int... By>
auto claim(const Tiles<X, By...> &p, std::type_identity_t<At<X::rank>> i,
           Place at = Place::current()) {
  static_assert(detail::isClaimed<X>,
                "claim: a Shared tensor is only read, declare it Out or Own; "
                "an Atomic one is combined with by atomic()");
  return Piece<X, By...>{recorder::claim(p.value, i.at(at), at)};
}
template <int... By, AnyTensor X>
auto claim(const X &x, std::type_identity_t<At<X::rank>> i,
           Place at = Place::current()) {
  static_assert(sizeof...(By) > 0,
                "claim: the tile's shape, claim<64, 128>(y, {i, j})");
  return claim(partition<By...>(x, at), i, at);
}

namespace detail {
template <class V, class T>
inline constexpr bool isElementOf = V::type.element == elementOf<T>;
template <class V, class T, int... D>
recorder::Value storable(const Tile<T, D...> &v, Place at) {
  static_assert(isElementOf<V, T>,
                "store: tile and tensor have elements of two types: "
                "to<...>(x)");
  static_assert(
      widensTo(recorder::Type{V::type.element, sizeof...(D), {D...}}, V::type),
      "store: the value has not the shape of the tile");
  return widenedTo<V>(v, at);
}
} // namespace detail
template <AnyTensor X, int... By, class T, int... D>
void store(const Piece<X, By...> &p, const Tile<T, D...> &v,
           Place at = Place::current()) {
  using V = typename Piece<X, By...>::Value;
  recorder::store(p.value, detail::storable<V>(v, at), at);
}
template <AnyTensor X, int... By, class T, int... D>
void store(const Tiles<X, By...> &p, std::type_identity_t<At<X::rank>> i,
           const Tile<T, D...> &v, Place at = Place::current()) {
  store(claim(p, i, at), v, at);
}
/// Claims a tile and writes it. Without extents the tile is the value's, of
/// which leading axes of the tensor may be missing.
template <int... By, AnyTensor X, class T, int... D>
void store(const X &x, std::type_identity_t<At<X::rank>> i,
           const Tile<T, D...> &v, Place at = Place::current()) {
  static_assert(detail::isClaimed<X>,
                "store: a Shared tensor is only read, declare it Out or Own; "
                "an Atomic one is combined with by atomic()");
  if constexpr (!detail::isClaimed<X>) {
    return;
  } else if constexpr (sizeof...(By) > 0) {
    store(claim<By...>(x, i, at), v, at);
  } else {
    static_assert(sizeof...(D) <= X::rank,
                  "store: the tile has more axes than the tensor");
    if constexpr (sizeof...(D) <= X::rank) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        store(claim<(void(I), _)..., D...>(x, i, at), v, at);
      }(std::make_index_sequence<X::rank - sizeof...(D)>());
    }
  }
}

/// Combines a tile with memory by the op of the tensor's mode.
template <AnyTensor X, int... By, class T, int... D>
void atomic(const Tiles<X, By...> &p, std::type_identity_t<At<X::rank>> i,
            const Tile<T, D...> &v, Place at = Place::current()) {
  static_assert(isAtomic(X::mode), "atomic: the tensor is not AtomicAdd, "
                                   "AtomicMin, ...: declare it so");
  using V = typename Tiles<X, By...>::Value;
  const recorder::Value *indices = i.at(at);
  recorder::atomic(p.value, indices, detail::storable<V>(v, at), X::mode, at);
}
template <int... By, AnyTensor X, class T, int... D>
void atomic(const X &x, std::type_identity_t<At<X::rank>> i,
            const Tile<T, D...> &v, Place at = Place::current()) {
  if constexpr (sizeof...(By) > 0) {
    atomic(partition<By...>(x, at), i, v, at);
  } else {
    static_assert(sizeof...(D) <= X::rank,
                  "atomic: the tile has more axes than the tensor");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      atomic(partition<(void(I), _)..., D...>(x, at), i, v, at);
    }(std::make_index_sequence<X::rank - sizeof...(D)>());
  }
}

//===-- Single lanes ------------------------------------------------------===//

/// Coordinates in lanes, one tile (or number) an axis: `lanes(row, col)`.
template <class... I> struct Lanes {
  std::tuple<I...> coordinates;
};
namespace detail {
template <class I> constexpr recorder::Type coordinateType() {
  static_assert(AnyTile<I> || std::is_integral_v<I> || isSymbol<I>,
                "coordinates are tiles or scalars of idx or i8 to i64");
  if constexpr (AnyTile<I>) {
    static_assert(I::type.element == Element::Idx || isInteger(I::type.element),
                  "coordinates are tiles or scalars of idx or i8 to i64");
    recorder::Type t = I::type;
    t.element = Element::Idx;
    return t;
  } else {
    return {Element::Idx, 0, {}};
  }
}
template <Element e, class... I> struct LanesType {
  static constexpr recorder::Type type = [] {
    recorder::Type t{Element::Idx, 0, {}};
    ((t = t.element == Element::None ? t : meetOf(t, coordinateType<I>())),
     ...);
    t.element = t.element == Element::None ? Element::None : e;
    return t;
  }();
};
template <class I> struct CoordinateType {
  static constexpr recorder::Type type = coordinateType<I>();
};
template <class L, class I> recorder::Value coordinate(const I &i, Place at) {
  if constexpr (AnyTile<I>) {
    if constexpr (I::type.element == Element::Idx) {
      return widenedTo<L>(i, at);
    } else {
      using Wide = TileOf<CoordinateType<I>>;
      return widenedTo<L>(
          Wide(Recorded{recorder::cast("arith.index_cast", I::type, Wide::type,
                                       i.value(at), at)}),
          at);
    }
  } else {
    return widenedTo<L>(Index(i, at), at);
  }
}
template <AnyTensor X, class... I> struct LaneAccess {
  static_assert(sizeof...(I) == X::rank,
                "lanes have one coordinate for each axis of the tensor");
  static_assert(bitsOf(X::type.element) >= 8,
                "two elements below a byte share one: load and store tiles");
  static constexpr recorder::Type lanes = LanesType<Element::Idx, I...>::type;
  static_assert(lanes.element != Element::None,
                "coordinates have shapes that do not broadcast");
  static_assert(lanes.rank > 0, "coordinates are tiles: load<_>(x, {i}) reads "
                                "a single element");
  using L = TileOf<LanesType<Element::Idx, I...>>;
  using V = TileOf<LanesType<X::type.element, I...>>;
  recorder::Value indices[sizeof...(I)];
  LaneAccess(const std::tuple<I...> &c, Place at) {
    std::apply(
        [&](const I &...i) {
          int k = 0;
          ((indices[k++] = coordinate<L>(i, at)), ...);
        },
        c);
  }
  template <int... D>
  static recorder::Value maskOf(const Tile<bool, D...> &mask, Place at) {
    static_assert(widens<Tile<bool, D...>, typename V::Mask>,
                  "the mask has not the shape of the coordinates");
    return widenedTo<typename V::Mask>(mask, at);
  }
};
} // namespace detail
template <class... I> Lanes<I...> lanes(const I &...i) { return {{i...}}; }

/// Each lane reads the element at its coordinates.
template <AnyTensor X, class... I>
auto gather(const X &x, const Lanes<I...> &l, Place at = Place::current()) {
  static_assert(X::mode == Mode::Shared, "gather: of Shared tensors alone");
  detail::LaneAccess<X, I...> a(l.coordinates, at);
  using V = typename decltype(a)::V;
  return V(Recorded{recorder::gather(V::type, x.value, a.indices, X::rank, -1,
                                     pad::none, at)});
}
/// Where the mask is true; elsewhere the padding.
template <AnyTensor X, class... I, int... D>
auto gather(const X &x, const Lanes<I...> &l, const Tile<bool, D...> &mask,
            pad padding, Place at = Place::current()) {
  static_assert(X::mode == Mode::Shared, "gather: of Shared tensors alone");
  detail::LaneAccess<X, I...> a(l.coordinates, at);
  using V = typename decltype(a)::V;
  recorder::Value m = a.maskOf(mask, at);
  return V(Recorded{
      recorder::gather(V::type, x.value, a.indices, X::rank, m, padding, at)});
}
namespace detail {
template <AnyTensor X, class... I, class T, int... D>
void scatter(const X &x, const Lanes<I...> &l, const Tile<T, D...> &v,
             const auto *mask, Place at) {
  LaneAccess<X, I...> a(l.coordinates, at);
  using V = typename decltype(a)::V;
  recorder::Value value = storable<V>(v, at), m = -1;
  if constexpr (AnyTile<std::remove_cvref_t<decltype(*mask)>>) {
    m = a.maskOf(*mask, at);
  }
  recorder::scatter(V::type, x.value, a.indices, X::rank, m, value, X::mode,
                    at);
}
template <AnyTensor X> constexpr void checkScatter() {
  static_assert(X::mode == Mode::Own || X::mode == Mode::Out ||
                    X::mode == Mode::OutPartial,
                "scatter: of Own and Out tensors; of Atomic ones "
                "atomicScatter()");
}
template <AnyTensor X> constexpr void checkAtomicScatter() {
  static_assert(isAtomic(X::mode), "atomicScatter: the tensor is not "
                                   "AtomicAdd, AtomicMin, ...: declare it so");
}
} // namespace detail
/// Each lane claims the element at its coordinates, and writes it.
template <AnyTensor X, class... I, class T, int... D>
void scatter(const X &x, const Lanes<I...> &l, const Tile<T, D...> &v,
             Place at = Place::current()) {
  detail::checkScatter<X>();
  detail::scatter(x, l, v, static_cast<const int *>(nullptr), at);
}
template <AnyTensor X, class... I, class T, int... D, int... E>
void scatter(const X &x, const Lanes<I...> &l, const Tile<T, D...> &v,
             const Tile<bool, E...> &mask, Place at = Place::current()) {
  detail::checkScatter<X>();
  detail::scatter(x, l, v, &mask, at);
}
/// Each lane combines with the element at its coordinates; lanes may meet.
template <AnyTensor X, class... I, class T, int... D>
void atomicScatter(const X &x, const Lanes<I...> &l, const Tile<T, D...> &v,
                   Place at = Place::current()) {
  detail::checkAtomicScatter<X>();
  detail::scatter(x, l, v, static_cast<const int *>(nullptr), at);
}
template <AnyTensor X, class... I, class T, int... D, int... E>
void atomicScatter(const X &x, const Lanes<I...> &l, const Tile<T, D...> &v,
                   const Tile<bool, E...> &mask, Place at = Place::current()) {
  detail::checkAtomicScatter<X>();
  detail::scatter(x, l, v, &mask, at);
}

} // namespace girih::kernel

#endif // GIRIH_KERNEL_TENSORS_H
