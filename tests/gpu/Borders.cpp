// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The borders of the C++ runtime on real GPUs: foreign memory, DLPack, library
// calls and foreign kernels in pipelines and graphs; with two GPUs copies
// between them, and with NCCL collectives.
//
//   gpu_borders [NCCL]    the path of libnccl.so.2, or none for the loader's
//
// Exit code: 0 all is right, 1 something is not, 77 without a GPU.

#include "runtime/driver/HostFunctions.h"
#include "runtime/girih/runtime.h"

#include <atomic>
#include <cstdio>
#include <numeric>

using namespace girih;
using Floats = std::vector<float>;

namespace {

int wrong = 0;

void expect(bool right, const char *what) {
  std::printf("%s %s\n", right ? "ok   " : "WRONG", what);
  wrong += !right;
}

const runtime::Driver &driver() {
  static const runtime::Driver opened = *runtime::openDriver();
  return opened;
}
const runtime::HostFunctions &functions() {
  static const runtime::HostFunctions opened = *runtime::openHostFunctions();
  return opened;
}

constexpr int64_t count = 1 << 20;
constexpr AccessMode reads = AccessMode::Read, writes = AccessMode::Write;

constexpr const char *axpyText = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry axpy(.param .f32 alpha, .param .u64 x, .param .u64 y,
                     .param .u64 n) {
  .reg .pred %p;
  .reg .f32 %f<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.f32 %f1, [alpha];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u64 %rd3, [n];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  cvt.u64.u32 %rd4, %r1;
  setp.ge.u64 %p, %rd4, %rd3;
  @%p bra DONE;
  shl.b64 %rd5, %rd4, 2;
  add.u64 %rd6, %rd1, %rd5;
  add.u64 %rd7, %rd2, %rd5;
  ld.global.f32 %f2, [%rd6];
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f3, %f1, %f2, %f3;
  st.global.f32 [%rd7], %f3;
DONE:
  ret;
}
)";

Floats counted() {
  Floats values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

/// Whether element k is `factor` k + `more`.
bool isLine(const Floats &values, float factor, float more = 0) {
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k] != factor * static_cast<float>(k) + more) {
      return false;
    }
  }
  return !values.empty();
}

//===-- One GPU ----------------------------------------------------------===//

struct Memory {
  uint64_t address = 0;
  std::shared_ptr<void> owner;
  std::shared_ptr<std::atomic<int>> frees =
      std::make_shared<std::atomic<int>>(0);

  explicit Memory(const Device &device) {
    runtime::Entered in(driver(), device.context());
    if (driver().memoryAllocate(&address, 4 * count)) {
      throw RuntimeError(1, "cuMemAlloc");
    }
    owner = {pointer(), [address = address, context = device.context(),
                         frees = frees](void *) {
               runtime::Entered in(driver(), context);
               *frees += driver().memoryFree(address) == 0 ? 1 : 100;
             }};
  }
  void *pointer() const { return reinterpret_cast<void *>(address); }
};

void foreignMemory(const Device &device) {
  Memory memory(device);
  auto frees = memory.frees;
  std::optional<Tensor<float>> copy;
  {
    auto t = Tensor<float>::fromForeign(memory.pointer(), {count}, {1},
                                        std::move(memory.owner));
    t.assign(counted());
    copy = t.clone(Stream::create(device));
  }
  expect(isLine(copy->toHost(), 1), "foreign memory is read and written");
  for (int k = 0; k < 1000 && *frees == 0; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  expect(*frees == 1, "its owner goes once, behind the work");
  Floats onHost(16);
  bool refused = false;
  try {
    auto t = Tensor<float>::fromForeign(onHost.data(), {16}, {1},
                                        std::make_shared<int>());
  } catch (const RuntimeError &error) {
    refused = error.code() == 3;
  }
  expect(refused, "memory of the host is refused");
  auto *handle = std::move(*copy).toDLPack(Stream::create(device));
  expect(isLine(Tensor<float>::fromDLPack(handle).toHost(), 1),
         "a tensor of DLPack comes home");
}

void optOuts(const Device &device) {
  LibraryCall copy("driver_copy", {reads, writes}, [](const RawCall &call) {
    if (functions().copyOnDeviceBehind(call.tensors[1].address,
                                       call.tensors[0].address, 4 * count,
                                       call.stream)) {
      throw std::runtime_error("cuMemcpyDtoDAsync");
    }
  });
  auto axpy = ForeignKernel::load("axpy", axpyText, "axpy", {reads, writes});
  auto x = Tensor<float>::copyFrom(counted(), {count}, device).share();
  auto pipeline = [&] {
    return copy(x, Tensor<float>::empty({count}, device))
        .let([&](auto from, auto to) {
          return axpy.launch({{count / 256, 1, 1}, {256, 1, 1}, 0}, 2.0f,
                             std::move(from), std::move(to), count);
        });
  };
  auto [a, y] = pipeline().sync();
  expect(isLine(y.toHost(), 3), "a library call and a foreign kernel");
  auto g = record(pipeline());
  g.launch();
  g.launch(Stream::create(device));
  expect(isLine(g.get<1>().toHost(), 3), "the same as a graph");
  auto old = g.exchange<1>(Tensor<float>::empty({count}, device));
  g.sync();
  expect(isLine(g.get<1>().toHost(), 3), "with another result");
  expect(g.text().find("unverified driver_copy at 0, axpy at 1") !=
             std::string::npos,
         "the graph says what is unverified");
  std::string why;
  try {
    (void)axpy.launch({}, 2.0, x, std::move(old), count).queue();
  } catch (const RuntimeError &error) {
    why = error.what();
  }
  expect(why.find("have 4, 8, 8, 8 bytes") != std::string::npos,
         "parameters of other sizes are refused");
}

//===-- Two GPUs ---------------------------------------------------------===//

void peers(const Device &first, const Device &second) {
  auto x = Tensor<float>::copyFrom(counted(), {count}, first);
  expect(isLine(x.copyTo(second).toHost(), 1), "a copy to another GPU");
  if (second.canReach(first)) {
    expect(isLine(x.copyTo(second, PeerPath::Direct).toHost(), 1),
           "a direct copy");
  } else {
    std::printf("no direct path between the GPUs\n");
  }
  auto columns = x.copyTo(second).reshape({1024, 1024}).permute({1, 0});
  auto part = std::move(columns).slice(0, 0, 2);
  Floats both = part.copyTo(first).toHost();
  expect(both[0] == 0 && both[1] == 1024 && both[1024] == 1,
         "columns of one GPU on the other");
  Tensor<float> kept = Tensor<float>::empty({count}, second);
  for (int k = 0; k < 20; ++k) {
    auto source = Tensor<float>::copyFrom(counted(), {count}, first).share();
    auto [a, to] = girih::copy(source, std::move(kept)).queue();
    kept = std::move(to);
  }
  expect(isLine(kept.toHost(), 1), "copies that are queued beside frees");
}

void collectives(const std::vector<Device> &devices,
                 const std::string &library) {
  Communicator all = Communicator::all(devices, library);
  auto ranks = static_cast<float>(all.size());
  auto make = [&](const Floats &values) {
    std::vector<Tensor<float>> out;
    for (const Device &device : devices) {
      out.push_back(Tensor<float>::copyFrom(
          values, {static_cast<int64_t>(values.size())}, device));
    }
    return out;
  };
  auto share = [&](std::vector<Tensor<float>> list) {
    std::vector<Shared<float>> out;
    for (auto &tensor : list) {
      out.push_back(std::move(tensor).share());
    }
    return out;
  };
  auto [x, sums] =
      all.allReduce(share(make(counted())), make(counted())).sync();
  bool right = true;
  for (const auto &sum : sums) {
    right &= isLine(sum.toHost(), ranks);
  }
  expect(right, "NCCL: allReduce");
  auto [none, inPlace] = all.allReduce(std::move(sums), Reduction::Max).queue();
  expect(isLine(inPlace[0].toHost(), ranks), "NCCL: allReduce in place");
  auto [y, gathered] =
      all.allGather(share(make({1, 2})), make(Floats(2 * all.size()))).queue();
  Floats list = gathered[0].toHost();
  expect(list[0] == 1 && list.back() == 2, "NCCL: allGather");
  auto [z, parts] =
      all.reduceScatter(share(make(counted())),
                        make(Floats(static_cast<size_t>(count) / all.size())))
          .queue();
  expect(isLine(parts[0].toHost(), ranks) &&
             parts[1].toHost()[0] == ranks * static_cast<float>(count) / ranks,
         "NCCL: reduceScatter");
  auto sent = Tensor<float>::copyFrom(counted(), {count}, devices[1]).share();
  auto [w, received] =
      all.send(1, sent, 0, Tensor<float>::empty({count}, devices[0])).queue();
  expect(isLine(received[0].toHost(), 1), "NCCL: send");
  // Below and beyond what NCCL's kernels of few bytes take.
  right = true;
  for (int64_t some : {3, 5120, 1 << 20}) {
    std::vector<Tensor<float>> symmetric = all.symmetric<float>({some});
    for (auto &tensor : symmetric) {
      tensor.assign(Floats(static_cast<size_t>(some), 2));
    }
    auto [nothing, summed] = all.allReduce(std::move(symmetric)).queue();
    for (const auto &sum : summed) {
      right &= sum.toHost() == Floats(static_cast<size_t>(some), 2 * ranks);
    }
  }
  expect(right, "NCCL: allReduce in symmetric memory");
  all.check();
}

void mapped(const Device &device) {
  auto memory = Mapped<float>::zeros(static_cast<size_t>(count), device);
  {
    auto [from, to] = copy(Tensor<float>::copyFrom(counted(), {count}, device),
                           memory.tensor(device.nextStream()))
                          .sync();
  }
  Floats found;
  for (int64_t k = 0; k < count; ++k) {
    found.push_back(memory.peek(static_cast<size_t>(k)));
  }
  expect(isLine(found, 1), "mapped memory holds what the device wrote");
}

/// Of any number of GPUs: all of 1 becomes the number of ranks, replay by
/// replay.
void rankGraphs(const std::vector<Device> &devices,
                const std::string &library) {
  Communicator all = Communicator::all(devices, library);
  auto ranks = static_cast<float>(all.size());
  auto graphs = recordRanks(all, [&](RankRecordings &run) {
    std::vector<Tensor<float>> parts;
    for (std::size_t k = 0; k < run.size(); ++k) {
      auto x = Tensor<float>::copyFrom(counted(), {count}, devices[k]).share();
      auto [from, to] =
          run[k](girih::copy(x, Tensor<float>::empty({count}, devices[k])));
      parts.push_back(std::move(to));
    }
    auto [none, sums] = run(all.allReduce(std::move(parts)));
    std::vector<std::tuple<Tensor<float>>> out;
    for (Tensor<float> &sum : sums) {
      out.emplace_back(std::move(sum));
    }
    return out;
  });
  for (int k = 0; k < 100; ++k) {
    graphs.launch();
  }
  graphs.wait();
  bool right = true;
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    right &= isLine(graphs[k].get<0>().toHost(), ranks);
  }
  expect(right, "NCCL: allReduce in graphs of all ranks");
  all.check();
}

/// Whether there is an NCCL.
template <typename Run> void withNccl(Run run) {
  try {
    run();
  } catch (const RuntimeError &error) {
    if (error.code() != 77) {
      throw;
    }
    std::printf("not run: %s\n", error.what());
  }
}

} // namespace

int main(int argc, char **argv) {
  if (Device::count() == 0) {
    std::printf("no GPU\n");
    return 77;
  }
  try {
    std::vector<Device> devices;
    for (int k = 0; k < Device::count(); ++k) {
      devices.push_back(Device::get(k));
      std::printf("%d: %s\n", k, devices.back().name().c_str());
    }
    std::string library = argc > 1 ? argv[1] : "";
    withNccl([&] { rankGraphs(devices, library); });
    mapped(devices[0]);
    foreignMemory(devices[0]);
    optOuts(devices[0]);
    if (devices.size() > 1) {
      peers(devices[0], devices[1]);
      withNccl([&] { collectives(devices, library); });
    } else {
      std::printf("not run: copies and collectives take two GPUs\n");
    }
  } catch (const std::exception &error) {
    std::printf("WRONG %s\n", error.what());
    return 1;
  }
  for (const OptOutUse &use : usedOptOuts()) {
    std::printf("unverified %s: %llu\n", use.name.c_str(),
                static_cast<unsigned long long>(use.uses));
  }
  return wrong ? 1 : 0;
}
