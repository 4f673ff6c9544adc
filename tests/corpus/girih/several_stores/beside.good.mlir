// expect: VERIFIED
// A block stores both halves of its rows, one after the other.
!X = !tile.tensor<[M, H, 128] x f32, out>
!PX = !tile.partition<[16, 1, 64], [M, H, 128] x f32, out>
!P = !tile.piece<[16, 1, 64] x f32, out>
tile.kernel @beside(%x: !X) symbols [K : index] grid [ceildiv(M, 16), H + K] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<16x1x64xf32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %px = tile.partition %x by [16, 1, 64] : !X
  %heads = tile.num_tiles %px, 1 : !PX
  %isOne = arith.cmpi slt, %h, %heads : index
  scf.if %isOne {
    %low = tile.claim %px[%i, %h, %c0] : !PX
    %high = tile.claim %px[%i, %h, %c1] : !PX
    tile.store %v, %low : !P
    tile.store %v, %high : !P
  }
}
