// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of an entry: blocks, which one dominates which, natural
// loops, and registers as values that are assigned once.

#ifndef GIRIH_LOWER_PTX_FLOW_H
#define GIRIH_LOWER_PTX_FLOW_H

#include "lower/ptx/Module.h"

#include <optional>

namespace girih::ptx {

/// A run of instructions; block 0 is empty and comes first, so that nothing
/// jumps to the first block.
struct Block {
  size_t first = 0, end = 0; ///< instructions
  std::vector<size_t> successors, predecessors;
  /// The last instruction is conditional: where it goes if its guard, with the
  /// negation, is true, and where if not.
  std::optional<size_t> taken, fallen;
  size_t dominator = 0;       ///< immediate; of block 0 itself
  size_t postDominator = 0;   ///< immediate; blocks.size() is the end
  std::optional<size_t> loop; ///< the innermost one
  /// Whoever comes here ends the whole launch by a trap: nothing is said of
  /// what would come behind, and who does not come here may take it that
  /// nobody does.
  bool aborts = false;
};

struct Loop {
  size_t header = 0;
  std::vector<bool> body; ///< by block
  std::vector<size_t> latches;
  std::optional<size_t> parent;
};

/// A value: what an instruction writes, or what paths join to.
struct Value {
  enum class Kind { Undefined, Result, Join };
  Kind kind = Kind::Undefined;
  size_t instruction = 0, part = 0; ///< of a result
  size_t block = 0;                 ///< where it is defined
  std::string name;                 ///< the register
  std::vector<size_t> operands;     ///< of a join, by predecessor
};

class Flow {
public:
  static std::variant<Flow, Error> of(const Entry &entry);

  const Entry &entry() const { return *source; }
  const std::vector<Block> &blocks() const { return all; }
  const std::vector<Loop> &loops() const { return allLoops; }
  size_t blockOf(size_t instruction) const {
    return blockOfInstruction[instruction];
  }
  bool dominates(size_t a, size_t b) const;
  bool postDominates(size_t a, size_t b) const;
  /// Whether the instruction is executed before the other one on every path.
  bool precedes(size_t instruction, size_t other) const;
  bool inLoop(size_t block, size_t loop) const {
    return allLoops[loop].body[block];
  }
  /// Whether control may leave the loop from that block, but for a trap.
  bool leaves(size_t block, size_t loop) const;
  /// The predecessor by whose condition alone control comes to the block.
  std::optional<size_t> conditionalPredecessor(size_t block) const;

  /// The value of a register before an instruction, or at the end of a block.
  size_t valueBefore(const std::string &name, size_t instruction);
  size_t valueAtEnd(const std::string &name, size_t block);
  /// A value by number, looked at through joins of one value.
  size_t resolved(size_t value);
  const Value &value(size_t number) const { return values[number]; }

private:
  explicit Flow(const Entry &entry) : source(&entry) {}
  std::optional<Error> build();
  void cut();
  void findAborts();
  std::optional<Error> findDominators();
  void findPostDominators();
  std::optional<Error> findLoops();
  size_t valueAtStart(const std::string &name, size_t block);
  std::optional<size_t> writtenBefore(const std::string &name, size_t block,
                                      size_t end);

  const Entry *source;
  std::vector<Block> all;
  std::vector<Loop> allLoops;
  std::vector<size_t> blockOfInstruction;
  std::vector<Value> values;
  std::map<std::pair<std::string, size_t>, size_t> atStart;
  std::map<std::pair<size_t, size_t>, size_t> results;
  std::map<size_t, size_t> known; ///< what joins are
};

/// The registers that an operand names, those of an address included.
std::vector<std::string> registersOf(const Operand &operand);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_FLOW_H
