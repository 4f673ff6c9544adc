// expect: VERIFIED
// What a loop carries is known where a guard has asked for it.
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
    %inside = arith.cmpi slt, %t, %n : index
    %positive = arith.cmpi sge, %t, %c0 : index
    %ok = arith.andi %inside, %positive : i1
    %s = scf.if %ok -> (vector<8xf32>) {
      %v = tile.load %px[%t] pad(zero) : !PX
      %more = arith.addf %acc, %v : vector<8xf32>
      scf.yield %more : vector<8xf32>
    } else {
      scf.yield %acc : vector<8xf32>
    }
    %next = arith.addi %k, %c2 : index
    scf.yield %next, %s : index, vector<8xf32>
  }
}
