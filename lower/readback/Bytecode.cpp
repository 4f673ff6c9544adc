// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Bytecode.h"
#include "lower/readback/Rows.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace girih::readback {

namespace {

using Bytes = std::span<const uint8_t>;

/// The first thing that is wrong ends everything.
struct MalformedBytecode {
  std::string why;
};

void require(bool condition, const std::string &why) {
  if (!condition) {
    throw MalformedBytecode{why};
  }
}

struct Cursor {
  Bytes data;
  size_t at = 0;

  bool done() const { return at == data.size(); }

  Bytes take(uint64_t count) {
    require(count <= data.size() - at, "data ends early");
    at += count;
    return data.subspan(at - count, count);
  }
  uint8_t byte() { return take(1)[0]; }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      uint64_t b = byte();
      require(shift < 63 || (shift == 63 && b < 2), "a varint is too large");
      value |= (b & 0x7F) << shift;
      if (b < 0x80) {
        return value;
      }
    }
  }
  int64_t signedVarint() {
    uint64_t n = varint();
    return static_cast<int64_t>((n >> 1) ^ (0 - (n & 1)));
  }
  /// A count of things of at least one byte each.
  uint64_t count() {
    uint64_t n = varint();
    require(n <= data.size() - at, "a count that the data has not");
    return n;
  }
  int64_t fixed(unsigned size) {
    Bytes raw = take(size);
    uint64_t value = 0;
    for (unsigned i = size; i-- > 0;) {
      value = value << 8 | raw[i];
    }
    unsigned off = 64 - 8 * size;
    return static_cast<int64_t>(value << off) >> off;
  }
  std::vector<int64_t> numbers(unsigned size) {
    std::vector<int64_t> out(count());
    for (int64_t &n : out) {
      n = fixed(size);
    }
    return out;
  }
  void align(uint64_t to) {
    require(to > 0 && to <= 64, "an odd alignment");
    while (at % to != 0) {
      require(byte() == 0xCB, "padding is not 0xcb");
    }
  }
};

std::vector<Bytes> readTable(Bytes data, unsigned width) {
  Cursor c{data};
  uint64_t count = c.count();
  c.align(width);
  std::vector<uint64_t> starts;
  for (uint64_t i = 0; i < count; ++i) {
    starts.push_back(static_cast<uint64_t>(c.fixed(width)));
  }
  Bytes blob = data.subspan(c.at);
  starts.push_back(blob.size());
  std::vector<Bytes> out;
  for (uint64_t i = 0; i < count; ++i) {
    require(starts[i] <= starts[i + 1] && starts[i + 1] <= blob.size(),
            "offsets of a table go back");
    out.push_back(blob.subspan(starts[i], starts[i + 1] - starts[i]));
  }
  return out;
}

struct ElementRow {
  const char *name;
  unsigned bits; ///< of an integer
};
constexpr std::array<ElementRow, 12> elements = {{{"i1", 1},
                                                  {"i8", 8},
                                                  {"i16", 16},
                                                  {"i32", 32},
                                                  {"i64", 64},
                                                  {"f16", 0},
                                                  {"bf16", 0},
                                                  {"f32", 0},
                                                  {"tf32", 0},
                                                  {"f64", 0},
                                                  {"f8E4M3FN", 0},
                                                  {"f8E5M2", 0}}};

constexpr uint64_t maxDepth = 64; ///< of regions and of types in types

struct Reader {
  std::map<unsigned, Bytes> sections;
  std::vector<Bytes> strings, types, constants;
  const uint8_t *begin;
  bool all;
  unsigned minor = 0;

  Reader(Bytes data, Accept accept)
      : begin(data.data()), all(accept == Accept::All) {
    static constexpr uint8_t magic[] = {0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0};
    Cursor c{data};
    for (uint8_t b : magic) {
      require(!c.done() && c.byte() == b, "this is no Tile IR bytecode");
    }
    std::string versions = all ? "the version is not 13.1 to 13.5"
                               : "the version is not 13.3 or 13.4";
    require(c.byte() == 13, versions);
    minor = c.byte();
    bool known = all ? minor >= 1 && minor <= 5 : minor == 3 || minor == 4;
    require(known && c.fixed(2) == 0, versions);
    while (uint8_t head = c.byte()) {
      unsigned id = head & 0x7F;
      uint64_t length = c.varint();
      if (head & 0x80) {
        c.align(c.varint());
      }
      require(id <= (all ? 7 : 5) &&
                  sections.emplace(id, c.take(length)).second,
              "an unknown section, or one that is there twice");
    }
    require(c.done(), "bytes behind the end");
    for (unsigned id = 1; id <= 5; ++id) {
      require(sections.count(id) || (all && id == 3), "a section is missing");
    }
    strings = readTable(sections[1], 4);
    constants = readTable(sections[4], 8);
    types = readTable(sections[5], 4);
  }

  std::string string(uint64_t number) {
    require(number < strings.size(), "there is no such string");
    return std::string(strings[number].begin(), strings[number].end());
  }

  Type type(uint64_t number, uint64_t depth = 0) {
    require(number < types.size() && depth < maxDepth, "there is no such type");
    Cursor c{types[number]};
    Type t = readType(c, depth + 1);
    require(c.done(), "a type is too long");
    return t;
  }

  Type elementAt(Cursor &c, uint64_t depth) {
    Type t = type(c.varint(), depth);
    require(t.form == Type::Form::Element, "this is no element");
    return t;
  }

  /// From 13.4 on addresses may have a property.
  void addressed(Cursor &c) {
    require(minor < 4 || c.varint() == 0, "a property of addresses");
  }

  Type readType(Cursor &c, uint64_t depth) {
    unsigned tag = c.byte();
    Type t;
    if (tag < elements.size()) {
      t.form = Type::Form::Element;
      t.element = elements[tag].name;
      t.bits = elements[tag].bits;
      return t;
    }
    switch (tag) {
    case 18:
    case 19:
      t.form = Type::Form::Element;
      t.element = tag == 18 ? "f8E8M0FNU" : "f4E2M1FN";
      return t;
    case 12:
      addressed(c);
      t = elementAt(c, depth);
      t.form = Type::Form::Pointer;
      return t;
    case 13:
      t = type(c.varint(), depth);
      require(t.form == Type::Form::Element || t.form == Type::Form::Pointer,
              "a tile of something else");
      t.pointer = t.form == Type::Form::Pointer;
      t.form = Type::Form::Tile;
      t.shape = c.numbers(8);
      for (int64_t n : t.shape) {
        require(n > 0 && (n & (n - 1)) == 0, "a tile of no power of two");
      }
      return t;
    case 14:
      addressed(c);
      t = elementAt(c, depth);
      t.form = Type::Form::View;
      t.shape = c.numbers(8);
      t.strides = c.numbers(8);
      require(t.shape.size() == t.strides.size(), "shape and strides differ");
      for (const Shape *list : {&t.shape, &t.strides}) {
        for (int64_t n : *list) {
          require(n > 0 || n == fromLaunch, "a size that is not positive");
        }
      }
      return t;
    case 15: {
      uint64_t flags = minor >= 3 ? c.varint() : 0;
      std::vector<int64_t> tile = c.numbers(4);
      t = type(c.varint(), depth);
      require(flags < 2 && t.form == Type::Form::View,
              "a partition of no view");
      t.form = Type::Form::Partition;
      std::vector<int64_t> axes = c.numbers(4);
      for (size_t k = 0; k < axes.size(); ++k) {
        require(all || axes[k] == int64_t(k),
                "a partition with its axes turned");
        require(axes[k] >= 0 && axes[k] < int64_t(axes.size()) &&
                    std::count(axes.begin(), axes.end(), axes[k]) == 1,
                "the axes of a partition are no permutation");
        t.axes.push_back(static_cast<unsigned>(axes[k]));
      }
      require(axes.size() == t.shape.size() && tile.size() == axes.size(),
              "a partition does not fit its view");
      t.tile = std::move(tile);
      if (minor < 3) {
        flags = c.varint();
        require(flags < 2, "a partition does not fit its view");
      }
      if (flags) {
        t.padding = c.byte();
      }
      return t;
    }
    case 16:
      t.form = Type::Form::Function;
      for (uint64_t n = c.count(); n-- > 0;) {
        t.parameters.push_back(static_cast<unsigned>(c.varint()));
      }
      require(c.varint() == 0, "a function with results");
      return t;
    default:
      require(tag == 17, "an unknown type");
      return t;
    }
  }

  void hints(Cursor &c) {
    for (uint64_t n = c.count(); n-- > 0;) {
      string(c.varint());
      require(c.byte() == 10, "hints of a target are no dictionary");
      for (uint64_t m = c.count(); m-- > 0;) {
        string(c.varint());
        unsigned tag = c.byte();
        require(tag == 1 || tag == 3, "a hint is no integer or truth value");
        if (tag == 3) {
          require(c.byte() <= 1, "a truth value is 0 or 1");
          continue;
        }
        type(c.varint());
        c.varint();
      }
    }
  }

  Attribute attribute(Cursor &c, const std::string &kind) {
    Attribute a;
    if (kind == "enum" || kind == "enum?") {
      a.number = c.byte();
    } else if (kind == "hints?") {
      hints(c);
    } else if (kind == "integer") {
      a.number = static_cast<int64_t>(c.varint());
    } else if (kind == "integers") {
      a.numbers = c.numbers(4);
    } else if (kind == "truths") {
      a.numbers = c.numbers(1);
    } else if (kind == "string") {
      string(c.varint());
    } else if (kind == "predicate") {
      unsigned tag = c.byte();
      if (tag == 8) {
        a.divisor = c.varint();
        unsigned flags = c.byte();
        require(flags == 0 || (all && flags < 4), "a divisor along an axis");
        for (unsigned i = 0; i < 2; ++i) {
          if (flags >> i & 1) {
            c.signedVarint();
          }
        }
      } else {
        require(tag == 12, "an unknown assumption");
        unsigned flags = c.byte();
        require(flags < 4, "unknown flags of a bound");
        if (flags & 1) {
          a.low = c.signedVarint();
        }
        if (flags & 2) {
          a.high = c.signedVarint();
        }
      }
    } else if (kind == "identities") {
      for (uint64_t n = c.count(); n-- > 0;) {
        unsigned tag = c.byte();
        require(tag == 1 || tag == 2, "an identity is no number");
        type(c.varint());
        c.varint();
      }
    } else {
      uint64_t number = c.varint();
      require(number < constants.size(), "there is no such constant");
      Cursor item{constants[number]};
      Bytes value = item.take(item.varint());
      require(item.done(), "a constant is too long");
      a.bytes.assign(value.begin(), value.end());
    }
    return a;
  }
};

struct FunctionReader {
  Reader &reader;
  Function &function;
  std::vector<unsigned> visible; ///< values by their number in the bytecode
  uint64_t depth = 0;

  unsigned define(uint64_t typeNumber) {
    function.types.push_back(reader.type(typeNumber));
    return static_cast<unsigned>(function.types.size() - 1);
  }

  unsigned operand(Cursor &c) {
    uint64_t number = c.varint();
    require(number < visible.size(), "there is no such value");
    return visible[number];
  }

  void operands(Cursor &c, const Row &row, Op &op,
                const std::map<std::string, bool> &present) {
    uint64_t left = row.counted ? c.varint() : 0;
    std::istringstream words(row.operands);
    for (std::string word; words >> word;) {
      char last = word.back();
      std::string name =
          last == '*' || last == '?' ? word.substr(0, word.size() - 1) : word;
      std::vector<unsigned> &values = op.operands[name];
      if (last == '?' && !present.at(name)) {
        continue;
      }
      uint64_t count = last != '*' ? 1 : row.counted ? left : c.count();
      require(!row.counted || count <= left, "too few operands");
      left -= row.counted ? count : 0;
      for (uint64_t i = 0; i < count; ++i) {
        values.push_back(operand(c));
      }
    }
    require(left == 0, "too many operands");
  }

  Op readOp(Cursor &c) {
    Op op;
    op.at = static_cast<size_t>(c.data.data() + c.at - reader.begin);
    uint64_t opcode = c.varint();
    const Row *row = rowOf(opcode, reader.all);
    require(row != nullptr, "an unknown op, number " + std::to_string(opcode));
    op.name = row->name;
    uint64_t count = row->results < 0 ? c.count() : uint64_t(row->results);
    std::vector<uint64_t> results(count);
    for (uint64_t &r : results) {
      r = c.varint();
    }
    // A bit for each flag and each optional attribute, then for each optional
    // operand.
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<std::string> optional;
    std::istringstream words(row->attributes);
    for (std::string word; words >> word;) {
      if (size_t plus = word.find('+'); plus != std::string::npos) {
        if (reader.minor < unsigned(word[plus + 1] - '0')) {
          continue;
        }
        word.resize(plus);
      }
      size_t colon = word.find(':');
      attributes.emplace_back(word.substr(0, colon), word.substr(colon + 1));
      if (word.starts_with("flag") || word[colon - 1] == '?') {
        optional.push_back(attributes.back().second);
      }
    }
    std::istringstream names(row->operands);
    for (std::string word; names >> word;) {
      if (word.back() == '?') {
        optional.push_back(word.substr(0, word.size() - 1));
      }
    }
    std::map<std::string, bool> present;
    uint64_t flags = optional.empty() ? 0 : c.varint();
    require(flags >> optional.size() == 0, "unknown flags of an op");
    for (size_t i = 0; i < optional.size(); ++i) {
      present[optional[i]] = flags >> i & 1;
    }
    for (const auto &[kind, name] : attributes) {
      if (kind == "flag") {
        op.attributes[name].number = present[name];
      } else if (kind.back() != '?' || present[name]) {
        op.attributes[name] = reader.attribute(c, kind);
      }
    }
    operands(c, *row, op, present);
    if (row->regions > 0) {
      require(c.varint() == row->regions, "another number of regions");
      for (unsigned i = 0; i < row->regions; ++i) {
        op.regions.push_back(region(c));
      }
    }
    for (uint64_t r : results) {
      op.results.push_back(define(r));
      visible.push_back(op.results.back());
    }
    return op;
  }

  Region region(Cursor &c) {
    require(++depth < maxDepth, "regions are too deep");
    require(c.varint() == 1, "a region of several blocks");
    size_t outside = visible.size();
    Region r;
    for (uint64_t n = c.count(); n-- > 0;) {
      r.arguments.push_back(define(c.varint()));
      visible.push_back(r.arguments.back());
    }
    for (uint64_t n = c.count(); n-- > 0;) {
      r.ops.push_back(readOp(c));
    }
    visible.resize(outside);
    --depth;
    return r;
  }
};

std::vector<Function> readFunctions(Reader &reader) {
  Cursor c{reader.sections[2]};
  std::vector<Function> out(c.count());
  require(!out.empty() || !reader.all, "there is no function");
  for (Function &f : out) {
    f.name = reader.string(c.varint());
    Type signature = reader.type(c.varint());
    require(signature.form == Type::Form::Function, "no type of a function");
    unsigned flags = c.byte();
    require(flags == 2 || flags == 6, f.name + " is no entry point");
    c.varint(); // its location
    if ((flags & 4) || reader.minor >= 5) {
      require(c.byte() == 11, "these are no hints");
      reader.hints(c);
    }
    if (reader.minor >= 5) {
      require(c.byte() == 6 && c.varint() == 0, "attributes of parameters");
    }
    Cursor body{c.take(c.varint())};
    FunctionReader functionReader{reader, f, {}, 0};
    for (unsigned p : signature.parameters) {
      functionReader.visible.push_back(functionReader.define(p));
    }
    f.parameters = signature.parameters.size();
    while (!body.done()) {
      f.ops.push_back(functionReader.readOp(body));
    }
  }
  require(c.done(), "bytes behind the functions");
  return out;
}

} // namespace

bool hasOneShape(const Function &f, const Op &op) {
  auto fits = [&](unsigned v) {
    return f.types[v].shape == f.types[op.results.at(0)].shape;
  };
  return std::ranges::all_of(op.operands, [&](const auto &group) {
    return std::ranges::all_of(group.second, fits);
  });
}

std::variant<std::vector<Function>, std::string> read(Bytes bytes,
                                                      Accept accept) {
  try {
    Reader reader(bytes, accept);
    return readFunctions(reader);
  } catch (const MalformedBytecode &m) {
    return m.why;
  }
}

} // namespace girih::readback
