// expect: VERIFIED
// The tiles of x, folded into h: tile i goes to tile i mod the tiles of h.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[B] x i32, atomic<add>>
!PX = !tile.partition<[4], [N] x i32, shared>
!PH = !tile.partition<[4], [B] x i32, atomic<add>>
tile.kernel @fold(%x: !X, %h: !H) grid [ceildiv(N, 4)]
    requires [B >= 1] {
  %i = tile.block_id 0
  %px = tile.partition %x by [4] : !X
  %ph = tile.partition %h by [4] : !H
  %n = tile.num_tiles %ph, 0 : !PH
  %v = tile.load %px[%i] pad(zero) : !PX
  %at = arith.remsi %i, %n : index
  tile.atomic add %v, %ph[%at] : !PH
}
