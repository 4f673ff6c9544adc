// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Writer.h"

#include <algorithm>

namespace girih::fuzz {

std::string Axis::count() const {
  return tile == 1 ? extent
                   : "ceildiv(" + extent + ", " + std::to_string(tile) + ")";
}

template <typename Range, typename F>
static std::string joined(const Range &range, F text) {
  std::string out;
  for (const auto &x : range) {
    out += (out.empty() ? "" : ", ") + text(x);
  }
  return out;
}

static std::string tileText(const std::vector<Axis> &axes) {
  return "[" +
         joined(axes,
                [](const Axis &a) {
                  return a.unit ? std::string("_") : std::to_string(a.tile);
                }) +
         "]";
}

static std::string extentText(const std::vector<Axis> &axes) {
  return "[" + joined(axes, [](const Axis &a) { return a.extent; }) + "]";
}

std::string Tensor::valueType() const {
  std::string shape;
  for (const Axis &a : axes) {
    if (!a.unit) {
      shape += std::to_string(a.tile) + "x";
    }
  }
  return shape.empty() ? element : "vector<" + shape + element + ">";
}

Tensor &Writer::tensor(std::vector<Axis> axes, std::string mode,
                       std::string element, std::string strides) {
  auto t = std::make_unique<Tensor>();
  t->number = std::to_string(tensors.size());
  t->name = "%t" + t->number;
  t->axes = std::move(axes);
  t->mode = std::move(mode);
  t->element = std::move(element);
  t->strides = std::move(strides);
  tensors.push_back(std::move(t));
  return *tensors.back();
}

bool Writer::hasSymbol(const std::string &symbol) const {
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](auto &s) { return s.first == symbol; });
}

void Writer::symbol(const std::string &symbol, std::vector<int64_t> values,
                    const std::string &type) {
  if (!hasSymbol(symbol)) {
    symbols.push_back({symbol, type});
    box.symbols.push_back({symbol, std::move(values)});
  }
}

void Writer::tryToo(const std::string &symbol, int64_t value) {
  for (auto &[name, values] : box.symbols) {
    if (name == symbol && !llvm::is_contained(values, value)) {
      values.push_back(value);
    }
  }
}

std::vector<int64_t> Writer::valuesOf(const std::string &extent) const {
  for (auto &[name, values] : box.symbols) {
    if (name == extent) {
      return values;
    }
  }
  return {std::stoll(extent)};
}

size_t Writer::grid(std::string expression) {
  gridAxes.push_back(std::move(expression));
  return gridAxes.size() - 1;
}

void Writer::require(std::string comparison) {
  requirements.push_back(std::move(comparison));
}

void Writer::given(std::string fact) { givens.push_back(std::move(fact)); }

std::string Writer::map(const std::string &head, const std::string &body) {
  std::string name = "@map" + std::to_string(outsiders++);
  outside += "tile.map " + name + head + " {\n" + body + "}\n";
  return name;
}

std::string Writer::function(const std::string &head, const std::string &body) {
  std::string name = "@helper" + std::to_string(outsiders++);
  outside += "func.func private " + name + head + " {\n" + body + "}\n";
  return name;
}

std::string Writer::op(const std::string &text) {
  std::string result = "%v" + std::to_string(values++);
  line(result + " = " + text);
  return result;
}

void Writer::line(const std::string &text) {
  body += std::string(2 + 2 * ends.size(), ' ') + text + "\n";
}

void Writer::open(const std::string &head, const std::string &last) {
  line(head + " {");
  ends.push_back(last);
}

void Writer::otherwise() {
  std::string last = std::move(ends.back());
  ends.pop_back();
  line("} else {");
  ends.push_back(std::move(last));
}

void Writer::close() {
  if (!ends.back().empty()) {
    line(ends.back());
  }
  ends.pop_back();
  line("}");
}

void Writer::closeTo(size_t depth) {
  while (ends.size() > depth) {
    close();
  }
}

std::string Writer::once(const std::string &text) {
  auto [it, fresh] = written.try_emplace(text);
  if (fresh) {
    it->second = "%u" + std::to_string(written.size());
    prologue += "  " + it->second + " = " + text + "\n";
  }
  return it->second;
}

std::string Writer::constant(int64_t value, const std::string &type) {
  return once("arith.constant " + std::to_string(value) + " : " + type);
}

std::string Writer::filled(const Tensor &t) {
  std::string type = t.valueType(), one = t.isFloat() ? "1.0" : "1";
  return once("arith.constant " +
              (type == t.element ? one : "dense<" + one + ">") + " : " + type);
}

std::string Writer::blockId(size_t axis) {
  return once("tile.block_id " + std::to_string(axis));
}

std::string Writer::gridDim(size_t axis) {
  return once("tile.grid_dim " + std::to_string(axis));
}

std::string Writer::symbolValue(const std::string &symbol,
                                const std::string &type) {
  return once("tile.symbol \"" + symbol + "\" : " + type);
}

std::string Writer::tiles(const Tensor &t, size_t axis) {
  return once("tile.num_tiles " + t.partition() + ", " + std::to_string(axis) +
              " : " + t.partitionType());
}

std::string Writer::binary(const std::string &name, const std::string &a,
                           const std::string &b, const std::string &type) {
  return op("arith." + name + " " + a + ", " + b + " : " + type);
}

std::string Writer::compare(const std::string &predicate, const std::string &a,
                            const std::string &b, const std::string &type) {
  return op("arith.cmpi " + predicate + ", " + a + ", " + b + " : " + type);
}

/// Whether `[M, 4]` has the symbol.
static bool namesExtent(const std::string &extents, const std::string &symbol) {
  for (size_t at = extents.find(symbol); at != std::string::npos;
       at = extents.find(symbol, at + 1)) {
    if (!std::isalnum(extents[at - 1]) &&
        !std::isalnum(extents[at + symbol.size()])) {
      return true;
    }
  }
  return false;
}

std::string Writer::text() const {
  std::string out, views;
  for (const auto &t : tensors) {
    std::string strides = t->strides.empty() ? "" : ", strides " + t->strides;
    std::string tail = extentText(t->axes) + " x " + t->element + ", " +
                       t->mode + strides + ">\n";
    out += t->tensorType() + " = !tile.tensor<" + tail;
    std::string tiled = t->name;
    if (!t->view.empty()) {
      out += t->argumentType() + " = !tile.tensor<" + t->root + " x " +
             t->element + ", " + t->mode + ">\n";
      tiled += "v";
      views += "  " + tiled + " = tile.view " + t->name + " " + t->view +
               " : " + t->argumentType() + "\n";
    }
    views += "  " + t->partition() + " = tile.partition " + tiled + " by " +
             tileText(t->axes) + " : " + t->tensorType() + "\n";
    out += t->partitionType() + " = !tile.partition<" + tileText(t->axes) +
           ", " + tail;
    if (t->isClaimed()) {
      out += t->pieceType() + " = !tile.piece<" + tileText(t->axes) + " x " +
             t->element + ", " + t->mode.substr(0, 3) + ">\n";
    }
  }
  out += outside;
  out +=
      "tile.kernel @" + name + "(" +
      joined(tensors,
             [](const auto &t) { return t->name + ": " + t->argumentType(); }) +
      ")";
  std::string clause;
  for (auto &[symbol, type] : symbols) {
    bool isExtent = false;
    for (const auto &t : tensors) {
      for (const Axis &a : t->axes) {
        isExtent |= t->view.empty() && a.extent == symbol;
      }
      isExtent |= namesExtent(t->root, symbol);
    }
    if (!isExtent) {
      clause += (clause.empty() ? "" : ", ") + symbol + " : " + type;
    }
  }
  auto itself = [](const std::string &s) { return s; };
  out += clause.empty() ? "" : " symbols [" + clause + "]";
  out += "\n    grid [" + joined(gridAxes, itself) + "]";
  if (!requirements.empty()) {
    out += "\n    requires [" + joined(requirements, itself) + "]";
  }
  if (!givens.empty()) {
    out += "\n    given [" + joined(givens, itself) + "]";
  }
  return out + " {\n" + views + prologue + body + "}\n";
}

std::string listed(const std::vector<std::string> &items) {
  std::string out;
  for (const std::string &s : items) {
    out += (out.empty() ? "" : ", ") + s;
  }
  return "[" + out + "]";
}

} // namespace girih::fuzz
