// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view of a view of a tensor, and so on, at random: most numbers keep the
// rules of views, some do not.

#ifndef GIRIH_FUZZ_GENERATORS_FAMILIES_ANYVIEW_H
#define GIRIH_FUZZ_GENERATORS_FAMILIES_ANYVIEW_H

#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

class AnyView {
public:
  /// The tensor itself. `block` is an id that is at least 0 and below `blocks`,
  /// an extent.
  AnyView(Writer &w, Draw &d, const Tensor &t, std::string block,
          std::string blocks);

  /// One step more.
  void step();

  const std::string &name() const { return value; }
  /// As in its type.
  const std::string &mode() const { return modeText; }
  std::string type() const;
  size_t rank() const { return dims.size(); }
  /// The extent of an axis as a value of type index.
  std::string extent(size_t axis);
  /// A partition of it, and the type of that.
  std::string typeOfPartition(const std::vector<int64_t> &tile) const;

private:
  /// An extent as types have it, and the value that it is where it is `?`.
  struct Dim {
    std::string text, value;
    int64_t constant = -1;
  };
  Writer &w;
  Draw &d;
  std::string element, modeText, value, block, blocks;
  std::vector<Dim> dims;

  static Dim number(int64_t n) { return {std::to_string(n), "", n}; }
  std::vector<std::string> texts() const;
  void view(const std::string &clause, std::vector<Dim> to);
  void slice();
  void stepped();
  void permute();
  void unfold();
  void fix();
  void flatten();
};

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FAMILIES_ANYVIEW_H
