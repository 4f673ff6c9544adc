// expect: REFUTED load.bounds
// twin: carried_step.good.mlir
// A tile number that a loop carries in steps of two runs ahead of the counter.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[8], [N] x f32, shared>
tile.kernel @carried_step(%x: !X)
    grid [1] requires [N >= 9] {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %last, %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %c0, %acc = %zero) -> (index, vector<8xf32>) {
    %v = tile.load %px[%t] pad(zero) : !PX
    %s = arith.addf %acc, %v : vector<8xf32>
    %next = arith.addi %k, %c2 : index
    scf.yield %next, %s : index, vector<8xf32>
  }
}
