// Scales: powers of two from numbers, rounded down and up, chosen, and back.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x bf16, shared>
!S = !tile.tensor<[N] x f8E8M0FNU, shared>
!C = !tile.tensor<[N] x f8E8M0FNU, out>
!D = !tile.tensor<[N] x f8E8M0FNU, out>
!F = !tile.tensor<[N] x f32, out>
!B = !tile.tensor<[N] x bf16, out>
!PX = !tile.partition<[64], [N] x f32, shared>
!PY = !tile.partition<[64], [N] x bf16, shared>
!PS = !tile.partition<[64], [N] x f8E8M0FNU, shared>
!PC = !tile.partition<[64], [N] x f8E8M0FNU, out>
!PF = !tile.partition<[64], [N] x f32, out>
!PB = !tile.partition<[64], [N] x bf16, out>
!P = !tile.piece<[64] x f8E8M0FNU, out>
!Q = !tile.piece<[64] x f32, out>
!R = !tile.piece<[64] x bf16, out>
tile.kernel @powers(%x: !X, %y: !Y, %s: !S, %c: !C, %d: !D, %f: !F, %b: !B) grid [ceildiv(N, 64)] {
  %i = tile.block_id 0
  %px = tile.partition %x by [64] : !X
  %py = tile.partition %y by [64] : !Y
  %ps = tile.partition %s by [64] : !S
  %pc = tile.partition %c by [64] : !C
  %pd = tile.partition %d by [64] : !D
  %pf = tile.partition %f by [64] : !F
  %pb = tile.partition %b by [64] : !B
  %vx = tile.load %px[%i] pad(zero) : !PX
  %vy = tile.load %py[%i] pad(zero) : !PY
  %vs = tile.load %ps[%i] pad(zero) : !PS
  %down = tile.convert %vx rounding(zero) : vector<64xf32> to vector<64xf8E8M0FNU>
  %up = tile.convert %vy rounding(positive_inf) : vector<64xbf16> to vector<64xf8E8M0FNU>
  %four = arith.constant dense<4.0> : vector<64xf8E8M0FNU>
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %more = arith.cmpf olt, %zero, %vx : vector<64xf32>
  %some = arith.select %more, %down, %four : vector<64xi1>, vector<64xf8E8M0FNU>
  %single = arith.extf %vs : vector<64xf8E8M0FNU> to vector<64xf32>
  %half = arith.extf %up : vector<64xf8E8M0FNU> to vector<64xbf16>
  %oc = tile.claim %pc[%i] : !PC
  tile.store %some, %oc : !P
  %od = tile.claim %pd[%i] : !PC
  tile.store %up, %od : !P
  %of = tile.claim %pf[%i] : !PF
  tile.store %single, %of : !Q
  %ob = tile.claim %pb[%i] : !PB
  tile.store %half, %ob : !R
}
