// expect: REFUTED claim.disjoint
// twin: scaled.good.mlir
// A block for each part of each plane, that counts planes as if they had a part
// each.
!X = !tile.tensor<[B, S, D] x f32, shared>
!Y = !tile.tensor<[B, S, D] x f32, out partial>
!X2 = !tile.tensor<[B, ?] x f32, shared>
!Y2 = !tile.tensor<[B, ?] x f32, out partial>
!X1 = !tile.tensor<[?] x f32, shared>
!Y1 = !tile.tensor<[?] x f32, out partial>
!PX = !tile.partition<[1024], [?] x f32, shared>
!PY = !tile.partition<[1024], [?] x f32, out partial>
!P = !tile.piece<[1024] x f32, out>
tile.kernel @scaled(%x: !X, %y: !Y) grid [B, ceildiv(S * D, 1024)] requires [S * D >= 1024] {
  %b = tile.block_id 0
  %j = tile.block_id 1
  %i = arith.addi %b, %j : index
  %x2 = tile.view %x flatten 1 : !X
  %x1 = tile.view %x2 flatten 0 : !X2
  %y2 = tile.view %y flatten 1 : !Y
  %y1 = tile.view %y2 flatten 0 : !Y2
  %px = tile.partition %x1 by [1024] : !X1
  %py = tile.partition %y1 by [1024] : !Y1
  %v = tile.load %px[%i] pad(zero) : !PX
  %w = arith.addf %v, %v : vector<1024xf32>
  %out = tile.claim %py[%i] : !PY
  tile.store %w, %out : !P
}
