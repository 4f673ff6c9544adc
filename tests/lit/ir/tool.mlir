// tile-opt: exit codes, standard input, and a help text that is about it.
// RUN: tile-opt - < %s | FileCheck %s
// CHECK: tile.kernel @empty() grid [] {
// RUN: tile-opt --verify-only %s | count 0
// RUN: not tile-opt --no-such-flag 2>&1 | FileCheck %s --check-prefix USAGE
// USAGE: Unknown command line argument '--no-such-flag'
// RUN: not tile-opt %t.none 2>&1 | FileCheck %s --check-prefix NONE
// NONE: tool.mlir.tmp.none: error: No such file or directory
// RUN: tile-opt --help | FileCheck %s --check-prefix HELP --implicit-check-not=--mlir-
// HELP: Exit codes: 0 fine, 3 usage or malformed input
// HELP: --split
// RUN: echo "not a kernel" > %t.bad
// RUN: %python -c "import subprocess as s; assert s.run(['tile-opt', '%t.bad']).returncode == 3"
// RUN: %python -c "import subprocess as s; assert s.run(['tile-opt', '--no-such-flag']).returncode == 3"
// RUN: %python -c "import subprocess as s; assert s.run(['tile-opt', '%t.none']).returncode == 3"
// RUN: %python -c "import subprocess as s; assert s.run(['tile-opt', '%s']).returncode == 0"
tile.kernel @empty() grid [] {}
