// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spec/executor/tool/Infer.h"

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
  return std::move(inference.error);
}

} // namespace girih::exec
