// expect: VERIFIED
// The small tile is the second half of the block's own.
!X = !tile.tensor<[N] x f32, own>
!P8 = !tile.partition<[8], [N] x f32, own>
!P4 = !tile.partition<[4], [N] x f32, own>
tile.kernel @two_partitions(%x: !X) grid [ceildiv(N, 8)] {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %p8 = tile.partition %x by [8] : !X
  %p4 = tile.partition %x by [4] : !X
  %n = tile.num_tiles %p4, 0 : !P4
  %whole = tile.claim %p8[%i] : !P8
  %twice = arith.muli %i, %c2 : index
  %j = arith.addi %twice, %c1 : index
  %ok = arith.cmpi slt, %j, %n : index
  scf.if %ok {
    %half = tile.claim %p4[%j] : !P4
  }
}
