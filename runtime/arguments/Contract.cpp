// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arguments/Contract.h"
#include "runtime/artefact/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace girih::runtime {

// Bounds of every launch.
static constexpr Wide maxExtent = Wide(1) << 40;
static constexpr Wide maxBytes = Wide(1) << 47;
static constexpr Wide maxBlocks = (Wide(1) << 31) - 1;

static Error refuseLaunch(std::string reason) {
  return {ErrorKind::Usage, "contract: " + std::move(reason)};
}

std::string textOf(const Manifest &manifest, const Expression &e) {
  using Op = Expression::Op;
  switch (e.op) {
  case Op::Constant:
    return std::to_string(e.value);
  case Op::Symbol:
    return manifest.symbols[e.value].name;
  default:
    break;
  }
  std::string a = textOf(manifest, e.args[0]), b = textOf(manifest, e.args[1]);
  static constexpr const char *names[] = {"", "", " + ", " - ", " * "};
  static constexpr const char *words[] = {"div", "mod", "ceildiv", "min",
                                          "max"};
  if (e.op <= Op::Mul) {
    return "(" + a + names[static_cast<int>(e.op)] + b + ")";
  }
  return fmt::format("{}({}, {})",
                     words[static_cast<int>(e.op) - static_cast<int>(Op::Div)],
                     a, b);
}

namespace {
/// Where an expression has no value: not below 128 bits, or a bad division.
struct EvaluationError {
  const Expression *where = nullptr;
  Wide dividend = 0, divisor = 1;
};
} // namespace

static bool divides(Expression::Op op) {
  return op >= Expression::Op::Div && op <= Expression::Op::CeilDiv;
}

/// The common path of a launch: no text is made before something is wrong.
static bool valueOf(const Expression &e, const std::vector<int64_t> &symbols,
                    Wide &value, EvaluationError &error) {
  using Op = Expression::Op;
  if (e.op == Op::Constant || e.op == Op::Symbol) {
    value = e.op == Op::Constant ? e.value : symbols[e.value];
    return true;
  }
  Wide a = 0, b = 0;
  if (!valueOf(e.args[0], symbols, a, error) ||
      !valueOf(e.args[1], symbols, b, error)) {
    return false;
  }
  bool bad = divides(e.op) && (a < 0 || b < 1);
  if (!bad) {
    switch (e.op) {
    case Op::Add:
      bad = __builtin_add_overflow(a, b, &value);
      break;
    case Op::Sub:
      bad = __builtin_sub_overflow(a, b, &value);
      break;
    case Op::Mul:
      bad = __builtin_mul_overflow(a, b, &value);
      break;
    case Op::Div:
      value = a / b;
      break;
    case Op::Mod:
      value = a % b;
      break;
    case Op::CeilDiv:
      value = a / b + (a % b != 0);
      break;
    case Op::Min:
      value = std::min(a, b);
      break;
    default:
      value = std::max(a, b);
      break;
    }
  }
  if (bad) {
    error = {&e, a, b};
  }
  return !bad;
}

static Error explain(const Manifest &manifest, const EvaluationError &error) {
  std::string text = textOf(manifest, *error.where);
  return refuseLaunch(divides(error.where->op)
                          ? fmt::format("{} divides {} by {}", text,
                                        error.dividend, error.divisor)
                          : text + " leaves 128 bits");
}

Expected<Wide> evaluate(const Manifest &manifest, const Expression &e,
                        const std::vector<int64_t> &symbols) {
  Wide value = 0;
  EvaluationError error;
  if (!valueOf(e, symbols, value, error)) {
    return explain(manifest, error);
  }
  return value;
}

Expected<std::vector<int64_t>> bindSymbols(const Manifest &manifest,
                                           const Call &call) {
  std::vector<std::optional<int64_t>> bound(manifest.symbols.size());
  /// Who gave a symbol: the caller, or else the first axis that names it.
  auto origin = [&](int64_t symbol) -> std::string {
    if (call.symbols.contains(manifest.symbols[symbol].name)) {
      return "the caller";
    }
    for (size_t i = 0; i < manifest.arguments.size(); ++i) {
      const std::vector<Expression> &dims = manifest.arguments[i].dims;
      for (size_t k = 0; call.tensors[i] && k < dims.size(); ++k) {
        if (dims[k].op == Expression::Op::Symbol && dims[k].value == symbol) {
          return fmt::format("axis {} of %{}", k, manifest.arguments[i].name);
        }
      }
    }
    return "nobody";
  };
  for (const auto &[name, value] : call.symbols) {
    std::optional<size_t> number = symbolNamed(manifest, name);
    if (!number) {
      return refuseLaunch("the kernel has no symbol " + name);
    }
    bound[*number] = value;
  }
  for (size_t i = 0; i < manifest.arguments.size(); ++i) {
    const Argument &argument = manifest.arguments[i];
    if (!call.tensors[i]) {
      continue;
    }
    const std::vector<int64_t> &extents = call.tensors[i]->extents;
    if (extents.size() != argument.dims.size()) {
      return refuseLaunch(fmt::format(
          "%{} has {}, the kernel has {}", argument.name,
          counted(extents.size(), "axis", "axes"), argument.dims.size()));
    }
    for (size_t k = 0; k < extents.size(); ++k) {
      const Expression &dim = argument.dims[k];
      if (dim.op != Expression::Op::Symbol) {
        continue;
      }
      std::optional<int64_t> &value = bound[dim.value];
      if (value && *value != extents[k]) {
        return refuseLaunch(
            fmt::format("{} is {} for {} and {} for axis {} of %{}",
                        manifest.symbols[dim.value].name, *value,
                        origin(dim.value), extents[k], k, argument.name));
      }
      value = extents[k];
    }
  }
  std::vector<int64_t> values;
  values.reserve(bound.size());
  for (size_t s = 0; s < bound.size(); ++s) {
    if (!bound[s]) {
      return refuseLaunch("symbol " + manifest.symbols[s].name +
                          " has no value");
    }
    values.push_back(*bound[s]);
  }
  return values;
}

namespace {

/// Checks one launch step by step; each step returns false when it failed.
struct Planner {
  const Manifest &manifest;
  LaunchPlan plan;
  Error error;
  /// The condition that did not hold, and its sides. A launch may try many: the
  /// text is made when somebody reads it.
  struct {
    const Condition *condition = nullptr;
    Wide left = 0, right = 0;
  } unmet = {};

  std::string unmetText() const {
    return fmt::format("requires {}: {} against {}", unmet.condition->text,
                       unmet.left, unmet.right);
  }

  bool fail(std::string reason) {
    error = refuseLaunch(std::move(reason));
    return false;
  }

  /// `what` names the value in a message.
  template <typename Name>
  bool inRange(Name what, Wide value, Wide low, Wide high) {
    return (low <= value && value <= high) ||
           fail(fmt::format("{} = {} is outside {}..{}", what(), value, low,
                            high));
  }

  bool eval(const Expression &e, Wide &into) {
    // What most dims and strides are.
    if (e.op == Expression::Op::Symbol || e.op == Expression::Op::Constant) {
      into = e.op == Expression::Op::Constant ? e.value : plan.symbols[e.value];
      return true;
    }
    EvaluationError failure;
    if (!valueOf(e, plan.symbols, into, failure)) {
      error = explain(manifest, failure);
      return false;
    }
    return true;
  }

  bool checkSymbols() {
    for (size_t s = 0; s < plan.symbols.size(); ++s) {
      const Symbol &symbol = manifest.symbols[s];
      Wide low = 0, high = maxExtent;
      if (symbol.bits == 1) {
        high = 1;
      } else if (symbol.bits != 0) {
        low = -(Wide(1) << (symbol.bits - 1));
        high = -low - 1;
      }
      if (!inRange([&] { return symbol.name; }, plan.symbols[s], low, high)) {
        return false;
      }
    }
    return true;
  }

  bool checkTensor(const Argument &argument, Layout &layout) {
    layout.element = argument.element;
    layout.extents.reserve(argument.dims.size());
    layout.strides.reserve(argument.dims.size());
    for (size_t k = 0; k < argument.dims.size(); ++k) {
      Wide extent = 0, stride = 0;
      if (!eval(argument.dims[k], extent) ||
          !eval(argument.strides[k], stride) ||
          !inRange(
              [&] { return fmt::format("extent {} of %{}", k, argument.name); },
              extent, 0, maxExtent)) {
        return false;
      }
      if (stride < 0) {
        return fail(fmt::format("stride {} of %{} = {} is negative", k,
                                argument.name, stride));
      }
      // No address is computed along an axis of extent 0.
      stride = extent == 0 ? 0 : stride;
      if (stride > maxBytes ||
          stride * extent * bytesOf(layout.element) > maxBytes) {
        return fail(fmt::format(
            "stride * extent * size of axis {} of %{} is above 2^47 bytes", k,
            argument.name));
      }
      layout.extents.push_back(static_cast<int64_t>(extent));
      layout.strides.push_back(static_cast<int64_t>(stride));
    }
    return argument.mode == Mode::Shared || isInjective(layout) ||
           fail("elements of the written tensor %" + argument.name +
                " share memory");
  }

  bool checkConditions(const std::vector<Condition> &conditions, bool &hold) {
    hold = true;
    for (const Condition &condition : conditions) {
      Wide a = 0, b = 0;
      if (!eval(condition.left, a) || !eval(condition.right, b)) {
        return false;
      }
      if (!holds(condition.op, a, b)) {
        unmet = {&condition, a, b};
        hold = false;
        return true;
      }
    }
    return true;
  }

  static bool holds(Condition::Op op, Wide a, Wide b) {
    switch (op) {
    case Condition::Op::Eq:
      return a == b;
    case Condition::Op::Lt:
      return a < b;
    case Condition::Op::Le:
      return a <= b;
    case Condition::Op::Gt:
      return a > b;
    case Condition::Op::Ge:
      return a >= b;
    }
    return false;
  }

  bool chooseVariant() {
    for (size_t v = 0; v < manifest.variants.size(); ++v) {
      bool hold = false;
      if (!checkConditions(manifest.variants[v].when, hold)) {
        return false;
      }
      if (hold) {
        plan.variant = v;
        return true;
      }
    }
    return fail("no variant of " + manifest.name + " is for this launch");
  }

  bool checkGrid(const std::vector<Expression> &grid) {
    plan.grid.reserve(grid.size());
    Wide product = 1;
    for (size_t k = 0; k < grid.size(); ++k) {
      Wide dim = 0;
      if (!eval(grid[k], dim) ||
          !inRange([&] { return fmt::format("grid[{}]", k); }, dim, 0,
                   maxBlocks)) {
        return false;
      }
      plan.grid.push_back(static_cast<int64_t>(dim));
      // A dimension of 0 further on makes a large product harmless.
      product = std::min(product * dim, maxBlocks << 31);
    }
    plan.blocks = static_cast<int64_t>(product);
    return inRange([] { return "the number of blocks"; }, product, 0,
                   maxBlocks);
  }

  bool computeIntegers(const std::vector<Parameter> &parameters) {
    plan.integers.reserve(parameters.size());
    for (const Parameter &parameter : parameters) {
      if (parameter.kind != Parameter::Kind::Integer) {
        continue;
      }
      Wide value = 0, limit = Wide(1) << (8 * parameter.bytes - 1);
      if (!eval(parameter.value, value) ||
          !inRange(
              [&] { return "parameter " + textOf(manifest, parameter.value); },
              value, -limit, limit - 1)) {
        return false;
      }
      plan.integers.push_back(static_cast<int64_t>(value));
    }
    return true;
  }

  bool computeBounds(const std::vector<Precondition> &givens) {
    for (const Precondition &given : givens) {
      Bounds bounds;
      if (!eval(given.low, bounds.low) || !eval(given.high, bounds.high)) {
        return false;
      }
      plan.bounds.push_back(bounds);
    }
    return true;
  }

  bool run() {
    if (!checkSymbols()) {
      return false;
    }
    plan.layouts.resize(manifest.arguments.size());
    for (size_t i = 0; i < manifest.arguments.size(); ++i) {
      if (manifest.arguments[i].isTensor &&
          !checkTensor(manifest.arguments[i], plan.layouts[i])) {
        return false;
      }
    }
    bool hold = false;
    if (!chooseVariant()) {
      return false;
    }
    const Variant &variant = manifest.variants[plan.variant];
    return checkConditions(variant.requirements, hold) &&
           (hold || fail(unmetText())) && checkGrid(variant.grid) &&
           computeIntegers(variant.parameters) && computeBounds(variant.givens);
  }
};

} // namespace

Expected<LaunchPlan> planLaunch(const Manifest &manifest,
                                std::vector<int64_t> symbols) {
  Planner planner{manifest, {}, {}};
  planner.plan.symbols = std::move(symbols);
  if (!planner.run()) {
    return planner.error;
  }
  return std::move(planner.plan);
}

Expected<std::vector<VariantTrial>> tryVariants(const Manifest &manifest,
                                                std::vector<int64_t> symbols) {
  Planner planner{manifest, {}, {}};
  planner.plan.symbols = std::move(symbols);
  if (!planner.checkSymbols()) {
    return planner.error;
  }
  std::vector<VariantTrial> trials;
  for (const Variant &variant : manifest.variants) {
    bool hold = false;
    if (!planner.checkConditions(variant.when, hold)) {
      return planner.error;
    }
    trials.push_back({&variant, hold ? "" : planner.unmetText()});
    if (hold) {
      break;
    }
  }
  return trials;
}

} // namespace girih::runtime
