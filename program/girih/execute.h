// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Runs kernels of girih/kernel.h on the reference executor, on arrays of the
/// host and without a GPU: for unit tests.
///
///   Array<f32, 2> c({2, 2});
///   auto done = execute(gemm<16, 16>{.a = a, .b = b, .c = c});

#ifndef GIRIH_EXECUTE_H
#define GIRIH_EXECUTE_H

#include "girih/executor.h"
#include "girih/kernel.h"
#include "girih/kernel/CallType.h"

#include <array>
#include <span>

namespace girih::kernel {

/// An array of the host in row-major order, for elements of type T.
template <class T, int R> struct Array {
  /// Every format fits: floats of few bits are rounded as they are read, and
  /// integers are sign-extended.
  using Number =
      std::conditional_t<isFloat(elementOf<T>), double, std::int64_t>;

  /// Zeros.
  explicit Array(const std::int64_t (&extents)[R])
      : extents(std::to_array(extents)), numbers(std::size_t(count())) {}
  /// Of these numbers; throws std::invalid_argument unless there are as many as
  /// elements.
  template <class N>
  Array(const std::int64_t (&extents)[R], std::span<const N> from)
      : extents(std::to_array(extents)), numbers(from.begin(), from.end()) {
    check();
  }
  /// Likewise.
  Array(const std::int64_t (&extents)[R], std::vector<Number> from)
      : extents(std::to_array(extents)), numbers(std::move(from)) {
    check();
  }

  /// Elements.
  std::int64_t count() const {
    std::int64_t n = 1;
    for (std::int64_t extent : extents) {
      if (extent < 0) {
        throw std::invalid_argument("an extent is negative");
      }
      n *= extent;
    }
    return n;
  }

  std::array<std::int64_t, R> extents; ///< one an axis
  std::vector<Number> numbers;         ///< one an element

private:
  void check() const {
    if (std::int64_t(numbers.size()) != count()) {
      throw std::invalid_argument("an array of " + std::to_string(count()) +
                                  " elements is made of " +
                                  std::to_string(numbers.size()));
    }
  }
};
/// \cond
namespace detail {

/// An array that a member holds: its own to read, the caller's to write.
template <class T, int R> struct ReadArray {
  Array<T, R> array;
};
template <class T, int R> struct WrittenArray {
  Array<T, R> *array;
};

template <class From> constexpr void checkNamed() {
  static_assert(std::is_lvalue_reference_v<From>,
                "the kernel writes this argument: an array with a name, to be "
                "read afterwards");
}

} // namespace detail

template <class T, int R> struct CallArgument<Array<T, R>> {
  static constexpr Element element = elementOf<T>;
  static constexpr int rank = R;
  static constexpr bool isReadOnly = false;
  template <Mode mode, class From> static Held hold(From &&array) {
    if constexpr (mode == Mode::Shared) {
      return Held(detail::ReadArray<T, R>{std::forward<From>(array)});
    } else {
      detail::checkNamed<From>();
      if constexpr (std::is_same_v<From, Array<T, R> &>) {
        return Held(detail::WrittenArray<T, R>{&array});
      } else {
        return {};
      }
    }
  }
};

namespace detail {

template <class T, int R> girih::Array toExecutor(const Array<T, R> &array) {
  std::vector<std::int64_t> shape(array.extents.begin(), array.extents.end());
  if constexpr (isFloat(elementOf<T>)) {
    return girih::Array::of(std::move(shape), array.numbers);
  } else {
    return girih::Array::ofIntegers(std::move(shape), array.numbers);
  }
}
template <class T, int R>
void fromExecutor(Array<T, R> &array, const girih::Array &result) {
  if constexpr (isFloat(elementOf<T>)) {
    array.numbers = result.floats;
  } else {
    array.numbers = result.integers;
  }
}

/// The array in a member; throws where there is none.
template <class T, Mode m, class S, int a, Sym... D>
Array<T, sizeof...(D)> &arrayIn(const Tensor<T, m, S, a, D...> &member,
                                const std::string &name) {
  constexpr int rank = sizeof...(D);
  if constexpr (m == Mode::Shared) {
    if (auto *held = member.held.template as<ReadArray<T, rank>>()) {
      return held->array;
    }
  } else if (auto *held = member.held.template as<WrittenArray<T, rank>>()) {
    return *held->array;
  }
  throw std::invalid_argument(name +
                              " has no array: execute() takes Array<...>, and "
                              "a call is moved, not copied");
}

/// One argument of a call, on its way to the executor and back.
template <class T, Mode m, class S, int a, Sym... D>
void put(girih::Launch &launch, const std::string &name,
         std::vector<std::span<const i64>> &extents,
         const Tensor<T, m, S, a, D...> &member) {
  const auto &array = arrayIn(member, name);
  extents.push_back(array.extents);
  // What an output held is undefined.
  if constexpr (m != Mode::Out && m != Mode::OutPartial) {
    launch.inputs[name] = toExecutor(array);
  }
}
template <class T>
void put(girih::Launch &launch, const std::string &name,
         std::vector<std::span<const i64>> &, const Tile<T> &member) {
  launch.scalars[name] = member.held();
}
template <class T, Mode m, class S, int a, Sym... D>
void get(const girih::Execution &done, const std::string &name,
         const Tensor<T, m, S, a, D...> &member) {
  auto found = done.tensors.find(name);
  if (m != Mode::Shared && found != done.tensors.end()) {
    fromExecutor(arrayIn(member, name), found->second.values);
  }
}
template <class T>
void get(const girih::Execution &, const std::string &, const Tile<T> &) {}

template <class L, class K>
girih::Expected<girih::Execution> executeAs(const K &kernel,
                                            girih::Launch &options) {
  const CallType &type = callType<L>();
  static const girih::Expected<girih::Executor> executor = [] {
    recorder::File file = record<L>(Place());
    return girih::Executor::open(
        girih::Source::of(std::move(file.placed), file.name + ".mlir"));
  }();
  if (!executor) {
    return executor.error();
  }
  return [&]<std::size_t... I>(
             std::index_sequence<I...>) -> girih::Expected<girih::Execution> {
    auto members = memberPointers(kernel);
    std::vector<std::span<const i64>> extents;
    (put(options, type.members[I].name, extents, *std::get<I>(members)), ...);
    std::vector<i64> values(type.symbols.size());
    if (std::string wrong = type.bind(extents, values); !wrong.empty()) {
      throw std::invalid_argument(wrong);
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      options.symbols[type.symbols[k]] = values[k];
    }
    girih::Expected<girih::Execution> done = executor->run(options);
    if (done) {
      (get(*done, type.members[I].name, *std::get<I>(members)), ...);
    }
    return done;
  }(std::make_index_sequence<memberCount<K>()>());
}

} // namespace detail
/// \endcond

/// Runs one launch of a kernel whose members are arrays. What it writes is in
/// these arrays afterwards; undefined elements are NaN or 0. A rule that the
/// launch breaks is a fault of the result; an error says that nothing ran.
/// `options` has what is no argument: symbols that are no extents, strides that
/// are not packed, the order of
/// blocks, limits. Throws std::invalid_argument for extents that disagree, and
/// kernel::Error for what recording refuses.
template <class K>
girih::Expected<girih::Execution> execute(const K &kernel,
                                          girih::Launch options = {}) {
  return detail::executeAs<K>(kernel, options);
}
/// The same of a list of variants, called with one of its kernels.
template <class List, class K>
  requires requires { typename List::Kernels; }
girih::Expected<girih::Execution> execute(const K &kernel,
                                          girih::Launch options = {}) {
  static_assert(detail::isVariant<K, typename List::Kernels>,
                "a list of variants is executed with the struct of one of its "
                "kernels");
  return detail::executeAs<List>(kernel, options);
}

} // namespace girih::kernel

#endif // GIRIH_EXECUTE_H
