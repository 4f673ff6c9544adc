// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Json.h"
#include "runtime/artefact/Text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace girih::runtime {

static const nlohmann::json nothing;

void JsonCursor::fail(const std::string &what) const {
  if (error->empty()) {
    *error = (path.empty() ? "the document" : path) + " " + what;
  }
}

bool JsonCursor::isInteger() const { return value->is_number_integer(); }
bool JsonCursor::isString() const { return value->is_string(); }
bool JsonCursor::isNull() const { return value->is_null(); }
bool JsonCursor::has(const char *key) const {
  return value->is_object() && value->contains(key);
}

std::string JsonCursor::string() const {
  if (!value->is_string()) {
    fail("is not a string");
    return {};
  }
  return value->get<std::string>();
}

int64_t JsonCursor::integer() const {
  if (!value->is_number_integer() ||
      (value->is_number_unsigned() &&
       value->get<uint64_t>() > uint64_t(INT64_MAX))) {
    fail("is not a 64-bit integer");
    return 0;
  }
  return value->get<int64_t>();
}

double JsonCursor::number() const {
  if (!value->is_number()) {
    fail("is not a number");
    return 0;
  }
  return value->get<double>();
}

bool JsonCursor::boolean() const {
  if (!value->is_boolean()) {
    fail("is neither true nor false");
    return false;
  }
  return value->get<bool>();
}

void JsonCursor::keys(std::initializer_list<const char *> all,
                      std::initializer_list<const char *> optional) const {
  if (!value->is_object()) {
    fail("is not an object");
    return;
  }
  auto in = [](std::initializer_list<const char *> names,
               const std::string &key) {
    return std::find(names.begin(), names.end(), key) != names.end();
  };
  for (const auto &member : value->items()) {
    if (!in(all, member.key())) {
      fail("has the unknown key '" + member.key() + "'");
    }
  }
  for (const char *key : all) {
    if (!value->contains(key) && !in(optional, key)) {
      fail("lacks '" + std::string(key) + "'");
    }
  }
}

void JsonCursor::document(const char *format, int64_t version) const {
  if ((*this)["format"].string() != format) {
    (*this)["format"].fail("is not " + std::string(format));
  }
  int64_t found = (*this)["version"].integer();
  if (found != version) {
    (*this)["version"].fail("is " + std::to_string(found) +
                            ": this program reads version " +
                            std::to_string(version) + " of " + format);
  }
}

void JsonCursor::count(size_t n) const {
  if (size() != n) {
    fail("does not have " + counted(n, "item", "items"));
  }
}

JsonCursor JsonCursor::operator[](const char *key) const {
  std::string way = path.empty() ? key : path + "." + key;
  return {has(key) ? (*value)[key] : nothing, std::move(way), *error};
}

JsonCursor JsonCursor::item(size_t index) const {
  bool there = value->is_array() && index < value->size();
  return {there ? (*value)[index] : nothing,
          path + "[" + std::to_string(index) + "]", *error};
}

void JsonCursor::members(
    const std::function<void(const std::string &, JsonCursor)> &read) const {
  if (!value->is_object()) {
    fail("is not an object");
    return;
  }
  for (const auto &member : value->items()) {
    read(member.key(), {member.value(), path + "." + member.key(), *error});
  }
}

size_t JsonCursor::size() const {
  if (!value->is_array()) {
    fail("is not an array");
    return 0;
  }
  return value->size();
}

void readJson(std::string_view text, std::string &error,
              const std::function<void(JsonCursor)> &read) {
  // A key that stands twice in an object is refused: readers differ on which
  // of the two they take.
  std::vector<std::vector<std::string>> open;
  bool twice = false;
  auto watch = [&](int, nlohmann::json::parse_event_t event,
                   nlohmann::json &parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) {
      open.emplace_back();
    } else if (event == Event::object_end) {
      open.pop_back();
    } else if (event == Event::key) {
      auto key = parsed.get<std::string>();
      auto &names = open.back();
      twice |= std::find(names.begin(), names.end(), key) != names.end();
      names.push_back(std::move(key));
    }
    return true;
  };
  auto document =
      nlohmann::json::parse(text, watch, /*allow_exceptions=*/false);
  JsonCursor root(document, "", error);
  // The parser takes a zero byte for the end, whatever is behind it.
  if (document.is_discarded() || text.find('\0') != std::string_view::npos) {
    root.fail("is not JSON");
  } else if (twice) {
    root.fail("names a key twice");
  } else {
    read(root);
  }
}

} // namespace girih::runtime
