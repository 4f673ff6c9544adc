# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a command that can write no file of more than so many KiB, as on a disk
# that is full: full.sh KIB COMMAND ...
trap '' XFSZ
ulimit -f "$1"
shift
"$@"
