// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/ReadLimit.h"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace girih::bench {
namespace {

/// Block b reads chunks b, b + B, ... of 16 KiB. Its one thread keeps so many
/// of them on their way, each into a slot of its own, and waits for them in
/// order.
constexpr const char *program = R"(
.version 8.0
.target sm_90
.address_size 64

.extern .shared .align 128 .b8 slots[];

.visible .entry read_all(.param .u64 from, .param .u64 chunks,
                         .param .u32 count)
.reqntid 1
{
  .shared .align 8 .b64 barriers[13];
  .reg .pred %p;
  .reg .b32 %slot, %bar, %bar0, %to, %to0, %parity, %wraps, %ahead, %d, %count;
  .reg .b64 %from, %at, %chunks, %mine, %i, %k, %b, %n, %off, %state, %first;

  ld.param.u64 %from, [from];
  ld.param.u64 %chunks, [chunks];
  ld.param.u32 %count, [count];
  cvt.u64.u32 %first, %count;
  cvta.to.global.u64 %from, %from;
  mov.u32 %d, %ctaid.x;
  cvt.u64.u32 %b, %d;
  mov.u32 %d, %nctaid.x;
  cvt.u64.u32 %n, %d;
  mov.u32 %bar0, barriers;
  mov.u32 %to0, slots;
  // As many as chunks - b by n, rounded up.
  setp.le.u64 %p, %chunks, %b;
  @%p ret;
  sub.u64 %mine, %chunks, %b;
  add.u64 %mine, %mine, %n;
  sub.u64 %mine, %mine, 1;
  div.u64 %mine, %mine, %n;

  mov.u32 %d, 0;
init:
  shl.b32 %bar, %d, 3;
  add.u32 %bar, %bar, %bar0;
  mbarrier.init.shared.b64 [%bar], 1;
  add.u32 %d, %d, 1;
  setp.lt.u32 %p, %d, %count;
  @%p bra init;
  fence.proxy.async;

  mov.u64 %k, 0;
  mov.u64 %i, 0;
  mov.u32 %ahead, 0;
  mov.u32 %slot, 0;
  mov.u32 %parity, 0;
fill:
  // As many as there are slots, then one behind each wait.
  setp.ge.u64 %p, %k, %mine;
  @%p bra filled;
  shl.b32 %bar, %ahead, 3;
  add.u32 %bar, %bar, %bar0;
  shl.b32 %to, %ahead, 14;
  add.u32 %to, %to, %to0;
  mad.lo.u64 %off, %k, %n, %b;
  shl.b64 %off, %off, 14;
  add.u64 %at, %from, %off;
  mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], 16384;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%at], 16384, [%bar];
filled:
  add.u64 %k, %k, 1;
  add.u32 %ahead, %ahead, 1;
  setp.eq.u32 %p, %ahead, %count;
  selp.u32 %ahead, 0, %ahead, %p;
  setp.lt.u64 %p, %k, %first;
  @%p bra fill;

  shl.b32 %bar, %slot, 3;
  add.u32 %bar, %bar, %bar0;
wait:
  mbarrier.try_wait.parity.shared.b64 %p, [%bar], %parity;
  @!%p bra wait;
  add.u32 %slot, %slot, 1;
  setp.eq.u32 %p, %slot, %count;
  selp.u32 %slot, 0, %slot, %p;
  selp.u32 %wraps, 1, 0, %p;
  xor.b32 %parity, %parity, %wraps;
  add.u64 %i, %i, 1;
  setp.lt.u64 %p, %i, %mine;
  @%p bra fill;
  ret;
}
)";

constexpr unsigned chunkBytes = 16384, maxSlots = 13;

template <typename F> F functionOf(void *library, const char *name) {
  void *found = library ? dlsym(library, name) : nullptr;
  if (!found) {
    throw std::runtime_error(std::string("there is no ") + name);
  }
  return reinterpret_cast<F>(found);
}

void *driver() {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <typename... T> void call(const char *name, T... arguments) {
  if (int error = functionOf<int (*)(T...)>(driver(), name)(arguments...)) {
    throw std::runtime_error(std::string(name) + " says " +
                             std::to_string(error));
  }
}

} // namespace

ReadLimit::ReadLimit() {
  constexpr int multiprocessorCount = 16, maxDynamicShared = 8;
  void *context = nullptr, *module = nullptr;
  int device = 0, count = 0;
  call("cuInit", 0U);
  call("cuDeviceGet", &device, 0);
  call("cuDevicePrimaryCtxRetain", &context, device);
  call("cuCtxSetCurrent", context);
  call("cuDeviceGetAttribute", &count, multiprocessorCount, device);
  call("cuModuleLoadData", &module, program);
  call("cuModuleGetFunction", &function, module, "read_all");
  call("cuFuncSetAttribute", function, maxDynamicShared,
       int(maxSlots * chunkBytes));
  blocks = static_cast<unsigned>(count);
}

void ReadLimit::launch(uint64_t from, uint64_t bytes, unsigned slots,
                       void *stream) const {
  uint64_t chunks = bytes / chunkBytes;
  void *parameters[] = {&from, &chunks, &slots};
  call("cuLaunchKernel", function, blocks, 1U, 1U, 1U, 1U, 1U,
       slots * chunkBytes, stream, static_cast<void **>(parameters),
       static_cast<void **>(nullptr));
}

} // namespace girih::bench
