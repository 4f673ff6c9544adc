// RUN: hopper-opt %s -split-input-file -verify-diagnostics
//
// Each rule broken, and beside it the smallest edit that keeps it.

// Of any number of items: each trip waits for a copy of its own. Here the last
// trip waits for nothing; and parities turn.
hopper.kernel @last_item(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    // expected-error@+1 {{waits for a copy that nobody starts: deadlock (slot 0, use 1, with 2 items)}}
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %two = arith.constant 2 : i64
    %ahead = arith.addi %i, %two : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

hopper.kernel @last_item_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

// One fill too many: nobody waits for the last.
hopper.kernel @one_too_many(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %i, %n : i64
    scf.if %more {
      // expected-error@+1 {{starts a copy that nobody waits for}}
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

hopper.kernel @one_too_many_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

// A parity that does not turn.
hopper.kernel @stuck_parity(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    // expected-error@+1 {{waits for the wrong parity, 0}}
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c0 : i32
    scf.yield %turned : i32
  }
}

// -----

hopper.kernel @stuck_parity_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

// A guard that the verifier cannot follow is refused, not believed.
hopper.kernel @opaque_guard(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi ne, %ahead, %n : i64
    // expected-error@+1 {{uses a ring under a condition that does not follow from constants and the number of items}}
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

hopper.kernel @opaque_guard_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

// Nor is a state that never comes again.
// expected-error@+1 {{does not come again within 256 items}}
hopper.kernel @counting_parity(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.addi %parity, %c1 : i32
    scf.yield %turned : i32
  }
}

// -----

hopper.kernel @counting_parity_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %first = arith.cmpi slt, %i0, %n : i64
  scf.if %first {
    hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  }
  %p = scf.for %i = %i0 to %n step %i1 iter_args(%parity = %c0) -> (i32) : i64 {
    %t = hopper.wait %ring[%c0] parity %parity : !hopper.ring<1 x 512>
    %r = hopper.read %t[%at] : vector<4xi32>
    %e = vector.extract %r[0] : i32 from vector<4xi32>
    %f = arith.bitcast %e : i32 to f32
    %s = hopper.warp_sum %f
    hopper.release %t after %s
    %ahead = arith.addi %i, %i1 : i64
    %more = arith.cmpi slt, %ahead, %n : i64
    scf.if %more {
      hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
    }
    %turned = arith.xori %parity, %c1 : i32
    scf.yield %turned : i32
  }
}
