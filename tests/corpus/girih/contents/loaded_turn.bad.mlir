// expect: REFUTED out.covered
// twin: loaded_turn.good.mlir
// Turned by what each trip loads: for every value that it may load each element
// has its trip, but not when trips load different ones.
!I = !tile.tensor<[2] x i32, shared>
!PI = !tile.partition<[_], [2] x i32, shared>
!C = !tile.tensor<[2] x f32, out>
!PC = !tile.partition<[_], [2] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @loaded_turn(%i: !I, %c: !C) grid [1] {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pi = tile.partition %i by [_] : !I
  %pc = tile.partition %c by [_] : !C
  scf.for %t = %c0 to %c2 step %c1 {
    %l = tile.load %pi[%t] : !PI
    %s = arith.index_cast %l : i32 to index
    %turned = arith.cmpi sge, %s, %c1 : index
    %back = arith.subi %c1, %t : index
    %at = arith.select %turned, %back, %t : index
    %out = tile.claim %pc[%at] : !PC
    tile.store %one, %out : !P
  }
}
