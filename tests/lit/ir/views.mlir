// Views, printed and read back: the second print is the same text as the first.
// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: tile-opt %t.once | diff %t.once -

!A = !tile.tensor<[M, C] x f32, shared, strides [ld, 1], align = 64>
!C = !tile.tensor<[B, M, C] x f32, out partial>
!S = !tile.tensor<[?, 7, D] x f32, out partial>
!H = !tile.tensor<[?, 7, 2, 0, H] x f32, out partial>
!PH = !tile.partition<[16, _, 2, 4, _], [?, 7, 2, 0, H] x f32, out partial>

tile.kernel @views(%a: !A, %c: !C) symbols [ld : index, D : index, H : index] grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: [[T:%.*]] = tile.view %a permute [1, 0] : !tile.tensor<[M, C] x f32, shared, strides [ld, 1], align = 64>
  %t = tile.view %a permute [1, 0] : !A
  // CHECK-NEXT: tile.partition [[T]] by [16, _] : !tile.tensor<[C, M] x f32, shared>
  %pt = tile.partition %t by [16, _] : !tile.tensor<[C, M] x f32, shared>
  // CHECK-NEXT: [[S:%.*]] = tile.view %c slice [%c1, D, 3] size [%c0, 7, D] : !tile.tensor<[B, M, C] x f32, out partial>
  %s = tile.view %c slice [%c1, D, 3] size [%c0, 7, D] : !C
  // CHECK-NEXT: [[U:%.*]] = tile.view [[S]] unfold 2 by [2, 0, H] : !tile.tensor<[?, 7, D] x f32, out partial>
  %u = tile.view %s unfold 2 by [2, 0, H] : !S
  // CHECK-NEXT: tile.partition [[U]] by [16, _, 2, 4, _] : !tile.tensor<[?, 7, 2, 0, H] x f32, out partial>
  %pu = tile.partition %u by [16, _, 2, 4, _] : !H
  // CHECK-NEXT: tile.num_tiles {{%.*}}, 0 : !tile.partition<[16, _, 2, 4, _], [?, 7, 2, 0, H] x f32, out partial>
  %n = tile.num_tiles %pu, 0 : !PH
  // CHECK-NEXT: [[F:%.*]] = tile.view %a fix 0 at {{%.*}} : !tile.tensor<[M, C] x f32
  %f = tile.view %a fix 0 at %n : !A
  // CHECK-NEXT: tile.view [[F]] slice [0] size [C] : !tile.tensor<[C] x f32, shared>
  %g = tile.view %f slice [0] size [C] : !tile.tensor<[C] x f32, shared>
  // CHECK-NEXT: tile.view %a slice [0, {{%.*}}] size [D, 4] step [{{%.*}}, D] : !tile.tensor<[M, C] x f32
  %j = tile.view %a slice [0, %n] size [D, 4] step [%c1, D] : !A
  // CHECK-NEXT: tile.view %a fix 1 at 5 : !tile.tensor<[M, C] x f32
  %h = tile.view %a fix 1 at 5 : !A
  // CHECK-NEXT: tile.view %a fix 1 at D : !tile.tensor<[M, C] x f32
  %i = tile.view %a fix 1 at D : !A
  // CHECK-NEXT: tile.view %c flatten 1 : !tile.tensor<[B, M, C] x f32, out partial>
  %l = tile.view %c flatten 1 : !C
  // CHECK-NEXT: [[L:%.*]] = tile.view %c slice [0, 0, 0] size [B, 4, 6] : !tile.tensor<[B, M, C] x f32, out partial>
  %m = tile.view %c slice [0, 0, 0] size [B, 4, 6] : !C
  // CHECK-NEXT: [[F2:%.*]] = tile.view [[L]] flatten 1 : !tile.tensor<[B, 4, 6] x f32, out partial>
  %o = tile.view %m flatten 1 : !tile.tensor<[B, 4, 6] x f32, out partial>
  // CHECK-NEXT: tile.view [[F2]] flatten 0 : !tile.tensor<[B, 24] x f32, out partial>
  %p = tile.view %o flatten 0 : !tile.tensor<[B, 24] x f32, out partial>
}
