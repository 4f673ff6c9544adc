/* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/** \file
 * Loads and launches artefacts: the functions of girih.h, in
 * libgirih_runtime.so, for C++ as for C. */

#ifndef GIRIH_RUNTIME_H
#define GIRIH_RUNTIME_H

#include "girih.h"

#endif /* GIRIH_RUNTIME_H */
