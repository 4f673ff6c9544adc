// Axes made one: of a packed tensor, of rows of whole planes, of a slice of rows,
// of one that is turned, and in steps; gathers and scatters by numbers of elements.
!X = !tile.tensor<[A, B, C] x f32, shared>
!XR = !tile.tensor<[?, C] x f32, shared>
!XF = !tile.tensor<[?] x f32, shared>
!XS = !tile.tensor<[A, ?, C] x f32, shared>
!XP = !tile.tensor<[A, ?] x f32, shared>
!W = !tile.tensor<[C, R, Q] x f32, shared, strides [1, s, C]>
!WT = !tile.tensor<[R, Q, C] x f32, shared>
!WF = !tile.tensor<[R, ?] x f32, shared>
!Y = !tile.tensor<[A, B, C] x f32, out>
!YR = !tile.tensor<[?, C] x f32, out>
!YF = !tile.tensor<[?] x f32, out>
!Z = !tile.tensor<[A, 32] x f32, own>
!ZF = !tile.tensor<[?] x f32, own>
!P1 = !tile.partition<[64], [?] x f32, shared>
!PP = !tile.partition<[_, 64], [A, ?] x f32, shared>
!PW = !tile.partition<[_, 64], [R, ?] x f32, shared>
!PY = !tile.partition<[64], [?] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @flattened(%x: !X, %w: !W, %y: !Y, %z: !Z)
    symbols [s : index, h : index] grid [ceildiv(A * B * C, 64)]
    requires [s >= Q * C, h <= B] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %a = tile.symbol "A" : index
  %h = tile.symbol "h" : index
  %zero = arith.constant dense<0.0> : vector<64xf32>
  // All of x and y.
  %xr = tile.view %x flatten 0 : !X
  %xf = tile.view %xr flatten 0 : !XR
  %px = tile.partition %xf by [64] : !XF
  %v = tile.load %px[%i] pad(pos_inf) : !P1
  %yr = tile.view %y flatten 0 : !Y
  %yf = tile.view %yr flatten 0 : !YR
  %py = tile.partition %yf by [64] : !YF
  %out = tile.claim %py[%i] : !PY
  // The last h rows of a plane.
  %b = tile.symbol "B" : index
  %from = arith.subi %b, %h : index
  %part = tile.view %x slice [0, %from, 0] size [A, %h, C] : !X
  %planes = tile.view %part flatten 1 : !XS
  %pp = tile.partition %planes by [_, 64] : !XP
  %n = tile.num_tiles %pp, 1 : !PP
  %some = arith.cmpi slt, %i, %a : index
  %more = arith.cmpi sgt, %n, %c0 : index
  %both = arith.andi %some, %more : i1
  %u = scf.if %both -> (vector<64xf32>) {
    %t = tile.load %pp[%i, %c0] pad(1.5) : !PP
    scf.yield %t : vector<64xf32>
  } else {
    scf.yield %zero : vector<64xf32>
  }
  // Rows of w, whose last axis in memory is the first one.
  %wt = tile.view %w permute [1, 2, 0] : !W
  %wf = tile.view %wt flatten 1 : !WT
  %pw = tile.partition %wf by [_, 64] : !WF
  %m = tile.num_tiles %pw, 1 : !PW
  %r = tile.symbol "R" : index
  %is = arith.cmpi sgt, %m, %c0 : index
  %row = arith.cmpi slt, %i, %r : index
  %has = arith.andi %is, %row : i1
  %k = scf.if %has -> (vector<64xf32>) {
    %t = tile.load %pw[%i, %c0] pad(zero) : !PW
    scf.yield %t : vector<64xf32>
  } else {
    scf.yield %zero : vector<64xf32>
  }
  %uv = arith.addf %u, %v : vector<64xf32>
  %all = arith.addf %uv, %k : vector<64xf32>
  tile.store %all, %out : !P
  // A row of z by numbers of its elements.
  scf.if %some {
    %c32 = arith.constant 32 : index
    %zf = tile.view %z flatten 0 : !Z
    %first = arith.muli %i, %c32 : index
    %base = vector.broadcast %first : index to vector<32xindex>
    %lane = tile.iota 0 : vector<32xindex>
    %at = arith.addi %base, %lane : vector<32xindex>
    %number = tile.iota 0 : vector<32xi32>
    %f = arith.sitofp %number : vector<32xi32> to vector<32xf32>
    tile.scatter %f, %zf[%at] : vector<32xf32>, !ZF, vector<32xindex>
  }
}
