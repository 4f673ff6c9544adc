// expect: REFUTED gather.bounds
// twin: listed.good.mlir
// The numbers are rows of the table and one more.
!I = !tile.tensor<[2, N] x i32, shared>
!L = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V, D] x f32, shared>
!R = !tile.tensor<[V] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[32], [N] x f32, out>
!P = !tile.piece<[32] x f32, out>
tile.kernel @listed(%ids: !I, %e: !E, %y: !Y) grid [ceildiv(N, 32)]
    requires [D >= 3] given [within(%ids, 0, V + 1)] {
  %c32 = arith.constant 32 : index
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %second = tile.view %ids fix 0 at 1 : !I
  %column = tile.view %e fix 1 at 2 : !E
  %lane = tile.iota 0 : vector<32xindex>
  %first = arith.muli %b, %c32 : index
  %base = vector.broadcast %first : index to vector<32xindex>
  %at = arith.addi %base, %lane : vector<32xindex>
  %end = vector.broadcast %n : index to vector<32xindex>
  %in = arith.cmpi slt, %at, %end : vector<32xindex>
  %id = tile.gather %second[%at], %in pad(zero) : !L, vector<32xindex>, vector<32xi1>
  %row = arith.index_cast %id : vector<32xi32> to vector<32xindex>
  %v = tile.gather %column[%row], %in pad(zero) : !R, vector<32xindex>, vector<32xi1>
  %py = tile.partition %y by [32] : !Y
  %out = tile.claim %py[%b] : !PY
  tile.store %v, %out : !P
}
