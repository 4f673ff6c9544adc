// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Signature.h"
#include "ir/types/Counted.h"

#include <algorithm>
#include <sstream>

using namespace girih::readback;

namespace girih::importer {

bool byAddress(const Op &op) { return op.operands.count("pointers") != 0; }

bool isAccess(const Op &op) {
  return is(op, "load_view_tko") || is(op, "store_view_tko") ||
         is(op, "load_ptr_tko") || is(op, "store_ptr_tko") ||
         is(op, "atomic_rmw_tko") || is(op, "atomic_red_view_tko");
}

const Type &partitionOf(const Sources &sources, const Op &access) {
  return sources.f.types[operand(access, "view")];
}

std::optional<std::string> atomicWord(const Op &op) {
  switch (attribute(op, "mode")) {
  case 0:
    return "and";
  case 1:
    return "or";
  case 2:
    return "xor";
  case 3:
  case 4:
    return "add";
  case 5:
    return "max";
  case 6:
    return "min";
  default:
    return std::nullopt;
  }
}

static const Op &tensorViewOf(const Sources &sources, const Op &user,
                              const char *name) {
  const Op *op = sources.definition(operand(user, name));
  if (op && is(*op, "make_partition_view")) {
    op = sources.definition(operand(*op, "view"));
  }
  if (!op || !is(*op, "make_tensor_view")) {
    refuse(user, std::string(user.name) + " of no view of an argument");
  }
  return *op;
}

unsigned baseOf(const Sources &sources, const Op &access) {
  unsigned at = 0;
  if (byAddress(access)) {
    at = operand(access, "pointers");
    while (const Op *op = sources.definition(at)) {
      if (is(*op, "offset")) {
        at = operand(*op, "pointers");
      } else if (is(*op, "reshape") || is(*op, "broadcast") ||
                 is(*op, "assume")) {
        at = operand(*op, "x");
      } else {
        break;
      }
    }
  } else {
    at = sources.plain(operand(tensorViewOf(sources, access, "view"), "base"));
  }
  if (at >= sources.f.parameters || !sources.f.types[at].pointer) {
    refuse(access, std::string(access.name) +
                       " from an address that is no parameter plus an offset");
  }
  return at;
}

std::string Tensor::mode(bool cover) const {
  if (atomic) {
    return "atomic<" + *atomic + ">";
  }
  if (!stored) {
    return "shared";
  }
  return loaded ? "own" : cover ? "out" : "out partial";
}

Tensor &Signature::tensor(const Sources &sources, const Op &access) {
  auto found = tensorOf.find(baseOf(sources, access));
  if (found == tensorOf.end()) {
    refuse(access, std::string(access.name) + " of no known argument");
  }
  return tensors[found->second];
}

std::string Signature::text(const Size &size) const {
  return size.isConstant() ? std::to_string(size.constant)
                           : symbols.at(size.parameter);
}

std::string Signature::layout(const Tensor &t) const {
  std::string strides;
  for (const Size &s : t.strides) {
    strides += (strides.empty() ? "" : ", ") + text(s);
  }
  bool packed = t.strides.size() == 1 && t.strides[0].constant == 1;
  return (packed ? "" : ", strides [" + strides + "]") +
         (t.align == 16 ? "" : ", align = " + std::to_string(t.align));
}

namespace {

/// A place where tiles are counted off, so that equal ones mean equal extents.
struct Key {
  Leaf leaf;
  int64_t tile = 0;
  auto operator<=>(const Key &) const = default;
};

struct Contract {
  const Sources &sources;
  const Options &options;
  Signature &out;
  std::map<unsigned, unsigned> same; ///< a parameter of equal value

  unsigned root(unsigned p) {
    while (same.count(p)) {
      p = same[p];
    }
    return p;
  }

  /// What counts the tiles of each axis that an access goes along.
  std::vector<std::optional<Key>> keysOf(const Op &op) {
    std::vector<std::optional<Key>> keys;
    auto single = [&](const Linear &l, int64_t tile) -> std::optional<Key> {
      if (l.constant == 0 && l.terms.size() == 1 &&
          l.terms.begin()->second == 1) {
        return Key{l.terms.begin()->first, tile};
      }
      return std::nullopt;
    };
    if (byAddress(op)) {
      for (const Coordinate &c : out.addresses.at(&op).coordinates) {
        Linear l = sources.linear(c.value);
        int64_t tile = 1;
        for (auto it = l.terms.begin(); it != l.terms.end(); ++it) {
          if (it->first.kind == Leaf::Kind::Iota && it->second == 1) {
            tile = it->first.number;
            l.terms.erase(it);
            break;
          }
        }
        if (l.terms.size() == 1 && l.terms.begin()->second == tile) {
          l.terms.begin()->second = 1;
          keys.push_back(single(l, tile));
        } else {
          keys.push_back(std::nullopt);
        }
      }
      return keys;
    }
    const Type &t = partitionOf(sources, op);
    const std::vector<unsigned> &index = op.operands.at("index");
    keys.resize(t.tile.size());
    for (size_t k = 0; k < t.tile.size() && k < index.size(); ++k) {
      keys[t.axes[k]] = single(sources.linear(index[k]), t.tile[k]);
    }
    return keys;
  }

  void guess() {
    std::map<Key, Size> first;
    std::map<int64_t, std::pair<Size, int64_t>> counted; ///< by axis of grid
    std::map<int64_t, bool> byStore;
    for (const Op *op : sources.ops()) {
      if (!isAccess(*op)) {
        continue;
      }
      Tensor &t = out.tensor(sources, *op);
      std::vector<std::optional<Key>> keys = keysOf(*op);
      for (size_t k = 0; k < keys.size(); ++k) {
        if (!keys[k]) {
          continue;
        }
        Size extent = t.extents[k];
        auto [known, isNew] = first.emplace(*keys[k], extent);
        if (!isNew && !extent.isConstant() && !known->second.isConstant()) {
          unsigned a = root(extent.parameter);
          unsigned b = root(known->second.parameter);
          if (a != b) {
            same[std::max(a, b)] = std::min(a, b);
          }
        }
        if (keys[k]->leaf.kind == Leaf::Kind::Block) {
          int64_t axis = keys[k]->leaf.number;
          bool stores = t.stored || t.atomic;
          if (!counted.count(axis) || (stores && !byStore[axis])) {
            counted[axis] = {extent, keys[k]->tile};
            byStore[axis] = stores;
          }
        }
      }
    }
    name();
    grid(counted);
  }

  void name() {
    std::sort(out.tensors.begin(), out.tensors.end(),
              [](const Tensor &a, const Tensor &b) {
                return a.parameter < b.parameter;
              });
    std::map<unsigned, std::string> own;
    for (size_t i = 0; i < out.tensors.size(); ++i) {
      Tensor &t = out.tensors[i];
      out.tensorOf[t.parameter] = i;
      t.name = i < 26 ? std::string(1, char('a' + i)) : "t" + std::to_string(i);
      std::string big = t.name;
      big[0] = char(big[0] - 'a' + 'A');
      for (size_t k = 0; k < t.extents.size(); ++k) {
        if (!t.extents[k].isConstant()) {
          own.emplace(t.extents[k].parameter, big + std::to_string(k));
        }
        if (!t.strides[k].isConstant()) {
          own.emplace(t.strides[k].parameter, "S" + big + std::to_string(k));
        }
      }
    }
    for (const auto &[p, name] : own) {
      out.sizes.insert(p);
      unsigned r = root(p);
      out.symbols[p] = own.at(r);
      if (r != p) {
        out.same.push_back(name + " = " + own.at(r));
      }
    }
    for (unsigned p = 0; p < sources.f.parameters; ++p) {
      const Type &t = sources.f.types[p];
      if (t.form != Type::Form::Tile || !t.shape.empty()) {
        throw ImportError{"a parameter that is no number and no address", 0};
      }
      if (t.pointer || out.sizes.count(p) || !sources.isUsed(p)) {
        continue;
      }
      if (t.bits == 0) {
        out.floats.push_back(p);
      } else {
        out.scalars.push_back(p);
        out.symbols[p] = "n" + std::to_string(p);
      }
    }
  }

  void grid(const std::map<int64_t, std::pair<Size, int64_t>> &counted) {
    int64_t axes = 0;
    for (const Op *op : sources.ops()) {
      bool ids = is(*op, "get_tile_block_id");
      if (!ids && !is(*op, "get_num_tile_blocks")) {
        continue;
      }
      for (int64_t k = 0; k < 3; ++k) {
        if (sources.isUsed(op->results[k])) {
          axes = std::max(axes, k + 1);
        }
      }
    }
    if (!options.grid.empty()) {
      out.grid = options.grid;
      if (int64_t(out.grid.size()) < axes) {
        throw ImportError{
            "a grid of " + tile::counted(out.grid.size(), "axis", "axes") +
                " for a kernel that asks for " + std::to_string(axes),
            0};
      }
      return;
    }
    for (int64_t k = 0; k < std::max<int64_t>(axes, 1); ++k) {
      auto found = counted.find(k);
      if (found == counted.end()) {
        if (k < axes) {
          out.grid.push_back("G" + std::to_string(k));
          out.gridSymbols.push_back(out.grid.back());
        } else {
          out.grid.push_back("1");
        }
        continue;
      }
      auto [extent, tile] = found->second;
      std::string text = out.text(extent);
      out.grid.push_back(tile == 1 ? text
                                   : "ceildiv(" + text + ", " +
                                         std::to_string(tile) + ")");
    }
  }

  /// What the assembler is told of parameters.
  void assumptions() {
    std::set<std::string> known;
    auto require = [&](const std::string &text) {
      if (known.insert(text).second) {
        out.required.push_back(text);
      }
    };
    for (const Op *op : sources.ops()) {
      if (!is(*op, "assume")) {
        continue;
      }
      unsigned p = sources.plain(operand(*op, "x"));
      const Attribute &that = op->attributes.at("that");
      if (p >= sources.f.parameters) {
        continue;
      }
      if (sources.f.types[p].pointer) {
        if (auto found = out.tensorOf.find(p);
            found != out.tensorOf.end() && that.divisor) {
          uint64_t &align = out.tensors[found->second].align;
          align = std::max(align, *that.divisor);
        }
        continue;
      }
      auto symbol = out.symbols.find(p);
      if (symbol == out.symbols.end()) {
        continue;
      }
      bool isSize = out.sizes.count(p);
      if (that.divisor && *that.divisor > 1) {
        if (!isSize) {
          require(symbol->second + " >= 0");
        }
        require("mod(" + symbol->second + ", " + std::to_string(*that.divisor) +
                ") == 0");
      }
      if (that.low && !(isSize && *that.low <= 0)) {
        require(symbol->second + " >= " + std::to_string(*that.low));
      }
      if (that.high) {
        require(symbol->second + " <= " + std::to_string(*that.high));
      }
    }
    for (unsigned p : out.sizes) {
      unsigned bits = sources.f.types[p].bits;
      if (bits < 64) {
        require(out.symbols[p] +
                " <= " + std::to_string((int64_t(1) << (bits - 1)) - 1));
      }
    }
  }
};

} // namespace

/// `SYMBOL <= NUMBER` and the like, as somebody told it.
static void readBound(const std::string &required,
                      std::map<std::string, Range> &bounds) {
  std::istringstream words(required);
  std::string symbol, order, end;
  int64_t n = 0;
  if (!(words >> symbol >> order >> n) || words >> end) {
    return;
  }
  Range r = signedRange(64);
  if (order == "<=" || order == "==") {
    r.high = n;
  }
  if (order == ">=" || order == "==") {
    r.low = n;
  }
  auto [known, isNew] = bounds.emplace(symbol, r);
  if (!isNew) {
    known->second = both(known->second, r);
  }
}

Range Signature::bounded(const std::string &symbol, const Range &r) const {
  auto found = bounds.find(symbol);
  return found == bounds.end() ? r : both(r, found->second);
}

Range Signature::blocks(size_t axis) const {
  // A grid has fewer than 2^31 blocks.
  Range all{0, INT32_MAX};
  std::istringstream text(axis < grid.size() ? grid[axis] : "1");
  int64_t n = 0;
  return text >> n && text.eof() ? both(all, {n, n}) : bounded(text.str(), all);
}

Signature readSignature(const Sources &sources, const Options &options) {
  Signature out;
  readArrays(sources, out);
  Contract contract{sources, options, out, {}};
  contract.guess();
  contract.assumptions();
  out.required.insert(out.required.end(), options.requires_.begin(),
                      options.requires_.end());
  for (const std::string &required : options.requires_) {
    readBound(required, out.bounds);
  }
  return out;
}

} // namespace girih::importer
