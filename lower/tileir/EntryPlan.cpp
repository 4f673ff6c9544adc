// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/EntryPlan.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mlir;
using namespace girih::tile;

namespace girih::tileir {

/// The grain of what may be any number of elements.
static constexpr int64_t anyBytes = 1;

SymbolFacts impliedFacts(Type symbol) {
  if (auto type = dyn_cast<IntegerType>(symbol)) {
    if (type.getWidth() == 1) {
      return {0, 1, 1};
    }
    int64_t high = (uint64_t(1) << (type.getWidth() - 1)) - 1;
    return {-high - 1, high, 1};
  }
  return {0, int64_t(1) << 40, 1};
}

static ExprAttr exprOf(Attribute extent) {
  if (auto name = dyn_cast<StringAttr>(extent)) {
    return ExprAttr::symbol(name);
  }
  return ExprAttr::constant(extent.getContext(),
                            cast<IntegerAttr>(extent).getInt());
}

std::vector<ExprAttr> extentExprs(TileTensorType type) {
  std::vector<ExprAttr> out;
  for (Attribute dim : type.getDims()) {
    out.push_back(exprOf(dim));
  }
  return out;
}

static bool isConstant(ExprAttr e) { return e.getKind() == ExprKind::Constant; }

static ExprAttr product(ExprAttr a, ExprAttr b) {
  auto is = [](ExprAttr e, int64_t n) {
    return isConstant(e) && e.getValue() == n;
  };
  if (is(a, 1) || is(b, 0)) {
    return b;
  }
  if (is(b, 1) || is(a, 0)) {
    return a;
  }
  int64_t value = 0;
  if (isConstant(a) && isConstant(b) &&
      !__builtin_mul_overflow(a.getValue(), b.getValue(), &value)) {
    return ExprAttr::constant(a.getContext(), value);
  }
  return ExprAttr::binary(ExprKind::Mul, a, b);
}

std::vector<ExprAttr> strideExprs(TileTensorType type) {
  std::vector<ExprAttr> out;
  for (Attribute stride : type.getStrides()) {
    out.push_back(exprOf(stride));
  }
  if (!out.empty()) {
    return out;
  }
  std::vector<ExprAttr> dims = extentExprs(type);
  out.assign(dims.size(), ExprAttr::constant(type.getContext(), 1));
  for (size_t k = dims.size(); k-- > 1;) {
    out[k - 1] = product(dims[k], out[k]);
  }
  return out;
}

namespace {

/// Bytes of which strides and last extents are multiples, by symbol.
using Grains = std::map<std::string, int64_t>;

struct Planner {
  EntryPlan plan;
  Grains grains;                         ///< `engineBytes` of others
  std::vector<std::string> grained = {}; ///< symbols that are asked for one

  void require(ComparisonKind kind, ExprAttr lhs, ExprAttr rhs) {
    auto c = ComparisonAttr::get(lhs.getContext(), kind, lhs, rhs);
    if (!llvm::is_contained(plan.when, c)) {
      plan.when.push_back(c);
    }
  }

  void requireSize(ExprAttr e) {
    if (e.getKind() != ExprKind::Symbol) {
      return;
    }
    MLIRContext *context = e.getContext();
    require(ComparisonKind::Ge, e, ExprAttr::constant(context, 1));
    require(ComparisonKind::Le, e, ExprAttr::constant(context, engineSize));
    SymbolFacts &facts = plan.facts[e.getSymbol().str()];
    facts.low = std::max<int64_t>(facts.low, 1);
    facts.high = std::min(facts.high, engineSize);
  }

  /// A product within bounds is asked for behind its factors, so that none
  /// that a launcher computes is beyond 62 bits.
  void requireProduct(ExprAttr e) {
    if (e.getKind() != ExprKind::Mul || llvm::is_contained(plan.products, e)) {
      return;
    }
    require(ComparisonKind::Le, e,
            ExprAttr::constant(e.getContext(), engineSize));
    plan.products.push_back(e);
  }

  /// The grain of a symbol in bytes.
  int64_t grainOf(ExprAttr e) const {
    if (e.getKind() != ExprKind::Symbol) {
      return engineBytes;
    }
    auto given = grains.find(e.getSymbol().str());
    return given == grains.end() ? engineBytes : given->second;
  }

  /// Of constants nothing is asked. A product of extents is a multiple as soon
  /// as its last factor is, the last extent of all.
  void requireMultiple(ExprAttr e, int64_t bits, int64_t bytes) {
    if (e.getKind() != ExprKind::Symbol) {
      return;
    }
    std::string name = e.getSymbol().str();
    if (!llvm::is_contained(grained, name)) {
      grained.push_back(name);
    }
    int64_t grain = std::max<int64_t>(8 * bytes / bits, 1);
    uint64_t &divisor = plan.facts[name].divisor;
    if (divisor % grain == 0) {
      return;
    }
    MLIRContext *context = e.getContext();
    require(
        ComparisonKind::Eq,
        ExprAttr::binary(ExprKind::Mod, e, ExprAttr::constant(context, grain)),
        ExprAttr::constant(context, 0));
    divisor = std::max<uint64_t>(divisor, grain);
  }

  /// Whether the copy engine may serve it.
  bool addTensor(TileTensorType type) {
    for (ExprAttr e : extentExprs(type)) {
      requireSize(e);
    }
    std::vector<ExprAttr> strides = strideExprs(type);
    for (ExprAttr e : strides) {
      requireSize(e);
    }
    int64_t bits = type.getElementType().getIntOrFloatBitWidth();
    int64_t grain = std::max<int64_t>(8 * engineBytes / bits, 1);
    auto hopeless = [&](ExprAttr e) {
      return isConstant(e) && e.getValue() % grain != 0;
    };
    ArrayRef<ExprAttr> outer = ArrayRef(strides).drop_back();
    if (type.getAlign() < engineBytes || !isConstant(strides.back()) ||
        strides.back().getValue() != 1 || llvm::any_of(outer, hopeless)) {
      return false;
    }
    int64_t rows = engineBytes;
    for (ExprAttr e : outer) {
      rows = std::min(rows, grainOf(e));
      requireMultiple(e, bits, grainOf(e));
    }
    // The engine leaves out what is beyond an edge that it reads, wherever it
    // is. An edge that is written, and one of what it does not serve, would be
    // masked element by element.
    ExprAttr last = extentExprs(type).back();
    if (type.getMode() != Mode::Shared || outer.empty() || rows < engineBytes) {
      requireMultiple(last, bits, std::min(rows, grainOf(last)));
    }
    for (ExprAttr e : llvm::reverse(outer)) {
      requireProduct(e);
    }
    return true;
  }
};

Planner planWith(KernelOp kernel, const EntryPlan &general,
                 const Grains &grains) {
  Planner planner{general, grains};
  planner.plan.positiveStrides = true;
  for (BlockArgument argument : kernel.getArguments()) {
    if (auto type = dyn_cast<TileTensorType>(argument.getType())) {
      planner.addTensor(type);
    }
  }
  return planner;
}

/// The least grain that has an entry of its own: what some target's hint says.
std::optional<int64_t> hintedGrain(KernelOp kernel) {
  std::optional<int64_t> least;
  for (NamedAttribute target : kernel.getHints()) {
    auto hints = cast<DictionaryAttr>(target.getValue());
    if (auto hint = hints.getAs<IntegerAttr>("grain")) {
      least = std::min(hint.getInt(), least.value_or(engineBytes));
    }
  }
  return least;
}

/// Whether the contract has the symbol as a multiple of so many elements.
bool isMultiple(KernelOp kernel, const std::string &symbol, uint64_t elements) {
  return llvm::any_of(kernel.getRequirements(), [&](ComparisonAttr r) {
    ExprAttr mod = r.getLhs(), rest = r.getRhs();
    return r.getKind() == ComparisonKind::Eq &&
           mod.getKind() == ExprKind::Mod &&
           mod.getLhs().getKind() == ExprKind::Symbol &&
           mod.getLhs().getSymbol().getValue() == symbol &&
           isConstant(mod.getRhs()) &&
           mod.getRhs().getValue() % elements == 0 && isConstant(rest) &&
           rest.getValue() == 0;
  });
}

/// Symbols that are let go of together.
using Unit = std::vector<std::string>;

/// Whether the engine still serves some tensor that is read where the symbols
/// are any numbers.
bool leavesSome(KernelOp kernel, const EntryPlan &general, const Unit &unit) {
  return llvm::any_of(kernel.getArguments(), [&](BlockArgument argument) {
    auto type = dyn_cast<TileTensorType>(argument.getType());
    Planner planner{general, {}};
    return type && type.getMode() == Mode::Shared && planner.addTensor(type) &&
           llvm::none_of(planner.grained, [&](const std::string &grained) {
             return llvm::is_contained(unit, grained);
           });
  });
}

/// Symbols of tensors that are read, of any of which the engine asks something.
std::vector<std::string> readSymbols(KernelOp kernel,
                                     const EntryPlan &general) {
  Planner planner{general, {}};
  for (BlockArgument argument : kernel.getArguments()) {
    auto type = dyn_cast<TileTensorType>(argument.getType());
    if (type && type.getMode() == Mode::Shared) {
      planner.addTensor(type);
    }
  }
  return planner.grained;
}

/// What a symbol is where every tensor is packed: of a stride the product of
/// the extents behind its axis.
std::string packedText(KernelOp kernel, const std::string &symbol) {
  for (BlockArgument argument : kernel.getArguments()) {
    auto type = dyn_cast<TileTensorType>(argument.getType());
    if (!type) {
      continue;
    }
    std::vector<ExprAttr> dims = extentExprs(type);
    ExprAttr packed = ExprAttr::constant(type.getContext(), 1);
    for (size_t k = type.getStrides().size(); k-- > 0;) {
      auto stride = dyn_cast<StringAttr>(type.getStrides()[k]);
      if (stride && stride.getValue() == symbol) {
        return packed.str();
      }
      packed = product(dims[k], packed);
    }
  }
  return symbol;
}

/// For launches that miss the grain of the engine. Symbols of words alone,
/// which are multiples of 4 bytes whatever they are, are let go first: mostly
/// those of small results. Then an edge that is only written, which costs its
/// tensor alone; then what is one number where tensors are packed. What all
/// have may be any number, too: that sizes fit 31 bits is worth an entry.
struct SmallerGrains {
  KernelOp kernel;
  const EntryPlan &general;
  const Planner &aligned;
  Grains free = {};
  std::vector<Unit> units = {};
  Unit all = {};
  std::vector<Grains> out = {};

  void sort() {
    Grains words;
    for (const std::string &symbol : aligned.grained) {
      words[symbol] = wordBytes;
    }
    Planner planner = planWith(kernel, general, words);
    std::map<std::string, size_t> numbers; // of units
    for (const std::string &symbol : aligned.grained) {
      if (planner.plan.facts.at(symbol).divisor == 1) {
        free[symbol] = wordBytes;
      } else if (!isMultiple(kernel, symbol,
                             aligned.plan.facts.at(symbol).divisor)) {
        all.push_back(symbol);
        auto [at, isNew] =
            numbers.emplace(packedText(kernel, symbol), units.size());
        if (isNew) {
          units.emplace_back();
        }
        units[at->second].push_back(symbol);
      }
    }
  }

  /// Extents that no tensor is read by, and the strides beside them.
  Unit writtenEdges() const {
    std::vector<std::string> read = readSymbols(kernel, general);
    Unit out;
    llvm::copy_if(all, std::back_inserter(out), [&](const std::string &s) {
      return !llvm::is_contained(read, s);
    });
    bool hasExtent = llvm::any_of(
        out, [&](const std::string &s) { return packedText(kernel, s) == s; });
    return hasExtent && !llvm::is_contained(units, out) ? out : Unit();
  }

  void letGo(const Unit &unit, int64_t bytes) {
    Grains grains = free;
    for (const std::string &symbol : unit) {
      grains[symbol] = bytes;
    }
    out.push_back(std::move(grains));
  }

  std::vector<Grains> found() {
    constexpr size_t maxAlone = 2;
    int64_t least = hintedGrain(kernel).value_or(anyBytes);
    int64_t leastOfAll = std::max(least, wordBytes);
    sort();
    if (least <= wordBytes) {
      out.push_back(free);
    }
    Unit written = writtenEdges();
    if (least < wordBytes && !written.empty()) {
      letGo(written, anyBytes);
    }
    for (int64_t bytes = engineBytes / 2; bytes >= leastOfAll; bytes /= 2) {
      for (const Unit &unit : units) {
        if (units.size() > 1 && units.size() <= maxAlone) {
          letGo(unit, bytes);
        }
      }
      if (bytes == leastOfAll || units.size() == 1) {
        letGo(all, bytes);
      }
    }
    for (const Unit &unit : units) {
      if (least < wordBytes && units.size() <= maxAlone &&
          (units.size() == 1 || leavesSome(kernel, general, unit))) {
        letGo(unit, anyBytes);
      }
    }
    return std::move(out);
  }
};

/// The bound that a comparison sets to its left side, inclusive: at least
/// `first`, at most `second`.
std::pair<std::optional<int64_t>, std::optional<int64_t>>
boundsOf(ComparisonAttr c) {
  if (!isConstant(c.getRhs())) {
    return {};
  }
  int64_t n = c.getRhs().getValue();
  switch (c.getKind()) {
  case ComparisonKind::Eq:
    return {}; // of a rest
  case ComparisonKind::Le:
    return {std::nullopt, n};
  case ComparisonKind::Ge:
    return {n, std::nullopt};
  case ComparisonKind::Lt:
    return {std::nullopt, std::max(n, INT64_MIN + 1) - 1};
  case ComparisonKind::Gt:
    return {std::min(n, INT64_MAX - 1) + 1, std::nullopt};
  }
}

bool isZeroRest(ComparisonAttr c) {
  return c.getKind() == ComparisonKind::Eq &&
         c.getLhs().getKind() == ExprKind::Mod &&
         isConstant(c.getLhs().getRhs()) &&
         c.getLhs().getRhs().getValue() > 0 && isConstant(c.getRhs()) &&
         c.getRhs().getValue() == 0;
}

/// Whether an entry's condition follows from one that the contract has.
bool follows(ComparisonAttr c, ComparisonAttr required) {
  if (c == required) {
    return true;
  }
  if (isZeroRest(c) && isZeroRest(required)) {
    ExprAttr a = c.getLhs(), b = required.getLhs();
    return a.getLhs() == b.getLhs() &&
           b.getRhs().getValue() % a.getRhs().getValue() == 0;
  }
  auto [low, high] = boundsOf(c);
  auto [least, most] = boundsOf(required);
  return c.getLhs() == required.getLhs() && (low || high) &&
         (!low || (least && *least >= *low)) &&
         (!high || (most && *most <= *high));
}

/// Whether no number meets both: a multiple, and a rest of another one.
bool contradicts(ComparisonAttr c, ComparisonAttr required) {
  ExprAttr mod = required.getLhs(), rest = required.getRhs();
  return isZeroRest(c) && required.getKind() == ComparisonKind::Eq &&
         mod.getKind() == ExprKind::Mod && isConstant(mod.getRhs()) &&
         isConstant(rest) && mod.getRhs().getValue() > 0 &&
         rest.getValue() != 0 && mod.getLhs() == c.getLhs().getLhs() &&
         c.getLhs().getRhs().getValue() % mod.getRhs().getValue() == 0;
}

} // namespace

void dropUnreachable(std::vector<EntryPlan> &plans, KernelOp kernel) {
  auto required = kernel.getRequirements();
  std::vector<EntryPlan> reached;
  for (EntryPlan &plan : plans) {
    bool isNever = llvm::any_of(plan.when, [&](ComparisonAttr c) {
      return llvm::any_of(required,
                          [&](ComparisonAttr r) { return contradicts(c, r); });
    });
    // All that one before it asks for is in the contract or asked for here.
    bool isTaken = llvm::any_of(reached, [&](const EntryPlan &before) {
      return llvm::all_of(before.when, [&](ComparisonAttr c) {
        auto says = [&](ComparisonAttr other) { return follows(c, other); };
        return llvm::any_of(required, says) || llvm::any_of(plan.when, says);
      });
    });
    if (!isNever && !isTaken) {
      reached.push_back(std::move(plan));
    }
  }
  plans = std::move(reached);
  plans.back().entry = kernel.getSymName().str();
  plans.back().required = std::exchange(plans.back().when, {});
}

std::vector<EntryPlan> plansOf(KernelOp kernel) {
  EntryPlan general;
  general.entry = kernel.getSymName().str();
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    general.facts[s.name.str()] = impliedFacts(s.type);
  }
  Planner aligned = planWith(kernel, general, {});
  if (aligned.plan.when.empty()) {
    return {general};
  }
  std::vector<EntryPlan> plans;
  auto add = [&](EntryPlan plan, const llvm::Twine &suffix) {
    bool isNew = llvm::none_of(
        plans, [&](const EntryPlan &p) { return p.when == plan.when; });
    if (isNew) {
      plan.entry += suffix.str();
      plans.push_back(std::move(plan));
    }
  };
  add(aligned.plan, "_aligned");
  for (const Grains &grains : SmallerGrains{kernel, general, aligned}.found()) {
    std::string suffix = "_aligned";
    for (const auto &[symbol, bytes] : grains) {
      suffix += "_" + symbol + std::to_string(bytes);
    }
    add(planWith(kernel, general, grains).plan, suffix);
  }
  plans.push_back(general);
  return plans;
}

} // namespace girih::tileir
