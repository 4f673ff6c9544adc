// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's struct as the type of a call: its members by name, and what the
// extents of arguments have in common. For those who launch and execute.

#ifndef GIRIH_KERNEL_CALLTYPE_H
#define GIRIH_KERNEL_CALLTYPE_H

#include "girih/kernel/Kernels.h"
#include <span>

namespace girih::kernel {

struct CallType {
  struct Member {
    std::string name;
    Element element;
    const recorder::TensorType *tensor; ///< null for a scalar
    /// Of each axis the place of its symbol, or -1 for a number.
    std::vector<int> symbols;
  };
  const char *type; ///< as in __PRETTY_FUNCTION__
  std::string name; ///< of the kernel or list
  recorder::File (*record)();
  std::vector<Member> members;
  std::vector<std::string> symbols; ///< those that are extents

  CallType(const char *type, recorder::File (*record)());
  void add(const char *member, Element element,
           const recorder::TensorType *tensor);
  /// What extents of the arguments make of the symbols, into as many `values`.
  /// `tensors` are the extents of one tensor after the other. Returns what
  /// disagrees: `y: axis 1 has 300 elements, but N is 200`; or nothing.
  std::string bind(std::span<const std::span<const i64>> tensors,
                   std::span<i64> values) const;
};

namespace detail {

/// The kernel whose members are the arguments: of a list the first one.
template <class L> struct KernelOf {
  using type = L;
};
template <class L>
  requires requires { typename L::Kernels; }
struct KernelOf<L> {
  using type = std::tuple_element_t<0, typename L::Kernels>;
};

template <class K, class Kernels> inline constexpr bool isVariant = false;
template <class K, class... V>
inline constexpr bool isVariant<K, std::tuple<V...>> =
    (std::is_same_v<K, V> || ...);

template <class M> void addMember(CallType &out, const char *name) {
  if constexpr (AnyTensor<M>) {
    out.add(name, M::type.element, &M::type);
  } else {
    out.add(name, M::type.element, nullptr);
  }
}

/// Of a kernel or a list.
template <class L> const CallType &callType() {
  using K = typename KernelOf<L>::type;
  static const CallType made = [] {
    CallType out(prettyType<L>(), [] { return record<L>(Place()); });
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (addMember<
           std::remove_cvref_t<decltype(*std::get<I>(memberPointers<K>()))>>(
           out, memberName<K, I>()),
       ...);
    }(std::make_index_sequence<memberCount<K>()>());
    return out;
  }();
  return made;
}

} // namespace detail
} // namespace girih::kernel

#endif // GIRIH_KERNEL_CALLTYPE_H
