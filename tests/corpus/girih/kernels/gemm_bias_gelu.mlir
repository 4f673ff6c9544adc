// expect: VERIFIED
// C = gelu(A B + bias), bf16 in and out, f32 sums, tanh form
// any M, N, K
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!V = !tile.tensor<[N] x bf16, shared>
!C = !tile.tensor<[M, N] x bf16, out>
!PA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 128], [K, N] x bf16, shared>
!PV = !tile.partition<[128], [N] x bf16, shared>
!PC = !tile.partition<[128, 128], [M, N] x bf16, out>
!O = !tile.piece<[128, 128] x bf16, out>
func.func private @gelu(%x: vector<128x128xf32>) -> vector<128x128xf32> {
  %half = arith.constant dense<0.5> : vector<128x128xf32>
  %one = arith.constant dense<1.0> : vector<128x128xf32>
  %c = arith.constant dense<0.79788456> : vector<128x128xf32>
  %d = arith.constant dense<0.044715> : vector<128x128xf32>
  %x2 = arith.mulf %x, %x : vector<128x128xf32>
  %p = math.fma %x2, %d, %one : vector<128x128xf32>
  %xc = arith.mulf %x, %c : vector<128x128xf32>
  %in = arith.mulf %xc, %p : vector<128x128xf32>
  %t = math.tanh %in : vector<128x128xf32>
  %u = arith.addf %t, %one : vector<128x128xf32>
  %h = arith.mulf %x, %half : vector<128x128xf32>
  %r = arith.mulf %h, %u : vector<128x128xf32>
  func.return %r : vector<128x128xf32>
}
tile.kernel @gemm_bias_gelu(%a: !A, %b: !B, %bias: !V, %c: !C) grid [ceildiv(M, 128), ceildiv(N, 128)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 128] : !B
  %pv = tile.partition %bias by [128] : !V
  %pc = tile.partition %c by [128, 128] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %n = tile.num_tiles %pa, 1 : !PA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %next : vector<128x128xf32>
  }
  %v = tile.load %pv[%j] pad(zero) : !PV
  %v32 = arith.extf %v : vector<128xbf16> to vector<128xf32>
  %vs = vector.broadcast %v32 : vector<128xf32> to vector<128x128xf32>
  %s = arith.addf %sum, %vs : vector<128x128xf32>
  %g = func.call @gelu(%s) : (vector<128x128xf32>) -> vector<128x128xf32>
  %g16 = arith.truncf %g : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %g16, %out : !O
}
