// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a call asks for to a piece of work: its accesses are checked, its
// clock is joined and it is queued, or it becomes a node of a captured graph.

#include "tests/simulated/State.h"

namespace girih::simulated {

namespace {

/// How long a kernel marked `slow` takes.
constexpr unsigned slowMicroseconds = 2000;

template <typename... Of> struct Overloaded : Of... {
  using Of::operator()...;
};
template <typename... Of> Overloaded(Of...) -> Overloaded<Of...>;

uint64_t pointerOf(const Launch &launch, size_t parameter) {
  return launch.arguments.value<uint64_t>(parameter);
}

/// `refused` becomes why the contract does not admit the launch.
std::vector<Touch> touchesOf(const Launch &launch,
                             std::optional<std::string> &refused) {
  const KernelCode &code = launch.function->module->code;
  if (!code.executed) {
    return code.type->touches(launch.arguments);
  }
  std::vector<Touch> touches;
  refused = code.executed->touch(launch.arguments, touches);
  return touches;
}

std::vector<Access> accessesOf(const Task &task,
                               std::optional<std::string> &refused) {
  std::vector<Access> out;
  auto rows = [&](Address begin, uint64_t width, size_t count, size_t pitch,
                  Mode mode, bool host) {
    for (size_t row = 0; row < count; ++row) {
      out.push_back({begin + row * pitch, width, mode, host, true});
    }
  };
  std::visit(Overloaded{[](const Nothing &) {},
                        [&](const Launch &l) {
                          for (const Touch &t : touchesOf(l, refused)) {
                            out.push_back({pointerOf(l, t.parameter) + t.offset,
                                           t.bytes, t.mode});
                          }
                        },
                        [&](const Copy &c) {
                          rows(c.from, c.width, c.rows, c.fromPitch, Mode::Read,
                               c.fromHost);
                          rows(c.to, c.width, c.rows, c.toPitch, Mode::Write,
                               c.toHost);
                        },
                        [&](const Fill &f) {
                          rows(f.to, f.width * f.elementBytes, f.rows, f.pitch,
                               Mode::Write, false);
                        },
                        [](const HostCall &) {}},
             task);
  return out;
}

std::string nameOfTask(const Task &task) {
  return std::visit(
      Overloaded{[](const Nothing &) { return std::string("nothing"); },
                 [](const Launch &l) {
                   const std::string &name = l.function->module->code.name;
                   return l.function->entry == name
                              ? name
                              : l.function->entry + " (" + name + ")";
                 },
                 [](const Copy &c) {
                   return std::string(c.fromHost ? "copy to device"
                                      : c.toHost ? "copy to host"
                                                 : "copy on device");
                 },
                 [](const Fill &) { return std::string("memset"); },
                 [](const HostCall &) { return std::string("host function"); }},
      task);
}

/// Where the bytes at an address are for the threads.
char *placeOf(Address address, bool host) {
  Allocation *in = state().memory.find(address);
  return in && in->live ? in->at(address)
         : host         ? reinterpret_cast<char *>(address)
                        : nullptr;
}

void copyRows(const Copy &c, char *to, const char *from) {
  for (size_t row = 0; row < c.rows; ++row) {
    std::memmove(to + row * c.toPitch, from + row * c.fromPitch, c.width);
  }
}

void fillRows(const Fill &f, char *to) {
  for (size_t row = 0; row < f.rows; ++row) {
    for (size_t k = 0; k < f.width; ++k) {
      std::memcpy(to + row * f.pitch + k * f.elementBytes, &f.value,
                  f.elementBytes);
    }
  }
}

/// Runs a kernel of the language; what goes wrong there is an error of the
/// device.
std::function<void()> executionOf(const Launch &launch, Op &op,
                                  const std::string &name) {
  return [kernel = launch.function->module->code.executed,
          arguments = launch.arguments, &op, name] {
    if (auto why = kernel->run(arguments)) {
      Lock lock(state().mutex);
      state().faults.report("fault: " + name + ": " + *why);
      op.faults = cu::illegalAddress;
    }
  };
}

std::function<void()> bodyOf(const Task &task, Op &op,
                             const std::string &name) {
  return std::visit(
      Overloaded{[](const Nothing &) { return std::function<void()>(); },
                 [&](const Launch &l) -> std::function<void()> {
                   const KernelType *type = l.function->module->code.type;
                   if (!type) {
                     return executionOf(l, op, name);
                   }
                   if (!type->run) {
                     return [] {};
                   }
                   return [type, arguments = l.arguments] {
                     type->run(arguments);
                   };
                 },
                 [](const Copy &c) -> std::function<void()> {
                   char *to = placeOf(c.to, c.toHost);
                   const char *from = placeOf(c.from, c.fromHost);
                   return [=] {
                     if (c.width) {
                       copyRows(c, to, from);
                     }
                   };
                 },
                 [](const Fill &f) -> std::function<void()> {
                   return [f, to = placeOf(f.to, false)] { fillRows(f, to); };
                 },
                 [](const HostCall &h) -> std::function<void()> {
                   return [h] { h.function(h.data); };
                 }},
      task);
}

/// The places of the memory that a kernel's pointers name.
void resolve(Launch &launch) {
  KernelArguments &arguments = launch.arguments;
  arguments.at.assign(arguments.bytes.size(), nullptr);
  const std::vector<bool> &pointers = launch.function->module->code.pointers;
  for (size_t k = 0; k < pointers.size(); ++k) {
    if (pointers[k]) {
      arguments.at[k] = placeOf(pointerOf(launch, k), false);
    }
  }
}

bool isCapturing(const Stream &stream) { return stream.capture != nullptr; }

} // namespace

std::string nameOf(const Stream &stream) {
  std::string device =
      state().deviceCount > 1
          ? " of device " + std::to_string(stream.context->device)
          : "";
  return stream.legacy ? "the default stream" + device
         : stream.number > 0
             ? "stream " + std::to_string(stream.number) + device
             : "the default stream of a thread" + device;
}

std::shared_ptr<Op> makeOp(const Task &task, const Clock &clock, Stamp stamp,
                           Context &context, const std::string &place) {
  State &s = state();
  auto op = std::make_shared<Op>();
  op->context = &context;
  if (std::holds_alternative<Nothing>(task)) {
    return op;
  }
  Actor actor{stamp, &clock,
              nameOfTask(task) + " #" + std::to_string(++s.taskCount) + " on " +
                  place,
              &context};
  bool sound = true, mayRun = true;
  std::optional<std::string> refused;
  std::vector<Access> accesses = accessesOf(task, refused);
  if (refused) {
    s.faults.report("bad launch: " + actor.name + ": " + *refused);
    sound = mayRun = false;
  }
  for (const Access &access : accesses) {
    bool isThere = true;
    if (auto mistake = s.memory.check(access, actor, s.host, isThere)) {
      s.faults.report(*mistake);
      sound = false;
    }
    mayRun &= isThere;
    if (Allocation *in = s.memory.find(access.begin)) {
      op->uses.push_back(in->backing);
    }
  }
  if (!mayRun) {
    op->faults = cu::illegalAddress;
  }
  Task resolved = task;
  if (auto *launch = std::get_if<Launch>(&resolved)) {
    const KernelCode &code = launch->function->module->code;
    op->gated = code.gated;
    op->slow = code.slow ? slowMicroseconds : 0;
    if (code.type && !code.type->run) {
      op->faults = cu::illegalAddress;
    }
    resolve(*launch);
  }
  // Work that races does not run: what it would leave is anybody's guess.
  op->body = sound ? bodyOf(resolved, *op, actor.name) : [] {};
  op->onHost = std::holds_alternative<HostCall>(task);
  if (op->onHost) {
    op->hostClock = clock;
  }
  return op;
}

std::shared_ptr<Op> queueOn(Stream &stream, const Task &task, Context &context,
                            std::vector<std::shared_ptr<Op>> also,
                            const Clock *alsoClock) {
  State &s = state();
  also.push_back(stream.last);
  stream.clock.join(s.host);
  if (alsoClock) {
    stream.clock.join(*alsoClock);
  }
  Context &home = *stream.context;
  if (stream.legacy) {
    s.streams.forEach([&](Stream &other) {
      if (other.blocking && other.context == &home) {
        also.push_back(other.last);
        stream.clock.join(other.clock);
      }
    });
  } else if (stream.blocking) {
    also.push_back(home.legacy.last);
    stream.clock.join(home.legacy.clock);
  }
  Stamp stamp = s.actors.next(stream.actor);
  stream.clock.join(stamp);
  std::shared_ptr<Op> op =
      makeOp(task, stream.clock, stamp, context, nameOf(stream));
  stream.last = op;
  s.workers.queue(op, also);
  return op;
}

int submit(Stream &stream, Task task, Context *context) {
  Context &in = context ? *context : *stream.context;
  if (isCapturing(stream)) {
    if (stream.capture->invalid) {
      return cu::captureInvalidated;
    }
    stream.tails = {
        addNode(*stream.capture->graph, std::move(task), in, stream.tails)};
    return 0;
  }
  if (int error = besideImplicit(stream)) {
    return error;
  }
  queueOn(stream, task, in);
  return 0;
}

} // namespace girih::simulated
