// RUN: hopper-opt %s -split-input-file -verify-diagnostics
//
// What rows need: each rule broken, and beside it the smallest edit that keeps
// it.

// A masked load reads what the kernel does not write.
hopper.kernel @masked_load_of_output(%x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0.0> : vector<8xbf16>
  // expected-error@+1 {{reads memory that the kernel writes}}
  %v = hopper.masked_load %y[%at] if %in else %pad : !hopper.global<write>, vector<8xbf16>
}

// -----

hopper.kernel @masked_load_of_output_kept(%x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0.0> : vector<8xbf16>
  %v = hopper.masked_load %x[%at] if %in else %pad : !hopper.global<read>, vector<8xbf16>
}

// -----

// A masked store writes what the kernel does not read.
hopper.kernel @masked_store_to_input(%x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %v = arith.constant dense<0.0> : vector<8xbf16>
  // expected-error@+1 {{writes memory that the kernel reads}}
  hopper.masked_store %v, %x[%at] if %in : vector<8xbf16>, !hopper.global<read>
}

// -----

hopper.kernel @masked_store_to_input_kept(%x: !hopper.global<read>, %y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %v = arith.constant dense<0.0> : vector<8xbf16>
  hopper.masked_store %v, %y[%at] if %in : vector<8xbf16>, !hopper.global<write>
}

// -----

// A masked access is one instruction.
hopper.kernel @masked_width(%x: !hopper.global<read>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0.0> : vector<16xbf16>
  // expected-error@+1 {{moves 2, 4, 8 or 16 bytes a lane, not 'vector<16xbf16>'}}
  %v = hopper.masked_load %x[%at] if %in else %pad : !hopper.global<read>, vector<16xbf16>
}

// -----

hopper.kernel @masked_width_kept(%x: !hopper.global<read>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0.0> : vector<2xbf16>
  %v = hopper.masked_load %x[%at] if %in else %pad : !hopper.global<read>, vector<2xbf16>
  %half = arith.constant dense<0.0> : vector<1xbf16>
  %u = hopper.masked_load %x[%at] if %in else %half : !hopper.global<read>, vector<1xbf16>
}

// -----

// A store of half a word is none of the schedules'.
hopper.kernel @masked_store_width(%y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %half = arith.constant dense<0.0> : vector<1xbf16>
  // expected-error@+1 {{moves 4, 8 or 16 bytes a lane, not 'vector<1xbf16>'}}
  hopper.masked_store %half, %y[%at] if %in : vector<1xbf16>, !hopper.global<write>
}

// -----

// Before the dependency wait only what no grid writes is read.
hopper.kernel @early_masked(%w: !hopper.global<early>, %x: !hopper.global<read>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0.0> : vector<4xf32>
  hopper.before_dependency {
    // expected-error@+1 {{reads before the dependency wait what a grid that is not done may write: '!hopper.global<read>'}}
    %v = hopper.masked_load once %x[%at] if %in else %pad : !hopper.global<read>, vector<4xf32>
  }
}

// -----

hopper.kernel @early_masked_kept(%w: !hopper.global<early>, %x: !hopper.global<read>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0.0> : vector<4xf32>
  hopper.before_dependency {
    %v = hopper.masked_load once %w[%at] if %in else %pad : !hopper.global<early>, vector<4xf32>
  }
}

// -----

// Nothing is written before the dependency wait.
hopper.kernel @early_masked_store(%y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %v = arith.constant dense<0.0> : vector<4xf32>
  hopper.before_dependency {
    // expected-error@+1 {{writes before the dependency wait}}
    hopper.masked_store once %v, %y[%at] if %in : vector<4xf32>, !hopper.global<write>
  }
}

// -----

hopper.kernel @early_masked_store_kept(%y: !hopper.global<write>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %v = arith.constant dense<0.0> : vector<4xf32>
  hopper.before_dependency {
  }
  hopper.masked_store once %v, %y[%at] if %in : vector<4xf32>, !hopper.global<write>
}

// -----

// All lanes of a warp come to its maximum.
hopper.kernel @max_of_lanes(%x: !hopper.global<read>) warps 1 registers 64 {
  %lane = hopper.lane_id : i64
  %i0 = arith.constant 0 : i64
  %v = arith.constant 1.0 : f32
  %is = arith.cmpi eq, %lane, %i0 : i64
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    %m = hopper.warp_max %v
  }
}

// -----

hopper.kernel @max_of_lanes_kept(%x: !hopper.global<read>) warps 1 registers 64 {
  %warp = hopper.warp_id : i64
  %i0 = arith.constant 0 : i64
  %v = arith.constant 1.0 : f32
  %is = arith.cmpi eq, %warp, %i0 : i64
  scf.if %is {
    %m = hopper.warp_max %v
  }
}

// -----

// What a masked load gives differs between lanes, so no barrier depends on it.
hopper.kernel @barrier_of_loaded(%x: !hopper.global<read>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0> : vector<1xi32>
  %i0 = arith.constant 0 : i32
  %v = hopper.masked_load %x[%at] if %in else %pad : !hopper.global<read>, vector<1xi32>
  %one = vector.extract %v[0] : i32 from vector<1xi32>
  %is = arith.cmpi eq, %one, %i0 : i32
  scf.if %is {
    // expected-error@+1 {{stands under a condition that differs between lanes}}
    hopper.block_barrier
  }
}

// -----

hopper.kernel @barrier_of_loaded_kept(%x: !hopper.global<read>) warps 1 registers 64 {
  %at = arith.constant 0 : i64
  %in = arith.constant true
  %pad = arith.constant dense<0> : vector<1xi32>
  %v = hopper.masked_load %x[%at] if %in else %pad : !hopper.global<read>, vector<1xi32>
  hopper.block_barrier
}
