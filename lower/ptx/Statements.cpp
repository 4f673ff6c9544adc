// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Reader.h"

#include <algorithm>

namespace girih::ptx {

/// Deeper than any scope of a kernel.
static constexpr size_t maxDepth = 16;

namespace {
struct Form {
  std::string_view root, operands, modifiers;
};
constexpr Form forms[] = {
#define INSTRUCTION(root, operands, modifiers) {root, operands, modifiers},
#include "lower/ptx/Instructions.def"
};
} // namespace

/// Labels may be used before they stand, and inner ones hide outer ones: those
/// of a scope are collected when it is entered.
void Reader::labelsOfScope() {
  std::string_view ahead = rest;
  size_t depth = 0, number = scopeCount;
  Reader look("");
  look.rest = ahead;
  look.line = line;
  look.token = token;
  while (look.token.kind != Token::Kind::End) {
    if (look.is("{")) {
      ++depth;
    } else if (look.is("}")) {
      if (depth-- == 0) {
        return;
      }
    } else if (depth == 0 && look.token.kind == Token::Kind::Word) {
      std::string name(look.token.text);
      look.advance();
      if (look.is(":")) {
        std::string known =
            scopes.size() == 1 ? name : name + "@" + std::to_string(number);
        if (!scopes.back().labels.emplace(name, known).second) {
          token.line = look.token.line;
          fail("label '" + name + "' stands twice");
          return;
        }
      }
      continue;
    }
    look.advance();
  }
}

void Reader::body(Entry &e) {
  if (scopes.size() > maxDepth) {
    fail("scopes are nested too deep");
  }
  while (!failed() && !accept("}")) {
    if (token.kind == Token::Kind::End) {
      fail("an entry without end");
    } else if (accept("{")) {
      ++scopeCount;
      scopes.emplace_back();
      labelsOfScope();
      body(e);
      scopes.pop_back();
    } else {
      statement(e);
    }
  }
}

void Reader::statement(Entry &e) {
  if (accept(".reg")) {
    registers(e);
  } else if (accept(".shared")) {
    e.shared.push_back(shared(false));
  } else if (accept(".pragma")) {
    if (!is("\"nounroll\"")) {
      fail("unknown pragma " + std::string(token.text.substr(0, 40)));
    }
    advance();
    expect(";");
  } else if (accept(".loc")) {
    // file, line, column: of the source, for a debugger
    number();
    number();
    number();
  } else {
    instruction(e);
  }
}

void Reader::instruction(Entry &e) {
  Instruction i;
  i.line = token.line;
  if (accept("@")) {
    i.guardNegated = accept("!");
    i.guard = registerNamed(token.text);
    if (i.guard.empty() || e.registers[i.guard].kind != 'p') {
      fail("'" + std::string(token.text.substr(0, 40)) + "' is no predicate");
    }
    advance();
  }
  i.opcode = word();
  if (i.guard.empty() && accept(":")) {
    auto label = scopes.back().labels.find(i.opcode);
    if (label == scopes.back().labels.end()) {
      fail("label '" + i.opcode + "' stands twice");
      return;
    }
    // Two labels at one place are two blocks, or a loop that begins with a loop
    // would be one with it: a jump to the second stands between.
    bool another =
        std::any_of(e.labels.begin(), e.labels.end(), [&](const auto &l) {
          return l.second == e.instructions.size();
        });
    if (another) {
      Instruction jump;
      jump.line = i.line;
      jump.opcode = jump.root = "bra";
      jump.operands.resize(1);
      jump.operands[0].kind = Operand::Kind::Label;
      jump.operands[0].name = label->second;
      e.instructions.push_back(std::move(jump));
    }
    if (!e.labels.emplace(label->second, e.instructions.size()).second) {
      fail("label '" + i.opcode + "' stands twice");
    }
    return;
  }
  while (!failed() && !is(";")) {
    if (!i.operands.empty()) {
      expect(",");
    }
    i.operands.push_back(operand(e));
  }
  std::string_view left = i.opcode;
  for (bool first = true; !left.empty(); first = false) {
    size_t dot = std::min(left.find('.'), left.size());
    std::string part(left.substr(0, dot));
    left.remove_prefix(std::min(dot + 1, left.size()));
    first ? i.root = part : i.suffix.emplace_back(part);
  }
  if (!failed()) {
    check(e, i);
  }
  expect(";");
  e.instructions.push_back(std::move(i));
}

void Reader::address(const Entry &e, Operand &out) {
  out.kind = Operand::Kind::Address;
  out.parts.push_back(plain(e));
  if (accept("+")) {
    out.value = integer();
  } else if (is("-")) {
    out.value = integer();
  }
  expect("]");
}

Operand Reader::operand(const Entry &e) {
  Operand out;
  if (accept("[")) {
    address(e, out);
    return out;
  }
  if (accept("{")) {
    out.kind = Operand::Kind::Vector;
    do {
      out.parts.push_back(plain(e));
    } while (!failed() && accept(","));
    expect("}");
    return out;
  }
  out = plain(e);
  if (accept("|")) {
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.parts.push_back(std::move(out));
    pair.parts.push_back(plain(e));
    return pair;
  }
  return out;
}

Operand Reader::plain(const Entry &e) {
  static const std::set<std::string_view> specials = {
      "%tid.x",    "%tid.y",    "%tid.z",   "%ntid.x",  "%ntid.y",
      "%ntid.z",   "%ctaid.x",  "%ctaid.y", "%ctaid.z", "%nctaid.x",
      "%nctaid.y", "%nctaid.z", "%laneid"};
  Operand out;
  if (token.kind == Token::Kind::Float) {
    out.kind = Operand::Kind::Float;
    out.name = std::string(token.text);
    advance();
    return out;
  }
  if (token.kind != Token::Kind::Word) {
    out.value = integer();
    return out;
  }
  std::string_view name = token.text;
  if (name == "_") {
    out.kind = Operand::Kind::Sink;
  } else if (specials.contains(name)) {
    out.kind = Operand::Kind::Special;
    out.name = std::string(name);
  } else if (std::string known = registerNamed(name); !known.empty()) {
    out.kind = Operand::Kind::Register;
    out.name = std::move(known);
  } else {
    for (size_t i = scopes.size(); i-- > 0 && out.name.empty();) {
      auto it = scopes[i].labels.find(name);
      out.name = it == scopes[i].labels.end() ? "" : it->second;
    }
    out.kind = Operand::Kind::Label;
    bool isParameter =
        std::any_of(e.parameters.begin(), e.parameters.end(),
                    [&](const Parameter &p) { return p.name == name; });
    if (out.name.empty() &&
        (isParameter || sharedNames.contains(std::string(name)))) {
      out.kind = Operand::Kind::Symbol;
      out.name = std::string(name);
    }
    if (out.name.empty()) {
      fail("unknown name '" + std::string(name.substr(0, 60)) + "'");
      return out;
    }
  }
  advance();
  if (out.kind == Operand::Kind::Symbol && accept("+")) {
    out.value = integer();
  }
  return out;
}

/// Whether the operand may stand where the list has this letter.
static bool fits(const Operand &o, char letter) {
  using Kind = Operand::Kind;
  switch (letter) {
  case 'M':
    return o.kind == Kind::Address;
  case 'L':
    return o.kind == Kind::Label;
  case 'D':
    if (o.kind == Kind::Vector || o.kind == Kind::Pair) {
      return std::all_of(o.parts.begin(), o.parts.end(), [](const Operand &p) {
        return p.kind == Kind::Register || p.kind == Kind::Sink;
      });
    }
    return o.kind == Kind::Register || o.kind == Kind::Sink;
  default:
    return o.kind != Kind::Address && o.kind != Kind::Label &&
           o.kind != Kind::Pair && o.kind != Kind::Sink;
  }
}

static bool matches(const Instruction &i, const Form &form) {
  if (i.root != form.root || i.operands.size() > form.operands.size()) {
    return false;
  }
  for (size_t k = 0; k < form.operands.size(); ++k) {
    char letter = form.operands[k];
    bool optional = letter == 's';
    if (k >= i.operands.size()
            ? !optional
            : !fits(i.operands[k], optional ? 'S' : letter)) {
      return false;
    }
  }
  std::string padded = " " + std::string(form.modifiers) + " ";
  return std::all_of(i.suffix.begin(), i.suffix.end(),
                     [&](const std::string &s) {
                       return typeNamed(s).width != 0 ||
                              padded.find(" " + s + " ") != padded.npos;
                     });
}

void Reader::check(const Entry &, Instruction &i) {
  for (const Form &form : forms) {
    if (matches(i, form)) {
      i.written = form.operands.starts_with("D") ? 1 : 0;
      return;
    }
  }
  error = Error{i.line, "'" + i.opcode + "' with " +
                            std::to_string(i.operands.size()) +
                            " operands is not in the list of instructions"};
  fail("");
}

void Reader::resolveLabels(Entry &e) {
  for (const Instruction &i : e.instructions) {
    if (i.root == "bra" && !e.labels.contains(i.operands[0].name)) {
      fail("label '" + i.operands[0].name + "' does not stand");
    }
  }
  const Instruction *last =
      e.instructions.empty() ? nullptr : &e.instructions.back();
  bool ends = last && last->guard.empty() &&
              (last->root == "ret" || last->root == "exit" ||
               last->root == "bra" || last->root == "trap");
  bool beyond = std::any_of(e.labels.begin(), e.labels.end(), [&](auto &label) {
    return label.second >= e.instructions.size();
  });
  if (!failed() && (!ends || beyond)) {
    fail("entry '" + e.name + "' runs off its end");
  }
}

} // namespace girih::ptx
