// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any element of an output, and the equations that say that a store writes it:
// through tiles, and through views back to their coordinates.

#ifndef GIRIH_CHECKER_GENERATE_OUTPUTELEMENT_H
#define GIRIH_CHECKER_GENERATE_OUTPUTELEMENT_H

#include "checker/generate/Values.h"
#include "checker/generate/Witness.h"

namespace girih::checker {

class OutputElement {
public:
  OutputElement(KernelFacts &k, int tensor);

  /// New variables for the coordinates, with the facts that they lie in the
  /// tensor.
  void assume();

  const std::vector<proofs::Poly> &coordinates() const { return element; }
  /// Its coordinates in the view that was inverted last and in those below it
  /// that are flattened, from the root on; by what was solved.
  using InViews = std::vector<std::vector<proofs::Poly>>;
  InViews coordinatesInViews(const WitnessSynthesis *synthesis) const;

  /// `%c[element0, element1]`
  std::string text() const;

  /// The tile in which coordinate x lies.
  proofs::Poly tileOf(const proofs::Poly &x, size_t axis, int64_t tile);

  /// The tile index of the claim is that of the tile that holds the element,
  /// axis by axis. False when a view cannot be inverted.
  bool equate(const Site &site, WitnessSynthesis &synthesis);

  /// From coordinates of the tensor to those of the view. False when they hang
  /// on what is to be solved for; with nothing to solve for, where the block is
  /// known, they may be of what it finds on its way.
  bool invertView(const View &view, WitnessSynthesis *synthesis);

private:
  KernelFacts &k;
  FactBase &base;
  int tensor;
  std::vector<proofs::Poly> extent, element, inView;
  InViews below; ///< in views that are flattened
  /// Coordinates in views that equations tell, as their steps are undone.
  std::vector<proofs::Var> open;

  bool equateClosed(const Site &site, size_t j, const proofs::Poly &x,
                    WitnessSynthesis &synthesis);
  void equateOpen(const Site &site, size_t j, const proofs::Poly &x,
                  WitnessSynthesis &synthesis);
  void invertFlatten(const ViewStep &s, bool isInside);
  bool invertSlice(const ViewStep &s, WitnessSynthesis *synthesis);
  proofs::Poly divided(const proofs::Poly &x, const proofs::Poly &by);
  bool invertUnfold(const ViewStep &s, const WitnessSynthesis *synthesis);
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_OUTPUTELEMENT_H
