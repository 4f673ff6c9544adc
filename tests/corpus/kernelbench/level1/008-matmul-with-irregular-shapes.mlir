// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/8_Matmul_with_irregular_shapes_.py
// A product of 8205 by 2949 by 5921: nothing divides.
!A = !tile.tensor<[8205, 2949] x f32, shared>
!PA = !tile.partition<[64, 32], [8205, 2949] x f32, shared>
!B = !tile.tensor<[2949, 5921] x f32, shared>
!PB = !tile.partition<[32, 64], [2949, 5921] x f32, shared>
!Y = !tile.tensor<[8205, 5921] x f32, out>
!PY = !tile.partition<[64, 64], [8205, 5921] x f32, out>
!SY = !tile.piece<[64, 64] x f32, out>
tile.kernel @kmatmul_with_irregular_shapes(%a: !A, %b: !B, %y: !Y)
    grid [ceildiv(8205, 64), ceildiv(5921, 64)] {
  %pa = tile.partition %a by [64, 32] : !A
  %pb = tile.partition %b by [32, 64] : !B
  %py = tile.partition %y by [64, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %py[%i, %j] : !PY
  %kt = tile.num_tiles %pa, 1 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %av = tile.load %pa[%i, %k] pad(zero) : !PA
    %bv = tile.load %pb[%k, %j] pad(zero) : !PB
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32>
    scf.yield %acc_3 : vector<64x64xf32>
  }
  tile.store %acc_2, %o : !SY
}
