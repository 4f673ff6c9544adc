// expect: REFUTED claim.bounds
// The upper half of the bound is broken, the lower one holds.
!C = !tile.tensor<[N] x f32, out partial>
!PC = !tile.partition<[_], [N] x f32, out partial>
!P = !tile.piece<[_] x f32, out>

tile.kernel @k(%c: !C) symbols [s : index] grid [1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %n = tile.symbol "N" : index
  %s = tile.symbol "s" : index
  %pc = tile.partition %c by [_] : !C
  %b = arith.cmpi slt, %s, %n : index
  scf.if %b {
    %some = arith.cmpi sgt, %n, %s : index
    tile.prove %some : i1
  }
  %out = tile.claim %pc[%s] : !PC
  tile.store %v, %out : !P
}
