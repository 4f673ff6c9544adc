# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# complete.sh FILE WORD...: what bash would offer for the last of these words.
source "$1"
shift
compopt() { :; } # there is no completion under way
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_girih
echo "${COMPREPLY[@]}"
