// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How every function of the libraries fails: by its result. Nothing prints or
/// ends the process, and only `Expected::value` throws.

#ifndef GIRIH_EXPECTED_H
#define GIRIH_EXPECTED_H

#include "girih/source.h"

#include <stdexcept>
#include <utility>
#include <variant>

namespace girih {

/// Why a call has no result. It has done nothing: no file was written.
struct Error {
  /// What to do about it, for programs.
  enum class Kind {
    /// The input is no kernel of the language, or no text of its format; this
    /// includes a certificate file of another version.
    Malformed,
    /// The input is well formed, and what was asked is not done with it: the
    /// contract does not admit the launch, the kernel rests on opt-outs, the
    /// architecture lacks what the kernel needs.
    Refused,
    /// An option or an argument means nothing: an unknown architecture, an
    /// array of another shape than its tensor.
    Usage,
    /// A file cannot be read or written.
    File,
    /// A part is not installed: the search library, the assembler `tileiras`.
    Missing,
    /// The launch takes more steps or memory than the options allow.
    Limit,
    /// The assembler failed.
    Failed,
  };
  Kind kind = Kind::Usage; ///< what to do about it
  /// One sentence, in lower case and without a full stop.
  std::string message;
  /// Of malformed kernels: what is wrong, and where. At most 20.
  std::vector<Diagnostic> diagnostics = {};
  /// The same as the tools print it, with source lines and carets; empty where
  /// there is no more to say than `message`.
  std::string text = {};
};

/// What `Expected::value` throws when there is no value.
class BadExpectedAccess : public std::runtime_error {
public:
  /// Takes the error that is there instead.
  explicit BadExpectedAccess(Error error)
      : std::runtime_error(error.text.empty() ? error.message : error.text),
        why(std::move(error)) {}
  /// The error.
  const Error &error() const { return why; }

private:
  Error why;
};

/// A value, or an error: the members of C++23's `std::expected<T, Error>` under
/// their names there.
template <typename T> class [[nodiscard]] Expected {
public:
  /// A value.
  Expected(T value) : content(std::in_place_index<0>, std::move(value)) {}
  /// An error.
  Expected(Error error) : content(std::in_place_index<1>, std::move(error)) {}

  /// Whether there is a value.
  bool has_value() const { return content.index() == 0; }
  /// Whether there is a value.
  explicit operator bool() const { return has_value(); }

  /// The value; without one the behaviour is undefined.
  T &operator*() & { return *std::get_if<0>(&content); }
  /// The value; without one the behaviour is undefined.
  const T &operator*() const & { return *std::get_if<0>(&content); }
  /// The value; without one the behaviour is undefined.
  T &&operator*() && { return std::move(*std::get_if<0>(&content)); }
  /// A member of the value; without one the behaviour is undefined.
  T *operator->() { return std::get_if<0>(&content); }
  /// A member of the value; without one the behaviour is undefined.
  const T *operator->() const { return std::get_if<0>(&content); }

  /// The value; throws `BadExpectedAccess` without one.
  T &value() & { return check(), **this; }
  /// The value; throws `BadExpectedAccess` without one.
  const T &value() const & { return check(), **this; }
  /// The value; throws `BadExpectedAccess` without one.
  T &&value() && { return check(), std::move(**this); }

  /// The error; with a value the behaviour is undefined.
  const Error &error() const { return *std::get_if<1>(&content); }

private:
  void check() const {
    if (!has_value()) {
      throw BadExpectedAccess(error());
    }
  }

  std::variant<T, Error> content;
};

} // namespace girih

#endif // GIRIH_EXPECTED_H
