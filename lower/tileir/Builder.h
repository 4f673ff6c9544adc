// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Appends ops to a function: one short call an op, with the attributes that
// this project always wants.

#ifndef GIRIH_LOWER_TILEIR_BUILDER_H
#define GIRIH_LOWER_TILEIR_BUILDER_H

#include "lower/tileir/Encoding.h"

namespace girih::tileir {

TileType scalarType(Element e);

/// Appends to the ops of one region at a time.
class Builder {
public:
  explicit Builder(Function &f, bool facts = true)
      : function(f), ops(&f.body.ops), facts(facts) {}

  /// What is appended from now on is there for the sake of this place.
  void at(SourcePlace where) { place = where; }

  const Type &typeOf(Value v) const { return function.types[v]; }
  /// The type of a value that is a tile.
  const TileType &tileOf(Value v) const {
    return std::get<TileType>(function.types[v]);
  }

  /// Any op; one result type a result.
  std::vector<Value> append(Opcode opcode, std::vector<Attribute> attributes,
                            std::vector<std::vector<Value>> operands,
                            std::vector<Type> results,
                            std::vector<Region> regions = {});
  /// An op of one result whose operands are single values.
  Value one(Opcode opcode, std::vector<Attribute> attributes,
            std::vector<Value> operands, Type result);

  /// The number n in every lane; wrapped to the element's bits.
  Value integer(int64_t n, TileType type);
  Value index(int64_t n) { return integer(n, scalarType(Element::I64)); }

  Value add(Value a, Value b, Overflow overflow = Overflow::None);
  Value subtract(Value a, Value b, Overflow overflow = Overflow::None);
  Value multiply(Value a, Value b, Overflow overflow = Overflow::None);
  Value maximum(Value a, Value b); ///< signed integers
  Value minimum(Value a, Value b);
  /// Of at least 0, by at least 1.
  Value divide(Value a, Value b, Rounding rounding = Rounding::Zero);
  Value remainder(Value a, Value b);
  Value compare(Predicate predicate, Value a, Value b); ///< signed integers
  Value bitAnd(Value a, Value b);
  /// A signed integer as another type of integer.
  Value castSigned(Value v, Element to);
  /// The value with a fact that `words` names; as it was without facts.
  Value assume(Value v, Attribute that, std::string words);
  /// The same with a fact that is named elsewhere.
  Value assume(Value v, Attribute that);

  /// The same lanes in row-major order under another shape.
  Value reshape(Value v, const std::vector<int64_t> &shape);
  /// A value whose shape, aligned at the end, repeats along axes of 1.
  Value broadcast(Value v, const std::vector<int64_t> &shape);

  /// What `fill` appends goes into a region of its own with these arguments.
  template <typename F> Region region(std::vector<Type> arguments, F fill) {
    Region r;
    for (Type &t : arguments) {
      r.arguments.push_back(function.add(std::move(t)));
    }
    std::vector<Op> *outside = ops;
    SourcePlace before = place;
    ops = &r.ops;
    fill(r.arguments);
    ops = outside;
    place = before;
    return r;
  }

private:
  Function &function;
  std::vector<Op> *ops;
  bool facts;
  SourcePlace place;
};

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_BUILDER_H
