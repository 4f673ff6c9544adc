/* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/** \file
 * Loads and launches artefacts. For C the functions of girih.h, in
 * libgirih_runtime.so; for C++20 tensors, and launches that own them, too, in
 * libgirih_runtime_cxx.so. */

#ifndef GIRIH_RUNTIME_H
#define GIRIH_RUNTIME_H

#include "girih.h"

#if defined(__cplusplus) && __cplusplus >= 202002L
#include "runtime/collective/Communicator.h"
#include "runtime/execution/Kernel.h"
#include "runtime/execution/OptOut.h"
#include "runtime/execution/Task.h"
#include "runtime/execution/Transfers.h"
#include "runtime/execution/WhenAll.h"
#include "runtime/graph/Graph.h"
#include "runtime/graph/RankGraphs.h"
#include "runtime/host/Mapped.h"
#endif

#endif /* GIRIH_RUNTIME_H */
