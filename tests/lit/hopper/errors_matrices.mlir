// RUN: hopper-opt %s -split-input-file -verify-diagnostics
//
// Products of matrices, groups of lanes, and memory of one's own: each rule
// broken, and beside it the smallest edit that keeps it.

// All lanes of a warp make a product.
hopper.kernel @product_of_lanes(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %w = arith.constant 0 : i32
  %i0 = arith.constant 0 : i64
  %z = arith.constant dense<0.0> : vector<4xf32>
  %is = arith.cmpi eq, %lane, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    %s = hopper.mma (%w, %w, %w, %w) (%w, %w) + %z : vector<4xf32> -> vector<4xf32>
  }
}

// -----

hopper.kernel @product_of_lanes_kept(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %warp = hopper.warp_id : i64
  %w = arith.constant 0 : i32
  %i0 = arith.constant 0 : i64
  %z = arith.constant dense<0.0> : vector<4xf32>
  %is = arith.cmpi eq, %warp, %i0 : i64
  scf.if %is {
    %s = hopper.mma (%w, %w, %w, %w) (%w, %w) + %z : vector<4xf32> -> vector<4xf32>
  }
}

// -----

hopper.kernel @product_of_three(%y: !hopper.global<write>) warps 1 registers 64 {
  %w = arith.constant 0 : i32
  %z = arith.constant dense<0.0> : vector<4xf32>
  // expected-error@+1 {{takes four words of the left matrix and two of the right one}}
  %s = hopper.mma (%w, %w, %w) (%w, %w) + %z : vector<4xf32> -> vector<4xf32>
}

// -----

// So they turn a matrix, and add over groups.
hopper.kernel @turned_by_lanes(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %w = arith.constant 0 : i32
  %is = arith.cmpi eq, %lane, %n : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    %s = hopper.transpose %w
  }
}

// -----

hopper.kernel @turned_by_lanes_kept(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %w = arith.constant 0 : i32
  %is = arith.cmpi eq, %n, %n : i64
  scf.if %is {
    %s = hopper.transpose %w
  }
}

// -----

hopper.kernel @group_of_lanes(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %one = arith.constant 1.0 : f32
  %i0 = arith.constant 0 : i64
  %is = arith.cmpi eq, %lane, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    %s = hopper.group_sum %one over [1, 2]
  }
}

// -----

hopper.kernel @group_of_lanes_kept(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  %s = hopper.group_sum %one over [1, 2]
  %t = hopper.group_max %one over [4, 8, 16]
}

// -----

// What a group gives differs between lanes.
hopper.kernel @barrier_of_group(%y: !hopper.global<write>, %n: i64) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  %s = hopper.group_max %one over [1, 2]
  %is = arith.cmpf oeq, %s, %one : f32
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    hopper.block_barrier
  }
}

// -----

hopper.kernel @group_bits(%y: !hopper.global<write>) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{takes bits of a lane's number, each once}}
  %s = hopper.group_sum %one over [1, 3]
}

// -----

hopper.kernel @group_bits_twice(%y: !hopper.global<write>) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{takes bits of a lane's number, each once}}
  %s = hopper.group_max %one over [2, 2]
}

// -----

hopper.kernel @group_bits_of_no_lane(%y: !hopper.global<write>) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{takes bits of a lane's number, each once}}
  %s = hopper.group_sum %one over [32]
}

// -----

// What nobody writes is the same in all lanes.
hopper.kernel @barrier_of_read(%p: !hopper.global<read>) warps 1 registers 64 {
  %i0 = arith.constant 0 : i64
  %at = hopper.load %p[%i0] : !hopper.global<read>, i64
  %is = arith.cmpi eq, %at, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    hopper.block_barrier
  }
}

// -----

hopper.kernel @barrier_of_read_kept(%p: !hopper.global<early>) warps 1 registers 64 {
  %i0 = arith.constant 0 : i64
  %at = hopper.load %p[%i0] : !hopper.global<early>, i64
  %is = arith.cmpi eq, %at, %i0 : i64
  scf.if %is {
    hopper.block_barrier
  }
}

// -----

hopper.kernel @barrier_of_a_lane_s_place(%p: !hopper.global<early>) warps 1 registers 64 {
  %i0 = arith.constant 0 : i64
  %lane = hopper.lane_id : i64
  %i8 = arith.constant 8 : i64
  %mine = arith.muli %lane, %i8 : i64
  %at = hopper.load %p[%mine] : !hopper.global<early>, i64
  %is = arith.cmpi eq, %at, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    hopper.block_barrier
  }
}

// -----

// Memory of one's own is read and written, behind the dependency wait.
hopper.kernel @own_early(%k: !hopper.global<own>, %x: !hopper.global<early>) warps 1 registers 64 {
  %i0 = arith.constant 0 : i64
  hopper.before_dependency {
    // expected-error@+1 {{reads before the dependency wait what a grid that is not done may write: '!hopper.global<own>'}}
    %v = hopper.load %k[%i0] : !hopper.global<own>, f32
  }
}

// -----

hopper.kernel @own_early_kept(%k: !hopper.global<own>, %x: !hopper.global<early>) warps 1 registers 64 {
  %i0 = arith.constant 0 : i64
  %true = arith.constant true
  hopper.before_dependency {
    hopper.prefetch %k[%i0] if %true : !hopper.global<own>
  }
  %v = hopper.load %k[%i0] : !hopper.global<own>, f32
  hopper.store %v, %k[%i0] : f32, !hopper.global<own>
}

// -----

hopper.kernel @own_fill(%k: !hopper.global<own>) warps 1 registers 64 {
  %ring = hopper.ring : !hopper.ring<1 x 128>
  %slot = arith.constant 0 : i32
  %i0 = arith.constant 0 : i64
  %bytes = arith.constant 128 : i32
  // expected-error@+1 {{reads memory that the kernel writes}}
  hopper.fill %ring[%slot] from %k[%i0] bytes %bytes : !hopper.ring<1 x 128>, !hopper.global<own>
}

// -----

// Vectors that a loop carries take registers, those that it begins with no more.
// expected-error@+1 {{keeps values of 16 registers at a time; a thread has 15}}
hopper.kernel @carried_registers(%w: !hopper.global<own>, %n: i64) warps 1 registers 15 {
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %v = hopper.load %w[%i0] : !hopper.global<own>, vector<8xf32>
  %s = scf.for %i = %i0 to %n step %i1 iter_args(%now = %v) -> (vector<8xf32>) : i64 {
    %at = arith.muli %i, %n : i64
    %one = hopper.load %w[%at] : !hopper.global<own>, vector<8xf32>
    %next = arith.addf %now, %one : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  hopper.store %s, %w[%i0] : vector<8xf32>, !hopper.global<own>
}

// -----

hopper.kernel @carried_registers_kept(%w: !hopper.global<own>, %n: i64) warps 1 registers 16 {
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %v = hopper.load %w[%i0] : !hopper.global<own>, vector<8xf32>
  %s = scf.for %i = %i0 to %n step %i1 iter_args(%now = %v) -> (vector<8xf32>) : i64 {
    %at = arith.muli %i, %n : i64
    %one = hopper.load %w[%at] : !hopper.global<own>, vector<8xf32>
    %next = arith.addf %now, %one : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  hopper.store %s, %w[%i0] : vector<8xf32>, !hopper.global<own>
}

// -----

// What no more than a branch needs lives as long as the branch says.
// expected-error@+1 {{keeps values of 16 registers at a time; a thread has 15}}
hopper.kernel @branch_registers(%w: !hopper.global<own>, %n: i64, %c: i64) warps 1 registers 15 {
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : vector<8xf32>
  %v = hopper.load %w[%i0] : !hopper.global<own>, vector<8xf32>
  %some = arith.cmpi eq, %c, %i0 : i64
  %s = scf.if %some -> (vector<8xf32>) {
    %t = scf.for %i = %i0 to %n step %i1 iter_args(%now = %v) -> (vector<8xf32>) : i64 {
      %at = arith.muli %i, %n : i64
      %one = hopper.load %w[%at] : !hopper.global<own>, vector<8xf32>
      %next = arith.addf %now, %one : vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    scf.yield %t : vector<8xf32>
  } else {
    scf.yield %none : vector<8xf32>
  }
  hopper.store %s, %w[%i0] : vector<8xf32>, !hopper.global<own>
}

// -----

hopper.kernel @branch_registers_kept(%w: !hopper.global<own>, %n: i64, %c: i64) warps 1 registers 16 {
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : vector<8xf32>
  %v = hopper.load %w[%i0] : !hopper.global<own>, vector<8xf32>
  %some = arith.cmpi eq, %c, %i0 : i64
  %s = scf.if %some -> (vector<8xf32>) {
    %t = scf.for %i = %i0 to %n step %i1 iter_args(%now = %v) -> (vector<8xf32>) : i64 {
      %at = arith.muli %i, %n : i64
      %one = hopper.load %w[%at] : !hopper.global<own>, vector<8xf32>
      %next = arith.addf %now, %one : vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    scf.yield %t : vector<8xf32>
  } else {
    scf.yield %none : vector<8xf32>
  }
  hopper.store %s, %w[%i0] : vector<8xf32>, !hopper.global<own>
}

// -----

// What is needed behind the branch lives on in it.
// expected-error@+1 {{keeps values of 24 registers at a time; a thread has 23}}
hopper.kernel @branch_registers_behind(%w: !hopper.global<own>, %n: i64, %c: i64) warps 1 registers 23 {
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : vector<8xf32>
  %v = hopper.load %w[%i0] : !hopper.global<own>, vector<8xf32>
  %some = arith.cmpi eq, %c, %i0 : i64
  %s = scf.if %some -> (vector<8xf32>) {
    %t = scf.for %i = %i0 to %n step %i1 iter_args(%now = %v) -> (vector<8xf32>) : i64 {
      %at = arith.muli %i, %n : i64
      %one = hopper.load %w[%at] : !hopper.global<own>, vector<8xf32>
      %next = arith.addf %now, %one : vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    scf.yield %t : vector<8xf32>
  } else {
    scf.yield %none : vector<8xf32>
  }
  hopper.store %s, %w[%i0] : vector<8xf32>, !hopper.global<own>
  hopper.store %v, %w[%n] : vector<8xf32>, !hopper.global<own>
}
