// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// launch_times FOLDER [ROUNDS]: host time of launches from C++ beside the raw
// driver with the same cubins, launches overlapped with work of the host, and
// products over several streams. FOLDER has the artefacts add, saxpy and
// gemm_by_size. Where rounds are given, the first part alone is measured, and
// so many times. Prints JSON: medians over interleaved rounds, in microseconds.

#include "add.h"
#include "gemm_by_size.h"
#include "runtime/driver/Launch.h"
#include "runtime/host/States.h"
#include "saxpy.h"

#include <girih/runtime.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <random>

using namespace girih;
using Clock = std::chrono::steady_clock;

namespace {

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename T> T valueOf(runtime::Expected<T> value) {
  if (!value) {
    throw RuntimeError(1, value.error().reason);
  }
  return std::move(*value);
}

int rounds = 41, calls = 200;

/// A launch as a program on the raw driver would queue it: function, grid and
/// parameters are ready.
class RawLaunch {
public:
  RawLaunch(const std::string &folder,
            const std::vector<const Tensor<float> *> &tensors,
            const std::vector<double> &scalars) {
    auto artefact = std::make_shared<const runtime::Artefact>(
        valueOf(runtime::loadArtefact(folder)));
    kernel = std::make_unique<runtime::Kernel>(
        detail::driver(), Device::get().internal().described, artefact);
    runtime::Call call;
    size_t tensor = 0, scalar = 0;
    for (const runtime::Argument &argument : artefact->manifest.arguments) {
      call.tensors.emplace_back();
      call.scalars.emplace_back();
      if (!argument.isTensor) {
        call.scalars.back() = scalars[scalar++];
        continue;
      }
      const Tensor<float> &value = *tensors[tensor++];
      call.tensors.back() =
          runtime::TensorValue{value.address(),
                               argument.element,
                               {value.extents().begin(), value.extents().end()},
                               {value.strides().begin(), value.strides().end()},
                               runtime::Evidence::None,
                               nullptr};
    }
    runtime::LaunchPlan plan =
        valueOf(runtime::checkCall(artefact->manifest, call));
    launch = valueOf(kernel->prepare(plan, call));
    for (size_t offset : launch.parameters.offsets) {
      parameters.push_back(launch.parameters.bytes.data() + offset);
    }
  }

  void queue(void *stream) {
    if (detail::driver().launchKernel(launch.code->function, launch.blocks, 1,
                                      1, 1, 1, 1, 0, stream, parameters.data(),
                                      nullptr)) {
      throw RuntimeError(1, "cuLaunchKernel failed");
    }
  }

private:
  std::unique_ptr<runtime::Kernel> kernel;
  runtime::KernelLaunch launch;
  std::vector<void *> parameters;
};

Tensor<float> numbers(int64_t count) {
  std::mt19937 draw(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(count));
  std::generate(values.begin(), values.end(), [&] { return normal(draw); });
  return Tensor<float>::copyFrom(values, {count});
}

/// Times of ways to do one thing, interleaved: each does `calls` launches, and
/// the device is waited for outside the time unless they wait themselves.
class Ways {
public:
  void add(std::string name, std::function<void()> run) {
    ways.push_back({std::move(name), std::move(run), {}});
  }
  void measure(const Stream &stream) {
    for (int round = -3; round < rounds; ++round) {
      for (Way &way : ways) {
        stream.synchronize();
        auto start = Clock::now();
        way.run();
        double time = microsecondsSince(start) / calls;
        stream.synchronize();
        if (round >= 0) {
          way.times.push_back(time);
        }
      }
    }
  }
  std::string text() const {
    std::vector<std::string> lines;
    for (const Way &way : ways) {
      lines.push_back(
          fmt::format("\"{}\": {:.3f}", way.name, median(way.times)));
    }
    return fmt::format("{{{}}}", fmt::join(lines, ", "));
  }

private:
  struct Way {
    std::string name;
    std::function<void()> run;
    std::vector<double> times;
  };
  std::vector<Way> ways;
};

//===-- One launch --------------------------------------------------------===//

constexpr int64_t few = 1024;

std::string launches(const std::string &folder) {
  // As a program on the raw driver has it; a launch of ours enters it itself.
  detail::driver().contextSetCurrent(Device::get().context());
  Stream stream = Stream::create();
  void *handle = stream.handle();
  Tensor<float> x = numbers(few), y = numbers(few), z = numbers(few);
  RawLaunch raw(folder + "/add", {&x, &y, &z}, {});
  Tensor<float> a = numbers(few), b = numbers(few);
  RawLaunch rawChain(folder + "/saxpy", {&a, &b}, {0.5});
  const runtime::Driver &driver = detail::driver();

  Shared<float> u = numbers(few).share(), v = numbers(few).share();
  Tensor<float> out = numbers(few), chain = numbers(few);
  Ways ways;
  auto perCall = [&](std::string name, auto once) {
    ways.add(std::move(name), [once]() mutable {
      for (int k = 0; k < calls; ++k) {
        once();
      }
    });
  };
  auto oursOnce = [&] {
    auto [p, q, r] =
        kernels::add(std::move(u), std::move(v), std::move(out)).queue(stream);
    u = std::move(p), v = std::move(q), out = std::move(r);
  };
  auto checked = [&](LedgerMode mode, auto once) {
    return [mode, once] {
      setLedger(mode);
      once();
      setLedger(LedgerMode::Checks);
    };
  };
  perCall("queued_raw", [&] { raw.queue(handle); });
  perCall("queued", oursOnce);
  perCall("queued_ledger_orders", checked(LedgerMode::Orders, oursOnce));
  perCall("waited_raw", [&] {
    raw.queue(handle);
    if (driver.streamSynchronize(handle)) {
      throw RuntimeError(1, "cuStreamSynchronize failed");
    }
  });
  perCall("waited", [&] {
    auto [p, q, r] =
        kernels::add(std::move(u), std::move(v), std::move(out)).sync();
    u = std::move(p), v = std::move(q), out = std::move(r);
  });
  perCall("chained_raw", [&] { rawChain.queue(handle); });
  perCall("chained", [&] {
    auto [p, q] = kernels::saxpy(std::move(u), std::move(chain), {.alpha = 0.5})
                      .queue(stream);
    u = std::move(p), chain = std::move(q);
  });
  auto awaited = [&]() -> Task<Tensor<float>> {
    for (int k = 0; k < calls; ++k) {
      auto [p, q] = co_await kernels::saxpy(std::move(u), std::move(chain),
                                            {.alpha = 0.5});
      u = std::move(p), chain = std::move(q);
    }
    co_return std::move(chain);
  };
  ways.add("chained_coroutine", [&] { chain = awaited().sync(); });
  ways.add("chained_raw_then_waited", [&] {
    for (int k = 0; k < calls; ++k) {
      rawChain.queue(handle);
    }
    driver.streamSynchronize(handle);
  });
  ways.measure(stream);
  return ways.text();
}

//===-- Overlap with the host ---------------------------------------------===//

void work(double microseconds) {
  auto start = Clock::now();
  while (microsecondsSince(start) < microseconds) {
  }
}

/// 300 launches with work of the host between them: the rate without waiting
/// over the rate with waiting, by the work's length over the launch's.
std::string overlap() {
  constexpr int many = 300;
  std::vector<std::string> lines;
  for (int64_t count : {int64_t(1) << 20, int64_t(1) << 23, int64_t(1) << 26}) {
    Stream stream = Stream::create();
    Shared<float> u = numbers(count).share();
    Tensor<float> out = numbers(count);
    auto queueOnce = [&] {
      auto [p, q, r] = kernels::add(u, u, std::move(out)).queue(stream);
      out = std::move(r);
    };
    queueOnce();
    stream.synchronize();
    auto start = Clock::now();
    for (int k = 0; k < many; ++k) {
      queueOnce();
    }
    stream.synchronize();
    double one = microsecondsSince(start) / many;
    for (double part : {0.5, 0.8, 1.0, 1.25, 2.0}) {
      std::vector<double> waited, queued;
      for (int round = 0; round < 7; ++round) {
        start = Clock::now();
        for (int k = 0; k < many; ++k) {
          auto [p, q, r] = kernels::add(u, u, std::move(out)).sync();
          out = std::move(r);
          work(part * one);
        }
        waited.push_back(microsecondsSince(start));
        start = Clock::now();
        for (int k = 0; k < many; ++k) {
          queueOnce();
          work(part * one);
        }
        stream.synchronize();
        queued.push_back(microsecondsSince(start));
      }
      lines.push_back(fmt::format(
          "{{\"elements\": {}, \"launch\": {:.2f}, \"work\": {:.2f}, "
          "\"ratio\": {:.3f}}}",
          count, one, part * one, median(waited) / median(queued)));
    }
  }
  return fmt::format("[{}]", fmt::join(lines, ", "));
}

//===-- Products over streams ---------------------------------------------===//

Tensor<bf16> factors(int64_t size) {
  std::mt19937 draw(static_cast<unsigned>(size));
  std::normal_distribution<float> normal;
  std::vector<bf16> values(static_cast<size_t>(size * size));
  for (bf16 &value : values) {
    value.bits =
        static_cast<uint16_t>(std::bit_cast<uint32_t>(normal(draw)) >> 16);
  }
  return Tensor<bf16>::copyFrom(values, {size, size});
}

/// 2,000 products in a drawn order, 80 % of 512^3 and 20 % of 2048^3, from one
/// thread: time with a wait for each, and on one stream, over that on several.
std::string products() {
  constexpr int many = 2000, slots = 64;
  struct Size {
    int64_t extent;
    Shared<bf16> factor;
    std::vector<Tensor<float>> out;
  };
  std::vector<Size> sizes;
  for (int64_t extent : {512, 2048}) {
    Size size{extent, factors(extent).share(), {}};
    for (int k = 0; k < slots; ++k) {
      size.out.push_back(Tensor<float>::empty({extent, extent}));
    }
    sizes.push_back(std::move(size));
  }
  std::mt19937 draw(7);
  std::vector<int> order;
  for (int k = 0; k < many; ++k) {
    order.push_back(k % 5 == 0);
  }
  std::shuffle(order.begin(), order.end(), draw);
  std::vector<Stream> streams;
  for (int k = 0; k < 32; ++k) {
    streams.push_back(Stream::create());
  }
  // None stands for waiting.
  const std::vector<size_t> counts{0, 1, 2, 4, 8, 16, 32};
  std::vector<std::vector<double>> times(counts.size());
  for (int round = -1; round < 9; ++round) {
    for (size_t c = 0; c < counts.size(); ++c) {
      Device::get().synchronize();
      auto start = Clock::now();
      std::vector<size_t> next(sizes.size());
      for (int which : order) {
        Size &size = sizes[static_cast<size_t>(which)];
        size_t slot = next[static_cast<size_t>(which)]++ % slots;
        const Stream &stream = streams[slot % std::max<size_t>(counts[c], 1)];
        auto [p, q, r] = kernels::gemm_by_size(size.factor, size.factor,
                                               std::move(size.out[slot]))
                             .queue(stream);
        size.out[slot] = std::move(r);
        if (counts[c] == 0) {
          stream.synchronize();
        }
      }
      Device::get().synchronize();
      if (round >= 0) {
        times[c].push_back(microsecondsSince(start));
      }
    }
  }
  std::vector<std::string> lines;
  for (size_t c = 0; c < counts.size(); ++c) {
    lines.push_back(fmt::format(
        "{{\"streams\": {}, \"time\": {:.0f}, \"over_waiting\": {:.3f}, "
        "\"over_one_stream\": {:.3f}}}",
        counts[c], median(times[c]), median(times[0]) / median(times[c]),
        median(times[1]) / median(times[c])));
  }
  return fmt::format("[{}]", fmt::join(lines, ", "));
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 2) {
    rounds = std::atoi(argv[2]);
  }
  if (argc < 2 || rounds < 1) {
    fmt::print(stderr, "usage: launch_times FOLDER [ROUNDS]\n");
    return 3;
  }
  try {
    if (!Device::count()) {
      fmt::print("not run: no GPU\n");
      return 77;
    }
    std::string folder = argv[1];
    kernels::launchers::add::load(folder + "/add");
    kernels::launchers::saxpy::load(folder + "/saxpy");
    std::string text = launches(folder);
    fmt::print("{{\"device\": \"{}\",\n\"launches\": {}", Device::get().name(),
               text);
    std::fflush(stdout);
    if (argc == 2) {
      kernels::launchers::gemm_by_size::load(folder + "/gemm_by_size");
      fmt::print(",\n\"overlap\": {}", overlap());
      std::fflush(stdout);
      fmt::print(",\n\"products\": {}", products());
    }
    fmt::print("}}\n");
  } catch (const RuntimeError &error) {
    fmt::print(stderr, "launch_times: error: {}\n", error.what());
    return error.code();
  }
}
