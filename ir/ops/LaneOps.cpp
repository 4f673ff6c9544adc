// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather, scatter and atomic scatter: an element a lane, at coordinates of the
// tensor, or of a view of it.

#include "ir/ops/Ops.h"
#include "ir/types/Diagnose.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace girih::tile;

static std::string wantsTensor(StringRef does, StringRef got) {
  return (does + " elements of a tensor or a view, not of a " + got +
          ": name the tensor and, for each axis, a vector of coordinates")
      .str();
}

static constexpr llvm::StringLiteral gatherDoes = "a gather reads",
                                     scatterDoes = "a scatter writes",
                                     atomicDoes =
                                         "an atomic scatter combines with";

namespace {
/// `%t[%i, %j], %mask`, on the way to operands.
struct Lanes {
  OpAsmParser::UnresolvedOperand tensor, mask;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  bool masked = false;

  ParseResult parse(OpAsmParser &parser) {
    if (parser.parseOperand(tensor) ||
        parser.parseOperandList(indices, OpAsmParser::Delimiter::Square)) {
      return failure();
    }
    masked = succeeded(parser.parseOptionalComma());
    return masked ? parser.parseOperand(mask) : success();
  }

  /// One type for each, in the order of the text. `does` says what the op does:
  /// "a scatter writes".
  ParseResult resolve(OpAsmParser &parser, StringRef does, SMLoc at,
                      ArrayRef<Type> types, OperationState &state) {
    if (!types.empty() && isa<PartitionType, PieceType>(types[0])) {
      return parser.emitError(tensor.location) << wantsTensor(
                 does, isa<PieceType>(types[0]) ? "piece" : "partition");
    }
    size_t expected = 1 + indices.size() + masked;
    if (types.size() != expected) {
      return parser.emitError(at)
             << "the type list names the tensor, a vector for each index and "
                "the mask: "
             << counted(expected, "type", "types") << " of these, got "
             << types.size();
    }
    if (parser.resolveOperand(tensor, types[0], state.operands) ||
        parser.resolveOperands(indices,
                               types.drop_front().take_front(indices.size()),
                               at, state.operands)) {
      return failure();
    }
    return masked ? parser.resolveOperand(mask, types.back(), state.operands)
                  : success();
  }
};
} // namespace

static void printLanes(OpAsmPrinter &printer, Value tensor,
                       OperandRange indices, Value mask) {
  printer << tensor << '[' << indices << ']';
  if (mask) {
    printer << ", " << mask;
  }
}

static void printLaneTypes(OpAsmPrinter &printer, Value tensor,
                           OperandRange indices, Value mask) {
  printer << tensor.getType();
  for (Value index : indices) {
    printer << ", " << index.getType();
  }
  if (mask) {
    printer << ", " << mask.getType();
  }
}

/// The shape of all lanes, or an error. The tensor is operand `first`.
static FailureOr<ArrayRef<int64_t>> verifyLanes(Operation *op, unsigned first,
                                                TileTensorType tensor,
                                                OperandRange indices,
                                                Value mask) {
  if (indices.size() != tensor.getRank() || indices.empty()) {
    return emitOperandError(op, first)
           << "lanes have " << counted(indices.size(), "index", "indices")
           << " but the tensor has "
           << counted(tensor.getRank(), "axis", "axes");
  }
  if (isSubByte(tensor.getElementType())) {
    return emitOperandError(op, first)
           << "two elements of " << tensor.getElementType()
           << " share a byte: load and store tiles of them";
  }
  auto shape = cast<VectorType>(indices[0].getType()).getShape();
  for (auto [k, index] : llvm::enumerate(indices)) {
    auto type = cast<VectorType>(index.getType());
    if (!type.getElementType().isIndex() || type.getShape() != shape) {
      return emitOperandError(op, first + 1 + k)
             << "indices are vectors of index of one shape, got " << type;
    }
  }
  if (mask) {
    auto type = cast<VectorType>(mask.getType());
    if (!type.getElementType().isInteger(1) || type.getShape() != shape) {
      return emitOperandError(op, first + 1 + indices.size())
             << "the mask is a vector of i1 of the shape of the indices, got "
             << type;
    }
  }
  return shape;
}

//===-- Gather ------------------------------------------------------------===//

ParseResult GatherOp::parse(OpAsmParser &parser, OperationState &state) {
  Lanes lanes;
  Attribute pad;
  SmallVector<Type> types;
  SMLoc at;
  if (lanes.parse(parser) || parsePadClause(parser, pad) ||
      parser.parseColon() || parser.getCurrentLocation(&at) ||
      parser.parseTypeList(types) ||
      lanes.resolve(parser, gatherDoes, at, types, state)) {
    return failure();
  }
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {1, int32_t(lanes.indices.size()),
                                    int32_t(lanes.masked)};
  properties.pad = pad;
  auto tensor = dyn_cast<TileTensorType>(types[0]);
  auto index = types.size() > 1 ? dyn_cast<VectorType>(types[1]) : VectorType();
  if (!tensor || !index) {
    return parser.emitError(at) << "only a tensor can be gathered from, at "
                                   "vectors of index";
  }
  state.addTypes(VectorType::get(index.getShape(), tensor.getElementType()));
  return success();
}

void GatherOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printLanes(printer, getTensor(), getIndices(), getMask());
  if (getPadAttr()) {
    printer << ' ';
    printPadClause(printer, *this, getPadAttr());
  }
  printer << " : ";
  printLaneTypes(printer, getTensor(), getIndices(), getMask());
}

LogicalResult GatherOp::verify() {
  TileTensorType tensor = getTensor().getType();
  auto shape = verifyLanes(*this, 0, tensor, getIndices(), getMask());
  if (failed(shape)) {
    return failure();
  }
  if (tensor.getMode() != Mode::Shared) {
    return emitOperandError(*this, 0)
           << "a gather needs mode shared, got "
           << stringifyMode(tensor.getMode()) << ": claim a tile and load it";
  }
  if (bool(getMask()) != getPad().has_value()) {
    return emitError() << (getMask() ? "a masked gather says with pad(...) "
                                       "what the other lanes hold"
                                     : "a gather without a mask reads every "
                                       "lane and needs no padding");
  }
  Type element = tensor.getElementType();
  if (failed(verifyPad(*this, getPadAttr(), element))) {
    return failure();
  }
  if (getResult().getType() != VectorType::get(*shape, element)) {
    return emitError() << "the gather gives "
                       << VectorType::get(*shape, element) << ", not "
                       << getResult().getType();
  }
  return success();
}

//===-- Scatter -----------------------------------------------------------===//

/// `%v, %t[%i], %mask` and its types.
template <typename Op>
static ParseResult parseScattered(OpAsmParser &parser, StringRef does,
                                  OperationState &state) {
  OpAsmParser::UnresolvedOperand value;
  Lanes lanes;
  SmallVector<Type> types;
  SMLoc at;
  if (parser.parseOperand(value) || parser.parseComma() ||
      lanes.parse(parser) || parser.parseColon() ||
      parser.getCurrentLocation(&at) || parser.parseTypeList(types) ||
      parser.resolveOperand(value, types[0], state.operands) ||
      lanes.resolve(parser, does, at, ArrayRef(types).drop_front(), state)) {
    return failure();
  }
  state.getOrAddProperties<typename Op::Properties>().operandSegmentSizes = {
      1, 1, int32_t(lanes.indices.size()), int32_t(lanes.masked)};
  return success();
}

template <typename Op>
static void printScattered(OpAsmPrinter &printer, Op op) {
  printer << ' ' << op.getValue() << ", ";
  printLanes(printer, op.getTensor(), op.getIndices(), op.getMask());
  printer << " : " << op.getValue().getType() << ", ";
  printLaneTypes(printer, op.getTensor(), op.getIndices(), op.getMask());
}

ParseResult ScatterOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseScattered<ScatterOp>(parser, scatterDoes, state);
}

void ScatterOp::print(OpAsmPrinter &printer) { printScattered(printer, *this); }

LogicalResult ScatterOp::verify() {
  TileTensorType tensor = getTensor().getType();
  auto shape = verifyLanes(*this, 1, tensor, getIndices(), getMask());
  if (failed(shape)) {
    return failure();
  }
  if (tensor.getMode() != Mode::Own && tensor.getMode() != Mode::Out) {
    return emitOperandError(*this, 1) << "a scatter needs mode own or out, got "
                                      << stringifyMode(tensor.getMode());
  }
  Type type = VectorType::get(*shape, tensor.getElementType());
  if (getValue().getType() != type) {
    return emitOperandError(*this, 0)
           << "the scatter writes " << type << ", got " << getValue().getType();
  }
  return success();
}

//===-- Atomic scatter ----------------------------------------------------===//

ParseResult AtomicScatterOp::parse(OpAsmParser &parser, OperationState &state) {
  AtomicKindAttr kind;
  if (parseAtomicWord(parser, kind) ||
      parseScattered<AtomicScatterOp>(parser, atomicDoes, state)) {
    return failure();
  }
  state.getOrAddProperties<Properties>().kind = kind;
  return success();
}

void AtomicScatterOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printAtomicWord(printer, *this, getKindAttr());
  printScattered(printer, *this);
}

LogicalResult AtomicScatterOp::verify() {
  TileTensorType tensor = getTensor().getType();
  auto shape = verifyLanes(*this, 1, tensor, getIndices(), getMask());
  if (failed(shape) || failed(verifyAtomicMode(*this, "atomic_scatter",
                                               getKind(), tensor.getMode()))) {
    return failure();
  }
  Type type = VectorType::get(*shape, tensor.getElementType());
  if (getValue().getType() != type) {
    return emitOperandError(*this, 0) << "the atomic scatter combines " << type
                                      << ", got " << getValue().getType();
  }
  return success();
}
