// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What a generated header knows of its kernel. It is compared with the
/// artefact when that is loaded: a header of another signature is refused, and
/// all else of a contract is the artefact's.

#ifndef GIRIH_RUNTIME_EXECUTION_SIGNATURE_H
#define GIRIH_RUNTIME_EXECUTION_SIGNATURE_H

#include "runtime/host/Element.h"
#include "runtime/host/Error.h"

#include <concepts>
#include <span>
#include <string_view>
#include <utility>

namespace girih {

/// Who may touch an element of a tensor (spec/tile.md, Modes).
enum class ArgumentMode : unsigned char { Shared, Own, Out, Atomic, Raw };

struct ArgumentSignature {
  std::string_view name, element; ///< `bf16`
  bool isTensor = false;
  ArgumentMode mode = ArgumentMode::Shared;
  size_t rank = 0;
};

template <typename T>
constexpr ArgumentSignature tensorSignature(std::string_view name,
                                            ArgumentMode mode, size_t rank) {
  return {name, nameOf(ElementOf<T>::value), true, mode, rank};
}
constexpr ArgumentSignature scalarSignature(std::string_view name,
                                            std::string_view element) {
  return {name, element};
}

/// A launch symbol that is neither extent nor stride; 0 bits for `index`.
struct SymbolSignature {
  std::string_view name;
  unsigned bits = 0;
};

struct KernelSignature {
  std::string_view name;
  std::span<const ArgumentSignature> arguments;
  std::span<const SymbolSignature> symbols;
};

/// A float that has to be given: it has no value of its own. Rounded to the
/// kernel's type with the launch, and refused where it is beyond that.
class ScalarValue {
public:
  template <typename From>
    requires std::floating_point<From> ||
             (std::integral<From> && !std::same_as<From, bool>)
  constexpr ScalarValue(From number) : number(static_cast<double>(number)) {}
  constexpr operator double() const { return number; }

private:
  double number;
};

/// A launch symbol that has to be given.
class SymbolValue {
public:
  template <std::integral From>
    requires(!std::same_as<From, bool>)
  constexpr SymbolValue(From number) : number(static_cast<int64_t>(number)) {
    if (!std::in_range<int64_t>(number)) {
      throw RuntimeError(3, "a launch symbol is beyond 64 bits with a sign");
    }
  }
  constexpr operator int64_t() const { return number; }

private:
  int64_t number;
};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_SIGNATURE_H
