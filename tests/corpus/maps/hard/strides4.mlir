// expect: VERIFIED
// Four axes whose strides leave room for those inside, by flat address.
!OUT = !tile.tensor<[F] x f32, own>
!POUT = !tile.partition<[_], [F] x f32, own>
!PieceOUT = !tile.piece<[_] x f32, own>
tile.kernel @hard_strides4(%out: !OUT)
    symbols [B : index, H : index, S : index, D : index, ss : index, sh : index, sb : index] grid [B, H, S]
    requires [ss >= D, sh >= S * ss, sb >= H * sh, F == B * sb, B * sb <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_] : !OUT
  %D = tile.symbol "D" : index
  %sb = tile.symbol "sb" : index
  %sh = tile.symbol "sh" : index
  %ss = tile.symbol "ss" : index
  %b = tile.block_id 0
  %h = tile.block_id 1
  %s = tile.block_id 2
  scf.for %d = %c0 to %D step %c1 {
    %address_2 = arith.muli %b, %sb : index
    %address_3 = arith.muli %h, %sh : index
    %address_1 = arith.addi %address_2, %address_3 : index
    %address_4 = arith.muli %s, %ss : index
    %address_0 = arith.addi %address_1, %address_4 : index
    %address = arith.addi %address_0, %d : index
    %piece_0 = tile.claim %p_out[%address] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
