// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: text form, and the type that a view has. Whatever the attributes are,
// the type is inferred or refused.

#include "ir/ops/Ops.h"
#include "ir/ops/Views.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Names.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace girih::tile;

//===-- Text form ---------------------------------------------------------===//

using Numbers = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

/// `4`, `N` or `%n`.
static ParseResult parseNumber(OpAsmParser &parser,
                               SmallVectorImpl<Attribute> &list,
                               Numbers &numbers) {
  SMLoc loc = parser.getCurrentLocation();
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult value = parser.parseOptionalOperand(operand);
  if (value.has_value()) {
    numbers.push_back(operand);
    list.push_back(parser.getBuilder().getUnitAttr());
    return *value;
  }
  int64_t constant;
  OptionalParseResult number = parser.parseOptionalInteger(constant);
  if (number.has_value()) {
    list.push_back(parser.getBuilder().getIndexAttr(constant));
    return *number;
  }
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name))) {
    return parser.emitError(loc, "expected a constant, the name of a launch "
                                 "symbol or a value");
  }
  list.push_back(parser.getBuilder().getStringAttr(name));
  return success();
}

static ParseResult parseNumbers(OpAsmParser &parser,
                                SmallVectorImpl<Attribute> &list,
                                Numbers &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseNumber(parser, list, numbers);
  });
}

static ParseResult parseAxis(OpAsmParser &parser,
                             SmallVectorImpl<Attribute> &list) {
  int64_t axis;
  if (parser.parseInteger(axis)) {
    return failure();
  }
  list.push_back(parser.getBuilder().getIndexAttr(axis));
  return success();
}

static ParseResult parseViewClause(OpAsmParser &parser, ViewKindAttr &kind,
                                   ArrayAttr &where, ArrayAttr &what,
                                   ArrayAttr &steps, Numbers &numbers) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<ViewKind> parsed = symbolizeViewKind(word);
  if (!parsed) {
    return parser.emitError(loc)
           << "a view is one of slice, permute, unfold, fix, flatten, got "
           << word;
  }
  SmallVector<Attribute> first, second, third;
  ParseResult result = success();
  switch (*parsed) {
  case ViewKind::Slice:
    result = failure(parseNumbers(parser, first, numbers) ||
                     parser.parseKeyword("size") ||
                     parseNumbers(parser, second, numbers));
    if (succeeded(result) && succeeded(parser.parseOptionalKeyword("step"))) {
      result = parseNumbers(parser, third, numbers);
      steps = parser.getBuilder().getArrayAttr(third);
    }
    break;
  case ViewKind::Permute:
    result = parser.parseCommaSeparatedList(
        AsmParser::Delimiter::Square, [&] { return parseAxis(parser, first); });
    break;
  case ViewKind::Unfold:
    result = failure(parseAxis(parser, first) || parser.parseKeyword("by") ||
                     parseNumbers(parser, second, numbers));
    break;
  case ViewKind::Fix:
    result = failure(parseAxis(parser, first) || parser.parseKeyword("at") ||
                     parseNumber(parser, second, numbers));
    break;
  case ViewKind::Flatten:
    result = parseAxis(parser, first);
    break;
  }
  kind = ViewKindAttr::get(parser.getContext(), *parsed);
  where = parser.getBuilder().getArrayAttr(first);
  what = parser.getBuilder().getArrayAttr(second);
  return result;
}

static void printNumber(OpAsmPrinter &printer, Attribute number,
                        OperandRange &numbers) {
  if (auto constant = dyn_cast<IntegerAttr>(number)) {
    printer << constant.getInt();
  } else if (auto name = dyn_cast<StringAttr>(number)) {
    printer << name.getValue();
  } else {
    printer << numbers.front();
    numbers = numbers.drop_front();
  }
}

static void printNumberList(OpAsmPrinter &printer, ArrayAttr list,
                            OperandRange &numbers) {
  printer << '[';
  llvm::interleaveComma(list, printer, [&](Attribute number) {
    printNumber(printer, number, numbers);
  });
  printer << ']';
}

static void printViewClause(OpAsmPrinter &printer, Operation *,
                            ViewKindAttr kind, ArrayAttr where, ArrayAttr what,
                            ArrayAttr steps, OperandRange numbers) {
  printer << stringifyViewKind(kind.getValue()) << ' ';
  switch (kind.getValue()) {
  case ViewKind::Slice:
    printNumberList(printer, where, numbers);
    printer << " size ";
    printNumberList(printer, what, numbers);
    if (steps) {
      printer << " step ";
      printNumberList(printer, steps, numbers);
    }
    return;
  case ViewKind::Permute:
    printNumberList(printer, where, numbers);
    return;
  case ViewKind::Unfold:
    printNumber(printer, where[0], numbers);
    printer << " by ";
    printNumberList(printer, what, numbers);
    return;
  case ViewKind::Fix:
    printNumber(printer, where[0], numbers);
    printer << " at ";
    printNumber(printer, what[0], numbers);
    return;
  case ViewKind::Flatten:
    printNumber(printer, where[0], numbers);
    return;
  }
}

#define GET_OP_CLASSES
#include "ir/ops/ViewOps.cpp.inc"

//===-- Types -------------------------------------------------------------===//

using Emit = function_ref<InFlightDiagnostic()>;

/// Constants of at least 0, symbols, and as many values as there are operands;
/// counts those.
static LogicalResult verifyNumbers(Emit emitError, ArrayAttr list,
                                   bool mayBeValues, size_t &values) {
  for (Attribute number : list) {
    if (auto constant = dyn_cast<IntegerAttr>(number)) {
      if (!constant.getType().isIndex() || constant.getValue().isNegative()) {
        return emitError() << "numbers of a view are at least 0, got "
                           << constant.getValue().getSExtValue();
      }
    } else if (auto name = dyn_cast<StringAttr>(number)) {
      if (!isSymbolName(name)) {
        return emitError() << "'" << name.getValue()
                           << "' cannot name a launch symbol";
      }
    } else if (!isa<UnitAttr>(number)) {
      return emitError() << "a number of a view is a constant, a launch symbol "
                            "or a value";
    } else if (!mayBeValues) {
      return emitError() << "factors are constants or launch symbols";
    } else {
      ++values;
    }
  }
  return success();
}

/// The axis numbers in `list`, each below `rank` and none twice.
static LogicalResult verifyAxes(Emit emitError, ArrayAttr list, unsigned rank) {
  SmallVector<bool> seen(rank);
  for (Attribute number : list) {
    auto axis = dyn_cast<IntegerAttr>(number);
    if (!axis || !axis.getType().isIndex()) {
      return emitError() << "an axis is a number";
    }
    if (axis.getValue().isNegative() || axis.getValue().uge(rank)) {
      return emitError() << "axes of the tensor are 0 to " << int64_t(rank - 1)
                         << ", got " << axis.getInt();
    }
    if (seen[axis.getInt()]) {
      return emitError() << "axis " << axis.getInt() << " is named twice";
    }
    seen[axis.getInt()] = true;
  }
  return success();
}

static LogicalResult wantCount(Emit emitError, StringRef what, ArrayAttr list,
                               size_t count) {
  if (list.size() == count) {
    return success();
  }
  return emitError() << "view has " << int64_t(list.size()) << " " << what
                     << " but " << counted(count, "is wanted", "are wanted");
}

/// The extent of two axes made one: of constants their product, else known at
/// run time only.
static FailureOr<Attribute> flatDim(Emit emitError, Attribute outer,
                                    Attribute inner) {
  auto a = dyn_cast<IntegerAttr>(outer), b = dyn_cast<IntegerAttr>(inner);
  if (!a || !b) {
    return Attribute(UnitAttr::get(outer.getContext()));
  }
  int64_t product = 0;
  if (__builtin_mul_overflow(a.getInt(), b.getInt(), &product)) {
    return emitError() << "an axis of " << a.getInt() << " * " << b.getInt()
                       << " elements leaves 64 bits";
  }
  return Attribute(IntegerAttr::get(a.getType(), product));
}

/// Of a slice of so many axes; counts values.
static LogicalResult verifySteps(Emit emitError, ArrayAttr steps, ViewKind kind,
                                 unsigned rank, size_t &values) {
  if (!steps) {
    return success();
  }
  if (kind != ViewKind::Slice) {
    return emitError() << "steps are those of a slice, not of "
                       << stringifyViewKind(kind);
  }
  if (failed(wantCount(emitError, "steps", steps, rank)) ||
      failed(verifyNumbers(emitError, steps, true, values))) {
    return failure();
  }
  for (Attribute step : steps) {
    auto constant = dyn_cast<IntegerAttr>(step);
    if (constant && constant.getValue().isZero()) {
      return emitError() << "steps of a slice are at least 1, got 0";
    }
  }
  return success();
}

/// The extents of the view.
static FailureOr<SmallVector<Attribute>>
dimsOf(Emit emitError, TileTensorType tensor, ViewKind kind, ArrayAttr where,
       ArrayAttr what, ArrayAttr steps, size_t operands) {
  unsigned rank = tensor.getRank();
  SmallVector<Attribute> dims(tensor.getDims());
  size_t values = 0;
  switch (kind) {
  case ViewKind::Slice:
    if (failed(wantCount(emitError, "offsets", where, rank)) ||
        failed(wantCount(emitError, "sizes", what, rank)) ||
        failed(verifyNumbers(emitError, where, true, values)) ||
        failed(verifyNumbers(emitError, what, true, values))) {
      return failure();
    }
    dims.assign(what.begin(), what.end());
    break;
  case ViewKind::Permute:
    if (failed(wantCount(emitError, "axes", where, rank)) ||
        failed(wantCount(emitError, "numbers", what, 0)) ||
        failed(verifyAxes(emitError, where, rank))) {
      return failure();
    }
    for (auto [k, axis] : llvm::enumerate(where)) {
      dims[k] = tensor.getDims()[cast<IntegerAttr>(axis).getInt()];
    }
    break;
  case ViewKind::Unfold:
  case ViewKind::Fix: {
    bool unfold = kind == ViewKind::Unfold;
    if (failed(wantCount(emitError, "axes", where, 1)) ||
        failed(verifyAxes(emitError, where, rank)) ||
        failed(verifyNumbers(emitError, what, !unfold, values))) {
      return failure();
    }
    auto at = dims.begin() + cast<IntegerAttr>(where[0]).getInt();
    at = dims.erase(at);
    if (!unfold) {
      if (failed(wantCount(emitError, "coordinates", what, 1))) {
        return failure();
      }
      if (dims.empty()) {
        return emitError() << "a view has an axis: keep it and use a slice of "
                              "size 1";
      }
      break;
    }
    if (what.size() < 2) {
      return emitError() << "an axis unfolds into two or more, got "
                         << what.size();
    }
    dims.insert(at, what.begin(), what.end());
    break;
  }
  case ViewKind::Flatten: {
    if (failed(wantCount(emitError, "axes", where, 1)) ||
        failed(wantCount(emitError, "numbers", what, 0)) ||
        failed(verifyAxes(emitError, where, rank))) {
      return failure();
    }
    size_t axis = cast<IntegerAttr>(where[0]).getInt();
    if (axis + 1 == rank) {
      return emitError() << "axis " << int64_t(axis)
                         << " is the last one: flatten makes it one with the "
                            "axis behind it";
    }
    auto flat = flatDim(emitError, dims[axis], dims[axis + 1]);
    if (failed(flat)) {
      return failure();
    }
    dims[axis] = *flat;
    dims.erase(dims.begin() + axis + 1);
    break;
  }
  }
  if (failed(verifySteps(emitError, steps, kind, rank, values))) {
    return failure();
  }
  if (values != operands) {
    return emitError() << "view has "
                       << counted(operands, "operand", "operands") << " for "
                       << counted(values, "value", "values");
  }
  return dims;
}

LogicalResult ViewOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Location loc = location.value_or(UnknownLoc::get(context));
  auto emit = [&] { return mlir::emitError(loc); };
  auto tensor = dyn_cast<TileTensorType>(adaptor.getTensor().getType());
  if (!tensor || !adaptor.getKindAttr() || !adaptor.getWhereAttr() ||
      !adaptor.getWhatAttr()) {
    return emit() << "only a tensor can be viewed";
  }
  auto dims = dimsOf(emit, tensor, adaptor.getKind(), adaptor.getWhere(),
                     adaptor.getWhat(), adaptor.getStepsAttr(),
                     adaptor.getNumbers().size());
  if (failed(dims)) {
    return failure();
  }
  types.push_back(TileTensorType::getChecked(
      emit, context, ArrayRef<Attribute>(*dims), tensor.getElementType(),
      tensor.getMode(), tensor.getPartial(), ArrayRef<Attribute>(),
      TileTensorType::defaultAlign));
  return success(types.back() != nullptr);
}

//===-- Access ------------------------------------------------------------===//

/// The numbers of a list whose values begin with operand number `from`.
static SmallVector<ViewNumber> numbersOf(ArrayAttr list, OperandRange operands,
                                         size_t from) {
  SmallVector<ViewNumber> out;
  for (Attribute number : list) {
    if (auto constant = dyn_cast<IntegerAttr>(number)) {
      out.push_back(constant.getInt());
    } else if (auto name = dyn_cast<StringAttr>(number)) {
      out.push_back(name);
    } else {
      out.push_back(operands[from++]);
    }
  }
  return out;
}

static size_t valuesIn(ArrayAttr list) {
  return llvm::count_if(list, [](Attribute a) { return isa<UnitAttr>(a); });
}

SmallVector<ViewNumber> ViewOp::getOffsets() {
  return numbersOf(getWhere(), getNumbers(), 0);
}

SmallVector<ViewNumber> ViewOp::getSizes() {
  return numbersOf(getWhat(), getNumbers(), valuesIn(getWhere()));
}

SmallVector<ViewNumber> ViewOp::getStepNumbers() {
  if (!getSteps()) {
    return SmallVector<ViewNumber>(getWhat().size(), int64_t(1));
  }
  return numbersOf(*getSteps(), getNumbers(),
                   valuesIn(getWhere()) + valuesIn(getWhat()));
}

SmallVector<unsigned> ViewOp::getPermutation() {
  SmallVector<unsigned> out;
  for (Attribute axis : getWhere()) {
    out.push_back(cast<IntegerAttr>(axis).getInt());
  }
  return out;
}

unsigned ViewOp::getAxis() { return getPermutation()[0]; }

BlockArgument girih::tile::rootOf(Value tensor) {
  while (auto view = tensor.getDefiningOp<ViewOp>()) {
    tensor = view.getTensor();
  }
  return cast<BlockArgument>(tensor);
}

SmallVector<ViewOp> girih::tile::viewsOf(Value tensor) {
  SmallVector<ViewOp> out;
  while (auto view = tensor.getDefiningOp<ViewOp>()) {
    out.push_back(view);
    tensor = view.getTensor();
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool girih::tile::isOne(const ViewNumber &n) {
  auto *constant = std::get_if<int64_t>(&n);
  return constant && *constant == 1;
}

static unsigned placeIn(ArrayRef<unsigned> permutation, unsigned axis) {
  return llvm::find(permutation, axis) - permutation.begin();
}

std::optional<unsigned> girih::tile::packedAxis(Value tensor) {
  auto root = cast<TileTensorType>(rootOf(tensor).getType());
  if (!isSubByte(root.getElementType())) {
    return std::nullopt;
  }
  unsigned axis = root.getRank() - 1;
  for (ViewOp view : viewsOf(tensor)) {
    switch (view.getKind()) {
    case ViewKind::Slice:
      break;
    case ViewKind::Permute:
      axis = placeIn(view.getPermutation(), axis);
      break;
    case ViewKind::Unfold:
      axis += axis >= view.getAxis() ? view.getFactors().size() - 1 : 0;
      break;
    case ViewKind::Fix:
    case ViewKind::Flatten:
      axis -= axis > view.getAxis();
      break;
    }
  }
  return axis;
}

LogicalResult ViewOp::verify() {
  if (getKind() == ViewKind::Fix && packedAxis(getTensor()) == getAxis()) {
    return emitOperandError(*this, 0)
           << "two elements of " << getTensor().getType().getElementType()
           << " share a byte: axis " << getAxis() << " cannot be fixed";
  }
  if (getKind() == ViewKind::Flatten && packedAxis(getTensor()) == getAxis()) {
    return emitOperandError(*this, 0)
           << "two elements of " << getTensor().getType().getElementType()
           << " share a byte: axis " << getAxis()
           << " is flattened with the one before it";
  }
  std::optional<unsigned> packed = packedAxis(getTensor());
  if (packed && getKind() == ViewKind::Slice &&
      !isOne(getStepNumbers()[*packed])) {
    return emitOperandError(*this, 0)
           << "two elements of " << getTensor().getType().getElementType()
           << " share a byte: axis " << *packed << " is sliced in steps of 1";
  }
  return success();
}

PartitionOp girih::tile::partitionOf(Value value) {
  if (auto claim = value.getDefiningOp<ClaimOp>()) {
    value = claim.getPartition();
  }
  return value.getDefiningOp<PartitionOp>();
}
