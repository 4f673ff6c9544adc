// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Checkpoint.h"

#include "runtime/artefact/Artefact.h"
#include "runtime/artefact/Json.h"
#include "runtime/artefact/Text.h"
#include "runtime/host/Error.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

namespace girih::qwen3 {
namespace {

namespace fs = std::filesystem;
using runtime::counted;
using runtime::JsonCursor;

/// Of a header: the format's own limit, and of another text.
constexpr std::uint64_t maxHeader = 100'000'000, maxText = 64 << 20;
constexpr std::size_t maxRank = 8;

[[noreturn]] void refuse(const fs::path &file, const std::string &why) {
  throw RuntimeError(3, file.string() + ": " + why);
}

/// By the format's name of an element; none of what is no name of one.
std::optional<std::uint64_t> bytesOf(const std::string &element) {
  static const std::map<std::string, std::uint64_t> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},
      {"I32", 4},  {"F32", 4}, {"U64", 8}, {"I64", 8},     {"F64", 8}};
  auto found = sizes.find(element);
  return found == sizes.end() ? std::nullopt : std::optional(found->second);
}

/// A tensor of a header, with its place among the file's data.
struct Entry {
  std::string name;
  StoredTensor tensor;
  std::uint64_t begin = 0, end = 0;
};

std::uint64_t offsetOf(JsonCursor at) {
  std::int64_t offset = at.integer();
  if (offset < 0) {
    at.fail("is negative");
  }
  return offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
}

Entry entryOf(const std::string &name, JsonCursor at) {
  Entry out{name, {}, 0, 0};
  at.keys({"dtype", "shape", "data_offsets"});
  out.tensor.element = at["dtype"].string();
  std::optional<std::uint64_t> size = bytesOf(out.tensor.element);
  if (!size) {
    at["dtype"].fail("is no element that is known: " + out.tensor.element);
    return out;
  }
  out.tensor.extents = at["shape"].list<std::int64_t>(
      [](JsonCursor extent) { return extent.integer(); });
  if (out.tensor.extents.size() > maxRank) {
    at["shape"].fail("has more than " + counted(maxRank, "axis", "axes"));
  }
  // A product that passes 64 bits is of no file.
  std::uint64_t bytes = *size;
  for (std::int64_t extent : out.tensor.extents) {
    if (extent < 0 || __builtin_mul_overflow(
                          bytes, static_cast<std::uint64_t>(extent), &bytes)) {
      at["shape"].fail("has no such number of elements");
      return out;
    }
  }
  at["data_offsets"].count(2);
  out.begin = offsetOf(at["data_offsets"].item(0));
  out.end = offsetOf(at["data_offsets"].item(1));
  if (out.end < out.begin || out.end - out.begin != bytes) {
    at["data_offsets"].fail("are not those of " +
                            counted(bytes, "byte", "bytes"));
  }
  return out;
}

std::vector<Entry> entriesOf(const fs::path &path, std::string_view header) {
  std::vector<Entry> out;
  std::string error;
  runtime::readJson(header, error, [&](JsonCursor root) {
    root.members([&](const std::string &name, JsonCursor at) {
      if (name != "__metadata__") {
        out.push_back(entryOf(name, at));
      }
    });
  });
  if (!error.empty()) {
    refuse(path, "the header: " + error);
  }
  return out;
}

boost::interprocess::mapped_region mapped(const fs::path &path) {
  namespace ip = boost::interprocess;
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) {
    refuse(path, failed ? "cannot be read: " + failed.message()
                        : "is not a file"); // a pipe would be waited for
  }
  try {
    return {ip::file_mapping(path.c_str(), ip::read_only), ip::read_only};
  } catch (const ip::interprocess_exception &error) {
    refuse(path, std::string("cannot be mapped: ") + error.what());
  }
}

/// The files that an index names, each with the tensors that it says are there.
std::map<std::string, std::set<std::string>> filesOf(const fs::path &index) {
  std::map<std::string, std::set<std::string>> out;
  std::string error;
  runtime::readJson(textOf(index), error, [&](JsonCursor root) {
    root["weight_map"].members([&](const std::string &name, JsonCursor at) {
      std::string file = at.string();
      // A folder's index speaks of its own files.
      if (file.empty() || file == "." || file == ".." ||
          file.find_first_of(std::string("/\\\0", 3)) != std::string::npos) {
        at.fail("is not the name of a file");
      }
      out[file].insert(name);
    });
  });
  if (!error.empty()) {
    refuse(index, error);
  }
  if (out.empty()) {
    refuse(index, "names no tensor");
  }
  return out;
}

} // namespace

std::string textOf(const fs::path &path) {
  std::error_code failed;
  std::uint64_t size = fs::file_size(path, failed);
  if (failed) {
    refuse(path, "cannot be read: " + failed.message());
  }
  if (size > maxText) {
    refuse(path, "has more than " + counted(maxText, "byte", "bytes"));
  }
  std::optional<std::string> text = runtime::readFile(path.string());
  if (!text) {
    refuse(path, "cannot be read");
  }
  return *std::move(text);
}

void Checkpoint::add(const fs::path &path) {
  static_assert(std::endian::native == std::endian::little);
  boost::interprocess::mapped_region region = mapped(path);
  std::span<const std::byte> file(
      static_cast<const std::byte *>(region.get_address()), region.get_size());
  std::uint64_t header = 0;
  if (file.size() < sizeof header) {
    refuse(path, "is too short for a header");
  }
  std::copy_n(file.begin(), sizeof header,
              reinterpret_cast<std::byte *>(&header));
  file = file.subspan(sizeof header);
  if (header > maxHeader || header > file.size()) {
    refuse(path, "has no header of " + counted(header, "byte", "bytes"));
  }
  std::vector<Entry> entries =
      entriesOf(path, {reinterpret_cast<const char *>(file.data()), header});
  std::span<const std::byte> data = file.subspan(header);
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t end = 0;
  for (Entry &entry : entries) {
    if (entry.begin != end) {
      refuse(path, entry.name + " begins at byte " +
                       std::to_string(entry.begin) +
                       " of the data, and what is before it ends at " +
                       std::to_string(end));
    }
    end = entry.end;
    if (end > data.size()) {
      refuse(path, entry.name + " ends behind the file");
    }
    entry.tensor.bytes = data.subspan(entry.begin, end - entry.begin);
    entry.tensor.file = path.filename().string();
    auto [old, isNew] = all.try_emplace(entry.name, std::move(entry.tensor));
    if (!isNew) {
      refuse(path, entry.name + " is in " + old->second.file + ", too");
    }
  }
  if (end != data.size()) {
    refuse(path, counted(data.size() - end, "byte", "bytes") +
                     " behind the last tensor");
  }
  files.push_back(std::move(region));
}

std::uint64_t Checkpoint::byteCount() const {
  std::uint64_t sum = 0;
  for (const auto &[name, tensor] : all) {
    sum += tensor.bytes.size();
  }
  return sum;
}

Checkpoint Checkpoint::open(const fs::path &folder) {
  Checkpoint out;
  fs::path index = folder / "model.safetensors.index.json";
  std::error_code failed;
  if (!fs::exists(index, failed)) {
    out.add(folder / "model.safetensors");
    return out;
  }
  std::set<std::string> named;
  for (const auto &[file, tensors] : filesOf(index)) {
    out.add(folder / file);
    for (const std::string &name : tensors) {
      auto found = out.all.find(name);
      if (found == out.all.end() || found->second.file != file) {
        refuse(index, name + " is not in " + file);
      }
      named.insert(name);
    }
  }
  for (const auto &[name, tensor] : out.all) {
    if (!named.contains(name)) {
      refuse(index, "says nothing of " + name + " in " + tensor.file);
    }
  }
  return out;
}

} // namespace girih::qwen3
