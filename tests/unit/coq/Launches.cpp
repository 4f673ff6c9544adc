// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/coq/Launches.h"

#include "spec/executor/launch/Preconditions.h"
#include "spec/executor/numerics/Float.h"

#include <limits>

namespace girih::test {

using exec::Array;
using exec::Kind;

std::map<std::string, int64_t>
drawSymbols(tile::KernelOp kernel, const fuzz::Box &box, fuzz::Draw &draw) {
  std::map<std::string, int64_t> symbols;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    int64_t low = s.type.isIndex() || s.type.isInteger(1) ? 0 : -3;
    symbols[s.name.str()] = draw.between(low, s.type.isInteger(1) ? 1 : 6);
  }
  for (const auto &[name, values] : box.symbols) {
    if (draw.chance(40)) {
      symbols[name] = draw.pick(values);
    }
  }
  return symbols;
}

namespace {
enum class Style { Few, Any, Special };
} // namespace

static double drawFloat(Kind kind, Style style, fuzz::Draw &draw) {
  const exec::Format &format = exec::formatOf(kind);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (style == Style::Any) {
    uint64_t bits = 0;
    for (int part = 0; part < 8; ++part) {
      bits = bits << 8 | static_cast<uint64_t>(draw.below(256));
    }
    if (format.bits < 64) {
      bits &= (uint64_t(1) << format.bits) - 1;
    }
    return exec::fromBits(format, bits);
  }
  if (style == Style::Special && draw.chance(50)) {
    double x = draw.pick({0.0, -0.0, infinity, -infinity,
                          std::numeric_limits<double>::quiet_NaN(),
                          format.tiny(), -format.tiny(), format.largest(), 1.0,
                          1 + 2 * format.unit()});
    return exec::roundTo(format, x);
  }
  double x = static_cast<double>(draw.between(-128, 127)) / 64;
  return exec::roundTo(format, x);
}

static int64_t drawInteger(Kind kind, Style style, fuzz::Draw &draw) {
  unsigned bits = exec::integerBits(kind);
  if (bits == 1) {
    return draw.below(2);
  }
  if (style == Style::Few) {
    return draw.between(-1, 6);
  }
  int64_t any = 0;
  for (unsigned part = 0; part < bits; part += 8) {
    any = static_cast<int64_t>(static_cast<uint64_t>(any) << 8 |
                               static_cast<uint64_t>(draw.below(256)));
  }
  return exec::wrap(any, bits);
}

std::optional<std::map<std::string, Array>>
drawInputs(tile::KernelOp kernel, const exec::AdmittedLaunch &launch,
           fuzz::Draw &draw) {
  std::map<std::string, Array> inputs;
  if (kernel.getBody()->empty() && launch.givens.empty()) {
    return inputs; // nothing asks for them
  }
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    const auto &layout = launch.tensors[arg.getArgNumber()];
    if (layout && layout->undefined) {
      continue;
    }
    std::vector<int64_t> shape;
    if (layout) {
      shape.assign(layout->extents.begin(), layout->extents.end());
    }
    Kind kind = layout ? layout->kind : exec::kindOf(arg.getType());
    std::optional<Array> array = exec::makeArray(kind, shape, 1 << 12);
    if (!array) {
      return std::nullopt;
    }
    Style style =
        draw.pick({Style::Few, Style::Few, Style::Any, Style::Special});
    for (double &x : array->floats) {
      x = drawFloat(kind, style, draw);
    }
    for (int64_t &x : array->ints) {
      x = drawInteger(kind, style, draw);
    }
    inputs[kernel.getArgName(arg.getArgNumber()).str()] = std::move(*array);
  }
  // Most contents keep what is given of them, where any do.
  if (!launch.givens.empty() && draw.chance(80)) {
    exec::Contents kept;
    if (exec::makeUpContents(kernel, launch,
                             static_cast<uint64_t>(draw.below(1000)), kept)
            .empty()) {
      for (auto &[name, array] : kept.arrays) {
        inputs[name] = std::move(array);
      }
    }
  }
  return inputs;
}

} // namespace girih::test
