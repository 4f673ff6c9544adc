// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Builder.h"

namespace girih::tileir {

static int64_t code(auto enumerator) {
  return static_cast<int64_t>(enumerator);
}

TileType scalarType(Element e) { return {e, {}, false}; }

std::vector<Value> Builder::append(Opcode opcode,
                                   std::vector<Attribute> attributes,
                                   std::vector<std::vector<Value>> operands,
                                   std::vector<Type> results,
                                   std::vector<Region> regions) {
  Op op{opcode, std::move(attributes), std::move(operands),
        {},     std::move(regions),    place};
  for (Type &t : results) {
    op.results.push_back(function.add(std::move(t)));
  }
  ops->push_back(std::move(op));
  return ops->back().results;
}

Value Builder::one(Opcode opcode, std::vector<Attribute> attributes,
                   std::vector<Value> operands, Type result) {
  std::vector<std::vector<Value>> groups;
  for (Value v : operands) {
    groups.push_back({v});
  }
  return append(opcode, std::move(attributes), std::move(groups),
                {std::move(result)})[0];
}

Value Builder::integer(int64_t n, TileType type) {
  Constant c;
  for (unsigned bits = 0; bits < elementBits(type.element); bits += 8) {
    c.bytes.push_back(static_cast<uint8_t>(n >> bits));
  }
  if (type.element == Element::I1) {
    c.bytes[0] = n & 1 ? allBits : 0;
  }
  return one(Opcode::Constant, {c}, {}, std::move(type));
}

Value Builder::add(Value a, Value b, Overflow overflow) {
  return one(Opcode::AddI, {code(overflow)}, {a, b}, typeOf(a));
}

Value Builder::subtract(Value a, Value b, Overflow overflow) {
  return one(Opcode::SubI, {code(overflow)}, {a, b}, typeOf(a));
}

Value Builder::multiply(Value a, Value b, Overflow overflow) {
  return one(Opcode::MulI, {code(overflow)}, {a, b}, typeOf(a));
}

Value Builder::maximum(Value a, Value b) {
  return one(Opcode::MaxI, {code(Signedness::Signed)}, {a, b}, typeOf(a));
}

Value Builder::minimum(Value a, Value b) {
  return one(Opcode::MinI, {code(Signedness::Signed)}, {a, b}, typeOf(a));
}

Value Builder::divide(Value a, Value b, Rounding rounding) {
  return one(Opcode::DivI, {code(Signedness::Signed), code(rounding)}, {a, b},
             typeOf(a));
}

Value Builder::remainder(Value a, Value b) {
  return one(Opcode::RemI, {code(Signedness::Signed)}, {a, b}, typeOf(a));
}

Value Builder::compare(Predicate predicate, Value a, Value b) {
  return one(Opcode::CmpI, {code(predicate), code(Signedness::Signed)}, {a, b},
             TileType{Element::I1, tileOf(a).shape, false});
}

Value Builder::bitAnd(Value a, Value b) {
  return one(Opcode::AndI, {}, {a, b}, typeOf(a));
}

Value Builder::castSigned(Value v, Element to) {
  TileType type = tileOf(v);
  unsigned from = elementBits(type.element);
  if (type.element == to) {
    return v;
  }
  type.element = to;
  if (from < elementBits(to)) {
    return one(Opcode::ExtI, {code(Signedness::Signed)}, {v}, type);
  }
  return one(Opcode::TruncI, {code(Overflow::None)}, {v}, type);
}

Value Builder::assume(Value v, Attribute that, std::string words) {
  if (facts) {
    function.facts.push_back(std::move(words));
  }
  return assume(v, std::move(that));
}

Value Builder::assume(Value v, Attribute that) {
  return facts ? one(Opcode::Assume, {std::move(that)}, {v}, typeOf(v)) : v;
}

Value Builder::reshape(Value v, const std::vector<int64_t> &shape) {
  TileType type = tileOf(v);
  if (type.shape == shape) {
    return v;
  }
  type.shape = shape;
  return one(Opcode::Reshape, {}, {v}, type);
}

Value Builder::broadcast(Value v, const std::vector<int64_t> &shape) {
  std::vector<int64_t> own = tileOf(v).shape;
  own.insert(own.begin(), shape.size() - own.size(), 1);
  v = reshape(v, own);
  if (own == shape) {
    return v;
  }
  TileType type = tileOf(v);
  type.shape = shape;
  return one(Opcode::Broadcast, {}, {v}, type);
}

} // namespace girih::tileir
