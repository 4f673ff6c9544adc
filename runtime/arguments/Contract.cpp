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

bool isTrue(const Condition &condition, const std::vector<int64_t> &symbols) {
  Wide a = 0, b = 0;
  EvaluationError error;
  return valueOf(condition.left, symbols, a, error) &&
         valueOf(condition.right, symbols, b, error) &&
         holds(condition.op, a, b);
}

namespace {

/// Finds what every launch symbol is, from the call and its tensors.
struct Binder {
  const Manifest &manifest;
  const Call &call;
  std::vector<std::optional<int64_t>> bound;

  Binder(const Manifest &manifest, const Call &call)
      : manifest(manifest), call(call), bound(manifest.symbols.size()) {}

  /// Who gave a symbol: the caller, or else the first axis that names it.
  std::string origin(int64_t symbol) const {
    if (call.symbols.contains(manifest.symbols[symbol].name)) {
      return "the caller";
    }
    auto names = [&](const Expression &e) {
      return e.op == Expression::Op::Symbol && e.value == symbol;
    };
    for (size_t i = 0; i < manifest.arguments.size(); ++i) {
      const Argument &argument = manifest.arguments[i];
      for (size_t k = 0; call.tensors[i] && k < argument.dims.size(); ++k) {
        if (names(argument.dims[k])) {
          return fmt::format("axis {} of %{}", k, argument.name);
        }
      }
      for (size_t k = 0; call.tensors[i] && k < argument.strides.size(); ++k) {
        if (names(argument.strides[k]) && speaks(i, k)) {
          return fmt::format("stride {} of %{}", k, argument.name);
        }
      }
    }
    return "nobody";
  }

  bool isStride(const Expression &e) const {
    return e.op == Expression::Op::Symbol &&
           manifest.symbols[e.value].source == Symbol::Source::Stride;
  }

  /// Whether the stride of a tensor's axis counts: an axis of one element has
  /// any stride, as has a tensor without elements.
  bool counts(size_t argument, size_t axis) const {
    const std::optional<TensorValue> &tensor = call.tensors[argument];
    return tensor && tensor->strides.size() == tensor->extents.size() &&
           tensor->extents[axis] > 1 &&
           std::ranges::find(tensor->extents, 0) == tensor->extents.end();
  }
  bool speaks(size_t argument, size_t axis) const {
    return isStride(manifest.arguments[argument].strides[axis]) &&
           counts(argument, axis);
  }

  std::optional<Error> bind(const Expression &e, int64_t number,
                            const char *what, size_t axis,
                            const Argument &argument) {
    if (e.op != Expression::Op::Symbol) {
      return std::nullopt;
    }
    std::optional<int64_t> &value = bound[e.value];
    if (value && *value != number) {
      return refuseLaunch(fmt::format("{} is {} for {} and {} for {} {} of %{}",
                                      manifest.symbols[e.value].name, *value,
                                      origin(e.value), number, what, axis,
                                      argument.name));
    }
    value = number;
    return std::nullopt;
  }

  std::optional<Error> bindCaller() {
    for (const auto &[name, value] : call.symbols) {
      std::optional<size_t> number = symbolNamed(manifest, name);
      if (!number) {
        return refuseLaunch("the kernel has no symbol " + name);
      }
      bound[*number] = value;
    }
    return std::nullopt;
  }

  std::optional<Error> bindExtents() {
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
        if (auto error =
                bind(argument.dims[k], extents[k], "axis", k, argument)) {
          return error;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Error> bindStrides() {
    for (size_t i = 0; i < manifest.arguments.size(); ++i) {
      const Argument &argument = manifest.arguments[i];
      // What is wrong with strides that are numbers comes before what follows
      // from those that are symbols.
      bool bindsAny = std::ranges::any_of(
          argument.strides, [&](const Expression &e) { return isStride(e); });
      for (size_t k = 0; bindsAny && k < argument.strides.size(); ++k) {
        const Expression &stride = argument.strides[k];
        if (stride.op == Expression::Op::Constant && counts(i, k) &&
            call.tensors[i]->strides[k] != stride.value) {
          return refuseLaunch(fmt::format(
              "stride {} of %{} is {}, the kernel has {}", k, argument.name,
              call.tensors[i]->strides[k], stride.value));
        }
      }
      for (size_t k = 0; k < argument.strides.size(); ++k) {
        if (!speaks(i, k)) {
          continue;
        }
        if (auto error = bind(argument.strides[k], call.tensors[i]->strides[k],
                              "stride", k, argument)) {
          return error;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Wide> numberOf(const Expression &e) const {
    if (e.op == Expression::Op::Constant) {
      return e.value;
    }
    if (e.op == Expression::Op::Symbol && bound[e.value]) {
      return *bound[e.value];
    }
    return std::nullopt;
  }

  /// Strides of which nobody says anything are those of a packed tensor; where
  /// there is one, of rows that begin at multiples of 16 bytes, for it has no
  /// second row.
  void bindPacked() {
    for (size_t i = 0; i < manifest.arguments.size(); ++i) {
      const Argument &argument = manifest.arguments[i];
      Wide packed = 1;
      for (size_t k = argument.strides.size(); k-- > 0;) {
        const Expression &e = argument.strides[k];
        if (isStride(e) && !bound[e.value]) {
          Wide grain = 1;
          if (call.tensors[i] && k + 1 < argument.strides.size()) {
            grain = isSubByte(argument.element)
                        ? 32
                        : 16 / bytesOf(argument.element);
          }
          bound[e.value] =
              static_cast<int64_t>((packed + grain - 1) / grain * grain);
        }
        std::optional<Wide> stride = numberOf(e),
                            extent = numberOf(argument.dims[k]);
        if (!stride || !extent) {
          break;
        }
        // More is refused later, whatever it is.
        packed = std::min(maxBytes, std::max<Wide>(*stride, 1) *
                                        std::max<Wide>(*extent, 1));
      }
    }
  }
};

} // namespace

Expected<std::vector<int64_t>> bindSymbols(const Manifest &manifest,
                                           const Call &call) {
  Binder binder(manifest, call);
  if (auto error = binder.bindCaller()) {
    return *error;
  }
  if (auto error = binder.bindExtents()) {
    return *error;
  }
  if (auto error = binder.bindStrides()) {
    return *error;
  }
  binder.bindPacked();
  std::vector<int64_t> values;
  values.reserve(binder.bound.size());
  for (size_t s = 0; s < binder.bound.size(); ++s) {
    if (!binder.bound[s]) {
      return refuseLaunch("symbol " + manifest.symbols[s].name +
                          " has no value");
    }
    values.push_back(*binder.bound[s]);
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
