// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/jit/Archive.h"

#include "runtime/artefact/Artefact.h"

#include <charconv>
#include <filesystem>

namespace fs = std::filesystem;

namespace girih::runtime {

std::optional<Files> readFolder(const std::string &folder) {
  Files files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    if (it->is_directory(error)) {
      continue;
    }
    std::optional<std::string> bytes = readFile(it->path().string());
    if (!bytes) {
      return std::nullopt;
    }
    files[it->path().lexically_relative(folder).string()] = std::move(*bytes);
  }
  return error ? std::nullopt : std::optional(std::move(files));
}

/// A number and the end of its line.
static std::optional<size_t> takeSize(std::string_view &text) {
  size_t size = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), size);
  size_t length = static_cast<size_t>(end - text.data());
  if (error != std::errc() || length == text.size() || *end != '\n') {
    return std::nullopt;
  }
  text.remove_prefix(length + 1);
  return size;
}

static std::optional<std::string> takeText(std::string_view &text) {
  std::optional<size_t> size = takeSize(text);
  if (!size || *size > text.size()) {
    return std::nullopt;
  }
  std::string taken(text.substr(0, *size));
  text.remove_prefix(*size);
  return taken;
}

std::string packFiles(const Files &files) {
  std::string out;
  auto put = [&](const std::string &text) {
    out += std::to_string(text.size()) + "\n" + text;
  };
  for (const auto &[name, bytes] : files) {
    put(name);
    put(bytes);
  }
  return out;
}

std::optional<Files> unpackFiles(std::string_view text) {
  Files files;
  while (!text.empty()) {
    std::optional<std::string> name = takeText(text);
    std::optional<std::string> bytes = name ? takeText(text) : std::nullopt;
    if (!bytes) {
      return std::nullopt;
    }
    files[*name] = std::move(*bytes);
  }
  return files;
}

} // namespace girih::runtime
