// expect: VERIFIED
// Longest first within sections of S heads, the last of them smaller.
!O = !tile.tensor<[Q, H] x f32, out>
!PO = !tile.partition<[16, _], [Q, H] x f32, out>
!P = !tile.piece<[16, _] x f32, out>
tile.map @longest(%t) [blocks, heads, section] -> (index, index)
    from [blocks * heads] into [blocks, heads] bijective {
  %blocks = tile.symbol "blocks" : index
  %heads = tile.symbol "heads" : index
  %section = tile.symbol "section" : index
  %c1 = arith.constant 1 : index
  %whole = arith.divsi %heads, %section : index
  %rest = arith.remsi %heads, %section : index
  %some = arith.maxsi %rest, %c1 : index
  %room = arith.muli %section, %blocks : index
  %s = arith.divsi %t, %room : index
  %u = arith.remsi %t, %room : index
  %full = arith.cmpi slt, %s, %whole : index
  %span = arith.select %full, %section, %some : index
  %b = arith.divsi %u, %span : index
  %r = arith.remsi %u, %span : index
  %last = arith.subi %blocks, %c1 : index
  %q = arith.subi %last, %b : index
  %first = arith.muli %s, %section : index
  %h = arith.addi %first, %r : index
  tile.yield %q, %h
} inverse (%q, %h) {
  %blocks = tile.symbol "blocks" : index
  %heads = tile.symbol "heads" : index
  %section = tile.symbol "section" : index
  %c1 = arith.constant 1 : index
  %whole = arith.divsi %heads, %section : index
  %rest = arith.remsi %heads, %section : index
  %some = arith.maxsi %rest, %c1 : index
  %room = arith.muli %section, %blocks : index
  %s = arith.divsi %h, %section : index
  %r = arith.remsi %h, %section : index
  %full = arith.cmpi slt, %s, %whole : index
  %span = arith.select %full, %section, %some : index
  %last = arith.subi %blocks, %c1 : index
  %b = arith.subi %last, %q : index
  %a = arith.muli %s, %room : index
  %c = arith.muli %b, %span : index
  %d = arith.addi %a, %c : index
  %t = arith.addi %d, %r : index
  tile.yield %t
}
tile.kernel @longest_in_sections(%o: !O) symbols [S : index]
    grid [ceildiv(Q, 16) * H] requires [S >= 1, S <= H] {
  %v = arith.constant dense<1.0> : vector<16xf32>
  %t = tile.block_id 0
  %section = tile.symbol "S" : index
  %po = tile.partition %o by [16, _] : !O
  %blocks = tile.num_tiles %po, 0 : !PO
  %heads = tile.num_tiles %po, 1 : !PO
  %q, %h = tile.apply @longest(%t) [%blocks, %heads, %section] : index, index
  %out = tile.claim %po[%q, %h] : !PO
  tile.store %v, %out : !P
}
