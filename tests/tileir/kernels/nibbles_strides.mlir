// Integers of 4 bits with strides that are 0, or may be, in a slice, and in rows
// of a tensor with an axis that is the same all along.
!A = !tile.tensor<[M, N] x i4, shared, strides [ld, 1]>
!B = !tile.tensor<[M, N] x i4, shared, strides [0, 1]>
!S = !tile.tensor<[M, L] x i4, shared>
!F = !tile.tensor<[M, N] x i4, shared>
!C = !tile.tensor<[M, N] x i8, out>
!D = !tile.tensor<[M, N] x i8, out>
!E = !tile.tensor<[M, L] x i8, out>
!PA = !tile.partition<[4, 8], [M, N] x i4, shared, strides [ld, 1]>
!PB = !tile.partition<[4, 8], [M, N] x i4, shared, strides [0, 1]>
!PS = !tile.partition<[2, 16], [M, L] x i4, shared>
!PC = !tile.partition<[4, 8], [M, N] x i8, out>
!PE = !tile.partition<[2, 16], [M, L] x i8, out>
!P = !tile.piece<[4, 8] x i8, out>
!PZ = !tile.piece<[2, 16] x i8, out>
tile.kernel @nibbles_strides(%a: !A, %b: !B, %f: !F, %c: !C, %d: !D, %e: !E)
    symbols [ld : index, first : index]
    grid [ceildiv(M, 4), ceildiv(N, 8)]
    requires [mod(N, 2) == 0, mod(ld, 2) == 0, mod(first, 2) == 0,
              mod(L, 2) == 0, first + L <= N] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [4, 8] : !A
  %pb = tile.partition %b by [4, 8] : !B
  %pc = tile.partition %c by [4, 8] : !C
  %pd = tile.partition %d by [4, 8] : !D
  %from = tile.symbol "first" : index
  %part = tile.view %f slice [0, %from] size [M, L] : !F
  %ps = tile.partition %part by [2, 16] : !S
  %pe = tile.partition %e by [2, 16] : !E
  %oc = tile.claim %pc[%i, %j] : !PC
  %od = tile.claim %pd[%i, %j] : !PC
  %va = tile.load %pa[%i, %j] pad(-6) : !PA
  %wa = arith.extsi %va : vector<4x8xi4> to vector<4x8xi8>
  tile.store %wa, %oc : !P
  %vb = tile.load %pb[%i, %j] pad(7) : !PB
  %wb = arith.extui %vb : vector<4x8xi4> to vector<4x8xi8>
  tile.store %wb, %od : !P
  %tiles = tile.num_tiles %pe, 1 : !PE
  %rows = tile.num_tiles %pe, 0 : !PE
  %n = tile.grid_dim 0
  %first = arith.cmpi eq, %j, %c0 : index
  scf.if %first {
    scf.for %r = %i to %rows step %n {
      scf.for %k = %c0 to %tiles step %c1 {
        %o = tile.claim %pe[%r, %k] : !PE
        %vs = tile.load %ps[%r, %k] pad(zero) : !PS
        %ws = arith.extsi %vs : vector<2x16xi4> to vector<2x16xi8>
        tile.store %ws, %o : !PZ
      }
    }
  }
}
