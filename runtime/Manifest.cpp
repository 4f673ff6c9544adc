// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader keeps the first thing that is wrong and where it stands; after
// that every step is a no-op, so that the code below reads like the schema.

#include "runtime/Manifest.h"

#include "runtime/Sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace girih::runtime {
namespace {

using Json = nlohmann::json;

/// Nodes of one expression, as in the language.
constexpr unsigned maxNodes = 256;

bool isName(std::string_view text) {
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || c == '_';
         });
}

/// A name inside the folder: no path, nothing hidden.
bool isFileName(std::string_view text) {
  return !text.empty() && text[0] != '.' && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return isName(std::string_view("a\0", 1)) &&
                  (isName(std::string("a") + c) || c == '.' || c == '-');
         });
}

bool isDigest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") ==
                                  std::string_view::npos;
}

struct Reader {
  Manifest manifest;
  std::string error;

  void fail(const std::string &where, const std::string &what) {
    if (error.empty()) {
      error = where + ": " + what;
    }
  }
  bool ok() const { return error.empty(); }
};

} // namespace
} // namespace girih::runtime
