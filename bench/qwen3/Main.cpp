// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// qwen3 inspect FOLDER: reads the configuration and the weights of a model,
// and says what they are, or what is wrong with them (exit code 3).
// qwen3 tokens FOLDER KERNELS COUNT TOKEN...: the most likely tokens that
// follow a prompt of tokens.
// qwen3 time FOLDER KERNELS PROMPT COUNT [SEQUENCES]: a prompt of so many
// tokens and an answer of so many, for each of as many sequences at once;
// prints microseconds as JSON.
// Both take --weights=bf16, f8 or int4, and --devices=0,1: the model is cut
// over these GPUs.

#include "bench/qwen3/Engine.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

using namespace girih;
using namespace girih::qwen3;

namespace {

void inspect(const char *folder) {
  Config config = Config::read(folder);
  Checkpoint checkpoint = Checkpoint::open(folder);
  Weights weights = Weights::of(config, checkpoint);
  fmt::print("Qwen3: {} layers of {}, MLP of {}, {} heads of {} on {}, "
             "vocabulary {}{}, up to {} positions\n"
             "{} tensors of bf16 in {}, {:.2f} GB\n",
             weights.layers.size(), config.width, config.inner, config.heads,
             config.depth, config.cacheHeads, config.vocabulary,
             config.isTied ? ", which is the head, too" : "", config.positions,
             checkpoint.tensors().size(),
             checkpoint.fileCount() == 1
                 ? "one file"
                 : fmt::format("{} files", checkpoint.fileCount()),
             double(checkpoint.byteCount()) / 1e9);
}

std::int32_t numberOf(std::string_view text) {
  std::int32_t out = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out < 0) {
    throw RuntimeError(3, fmt::format("'{}' is no number from 0", text));
  }
  return out;
}

/// The tokens of an answer, which has as many as were asked for.
std::vector<std::int32_t> waitFor(Request &request) {
  std::vector<std::int32_t> out;
  std::int32_t token = 0;
  Seen event = Seen::Token;
  while ((event = request.next(std::chrono::milliseconds(-1), token)) ==
         Seen::Token) {
    out.push_back(token);
  }
  if (event != Seen::Length) {
    throw RuntimeError(1, request.error());
  }
  return out;
}

/// The ordinals of `--devices=0,1`; each once.
std::vector<int> devicesOf(std::string_view list) {
  std::vector<int> out;
  while (true) {
    std::size_t end = std::min(list.find(','), list.size());
    out.push_back(numberOf(list.substr(0, end)));
    if (end == list.size()) {
      return out;
    }
    list.remove_prefix(end + 1);
  }
}

void tokens(std::span<char *> arguments, const Options &options) {
  std::vector<std::int32_t> prompt;
  for (char *text : arguments.subspan(3)) {
    prompt.push_back(numberOf(text));
  }
  Engine engine(arguments[0], arguments[1], options, {});
  auto request =
      engine.submit({prompt, numberOf(arguments[2]), Sampling(), {}});
  for (std::int32_t token : waitFor(*request)) {
    fmt::print("{} ", token);
  }
  fmt::print("\n");
}

/// Takes `--weights=` and `--devices=` out of all arguments.
Options takeOptions(std::vector<char *> &arguments) {
  constexpr std::string_view weights = "--weights=", devices = "--devices=";
  Options options;
  std::erase_if(arguments, [&](std::string_view text) {
    if (text.starts_with(weights)) {
      options.format = formatOf(text.substr(weights.size()));
      return true;
    }
    if (text.starts_with(devices)) {
      options.devices = devicesOf(text.substr(devices.size()));
      // Before NCCL is loaded: see README.md.
      setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", /*overwrite=*/0);
      return true;
    }
    return false;
  });
  return options;
}

double median(std::vector<double> times) {
  auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

void time(std::span<char *> arguments, Options options) {
  std::int64_t length = numberOf(arguments[2]), count = numberOf(arguments[3]);
  std::int64_t sequences = arguments.size() > 4 ? numberOf(arguments[4]) : 1;
  if (length < 1 || count < 2) {
    throw RuntimeError(3, "a prompt has a token, an answer two");
  }
  options.positions = length + count;
  options.sequences = sequences;
  Engine engine(arguments[0], arguments[1], options, {});
  using Clock = std::chrono::steady_clock;
  std::vector<double> firsts, steps;
  for (int round = 0; round < 5; ++round) {
    auto start = Clock::now();
    std::vector<std::shared_ptr<Request>> all;
    for (std::int64_t k = 0; k < sequences; ++k) {
      std::vector<std::int32_t> prompt;
      for (std::int64_t t = 0; t < length; ++t) {
        prompt.push_back(static_cast<std::int32_t>((t * 7919 + 13 + k) % 1000));
      }
      all.push_back(engine.submit({std::move(prompt), count, Sampling(), {}}));
    }
    // The last sequence begins last: when its first token is there, all run.
    std::int32_t token = 0;
    all.back()->next(std::chrono::milliseconds(-1), token);
    auto first = Clock::now();
    waitFor(*all.back());
    auto last = Clock::now();
    auto us = [](auto time) {
      return std::chrono::duration<double, std::micro>(time).count();
    };
    firsts.push_back(us(first - start) / double(sequences));
    steps.push_back(us(last - first) / double(count - 1));
  }
  fmt::print("{{\"weights\": \"{}\", \"prompt\": {}, \"answer\": {}, "
             "\"sequences\": {}, \"first_token_us\": {:.1f}, "
             "\"step_us\": {:.1f}}}\n",
             nameOf(options.format), length, count, sequences, median(firsts),
             median(steps));
}

} // namespace

int main(int argc, char **argv) {
  std::vector<char *> rest(argv + std::min(argc, 2), argv + argc);
  std::string_view command = argc > 1 ? argv[1] : "";
  try {
    Options options = takeOptions(rest);
    std::span<char *> arguments(rest);
    std::size_t count = arguments.size();
    if (command == "inspect" && count == 1) {
      inspect(arguments[0]);
    } else if (command == "tokens" && count >= 4) {
      tokens(arguments, options);
    } else if (command == "time" && (count == 4 || count == 5)) {
      time(arguments, options);
    } else {
      fmt::print(stderr,
                 "usage: qwen3 inspect FOLDER\n"
                 "       qwen3 tokens FOLDER KERNELS COUNT TOKEN...\n"
                 "       qwen3 time FOLDER KERNELS PROMPT COUNT [SEQUENCES]\n"
                 "tokens and time take --weights=bf16, f8 or int4, and "
                 "--devices=0,1\n");
      return 3;
    }
    return 0;
  } catch (const RuntimeError &error) {
    fmt::print(stderr, "qwen3: error: {}\n", error.what());
    return error.code();
  } catch (const std::exception &error) {
    fmt::print(stderr, "qwen3: error: {}\n", error.what());
    return 1;
  }
}
