// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/View.h"

#include "llvm/ADT/STLExtras.h"

using namespace girih::proofs;
using girih::tile::ViewKind;

namespace girih::checker {

std::vector<unsigned> View::axesAlong(unsigned root) const {
  std::vector<unsigned> out;
  for (unsigned j = 0; j < axes.size(); ++j) {
    if (axes[j].root == root) {
      out.push_back(j);
    }
  }
  return out;
}

std::vector<Poly> View::flatten(const std::vector<Poly> &at) const {
  std::vector<Poly> out = at;
  out[flatAxis] =
      at[flatAxis] * flattened->extents[flatAxis + 1] + at[flatAxis + 1];
  out.erase(out.begin() + flatAxis + 1);
  return out;
}

std::vector<const View *> View::chain() const {
  std::vector<const View *> out;
  for (const View *v = this; v; v = v->flattened.get()) {
    out.insert(out.begin(), v);
  }
  return out;
}

std::vector<Poly> View::map(const std::vector<Poly> &at) const {
  std::vector<Poly> out = origin;
  for (size_t j = 0; j < at.size(); ++j) {
    out[axes[j].root] = out[axes[j].root] + axes[j].scale * at[j];
  }
  return out;
}

bool isSame(const View &a, const View &b) {
  auto sameAxis = [](const View::Axis &x, const View::Axis &y) {
    return x.root == y.root && x.scale == y.scale;
  };
  auto sameStep = [](const ViewStep &x, const ViewStep &y) {
    return x.kind == y.kind && x.numbers == y.numbers && x.axes == y.axes &&
           x.stride == y.stride;
  };
  bool flattened = bool(a.flattened);
  if (flattened != bool(b.flattened) ||
      (flattened && !isSame(*a.flattened, *b.flattened))) {
    return false;
  }
  return a.tensor == b.tensor && a.extents == b.extents &&
         a.origin == b.origin && llvm::equal(a.axes, b.axes, sameAxis) &&
         llvm::equal(a.steps, b.steps, sameStep);
}

View wholeView(int tensor, std::vector<Poly> extents) {
  View v;
  v.tensor = tensor;
  v.origin.assign(extents.size(), Poly(0));
  for (unsigned k = 0; k < extents.size(); ++k) {
    v.axes.push_back({k, Poly(1)});
  }
  v.extents = std::move(extents);
  return v;
}

View sliced(View v, std::vector<Poly> offsets, std::vector<Poly> sizes,
            std::vector<Poly> steps) {
  for (size_t j = 0; j < offsets.size(); ++j) {
    Poly &x = v.origin[v.axes[j].root];
    x = x + v.axes[j].scale * offsets[j];
    v.axes[j].scale = v.axes[j].scale * steps[j];
  }
  v.extents = std::move(sizes);
  v.steps.push_back(
      {ViewKind::Slice, std::move(offsets), {}, std::move(steps)});
  return v;
}

View permuted(View v, std::vector<unsigned> permutation) {
  View out = v;
  for (size_t j = 0; j < permutation.size(); ++j) {
    out.extents[j] = v.extents[permutation[j]];
    out.axes[j] = v.axes[permutation[j]];
  }
  out.steps.push_back({ViewKind::Permute, {}, std::move(permutation), {}});
  return out;
}

View unfolded(View v, unsigned axis, std::vector<Poly> factors) {
  std::vector<View::Axis> digits(factors.size(), v.axes[axis]);
  for (size_t i = factors.size(); i-- > 1;) {
    digits[i - 1].scale = digits[i].scale * factors[i];
  }
  v.axes.erase(v.axes.begin() + axis);
  v.axes.insert(v.axes.begin() + axis, digits.begin(), digits.end());
  v.extents.erase(v.extents.begin() + axis);
  v.extents.insert(v.extents.begin() + axis, factors.begin(), factors.end());
  v.steps.push_back({ViewKind::Unfold, std::move(factors), {axis}, {}});
  return v;
}

View fixed(View v, unsigned axis, Poly at) {
  Poly &x = v.origin[v.axes[axis].root];
  x = x + v.axes[axis].scale * at;
  v.axes.erase(v.axes.begin() + axis);
  v.extents.erase(v.extents.begin() + axis);
  v.steps.push_back({ViewKind::Fix, {std::move(at)}, {axis}, {}});
  return v;
}

View flat(View v, unsigned axis) {
  std::vector<Poly> extents = v.extents;
  std::vector<Poly> both(extents.begin() + axis, extents.begin() + axis + 2);
  extents[axis] = both[0] * both[1];
  extents.erase(extents.begin() + axis + 1);
  View out = wholeView(v.tensor, std::move(extents));
  out.steps = v.steps;
  out.steps.push_back({ViewKind::Flatten, std::move(both), {axis}, {}});
  out.flattened = std::make_shared<const View>(std::move(v));
  out.flatAxis = axis;
  return out;
}

} // namespace girih::checker
