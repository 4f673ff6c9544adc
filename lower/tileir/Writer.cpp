// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Writer.h"
#include "lower/tileir/Encoding.h"

#include <map>

namespace girih::tileir {

namespace {

enum class Section : uint8_t {
  End = 0,
  String = 1,
  Func = 2,
  Debug = 3,
  Constant = 4,
  Type = 5,
};

/// Type tags of composite types; element types are their own tags.
enum class TypeTag : uint8_t {
  Pointer = 12,
  Tile = 13,
  TensorView = 14,
  PartitionView = 15,
  Function = 16,
  Token = 17,
};

enum class AttrTag : uint8_t {
  Integer = 1,
  Float = 2,
  Bool = 3,
  DivBy = 8,
  Dictionary = 10,
  OptimizationHints = 11,
  Bounded = 12,
};

enum class DebugTag : uint8_t {
  CompileUnit = 1,
  File = 2,
  Location = 4,
  Subprogram = 5,
};

constexpr uint8_t kernelFlag = 2, hintsFlag = 4, padByte = 0xCB;

/// Numbers items by first use.
class Table {
public:
  uint64_t operator[](const Bytes &item) {
    auto [it, isNew] = numbers.try_emplace(item, items.size());
    if (isNew) {
      items.push_back(item);
    }
    return it->second;
  }
  std::vector<Bytes> items;

private:
  std::map<Bytes, uint64_t> numbers;
};

} // namespace

void writeVarint(Bytes &out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<uint8_t>(value) | 0x80);
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}

void writeSignedVarint(Bytes &out, int64_t value) {
  uint64_t bits = static_cast<uint64_t>(value);
  writeVarint(out, (bits << 1) ^ static_cast<uint64_t>(value >> 63));
}

static void writeFixed(Bytes &out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) {
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
}

/// A count, then numbers of `bytes` bytes each.
template <typename T>
static void writeNumbers(Bytes &out, const std::vector<T> &numbers,
                         unsigned bytes) {
  writeVarint(out, numbers.size());
  for (T n : numbers) {
    writeFixed(out, static_cast<uint64_t>(static_cast<int64_t>(n)), bytes);
  }
}

static void padTo(Bytes &out, size_t alignment) {
  while (out.size() % alignment != 0) {
    out.push_back(padByte);
  }
}

static void append(Bytes &out, const Bytes &more) {
  out.insert(out.end(), more.begin(), more.end());
}

static void writeSection(Bytes &out, Section id, size_t alignment,
                         const Bytes &content) {
  out.push_back(static_cast<uint8_t>(id) | (alignment > 1 ? 0x80 : 0));
  writeVarint(out, content.size());
  if (alignment > 1) {
    writeVarint(out, alignment);
    padTo(out, alignment);
  }
  append(out, content);
}

/// A count, offsets of `width` bytes, then the items.
static void writeTable(Bytes &out, const std::vector<Bytes> &items,
                       unsigned width) {
  writeVarint(out, items.size());
  padTo(out, width);
  uint64_t offset = 0;
  for (const Bytes &item : items) {
    writeFixed(out, offset, width);
    offset += item.size();
  }
  for (const Bytes &item : items) {
    append(out, item);
  }
}

namespace {

struct ModuleWriter {
  ModuleWriter(unsigned minor, bool places) : minor(minor), places(places) {}

  unsigned minor;
  bool places;
  Table strings, types, constants;
  unsigned functions = 0;
  /// Of the function and of each op, in the order in which they are written.
  std::vector<SourcePlace> placesOfOps;

  uint64_t string(const std::string &text) {
    return strings[Bytes(text.begin(), text.end())];
  }

  uint64_t type(Element e) { return types[{static_cast<uint8_t>(e)}]; }
  uint64_t type(const Type &t) {
    return std::visit([&](const auto &x) { return composite(x); }, t);
  }

  static Bytes tagged(TypeTag tag) { return {static_cast<uint8_t>(tag)}; }

  /// From 13.4 on addresses may have a property; ours have none.
  Bytes addressed(TypeTag tag) const {
    Bytes item = tagged(tag);
    if (minor >= 4) {
      writeVarint(item, 0);
    }
    return item;
  }

  uint64_t composite(const TileType &t) {
    uint64_t element = type(t.element);
    if (t.pointer) {
      Bytes pointer = addressed(TypeTag::Pointer);
      writeVarint(pointer, element);
      element = types[pointer];
    }
    Bytes item = tagged(TypeTag::Tile);
    writeVarint(item, element);
    writeNumbers(item, t.shape, 8);
    return types[item];
  }

  uint64_t composite(const ViewType &t) {
    uint64_t element = type(t.element);
    Bytes item = addressed(TypeTag::TensorView);
    writeVarint(item, element);
    writeNumbers(item, t.shape, 8);
    writeNumbers(item, t.strides, 8);
    return types[item];
  }

  uint64_t composite(const PartitionType &t) {
    uint64_t view = composite(t.view);
    Bytes item = tagged(TypeTag::PartitionView);
    writeVarint(item, t.padding ? 1 : 0);
    writeNumbers(item, t.tile, 4);
    writeVarint(item, view);
    std::vector<int32_t> axes;
    for (size_t k = 0; k < t.tile.size(); ++k) {
      axes.push_back(static_cast<int32_t>(k));
    }
    writeNumbers(item, axes, 4);
    if (t.padding) {
      item.push_back(static_cast<uint8_t>(*t.padding));
    }
    return types[item];
  }

  uint64_t composite(const TokenType &) {
    return types[tagged(TypeTag::Token)];
  }

  uint64_t signature(const Function &f) {
    Bytes parameters;
    for (Value v : f.body.arguments) {
      writeVarint(parameters, type(f.types[v]));
    }
    Bytes item = tagged(TypeTag::Function);
    writeVarint(item, f.body.arguments.size());
    append(item, parameters);
    writeVarint(item, 0);
    return types[item];
  }

  void writeHints(Bytes &out, const Hints &hints) {
    writeVarint(out, hints.size());
    for (const auto &[target, entries] : hints) {
      writeVarint(out, string(target));
      out.push_back(static_cast<uint8_t>(AttrTag::Dictionary));
      writeVarint(out, entries.size());
      for (const Hint &hint : entries) {
        writeVarint(out, string(hint.name));
        if (hint.isFlag) {
          out.push_back(static_cast<uint8_t>(AttrTag::Bool));
          out.push_back(hint.value != 0);
          continue;
        }
        out.push_back(static_cast<uint8_t>(AttrTag::Integer));
        writeVarint(out, type(Element::I32));
        writeVarint(out, static_cast<uint32_t>(hint.value));
      }
    }
  }

  void writeIdentity(Bytes &out, const Identity &identity) {
    bool number = isFloat(identity.element);
    out.push_back(
        static_cast<uint8_t>(number ? AttrTag::Float : AttrTag::Integer));
    writeVarint(out, type(identity.element));
    if (number) {
      writeSignedVarint(out, static_cast<int64_t>(identity.bits));
    } else {
      writeVarint(out, identity.bits);
    }
  }

  void writePredicate(Bytes &out, const Attribute &attribute) {
    if (auto *d = std::get_if<DivBy>(&attribute)) {
      out.push_back(static_cast<uint8_t>(AttrTag::DivBy));
      writeVarint(out, d->divisor);
      out.push_back(0);
      return;
    }
    const auto &b = std::get<Bounded>(attribute);
    out.push_back(static_cast<uint8_t>(AttrTag::Bounded));
    out.push_back(static_cast<uint8_t>((b.low ? 1 : 0) | (b.high ? 2 : 0)));
    for (const std::optional<int64_t> &bound : {b.low, b.high}) {
      if (bound) {
        writeSignedVarint(out, *bound);
      }
    }
  }

  void writeAttribute(Bytes &out, const AttrForm &form,
                      const Attribute &attribute) {
    switch (form.kind) {
    case AttrKind::Flag:
      return;
    case AttrKind::Enum:
    case AttrKind::OptionalEnum:
      if (auto *number = std::get_if<int64_t>(&attribute)) {
        out.push_back(static_cast<uint8_t>(*number));
      }
      return;
    case AttrKind::OptionalHints:
      if (auto *hints = std::get_if<Hints>(&attribute)) {
        writeHints(out, *hints);
      }
      return;
    case AttrKind::Integer:
      writeVarint(out, static_cast<uint64_t>(std::get<int64_t>(attribute)));
      return;
    case AttrKind::Integers:
      writeNumbers(out, std::get<std::vector<int32_t>>(attribute), 4);
      return;
    case AttrKind::Truths:
      if (minor >= form.since) {
        writeNumbers(out, std::get<std::vector<int32_t>>(attribute), 1);
      }
      return;
    case AttrKind::String:
      writeVarint(out, string(std::get<std::string>(attribute)));
      return;
    case AttrKind::Constant: {
      const Bytes &bytes = std::get<Constant>(attribute).bytes;
      Bytes item;
      writeVarint(item, bytes.size());
      append(item, bytes);
      writeVarint(out, constants[item]);
      return;
    }
    case AttrKind::Predicate:
      writePredicate(out, attribute);
      return;
    case AttrKind::Identities: {
      const auto &identities = std::get<std::vector<Identity>>(attribute);
      writeVarint(out, identities.size());
      for (const Identity &i : identities) {
        writeIdentity(out, i);
      }
      return;
    }
    }
  }

  Table attributes; ///< of the debug section
  std::vector<uint64_t> attributesOf(const std::string &file,
                                     const Function &f);

  Bytes write(const Module &module);
};

/// Values are numbered in order, and those of a region forgotten at its end.
struct FunctionWriter {
  ModuleWriter &module;
  const Function &function;
  std::vector<uint64_t> numbers;
  uint64_t next = 0;

  void define(Value v) { numbers[v] = next++; }

  void writeRegion(Bytes &out, const Region &region) {
    writeVarint(out, 1); // blocks
    writeVarint(out, region.arguments.size());
    uint64_t outside = next;
    for (Value v : region.arguments) {
      writeVarint(out, module.type(function.types[v]));
      define(v);
    }
    writeVarint(out, region.ops.size());
    writeOps(out, region.ops);
    next = outside;
  }

  uint64_t flags(const OpForm &form, const Op &op) const {
    uint64_t bits = 0;
    unsigned at = 0;
    for (size_t i = 0; i < form.attributes.size(); ++i) {
      const Attribute &a = op.attributes[i];
      if (form.attributes[i].since > module.minor) {
        continue;
      }
      switch (form.attributes[i].kind) {
      case AttrKind::Flag:
        bits |= uint64_t(std::get<int64_t>(a) != 0) << at++;
        break;
      case AttrKind::OptionalEnum:
      case AttrKind::OptionalHints:
        bits |= uint64_t(!std::holds_alternative<std::monostate>(a)) << at++;
        break;
      default:
        break;
      }
    }
    for (size_t i = 0; i < form.operands.size(); ++i) {
      if (form.operands[i].arity == Arity::Optional) {
        bits |= uint64_t(!op.operands[i].empty()) << at++;
      }
    }
    return bits;
  }

  void writeOperands(Bytes &out, const OpForm &form, const Op &op) {
    if (form.style == Operands::Counted) {
      size_t count = 0;
      for (const auto &group : op.operands) {
        count += group.size();
      }
      writeVarint(out, count);
    }
    for (size_t i = 0; i < form.operands.size(); ++i) {
      if (form.style == Operands::Segmented &&
          form.operands[i].arity == Arity::Many) {
        writeVarint(out, op.operands[i].size());
      }
      for (Value v : op.operands[i]) {
        writeVarint(out, numbers[v]);
      }
    }
  }

  void writeOp(Bytes &out, const Op &op) {
    const OpForm &known = formOf(op.opcode);
    const OpForm &form =
        known.since > module.minor ? formOf(Opcode::MakeToken) : known;
    module.placesOfOps.push_back(op.place);
    writeVarint(out, static_cast<uint64_t>(form.opcode));
    if (form.countedResults) {
      writeVarint(out, op.results.size());
    }
    for (Value v : op.results) {
      writeVarint(out, module.type(function.types[v]));
    }
    if (form.hasFlags(module.minor)) {
      writeVarint(out, flags(form, op));
    }
    for (size_t i = 0; i < form.attributes.size(); ++i) {
      module.writeAttribute(out, form.attributes[i], op.attributes[i]);
    }
    writeOperands(out, form, op);
    if (form.regions > 0) {
      writeVarint(out, op.regions.size());
      for (const Region &region : op.regions) {
        writeRegion(out, region);
      }
    }
    for (Value v : op.results) {
      define(v);
    }
  }

  void writeOps(Bytes &out, const std::vector<Op> &ops) {
    for (const Op &op : ops) {
      writeOp(out, op);
    }
  }
};

} // namespace

/// By function the attributes of its ops, the function itself first; 0 is none.
static Bytes debugSection(const std::vector<std::vector<uint64_t>> &functions,
                          const std::vector<Bytes> &attributes) {
  Bytes out;
  writeVarint(out, functions.size());
  padTo(out, 4);
  uint64_t total = 0;
  for (const auto &ops : functions) {
    writeFixed(out, total, 4);
    total += ops.size();
  }
  writeVarint(out, total);
  padTo(out, 8);
  for (const auto &ops : functions) {
    for (uint64_t attribute : ops) {
      writeFixed(out, attribute, 8);
    }
  }
  writeTable(out, attributes, 4);
  return out;
}

/// The attributes of one function's places; they are numbered from 1.
std::vector<uint64_t> ModuleWriter::attributesOf(const std::string &file,
                                                 const Function &f) {
  if (!places) {
    return std::vector<uint64_t>(placesOfOps.size(), 0);
  }
  auto attribute = [&](DebugTag tag, std::vector<uint64_t> parts) {
    Bytes item = {static_cast<uint8_t>(tag)};
    for (uint64_t part : parts) {
      writeVarint(item, part);
    }
    return attributes[item] + 1;
  };
  auto fileOf = [&](const SourcePlace &p) {
    return p.file.empty() ? file : p.file;
  };
  std::string own = fileOf(f.place);
  size_t slash = own.rfind('/');
  std::string folder = slash == std::string::npos ? "" : own.substr(0, slash);
  uint64_t at = attribute(
      DebugTag::File,
      {string(slash == std::string::npos ? own : own.substr(slash + 1)),
       string(folder)});
  uint64_t unit = attribute(DebugTag::CompileUnit, {at});
  uint64_t entry =
      attribute(DebugTag::Subprogram, {at, f.place.line, string(f.name),
                                       string(f.name), unit, f.place.line});
  std::vector<uint64_t> out;
  for (const SourcePlace &p : placesOfOps) {
    out.push_back(attribute(DebugTag::Location,
                            {entry, string(fileOf(p)), p.line, p.column}));
  }
  return out;
}

Bytes ModuleWriter::write(const Module &m) {
  type(Element::I1);
  type(Element::I32);
  Bytes functionsSection;
  std::vector<std::vector<uint64_t>> attributesOfFunctions;
  writeVarint(functionsSection, m.functions.size());
  for (const Function &f : m.functions) {
    writeVarint(functionsSection, string(f.name));
    writeVarint(functionsSection, signature(f));
    functionsSection.push_back(kernelFlag | (f.hints.empty() ? 0 : hintsFlag));
    writeVarint(functionsSection, ++functions); // its place in the debug table
    if (!f.hints.empty()) {
      functionsSection.push_back(
          static_cast<uint8_t>(AttrTag::OptimizationHints));
      writeHints(functionsSection, f.hints);
    }
    FunctionWriter writer{*this, f, std::vector<uint64_t>(f.types.size()), 0};
    for (Value v : f.body.arguments) {
      writer.define(v);
    }
    placesOfOps = {f.place};
    Bytes body;
    writer.writeOps(body, f.body.ops);
    attributesOfFunctions.push_back(attributesOf(m.file, f));
    writeVarint(functionsSection, body.size());
    append(functionsSection, body);
  }
  Bytes out = {0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0, 13};
  writeFixed(out, minor, 1);
  writeFixed(out, 0, 2);
  writeSection(out, Section::Func, 8, functionsSection);
  Bytes table;
  writeTable(table, constants.items, 8);
  writeSection(out, Section::Constant, 8, table);
  // A table of nothing is no table.
  writeSection(
      out, Section::Debug, 8,
      debugSection(attributesOfFunctions,
                   places ? attributes.items : std::vector<Bytes>{{0}}));
  table.clear();
  writeTable(table, types.items, 4);
  writeSection(out, Section::Type, 4, table);
  table.clear();
  writeTable(table, strings.items, 4);
  writeSection(out, Section::String, 4, table);
  out.push_back(static_cast<uint8_t>(Section::End));
  return out;
}

Bytes writeBytecode(const Module &module, unsigned minor, bool places) {
  return ModuleWriter(minor, places).write(module);
}

} // namespace girih::tileir
