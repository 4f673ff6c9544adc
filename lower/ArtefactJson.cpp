// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ArtefactJson.h"
#include "ir/tool/Files.h"

namespace json = llvm::json;

namespace girih::lower {

/// Far more than any file of an artefact has.
static constexpr size_t maxFileBytes = size_t(1) << 30;

Expected<std::string> readFile(const std::string &path) {
  auto buffer = tile::readBytes(path, maxFileBytes);
  if (!buffer) {
    return Error{Error::Kind::File, path + ": " + buffer.getError().message()};
  }
  return (*buffer)->getBuffer().str();
}

Expected<json::Object> parseObject(const std::string &path,
                                   llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    return Error{Error::Kind::Malformed,
                 path + ": " + llvm::toString(value.takeError())};
  }
  if (json::Object *object = value->getAsObject()) {
    return std::move(*object);
  }
  return Error{Error::Kind::Malformed, path + ": is no object"};
}

std::string difference(const json::Object &a, const json::Object &b) {
  for (const json::Object *one : {&a, &b}) {
    for (const auto &[key, value] : *one) {
      const json::Value *x = a.get(key), *y = b.get(key);
      if (!x || !y || *x != *y) {
        return key.str();
      }
    }
  }
  return "";
}

} // namespace girih::lower
