// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Forms.h"

#include <cctype>
#include <sstream>

namespace girih::fuzz {

namespace {

const std::vector<std::string> elements = {
    "index", "i1",  "i4",  "i8",     "i16",      "i32",      "i64",      "f16",
    "bf16",  "f32", "f64", "f8E5M2", "f8E4M3FN", "f4E2M1FN", "f8E8M0FNU"};

/// Words of the table that stand for several elements.
const std::map<std::string, std::vector<std::string>> words = {
    {"iN", {"i8", "i16", "i32", "i64"}},
    {"fN", {"f16", "bf16", "f32", "f64"}},
    {"f8", {"f8E5M2", "f8E4M3FN"}},
    {"all", elements}};

std::string number(const std::string &element) {
  return element == "i1" ? "true" : element[0] == 'i' ? "0" : "1.0";
}

/// Statements may use: %v, a vector of E, %s, a scalar, %p, a matrix, %q, one
/// of F, %m, a mask, %b, a truth, %i, an index, %l, the lanes.
std::string replaced(std::string text, const std::string &e,
                     const std::string &f) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool word = (i > 0 && (isalnum(text[i - 1]) || text[i - 1] == '%') &&
                 text[i - 1] != 'x') ||
                (i + 1 < text.size() && isalnum(text[i + 1]));
    out += c == 'E' && !word ? e : c == 'F' && !word ? f : std::string(1, c);
  }
  return out;
}

std::string kernelText(const Form &form, const std::string &e,
                       const std::string &f) {
  std::string values =
      "  %s = arith.constant " + number(e) + (e == "i1" ? "" : " : E") + "\n" +
      "  %v = arith.constant dense<" + number(e) + "> : vector<4xE>\n" +
      "  %p = arith.constant dense<" + number(e) + "> : vector<16x16xE>\n" +
      "  %q = arith.constant dense<" + number(f) +
      "> : vector<16x16xF>\n"
      "  %m = arith.constant dense<true> : vector<4xi1>\n"
      "  %b = arith.constant true\n"
      "  %i = arith.constant 0 : index\n"
      "  %l = tile.iota 0 : vector<4xindex>\n";
  std::string head =
      form.head.empty() ? "tile.kernel @k() grid [1]" : form.head;
  return replaced(head + " {\n" + values + form.text + "\n}\n", e, f);
}

/// Ops whose operands and result have one element.
std::vector<Form> plainForms() {
  std::vector<Form> forms;
  auto add = [&](const std::string &op, const std::string &text,
                 const std::string &head = "") {
    forms.push_back({op, text, head, false});
  };
  for (const Elementwise &op : elementwiseOps()) {
    if (op.shape == "Shift") {
      add(op.name, "%z = arith.constant dense<0> : vector<4xE>\n%r = " +
                       op.name + " %v, %z : vector<4xE>");
    } else if (op.shape != "Cast" && op.shape != "Select") {
      add(op.name, "%r = " + op.of("%v") + " : vector<4xE>");
      add(op.name, "%r = " + op.of("%s") + " : E");
    }
  }
  add("arith.constant", "");
  add("arith.select",
      "%r = arith.select %m, %v, %v : vector<4xi1>, vector<4xE>");
  add("arith.select", "%r = arith.select %b, %s, %s : E");
  add("vector.broadcast", "%r = vector.broadcast %s : E to vector<4xE>");
  add("vector.shape_cast",
      "%r = vector.shape_cast %v : vector<4xE> to vector<2x2xE>");
  add("vector.transpose", "%r = vector.transpose %p, [1, 0] : "
                          "vector<16x16xE> to vector<16x16xE>");
  add("tile.extract", "%r = tile.extract %p[1, 3] : vector<16x16xE> to "
                      "vector<8x4xE>");
  add("tile.cat", "%r = tile.cat %v, %v, 0 : vector<4xE>");
  add("tile.print", "tile.print \"x\", %v : vector<4xE>");
  add("tile.print", "tile.print \"x\", %s : E");
  add("tile.iota", "%r = tile.iota 0 : vector<4xE>");
  for (const char *how : {"add", "mul", "max", "min"}) {
    add("tile.reduce",
        std::string("%r = tile.reduce ") + how + " %v, 0 : vector<4xE>");
    add("tile.scan",
        std::string("%r = tile.scan ") + how + " %v, 0 : vector<4xE>");
  }
  add("tile.argmax", "%r = tile.argmax %v, 0 : vector<4xE>");
  add("tile.argmin", "%r = tile.argmin %v, 0 : vector<4xE>");
  add("scf.for", "scf.for %k = %s to %s step %s : E {\n}");
  add("scf.if", "%r = scf.if %b -> (vector<4xE>) {\nscf.yield %v : vector<4xE>"
                "\n} else {\nscf.yield %v : vector<4xE>\n}");
  add("scf.while",
      "%r = scf.while (%a = %v) : (vector<4xE>) -> (vector<4xE>) {\n"
      "%no = arith.constant false\ntile.measure %i : index\n"
      "scf.condition(%no) %a : vector<4xE>\n} do {\n"
      "^bb0(%c: vector<4xE>):\nscf.yield %c : vector<4xE>\n}");
  add("scf.yield", "%r = scf.for %k = %i to %i step %i iter_args(%a = %s) -> "
                   "(E) {\nscf.yield %a : E\n}");
  add("func.call", "%r = func.call @same(%v) : (vector<4xE>) -> vector<4xE>",
      "func.func private @same(%x: vector<4xE>) -> vector<4xE> {\n"
      "  func.return %x : vector<4xE>\n}\ntile.kernel @k() grid [1]");
  std::string partition = "  %t = tile.partition %a by [4] : !A\n";
  auto tensor = [](const std::string &mode) {
    return "!A = !tile.tensor<[4] x E, " + mode + ">\n" +
           "!T = !tile.partition<[4], [4] x E, " + mode +
           ">\ntile.kernel @k(%a: !A) grid [1]";
  };
  add("tile.partition", partition, tensor("shared"));
  add("tile.inside", partition + "%r = tile.inside %t[%i] : !T",
      tensor("shared"));
  add("tile.load", partition + "%r = tile.load %t[%i] pad(zero) : !T",
      tensor("shared"));
  add("tile.store",
      partition + "%o = tile.claim %t[%i] : !T\n" +
          "tile.store %v, %o : !tile.piece<[4] x E, own>",
      tensor("own"));
  add("tile.gather",
      "%r = tile.gather %a[%l], %m pad(zero) : !A, vector<4xindex>, "
      "vector<4xi1>",
      tensor("shared"));
  add("tile.scatter",
      "tile.scatter %v, %a[%l] : vector<4xE>, !A, vector<4xindex>",
      tensor("own"));
  add("tile.atomic add", partition + "tile.atomic add %v, %t[%i] : !T",
      tensor("atomic<add>"));
  for (const char *how : {"min", "max", "and", "or", "xor"}) {
    add("tile.atomic", partition + "tile.atomic " + how + " %v, %t[%i] : !T",
        tensor(std::string("atomic<") + how + ">"));
  }
  add("tile.atomic_scatter add",
      "tile.atomic_scatter add %v, %a[%l] : vector<4xE>, !A, vector<4xindex>",
      tensor("atomic<add>"));
  for (const char *how : {"min", "max", "and", "or", "xor"}) {
    add("tile.atomic_scatter",
        std::string("tile.atomic_scatter ") + how +
            " %v, %a[%l] : vector<4xE>, !A, vector<4xindex>",
        tensor(std::string("atomic<") + how + ">"));
  }
  add("given", "", tensor("shared") + " given [within(%a, 0, 4)]");
  add("symbols", "%r = tile.symbol \"pos\" : E",
      "tile.kernel @k() symbols [pos : E] grid [1]");
  add("argument", "", "tile.kernel @k(%x: E) grid [1]");
  return forms;
}

std::vector<Form> castForms() {
  std::vector<Form> forms;
  std::vector<std::string> names = {"tile.convert"};
  for (const Elementwise &op : elementwiseOps()) {
    if (op.shape == "Cast") {
      names.push_back(op.name);
    }
  }
  for (const std::string &name : names) {
    forms.push_back(
        {name, "%r = " + name + " %v : vector<4xE> to vector<4xF>", "", true});
    forms.push_back({name, "%r = " + name + " %s : E to F", "", true});
  }
  forms.push_back({"tile.convert rounding",
                   "%r = tile.convert %v rounding(zero) : vector<4xE> to "
                   "vector<4xF>",
                   "", true});
  forms.push_back({"tile.mma",
                   "%r = tile.mma %p, %p, %q : vector<16x16xE>, "
                   "vector<16x16xE>, vector<16x16xF>",
                   "", true});
  return forms;
}

} // namespace

const std::vector<Elementwise> &elementwiseOps() {
  static const std::vector<Elementwise> ops = {
#define ELEMENTS(kinds, text) text
#define ELEMENTWISE(name, shape, elements, ...) {name, #shape, elements},
#include "ir/ops/Elementwise.def"
  };
  return ops;
}

std::vector<std::string> elementwiseNames(const std::string &shape,
                                          const std::string &elements) {
  std::vector<std::string> names;
  for (const Elementwise &op : elementwiseOps()) {
    if (op.shape == shape && op.elements == elements) {
      names.push_back(op.name);
    }
  }
  return names;
}

std::string Elementwise::of(const std::string &operand) const {
  int count = shape == "Unary" ? 1 : shape == "Ternary" ? 3 : 2;
  std::string text = name + (name == "arith.cmpi"   ? " eq,"
                             : name == "arith.cmpf" ? " oeq,"
                                                    : "");
  for (int i = 0; i < count; ++i) {
    text += (i ? ", " : " ") + operand;
  }
  return text;
}

const std::vector<std::string> &elementTypes() { return elements; }

const std::vector<Form> &forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list = plainForms();
    std::vector<Form> casts = castForms();
    list.insert(list.end(), casts.begin(), casts.end());
    return list;
  }();
  return all;
}

std::string kernelOf(const Form &form, const std::string &e,
                     const std::string &f) {
  return kernelText(form, e, f);
}

ElementTable elementTable(const std::string &spec) {
  ElementTable out;
  std::istringstream file(spec);
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      inside = line == "## Elements of ops";
    }
    if (!inside || !line.starts_with("| `")) {
      continue;
    }
    size_t bar = line.find('|', 1);
    std::vector<std::string> ops;
    for (size_t at = 0; (at = line.find('`', at)) < bar;) {
      size_t end = line.find('`', at + 1);
      ops.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    auto read = [](const std::string &list) {
      std::vector<std::string> all;
      std::istringstream stream(list);
      for (std::string word; stream >> word;) {
        auto several = words.find(word);
        if (several == words.end()) {
          all.push_back(word);
        } else {
          all.insert(all.end(), several->second.begin(), several->second.end());
        }
      }
      return all;
    };
    // Cells of casts: `from to to; from to to`.
    std::string cell = line.substr(bar + 1, line.rfind('|') - bar - 1);
    std::istringstream parts(cell);
    for (std::string part; std::getline(parts, part, ';');) {
      size_t to = part.find(" to ");
      for (const std::string &e : read(part.substr(0, to))) {
        for (const std::string &op : ops) {
          if (to == std::string::npos) {
            out[op].insert(e);
            continue;
          }
          for (const std::string &f : read(part.substr(to + 4))) {
            out[op].insert(e + " to " + f);
          }
        }
      }
    }
  }
  return out;
}

} // namespace girih::fuzz
