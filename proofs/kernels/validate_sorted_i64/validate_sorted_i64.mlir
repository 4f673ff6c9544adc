// Whether no element of a tensor is above the next one: block p leaves in found[p]
// the number of its first element that is, or else a number of N or more. Blocks
// share the tiles in turns. A launcher asks it about contents on the device.
// any N of at least 1 and any P, ragged included
!T = !tile.tensor<[N] x i64, shared, align = 8>
!F = !tile.tensor<[P] x i64, out>
!S = !tile.tensor<[?] x i64, shared>
!PS = !tile.partition<[1024], [?] x i64, shared>
!PF = !tile.partition<[_], [P] x i64, out>
!O = !tile.piece<[_] x i64, out>
tile.kernel @validate_sorted_i64(%t: !T, %found: !F) grid [P] requires [N >= 1, P >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n1024 = arith.constant 1024 : i64
  %none = arith.constant dense<9223372036854775807> : vector<1024xi64>
  %lane = tile.iota 0 : vector<1024xi64>
  %p = tile.block_id 0
  %blocks = tile.symbol "P" : index
  %n = tile.symbol "N" : index
  %pairs = arith.subi %n, %c1 : index
  %head = tile.view %t slice [%c0] size [%pairs] : !T
  %tail = tile.view %t slice [%c1] size [%pairs] : !T
  %ph = tile.partition %head by [1024] : !S
  %pl = tile.partition %tail by [1024] : !S
  %pf = tile.partition %found by [_] : !F
  %out = tile.claim %pf[%p] : !PF
  %tiles = tile.num_tiles %ph, 0 : !PS
  %first = scf.for %k = %p to %tiles step %blocks iter_args(%best = %none) -> (vector<1024xi64>) {
    %a = tile.load %ph[%k] pad(zero) : !PS
    %b = tile.load %pl[%k] pad(zero) : !PS
    %k64 = arith.index_cast %k : index to i64
    %start = arith.muli %k64, %n1024 : i64
    %starts = vector.broadcast %start : i64 to vector<1024xi64>
    %number = arith.addi %starts, %lane : vector<1024xi64>
    %descends = arith.cmpi sgt, %a, %b : vector<1024xi64>
    %seen = arith.minsi %number, %best : vector<1024xi64>
    %next = arith.select %descends, %seen, %best : vector<1024xi1>, vector<1024xi64>
    scf.yield %next : vector<1024xi64>
  }
  %least_number = tile.reduce min %first, 0 : vector<1024xi64>
  tile.store %least_number, %out : !O
}
