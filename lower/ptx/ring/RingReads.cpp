// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/ring/Ring.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

/// Whatever else is in the same shared variable: reads of the slot that was
/// waited for, and accesses that stay away from slots and barriers.
RingCheck::Checked RingCheck::others() {
  struct Area {
    uint64_t from, to;
  };
  const Area areas[] = {
      {ring.at, ring.at + ring.warps * ring.slots * ring.bytes},
      {ring.barriers, ring.barriers + ring.warps * ring.slots * 8}};
  for (const Access &a : all.shared) {
    if (!a.generic || a.shared != shared) {
      continue;
    }
    const Instruction &i = code[a.instruction];
    Poly inSlot = a.offset - slots - Poly(Int(ring.bytes)) * slot;
    Bounds b = s.bounds(inSlot);
    Int last = Int(bytes) - Int(a.bytes);
    if (a.mode == Mode::Read && e.flow.dominates(arrived, a.block) &&
        e.flow.blocks()[a.block].loop == loop && b.low && b.high &&
        *b.low >= 0 && *b.high <= last && i.guard.empty()) {
      emit("slot, lower", a.instruction, a.block, inSlot);
      emit("slot, upper", a.instruction, a.block, Poly(last) - inSlot);
      reads.push_back(a.instruction);
      continue;
    }
    for (const Area &area : areas) {
      Bounds at = s.bounds(a.offset);
      if (at.low && *at.low >= Int(area.to)) {
        emit("above the ring", a.instruction, a.block,
             a.offset - Poly(Int(area.to)));
      } else if (at.high && *at.high + Int(a.bytes) <= Int(area.from)) {
        emit("below the ring", a.instruction, a.block,
             Poly(Int(area.from) - Int(a.bytes)) - a.offset);
      } else {
        return ptx::at(i, "this may meet a slot or a barrier of the ring");
      }
    }
  }
  return std::nullopt;
}

/// The lanes together read every byte of a slot once: one after the other, then
/// again behind what all of them read.
RingCheck::Checked RingCheck::wholeSlot() {
  if (!wholeCopies) {
    // A lane may read what no copy brought, of what stands in the slot.
    for (const Region &r : s.expected.regions) {
      if (r.covered && r.tensor == *refill->source->tensor) {
        return at(code[refill->instruction],
                  "copies of many sizes for what has to be read whole");
      }
    }
    return std::nullopt;
  }
  std::vector<Int> places;
  Int each = 0;
  for (const Access &a : all.shared) {
    if (std::find(reads.begin(), reads.end(), a.instruction) == reads.end()) {
      continue;
    }
    each = Int(a.bytes);
    auto place =
        (a.offset - slots - Poly(Int(ring.bytes)) * slot - Poly(each) * lane)
            .constant();
    places.push_back(place.value_or(-1));
  }
  std::sort(places.begin(), places.end());
  bool whole = Int(places.size()) * 32 * each == Int(bytes);
  for (size_t k = 0; k < places.size(); ++k) {
    whole = whole && places[k] == Int(k) * 32 * each;
  }
  return whole ? std::nullopt
               : std::optional(
                     at(code[wait], "not every byte of the slot is read once"));
}

// A slot is filled again when every lane has what it read.

/// The value that a move copies.
size_t RingCheck::source(size_t value) {
  for (;;) {
    value = e.flow.resolved(value);
    const Value v = e.flow.value(value);
    if (v.kind != Value::Kind::Result) {
      return value;
    }
    const Instruction &i = code[v.instruction];
    if (i.root != "mov" || !i.guard.empty() ||
        i.operands[1].kind != Operand::Kind::Register) {
      return value;
    }
    value = e.flow.valueBefore(i.operands[1].name, v.instruction);
  }
}

/// Of a value of 32 bits those that bits of a source are, each of another one:
/// what masks and shifts by constants leave. Of what is no such value all.
uint32_t RingCheck::freeBits(size_t value, unsigned depth) {
  constexpr uint32_t all = 0xffffffff;
  const Value v = e.flow.value(source(value));
  if (v.kind != Value::Kind::Result || depth > 8) {
    return depth > 8 ? 0 : all;
  }
  const Instruction &i = code[v.instruction];
  bool isBits = i.root == "and" || i.root == "or";
  if (!isBits && i.root != "shl" && i.root != "shr") {
    return all;
  }
  std::vector<Type> types = i.types();
  const Operand &from = i.operands[1], &last = i.operands[2];
  if (types.empty() || types[0].width != 32 ||
      from.kind != Operand::Kind::Register ||
      last.kind != Operand::Kind::Integer) {
    return 0;
  }
  uint32_t bits =
      freeBits(e.flow.valueBefore(from.name, v.instruction), depth + 1);
  auto number = uint32_t(last.value);
  if (isBits) {
    return bits & (i.root == "and" ? number : ~number);
  }
  if (last.value < 0 || last.value > 31) {
    return 0;
  }
  return i.root == "shl" ? bits << number : bits >> number;
}

/// Whether the result cannot be known without what is read: an assembler may
/// fold `x & 0`, but no sum of floats.
bool RingCheck::keepsDependence(const Instruction &i, size_t result) {
  std::vector<Type> types = i.types();
  if (types.empty()) {
    return false;
  }
  if (i.root == "and" || i.root == "or" || i.root == "shl" || i.root == "shr") {
    return freeBits(result, 0) != 0;
  }
  bool isFloat = types[0].kind == 'f';
  // A select may drop what was read: usedForSum.
  return i.root == "mov" || i.root == "cvt" || i.root == "shfl" ||
         (i.root == "selp" && i.suffix.size() == 1) ||
         (isFloat && (i.root == "add" || i.root == "fma" || i.root == "mul" ||
                      i.root == "sub"));
}

/// The registers that part of a result cannot be known without. Of a product of
/// matrices a lane's sums of a row need what it has itself of the left matrix's
/// row and of the sum before; what it has of the right matrix is for others.
std::vector<std::string> RingCheck::neededBy(size_t value) {
  const Value v = e.flow.value(value);
  const Instruction &i = code[v.instruction];
  std::vector<std::string> names;
  if (i.root == "mma") {
    constexpr size_t ofLeft = 4, ofSums = 4;
    std::vector<std::string> left = registersOf(i.operands[1]);
    std::vector<std::string> sums = registersOf(i.operands[3]);
    if (left.size() == ofLeft && sums.size() == ofSums && v.part < ofSums) {
      size_t row = v.part / 2;
      names = {left[row], left[row + 2], sums[v.part]};
    }
    return names;
  }
  size_t end = i.root == "selp" ? 3 : i.operands.size();
  for (size_t k = i.written; k < end && keepsDependence(i, value); ++k) {
    for (std::string &name : registersOf(i.operands[k])) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

bool RingCheck::dependsOn(size_t value, size_t read, unsigned depth) {
  value = e.flow.resolved(value);
  auto [it, isNew] = dependence.try_emplace({value, read}, false);
  if (!isNew) {
    return it->second;
  }
  const Value v = e.flow.value(value);
  bool depends = false;
  if (v.kind == Value::Kind::Result && code[v.instruction].guard.empty() &&
      depth < 2000) {
    const Instruction &i = code[v.instruction];
    depends = v.instruction == read;
    selects = selects || i.root == "selp";
    for (const std::string &name : neededBy(value)) {
      depends = depends || dependsOn(e.flow.valueBefore(name, v.instruction),
                                     read, depth + 1);
    }
  }
  dependence[{value, read}] = depends;
  return depends;
}

/// The lane mask of a butterfly over the whole warp.
std::optional<unsigned> RingCheck::shuffle(size_t value) const {
  const Value v = e.flow.value(value);
  if (v.kind != Value::Kind::Result || v.part != 0) {
    return std::nullopt;
  }
  const Instruction &i = code[v.instruction];
  if (i.root != "shfl" || !i.has("bfly") || !i.has("b32") || !i.guard.empty()) {
    return std::nullopt;
  }
  auto constant = [&](size_t k) {
    Number n = e.operand(v.instruction, i.operands[k], 32);
    return n.poly ? n.poly->constant() : std::nullopt;
  };
  auto mask = constant(2), clamp = constant(3), members = constant(4);
  if (!mask || clamp != Int(31) || members != Int(-1) || *mask <= 0 ||
      *mask > 16 || (*mask & (*mask - 1)) != 0) {
    return std::nullopt;
  }
  return unsigned(*mask);
}

/// Over which lanes a value is a sum of what they read: the masks of the
/// butterflies that it went through, each taken together with its own source.
unsigned RingCheck::masks(size_t value, unsigned depth) {
  value = source(value);
  const Value v = e.flow.value(value);
  if (v.kind != Value::Kind::Result || depth > 64 ||
      !code[v.instruction].guard.empty() || shuffle(value)) {
    return 0;
  }
  const Instruction &i = code[v.instruction];
  std::vector<size_t> inputs;
  for (size_t k = i.written; k < i.operands.size(); ++k) {
    if (i.operands[k].kind == Operand::Kind::Register) {
      inputs.push_back(
          source(e.flow.valueBefore(i.operands[k].name, v.instruction)));
    }
  }
  for (size_t a : inputs) {
    auto mask = shuffle(a);
    if (!mask) {
      continue;
    }
    size_t at = e.flow.value(a).instruction;
    const Operand &o = code[at].operands[1];
    if (o.kind != Operand::Kind::Register) {
      continue;
    }
    size_t of = source(e.flow.valueBefore(o.name, at));
    bool everyRead = std::all_of(reads.begin(), reads.end(),
                                 [&](size_t r) { return dependsOn(of, r, 0); });
    if (everyRead &&
        std::find(inputs.begin(), inputs.end(), of) != inputs.end()) {
      return masks(of, depth + 1) | *mask;
    }
  }
  return 0;
}

/// Where a select drops what a lane has read, that lane's sum is known before
/// the read is done, and the slot may be filled while it is under way. That
/// does no harm if the sum is all that the value is for: so what comes of the
/// read goes into the shuffle, and nowhere else.
RingCheck::Checked RingCheck::usedForSum(size_t read, size_t sum) {
  std::set<size_t> into; ///< instructions that the shuffle needs
  std::vector<size_t> open = {sum};
  std::vector<std::optional<std::vector<size_t>>> known(code.size());
  auto inputs = [&](size_t i) -> const std::vector<size_t> & {
    if (known[i]) {
      return *known[i];
    }
    std::vector<size_t> &out = known[i].emplace();
    std::vector<std::string> names;
    for (size_t k = code[i].written; k < code[i].operands.size(); ++k) {
      for (std::string &name : registersOf(code[i].operands[k])) {
        names.push_back(std::move(name));
      }
    }
    if (!code[i].guard.empty()) {
      names.push_back(code[i].guard);
    }
    // Through joins, to all that they may bring.
    std::set<size_t> seen;
    std::vector<size_t> values;
    for (const std::string &name : names) {
      values.push_back(e.flow.resolved(e.flow.valueBefore(name, i)));
    }
    while (!values.empty()) {
      const Value v = e.flow.value(values.back());
      bool isNew = seen.insert(values.back()).second;
      values.pop_back();
      if (v.kind == Value::Kind::Result) {
        out.push_back(v.instruction);
      }
      for (size_t k = 0; isNew && k < v.operands.size(); ++k) {
        values.push_back(e.flow.resolved(v.operands[k]));
      }
    }
    return out;
  };
  while (!open.empty()) {
    size_t i = open.back();
    open.pop_back();
    if (into.insert(i).second) {
      for (size_t k : inputs(i)) {
        open.push_back(k);
      }
    }
  }
  std::set<size_t> from = {read};
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < code.size(); ++i) {
      if (from.contains(i) || i == sum) {
        continue;
      }
      for (size_t k : inputs(i)) {
        if (!from.contains(k)) {
          continue;
        }
        // What adds to the sum what the shuffle gave has waited for that.
        const std::vector<size_t> &theirs = inputs(i);
        bool behind =
            std::find(theirs.begin(), theirs.end(), sum) != theirs.end();
        if (!into.contains(i) && !behind) {
          return at(code[i], "what was read of the slot is used besides the "
                             "sum");
        }
        more = !behind && from.insert(i).second ? true : more;
        break;
      }
    }
  }
  return std::nullopt;
}

RingCheck::Checked RingCheck::consumed() {
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].root != "shfl" || !e.flow.precedes(i, refill->instruction) ||
        !e.flow.dominates(arrived, e.flow.blockOf(i)) ||
        e.flow.blocks()[e.flow.blockOf(i)].loop != loop ||
        !e.uniform(e.flow.blockOf(i), Group::Warp)) {
      continue;
    }
    const Operand &to = code[i].operands[0];
    const Operand &written = to.kind == Operand::Kind::Pair ? to.parts[0] : to;
    const Operand &o = code[i].operands[1];
    if (written.kind != Operand::Kind::Register ||
        o.kind != Operand::Kind::Register) {
      continue;
    }
    size_t result = e.flow.valueBefore(written.name, i + 1);
    auto mask = shuffle(result);
    size_t of = source(e.flow.valueBefore(o.name, i));
    bool everyRead = std::all_of(reads.begin(), reads.end(),
                                 [&](size_t r) { return dependsOn(of, r, 0); });
    if (mask && everyRead && (masks(of, 0) | *mask) == 31) {
      for (size_t r : selects ? reads : std::vector<size_t>()) {
        if (auto error = usedForSum(r, i)) {
          return error;
        }
      }
      return std::nullopt;
    }
  }
  return at(code[refill->instruction],
            "the slot may be filled again before every lane has read it");
}

} // namespace girih::ptx
