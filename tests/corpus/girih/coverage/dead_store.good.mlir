// expect: VERIFIED
// The only store stands in a branch that is always taken, behind a division.
!C = !tile.tensor<[2] x f32, out>
!PC = !tile.partition<[_], [2] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @live_store(%c: !C) symbols [S : index] grid [2] {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %s = tile.symbol "S" : index
  %pc = tile.partition %c by [_] : !C
  %never = arith.cmpi slt, %c0, %c1 : index
  scf.if %never {
    %q = arith.divsi %s, %c3 : index
    %out = tile.claim %pc[%i] : !PC
    tile.store %one, %out : !P
  }
}
