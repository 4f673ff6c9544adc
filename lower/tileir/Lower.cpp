// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Lower.h"
#include "lower/tileir/Context.h"

#include "ir/types/Diagnose.h"
#include "ir/types/Sources.h"
#include "mlir/IR/TypeUtilities.h"

using namespace girih::tile;

namespace girih::tileir {

Element elementOf(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (element.isIndex()) {
    return Element::I64;
  }
  // Scales are the bits of exponents but where they are multiplied.
  if (mlir::isa<mlir::Float8E8M0FNUType>(element)) {
    return Element::I8;
  }
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(element)) {
    switch (integer.getWidth()) {
    case 1:
      return Element::I1;
    case 4: // with their sign, a byte each, but for memory
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
  return element.isF16()                              ? Element::F16
         : element.isBF16()                           ? Element::BF16
         : element.isF64()                            ? Element::F64
         : mlir::isa<mlir::Float8E4M3FNType>(element) ? Element::F8E4M3FN
         : mlir::isa<mlir::Float8E5M2Type>(element)   ? Element::F8E5M2
         : mlir::isa<mlir::Float4E2M1FNType>(element) ? Element::F4E2M1FN
                                                      : Element::F32;
}

TileType tileTypeOf(mlir::Type type) {
  TileType out = scalarType(elementOf(type));
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type)) {
    out.shape.assign(vector.getShape().begin(), vector.getShape().end());
  }
  return out;
}

/// Where an op stands in the text, behind where it was written, if that is
/// elsewhere.
static std::string placeText(mlir::Location at) {
  std::string text = tile::locationText(at);
  auto origin = tile::sourcePlace(at);
  if (!origin) {
    return text;
  }
  tile::ShownPlace place;
  place.file = origin->file.str();
  place.line = origin->line;
  place.column = origin->column;
  return tile::headOf(place) + ": " + text;
}

void Context::fail(mlir::Location at, const llvm::Twine &why) {
  if (error.empty()) {
    error = (placeText(at) + ": " + why).str();
  }
}

void Context::need(mlir::Location at, unsigned target,
                   const llvm::Twine &what) {
  needs.push_back({target, (placeText(at) + ": " + what).str()});
}

/// Architectures before sm_89 have no floats of 8 bits, those before sm_100
/// none of 4. Scales are integers to them.
static void lookAtFormats(Context &c) {
  auto look = [&](mlir::Location at, mlir::Type type) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    if (auto tensor = mlir::dyn_cast<TileTensorType>(type)) {
      element = tensor.getElementType();
    }
    std::string name;
    llvm::raw_string_ostream(name) << element;
    if (mlir::isa<mlir::Float4E2M1FNType>(element)) {
      c.need(at, 100, name);
    } else if (mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(
                   element)) {
      c.need(at, 89, name);
    }
  };
  for (mlir::BlockArgument a : c.kernel.getArguments()) {
    look(a.getLoc(), a.getType());
  }
  c.kernel.getBodyRegion().walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes()) {
      look(op->getLoc(), type);
    }
  });
}

/// Where an op was written: in another source, if the text was made from one.
static SourcePlace sourcePlace(mlir::Location at) {
  if (auto origin = tile::sourcePlace(at)) {
    return {origin->line, origin->column, origin->file.str()};
  }
  auto place = at->findInstanceOf<mlir::FileLineColLoc>();
  return place ? SourcePlace{place.getLine(), place.getColumn(), ""}
               : SourcePlace();
}

void lowerBlock(Context &c, mlir::Block &block) {
  for (mlir::Operation &op : block) {
    c.builder.at(sourcePlace(op.getLoc()));
    if (!lowerMemory(c, &op) && !lowerControl(c, &op) &&
        !lowerInteger(c, &op) && !lowerFloat(c, &op) &&
        !lowerFunction(c, &op) && !lowerVector(c, &op) &&
        !lowerElementwise(c, &op)) {
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
    std::vector<Hint> known;
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

/// Refuses numbers that no hint takes: the assembler would read 32 bits of one.
static void checkHints(Context &c) {
  struct Range {
    const char *hint;
    int64_t low, high;
  };
  static constexpr Range ranges[] = {{"ctas", 1, 16},        {"early", 0, 1},
                                     {"grain", 1, 16},       {"latency", 1, 10},
                                     {"occupancy", 1, 32},   {"tma", 0, 1},
                                     {"worker_warps", 1, 32}};
  for (mlir::NamedAttribute target : c.kernel.getHints()) {
    auto entries = mlir::cast<mlir::DictionaryAttr>(target.getValue());
    for (const Range &range : ranges) {
      auto value = entries.getAs<mlir::IntegerAttr>(range.hint);
      if (value &&
          (value.getInt() < range.low || value.getInt() > range.high)) {
        c.fail(c.kernel, llvm::Twine("the hint ") + range.hint + " of " +
                             target.getName().getValue() + " takes " +
                             llvm::Twine(range.low) + " to " +
                             llvm::Twine(range.high) + ", not " +
                             llvm::Twine(value.getInt()));
      }
    }
  }
}

/// Refuses contracts that a launch could not be held to in any good time: the
/// manifest spells out each stride, a product of extents, and each requirement.
static void checkContract(Context &c) {
  constexpr size_t maxNumbers = 1 << 16;
  size_t numbers = 0;
  for (mlir::BlockArgument argument : c.kernel.getArguments()) {
    if (auto tensor = mlir::dyn_cast<TileTensorType>(argument.getType())) {
      numbers += size_t(tensor.getRank()) * tensor.getRank();
    }
  }
  for (ComparisonAttr r : c.kernel.getRequirements()) {
    forEachConstant(r, [&](int64_t) { ++numbers; });
    for (ExprAttr side : {r.getLhs(), r.getRhs()}) {
      forEachSymbol(side, [&](mlir::StringAttr) { ++numbers; });
    }
  }
  if (numbers > maxNumbers) {
    c.fail(c.kernel, "the launch contract has " + llvm::Twine(numbers) +
                         " numbers in strides and requirements; the manifest "
                         "takes " +
                         llvm::Twine(maxNumbers));
  }
}

/// Whether the hint `early` asks for it, of whatever target: those before sm_90
/// know nothing of it.
static bool waitsForGrids(KernelOp kernel) {
  return llvm::any_of(kernel.getHints(), [](mlir::NamedAttribute target) {
    auto entries = mlir::cast<mlir::DictionaryAttr>(target.getValue());
    auto hint = entries.getAs<mlir::IntegerAttr>("early");
    return hint && hint.getInt() != 0;
  });
}

/// Appends one entry point; the error or nothing.
static std::string lowerEntry(KernelOp kernel, const EntryPlan &plan,
                              const Options &options, Lowered &out) {
  Function &f = out.module.functions.emplace_back();
  f.name = plan.entry;
  f.place = sourcePlace(kernel.getLoc());
  f.hints = hintsOf(kernel);
  for (const Parameter &p : out.parameters) {
    f.body.arguments.push_back(f.add(typeOf(kernel, p)));
  }
  Context c(kernel, plan, f, options);
  checkHints(c);
  checkContract(c);
  c.builder.at(f.place);
  lowerLaunch(c, f.body.arguments);
  makeViews(c);
  if (waitsForGrids(kernel)) {
    // Who lets the next grid start waits itself: that one waits for this alone.
    c.builder.append(Opcode::GdcLaunchDependents, {}, {{}}, {TokenType{}});
    c.dependency =
        c.builder.append(Opcode::GdcWait, {}, {{}}, {TokenType{}})[0];
  }
  for (unsigned t : tensorsIn(kernel.getBodyRegion())) {
    c.tokens[t] = c.dependency ? *c.dependency
                               : c.builder.append(Opcode::MakeToken, {}, {},
                                                  {TokenType{}})[0];
  }
  lookAtFormats(c);
  lowerBlock(c, *kernel.getBody());
  c.builder.at(f.place);
  c.builder.append(Opcode::Return, {}, {{}}, {});
  out.needs = std::move(c.needs);
  out.unordered = std::move(c.unordered);
  out.inBounds.merge(c.inBounds);
  out.exact = std::move(c.exact);
  out.fits.merge(c.fits); // the first entry point knows the most
  return c.error;
}

bool Lowered::waitsIn(unsigned minor) const {
  return waits && minor >= formOf(Opcode::GdcWait).since;
}

std::variant<Lowered, std::string>
lower(const checker::VerifiedKernel &verified, const Options &options) {
  auto opened = verified.open();
  if (auto *why = std::get_if<std::string>(&opened)) {
    return *why;
  }
  Lowered out;
  out.source = std::get<checker::OpenedKernel>(std::move(opened));
  KernelOp kernel = out.source.kernel();
  if (options.before) {
    options.before(kernel);
  }
  out.parameters = parametersOf(kernel);
  out.waits = waitsForGrids(kernel);
  out.plans = plansOf(kernel);
  if (auto at = kernel.getLoc()->findInstanceOf<mlir::FileLineColLoc>()) {
    out.module.file = at.getFilename().str();
  }
  if (options.facts) {
    dropUnreachable(out.plans, kernel);
  } else {
    out.plans.erase(out.plans.begin(), out.plans.end() - 1);
  }
  for (const EntryPlan &plan : out.plans) {
    std::string error = lowerEntry(kernel, plan, options, out);
    if (!error.empty()) {
      return error;
    }
  }
  return out;
}

} // namespace girih::tileir
