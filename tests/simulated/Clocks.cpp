// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Clocks.h"

#include <algorithm>

namespace girih::simulated {

void Clock::join(const Clock &other) {
  if (epochs.size() < other.epochs.size()) {
    epochs.resize(other.epochs.size());
  }
  for (size_t k = 0; k < other.epochs.size(); ++k) {
    epochs[k] = std::max(epochs[k], other.epochs[k]);
  }
}

void Clock::join(Stamp stamp) {
  if (stamp.actor < 0) {
    return;
  }
  auto at = static_cast<size_t>(stamp.actor);
  if (epochs.size() <= at) {
    epochs.resize(at + 1);
  }
  epochs[at] = std::max(epochs[at], stamp.epoch);
}

bool Clock::knows(Stamp stamp) const {
  auto at = static_cast<size_t>(stamp.actor);
  return stamp.actor < 0 || (at < epochs.size() && epochs[at] >= stamp.epoch);
}

int Actors::add(const Clock &host) {
  for (int &actor : ended) {
    int found = actor;
    if (host.knows({found, last[static_cast<size_t>(found)]})) {
      actor = ended.back();
      ended.pop_back();
      return found;
    }
  }
  last.push_back(0);
  return static_cast<int>(last.size()) - 1;
}

void Actors::end(int actor) { ended.push_back(actor); }

Stamp Actors::next(int actor) {
  return {actor, ++last[static_cast<size_t>(actor)]};
}

} // namespace girih::simulated
