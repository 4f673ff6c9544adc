// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cursor over JSON that nobody trusts. It never throws: the first thing that
// is wrong is kept with its place, and everything after it reads as empty.

#ifndef GIRIH_RUNTIME_ARTEFACT_JSON_H
#define GIRIH_RUNTIME_ARTEFACT_JSON_H

#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace girih::runtime {

/// One value of a document and the way to it.
class JsonCursor {
public:
  JsonCursor(const nlohmann::json &value, std::string path, std::string &error)
      : value(&value), path(std::move(path)), error(&error) {}

  bool ok() const { return error->empty(); }
  /// Keeps `the.path[2] what` unless something was wrong before.
  void fail(const std::string &what) const;

  bool isInteger() const;
  bool isString() const;
  bool isNull() const;
  bool has(const char *key) const;

  std::string string() const;
  /// Must fit 64 bits, signed.
  int64_t integer() const;
  double number() const;
  bool boolean() const;

  /// Fails unless this is an object with exactly these keys; those in
  /// `optional` may be missing.
  void keys(std::initializer_list<const char *> all,
            std::initializer_list<const char *> optional = {}) const;
  /// Fails unless this is a document of this format and version; what else it
  /// has, other versions may call differently.
  void document(const char *format, int64_t version) const;
  /// Fails unless this is an array of `n` items.
  void count(size_t n) const;

  JsonCursor operator[](const char *key) const;
  JsonCursor item(size_t index) const;

  template <typename T>
  std::vector<T> list(const std::function<T(JsonCursor)> &read) const {
    std::vector<T> items;
    for (size_t k = 0, n = size(); k < n && ok(); ++k) {
      items.push_back(read(item(k)));
    }
    return items;
  }
  void members(
      const std::function<void(const std::string &, JsonCursor)> &read) const;

private:
  size_t size() const;

  const nlohmann::json *value;
  std::string path;
  std::string *error;
};

/// Parses `text` and hands the root to `read`; `error` says what is wrong.
void readJson(std::string_view text, std::string &error,
              const std::function<void(JsonCursor)> &read);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_JSON_H
