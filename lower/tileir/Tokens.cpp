// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ordering. Tile IR orders two accesses only by tokens. Each written tensor has
// one chain of them, in program order, through loops and branches; tensors do
// not alias, which the launcher checks, so chains need not meet. Loads of
// shared tensors need none: nobody writes these during a launch. The stores of
// a loop to tiles that its counter tells apart do not wait for each other; what
// comes after the loop waits for all of them.

#include "lower/tileir/Context.h"

#include <set>

using namespace girih::tile;

namespace girih::tileir {

/// The piece that an op loads from or stores to, or null.
static mlir::Value pieceOf(mlir::Operation *op) {
  mlir::Value piece;
  if (auto store = mlir::dyn_cast<StoreOp>(op)) {
    piece = store.getPiece();
  } else if (auto load = mlir::dyn_cast<LoadOp>(op)) {
    piece = load.getSource();
  }
  return piece && mlir::isa<PieceType>(piece.getType()) ? piece : nullptr;
}

static Place placeOfPiece(mlir::Value piece, mlir::Operation *op) {
  return placeOf(piece, op->getOperands());
}

std::vector<unsigned> tensorsIn(mlir::Region &region) {
  std::set<unsigned> found;
  region.walk([&](mlir::Operation *op) {
    if (mlir::Value piece = pieceOf(op)) {
      found.insert(argumentOf(placeOfPiece(piece, op).partition));
    }
  });
  return {found.begin(), found.end()};
}

std::vector<Value> tokenFor(const Context &c, mlir::Operation *access,
                            unsigned argument) {
  auto before = c.apart.find(access);
  if (before != c.apart.end()) {
    return {before->second};
  }
  auto it = c.tokens.find(argument);
  return it == c.tokens.end() ? std::vector<Value>{}
                              : std::vector<Value>{it->second};
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
    mlir::Value piece = pieceOf(op);
    if (piece && argumentOf(placeOfPiece(piece, op).partition) == argument) {
      accesses.push_back(op);
    }
  });
  // Two tiles of one partition with different indices share no element, unless
  // it is of a view that each trip makes anew.
  if (accesses.size() == 1 && mlir::isa<StoreOp>(accesses[0]) &&
      accesses[0]->getParentOp() == loop &&
      loop.isDefinedOutsideOfLoop(
          placeOfPiece(pieceOf(accesses[0]), accesses[0])
              .partition.getTensor()) &&
      llvm::is_contained(
          placeOfPiece(pieceOf(accesses[0]), accesses[0]).indices,
          loop.getInductionVar())) {
    c.apart[accesses[0]] = before;
  }
}

} // namespace girih::tileir
