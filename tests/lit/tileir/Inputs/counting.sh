#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An assembler that hands its input on and writes one line a call into the file
# beside its output's folder.
[ "$1" = --version ] && exit
cp "$5" "$4"
echo "$2" >>"${GIRIH_COUNT}"
