// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the other parts of Girih are: found from the tool or shared library
// that asks, so that an installation can be moved.

#ifndef GIRIH_IR_INSTALLED_H
#define GIRIH_IR_INSTALLED_H

#include <filesystem>

namespace girih {

/// The folder of the tool or shared library that this code is in; empty if
/// the system does not say.
std::filesystem::path ownFolder();

/// The folder above it, with `bin`, `lib` and `share`.
std::filesystem::path installedRoot();

} // namespace girih

#endif // GIRIH_IR_INSTALLED_H
