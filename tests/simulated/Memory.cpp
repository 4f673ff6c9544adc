// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Memory.h"

#include "tests/simulated/State.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace girih::simulated {

/// Addresses that the process may use up.
static constexpr uint64_t rangeBytes = uint64_t(1) << 41;
/// Between two allocations, so that an overrun meets no neighbour.
static constexpr uint64_t gap = 4096;
/// As of the driver.
static constexpr uint64_t alignment = 512;
/// What new memory holds: NaN in every format.
static constexpr char fresh = '\xff';

Backing::Backing(size_t bytes) : bytes(bytes, fresh) {}

char *Allocation::at(Address address) const {
  return pinned ? reinterpret_cast<char *>(address)
                : backing->bytes.data() + (address - begin);
}

static std::string textOf(const Access &access) {
  std::ostringstream out;
  out << (access.mode == Mode::Read    ? "reads "
          : access.mode == Mode::Write ? "writes "
                                       : "updates ")
      << access.bytes << " bytes at 0x" << std::hex << access.begin;
  return out.str();
}

std::optional<std::string> Uses::add(const Access &access, const Actor &actor,
                                     const Clock &host) {
  Address begin = access.begin, end = begin + access.bytes;
  std::optional<std::string> race;
  std::erase_if(list, [&](const Use &use) {
    // All work that comes later is behind what the host knows to be done.
    if (host.knows(use.stamp)) {
      return true;
    }
    bool overlaps = use.begin < end && begin < use.end;
    bool ordered = actor.clock->knows(use.stamp);
    bool same = use.stamp.actor == actor.stamp.actor &&
                use.stamp.epoch == actor.stamp.epoch;
    if (overlaps && !ordered && !same && !race &&
        (use.mode != access.mode || access.mode == Mode::Write)) {
      race = use.name;
    }
    // What conflicts with it conflicts with this one, or is behind both.
    return ordered && begin <= use.begin && use.end <= end &&
           (access.mode == Mode::Write || use.mode == access.mode);
  });
  list.push_back({begin, end, access.mode, actor.stamp, actor.name});
  return race;
}

std::optional<std::string> Uses::unordered(const Clock &clock) const {
  for (const Use &use : list) {
    if (!clock.knows(use.stamp)) {
      return use.name;
    }
  }
  return std::nullopt;
}

Allocation *Memory::allocate(uint64_t bytes, int device, Context *context) {
  if (next == 0) {
    // Past the interceptors of sanitizers, which would map shadow for it.
    long at = syscall(SYS_mmap, nullptr, rangeBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == -1) {
      return nullptr;
    }
    next = (static_cast<Address>(at) + alignment - 1) / alignment * alignment;
    end = static_cast<Address>(at) + rangeBytes;
  }
  uint64_t size = (bytes + alignment - 1) / alignment * alignment + gap;
  if (end - next < size) {
    return nullptr;
  }
  Allocation &made = all[next];
  made.begin = next;
  made.bytes = bytes;
  made.device = device;
  made.context = context;
  made.backing = std::make_shared<Backing>(bytes);
  next += size;
  live[device] += bytes;
  ++liveCount[device];
  return &made;
}

Allocation *Memory::pin(uint64_t bytes, Context *context) {
  void *host = mmap(nullptr, std::max<uint64_t>(bytes, 1),
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (host == MAP_FAILED) {
    return nullptr;
  }
  std::memset(host, fresh, bytes);
  auto begin = reinterpret_cast<Address>(host);
  Allocation &made = all[begin];
  made.begin = begin;
  made.bytes = bytes;
  made.context = context;
  made.pinned = true;
  return &made;
}

Allocation *Memory::find(Address address) {
  auto after = all.upper_bound(address);
  if (after == all.begin()) {
    return nullptr;
  }
  Allocation &found = std::prev(after)->second;
  return address - found.begin < std::max<uint64_t>(found.bytes, 1) ? &found
                                                                    : nullptr;
}

void Memory::release(Allocation &allocation) {
  allocation.live = false;
  allocation.backing = nullptr;
  allocation.uses.clear();
  if (allocation.pinned) {
    // Whatever the host had there next would be taken for it.
    mmap(reinterpret_cast<void *>(allocation.begin),
         std::max<uint64_t>(allocation.bytes, 1), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  } else {
    live[allocation.device] -= allocation.bytes;
    --liveCount[allocation.device];
  }
}

void Memory::clear() {
  all.clear();
  hostUses.clear();
  for (int device = 0; device < 4; ++device) {
    live[device] = 0;
    liveCount[device] = 0;
  }
}

std::optional<std::string> Memory::check(const Access &access,
                                         const Actor &actor, const Clock &host,
                                         bool &mayRun) {
  if (access.bytes == 0) {
    return std::nullopt;
  }
  std::string does = actor.name + " " + textOf(access);
  if (access.host && !find(access.begin)) {
    auto race = hostUses.add(access, actor, host);
    return race ? std::optional("race: " + does +
                                " of the host, as does unordered " + *race)
                : std::nullopt;
  }
  Allocation *in = find(access.begin);
  mayRun = false;
  if (!in) {
    return "out of bounds: " + does + ", where nothing is allocated";
  }
  if (!in->live) {
    return "use after free: " + does + ", freed by " + in->freed;
  }
  if (access.begin - in->begin + access.bytes > in->bytes) {
    return "out of bounds: " + does + ", beyond " + std::to_string(in->bytes) +
           " bytes of " + in->made;
  }
  if (!access.copy && !state().mayReach(*actor.context, *in)) {
    return "no peer access: " + does + " of device " +
           std::to_string(in->device);
  }
  if (!actor.clock->knows(in->madeAt)) {
    return "use before allocation: " + does + ", not behind " + in->made;
  }
  mayRun = true;
  if (auto race = in->uses.add(access, actor, host)) {
    return "race: " + does + ", as does unordered " + *race;
  }
  return std::nullopt;
}

std::optional<std::string> Memory::checkFree(Allocation &allocation,
                                             const Clock &clock,
                                             const std::string &name) {
  if (!clock.knows(allocation.madeAt)) {
    return "free before allocation: " + name + " is not behind " +
           allocation.made;
  }
  if (auto use = allocation.uses.unordered(clock)) {
    return "free in flight: " + name + " frees " + allocation.made +
           " and is not behind " + *use;
  }
  return std::nullopt;
}

} // namespace girih::simulated
