// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the values of a function come from: the op that defines each, and
// integers as sums of multiples, which is how tile indices and addresses are
// recognised.

#ifndef GIRIH_LOWER_IMPORT_SOURCES_H
#define GIRIH_LOWER_IMPORT_SOURCES_H

#include "lower/import/Import.h"

#include <set>

namespace girih::importer {

[[noreturn]] void refuse(const readback::Op &op, const std::string &why);

bool is(const readback::Op &op, std::string_view name);
/// The one operand of that name.
unsigned operand(const readback::Op &op, const char *name);
int64_t attribute(const readback::Op &op, const char *name);
/// Of one element, as a constant or in memory.
unsigned bytesOf(const readback::Type &t);
int64_t lanesOf(const readback::Shape &shape);

/// What an integer is made of: a number of the launch, or a value.
struct Leaf {
  enum class Kind { Block, Iota, Value } kind = Kind::Value;
  int64_t number = 0; ///< axis of the grid, lanes, or the value
  auto operator<=>(const Leaf &) const = default;
};

/// `constant` and the sum of multiples of leaves.
struct Linear {
  int64_t constant = 0;
  std::map<Leaf, int64_t> terms;
};

class Sources {
public:
  explicit Sources(const readback::Function &f);

  const readback::Function &f;

  /// Null for parameters and what a region takes.
  const readback::Op *definition(unsigned value) const {
    return definitions[value];
  }
  /// All ops, regions included, in order.
  const std::vector<const readback::Op *> &ops() const { return all; }

  /// Behind assumptions.
  unsigned plain(unsigned value) const;
  /// Behind assumptions, other shapes and wider integers.
  unsigned origin(unsigned value) const;
  /// The parameter that it comes from, if it does.
  std::optional<unsigned> parameter(unsigned value) const;
  /// Of an integer whose lanes are all equal and known.
  std::optional<int64_t> constant(unsigned value) const;
  Linear linear(unsigned value) const { return linear(value, 0); }
  /// Whether a value has a say in what is touched: in an index, an address, a
  /// mask, a condition or a bound.
  bool steers(unsigned value) const { return steering[value]; }
  bool isUsed(unsigned value) const { return used[value]; }

private:
  void visit(const std::vector<readback::Op> &ops);
  void steer(unsigned value);
  Linear linear(unsigned value, unsigned depth) const;

  std::vector<const readback::Op *> definitions, all;
  /// Of what a loop or branch hands on: where else it comes from.
  std::map<unsigned, std::vector<unsigned>> handed;
  std::vector<bool> steering, used;
  mutable std::map<unsigned, Linear> forms;
};

} // namespace girih::importer

#endif // GIRIH_LOWER_IMPORT_SOURCES_H
