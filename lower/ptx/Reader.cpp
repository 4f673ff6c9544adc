// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Module.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <set>

namespace girih::ptx {

/// Longer lists than any kernel has: a text cannot make the reader allocate.
static constexpr uint64_t maxRegisters = 1 << 16;
static constexpr size_t maxDepth = 16;

namespace {

struct Form {
  std::string_view root, operands, modifiers;
};
constexpr Form forms[] = {
#define INSTRUCTION(root, operands, modifiers) {root, operands, modifiers},
#include "lower/ptx/Instructions.def"
};

struct Token {
  enum class Kind { Word, Number, Float, Punctuation, String, End };
  Kind kind = Kind::End;
  std::string_view text;
  size_t line = 0;
};

/// One `{ ... }` inside of an entry: its names, and what they are outside.
struct Scope {
  std::map<std::string, std::string, std::less<>> registers, labels;
};

class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) { advance(); }
  std::variant<Module, Error> run();

private:
  // Tokens.
  void advance();
  void skipSpace();
  bool is(std::string_view text) const {
    return token.kind != Token::Kind::End && token.text == text;
  }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string word();
  uint64_t number();
  int64_t integer();
  void fail(std::string message);
  bool failed() const { return error.has_value(); }

  // Declarations.
  void directive(Module &module);
  void entry(Module &module);
  void parameters(Entry &e);
  void tuning(Entry &e);
  std::vector<uint64_t> threads();
  void registers(Entry &e);
  SharedVariable shared(bool isExtern);

  // Statements.
  void body(Entry &e);
  void statement(Entry &e);
  void instruction(Entry &e);
  Operand operand(const Entry &e);
  Operand plain(const Entry &e);
  void address(const Entry &e, Operand &out);
  void check(const Entry &e, Instruction &i);
  std::string registerNamed(std::string_view name) const;
  void resolveLabels(Entry &e);
  void labelsOfScope();

  std::string_view rest;
  size_t line = 1;
  Token token;
  std::optional<Error> error;
  std::vector<Scope> scopes;
  size_t scopeCount = 0;
  std::set<std::string> sharedNames;
};

} // namespace

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.' || c == ':';
}

Type typeNamed(std::string_view name) {
  static const std::map<std::string_view, std::pair<char, unsigned>> all = {
      {"pred", {'p', 1}},   {"b8", {'b', 8}},   {"b16", {'b', 16}},
      {"b32", {'b', 32}},   {"b64", {'b', 64}}, {"u8", {'u', 8}},
      {"u16", {'u', 16}},   {"u32", {'u', 32}}, {"u64", {'u', 64}},
      {"s8", {'s', 8}},     {"s16", {'s', 16}}, {"s32", {'s', 32}},
      {"s64", {'s', 64}},   {"f16", {'f', 16}}, {"bf16", {'f', 16}},
      {"f32", {'f', 32}},   {"f64", {'f', 64}}, {"f16x2", {'f', 32}},
      {"bf16x2", {'f', 32}}};
  auto it = all.find(name);
  return it == all.end()
             ? Type{}
             : Type{it->second.first, it->second.second, std::string(name)};
}

bool Instruction::has(std::string_view part) const {
  return std::find(suffix.begin(), suffix.end(), part) != suffix.end();
}

std::vector<Type> Instruction::types() const {
  std::vector<Type> out;
  for (const std::string &s : suffix) {
    if (Type t = typeNamed(s); t.width != 0) {
      out.push_back(t);
    }
  }
  return out;
}

// Tokens.

void Reader::fail(std::string message) {
  if (!error) {
    error = Error{token.line, std::move(message)};
  }
  rest = {};
  token = {};
}

void Reader::skipSpace() {
  while (!rest.empty()) {
    if (rest.starts_with("//")) {
      rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
    } else if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      size_t size = end == rest.npos ? rest.size() : end + 2;
      line += size_t(std::count(rest.begin(), rest.begin() + size, '\n'));
      rest.remove_prefix(size);
    } else if (rest[0] == '\n') {
      ++line;
      rest.remove_prefix(1);
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      rest.remove_prefix(1);
    } else {
      return;
    }
  }
}

void Reader::advance() {
  skipSpace();
  token = {Token::Kind::End, {}, line};
  if (rest.empty()) {
    return;
  }
  size_t size = 1;
  char c = rest[0];
  if (std::isdigit(static_cast<unsigned char>(c))) {
    while (size < rest.size() &&
           std::isalnum(static_cast<unsigned char>(rest[size]))) {
      ++size;
    }
    bool isFloat = size > 1 && c == '0' && std::strchr("fFdD", rest[1]);
    if (size < rest.size() && rest[size] == '.') {
      isFloat = true;
      for (++size; size < rest.size() &&
                   std::isalnum(static_cast<unsigned char>(rest[size]));) {
        ++size;
      }
    }
    token.kind = isFloat ? Token::Kind::Float : Token::Kind::Number;
  } else if (isWordCharacter(c) && c != ':') {
    while (size < rest.size() && isWordCharacter(rest[size]) &&
           (rest[size] != ':' ||
            (size + 1 < rest.size() && rest[size + 1] == ':') ||
            rest[size - 1] == ':')) {
      ++size;
    }
    token.kind = Token::Kind::Word;
  } else if (c == '"') {
    size = rest.find('"', 1);
    if (size == rest.npos) {
      fail("text without end");
      return;
    }
    ++size;
    token.kind = Token::Kind::String;
  } else {
    token.kind = Token::Kind::Punctuation;
  }
  token.text = rest.substr(0, size);
  rest.remove_prefix(size);
}

bool Reader::accept(std::string_view text) {
  if (!is(text)) {
    return false;
  }
  advance();
  return true;
}

void Reader::expect(std::string_view text) {
  if (!accept(text)) {
    fail("expected '" + std::string(text) + "', found '" +
         std::string(token.text.substr(0, 40)) + "'");
  }
}

std::string Reader::word() {
  if (token.kind != Token::Kind::Word) {
    fail("expected a name, found '" + std::string(token.text.substr(0, 40)) +
         "'");
    return "";
  }
  std::string out(token.text);
  advance();
  return out;
}

uint64_t Reader::number() {
  std::string_view digits = token.text;
  unsigned base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  }
  if (digits.ends_with("U")) {
    digits.remove_suffix(1);
  }
  // A number that begins with 0 is octal in PTX: nobody writes one.
  bool octal = base == 10 && digits.size() > 1 && digits[0] == '0';
  uint64_t value = 0;
  bool good = token.kind == Token::Kind::Number && !digits.empty() && !octal;
  for (char c : digits) {
    unsigned digit = std::isdigit(static_cast<unsigned char>(c))
                         ? unsigned(c - '0')
                     : std::isxdigit(static_cast<unsigned char>(c))
                         ? unsigned(std::tolower(c) - 'a') + 10
                         : 99;
    good = good && digit < base && value <= (UINT64_MAX - digit) / base;
    if (!good) {
      break;
    }
    value = value * base + digit;
  }
  if (!good) {
    fail("'" + std::string(token.text.substr(0, 40)) + "' is no number");
    return 0;
  }
  advance();
  return value;
}

int64_t Reader::integer() {
  bool negative = accept("-");
  uint64_t magnitude = number();
  if (negative && magnitude > (uint64_t(1) << 63)) {
    fail("number out of range");
  }
  return int64_t(negative ? 0 - magnitude : magnitude);
}

// Declarations.

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

// Statements.

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
    if (label == scopes.back().labels.end() ||
        !e.labels.emplace(label->second, e.instructions.size()).second) {
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
  bool ends =
      last && last->guard.empty() &&
      (last->root == "ret" || last->root == "exit" || last->root == "bra");
  bool beyond = std::any_of(e.labels.begin(), e.labels.end(), [&](auto &label) {
    return label.second >= e.instructions.size();
  });
  if (!failed() && (!ends || beyond)) {
    fail("entry '" + e.name + "' runs off its end");
  }
}

std::variant<Module, Error> read(std::string_view text) {
  return Reader(text).run();
}

} // namespace girih::ptx
