// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Json.h"
#include "runtime/artefact/Text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

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

namespace {
/// Whether a key stands twice in an object: readers differ on which of the two
/// they take. Callbacks of the parser itself would look at all members of an
/// object for each object in it.
class TwiceWatch : public nlohmann::json_sax<nlohmann::json> {
public:
  bool found = false;

  bool start_object(std::size_t) override {
    open.emplace_back();
    return true;
  }
  bool key(std::string &name) override {
    found |= !open.back().insert(std::move(name)).second;
    return true;
  }
  bool end_object() override {
    open.pop_back();
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string &) override { return true; }
  bool string(std::string &) override { return true; }
  bool binary(nlohmann::json::binary_t &) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string &,
                   const nlohmann::json::exception &) override {
    return false;
  }

private:
  std::vector<std::set<std::string>> open;
};
} // namespace

void readJson(std::string_view text, std::string &error,
              const std::function<void(JsonCursor)> &read) {
  auto document =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  JsonCursor root(document, "", error);
  // The parser takes a zero byte for the end, whatever is behind it.
  if (document.is_discarded() || text.find('\0') != std::string_view::npos) {
    root.fail("is not JSON");
    return;
  }
  TwiceWatch twice;
  nlohmann::json::sax_parse(text, &twice);
  if (twice.found) {
    root.fail("names a key twice");
    return;
  }
  read(root);
}

} // namespace girih::runtime
