// expect: REFUTED claim.disjoint
// The row in a band is the remainder of the band's number: all blocks of a column
// have one.
!A = !tile.tensor<[M, K] x f16, shared, strides [SA, 1]>
!C = !tile.tensor<[R, N] x f16, out partial, strides [SC, 1]>
!PA = !tile.partition<[128, 64], [M, K] x f16, shared, strides [SA, 1]>
!PC = !tile.partition<[128, 256], [R, N] x f16, out partial, strides [SC, 1]>
!P = !tile.piece<[128, 256] x f16, out>
tile.kernel @turned(%a: !A, %c: !C) symbols [SA : index, SC : index]
    grid [ceildiv(M, 128) * ceildiv(N, 256)]
    requires [M <= 2147483647, N <= 2147483647, K <= 2147483647,
              SA <= 2147483647, SC <= 2147483647, R <= 2147483647, R == M] {
  %v = arith.constant dense<0.0> : vector<128x256xf16>
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pid = tile.block_id 0
  %pa = tile.partition %a by [128, 64] : !A
  %pc = tile.partition %c by [128, 256] : !C
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %gm = arith.ceildivsi %m, %c128 : index
  %gn = arith.ceildivsi %n, %c256 : index
  %w = arith.muli %c8, %gn : index
  %group = arith.divsi %pid, %w : index
  %first = arith.muli %group, %c8 : index
  %left = arith.subi %gm, %first : index
  %size = arith.minsi %left, %c8 : index
  %r = arith.remsi %group, %size : index
  %i = arith.addi %first, %r : index
  %rest = arith.remsi %pid, %w : index
  %j = arith.divsi %rest, %size : index
  %gk = tile.num_tiles %pa, 1 : !PA
  %out = tile.claim %pc[%i, %j] : !PC
  tile.store %v, %out : !P
}
