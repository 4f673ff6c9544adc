// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of a module: `%5 = addf %3, %4 rounding(nearest_even) :
// tile<1024xf32>`, one op a line, values numbered in order of their lines.

#include "lower/tileir/Encoding.h"

#include <map>

namespace girih::tileir {

const char *elementName(Element e) {
  static constexpr const char *names[] = {"i1",   "i8",  "i16",      "i32",
                                          "i64",  "f16", "bf16",     "f32",
                                          "tf32", "f64", "f8E4M3FN", "f8E5M2"};
  return e == Element::F8E8M0FNU  ? "f8E8M0FNU"
         : e == Element::F4E2M1FN ? "f4E2M1FN"
                                  : names[static_cast<size_t>(e)];
}

unsigned elementBits(Element e) {
  static constexpr unsigned bits[] = {1,  8,  16, 32, 64, 16,
                                      16, 32, 32, 64, 8,  8};
  return e == Element::F8E8M0FNU  ? 8
         : e == Element::F4E2M1FN ? 4
                                  : bits[static_cast<size_t>(e)];
}

bool isFloat(Element e) { return e >= Element::F16; }

static std::string number(int64_t n) {
  return n == dynamic ? "?" : std::to_string(n);
}

static std::string shaped(const std::vector<int64_t> &shape,
                          const std::string &element) {
  std::string text;
  for (int64_t n : shape) {
    text += number(n) + "x";
  }
  return text + element;
}

static std::string text(const TileType &t) {
  std::string element = elementName(t.element);
  return "tile<" +
         shaped(t.shape, t.pointer ? "ptr<" + element + ">" : element) + ">";
}

static std::string text(const ViewType &t) {
  std::string strides;
  for (int64_t n : t.strides) {
    strides += (strides.empty() ? "" : ", ") + number(n);
  }
  return "view<" + shaped(t.shape, elementName(t.element)) + ", strides [" +
         strides + "]>";
}

static std::string text(const PartitionType &t) {
  static constexpr const char *paddings[] = {"zero", "neg_zero", "nan",
                                             "pos_inf", "neg_inf"};
  std::string tile;
  for (int32_t n : t.tile) {
    tile += (tile.empty() ? "" : "x") + std::to_string(n);
  }
  if (t.padding) {
    tile += std::string(", pad ") + paddings[static_cast<size_t>(*t.padding)];
  }
  return "partition<" + tile + ", " + text(t.view) + ">";
}

static std::string text(const TokenType &) { return "token"; }

std::string typeText(const Type &type) {
  return std::visit([](const auto &t) { return text(t); }, type);
}

namespace {

/// `rounding(zero)`, `dim(1)`, `{sm_90 = {occupancy = 1}}`.
struct AttributeText {
  const AttrForm &form;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(int64_t n) const {
    if (form.kind == AttrKind::Flag) {
      return n ? form.name : "";
    }
    if (form.words.empty()) {
      return std::string(form.name) + "(" + std::to_string(n) + ")";
    }
    return form.words[static_cast<size_t>(n)];
  }
  std::string operator()(const std::vector<int32_t> &numbers) const {
    if (form.kind == AttrKind::Truths) {
      return truths(numbers);
    }
    std::string text;
    for (int32_t n : numbers) {
      text += (text.empty() ? "[" : ", ") + std::to_string(n);
    }
    return text + "]";
  }
  /// The places that are true: `in_bounds[0, 2]`.
  std::string truths(const std::vector<int32_t> &numbers) const {
    std::string text;
    for (size_t k = 0; k < numbers.size(); ++k) {
      if (numbers[k]) {
        text += (text.empty() ? "[" : ", ") + std::to_string(k);
      }
    }
    return text.empty() ? "" : form.name + text + "]";
  }
  std::string operator()(const std::string &text) const {
    std::string line;
    for (char c : text) {
      line += c == '\n' ? "\\n" : std::string(1, c);
    }
    return "\"" + line + "\"";
  }
  std::string operator()(const Constant &c) const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text = "0x";
    for (uint8_t byte : c.bytes) {
      text += {digits[byte >> 4], digits[byte & 15]};
    }
    return text;
  }
  std::string operator()(const DivBy &d) const {
    return "div_by(" + std::to_string(d.divisor) + ")";
  }
  std::string operator()(const Bounded &b) const {
    auto bound = [](const std::optional<int64_t> &n) {
      return n ? std::to_string(*n) : "?";
    };
    return "bounded(" + bound(b.low) + ", " + bound(b.high) + ")";
  }
  std::string operator()(const std::vector<Identity> &identities) const {
    std::string text;
    for (const Identity &i : identities) {
      text += (text.empty() ? "[" : ", ") + std::to_string(i.bits) + " : " +
              elementName(i.element);
    }
    return text + "]";
  }
  std::string operator()(const Hints &hints) const {
    std::string text = "{";
    for (const auto &[target, entries] : hints) {
      std::string inner;
      for (const Hint &hint : entries) {
        inner += (inner.empty() ? "" : ", ") + hint.name + " = " +
                 (hint.isFlag ? hint.value ? "true" : "false"
                              : std::to_string(hint.value));
      }
      text += (text.size() > 1 ? ", " : "") + target + " = {" + inner + "}";
    }
    return text + "}";
  }
};

struct Printer {
  const Function &function;
  std::map<Value, unsigned> numbers;
  std::string out;

  std::string name(Value v) {
    auto [it, isNew] = numbers.try_emplace(v, numbers.size());
    return "%" + std::to_string(it->second);
  }

  std::string list(const std::vector<Value> &values, bool typed) {
    std::string text;
    for (Value v : values) {
      text += (text.empty() ? "" : ", ") + name(v);
      if (typed) {
        text += ": " + typeText(function.types[v]);
      }
    }
    return text;
  }

  void operands(const OpForm &form, const Op &op) {
    const char *separator = " ";
    for (size_t i = 0; i < form.operands.size(); ++i) {
      const std::vector<Value> &group = op.operands[i];
      Arity arity = form.operands[i].arity;
      bool bracketed = arity == Arity::Many && form.style != Operands::Counted;
      if (group.empty() && !bracketed) {
        continue;
      }
      out += separator;
      separator = ", ";
      if (bracketed) {
        out += "[" + list(group, false) + "]";
      } else if (arity == Arity::Optional) {
        out += std::string(form.operands[i].name) + " = " + list(group, false);
      } else {
        out += list(group, false);
      }
    }
  }

  void region(const Region &r, unsigned depth) {
    out += " {";
    if (!r.arguments.empty()) {
      out += " (" + list(r.arguments, true) + ")";
    }
    out += "\n";
    ops(r.ops, depth + 1);
    out += std::string(2 * depth, ' ') + "}";
  }

  void ops(const std::vector<Op> &list, unsigned depth) {
    for (const Op &op : list) {
      print(op, depth);
    }
  }

  void print(const Op &op, unsigned depth) {
    const OpForm &form = formOf(op.opcode);
    out += std::string(2 * depth, ' ');
    // Results are numbered before what is inside, so that numbers rise.
    if (!op.results.empty()) {
      out += list(op.results, false) + " = ";
    }
    out += form.mnemonic;
    operands(form, op);
    for (size_t i = 0; i < form.attributes.size(); ++i) {
      std::string text =
          std::visit(AttributeText{form.attributes[i]}, op.attributes[i]);
      out += text.empty() ? "" : " " + text;
    }
    for (size_t i = 0; i < op.results.size(); ++i) {
      out += (i == 0 ? " : " : ", ") + typeText(function.types[op.results[i]]);
    }
    for (const Region &r : op.regions) {
      region(r, depth);
    }
    out += "\n";
  }
};

} // namespace

std::string print(const Module &module) {
  std::string out;
  for (const Function &f : module.functions) {
    Printer p{f, {}, {}};
    p.out = "entry @" + f.name + "(" + p.list(f.body.arguments, true) + ")";
    if (!f.hints.empty()) {
      p.out += " hints " + AttributeText{{"hints", {}}}(f.hints);
    }
    p.out += " {\n";
    p.ops(f.body.ops, 1);
    out += p.out + "}\n";
  }
  return out;
}

} // namespace girih::tileir
