// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of ops on values.

#include "Recording.h"
#include "girih/kernel/Functions.h"

namespace girih::kernel {

namespace recorder {

static std::string list(const int *numbers, int count) {
  std::string text = "[";
  for (int k = 0; k < count; ++k) {
    text += (k ? ", " : "") + std::to_string(numbers[k]);
  }
  return text + "]";
}

static Value constant(const Type &type, const std::string &text, i64 rank,
                      std::string name, Place at) {
  Recording &r = Recording::here(at);
  std::string number = type.rank ? "dense<" + text + ">" : text;
  Form form("arith.constant " + number);
  if (type.rank || type.element != Element::I1) {
    form.text(" : " + textOf(type));
  }
  bool isIndex = type.rank == 0 && type.element == Element::Idx;
  return r.hoisted(isIndex ? Hoist::IndexConstant : Hoist::Constant, rank,
                   std::move(form), r.typeId(type), at, std::move(name));
}

/// `c5`, `c_5` of -5, `half` of nothing: 0.5 is c0_5.
static std::string nameOfNumber(const std::string &text) {
  std::string name = "c";
  for (char c : text) {
    name += std::isalnum((unsigned char)c) ? c : '_';
  }
  if (size_t n = name.size(); n > 2 && name.substr(n - 2) == "_0") {
    name.resize(n - 2); // 2.0
  }
  return name;
}

Value integer(const Type &type, i64 number, Place at) {
  int bits = bitsOf(type.element);
  i64 most = bits == 64 ? INT64_MAX : (i64(1) << (bits - 1)) - 1;
  bool fits = type.element == Element::I1
                  ? number == 0 || number == 1
                  : number <= most && number >= -most - 1;
  if (!fits) {
    throw Error(at, std::to_string(number) + " is no " + textOf(type.element));
  }
  if (type.element == Element::I1) {
    return constant(type, number ? "true" : "false", 0,
                    number ? "always" : "never", at);
  }
  std::string text = std::to_string(number);
  bool isIndex = type.rank == 0 && type.element == Element::Idx;
  return constant(type, text, number,
                  isIndex || (number != 0 && number != 1) ? nameOfNumber(text)
                  : number                                ? "one"
                                                          : "zero",
                  at);
}

Value real(const Type &type, double number, Place at) {
  std::string text = literal(type.element, number, at);
  std::string name = number == 0        ? "zero"
                     : number == 1      ? "one"
                     : number == inf    ? "infinity"
                     : number == -inf   ? "neg_infinity"
                     : number != number ? "nan"
                                        : nameOfNumber(text);
  return constant(type, text, 0, name, at);
}

Value elementwise(const char *op, const Type &type, Values operands, Place at,
                  const char *flags) {
  checkElementwise(op, type.element, type.element, at);
  Recording &r = Recording::here(at);
  Form form(std::string(op) + " ");
  form.values(operands.begin(), int(operands.size()));
  form.text((*flags ? std::string(" ") + flags : "") + " : " + textOf(type));
  return r.emit(std::move(form), r.typeId(type), Role::Pure, at);
}

Value compare(const char *op, const char *predicate, const Type &type, Value x,
              Value y, Place at) {
  checkElementwise(op, type.element, type.element, at);
  Recording &r = Recording::here(at);
  Type mask = type;
  mask.element = Element::I1;
  return r.emit(Form(std::string(op) + " " + predicate + ", ")
                    .value(x)
                    .text(", ")
                    .value(y)
                    .text(" : " + textOf(type)),
                r.typeId(mask), Role::Pure, at);
}

Value cast(const char *op, const Type &from, const Type &to, Value x, Place at,
           const char *detail, bool implied) {
  std::string name = op;
  if (name.starts_with("arith.")) {
    checkElementwise(name, from.element, to.element, at);
  }
  Recording &r = Recording::here(at);
  Form form(name + " ");
  form.value(x).text((*detail ? std::string(" ") + detail : "") + " : " +
                     textOf(from) + " to " + textOf(to));
  if (!implied) {
    return r.emit(std::move(form), r.typeId(to), Role::Pure, at);
  }
  Value v = r.implied(std::move(form), r.typeId(to), at);
  r.values[v].definition->isWidening = true;
  return v;
}

Value select(const Type &type, const Type &maskType, Value mask, Value x,
             Value y, Place at) {
  Recording &r = Recording::here(at);
  Form form("arith.select ");
  form.value(mask).text(", ").value(x).text(", ").value(y).text(" : ");
  form.text((maskType.rank ? textOf(maskType) + ", " : "") + textOf(type));
  return r.emit(std::move(form), r.typeId(type), Role::Pure, at);
}

Value transpose(const Type &from, const Type &to, const int *axes, Value x,
                Place at) {
  std::string op = "vector.transpose ";
  Recording &r = Recording::here(at);
  return r.emit(Form(op).value(x).text(", " + list(axes, from.rank) + " : " +
                                       textOf(from) + " to " + textOf(to)),
                r.typeId(to), Role::Pure, at);
}

Value extract(const Type &from, const Type &to, const int *part, Value x,
              Place at) {
  Recording &r = Recording::here(at);
  return r.emit(Form("tile.extract ")
                    .value(x)
                    .text(list(part, from.rank) + " : " + textOf(from) +
                          " to " + textOf(to)),
                r.typeId(to), Role::Pure, at);
}

Value iota(const Type &type, int axis, Place at) {
  Recording &r = Recording::here(at);
  return r.hoisted(
      Hoist::Iota, axis,
      Form("tile.iota " + std::to_string(axis) + " : " + textOf(type)),
      r.typeId(type), at, "lane" + std::to_string(axis));
}

Value alongAxis(const char *op, const Type &from, const Type &to, Value x,
                int axis, const char *flag, Place at) {
  Recording &r = Recording::here(at);
  return r.emit(
      Form(std::string(op) + " ")
          .value(x)
          .text(", " + std::to_string(axis) + flag + " : " + textOf(from)),
      r.typeId(to), Role::Pure, at);
}

Value cat(const Type &type, const Type &result, Value x, Value y, int axis,
          Place at) {
  Recording &r = Recording::here(at);
  return r.emit(Form("tile.cat ")
                    .value(x)
                    .text(", ")
                    .value(y)
                    .text(", " + std::to_string(axis) + " : " + textOf(type)),
                r.typeId(result), Role::Pure, at);
}

Value product(const char *op, std::initializer_list<const Type *> types,
              Values operands, const char *flag, Place at) {
  Recording &r = Recording::here(at);
  Form form(std::string(op) + " ");
  form.values(operands.begin(), int(operands.size()));
  std::string text = std::string(flag) + " : ";
  for (const Type *const &t : types) {
    text += (&t == types.begin() ? "" : ", ") + textOf(*t);
  }
  return r.emit(std::move(form.text(text)), r.typeId(*types.begin()[2]),
                Role::Pure, at);
}

Value shiftBy(const char *op, const Type &type, Value x, int bits, Place at) {
  if (bits < 0 || bits >= bitsOf(type.element)) {
    throw Error(at, std::string(textOf(type.element)) + " is shifted by 0 to " +
                        std::to_string(bitsOf(type.element) - 1) +
                        " bits, not by " + std::to_string(bits));
  }
  return elementwise(op, type, {x, integer(type, bits, at)}, at);
}

//===-- Statements --------------------------------------------------------===//

static std::string quoted(const char *what, const char *text, Place at) {
  for (const char *c = text; *c; ++c) {
    if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\') {
      throw Error(at, std::string(what) + ": the text is printable, without "
                                          "quotes and backslashes");
    }
  }
  return std::string("\"") + text + "\"";
}

void statement(const char *op, Value condition, const char *text, Place at) {
  Recording &r = Recording::here(at);
  std::string name = op;
  Op *around = r.scope().op;
  bool ofWhile = around && around->kind == Kind::While &&
                 r.scope().region == &around->regions[0];
  if (name == "measure" && !ofWhile) {
    throw Error(at, "measure() stands in the condition of a while_");
  }
  if (name == "invariant" && !ofWhile) {
    if (!around || around->kind != Kind::For) {
      throw Error(at, "invariant() stands first in the body of a range() loop "
                      "or in the condition of a while_");
    }
    for (Op *o : r.scope().region->ops) {
      if (o->role != Role::Pure && o->tokens[0].text != "tile.invariant ") {
        throw Error(at, "invariant() stands before all else in a loop's body "
                        "that touches memory or states anything");
      }
    }
  }
  if (ofWhile && name != "measure" && name != "invariant") {
    throw Error(at, name + "() has no place in the condition of a while_");
  }
  Form form("tile." + name + " ");
  form.value(condition);
  if (*text) {
    form.text(", " + quoted(op, text, at));
  }
  r.statement(std::move(form.text(name == "measure" ? " : index" : " : i1")),
              at);
}

void print(const char *label, Values values, Place at) {
  Recording &r = Recording::here(at);
  Form form("tile.print " + quoted("print", label, at));
  for (Value v : values) {
    form.text(", ").value(v);
  }
  std::string types;
  for (Value v : values) {
    types += (types.empty() ? " : " : ", ") + r.types[r.values[v].type].text;
  }
  r.statement(std::move(form.text(types)), at);
}

} // namespace recorder

recorder::Value detail::widened(const recorder::Type &from,
                                const recorder::Type &to, recorder::Value x,
                                Place at) {
  recorder::Type wide = from;
  wide.element = to.element;
  if (from.element != to.element) {
    x = recorder::cast("arith.extf", from, wide, x, at, "", true);
  }
  if (wide == to) {
    return x;
  }
  return recorder::cast("vector.broadcast", wide, to, x, at, "", true);
}

} // namespace girih::kernel
