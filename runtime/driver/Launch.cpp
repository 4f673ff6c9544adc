// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Launch.h"

#include "runtime/arguments/Preconditions.h"
#include "runtime/artefact/Cubin.h"
#include "runtime/artefact/Text.h"
#include "runtime/driver/Ranges.h"
#include "runtime/driver/Repacked.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace girih::runtime {

ParameterBlock packParameters(const Manifest &manifest, const LaunchPlan &plan,
                              const Call &call) {
  ParameterBlock block;
  size_t integer = 0;
  for (const Parameter &p : manifest.variants[plan.variant].parameters) {
    uint64_t bits = 0;
    switch (p.kind) {
    case Parameter::Kind::Pointer:
      bits = call.tensors[p.argument]->address;
      break;
    case Parameter::Kind::Scalar:
      bits = bitsOf(manifest.arguments[p.argument].element,
                    *call.scalars[p.argument]);
      break;
    case Parameter::Kind::Integer:
      bits = static_cast<uint64_t>(plan.integers[integer++]);
      break;
    }
    size_t offset = (block.bytes.size() + p.bytes - 1) / p.bytes * p.bytes;
    block.bytes.resize(offset + p.bytes);
    std::memcpy(block.bytes.data() + offset, &bits, p.bytes);
    block.offsets.push_back(offset);
  }
  return block;
}

void setParameters(const Manifest &manifest, size_t variant,
                   const std::vector<uint64_t> &addresses,
                   const std::vector<double> &scalars, ParameterBlock &block) {
  const std::vector<Parameter> &parameters =
      manifest.variants[variant].parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Parameter &p = parameters[k];
    if (p.kind == Parameter::Kind::Integer) {
      continue;
    }
    uint64_t bits = p.kind == Parameter::Kind::Pointer
                        ? addresses[p.argument]
                        : bitsOf(manifest.arguments[p.argument].element,
                                 scalars[p.argument]);
    std::memcpy(block.bytes.data() + block.offsets[k], &bits, p.bytes);
  }
}

Kernel::Kernel(const Driver &driver, Device device,
               std::shared_ptr<const Artefact> artefact)
    : driver(&driver), device(std::move(device)), artefact(std::move(artefact)),
      modules(this->artefact->manifest.variants.size()) {}

Kernel::~Kernel() {
  for (const std::shared_ptr<LoadedCode> &code : modules) {
    if (code && !code->captured) {
      driver->moduleUnload(code->module);
    }
  }
}

void Kernel::keepLoaded() {
  for (const std::shared_ptr<LoadedCode> &code : modules) {
    if (code) {
      code->captured = true;
    }
  }
}

/// The driver reads as many parameters as the cubin has: they must be ours.
static std::optional<Error> countedParameters(std::string_view cubin,
                                              const Variant &variant) {
  std::optional<size_t> count = countParameters(cubin, variant.entry);
  if (!count) {
    return Error{ErrorKind::Artefact,
                 fmt::format("the cubin says nothing about "
                             "the parameters of its entry {}",
                             variant.entry)};
  }
  if (*count != variant.parameters.size()) {
    return Error{ErrorKind::Artefact,
                 fmt::format("the cubin's entry {} has {}, the manifest has {}",
                             variant.entry,
                             counted(*count, "parameter", "parameters"),
                             variant.parameters.size())};
  }
  return std::nullopt;
}

/// What the driver makes of them. It is asked for no more than there are.
static std::optional<Error>
checkParameters(const Driver &driver, void *function, const Variant &variant) {
  size_t end = 0;
  for (size_t k = 0; k < variant.parameters.size(); ++k) {
    size_t bytes = variant.parameters[k].bytes;
    size_t expected = (end + bytes - 1) / bytes * bytes;
    size_t offset = 0, size = 0;
    if (int error = driver.functionGetParamInfo(function, k, &offset, &size)) {
      return driverFailure(driver, "cuFuncGetParamInfo", error);
    }
    if (offset != expected || size != bytes) {
      return Error{
          ErrorKind::Artefact,
          fmt::format(
              "parameter {} of the cubin's entry {} has {} at {}, the manifest "
              "has {} at {}",
              k, variant.entry, counted(size, "byte", "bytes"), offset, bytes,
              expected)};
    }
    end = expected + bytes;
  }
  return std::nullopt;
}

/// A block may have more shared memory than the 48 KiB of any kernel if it is
/// asked for; then as much of the cache as there is becomes shared memory. Who
/// needs less may need the cache.
static std::optional<Error> allowShared(const Driver &driver, void *function,
                                        unsigned bytes) {
  constexpr int maxDynamicSharedBytes = 8, preferredCarveout = 9;
  constexpr unsigned ofAnyKernel = 48 << 10;
  if (bytes <= ofAnyKernel) {
    return std::nullopt;
  }
  int error =
      driver.functionSetAttribute(function, maxDynamicSharedBytes, int(bytes));
  if (!error) {
    error = driver.functionSetAttribute(function, preferredCarveout, 100);
  }
  return error
             ? std::optional(driverFailure(driver, "cuFuncSetAttribute", error))
             : std::nullopt;
}

/// The places among the tensors of what a launch reads before it waits.
static std::vector<size_t> earlyTensors(const Manifest &manifest,
                                        const BlockShape &shape) {
  std::vector<size_t> out;
  for (size_t argument : shape.early) {
    auto end = manifest.arguments.begin() + static_cast<ptrdiff_t>(argument);
    out.push_back(static_cast<size_t>(
        std::count_if(manifest.arguments.begin(), end,
                      [](const Argument &a) { return a.isTensor; })));
  }
  return out;
}

/// How the cubin for an architecture, which is there, is launched.
static const BlockShape &shapeFor(const Variant &variant,
                                  const std::string &architecture) {
  return std::find_if(variant.cubins.begin(), variant.cubins.end(),
                      [&](const Cubin &cubin) {
                        return cubin.architecture == architecture;
                      })
      ->shape;
}

Expected<std::shared_ptr<LoadedCode>> Kernel::code(size_t variant) {
  std::shared_ptr<LoadedCode> &code = modules[variant];
  if (code) {
    return code;
  }
  const Variant &v = artefact->manifest.variants[variant];
  Expected<std::string_view> cubin =
      cubinFor(*artefact, variant, architectureOf(device));
  if (!cubin) {
    return cubin.error();
  }
  if (auto error = countedParameters(*cubin, v)) {
    return *error;
  }
  const BlockShape &shape = shapeFor(v, architectureOf(device));
  void *loaded = nullptr, *entry = nullptr;
  if (int error = driver->moduleLoadData(&loaded, cubin->data())) {
    return driverFailure(*driver, "cuModuleLoadData", error);
  }
  std::optional<Error> error;
  if (int status = driver->moduleGetFunction(&entry, loaded, v.entry.c_str())) {
    error = driverFailure(*driver, "cuModuleGetFunction", status);
  } else {
    error = checkParameters(*driver, entry, v);
  }
  if (!error) {
    error = allowShared(*driver, entry, shape.sharedBytes);
  }
  if (error) {
    driver->moduleUnload(loaded);
    return *error;
  }
  code = std::make_shared<LoadedCode>();
  code->module = loaded;
  code->function = entry;
  code->threads = shape.threads;
  code->sharedBytes = shape.sharedBytes;
  code->early = earlyTensors(artefact->manifest, shape);
  code->waits = shape.waits;
  return code;
}

Expected<std::shared_ptr<const RepackedLaunch>>
Kernel::repackedFor(const LaunchPlan &plan, const Call &call) {
  std::optional<Repacking> repacking = repack(artefact->manifest, plan);
  if (!repacking) {
    return std::shared_ptr<const RepackedLaunch>();
  }
  Expected<std::shared_ptr<LoadedCode>> entry = code(repacking->plan.variant);
  if (!entry) {
    return entry.error();
  }
  ParameterBlock block =
      packParameters(artefact->manifest, repacking->plan, call);
  return repackedLaunch(artefact->manifest, plan, std::move(*repacking), *entry,
                        std::move(block));
}

Expected<KernelLaunch> Kernel::prepare(const LaunchPlan &plan,
                                       const Call &call) {
  Expected<std::shared_ptr<LoadedCode>> entry = code(plan.variant);
  if (!entry) {
    return entry.error();
  }
  auto repacked = repackedFor(plan, call);
  if (!repacked) {
    return repacked.error();
  }
  KernelLaunch launch{*entry,
                      static_cast<unsigned>(plan.blocks),
                      packParameters(artefact->manifest, plan, call),
                      *repacked,
                      {},
                      artefact->manifest.variants[plan.variant].trusted,
                      {}};
  if (auto error = prepareGivens(plan, call, launch)) {
    return *error;
  }
  launch.range = rangeText(artefact->manifest, plan, launch.believed);
  return launch;
}

Expected<Kernel *> Kernel::validatorOf(const Precondition &given) {
  if (!given.validator) {
    return nullptr;
  }
  auto found = artefact->validators.find(given.validator->name);
  if (found == artefact->validators.end()) {
    return Error{ErrorKind::Artefact,
                 "the artefact lacks its validator " + given.validator->name};
  }
  std::unique_ptr<Kernel> &kernel = validators[found->first];
  if (!kernel) {
    kernel = std::make_unique<Kernel>(*driver, device, found->second);
  }
  return kernel.get();
}

std::optional<Error> Kernel::prepareGivens(const LaunchPlan &plan,
                                           const Call &call,
                                           KernelLaunch &launch) {
  const std::vector<Precondition> &givens =
      artefact->manifest.variants[plan.variant].givens;
  for (size_t k = 0; k < givens.size(); ++k) {
    const Precondition &given = givens[k];
    const Layout &layout = plan.layouts[given.tensor];
    const TensorValue &value = *call.tensors[given.tensor];
    if (given.assumed || isTrivial(given, layout)) {
      continue;
    }
    if (value.evidence == Evidence::Vouched) {
      launch.believed.push_back("vouched for: " + given.text);
    }
    if (value.evidence != Evidence::Validated) {
      continue;
    }
    Expected<Kernel *> validator = validatorOf(given);
    if (!validator) {
      return validator.error();
    }
    Expected<Validation> validation = prepareValidation(
        *driver, given, plan.bounds[k], layout, value.address, *validator);
    if (!validation) {
      return validation.error();
    }
    launch.validations.push_back(std::move(*validation));
  }
  return std::nullopt;
}

std::optional<Error> launch(const Driver &driver, KernelLaunch &whole,
                            void *stream) {
  return launch(driver, whole, whole.parameters, stream);
}

std::optional<Error> launch(const Driver &driver, const KernelLaunch &launch,
                            ParameterBlock &block, void *stream) {
  if (launch.blocks == 0) {
    return std::nullopt;
  }
  Range range(launch.range);
  Expected<bool> captured = isCaptured(driver, stream);
  if (!captured) {
    return captured.error();
  }
  if (*captured && !launch.validations.empty()) {
    return Error{ErrorKind::Usage,
                 "contract: given " + launch.validations[0].given.text +
                     ": contents cannot be validated while a graph is "
                     "captured; validate them before, and vouch for them"};
  }
  for (const Validation &validation : launch.validations) {
    if (auto error = validate(driver, validation, stream)) {
      return error;
    }
  }
  if (*captured) {
    launch.code->captured = true;
  }
  std::vector<void *> parameters;
  for (size_t offset : block.offsets) {
    parameters.push_back(block.bytes.data() + offset);
  }
  if (launch.repacked && !*captured) {
    Expected<bool> launched =
        launchRepacked(driver, *launch.repacked, parameters.data(), stream);
    if (!launched || *launched) {
      return launched ? std::nullopt : std::optional(launched.error());
    }
  }
  // Where the kernel's own block size is in the cubin, (1, 1, 1) stands for it.
  if (int error = driver.launchKernel(
          launch.code->function, launch.blocks, 1, 1, launch.code->threads, 1,
          1, launch.code->sharedBytes, stream, parameters.data(), nullptr)) {
    return driverFailure(driver, "cuLaunchKernel", error);
  }
  return std::nullopt;
}

} // namespace girih::runtime
