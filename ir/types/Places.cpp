// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place in the source is the metadata of a fused location, whose one part
// is the place in the text: who asks where an op is finds the text first.

#include "ir/types/Places.h"

using namespace mlir;

namespace girih::tile {

/// The place in a file that a location comes down to; null if there is none.
/// A loop, since aliases make chains of any length.
static FileLineColLoc placeInFile(Location location) {
  while (true) {
    if (auto named = dyn_cast<NameLoc>(location)) {
      location = named.getChildLoc();
    } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
      location = call.getCallee();
    } else if (auto fused = dyn_cast<FusedLoc>(location)) {
      location = fused.getLocations().front();
    } else if (auto range = dyn_cast<FileLineColRange>(location)) {
      return FileLineColLoc::get(range.getFilename(), range.getStartLine(),
                                 range.getStartColumn());
    } else {
      return nullptr;
    }
  }
}

Location placedAt(Location text, Location source) {
  FileLineColLoc place = placeInFile(source);
  return place && place.getLine() > 0
             ? FusedLoc::get(text.getContext(), {text}, place)
             : text;
}

std::optional<SourcePlace> sourcePlace(Location location) {
  if (auto named = dyn_cast<NameLoc>(location)) {
    return sourcePlace(named.getChildLoc());
  }
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused) {
    return std::nullopt;
  }
  if (auto at = dyn_cast_if_present<FileLineColLoc>(fused.getMetadata())) {
    return SourcePlace{at.getFilename().getValue(), at.getLine(),
                       at.getColumn()};
  }
  for (Location part : fused.getLocations()) {
    if (auto place = sourcePlace(part)) {
      return place;
    }
  }
  return std::nullopt;
}

Location textLocation(Location location) {
  while (true) {
    if (auto named = dyn_cast<NameLoc>(location)) {
      location = named.getChildLoc();
    } else if (auto fused = dyn_cast<FusedLoc>(location)) {
      location = fused.getLocations().front();
    } else {
      return location;
    }
  }
}

} // namespace girih::tile
