// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Launches kernels of girih/kernel.h: the struct is the call. A kernel is
/// recorded, verified and compiled at the first launch of its type, or comes
/// out of the program, where girih_add_kernel put it.
///
///   auto [a, b, c] = launch(gemm<128, 256>{.a = x, .b = w,
///                                          .c = std::move(y)}).sync();

#ifndef GIRIH_LAUNCH_H
#define GIRIH_LAUNCH_H

#include "girih/kernel.h"
#include "girih/kernel/CallType.h"
#include "girih/runtime.h"

#include <mutex>

namespace girih::kernel {

/// \cond
namespace detail {

/// The type of the host library for elements of a kernel.
template <class T> struct HostElement {
  using type = T;
};
#define GIRIH_HOST_ELEMENT(name)                                               \
  template <> struct HostElement<name> {                                       \
    using type = girih::name;                                                  \
  };
GIRIH_HOST_ELEMENT(f16)
GIRIH_HOST_ELEMENT(bf16)
GIRIH_HOST_ELEMENT(f8e5m2)
GIRIH_HOST_ELEMENT(f8e4m3)
GIRIH_HOST_ELEMENT(f8e8m0)
GIRIH_HOST_ELEMENT(f4e2m1)
GIRIH_HOST_ELEMENT(i4)
#undef GIRIH_HOST_ELEMENT

/// The elements of a tensor of the host library; None for those whose tensors
/// no member takes.
template <class H> constexpr Element elementOnHost() {
  Element found = Element::None;
  [&]<class... T>(std::type_identity<std::tuple<T...>>) {
    ((std::is_same_v<typename HostElement<T>::type, H>
          ? void(found = elementOf<T>)
          : void()),
     ...);
  }(std::type_identity<std::tuple<f64, f32, f16, bf16, f8e5m2, f8e4m3, f8e8m0,
                                  f4e2m1, i64, i32, i16, i8, i4>>());
  return found;
}

/// What a launch is given for a tensor that is only read, and what for one that
/// is written.
template <class H>
using ReadArgument =
    std::conditional_t<isInteger(elementOnHost<H>()),
                       girih::Evident<girih::Shared<H>>, girih::Shared<H>>;
template <Mode mode, class H>
using ArgumentFor =
    std::conditional_t<mode == Mode::Shared, ReadArgument<H>, girih::Tensor<H>>;

template <class H> ReadArgument<H> readArgument(girih::Shared<H> tensor) {
  if constexpr (std::is_same_v<ReadArgument<H>, girih::Shared<H>>) {
    return tensor;
  } else {
    return {std::move(tensor), girih::Known::Not, {}, 0};
  }
}

template <class From> constexpr void checkMoved() {
  static_assert(!std::is_lvalue_reference_v<From>,
                "a Tensor is handed over: std::move(x), or x.share() before, "
                "to read it in several launches");
}

} // namespace detail

template <class H> struct CallArgument<girih::Tensor<H>> {
  static constexpr Element element = detail::elementOnHost<H>();
  static constexpr int rank = -1;
  static constexpr bool isReadOnly = false;
  template <Mode mode, class From> static Held hold(From &&tensor) {
    if constexpr (!std::is_const_v<std::remove_reference_t<From>>) {
      detail::checkMoved<From>();
    }
    if constexpr (!std::is_same_v<From, girih::Tensor<H>>) {
      return {};
    } else if constexpr (mode == Mode::Shared) {
      return Held(detail::readArgument<H>(std::move(tensor).share()));
    } else {
      return Held(std::move(tensor));
    }
  }
};
template <class H> struct CallArgument<girih::Shared<H>> {
  static constexpr Element element = detail::elementOnHost<H>();
  static constexpr int rank = -1;
  static constexpr bool isReadOnly = true;
  template <Mode, class From> static Held hold(From &&tensor) {
    return Held(
        detail::readArgument<H>(girih::Shared<H>(std::forward<From>(tensor))));
  }
};
template <class A> struct CallArgument<girih::Evident<A>> {
  using H = typename girih::detail::ArgumentTraits<A>::Element;
  static constexpr Element element = detail::elementOnHost<H>();
  static constexpr int rank = -1;
  static constexpr bool isReadOnly = true;
  template <Mode, class From> static Held hold(From &&known) {
    static_assert(isInteger(element),
                  "something is given of integers only: no validated(x), "
                  "vouched(x) or withContents(x, ...) of floats");
    static_assert(!std::is_lvalue_reference_v<From>,
                  "what is known of a tensor is said in the call: "
                  "vouched(x), validated(x)");
    if constexpr (!std::is_lvalue_reference_v<From> && isInteger(element)) {
      girih::Shared<H> shared = [&] {
        if constexpr (std::is_same_v<A, girih::Tensor<H>>) {
          return std::move(known.argument).share();
        } else {
          return std::move(known.argument);
        }
      }();
      return Held(detail::ReadArgument<H>{std::move(shared), known.known,
                                          std::move(known.contents),
                                          known.count});
    } else {
      return {};
    }
  }
};
/// \endcond

/// The value of a launch symbol that is neither extent nor stride: `{{pos,
/// 7}}`.
struct SymbolNumber {
  /// Throws RuntimeError beyond 64 bits with a sign.
  template <std::integral I>
    requires(!std::is_same_v<I, bool>)
  SymbolNumber(const Sym &symbol, I number)
      : name(symbol.name), number(girih::SymbolValue(number)) {}
  /// The same of a symbol of another type than idx.
  template <class T, std::integral I>
    requires(!std::is_same_v<I, bool>)
  SymbolNumber(const SymOf<T> &symbol, I number)
      : SymbolNumber(symbol.symbol, number) {}
  std::string_view name; ///< of the symbol
  std::int64_t number;   ///< its value
};
/// Those of a call, in any order.
using SymbolNumbers = std::initializer_list<SymbolNumber>;

/// \cond
namespace detail {

/// What launches of a type use: the kernel that it was given, that the program
/// has inside, or that is compiled when it is first asked for. One compilation
/// for all threads; one that fails is tried again by later launches.
class KernelSlot {
public:
  struct Ready {
    girih::Kernel kernel;
    std::vector<girih::SymbolSignature> symbols; ///< that a call gives
  };

  explicit KernelSlot(const CallType &type) : type(type) {}
  /// Throws RuntimeError once it is in use.
  void set(const girih::Kernel &kernel);
  const Ready &get() {
    const Ready *there = ready.load(std::memory_order_acquire);
    return there ? *there : find();
  }

private:
  const Ready &find();

  const CallType &type;
  std::mutex mutex; ///< of what follows
  std::optional<girih::Kernel> pending;
  unsigned attempt = 0; ///< failures until now
  std::atomic<const Ready *> ready = nullptr;
};

/// The numbers of a call in the kernel's order; throws what is wrong with them.
std::vector<std::int64_t> place(const CallType &type,
                                const KernelSlot::Ready &ready,
                                std::span<const SymbolNumber> numbers);

/// Refuses, before anything is compiled, tensors whose extents disagree.
void checkExtents(const CallType &type,
                  std::span<const girih::ArgumentView> tensors);
[[noreturn]] void refuseEmpty(const CallType &type, std::size_t member);

template <class L> KernelSlot &slotOf() {
  // Not destroyed: launches may be in statics.
  static KernelSlot &made = *new KernelSlot(callType<L>());
  return made;
}

template <class M> struct ArgumentOfMember {
  using type = std::tuple<>;
};
template <class T, Mode m, class S, int a, Sym... D>
struct ArgumentOfMember<Tensor<T, m, S, a, D...>> {
  using type = std::tuple<ArgumentFor<m, typename HostElement<T>::type>>;
};
/// The argument in a member, which stays there; throws where there is none.
template <class M>
auto argumentIn(M &member, const CallType &type, std::size_t number) {
  if constexpr (AnyTensor<M>) {
    using A = std::tuple_element_t<0, typename ArgumentOfMember<M>::type>;
    A *argument = member.held.template as<A>();
    if (!argument) {
      refuseEmpty(type, number);
    }
    return std::tuple<A *>(argument);
  } else {
    return std::tuple<>();
  }
}
template <class M> auto heldBy(M &member) {
  if constexpr (AnyTensor<M>) {
    return std::tuple<Held *>(&member.held);
  } else {
    return std::tuple<>();
  }
}
/// What holds the arguments, one a tensor.
template <class K> auto heldsOf(K &kernel) {
  return std::apply(
      [](auto *...member) { return std::tuple_cat(heldBy(*member)...); },
      memberPointers(kernel));
}

/// Takes the arguments out of the struct once nothing is wrong with them.
template <class K, std::size_t... I>
auto makeLaunch(const CallType &type, KernelSlot &slot, K &kernel,
                SymbolNumbers symbols, std::index_sequence<I...>) {
  auto members = memberPointers(kernel);
  std::array<double, sizeof...(I)> scalars{};
  std::size_t scalarCount = 0;
  auto addScalar = [&](auto &member) {
    if constexpr (AnyTile<std::remove_reference_t<decltype(member)>>) {
      scalars[scalarCount++] = member.held();
    }
  };
  (addScalar(*std::get<I>(members)), ...);
  // Braces: in the order of the members.
  std::tuple<decltype(argumentIn(*std::get<I>(members), type, I))...> found{
      argumentIn(*std::get<I>(members), type, I)...};
  auto tensors =
      std::apply([](auto &...each) { return std::tuple_cat(each...); }, found);
  return std::apply(
      [&](auto *...tensor) {
        std::array<girih::ArgumentView, sizeof...(tensor)> views{
            girih::detail::launchArgument(*tensor).view...};
        checkExtents(type, views);
        const KernelSlot::Ready &ready = slot.get();
        std::vector<std::int64_t> numbers =
            place(type, ready, {symbols.begin(), symbols.size()});
        auto launch = ready.kernel.launch(
            std::span<const double>(scalars.data(), scalarCount),
            std::span<const std::int64_t>(numbers), std::move(*tensor)...);
        std::apply([](auto *...held) { ((*held = Held()), ...); },
                   heldsOf(kernel));
        return launch;
      },
      tensors);
}
template <class K> constexpr void checkCall() {
  static_assert(!std::is_lvalue_reference_v<K>,
                "a call is moved: launch(K{...}), or launch(std::move(call))");
}
template <class L, class K> auto makeLaunch(K &kernel, SymbolNumbers symbols) {
  return makeLaunch(callType<L>(), slotOf<L>(), kernel, symbols,
                    std::make_index_sequence<memberCount<K>()>());
}
/// Queues a launch; what is refused is in the struct again.
template <class L, class K>
auto queueLaunch(K &kernel, SymbolNumbers symbols,
                 const girih::Stream &stream) {
  auto launch = makeLaunch<L>(kernel, symbols);
  try {
    return std::move(launch).queue(stream);
  } catch (...) {
    std::apply(
        [&](auto &&...argument) {
          std::apply(
              [&](auto *...held) {
                ((*held = Held(std::move(argument))), ...);
              },
              heldsOf(kernel));
        },
        std::move(launch).release());
    throw;
  }
}

/// A kernel inside of the program; girih_add_kernel writes these.
struct EmbeddedKernel {
  std::string_view type;
  std::span<const girih::EmbeddedFile> files;
};
bool embed(std::span<const EmbeddedKernel> kernels);

} // namespace detail
/// \endcond

/// A launch of a kernel on the tensors in its members, which has not started:
/// a `girih::LaunchOp`, which owns them until they are given back, in order:
/// a Shared for what is read, a Tensor for what is written. Throws RuntimeError
/// for extents that disagree, and what compiling the kernel throws; a struct
/// with a name then keeps its tensors.
template <class K> auto launch(K &&kernel, SymbolNumbers symbols = {}) {
  detail::checkCall<K>();
  return detail::makeLaunch<std::remove_cvref_t<K>>(kernel, symbols);
}
/// Queues it on a stream and gives the tensors back at once. Where it throws a
/// struct with a name has them.
template <class K> auto launch(K &&kernel, const girih::Stream &stream) {
  detail::checkCall<K>();
  return detail::queueLaunch<std::remove_cvref_t<K>>(kernel, {}, stream);
}
/// The same with symbols that are neither extents nor strides.
template <class K>
auto launch(K &&kernel, SymbolNumbers symbols, const girih::Stream &stream) {
  detail::checkCall<K>();
  return detail::queueLaunch<std::remove_cvref_t<K>>(kernel, symbols, stream);
}
/// The same of a list of variants, called with one of its kernels.
template <class List, class K>
  requires requires { typename List::Kernels; }
auto launch(K &&kernel, SymbolNumbers symbols = {}) {
  detail::checkCall<K>();
  static_assert(
      detail::isVariant<std::remove_cvref_t<K>, typename List::Kernels>,
      "a list of variants is launched with the struct of one of its kernels");
  return detail::makeLaunch<List>(kernel, symbols);
}

/// The kernel of a struct or of a list of variants, recorded now and verified
/// and compiled when it is used first, as `girih::Kernel::fromFile` does it.
template <class K>
girih::Kernel compile(const girih::JitOptions &options = {},
                      Place at = Place::current()) {
  recorder::File file = record<K>(at);
  return girih::Kernel::fromText(file.name, std::move(file.placed), options);
}
/// How launches compile, from now on, kernels that they find neither in the
/// program nor given by `use`.
void compileWith(const girih::JitOptions &options);
/// What launches of a struct use from now on: `use<K>(compile<K>(options))`, or
/// an artefact, `use<K>(Kernel::load(folder))`. Throws RuntimeError where the
/// artefact has other arguments, and once K was launched.
template <class K> void use(girih::Kernel kernel) {
  detail::slotOf<K>().set(std::move(kernel));
}

} // namespace girih::kernel

#endif // GIRIH_LAUNCH_H
