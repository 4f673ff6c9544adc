// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Reader.h"

#include <algorithm>

namespace girih::ptx {

/// Longer lists than any kernel has: a text cannot make the reader allocate.
static constexpr uint64_t maxRegisters = 1 << 16;

std::variant<Module, Error> Reader::run() {
  Module module;
  while (!failed() && token.kind != Token::Kind::End) {
    directive(module);
  }
  if (!failed() && module.version.empty()) {
    fail("no .version");
  }
  if (failed()) {
    return *error;
  }
  return module;
}

void Reader::directive(Module &module) {
  if (accept(".version")) {
    module.version = std::string(token.text);
    advance();
  } else if (accept(".target")) {
    module.target = word();
  } else if (accept(".address_size")) {
    if (number() != 64 && !failed()) {
      fail("addresses do not have 64 bits");
    }
  } else if (is(".extern") || is(".shared")) {
    bool isExtern = accept(".extern");
    expect(".shared");
    module.shared.push_back(shared(isExtern));
  } else if (is(".visible") || is(".entry")) {
    accept(".visible");
    expect(".entry");
    entry(module);
  } else {
    fail("unknown directive '" + std::string(token.text.substr(0, 40)) + "'");
  }
}

SharedVariable Reader::shared(bool isExtern) {
  SharedVariable out;
  if (accept(".align")) {
    out.align = number();
  }
  Type element = typeNamed(token.text.substr(token.text.empty() ? 0 : 1));
  if (element.width < 8 && !failed()) {
    fail("unknown type '" + std::string(token.text.substr(0, 40)) + "'");
  }
  advance();
  out.name = word();
  uint64_t count = 1;
  if (accept("[")) {
    out.dynamic = is("]");
    count = out.dynamic ? 0 : number();
    expect("]");
  }
  expect(";");
  bool powerOfTwo = out.align != 0 && (out.align & (out.align - 1)) == 0;
  if (!failed() && (count > (1 << 20) || !powerOfTwo || out.align > 4096)) {
    fail("shared variable '" + out.name + "' is too large or ill aligned");
  }
  out.bytes = count * (element.width / 8);
  if (!failed() && out.dynamic != isExtern) {
    fail("shared variable '" + out.name + "' has no size");
  }
  if (!failed() && !sharedNames.insert(out.name).second) {
    fail("'" + out.name + "' is declared twice");
  }
  return out;
}

void Reader::entry(Module &module) {
  Entry e;
  e.line = token.line;
  e.name = word();
  parameters(e);
  tuning(e);
  scopes.assign(1, {});
  std::set<std::string> moduleNames = sharedNames;
  expect("{");
  labelsOfScope();
  body(e);
  resolveLabels(e);
  sharedNames = std::move(moduleNames);
  for (const Entry &other : module.entries) {
    if (!failed() && other.name == e.name) {
      fail("two entries are named '" + e.name + "'");
    }
  }
  module.entries.push_back(std::move(e));
}

void Reader::parameters(Entry &e) {
  expect("(");
  while (!failed() && !accept(")")) {
    if (!e.parameters.empty()) {
      expect(",");
    }
    expect(".param");
    Parameter p;
    p.type = typeNamed(token.text.substr(token.text.empty() ? 0 : 1));
    if (p.type.width < 8) {
      fail("parameter of unknown type '" +
           std::string(token.text.substr(0, 40)) + "'");
    }
    advance();
    accept(".ptr");
    accept(".global");
    if (accept(".align")) {
      number();
    }
    p.name = word();
    if (is("[")) {
      fail("parameter '" + p.name + "' is an array");
    }
    e.parameters.push_back(std::move(p));
  }
}

std::vector<uint64_t> Reader::threads() {
  std::vector<uint64_t> out = {number()};
  while (accept(",")) {
    out.push_back(number());
  }
  out.resize(std::max<size_t>(out.size(), 3), 1);
  return out;
}

void Reader::tuning(Entry &e) {
  while (!failed() && !is("{")) {
    if (accept(".maxntid")) {
      e.maxThreads = threads();
    } else if (accept(".reqntid")) {
      e.requiredThreads = threads();
    } else if (accept(".minnctapersm") || accept(".maxnreg")) {
      number();
    } else {
      fail("unknown directive '" + std::string(token.text.substr(0, 40)) + "'");
    }
  }
}

std::string Reader::registerNamed(std::string_view name) const {
  for (size_t i = scopes.size(); i-- > 0;) {
    auto it = scopes[i].registers.find(name);
    if (it != scopes[i].registers.end()) {
      return it->second;
    }
  }
  return "";
}

void Reader::registers(Entry &e) {
  Type type = typeNamed(token.text.substr(token.text.empty() ? 0 : 1));
  if (type.width == 0) {
    fail("unknown type '" + std::string(token.text.substr(0, 40)) + "'");
  }
  advance();
  do {
    std::string name = word();
    uint64_t count = 1;
    bool many = accept("<");
    if (many) {
      count = number();
      expect(">");
    }
    if (!failed() && e.registers.size() + count > maxRegisters) {
      fail("too many registers");
    }
    for (uint64_t i = 0; i < count && !failed(); ++i) {
      std::string one = many ? name + std::to_string(i) : name;
      // An inner scope has names of its own.
      std::string known =
          scopes.size() == 1 ? one : one + "@" + std::to_string(scopeCount);
      if (!scopes.back().registers.emplace(one, known).second ||
          !e.registers.emplace(known, type).second) {
        fail("register '" + one + "' is declared twice");
      }
    }
  } while (!failed() && accept(","));
  expect(";");
}

std::variant<Module, Error> read(std::string_view text) {
  return Reader(text).run();
}

} // namespace girih::ptx
