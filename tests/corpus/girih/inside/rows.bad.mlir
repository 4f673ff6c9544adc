// expect: REFUTED gather.bounds
// twin: rows.good.mlir
// The mask of the first tile of a row, for all tiles of it.
!X = !tile.tensor<[B, M, N] x f16, shared>
!XM = !tile.tensor<[M, N] x f16, shared>
!XL = !tile.tensor<[?, N] x f16, shared>
!Y = !tile.tensor<[B, M, N] x f16, own>
!PL = !tile.partition<[_, 64], [?, N] x f16, shared>
tile.kernel @rows(%x: !X, %y: !Y) symbols [len : index] grid [B, M] requires [len <= M] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %b = tile.block_id 0
  %r = tile.block_id 1
  %len = tile.symbol "len" : index
  %x0 = tile.view %x fix 0 at %b : !X
  %xs = tile.view %x0 slice [0, 0] size [%len, N] : !XM
  %px = tile.partition %xs by [_, 64] : !XL
  %tiles = tile.num_tiles %px, 1 : !PL
  %lane = tile.iota 0 : vector<64xindex>
  %bs = vector.broadcast %b : index to vector<64xindex>
  %rs = vector.broadcast %r : index to vector<64xindex>
  scf.for %k = %c0 to %tiles step %c1 {
    %in = tile.inside %px[%r, %c0] : !PL
    %first = arith.muli %k, %c64 : index
    %firsts = vector.broadcast %first : index to vector<64xindex>
    %at = arith.addi %firsts, %lane : vector<64xindex>
    %v = tile.gather %x[%bs, %rs, %at], %in pad(-0.5) : !X, vector<64xindex>, vector<64xindex>, vector<64xindex>, vector<64xi1>
    tile.scatter %v, %y[%bs, %rs, %at], %in : vector<64xf16>, !Y, vector<64xindex>, vector<64xindex>, vector<64xindex>, vector<64xi1>
  }
}
