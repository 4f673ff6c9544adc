// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// z[M, N] = value, of rows that may lie apart. The simulated driver has it.
!Z = !tile.tensor<[M, N] x f32, out, strides [ld, 1]>
!PZ = !tile.partition<[_, 128], [M, N] x f32, out, strides [ld, 1]>
!P = !tile.piece<[_, 128] x f32, out>
tile.kernel @fill_rows(%z: !Z, %value: f32) symbols [ld : index] grid [M] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %tiles = tile.partition %z by [_, 128] : !Z
  %n = tile.num_tiles %tiles, 1 : !PZ
  %v = vector.broadcast %value : f32 to vector<128xf32>
  scf.for %j = %c0 to %n step %c1 {
    %out = tile.claim %tiles[%i, %j] : !PZ
    tile.store %v, %out : !P
  }
}
