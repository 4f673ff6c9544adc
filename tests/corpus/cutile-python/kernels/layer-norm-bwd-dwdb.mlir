// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/layer_norm.py, layer_norm_bwd_dwdb
// Column sums of two tensors.
!DW = !tile.tensor<[R, N] x f32, shared>
!PDW = !tile.partition<[32, 128], [R, N] x f32, shared>
!DB = !tile.tensor<[R, N] x f32, shared>
!PDB = !tile.partition<[32, 128], [R, N] x f32, shared>
!FW = !tile.tensor<[N] x f32, out>
!PFW = !tile.partition<[128], [N] x f32, out>
!SFW = !tile.piece<[128] x f32, out>
!FB = !tile.tensor<[N] x f32, out>
!PFB = !tile.partition<[128], [N] x f32, out>
!SFB = !tile.piece<[128] x f32, out>
tile.kernel @layer_norm_bwd_dwdb(%dw: !DW, %db: !DB, %fw: !FW, %fb: !FB) grid [ceildiv(N, 128)] {
  %pdw = tile.partition %dw by [32, 128] : !DW
  %pdb = tile.partition %db by [32, 128] : !DB
  %pfw = tile.partition %fw by [128] : !FW
  %pfb = tile.partition %fb by [128] : !FB
  %zero = arith.constant dense<0.0> : vector<32x128xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = tile.block_id 0
  %n = tile.num_tiles %pdw, 0 : !PDW
  %u_2, %w_2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %zero, %w = %zero) -> (vector<32x128xf32>, vector<32x128xf32>) {
    %a = tile.load %pdw[%i, %j] pad(zero) : !PDW
    %b = tile.load %pdb[%i, %j] pad(zero) : !PDB
    %u_3 = arith.addf %u, %a : vector<32x128xf32>
    %w_3 = arith.addf %w, %b : vector<32x128xf32>
    scf.yield %u_3, %w_3 : vector<32x128xf32>, vector<32x128xf32>
  }
  %us = tile.reduce add %u_2, 0 : vector<32x128xf32>
  %ws = tile.reduce add %w_2, 0 : vector<32x128xf32>
  %o = tile.claim %pfw[%j] : !PFW
  tile.store %us, %o : !SFW
  %q = tile.claim %pfb[%j] : !PFB
  tile.store %ws, %q : !SFB
}
