// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/ranks/Ranks.h"

#include <algorithm>

namespace girih::qwen3 {

Ranks Ranks::load(const std::filesystem::path &folder, std::int64_t positions,
                  std::span<const int> ordinals, const Progress &progress) {
  std::vector<Device> devices;
  std::vector<Stream> streams;
  for (int ordinal : ordinals) {
    devices.push_back(Device::get(ordinal));
    streams.push_back(Stream::create(devices.back()));
  }
  // In front of what takes long to load.
  Communicator communicator = Communicator::all(devices),
               ofGraphs = Communicator::all(devices);
  return {std::move(communicator), std::move(ofGraphs),
          Model::loadRanks(folder, positions, devices, progress),
          std::move(streams)};
}

bool Ranks::haveRun() const {
  try {
    ofGraphs.check();
    return std::ranges::all_of(
        streams, [](const Stream &stream) { return stream.query(); });
  } catch (...) {
    wait(); // which ends the others, and says why
    throw;
  }
}

} // namespace girih::qwen3
