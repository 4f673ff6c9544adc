// RUN: hopper-opt %s -split-input-file -verify-diagnostics
//
// Each rule broken, and beside it the smallest edit that keeps it.

// A wait needs a copy.
hopper.kernel @no_copy(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  // expected-error@+1 {{waits for a copy that nobody starts: deadlock}}
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

hopper.kernel @no_copy_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

// The copy is started before it is waited for.
hopper.kernel @late_copy(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  // expected-error@+1 {{waits for a copy that is only started behind it: deadlock}}
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  // expected-note@+1 {{the copy}}
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
}

// -----

hopper.kernel @late_copy_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

// The first use of a slot is of parity 0.
hopper.kernel @first_parity(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  // expected-error@+1 {{waits for the wrong parity, 1: it ends before the copy has landed}}
  %t0 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
}

// -----

hopper.kernel @first_parity_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

// The second use of a slot is of parity 1.
hopper.kernel @second_parity(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  // expected-error@+1 {{waits for the wrong parity, 0}}
  %t1 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

hopper.kernel @second_parity_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
}

// -----

// A slot is filled again only after its copy was waited for and released.
hopper.kernel @unread(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  // expected-note@+1 {{not ordered before it: hopper.wait}}
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  // expected-error@+1 {{refills a slot before its readers are done}}
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
}

// -----

hopper.kernel @unread_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
}

// -----

// A warp_barrier orders the lanes, not the copy engine: the reads before it
// are issued, not done.
hopper.kernel @refill_behind_barrier(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  // expected-note@+1 {{not ordered before it: hopper.read}}
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.warp_barrier
  // expected-error@+1 {{refills a slot before its readers are done}}
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
  %r1 = hopper.read %t1[%at] : vector<4xi32>
  %e1 = vector.extract %r1[0] : i32 from vector<4xi32>
  %f1 = arith.bitcast %e1 : i32 to f32
  %s1 = hopper.warp_sum %f1
  hopper.release %t1 after %s1
}

// -----

hopper.kernel @refill_behind_barrier_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
  %r1 = hopper.read %t1[%at] : vector<4xi32>
  %e1 = vector.extract %r1[0] : i32 from vector<4xi32>
  %f1 = arith.bitcast %e1 : i32 to f32
  %s1 = hopper.warp_sum %f1
  hopper.release %t1 after %s1
}

// -----

// The sum of a release needs every read of the slot.
hopper.kernel @sum_of_one(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  // expected-note@+1 {{not ordered before it: hopper.read}}
  %q0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  // expected-error@+1 {{refills a slot before its readers are done}}
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
  %r1 = hopper.read %t1[%at] : vector<4xi32>
  %e1 = vector.extract %r1[0] : i32 from vector<4xi32>
  %f1 = arith.bitcast %e1 : i32 to f32
  %s1 = hopper.warp_sum %f1
  hopper.release %t1 after %s1
}

// -----

hopper.kernel @sum_of_one_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %q0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %g0 = vector.extract %q0[0] : i32 from vector<4xi32>
  %h0 = arith.bitcast %g0 : i32 to f32
  %k0 = arith.addf %f0, %h0 : f32
  %s0 = hopper.warp_sum %k0
  hopper.release %t0 after %s0
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t1 = hopper.wait %ring[%c0] parity %c1 : !hopper.ring<1 x 512>
  %r1 = hopper.read %t1[%at] : vector<4xi32>
  %e1 = vector.extract %r1[0] : i32 from vector<4xi32>
  %f1 = arith.bitcast %e1 : i32 to f32
  %s1 = hopper.warp_sum %f1
  hopper.release %t1 after %s1
}

// -----

// What is read goes into sums alone: else a lane needs it after the refill.
hopper.kernel @read_escapes(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %m = hopper.shared : !hopper.shared<512>
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  // expected-error@+1 {{reads what is used elsewhere than in a warp_sum}}
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  // expected-note@+1 {{here}}
  hopper.shared_store %f0, %m[%at] : f32, !hopper.shared<512>
}

// -----

hopper.kernel @read_escapes_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %m = hopper.shared : !hopper.shared<512>
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  hopper.shared_store %s0, %m[%at] : f32, !hopper.shared<512>
}

// -----

// Nor is what a product of matrices makes of it.
hopper.kernel @product_escapes(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %z = arith.constant dense<0.0> : vector<4xf32>
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %m = hopper.shared : !hopper.shared<512>
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  // expected-error@+1 {{reads what is used elsewhere than in a warp_sum}}
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %p0 = hopper.mma (%e0, %e0, %e0, %e0) (%c0, %c0) + %z : vector<4xf32> -> vector<4xf32>
  %f0 = vector.extract %p0[0] : f32 from vector<4xf32>
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  // expected-note@+1 {{here}}
  hopper.shared_store %f0, %m[%at] : f32, !hopper.shared<512>
}

// -----

hopper.kernel @product_escapes_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %z = arith.constant dense<0.0> : vector<4xf32>
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  %m = hopper.shared : !hopper.shared<512>
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %p0 = hopper.mma (%e0, %e0, %e0, %e0) (%c0, %c0) + %z : vector<4xf32> -> vector<4xf32>
  %f0 = vector.extract %p0[0] : f32 from vector<4xf32>
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
  hopper.shared_store %s0, %m[%at] : f32, !hopper.shared<512>
}

// -----

// A slot is not read after its release.
hopper.kernel @read_after_release(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %s0 = hopper.warp_sum %f0
  // expected-note@+1 {{here}}
  hopper.release %t0 after %s0
  // expected-error@+1 {{reads a slot that was released}}
  %r9 = hopper.read %t0[%at] : vector<4xi32>
}

// -----

hopper.kernel @read_after_release_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
  %r0 = hopper.read %t0[%at] : vector<4xi32>
  %e0 = vector.extract %r0[0] : i32 from vector<4xi32>
  %f0 = arith.bitcast %e0 : i32 to f32
  %r9 = hopper.read %t0[%at] : vector<4xi32>
  %s0 = hopper.warp_sum %f0
  hopper.release %t0 after %s0
}

// -----

// A copy does not outlive the kernel.
hopper.kernel @unwaited(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  // expected-error@+1 {{starts a copy that nobody waits for}}
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
}

// -----

hopper.kernel @unwaited_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

// All lanes see the barriers of a ring before one uses it.
hopper.kernel @unseen_ring(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  // expected-note@+1 {{the ring}}
  %ring = hopper.ring : !hopper.ring<1 x 512>
  // expected-error@+1 {{uses a ring before a warp_barrier has shown its barriers to all lanes}}
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}

// -----

hopper.kernel @unseen_ring_kept(%w: !hopper.global<early>, %n: i64) warps 1 registers 64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bytes = arith.constant 512 : i32
  %at = arith.constant 0 : i64
  %ring = hopper.ring : !hopper.ring<1 x 512>
  hopper.warp_barrier
  hopper.fill %ring[%c0] from %w[%at] bytes %bytes : !hopper.ring<1 x 512>, !hopper.global<early>
  %t0 = hopper.wait %ring[%c0] parity %c0 : !hopper.ring<1 x 512>
}
