// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view as polynomials: its extents, and where its elements lie in the root
// tensor. Steps are kept, for they tell how to get back.

#ifndef GIRIH_CHECKER_GENERATE_VIEW_H
#define GIRIH_CHECKER_GENERATE_VIEW_H

#include "ir/ops/Views.h"
#include "proofs/Poly.h"

#include <memory>

namespace girih::checker {

/// One step of a chain of views. Of a fix, `numbers` is the coordinate; of an
/// unfold the factors; of a slice the offsets; of a flattening both extents.
struct ViewStep {
  tile::ViewKind kind = tile::ViewKind::Slice;
  std::vector<proofs::Poly> numbers;
  std::vector<unsigned> axes;       ///< the permutation, or the one axis
  std::vector<proofs::Poly> stride; ///< of a slice: its steps, an axis each
};

/// Coordinate k of the base is origin[k] and scale * v[j] for each axis j of
/// the view that leads along k. The base is the root, or another view with two
/// axes made one, whose coordinates are polynomials over those of that view.
struct View {
  struct Axis {
    unsigned root = 0;
    proofs::Poly scale;
  };
  int tensor = -1; ///< number of the root among the arguments
  std::vector<proofs::Poly> extents;
  std::vector<proofs::Poly> origin;
  std::vector<Axis> axes;
  std::vector<ViewStep> steps;
  std::shared_ptr<const View> flattened; ///< none: the base is the root
  unsigned flatAxis = 0; ///< it and the next one of `flattened` are one axis

  /// The tensor itself.
  bool isWhole() const { return steps.empty(); }
  /// The axes of the view that lead along an axis of the base.
  std::vector<unsigned> axesAlong(unsigned root) const;
  /// From coordinates of `flattened` to those of the base.
  std::vector<proofs::Poly> flatten(const std::vector<proofs::Poly> &at) const;
  /// The view and those below it that are flattened, from the root on.
  std::vector<const View *> chain() const;
  /// The element of the root at coordinates of a view whose base is that.
  std::vector<proofs::Poly> map(const std::vector<proofs::Poly> &at) const;
  /// Applies `f` to every polynomial but those of the steps.
  template <typename F> View renamed(const F &f) const {
    View out = *this;
    for (proofs::Poly &p : out.extents) {
      p = p.rename(f);
    }
    for (proofs::Poly &p : out.origin) {
      p = p.rename(f);
    }
    for (Axis &a : out.axes) {
      a.scale = a.scale.rename(f);
    }
    if (flattened) {
      out.flattened = std::make_shared<const View>(flattened->renamed(f));
    }
    return out;
  }
};

/// Whether they are the same elements in the same order, by the same steps.
bool isSame(const View &a, const View &b);

View wholeView(int tensor, std::vector<proofs::Poly> extents);

View sliced(View of, std::vector<proofs::Poly> offsets,
            std::vector<proofs::Poly> sizes, std::vector<proofs::Poly> steps);
View permuted(View of, std::vector<unsigned> permutation);
View unfolded(View of, unsigned axis, std::vector<proofs::Poly> factors);
View fixed(View of, unsigned axis, proofs::Poly at);
/// The axis and the next one as one.
View flat(View of, unsigned axis);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_VIEW_H
