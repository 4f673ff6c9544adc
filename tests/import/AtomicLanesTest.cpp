// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on many addresses, as other compilers write them: an array is its
// address, its extents and its strides, of 32 bits.

#include "lower/import/Import.h"
#include "lower/tileir/Builder.h"
#include "lower/tileir/Writer.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::tileir;

namespace {

constexpr int64_t lanes = 16;

TileType lanesOf(Element e, bool pointer = false) {
  return {e, {lanes}, pointer};
}

/// h[x[i]] += one in each of 16 lanes, those behind the end of x aside.
struct Count {
  Module module;
  Function &f;
  Builder b;
  Element element;

  explicit Count(Element element)
      : f(module.functions.emplace_back()), b(f), element(element) {
    f.name = "count";
  }

  Value parameter(TileType type) {
    Value v = f.add(std::move(type));
    f.body.arguments.push_back(v);
    return v;
  }

  /// The address of an array of one axis, and its extent and stride.
  std::vector<Value> array(Element of) {
    return {parameter(TileType{of, {}, true}),
            parameter(scalarType(Element::I32)),
            parameter(scalarType(Element::I32))};
  }

  Value addresses(const std::vector<Value> &array, Value at, Element of) {
    Value stride = b.castSigned(array[2], Element::I64);
    Value offset = b.multiply(at, b.broadcast(stride, {lanes}));
    return b.one(Opcode::Offset, {}, {b.broadcast(array[0], {lanes}), offset},
                 lanesOf(of, true));
  }

  readback::Function write(AtomicMode mode, bool masked, bool used = false) {
    std::vector<Value> x = array(Element::I32), h = array(element);
    Type i32 = scalarType(Element::I32);
    Value block = b.append(Opcode::GetTileBlockId, {}, {}, {i32, i32, i32})[0];
    Value first = b.multiply(b.castSigned(block, Element::I64), b.index(lanes));
    Value lane = b.one(Opcode::Iota, {}, {}, lanesOf(Element::I64));
    Value row = b.add(b.broadcast(first, {lanes}), lane);
    Value end = b.castSigned(x[1], Element::I64);
    Value mask = b.compare(Predicate::Less, row, b.broadcast(end, {lanes}));
    Value zero = b.integer(0, lanesOf(Element::I32));
    Value word =
        b.append(Opcode::LoadPtr, {int64_t(Semantics::Weak), {}, {}},
                 {{addresses(x, row, Element::I32)}, {mask}, {zero}, {}},
                 {lanesOf(Element::I32), TokenType{}})[0];
    Value at = b.castSigned(word, Element::I64);
    Value one = b.integer(1, lanesOf(element));
    Value was = b.append(
        Opcode::AtomicRMW,
        {int64_t(Semantics::Relaxed), int64_t(Scope::Device), int64_t(mode)},
        {{addresses(h, at, element)},
         {one},
         masked ? std::vector<Value>{mask} : std::vector<Value>{},
         {}},
        {lanesOf(element), TokenType{}})[0];
    if (used) {
      b.add(was, was);
    }
    b.append(Opcode::Return, {}, {{}}, {});
    auto read = readback::read(writeBytecode(module), readback::Accept::All);
    return std::get<std::vector<readback::Function>>(read).at(0);
  }
};

std::string textOf(const readback::Function &f) {
  auto made = importer::importKernel(f, {});
  auto *error = std::get_if<importer::ImportError>(&made);
  return error ? "refused: " + error->why : std::get<std::string>(made);
}

void expectIn(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST(AtomicLanes, AreImportedWithTheirMask) {
  std::string text = textOf(Count(Element::I32).write(AtomicMode::Add, true));
  expectIn(text, "!B = !tile.tensor<[B0] x i32, atomic<add>");
  expectIn(text, "tile.atomic_scatter add ");
  expectIn(text, " : vector<16xi32>, !B, vector<16xindex>, vector<16xi1>\n");
}

TEST(AtomicLanes, WithoutAMaskTouchAll) {
  std::string text = textOf(Count(Element::I64).write(AtomicMode::Max, false));
  expectIn(text, "tile.atomic_scatter max ");
  expectIn(text, " : vector<16xi64>, !B, vector<16xindex>\n");
}

TEST(AtomicLanes, SumFloats) {
  std::string text = textOf(Count(Element::F32).write(AtomicMode::AddF, true));
  expectIn(text, "!B = !tile.tensor<[B0] x f32, atomic<add>");
  expectIn(text, "tile.atomic_scatter add ");
}

TEST(AtomicLanes, WhoseResultIsUsedAreRefused) {
  EXPECT_EQ(textOf(Count(Element::I32).write(AtomicMode::Add, true, true)),
            "refused: an atomic op whose result is used");
}

} // namespace
