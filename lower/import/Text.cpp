// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Emitter.h"

#include <algorithm>
#include <cctype>
#include <cstring>

using namespace girih::readback;

namespace girih::importer {

std::string Emitter::define(const std::string &text) {
  std::string name = "%" + std::to_string(names++);
  line(name + " = " + text);
  return name;
}

void Emitter::line(const std::string &text) { body += indent + text + "\n"; }

void Emitter::note(const std::string &text) {
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) {
    notes.push_back(text);
  }
}

std::string Emitter::type(const std::string &element, const Shape &shape) {
  if (shape.empty()) {
    return element;
  }
  std::string text = "vector<";
  for (int64_t n : shape) {
    text += std::to_string(n) + "x";
  }
  return text + element + ">";
}

std::string Emitter::type(const Lanes &v) {
  return type(v.element, v.splat ? Shape() : v.shape);
}

std::string Emitter::elementOf(const Op &op, const Type &t) {
  if (t.form != Type::Form::Tile || t.pointer ||
      lanesOf(t.shape) > (int64_t(1) << 20)) {
    refuse(op, std::string(op.name) + " with " +
                   (t.pointer ? "tiles of addresses" : "a value") +
                   " that has no form in the dialect");
  }
  // The dialect has its digits where a product takes them.
  return t.element == "tf32" ? "f32" : t.element;
}

static std::string integerText(uint64_t bits, unsigned width) {
  if (width == 1) {
    return bits & 1 ? "true" : "false";
  }
  unsigned off = 64 - width;
  return std::to_string(static_cast<int64_t>(bits << off) >> off);
}

static std::string hexText(uint64_t bits, unsigned size) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text = "0x";
  for (unsigned i = 2 * size; i-- > 0;) {
    text += digits[bits >> (4 * i) & 15];
  }
  return text;
}

Lanes Emitter::number(int64_t n, const std::string &element) {
  Lanes v{"", element, {}, true, std::to_string(n)};
  v.name = define("arith.constant " + v.constant + " : " + element);
  return v;
}

unsigned bytesOf(const Type &t) {
  if (t.bits) {
    return (t.bits + 7) / 8;
  }
  return t.element == "f64"    ? 8
         : t.element == "f32"  ? 4
         : t.element[1] == '8' ? 1
         : t.element[1] == '4' ? 1
                               : 2;
}

Lanes Emitter::constant(const Op &op) {
  const Type &t = f.types[op.results.at(0)];
  Lanes v{"", elementOf(op, t), t.shape, true, ""};
  const std::vector<uint8_t> &bytes = op.attributes.at("value").bytes;
  unsigned size = bytesOf(t);
  uint64_t lanes = static_cast<uint64_t>(lanesOf(t.shape));
  bool isSplat = bytes.size() == size;
  bool packed = t.bits == 1 && bytes.size() == (lanes + 7) / 8 &&
                bytes[0] != 0 && bytes[0] != 0xFF && lanes > 1;
  packed |= t.bits == 1 && bytes.size() > 1 && bytes.size() == (lanes + 7) / 8;
  isSplat &= !packed;
  if (!isSplat && !packed && bytes.size() != size * lanes) {
    refuse(op, "a constant of another size");
  }
  auto at = [&](uint64_t i) {
    if (packed) {
      return uint64_t(bytes[i / 8] >> (i % 8) & 1);
    }
    uint64_t n = 0;
    std::memcpy(&n, bytes.data() + i * size, size);
    return n;
  };
  auto textOf = [&](uint64_t i) {
    return t.bits ? integerText(at(i), t.bits) : hexText(at(i), size);
  };
  if (isSplat) {
    v.constant = textOf(0);
    v.name = define("arith.constant " + v.constant +
                    (t.bits == 1 ? "" : " : " + v.element));
    return v;
  }
  constexpr uint64_t most = 1 << 16;
  if (lanes > most) {
    refuse(op, "a constant of more than 65536 lanes");
  }
  v.splat = lanes == 1;
  std::string list;
  for (uint64_t i = 0; i < lanes; ++i) {
    list += (i ? ", " : "") + textOf(i);
  }
  Shape flat{int64_t(lanes)};
  Lanes row{
      define("arith.constant dense<[" + list + "]> : " + type(v.element, flat)),
      v.element, flat, false, ""};
  return reshape(row, t.shape);
}

void Emitter::set(unsigned value, Lanes lanes) {
  values[value] = std::move(lanes);
}

const Lanes &Emitter::kept(const Op &op, unsigned value) const {
  if (!values[value]) {
    refuse(op, std::string(op.name) +
                   " with an operand that has no form in the dialect");
  }
  return *values[value];
}

std::string Emitter::full(const Lanes &v) {
  if (v.shape.empty() || !v.splat) {
    return v.name;
  }
  std::string to = type(v.element, v.shape);
  if (!v.constant.empty()) {
    return define("arith.constant dense<" + v.constant + "> : " + to);
  }
  return define("vector.broadcast " + v.name + " : " + v.element + " to " + to);
}

Lanes Emitter::asIndex(const Lanes &v) {
  Lanes out = v;
  out.element = "index";
  if (v.splat && !v.constant.empty()) {
    out.name = define("arith.constant " + v.constant + " : index");
    return out;
  }
  if (auto found = scope.indexOf.find(v.name); found != scope.indexOf.end()) {
    out.name = found->second;
    return out;
  }
  out.name = define("arith.index_cast " + v.name + " : " + type(v) + " to " +
                    type(out));
  scope.indexOf[v.name] = out.name;
  return out;
}

/// The names of values in a line.
static std::vector<std::string> namesIn(const std::string &line) {
  std::vector<std::string> list;
  for (size_t at = line.find('%'); at != std::string::npos;
       at = line.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < line.size() && (std::isalnum(uint8_t(line[end])) != 0)) {
      ++end;
    }
    list.push_back(line.substr(at, end - at));
  }
  return list;
}

void Emitter::prune() {
  // Ops that can be stuck, and all that has a region, stay.
  static constexpr const char *owing[] = {
      " = scf.",       " = arith.divsi", " = arith.ceildivsi", " = arith.remsi",
      " = tile.claim", " = tile.load",   " = tile.gather"};
  std::vector<std::string> lines, kept;
  for (size_t at = 0; at < body.size();) {
    size_t end = body.find('\n', at) + 1;
    lines.push_back(body.substr(at, end - at));
    at = end;
  }
  std::set<std::string> used;
  for (size_t i = lines.size(); i-- > 0;) {
    const std::string &text = lines[i];
    std::vector<std::string> list = namesIn(text);
    size_t equals = text.find(" = ");
    bool pure = equals != std::string::npos && !list.empty() &&
                text.find_first_not_of(' ') == text.find('%');
    for (const char *op : owing) {
      pure &= text.find(op) == std::string::npos;
    }
    if (pure && !used.count(list[0]) && !promises.count(list[0])) {
      continue;
    }
    used.insert(list.begin() + (pure ? 1 : 0), list.end());
    kept.push_back(text);
  }
  body.clear();
  for (size_t i = kept.size(); i-- > 0;) {
    body += kept[i];
  }
}

static std::string join(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &s : list) {
    text += (text.empty() ? "" : ", ") + s;
  }
  return text;
}

std::string Emitter::text(const std::string &name) const {
  std::string out = "// Imported from the entry @" + name +
                    " of Tile IR bytecode by tile-import.\n"
                    "// Guessed, since the bytecode does not say it:\n";
  out += "// * the grid: " + join(signature.grid) +
         (options.grid.empty() ? "" : ", as told") + "\n";
  for (const std::string &s : signature.same) {
    out += "// * equal extents: " + s + "\n";
  }
  for (const Tensor &t : signature.tensors) {
    out += "// * %" + t.name + " is parameter " + std::to_string(t.parameter) +
           ": " + t.mode(options.cover) + "\n";
  }
  for (const std::string &n : notes) {
    out += "// Read otherwise: " + n + "\n";
  }
  std::vector<std::string> arguments, declared;
  std::set<std::string> extents;
  for (const Tensor &t : signature.tensors) {
    std::string big = t.name;
    big[0] = char(big[0] - 'a' + 'A');
    std::string dims;
    for (const Size &extent : t.extents) {
      dims += (dims.empty() ? "" : ", ") + signature.text(extent);
      if (!extent.isConstant()) {
        extents.insert(signature.text(extent));
      }
    }
    out += "!" + big + " = !tile.tensor<[" + dims + "] x " + t.element + ", " +
           t.mode(options.cover) + signature.layout(t) + ">\n";
    arguments.push_back("%" + t.name + ": !" + big);
  }
  out += types;
  for (unsigned p : signature.floats) {
    arguments.push_back("%s" + std::to_string(p) + ": " + f.types[p].element);
  }
  std::set<std::string> done = extents;
  for (const auto &[p, symbol] : signature.symbols) {
    if (done.insert(symbol).second) {
      declared.push_back(symbol + " : " +
                         (signature.sizes.count(p) ? std::string("index")
                                                   : f.types[p].element));
    }
  }
  for (const std::string &g : signature.gridSymbols) {
    declared.push_back(g + " : index");
  }
  // A name of the dialect begins with a letter.
  std::string plain = name.substr(name.find_first_not_of('_'));
  out += "tile.kernel @" + plain + "(" + join(arguments) + ")";
  if (!declared.empty()) {
    out += "\n    symbols [" + join(declared) + "]";
  }
  out += "\n    grid [" + join(signature.grid) + "]";
  if (!signature.required.empty()) {
    out += "\n    requires [" + join(signature.required) + "]";
  }
  if (!options.given.empty()) {
    out += "\n    given [" + join(options.given) + "]";
  }
  return out + " {\n" + prologue + body + "}\n";
}

} // namespace girih::importer
