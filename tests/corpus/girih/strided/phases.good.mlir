// expect: VERIFIED
// As many phases as the launch says, one a block: rows i, i + S, i + 2 S, ...
!Y = !tile.tensor<[L] x f32, own>
!R = !tile.tensor<[R] x f32, own>
!PR = !tile.partition<[32], [R] x f32, own>
!P = !tile.piece<[32] x f32, own>
tile.kernel @phases(%y: !Y) symbols [S : index, R : index] grid [S, ceildiv(R, 32)]
    requires [L == S * R, S >= 2] {
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<32xf32>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %s = tile.symbol "S" : index
  %t = arith.subi %s, %c1 : index
  %mine = tile.view %y slice [%b] size [R] step [%s] : !Y
  %p = tile.partition %mine by [32] : !R
  %c = tile.claim %p[%j] : !PR
  tile.store %v, %c : !P
}
