// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in a block: their numbers, and the rules that these keep.

#include "spec/executor/machine/Machine.h"

namespace girih::exec {

static std::string elementsText(int64_t extent) {
  return std::to_string(extent) + (extent == 1 ? " element" : " elements");
}

bool Machine::execute(const NumTilesForm &form, const Instr &instr) {
  const Tiling &tiling = form.tiling;
  Value count;
  count.push(
      ceilDiv(views[tiling.view].extents[form.axis], tiling.tile[form.axis]));
  define(instr, std::move(count));
  return true;
}

bool Machine::execute(const InsideForm &form, const Instr &instr) {
  const Coord &extents = views[form.tiling.view].extents,
              &tile = form.tiling.tile;
  std::vector<Wide> first;
  for (size_t k = 0; k < tile.size(); ++k) {
    first.push_back(steer(instr, 1 + k, 0) * tile[k]);
  }
  Value lanes;
  for (int64_t lane = 0; lane < instr.lanes; ++lane) {
    bool inside = true;
    int64_t rest = lane;
    for (size_t k = tile.size(); k-- > 0; rest /= tile[k]) {
      Wide at = first[k] + rest % tile[k];
      inside &= at >= 0 && at < extents[k];
    }
    lanes.push(int64_t(inside));
  }
  define(instr, std::move(lanes));
  return true;
}

int64_t Machine::numberOf(const Instr &instr, const NumberOrSlot &n) {
  if (n.operand) {
    return static_cast<int64_t>(steer(instr, *n.operand, 0));
  }
  return n.symbol.empty() ? n.number : world.options.symbols.at(n.symbol);
}

/// Whether so many elements lie in an axis. In steps of 1, where none is
/// written too, an empty slice begins at its end at most; else anywhere.
static bool fitsAxis(int64_t offset, int64_t size, int64_t step, bool isPlain,
                     int64_t extent) {
  if (offset < 0 || size < 0 || step < 1) {
    return false;
  }
  if (isPlain) {
    return Wide(offset) + size <= extent;
  }
  return size == 0 || offset + Wide(step) * (size - 1) < extent;
}

bool Machine::slice(const ViewForm &form, const Instr &instr, View &view) {
  Coord offsets, sizes, steps;
  for (size_t k = 0; k < form.sizes.size(); ++k) {
    offsets.push_back(numberOf(instr, form.offsets[k]));
    sizes.push_back(numberOf(instr, form.sizes[k]));
    const NumberOrSlot &step = form.steps[k];
    steps.push_back(numberOf(instr, step));
    bool isPlain = !step.operand && step.symbol.empty() && step.number == 1;
    int64_t extent = view.extents[k];
    if (fitsAxis(offsets[k], sizes[k], steps[k], isPlain, extent)) {
      continue;
    }
    unsigned blamed = form.offsets[k].operand.value_or(
        form.sizes[k].operand.value_or(step.operand.value_or(0)));
    std::string what =
        elementsText(sizes[k]) + " from " + std::to_string(offsets[k]) + " on";
    what += isPlain ? "" : " in steps of " + std::to_string(steps[k]);
    return stuck(Rule::ViewSlice, instr, static_cast<int>(blamed),
                 "a slice of " + what + " is outside an axis of " +
                     elementsText(extent),
                 "slices axis " + std::to_string(k) + ", " + what + " of " +
                     std::to_string(extent));
  }
  view = sliceOf(std::move(view), offsets, sizes, steps);
  return true;
}

bool Machine::unfold(const ViewForm &form, const Instr &instr, View &view) {
  unsigned axis = form.axes[0];
  Coord factors;
  Wide product = 1;
  bool fits = true;
  std::string text;
  for (const NumberOrSlot &n : form.sizes) {
    factors.push_back(numberOf(instr, n));
    text += (text.empty() ? "" : " * ") + std::to_string(factors.back());
    fits &= !__builtin_mul_overflow(product, Wide(factors.back()), &product);
  }
  fits |= llvm::is_contained(factors, 0);
  product = llvm::is_contained(factors, 0) ? 0 : product;
  int64_t extent = view.extents[axis];
  if (!fits || product != extent) {
    return stuck(Rule::ViewUnfold, instr, 0,
                 "an axis of " + elementsText(extent) + " is no " + text,
                 "unfolds axis " + std::to_string(axis) + " of " +
                     elementsText(extent) + " by " + text);
  }
  view = unfolded(view, axis, factors);
  return true;
}

bool Machine::fix(const ViewForm &form, const Instr &instr, View &view) {
  unsigned axis = form.axes[0];
  int64_t at = numberOf(instr, form.sizes[0]), extent = view.extents[axis];
  if (at < 0 || at >= extent) {
    return stuck(Rule::ViewFix, instr,
                 static_cast<int>(form.sizes[0].operand.value_or(0)),
                 "coordinate " + std::to_string(at) +
                     " is outside an axis of " + elementsText(extent),
                 "fixes axis " + std::to_string(axis) + " of " +
                     elementsText(extent) + " at " + std::to_string(at));
  }
  view = fixedAt(std::move(view), axis, at);
  return true;
}

bool Machine::flatten(const ViewForm &form, const Instr &instr, View &view) {
  unsigned axis = form.axes[0];
  int64_t outer = view.extents[axis], inner = view.extents[axis + 1];
  Wide product = Wide(outer) * inner;
  std::string what = "axes " + std::to_string(axis) + " and " +
                     std::to_string(axis + 1) + " of " + std::to_string(outer) +
                     " and " + elementsText(inner);
  if (!fits(product, widthOf(0))) {
    return stuck(Rule::IndexWidth, instr, 0,
                 "index " + wideText(product) + " leaves " +
                     std::to_string(widthOf(0)) + " bits",
                 "flattens " + what);
  }
  llvm::ArrayRef<int64_t> strides =
      world.memories[form.tensor]->layout().strides;
  int64_t far = view.strideOf(axis, strides),
          near = view.strideOf(axis + 1, strides);
  if (outer > 1 && Wide(near) * inner != far) {
    what += ", which are " + std::to_string(far) + " and " +
            std::to_string(near) + " elements of memory apart";
    return stuck(Rule::ViewFlatten, instr, 0,
                 "axes do not follow each other without a gap",
                 "flattens " + what);
  }
  view = flattened(std::move(view), axis);
  return true;
}

/// Constants are of type `index` too.
bool Machine::constantsFit(const ViewForm &form, const Instr &instr) {
  for (const auto *list : {&form.offsets, &form.sizes, &form.steps}) {
    for (const NumberOrSlot &n : *list) {
      if (n.operand) {
        continue;
      }
      int64_t number = numberOf(instr, n);
      if (!fits(number, widthOf(0))) {
        std::string text = std::to_string(number);
        return stuck(Rule::IndexWidth, instr, -1,
                     "index " + text + " leaves " + std::to_string(widthOf(0)) +
                         " bits",
                     "views by " + text);
      }
    }
  }
  return true;
}

bool Machine::execute(const ViewForm &form, const Instr &instr) {
  if (!constantsFit(form, instr)) {
    return false;
  }
  View view = views[instr.in[0]];
  bool fine = true;
  switch (form.kind) {
  case tile::ViewKind::Slice:
    fine = slice(form, instr, view);
    break;
  case tile::ViewKind::Permute:
    view = permuted(view, form.axes);
    break;
  case tile::ViewKind::Unfold:
    fine = unfold(form, instr, view);
    break;
  case tile::ViewKind::Fix:
    fine = fix(form, instr, view);
    break;
  case tile::ViewKind::Flatten:
    fine = flatten(form, instr, view);
    break;
  }
  views[instr.out[0]] = std::move(view);
  defined[instr.out[0]] = 1;
  return fine;
}

} // namespace girih::exec
