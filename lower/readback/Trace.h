// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry point touches, in program order: accesses with their maps,
// loops and branches around them, and the tokens that order them. Loops and
// branches have one numbering, accesses another, both by where they begin.

#ifndef GIRIH_LOWER_READBACK_TRACE_H
#define GIRIH_LOWER_READBACK_TRACE_H

#include "lower/readback/Bytecode.h"
#include "lower/readback/Expr.h"

#include <memory>
#include <set>

namespace girih::readback {

/// Names a token; 0 is none.
using Token = unsigned;

enum class Access { Load, Store, Atomic };

/// Memory that an access goes to, in elements from the address of a parameter.
struct Memory {
  unsigned parameter = 0;
  Expr offset = nullptr;
};

/// A tile of a view.
struct TilePlace {
  Memory base;
  std::vector<Expr> extents, strides;
  std::vector<int64_t> tile;
  std::vector<Expr> index;
  std::optional<unsigned> padding;
  /// Along which axes the tile is said to lie wholly inside; empty: along none.
  std::vector<int64_t> inside;
};

/// An element a lane; `mask` is null where every lane counts.
struct LanePlace {
  Memory base; ///< the offset depends on the lane
  Expr mask = nullptr;
  Expr padding = nullptr;
};

struct AccessEvent {
  Access kind = Access::Load;
  std::variant<TilePlace, LanePlace> place;
  std::string element;
  Shape shape;
  Expr value = nullptr;         ///< that is written; null for floats
  int64_t order = 0;            ///< weak, relaxed, acquire, ...
  std::optional<int64_t> scope; ///< block, device, system
  std::optional<int64_t> mode;  ///< of an atomic
  Token before = 0, after = 0;
};

struct JoinEvent {
  Token result = 0;
  std::vector<Token> of;
  bool isWait = false; ///< it is also behind all that the grids before do
};

/// What the entry point asks the assembler to believe from here on.
struct Assumption {
  std::optional<unsigned> parameter; ///< of which, if it is of one
  Expr number = nullptr;             ///< null for addresses and floats
  std::optional<uint64_t> divisor;
  std::optional<int64_t> low, high;
};

struct Event;
using Events = std::vector<Event>;

/// How a loop without a counter begins each trip: where the condition is false
/// it ends, and gives these values and the tokens that it carries.
struct Head {
  Events events;
  Expr condition = nullptr;
  std::vector<Expr> passed;
};

/// What a loop carries: tokens, or values that are not.
struct LoopEvent {
  Expr lower = nullptr, upper = nullptr, step = nullptr;
  std::optional<Head> head; ///< in place of these three
  std::vector<Expr> initial, handedOn;
  std::vector<Token> initialTokens, arguments, handedOnTokens, results;
  Events body;
};

struct BranchEvent {
  Expr condition = nullptr;
  std::vector<Expr> values[2];
  std::vector<Token> tokens[2], results;
  Events body[2];
};

struct Event {
  std::variant<AccessEvent, JoinEvent, LoopEvent, BranchEvent, Assumption> what;
};

/// An op that is said not to leave its type, read as signed.
struct Exact {
  char operation = '+'; ///< - and * likewise
  Expr left = nullptr, right = nullptr;
  auto operator<=>(const Exact &) const = default;
};

/// A select that is all that a loaded tile goes to: it, spread where the shape
/// is larger, where the mask is true, else the padding.
struct Fill {
  Expr mask = nullptr, padding = nullptr;
  Shape shape;
};

/// What a choice between parts of the bytes of a loaded tile gives.
struct Parts {
  Expr value = nullptr;
  Shape shape;
};

struct Trace {
  std::vector<Exact> exact;
  std::map<int64_t, Fill> fills;  ///< by the number of the load
  std::map<int64_t, Parts> parts; ///< likewise, of tiles of bytes
  std::set<int64_t> astray;   ///< tiles of bytes that have another use besides
  bool letsNextStart = false; ///< before it is done
  Events events;
};

/// Follows a function whose parameters are these expressions, null for
/// addresses and floats. Or why it cannot be followed.
std::variant<Trace, std::string> follow(const Function &function,
                                        const std::vector<Expr> &parameters,
                                        Pool &pool);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_TRACE_H
