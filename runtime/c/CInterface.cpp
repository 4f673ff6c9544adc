// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface over the runtime's functions. Callers are taken for careless:
// whatever can be told from a handle or a number is checked, and no exception
// leaves.

#include "runtime/artefact/Text.h"
#include "runtime/c/CGuard.h"
#include "runtime/c/Calls.h"
#include "runtime/c/Handles.h"

#include <fmt/format.h>

using namespace girih::runtime;

static_assert(static_cast<int>(Evidence::None) == GIRIH_NOTHING &&
              static_cast<int>(Evidence::Contents) == GIRIH_CONTENTS &&
              static_cast<int>(Evidence::Vouched) == GIRIH_VOUCHED &&
              static_cast<int>(Evidence::Validated) == GIRIH_VALIDATED);

namespace {

/// A kernel in one context: its code, and the calls of girih_call that passed.
struct KernelInContext {
  Context context;
  std::unique_ptr<Kernel> code;
  PassedCalls passed;
};

/// An artefact, and its code where something was prepared. Lives until it is
/// closed and its launches are released.
struct LoadedKernel {
  std::shared_ptr<const Artefact> artefact;
  std::atomic<bool> closed = false;
  std::mutex mutex; ///< of what follows
  std::map<void *, KernelInContext> byContext;

  explicit LoadedKernel(Artefact read)
      : artefact(std::make_shared<const Artefact>(std::move(read))) {}
  ~LoadedKernel() {
    for (auto &[context, kernel] : byContext) {
      Entered entered(*driverOnce(), context);
      BesideCaptures beside(*driverOnce());
      kernel.code.reset();
    }
  }
};

struct PreparedLaunch {
  std::shared_ptr<LoadedKernel> kernel;
  const Context context;
  std::mutex mutex; ///< of what follows
  KernelLaunch launch;

  PreparedLaunch(std::shared_ptr<LoadedKernel> kernel, Context context,
                 KernelLaunch launch)
      : kernel(std::move(kernel)), context(std::move(context)),
        launch(std::move(launch)) {}
  ~PreparedLaunch() {
    Entered entered(*driverOnce(), context.handle);
    BesideCaptures beside(*driverOnce());
    launch.validations.clear();
  }
};

} // namespace

// Never destroyed: a thread may outlive the end of main.
static auto &kernels = *new Handles<girih_kernel, LoadedKernel, 0x6b>;
static auto &launches = *new Handles<girih_launch, PreparedLaunch, 0x6c>;

/// Why a handle stands for nothing.
template <typename Handles, typename Handle>
static Error stale(const Handles &handles, const Handle *handle,
                   const char *what, const char *ended) {
  return misuse(!handle ? fmt::format("the {} is null", what)
                : handles.wasGiven(handle)
                    ? fmt::format("the {} was {} already", what, ended)
                    : fmt::format("{:#x} is no {}",
                                  reinterpret_cast<uintptr_t>(handle), what));
}

static Error stale(const girih_kernel *kernel) {
  return stale(kernels, kernel, "kernel", "closed");
}

static Error stale(const girih_launch *launch) {
  return stale(launches, launch, "launch", "released");
}

const char *girih_error(void) { return lastError.c_str(); }

static Step openKernel(const char *folder, const Policy *policy,
                       girih_kernel **kernel) {
  if (!folder) {
    return misuse("the folder is null");
  }
  Expected<Artefact> artefact = loadArtefact(folder, policy);
  if (!artefact) {
    return artefact.error();
  }
  *kernel = kernels.add(std::make_shared<LoadedKernel>(std::move(*artefact)));
  return std::nullopt;
}

int girih_open(const char *folder, girih_kernel **kernel) {
  return guarded([&]() -> Step {
    if (!kernel) {
      return misuse("there is no place for the kernel");
    }
    *kernel = nullptr;
    return openKernel(folder, nullptr, kernel);
  });
}

int girih_open_signed(const char *folder, const char *policy,
                      girih_kernel **kernel) {
  return guarded([&]() -> Step {
    if (!kernel) {
      return misuse("there is no place for the kernel");
    }
    *kernel = nullptr;
    if (!policy) {
      return misuse("the policy is null");
    }
    Expected<Policy> read = readPolicy(policy);
    return read ? openKernel(folder, &*read, kernel) : Step(read.error());
  });
}

int girih_close(girih_kernel *kernel) {
  return guarded([&]() -> Step {
    std::shared_ptr<LoadedKernel> loaded = kernels.take(kernel);
    if (loaded) {
      loaded->closed = true;
    } else if (kernel) {
      return stale(kernel);
    }
    return std::nullopt;
  });
}

int girih_mode(const girih_kernel *kernel, const char *name) {
  int mode = -1;
  int code = guarded([&]() -> Step {
    std::shared_ptr<LoadedKernel> loaded = kernels.find(kernel);
    if (!loaded) {
      return stale(kernel);
    }
    if (!name) {
      return misuse("the name is null");
    }
    const Manifest &manifest = loaded->artefact->manifest;
    if (std::optional<size_t> number = argumentNamed(manifest, name)) {
      const Argument &argument = manifest.arguments[*number];
      mode = argument.isTensor ? static_cast<int>(argument.mode) : 3;
    }
    return std::nullopt;
  });
  return code ? -2 : mode;
}

/// Takes one argument of the caller, whose arrays are read only once their
/// length is known to be right.
static Step addArgument(const Manifest &manifest, const girih_argument &given,
                        Call &call) {
  if (!given.name) {
    return misuse("an argument has no name");
  }
  std::string name = std::string("%") + given.name;
  std::optional<size_t> number = argumentNamed(manifest, given.name);
  if (!number) {
    return misuse("the kernel has no argument " + name);
  }
  const Argument &argument = manifest.arguments[*number];
  if (argument.isTensor != (given.element != nullptr)) {
    return misuse("argument " + name +
                  (given.element ? " is no tensor" : " is a tensor"));
  }
  if (call.tensors[*number] || call.scalars[*number]) {
    return misuse("argument " + name + " is given twice");
  }
  if (!given.element) {
    call.scalars[*number] = given.value;
    return std::nullopt;
  }
  std::optional<Element> element = elementNamed(given.element);
  if (!element) {
    return misuse("there is no element type " + std::string(given.element));
  }
  if (given.rank != argument.dims.size()) {
    return misuse(fmt::format("contract: {} has {}, the kernel has {}", name,
                              counted(given.rank, "axis", "axes"),
                              argument.dims.size()));
  }
  if (given.rank != 0 && (!given.extents || !given.strides)) {
    return misuse("argument " + name + " has no " +
                  (given.extents ? "strides" : "extents"));
  }
  if (given.evidence < GIRIH_NOTHING || given.evidence > GIRIH_VALIDATED) {
    return misuse("argument " + name +
                  " has no such evidence: " + std::to_string(given.evidence));
  }
  auto evidence = static_cast<Evidence>(given.evidence);
  if (evidence == Evidence::Contents && !given.contents) {
    return misuse("argument " + name + " has no contents");
  }
  call.tensors[*number] =
      TensorValue{given.address,
                  *element,
                  {given.extents, given.extents + given.rank},
                  {given.strides, given.strides + given.rank},
                  evidence,
                  given.contents};
  return std::nullopt;
}

static Step addSymbol(const girih_symbol &given, Call &call) {
  if (!given.name) {
    return misuse("a symbol has no name");
  }
  auto [place, added] = call.symbols.emplace(given.name, given.value);
  if (!added) {
    return misuse(fmt::format("symbol {} is given twice: {} and {}", given.name,
                              place->second, given.value));
  }
  return std::nullopt;
}

/// Takes what a caller hands over.
static Step addAll(const Manifest &manifest, const girih_argument *arguments,
                   size_t argument_count, const girih_symbol *symbols,
                   size_t symbol_count, Call &call) {
  if ((argument_count != 0 && !arguments) || (symbol_count != 0 && !symbols)) {
    return misuse(fmt::format("{} {} are given, at null",
                              arguments ? symbol_count : argument_count,
                              arguments ? "symbols" : "arguments"));
  }
  call.tensors.resize(manifest.arguments.size());
  call.scalars.resize(manifest.arguments.size());
  // What the kernel does not have and what comes twice is refused, so a count
  // that is far too large does no harm.
  for (size_t k = 0; k < argument_count; ++k) {
    if (auto error = addArgument(manifest, arguments[k], call)) {
      return error;
    }
  }
  for (size_t k = 0; k < symbol_count; ++k) {
    if (auto error = addSymbol(symbols[k], call)) {
      return error;
    }
  }
  return std::nullopt;
}

/// Where a call runs: in the context at hand, or, with its memory on another
/// device, in one of that device.
static Expected<Context> contextOf(const Driver &driver,
                                   const Manifest &manifest,
                                   const LaunchPlan &plan,
                                   const std::vector<uint64_t> &addresses) {
  Expected<Context> here = contextAtHand(driver);
  for (size_t k = 0; here && k < manifest.arguments.size(); ++k) {
    if (manifest.arguments[k].isTensor && plan.layouts[k].span() != 0) {
      return contextOfMemory(driver, *here, addresses[k]);
    }
  }
  return here;
}

/// That the tensors are where and as long as the call says.
static Step checkTensors(const Driver &driver, const Context &context,
                         const Manifest &manifest, const LaunchPlan &plan,
                         const std::vector<uint64_t> &addresses) {
  MemoryCheck memory(driver, context);
  for (size_t k = 0; k < manifest.arguments.size(); ++k) {
    if (!manifest.arguments[k].isTensor) {
      continue;
    }
    const Layout &layout = plan.layouts[k];
    auto bytes =
        static_cast<uint64_t>(bytesOf<Wide>(layout.element, layout.span()));
    if (auto error = memory.check("%" + manifest.arguments[k].name,
                                  addresses[k], bytes)) {
      return error;
    }
  }
  return std::nullopt;
}

int girih_check(const girih_kernel *kernel, const girih_argument *arguments,
                size_t argument_count, const girih_symbol *symbols,
                size_t symbol_count) {
  return guarded([&]() -> Step {
    std::shared_ptr<LoadedKernel> loaded = kernels.find(kernel);
    if (!loaded) {
      return stale(kernel);
    }
    const Manifest &manifest = loaded->artefact->manifest;
    Call call;
    if (auto error = addAll(manifest, arguments, argument_count, symbols,
                            symbol_count, call)) {
      return error;
    }
    Expected<LaunchPlan> plan = checkCall(manifest, call);
    return plan ? Step() : plan.error();
  });
}

/// Checks a call against the contract and readies its launch; `take` gets the
/// context, the plan and the launch while the kernel is locked.
template <typename Take>
static Step prepareCall(const std::shared_ptr<LoadedKernel> &loaded,
                        const girih_argument *arguments, size_t argument_count,
                        const girih_symbol *symbols, size_t symbol_count,
                        Take take) {
  const Manifest &manifest = loaded->artefact->manifest;
  Call call;
  if (auto error = addAll(manifest, arguments, argument_count, symbols,
                          symbol_count, call)) {
    return error;
  }
  // The contract needs no device: what it refuses is refused everywhere.
  Expected<LaunchPlan> plan = checkCall(manifest, call);
  if (!plan) {
    return plan.error();
  }
  const Expected<Driver> &driver = driverOnce();
  if (!driver) {
    return driver.error();
  }
  std::vector<uint64_t> addresses;
  for (const std::optional<TensorValue> &tensor : call.tensors) {
    addresses.push_back(tensor ? tensor->address : 0);
  }
  std::lock_guard lock(loaded->mutex);
  Expected<Context> context = contextOf(*driver, manifest, *plan, addresses);
  if (!context) {
    return context.error();
  }
  Entered entered(*driver, context->handle);
  if (entered.error()) {
    return entered.error();
  }
  if (auto error =
          checkTensors(*driver, *context, manifest, *plan, addresses)) {
    return error;
  }
  BesideCaptures beside(*driver);
  auto place = loaded->byContext.find(context->handle);
  // What cannot be prepared leaves nothing behind.
  std::unique_ptr<Kernel> fresh;
  if (place == loaded->byContext.end()) {
    fresh =
        std::make_unique<Kernel>(*driver, context->device, loaded->artefact);
  }
  Expected<KernelLaunch> prepared =
      (fresh ? fresh : place->second.code)->prepare(*plan, call);
  if (!prepared) {
    return prepared.error();
  }
  if (fresh) {
    place = loaded->byContext
                .emplace(context->handle,
                         KernelInContext{*context, std::move(fresh), {}})
                .first;
  }
  take(place->second, std::move(*plan), std::move(*prepared));
  return std::nullopt;
}

int girih_prepare(girih_kernel *kernel, const girih_argument *arguments,
                  size_t argument_count, const girih_symbol *symbols,
                  size_t symbol_count, girih_launch **launch) {
  return guarded([&]() -> Step {
    if (!launch) {
      return misuse("there is no place for the launch");
    }
    *launch = nullptr;
    std::shared_ptr<LoadedKernel> loaded = kernels.find(kernel);
    if (!loaded) {
      return stale(kernel);
    }
    return prepareCall(
        loaded, arguments, argument_count, symbols, symbol_count,
        [&](KernelInContext &place, LaunchPlan, KernelLaunch prepared) {
          *launch = launches.add(std::make_shared<PreparedLaunch>(
              loaded, place.context, std::move(prepared)));
        });
  });
}

const char *girih_believed(const girih_launch *launch, size_t number) {
  const char *text = nullptr;
  guarded([&]() -> Step {
    std::shared_ptr<PreparedLaunch> prepared = launches.find(launch);
    if (!prepared) {
      return stale(launch);
    }
    const std::vector<std::string> &believed = prepared->launch.believed;
    text = number < believed.size() ? believed[number].c_str() : nullptr;
    return std::nullopt;
  });
  return text;
}

static Step runPrepared(PreparedLaunch &prepared, void *stream) {
  if (prepared.kernel->closed) {
    return misuse("the kernel of this launch was closed");
  }
  Entered entered(*driverOnce(), prepared.context.handle);
  if (entered.error()) {
    return entered.error();
  }
  std::lock_guard lock(prepared.mutex);
  return girih::runtime::launch(*driverOnce(), prepared.launch, stream);
}

int girih_run(girih_launch *launch, void *stream) {
  return guarded([&]() -> Step {
    std::shared_ptr<PreparedLaunch> prepared = launches.find(launch);
    return prepared ? runPrepared(*prepared, stream) : Step(stale(launch));
  });
}

/// Runs a call whose shape has passed before, in the context where contextOf
/// would have it. False, and nothing was done, where it has not, or where
/// something is wrong with its addresses, its scalars or the context; why that
/// is so girih_call says then as girih_prepare does.
static bool runPassed(LoadedKernel &loaded, const CallNumbers &numbers,
                      void *stream, Step &outcome) {
  const Driver &driver = *driverOnce();
  const Manifest &manifest = loaded.artefact->manifest;
  struct Found {
    std::shared_ptr<const PassedCall> call;
    Context context;
  };
  // The kernel's lock is for looking it up alone: calls do not wait for each
  // other.
  auto find = [&](auto isWanted) -> Found {
    std::lock_guard lock(loaded.mutex);
    for (const auto &[context, kernel] : loaded.byContext) {
      auto call =
          isWanted(context) ? kernel.passed.find(numbers.shape) : nullptr;
      if (call) {
        return {std::move(call), kernel.context};
      }
    }
    return {};
  };
  auto run = [&](const Found &found) {
    const PassedCall &passed = *found.call;
    Entered entered(driver, found.context.handle);
    if (entered.error() ||
        checkAgain(manifest, passed.plan, numbers.addresses, numbers.scalars) ||
        checkTensors(driver, found.context, manifest, passed.plan,
                     numbers.addresses)) {
      return false;
    }
    thread_local ParameterBlock parameters;
    parameters = passed.launch.parameters;
    setParameters(manifest, passed.plan.variant, numbers.addresses,
                  numbers.scalars, parameters);
    outcome = girih::runtime::launch(driver, passed.launch, parameters, stream);
    return true;
  };
  Expected<void *> here = handleAtHand(driver);
  if (!here) {
    return false;
  }
  Found found = find([&](void *context) { return context == *here; });
  if (found.call && run(found)) {
    return true;
  }
  // On another device: of the plans of this shape each says the same of spans.
  found = find([](void *) { return true; });
  if (!found.call) {
    return false;
  }
  Expected<Context> where =
      contextOf(driver, manifest, found.call->plan, numbers.addresses);
  if (!where || where->handle == *here) {
    return false;
  }
  found = find([&](void *context) { return context == where->handle; });
  return found.call && run(found);
}

int girih_call(girih_kernel *kernel, const girih_argument *arguments,
               size_t argument_count, const girih_symbol *symbols,
               size_t symbol_count, void *stream) {
  return guarded([&]() -> Step {
    std::shared_ptr<LoadedKernel> loaded = kernels.find(kernel);
    if (!loaded) {
      return stale(kernel);
    }
    thread_local CallNumbers numbers;
    bool hasShape = numbers.read(loaded->artefact->manifest, arguments,
                                 argument_count, symbols, symbol_count);
    Step outcome;
    if (hasShape && runPassed(*loaded, numbers, stream, outcome)) {
      return outcome;
    }
    std::shared_ptr<PreparedLaunch> prepared;
    outcome = prepareCall(
        loaded, arguments, argument_count, symbols, symbol_count,
        [&](KernelInContext &place, LaunchPlan plan, KernelLaunch launch) {
          if (hasShape) {
            place.passed.add(numbers.shape, {std::move(plan), launch});
          }
          prepared = std::make_shared<PreparedLaunch>(loaded, place.context,
                                                      std::move(launch));
        });
    return outcome ? outcome : runPrepared(*prepared, stream);
  });
}

int girih_release(girih_launch *launch) {
  return guarded([&]() -> Step {
    return launches.take(launch) || !launch ? Step() : stale(launch);
  });
}

/// Calls a function in the context of a launch, or in the one at hand where the
/// launch is null.
template <typename Function>
static Step inContextOf(const girih_launch *launch, Function function) {
  if (!launch) {
    return withDriver({}, function);
  }
  std::shared_ptr<PreparedLaunch> prepared = launches.find(launch);
  return prepared ? withDriver(prepared->context, function) : stale(launch);
}

int girih_captured(const girih_launch *launch, void *stream, int *captured) {
  return guarded([&]() -> Step {
    if (!captured) {
      return misuse("there is no place for the answer");
    }
    *captured = 0;
    return inContextOf(launch,
                       [&](const Driver &driver, const Context &) -> Step {
                         Expected<bool> answer = isCaptured(driver, stream);
                         if (!answer) {
                           return answer.error();
                         }
                         *captured = *answer;
                         return std::nullopt;
                       });
  });
}

int girih_wait(const girih_launch *launch, void *stream) {
  return guarded([&]() -> Step {
    return inContextOf(
        launch, [&](const Driver &driver, const Context &) -> Step {
          Expected<bool> captured = isCaptured(driver, stream);
          if (!captured) {
            return captured.error();
          }
          if (*captured) {
            return misuse("nobody can wait for a stream that is captured");
          }
          BesideCaptures relaxed(driver);
          return succeed(driver, "cuStreamSynchronize",
                         driver.streamSynchronize(stream));
        });
  });
}
