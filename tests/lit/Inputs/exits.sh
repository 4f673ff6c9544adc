# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# exits.sh CODE COMMAND...: runs the command, which must exit with this code.
expected=$1
shift
"$@"
code=$?
if [ $code != "$expected" ]; then
  echo "FAIL: $*: exit code $code, not $expected"
  exit 1
fi
