// expect: VERIFIED
// What was loaded decides which one of two stores happens.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!F = !tile.tensor<[B] x i32, shared>
!PF = !tile.partition<[_], [B] x i32, shared>
!P = !tile.piece<[64] x f32, out>
tile.kernel @loaded(%f: !F, %c: !C) grid [ceildiv(N, 64)]
    requires [B == ceildiv(N, 64)] {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : i32
  %i = tile.block_id 0
  %pf = tile.partition %f by [_] : !F
  %flag = tile.load %pf[%i] : !PF
  %pc = tile.partition %c by [64] : !C
  %out = tile.claim %pc[%i] : !PC
  %set = arith.cmpi slt, %flag, %c0 : i32
  scf.if %set {
    tile.store %zero, %out : !P
  }
  %other = arith.cmpi sge, %flag, %c0 : i32
  scf.if %other {
    tile.store %one, %out : !P
  }
}
