// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values, ops and C++ variables. In a loop or branch the first use of a
// variable from outside makes a stand-in. When the region ends, the stand-in is
// what the region carries, if the variable was assigned to, and the value from
// outside, if not.

#include "Recording.h"
#include <atomic>

namespace girih::kernel {

static std::string placed(const std::string &file, unsigned line,
                          const std::string &message) {
  std::string at = line ? file + ":" + std::to_string(line) + ": " : "";
  return at + "error: " + message;
}

Error::Error(const char *file, unsigned line, const std::string &message)
    : std::runtime_error(placed(file, line, message)), file(file),
      message(message), line(line) {}
Error::Error(Place at, const std::string &message)
    : Error(at.file_name(), at.line(), message) {}

namespace recorder {

static thread_local Recording *current = nullptr;
/// Of all threads, so that a tile of another thread's kernel is found out, too.
static std::atomic<int> recordings = 0;
/// What recursion over ops may go through, with room to spare.
static constexpr size_t maxOps = 1 << 14;

Recording &Recording::here(Place at) {
  if (!current) {
    throw Error(at, "a tile, an index or a launch expression outside of a "
                    "kernel's operator()");
  }
  return *current;
}

void begin() {
  if (current) {
    throw Error({}, "a kernel is being recorded on this thread already");
  }
  current = new Recording;
  current->serial = ++recordings;
}
void abandon() {
  delete current;
  current = nullptr;
}
File finish(const char *name, Place at) {
  Recording &r = Recording::here(at);
  if (*name && !isPlainName(name)) {
    throw Error(at, "'" + std::string(name) +
                        "' cannot name a kernel: a letter, then letters, "
                        "digits and underscores");
  }
  if (*name) {
    (r.variantsName.empty() ? r.kernels[0].name : r.variantsName) = name;
  }
  return print(r);
}

static std::vector<ListedKernel> &all() {
  static std::vector<ListedKernel> kernels;
  return kernels;
}
bool list(const ListedKernel &kernel) {
  all().push_back(kernel);
  return true;
}
const std::vector<ListedKernel> &listedKernels() { return all(); }

//===-- Forms -------------------------------------------------------------===//

Form &Form::text(std::string t) {
  if (!tokens.empty() && tokens.back().kind == Token::Text) {
    tokens.back().text += t;
  } else {
    tokens.push_back({Token::Text, std::move(t)});
  }
  return *this;
}
Form &Form::value(Value v) {
  tokens.push_back({Token::Operand, "", v});
  operands.push_back(v);
  return *this;
}
Form &Form::values(const Value *v, int count) {
  for (int k = 0; k < count; ++k) {
    text(k ? ", " : "").value(v[k]);
  }
  return *this;
}
Form &Form::type(TypeId t) {
  tokens.push_back({Token::Type, "", t});
  return *this;
}
Form &Form::before(Value v) {
  operands.insert(operands.begin(), v);
  return *this;
}

//===-- Values and ops ----------------------------------------------------===//

TypeId Recording::typeId(const std::string &text, const std::string &alias) {
  auto [it, isNew] = typeIds.try_emplace(text, int(types.size()));
  if (isNew) {
    types.push_back({text, alias});
  }
  return it->second;
}
TypeId Recording::typeId(const Type &type) { return typeId(textOf(type)); }

Value Recording::fresh(TypeId type, Place at, std::string name) {
  ValueData v;
  v.type = type;
  v.body = scopes.empty() ? 0 : body();
  v.at = at;
  v.name = std::move(name);
  values.push_back(std::move(v));
  return Value(values.size()) - 1;
}

Value Recording::real(Value v) const {
  while (values[v].standsFor >= 0) {
    v = values[v].standsFor;
  }
  return v;
}

/// What was recorded without a place stands where it is first used.
static void placeUnplaced(Recording &r, Value v, Place at) {
  Op *op = r.values[v].definition;
  if (!op || op->at.line() || !at.line()) {
    return;
  }
  op->at = r.values[v].at = at;
  op->isPlacedByUse = true;
  for (Value operand : op->operands) {
    placeUnplaced(r, operand, at);
  }
}

static Op &add(Recording &r, Region &in, Form &form, Role role, Place at) {
  if (++r.opCount > maxOps) {
    throw Error(at, "a kernel has at most " + std::to_string(maxOps) +
                        " ops: is a loop of C++ to be a range()?");
  }
  for (Value v : form.operands) {
    if (r.values[v].body != r.body()) {
      throw Error(at, "a map sees its arguments and its parameters, and no "
                      "value of the kernel");
    }
    placeUnplaced(r, v, at);
  }
  Op &op = r.bodies[r.body()].ops.emplace_back();
  op.role = role;
  op.tokens = std::move(form.tokens);
  op.operands = std::move(form.operands);
  op.in = &in;
  op.at = at;
  in.ops.push_back(&op);
  return op;
}
static Value result(Recording &r, Op &op, TypeId type, Place at,
                    std::string name = "") {
  Value v = r.fresh(type, at, std::move(name));
  r.values[v].definition = &op;
  r.values[v].number = int(op.results.size());
  op.results.push_back(v);
  return v;
}

Value Recording::emit(Form form, TypeId type, Role role, Place at) {
  Op *around = scope().op;
  if (around && around->kind == Kind::While &&
      &around->regions[0] == scope().region && role == Role::Floating) {
    throw Error(at, "the condition of a while touches no memory: load in the "
                    "body, and carry what is loaded");
  }
  return result(*this, add(*this, *scope().region, form, role, at), type, at);
}
void Recording::statement(Form form, Place at) {
  add(*this, *scope().region, form, Role::Statement, at);
}
static std::string keyOf(const Recording &r, const Form &form) {
  std::string key;
  for (const Token &t : form.tokens) {
    key += t.kind == Token::Text      ? t.text
           : t.kind == Token::Operand ? "%" + std::to_string(r.real(t.number))
                                      : "!" + std::to_string(t.number);
  }
  return key;
}
Value Recording::implied(Form form, TypeId type, Place at) {
  Region &in = *scope().region;
  std::string key = keyOf(*this, form);
  if (auto it = in.implied.find(key); it != in.implied.end()) {
    return it->second;
  }
  Value v = emit(std::move(form), type, Role::Pure, at);
  in.implied.emplace(key, v);
  return v;
}
Value Recording::hoisted(Hoist hoist, i64 rank, Form form, TypeId type,
                         Place at, std::string name) {
  Body &b = bodies[body()];
  std::string key = keyOf(*this, form);
  auto [it, isNew] = b.hoisted.try_emplace(key, -1);
  if (isNew) {
    Region nowhere; // the schedule finds it by need
    Op &op = add(*this, nowhere, form, Role::Pure, at);
    op.in = &b.top;
    op.hoist = hoist;
    op.rank = rank;
    it->second = result(*this, op, type, at, std::move(name));
  }
  return it->second;
}

//===-- Variables ---------------------------------------------------------===//

bool isOpen() { return current; }

Slot copy(Slot slot) {
  return slot.recording || current ? declare(read(slot, {})) : slot;
}

Slot declare(Value value) {
  Recording &r = Recording::here();
  r.variables.push_back(
      {value, int(r.scopes.back().size()) - 1, r.scope().serial});
  return {int(r.variables.size()) - 1, r.serial};
}

Value read(Slot slot, Place at) {
  Recording &r = Recording::here(at);
  if (slot.recording != r.serial) {
    throw Error(at, "a tile outlived the kernel that made it: no tile is "
                    "static or global");
  }
  VariableData &v = r.variables[slot.number];
  std::vector<Scope> &scopes = r.scopes.back();
  if (v.depth >= int(scopes.size()) || scopes[v.depth].serial != v.scope) {
    if (r.values[v.value].body != r.body()) {
      throw Error(at, "a map sees its arguments and its parameters, and no "
                      "value of the kernel");
    }
    throw Error(at.line() ? at : r.values[v.value].at,
                "a value made in a loop or branch is used behind it: assign it "
                "to a variable from outside");
  }
  for (size_t d = v.depth + 1; d < scopes.size(); ++d) {
    auto [it, isNew] = scopes[d].entries.try_emplace(
        slot.number, Scope::Entry{v.value, v.value});
    if (isNew) {
      ValueData outside = r.values[v.value];
      it->second.inside = r.fresh(outside.type, outside.at, outside.name);
      v.value = it->second.inside;
    }
  }
  return v.value;
}

void assign(Slot slot, Value value) {
  Recording &r = Recording::here();
  Place at = r.values[value].at;
  read(slot, at);
  std::vector<Scope> &scopes = r.scopes.back();
  VariableData &v = r.variables[slot.number];
  for (size_t d = v.depth + 1; d < scopes.size(); ++d) {
    Scope &s = scopes[d];
    if (s.op->kind == Kind::While && s.region == &s.op->regions[0]) {
      throw Error(at, "the condition of a while assigns nothing from outside");
    }
    s.assigned.insert(slot.number);
  }
  v.value = value;
}

void place(Value value, Place at) {
  placeUnplaced(Recording::here(), value, at);
}

} // namespace recorder
} // namespace girih::kernel
