// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables, and the attributes of ops as numbers.

#include "spec/coq/Words.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

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
  static const llvm::StringMap<std::optional<std::string>> words = {
#define WORD(word) word
#define OWN(...) std::nullopt
#define OPAQUE(...) std::nullopt
#define ELEMENTWISE(name, shape, elements, executor, coq, ...) {name, coq},
#include "ir/ops/Elementwise.def"
  };
  return words.lookup(op->getName().getStringRef());
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
    {"tile.atomic_scatter", Form::Own, {"kind", "operandSegmentSizes"}},
    {"tile.block_id", Form::Own, {"axis"}},
    {"tile.cat", Form::Opaque, {"axis"}},
    {"tile.claim", Form::Own, {}},
    {"tile.convert", Form::Opaque, {"rounding"}},
    {"tile.extract", Form::Opaque, {"position"}},
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
    {"arith.constant", Form::Own, {"value"}},
#define WORD(word)                                                             \
  Form::Own, {}
#define OWN(...)                                                               \
  Form::Own, { __VA_ARGS__ }
#define OPAQUE(...)                                                            \
  Form::Opaque, { __VA_ARGS__ }
#define ELEMENTWISE(name, shape, elements, executor, coq, ...) {name, coq},
#include "ir/ops/Elementwise.def"
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
