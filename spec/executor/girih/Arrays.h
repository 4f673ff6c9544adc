// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays between the library and the executor within.

#ifndef GIRIH_SPEC_EXECUTOR_GIRIH_ARRAYS_H
#define GIRIH_SPEC_EXECUTOR_GIRIH_ARRAYS_H

#include "girih/executor.h"
#include "spec/executor/numerics/Array.h"

namespace girih::api {

/// The kind that `f32` or the like names; nothing for other words.
std::optional<exec::Kind> kindNamed(const std::string &element);

Array plain(exec::Array array);

/// An array whose elements are of `kind`.
exec::Array internal(Array array, exec::Kind kind);

} // namespace girih::api

#endif // GIRIH_SPEC_EXECUTOR_GIRIH_ARRAYS_H
