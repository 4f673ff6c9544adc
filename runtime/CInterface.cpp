// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface over the runtime's functions.

#include "runtime/Launch.h"
#include "runtime/girih.h"

#include <cstring>

using namespace girih::runtime;

static_assert(static_cast<int>(Evidence::None) == GIRIH_NOTHING &&
              static_cast<int>(Evidence::Contents) == GIRIH_CONTENTS &&
              static_cast<int>(Evidence::Vouched) == GIRIH_VOUCHED &&
              static_cast<int>(Evidence::Validated) == GIRIH_VALIDATED);

struct girih_kernel {
  std::shared_ptr<const Artefact> artefact;
  std::unique_ptr<Kernel> loaded; ///< once prepared
  Device device;
};

struct girih_launch {
  Launch launch;
};

static thread_local std::string lastError;

static int fail(const Refusal &refusal) {
  lastError = refusal.reason;
  return exitCode(refusal.why);
}

/// The driver of the process, opened by the first who needs it.
static const Result<Driver> &driverOnce() {
  static const Result<Driver> driver = openDriver();
  return driver;
}

const char *girih_error(void) { return lastError.c_str(); }

int girih_open(const char *folder, girih_kernel **kernel) {
  Result<Artefact> artefact = loadArtefact(folder);
  if (!artefact) {
    return fail(artefact.refusal());
  }
  *kernel = new girih_kernel{
      std::make_shared<const Artefact>(std::move(*artefact)), nullptr, {}};
  return 0;
}

void girih_close(girih_kernel *kernel) { delete kernel; }

int girih_mode(const girih_kernel *kernel, const char *name) {
  const Manifest &manifest = kernel->artefact->manifest;
  std::optional<size_t> number = argumentNamed(manifest, name);
  if (!number) {
    return -1;
  }
  const Argument &argument = manifest.arguments[*number];
  return argument.isTensor ? static_cast<int>(argument.mode) : 3;
}

static std::optional<Refusal>
addArgument(const Manifest &manifest, const girih_argument &given, Call &call) {
  auto refuse = [](std::string reason) {
    return Refusal{Why::Usage, std::move(reason)};
  };
  std::string name = std::string("%") + given.name;
  std::optional<size_t> number = argumentNamed(manifest, given.name);
  if (!number) {
    return refuse("the kernel has no argument " + name);
  }
  if (manifest.arguments[*number].isTensor != (given.element != nullptr)) {
    return refuse("argument " + name +
                  (given.element ? " is no tensor" : " is a tensor"));
  }
  if (!given.element) {
    call.scalars[*number] = given.value;
    return std::nullopt;
  }
  std::optional<Element> element = elementNamed(given.element);
  if (!element) {
    return refuse("there is no element type " + std::string(given.element));
  }
  if (given.evidence < GIRIH_NOTHING || given.evidence > GIRIH_VALIDATED) {
    return refuse("argument " + name +
                  " has no such evidence: " + std::to_string(given.evidence));
  }
  auto evidence = static_cast<Evidence>(given.evidence);
  if (evidence == Evidence::Contents && !given.contents) {
    return refuse("argument " + name + " has no contents");
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

/// Loads the kernel onto the device at hand, or makes sure that it is there.
static std::optional<Refusal> enter(girih_kernel &kernel) {
  const Result<Driver> &driver = driverOnce();
  if (!driver) {
    return driver.refusal();
  }
  Result<Device> device = enterContext(*driver);
  if (!device) {
    return device.refusal();
  }
  if (!kernel.loaded) {
    kernel.loaded = std::make_unique<Kernel>(*driver, *device, kernel.artefact);
    kernel.device = *device;
  }
  if (kernel.device.handle != device->handle) {
    return Refusal{Why::Usage, "the kernel was loaded on another device"};
  }
  return std::nullopt;
}

int girih_prepare(girih_kernel *kernel, const girih_argument *arguments,
                  size_t argument_count, const girih_symbol *symbols,
                  size_t symbol_count, girih_launch **launch) {
  const Manifest &manifest = kernel->artefact->manifest;
  Call call;
  call.tensors.resize(manifest.arguments.size());
  call.scalars.resize(manifest.arguments.size());
  for (size_t k = 0; k < argument_count; ++k) {
    if (auto refusal = addArgument(manifest, arguments[k], call)) {
      return fail(*refusal);
    }
  }
  for (size_t k = 0; k < symbol_count; ++k) {
    call.symbols[symbols[k].name] = symbols[k].value;
  }
  // The contract needs no device: what it refuses is refused everywhere.
  Result<Plan> plan = checkCall(manifest, call);
  if (!plan) {
    return fail(plan.refusal());
  }
  if (auto refusal = enter(*kernel)) {
    return fail(*refusal);
  }
  Result<Launch> prepared = kernel->loaded->prepare(*plan, call);
  if (!prepared) {
    return fail(prepared.refusal());
  }
  *launch = new girih_launch{std::move(*prepared)};
  return 0;
}

const char *girih_believed(const girih_launch *launch, size_t number) {
  const std::vector<std::string> &believed = launch->launch.believed;
  return number < believed.size() ? believed[number].c_str() : nullptr;
}

int girih_run(girih_launch *launch, void *stream) {
  auto refusal = girih::runtime::launch(*driverOnce(), launch->launch, stream);
  return refusal ? fail(*refusal) : 0;
}

void girih_release(girih_launch *launch) { delete launch; }

/// Calls the driver in a context.
template <typename Function>
static int withDriver(const char *name, Function function) {
  const Result<Driver> &driver = driverOnce();
  if (!driver) {
    return fail(driver.refusal());
  }
  Result<Device> device = enterContext(*driver);
  if (!device) {
    return fail(device.refusal());
  }
  int error = function(*driver);
  return error ? fail(driverFailure(*driver, name, error)) : 0;
}

int girih_allocate(size_t bytes, uint64_t *address) {
  *address = 0;
  return withDriver("cuMemAlloc", [&](const Driver &driver) {
    return bytes ? driver.memoryAllocate(address, bytes) : 0;
  });
}

int girih_free(uint64_t address) {
  return withDriver("cuMemFree", [&](const Driver &driver) {
    return address ? driver.memoryFree(address) : 0;
  });
}

int girih_upload(uint64_t to, const void *from, size_t bytes) {
  return withDriver("cuMemcpyHtoD", [&](const Driver &driver) {
    return bytes ? driver.copyToDevice(to, from, bytes) : 0;
  });
}

int girih_download(void *to, uint64_t from, size_t bytes) {
  return withDriver("cuMemcpyDtoH", [&](const Driver &driver) {
    return bytes ? driver.copyToHost(to, from, bytes) : 0;
  });
}

int girih_synchronize(void) {
  return withDriver("cuCtxSynchronize", [](const Driver &driver) {
    return driver.contextSynchronize();
  });
}
