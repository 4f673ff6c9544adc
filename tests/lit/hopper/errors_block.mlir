// RUN: hopper-opt %s -split-input-file -verify-diagnostics
//
// Each rule broken, and beside it the smallest edit that keeps it.

// A block barrier stands where all warps come.
hopper.kernel @barrier_of_some(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %warp = hopper.warp_id : i64
  %i0 = arith.constant 0 : i64
  %is = arith.cmpi eq, %warp, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between warps}}
    hopper.block_barrier
  }
}

// -----

hopper.kernel @barrier_of_some_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %warp = hopper.warp_id : i64
  %i0 = arith.constant 0 : i64
  %is = arith.cmpi eq, %n, %i0 : i64
  scf.if %is {
    hopper.block_barrier
  }
}

// -----

// A warp barrier stands where all lanes come.
hopper.kernel @barrier_of_lanes(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %warp = hopper.warp_id : i64
  %i0 = arith.constant 0 : i64
  %is = arith.cmpi eq, %lane, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    hopper.warp_barrier
  }
}

// -----

hopper.kernel @barrier_of_lanes_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %warp = hopper.warp_id : i64
  %i0 = arith.constant 0 : i64
  %is = arith.cmpi eq, %warp, %i0 : i64
  scf.if %is {
    hopper.warp_barrier
  }
}

// -----

// Before the dependency wait only what no grid writes is read.
hopper.kernel @early_read(%w: !hopper.global<early>, %x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  hopper.before_dependency {
    // expected-error@+1 {{reads before the dependency wait what a grid that is not done may write: '!hopper.global<read>'}}
    %v = hopper.load %x[%at] : !hopper.global<read>, f32
  }
  hopper.trigger
}

// -----

hopper.kernel @early_read_kept(%w: !hopper.global<early>, %x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  hopper.before_dependency {
    %v = hopper.load %w[%at] : !hopper.global<early>, f32
  }
  %u = hopper.load %x[%at] : !hopper.global<read>, f32
}

// -----

// What stands before the region runs before the wait, too.
hopper.kernel @early_read_above(%w: !hopper.global<early>, %x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  // expected-error@+1 {{reads before the dependency wait}}
  %v = hopper.load %x[%at] : !hopper.global<read>, f32
  hopper.before_dependency {
  }
}

// -----

hopper.kernel @early_read_above_kept(%w: !hopper.global<early>, %x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  hopper.before_dependency {
  }
  %v = hopper.load %x[%at] : !hopper.global<read>, f32
}

// -----

// Nothing is written before the dependency wait.
hopper.kernel @early_write(%w: !hopper.global<early>, %x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  %at = arith.constant 0 : i64
  hopper.before_dependency {
    // expected-error@+1 {{writes before the dependency wait}}
    hopper.store %one, %y[%at] : f32, !hopper.global<write>
  }
  hopper.trigger
}

// -----

hopper.kernel @early_write_kept(%w: !hopper.global<early>, %x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %one = arith.constant 1.0 : f32
  %at = arith.constant 0 : i64
  hopper.before_dependency {
    %v = hopper.load %w[%at] : !hopper.global<early>, f32
  }
  hopper.store %one, %y[%at] : f32, !hopper.global<write>
}

// -----

// A kernel that lets the next grid start waits for those before it.
hopper.kernel @trigger_alone(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  // expected-error@+1 {{stands in a kernel that waits for no grid before it}}
  hopper.trigger
}

// -----

hopper.kernel @trigger_alone_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  hopper.trigger
  hopper.before_dependency {
  }
}

// -----

// Shared memory of a block.
// expected-error@+1 {{takes 262656 bytes of shared memory; a block has 232448}}
hopper.kernel @too_much_shared(%w: !hopper.global<early>, %n: i64) warps 8 registers 64 {
  %ring = hopper.ring : !hopper.ring<8 x 4096>
}

// -----

hopper.kernel @too_much_shared_kept(%w: !hopper.global<early>, %n: i64) warps 8 registers 64 {
  %ring = hopper.ring : !hopper.ring<7 x 4096>
}

// -----

// Registers of a multiprocessor.
// expected-error@+1 {{a block of 32 warps with 128 registers a thread takes 131072 registers; a multiprocessor has 65536}}
hopper.kernel @too_many_registers(%w: !hopper.global<early>, %n: i64) warps 32 registers 128 {
}

// -----

hopper.kernel @too_many_registers_kept(%w: !hopper.global<early>, %n: i64) warps 32 registers 64 {
}

// -----

// Registers of a thread.
// expected-error@+1 {{keeps values of 8 registers at a time; a thread has 7}}
hopper.kernel @live_registers(%w: !hopper.global<early>) warps 1 registers 7 {
  %at = arith.constant 0 : i64
  %a = hopper.load %w[%at] : !hopper.global<early>, vector<4xi32>
  %b = hopper.load %w[%at] : !hopper.global<early>, vector<4xi32>
  %c = arith.addi %a, %b : vector<4xi32>
}

// -----

hopper.kernel @live_registers_kept(%w: !hopper.global<early>) warps 1 registers 8 {
  %at = arith.constant 0 : i64
  %a = hopper.load %w[%at] : !hopper.global<early>, vector<4xi32>
  %b = hopper.load %w[%at] : !hopper.global<early>, vector<4xi32>
  %c = arith.addi %a, %b : vector<4xi32>
}
