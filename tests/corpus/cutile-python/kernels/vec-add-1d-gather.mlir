// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/vec_add.py, vec_add_kernel_1d_gather
// A sum of vectors by indices, what lies outside left out. Rewritten: each lane
// a trip of a loop over single elements.
!A = !tile.tensor<[N] x f32, shared>
!PA = !tile.partition<[_], [N] x f32, shared>
!B = !tile.tensor<[N] x f32, shared>
!PB = !tile.partition<[_], [N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!PZ = !tile.partition<[_], [N] x f32, out>
!SZ = !tile.piece<[_] x f32, out>
tile.kernel @vec_add_1d_gather(%a: !A, %b: !B, %z: !Z) grid [ceildiv(N, 1024)] {
  %pa = tile.partition %a by [_] : !A
  %pb = tile.partition %b by [_] : !B
  %pz = tile.partition %z by [_] : !Z
  %c1024 = arith.constant 1024 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "N" : index
  %p = tile.block_id 0
  %first = arith.muli %p, %c1024 : index
  scf.for %l = %c0 to %c1024 step %c1 {
    %i = arith.addi %first, %l : index
    %c = arith.cmpi slt, %i, %n : index
    scf.if %c {
      %u = tile.load %pa[%i] : !PA
      %v = tile.load %pb[%i] : !PB
      %w = arith.addf %u, %v : f32
      %o = tile.claim %pz[%i] : !PZ
      tile.store %w, %o : !SZ
    }
  }
}
