// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/families/AnyView.h"

#include <algorithm>

namespace girih::fuzz {

AnyView::AnyView(Writer &w, Draw &d, const Tensor &t, std::string block,
                 std::string blocks)
    : w(w), d(d), element(t.element), modeText(t.mode), value(t.name),
      block(std::move(block)), blocks(std::move(blocks)) {
  for (const Axis &a : t.axes) {
    dims.push_back({a.extent, "", a.constant});
  }
}

std::vector<std::string> AnyView::texts() const {
  std::vector<std::string> out;
  for (const Dim &dim : dims) {
    out.push_back(dim.text);
  }
  return out;
}

std::string AnyView::type() const {
  return "!tile.tensor<" + listed(texts()) + " x " + element + ", " + modeText +
         ">";
}

std::string AnyView::typeOfPartition(const std::vector<int64_t> &tile) const {
  std::vector<std::string> sizes;
  for (int64_t t : tile) {
    sizes.push_back(t == 0 ? "_" : std::to_string(t));
  }
  return "!tile.partition<" + listed(sizes) + ", " + listed(texts()) + " x " +
         element + ", " + modeText + ">";
}

std::string AnyView::extent(size_t axis) {
  const Dim &dim = dims[axis];
  return dim.constant >= 0   ? w.constant(dim.constant)
         : dim.value.empty() ? w.symbolValue(dim.text)
                             : dim.value;
}

void AnyView::view(const std::string &clause, std::vector<Dim> to) {
  value = w.op("tile.view " + value + " " + clause + " : " + type());
  dims = std::move(to);
}

/// A block's own part of an axis, or numbers that fit a constant extent.
void AnyView::slice() {
  std::vector<std::string> offsets, sizes;
  std::vector<Dim> to;
  for (size_t k = 0; k < dims.size(); ++k) {
    Dim dim = dims[k];
    std::string offset = "0", size = dim.text;
    if (dim.constant > 0) {
      int64_t from = d.below(dim.constant);
      int64_t most = dim.constant - from + d.chance(5);
      dim = number(d.between(1, std::max<int64_t>(most, 1)));
      offset = std::to_string(from);
      size = dim.text;
    } else if (dim.text == blocks && d.chance(40)) {
      // From the block on, to the end or one element of it.
      offset = block;
      if (d.chance(50)) {
        dim = number(1);
      } else {
        std::string left = w.binary("subi", w.symbolValue(dim.text), block);
        dim = {"?", left};
      }
      size = dim.value.empty() ? dim.text : dim.value;
    } else if (dim.text == "?") {
      size = dim.value;
    }
    offsets.push_back(offset);
    sizes.push_back(size);
    to.push_back(dim);
  }
  view("slice " + listed(offsets) + " size " + listed(sizes), to);
}

/// Every so many-th element of one axis, some of those that there are; of an
/// axis of constant extent at times one too many.
void AnyView::stepped() {
  size_t axis = static_cast<size_t>(d.below(std::ssize(dims)));
  std::vector<std::string> offsets(dims.size(), "0"), sizes, steps;
  std::vector<Dim> to = dims;
  for (size_t k = 0; k < dims.size(); ++k) {
    steps.push_back("1");
    sizes.push_back(dims[k].text == "?" ? dims[k].value : dims[k].text);
  }
  int64_t by = d.pick({2, 2, 3});
  Dim &dim = to[axis];
  if (dim.constant > 0) {
    int64_t from = d.below(std::min(by + d.chance(20), dim.constant));
    int64_t most = (dim.constant - from + by - 1) / by + d.chance(5);
    dim = number(d.between(1, most));
    offsets[axis] = std::to_string(from);
  } else {
    // Of n elements the half, rounded up; from the second one on rounded down.
    std::string n = extent(axis), up = w.constant(by - 1);
    bool later = d.chance(40);
    std::string sum = later ? n : w.binary("addi", n, up);
    dim = {"?", w.binary("divsi", sum, w.constant(by))};
    offsets[axis] =
        std::to_string(later ? d.between(0, by - 1 + d.chance(5)) : 0);
  }
  sizes[axis] = dim.value.empty() ? dim.text : dim.value;
  steps[axis] = d.chance(70) ? std::to_string(by) : w.constant(by);
  view("slice " + listed(offsets) + " size " + listed(sizes) + " step " +
           listed(steps),
       to);
}

void AnyView::permute() {
  if (dims.size() < 2) {
    return;
  }
  std::vector<Dim> to = dims;
  std::rotate(to.begin(), to.begin() + 1, to.end());
  std::vector<std::string> axes;
  for (size_t k = 0; k < dims.size(); ++k) {
    axes.push_back(std::to_string((k + 1) % dims.size()));
  }
  view("permute " + listed(axes), to);
}

void AnyView::unfold() {
  size_t axis = static_cast<size_t>(d.below(std::ssize(dims)));
  Dim dim = dims[axis], outer = dim, inner = number(1);
  if (dim.text == "?") {
    return;
  }
  if (dim.constant >= 0) {
    int64_t by = d.pick({1, 2, 2, 3});
    outer = number(dim.constant / by);
    inner = number(by);
  } else if (d.chance(50)) {
    std::swap(outer, inner);
  }
  std::vector<Dim> to = dims;
  to[axis] = inner;
  to.insert(to.begin() + static_cast<long>(axis), outer);
  view("unfold " + std::to_string(axis) + " by " +
           listed({outer.text, inner.text}),
       to);
}

void AnyView::fix() {
  if (dims.size() < 2) {
    return;
  }
  size_t axis = static_cast<size_t>(d.below(std::ssize(dims)));
  const Dim &dim = dims[axis];
  std::string at = dim.text == blocks ? block
                   : dim.constant > 0 ? std::to_string(d.below(dim.constant))
                                      : "0";
  std::vector<Dim> to = dims;
  to.erase(to.begin() + static_cast<long>(axis));
  view("fix " + std::to_string(axis) + " at " + at, to);
}

/// Two axes that follow each other, or such as do not.
void AnyView::flatten() {
  if (dims.size() < 2) {
    return;
  }
  size_t axis = static_cast<size_t>(d.below(std::ssize(dims) - 1));
  const Dim &outer = dims[axis], &inner = dims[axis + 1];
  Dim both = number(outer.constant * inner.constant);
  if (outer.constant < 0 || inner.constant < 0) {
    both = {"?", w.binary("muli", extent(axis), extent(axis + 1))};
  }
  std::vector<Dim> to = dims;
  to[axis] = both;
  to.erase(to.begin() + static_cast<long>(axis) + 1);
  view("flatten " + std::to_string(axis), to);
}

void AnyView::step() {
  switch (d.below(6)) {
  case 5:
    return flatten();
  case 4:
    return stepped();
  case 0:
    return slice();
  case 1:
    return permute();
  case 2:
    return unfold();
  default:
    return fix();
  }
}

} // namespace girih::fuzz
