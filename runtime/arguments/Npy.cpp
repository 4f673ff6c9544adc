// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Magic, version, length of the header, a Python dictionary literal with three
// keys, the elements.

#include "runtime/arguments/Npy.h"

#include "runtime/artefact/Text.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace girih::runtime {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr uint64_t maxHeader = 1 << 16;
constexpr size_t maxAxes = 32;

struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<int64_t> shape;
};

/// The dictionary literal, token by token. A step that does not find its token
/// returns false; nothing is read past the end.
class Dictionary {
public:
  explicit Dictionary(std::string_view text) : rest(text) {}

  bool parse(Header &header) {
    bool seen[3] = {};
    if (!token("{")) {
      return false;
    }
    while (!token("}")) {
      std::string key;
      if (!string(key) || !token(":")) {
        return false;
      }
      int which = key == "descr"           ? 0
                  : key == "fortran_order" ? 1
                  : key == "shape"         ? 2
                                           : -1;
      if (which < 0 || std::exchange(seen[which], true) ||
          !value(which, header)) {
        return false;
      }
      if (!token(",")) {
        return token("}") && end(seen);
      }
    }
    return end(seen);
  }

private:
  bool value(int which, Header &header) {
    if (which == 0) {
      return string(header.descr);
    }
    if (which == 1) {
      header.fortran = token("True");
      return header.fortran || token("False");
    }
    return tuple(header.shape);
  }

  bool end(const bool (&seen)[3]) {
    blanks();
    return rest.empty() && seen[0] && seen[1] && seen[2];
  }

  void blanks() {
    size_t n = rest.find_first_not_of(" \n");
    rest.remove_prefix(n == std::string_view::npos ? rest.size() : n);
  }

  bool token(std::string_view text) {
    blanks();
    bool found = rest.starts_with(text);
    rest.remove_prefix(found ? text.size() : 0);
    return found;
  }

  bool string(std::string &into) {
    blanks();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"')) {
      return false;
    }
    size_t close = rest.find(rest[0], 1);
    if (close == std::string_view::npos) {
      return false;
    }
    into = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
    return true;
  }

  bool number(int64_t &into) {
    blanks();
    size_t digits = rest.find_first_not_of("0123456789");
    digits = digits == std::string_view::npos ? rest.size() : digits;
    if (digits == 0 || digits > 15) {
      return false;
    }
    into = std::stoll(std::string(rest.substr(0, digits)));
    rest.remove_prefix(digits);
    return true;
  }

  bool tuple(std::vector<int64_t> &into) {
    if (!token("(")) {
      return false;
    }
    while (!token(")")) {
      int64_t extent = 0;
      if (into.size() == maxAxes || !number(extent)) {
        return false;
      }
      into.push_back(extent);
      if (!token(",")) {
        return token(")");
      }
    }
    return true;
  }

  std::string_view rest;
};

/// Bytes that the shape needs; nothing when there are more than `limit`.
std::optional<uint64_t> byteCount(const std::vector<int64_t> &shape,
                                  uint64_t size, uint64_t limit) {
  for (int64_t extent : shape) {
    if (extent == 0) {
      return 0;
    }
  }
  for (int64_t extent : shape) {
    if (size > limit / static_cast<uint64_t>(extent)) {
      return std::nullopt;
    }
    size *= static_cast<uint64_t>(extent);
  }
  return size;
}

/// Elements stored first axis fastest, put last axis fastest.
std::string fromFortran(const std::vector<int64_t> &shape, unsigned size,
                        std::string_view stored) {
  std::string bytes(stored.size(), 0);
  int64_t count = static_cast<int64_t>(stored.size() / size);
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = i, stride = count, to = 0;
    for (int64_t extent : shape) {
      stride /= extent;
      to += position % extent * stride;
      position /= extent;
    }
    std::memcpy(bytes.data() + to * size, stored.data() + i * size, size);
  }
  return bytes;
}

std::string unpacked(std::string_view pairs) {
  std::string elements;
  for (unsigned char pair : pairs) {
    elements += static_cast<char>(pair & 15);
    elements += static_cast<char>(pair >> 4);
  }
  return elements;
}

Error refuse(std::string reason) {
  return {ErrorKind::Usage, std::move(reason)};
}

} // namespace

Expected<Array> parseNpy(std::string_view bytes, Element element) {
  if (bytes.size() < 12 || !bytes.starts_with(magic)) {
    return refuse("not a .npy file");
  }
  if (bytes[6] < 1 || bytes[6] > 3) {
    return refuse("unknown version of the .npy format");
  }
  unsigned lengthBytes = bytes[6] == 1 ? 2 : 4;
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, lengthBytes);
  bytes.remove_prefix(8 + lengthBytes);
  Header header;
  if (length > bytes.size() || length > maxHeader ||
      !Dictionary(bytes.substr(0, length)).parse(header)) {
    return refuse("malformed .npy header");
  }
  bytes.remove_prefix(length);
  // The byte order of single bytes is written in several ways.
  std::string_view descr = descrOf(element), stored = header.descr;
  bool same = bytesOf(element) == 1 && !stored.empty()
                  ? stored.substr(1) == descr.substr(1)
                  : stored == descr;
  if (!same) {
    return refuse(fmt::format("elements are '{}', expected '{}' for {}", stored,
                              descr, nameOf(element)));
  }
  std::string held = fmt::format("{}{}", isSubByte(element) ? "pairs of " : "",
                                 nameOf(element));
  auto expected = byteCount(header.shape, bytesOf(element), bytes.size());
  if (!expected || *expected != bytes.size()) {
    return refuse(fmt::format("shape [{}] of {} does not match {} of elements",
                              fmt::join(header.shape, ", "), held,
                              counted(bytes.size(), "byte", "bytes")));
  }
  std::string elements =
      header.fortran && header.shape.size() > 1
          ? fromFortran(header.shape, bytesOf(element), bytes)
          : std::string(bytes);
  if (element == Element::I1) {
    for (char &byte : elements) {
      byte = byte != 0;
    }
  }
  if (isSubByte(element)) {
    if (header.shape.empty()) {
      return refuse(fmt::format("pairs of {} need an axis", nameOf(element)));
    }
    header.shape.back() *= 2;
    elements = unpacked(elements);
  }
  return Array{element, std::move(header.shape), std::move(elements)};
}

/// Rows of pairs; the last element of a row with an odd number has a byte of
/// its own.
static std::string packed(std::string_view elements, size_t row) {
  std::string pairs;
  while (!elements.empty()) {
    std::string_view rest = elements.substr(0, row);
    for (; !rest.empty();
         rest.remove_prefix(std::min<size_t>(rest.size(), 2))) {
      char high = rest.size() > 1 ? rest[1] : 0;
      pairs += static_cast<char>((rest[0] & 15) | high << 4);
    }
    elements.remove_prefix(row);
  }
  return pairs;
}

std::string printNpy(const Array &array) {
  std::vector<int64_t> shape = array.shape;
  bool pairs = isSubByte(array.element) && !shape.empty();
  if (pairs) {
    shape.back() = (shape.back() + 1) / 2;
  }
  std::string header = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
      descrOf(array.element), fmt::join(shape, ", "),
      shape.size() == 1 ? "," : "");
  // Elements start at a multiple of 64.
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += std::string_view("\x01\x00", 2);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header +
         (pairs ? packed(array.bytes, array.shape.back()) : array.bytes);
}

} // namespace girih::runtime
