// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Sources.h"

#include <algorithm>
#include <cstring>

using namespace girih::readback;

namespace girih::importer {

void refuse(const Op &op, const std::string &why) {
  throw ImportError{why, op.at};
}

bool is(const Op &op, std::string_view name) { return op.name == name; }

unsigned operand(const Op &op, const char *name) {
  const std::vector<unsigned> &values = op.operands.at(name);
  if (values.size() != 1) {
    refuse(op, std::string(op.name) + " lacks " + name);
  }
  return values[0];
}

int64_t attribute(const Op &op, const char *name) {
  auto found = op.attributes.find(name);
  return found == op.attributes.end() ? 0 : found->second.number.value_or(0);
}

int64_t lanesOf(const Shape &shape) {
  int64_t lanes = 1;
  for (int64_t n : shape) {
    if (n > (int64_t(1) << 20) / lanes) {
      return INT64_MAX;
    }
    lanes *= n;
  }
  return lanes;
}

Sources::Sources(const Function &f)
    : f(f), definitions(f.types.size()), steering(f.types.size()),
      used(f.types.size()) {
  visit(f.ops);
  for (const Op *op : all) {
    for (const auto &[word, values] : op->operands) {
      for (unsigned v : values) {
        used[v] = true;
      }
    }
    if (is(*op, "if")) {
      steer(operand(*op, "condition"));
    }
    for (const char *name : {"index", "pointers", "mask", "lower", "upper",
                             "step", "shape", "strides"}) {
      if (auto found = op->operands.find(name); found != op->operands.end()) {
        for (unsigned v : found->second) {
          steer(v);
        }
      }
    }
  }
}

void Sources::visit(const std::vector<Op> &ops) {
  for (const Op &op : ops) {
    all.push_back(&op);
    for (unsigned r : op.results) {
      definitions[r] = &op;
    }
    for (const Region &region : op.regions) {
      visit(region.ops);
      if (region.ops.empty()) {
        continue;
      }
      const Op &last = region.ops.back();
      auto values = last.operands.find("values");
      if (values == last.operands.end()) {
        continue;
      }
      for (size_t i = 0; i < values->second.size(); ++i) {
        unsigned from = values->second[i];
        if (i < op.results.size()) {
          handed[op.results[i]].push_back(from);
        }
        if (is(op, "for") && i + 1 < region.arguments.size()) {
          handed[region.arguments[i + 1]].push_back(from);
        }
      }
    }
    if (is(op, "for") && !op.regions.empty()) {
      const std::vector<unsigned> &init = op.operands.at("init");
      for (size_t i = 0; i < init.size(); ++i) {
        if (i + 1 < op.regions[0].arguments.size()) {
          handed[op.regions[0].arguments[i + 1]].push_back(init[i]);
        }
        if (i < op.results.size()) {
          handed[op.results[i]].push_back(init[i]);
        }
      }
    }
  }
}

void Sources::steer(unsigned first) {
  std::vector<unsigned> work{first};
  while (!work.empty()) {
    unsigned v = work.back();
    work.pop_back();
    if (steering[v]) {
      continue;
    }
    steering[v] = true;
    if (auto found = handed.find(v); found != handed.end()) {
      work.insert(work.end(), found->second.begin(), found->second.end());
    }
    const Op *op = definitions[v];
    if (op && !is(*op, "for") && !is(*op, "if")) {
      for (const auto &[name, values] : op->operands) {
        work.insert(work.end(), values.begin(), values.end());
      }
    }
  }
}

unsigned Sources::plain(unsigned value) const {
  while (definitions[value] && is(*definitions[value], "assume")) {
    value = operand(*definitions[value], "x");
  }
  return value;
}

unsigned Sources::origin(unsigned value) const {
  for (const Op *op; (op = definitions[value]);) {
    if (!is(*op, "assume") && !is(*op, "reshape") && !is(*op, "broadcast") &&
        !(is(*op, "exti") && attribute(*op, "sign") == 1)) {
      break;
    }
    value = operand(*op, "x");
  }
  return value;
}

std::optional<unsigned> Sources::parameter(unsigned value) const {
  unsigned from = origin(value);
  return from < f.parameters ? std::optional(from) : std::nullopt;
}

std::optional<int64_t> Sources::constant(unsigned value) const {
  unsigned from = origin(value);
  const Op *op = definitions[from];
  const Type &t = f.types[from];
  if (!op || !is(*op, "constant") || t.form != Type::Form::Tile ||
      t.bits == 0 || t.bits > 64) {
    return std::nullopt;
  }
  const std::vector<uint8_t> &bytes = op->attributes.at("value").bytes;
  unsigned size = (t.bits + 7) / 8;
  if (bytes.size() != size || t.bits < 8) {
    return std::nullopt;
  }
  uint64_t n = 0;
  std::memcpy(&n, bytes.data(), size);
  unsigned off = 64 - t.bits;
  return static_cast<int64_t>(n << off) >> off;
}

/// Numbers beyond these are no extents of tiles, and what has more terms is no
/// index.
static bool isSmall(const Linear &l) {
  constexpr int64_t most = int64_t(1) << 31;
  bool fits = l.constant > -most && l.constant < most && l.terms.size() < 16;
  for (const auto &[key, n] : l.terms) {
    fits &= n > -most && n < most;
  }
  return fits;
}

static Linear sum(Linear x, const Linear &y, int64_t sign) {
  x.constant += sign * y.constant;
  for (const auto &[key, n] : y.terms) {
    x.terms[key] += sign * n;
  }
  std::erase_if(x.terms, [](const auto &t) { return t.second == 0; });
  return x;
}

Linear Sources::linear(unsigned value, unsigned depth) const {
  if (std::optional<int64_t> n = constant(value)) {
    return {*n, {}};
  }
  value = origin(value);
  if (auto found = forms.find(value); found != forms.end()) {
    return found->second;
  }
  const Op *op = definitions[value];
  Linear &form = forms[value];
  form = {0, {{{Leaf::Kind::Value, value}, 1}}};
  constexpr unsigned deepest = 32;
  if (!op || depth > deepest) {
    return form;
  }
  Linear other = form;
  if (is(*op, "get_tile_block_id")) {
    auto axis = std::find(op->results.begin(), op->results.end(), value);
    other = {0, {{{Leaf::Kind::Block, axis - op->results.begin()}, 1}}};
  } else if (is(*op, "iota") && f.types[value].shape.size() == 1) {
    other = {0, {{{Leaf::Kind::Iota, f.types[value].shape[0]}, 1}}};
  } else if (is(*op, "addi") || is(*op, "subi")) {
    other = sum(linear(operand(*op, "x"), depth + 1),
                linear(operand(*op, "y"), depth + 1), is(*op, "addi") ? 1 : -1);
  } else if (is(*op, "muli")) {
    Linear x = linear(operand(*op, "x"), depth + 1);
    Linear y = linear(operand(*op, "y"), depth + 1);
    if (!x.terms.empty()) {
      std::swap(x, y);
    }
    if (x.terms.empty()) {
      other = {y.constant * x.constant, {}};
      for (const auto &[key, n] : y.terms) {
        if (n * x.constant != 0) {
          other.terms[key] = n * x.constant;
        }
      }
    }
  }
  if (isSmall(other)) {
    form = std::move(other);
  }
  return form;
}

} // namespace girih::importer
