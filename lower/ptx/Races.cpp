// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of one block among each other: what two of them may touch, one to
// write, is the same only where a barrier stands between. Blocks are kept apart
// by their regions, which the verified kernel proves disjoint.

#include "lower/ptx/Access.h"

#include <algorithm>
#include <numeric>

namespace girih::ptx {

using namespace proofs;

std::optional<Error> checkShared(Evaluator &e, const Accesses &all) {
  for (const Access &a : all.shared) {
    const Instruction &code = e.flow.entry().instructions[a.instruction];
    const SharedVariable &s = e.shared()[a.shared];
    Int size = Int(s.dynamic ? e.symbols.expected.dynamicBytes : s.bytes);
    // A copy's destination is aligned to 16 bytes.
    Int align = a.generic || a.bytes == 8 ? Int(a.bytes) : 16;
    if (Int(s.align) % align != 0 || Symbols::content(a.offset) % align != 0) {
      return at(code,
                "not aligned to " + std::to_string(uint64_t(align)) + " bytes");
    }
    auto emit = [&](const char *label, const Poly &goal) {
      if (auto c = goal.constant(); !c || *c < 0) {
        e.symbols.emit(
            Goal{"ptx.shared", label, a.instruction, a.block, a.guards, goal});
      }
    };
    emit("lower", a.offset);
    emit("upper", Poly(size) - a.size - a.offset);
  }
  return std::nullopt;
}

static bool isBlockBarrier(const Instruction &i) {
  return (i.root == "bar" || i.root == "barrier") && i.has("sync") &&
         !i.has("warp");
}

std::optional<Error> checkBarriers(Evaluator &e) {
  const std::vector<Instruction> &code = e.flow.entry().instructions;
  for (size_t i = 0; i < code.size(); ++i) {
    bool isOfWarp = code[i].root == "mma" || code[i].root == "movmatrix";
    if (isOfWarp && (!code[i].guard.empty() ||
                     !e.uniform(e.flow.blockOf(i), Group::Warp))) {
      return at(code[i], "not all lanes of a warp may come to this product");
    }
    if (!isBlockBarrier(code[i])) {
      continue;
    }
    // One barrier for all: a second operand would count threads.
    Number which = e.operand(i, code[i].operands[0], 32);
    if (!code[i].guard.empty() || code[i].operands.size() != 1 || !which.poly ||
        *which.poly != Poly(0)) {
      return at(code[i], "a barrier that is not number 0 for all threads");
    }
    if (!e.uniform(e.flow.blockOf(i), Group::Block)) {
      return at(code[i], "not all threads may come to this barrier");
    }
  }
  return std::nullopt;
}

/// What is executed behind a barrier, or behind the beginning, and before the
/// next one. All threads come to the same barriers, so at any moment all of
/// them are in one such part.
static std::vector<std::vector<bool>> partsBetweenBarriers(const Flow &flow) {
  const std::vector<Instruction> &code = flow.entry().instructions;
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (isBlockBarrier(code[i])) {
      starts.push_back(i + 1);
    }
  }
  std::vector<std::vector<bool>> parts;
  for (size_t start : starts) {
    std::vector<bool> part(code.size()), seen(flow.blocks().size());
    std::vector<std::pair<size_t, size_t>> open = {
        {flow.blockOf(start), start}};
    while (!open.empty()) {
      auto [b, i] = open.back();
      open.pop_back();
      const Block &block = flow.blocks()[b];
      while (i < block.end && !isBlockBarrier(code[i])) {
        part[i++] = true;
      }
      for (size_t k = 0; i == block.end && k < block.successors.size(); ++k) {
        size_t next = block.successors[k];
        if (!seen[next]) {
          seen[next] = true;
          open.push_back({next, flow.blocks()[next].first});
        }
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Of a distance between two places, what is worth a case: the number of steps
/// of a size that the launch gives.
static void addSplits(const Symbols &s, const Poly &d,
                      std::vector<Poly> &splits) {
  for (Var v = 0; v < s.expected.symbols; ++v) {
    std::vector<Term> steps;
    Int common = 0;
    for (Term t : d.terms()) {
      auto it = std::find(t.vars.begin(), t.vars.end(), v);
      if (it != t.vars.end()) {
        t.vars.erase(it);
        common = std::gcd(int64_t(common), int64_t(t.coeff));
        steps.push_back(std::move(t));
      }
    }
    for (Term &t : steps) {
      t.coeff /= common;
    }
    if (steps.size() > 1) {
      splits.push_back(Poly::fromTerms(steps));
      // Of those the largest digit.
      std::vector<Term> top;
      Int most = 0;
      for (const Term &t : steps) {
        Int size = t.coeff < 0 ? -t.coeff : t.coeff;
        top = size > most ? std::vector<Term>() : top;
        most = std::max(most, size);
        if (size == most) {
          top.push_back({t.vars, t.coeff / size});
        }
      }
      splits.push_back(Poly::fromTerms(std::move(top)));
    }
  }
}

/// Emits that no thread meets another one that comes before it. `order` is the
/// axis in which the first of two differs.
static void emitApart(Evaluator &e, const Access &a, const Access &b,
                      size_t order, bool turned) {
  Symbols &s = e.symbols;
  auto renaming = std::make_shared<std::map<Var, Var>>();
  std::vector<Hypothesis> extra = factsOf(e, a);
  for (const Hypothesis &h : factsOf(e, b)) {
    extra.push_back(s.other(h, renaming));
  }
  auto add = [&](Fact f, Origin::Kind kind) {
    extra.push_back(assumed(std::move(f), kind));
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    if (s.expected.threads[axis] == 1 || axis < order) {
      continue;
    }
    Poly mine = Poly::variable(s.thread(axis));
    Poly theirs = s.other(mine, renaming);
    Poly d = turned ? theirs - mine : mine - theirs;
    add(axis == order ? Fact::atLeastZero(d - Poly(1)) : Fact::zero(d),
        Origin::Kind::Distinct);
  }
  std::vector<Poly> splits;
  // Where they meet. Along the last axis, or in shared memory, the one begins
  // before the other ends.
  auto overlap = [&](const Poly &x, Int sizeX, const Poly &y, Int sizeY) {
    Poly d = x - s.other(y, renaming);
    addSplits(s, d, splits);
    if (sizeX == 1 && sizeY == 1) {
      add(Fact::zero(d), Origin::Kind::Region);
    } else {
      add(Fact::atLeastZero(d + Poly(sizeX - 1)), Origin::Kind::Region);
      add(Fact::atLeastZero(Poly(sizeY - 1) - d), Origin::Kind::Region);
    }
  };
  if (a.tensor) {
    const Tensor &t = s.expected.tensors[*a.tensor];
    for (size_t axis = 0; axis < a.coordinates.size(); ++axis) {
      bool last = axis + 1 == a.coordinates.size();
      overlap(a.coordinates[axis], last ? Int(a.bytes / t.bytes) : 1,
              b.coordinates[axis], last ? Int(b.bytes / t.bytes) : 1);
    }
  } else {
    overlap(a.offset, Int(a.bytes), b.offset, Int(b.bytes));
  }
  s.emit(Goal{"ptx.race",
              "axis " + std::to_string(order),
              a.instruction,
              {},
              std::move(extra),
              Poly(-1),
              std::move(splits)});
}

/// Accesses of shared memory on two sides of a place are apart, whatever
/// threads they are of.
static bool emitOnBothSides(Evaluator &e, const Access &a, const Access &b) {
  Symbols &s = e.symbols;
  if (a.tensor) {
    return false;
  }
  Bounds x = s.bounds(a.offset), y = s.bounds(b.offset);
  bool isBelow = x.high && y.low && *x.high + Int(a.bytes) <= *y.low;
  bool isAbove = y.high && x.low && *y.high + Int(b.bytes) <= *x.low;
  if (!isBelow && !isAbove) {
    return false;
  }
  const Access &low = isBelow ? a : b, &high = isBelow ? b : a;
  Poly place(isBelow ? *y.low : *x.low);
  s.emit(Goal{"ptx.race", "below another access", low.instruction, low.block,
              low.guards, place - low.size - low.offset});
  s.emit(Goal{"ptx.race", "above another access", high.instruction, high.block,
              high.guards, high.offset - place});
  return true;
}

std::optional<Error> checkRaces(Evaluator &e, const Accesses &all) {
  const std::vector<std::vector<bool>> parts = partsBetweenBarriers(e.flow);
  for (const std::vector<Access> *list : {&all.global, &all.shared}) {
    for (size_t i = 0; i < list->size(); ++i) {
      for (size_t k = i; k < list->size(); ++k) {
        const Access &a = (*list)[i], &b = (*list)[k];
        bool writes = a.mode == Mode::Write || b.mode == Mode::Write;
        bool mixed = (a.mode == Mode::Atomic) != (b.mode == Mode::Atomic);
        if (a.tensor != b.tensor || a.shared != b.shared || !a.generic ||
            !b.generic || a.isPrefetch || b.isPrefetch || (!writes && !mixed)) {
          continue; // what copies do is for the rings: Ring.cpp
        }
        if (a.tensor && e.symbols.expected.tensors[*a.tensor].strides.empty()) {
          return at(e.flow.entry().instructions[a.instruction],
                    "a tensor without axes is written");
        }
        bool together = std::any_of(
            parts.begin(), parts.end(), [&](const std::vector<bool> &part) {
              return part[a.instruction] && part[b.instruction];
            });
        if (!together || emitOnBothSides(e, a, b)) {
          continue;
        }
        for (size_t order = 0; order < 3; ++order) {
          if (e.symbols.expected.threads[order] > 1) {
            emitApart(e, a, b, order, false);
            if (i != k) {
              emitApart(e, a, b, order, true);
            }
          }
        }
      }
    }
  }
  return std::nullopt;
}

} // namespace girih::ptx
