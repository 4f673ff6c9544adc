// expect: VERIFIED
// Longest first: the last rows of queries of all heads, then those before.
!O = !tile.tensor<[Q, H] x f32, out>
!PO = !tile.partition<[16, _], [Q, H] x f32, out>
!P = !tile.piece<[16, _] x f32, out>
tile.map @longest(%t) [blocks, heads] -> (index, index)
    from [blocks * heads] into [blocks, heads] bijective {
  %blocks = tile.symbol "blocks" : index
  %heads = tile.symbol "heads" : index
  %c1 = arith.constant 1 : index
  %b = arith.divsi %t, %heads : index
  %h = arith.remsi %t, %heads : index
  %last = arith.subi %blocks, %c1 : index
  %q = arith.subi %last, %b : index
  tile.yield %q, %h
} inverse (%q, %h) {
  %blocks = tile.symbol "blocks" : index
  %heads = tile.symbol "heads" : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %blocks, %c1 : index
  %b = arith.subi %last, %q : index
  %a = arith.muli %b, %heads : index
  %t = arith.addi %a, %h : index
  tile.yield %t
}
tile.kernel @longest_first(%o: !O) grid [ceildiv(Q, 16) * H] {
  %v = arith.constant dense<1.0> : vector<16xf32>
  %t = tile.block_id 0
  %po = tile.partition %o by [16, _] : !O
  %blocks = tile.num_tiles %po, 0 : !PO
  %heads = tile.num_tiles %po, 1 : !PO
  %q, %h = tile.apply @longest(%t) [%blocks, %heads] : index, index
  %out = tile.claim %po[%q, %h] : !PO
  tile.store %v, %out : !P
}
