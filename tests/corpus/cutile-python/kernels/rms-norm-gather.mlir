// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/rms_norm.py, rms_norm_kernel_gather
// The same by indices, what lies outside left out. Rewritten: each lane a trip
// of a loop over single elements.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, _], [M, N] x f32, shared>
!W = !tile.tensor<[N] x f32, shared>
!PW = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, _], [M, N] x f32, out>
!SY = !tile.piece<[_, _] x f32, out>
!RSTD = !tile.tensor<[M] x f32, out>
!PRSTD = !tile.partition<[_], [M] x f32, out>
!SRSTD = !tile.piece<[_] x f32, out>
tile.kernel @rms_norm_gather(%x: !X, %w: !W, %y: !Y, %rstd: !RSTD, %count: f32, %eps: f32) grid [M] {
  %px = tile.partition %x by [_, _] : !X
  %pw = tile.partition %w by [_] : !W
  %py = tile.partition %y by [_, _] : !Y
  %prstd = tile.partition %rstd by [_] : !RSTD
  %n = tile.symbol "N" : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %n_2 = arith.ceildivsi %n, %c1024 : index
  %s_2 = scf.for %j = %c0 to %n_2 step %c1 iter_args(%s = %zero) -> (f32) {
    %first = arith.muli %j, %c1024 : index
    %s_4 = scf.for %l = %c0 to %c1024 step %c1 iter_args(%s_3 = %s) -> (f32) {
      %i = arith.addi %first, %l : index
      %c = arith.cmpi slt, %i, %n : index
      %s_5 = scf.if %c -> (f32) {
        %v = tile.load %px[%row, %i] : !PX
        %q = arith.mulf %v, %v : f32
        %s_6 = arith.addf %s_3, %q : f32
        scf.yield %s_6 : f32
      } else {
        scf.yield %s_3 : f32
      }
      scf.yield %s_5 : f32
    }
    scf.yield %s_4 : f32
  }
  %m = arith.divf %s_2, %count : f32
  %safe = arith.addf %m, %eps : f32
  %r = math.rsqrt %safe : f32
  %d = tile.claim %prstd[%row] : !PRSTD
  tile.store %r, %d : !SRSTD
  scf.for %j_2 = %c0 to %n_2 step %c1 {
    %first_2 = arith.muli %j_2, %c1024 : index
    scf.for %l_2 = %c0 to %c1024 step %c1 {
      %i_2 = arith.addi %first_2, %l_2 : index
      %c_2 = arith.cmpi slt, %i_2, %n : index
      scf.if %c_2 {
        %g = tile.load %pw[%i_2] : !PW
        %v_2 = tile.load %px[%row, %i_2] : !PX
        %y0 = arith.mulf %v_2, %r : f32
        %y1 = arith.mulf %y0, %g : f32
        %o = tile.claim %py[%row, %i_2] : !PY
        tile.store %y1, %o : !SY
      }
    }
  }
}
