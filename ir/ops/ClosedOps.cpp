// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of ops, those of Elementwise.def among them, and one pass over the
// body that holds every op to it.

#include "ir/ops/ClosedOps.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Dialect.h"
#include "ir/types/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace girih::tile;

namespace {
/// Kinds of the first operand; the others follow by the op's own verifier.
enum Kind : unsigned {
  Index = 1,
  Int = 2,
  IntVector = 4,
  Float = 8,
  FloatVector = 16,
  IndexVector = 32,
  Scalars = Index | Int,
  Ints = Index | Int | IntVector | IndexVector,
  Tiny = 128,
  TinyVector = 256,
  Floats = Float | FloatVector,
  Tinies = Tiny | TinyVector,
  Vectors = IntVector | IndexVector | FloatVector | TinyVector,
  Any = Ints | Floats | Tinies,
  // No i1 among them.
  Wide = 512,
  // Tile types among them: left to the op's own verifier.
  Own = 64,
};

struct ClosedOp {
  const char *name;
  unsigned kinds;
  const char *form = nullptr; ///< a statement, of ops of our own
};
} // namespace

static constexpr ClosedOp closedOps[] = {
    {"tile.apply", Own, "%j = tile.apply @map(%i) : index"},
    {"tile.argmax", Own, "%k = tile.argmax %v, 0 : vector<16xi32>"},
    {"tile.argmin", Own, "%k = tile.argmin %v, 0 : vector<16xi32>"},
    {"tile.atomic", Own, "tile.atomic add %v, %ph[%i] : !PH"},
    {"tile.atomic_scatter", Own,
     "tile.atomic_scatter add %v, %h[%l] : vector<16xi32>, !H, "
     "vector<16xindex>"},
    {"tile.block_id", Own, "%b = tile.block_id 0"},
    {"tile.cat", Own, "%c = tile.cat %v, %v, 0 : vector<16xi32>"},
    {"tile.claim", Own, "%o = tile.claim %pc[%i] : !PC"},
    {"tile.convert", Own,
     "%q = tile.convert %f : vector<16xf32> to vector<16xf8E5M2>"},
    {"tile.extract", Own,
     "%e = tile.extract %v[1] : vector<16xi32> to vector<8xi32>"},
    {"tile.gather", Own, "%g = tile.gather %x[%l] : !X, vector<16xindex>"},
    {"tile.grid_dim", Own, "%n = tile.grid_dim 0"},
    {"tile.inside", Own, "%m = tile.inside %px[%i] : !PX"},
    {"tile.invariant", Own, "tile.invariant %t, \"why\" : i1"},
    {"tile.iota", Own, "%a = tile.iota 0 : vector<16xindex>"},
    {"tile.load", Own, "%y = tile.load %px[%i] pad(zero) : !PX"},
    {"tile.measure", Own, "tile.measure %i : index"},
    {"tile.mma", Own,
     "%d = tile.mma %s, %s, %s : vector<16x16xf32>, vector<16x16xf32>, "
     "vector<16x16xf32>"},
    {"tile.mma_scaled", Own,
     "%d = tile.mma_scaled %a, %b, %s, %as, %bs : vector<16x32xf8E5M2>, "
     "vector<32x16xf8E5M2>, vector<16x16xf32>, vector<16x1xf8E8M0FNU>, "
     "vector<1x16xf8E8M0FNU>"},
    {"tile.name", Own, "%j = tile.name %i"},
    {"tile.num_tiles", Own, "%n = tile.num_tiles %px, 0 : !PX"},
    {"tile.partition", Own, "%p = tile.partition %x by [16] : !X"},
    {"tile.print", Own, "tile.print \"text\", %v, %i : vector<16xi32>, index"},
    {"tile.prove", Own, "tile.prove %t, \"why\" : i1"},
    {"tile.reduce", Own, "%r = tile.reduce add %v, 0 : vector<16xi32>"},
    {"tile.scan", Own, "%r = tile.scan add %v, 0 : vector<16xi32>"},
    {"tile.scatter", Own,
     "tile.scatter %v, %c[%l] : vector<16xi32>, !C, vector<16xindex>"},
    {"tile.store", Own, "tile.store %v, %piece : !P"},
    {"tile.symbol", Own, "%n = tile.symbol \"N\" : index"},
    {"tile.trust", Own, "tile.trust %t, \"why\" : i1"},
    {"tile.view", Own, "%w = tile.view %x slice [0] size [%n] : !X"},
    {"tile.yield", Own, "tile.yield %i"},
    {"func.call", Any},
    {"func.return", Any},
    {"scf.condition", Int},
    {"scf.for", Scalars},
    {"scf.if", Int},
    {"scf.while", Any},
    {"scf.yield", Any},
    {"arith.constant", Any},
#define ELEMENTS(kinds, text) kinds
#define ELEMENTWISE(name, shape, elements, ...) {name, elements},
#include "ir/ops/Elementwise.def"
    {"vector.broadcast", Any},
    {"vector.shape_cast", Vectors},
    {"vector.transpose", Vectors},
};

static const ClosedOp *findOp(StringRef name) {
  static const llvm::StringMap<const ClosedOp *> byName = [] {
    llvm::StringMap<const ClosedOp *> map;
    for (const ClosedOp &op : closedOps) {
      map[op.name] = &op;
    }
    return map;
  }();
  return byName.lookup(name);
}

bool girih::tile::isClosedOp(StringRef name) { return findOp(name); }

std::string girih::tile::refuseOp(StringRef name) {
  std::string dialect = (name.split('.').first + ".").str();
  std::string text = (name + " is not in the language").str();
  SmallVector<StringRef> nearby;
  for (const ClosedOp &op : closedOps) {
    if (StringRef(op.name).starts_with(dialect)) {
      nearby.push_back(StringRef(op.name).drop_front(dialect.size()));
    }
  }
  llvm::sort(nearby);
  if (nearby.empty()) {
    return text + ", which has ops of tile, scf, func, arith, math and "
                  "vector";
  }
  return text + ", which of " + StringRef(dialect).drop_back().str() +
         " has: " + llvm::join(nearby, ", ");
}

StringRef girih::tile::statementForm(StringRef name) {
  const ClosedOp *op = findOp(name);
  return op && op->form ? op->form : "";
}

std::string girih::tile::refuseBraces(StringRef name) {
  StringRef form = statementForm(name);
  std::string text = (name + " takes no attributes in braces: ").str();
  return text + (form.empty() ? "leave them out" : ("write " + form).str());
}

LogicalResult girih::tile::verifyOpNames(Region &body) {
  WalkResult result = body.walk([](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (isClosedOp(name)) {
      return WalkResult::advance();
    }
    op->emitError() << refuseOp(name);
    return WalkResult::interrupt();
  });
  return success(!result.wasInterrupted());
}

//===-- Types -------------------------------------------------------------===//

/// The kind of a type of the language, or 0.
static unsigned kindOf(Type type) {
  auto isInt = [](Type t) {
    return t.isSignlessInteger(1) || t.isSignlessInteger(8) ||
           t.isSignlessInteger(16) || t.isSignlessInteger(32) ||
           t.isSignlessInteger(64);
  };
  auto isFloat = [](Type t) {
    return t.isF16() || t.isBF16() || t.isF32() || t.isF64();
  };
  if (type.isIndex()) {
    return Index;
  }
  auto vector = dyn_cast<VectorType>(type);
  if (!vector) {
    return isInt(type) ? Int : isFloat(type) ? Float : isSmall(type) ? Tiny : 0;
  }
  Type element = vector.getElementType();
  return element.isIndex()  ? IndexVector
         : isInt(element)   ? IntVector
         : isFloat(element) ? FloatVector
         : isSmall(element) ? TinyVector
                            : 0;
}

static bool isTileType(Type type) {
  return isa<TileTensorType, PartitionType, PieceType>(type);
}

std::string girih::tile::refuseType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto vector = dyn_cast<VectorType>(type);
  if (kindOf(type) == 0) {
    os << "type " << type << " is not in the language, which has index, i1, "
       << "i4, i8, i16, i32, i64, f4E2M1FN, f8E4M3FN, f8E5M2, f8E8M0FNU, "
          "f16, bf16, f32, f64 and vectors of these";
    return text;
  }
  if (!vector) {
    return text;
  }
  if (vector.isScalable() || vector.getRank() == 0 ||
      vector.getRank() > maxRank) {
    os << "vectors have 1 to " << maxRank << " fixed axes, got " << type;
    return text;
  }
  int64_t elements = 1;
  for (int64_t dim : vector.getShape()) {
    if (!llvm::isPowerOf2_64(dim)) {
      os << "vector dims are powers of two, got " << dim << " in " << type;
      return text;
    }
    if (dim > maxElements || (elements *= dim) > maxElements) {
      os << "vectors have at most " << maxElements << " elements, got " << type;
      return text;
    }
  }
  return text;
}

static StringRef describe(Type type) {
  switch (kindOf(type)) {
  case Index:
    return "index";
  case Int:
    return "integer";
  case IntVector:
    return "integer vector";
  case IndexVector:
    return "index vector";
  case Float:
    return "float";
  case FloatVector:
    return "float vector";
  case Tiny:
    return "number of 8 bits or less";
  case TinyVector:
    return "vector of numbers of 8 bits or less";
  default:
    return "tile type";
  }
}

//===-- The pass ----------------------------------------------------------===//

/// The one float op that may be taken less exactly, where its text says so.
static bool isApproximate(Operation *op, arith::FastMathFlags flags) {
  return flags == arith::FastMathFlags::afn && isa<math::Exp2Op>(op) &&
         getElementTypeOrSelf(op->getResult(0)).isF32();
}

/// Refuses flags and other attributes that change what an op means.
static LogicalResult verifyAttributes(Operation *op) {
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    return op->emitError() << "attribute " << attr.getName().getValue()
                           << " is not in the language";
  }
  if (isa_and_present<TileDialect>(op->getDialect())) {
    return success();
  }
  for (StringAttr name : op->getName().getAttributeNames()) {
    Attribute attr = op->getInherentAttr(name).value_or(Attribute());
    auto fast = dyn_cast_if_present<arith::FastMathFlagsAttr>(attr);
    auto overflow = dyn_cast_if_present<arith::IntegerOverflowFlagsAttr>(attr);
    bool isNone =
        (fast && (fast.getValue() == arith::FastMathFlags::none ||
                  isApproximate(op, fast.getValue()))) ||
        (overflow && overflow.getValue() == arith::IntegerOverflowFlags::none);
    if (!attr || isNone || name == "value" || name == "predicate" ||
        name == "permutation" || name == "callee") {
      continue;
    }
    if (fast) {
      return op->emitError() << "flag fastmath is not in the language: floats "
                                "round at each op; math.exp2 of f32 alone may "
                                "have fastmath<afn>";
    }
    if (overflow) {
      return op->emitError() << "flags nsw and nuw are not in the language: "
                                "integers wrap";
    }
    if (isa<scf::ForOp>(op)) {
      return op->emitError()
             << "scf.for unsigned is not in the language: loops are signed";
    }
    return op->emitError() << "attribute " << name.getValue() << " of "
                           << op->getName() << " is not in the language";
  }
  return success();
}

static LogicalResult verifyTypes(Operation *op, const ClosedOp &closed) {
  bool own = closed.kinds & Own;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (!own && isTileType(type)) {
      return emitOperandError(op, operand.getOperandNumber())
             << "tensors, partitions and pieces are used by tile ops only, "
             << op->getName() << " got " << type;
    }
  }
  for (Value result : op->getResults()) {
    if (isTileType(result.getType())) {
      if (own) {
        continue;
      }
      return op->emitError() << "tensors, partitions and pieces are made by "
                                "tile ops only, "
                             << op->getName() << " gives " << result.getType();
    }
    if (std::string error = refuseType(result.getType()); !error.empty()) {
      return op->emitError() << error;
    }
  }
  for (Region &region : op->getRegions()) {
    if (!region.empty() && !region.hasOneBlock()) {
      return op->emitError() << "regions have one block";
    }
    for (BlockArgument argument : region.getArguments()) {
      if (std::string error = refuseType(argument.getType()); !error.empty()) {
        return op->emitError() << error;
      }
    }
  }
  if (own || op->getNumOperands() == 0) {
    return success();
  }
  Type first = op->getOperand(0).getType();
  bool isBit = getElementTypeOrSelf(first).isInteger(1);
  if ((kindOf(first) & closed.kinds) == 0 || (isBit && closed.kinds & Wide)) {
    return emitOperandError(op, 0)
           << op->getName() << " is not in the language for operands of type "
           << op->getOperand(0).getType() << " ("
           << describe(op->getOperand(0).getType()) << ")";
  }
  bool small = llvm::any_of(op->getResultTypes(), [](Type type) {
    return isSmall(getElementTypeOrSelf(type));
  });
  if (small && !(closed.kinds & Tinies) && !isa<arith::TruncIOp>(op) &&
      !isa<scf::SCFDialect>(op->getDialect())) {
    return op->emitError() << op->getName() << " to "
                           << op->getResult(0).getType()
                           << " is not in the language: tile.convert rounds "
                              "and saturates";
  }
  return success();
}

/// Shifting by as many bits as there are, or more, gives poison.
static LogicalResult verifyShift(Operation *op) {
  Type type = op->getOperand(0).getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto constant = op->getOperand(1).getDefiningOp<arith::ConstantOp>();
  if (!constant) {
    return emitOperandError(op, 1)
           << op->getName() << " shifts by an arith.constant, got a value";
  }
  auto isFine = [&](const APInt &amount) { return amount.ult(bits); };
  Attribute value = constant.getValue();
  auto dense = dyn_cast<DenseIntElementsAttr>(value);
  auto scalar = dyn_cast<IntegerAttr>(value);
  if (dense ? llvm::all_of(dense.getValues<APInt>(), isFine)
            : scalar && isFine(scalar.getValue())) {
    return success();
  }
  return emitOperandError(op, 1) << op->getName() << " shifts " << type
                                 << " by 0 to " << bits - 1 << " bits";
}

/// Constraints of single ops beyond types and attributes.
static LogicalResult verifyDetails(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (isa<VectorType>(constant.getType()) &&
        !isa<DenseIntOrFPElementsAttr>(constant.getValue())) {
      return op->emitError() << "constants of a vector type are dense<...>";
    }
  } else if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    if (llvm::is_contained({P::ult, P::ule, P::ugt, P::uge},
                           cmp.getPredicate())) {
      return op->emitError()
             << "unsigned comparison "
             << arith::stringifyCmpIPredicate(cmp.getPredicate())
             << " is not in the language, which has eq, ne, slt, sle, sgt, "
                "sge";
    }
  } else if (isa<arith::IndexCastOp>(op)) {
    if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1) ||
        getElementTypeOrSelf(op->getResult(0)).isInteger(1)) {
      return emitOperandError(op, 0)
             << "index_cast from or to i1 is not in the language: select "
                "between two constants, or compare with 0";
    }
  } else if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op)) {
    return verifyShift(op);
  } else if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    if (getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)) {
      return op->emitError() << op->getName()
                             << " to i1 is not in the language: compare with 0";
    }
  } else if (isa<arith::BitcastOp>(op)) {
    if (isSubByte(getElementTypeOrSelf(op->getOperand(0).getType()))) {
      return emitOperandError(op, 0) << "bitcast of elements below a byte is "
                                        "not in the language";
    }
    if (getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1)) {
      return emitOperandError(op, 0) << "bitcast of i1 is not in the language";
    }
  } else if (isa<arith::ExtFOp>(op)) {
    Type from = getElementTypeOrSelf(op->getOperand(0).getType()),
         to = getElementTypeOrSelf(op->getResult(0).getType());
    if (isa<Float8E8M0FNUType>(to) ||
        (isa<Float8E8M0FNUType>(from) && to.isF16())) {
      return op->emitError()
             << "numbers of " << from << " are not all in " << to;
    }
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop.getInductionVar().getType().isInteger(1)) {
      return emitOperandError(op, 0) << "loops count in index or in i8, i16, "
                                        "i32, i64, got i1";
    }
  } else if (isa<scf::WhileOp>(op)) {
    return verifyWhile(op);
  }
  return success();
}

LogicalResult girih::tile::verifyClosedOp(Operation *op) {
  StringRef name = op->getName().getStringRef();
  const ClosedOp *closed = findOp(name);
  if (!closed) {
    return op->emitError() << refuseOp(name);
  }
  return success(succeeded(verifyAttributes(op)) &&
                 succeeded(verifyTypes(op, *closed)) &&
                 succeeded(verifyDetails(op)));
}
