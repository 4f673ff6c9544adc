// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads Tile IR bytecode into plain data, from the description of the format:
// what the emitter believes of an op is not asked.

#ifndef GIRIH_LOWER_READBACK_BYTECODE_H
#define GIRIH_LOWER_READBACK_BYTECODE_H

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace girih::readback {

using Shape = std::vector<int64_t>;

/// An extent or stride that is an operand.
inline constexpr int64_t fromLaunch = INT64_MIN;

struct Type {
  enum class Form { Element, Pointer, Tile, View, Partition, Function, Token };
  Form form = Form::Token;
  std::string element;
  unsigned bits = 0;    ///< of an integer element; 0 of a float
  bool pointer = false; ///< tiles of addresses
  Shape shape, strides;
  std::vector<int64_t> tile;
  std::vector<unsigned> axes;       ///< of the view, in the order of the tile's
  std::optional<unsigned> padding;  ///< zero, neg_zero, nan, pos_inf, neg_inf
  std::vector<unsigned> parameters; ///< of a function, types by number
};

struct Attribute {
  std::optional<int64_t> number; ///< an enumerator, a flag or an integer
  std::vector<int64_t> numbers;
  std::vector<uint8_t> bytes; ///< of a constant
  std::optional<uint64_t> divisor;
  std::optional<int64_t> low, high; ///< of a bound
};

struct Op;

struct Region {
  std::vector<unsigned> arguments; ///< values
  std::vector<Op> ops;
};

struct Op {
  const char *name = "";
  std::vector<unsigned> results; ///< values, by their place in `types`
  std::map<std::string, Attribute> attributes;
  std::map<std::string, std::vector<unsigned>> operands;
  std::vector<Region> regions;
  size_t at = 0; ///< in the file, in bytes
};

struct Function {
  std::string name;
  std::vector<Type> types; ///< of each value; parameters first
  size_t parameters = 0;
  std::vector<Op> ops;
};

/// Whether operands have the shape of the result, as those of an op that goes
/// lane by lane do.
bool hasOneShape(const Function &f, const Op &op);

/// Which modules are read: those that our emitter may write, or those of any
/// version and compiler.
enum class Accept { Ours, All };

/// Or why these bytes are no module.
std::variant<std::vector<Function>, std::string>
read(std::span<const uint8_t> bytes, Accept accept = Accept::Ours);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_BYTECODE_H
