#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The assembler, without optimisation.
tools=$(dirname "$0")/../../../.tools/nvidia/cu13/bin
PATH=$tools:$PATH
if [ "$1" = --version ]; then
  exec tileiras "$@"
fi
exec tileiras "$@" -O0
