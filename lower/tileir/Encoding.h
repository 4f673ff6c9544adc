// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of Tile IR that the lowering uses, as data: a row an op says how it
// is written and what its parts are called. Bytecode versions 13.3 and 13.4.

#ifndef GIRIH_LOWER_TILEIR_ENCODING_H
#define GIRIH_LOWER_TILEIR_ENCODING_H

#include "lower/tileir/Module.h"

#include <span>

namespace girih::tileir {

/// Numbered as in the bytecode: the ops of ir/ops/Elementwise.def, and others.
enum class Opcode : uint16_t {
#define TILE_IR(opcode, number, ...) opcode = number,
#define ELEMENTWISE(name, shape, elements, executor, coq, tile_ir, ...) tile_ir
#include "ir/ops/Elementwise.def"
  Assert = 0x05,
  Assume = 0x06,
  AtomicRMW = 0x08,
  Break = 0x0A,
  Broadcast = 0x0B,
  Cat = 0x0C,
  Constant = 0x10,
  Continue = 0x11,
  Extract = 0x26,
  For = 0x29,
  GetTileBlockId = 0x30,
  If = 0x32,
  Iota = 0x3A,
  JoinTokens = 0x3C,
  LoadPtr = 0x3D,
  LoadView = 0x3E,
  Loop = 0x41,
  MakePartitionView = 0x42,
  MakeTensorView = 0x43,
  MakeToken = 0x44,
  MmaF = 0x49,
  MmaI = 0x4A,
  Offset = 0x51,
  Permute = 0x53,
  Print = 0x55,
  Reduce = 0x58,
  Reshape = 0x5B,
  Return = 0x5C,
  Scan = 0x5E,
  Select = 0x5F,
  StorePtr = 0x65,
  StoreView = 0x66,
  Yield = 0x6D,
  MmaFScaled = 0x72,
  AtomicRedView = 0x75,
  GdcLaunchDependents = 0x77,
  GdcWait = 0x78,
};

/// Enumerators, numbered as in the bytecode.
enum class Rounding {
  NearestEven,
  Zero,
  NegativeInf,
  PositiveInf,
  Approx,
  Full,
  NearestIntToZero
};
enum class Signedness { Unsigned, Signed };
enum class Overflow { None, NSW, NUW, NW };
enum class Predicate {
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual
};
enum class Ordering { Unordered, Ordered };
enum class Semantics { Weak, Relaxed, Acquire, Release, AcqRel };
enum class Scope { Block, Device, System };
enum class AtomicMode { And, Or, Xor, Add, AddF, Max, Min };

enum class AttrKind {
  Flag,         ///< a bit of the flags
  Enum,         ///< one byte
  OptionalEnum, ///< a bit of the flags, then one byte
  OptionalHints,
  Integer,  ///< a varint
  Integers, ///< count and 32-bit numbers
  Truths,   ///< count and bytes; false unless it is there
  String,   ///< index into the table of strings
  Constant, ///< index into the constant pool
  Predicate,
  Identities,
};

struct AttrForm {
  const char *name;
  AttrKind kind;
  std::span<const char *const> words = {}; ///< of an enumeration
  unsigned since = 3; ///< the version 13.N of the bytecode that has it
};

enum class Arity { One, Optional, Many };

struct OperandForm {
  const char *name;
  Arity arity = Arity::One;
};

enum class Operands {
  Plain,     ///< one after the other
  Counted,   ///< their number, then all of them
  Segmented, ///< each group of many with its number
};

/// One row of the table.
struct OpForm {
  Opcode opcode;
  const char *mnemonic;
  int results;         ///< how many; -1 for any number
  bool countedResults; ///< their number is written
  Operands style;
  std::vector<AttrForm> attributes;
  std::vector<OperandForm> operands;
  unsigned regions = 0;
  unsigned since = 3; ///< before, it is written as a token behind nothing

  /// Whether a word of flags is written in version 13.`minor`: a bit for each
  /// optional attribute, then one for each optional operand.
  bool hasFlags(unsigned minor) const;
};

/// All rows.
std::span<const OpForm> opForms();

/// The row of an op that the table has.
const OpForm &formOf(Opcode opcode);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_ENCODING_H
