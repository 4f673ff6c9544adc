// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch contract, evaluated in 128 bits without wrapping.

#include "spec/executor/launch/Launch.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <set>

namespace girih::exec {

using Symbols = std::map<std::string, int64_t>;

static Wide scaledPower(unsigned exponent, unsigned width) {
  return Wide(1) << ((exponent * width + 63) / 64);
}

LaunchBounds launchBounds(unsigned indexWidth) {
  return {scaledPower(40, indexWidth), scaledPower(47, indexWidth),
          scaledPower(31, indexWidth) - 1};
}

Kind kindOf(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (element.isIndex()) {
    return Kind::Index;
  }
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(element)) {
    switch (integer.getWidth()) {
    case 1:
      return Kind::I1;
    case 4:
      return Kind::I4;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    default:
      return Kind::I64;
    }
  }
  if (mlir::isa<mlir::Float8E4M3FNType>(element)) {
    return Kind::F8E4M3FN;
  }
  if (mlir::isa<mlir::Float4E2M1FNType>(element)) {
    return Kind::F4E2M1FN;
  }
  if (mlir::isa<mlir::Float8E8M0FNUType>(element)) {
    return Kind::F8E8M0FNU;
  }
  if (mlir::isa<mlir::Float8E5M2Type>(element)) {
    return Kind::F8E5M2;
  }
  if (element.isF16()) {
    return Kind::F16;
  }
  if (element.isBF16()) {
    return Kind::BF16;
  }
  return element.isF64() ? Kind::F64 : Kind::F32;
}

bool mayOverlap(const Layout &layout) {
  std::vector<std::pair<int64_t, int64_t>> axes;
  for (size_t k = 0; k < layout.extents.size(); ++k) {
    if (layout.extents[k] == 0) {
      return false;
    }
    if (layout.extents[k] > 1) {
      axes.push_back({layout.strides[k], layout.extents[k]});
    }
  }
  std::sort(axes.begin(), axes.end());
  Wide reach = 0;
  for (auto [stride, extent] : axes) {
    if (stride <= reach) {
      return true;
    }
    reach += Wide(stride) * (extent - 1);
  }
  return false;
}

namespace {

/// Evaluates contract expressions. The first failure is kept: an error of the
/// launch, or a division that the kernel should not have written.
struct Evaluator {
  const Symbols &symbols;
  std::string error;
  std::string division; ///< "ceildiv(M, N) divides 5 by 0"

  bool failed() const { return !error.empty() || !division.empty(); }

  Wide eval(tile::ExprAttr expr) {
    if (expr.getKind() == tile::ExprKind::Constant) {
      return expr.getValue();
    }
    if (expr.getKind() == tile::ExprKind::Symbol) {
      return symbols.at(expr.getSymbol().str());
    }
    Wide a = eval(expr.getLhs());
    Wide b = eval(expr.getRhs());
    return failed() ? 0 : apply(expr, a, b);
  }

  Wide apply(tile::ExprAttr expr, Wide a, Wide b) {
    Wide result = 0;
    bool overflow = false;
    switch (expr.getKind()) {
    case tile::ExprKind::Add:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case tile::ExprKind::Sub:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case tile::ExprKind::Mul:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case tile::ExprKind::Min:
      return std::min(a, b);
    case tile::ExprKind::Max:
      return std::max(a, b);
    default:
      return divide(expr, a, b);
    }
    if (overflow) {
      error = "contract: " + expr.str() + " leaves 128 bits";
    }
    return result;
  }

  Wide divide(tile::ExprAttr expr, Wide a, Wide b) {
    if (a < 0 || b < 1) {
      division = expr.str() + " divides " + wideText(a) + " by " + wideText(b);
      return 0;
    }
    switch (expr.getKind()) {
    case tile::ExprKind::Div:
      return divInteger(a, b);
    case tile::ExprKind::Mod:
      return remInteger(a, b);
    default:
      return ceilDivInteger(a, b);
    }
  }
};

bool holds(tile::ComparisonKind kind, Wide a, Wide b) {
  switch (kind) {
  case tile::ComparisonKind::Eq:
    return a == b;
  case tile::ComparisonKind::Lt:
    return a < b;
  case tile::ComparisonKind::Le:
    return a <= b;
  case tile::ComparisonKind::Gt:
    return a > b;
  case tile::ComparisonKind::Ge:
    return a >= b;
  }
  return false;
}

/// Checks one launch step by step; each step returns false when it failed.
struct Checker {
  tile::KernelOp kernel;
  const Symbols &symbols;
  LaunchBounds bounds;
  Evaluator evaluator;
  LaunchCheck check;
  AdmittedLaunch launch;

  bool refuse(std::string why) {
    check.error = std::move(why);
    return false;
  }

  bool stuck(Rule rule, std::string headline, std::string message) {
    Fault fault;
    fault.rule = rule;
    fault.op = kernel;
    fault.headline = std::move(headline);
    fault.message = std::move(message);
    check.fault = std::move(fault);
    return false;
  }

  /// After an evaluation: false when it failed.
  bool evaluated() {
    if (!evaluator.division.empty()) {
      return stuck(Rule::ContractDivision,
                   "the contract divides by less than 1 or a negative number",
                   evaluator.division);
    }
    return evaluator.error.empty() || refuse(evaluator.error);
  }

  bool inRange(const std::string &what, Wide value, Wide low, Wide high) {
    return (low <= value && value <= high) ||
           refuse("implied: " + what + " = " + wideText(value) +
                  " is outside " + wideText(low) + ".." + wideText(high));
  }

  bool checkSymbols() {
    llvm::SmallVector<tile::LaunchSymbol> bound = kernel.getLaunchSymbols();
    for (const tile::LaunchSymbol &symbol : bound) {
      std::string name = symbol.name.str();
      auto it = symbols.find(name);
      if (it == symbols.end()) {
        return refuse("symbol " + name + " has no value");
      }
      Wide low = 0, high = bounds.extent;
      if (auto type = mlir::dyn_cast<mlir::IntegerType>(symbol.type)) {
        bool flag = type.getWidth() == 1;
        low = flag ? 0 : -(Wide(1) << (type.getWidth() - 1));
        high = flag ? 1 : -low - 1;
      }
      if (!inRange(name, it->second, low, high)) {
        return false;
      }
    }
    std::set<llvm::StringRef> known;
    for (const tile::LaunchSymbol &symbol : bound) {
      known.insert(symbol.name.getValue());
    }
    for (const auto &[name, value] : symbols) {
      if (!known.count(name)) {
        return refuse("the kernel has no symbol " + name);
      }
    }
    return true;
  }

  Wide extentOf(mlir::Attribute dim) {
    if (auto constant = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
      return constant.getValue().getSExtValue();
    }
    return symbols.at(mlir::cast<mlir::StringAttr>(dim).str());
  }

  bool checkTensor(unsigned number, tile::TileTensorType type) {
    std::string name = "%" + kernel.getArgName(number).str();
    Layout layout;
    layout.kind = kindOf(type.getElementType());
    layout.written = type.getMode() != tile::Mode::Shared;
    layout.undefined = type.getMode() == tile::Mode::Out;
    std::vector<Wide> strides(type.getDims().size());
    for (mlir::Attribute dim : type.getDims()) {
      Wide extent = extentOf(dim);
      if (!inRange("an extent of " + name, extent, 0, bounds.extent)) {
        return false;
      }
      layout.extents.push_back(static_cast<int64_t>(extent));
    }
    Wide packed = 1;
    for (size_t k = strides.size(); k-- > 0;) {
      strides[k] =
          type.getStrides().empty() ? packed : extentOf(type.getStrides()[k]);
      // Beyond the bound on bytes the product no longer matters.
      packed = std::min(packed * layout.extents[k], Wide(1) << 80);
    }
    for (size_t k = 0; k < strides.size(); ++k) {
      if (strides[k] < 0) {
        return refuse("implied: stride " + wideText(strides[k]) + " of " +
                      name + " is negative");
      }
      Wide bytes = strides[k] * layout.extents[k] * elementBytes(layout.kind);
      if (!inRange("stride * extent * size of " + name, bytes, 0,
                   bounds.bytes)) {
        return false;
      }
      layout.strides.push_back(
          static_cast<int64_t>(layout.extents[k] == 0 ? 0 : strides[k]));
    }
    if (layout.written && mayOverlap(layout)) {
      return refuse("implied: elements of the written tensor " + name +
                    " share memory");
    }
    launch.tensors[number] = std::move(layout);
    return true;
  }

  bool checkRequirements() {
    for (tile::ComparisonAttr condition : kernel.getRequirements()) {
      Wide a = evaluator.eval(condition.getLhs());
      Wide b = evaluator.eval(condition.getRhs());
      if (!evaluated()) {
        return false;
      }
      if (!holds(condition.getKind(), a, b)) {
        return refuse("requires " + condition.str() + ": " + wideText(a) +
                      " against " + wideText(b));
      }
    }
    return true;
  }

  bool checkGrid() {
    Wide product = 1;
    for (tile::ExprAttr expr : kernel.getGridExprs()) {
      Wide dim = evaluator.eval(expr);
      if (!evaluated()) {
        return false;
      }
      std::string what = "grid[" + std::to_string(launch.grid.size()) + "]";
      if (dim < 0) {
        return stuck(Rule::LaunchGrid,
                     what + " = " + wideText(dim) + " is negative",
                     what + " = " + expr.str() + " = " + wideText(dim));
      }
      if (!inRange(what, dim, 0, bounds.grid)) {
        return false;
      }
      launch.grid.push_back(static_cast<int64_t>(dim));
      // A dimension of 0 further on makes a large product harmless.
      product = std::min(product * dim, bounds.grid << 31);
    }
    launch.blocks = static_cast<int64_t>(product);
    return inRange("the number of blocks", product, 0, bounds.grid);
  }

  /// A value that leaves 128 bits refuses the launch, as elsewhere.
  bool evaluateGivens() {
    for (tile::GivenAttr fact : kernel.getGivenFacts()) {
      Precondition given;
      given.kind = fact.getKind();
      given.tensor = fact.getTensor();
      given.text = fact.str(kernel.getArgText(given.tensor));
      if (fact.getLow()) {
        given.low = evaluator.eval(fact.getLow());
      }
      if (fact.getHigh() && !evaluator.failed()) {
        given.high = evaluator.eval(fact.getHigh());
      }
      if (!evaluated()) {
        return false;
      }
      launch.givens.push_back(std::move(given));
    }
    return true;
  }

  bool checkAll() {
    if (!checkSymbols()) {
      return false;
    }
    launch.tensors.resize(kernel.getArguments().size());
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
      if (type && !checkTensor(arg.getArgNumber(), type)) {
        return false;
      }
    }
    return checkRequirements() && checkGrid() && evaluateGivens();
  }
};

} // namespace

Choice chooseVariant(const tile::KernelFiles &files, const Symbols &symbols,
                     llvm::StringRef asked) {
  if (!asked.empty()) {
    auto file = llvm::find_if(files, [&](const auto &f) {
      return tile::KernelOp(f->kernel).getSymName() == asked;
    });
    if (file == files.end()) {
      return {std::nullopt, "the file has no kernel @" + asked.str()};
    }
    return {size_t(file - files.begin()), ""};
  }
  for (const tile::LaunchSymbol &s : files.front()->kernel.getLaunchSymbols()) {
    if (!files.front()->list.empty() && !symbols.count(s.name.str())) {
      return {std::nullopt, "symbol " + s.name.str() + " has no value"};
    }
  }
  for (size_t i = 0; i < files.size(); ++i) {
    Evaluator evaluator{symbols, {}, {}};
    bool all = llvm::all_of(files[i]->when, [&](tile::ComparisonAttr c) {
      Wide a = evaluator.eval(c.getLhs());
      Wide b = evaluator.failed() ? 0 : evaluator.eval(c.getRhs());
      return !evaluator.failed() && holds(c.getKind(), a, b);
    });
    if (evaluator.failed()) {
      return {std::nullopt, evaluator.error + evaluator.division};
    }
    if (all) {
      return {i, ""};
    }
  }
  return {std::nullopt,
          "no variant of @" + files.front()->list + " is for this launch"};
}

LaunchCheck checkLaunch(tile::KernelOp kernel, const Symbols &symbols,
                        unsigned indexWidth) {
  Checker checker{
      kernel, symbols, launchBounds(indexWidth), Evaluator{symbols, {}, {}},
      {},     {}};
  if (checker.checkAll()) {
    checker.check.launch = std::move(checker.launch);
  }
  return std::move(checker.check);
}

} // namespace girih::exec
