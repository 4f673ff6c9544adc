#!/usr/bin/env bash
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# demo.sh BIN_DIR: verdicts on the shipped kernels, a refusal, its
# counterexample replayed, a report, cubins. Prints the same on every machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$1
report=${bin%/bin}/report.html
artefact=${bin%/bin}/artefacts/gemm
PATH=$(cd "$bin" && pwd):$PATH

# show CODE COMMAND: prints the command and runs it; it must exit with CODE.
show() {
  local expected=$1 code=0
  echo "\$ $2"
  bash -c "$2" 2>&1 || code=$?
  echo
  if ((code != expected)); then
    echo "demo: '$2' exits $code, not $expected" >&2
    exit 1
  fi
}

show 0 "tile-verify proofs/kernels"
show 1 "tile-verify tests/corpus/girih/bugs/gemm_oob.mlir"
refusal=$(tile-verify tests/corpus/girih/bugs/gemm_oob.mlir || true)
show 1 "$(sed -n 's/^note: replay: //p' <<<"$refusal" | head -1)"

code=0
tile-verify proofs/kernels tests/corpus/girih/bugs --report="$report" >/dev/null ||
  code=$?
if ((code != 1)); then
  echo "demo: the report's kernels exit $code, not 1" >&2
  exit 1
fi
echo "The kernels and the planted bugs, with pictures: $report"

echo
rm -rf "$artefact"
mkdir -p "$(dirname "$artefact")"
show 0 "tile-compile proofs/kernels/gemm/gemm.mlir --arch=sm_90,sm_100,sm_120 -o $artefact"
show 0 "ls $artefact"
cat <<TEXT
These cubins are for H200, B200 and RTX 5090; on an H200 they ran, for the other
two they are assembled and checked only. Where such a GPU is, with its driver
and nothing else, tile-run checks a call and launches it:

  tile-run $artefact --arg a=a.npy --arg b=b.npy --out c=c.npy

tests/gpu/carry.py ${bin%/bin} FOLDER packs tile-run, every shipped kernel,
inputs and expected results; over there, tests/gpu/on_device.py FOLDER OUT runs
them all.
TEXT
