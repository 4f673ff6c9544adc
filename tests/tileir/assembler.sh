#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An assembler whose cubin is the bytecode itself: what tile-compile hands on
# comes back in the artefact. GIRIH_MINOR says how old it is. Called with --gpu-name TARGET -o CUBIN BYTECODE.
if [ "$1" = --version ]; then
  echo "release 13.${GIRIH_MINOR:-5}, V13.${GIRIH_MINOR:-5}.0"
else
  cp "$5" "$4"
fi
