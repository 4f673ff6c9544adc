// What a header gives about contents, printed and read back.
// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: tile-opt %t.once | diff %t.once -

!I = !tile.tensor<[N] x i32, shared>
!J = !tile.tensor<[N, 4] x i64, shared, strides [0, 1]>
!K = !tile.tensor<[M] x i8, shared>

// CHECK: requires [N >= 1]
// CHECK-SAME: given [within(%ids, -1, max(V, 2) - 1), splits(%cu, 2 * V) assumed, distinct(%table), within(%table, 0, V), sorted(%ids), distinct(%ids) assumed]
// CHECK-SAME: hints
tile.kernel @given(%ids: !I, %table: !J, %cu: !K) symbols [V : index]
    grid [N] requires [N >= 1]
    given [within(%ids, -1, max(V, 2) - 1), splits(%cu, 2 * V) assumed,
           distinct (%table), within(%table, 0, V), sorted(%ids),
           distinct(%ids) assumed]
    hints {sm_90 = {}} {
}
