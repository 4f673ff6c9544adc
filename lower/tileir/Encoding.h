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

/// Numbered as in the bytecode.
enum class Opcode : uint16_t {
  AbsF = 0x00,
  AddF = 0x02,
  AddI = 0x03,
  AndI = 0x04,
  Assert = 0x05,
  Assume = 0x06,
  BitCast = 0x09,
  Broadcast = 0x0B,
  Ceil = 0x0D,
  CmpF = 0x0E,
  CmpI = 0x0F,
  Constant = 0x10,
  Continue = 0x11,
  Cos = 0x12,
  DivF = 0x14,
  DivI = 0x15,
  Exp = 0x17,
  Exp2 = 0x18,
  ExtI = 0x25,
  Floor = 0x27,
  Fma = 0x28,
  For = 0x29,
  FToF = 0x2A,
  FToI = 0x2B,
  GetTileBlockId = 0x30,
  If = 0x32,
  Iota = 0x3A,
  IToF = 0x3B,
  JoinTokens = 0x3C,
  LoadPtr = 0x3D,
  LoadView = 0x3E,
  Log = 0x3F,
  Log2 = 0x40,
  MakePartitionView = 0x42,
  MakeTensorView = 0x43,
  MakeToken = 0x44,
  MaxF = 0x45,
  MaxI = 0x46,
  MinF = 0x47,
  MinI = 0x48,
  MmaF = 0x49,
  MmaI = 0x4A,
  MulF = 0x4C,
  MulI = 0x4E,
  NegF = 0x4F,
  Offset = 0x51,
  OrI = 0x52,
  Permute = 0x53,
  Pow = 0x54,
  Reduce = 0x58,
  RemI = 0x5A,
  Reshape = 0x5B,
  Return = 0x5C,
  Rsqrt = 0x5D,
  Scan = 0x5E,
  Select = 0x5F,
  ShLI = 0x60,
  ShRI = 0x61,
  Sin = 0x62,
  Sqrt = 0x64,
  StorePtr = 0x65,
  StoreView = 0x66,
  SubF = 0x67,
  SubI = 0x68,
  TanH = 0x6A,
  TruncI = 0x6B,
  XOrI = 0x6C,
  Yield = 0x6D,
  MmaFScaled = 0x72,
  AtomicRedView = 0x75,
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
