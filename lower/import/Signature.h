// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a kernel and its contract, read off what its function does
// with its parameters: cuTile passes an array as its address, its extents and
// its strides. What the bytecode does not say is guessed.

#ifndef GIRIH_LOWER_IMPORT_SIGNATURE_H
#define GIRIH_LOWER_IMPORT_SIGNATURE_H

#include "lower/import/Range.h"
#include "lower/import/Sources.h"

namespace girih::importer {

/// An extent or stride.
struct Size {
  int64_t constant = readback::fromLaunch;
  unsigned parameter = 0; ///< where it is no constant

  bool isConstant() const { return constant != readback::fromLaunch; }
  bool operator==(const Size &) const = default;
};

struct Tensor {
  unsigned parameter = 0; ///< its address
  std::string name, element;
  std::vector<Size> extents, strides;
  uint64_t align = 0; ///< in bytes, as far as it is promised
  bool loaded = false, stored = false;
  std::optional<std::string> atomic; ///< the one op of all its accesses

  std::string mode(bool cover) const;
};

/// One axis of an address: this value, in the shapes that stand around it, is
/// the coordinate. The ops around are listed from the outside in.
struct Coordinate {
  unsigned value = 0;
  std::vector<const readback::Op *> around;
};

/// The elements of an access by addresses.
struct Address {
  unsigned parameter = 0;
  std::vector<Coordinate> coordinates;
};

struct Signature {
  std::vector<Tensor> tensors;
  std::map<unsigned, size_t> tensorOf; ///< by the parameter of its address
  std::map<const readback::Op *, Address> addresses;
  /// Launch symbols by parameter: extents, strides and integers.
  std::map<unsigned, std::string> symbols;
  std::set<unsigned> sizes; ///< parameters that are extents or strides
  std::vector<unsigned> scalars, floats;
  std::vector<std::string> grid, required;
  std::vector<std::string> gridSymbols; ///< where nothing tells the grid
  std::vector<std::string> same;        ///< extents taken to be one symbol
  std::map<std::string, Range> bounds;  ///< of symbols, by what is required

  Tensor &tensor(const Sources &sources, const readback::Op &access);
  std::string text(const Size &size) const;
  /// Of a symbol that is otherwise known to lie in `r`.
  Range bounded(const std::string &symbol, const Range &r) const;
  /// Of the number of blocks on an axis of the grid.
  Range blocks(size_t axis) const;
  /// Strides and alignment of a tensor, as its type says them.
  std::string layout(const Tensor &t) const;
};

/// The parameter with the address of what a view shows, or of a pointer.
unsigned baseOf(const Sources &sources, const readback::Op &access);
/// The type of the partition that an access goes through.
const readback::Type &partitionOf(const Sources &sources,
                                  const readback::Op &access);

/// Of an atomic op: its word in the dialect, or nothing.
std::optional<std::string> atomicWord(const readback::Op &op);

bool isAccess(const readback::Op &op);
bool byAddress(const readback::Op &op);

/// Finds tensors, their modes and the coordinates of addresses.
void readArrays(const Sources &sources, Signature &signature);

Signature readSignature(const Sources &sources, const Options &options);

} // namespace girih::importer

#endif // GIRIH_LOWER_IMPORT_SIGNATURE_H
