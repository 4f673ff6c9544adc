#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An assembler that says what it was asked for, and remarks or fails as the one
# of NVIDIA does on a line of the kernel ${GIRIH_KERNEL}.
[ "$1" = --version ] && exit
if [ -n "$GIRIH_FAILS" ]; then
  grep -q "$(basename "$GIRIH_KERNEL")" "$5" &&
    echo "error: loc(\"$GIRIH_KERNEL\":15:8): no such copy"
  exit 5
fi
cat <<WORDS
in function: add:

  category: Memory
    remark[passed]: Store instruction selected
      --> "$GIRIH_KERNEL":17:3
       |
       = name: RemarkMemoryStoreInstructionSelected
       = note: Instruction = TMA Store instruction

    remark[failed]: Failed to select TMA load instruction
      --> "$GIRIH_KERNEL":15:8
       |
       = name: RemarkMemoryTmaLoadFailed
       = reason: loc("$GIRIH_KERNEL":15:8): limits exceeded

WORDS
: >"$4"
shift 5
echo "in function: asked:"
echo "remark[analysis]: $*"
