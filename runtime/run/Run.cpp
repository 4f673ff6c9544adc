// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/run/Run.h"

#include "runtime/arguments/NpyFile.h"
#include "runtime/driver/Buffer.h"

#include <algorithm>

namespace girih::runtime {

bool Outcome::agrees() const {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [](const auto &c) { return c.second.agrees(); });
}

Expected<std::shared_ptr<const Artefact>>
Session::artefact(const std::string &from) {
  if (last && folder == from) {
    return last;
  }
  loaded.reset();
  last.reset();
  Expected<Artefact> read = loadArtefact(from, policy ? &*policy : nullptr);
  if (!read) {
    return read.error();
  }
  folder = from;
  last = std::make_shared<const Artefact>(std::move(*read));
  return last;
}

Expected<Kernel *> Session::kernel() {
  if (!opened) {
    Expected<Driver> driver = openDriver();
    if (!driver) {
      return driver.error();
    }
    opened = *driver;
  }
  if (!entered) {
    Expected<Context> context = enterContext(*opened);
    if (!context) {
      return context.error();
    }
    entered = context->device;
  }
  if (!loaded) {
    loaded = std::make_unique<Kernel>(*opened, *entered, last);
  }
  return loaded.get();
}

namespace {

Error refuse(std::string reason) {
  return {ErrorKind::Usage, std::move(reason)};
}

/// One run, step by step; each step returns what is wrong, if anything.
struct Runner {
  using Step = std::optional<Error>;

  Session &session;
  const Case &what;
  const Manifest *manifest = nullptr;
  std::vector<std::optional<Array>> inputs; ///< by argument
  Call call;
  std::vector<std::optional<Buffer>> buffers;
  Outcome outcome;

  Expected<size_t> argument(const std::string &name, bool tensor) {
    std::optional<size_t> number = argumentNamed(*manifest, name);
    if (!number) {
      return refuse("the kernel has no argument %" + name);
    }
    if (manifest->arguments[*number].isTensor != tensor) {
      return refuse("argument %" + name + " is " +
                    (tensor ? "no tensor" : "a tensor: give it a .npy file"));
    }
    return *number;
  }

  Step checkNames() {
    for (const auto *names : {&what.outputs, &what.expected, &what.bounds}) {
      for (const auto &[name, path] : *names) {
        if (Expected<size_t> number = argument(name, true); !number) {
          return number.error();
        }
      }
    }
    for (const std::string &name : what.validated) {
      if (Expected<size_t> number = argument(name, true); !number) {
        return number.error();
      }
    }
    for (const auto &[name, path] : what.bounds) {
      if (!what.expected.contains(name)) {
        return refuse("a bound for %" + name +
                      ", of which nothing is expected");
      }
    }
    return std::nullopt;
  }

  Step readInputs() {
    inputs.resize(manifest->arguments.size());
    call.tensors.resize(inputs.size());
    call.scalars.resize(inputs.size());
    call.symbols = what.symbols;
    for (const auto &[name, value] : what.scalars) {
      Expected<size_t> number = argument(name, false);
      if (!number) {
        return number.error();
      }
      call.scalars[*number] = value;
    }
    for (const auto &[name, path] : what.inputs) {
      Expected<size_t> number = argument(name, true);
      if (!number) {
        return number.error();
      }
      Expected<Array> array =
          readNpy(path, manifest->arguments[*number].element);
      if (!array) {
        return array.error();
      }
      inputs[*number] = std::move(*array);
      const Array &held = *inputs[*number];
      call.tensors[*number] =
          TensorValue{0,
                      held.element,
                      held.shape,
                      {},
                      what.validated.contains(name) ? Evidence::Validated
                                                    : Evidence::Contents,
                      held.bytes.data()};
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Argument &argument = manifest->arguments[i];
      if (argument.isTensor ? !inputs[i] && argument.mode != Mode::Out
                            : !call.scalars[i]) {
        return refuse("argument %" + argument.name + " is missing");
      }
    }
    return std::nullopt;
  }

  /// Extents that are constants; symbols have been compared before.
  Step checkShapes(const LaunchPlan &plan) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] && inputs[i]->shape != plan.layouts[i].extents) {
        return refuse("the extents of %" + manifest->arguments[i].name +
                      " are not those of the kernel");
      }
    }
    return std::nullopt;
  }

  Step allocate(const LaunchPlan &plan) {
    buffers.resize(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Argument &argument = manifest->arguments[i];
      if (!argument.isTensor) {
        continue;
      }
      const Layout &layout = plan.layouts[i];
      // Speed is measured where an allocator would put the tensor; what is
      // right must be right at the weakest address that the contract admits.
      Expected<Buffer> buffer = Buffer::make(
          session.driver(), layout, inputs[i] ? &*inputs[i] : nullptr,
          what.samples ? std::max<int64_t>(argument.align, 256)
                       : argument.align,
          what.samples == 0);
      if (!buffer) {
        return buffer.error();
      }
      buffers[i].emplace(std::move(*buffer));
      Evidence evidence =
          inputs[i] ? call.tensors[i]->evidence : Evidence::None;
      call.tensors[i] =
          TensorValue{buffers[i]->address(), argument.element, layout.extents,
                      layout.strides,        evidence,         nullptr};
    }
    return std::nullopt;
  }

  Step launchOnce(KernelLaunch &prepared) {
    const Driver &driver = session.driver();
    if (auto error = launch(driver, prepared, nullptr)) {
      return error;
    }
    if (int error = driver.contextSynchronize()) {
      return driverFailure(driver, "cuCtxSynchronize", error);
    }
    return std::nullopt;
  }

  Step compareOne(const std::string &name, const Array &got) {
    auto wanted = what.expected.find(name);
    if (wanted == what.expected.end()) {
      return std::nullopt;
    }
    Expected<Array> expected = readNpy(wanted->second, got.element);
    if (!expected) {
      return expected.error();
    }
    auto bound = what.bounds.find(name);
    if (bound == what.bounds.end()) {
      outcome.comparisons.emplace_back(name, compare(got, *expected, nullptr));
      return std::nullopt;
    }
    Expected<Array> bounds = readNpy(bound->second, Element::F64);
    if (!bounds) {
      return bounds.error();
    }
    outcome.comparisons.emplace_back(name, compare(got, *expected, &*bounds));
    return std::nullopt;
  }

  Step collect() {
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (!buffers[i]) {
        continue;
      }
      const Argument &argument = manifest->arguments[i];
      Expected<Array> got =
          buffers[i]->read(argument.name, argument.mode != Mode::Shared);
      if (!got) {
        return got.error();
      }
      if (auto error = compareOne(argument.name, *got)) {
        return error;
      }
      auto output = what.outputs.find(argument.name);
      if (output != what.outputs.end()) {
        if (auto error = writeFile(output->second, printNpy(*got))) {
          return error;
        }
      }
    }
    return std::nullopt;
  }

  Step run() {
    Expected<std::shared_ptr<const Artefact>> artefact =
        session.artefact(what.artefact);
    if (!artefact) {
      return artefact.error();
    }
    manifest = &(*artefact)->manifest;
    if (auto error = checkNames()) {
      return error;
    }
    if (auto error = readInputs()) {
      return error;
    }
    Expected<std::vector<int64_t>> symbols = bindSymbols(*manifest, call);
    if (!symbols) {
      return symbols.error();
    }
    Expected<LaunchPlan> plan = planLaunch(*manifest, std::move(*symbols));
    if (!plan) {
      return plan.error();
    }
    outcome.blocks = plan->blocks;
    if (auto error = checkShapes(*plan)) {
      return error;
    }
    if (auto error = checkGivens(*manifest, *plan, call)) {
      return error;
    }
    Expected<Kernel *> kernel = session.kernel();
    if (!kernel) {
      return kernel.error();
    }
    outcome.device = session.device().name;
    if (auto error = allocate(*plan)) {
      return error;
    }
    if (auto error = checkArguments(*manifest, *plan, call)) {
      return error;
    }
    Expected<KernelLaunch> prepared = (*kernel)->prepare(*plan, call);
    if (!prepared) {
      return prepared.error();
    }
    outcome.believed = prepared->believed;
    if (auto error = launchOnce(*prepared)) {
      return error;
    }
    // Nobody else writes to this memory: the contents are as they were.
    prepared->validations.clear();
    if (auto error = collect()) {
      return error;
    }
    if (what.samples == 0) {
      return std::nullopt;
    }
    Expected<Timing> timing =
        timeLaunch(session.driver(), *prepared, what.samples, nullptr);
    if (!timing) {
      return timing.error();
    }
    outcome.timing = *timing;
    return std::nullopt;
  }
};

} // namespace

Expected<Outcome> runCase(Session &session, const Case &what) {
  Runner runner{session, what, nullptr, {}, {}, {}, {}};
  if (auto error = runner.run()) {
    return *error;
  }
  return std::move(runner.outcome);
}

} // namespace girih::runtime
