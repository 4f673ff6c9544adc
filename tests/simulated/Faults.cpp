// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Faults.h"

#include "tests/simulated/Control.h"
#include "tests/simulated/State.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace girih::simulated {

int Faults::enter(const std::string &name) {
  ++calls[name];
  ++allCalls;
  if (isInHostFunction()) {
    report("call in a host function: " + name);
    return notPermitted;
  }
  bool isSpared = spared.contains(name);
  int error = 0;
  for (Rule &rule : rules) {
    bool counts = rule.name == name || (rule.name == "*" && !isSpared);
    if (counts && rule.left > 0 && --rule.left == 0) {
      error = rule.error;
    }
  }
  std::uniform_real_distribution<double> draw(0, 1);
  if (probability > 0 && !isSpared && draw(random) < probability) {
    error = randomError;
  }
  return error;
}

int Faults::leave(int error) {
  failed += error != cu::success && error != cu::notReady;
  return error;
}

int Faults::unknownHandle(const std::string &call, const char *kind) {
  report("unknown handle: " + call + " is given no live " + kind);
  return cu::invalidHandle;
}

void Faults::clear(uint64_t newSeed) {
  seed = newSeed;
  random.seed(newSeed);
  rules.clear();
  probability = 0;
  spared.clear();
  calls.clear();
  allCalls = 0;
  failed = 0;
  errors.clear();
}

static uint64_t seedOfEnvironment() {
  const char *text = std::getenv("GIRIH_SIM_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

/// 1 GiB for each device.
static constexpr uint64_t defaultLimit = uint64_t(1) << 30;

static void startAgain(State &s, uint64_t seed) {
  s.faults.clear(seed);
  s.workers.seed(seed);
  for (int k = 0; k < maxDevices; ++k) {
    Device &device = s.devices[k];
    device.limit = defaultLimit;
    device.pool = {};
    Context &context = device.primary;
    context.sticky = 0;
    context.peers.clear();
    context.perThread.clear();
    context.device = k;
    context.legacy = {};
    context.legacy.context = &context;
    context.legacy.legacy = true;
    context.legacy.actor = s.actors.add(s.host);
  }
}

State::State() { startAgain(*this, seedOfEnvironment()); }

State &state() {
  // Never destroyed: its threads run until the process ends.
  static State &only = *new State;
  return only;
}

} // namespace girih::simulated

using namespace girih::simulated;

extern "C" {

void simReset(uint64_t seed) {
  State &s = state();
  Lock lock(s.mutex);
  s.workers.failWorkIn = 0;
  s.workers.openGates(true);
  s.workers.waitForAll(lock);
  s.workers.openGates(false);
  s.workers.done = 0;
  s.streams.clear();
  s.events.clear();
  s.functions.clear();
  s.modules.clear();
  s.executables.clear();
  s.graphs.clear();
  s.nodes.clear();
  s.captures.clear();
  s.memory.clear();
  s.host.clear();
  s.actors = {};
  s.deviceCount = 2;
  s.peersReach = true;
  s.streamCount = 0;
  s.taskCount = 0;
  startAgain(s, seed);
}

uint64_t simSeed() {
  Lock lock(state().mutex);
  return state().faults.seed;
}

void simDelay(unsigned microseconds) {
  Lock lock(state().mutex);
  state().workers.delay = microseconds;
}

void simFailCall(const char *name, int n, int error) {
  Lock lock(state().mutex);
  state().faults.rules.push_back({name, n, error});
}

void simFailRandomly(double probability, int error) {
  Lock lock(state().mutex);
  state().faults.probability = probability;
  state().faults.randomError = error;
}

void simStopFailing() {
  Lock lock(state().mutex);
  state().faults.rules.clear();
  state().faults.probability = 0;
}

void simSpare(const char *name) {
  Lock lock(state().mutex);
  state().faults.spared.insert(name);
}

void simFailWork(int n, int error) {
  Lock lock(state().mutex);
  state().workers.failWorkIn = n;
  state().workers.failWorkWith = error;
}

void simMemoryLimit(int device, uint64_t bytes) {
  Lock lock(state().mutex);
  state().devices[device].limit = bytes;
}

void simDevices(int count) {
  Lock lock(state().mutex);
  state().deviceCount = std::clamp(count, 0, maxDevices);
}

void simPeers(int reach) {
  Lock lock(state().mutex);
  state().peersReach = reach != 0;
}

void simOpenGates() {
  Lock lock(state().mutex);
  state().workers.openGates(true);
}

void simCloseGates() {
  Lock lock(state().mutex);
  state().workers.openGates(false);
}

int simCalls(const char *name) {
  Lock lock(state().mutex);
  Faults &faults = state().faults;
  if (std::strcmp(name, "*") == 0) {
    return faults.allCalls;
  }
  auto found = faults.calls.find(name);
  return found == faults.calls.end() ? 0 : found->second;
}

int simFailedCalls() {
  Lock lock(state().mutex);
  return state().faults.failed;
}

uint64_t simLiveBytes(int device) {
  Lock lock(state().mutex);
  return state().memory.live[device];
}

int simLiveAllocations(int device) {
  Lock lock(state().mutex);
  return state().memory.liveCount[device];
}

int simLiveHandles() {
  State &s = state();
  Lock lock(s.mutex);
  int live = 0;
  auto count = [&](auto &) { ++live; };
  s.streams.forEach([&](Stream &stream) {
    // The stream of a thread is nobody's to destroy.
    live += stream.number > 0;
  });
  s.events.forEach(count);
  s.graphs.forEach(count);
  s.executables.forEach(count);
  s.modules.forEach(count);
  return live;
}

int simOutstanding() {
  Lock lock(state().mutex);
  return state().workers.outstanding;
}

int simDone() {
  Lock lock(state().mutex);
  return state().workers.done;
}

int simErrors() {
  Lock lock(state().mutex);
  return static_cast<int>(state().faults.errors.size());
}

const char *simError(int number) {
  Lock lock(state().mutex);
  auto &errors = state().faults.errors;
  auto at = static_cast<size_t>(number);
  return at < errors.size() ? errors[at].c_str() : nullptr;
}

int simFindLeaks() {
  State &s = state();
  Lock lock(s.mutex);
  size_t before = s.faults.errors.size();
  auto leak = [&](Context *of, const std::string &what) {
    if (!of || !of->sticky) {
      s.faults.report("leak: " + what);
    }
  };
  for (auto &[begin, memory] : s.memory.all) {
    if (memory.live) {
      leak(memory.pinned ? memory.context : &s.devices[memory.device].primary,
           std::to_string(memory.bytes) + " bytes of " + memory.made);
    }
  }
  s.streams.forEach([&](Stream &stream) {
    if (stream.number > 0) {
      leak(stream.context, nameOf(stream));
    }
  });
  s.events.forEach([&](Event &event) { leak(event.context, "an event"); });
  s.modules.forEach([&](Module &module) {
    leak(module.context, "the module of " + module.code.name);
  });
  s.graphs.forEach([&](Graph &) { leak(nullptr, "a graph"); });
  s.executables.forEach([&](Executable &executable) {
    leak(executable.context, "an executable graph");
  });
  return static_cast<int>(s.faults.errors.size() - before);
}

int simPeek(uint64_t address, void *to, size_t bytes) {
  Lock lock(state().mutex);
  Allocation *in = state().memory.find(address);
  if (!in || !in->live || in->bytes - (address - in->begin) < bytes) {
    return 1;
  }
  std::memcpy(to, in->at(address), bytes);
  return 0;
}

} // extern "C"
