// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/vec_add.py, vec_add_kernel_2d_gather
// A sum of matrices by indices. Rewritten: each lane a trip of a loop over
// single elements.
!A = !tile.tensor<[M, N] x f32, shared>
!PA = !tile.partition<[_, _], [M, N] x f32, shared>
!B = !tile.tensor<[M, N] x f32, shared>
!PB = !tile.partition<[_, _], [M, N] x f32, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!PZ = !tile.partition<[_, _], [M, N] x f32, out>
!SZ = !tile.piece<[_, _] x f32, out>
tile.kernel @vec_add_2d_gather(%a: !A, %b: !B, %z: !Z) grid [ceildiv(M, 16), ceildiv(N, 64)] {
  %pa = tile.partition %a by [_, _] : !A
  %pb = tile.partition %b by [_, _] : !B
  %pz = tile.partition %z by [_, _] : !Z
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %px = tile.block_id 0
  %py = tile.block_id 1
  %fx = arith.muli %px, %c16 : index
  %fy = arith.muli %py, %c64 : index
  scf.for %lx = %c0 to %c16 step %c1 {
    %i = arith.addi %fx, %lx : index
    %c = arith.cmpi slt, %i, %m : index
    scf.if %c {
      scf.for %ly = %c0 to %c64 step %c1 {
        %j = arith.addi %fy, %ly : index
        %c_2 = arith.cmpi slt, %j, %n : index
        scf.if %c_2 {
          %u = tile.load %pa[%i, %j] : !PA
          %v = tile.load %pb[%i, %j] : !PB
          %w = arith.addf %u, %v : f32
          %o = tile.claim %pz[%i, %j] : !PZ
          tile.store %w, %o : !SZ
        }
      }
    }
  }
}
