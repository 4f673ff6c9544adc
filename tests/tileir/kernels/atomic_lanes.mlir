// Every atomic that integers and floats have, lane by lane: lanes that meet, lanes
// behind a mask whose coordinates lie anywhere, a plane of lanes, loops, branches,
// and tiles of the same tensor.
!X = !tile.tensor<[N] x i32, shared>
!F = !tile.tensor<[N] x f32, shared>
!IA = !tile.tensor<[8] x i32, atomic<add>>
!IB = !tile.tensor<[N] x i32, atomic<add>>
!IC = !tile.tensor<[V] x i64, atomic<min>>
!ID = !tile.tensor<[V] x i32, atomic<max>>
!IE = !tile.tensor<[V] x i64, atomic<and>>
!IF = !tile.tensor<[V] x i32, atomic<or>>
!IG = !tile.tensor<[V] x i32, atomic<xor>>
!FA = !tile.tensor<[V, N] x f32, atomic<add>, strides [ld, 1]>
!FB = !tile.tensor<[V] x f64, atomic<add>>
!FC = !tile.tensor<[8] x f16, atomic<add>>
!PX = !tile.partition<[16], [N] x i32, shared>
!PF = !tile.partition<[16], [N] x f32, shared>
!PB = !tile.partition<[16], [N] x i32, atomic<add>>
tile.kernel @atomic_lanes(%x: !X, %f: !F, %a: !IA, %b: !IB, %c: !IC, %d: !ID, %e: !IE, %g: !IF,
    %h: !IG, %u: !FA, %v: !FB, %w: !FC) symbols [ld : index] grid [ceildiv(N, 16), 2]
    requires [ld >= N] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0> : vector<16xindex>
  %eight = arith.constant dense<8> : vector<16xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %n = tile.symbol "N" : index
  %bins = tile.symbol "V" : index
  %px = tile.partition %x by [16] : !X
  %pf = tile.partition %f by [16] : !F
  %pb = tile.partition %b by [16] : !IB
  %x0 = tile.load %px[%i] pad(zero) : !PX
  %f0 = tile.load %pf[%i] pad(zero) : !PF
  %x1 = arith.extsi %x0 : vector<16xi32> to vector<16xi64>
  %f1 = arith.extf %f0 : vector<16xf32> to vector<16xf64>
  %f2 = arith.truncf %f0 : vector<16xf32> to vector<16xf16>
  // The numbers of x are bins, as far as there are any.
  %at = arith.index_cast %x0 : vector<16xi32> to vector<16xindex>
  %ends = vector.broadcast %bins : index to vector<16xindex>
  %low = arith.cmpi sge, %at, %zero : vector<16xindex>
  %high = arith.cmpi slt, %at, %ends : vector<16xindex>
  %in = arith.andi %low, %high : vector<16xi1>
  %few = arith.cmpi slt, %at, %eight : vector<16xindex>
  %inFew = arith.andi %low, %few : vector<16xi1>
  // Rows of their own.
  %lane = tile.iota 0 : vector<16xindex>
  %first = arith.muli %i, %c16 : index
  %firsts = vector.broadcast %first : index to vector<16xindex>
  %row = arith.addi %firsts, %lane : vector<16xindex>
  %all = vector.broadcast %n : index to vector<16xindex>
  %there = arith.cmpi slt, %row, %all : vector<16xindex>
  // Four lanes of each of four pairs of rows meet.
  %four = arith.constant dense<4> : vector<16xindex>
  %meet = arith.remsi %lane, %four : vector<16xindex>
  scf.for %k = %c0 to %c2 step %c1 {
    tile.atomic_scatter add %x0, %a[%at], %inFew : vector<16xi32>, !IA, vector<16xindex>, vector<16xi1>
    tile.atomic_scatter add %x0, %a[%meet] : vector<16xi32>, !IA, vector<16xindex>
    tile.atomic_scatter add %f1, %v[%at], %in : vector<16xf64>, !FB, vector<16xindex>, vector<16xi1>
  }
  tile.atomic add %x0, %pb[%i] : !PB
  tile.atomic_scatter add %x0, %b[%row], %there : vector<16xi32>, !IB, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter min %x1, %c[%at], %in : vector<16xi64>, !IC, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter max %x0, %d[%at], %in : vector<16xi32>, !ID, vector<16xindex>, vector<16xi1>
  tile.atomic_scatter and %x1, %e[%at], %in : vector<16xi64>, !IE, vector<16xindex>, vector<16xi1>
  %odd = arith.cmpi eq, %j, %c1 : index
  scf.if %odd {
    tile.atomic_scatter or %x0, %g[%at], %in : vector<16xi32>, !IF, vector<16xindex>, vector<16xi1>
  } else {
    tile.atomic_scatter xor %x0, %h[%at], %in : vector<16xi32>, !IG, vector<16xindex>, vector<16xi1>
  }
  tile.atomic_scatter add %f2, %w[%meet] : vector<16xf16>, !FC, vector<16xindex>
  // A plane: each bin has a row, and lanes their columns.
  %column = vector.shape_cast %at : vector<16xindex> to vector<16x1xindex>
  %rows = vector.broadcast %column : vector<16x1xindex> to vector<16x4xindex>
  %inColumn = vector.shape_cast %in : vector<16xi1> to vector<16x1xi1>
  %inRows = vector.broadcast %inColumn : vector<16x1xi1> to vector<16x4xi1>
  %cols = tile.iota 1 : vector<16x4xindex>
  %width = vector.broadcast %n : index to vector<16x4xindex>
  %inCols = arith.cmpi slt, %cols, %width : vector<16x4xindex>
  %both = arith.andi %inRows, %inCols : vector<16x4xi1>
  %fc = vector.shape_cast %f0 : vector<16xf32> to vector<16x1xf32>
  %plane = vector.broadcast %fc : vector<16x1xf32> to vector<16x4xf32>
  tile.atomic_scatter add %plane, %u[%rows, %cols], %both : vector<16x4xf32>, !FA, vector<16x4xindex>, vector<16x4xindex>, vector<16x4xi1>
}
