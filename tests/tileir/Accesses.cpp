// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch by the reference executor: where the tensors' elements lie, one JSON
// line a tensor, and what each block reads and writes in coordinates of the
// root tensors, one line a load or store. Takes the command line of tile-exec;
// exit code 3 says that the contract refuses the launch.

#include "ir/text/Reader.h"
#include "spec/executor/launch/Launch.h"
#include "spec/executor/memory/Box.h"
#include "spec/executor/tool/CommandLine.h"
#include "spec/executor/tool/Npy.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace girih;
using namespace girih::exec;

namespace {

/// Prints each access before it happens.
struct Printer : Observer {
  tile::KernelOp kernel;
  exec::AdmittedLaunch launch;

  Printer(tile::KernelOp kernel, exec::AdmittedLaunch launch)
      : kernel(kernel), launch(std::move(launch)) {}

  void print(const char *kind, const Instance &instance,
             tile::PartitionOp partition, mlir::OperandRange indices) {
    unsigned argument = tile::rootOf(partition.getTensor()).getArgNumber();
    Coord at, tile;
    for (auto [index, extent] : llvm::zip(indices, partition.getTile())) {
      at.push_back(static_cast<int64_t>(*instance.integer(index)));
      tile.push_back(std::max<int64_t>(extent, 1));
    }
    View view = *instance.view(partition.getTensor());
    Region region{view, tileBox(at, tile, view.extents)};
    llvm::json::Array boxes;
    auto put = [&](const Coord &low, const Coord &high) {
      boxes.push_back(
          llvm::json::Array{llvm::json::Array(low), llvm::json::Array(high)});
    };
    if (partition.getTensor().getDefiningOp()) {
      forEachRun(region, tile,
                 [&](llvm::ArrayRef<int64_t> start, int64_t count, size_t) {
                   Coord low(start), high(start);
                   for (int64_t &x : high) {
                     ++x;
                   }
                   high.back() += count - 1;
                   put(low, high);
                   return true;
                 });
    } else {
      put(region.box.low, region.box.high);
    }
    finish(kind, instance, argument, std::move(boxes));
  }

  void printLayouts() {
    for (auto [argument, layout] : llvm::enumerate(launch.tensors)) {
      if (!layout) {
        continue;
      }
      llvm::json::OStream out(llvm::outs());
      out.object([&] {
        out.attribute("tensor", kernel.getArgName(argument));
        out.attribute("extents", llvm::json::Array(layout->extents));
        out.attribute("strides", llvm::json::Array(layout->strides));
      });
      llvm::outs() << '\n';
    }
  }

  /// One element a lane that is not masked out, in coordinates of the root.
  void printLanes(const char *kind, const Instance &instance,
                  mlir::Value tensor, mlir::OperandRange indices,
                  mlir::Value mask) {
    View view = *instance.view(tensor);
    llvm::json::Array boxes;
    int64_t lanes =
        mlir::cast<mlir::VectorType>(indices[0].getType()).getNumElements();
    for (int64_t lane = 0; lane < lanes; ++lane) {
      if (mask && *instance.integer(mask, lane) == 0) {
        continue;
      }
      Coord at;
      for (mlir::Value index : indices) {
        at.push_back(static_cast<int64_t>(*instance.integer(index, lane)));
      }
      llvm::json::Array low, high;
      for (int64_t x : view.map(at)) {
        low.push_back(x);
        high.push_back(x + 1);
      }
      boxes.push_back(llvm::json::Array{std::move(low), std::move(high)});
    }
    finish(kind, instance, tile::rootOf(tensor).getArgNumber(),
           std::move(boxes));
  }

  void finish(const char *kind, const Instance &instance, unsigned argument,
              llvm::json::Array boxes) {
    llvm::json::OStream out(llvm::outs());
    out.object([&] {
      out.attribute("block", llvm::json::Array(instance.block()));
      out.attribute("kind", kind);
      out.attribute("tensor", kernel.getArgName(argument));
      out.attribute("boxes", std::move(boxes));
    });
    llvm::outs() << '\n';
  }

  void at(mlir::Operation *op, const Instance &instance) override {
    if (auto gather = mlir::dyn_cast<tile::GatherOp>(op)) {
      printLanes("load", instance, gather.getTensor(), gather.getIndices(),
                 gather.getMask());
    } else if (auto scatter = mlir::dyn_cast<tile::ScatterOp>(op)) {
      printLanes("store", instance, scatter.getTensor(), scatter.getIndices(),
                 scatter.getMask());
    } else if (auto lanes = mlir::dyn_cast<tile::AtomicScatterOp>(op)) {
      printLanes("atomic", instance, lanes.getTensor(), lanes.getIndices(),
                 lanes.getMask());
    } else if (auto atomic = mlir::dyn_cast<tile::AtomicOp>(op)) {
      print("atomic", instance, tile::partitionOf(atomic.getPartition()),
            atomic.getIndices());
    }
    auto load = mlir::dyn_cast<tile::LoadOp>(op);
    auto store = mlir::dyn_cast<tile::StoreOp>(op);
    if (!load && !store) {
      return;
    }
    const char *kind = load ? "load" : "store";
    mlir::Value from = load ? load.getSource() : store.getPiece();
    if (auto claim = from.getDefiningOp<tile::ClaimOp>()) {
      print(kind, instance, tile::partitionOf(from), claim.getIndices());
    } else {
      print(kind, instance, from.getDefiningOp<tile::PartitionOp>(),
            load.getIndices());
    }
  }
};

int fail(const std::string &why) {
  llvm::errs() << "tileir_accesses: error: " << why << '\n';
  return 3;
}

/// What of a command line decides where blocks go.
Options optionsOf(const girih::Launch &launch) {
  Options out;
  out.symbols = launch.symbols;
  out.contents = launch.contents;
  out.blocks = launch.blocks;
  out.seed = launch.seed;
  out.indexWidth = launch.indexWidth;
  out.values = launch.values;
  out.maxSteps = launch.maxSteps;
  out.maxBytes = launch.maxBytes;
  return out;
}

} // namespace

int main(int argc, char **argv) {
  std::string error;
  std::optional<CommandLine> line =
      parseCommandLine({argv + 1, argv + argc}, error);
  if (!line) {
    return fail(error);
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto files = tile::readKernelFiles(context, line->file, llvm::errs());
  if (files.empty()) {
    return 3;
  }
  Options options = optionsOf(line->launch);
  Choice choice = chooseVariant(files, options.symbols, line->launch.variant);
  if (!choice.number) {
    return fail(choice.error);
  }
  tile::KernelOp kernel = files[*choice.number]->kernel;
  for (const auto &[name, path] : line->inputs) {
    for (mlir::BlockArgument a : kernel.getArguments()) {
      if (kernel.getArgName(a.getArgNumber()) != name) {
        continue;
      }
      auto tensor = mlir::dyn_cast<tile::TileTensorType>(a.getType());
      std::optional<exec::Array> array = readNpy(
          path, kindOf(tensor ? tensor.getElementType() : a.getType()), error);
      if (!array) {
        return fail(error);
      }
      options.inputs[name] = std::move(*array);
    }
  }
  LaunchCheck check = checkLaunch(kernel, options.symbols, options.indexWidth);
  if (!check.launch) {
    return fail(check.error);
  }
  Printer printer(kernel, std::move(*check.launch));
  printer.printLayouts();
  Result result = run(kernel, options, &printer);
  if (!result.clean()) {
    fail(result.exhausted ? "the launch is too large"
                          : "the launch is not clean");
    return 1;
  }
  return 0;
}
