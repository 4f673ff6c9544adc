// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PTX module as plain data: what the reader makes of a text, and what the
// validation works on. Registers of inner scopes have names of their own here,
// so that one name is one register of an entry.

#ifndef GIRIH_LOWER_PTX_MODULE_H
#define GIRIH_LOWER_PTX_MODULE_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace girih::ptx {

/// The type of a register, a parameter or an operation: `u32`, `pred`.
struct Type {
  char kind = 'b';    ///< 'b' bits, 'u', 's', 'f' float, 'p' predicate
  unsigned width = 0; ///< in bits; of a predicate 1
  std::string name;   ///< as it stands
  friend bool operator==(const Type &, const Type &) = default;
};

/// The type of that name; width 0 if there is none.
Type typeNamed(std::string_view name);

/// What an instruction names.
struct Operand {
  enum class Kind {
    Register, ///< `name`
    Special,  ///< `name`: `%tid.x`
    Integer,  ///< `value`
    Float,    ///< `name`, the digits as they stand: no value depends on it
    Symbol,   ///< `name` + `value`: the address of a variable in memory
    Vector,   ///< `parts`
    Pair,     ///< `parts`: `%r1|%p1`
    Address,  ///< [`parts`[0] + `value`]
    Label,    ///< `name`
    Sink,     ///< `_`
  };
  Kind kind = Kind::Integer;
  std::string name;
  int64_t value = 0;
  std::vector<Operand> parts;
};

/// One instruction. The operands are in the order of the text: those that are
/// written first, as the closed list has them.
struct Instruction {
  size_t line = 0;
  std::string guard; ///< the predicate register in front; empty: none
  bool guardNegated = false;
  std::string opcode;              ///< whole: `ld.global.v4.u32`
  std::vector<std::string> suffix; ///< its parts behind the dots
  std::string root;                ///< its first part
  std::vector<Operand> operands;
  size_t written = 0; ///< so many operands, from the first, are written

  bool has(std::string_view part) const;
  /// Types among the suffixes, in order.
  std::vector<Type> types() const;
};

/// A variable in shared memory.
struct SharedVariable {
  std::string name;
  uint64_t align = 1, bytes = 0;
  bool dynamic = false; ///< its size is what the launch says
};

struct Parameter {
  std::string name;
  Type type;
};

struct Entry {
  size_t line = 0;
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<uint64_t> requiredThreads, maxThreads; ///< empty: not said
  std::map<std::string, Type> registers;
  std::vector<SharedVariable> shared; ///< its own; see Module::shared
  std::vector<Instruction> instructions;
  /// By name, the instruction before which it stands.
  std::map<std::string, size_t> labels;
};

struct Module {
  std::string version, target;
  std::vector<SharedVariable> shared;
  std::vector<Entry> entries;
};

/// Error of the reader: 1-based line and what is wrong.
struct Error {
  size_t line = 0;
  std::string message;
};

/// Reads a module. Any bytes give a module or an error; an instruction outside
/// of the closed list (Instructions.def) is an error.
std::variant<Module, Error> read(std::string_view text);

/// The text form: what the reader understood, an instruction a line.
std::string print(const Module &module);
std::string print(const Instruction &instruction);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_MODULE_H
