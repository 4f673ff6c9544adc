// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of tiles, and tiles put together: of values, and of lanes that tell
// where to go.

#include "lower/import/Import.h"
#include "lower/tileir/Builder.h"
#include "lower/tileir/Writer.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::tileir;

namespace {

/// y[i] = x[j] in each of 16 lanes, i and j as a test makes them.
struct Moves {
  Module module;
  Function &f;
  Builder b;
  std::vector<Value> x, y;
  Value lane = {};

  Moves() : f(module.functions.emplace_back()), b(f) {
    f.name = "moves";
    x = array();
    y = array();
  }

  Value parameter(TileType type) {
    Value v = f.add(std::move(type));
    f.body.arguments.push_back(v);
    return v;
  }
  Value number() { return parameter(scalarType(Element::I32)); }

  /// The address of an array of one axis, and its extent and stride.
  std::vector<Value> array() {
    Value address = parameter(TileType{Element::F32, {}, true});
    Value extent = number();
    return {address, extent, number()};
  }

  /// The numbers of 16 lanes.
  Value count() {
    return b.one(Opcode::Iota, {}, {}, TileType{Element::I64, {16}, false});
  }

  Value constant(int64_t n) { return b.integer(n, scalarType(Element::I32)); }

  Value extract(Value of, const std::vector<int64_t> &shape,
                std::vector<Value> numbers) {
    TileType type = b.tileOf(of);
    type.shape = shape;
    return b.append(Opcode::Extract, {}, {{of}, std::move(numbers)}, {type})[0];
  }

  Value cat(Value first, Value second, int64_t axis) {
    TileType type = b.tileOf(first);
    type.shape[size_t(axis)] *= 2;
    return b.one(Opcode::Cat, {axis}, {first, second}, type);
  }

  Value addresses(const std::vector<Value> &array, Value at) {
    Value stride = b.castSigned(array[2], Element::I64);
    std::vector<int64_t> shape = b.tileOf(at).shape;
    Value offset = b.multiply(at, b.broadcast(stride, shape));
    return b.one(Opcode::Offset, {}, {b.broadcast(array[0], shape), offset},
                 TileType{Element::F32, shape, true});
  }

  Value load(Value at) {
    TileType type{Element::F32, b.tileOf(at).shape, false};
    return b.append(Opcode::LoadPtr, {int64_t(Semantics::Weak), {}, {}},
                    {{addresses(x, at)}, {}, {}, {}}, {type, TokenType{}})[0];
  }

  std::string store(Value v, Value at) {
    b.append(Opcode::StorePtr, {int64_t(Semantics::Weak), {}, {}},
             {{addresses(y, at)}, {v}, {}, {}}, {TokenType{}});
    b.append(Opcode::Return, {}, {{}}, {});
    auto read = readback::read(writeBytecode(module), readback::Accept::All);
    auto made = importer::importKernel(
        std::get<std::vector<readback::Function>>(read).at(0), {});
    auto *error = std::get_if<importer::ImportError>(&made);
    return error ? "refused: " + error->why : std::get<std::string>(made);
  }
};

/// The name that the line of `text` with this op gives its result.
std::string nameOf(const std::string &text, const std::string &op) {
  size_t at = text.find(" = " + op);
  EXPECT_NE(at, std::string::npos) << op << "\nin\n" << text;
  size_t from = at == std::string::npos ? at : text.rfind('%', at);
  return from == std::string::npos ? "" : text.substr(from, at - from);
}

void expectIn(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST(Parts, OfValuesAreExtracts) {
  Moves m;
  Value at = m.count(), v = m.load(at);
  Value low = m.extract(v, {8}, {m.constant(0)});
  Value high = m.extract(v, {8}, {m.constant(1)});
  std::string text = m.store(m.cat(high, low, 0), at);
  std::string loaded = nameOf(text, "tile.gather ");
  std::string type = " : vector<16xf32> to vector<8xf32>";
  std::string first = nameOf(text, "tile.extract " + loaded + "[0]" + type);
  std::string second = nameOf(text, "tile.extract " + loaded + "[1]" + type);
  expectIn(text, "tile.cat " + second + ", " + first + ", 0 : vector<8xf32>\n");
}

TEST(Parts, OfLanesThatSteerStayIndices) {
  Moves m;
  Value at = m.count();
  Value low = m.extract(at, {8}, {m.constant(0)});
  Value high = m.extract(at, {8}, {m.constant(1)});
  std::string text = m.store(m.load(m.cat(high, low, 0)), at);
  std::string lane = nameOf(text, "tile.iota 0 : vector<16xindex>");
  std::string type = " : vector<16xindex> to vector<8xindex>";
  std::string first = nameOf(text, "tile.extract " + lane + "[0]" + type);
  std::string second = nameOf(text, "tile.extract " + lane + "[1]" + type);
  std::string from =
      nameOf(text, "tile.cat " + second + ", " + first + ", 0 : vector<8x");
  expectIn(text, "tile.gather %a[" + from + "]");
}

TEST(Parts, AreNumberedAlongEachAxis) {
  Moves m;
  Value at = m.count(), v = m.b.reshape(m.load(at), {8, 2});
  Value one = m.constant(1), two = m.constant(2);
  Value part = m.extract(v, {2, 1}, {two, one});
  Value other = m.extract(v, {2, 2}, {one, m.constant(0)});
  Value both = m.cat(m.cat(part, part, 1), other, 0);
  Value all = m.cat(both, both, 1);
  std::string text = m.store(m.b.reshape(all, {16}), at);
  expectIn(text, "[2, 1] : vector<8x2xf32> to vector<2x1xf32>\n");
  expectIn(text, "[1, 0] : vector<8x2xf32> to vector<2x2xf32>\n");
  expectIn(text, ", 1 : vector<2x1xf32>\n");
  expectIn(text, ", 0 : vector<2x2xf32>\n");
  expectIn(text, ", 1 : vector<4x2xf32>\n");
}

TEST(Parts, WhoseNumberIsAValueAreSums) {
  Moves m;
  Value n = m.number();
  Value at = m.count(), v = m.b.reshape(m.load(at), {4, 4});
  Value part = m.extract(v, {2, 2}, {m.constant(1), n});
  Value both = m.cat(part, part, 0);
  std::string text = m.store(m.b.reshape(m.cat(both, both, 1), {16}), at);
  expectIn(text, "\"such a part is there\" : i1\n");
  std::string cut =
      nameOf(text, "tile.extract " + nameOf(text, "vector.shape_cast ") +
                       "[1, 0] : vector<4x4xf32> to vector<2x4xf32>");
  expectIn(text, "vector.shape_cast " + cut + " : ");
  expectIn(text, ", 1 : vector<2x2x2xf32>\n");
}

TEST(Parts, ThatAreNotThereAreRefused) {
  Moves m;
  Value at = m.count(), v = m.load(at);
  Value part = m.extract(v, {8}, {m.constant(2)});
  EXPECT_EQ(m.store(m.cat(part, part, 0), at),
            "refused: an extract of a part that is not there");
}

TEST(Parts, OfTruthsNeedTheirNumber) {
  Moves m;
  Value n = m.number();
  Value at = m.count();
  Value is =
      m.b.compare(Predicate::Less, at, m.b.broadcast(m.b.index(3), {16}));
  Value part = m.extract(is, {8}, {n});
  Value v = m.load(at);
  Value chosen =
      m.b.one(Opcode::Select, {}, {m.cat(part, part, 0), v, v}, m.b.tileOf(v));
  EXPECT_EQ(m.store(chosen, at),
            "refused: an extract that has no form in the dialect");
}

} // namespace
