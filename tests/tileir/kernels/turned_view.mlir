// Three axes of a view in an order that is not its own inverse, and of what is
// left when one is fixed.
!X = !tile.tensor<[A, B, C] x f32, shared>
!XT = !tile.tensor<[C, A, B] x f32, shared>
!XF = !tile.tensor<[A, B] x f32, shared>
!Y = !tile.tensor<[C, A, B] x f32, out>
!PX = !tile.partition<[_, 8, 4], [C, A, B] x f32, shared>
!PF = !tile.partition<[8, 4], [A, B] x f32, shared>
!PY = !tile.partition<[_, 8, 4], [C, A, B] x f32, out>
!P = !tile.piece<[_, 8, 4] x f32, out>
tile.kernel @turned_view(%x: !X, %y: !Y) grid [C, ceildiv(A, 8), ceildiv(B, 4)] {
  %k = tile.block_id 0
  %i = tile.block_id 1
  %j = tile.block_id 2
  %turned = tile.view %x permute [2, 0, 1] : !X
  %px = tile.partition %turned by [_, 8, 4] : !XT
  %fixed = tile.view %turned fix 0 at %k : !XT
  %pf = tile.partition %fixed by [8, 4] : !XF
  %py = tile.partition %y by [_, 8, 4] : !Y
  %out = tile.claim %py[%k, %i, %j] : !PY
  %u = tile.load %px[%k, %i, %j] pad(zero) : !PX
  %v = tile.load %pf[%i, %j] pad(zero) : !PF
  %w = arith.addf %u, %v : vector<8x4xf32>
  tile.store %w, %out : !P
}
