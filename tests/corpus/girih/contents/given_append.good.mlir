// expect: VERIFIED
// A cache grows at a position that is read from memory.
!N = !tile.tensor<[1] x i64, shared>
!K = !tile.tensor<[B, D] x f32, shared>
!C = !tile.tensor<[B, S, D] x f32, own>
!PN = !tile.partition<[_], [1] x i64, shared>
!PK = !tile.partition<[_, 64], [B, D] x f32, shared>
!PC = !tile.partition<[_, _, 64], [B, S, D] x f32, own>
!P = !tile.piece<[_, _, 64] x f32, own>
tile.kernel @append(%pos: !N, %k: !K, %cache: !C) grid [B, ceildiv(D, 64)]
    given [within(%pos, 0, S)] {
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %j = tile.block_id 1
  %pn = tile.partition %pos by [_] : !N
  %pk = tile.partition %k by [_, 64] : !K
  %pc = tile.partition %cache by [_, _, 64] : !C
  %n = tile.load %pn[%c0] : !PN
  %at = arith.index_cast %n : i64 to index
  %v = tile.load %pk[%b, %j] pad(zero) : !PK
  %out = tile.claim %pc[%b, %at, %j] : !PC
  tile.store %v, %out : !P
}
