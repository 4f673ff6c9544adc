// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the simulated driver knows, behind one lock.

#ifndef GIRIH_TESTS_SIMULATED_STATE_H
#define GIRIH_TESTS_SIMULATED_STATE_H

#include "runtime/driver/HostFunctions.h"
#include "tests/simulated/Faults.h"
#include "tests/simulated/Kernels.h"
#include "tests/simulated/Memory.h"
#include "tests/simulated/Work.h"

#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>

namespace girih::simulated {

namespace cu = runtime::cu;
constexpr int notPermitted = 800, notSupported = 801;
constexpr int maxDevices = 4;

struct Graph;
struct Node;
struct Capture;

struct Stream {
  Context *context = nullptr;
  bool blocking = true;
  bool legacy = false;
  int number = 0; ///< for messages
  int priority = 0;
  bool live = true;
  int actor = -1;
  Clock clock;
  std::shared_ptr<Op> last;
  std::shared_ptr<Capture> capture;
  std::vector<Node *> tails; ///< what the next captured node is behind
};

struct Event {
  Context *context = nullptr;
  unsigned flags = 0;
  bool live = true;
  std::shared_ptr<Op> op; ///< null until it is recorded
  Clock clock;
  std::shared_ptr<Capture> capture; ///< in which it was recorded last
  std::vector<Node *> nodes;
};

struct Context {
  int device = 0;
  int sticky = 0; ///< the error that every later call reports
  Stream legacy;
  std::map<std::thread::id, Stream *> perThread;
  Clock endedStreams;        ///< after the work of those that were destroyed
  std::set<Context *> peers; ///< whose memory its kernels reach
};

struct Pool {
  uint64_t attributes[9] = {};
  std::set<int> reachedBy; ///< devices beyond its own
};

struct Device {
  Context primary;
  Pool pool;
  uint64_t limit = 0;
};

struct Module {
  Context *context = nullptr;
  bool live = true;
  KernelCode code;
};

struct Function {
  Module *module = nullptr;
  std::string entry;
  bool live = true;
};

// What one piece of work is to do.

struct Nothing {};

struct Launch {
  const Function *function = nullptr;
  KernelArguments arguments;
};

struct Copy {
  Address to = 0, from = 0;
  bool toHost = false, fromHost = false;
  size_t width = 0, rows = 1, toPitch = 0, fromPitch = 0;
};

struct Fill {
  Address to = 0;
  unsigned value = 0, elementBytes = 1;
  size_t width = 0, rows = 1, pitch = 0; ///< width in elements
};

struct HostCall {
  runtime::HostFunction function = nullptr;
  void *data = nullptr;
};

using Task = std::variant<Nothing, Launch, Copy, Fill, HostCall>;

struct Node {
  Graph *graph = nullptr;
  Context *context = nullptr;
  Task task;
  std::vector<Node *> behind;
  std::set<Node *> early; ///< of those, what it need not wait for to start
  bool live = true;
  std::vector<void *> pointers; ///< to the parameters, for who asks
  std::vector<Node *> children; ///< of a child graph: copies of its nodes
};

struct Graph {
  bool live = true;
  std::vector<Node *> nodes;
};

struct Capture {
  Graph *graph = nullptr;
  int mode = cu::captureGlobal;
  std::thread::id thread;
  Stream *origin = nullptr;
  bool invalid = false;
};

struct Executable {
  struct Step {
    const Node *node = nullptr;
    Context *context = nullptr;
    Task task;
    std::vector<size_t> behind; ///< earlier steps
    int actor = -1;
  };
  Context *context = nullptr;
  std::vector<Step> steps;
  Clock clock; ///< after its last launch
  std::shared_ptr<Op> last;
  bool live = true;
};

/// Objects by handle. One that is destroyed stays, so that its handle is not
/// that of another.
template <typename T> class Handles {
public:
  T *add() {
    auto made = std::make_unique<T>();
    T *handle = made.get();
    all[handle] = std::move(made);
    return handle;
  }
  T *find(const void *handle) {
    auto found = all.find(handle);
    return found == all.end() || !found->second->live ? nullptr
                                                      : found->second.get();
  }
  template <typename Visit> void forEach(Visit visit) {
    for (auto &[handle, object] : all) {
      if (object->live) {
        visit(*object);
      }
    }
  }
  /// Destroyed ones too.
  template <typename Visit> void forEachEver(Visit visit) {
    for (auto &[handle, object] : all) {
      visit(*object);
    }
  }
  void clear() { all.clear(); }

private:
  std::unordered_map<const void *, std::unique_ptr<T>> all;
};

struct State {
  std::mutex mutex;
  Workers workers;
  Faults faults;
  Clock host; ///< what the host knows to be done
  Actors actors;
  Memory memory;
  int deviceCount = 2;
  bool peersReach = true;
  Device devices[maxDevices];
  Handles<Stream> streams;
  Handles<Event> events;
  Handles<Module> modules;
  Handles<Function> functions;
  Handles<Graph> graphs;
  Handles<Node> nodes;
  Handles<Executable> executables;
  std::vector<std::shared_ptr<Capture>> captures;
  int streamCount = 0, taskCount = 0;

  State();
  /// Whether kernels of a context may touch memory.
  bool mayReach(const Context &context, const Allocation &memory) const;
  /// Takes and gives back what a call for memory books; the CUresult.
  int allocate(uint64_t bytes, Context &context, bool pooled,
               Allocation *&made);
  void release(Allocation &allocation);
};

State &state();

/// The context that is current in this thread, or null.
Context *currentContext();
/// The stream of a handle, or null with the error.
Stream *streamOf(const char *call, void *handle, int &error);

/// The error of a call that no capture allows to this thread; it ruins those
/// that forbid it.
int besideCaptures();
/// The same for a call on a stream that is not captured itself.
int besideImplicit(const Stream &stream);
void ruin(Capture &capture);

/// Queues a task on a stream, or adds it to the graph that the stream captures.
int submit(Stream &stream, Task task, Context *context = nullptr);
/// Queues a piece of work behind the last ones on a stream. Its stamp.
std::shared_ptr<Op> queueOn(Stream &stream, const Task &task, Context &context,
                            std::vector<std::shared_ptr<Op>> also = {},
                            const Clock *alsoClock = nullptr);
/// Checks the accesses of a task, and what is to run.
std::shared_ptr<Op> makeOp(const Task &task, const Clock &clock, Stamp stamp,
                           Context &context, const std::string &place);
/// Of a stream, for messages.
std::string nameOf(const Stream &stream);

/// What a launch of a function with these parameters is to do.
Launch launchOf(const Function &function, void **parameters, uint64_t blocks);

Node *addNode(Graph &graph, Task task, Context &context,
              std::vector<Node *> behind);

/// Of every function: counts it, fails it if it is to fail, runs its body with
/// the lock.
template <typename Body> int call(const char *name, Body body) {
  Lock lock(state().mutex);
  int error = state().faults.enter(name);
  if (!error) {
    error = body(lock);
  }
  return state().faults.leave(error);
}

/// The same for functions that need a context in which no error is.
template <typename Body> int inContext(const char *name, Body body) {
  return call(name, [&](Lock &lock) -> int {
    Context *context = currentContext();
    return !context          ? cu::invalidContext
           : context->sticky ? context->sticky
                             : body(lock, *context);
  });
}

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_STATE_H
