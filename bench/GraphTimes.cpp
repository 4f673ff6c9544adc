// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// graph_times SAXPY [NODES...]: host time of a replay of a graph beside
// cuGraphLaunch of a graph of the driver with the same code, parameters and
// edges. SAXPY is what tile-compile made of proofs/kernels/saxpy. Prints JSON:
// medians over interleaved rounds in microseconds a replay, and nanoseconds a
// node between them.

#include "runtime/driver/HostFunctions.h"
#include "runtime/driver/Launch.h"
#include "runtime/graph/Graph.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace girih;

namespace {

constexpr int rounds = 60;
/// Replays of one round are fewer than the driver's queue holds.
constexpr int replays = 20;
constexpr int64_t elements = 1024;

/// Graphs by which tensors their launches have.
enum class Shape {
  Chain,   ///< two tensors in all
  Weights, ///< each launch reads one of its own
  Wide,    ///< each launch writes one of its own
};
constexpr const char *names[] = {"chain", "weights", "wide"};

Tensor<float> zeros() { return Tensor<float>::zeros({elements}); }

auto recordOf(const Kernel &saxpy, Shape shape, int nodes) {
  return record([&, x = zeros().share()](Recording &run) {
    auto launch = [&](Shared<float> from, Tensor<float> to) {
      auto [a, b] =
          run(saxpy.launch({{"alpha", 0.5}}, std::move(from), std::move(to)));
      return std::move(b);
    };
    Tensor<float> sum = launch(x, zeros());
    for (int k = 1; k < nodes; ++k) {
      if (shape == Shape::Wide) {
        auto dropped = launch(x, zeros()); // and kept by the graph
      } else {
        sum = launch(shape == Shape::Weights ? zeros().share() : x,
                     std::move(sum));
      }
    }
    return sum;
  });
}

int fail(const std::string &reason) {
  std::fprintf(stderr, "graph_times: error: %s\n", reason.c_str());
  return 1;
}

void check(int error, const char *call) {
  if (error) {
    throw RuntimeError(1, std::string(call) + ": " + std::to_string(error));
  }
}

template <typename T> T &valueOf(runtime::Expected<T> &from) {
  if (!from) {
    throw RuntimeError(1, from.error().reason);
  }
  return *from;
}

/// The same launches by calls of the driver alone.
class Raw {
public:
  explicit Raw(const std::string &folder)
      : opened(runtime::openDriver()), looked(runtime::openHostFunctions()),
        driver(valueOf(opened)), f(valueOf(looked)), loaded(loadFrom(folder)),
        entered(driver, Device::get().context()),
        kernel(driver, described(), loaded) {
    check(f.streamCreate(&stream, runtime::cu::streamNonBlocking),
          "cuStreamCreate");
  }

  void *graphOf(Shape shape, int nodes) {
    void *graph = nullptr, *executable = nullptr, *last = nullptr;
    check(f.graphCreate(&graph, 0), "cuGraphCreate");
    uint64_t x = zeros(), y = zeros();
    for (int k = 0; k < nodes; ++k) {
      uint64_t from = shape == Shape::Weights ? zeros() : x;
      uint64_t to = shape == Shape::Wide ? zeros() : y;
      runtime::KernelLaunch launch = prepare(from, to);
      std::vector<void *> parameters;
      for (size_t offset : launch.parameters.offsets) {
        parameters.push_back(launch.parameters.bytes.data() + offset);
      }
      runtime::KernelNodeParams params;
      params.function = launch.code->function;
      params.gridX = launch.blocks;
      params.parameters = parameters.data();
      void *node = nullptr;
      check(f.graphAddKernelNode(&node, graph, &last,
                                 shape != Shape::Wide && k > 0, &params),
            "cuGraphAddKernelNode");
      last = node;
    }
    check(f.graphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
    return executable;
  }
  void launch(void *executable) {
    check(f.graphLaunch(executable, stream), "cuGraphLaunch");
  }
  void wait() {
    check(driver.streamSynchronize(stream), "cuStreamSynchronize");
  }

private:
  static std::shared_ptr<const runtime::Artefact>
  loadFrom(const std::string &folder) {
    auto artefact = runtime::loadArtefact(folder);
    return std::make_shared<const runtime::Artefact>(
        std::move(valueOf(artefact)));
  }
  runtime::Device described() const {
    int handle = 0;
    check(driver.deviceGet(&handle, 0), "cuDeviceGet");
    auto out = runtime::describeDevice(driver, handle);
    return valueOf(out);
  }
  uint64_t zeros() {
    uint64_t out = 0;
    check(driver.memoryAllocate(&out, elements * sizeof(float)), "cuMemAlloc");
    check(f.fill8Behind(out, 0, elements * sizeof(float), stream),
          "cuMemsetD8Async");
    return out;
  }
  runtime::KernelLaunch prepare(uint64_t x, uint64_t y) {
    runtime::Call call;
    call.scalars = {0.5, std::nullopt, std::nullopt};
    call.tensors.resize(3);
    for (auto [place, address] : {std::pair{1, x}, std::pair{2, y}}) {
      call.tensors[place] = runtime::TensorValue{
          address, runtime::Element::F32, {elements}, {1}, {}, {}};
    }
    auto plan = runtime::checkCall(kernel.manifest(), call);
    auto launch = kernel.prepare(valueOf(plan), call);
    return std::move(valueOf(launch));
  }

  runtime::Expected<runtime::Driver> opened;
  runtime::Expected<runtime::HostFunctions> looked;
  const runtime::Driver &driver;
  const runtime::HostFunctions &f;
  std::shared_ptr<const runtime::Artefact> loaded;
  runtime::Entered entered;
  runtime::Kernel kernel;
  void *stream = nullptr;
};

/// Microseconds a replay of one round, without the wait for the device.
template <typename Launch, typename Wait>
double timeOf(Launch launch, Wait wait) {
  auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < replays; ++k) {
    launch();
  }
  std::chrono::duration<double, std::micro> taken =
      std::chrono::steady_clock::now() - start;
  wait();
  return taken.count() / replays;
}

double median(std::vector<double> &times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2,
                   times.end());
  return times[times.size() / 2];
}

void measure(const Kernel &saxpy, Raw &raw, Shape shape, int nodes, bool last) {
  auto graph = recordOf(saxpy, shape, nodes);
  void *executable = raw.graphOf(shape, nodes);
  Stream stream = Stream::create();
  std::vector<double> ours, theirs;
  for (int k = 0; k < rounds + 3; ++k) { // the first ones are not counted
    double our =
        timeOf([&] { graph.launch(stream); }, [&] { stream.synchronize(); });
    double their = timeOf([&] { raw.launch(executable); }, [&] { raw.wait(); });
    if (k >= 3) {
      ours.push_back(our);
      theirs.push_back(their);
    }
  }
  double our = median(ours), their = median(theirs);
  std::printf("  {\"shape\": \"%s\", \"nodes\": %d, \"ours_us\": %.3f, "
              "\"driver_us\": %.3f, \"over_ns_a_node\": %.1f}%s\n",
              names[static_cast<int>(shape)], nodes, our, their,
              1000 * (our - their) / nodes, last ? "" : ",");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    return fail("usage: graph_times SAXPY [NODES...]");
  }
  try {
    std::vector<int> counts;
    for (int k = 2; k < argc; ++k) {
      counts.push_back(std::atoi(argv[k]));
      if (counts.back() < 1) {
        return fail(std::string("no number of nodes: ") + argv[k]);
      }
    }
    if (counts.empty()) {
      counts = {10, 100, 1000};
    }
    Kernel saxpy = Kernel::load(argv[1]);
    Raw raw(argv[1]);
    std::printf("[\n");
    for (Shape shape : {Shape::Chain, Shape::Weights, Shape::Wide}) {
      for (int nodes : counts) {
        measure(saxpy, raw, shape, nodes,
                shape == Shape::Wide && nodes == counts.back());
      }
    }
    std::printf("]\n");
  } catch (const std::exception &error) {
    return fail(error.what());
  }
  return 0;
}
