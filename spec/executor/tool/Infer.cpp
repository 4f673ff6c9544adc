// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spec/executor/tool/Infer.h"

#include "spec/executor/numerics/IntegerOps.h"

namespace girih::exec {

namespace {
struct Inference {
  Options &options;
  std::map<std::string, std::string> sources; ///< of symbols
  std::string error = {};

  void bind(const std::string &symbol, int64_t value,
            const std::string &source) {
    auto [it, isNew] = options.symbols.emplace(symbol, value);
    std::string &known = sources[symbol];
    if (!isNew && it->second != value && error.empty()) {
      error = "symbol " + symbol + " is " + std::to_string(it->second) + " " +
              (known.empty() ? "as set" : "as " + known) + ", but " +
              std::to_string(value) + " as " + source;
    }
    if (isNew) {
      known = source;
    }
  }
};
} // namespace

/// Gives strides of which nobody says anything the values of a packed tensor.
static void packStrides(tile::TileTensorType type, Options &options) {
  auto numberOf = [&](mlir::Attribute of) -> std::optional<int64_t> {
    auto symbol = mlir::dyn_cast<mlir::StringAttr>(of);
    if (!symbol) {
      return mlir::cast<mlir::IntegerAttr>(of).getInt();
    }
    auto known = options.symbols.find(symbol.str());
    return known == options.symbols.end() ? std::nullopt
                                          : std::optional(known->second);
  };
  constexpr int64_t maxStride = int64_t(1) << 47;
  int64_t packed = 1;
  for (size_t k = type.getStrides().size(); k-- > 0;) {
    mlir::Attribute of = type.getStrides()[k];
    if (auto symbol = mlir::dyn_cast<mlir::StringAttr>(of)) {
      options.symbols.emplace(symbol.str(), packed);
    }
    std::optional<int64_t> stride = numberOf(of),
                           extent = numberOf(type.getDims()[k]);
    if (!stride || !extent) {
      return;
    }
    // More is refused later, whatever it is.
    packed = static_cast<int64_t>(
        std::min<Wide>(maxStride, Wide(std::max<int64_t>(*stride, 1)) *
                                      std::max<int64_t>(*extent, 1)));
  }
}

std::string inferSymbols(tile::KernelOp kernel, Options &options) {
  Inference inference{options, {}};
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    std::string name = kernel.getArgName(arg.getArgNumber()).str();
    auto input = options.inputs.find(name);
    // An array of another rank is refused where the launch is known.
    if (!type || input == options.inputs.end() ||
        input->second.shape.size() != type.getDims().size()) {
      continue;
    }
    for (auto [axis, dim] : llvm::enumerate(type.getDims())) {
      if (auto symbol = mlir::dyn_cast<mlir::StringAttr>(dim)) {
        inference.bind(symbol.str(), input->second.shape[axis],
                       "extent " + std::to_string(axis) + " of %" + name);
      }
    }
  }
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    auto list =
        options.contents.find(kernel.getArgName(arg.getArgNumber()).str());
    if (type && type.getDims().size() == 1 && list != options.contents.end()) {
      if (auto symbol = mlir::dyn_cast<mlir::StringAttr>(type.getDims()[0])) {
        options.symbols.emplace(symbol.str(), std::ssize(list->second));
      }
    }
  }
  for (mlir::Type type : kernel.getBody()->getArgumentTypes()) {
    if (auto tensor = mlir::dyn_cast<tile::TileTensorType>(type)) {
      packStrides(tensor, options);
    }
  }
  return std::move(inference.error);
}

} // namespace girih::exec
