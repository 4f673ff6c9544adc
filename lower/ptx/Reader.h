// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the reader share: Tokens.cpp, Reader.cpp with declarations,
// Statements.cpp with instructions.

#ifndef GIRIH_LOWER_PTX_READER_H
#define GIRIH_LOWER_PTX_READER_H

#include "lower/ptx/Module.h"

#include <optional>
#include <set>

namespace girih::ptx {

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

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_READER_H
