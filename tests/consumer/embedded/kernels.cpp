// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"

template struct girih::kernel::Listed<app::axpy<BLOCK>>;
template struct girih::kernel::Listed<app::copy>;
