// expect: VERIFIED
// Twice a tensor of three axes, in tiles of its elements one after another.
!X = !tile.tensor<[B, S, D] x f32, shared>
!Y = !tile.tensor<[B, S, D] x f32, out>
!X2 = !tile.tensor<[B, ?] x f32, shared>
!Y2 = !tile.tensor<[B, ?] x f32, out>
!X1 = !tile.tensor<[?] x f32, shared>
!Y1 = !tile.tensor<[?] x f32, out>
!PX = !tile.partition<[1024], [?] x f32, shared>
!PY = !tile.partition<[1024], [?] x f32, out>
!P = !tile.piece<[1024] x f32, out>
tile.kernel @scaled(%x: !X, %y: !Y) grid [ceildiv(B * S * D, 1024)] {
  %i = tile.block_id 0
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
