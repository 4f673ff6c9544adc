// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cubin says about an entry. A cubin is an ELF file; the assembler
// leaves a section `.nv.info.ENTRY` with a record for each parameter. The
// driver has no function that says how many there are, and asking it for one
// too many is a call that fails.

#ifndef GIRIH_RUNTIME_ARTEFACT_CUBIN_H
#define GIRIH_RUNTIME_ARTEFACT_CUBIN_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace girih::runtime {

/// The number of parameters of an entry; nothing when the file, which may be
/// any bytes, does not say.
std::optional<size_t> countParameters(std::string_view cubin,
                                      std::string_view entry);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_CUBIN_H
