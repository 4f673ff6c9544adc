// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that wrap at a bound which the launch gives: `c = c + 1 == m ? 0 :
// c + 1` is (f + t) mod m in trip t if it begins with an f from 0 to m - 1, and
// what changes by k where c wraps has done so (f + t) div m times.

#include "lower/ptx/Evaluate.h"

namespace girih::ptx {

using namespace proofs;

/// The predicate that a counter of the loop wraps.
struct Evaluator::Wrap {
  bool equal = true; ///< it is true where the counter wraps, or where not
  size_t compare = 0;
  size_t counter = 0, next = 0; ///< values: c, and c + 1
  Poly bound;
};

/// An instruction without guard that alone gives a value.
const Instruction *Evaluator::plainResult(size_t value,
                                          const char *root) const {
  const Value &v = flow.value(value);
  if (v.kind != Value::Kind::Result || v.part != 0) {
    return nullptr;
  }
  const Instruction &i = flow.entry().instructions[v.instruction];
  return i.root == root && i.guard.empty() ? &i : nullptr;
}

/// What a register of the loop is in its first trip.
std::optional<Poly> Evaluator::firstOf(size_t phi, size_t loop) {
  const Value v = flow.value(phi);
  const std::vector<size_t> &before = flow.blocks()[v.block].predecessors;
  std::optional<Poly> first;
  for (size_t i = 0; i < before.size(); ++i) {
    if (!flow.inLoop(before[i], loop)) {
      Number n = number(v.operands[i]);
      if (!n.poly || (first && *first != *n.poly)) {
        return std::nullopt;
      }
      first = n.poly;
    }
  }
  return first && invariant(*first, loop) ? first : std::nullopt;
}

/// What a register of the loop is in the next trip.
std::optional<size_t> Evaluator::nextOf(size_t phi, size_t loop) {
  const Value v = flow.value(phi);
  const std::vector<size_t> &before = flow.blocks()[v.block].predecessors;
  std::optional<size_t> next;
  for (size_t i = 0; i < before.size(); ++i) {
    if (flow.inLoop(before[i], loop)) {
      size_t o = flow.resolved(v.operands[i]);
      if (next && *next != o) {
        return std::nullopt;
      }
      next = o;
    }
  }
  return next;
}

/// `c + 1 == m`, or `!=`, with a register c of the loop and an m that the loop
/// does not change.
std::optional<Evaluator::Wrap> Evaluator::wrapBy(size_t predicate,
                                                 size_t loop) {
  predicate = flow.resolved(predicate);
  const Instruction *code = plainResult(predicate, "setp");
  size_t header = flow.loops()[loop].header;
  if (!code || code->suffix.size() != 2 || code->operands.size() != 3 ||
      (code->suffix[0] != "eq" && code->suffix[0] != "ne")) {
    return std::nullopt;
  }
  Wrap w;
  w.equal = code->suffix[0] == "eq";
  w.compare = flow.value(predicate).instruction;
  unsigned width = code->types().size() == 1 ? code->types()[0].width : 0;
  for (size_t k : {1, 2}) {
    const Operand &o = code->operands[k];
    if (o.kind != Operand::Kind::Register || widths[o.name] != width) {
      continue;
    }
    w.next = flow.resolved(flow.valueBefore(o.name, w.compare));
    const Instruction *sum = plainResult(w.next, "add");
    size_t at = flow.value(w.next).instruction;
    // A sum of the loop itself: inside of another, it may be made several
    // times.
    if (!sum || sum->suffix.size() != 1 || sum->types().size() != 1 ||
        sum->types()[0].kind == 'f' || sum->types()[0].width != width ||
        sum->operands[1].kind != Operand::Kind::Register ||
        sum->operands[2].kind != Operand::Kind::Integer ||
        sum->operands[2].value != 1 ||
        flow.blocks()[flow.blockOf(at)].loop != loop) {
      continue;
    }
    w.counter = flow.resolved(flow.valueBefore(sum->operands[1].name, at));
    if (flow.value(w.counter).kind != Value::Kind::Join ||
        flow.value(w.counter).block != header) {
      continue;
    }
    Number m = operand(w.compare, code->operands[3 - k], width);
    if (m.poly && invariant(*m.poly, loop)) {
      w.bound = *m.poly;
      return w;
    }
  }
  return std::nullopt;
}

std::optional<Poly> Evaluator::wrapping(size_t phi, size_t loop) {
  auto next = nextOf(phi, loop);
  const Instruction *choice = next ? plainResult(*next, "selp") : nullptr;
  if (!choice || choice->suffix.size() != 1 ||
      choice->operands[3].kind != Operand::Kind::Register) {
    return std::nullopt;
  }
  size_t at = flow.value(*next).instruction;
  auto w = wrapBy(flow.valueBefore(choice->operands[3].name, at), loop);
  if (!w || w->counter != phi) {
    return std::nullopt;
  }
  const Operand &wrapped = choice->operands[w->equal ? 1 : 2];
  const Operand &counted = choice->operands[w->equal ? 2 : 1];
  unsigned width = widths[choice->operands[0].name];
  bool counts = wrapped.kind == Operand::Kind::Integer && wrapped.value == 0 &&
                counted.kind == Operand::Kind::Register &&
                flow.resolved(flow.valueBefore(counted.name, at)) == w->next &&
                widths[counted.name] == width &&
                widths[flow.value(phi).name] == width;
  auto first = counts ? firstOf(phi, loop) : std::nullopt;
  if (!first) {
    return std::nullopt;
  }
  // c + 1 and m are from 1 to 2^width - 1, so equal bits are equal numbers.
  size_t header = flow.loops()[loop].header;
  symbols.emit("ptx.width", "bound of a counter", w->compare, header,
               Poly((Int(1) << width) - 1) - w->bound);
  symbols.emit("ptx.width", "first of a counter, lower", w->compare, header,
               *first);
  symbols.emit("ptx.width", "first of a counter, upper", w->compare, header,
               w->bound - Poly(1) - *first);
  return symbols
      .divided(*first + Poly::variable(trip(loop)), w->bound, w->compare,
               header)
      .second;
}

/// A register that grows by one step where a counter wraps, and by another one
/// where it does not.
std::optional<Poly> Evaluator::countingWraps(size_t phi, size_t loop) {
  auto next = nextOf(phi, loop);
  const Value v = flow.value(next.value_or(phi));
  if (!next || v.kind != Value::Kind::Result || v.part != 0) {
    return std::nullopt;
  }
  const Instruction &code = flow.entry().instructions[v.instruction];
  unsigned width = widths[flow.value(phi).name];
  bool isSum = code.root == "add" && code.suffix.size() == 1 &&
               code.guard.empty() && code.types().size() == 1 &&
               code.types()[0].kind != 'f' && code.types()[0].width == width &&
               flow.blocks()[v.block].loop == loop;
  for (size_t k = 1; isSum && k <= 2; ++k) {
    const Operand &mine = code.operands[k], &by = code.operands[3 - k];
    if (mine.kind != Operand::Kind::Register ||
        by.kind != Operand::Kind::Register ||
        flow.resolved(flow.valueBefore(mine.name, v.instruction)) != phi) {
      continue;
    }
    size_t chosen = flow.resolved(flow.valueBefore(by.name, v.instruction));
    const Instruction *choice = plainResult(chosen, "selp");
    size_t at = flow.value(chosen).instruction;
    if (!choice || choice->suffix.size() != 1 || widths[by.name] != width ||
        choice->operands[3].kind != Operand::Kind::Register) {
      continue;
    }
    auto w = wrapBy(flow.valueBefore(choice->operands[3].name, at), loop);
    Number a = operand(at, choice->operands[1], width);
    Number b = operand(at, choice->operands[2], width);
    if (!w || !a.poly || !b.poly || !invariant(*a.poly, loop) ||
        !invariant(*b.poly, loop) || !wrapping(w->counter, loop)) {
      continue;
    }
    auto first = firstOf(phi, loop), start = firstOf(w->counter, loop);
    if (!first || !start) {
      continue;
    }
    Poly t = Poly::variable(trip(loop));
    Poly wraps = symbols
                     .divided(*start + t, w->bound, w->compare,
                              flow.loops()[loop].header)
                     .first;
    const Poly &yes = w->equal ? *a.poly : *b.poly;
    const Poly &no = w->equal ? *b.poly : *a.poly;
    return *first + no * t + (yes - no) * wraps;
  }
  return std::nullopt;
}

} // namespace girih::ptx
