// expect: REFUTED view.unfold out.covered
// twin: view_heads.good.mlir
// Rows of H heads of D numbers: a block has a head of a few rows.
!X = !tile.tensor<[T, C] x f16, shared>
!XH = !tile.tensor<[T, H, D] x f16, shared>
!Y = !tile.tensor<[T, C] x f16, out>
!YH = !tile.tensor<[T, H, D] x f16, out>
!PX = !tile.partition<[8, _, 64], [T, H, D] x f16, shared>
!PY = !tile.partition<[8, _, 64], [T, H, D] x f16, out>
!P = !tile.piece<[8, _, 64] x f16, out>
tile.kernel @view_heads(%x: !X, %y: !Y) symbols [H : index, D : index]
    grid [ceildiv(T, 8), H] requires [C >= H * D] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %h = tile.block_id 1
  %xh = tile.view %x unfold 1 by [H, D] : !X
  %yh = tile.view %y unfold 1 by [H, D] : !Y
  %px = tile.partition %xh by [8, _, 64] : !XH
  %py = tile.partition %yh by [8, _, 64] : !YH
  %n = tile.num_tiles %px, 2 : !PX
  scf.for %d = %c0 to %n step %c1 {
    %out = tile.claim %py[%i, %h, %d] : !PY
    %v = tile.load %px[%i, %h, %d] pad(zero) : !PX
    tile.store %v, %out : !P
  }
}
