// expect: REFUTED map.into
// twin: rows.mlir
// The number of the row is taken mod 16, which has a bit too many: a planted bug in
// rows.mlir.
!OUT = !tile.tensor<[R, 8] x f32, out>
!POUT = !tile.partition<[_, _], [R, 8] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.map @swizzle(%r, %c) [R] -> (index, index) from [R, 8] into [R, 8] bijective {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %low = arith.remsi %r, %c16 : index
  %s = arith.xori %c, %low : index
  tile.yield %r, %s
} inverse (%r, %s) {
  %c8 = arith.constant 8 : index
  %low = arith.remsi %r, %c8 : index
  %c = arith.xori %s, %low : index
  tile.yield %r, %c
}
tile.kernel @xor_rows(%out: !OUT) grid [R] {
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %R = tile.symbol "R" : index
  %r = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %i, %s = tile.apply @swizzle(%r, %k) [%R] : index, index
    %piece_0 = tile.claim %p_out[%i, %s] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
