// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// qwen3 inspect FOLDER: reads the configuration and the weights of a model,
// and says what they are, or what is wrong with them (exit code 3).

#include "bench/qwen3/Config.h"
#include "runtime/host/Error.h"

#include <cstdio>
#include <fmt/format.h>
#include <string_view>

using namespace girih;
using namespace girih::qwen3;

static void inspect(const char *folder) {
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

int main(int argc, char **argv) {
  if (argc != 3 || std::string_view(argv[1]) != "inspect") {
    fmt::print(stderr, "usage: qwen3 inspect FOLDER\n");
    return 3;
  }
  try {
    inspect(argv[2]);
    return 0;
  } catch (const RuntimeError &error) {
    fmt::print(stderr, "qwen3: error: {}\n", error.what());
    return error.code();
  } catch (const std::exception &error) {
    fmt::print(stderr, "qwen3: error: {}\n", error.what());
    return 1;
  }
}
