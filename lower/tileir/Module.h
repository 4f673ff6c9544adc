// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Tile IR module as plain data: what the lowering makes and the writer turns
// into bytes. It has a text form, so that it can be dumped and diffed; what an
// op is made of stands in Encoding.h.

#ifndef GIRIH_LOWER_TILEIR_MODULE_H
#define GIRIH_LOWER_TILEIR_MODULE_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace girih::tileir {

/// Element types, numbered by their type tags in the bytecode.
enum class Element : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  TF32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU = 18,
  F4E2M1FN
};

const char *elementName(Element e);
unsigned elementBits(Element e);
bool isFloat(Element e);

/// What a load reads outside the tensor, numbered as in the bytecode.
enum class Padding : uint8_t { Zero, NegZero, NaN, PosInf, NegInf };

/// A value of known shape; a scalar has none. With `pointer` its elements are
/// addresses of `element`.
struct TileType {
  Element element = Element::I32;
  std::vector<int64_t> shape;
  bool pointer = false;
  bool operator==(const TileType &) const = default;
};

/// An extent or stride that only the launch knows.
inline constexpr int64_t dynamic = std::numeric_limits<int64_t>::min();

/// Memory with extents and strides, in elements.
struct ViewType {
  Element element = Element::I32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  bool operator==(const ViewType &) const = default;
};

/// A view as a grid of tiles.
struct PartitionType {
  std::vector<int32_t> tile;
  ViewType view;
  std::optional<Padding> padding;
  bool operator==(const PartitionType &) const = default;
};

/// Orders memory operations.
struct TokenType {
  bool operator==(const TokenType &) const = default;
};

using Type = std::variant<TileType, ViewType, PartitionType, TokenType>;

/// `tile<128x64xbf16>`, `tile<ptr<f32>>`, `tensor_view<?x64xf32, ...>`.
std::string typeText(const Type &type);

/// Names a value of one function: an index into its table of types.
using Value = uint32_t;

/// Facts for `assume`.
struct DivBy {
  uint64_t divisor = 1;
};
struct Bounded {
  std::optional<int64_t> low, high; ///< inclusive, signed
};

/// The elements of a constant, little endian; one element stands for all. Bits
/// are packed, the first one lowest, and `allBits` stands for all true: up to
/// eight of them would read 1 as one that is.
struct Constant {
  std::vector<uint8_t> bytes;
};
inline constexpr uint8_t allBits = 0xFF;

/// The neutral element of a reduction.
struct Identity {
  Element element = Element::F32;
  uint64_t bits = 0;
};

/// A flag is written as a truth value, all else as an i32.
struct Hint {
  std::string name;
  int64_t value = 0;
  bool isFlag = false;
};

/// Hints for the assembler by target: `sm_90 = {occupancy = 1}`.
using Hints = std::vector<std::pair<std::string, std::vector<Hint>>>;

/// An absent optional attribute is monostate; a flag is 0 or 1; an enumerator
/// is its number.
using Attribute =
    std::variant<std::monostate, int64_t, std::vector<int32_t>, std::string,
                 Constant, DivBy, Bounded, std::vector<Identity>, Hints>;

enum class Opcode : uint16_t;

struct Op;

/// The one block of a region.
struct Region {
  std::vector<Value> arguments;
  std::vector<Op> ops;
};

/// A place in a file, counted from 1; line 0 is none. Without a name the file
/// is that of the module.
struct SourcePlace {
  unsigned line = 0, column = 0;
  std::string file = {};
  auto operator<=>(const SourcePlace &) const = default;
};

/// Attributes and groups of operands run parallel to the op's form.
struct Op {
  Opcode opcode;
  std::vector<Attribute> attributes;
  std::vector<std::vector<Value>> operands;
  std::vector<Value> results;
  std::vector<Region> regions;
  SourcePlace place;
};

/// An entry point.
struct Function {
  std::string name;
  Hints hints;
  std::vector<Type> types; ///< of each value
  Region body;             ///< its arguments are the parameters
  SourcePlace place;
  /// What `assume` says in words and why it holds, one a line.
  std::vector<std::string> facts;

  Value add(Type type) {
    types.push_back(std::move(type));
    return static_cast<Value>(types.size() - 1);
  }
};

struct Module {
  std::vector<Function> functions;
  std::string file; ///< the kernel's, for places
};

/// The text form, one op a line.
std::string print(const Module &module);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_MODULE_H
