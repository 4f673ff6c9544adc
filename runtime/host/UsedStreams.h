// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GIRIH_RUNTIME_HOST_USEDSTREAMS_H
#define GIRIH_RUNTIME_HOST_USEDSTREAMS_H

#include "runtime/host/States.h"
#include "runtime/host/Stream.h"

#include <algorithm>

namespace girih::detail {

/// The streams on which loaded code was queued, for who unloads it. Those of
/// others may be gone by then, and a program that makes a stream for each
/// request would have all of them kept here: neither is remembered.
class UsedStreams {
public:
  void note(const Stream &stream) {
    if (!streams.empty() && streams.back() == stream) {
      return;
    }
    if (!stream.internal()->isOwned) {
      all = false;
    } else if (std::find(streams.begin(), streams.end(), stream) ==
               streams.end()) {
      if (streams.size() < maxStreams) {
        streams.push_back(stream);
      } else {
        all = false;
      }
    }
  }
  /// Of work whose end nobody here can wait for.
  void noteUnknown() noexcept { all = false; }

  /// Whether those that are remembered are all.
  bool areAll() const noexcept { return all; }
  const std::vector<Stream> &remembered() const noexcept { return streams; }

private:
  static constexpr size_t maxStreams = 64;
  std::vector<Stream> streams;
  bool all = true;
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_HOST_USEDSTREAMS_H
