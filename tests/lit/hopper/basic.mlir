// RUN: hopper-opt %s | FileCheck %s
// RUN: hopper-opt %s | hopper-opt | FileCheck %s
//
// Each warp sums rows of 512 bytes, 4 copies in flight: what every rule asks
// for. errors.mlir breaks one rule at a time.

// CHECK-LABEL: hopper.kernel @sums(%{{.*}}: !hopper.global<early>, %{{.*}}: !hopper.global<read>, %{{.*}}: !hopper.global<write>, %{{.*}}: i64) warps 8 registers 64
hopper.kernel @sums(%w: !hopper.global<early>, %x: !hopper.global<read>,
                    %y: !hopper.global<write>, %n: i64) warps 8 registers 64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c512 = arith.constant 512 : i64
  %slot0 = arith.constant 0 : i32
  %slot1 = arith.constant 1 : i32
  %slots = arith.constant 4 : i32
  %bytes = arith.constant 512 : i32
  %zero = arith.constant 0.0 : f32
  // CHECK: hopper.block_id : i64
  %block = hopper.block_id : i64
  // CHECK: hopper.warp_id : i64
  %warp = hopper.warp_id : i64
  // CHECK: hopper.lane_id : i64
  %lane = hopper.lane_id : i64
  %c16 = arith.constant 16 : i64
  %mine = arith.muli %lane, %c16 : i64
  // CHECK: hopper.shared : !hopper.shared<1024>
  %memory = hopper.shared : !hopper.shared<1024>
  // CHECK: %[[RING:.*]] = hopper.ring : !hopper.ring<4 x 512>
  %ring = hopper.ring : !hopper.ring<4 x 512>
  // CHECK: hopper.warp_barrier
  hopper.warp_barrier
  // CHECK: hopper.trigger
  hopper.trigger
  // CHECK: hopper.before_dependency {
  hopper.before_dependency {
    scf.for %d = %c0 to %c4 step %c1 : i64 {
      %some = arith.cmpi slt, %d, %n : i64
      scf.if %some {
        %at = arith.muli %d, %c512 : i64
        %slot = arith.trunci %d : i64 to i32
        // CHECK: hopper.fill %[[RING]][%{{.*}}] from %{{.*}}[%{{.*}}] bytes %{{.*}} : !hopper.ring<4 x 512>, !hopper.global<early>
        hopper.fill %ring[%slot] from %w[%at] bytes %bytes : !hopper.ring<4 x 512>, !hopper.global<early>
      }
    }
  }
  // CHECK: hopper.load %{{.*}}[%{{.*}}] : !hopper.global<read>, vector<4xi32>
  %xs = hopper.load %x[%c0] : !hopper.global<read>, vector<4xi32>
  // CHECK: hopper.shared_store %{{.*}}, %{{.*}}[%{{.*}}] : vector<4xi32>, !hopper.shared<1024>
  hopper.shared_store %xs, %memory[%mine] : vector<4xi32>, !hopper.shared<1024>
  // CHECK: hopper.block_barrier
  hopper.block_barrier
  %sums:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %slot = %slot0, %parity = %slot0) -> (f32, i32, i32) : i64 {
    // CHECK: %[[TOKEN:.*]] = hopper.wait %[[RING]][%{{.*}}] parity %{{.*}} : !hopper.ring<4 x 512>
    %token = hopper.wait %ring[%slot] parity %parity : !hopper.ring<4 x 512>
    // CHECK: hopper.read %[[TOKEN]][%{{.*}}] : vector<4xi32>
    %words = hopper.read %token[%mine] : vector<4xi32>
    %word = vector.extract %words[0] : i32 from vector<4xi32>
    %part = arith.bitcast %word : i32 to f32
    // CHECK: %[[SUM:.*]] = hopper.warp_sum %{{.*}}
    %sum = hopper.warp_sum %part
    // CHECK: hopper.release %[[TOKEN]] after %[[SUM]]
    hopper.release %token after %sum
    %ahead = arith.addi %i, %c4 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      %at = arith.muli %ahead, %c512 : i64
      hopper.fill %ring[%slot] from %w[%at] bytes %bytes : !hopper.ring<4 x 512>, !hopper.global<early>
    }
    %next = arith.addi %slot, %slot1 : i32
    %wraps = arith.cmpi eq, %next, %slots : i32
    %then = arith.select %wraps, %slot0, %next : i32
    %flip = arith.extui %wraps : i1 to i32
    %turned = arith.xori %parity, %flip : i32
    %total = arith.addf %acc, %sum : f32
    scf.yield %total, %then, %turned : f32, i32, i32
  }
  // CHECK: hopper.shared_load %{{.*}}[%{{.*}}] : !hopper.shared<1024>, f32
  %shared = hopper.shared_load %memory[%c0] : !hopper.shared<1024>, f32
  %result = arith.addf %sums#0, %shared : f32
  // CHECK: hopper.store %{{.*}}, %{{.*}}[%{{.*}}] : f32, !hopper.global<write>
  hopper.store %result, %y[%c0] : f32, !hopper.global<write>
  // CHECK: hopper.order after %{{.*}}
  hopper.order after %result
  %in = arith.cmpi slt, %c8, %n : i64
  %pad = arith.constant dense<0xFF80> : vector<8xbf16>
  // CHECK: %[[ROW:.*]] = hopper.masked_load once %{{.*}}[%{{.*}}] if %{{.*}} else %{{.*}} : !hopper.global<read>, vector<8xbf16>
  %row = hopper.masked_load once %x[%mine] if %in else %pad : !hopper.global<read>, vector<8xbf16>
  // CHECK: hopper.warp_max %{{.*}}
  %largest = hopper.warp_max %result
  // CHECK: vector.broadcast
  %all = vector.broadcast %largest : f32 to vector<4xf32>
  // CHECK: hopper.masked_store %[[ROW]], %{{.*}}[%{{.*}}] if %{{.*}} : vector<8xbf16>, !hopper.global<write>
  hopper.masked_store %row, %y[%mine] if %in : vector<8xbf16>, !hopper.global<write>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: hopper.mma(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) (%{{.*}}, %{{.*}}) + %{{.*}} : vector<4xf32> -> vector<4xf32>
  %made = hopper.mma (%slot0, %slot0, %slot0, %slot0) (%slot1, %slot1) + %zeros : vector<4xf32> -> vector<4xf32>
  // CHECK: hopper.mma f16(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) (%{{.*}}, %{{.*}}) + %{{.*}} : vector<4xf32> -> vector<4xf32>
  %more = hopper.mma f16 (%slot0, %slot0, %slot0, %slot0) (%slot1, %slot1) + %made : vector<4xf32> -> vector<4xf32>
}
