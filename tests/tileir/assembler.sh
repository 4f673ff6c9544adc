#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An assembler whose cubin is the bytecode itself: what tile-compile hands on
# comes back in the artefact. Called with --gpu-name TARGET -o CUBIN BYTECODE.
[ "$1" = --version ] || cp "$5" "$4"
