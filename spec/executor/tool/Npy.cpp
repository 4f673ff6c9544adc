// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between raw elements, as files have them, and numbers.

#include "spec/executor/tool/Npy.h"

#include "runtime/arguments/Npy.h"
#include "spec/executor/numerics/Float.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace girih::exec {

constexpr std::string_view magic("\x93NUMPY", 6);

/// The names are those of the language on both sides.
static runtime::Element elementOf(Kind kind) {
  return *runtime::elementNamed(kindName(kind));
}

static int64_t signExtend(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

std::optional<Array> parseNpy(std::string_view bytes, Kind kind,
                              std::string &error) {
  runtime::Expected<runtime::Array> raw =
      runtime::parseNpy(bytes, elementOf(kind));
  if (!raw) {
    error = raw.error().reason;
    return std::nullopt;
  }
  Array array = *makeArray(kind, raw->shape, raw->size());
  for (int64_t i = 0; i < array.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, raw->at(i), elementBytes(kind));
    if (isFloat(kind)) {
      array.floats[i] = fromBits(formatOf(kind), bits);
    } else {
      array.ints[i] = kind == Kind::I1 ? static_cast<int64_t>(bits)
                                       : signExtend(bits, integerBits(kind));
    }
  }
  error.clear();
  return array;
}

std::string printNpy(const Array &array) {
  runtime::Array raw{elementOf(array.kind), array.shape, {}};
  for (int64_t i = 0; i < array.size(); ++i) {
    uint64_t bits = isFloat(array.kind)
                        ? toBits(formatOf(array.kind), array.floats[i])
                        : static_cast<uint64_t>(array.ints[i]);
    raw.bytes.append(reinterpret_cast<const char *>(&bits),
                     elementBytes(array.kind));
  }
  return runtime::printNpy(raw);
}

/// The bytes of a file that begins like a .npy file; what does not, a device
/// without end for one, is not read further.
static std::optional<std::string> readFile(const std::string &path,
                                           std::string &error) {
  std::unique_ptr<FILE, int (*)(FILE *)> file(fopen(path.c_str(), "rb"),
                                              fclose);
  std::string bytes;
  char block[1 << 16];
  for (size_t got = 1, want = magic.size(); file && got > 0;) {
    got = fread(block, 1, want, file.get());
    bytes.append(block, got);
    want = bytes.starts_with(magic) ? sizeof block : 0;
  }
  if (!file || ferror(file.get())) {
    error = path + ": " + std::strerror(errno);
    return std::nullopt;
  }
  return bytes;
}

std::optional<Array> readNpy(const std::string &path, Kind kind,
                             std::string &error) {
  std::optional<std::string> bytes = readFile(path, error);
  if (!bytes) {
    return std::nullopt;
  }
  std::optional<Array> array = parseNpy(*bytes, kind, error);
  if (!array) {
    error = path + ": " + error;
  }
  return array;
}

} // namespace girih::exec
