// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arguments/Repack.h"

#include <algorithm>

namespace girih::runtime {

/// Where a copy engine reads whole rows.
static constexpr int64_t rowBytes = 16;
/// Where copies of rows begin: with lines of the L2 cache, so that a row of a
/// tile takes as few of them as there can be.
static constexpr int64_t lineBytes = 128;
/// What the address of memory of a pool is surely a multiple of.
static constexpr int64_t memoryBytes = 256;

static int64_t roundUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

/// How many tensors name a symbol as an extent or a stride.
static ptrdiff_t countTensors(const Manifest &manifest, int64_t symbol) {
  auto names = [&](const Expression &e) {
    return e.op == Expression::Op::Symbol && e.value == symbol;
  };
  return std::ranges::count_if(manifest.arguments, [&](const Argument &a) {
    return std::ranges::any_of(a.dims, names) ||
           std::ranges::any_of(a.strides, names);
  });
}

/// A stride that says nothing but how far things of this tensor lie apart.
static bool isFree(const Manifest &manifest, const Argument &argument,
                   size_t axis) {
  const Expression &stride = argument.strides[axis];
  return stride.op == Expression::Op::Symbol &&
         manifest.symbols[stride.value].source == Symbol::Source::Stride &&
         countTensors(manifest, stride.value) == 1;
}

/// The copies of a tensor's rows, and its strides then, in `symbols`.
static std::optional<RowCopies> copiesOf(const Manifest &manifest,
                                         const LaunchPlan &plan, size_t number,
                                         std::vector<int64_t> &symbols) {
  const Argument &argument = manifest.arguments[number];
  const Layout &layout = plan.layouts[number];
  size_t rank = argument.dims.size();
  if (!argument.isTensor || argument.mode != Mode::Shared || rank < 2 ||
      argument.align > memoryBytes || isSubByte(layout.element) ||
      layout.empty() || layout.strides[rank - 1] != 1) {
    return std::nullopt;
  }
  int64_t size = bytesOf(layout.element);
  int64_t from = layout.strides[rank - 2] * size;
  if (from % rowBytes == 0 || rowBytes % size != 0) {
    return std::nullopt;
  }
  RowCopies copies;
  copies.argument = number;
  copies.rowBytes = static_cast<size_t>(layout.extents[rank - 1] * size);
  copies.fromPitch = static_cast<size_t>(from);
  copies.rows = 1;
  int64_t to = roundUp(layout.extents[rank - 1], lineBytes / size);
  copies.toPitch = static_cast<size_t>(to * size);
  // Rows that overlap are no rows to copy, and of short ones copies are gaps
  // for the most part.
  if (copies.rowBytes > copies.fromPitch ||
      copies.toPitch > 2 * copies.rowBytes) {
    return std::nullopt;
  }
  for (size_t axis = rank - 1; axis-- > 0;) {
    bool follows = axis + 2 == rank ||
                   layout.strides[axis] ==
                       layout.strides[axis + 1] * layout.extents[axis + 1];
    if (!follows || !isFree(manifest, argument, axis)) {
      return std::nullopt;
    }
    symbols[argument.strides[axis].value] = to;
    copies.rows *= static_cast<size_t>(layout.extents[axis]);
    if (__builtin_mul_overflow(to, layout.extents[axis], &to)) {
      return std::nullopt;
    }
  }
  return copies;
}

/// Whether what was checked of the contents that one plan is told is all that
/// the other has to be told.
static bool giveTheSame(const Manifest &manifest, const LaunchPlan &a,
                        const LaunchPlan &b) {
  const Variant &of = manifest.variants[a.variant];
  const Variant &other = manifest.variants[b.variant];
  auto same = [](const Precondition &x, const Precondition &y) {
    return x.text == y.text && x.assumed == y.assumed;
  };
  return std::ranges::equal(of.givens, other.givens, same) &&
         std::ranges::equal(a.bounds, b.bounds,
                            [](const Bounds &x, const Bounds &y) {
                              return x.low == y.low && x.high == y.high;
                            }) &&
         of.trusted == other.trusted;
}

std::optional<Repacking> repack(const Manifest &manifest,
                                const LaunchPlan &plan) {
  if (plan.blocks == 0) {
    return std::nullopt;
  }
  Repacking out;
  std::vector<int64_t> symbols = plan.symbols;
  for (const Repack &repack : manifest.variants[plan.variant].repack) {
    bool pays = std::ranges::all_of(repack.when, [&](const Condition &c) {
      return isTrue(c, plan.symbols);
    });
    std::optional<RowCopies> copies;
    if (pays) {
      copies = copiesOf(manifest, plan, repack.argument, symbols);
    }
    if (!copies) {
      continue;
    }
    copies->offset = static_cast<size_t>(
        roundUp(static_cast<int64_t>(out.bytes), memoryBytes));
    // At most 2^47 bytes each: the launch was admitted, and lines add less.
    out.bytes = copies->offset + copies->rows * copies->toPitch;
    out.copies.push_back(*copies);
  }
  if (out.copies.empty()) {
    return std::nullopt;
  }
  Expected<LaunchPlan> planned = planLaunch(manifest, std::move(symbols));
  if (!planned || !giveTheSame(manifest, plan, *planned)) {
    return std::nullopt;
  }
  out.plan = std::move(*planned);
  return out;
}

} // namespace girih::runtime
