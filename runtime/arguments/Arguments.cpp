// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract on the arguments of a launch whose sizes have passed.

#include "runtime/arguments/Contract.h"
#include "runtime/artefact/Text.h"

#include <cmath>
#include <fmt/format.h>

namespace girih::runtime {

static Error refuse(std::string reason) {
  return {ErrorKind::Usage, "contract: " + std::move(reason)};
}

namespace {

/// The bytes of a tensor, from the first to behind the last; none when empty.
struct Range {
  Wide begin = 0, end = 0;

  bool isApart(const Range &other) const {
    return end <= other.begin || other.end <= begin;
  }
};

Range rangeOf(const Layout &layout, uint64_t address) {
  return {address, address + bytesOf<Wide>(layout.element, layout.span())};
}

std::optional<Error> checkTensorValue(const Argument &argument,
                                      const Layout &layout,
                                      const TensorValue &value) {
  auto name = [&] { return "%" + argument.name; };
  if (value.element != argument.element) {
    return refuse(fmt::format("{} holds {}, the kernel has {}", name(),
                              nameOf(value.element), nameOf(argument.element)));
  }
  if (value.extents.size() != layout.extents.size() ||
      value.strides.size() != layout.strides.size()) {
    return refuse(fmt::format("{} has {}, the kernel has {}", name(),
                              counted(value.extents.size(), "axis", "axes"),
                              layout.extents.size()));
  }
  for (size_t k = 0; k < layout.extents.size(); ++k) {
    if (value.extents[k] != layout.extents[k]) {
      return refuse(fmt::format("extent {} of {} is {}, the kernel has {}", k,
                                name(), value.extents[k], layout.extents[k]));
    }
  }
  // Nothing of an empty tensor is touched: it needs no address and no strides.
  if (layout.empty()) {
    return std::nullopt;
  }
  for (size_t k = 0; k < layout.extents.size(); ++k) {
    if (layout.extents[k] > 1 && value.strides[k] != layout.strides[k]) {
      return refuse(fmt::format("stride {} of {} is {}, the kernel has {}", k,
                                name(), value.strides[k], layout.strides[k]));
    }
  }
  return std::nullopt;
}

std::optional<Error> checkAddress(const Argument &argument,
                                  const Layout &layout, uint64_t address) {
  auto name = [&] { return "%" + argument.name; };
  if (layout.empty()) {
    return std::nullopt;
  }
  if (address == 0) {
    return refuse(name() + " has no address");
  }
  Wide bytes = bytesOf<Wide>(layout.element, layout.span());
  if (address + bytes > Wide(1) << 64) {
    return refuse(fmt::format("{} at {:#x} takes {}, which end behind the last "
                              "address",
                              name(), address,
                              counted(bytes, "byte", "bytes")));
  }
  if (address % static_cast<uint64_t>(argument.align) != 0) {
    return refuse(fmt::format("{} lies at {:#x}, which is not aligned to {}",
                              name(), address,
                              counted(argument.align, "byte", "bytes")));
  }
  return std::nullopt;
}

/// That no written tensor shares memory with another argument; `addressOf` is
/// called with numbers of tensors.
template <typename AddressOf>
std::optional<Error> checkApart(const std::vector<Argument> &arguments,
                                const LaunchPlan &plan, AddressOf addressOf) {
  auto range = [&](size_t i) { return rangeOf(plan.layouts[i], addressOf(i)); };
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isTensor || arguments[i].mode == Mode::Shared) {
      continue;
    }
    Range written = range(i);
    for (size_t j = 0; j < arguments.size(); ++j) {
      // Of two written tensors the pair is compared once.
      bool done = j < i && arguments[j].mode != Mode::Shared;
      if (i == j || done || !arguments[j].isTensor ||
          written.isApart(range(j)) ||
          areDisjoint(plan.layouts[i], addressOf(i), plan.layouts[j],
                      addressOf(j))) {
        continue;
      }
      return refuse(fmt::format("the written tensor %{} may share memory with "
                                "%{}: {:#x} and {:#x}",
                                arguments[i].name, arguments[j].name,
                                addressOf(i), addressOf(j)));
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<Error> checkScalar(const Argument &argument, double value) {
  uint64_t bits = bitsOf(argument.element, value);
  if (std::isfinite(value) &&
      !std::isfinite(floatAt(argument.element, &bits))) {
    return refuse(fmt::format("%{} = {} is beyond the numbers of {}",
                              argument.name, value, nameOf(argument.element)));
  }
  return std::nullopt;
}

std::optional<Error> checkArguments(const Manifest &manifest,
                                    const LaunchPlan &plan, const Call &call) {
  const std::vector<Argument> &arguments = manifest.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool there = arguments[i].isTensor ? call.tensors[i].has_value()
                                       : call.scalars[i].has_value();
    if (!there) {
      return refuse("argument %" + arguments[i].name + " is missing");
    }
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isTensor) {
      if (auto error = checkScalar(arguments[i], *call.scalars[i])) {
        return error;
      }
      continue;
    }
    const TensorValue &tensor = *call.tensors[i];
    if (auto error = checkTensorValue(arguments[i], plan.layouts[i], tensor)) {
      return error;
    }
    if (auto error =
            checkAddress(arguments[i], plan.layouts[i], tensor.address)) {
      return error;
    }
  }
  return checkApart(arguments, plan,
                    [&](size_t i) { return call.tensors[i]->address; });
}

std::optional<Error> checkAgain(const Manifest &manifest,
                                const LaunchPlan &plan,
                                const std::vector<uint64_t> &addresses,
                                const std::vector<double> &scalars) {
  const std::vector<Argument> &arguments = manifest.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (auto error =
            arguments[i].isTensor
                ? checkAddress(arguments[i], plan.layouts[i], addresses[i])
                : checkScalar(arguments[i], scalars[i])) {
      return error;
    }
  }
  return checkApart(arguments, plan, [&](size_t i) { return addresses[i]; });
}

Expected<LaunchPlan> checkCall(const Manifest &manifest, const Call &call) {
  Expected<std::vector<int64_t>> symbols = bindSymbols(manifest, call);
  if (!symbols) {
    return symbols.error();
  }
  Expected<LaunchPlan> plan = planLaunch(manifest, std::move(*symbols));
  if (!plan) {
    return plan;
  }
  if (auto error = checkArguments(manifest, *plan, call)) {
    return *error;
  }
  if (auto error = checkGivens(manifest, *plan, call)) {
    return *error;
  }
  return plan;
}

} // namespace girih::runtime
