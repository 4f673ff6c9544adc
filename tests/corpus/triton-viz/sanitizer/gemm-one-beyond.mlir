// expect: REFUTED load.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 examples/sanitizer/gemm_oob.py, test_gemm_oob_call_stack
// A GEMM of 32 that reads its first factor one element further on, on flat
// memory. Rewritten: lanes are trips of a loop over single elements.
!A = !tile.tensor<[1024] x f32, shared>
!PA = !tile.partition<[_], [1024] x f32, shared>
!B = !tile.tensor<[32, 32] x f32, shared>
!PB = !tile.partition<[16, 16], [32, 32] x f32, shared>
!Y = !tile.tensor<[32, 32] x f32, out>
!PY = !tile.partition<[16, 16], [32, 32] x f32, out>
!SY = !tile.piece<[16, 16] x f32, out>
tile.kernel @gemm_one_beyond(%a: !A, %b: !B, %y: !Y) grid [2, 2] {
  %pa = tile.partition %a by [_] : !A
  %pb = tile.partition %b by [16, 16] : !B
  %py = tile.partition %y by [16, 16] : !Y
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %mb = tile.block_id 0
  %nb = tile.block_id 1
  %first = arith.muli %mb, %c16 : index
  %acc_2 = scf.for %kb = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
    %kfirst = arith.muli %kb, %c16 : index
    %acc_4 = scf.for %r = %c0 to %c16 step %c1 iter_args(%acc_3 = %acc) -> (vector<16x16xf32>) {
      %row = arith.addi %first, %r : index
      %base = arith.muli %row, %c32 : index
      %acc_6 = scf.for %c = %c0 to %c16 step %c1 iter_args(%acc_5 = %acc_3) -> (vector<16x16xf32>) {
        %col = arith.addi %kfirst, %c : index
        %off = arith.addi %base, %col : index
        %at = arith.addi %off, %c1 : index
        %av = tile.load %pa[%at] : !PA
        %as_ = vector.broadcast %av : f32 to vector<16x16xf32>
        %acc_7 = arith.addf %acc_5, %as_ : vector<16x16xf32>
        scf.yield %acc_7 : vector<16x16xf32>
      }
      scf.yield %acc_6 : vector<16x16xf32>
    }
    %bt = tile.load %pb[%kb, %nb] : !PB
    %acc_8 = arith.addf %acc_4, %bt : vector<16x16xf32>
    scf.yield %acc_8 : vector<16x16xf32>
  }
  %o = tile.claim %py[%mb, %nb] : !PY
  tile.store %acc_2, %o : !SY
}
