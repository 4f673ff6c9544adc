// No upstream pass merges, hoists, sinks or drops a claim, a load or a store:
// here are equal ones, unused ones, and ones that do not depend on their loop.
// RUN: tile-opt %s > %t.before
// RUN: tile-opt %s --cse --canonicalize --loop-invariant-code-motion \
// RUN:   --loop-invariant-subset-hoisting --control-flow-sink --sccp \
// RUN:   --symbol-dce --symbol-privatize --inline --mem2reg --sroa \
// RUN:   --bubble-down-memory-space-casts --int-range-optimizations \
// RUN:   --scf-for-loop-canonicalization --scf-for-loop-range-folding \
// RUN:   --remove-dead-values --topological-sort --generate-runtime-verification \
// RUN:   --composite-fixed-point-pass="name=all pipeline=any(canonicalize,cse)" \
// RUN:   --snapshot-op-locations --strip-debuginfo --cse --canonicalize \
// RUN:   > %t.after
// RUN: FileCheck %s --input-file %t.before
// RUN: FileCheck %s --input-file %t.after

!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[64], [N] x f32, shared>
!PY = !tile.partition<[64], [N] x f32, own>
!P = !tile.piece<[64] x f32, own>

tile.kernel @effects(%x: !X, %y: !Y) grid [ceildiv(N, 64)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [64] : !X
  %py = tile.partition %y by [64] : !Y
  %n = tile.num_tiles %px, 0 : !PX
  %again = tile.num_tiles %px, 0 : !PX
  %some = arith.cmpi slt, %i, %n : index

  // Claims: two equal ones that are used, and an unused one.
  // CHECK-COUNT-3: tile.claim
  %p0 = tile.claim %py[%i] : !PY
  %p1 = tile.claim %py[%i] : !PY
  %p2 = tile.claim %py[%i] : !PY
  // Loads: equal ones, of which the second is unused.
  // CHECK-COUNT-2: tile.load {{.*}} : !tile.partition
  %v0 = tile.load %px[%i] pad(zero) : !PX
  %v1 = tile.load %px[%i] pad(zero) : !PX
  // CHECK-COUNT-2: tile.load {{.*}} : !tile.piece
  %v2 = tile.load %p0 pad(zero) : !P
  %v3 = tile.load %p0 pad(zero) : !P
  // Stores: one twice.
  // CHECK-COUNT-2: tile.store
  tile.store %v0, %p0 : !P
  tile.store %v0, %p0 : !P
  // CHECK: scf.for
  scf.for %k = %c0 to %n step %c1 {
    // CHECK-NEXT: tile.claim
    %q = tile.claim %py[%i] : !PY
    // CHECK-NEXT: tile.load {{.*}} : !tile.partition
    %a = tile.load %px[%i] pad(zero) : !PX
    // CHECK-NEXT: tile.load {{.*}} : !tile.piece
    %b = tile.load %p1 pad(zero) : !P
    // CHECK-NEXT: tile.store
    tile.store %v0, %p1 : !P
  }
  // Used in one branch only: stays before it.
  // CHECK: tile.claim
  %late = tile.claim %py[%i] : !PY
  // CHECK-NEXT: tile.load
  %w = tile.load %px[%i] pad(zero) : !PX
  // CHECK-NEXT: scf.if
  scf.if %some {
    // CHECK-NEXT: tile.store
    tile.store %w, %late : !P
  }
  // CHECK-NOT: tile.claim
  // CHECK-NOT: tile.load
  // CHECK-NOT: tile.store
}
