// expect: VERIFIED
// A comparison of integers is followed, and it is always true.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @read_condition(%x: !X, %c: !C) grid [N] {
  %i = tile.block_id 0
  %px = tile.partition %x by [_] : !X
  %pc = tile.partition %c by [_] : !C
  %v = tile.load %px[%i] : !PX
  %out = tile.claim %pc[%i] : !PC
  %zero = arith.constant 0 : index
  %same = arith.cmpi sge, %i, %zero : index
  scf.if %same {
    tile.store %v, %out : !P
  }
}
