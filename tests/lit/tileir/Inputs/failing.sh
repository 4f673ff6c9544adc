#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An assembler that refuses everything.
echo "error: no such instruction" >&2
exit 5
