// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/run/Run.h"

#include "runtime/driver/Buffer.h"

#include <algorithm>

namespace girih::runtime {

bool Outcome::agrees() const {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [](const auto &c) { return c.second.agrees(); });
}

Result<std::shared_ptr<const Artefact>>
Session::artefact(const std::string &from) {
  if (last && folder == from) {
    return last;
  }
  loaded.reset();
  last.reset();
  Result<Artefact> read = loadArtefact(from);
  if (!read) {
    return read.refusal();
  }
  folder = from;
  last = std::make_shared<const Artefact>(std::move(*read));
  return last;
}

Result<Kernel *> Session::kernel() {
  if (!opened) {
    Result<Driver> driver = openDriver();
    if (!driver) {
      return driver.refusal();
    }
    opened = *driver;
  }
  if (!entered) {
    Result<Context> context = enterContext(*opened);
    if (!context) {
      return context.refusal();
    }
    entered = context->device;
  }
  if (!loaded) {
    loaded = std::make_unique<Kernel>(*opened, *entered, last);
  }
  return loaded.get();
}

namespace {

Refusal refuse(std::string reason) { return {Why::Usage, std::move(reason)}; }

/// One run, step by step; each step returns what is wrong, if anything.
struct Runner {
  using Step = std::optional<Refusal>;

  Session &session;
  const Case &what;
  const Manifest *manifest = nullptr;
  std::vector<std::optional<Array>> inputs; ///< by argument
  Call call;
  std::vector<std::optional<Buffer>> buffers;
  Outcome outcome;

  Result<size_t> argument(const std::string &name, bool tensor) {
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
        if (Result<size_t> number = argument(name, true); !number) {
          return number.refusal();
        }
      }
    }
    for (const std::string &name : what.validated) {
      if (Result<size_t> number = argument(name, true); !number) {
        return number.refusal();
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
      Result<size_t> number = argument(name, false);
      if (!number) {
        return number.refusal();
      }
      call.scalars[*number] = value;
    }
    for (const auto &[name, path] : what.inputs) {
      Result<size_t> number = argument(name, true);
      if (!number) {
        return number.refusal();
      }
      Result<Array> array = readNpy(path, manifest->arguments[*number].element);
      if (!array) {
        return array.refusal();
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
  Step checkShapes(const Plan &plan) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] && inputs[i]->shape != plan.layouts[i].extents) {
        return refuse("the extents of %" + manifest->arguments[i].name +
                      " are not those of the kernel");
      }
    }
    return std::nullopt;
  }

  Step allocate(const Plan &plan) {
    buffers.resize(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Argument &argument = manifest->arguments[i];
      if (!argument.isTensor) {
        continue;
      }
      const Layout &layout = plan.layouts[i];
      // Speed is measured where an allocator would put the tensor; what is
      // right must be right at the weakest address that the contract admits.
      Result<Buffer> buffer = Buffer::make(
          session.driver(), layout, inputs[i] ? &*inputs[i] : nullptr,
          what.samples ? std::max<int64_t>(argument.align, 256)
                       : argument.align,
          what.samples == 0);
      if (!buffer) {
        return buffer.refusal();
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

  Step launchOnce(Launch &prepared) {
    const Driver &driver = session.driver();
    if (auto refusal = launch(driver, prepared, nullptr)) {
      return refusal;
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
    Result<Array> expected = readNpy(wanted->second, got.element);
    if (!expected) {
      return expected.refusal();
    }
    auto bound = what.bounds.find(name);
    if (bound == what.bounds.end()) {
      outcome.comparisons.emplace_back(name, compare(got, *expected, nullptr));
      return std::nullopt;
    }
    Result<Array> bounds = readNpy(bound->second, Element::F64);
    if (!bounds) {
      return bounds.refusal();
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
      Result<Array> got =
          buffers[i]->read(argument.name, argument.mode != Mode::Shared);
      if (!got) {
        return got.refusal();
      }
      if (auto refusal = compareOne(argument.name, *got)) {
        return refusal;
      }
      auto output = what.outputs.find(argument.name);
      if (output != what.outputs.end()) {
        if (auto refusal = writeFile(output->second, printNpy(*got))) {
          return refusal;
        }
      }
    }
    return std::nullopt;
  }

  Step run() {
    Result<std::shared_ptr<const Artefact>> artefact =
        session.artefact(what.artefact);
    if (!artefact) {
      return artefact.refusal();
    }
    manifest = &(*artefact)->manifest;
    if (auto refusal = checkNames()) {
      return refusal;
    }
    if (auto refusal = readInputs()) {
      return refusal;
    }
    Result<std::vector<int64_t>> symbols = bindSymbols(*manifest, call);
    if (!symbols) {
      return symbols.refusal();
    }
    Result<Plan> plan = planLaunch(*manifest, std::move(*symbols));
    if (!plan) {
      return plan.refusal();
    }
    outcome.blocks = plan->blocks;
    if (auto refusal = checkShapes(*plan)) {
      return refusal;
    }
    if (auto refusal = checkGivens(*manifest, *plan, call)) {
      return refusal;
    }
    Result<Kernel *> kernel = session.kernel();
    if (!kernel) {
      return kernel.refusal();
    }
    outcome.device = session.device().name;
    if (auto refusal = allocate(*plan)) {
      return refusal;
    }
    if (auto refusal = checkArguments(*manifest, *plan, call)) {
      return refusal;
    }
    Result<Launch> prepared = (*kernel)->prepare(*plan, call);
    if (!prepared) {
      return prepared.refusal();
    }
    outcome.believed = prepared->believed;
    if (auto refusal = launchOnce(*prepared)) {
      return refusal;
    }
    // Nobody else writes to this memory: the contents are as they were.
    prepared->validations.clear();
    if (auto refusal = collect()) {
      return refusal;
    }
    if (what.samples == 0) {
      return std::nullopt;
    }
    Result<Timing> timing =
        timeLaunch(session.driver(), *prepared, what.samples, nullptr);
    if (!timing) {
      return timing.refusal();
    }
    outcome.timing = *timing;
    return std::nullopt;
  }
};

} // namespace

Result<Outcome> runCase(Session &session, const Case &what) {
  Runner runner{session, what, nullptr, {}, {}, {}, {}};
  if (auto refusal = runner.run()) {
    return *refusal;
  }
  return std::move(runner.outcome);
}

} // namespace girih::runtime
