// Constants of few bits: eight of them fill a byte, which then may stand for all.
!A = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
!PA = !tile.partition<[8], [N] x i32, shared>
!PY = !tile.partition<[8], [N] x i32, out>
!Q = !tile.piece<[8] x i32, out>
tile.kernel @bits(%a: !A, %y: !Y) grid [ceildiv(N, 8)] {
  %i = tile.block_id 0
  %pa = tile.partition %a by [8] : !A
  %py = tile.partition %y by [8] : !Y
  %oy = tile.claim %py[%i] : !PY
  %x = tile.load %pa[%i] pad(zero) : !PA
  %all = arith.constant dense<true> : vector<8xi1>
  %none = arith.constant dense<false> : vector<8xi1>
  %first = arith.constant dense<[true, false, false, false, false, false, false, false]> : vector<8xi1>
  %two = arith.constant dense<[true, true]> : vector<2xi1>
  %one2 = arith.constant dense<[true, false]> : vector<2xi1>
  %k = arith.xori %all, %first : vector<8xi1>
  %k1 = arith.xori %k, %none : vector<8xi1>
  %s = arith.addi %x, %x : vector<8xi32>
  %c = arith.select %k1, %x, %s : vector<8xi1>, vector<8xi32>
  tile.store %c, %oy : !Q
}
