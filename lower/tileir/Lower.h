// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a verified kernel to a Tile IR module. Nothing is checked here that was
// proved, and nothing asserted that was neither proved nor checked at launch.

#ifndef GIRIH_LOWER_TILEIR_LOWER_H
#define GIRIH_LOWER_TILEIR_LOWER_H

#include "checker/decide/Verify.h"
#include "lower/tileir/EntryPlan.h"
#include "lower/tileir/Module.h"

#include <map>
#include <set>

namespace girih::tileir {

/// One parameter of an entry point.
struct Parameter {
  enum class Kind {
    Pointer, ///< the address of tensor `argument`
    Scalar,  ///< the float `argument`
    Integer, ///< `value` as `type`
  };
  Kind kind = Kind::Integer;
  unsigned argument = 0;
  Element type = Element::I64;
  tile::ExprAttr value;
};

/// The parameters of every entry point of a kernel.
std::vector<Parameter> parametersOf(tile::KernelOp kernel);

/// What not every architecture has.
struct Need {
  unsigned target = 0; ///< 90 for sm_90: the first that has it
  std::string what;    ///< with its place in the kernel
};

struct Lowered {
  /// What was lowered, read from the text that was judged; the ops below are
  /// its ops.
  checker::OpenedKernel source;
  Module module;
  /// Stores of a loop that do not wait for each other.
  std::set<mlir::Operation *> unordered;
  /// Of loads and stores by tile, axes along which the tile is said to lie
  /// wholly inside its view.
  std::map<mlir::Operation *, std::vector<unsigned>> inBounds;
  /// Of slices, axes whose extent is said to be at least 0 and at most this by
  /// some entry point.
  std::map<mlir::Operation *, std::map<unsigned, int64_t>> fits;
  /// Arithmetic that is said not to overflow.
  std::set<mlir::Operation *> exact;
  std::vector<EntryPlan> plans; ///< one a function of the module
  std::vector<Parameter> parameters;
  std::vector<Need> needs;
  /// It is to wait for the grids before it before it touches anything.
  bool waits = false;
  /// Whether bytecode of version 13.`minor` says that.
  bool waitsIn(unsigned minor) const;
};

/// For comparison, both slower.
struct Options {
  /// Without facts there is one entry point, which assumes nothing but what a
  /// view of Tile IR asks for.
  bool facts = true;
  /// Indices are checked in the kernel, and nothing is told to the assembler
  /// that rests on a certificate.
  bool checks = false;
  /// Called with the kernel before it is lowered, by tests that change it
  /// there: the gate refuses what comes of it.
  std::function<void(tile::KernelOp)> before;
};

/// Lowers the text of the verified kernel. The string says what Tile IR cannot
/// express, or that the text is not the one that was judged.
std::variant<Lowered, std::string>
lower(const checker::VerifiedKernel &verified, const Options &options = {});

/// What the code asserts or leaves unordered, and the condition or the
/// certificates that it rests on: the text of --dump=facts.
std::string factsText(const checker::Verdict &verdict, const Lowered &lowered);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_LOWER_H
