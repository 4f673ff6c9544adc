// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .npy format: magic, version, length of the header, a Python dictionary
// literal with three keys, the elements.

#include "spec/executor/tool/Npy.h"

#include "ir/types/Diagnose.h"
#include "spec/executor/numerics/Float.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace girih::exec {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

/// The header's dictionary, as far as NumPy writes it.
struct Header {
  std::string descr;
  bool fortran = false;
  std::vector<int64_t> shape;
};

/// A cursor over the dictionary literal.
struct Scanner {
  std::string_view text;

  void skipBlanks() {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\n')) {
      text.remove_prefix(1);
    }
  }
  bool take(std::string_view token) {
    skipBlanks();
    if (!text.starts_with(token)) {
      return false;
    }
    text.remove_prefix(token.size());
    return true;
  }
  bool quoted(std::string &into) {
    skipBlanks();
    if (text.empty() || (text[0] != '\'' && text[0] != '"')) {
      return false;
    }
    size_t end = text.find(text[0], 1);
    if (end == std::string_view::npos) {
      return false;
    }
    into = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return true;
  }
  bool number(int64_t &into) {
    skipBlanks();
    size_t digits = 0;
    into = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
      if (into > (int64_t(1) << 56)) {
        return false;
      }
      into = into * 10 + (text[digits++] - '0');
    }
    text.remove_prefix(digits);
    return digits != 0;
  }
};

} // namespace

static bool parseShape(Scanner &scan, std::vector<int64_t> &shape) {
  if (!scan.take("(")) {
    return false;
  }
  while (!scan.take(")")) {
    int64_t extent;
    if (shape.size() > 32 || !scan.number(extent)) {
      return false;
    }
    shape.push_back(extent);
    if (!scan.take(",")) {
      return scan.take(")");
    }
  }
  return true;
}

static bool parseHeader(std::string_view text, Header &header) {
  Scanner scan{text};
  if (!scan.take("{")) {
    return false;
  }
  bool descr = false, order = false, shape = false;
  while (!scan.take("}")) {
    std::string key;
    if (!scan.quoted(key) || !scan.take(":")) {
      return false;
    }
    if (key == "descr" && !descr) {
      descr = scan.quoted(header.descr);
    } else if (key == "fortran_order" && !order) {
      header.fortran = scan.take("True");
      order = header.fortran || scan.take("False");
    } else if (key == "shape" && !shape) {
      shape = parseShape(scan, header.shape);
    } else {
      return false;
    }
    if (!scan.take(",")) {
      scan.skipBlanks();
      if (!scan.text.starts_with("}")) {
        return false;
      }
    }
  }
  scan.skipBlanks();
  return descr && order && shape && scan.text.empty();
}

/// What NumPy calls the type that holds a kind.
static std::string descrOf(Kind kind) {
  switch (kind) {
  case Kind::I1:
    return "|b1";
  case Kind::I8:
    return "|i1";
  case Kind::I4:
  case Kind::F4E2M1FN:
  case Kind::F8E4M3FN:
  case Kind::F8E5M2:
  case Kind::F8E8M0FNU:
    return "|u1";
  case Kind::BF16:
    return "<u2";
  default:
    return (isFloat(kind) ? "<f" : "<i") + std::to_string(elementBytes(kind));
  }
}

static uint64_t loadBits(const char *bytes, unsigned size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, size);
  return bits;
}

static int64_t signExtend(uint64_t bits, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(bits << shift) >> shift;
}

/// The number in row-major order of the element that lies at `position` in
/// Fortran order.
static int64_t fromFortran(const std::vector<int64_t> &shape,
                           int64_t position) {
  int64_t linear = 0, stride = 1;
  for (int64_t extent : shape) {
    stride *= extent;
  }
  for (int64_t extent : shape) {
    stride /= extent;
    linear += position % extent * stride;
    position /= extent;
  }
  return linear;
}

/// Two elements a byte along the last axis, the first one lowest.
static std::optional<Array> parsePacked(std::string_view bytes, Kind kind,
                                        const Header &header,
                                        std::string &error) {
  std::vector<int64_t> shape = header.shape;
  std::optional<Array> packed =
      makeArray(Kind::I8, shape, static_cast<int64_t>(bytes.size()));
  if (!packed || shape.empty() ||
      static_cast<uint64_t>(packed->size()) != bytes.size()) {
    error = "shape " + shapeText(header.shape) + " of pairs of " +
            kindName(kind) + " does not match " +
            tile::counted(bytes.size(), "byte", "bytes") + " of elements";
    return std::nullopt;
  }
  shape.back() *= 2;
  Array array = *makeArray(kind, shape, 2 * packed->size());
  for (int64_t i = 0; i < packed->size(); ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    int64_t to = 2 * (header.fortran ? fromFortran(header.shape, i) : i);
    for (int bits : {byte & 15, byte >> 4}) {
      if (isFloat(kind)) {
        array.floats[to++] = fromBits(formatOf(kind), bits);
      } else {
        array.ints[to++] = (bits ^ 8) - 8;
      }
    }
  }
  error.clear();
  return array;
}

static uint64_t bitsOf(const Array &array, int64_t i) {
  return isFloat(array.kind) ? toBits(formatOf(array.kind), array.floats[i])
                             : static_cast<uint64_t>(array.ints[i]);
}

/// Rows of pairs; the last element of a row with an odd number has a byte of
/// its own.
static std::string packedBytes(const Array &array) {
  int64_t row = array.shape.empty() ? 1 : array.shape.back();
  std::string bytes;
  for (int64_t i = 0; i < array.size();
       i += 2 - (row % 2 && i % row + 1 == row)) {
    uint64_t high = i % row + 1 < row ? bitsOf(array, i + 1) : 0;
    bytes += static_cast<char>((bitsOf(array, i) & 15) | high << 4);
  }
  return bytes;
}

std::optional<Array> parseNpy(std::string_view bytes, Kind kind,
                              std::string &error) {
  error = "not a .npy file";
  if (bytes.size() < 10 || !bytes.starts_with(magic)) {
    return std::nullopt;
  }
  unsigned lengthBytes = bytes[6] == 1 ? 2 : 4;
  if (bytes[6] < 1 || bytes[6] > 3 || bytes.size() < 8 + lengthBytes) {
    error = "unknown version of the .npy format";
    return std::nullopt;
  }
  uint64_t length = loadBits(bytes.data() + 8, lengthBytes);
  bytes.remove_prefix(8 + lengthBytes);
  Header header;
  if (length > bytes.size() || length > 65536 ||
      !parseHeader(bytes.substr(0, length), header)) {
    error = "malformed .npy header";
    return std::nullopt;
  }
  bytes.remove_prefix(length);
  if (header.descr != descrOf(kind)) {
    error = "elements are '" + header.descr + "', expected '" + descrOf(kind) +
            "' for " + kindName(kind);
    return std::nullopt;
  }
  if (isSubByte(kind)) {
    return parsePacked(bytes, kind, header, error);
  }
  unsigned size = elementBytes(kind);
  std::optional<Array> array =
      makeArray(kind, header.shape, static_cast<int64_t>(bytes.size() / size));
  if (!array || static_cast<uint64_t>(array->size()) * size != bytes.size()) {
    error = "shape " + shapeText(header.shape) + " of " + kindName(kind) +
            " does not match " + tile::counted(bytes.size(), "byte", "bytes") +
            " of elements";
    return std::nullopt;
  }
  for (int64_t i = 0; i < array->size(); ++i) {
    uint64_t bits = loadBits(bytes.data() + i * size, size);
    int64_t to = header.fortran ? fromFortran(header.shape, i) : i;
    if (isFloat(kind)) {
      array->floats[to] = fromBits(formatOf(kind), bits);
    } else if (kind == Kind::I1) {
      array->ints[to] = bits != 0;
    } else {
      array->ints[to] = signExtend(bits, size);
    }
  }
  error.clear();
  return array;
}

std::string printNpy(const Array &array) {
  std::string shape;
  std::vector<int64_t> extents = array.shape;
  if (isSubByte(array.kind) && !extents.empty()) {
    extents.back() = (extents.back() + 1) / 2;
  }
  for (int64_t extent : extents) {
    shape += std::to_string(extent) + (extents.size() == 1 ? "," : ", ");
  }
  if (array.shape.size() > 1) {
    shape.resize(shape.size() - 2);
  }
  std::string header = "{'descr': '" + descrOf(array.kind) +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  if (isSubByte(array.kind)) {
    return bytes + packedBytes(array);
  }
  unsigned size = elementBytes(array.kind);
  for (int64_t i = 0; i < array.size(); ++i) {
    uint64_t bits = bitsOf(array, i);
    bytes.append(reinterpret_cast<const char *>(&bits), size);
  }
  return bytes;
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
