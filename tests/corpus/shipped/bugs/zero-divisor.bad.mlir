// expect: REFUTED index.division
// twin: zero-divisor.good.mlir
// source: NVlabs/cutile-rs#188, #191
// A launch symbol as divisor.
!Z = !tile.tensor<[N] x f32, own>
!PZ = !tile.partition<[_], [N] x f32, own>
!SZ = !tile.piece<[_] x f32, own>
tile.kernel @zero_divisor(%z: !Z) symbols [D : index, P : index] grid [P] {
  %pz = tile.partition %z by [_] : !Z
  %d = tile.symbol "D" : index
  %one = arith.constant 1.0 : f32
  %n = tile.symbol "N" : index
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %q = arith.divsi %i, %d : index
  %c = arith.cmpi slt, %q, %n : index
  scf.if %c {
    %r = arith.remsi %i, %d : index
    %c_2 = arith.cmpi eq, %r, %c0 : index
    scf.if %c_2 {
      %o = tile.claim %pz[%q] : !PZ
      tile.store %one, %o : !SZ
    }
  }
}
