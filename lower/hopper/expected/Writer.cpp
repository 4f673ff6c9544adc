// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"
#include "lower/hopper/verify/Budget.h"
#include "lower/tileir/Lower.h"

using namespace mlir;
using girih::proofs::Fact;
using girih::proofs::Int;
using girih::proofs::Origin;
using girih::proofs::Poly;

namespace girih::hopper {

ExpectedWriter::ExpectedWriter(const Scheduled &scheduled,
                               const DenseMap<Attribute, int64_t> &steps)
    : scheduled(scheduled), kernel(scheduled.source.kernel()) {
  out.entry = kernel.getSymName().str();
  out.threads[0] = uint64_t(scheduled.recipe.threads);
  out.dynamicBytes = uint64_t(scheduled.recipe.sharedBytes);
  auto add = [&](Attribute name) {
    if (isa_and_nonnull<StringAttr>(name) && !symbols.contains(name)) {
      auto step = steps.find(name);
      addSymbol(name, step == steps.end() ? 1 : step->second);
    }
  };
  for (BlockArgument a : kernel.getArguments()) {
    if (auto type = dyn_cast<tile::TileTensorType>(a.getType())) {
      llvm::for_each(type.getDims(), add);
      llvm::for_each(type.getStrides(), add);
    }
  }
  for (const tileir::Parameter &p : tileir::parametersOf(kernel)) {
    if (p.kind == tileir::Parameter::Kind::Integer) {
      add(p.value.getSymbol());
    }
  }
  addArguments();
  addEarly();
}

Poly ExpectedWriter::addNumber(std::string name) {
  out.variables.push_back(std::move(name));
  return Poly::variable(proofs::Var(out.symbols++));
}

void ExpectedWriter::addSymbol(Attribute name, int64_t step) {
  std::string text = cast<StringAttr>(name).str();
  if (step != 1) {
    text += "_" + std::to_string(step);
  }
  symbols[name] = {addNumber(std::move(text)), step};
}

Poly ExpectedWriter::symbol(Attribute name) const {
  const Symbol &s = symbols.find(name)->second;
  return Poly(Int(s.step)) * s.number;
}

Poly ExpectedWriter::stepsOf(Attribute name) const {
  return symbols.find(name)->second.number;
}

void ExpectedWriter::setGrid(Poly blocks) {
  for (const char *block : {"bx", "by", "bz"}) {
    out.variables.push_back(block);
  }
  out.grid[0] = std::move(blocks);
}

std::pair<Poly, Poly> ExpectedWriter::divide(Poly a, Poly d,
                                             std::string quotient,
                                             std::string remainder) {
  auto first = proofs::Var(out.variables.size());
  out.variables.push_back(std::move(quotient));
  out.variables.push_back(std::move(remainder));
  out.definitions.push_back({proofs::Definition::Kind::Quotient,
                             {std::move(a), std::move(d)},
                             {first, first + 1}});
  return {Poly::variable(first), Poly::variable(first + 1)};
}

void ExpectedWriter::requireAtLeastZero(Poly p) {
  out.given.push_back({Fact::atLeastZero(std::move(p)), {}});
  out.given.back().origin.kind = Origin::Kind::Contract;
}

void ExpectedWriter::requireBetween(Int low, Attribute name, Int high) {
  const Symbol &s = symbols.find(name)->second;
  // Of whole numbers: rounded towards what lies between.
  requireAtLeastZero(s.number - Poly((low + Int(s.step) - 1) / Int(s.step)));
  requireAtLeastZero(Poly(high / Int(s.step)) - s.number);
}

void ExpectedWriter::addTensor(unsigned argument) {
  auto type =
      cast<tile::TileTensorType>(kernel.getArguments()[argument].getType());
  ptx::Tensor t;
  t.name = kernel.getArgName(argument).str();
  t.bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  t.align = uint64_t(type.getAlign());
  for (Attribute dim : type.getDims()) {
    auto number = dyn_cast<IntegerAttr>(dim);
    t.extents.push_back(number ? Poly(number.getInt()) : symbol(dim));
  }
  t.strides.assign(t.extents.size(), Poly(1));
  for (size_t i = t.extents.size(); i-- > 0;) {
    if (type.getStrides().empty()) {
      t.strides[i] = i + 1 == t.extents.size()
                         ? Poly(1)
                         : t.strides[i + 1] * t.extents[i + 1];
    } else if (auto step = dyn_cast<IntegerAttr>(type.getStrides()[i])) {
      t.strides[i] = Poly(Int(step.getInt()));
    } else {
      t.strides[i] = symbol(type.getStrides()[i]);
    }
  }
  tensors[argument] = out.tensors.size();
  out.tensors.push_back(std::move(t));
}

/// Symbols are passed as they are named, and a float by its bits: nothing that
/// an address may depend on.
void ExpectedWriter::addArguments() {
  for (const tileir::Parameter &parameter : tileir::parametersOf(kernel)) {
    ptx::Argument a;
    switch (parameter.kind) {
    case tileir::Parameter::Kind::Pointer:
      addTensor(parameter.argument);
      a.tensor = tensors.lookup(parameter.argument);
      break;
    case tileir::Parameter::Kind::Scalar:
      a.value = addNumber(kernel.getArgName(parameter.argument).str());
      break;
    case tileir::Parameter::Kind::Integer:
      a.value = symbol(parameter.value.getSymbol());
      break;
    }
    out.arguments.push_back(std::move(a));
  }
}

void ExpectedWriter::addEarly() {
  if (scheduled.recipe.waits) {
    out.early.emplace();
  }
  for (const std::string &name : scheduled.recipe.early) {
    auto named = llvm::find_if(
        out.tensors, [&](const ptx::Tensor &t) { return t.name == name; });
    out.early->push_back(size_t(named - out.tensors.begin()));
  }
}

void ExpectedWriter::flatten(unsigned argument, size_t axis) {
  auto type =
      cast<tile::TileTensorType>(kernel.getArguments()[argument].getType());
  assert(type.getStrides().empty() && "strides may leave gaps");
  ptx::Tensor &t = out.tensors[tensors.lookup(argument)];
  Poly count(1);
  for (size_t i = axis; i < t.extents.size(); ++i) {
    count = count * t.extents[i];
  }
  t.extents.resize(axis);
  t.strides.resize(axis);
  t.extents.push_back(std::move(count));
  t.strides.push_back(Poly(1));
}

void ExpectedWriter::addRegion(unsigned argument, ptx::Mode mode,
                               std::vector<ptx::Range> axes, bool covered) {
  out.regions.push_back(
      {tensors.lookup(argument), mode, std::move(axes), covered});
}

void ExpectedWriter::addRings() {
  SharedPlan plan = planShared(scheduled.kernel());
  for (auto ring : scheduled.kernel().getBody().front().getOps<RingOp>()) {
    RingType type = ring.getRing().getType();
    out.rings.push_back({uint64_t(type.getSlots()), uint64_t(type.getBytes()),
                         uint64_t(plan.memory.at(ring)),
                         uint64_t(plan.barriers.at(ring)),
                         uint64_t(scheduled.kernel().getWarps())});
  }
}

} // namespace girih::hopper
