// expect: REFUTED load.bounds
// twin: raw.good.mlir
// Who comes first on a raw tensor is nobody's business; where it ends is.
!N = !tile.tensor<[N] x f32, raw>
!PN = !tile.partition<[64], [N] x f32, raw>
!P = !tile.piece<[64] x f32, raw>
tile.kernel @smooth(%x: !N) grid [ceildiv(N, 64)] {
  %i = tile.block_id 0
  %c1 = arith.constant 1 : index
  %p = tile.partition %x by [64] : !N
  %j = arith.addi %i, %c1 : index
  %here = tile.claim %p[%i] : !PN
  %a = tile.load %here pad(zero) : !P
  %b = tile.load %p[%j] pad(zero) : !PN
  %sum = arith.addf %a, %b : vector<64xf32>
  tile.store %sum, %here : !P
}
