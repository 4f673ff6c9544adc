// expect: VERIFIED
// The first numbers of the slices are distinct: their places in the list are.
!T = !tile.tensor<[N] x i32, shared>
!V = !tile.tensor<[1] x i32, shared>
!C = !tile.tensor<[S] x f32, own>
!PV = !tile.partition<[_], [1] x i32, shared>
!PC = !tile.partition<[_], [S] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @view_lookup(%t: !T, %c: !C) grid [2]
    requires [N >= 2, S >= N + 1] given [within(%t, 0, N), distinct(%t)] {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %b = tile.block_id 0
  %own = tile.view %t slice [%b] size [1] : !T
  %pv = tile.partition %own by [_] : !V
  %n = tile.load %pv[%c0] : !PV
  %first = arith.index_cast %n : i32 to index
  %at = arith.addi %first, %c0 : index
  %pc = tile.partition %c by [_] : !C
  %out = tile.claim %pc[%at] : !PC
  tile.store %v, %out : !P
}
