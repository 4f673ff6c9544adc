// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's struct is its call, too: members hold the arguments. Which types
// these have say those who launch and execute; nothing here knows them, so that
// a file with kernels includes nothing of a host library.

#ifndef GIRIH_KERNEL_CALL_H
#define GIRIH_KERNEL_CALL_H

#include "girih/kernel/Recorder.h"
#include <utility>

namespace girih::kernel {

/// What may be an argument of a call: specialised for tensors of the host
/// library (girih/launch.h) and for arrays (girih/execute.h). It has the
/// `element`; the `rank`, or -1 where only the program that runs knows it;
/// `isReadOnly`; and `hold<mode>(argument)`, which gives what the member holds.
template <class A> struct CallArgument;
template <class A>
concept AnyCallArgument =
    requires { CallArgument<std::remove_cvref_t<A>>::element; };

/// One value, of a type that whoever takes it out knows. It moves; a copy is
/// empty.
class Held {
public:
  Held() = default;
  template <class V>
  explicit Held(V value)
      : object(new V(std::move(value))), type(&typeOf<V>),
        destroy([](void *o) { delete static_cast<V *>(o); }) {}
  Held(const Held &) {}
  Held(Held &&o) noexcept
      : object(std::exchange(o.object, nullptr)), type(o.type),
        destroy(o.destroy) {}
  Held &operator=(Held o) noexcept {
    std::swap(object, o.object);
    std::swap(type, o.type);
    std::swap(destroy, o.destroy);
    return *this;
  }
  ~Held() {
    if (object) {
      destroy(object);
    }
  }
  explicit operator bool() const { return object != nullptr; }
  /// Null if it is empty or of another type.
  template <class V> V *as() const {
    return object && type == &typeOf<V> ? static_cast<V *>(object) : nullptr;
  }

private:
  template <class V> static constexpr char typeOf{};
  void *object = nullptr;
  const char *type = nullptr;
  void (*destroy)(void *) = nullptr;
};

namespace detail {
/// The default of what has none, so that the author reads a sentence.
template <class Missing> constexpr void checkPresent() {
  static_assert(!std::is_void_v<Missing>,
                "a tensor or tile without a value: an argument of the kernel "
                "is forgotten, or a tile wants zeros<...>() or another value");
}
template <class A> using CallArgumentOf = CallArgument<std::remove_cvref_t<A>>;
template <class A, Element element>
inline constexpr bool holdsElement = CallArgumentOf<A>::element == element;
template <class A, int rank>
inline constexpr bool mayHaveRank =
    CallArgumentOf<A>::rank == -1 || CallArgumentOf<A>::rank == rank;
template <class A, Mode mode>
inline constexpr bool mayBeUsed =
    mode == Mode::Shared || (!CallArgumentOf<A>::isReadOnly &&
                             !std::is_const_v<std::remove_reference_t<A>>);
template <class A, Element element, int rank, Mode mode>
constexpr void checkArgument() {
  static_assert(holdsElement<A, element>,
                "the argument has elements of another type than the member");
  static_assert(mayHaveRank<A, rank>,
                "the argument has another number of axes than the member");
  static_assert(mayBeUsed<A, mode>,
                "the kernel writes this argument: nothing constant or shared");
}
} // namespace detail

} // namespace girih::kernel

#endif // GIRIH_KERNEL_CALL_H
