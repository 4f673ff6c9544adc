// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ordering. Tile IR orders two accesses only by tokens. Each written tensor has
// one chain of them, in program order, through loops and branches; tensors do
// not alias, which the launcher checks, so chains need not meet. Loads of
// shared tensors need none: nobody writes these during a launch. The stores of
// a loop to tiles that its counter tells apart do not wait for each other; what
// comes after the loop waits for all of them. What a block prints has a chain
// of its own. Where a kernel waits for the grids before it, all that it touches
// is behind that.

#include "lower/tileir/Context.h"

#include <set>

using namespace girih::tile;

namespace girih::tileir {

/// The written tensor that an op touches, if it touches one. What is printed
/// counts as one behind the last argument: a block prints in program order.
static std::optional<unsigned> writtenTensor(mlir::Operation *op) {
  if (mlir::isa<PrintOp>(op)) {
    return console(op->getParentOfType<KernelOp>());
  }
  mlir::Value source;
  if (auto store = mlir::dyn_cast<StoreOp>(op)) {
    source = store.getPiece();
  } else if (auto load = mlir::dyn_cast<LoadOp>(op)) {
    source = load.getSource();
  } else if (auto atomic = mlir::dyn_cast<AtomicOp>(op)) {
    source = atomic.getPartition();
  }
  mlir::Value tensor;
  if (source) {
    tensor = girih::tile::partitionOf(source).getTensor();
  } else if (auto scatter = mlir::dyn_cast<ScatterOp>(op)) {
    tensor = scatter.getTensor();
  } else if (auto lanes = mlir::dyn_cast<AtomicScatterOp>(op)) {
    tensor = lanes.getTensor();
  }
  if (!tensor ||
      mlir::cast<TileTensorType>(tensor.getType()).getMode() == Mode::Shared) {
    return std::nullopt;
  }
  return rootOf(tensor).getArgNumber();
}

unsigned console(KernelOp kernel) {
  return static_cast<unsigned>(kernel.getArguments().size());
}

std::vector<unsigned> tensorsIn(mlir::Region &region) {
  std::set<unsigned> found;
  region.walk([&](mlir::Operation *op) {
    if (std::optional<unsigned> tensor = writtenTensor(op)) {
      found.insert(*tensor);
    }
  });
  return {found.begin(), found.end()};
}

std::vector<Value> tokenForShared(const Context &c) {
  return c.dependency ? std::vector<Value>{*c.dependency}
                      : std::vector<Value>{};
}

std::vector<Value> tokenFor(const Context &c, mlir::Operation *access,
                            unsigned argument) {
  auto before = c.apart.find(access);
  if (before != c.apart.end()) {
    return {before->second};
  }
  auto it = c.tokens.find(argument);
  if (it != c.tokens.end()) {
    return {it->second};
  }
  return tokenForShared(c);
}

void advance(Context &c, mlir::Operation *access, unsigned argument,
             Value token) {
  auto it = c.tokens.find(argument);
  if (it == c.tokens.end()) {
    return; // shared
  }
  it->second = c.apart.contains(access)
                   ? c.builder.append(Opcode::JoinTokens, {},
                                      {{it->second, token}}, {TokenType{}})[0]
                   : token;
}

void separateTrips(Context &c, mlir::scf::ForOp loop, unsigned argument,
                   Value before) {
  std::vector<mlir::Operation *> accesses;
  loop.getRegion().walk([&](mlir::Operation *op) {
    if (writtenTensor(op) == argument) {
      accesses.push_back(op);
    }
  });
  // Two tiles of one partition with different indices share no element, unless
  // it is of a view that each trip makes anew.
  auto store =
      accesses.size() == 1 ? mlir::dyn_cast<StoreOp>(accesses[0]) : StoreOp();
  if (!store || store->getParentOp() != loop) {
    return;
  }
  Place place = placeOf(store.getPiece(), store->getOperands());
  if (loop.isDefinedOutsideOfLoop(place.partition.getTensor()) &&
      llvm::is_contained(place.indices, loop.getInductionVar())) {
    c.apart[store] = before;
    c.unordered.insert(store);
  }
}

} // namespace girih::tileir
