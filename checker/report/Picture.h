// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of a counterexample: the tensor as a grid of tiles, its true
// edge, the tiles of the blocks that are to blame, the element concerned.
// Picture.cpp decides what is shown, Svg.cpp draws it.

#ifndef GIRIH_CHECKER_REPORT_PICTURE_H
#define GIRIH_CHECKER_REPORT_PICTURE_H

#include "checker/decide/Verify.h"
#include "ir/text/Reader.h"

namespace girih::checker {

/// One tile of one block, in elements on every axis of the tensor; it may lie
/// outside.
struct PictureTile {
  enum class Role {
    Blamed, ///< of the block at which the run stopped
    Other,  ///< of the other block of a clash
    Written ///< of a tensor that is not covered
  };
  Role role = Role::Blamed;
  std::string label; ///< "block (0, 0) claims tile (1, 0)"
  std::vector<int64_t> low, size;
};

/// Everything has one entry an axis of the tensor.
struct Picture {
  std::string tensor;                   ///< name of the argument
  std::vector<std::string> extentNames; ///< "M", or "" for a constant
  std::vector<int64_t> extents;
  std::vector<int64_t> tile; ///< grid of tiles that is drawn
  bool throughView = false;  ///< then it is one of elements
  std::vector<PictureTile> tiles;
  std::vector<int64_t> element; ///< empty when none is concerned
  std::string elementLabel;
  /// The axes that are drawn, one or two, in order.
  std::vector<unsigned> axes;
};

/// Runs the counterexample once more and watches where its blocks are. Nothing
/// when no tensor is concerned.
std::optional<Picture> pictureOf(const tile::KernelFile &file,
                                 const Counterexample &c, Width width);

/// The picture as SVG with its legend, to stand inside a page that has the
/// patterns `pictureDefinitions` and the style `pictureStyle`.
std::string drawPicture(const Picture &p);
extern const char *const pictureDefinitions;
extern const char *const pictureStyle;

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_PICTURE_H
