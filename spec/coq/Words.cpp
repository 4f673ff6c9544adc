// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables, and the attributes of ops as numbers.

#include "spec/coq/Words.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>

namespace girih::coq {

namespace arith = mlir::arith;

std::optional<std::string> elementWord(mlir::Type type) {
  if (type.isIndex()) {
    return "Index";
  }
  if (type.isSignlessInteger()) {
    return "(Int " + std::to_string(type.getIntOrFloatBitWidth()) + ")";
  }
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) {
    return "(Float 4 3)";
  }
  if (mlir::isa<mlir::Float8E5M2Type>(type)) {
    return "(Float 5 2)";
  }
  if (mlir::isa<mlir::Float4E2M1FNType>(type)) {
    return "(Float 2 1)";
  }
  if (mlir::isa<mlir::Float8E8M0FNUType>(type)) {
    return "(Float 8 0)";
  }
  if (type.isF16()) {
    return "F16";
  }
  if (type.isBF16()) {
    return "BF16";
  }
  if (type.isF32()) {
    return "F32";
  }
  if (type.isF64()) {
    return "F64";
  }
  return std::nullopt;
}

std::optional<std::string> modeWord(tile::TileTensorType tensor) {
  switch (tensor.getMode()) {
  case tile::Mode::Shared:
    return "Shared";
  case tile::Mode::Own:
    return "Own";
  case tile::Mode::Out:
    return tensor.getPartial() ? "(Out true)" : "(Out false)";
  case tile::Mode::AtomicAdd:
    return "(AtomicBy Add)";
  case tile::Mode::AtomicMin:
    return "(AtomicBy Min)";
  case tile::Mode::AtomicMax:
    return "(AtomicBy Max)";
  case tile::Mode::AtomicAnd:
    return "(AtomicBy And)";
  case tile::Mode::AtomicOr:
    return "(AtomicBy Or)";
  case tile::Mode::AtomicXor:
    return "(AtomicBy Xor)";
  case tile::Mode::Raw:
    break;
  }
  return std::nullopt;
}

std::optional<std::string> binaryWord(mlir::Operation *op) {
  using Word = std::optional<std::string>;
  return llvm::StringSwitch<Word>(op->getName().getStringRef())
      .Case("arith.addi", Word("Add"))
      .Case("arith.subi", Word("Sub"))
      .Case("arith.muli", Word("Mul"))
      .Case("arith.divsi", Word("Div"))
      .Case("arith.remsi", Word("Rem"))
      .Case("arith.ceildivsi", Word("CeilDiv"))
      .Case("arith.minsi", Word("Min"))
      .Case("arith.maxsi", Word("Max"))
      .Case("arith.andi", Word("And"))
      .Case("arith.ori", Word("Or"))
      .Case("arith.xori", Word("Xor"))
      .Default(std::nullopt);
}

std::optional<std::string> comparisonWord(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "Eq";
  case arith::CmpIPredicate::ne:
    return "Ne";
  case arith::CmpIPredicate::slt:
    return "Lt";
  case arith::CmpIPredicate::sle:
    return "Le";
  case arith::CmpIPredicate::sgt:
    return "Gt";
  case arith::CmpIPredicate::sge:
    return "Ge";
  default:
    return std::nullopt;
  }
}

namespace {
struct OpForm {
  llvm::StringRef name;
  Form form;
  std::array<llvm::StringRef, 3> attributes; ///< that terms say
};
} // namespace

/// All ops of a kernel's body. That an attribute stands here means that the
/// term has it, or that a run does not depend on it (names, texts, the sizes of
/// lists of operands).
static constexpr OpForm forms[] = {
    {"tile.argmax", Form::Opaque, {"axis", "keep"}},
    {"tile.argmin", Form::Opaque, {"axis", "keep"}},
    {"tile.atomic", Form::Own, {"kind"}},
    {"tile.block_id", Form::Own, {"axis"}},
    {"tile.claim", Form::Own, {}},
    {"tile.convert", Form::Opaque, {"rounding"}},
    {"tile.gather", Form::Own, {"pad", "operandSegmentSizes"}},
    {"tile.grid_dim", Form::Own, {"axis"}},
    {"tile.iota", Form::Own, {"axis"}},
    {"tile.load", Form::Own, {"pad"}},
    {"tile.mma", Form::Opaque, {"fast"}},
    {"tile.mma_scaled", Form::Opaque, {}},
    {"tile.name", Form::Own, {}},
    {"tile.num_tiles", Form::Own, {"axis"}},
    {"tile.partition", Form::Own, {"tile"}},
    {"tile.prove", Form::Own, {"rule", "text"}},
    {"tile.reduce", Form::Opaque, {"reduceKind", "axis", "keep"}},
    {"tile.scan", Form::Opaque, {"reduceKind", "axis", "reverse"}},
    {"tile.scatter", Form::Own, {"operandSegmentSizes"}},
    {"tile.store", Form::Own, {}},
    {"tile.symbol", Form::Own, {"symbol"}},
    {"tile.view", Form::Own, {"kind", "where", "what"}},
    {"scf.for", Form::Own, {}},
    {"scf.if", Form::Own, {}},
    {"scf.yield", Form::Own, {}},
    {"arith.addf", Form::Opaque, {}},
    {"arith.addi", Form::Own, {}},
    {"arith.andi", Form::Own, {}},
    {"arith.bitcast", Form::Opaque, {}},
    {"arith.ceildivsi", Form::Own, {}},
    {"arith.cmpf", Form::Opaque, {"predicate"}},
    {"arith.cmpi", Form::Own, {"predicate"}},
    {"arith.constant", Form::Own, {"value"}},
    {"arith.divf", Form::Opaque, {}},
    {"arith.divsi", Form::Own, {}},
    {"arith.extf", Form::Opaque, {}},
    {"arith.extsi", Form::Own, {}},
    {"arith.extui", Form::Own, {}},
    {"arith.fptosi", Form::Opaque, {}},
    {"arith.fptoui", Form::Opaque, {}},
    {"arith.index_cast", Form::Own, {}},
    {"arith.maximumf", Form::Opaque, {}},
    {"arith.maxnumf", Form::Opaque, {}},
    {"arith.maxsi", Form::Own, {}},
    {"arith.maxui", Form::Opaque, {}},
    {"arith.minimumf", Form::Opaque, {}},
    {"arith.minnumf", Form::Opaque, {}},
    {"arith.minsi", Form::Own, {}},
    {"arith.minui", Form::Opaque, {}},
    {"arith.mulf", Form::Opaque, {}},
    {"arith.muli", Form::Own, {}},
    {"arith.negf", Form::Opaque, {}},
    {"arith.ori", Form::Own, {}},
    {"arith.remsi", Form::Own, {}},
    {"arith.select", Form::Own, {}},
    {"arith.shli", Form::Opaque, {}},
    {"arith.shrsi", Form::Opaque, {}},
    {"arith.shrui", Form::Opaque, {}},
    {"arith.sitofp", Form::Opaque, {}},
    {"arith.subf", Form::Opaque, {}},
    {"arith.subi", Form::Own, {}},
    {"arith.truncf", Form::Opaque, {}},
    {"arith.trunci", Form::Own, {}},
    {"arith.uitofp", Form::Opaque, {}},
    {"arith.xori", Form::Own, {}},
    {"math.absf", Form::Opaque, {}},
    {"math.ceil", Form::Opaque, {}},
    {"math.cos", Form::Opaque, {}},
    {"math.erf", Form::Opaque, {}},
    {"math.exp", Form::Opaque, {}},
    {"math.exp2", Form::Opaque, {"fastmath"}},
    {"math.expm1", Form::Opaque, {}},
    {"math.floor", Form::Opaque, {}},
    {"math.fma", Form::Opaque, {}},
    {"math.log", Form::Opaque, {}},
    {"math.log1p", Form::Opaque, {}},
    {"math.log2", Form::Opaque, {}},
    {"math.powf", Form::Opaque, {}},
    {"math.round", Form::Opaque, {}},
    {"math.roundeven", Form::Opaque, {}},
    {"math.rsqrt", Form::Opaque, {}},
    {"math.sin", Form::Opaque, {}},
    {"math.sqrt", Form::Opaque, {}},
    {"math.tanh", Form::Opaque, {}},
    {"math.trunc", Form::Opaque, {}},
    // Of integers a form of their own, of floats opaque.
    {"vector.broadcast", Form::Opaque, {}},
    {"vector.shape_cast", Form::Opaque, {}},
    {"vector.transpose", Form::Opaque, {"permutation"}},
};

static const OpForm *find(llvm::StringRef op) {
  for (const OpForm &form : forms) {
    if (form.name == op) {
      return &form;
    }
  }
  return nullptr;
}

std::optional<Form> formOf(llvm::StringRef op) {
  const OpForm *found = find(op);
  return found ? std::optional(found->form) : std::nullopt;
}

/// Flags of arithmetic where none is set.
static bool saysNothing(mlir::Attribute value) {
  if (auto fast = mlir::dyn_cast<arith::FastMathFlagsAttr>(value)) {
    return fast.getValue() == arith::FastMathFlags::none;
  }
  auto overflow = mlir::dyn_cast<arith::IntegerOverflowFlagsAttr>(value);
  return overflow && overflow.getValue() == arith::IntegerOverflowFlags::none;
}

/// Nothing for a value that is no list of numbers.
static std::optional<std::vector<int64_t>> numbersOf(mlir::Attribute value) {
  if (mlir::isa<mlir::UnitAttr>(value)) {
    return std::vector<int64_t>();
  }
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(value);
      integer && integer.getValue().getSignificantBits() <= 64) {
    return std::vector{integer.getValue().getSExtValue()};
  }
  if (auto list = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(value)) {
    return list.asArrayRef().vec();
  }
  if (auto fast = mlir::dyn_cast<arith::FastMathFlagsAttr>(value)) {
    return std::vector{static_cast<int64_t>(fast.getValue())};
  }
  if (auto kind = mlir::dyn_cast<tile::ReduceKindAttr>(value)) {
    return std::vector{static_cast<int64_t>(kind.getValue())};
  }
  if (auto rounding = mlir::dyn_cast<tile::RoundingAttr>(value)) {
    return std::vector{static_cast<int64_t>(rounding.getValue())};
  }
  return std::nullopt;
}

std::string foreignAttribute(mlir::Operation *op) {
  const OpForm *form = find(op->getName().getStringRef());
  for (mlir::NamedAttribute attribute : op->getAttrDictionary()) {
    llvm::StringRef name = attribute.getName().getValue();
    mlir::Attribute value = attribute.getValue();
    bool known = saysNothing(value) ||
                 (form && llvm::is_contained(form->attributes, name) &&
                  (form->form == Form::Own || numbersOf(value)));
    if (!known) {
      return name.str();
    }
  }
  return "";
}

std::vector<std::pair<std::string, std::vector<int64_t>>>
attributesOf(mlir::Operation *op) {
  std::vector<std::pair<std::string, std::vector<int64_t>>> out;
  for (mlir::NamedAttribute attribute : op->getAttrDictionary()) {
    if (!saysNothing(attribute.getValue())) {
      out.emplace_back(attribute.getName().str(),
                       *numbersOf(attribute.getValue()));
    }
  }
  return out;
}

} // namespace girih::coq
