// expect: VERIFIED
// y[(b,p,q), k] = sum over r, s, c of x[b, p*stride+r-pad, q*stride+s-pad, c] w[r, s, c, k]
// y NHWC too, by a scatter; implicit GEMM: rows of a tile are output pixels; any sizes, any padding and stride
!X = !tile.tensor<[B, H, W, C] x bf16, shared>
!F = !tile.tensor<[R, S, C, K] x bf16, shared>
!Y = !tile.tensor<[B, P, Q, K] x f32, out>
!PF = !tile.partition<[_, _, 32, 64], [R, S, C, K] x bf16, shared>
tile.kernel @conv2d_scatter(%x: !X, %f: !F, %y: !Y) symbols [stride : index, pad : index]
    grid [ceildiv(B * P * Q, 64), ceildiv(K, 64)]
    requires [stride >= 1, stride <= 64, pad <= 64, H + 2 * pad >= R, W + 2 * pad >= S, R >= 1, S >= 1,
      P == div(H + 2 * pad - R, stride) + 1, Q == div(W + 2 * pad - S, stride) + 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %zeros = arith.constant dense<0> : vector<64x32xindex>
  %row = tile.iota 0 : vector<64x32xindex>
  %col = tile.iota 1 : vector<64x32xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %B = tile.symbol "B" : index
  %K = tile.symbol "K" : index
  %H = tile.symbol "H" : index
  %W = tile.symbol "W" : index
  %C = tile.symbol "C" : index
  %P = tile.symbol "P" : index
  %Q = tile.symbol "Q" : index
  %PQ = arith.muli %P, %Q : index
  %M = arith.muli %B, %PQ : index
  %R = tile.symbol "R" : index
  %S = tile.symbol "S" : index
  %stride = tile.symbol "stride" : index
  %pad = tile.symbol "pad" : index
  %Ms = vector.broadcast %M : index to vector<64x32xindex>
  %Hs = vector.broadcast %H : index to vector<64x32xindex>
  %Ws = vector.broadcast %W : index to vector<64x32xindex>
  %Cs = vector.broadcast %C : index to vector<64x32xindex>
  %Ps = vector.broadcast %P : index to vector<64x32xindex>
  %Qs = vector.broadcast %Q : index to vector<64x32xindex>
  %strides = vector.broadcast %stride : index to vector<64x32xindex>
  %pads = vector.broadcast %pad : index to vector<64x32xindex>
  %pf = tile.partition %f by [_, _, 32, 64] : !F
  %ctiles = tile.num_tiles %pf, 2 : !PF
  %m0 = arith.muli %i, %c64 : index
  %m0s = vector.broadcast %m0 : index to vector<64x32xindex>
  %m = arith.addi %m0s, %row : vector<64x32xindex>
  %real = arith.cmpi slt, %m, %Ms : vector<64x32xindex>
  %bp = arith.divsi %m, %Qs : vector<64x32xindex>
  %q = arith.remsi %m, %Qs : vector<64x32xindex>
  %b = arith.divsi %bp, %Ps : vector<64x32xindex>
  %p = arith.remsi %bp, %Ps : vector<64x32xindex>
  %py0 = arith.muli %p, %strides : vector<64x32xindex>
  %qx0 = arith.muli %q, %strides : vector<64x32xindex>
  %h0 = arith.subi %py0, %pads : vector<64x32xindex>
  %w0 = arith.subi %qx0, %pads : vector<64x32xindex>
  %sum = scf.for %r = %c0 to %R step %c1 iter_args(%a0 = %zero) -> (vector<64x64xf32>) {
    %rs = vector.broadcast %r : index to vector<64x32xindex>
    %h = arith.addi %h0, %rs : vector<64x32xindex>
    %h_lo = arith.cmpi sge, %h, %zeros : vector<64x32xindex>
    %h_hi = arith.cmpi slt, %h, %Hs : vector<64x32xindex>
    %h_in = arith.andi %h_lo, %h_hi : vector<64x32xi1>
    %hm = arith.andi %h_in, %real : vector<64x32xi1>
    %u = scf.for %s = %c0 to %S step %c1 iter_args(%a1 = %a0) -> (vector<64x64xf32>) {
      %ss = vector.broadcast %s : index to vector<64x32xindex>
      %w = arith.addi %w0, %ss : vector<64x32xindex>
      %w_lo = arith.cmpi sge, %w, %zeros : vector<64x32xindex>
      %w_hi = arith.cmpi slt, %w, %Ws : vector<64x32xindex>
      %w_in = arith.andi %w_lo, %w_hi : vector<64x32xi1>
      %hw = arith.andi %hm, %w_in : vector<64x32xi1>
      %t = scf.for %k = %c0 to %ctiles step %c1 iter_args(%a2 = %a1) -> (vector<64x64xf32>) {
        %k0 = arith.muli %k, %c32 : index
        %k0s = vector.broadcast %k0 : index to vector<64x32xindex>
        %c = arith.addi %k0s, %col : vector<64x32xindex>
        %c_in = arith.cmpi slt, %c, %Cs : vector<64x32xindex>
        %in = arith.andi %hw, %c_in : vector<64x32xi1>
        %xt = tile.gather %x[%b, %h, %w, %c], %in pad(zero) : !X, vector<64x32xindex>, vector<64x32xindex>, vector<64x32xindex>, vector<64x32xindex>, vector<64x32xi1>
        %ft = tile.load %pf[%r, %s, %k, %j] pad(zero) : !PF
        %a3 = tile.mma %xt, %ft, %a2 : vector<64x32xbf16>, vector<32x64xbf16>, vector<64x64xf32>
        scf.yield %a3 : vector<64x64xf32>
      }
      scf.yield %t : vector<64x64xf32>
    }
    scf.yield %u : vector<64x64xf32>
  }
  %yrow = tile.iota 0 : vector<64x64xindex>
  %ycol = tile.iota 1 : vector<64x64xindex>
  %n0 = arith.muli %j, %c64 : index
  %n0s = vector.broadcast %n0 : index to vector<64x64xindex>
  %m0y = vector.broadcast %m0 : index to vector<64x64xindex>
  %Qy = vector.broadcast %Q : index to vector<64x64xindex>
  %Py = vector.broadcast %P : index to vector<64x64xindex>
  %My = vector.broadcast %M : index to vector<64x64xindex>
  %Ky = vector.broadcast %K : index to vector<64x64xindex>
  %my = arith.addi %m0y, %yrow : vector<64x64xindex>
  %ny = arith.addi %n0s, %ycol : vector<64x64xindex>
  %bpy = arith.divsi %my, %Qy : vector<64x64xindex>
  %qy = arith.remsi %my, %Qy : vector<64x64xindex>
  %by = arith.divsi %bpy, %Py : vector<64x64xindex>
  %ppy = arith.remsi %bpy, %Py : vector<64x64xindex>
  %im = arith.cmpi slt, %my, %My : vector<64x64xindex>
  %ik = arith.cmpi slt, %ny, %Ky : vector<64x64xindex>
  %iy = arith.andi %im, %ik : vector<64x64xi1>
  tile.scatter %sum, %y[%by, %ppy, %qy, %ny], %iy : vector<64x64xf32>, !Y, vector<64x64xindex>, vector<64x64xindex>, vector<64x64xindex>, vector<64x64xindex>, vector<64x64xi1>
}
