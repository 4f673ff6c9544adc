// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Lower.h"
#include "lower/tileir/Context.h"

#include "checker/Facts.h"
#include "mlir/IR/TypeUtilities.h"

using namespace girih::tile;

namespace girih::tileir {

Element elementOf(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (element.isIndex()) {
    return Element::I64;
  }
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(element)) {
    switch (integer.getWidth()) {
    case 1:
      return Element::I1;
    case 8:
      return Element::I8;
    case 16:
      return Element::I16;
    case 32:
      return Element::I32;
    default:
      return Element::I64;
    }
  }
  return element.isF16()    ? Element::F16
         : element.isBF16() ? Element::BF16
         : element.isF64()  ? Element::F64
                            : Element::F32;
}

TileType tileTypeOf(mlir::Type type) {
  TileType out = scalarType(elementOf(type));
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type)) {
    out.shape.assign(vector.getShape().begin(), vector.getShape().end());
  }
  return out;
}

void Context::fail(mlir::Operation *op, const llvm::Twine &why) {
  if (error.empty()) {
    error = (checker::locationText(op->getLoc()) + ": " + why).str();
  }
}

void lowerBlock(Context &c, mlir::Block &block) {
  for (mlir::Operation &op : block) {
    if (!lowerMemory(c, &op) && !lowerControl(c, &op) &&
        !lowerInteger(c, &op) && !lowerFloat(c, &op) && !lowerVector(c, &op)) {
      c.fail(&op, op.getName().getStringRef() + " has no form in Tile IR");
    }
  }
}

/// Hints of the kernel in the assembler's words; others are not for it.
static Hints hintsOf(KernelOp kernel) {
  static constexpr std::pair<const char *, const char *> words[] = {
      {"ctas", "num_cta_in_cga"},
      {"occupancy", "occupancy"},
      {"worker_warps", "num_worker_warps_per_cta"}};
  Hints hints;
  for (mlir::NamedAttribute target : kernel.getHints()) {
    auto entries = mlir::cast<mlir::DictionaryAttr>(target.getValue());
    std::vector<std::pair<std::string, int64_t>> known;
    for (auto [ours, theirs] : words) {
      if (auto value = entries.getAs<mlir::IntegerAttr>(ours)) {
        known.push_back({theirs, value.getInt()});
      }
    }
    if (!known.empty()) {
      hints.push_back({target.getName().str(), std::move(known)});
    }
  }
  return hints;
}

/// What of the kernel's types has no form yet, or nothing.
static std::string refuseTypes(KernelOp kernel) {
  bool small = false;
  kernel.walk([&](mlir::Operation *op) {
    small |= llvm::any_of(op->getResultTypes(), [](mlir::Type type) {
      return isSmallFloat(mlir::getElementTypeOrSelf(type));
    });
  });
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<TileTensorType>(arg.getType());
    small |= type && isSmallFloat(type.getElementType());
    if (type && (atomicOf(type.getMode()) || type.getMode() == Mode::Raw)) {
      return ("%" + kernel.getArgName(arg.getArgNumber()) + " has mode " +
              stringifyMode(type.getMode()) + ", which is not lowered yet")
          .str();
    }
  }
  return small ? "floats of 8 bits are not lowered yet" : "";
}

static std::string lowerEntry(KernelOp kernel, const Plan &plan,
                              const std::vector<Parameter> &parameters,
                              Function &f) {
  f.name = plan.entry;
  f.hints = hintsOf(kernel);
  for (const Parameter &p : parameters) {
    f.body.arguments.push_back(f.add(typeOf(kernel, p)));
  }
  Context c(kernel, plan, f);
  lowerLaunch(c, f.body.arguments);
  makeViews(c);
  for (unsigned t : tensorsIn(kernel.getBodyRegion())) {
    c.tokens[t] = c.builder.append(Opcode::MakeToken, {}, {}, {TokenType{}})[0];
  }
  lowerBlock(c, *kernel.getBody());
  c.builder.append(Opcode::Return, {}, {{}}, {});
  return c.error;
}

std::variant<Lowered, std::string>
lower(const checker::VerifiedKernel &verified) {
  KernelOp kernel = verified.kernel();
  if (std::string error = refuseTypes(kernel); !error.empty()) {
    return error;
  }
  Lowered out;
  out.parameters = parametersOf(kernel);
  out.plans = plansOf(kernel);
  for (const Plan &plan : out.plans) {
    out.module.functions.emplace_back();
    std::string error =
        lowerEntry(kernel, plan, out.parameters, out.module.functions.back());
    if (!error.empty()) {
      return error;
    }
  }
  return out;
}

} // namespace girih::tileir
