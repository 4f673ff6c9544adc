// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Signature.h"

#include <algorithm>

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

/// A product in a sum that is added to an address: which factor is the stride
/// is seen when the strides are known.
struct Term {
  std::vector<std::pair<Size, unsigned>> readings; ///< stride and coordinate
  std::vector<const Op *> around;
};

/// A place where tiles are counted off, so that equal ones mean equal extents.
struct Key {
  Leaf leaf;
  int64_t tile = 0;
  auto operator<=>(const Key &) const = default;
};

struct Builder {
  const Sources &sources;
  const Options &options;
  Signature out;
  std::map<unsigned, std::vector<std::pair<const Op *, std::vector<Term>>>>
      pending;
  std::map<unsigned, unsigned> same; ///< a parameter of equal value

  unsigned root(unsigned p) {
    while (same.count(p)) {
      p = same[p];
    }
    return p;
  }

  Size sizeOf(const Op &op, unsigned value) {
    if (std::optional<int64_t> n = sources.constant(value)) {
      return {*n, 0};
    }
    std::optional<unsigned> p = sources.parameter(value);
    if (!p) {
      refuse(op, "an extent or stride that is neither a parameter nor a "
                 "constant");
    }
    return {fromLaunch, *p};
  }

  std::vector<Size> sizesOf(const Op &op, const Shape &known,
                            const char *name) {
    std::vector<Size> list;
    const std::vector<unsigned> &values = op.operands.at(name);
    size_t at = 0;
    for (int64_t n : known) {
      if (n != fromLaunch) {
        list.push_back({n, 0});
        continue;
      }
      if (at == values.size()) {
        refuse(op, "a view lacks a size");
      }
      list.push_back(sizeOf(op, values[at++]));
    }
    return list;
  }

  Tensor &add(unsigned parameter, const Op &op, std::vector<Size> extents,
              std::vector<Size> strides) {
    const Type &t = sources.f.types[parameter];
    auto [found, isNew] = out.tensorOf.emplace(parameter, out.tensors.size());
    if (isNew) {
      Tensor tensor;
      tensor.parameter = parameter;
      tensor.element = t.element;
      tensor.align = bytesOf(t);
      tensor.extents = std::move(extents);
      tensor.strides = std::move(strides);
      out.tensors.push_back(std::move(tensor));
    } else if (out.tensors[found->second].extents != extents ||
               out.tensors[found->second].strides != strides) {
      refuse(op, "an argument with two layouts");
    }
    return out.tensors[found->second];
  }

  void tensorViews() {
    for (const Op *op : sources.ops()) {
      if (!is(*op, "make_tensor_view")) {
        continue;
      }
      const Type &t = sources.f.types[op->results.at(0)];
      unsigned base = sources.plain(operand(*op, "base"));
      if (t.form != Type::Form::View || base >= sources.f.parameters ||
          !sources.f.types[base].pointer) {
        refuse(*op, "a view of memory that is no argument");
      }
      add(base, *op, sizesOf(*op, t.shape, "shape"),
          sizesOf(*op, t.strides, "strides"));
    }
  }

  /// The products in a sum, each with the shapes around it.
  void terms(const Op &access, unsigned value, std::vector<const Op *> around,
             std::vector<Term> &into) {
    constexpr size_t most = 16;
    if (into.size() > most || around.size() > most) {
      refuse(access, "an address with too many terms");
    }
    value = sources.plain(value);
    const Op *op = sources.definition(value);
    if (sources.f.types[value].bits != 64) {
      refuse(access, "an address that is computed in fewer than 64 bits");
    }
    if (op && is(*op, "addi")) {
      terms(access, operand(*op, "x"), around, into);
      terms(access, operand(*op, "y"), around, into);
      return;
    }
    if (op && (is(*op, "reshape") || is(*op, "broadcast"))) {
      around.push_back(op);
      terms(access, operand(*op, "x"), around, into);
      return;
    }
    Term term;
    term.around = around;
    if (op && is(*op, "muli")) {
      for (bool swapped : {false, true}) {
        unsigned stride = operand(*op, swapped ? "x" : "y");
        unsigned coordinate = operand(*op, swapped ? "y" : "x");
        if (std::optional<int64_t> n = sources.constant(stride)) {
          term.readings.push_back({{*n, 0}, coordinate});
        } else if (std::optional<unsigned> p = sources.parameter(stride)) {
          term.readings.push_back({{fromLaunch, *p}, coordinate});
        }
      }
    }
    term.readings.push_back({{1, 0}, value});
    into.push_back(std::move(term));
  }

  void pointerTerms() {
    for (const Op *op : sources.ops()) {
      if (!isAccess(*op) || !byAddress(*op)) {
        continue;
      }
      std::vector<Term> list;
      std::vector<const Op *> around;
      for (unsigned at = operand(*op, "pointers");
           const Op *from = sources.definition(at);) {
        if (is(*from, "offset")) {
          terms(*op, operand(*from, "offset"), around, list);
          at = operand(*from, "pointers");
        } else {
          if (!is(*from, "assume")) {
            around.push_back(from);
          }
          if (!from->operands.count("x") || around.size() > 16) {
            refuse(*op, "an address that is no parameter plus an offset");
          }
          at = operand(*from, "x");
        }
      }
      pending[baseOf(sources, *op)].emplace_back(op, std::move(list));
    }
  }

  /// An address alone is followed by n extents and n strides.
  void layoutOf(unsigned p, size_t axes, const Op &access) {
    size_t run = 0;
    while (p + 1 + run < sources.f.parameters &&
           !sources.f.types[p + 1 + run].pointer &&
           sources.f.types[p + 1 + run].bits >= 32) {
      ++run;
    }
    if (axes == 0 || run < 2 * axes) {
      refuse(access, "an address of " + std::to_string(axes) + " axes with " +
                         std::to_string(run) + " integers behind it");
    }
    std::vector<Size> extents, strides;
    for (size_t k = 0; k < axes; ++k) {
      unsigned extent = unsigned(p + 1 + k), stride = unsigned(extent + axes);
      extents.push_back({fromLaunch, extent});
      strides.push_back({fromLaunch, stride});
    }
    // The stride that no access multiplies by is 1 for all of them.
    for (const auto &[op, list] : pending[p]) {
      for (size_t k = 0; k < list.size() && k < axes; ++k) {
        bool named = false;
        for (const auto &[stride, coordinate] : list[k].readings) {
          named |= stride == strides[k];
        }
        if (!named) {
          strides[k] = list[k].readings.front().first;
        }
      }
    }
    add(p, access, std::move(extents), std::move(strides));
  }

  void addresses() {
    for (const auto &[p, list] : pending) {
      if (!out.tensorOf.count(p)) {
        layoutOf(p, list.front().second.size(), *list.front().first);
      }
      const Tensor &tensor = out.tensors[out.tensorOf[p]];
      for (const auto &[op, terms] : list) {
        Address address{p, {}};
        if (terms.size() != tensor.extents.size()) {
          refuse(*op, "an address of " + std::to_string(terms.size()) +
                          " terms in a tensor of " +
                          std::to_string(tensor.extents.size()) + " axes");
        }
        for (size_t k = 0; k < terms.size(); ++k) {
          auto reading = std::find_if(
              terms[k].readings.begin(), terms[k].readings.end(),
              [&](const auto &r) { return r.first == tensor.strides[k]; });
          if (reading == terms[k].readings.end()) {
            refuse(*op, "an address that is no sum of an index times a stride "
                        "for each axis");
          }
          address.coordinates.push_back({reading->second, terms[k].around});
        }
        out.addresses.emplace(op, std::move(address));
      }
    }
  }

  void modes() {
    for (const Op *op : sources.ops()) {
      if (!isAccess(*op)) {
        continue;
      }
      Tensor &t = out.tensor(sources, *op);
      if (is(*op, "atomic_rmw_tko") || is(*op, "atomic_red_view_tko")) {
        std::optional<std::string> word = atomicWord(*op);
        if (!word || (t.atomic && t.atomic != word)) {
          refuse(*op, "an atomic op that has no form in the dialect");
        }
        t.atomic = word;
      } else if (is(*op, "load_view_tko") || is(*op, "load_ptr_tko")) {
        t.loaded = true;
      } else {
        t.stored = true;
      }
      if (t.atomic && (t.loaded || t.stored)) {
        refuse(*op, "a tensor that is touched atomically and otherwise");
      }
    }
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

  void contract() {
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
        throw Refused{"a parameter that is no number and no address", 0};
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
        throw Refused{"a grid of " + std::to_string(out.grid.size()) +
                          " axes for a kernel that asks for " +
                          std::to_string(axes),
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

Signature readSignature(const Sources &sources, const Options &options) {
  Builder builder{sources, options, {}, {}, {}};
  builder.tensorViews();
  builder.pointerTerms();
  builder.addresses();
  builder.modes();
  builder.contract();
  builder.assumptions();
  for (const std::string &text : options.requires_) {
    builder.out.required.push_back(text);
  }
  return std::move(builder.out);
}

} // namespace girih::importer
