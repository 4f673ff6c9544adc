// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tensors that a kernel reads beside the tile that it writes.

#ifndef GIRIH_FUZZ_GENERATORS_INPUTS_H
#define GIRIH_FUZZ_GENERATORS_INPUTS_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

#include <optional>

namespace girih::fuzz {

/// Adds a shared tensor and reads of it at or near the tile `index` of `t`;
/// loops and branches that this takes are closed again. Returns a value of the
/// type of t's tile when there is one.
std::optional<std::string> writeInput(Writer &w, Draw &d, const Tensor &t,
                                      const std::vector<std::string> &index);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_INPUTS_H
