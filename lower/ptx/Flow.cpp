// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Flow.h"

#include <algorithm>
#include <set>

namespace girih::ptx {

/// More than any kernel has; what is done here is quadratic in them.
static constexpr size_t maxBlocks = 2000;

std::vector<std::string> registersOf(const Operand &operand) {
  std::vector<std::string> out;
  if (operand.kind == Operand::Kind::Register) {
    out.push_back(operand.name);
  }
  for (const Operand &part : operand.parts) {
    for (std::string &name : registersOf(part)) {
      out.push_back(std::move(name));
    }
  }
  return out;
}

static bool endsBlock(const Instruction &i) {
  return i.root == "bra" || i.root == "ret" || i.root == "exit" ||
         i.root == "trap";
}

std::variant<Flow, Error> Flow::of(const Entry &entry) {
  Flow flow(entry);
  if (auto error = flow.build()) {
    return *error;
  }
  return flow;
}

std::optional<Error> Flow::build() {
  cut();
  if (all.size() > maxBlocks) {
    return Error{source->line,
                 "more than " + std::to_string(maxBlocks) + " blocks"};
  }
  findAborts();
  if (auto error = findDominators()) {
    return error;
  }
  findPostDominators();
  return findLoops();
}

void Flow::cut() {
  const std::vector<Instruction> &code = source->instructions;
  std::set<size_t> starts = {0};
  for (const auto &[name, at] : source->labels) {
    starts.insert(at);
  }
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (endsBlock(code[i])) {
      starts.insert(i + 1);
    }
  }
  all.assign(1, {});
  std::map<size_t, size_t> blockAt;
  for (auto it = starts.begin(); it != starts.end(); ++it) {
    Block b;
    b.first = *it;
    b.end = std::next(it) == starts.end() ? code.size() : *std::next(it);
    blockAt[*it] = all.size();
    blockOfInstruction.resize(b.end, all.size());
    all.push_back(b);
  }
  all[0].successors = {1};
  for (size_t b = 1; b < all.size(); ++b) {
    const Instruction &last = code[all[b].end - 1];
    bool falls = !endsBlock(last) || !last.guard.empty();
    // A conditional end of the entry is refused where it matters: it has no
    // block of its own, so no condition is known behind it.
    std::optional<size_t> next;
    if (falls) {
      next = b + 1;
      all[b].successors.push_back(*next);
    }
    if (last.root == "bra") {
      size_t target = blockAt.at(source->labels.at(last.operands[0].name));
      if (next != target) {
        all[b].successors.push_back(target);
        if (next) {
          all[b].taken = target;
          all[b].fallen = next;
        }
      }
    }
  }
  for (size_t b = 0; b < all.size(); ++b) {
    for (size_t s : all[b].successors) {
      all[s].predecessors.push_back(b);
    }
  }
}

void Flow::findAborts() {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 1; b < all.size(); ++b) {
      const Instruction &last = source->instructions[all[b].end - 1];
      bool traps = last.root == "trap" && last.guard.empty();
      bool onlyOn =
          !all[b].successors.empty() &&
          std::all_of(all[b].successors.begin(), all[b].successors.end(),
                      [&](size_t s) { return all[s].aborts; });
      if (!all[b].aborts && (traps || onlyOn)) {
        all[b].aborts = changed = true;
      }
    }
  }
}

bool Flow::leaves(size_t block, size_t loop) const {
  const Instruction &last = source->instructions[all[block].end - 1];
  bool out = last.root == "ret" || last.root == "exit";
  for (size_t s : all[block].successors) {
    out = out || (!inLoop(s, loop) && !all[s].aborts);
  }
  return out;
}

std::optional<Error> Flow::findDominators() {
  size_t n = all.size();
  std::vector<std::vector<bool>> dom(n, std::vector<bool>(n, true));
  dom[0].assign(n, false);
  dom[0][0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 1; b < n; ++b) {
      std::vector<bool> now(n, true);
      for (size_t p : all[b].predecessors) {
        for (size_t k = 0; k < n; ++k) {
          now[k] = now[k] && dom[p][k];
        }
      }
      now[b] = true;
      if (now != dom[b]) {
        dom[b] = std::move(now);
        changed = true;
      }
    }
  }
  // What cannot be reached is dominated by all.
  std::vector<bool> reached(n);
  std::vector<size_t> open = {0};
  while (!open.empty()) {
    size_t b = open.back();
    open.pop_back();
    if (!reached[b]) {
      reached[b] = true;
      open.insert(open.end(), all[b].successors.begin(),
                  all[b].successors.end());
    }
  }
  for (size_t b = 0; b < n; ++b) {
    if (!reached[b]) {
      return Error{source->instructions[all[b].first].line,
                   "control never gets here"};
    }
    size_t depth = 0;
    for (size_t k = 0; k < n; ++k) {
      size_t its = size_t(std::count(dom[k].begin(), dom[k].end(), true));
      if (k != b && dom[b][k] && its > depth) {
        depth = its;
        all[b].dominator = k;
      }
    }
  }
  return std::nullopt;
}

void Flow::findPostDominators() {
  size_t n = all.size();
  std::vector<std::vector<bool>> post(n + 1, std::vector<bool>(n + 1, true));
  post[n].assign(n + 1, false);
  post[n][n] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = n; b-- > 0;) {
      std::vector<size_t> next = all[b].successors;
      const Instruction *last =
          b == 0 ? nullptr : &source->instructions[all[b].end - 1];
      if (last && (last->root == "ret" || last->root == "exit")) {
        next.push_back(n);
      }
      std::vector<bool> now(n + 1, true);
      for (size_t s : next) {
        for (size_t k = 0; k <= n; ++k) {
          now[k] = now[k] && post[s][k];
        }
      }
      now[b] = true;
      if (now != post[b]) {
        post[b] = std::move(now);
        changed = true;
      }
    }
  }
  for (size_t b = 0; b < n; ++b) {
    size_t depth = 0;
    for (size_t k = 0; k <= n; ++k) {
      size_t its = size_t(std::count(post[k].begin(), post[k].end(), true));
      if (k != b && post[b][k] && its > depth) {
        depth = its;
        all[b].postDominator = k;
      }
    }
  }
}

bool Flow::dominates(size_t a, size_t b) const {
  while (b != a && b != 0) {
    b = all[b].dominator;
  }
  return a == b;
}

bool Flow::postDominates(size_t a, size_t b) const {
  if (b < all.size() && all[b].aborts) {
    return true; // nothing has to follow
  }
  for (size_t steps = 0; b != a && b < all.size() && steps <= all.size();
       ++steps) {
    b = all[b].postDominator;
  }
  return a == b;
}

bool Flow::precedes(size_t instruction, size_t other) const {
  size_t a = blockOf(instruction), b = blockOf(other);
  return a == b ? instruction < other : dominates(a, b);
}

std::optional<Error> Flow::findLoops() {
  std::map<size_t, size_t> byHeader;
  // Depth first: an edge back to a block that is still open.
  std::vector<int> state(all.size());
  std::vector<std::pair<size_t, size_t>> stack = {{0, 0}};
  state[0] = 1;
  std::vector<std::pair<size_t, size_t>> backEdges;
  while (!stack.empty()) {
    auto &[b, next] = stack.back();
    if (next == all[b].successors.size()) {
      state[b] = 2;
      stack.pop_back();
      continue;
    }
    size_t s = all[b].successors[next++];
    if (state[s] == 1) {
      if (!dominates(s, b)) {
        return Error{source->instructions[all[s].first].line,
                     "a loop that is entered at more than one place"};
      }
      backEdges.push_back({b, s});
    } else if (state[s] == 0) {
      state[s] = 1;
      stack.push_back({s, 0});
    }
  }
  for (auto [latch, header] : backEdges) {
    auto [it, isNew] = byHeader.try_emplace(header, allLoops.size());
    if (isNew) {
      allLoops.push_back({header, std::vector<bool>(all.size()), {}, {}});
      allLoops.back().body[header] = true;
    }
    Loop &loop = allLoops[it->second];
    loop.latches.push_back(latch);
    std::vector<size_t> open = {latch};
    while (!open.empty()) {
      size_t b = open.back();
      open.pop_back();
      if (!loop.body[b]) {
        loop.body[b] = true;
        open.insert(open.end(), all[b].predecessors.begin(),
                    all[b].predecessors.end());
      }
    }
  }
  auto size = [](const Loop &l) {
    return std::count(l.body.begin(), l.body.end(), true);
  };
  // Outer loops first: the last one that holds a block is its innermost.
  std::sort(allLoops.begin(), allLoops.end(),
            [&](const Loop &a, const Loop &b) { return size(a) > size(b); });
  for (size_t l = 0; l < allLoops.size(); ++l) {
    allLoops[l].parent = all[allLoops[l].header].loop;
    for (size_t b = 0; b < all.size(); ++b) {
      if (allLoops[l].body[b]) {
        all[b].loop = l;
      }
    }
  }
  return std::nullopt;
}

std::optional<size_t> Flow::conditionalPredecessor(size_t block) const {
  const Block &b = all[block];
  if (b.predecessors.size() != 1 || !all[b.predecessors[0]].taken) {
    return std::nullopt;
  }
  return b.predecessors[0];
}

// Values.

std::optional<size_t> Flow::writtenBefore(const std::string &name, size_t block,
                                          size_t end) {
  for (size_t i = end; i-- > all[block].first;) {
    const Instruction &code = source->instructions[i];
    for (size_t k = 0; k < code.written; ++k) {
      // A part is known by its place, `_` counted.
      const Operand &o = code.operands[k];
      const std::vector<Operand> parts =
          o.parts.empty() ? std::vector<Operand>{o} : o.parts;
      for (size_t part = 0; part < parts.size(); ++part) {
        if (parts[part].kind == Operand::Kind::Register &&
            parts[part].name == name) {
          auto [known, isNew] = results.try_emplace({i, part}, values.size());
          if (isNew) {
            values.push_back({Value::Kind::Result, i, part, block, name, {}});
          }
          return known->second;
        }
      }
    }
  }
  return std::nullopt;
}

size_t Flow::valueBefore(const std::string &name, size_t instruction) {
  size_t block = blockOf(instruction);
  auto written = writtenBefore(name, block, instruction);
  return written ? *written : valueAtStart(name, block);
}

size_t Flow::valueAtEnd(const std::string &name, size_t block) {
  auto written =
      block == 0 ? std::nullopt : writtenBefore(name, block, all[block].end);
  return written ? *written : valueAtStart(name, block);
}

size_t Flow::valueAtStart(const std::string &name, size_t block) {
  auto known = atStart.find({name, block});
  if (known != atStart.end()) {
    return known->second;
  }
  const std::vector<size_t> &before = all[block].predecessors;
  if (before.size() == 1) {
    size_t value = valueAtEnd(name, before[0]);
    atStart[{name, block}] = value;
    return value;
  }
  size_t number = values.size();
  atStart[{name, block}] = number;
  values.push_back({before.empty() ? Value::Kind::Undefined : Value::Kind::Join,
                    0,
                    0,
                    block,
                    name,
                    {}});
  for (size_t p : before) {
    size_t operand = valueAtEnd(name, p);
    values[number].operands.push_back(operand);
  }
  return number;
}

/// A join is the one value that all its paths bring, where they do; a loop
/// brings back what it got. So all joins that are met are first taken to be
/// whatever the others bring, until two values meet.
size_t Flow::resolved(size_t number) {
  if (values[number].kind != Value::Kind::Join) {
    return number;
  }
  if (auto it = known.find(number); it != known.end()) {
    return it->second;
  }
  std::map<size_t, std::optional<size_t>> is;
  std::vector<size_t> open = {number};
  while (!open.empty()) {
    size_t j = open.back();
    open.pop_back();
    if (values[j].kind == Value::Kind::Join && is.try_emplace(j).second) {
      open.insert(open.end(), values[j].operands.begin(),
                  values[j].operands.end());
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[j, now] : is) {
      if (now == j) {
        continue; // several values meet here
      }
      std::optional<size_t> one;
      bool several = false;
      for (size_t o : values[j].operands) {
        auto it = is.find(o);
        std::optional<size_t> brought = it == is.end() ? o : it->second;
        several = several || (one && brought && one != brought);
        one = brought ? brought : one;
      }
      changed = changed || several || one != now;
      now = several ? j : one;
      if (several) {
        // What the others took it to be is void.
        for (auto &[other, value] : is) {
          value = value == other ? value : std::nullopt;
        }
      }
    }
  }
  for (const auto &[j, value] : is) {
    known[j] = value.value_or(j);
  }
  return known[number];
}

} // namespace girih::ptx
