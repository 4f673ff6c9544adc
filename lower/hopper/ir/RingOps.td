// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings: each slot has an mbarrier whose phase ends when the copy into the slot
// has landed. Phases have parities 0, 1, 0, ...; fills and waits of a slot take
// turns.

include "lower/hopper/ir/Dialect.td"

def RingOp : HopperEffectOp<"ring", [HasParent<"KernelOp">]> {
  let summary = "the warp's ring, all its slots free and in phase 0";
  let description = [{
    The first lane initialises the barriers, so a `hopper.warp_barrier` stands
    between this and the first fill.
  }];
  let results = (outs HopperRing:$ring);
  let assemblyFormat = "attr-dict `:` qualified(type($ring))";
}

def WarpBarrierOp : HopperEffectOp<"warp_barrier"> {
  let summary = "waits for the lanes of the warp";
  let description = [{
    Orders what lanes do with shared memory, but not what the copy engine does:
    loads before it are issued, not done.
  }];
  let assemblyFormat = "attr-dict";
}

def FillOp : HopperEffectOp<"fill"> {
  let summary = "starts a bulk copy into a free slot";
  let description = [{
    `hopper.fill %ring[%slot] from %w[%offset] bytes %n : !hopper.ring<8 x
    2560>, !hopper.global<early>`: one lane announces %n bytes to the slot's barrier and starts the copy. %n is
    a multiple of 16, not more than a slot; with 0 nothing is copied, and the
    phase ends.
  }];
  let arguments = (ins HopperRing:$ring, I32:$slot, HopperGlobal:$source,
                       I64:$offset, I32:$bytes);
  let assemblyFormat = [{
    $ring `[` $slot `]` `from` $source `[` $offset `]` `bytes` $bytes attr-dict
    `:` qualified(type($ring)) `,` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def WaitOp : HopperEffectOp<"wait"> {
  let summary = "waits until the phase of this parity has ended";
  let arguments = (ins HopperRing:$ring, I32:$slot, I32:$parity);
  let results = (outs HopperSlot:$token);
  let assemblyFormat = [{
    $ring `[` $slot `]` `parity` $parity attr-dict `:` qualified(type($ring))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$ring, "::mlir::Value":$slot,
                                 "::mlir::Value":$parity)>];
}

def ReadOp : HopperEffectOp<"read"> {
  let summary = "16 bytes of a slot, of each lane's own offset";
  let arguments = (ins HopperSlot:$token, I64:$offset);
  let results = (outs VectorOfLengthAndType<[4], [I32]>:$words);
  let assemblyFormat =
      "$token `[` $offset `]` attr-dict `:` type($words)";
}

def ReleaseOp : HopperEffectOp<"release"> {
  let summary = "frees a slot, once a sum over all lanes is known";
  let description = [{
    `hopper.release %token after %sum`: nothing behind this runs before %sum is
    known. Where each lane's part of the sum needs all that the lane has read,
    the reads are done.
  }];
  let arguments = (ins HopperSlot:$token, F32:$sum);
  let assemblyFormat = "$token `after` $sum attr-dict";
}
