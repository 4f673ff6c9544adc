// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What may be an argument of a launch, by the mode of the kernel's tensor: to
/// be read, a Shared, a Tensor that is moved in, or a Piece; to be written, a
/// Tensor or a Piece that is moved in. All come back with their types.

#ifndef GIRIH_RUNTIME_EXECUTION_ARGUMENTS_H
#define GIRIH_RUNTIME_EXECUTION_ARGUMENTS_H

#include "runtime/execution/Request.h"
#include "runtime/host/Partition.h"
#include "runtime/host/Tensor.h"

#include <vector>

namespace girih {

/// An argument of which it is known that its contents are as the contract
/// gives them.
template <typename Argument> struct Evident {
  Argument argument;
  Known known;
  std::vector<unsigned char> contents; ///< of Known::Contents
  size_t count = 0;
};

namespace detail {

template <typename Argument> struct ArgumentTraits {
  static constexpr bool isArgument = false, isWritable = false, isKnown = false;
};
template <typename T, bool writable> struct TensorTraits {
  using Element = T;
  static constexpr bool isArgument = true, isWritable = writable,
                        isKnown = false;
};
template <typename T>
struct ArgumentTraits<Tensor<T>> : TensorTraits<T, true> {};
template <typename T>
struct ArgumentTraits<Shared<T>> : TensorTraits<T, false> {};
template <typename T>
struct ArgumentTraits<Piece<T>> : TensorTraits<T, true> {};
template <typename Argument>
struct ArgumentTraits<Evident<Argument>> : ArgumentTraits<Argument> {
  static constexpr bool isKnown = true;
};

/// The elements of a kernel's argument, whatever C++ calls them: integers have
/// no sign there.
template <typename Argument, typename T>
concept ArgumentOf =
    ArgumentTraits<Argument>::isArgument &&
    ElementOf<typename ArgumentTraits<Argument>::Element>::value ==
        ElementOf<T>::value;

template <typename Argument>
LaunchArgument launchArgument(const Argument &argument) {
  return {viewOf(argument)};
}
template <typename Argument>
LaunchArgument launchArgument(const Evident<Argument> &argument) {
  return {viewOf(argument.argument), argument.known, argument.contents.data(),
          argument.count};
}
template <typename Argument>
Access launchAccess(const Argument &argument, AccessMode mode) {
  return accessOf(argument, mode);
}
template <typename Argument>
Access launchAccess(const Evident<Argument> &argument, AccessMode mode) {
  return accessOf(argument.argument, mode);
}

template <typename Argument>
std::shared_ptr<Record> launchHold(const Argument &argument) {
  return holdOf(argument);
}
template <typename Argument>
std::shared_ptr<Record> launchHold(const Evident<Argument> &argument) {
  return holdOf(argument.argument);
}

/// What comes back of an argument.
template <typename Argument> struct ResultOfArgument {
  using type = Argument;
  static Argument &&of(Argument &&argument) { return std::move(argument); }
};
template <typename Argument> struct ResultOfArgument<Evident<Argument>> {
  using type = Argument;
  static Argument &&of(Evident<Argument> &&argument) {
    return std::move(argument.argument);
  }
};

} // namespace detail

/// Looked through on the device before each launch, by a verified kernel of the
/// artefact where it has one; waits for what is queued before.
template <typename Argument>
  requires detail::ArgumentTraits<Argument>::isArgument
[[nodiscard]] Evident<Argument> validated(Argument argument) {
  return {std::move(argument), Known::Validated, {}, 0};
}
/// The caller's word.
template <typename Argument>
  requires detail::ArgumentTraits<Argument>::isArgument
[[nodiscard]] Evident<Argument> vouched(Argument argument) {
  return {std::move(argument), Known::Vouched, {}, 0};
}
/// Looked through in these elements, of which the caller says that the tensor
/// has them, in row-major order.
template <typename Argument>
  requires detail::ArgumentTraits<Argument>::isArgument
[[nodiscard]] auto
withContents(Argument argument,
             std::span<const typename detail::ArgumentTraits<Argument>::Element>
                 contents) {
  auto bytes = std::as_bytes(contents);
  const auto *first = reinterpret_cast<const unsigned char *>(bytes.data());
  return Evident<Argument>{
      std::move(argument), Known::Contents,
      std::vector<unsigned char>(first, first + bytes.size()), contents.size()};
}

/// By mode, with element type and rank. The rank is checked with the contract:
/// tensors have it at run time.
namespace argument {

template <typename Argument, typename T, size_t rank>
concept Shared = detail::ArgumentOf<Argument, T>;
template <typename Argument, typename T, size_t rank>
concept Own = detail::ArgumentOf<Argument, T> &&
              detail::ArgumentTraits<Argument>::isWritable;
template <typename Argument, typename T, size_t rank>
concept Out = Own<Argument, T, rank>;
template <typename Argument, typename T, size_t rank>
concept Atomic = Own<Argument, T, rank>;
template <typename Argument, typename T, size_t rank>
concept Raw = Own<Argument, T, rank>;
/// To be read, and something is given about its contents: `validated(ids)`,
/// `vouched(ids)` or `withContents(ids, elements)`.
template <typename Argument, typename T, size_t rank>
concept Known = detail::ArgumentOf<Argument, T> &&
                detail::ArgumentTraits<Argument>::isKnown;

} // namespace argument
} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_ARGUMENTS_H
