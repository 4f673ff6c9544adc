// Whether no two elements of a tensor are equal: block p leaves in found[p] the number
// of its first element that equals a later one, or else the largest number. Each
// tile is held against itself and all behind it; blocks share the tiles in turns,
// so that the time is that of N * N / 2 comparisons. A launcher asks it about
// contents on the device.
// any N and P, ragged included
!T = !tile.tensor<[N] x i64, shared, align = 8>
!F = !tile.tensor<[P] x i64, out>
!PT = !tile.partition<[32], [N] x i64, shared, align = 8>
!PF = !tile.partition<[_], [P] x i64, out>
!O = !tile.piece<[_] x i64, out>
tile.kernel @validate_distinct_i64(%t: !T, %found: !F) grid [P] requires [P >= 1] {
  %c1 = arith.constant 1 : index
  %n32 = arith.constant 32 : i64
  %never = arith.constant dense<false> : vector<32x32xi1>
  %none = arith.constant dense<9223372036854775807> : vector<32x32xi64>
  %lane = tile.iota 0 : vector<32xi64>
  %p = tile.block_id 0
  %blocks = tile.symbol "P" : index
  %n = tile.symbol "N" : index
  %n64 = arith.index_cast %n : index to i64
  %size = vector.broadcast %n64 : i64 to vector<32xi64>
  %pt = tile.partition %t by [32] : !T
  %pf = tile.partition %found by [_] : !F
  %out = tile.claim %pf[%p] : !PF
  %tiles = tile.num_tiles %pt, 0 : !PT
  %first = scf.for %k = %p to %tiles step %blocks iter_args(%best = %none) -> (vector<32x32xi64>) {
    %a = tile.load %pt[%k] pad(zero) : !PT
    %a_column = vector.shape_cast %a : vector<32xi64> to vector<32x1xi64>
    %left = vector.broadcast %a_column : vector<32x1xi64> to vector<32x32xi64>
    %k64 = arith.index_cast %k : index to i64
    %above = arith.muli %k64, %n32 : i64
    %top = vector.broadcast %above : i64 to vector<32xi64>
    %number = arith.addi %top, %lane : vector<32xi64>
    %column = vector.shape_cast %number : vector<32xi64> to vector<32x1xi64>
    %earlier = vector.broadcast %column : vector<32x1xi64> to vector<32x32xi64>
    %twice = scf.for %m = %k to %tiles step %c1 iter_args(%seen = %never) -> (vector<32x32xi1>) {
      %b = tile.load %pt[%m] pad(zero) : !PT
      %right = vector.broadcast %b : vector<32xi64> to vector<32x32xi64>
      %m64 = arith.index_cast %m : index to i64
      %before = arith.muli %m64, %n32 : i64
      %start = vector.broadcast %before : i64 to vector<32xi64>
      %place = arith.addi %start, %lane : vector<32xi64>
      %later = vector.broadcast %place : vector<32xi64> to vector<32x32xi64>
      %is = arith.cmpi slt, %place, %size : vector<32xi64>
      %inside = vector.broadcast %is : vector<32xi1> to vector<32x32xi1>
      %same = arith.cmpi eq, %left, %right : vector<32x32xi64>
      %behind = arith.cmpi slt, %earlier, %later : vector<32x32xi64>
      %pair = arith.andi %same, %behind : vector<32x32xi1>
      %twins = arith.andi %pair, %inside : vector<32x32xi1>
      %any = arith.ori %seen, %twins : vector<32x32xi1>
      scf.yield %any : vector<32x32xi1>
    }
    %least = arith.minsi %earlier, %best : vector<32x32xi64>
    %next = arith.select %twice, %least, %best : vector<32x32xi1>, vector<32x32xi64>
    scf.yield %next : vector<32x32xi64>
  }
  %least_of_row = tile.reduce min %first, 1 : vector<32x32xi64>
  %least_number = tile.reduce min %least_of_row, 0 : vector<32xi64>
  tile.store %least_number, %out : !O
}
