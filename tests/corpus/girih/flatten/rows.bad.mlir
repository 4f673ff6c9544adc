// expect: REFUTED out.covered
// twin: rows.good.mlir
// Blocks for the rows of whole tiles only.
!X = !tile.tensor<[B, S, D] x f32, shared>
!Y = !tile.tensor<[B, S, D] x f32, out>
!XR = !tile.tensor<[?, D] x f32, shared>
!YR = !tile.tensor<[?, D] x f32, out>
!PX = !tile.partition<[16, 64], [?, D] x f32, shared>
!PY = !tile.partition<[16, 64], [?, D] x f32, out>
!P = !tile.piece<[16, 64] x f32, out>
tile.kernel @rows(%x: !X, %y: !Y) grid [div(B * S, 16), ceildiv(D, 64)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %xr = tile.view %x flatten 0 : !X
  %yr = tile.view %y flatten 0 : !Y
  %px = tile.partition %xr by [16, 64] : !XR
  %py = tile.partition %yr by [16, 64] : !YR
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  %out = tile.claim %py[%i, %j] : !PY
  tile.store %v, %out : !P
}
