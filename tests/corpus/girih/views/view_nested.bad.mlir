// expect: REFUTED view.slice
// twin: view_nested.good.mlir
// The offset of the inner slice counts from the start of the tensor, not from
// that of the block's own.
!C = !tile.tensor<[M] x f32, out>
!S = !tile.tensor<[?] x f32, out>
!PS = !tile.partition<[16], [?] x f32, out>
!P = !tile.piece<[16] x f32, out>
tile.kernel @view_nested(%c: !C) grid [ceildiv(M, 64)] {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant dense<1.0> : vector<16xf32>
  %b = tile.block_id 0
  %m = tile.symbol "M" : index
  %from = arith.muli %b, %c64 : index
  %left = arith.subi %m, %from : index
  %size = arith.minsi %left, %c64 : index
  %mine = tile.view %c slice [%from] size [%size] : !C
  scf.for %i = %c0 to %size step %c16 {
    %more = arith.subi %size, %i : index
    %some = arith.minsi %more, %c16 : index
    %at = arith.addi %from, %i : index
    %part = tile.view %mine slice [%at] size [%some] : !S
    %pp = tile.partition %part by [16] : !S
    %out = tile.claim %pp[%c0] : !PS
    tile.store %v, %out : !P
  }
}
