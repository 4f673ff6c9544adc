// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one file's recording holds, as plain data: values, ops, regions, kernels
// and maps. Recorder functions fill it, Liveness and Schedule decide what is
// printed and in which order, Print writes it.

#ifndef GIRIH_IR_EMBED_RECORDING_H
#define GIRIH_IR_EMBED_RECORDING_H

#include "girih/kernel/Recorder.h"
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

namespace girih::kernel::recorder {

using TypeId = int;

/// What names of C++ are made of.
inline bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/// A type in the text: a vector by itself, tensors and their like by an alias.
struct NamedType {
  std::string text;
  std::string alias; // without `!`; empty where the text stands for itself
};

/// A piece of an op's text.
struct Token {
  enum Kind { Text, Operand, Type } kind;
  std::string text;
  int number = 0; // of the operand, or of the type
};

/// The text of an op while it is put together. Operands count in the order in
/// which what they need is printed, which is that of the text unless `before`
/// says more.
struct Form {
  std::vector<Token> tokens;
  std::vector<Value> operands;
  explicit Form(std::string text) { this->text(std::move(text)); }
  Form &text(std::string t);
  Form &value(Value v);
  Form &values(const Value *v, int count);
  Form &type(TypeId t);
  /// A value that is printed before the others are.
  Form &before(Value v);
};

struct Op;

struct Region {
  std::vector<Op *> ops;
  std::vector<Value> arguments, yields;
  Op *owner = nullptr;
  /// What was recorded without being written, by its text: once is enough.
  std::map<std::string, Value> implied;
};

enum class Kind { Plain, For, If, While };
/// Pure ops are printed where they are first needed; floating ones (claims,
/// loads) between the statements that they stood between; statements in order.
enum class Role { Pure, Floating, Statement };
/// Where at the top of a body an op stands that holds for all of it.
enum class Hoist {
  No,
  IndexConstant,
  Constant,
  Iota,
  BlockId,
  GridDim,
  Symbol,
  Partition,
  TileCount
};

struct Op {
  Kind kind = Kind::Plain;
  Role role = Role::Pure;
  Hoist hoist = Hoist::No;
  std::vector<Token> tokens;
  std::vector<Value> operands, results;
  std::deque<Region> regions;
  Region *in = nullptr;
  Place at;
  i64 rank = 0;            // among those hoisted alike
  std::vector<bool> keeps; // which carried or merged values are needed
  bool isLive = false, isScheduled = false;
  bool isWidening = false; // nobody wrote it, and it owes nothing
  bool isPlacedByUse = false;
  bool isOfSymbols = false; // written where their expression is
  Value condition = -1;     // of a while
};

/// A block argument or a result.
struct ValueData {
  TypeId type;
  Op *definition = nullptr;     // of a result
  Region *argumentOf = nullptr; // of a block argument
  int number = 0;               // among results or arguments
  int body = 0;
  std::string name;
  bool isNamed = false; // by the author
  Place at;
  Value standsFor = -1; // what it turned out to be
};

struct ExpressionData {
  std::string op; // of two operands; else empty
  Expression x = -1, y = -1;
  Sym symbol = 0;
  Element element = Element::Idx;
};

/// A C++ variable.
struct VariableData {
  Value value;
  int depth;
  long scope;
};

/// An open region, and what it does to variables from outside.
struct Scope {
  struct Entry {
    Value inside, outside;
  };
  Region *region;
  Op *op; // of a region; null at the top of a body
  int body;
  long serial;
  std::map<int, Entry> entries;
  std::set<int> assigned;
};

struct Argument {
  std::string name;
  TypeId type;
  Value value;
};

struct Body {
  Region top;
  std::map<std::string, Value> hoisted;
  std::deque<Op> ops;
};

struct PartitionData {
  std::string extents[8];
  int by[8], rank, body;
  Value value;
  bool ofArgument;
  std::string piece; // the type of a piece of it
};

struct KernelData {
  std::string name;
  Place at;
  std::vector<Argument> arguments;
  std::vector<Expression> grid;
  std::vector<Comparison> conditions;
  struct Repack {
    Value tensor;
    std::vector<Comparison> when;
  };
  std::vector<Repack> repack;
  std::vector<std::string> givens, covers;
  std::vector<Expression> givenExpressions;
  std::map<std::string, std::vector<std::pair<std::string, i64>>> hints;
  std::vector<std::string> targets; // of hints, in order
  std::vector<std::string> bound;   // extents of arguments, in order
  std::vector<Sym> strides;
  std::set<std::string> coverNames;
  bool hasGrid = false;
  int body = -1;
};

struct MapData {
  std::string name;
  Place at; // where it is applied first
  recorder::Map form;
  std::vector<std::string> parameters;
  std::vector<Expression> from, into;
  int bodies[2] = {-1, -1};
};

/// A launch expression ceildiv(extent, tile) in a body: the number of tiles of
/// a partition, where there is one.
struct TileCount {
  Value value;
  std::string extent;
  long tile;
};

struct When {
  std::string kernel;
  std::vector<Comparison> conditions;
};

/// The recording of this thread.
struct Recording {
  int serial = 0;
  std::vector<NamedType> types;
  std::map<std::string, TypeId> typeIds;
  std::deque<ValueData> values;
  std::vector<VariableData> variables;
  std::vector<ExpressionData> expressions;
  std::map<std::string, Element> symbolTypes;
  std::vector<std::vector<Scope>> scopes; // a stack for each body that is open
  std::deque<Body> bodies;
  std::vector<PartitionData> partitions;
  std::vector<TileCount> tileCounts;
  std::map<int, std::map<int, std::array<Value, 2>>> merges; // by region number
  std::vector<Op *> regions;
  std::deque<KernelData> kernels;
  std::deque<MapData> maps;
  std::string variantsName;
  std::vector<When> whens;
  size_t opCount = 0;
  long scopeCount = 0;
  MapData *openedMap = nullptr;

  static Recording &here(Place at = {});
  Scope &scope() { return scopes.back().back(); }
  int body() { return scope().body; }
  KernelData &kernel(Place at);

  TypeId typeId(const std::string &text, const std::string &alias = "");
  TypeId typeId(const Type &type);
  Value fresh(TypeId type, Place at, std::string name = "");
  Value emit(Form form, TypeId type, Role role, Place at);
  void statement(Form form, Place at);
  Value implied(Form form, TypeId type, Place at);
  Value hoisted(Hoist hoist, i64 rank, Form form, TypeId type, Place at,
                std::string name = "");
  /// What a value turned out to be.
  Value real(Value v) const;
  Op *region(Kind kind, int regions, Form form, Place at);
  void open(Region &region, Op *op);
  Scope close();
};

/// std::stable_sort, of which libstdc++ 12 has one that clang calls deprecated.
template <class T, class Less>
void sortStably(std::vector<T> &list, Less less) {
  std::vector<std::pair<T, size_t>> numbered;
  for (const T &x : list) {
    numbered.push_back({x, numbered.size()});
  }
  std::sort(numbered.begin(), numbered.end(), [&](auto &a, auto &b) {
    return less(a.first, b.first) ||
           (!less(b.first, a.first) && a.second < b.second);
  });
  for (size_t k = 0; k < list.size(); ++k) {
    list[k] = numbered[k].first;
  }
}

/// `vector<64x128xf32>`, `f32`.
std::string textOf(const Type &type);
/// A number of a float element as MLIR reads it back.
std::string literal(Element element, double number, Place at);
/// `[M, 128] x bf16`.
std::string textOf(const Sym &symbol);
std::string textOf(const Recording &r, Expression e);
std::string textOf(const Recording &r, const Comparison &c);
/// Refuses an op that the table of elementwise ops does not have for an
/// element.
void checkElementwise(const std::string &op, Element from, Element to,
                      Place at);
bool isPlainName(const std::string &name);
/// Refuses names that are no launch symbols, and symbols of two types.
void check(Recording &r, Expression e, Place at);

/// Takes widening of what a loop does not change out of it: once is enough.
void leaveLoops(Recording &r);
/// Decides what is printed: statements, claims and loads, and what they need.
void markLive(Recording &r, Region &top);
/// Puts the ops of a region in the order in which they are printed.
std::vector<Op *> schedule(Recording &r, Region &region);
/// Gives values the names of the C++ variables that they are assigned to, where
/// the source can be read.
void nameFromSource(Recording &r);
File print(Recording &r);

} // namespace girih::kernel::recorder

#endif // GIRIH_IR_EMBED_RECORDING_H
